// Every parameter of the scene, for those who want all of it: the schema's rows that may move while it sounds, written out
// over the names of this scene. Nothing is listed here; the schema is.
import { byId, element, say } from './dom.js'
import { readable, typed } from './scale.js'

const shown = 60

export function handleParameters(lab) {
  const details = byId('parameters')
  details.addEventListener('toggle', () => {
    if (details.open) show(lab)
  })
}

export function refreshParameters(lab) {
  if (byId('parameters').open) show(lab)
}

function show(lab) {
  const rows = expand(lab.engine.schema, lab.info).filter((row) => Number.isFinite(lab.engine.get(row.path)))
  const list = element('ul')
  const search = element('input', {
    type: 'search',
    placeholder: `Search ${rows.length} parameters`,
    'aria-label': 'Search parameters',
  })
  const more = element('p', { className: 'more' })
  const fill = () => {
    const wanted = search.value.toLowerCase().split(/\s+/)
    const found = rows.filter((row) =>
      wanted.every((word) => `${row.path} ${row.words} ${row.effect}`.toLowerCase().includes(word)),
    )
    list.replaceChildren(...found.slice(0, shown).map((row) => line(lab, row)))
    more.textContent =
      found.length > shown
        ? `${found.length - shown} more: search for a word.`
        : found.length
          ? ''
          : 'No parameter has these words.'
  }
  search.addEventListener('input', fill)
  byId('parameters').querySelector('.parameters-body').replaceChildren(search, list, more)
  fill()
}

function line(lab, row) {
  const written = (value) => {
    const { text, unit } = readable(value, row.unit, 4)
    return `${text} ${unit}`.trim()
  }
  const range = `${written(row.min)} to ${written(row.max)}`
  const input = element('input', { type: 'text', inputMode: 'decimal', 'aria-label': `${row.path}, ${range}` })
  const show = () => {
    input.value = written(lab.engine.get(row.path))
  }
  input.addEventListener('change', () => {
    const value = typed(input.value, row.unit, 1)
    const refusal = Number.isFinite(value)
      ? lab.set(row.path, value)
      : `${row.path}: "${input.value}" is no number${row.unit ? ` in ${row.unit}` : ''}.`
    if (refusal && input.value.trim()) say(refusal, { bad: true })
    show()
  })
  show()
  return element(
    'li',
    {},
    element('code', {}, row.path),
    input,
    element('small', {}, `${row.words}, ${range}. ${row.effect}`),
  )
}

/** "bodies.*.modes[].hz" over the names of this scene: bar.modes.0.hz ... */
function expand(schema, info) {
  const movable = schema.filter((row) => ['tick', 'audio'].includes(row.rate) && !row.path.startsWith('controls.'))
  return movable.flatMap((row) => pathsOf(row.path, info).map((path) => ({ ...row, path })))
}

function pathsOf(pattern, info) {
  const [kind, , ...rest] = pattern.split('.')
  const parts = info[kind]
  if (!parts) return pattern.includes('*') ? [] : [pattern]
  return parts.flatMap((part) => spread([part.name], rest, part)).filter(Boolean)
}

function spread(done, [step, ...rest], part) {
  if (step === undefined) return [done.join('.')]
  if (step === 'points')
    return part.points?.flatMap((point) => spread([...done, point.name], rest.slice(1), part)) ?? []
  if (step === 'modes[]')
    return part.shape ? [] : (part.modes?.flatMap((_, i) => spread([...done, 'modes', i], rest, part)) ?? [])
  if (step === 'modes') return part.shape ? spread([...done, 'modes'], rest, part) : []
  if (step.endsWith('[]')) return []
  return spread([...done, step], rest, part)
}
