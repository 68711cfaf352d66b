// What people see of a scene, from the library's documents and its schema; nothing is listed here.
import { write } from './document.js'

export function schemaOf(kernel) {
  const e = kernel.exports
  const rows = []
  for (let i = 0; i < e.lab_row_count(); i++) rows.push(rowOf(kernel, e, i))
  return rows
}

function rowOf(kernel, e, i) {
  const type = kernel.text(e.lab_row_type(i))
  const choices = kernel.text(e.lab_row_choices(i)).split('|').filter(Boolean)
  const standard = e.lab_row_standard(i)
  return {
    path: kernel.text(e.lab_row_path(i)),
    words: kernel.text(e.lab_row_words(i)),
    symbol: kernel.text(e.lab_row_symbol(i)),
    unit: kernel.text(e.lab_row_unit(i)),
    type,
    min: e.lab_row_min(i),
    max: e.lab_row_max(i),
    standard: type === 'choice' ? choices[standard] : type === 'flag' ? standard !== 0 : standard,
    scale: e.lab_row_is_log(i) ? 'log' : 'linear',
    rate: kernel.text(e.lab_row_rate(i)),
    choices,
    effect: kernel.text(e.lab_row_effect(i)),
  }
}

// A node with what was not said filled in from the schema's rows right below that pattern.
function filled(schema, pattern, node) {
  const result = {}
  for (const row of schema) {
    const field = row.path.startsWith(pattern) ? row.path.slice(pattern.length) : '.'
    if (/[.[*]/.test(field) || row.rate === 'state') continue
    result[field] = row.type === 'text' ? '' : row.standard
  }
  for (const [field, value] of Object.entries(node ?? {})) if (typeof value !== 'object') result[field] = value
  return result
}

const names = (kernel, count, name) => Array.from({ length: count }, (_, i) => kernel.text(name(i)))

function controlOf(kernel, lab, i) {
  const e = kernel.exports
  return {
    name: kernel.text(e.lab_control_name(lab, i)),
    unit: kernel.text(e.lab_control_unit(lab)),
    hint: kernel.text(e.lab_control_hint(lab)),
    min: e.lab_control_min(lab),
    max: e.lab_control_max(lab),
    value: e.lab_control_value(lab),
    scale: e.lab_control_is_log(lab) ? 'log' : 'linear',
    trigger: e.lab_control_is_trigger(lab) !== 0,
  }
}

// What else a body holds together under one word, whatever kind it is.
function groupsOf(schema, node) {
  const groups = Object.entries(node ?? {}).filter(([, value]) => value !== null && typeof value === 'object')
  return Object.fromEntries(groups.map(([word, value]) => [word, filled(schema, `bodies.*.${word}.`, value)]))
}

// Modes are as the scene was built with them, whether they were listed or follow from a shape.
function bodyOf(scene, schema, node, i) {
  const { kernel, lab } = scene
  const e = kernel.exports
  const name = kernel.text(e.lab_body_name(lab, i))
  const points = names(kernel, e.lab_point_count(lab, i), (p) => e.lab_point_name(lab, i, p))
  const shaped = typeof node?.modes?.shape === 'string'
  return {
    ...filled(schema, 'bodies.*.', node),
    ...groupsOf(schema, node),
    name,
    points: points.map((point) => ({ ...filled(schema, 'bodies.*.points.*.', node?.points?.[point]), name: point })),
    modes: scene.modes(name),
    shape: shaped ? node.modes.shape : null,
    material: shaped ? (node.modes.material ?? null) : null,
    made: shaped ? filled(schema, 'bodies.*.modes.', node.modes) : null,
  }
}

const listed = (schema, pattern, nodes) =>
  Object.entries(nodes ?? {}).map(([name, node]) => ({ ...filled(schema, pattern, node), name }))

// contacts, pickups, and every other kind of part the schema knows; those with more to say are told of below.
function partsOf(schema, root) {
  const sections = new Set(schema.map((row) => /^(\w+)\.\*\./.exec(row.path)?.[1]).filter(Boolean))
  return Object.fromEntries([...sections].map((name) => [name, listed(schema, `${name}.*.`, root[name])]))
}

const numbers = (n) => Array.from({ length: n }, (_, i) => i)

export function infoOf(scene, schema) {
  const { kernel, lab } = scene
  const e = kernel.exports
  const root = JSON.parse(write(kernel, lab))
  const text = (pointer) => kernel.text(pointer)
  return {
    ...partsOf(schema, root),
    title: text(e.lab_title(lab)),
    about: text(e.lab_about(lab)),
    seconds: e.lab_seconds(lab),
    channels: e.lab_channels(lab),
    gravity_m_s2: filled(schema, '', root).gravity_m_s2,
    presets: numbers(e.lab_preset_count(lab)).map((i) => ({
      name: text(e.lab_preset_name(lab, i)),
      title: text(e.lab_preset_title(lab, i)),
      about: text(e.lab_preset_about(lab, i)),
    })),
    controls: numbers(e.lab_control_count(lab)).map((i) => {
      const control = controlOf(kernel, lab, i)
      const targets = root.controls[control.name].targets ?? []
      return { ...control, targets: targets.map((target) => filled(schema, 'controls.*.targets[].', target)) }
    }),
    bodies: numbers(e.lab_body_count(lab)).map((i) =>
      bodyOf(scene, schema, root.bodies[text(e.lab_body_name(lab, i))], i),
    ),
    gesture: e.lab_has_gesture(lab) !== 0,
    notes: text(e.lab_notes(lab)).split('\n').filter(Boolean),
  }
}

// ---- the scenes there are

export function filesOf(kernel) {
  const e = kernel.exports
  return new Map(
    numbers(e.lab_scene_count()).map((i) => [kernel.text(e.lab_scene_name(i)), kernel.text(e.lab_scene_json(i))]),
  )
}

export function catalogueOf(files, schema) {
  return [...files].map(([name, text]) => {
    const { title = name, about = '', presets = {}, bodies = {}, contacts = {}, drives = {} } = JSON.parse(text)
    return {
      name,
      title,
      about,
      presets: Object.keys(presets),
      shapes: Object.values(bodies).map((body) => body.modes?.shape ?? (body.string ? 'string' : null)),
      contacts: listed(schema, 'contacts.*.', contacts).map((contact) => contact.kind),
      drives: listed(schema, 'drives.*.', drives).map((drive) => drive.kind),
    }
  })
}

export function materialsOf(kernel) {
  const words = []
  for (let i = 0; kernel.exports.lab_material_name(i); i++) words.push(kernel.text(kernel.exports.lab_material_name(i)))
  return words
}
