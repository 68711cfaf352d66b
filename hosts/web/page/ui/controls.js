// One row per control, made from what the engine says of it: name, range, scale, unit, hint. Sliders follow the engine, so
// they move with the demo, the pointer and the keys.
import { byId, element, say } from './dom.js'
import { capital, readable, share, typed, valueAt, words } from './scale.js'

const fine = 1000 /* steps of a slider */

export class Controls {
  constructor(lab) {
    this.lab = lab
    this.rows = []
  }

  enter(info, roles) {
    const axis = (control) => (control === roles.across ? '↔' : control === roles.down ? '↕' : null)
    this.rows = info.controls.map((control) => this.makeRow(control, axis(control)))
    byId('controls').replaceChildren(...this.rows.map((row) => row.node))
    if (!this.rows.length)
      byId('controls').append(
        element('p', { className: 'hint' }, 'This scene has no controls; its demo plays all there is.'),
      )
    this.update()
  }

  makeRow(control, axis) {
    const id = `control-${control.name}`
    const hint = element('p', { className: 'hint', id: `${id}-hint` }, control.hint)
    const range = element('input', { type: 'range', id, min: 0, max: fine, step: 1, 'aria-describedby': hint.id })
    const number = element('input', {
      type: 'text',
      inputMode: 'decimal',
      autocomplete: 'off',
      'aria-label': `${words(control.name)}, ${control.min} to ${control.max} ${control.unit}`,
    })
    const row = { control, range, number, fire: null, shown: null, factor: 1 }
    row.node = element(
      'div',
      { className: 'control' },
      element(
        'label',
        { htmlFor: id },
        capital(words(control.name)),
        ...(axis ? [element('span', { className: 'axis', title: 'moved by the pointer' }, axis)] : []),
      ),
      element(
        'div',
        { className: 'number' },
        number,
        (row.unit = element('span', { className: 'unit' }, control.unit)),
      ),
      element('div', { className: 'slide' }, range, ...(control.trigger ? [(row.fire = this.makeFire(control))] : [])),
      hint,
    )
    range.addEventListener('input', () => this.put(row, valueAt(control, range.value / fine)))
    range.addEventListener('dblclick', () => this.put(row, row.first))
    number.addEventListener('change', () => this.type(row))
    number.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') number.blur()
    })
    row.first = this.value(row)
    return row
  }

  makeFire(control) {
    const button = element('button', { type: 'button', className: 'button fire' }, verb(control))
    const fire = (pen) => {
      this.lab.hand.fire(control, pen)
      button.classList.add('hit')
      setTimeout(() => button.classList.remove('hit'), 90)
    }
    button.addEventListener('pointerdown', (event) => {
      fire(event.pointerType === 'pen' && event.pressure > 0 ? event.pressure : null)
    })
    button.addEventListener('keydown', (event) => {
      if ((event.key === ' ' || event.key === 'Enter') && !event.repeat) fire(null)
    })
    return button
  }

  /** A trigger's slider is how strong the next one will be; moving it does not strike. */
  value({ control }) {
    return control.trigger ? this.lab.hand.strength.get(control.name) : this.lab.engine.get(control.name)
  }

  put(row, value) {
    const { control } = row
    const { hand } = this.lab
    if (control.trigger) hand.strength.set(control.name, value)
    else this.lab.set(control.name, value)
    if (control === this.lab.roles.press && value > control.min) hand.grip = value
    this.update()
  }

  type(row) {
    const { name, min, max, unit } = row.control
    const value = typed(row.number.value, unit, row.factor)
    const written = (number) => Object.values(readable(number, unit)).slice(0, 2).join(' ').trim()
    const slack = 1e-9 * Math.max(Math.abs(min), Math.abs(max))
    if (!Number.isFinite(value)) {
      if (row.number.value.trim())
        say(`${capital(words(name))}: "${row.number.value}" is no number in ${unit || 'this range'}.`, { bad: true })
    } else if (value < min - slack || value > max + slack)
      say(`${capital(words(name))}: ${written(value)} is out of range, ${written(min)} to ${written(max)}.`, {
        bad: true,
      })
    else this.put(row, Math.min(max, Math.max(min, value)))
    row.shown = null
    this.update()
  }

  /** Shows what the engine has; only what changed is touched. */
  update() {
    for (const row of this.rows) {
      const value = this.value(row)
      const mark = row.control === this.lab.roles.press ? this.lab.hand.grip : null
      if (value === row.shown && mark === row.marked) continue
      row.shown = value
      row.marked = mark
      this.show(row, value, mark)
    }
  }

  show(row, value, mark) {
    const { control, range, number } = row
    const at = share(control, value)
    const { text, unit, factor } = readable(value, control.unit)
    if (document.activeElement !== range || Math.round(at * fine) !== Number(range.value))
      range.value = Math.round(at * fine)
    const rest = control.min < 0 ? share(control, 0) : 0 /* a range with both signs fills from its zero */
    range.style.setProperty('--from', percent(Math.min(at, rest)))
    range.style.setProperty('--to', percent(Math.max(at, rest)))
    if (mark !== null) range.style.setProperty('--mark', percent(share(control, mark)))
    range.setAttribute('aria-valuetext', `${text} ${unit}`)
    if (document.activeElement === number) return
    number.value = text
    row.factor = factor
    if (row.unit.textContent !== unit) row.unit.textContent = unit
  }
}

const percent = (share) => `${(share * 100).toFixed(2)}%`

/** The button's word: the first of a hint like "strike: how fast the hammer arrives", else the control's name. */
function verb(control) {
  const lead = control.hint.match(/^([a-z]{3,12}):/)?.[1]
  return lead ?? words(control.name)
}

/** As people read it; a file may do without titles. */
export const presetTitle = ({ name, title }) => title || capital(words(name))

/** Presets, as one choice. */
export function showPresets(presets, chosen, choose) {
  const chips = presets.map((preset) =>
    element(
      'button',
      {
        type: 'button',
        className: 'chip',
        role: 'radio',
        title: preset.about,
        'aria-checked': String(preset.name === chosen),
        tabIndex: preset.name === chosen || (!chosen && preset === presets[0]) ? 0 : -1,
        onclick: () => choose(preset.name),
      },
      presetTitle(preset),
    ),
  )
  const row = byId('presets')
  row.replaceChildren(...chips)
  row.hidden = !presets.length
  row.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const at = chips.indexOf(document.activeElement)
    if (!step || at < 0) return
    event.preventDefault()
    choose(presets[(at + step + presets.length) % presets.length].name, true)
  }
  byId('preset-about').textContent = presets.find((preset) => preset.name === chosen)?.about ?? ''
}
