// A scene as the page holds it: the document, and a built copy that never sounds. The copy resolves names, checks
// every change before it is sent, and knows what parameters stand at; its memory is what the audio thread gets.
import { read, write } from './document.js'
import { infoOf } from './describe.js'
import { Kernel } from './wasm.js'

const MODE = 'bodies.*.modes[].'
// Of a source, in the order of lab_pen_feed; the first two any hand has, the others only a pen's samples tell.
const PEN = ['speed_m_s', 'pressure', 'fluidity', 'acceleration_m_s2', 'curvature_1_m', 'log_jerk', 'arc_length']

export class Scene {
  // `source` is {name, text, preset}; `values` [[path, value], ...] are set before the first sample.
  constructor(module, schema, source, { rate, ledger, values = [] }) {
    this.source = source
    this.schema = schema
    this.kernel = new Kernel(module)
    this.lab = this.kernel.exports.lab_create()
    if (!this.lab) throw new Error('no memory for the scene')
    this.handles = new Map()
    this.set_values = new Map()
    this.shapes = new Map()
    this.read(this.lab)
    this.check(this.kernel.exports.lab_build(this.lab, rate, 1, ledger ? 1 : 0), source.name)
    this.info = infoOf(this, schema)
    this.feedPen()
    for (const [path, value] of values) this.start(path, value)
  }

  // A scene whose map asks what only a pen's samples tell, is played by a pen: what its signals move.
  feedPen() {
    const told = (signal) => PEN.slice(2).some((field) => field.startsWith(signal))
    const source = this.info.sources.find(({ x_signal, y_signal }) => told(x_signal) || told(y_signal))
    this.info.pen = source ? { source: source.name } : null
    const paths = source ? PEN.map((field) => this.moverOf(`${source.name}.${field}`)) : []
    paths.forEach((path, i) => this.kernel.exports.lab_pen_feed(this.lab, i, ...this.find(path)))
  }

  // The control that stands for this parameter and nothing else, which people see move; or the parameter itself.
  moverOf(path) {
    const same = ({ min, max, scale, targets: [target, ...more] }) =>
      !more.length && target?.path === path && target.from === min && target.to === max && target.scale === scale
    return this.info.controls.find(same)?.name ?? path
  }

  read(lab, kernel = this.kernel) {
    const { name, text, preset } = this.source
    read(kernel, lab, name, text)
    if (!preset) return
    const result = kernel.withTexts([preset], (p) => kernel.exports.lab_doc_preset(lab, p))
    if (result !== 0) throw new Error(`${name}: ${kernel.text(kernel.exports.lab_error(lab))}`)
  }

  check(result, label) {
    if (result !== 0) throw new Error(`${label}: ${this.refusal()}`)
  }

  refusal() {
    return this.kernel.text(this.kernel.exports.lab_error(this.lab))
  }

  // The scene file, with the preset and these values in it.
  text(module, values) {
    const kernel = new Kernel(module)
    const lab = kernel.exports.lab_create()
    this.read(lab, kernel)
    for (const [path, value] of values) kernel.withTexts([path], (p) => kernel.exports.lab_doc_number(lab, p, value))
    return write(kernel, lab)
  }

  // A value the scene starts with.
  start(path, value) {
    const refused = this.set(path, value, -1)
    if (refused) throw new Error(refused)
  }

  // ---- paths

  // The handle's five numbers; null for what there is not.
  find(path) {
    if (this.handles.has(path)) return this.handles.get(path)
    const e = this.kernel.exports
    const result = this.kernel.withTexts([path], (p) => e.lab_resolve(this.lab, p))
    const at = e.lab_handle(this.lab)
    const handle = result === 0 ? Array.from(new Uint16Array(e.memory.buffer, at, 5)) : null
    this.handles.set(path, handle)
    return handle
  }

  // Null, or one line of refusal.
  set(path, value, ramp_s) {
    const handle = this.find(path)
    const e = this.kernel.exports
    if (!handle) {
      this.handles.delete(path)
      this.kernel.withTexts([path], (p) => e.lab_resolve(this.lab, p))
      return this.refusal()
    }
    if (e.lab_set(this.lab, ...handle, value, ramp_s, 0) !== 0) return this.refusal()
    e.lab_settle(this.lab)
    this.remember(path, value)
    return null
  }

  // Strikes are over when they have happened.
  remember(path, value) {
    if (this.info.controls.some((control) => control.name === path && control.trigger)) return
    this.set_values.delete(path)
    this.set_values.set(path, value)
  }

  get(path) {
    const handle = this.find(path)
    return handle ? this.kernel.exports.lab_get(this.lab, ...handle) : NaN
  }

  // Paths of all modes' displacements, then speeds; [] for a body that is not a sum of modes.
  modePaths(body, field) {
    const paths = []
    for (let i = 0; this.find(`${body}.modes.${i}.${field}`); i++) paths.push(`${body}.modes.${i}.${field}`)
    return paths
  }

  // What the modes of a body are, as built: every number of theirs that has a standing value.
  modes(body) {
    const rows = this.schema.filter(({ path, rate }) => path.startsWith(MODE) && rate === 'tick')
    const fields = rows.map(({ path }) => path.slice(MODE.length))
    return this.modePaths(body, fields[0] ?? '').map((_, i) =>
      Object.fromEntries(fields.map((field) => [field, this.get(`${body}.modes.${i}.${field}`)])),
    )
  }

  controlHandles() {
    return this.info.controls.map((control) => this.find(control.name))
  }

  // What the audio thread needs of it.
  parcel() {
    return { image: this.kernel.image(), lab: this.lab, controls: this.controlHandles() }
  }
}
