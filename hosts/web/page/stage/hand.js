// The player's hand, after Avanzini, Serafin and Rocchesso (2005), section VI: the pointer's two coordinates are the
// tangential push and the normal pressure, linearly up to the touch of the scene's demo and steeper beyond. Coordinates
// are measured from where the press began, so a press alone is never a blow; a pen's own pressure is the normal force;
// letting go lifts the finger. Which controls these are, the scene says (roles.js); how strong a good touch is, its demo
// gesture says.
import { restValue, share, valueAt } from '../ui/scale.js'
import { greatestValue, workingValue } from './roles.js'

const reach = 0.45 /* share of the stage that walks the whole range */
const follow = 0.02 /* s: how fast the engine follows the pointer */
const pixel = 0.0254 / 96 /* m */
const inkMost = 400 /* samples that stay visible */
const usualPace = 0.8 /* stages' widths per second: a pointer so fast strikes as its slider says */
/* The keyboard's middle row, from its left end: bars and tubes in their order. */
const middleRow = [...'ASDFGHJKL'].map((letter) => `Key${letter}`)
/* As a piano's keys, by their place: the middle row white and the upper black, and the white ones an octave lower below. */
const piano = new Map([
  ...[...'AWSEDFTGYHUJKOL'].map((letter, n) => [`Key${letter}`, n]),
  ...[...'ZXCVBNM'].map((letter, i) => [`Key${letter}`, [-12, -10, -8, -7, -5, -3, -1][i]]),
])
const climb = 4 /* s: a held arrow key takes this long from rest to the end of the range */

export const penHint = 'Write or draw on the stage, with a pen or any pointer: the map shows how fluid it is.'

export class Hand {
  constructor(engine, roles) {
    this.engine = engine
    this.roles = roles
    this.down = false
    this.pad = null
    this.held = new Set()
    this.helpers = 0
    this.notes = []
    this.open = roles.pitch ? engine.get(roles.pitch.control.name) : null
    this.strength = new Map(roles.triggers.map((control) => [control.name, workingValue(engine, control)]))
    this.grip = roles.press ? workingValue(engine, roles.press) : null
    this.drive = roles.push ? workingValue(engine, roles.push) : null
    this.last = roles.triggers[0] ?? null
  }

  set(control, value) {
    this.engine.set(control.name, Math.min(control.max, Math.max(control.min, value)), follow)
  }

  /** Touches: the finger comes down with its usual pressure, or the pen's. */
  touch(pen = null) {
    this.down = true
    this.pressure(pen, this.grip)
  }

  pressure(pen, value) {
    const { press } = this.roles
    if (press) this.bear(pen === null ? value : valueAt(press, pen))
  }

  /** The pressure of the finger that leads, and of those that help. */
  bear(value) {
    this.borne = value
    this.set(this.roles.press, value + this.helpers * (this.light ? this.firm : this.grip))
  }

  /** Fingers beside the one that leads: each bears down as firmly as a good touch does. What is braked they brake, and what
   * cannot be pressed they hold back; meanwhile nothing is pushed. */
  help(count) {
    if (count === this.helpers) return
    this.helpers = count
    if (this.pad && !this.pad.ink) this.movePad(this.pad.at)
    else if (this.down && this.roles.press) this.bear(this.borne)
  }

  push(value) {
    if (this.roles.push) this.set(this.roles.push, value)
  }

  /** A scene is silent until it is touched, even one that would begin in motion. */
  rest() {
    const { push, rubs } = this.roles
    if (rubs && this.engine.get(push.name) !== restValue(push)) this.engine.set(push.name, restValue(push), 0)
  }

  /** Before the demo: a pressure that its gesture does not tell is the hand's own, not that of a hand lifted before. */
  grasp() {
    const { press } = this.roles
    if (press && !this.light && !(press.name in (this.engine.gesture() ?? {}))) this.set(press, this.grip)
  }

  lift() {
    this.down = false
    this.pad = null
    if (this.roles.push) this.set(this.roles.push, restValue(this.roles.push))
    if (this.roles.press) this.set(this.roles.press, this.roles.press.min)
    if (this.roles.push || this.roles.triggers.length) return
    for (const control of [this.roles.across, this.roles.down]) if (control && levels(control)) this.set(control, 0)
  }

  /** Where a pen plays, what it draws. A pixel is 1/96 inch; samples told twice are refused by the engine. */
  trace(samples) {
    if (!this.pad?.ink) return
    const told = samples.flatMap(({ x, y, pen, time }) => [time, x * pixel, y * pixel, pen ?? this.grip ?? 0.5])
    this.engine.write(told)
    this.pad.ink.push(...samples)
    this.pad.ink.splice(0, this.pad.ink.length - inkMost)
  }

  startInk(pointer) {
    this.down = true
    this.pad = { x: pointer.x, y: pointer.y, at: pointer, ink: [] }
    this.trace([pointer])
  }

  /** Lifted where it was. */
  endInk() {
    const { x, y } = this.pad.at
    this.down = false
    this.engine.write([performance.now() / 1000, x * pixel, y * pixel, 0])
    this.pad = null
  }

  /** A press anywhere on the stage: across is push, down is pressure; without those, the first two controls. */
  startPad(pointer, stage) {
    const { across, down, rubs, push } = this.roles
    if (this.engine.info.pen) return this.startInk(pointer)
    const begin = (control, value, works) =>
      control && {
        control,
        from: share(control, value),
        works: works && share(control, works),
        rests: control === push,
      }
    this.pad = {
      x: pointer.x,
      y: pointer.y,
      at: pointer,
      across: begin(across, across && (push ? restValue(across) : this.engine.get(across.name)), push && this.drive),
      down: push && !rubs ? null : begin(down, down && (rubs ? this.grip : this.engine.get(down.name)), this.firm),
      wide: Math.max(120, stage.width * reach),
      high: Math.max(120, stage.height * reach),
    }
    if (rubs) this.touch(pointer.pen)
  }

  movePad(pointer) {
    const pad = this.pad
    if (!pad) return
    pad.at = pointer
    if (pad.ink) return
    const lower = (pointer.y - pad.y) / pad.high
    if (pad.across) this.pushTo(pad, along(pad.across, (pointer.x - pad.x) / pad.wide), lower)
    if (!pad.down) return
    if (pointer.pen !== null && this.roles.rubs) this.pressure(pointer.pen)
    else if (pad.down.control === this.roles.press) this.bear(along(pad.down, lower))
    else this.set(pad.down.control, along(pad.down, lower))
  }

  /** A hand that brakes does not push: the further down, the less. */
  pushTo({ across: { control } }, value, lower) {
    const rest = this.roles.push ? restValue(control) : value
    const braking = this.light ? Math.min(1, Math.max(0, 4 * lower)) : 0
    const stopped = this.helpers > 0 && (this.light || !this.roles.press)
    this.set(control, stopped ? rest : value + braking * (rest - value))
  }

  /** The push of a finger that has gone so many pixels across, as on the pad. */
  pushOf(pixels, stage) {
    const { push } = this.roles
    const range = { control: push, from: share(push, restValue(push)), works: share(push, this.drive), rests: true }
    return along(range, pixels / Math.max(120, stage.width * reach))
  }

  /** Where the scene has a pitch, another finger plays it: so many semitones above the value it began at. */
  play(value, semitones) {
    const { control, above } = this.roles.pitch
    this.set(control, above(value, semitones))
  }

  endPad() {
    if (this.pad?.ink) return this.endInk()
    this.pad = null
    if (this.roles.push) this.lift()
  }

  /** Begins unpressed: only drawing down presses, as a brake does. What is braked has to be set going first, with the
   * demo's strongest push. */
  lighten() {
    if (this.light || !this.roles.press) return
    this.light = true
    this.firm = this.grip
    this.grip = this.roles.press.min
    if (this.roles.push) this.drive = greatestValue(this.engine, this.roles.push)
  }

  /** Fires a trigger as hard as the pen pressed, or with the strength its slider has: times how fast the pointer came,
   * from a third to three times, where it came at any speed; `pace` is in stages' widths per second. */
  fire(control, pen = null, pace = 0) {
    const quick = pace > 0.02 ? Math.min(3, Math.max(1 / 3, pace / usualPace)) : 1
    const told = Math.min(control.max, Math.max(control.min, this.strength.get(control.name) * quick))
    const value = pen === null ? told : valueAt(control, pen)
    this.last = control
    return this.engine.set(control.name, value)
  }

  /** Keys while the stage has the focus; true when the key meant something. `code` is the key's place on the keyboard. */
  key({ key, code, down, repeat }) {
    if (key === 'blur') return this.letGoOfKeys()
    if (this.roles.push) return this.noteKey(code, down) || this.rubKey(key, down, repeat)
    return this.roles.triggers.length ? this.strikeKey(key, code, down, repeat) : this.tiltKey(key, down)
  }

  letGoOfKeys() {
    if (this.demoing) this.holdDemo(false)
    if (this.held.size) this.lift()
    this.held.clear()
    return false
  }

  /** What is held: the first touches, the last lifts. */
  hold(key, down) {
    const before = this.held.size
    if (down) this.held.add(key)
    else this.held.delete(key)
    if (down && !before) this.touch()
    if (!down && before && !this.held.size) this.lift()
  }

  rubKey(key, down, repeat) {
    const { press } = this.roles
    const step = { ArrowUp: 1, ArrowDown: -1 }[key]
    if (step && down && press) {
      this.grip = valueAt(press, share(press, this.grip) + step / 40)
      if (this.down) this.pressure(null, this.grip)
    }
    if (step) return true
    const struck = /^[1-9]$/.test(key) && this.roles.triggers[key - 1]
    if (struck && down && !repeat) this.fire(struck)
    if (struck) return true
    if (![' ', 'ArrowLeft', 'ArrowRight'].includes(key)) return false
    if (key === ' ' && this.light) return this.holdDemo(down, repeat)
    this.hold(key, down)
    if (down && key === ' ') this.push(this.drive)
    return true
  }

  /** The keyboard's rows as a piano's, where the scene has a pitch: rubbed as long as a key is held, at the note of the
   * last one that is. */
  noteKey(code, down) {
    const { pitch } = this.roles
    const note = piano.get(code)
    if (!pitch || note === undefined) return false
    const value = pitch.above(this.open, note)
    if (value < pitch.control.min || value > pitch.control.max) return true
    this.notes = this.notes.filter((one) => one !== note)
    if (down) this.notes.push(note)
    if (this.notes.length) this.set(pitch.control, pitch.above(this.open, this.notes.at(-1)))
    this.hold(code, down)
    if (down) this.push(this.drive)
    return true
  }

  /** Where no one value is a touch (what is pushed first and braked then, what is tilted to and fro): the demo itself, as
   * long as the key is held. */
  holdDemo(down, repeat = false) {
    if (repeat) return true
    this.demoing = down
    if (down) this.engine.play()
    else {
      this.engine.stop()
      this.lift()
    }
    return true
  }

  strikeKey(key, code, down, repeat) {
    const { triggers, across, down: second } = this.roles
    const row = triggers.length > 2 ? middleRow.indexOf(code) : -1
    const numbered = /^[1-9]$/.test(key) ? triggers[key - 1] : triggers[row]
    const chosen = key === ' ' || key === 'Enter' ? this.last : numbered
    if (chosen) {
      if (down && !repeat) this.fire(chosen)
      return true
    }
    const turn = { ArrowLeft: -1, ArrowRight: 1 }[key]
    const lift = { ArrowUp: 1, ArrowDown: -1 }[key]
    if (down && turn && across) this.nudge(across, turn / 40)
    if (down && lift) this.louder(lift / 20, second)
    return Boolean(turn || lift)
  }

  /** What is tilted lies level again when the arrow is let go of. */
  tiltKey(key, down) {
    const { across, down: second } = this.roles
    if (key === ' ') return this.engine.gesture() ? this.holdDemo(down) : false
    const [control, way] =
      { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [second, 1], ArrowDown: [second, -1] }[key] ?? []
    if (!control) return false
    if (levels(control)) this.set(control, down ? (way > 0 ? control.max : control.min) / 2 : 0)
    else if (down) this.nudge(control, way / 40)
    return true
  }

  /** Up and down: the strength of the trigger played last, or the second axis where there is none. */
  louder(step, second) {
    const control = this.last
    if (control)
      this.strength.set(control.name, valueAt(control, share(control, this.strength.get(control.name)) + step))
    else if (second) this.nudge(second, step / 2)
  }

  nudge(control, step) {
    this.set(control, valueAt(control, share(control, this.engine.get(control.name)) + step))
  }

  /** Held arrows push harder the longer they are held. */
  frame(seconds) {
    const way = (this.held.has('ArrowRight') ? 1 : 0) - (this.held.has('ArrowLeft') ? 1 : 0)
    if (way && this.down && this.roles.push) this.nudge(this.roles.push, (way * seconds) / climb)
  }
}

/** Whether a control has a level that it goes back to: zero, with either side of it. */
const levels = ({ min, max }) => min < 0 && max > 0

/** Half the reach is the touch of the demo, at which the scene sounds as it should; the other half is the rest of the range,
 * on the side where there is more of it. A range with one side is walked either way. */
function along({ control, from, works, rests }, way) {
  const far = Math.max(from, 1 - from)
  const usual = works === undefined || works === null ? far / 2 : Math.abs(works - from)
  const out = Math.abs(way)
  const span = out < 0.5 ? 2 * out * usual : usual + (2 * out - 1) * (far - usual)
  const oneSided = rests && (from === 0 || from === 1)
  const side = oneSided ? 1 - 2 * from : Math.sign(way)
  return valueAt(control, from + side * span)
}
