// The engine in the page: scenes are built here, sound in an AudioWorklet, and are read back at audio rate. No
// physics and no list of parameters: all of that is in the module, and this file carries messages.
//
//   const engine = await Engine.open()        no sound yet
//   await engine.load({ name: 'glass' })      or { text, preset }
//   await engine.start()                      on a click
//   engine.set('pressure', 2)
//   engine.watch(['rub.force_n']); engine.at('rub.force_n', engine.heard())
import { OutputClock } from './clock.js'
import { catalogueOf, filesOf, materialsOf, schemaOf } from './describe.js'
import { CONTROLS_AT, CONTROLS_MOST, OUTPUTS } from './layout.js'
import { Link } from './link.js'
import { Recording } from './recording.js'
import { Recovery, wordsOf } from './recovery.js'
import { Scene } from './scene.js'
import { shapeOf } from './shape.js'
import { Kernel, hasSimd } from './wasm.js'

const RATE = 48000
const HEARD = { output: 0, 'output.0': 0, 'output.1': 1 }

// What this browser lacks, in words; [] when all is there.
export function missing() {
  const lacks = []
  if (typeof WebAssembly !== 'object') return ['WebAssembly', 'WebAssembly SIMD']
  if (!hasSimd()) lacks.push('WebAssembly SIMD')
  if (typeof AudioContext !== 'function') lacks.push('AudioContext')
  if (typeof AudioWorkletNode !== 'function')
    lacks.push(globalThis.isSecureContext === false ? 'AudioWorklet (wants https or localhost)' : 'AudioWorklet')
  return lacks
}

export class Engine {
  static async open(base = new URL('..', import.meta.url)) {
    const lacks = missing()
    if (lacks.length) throw new Error(`this browser has no ${lacks.join(', no ')}`)
    const response = await fetch(new URL('contatto.wasm', base))
    if (!response.ok) throw new Error(`contatto.wasm: ${response.status} ${response.statusText}`)
    const bytes = await response.arrayBuffer()
    return new Engine(bytes, await WebAssembly.compile(bytes))
  }

  constructor(bytes, module) {
    this.bytes = bytes
    this.module = module
    this.rate = RATE
    const kernel = new Kernel(module)
    this.version = kernel.text(kernel.exports.lab_version())
    this.schema = schemaOf(kernel)
    this.limits = { columns: kernel.exports.lab_columns_most(), slow: kernel.exports.lab_slow_most() }
    this.counterNames = Array.from({ length: kernel.exports.lab_counter_count() }, (_, i) =>
      kernel.text(kernel.exports.lab_counter_name(i)),
    )
    this.files = filesOf(kernel)
    this.catalogue = catalogueOf(this.files, this.schema)
    this.materials = materialsOf(kernel)
    this.scene = null
    this.generation = 0 // of the scene that is held; the audio thread says which one sounds
    this.generations = 0
    this.watched = []
    this.columns = new Map(Object.entries(HEARD))
    this.bodies = new Map()
    this.listeners = new Map()
    this.recording = new Recording(this)
    this.recovery = new Recovery(this)
    this.context = null
    this.clock = null
    this.link = null
    this.lastHeard = 0
  }

  // ---- events: 'error' (line), 'loaded', 'broken' ({ words, resting }), 'gesture-end', 'stopped', 'running'

  on(name, listener) {
    const all = this.listeners.get(name) ?? new Set()
    this.listeners.set(name, all.add(listener))
    return () => all.delete(listener)
  }

  tell(name, detail) {
    for (const listener of this.listeners.get(name) ?? []) listener(detail)
  }

  // ---- starting

  get transport() {
    return this.link?.transport ?? (globalThis.crossOriginIsolated ? 'shared' : 'messages')
  }

  get running() {
    return this.context?.state === 'running'
  }

  async start() {
    this.starting ??= this.open()
    await this.starting
    await this.context.resume()
  }

  async open() {
    this.context = new AudioContext({ sampleRate: RATE, latencyHint: 'interactive' })
    this.clock = new OutputClock(this.context)
    this.context.onstatechange = () => this.tell(this.running ? 'running' : 'stopped')
    await this.context.audioWorklet.addModule(new URL('worklet.js', import.meta.url))
    this.link = new Link(this.context, this.bytes, this.limits, (message) => this.hear(message))
    this.link.volume.gain.value = this.volume
    if (this.scene) await this.sound(this.scene)
  }

  // How loud the loudspeaker is, 0 to 1, reached without a click.
  get volume() {
    return this.loud ?? 1
  }

  set volume(value) {
    this.loud = Math.min(1, Math.max(0, value))
    this.link?.volume.gain.setTargetAtTime(this.loud, this.context.currentTime, 0.01)
  }

  async pause() {
    await this.context?.suspend()
  }

  async resume() {
    await this.context?.resume()
  }

  async close() {
    await this.context?.close()
  }

  hear(message) {
    if (message.type === 'recorded') this.recording.take(message)
    else if (message.type === 'broken') this.recovery.take(message)
    else this.tell(message.type, message.text)
  }

  // ---- scenes

  // Throws one line and keeps the scene there is when the new one cannot be built.
  async load(source, { values = [] } = {}) {
    await this.take(this.build(this.sourceOf(source), values), source.play === true)
  }

  build(source, values = []) {
    return new Scene(this.module, this.schema, source, { rate: RATE, ledger: true, values })
  }

  sourceOf({ name, text, preset }) {
    if (text !== undefined) return { name: name ?? 'scene', text, preset, own: true }
    const file = this.files.get(name)
    if (file === undefined) throw new Error(`${name}: no such scene`)
    return { name, text: file, preset, own: false }
  }

  async take(scene, play = false) {
    const before = this.scene
    this.hold(scene)
    try {
      if (this.link) await this.sound(scene, play)
    } catch (error) {
      if (before) this.hold(before)
      throw error
    }
    this.tell('loaded', scene.info)
  }

  hold(scene) {
    this.scene = scene
    this.info = scene.info
    this.generation = scene.generation ??= ++this.generations
    this.layBodies()
    this.watched = this.watched.filter((path) => scene.find(path))
    this.layColumns()
  }

  sound(scene, play = false) {
    const parcel = scene.parcel()
    const handles = this.handles()
    return this.link.ask({ type: 'load', ...parcel, generation: this.generation, ...handles, play }, [parcel.image])
  }

  // The same scene from its beginning, controls as its file and preset say.
  async reset() {
    await this.take(this.build(this.scene.source))
  }

  // ---- changes

  // Null, or one line of refusal. Without a time, the scene's own smoothing.
  set(path, value, ramp_s = -1) {
    if (!this.scene) return 'no scene is loaded'
    const refused = this.scene.set(path, value, ramp_s)
    if (refused) return refused
    if (this.link && !this.link.set(this.generation, this.scene.find(path), value, ramp_s))
      return `${path}: the audio thread is not listening`
    this.recovery.wake()
    return null
  }

  // Pen samples, four numbers each: seconds on this page's clock, place in metres, pressure 0 to 1.
  write(samples) {
    const now = performance.now()
    if (!(now - this.wrote < 500)) this.epoch = Date.now() - now // the clock both threads see, told once per stroke
    this.wrote = now
    this.link?.send({ type: 'pen', generation: this.generation, samples, epoch: this.epoch / 1000 })
  }

  // Seconds from a pen to the engine's output, and from there to the loudspeaker; null without a pen.
  penLatency() {
    if (!this.info?.pen || !this.sounds()) return null
    const limiter = this.link.number('latency') / this.context.sampleRate
    return { engine: this.link.number('pen_s') + limiter, output: this.clock.latency_s }
  }

  // The value last known: of controls as they sound, of what is watched the newest, else what was set.
  get(path) {
    const control = this.info?.controls.findIndex((c) => c.name === path) ?? -1
    if (control >= 0 && control < CONTROLS_MOST && this.sounds()) return this.link.board.numbers[CONTROLS_AT + control]
    if (this.columns.has(path) && this.sounds()) return this.link.board.value(this.columns.get(path), Infinity)
    return this.scene ? this.scene.get(path) : NaN
  }

  sounds() {
    return this.link !== null && this.link.number('generation') === this.generation
  }

  // ---- watching

  // Columns at audio rate. Returns lines about paths that cannot be watched.
  watch(paths) {
    const wanted = [...new Set(paths)].filter((path) => !(path in HEARD))
    const known = wanted.filter((path) => this.scene?.find(path))
    const refused = wanted.filter((path) => !known.includes(path)).map((path) => `${path}: not in this scene`)
    if (known.length > this.limits.columns)
      refused.push(`only ${this.limits.columns} of ${known.length} paths can be watched at once`)
    const before = new Map(this.columns)
    this.watched = known.slice(0, this.limits.columns)
    this.layColumns()
    const fresh = this.watched.filter((path) => before.get(path) !== this.columns.get(path))
    const places = fresh.map((path) => this.columns.get(path) - OUTPUTS)
    this.link?.send({ type: 'watch', generation: this.generation, fresh: places, ...this.handles() })
    return refused
  }

  // A path that is watched already keeps its column, and with it what the ring holds.
  layColumns() {
    const before = this.columns
    const kept = new Set(this.watched)
    const taken = new Set()
    this.columns = new Map(Object.entries(HEARD))
    for (const [path, column] of before) {
      if (!kept.has(path) || column - OUTPUTS >= this.watched.length) continue
      this.columns.set(path, column)
      taken.add(column)
    }
    let next = OUTPUTS
    for (const path of this.watched) {
      if (this.columns.has(path)) continue
      while (taken.has(next)) next++
      this.columns.set(path, next++)
    }
  }

  // Every body's modes are read once per quantum: displacements, then speeds.
  layBodies() {
    this.bodies = new Map()
    this.slowPaths = []
    for (const { name } of this.info.bodies) {
      const paths = [...this.scene.modePaths(name, 'x_m'), ...this.scene.modePaths(name, 'v_m_s')]
      if (!paths.length || this.slowPaths.length + paths.length > this.limits.slow) continue
      this.bodies.set(name, { first: this.slowPaths.length, count: paths.length / 2 })
      this.slowPaths.push(...paths)
    }
  }

  handles() {
    const paths = []
    for (const [path, column] of this.columns) if (column >= OUTPUTS) paths[column - OUTPUTS] = path
    return {
      watch: paths.map((path) => this.scene.find(path)),
      slow: this.slowPaths.map((path) => this.scene.find(path)),
    }
  }

  // ---- reading: frames on the context's clock

  // The frame whose sound leaves the loudspeaker now. The limiter holds samples back; that is taken off here, so
  // that a frame means the same for what is heard and for the motion that made it.
  heard() {
    if (!this.context || !this.link) return 0
    const frame = Math.floor(this.clock.now() * this.context.sampleRate) - this.link.number('latency')
    const newest = this.link.number('written')
    this.lastHeard = Math.max(this.lastHeard, Math.min(frame, newest), 0)
    return this.lastHeard
  }

  // The n values up to and with the frame `end`; 'output.0' and 'output.1' are what is heard.
  tail(path, n, end = this.heard(), into = new Float32Array(n)) {
    const column = this.columns.get(path)
    if (column === undefined || !this.link) return into.fill(0)
    return this.link.board.copy(column, end + 1, into)
  }

  // The value at a frame, or between two; never NaN: beyond what is known, the nearest that is.
  at(path, frame) {
    const column = this.columns.get(path)
    return column === undefined || !this.link ? 0 : this.link.board.value(column, frame)
  }

  // Displacements of all modes of a body now, in the order of its shape's modes; null: not a sum of modes.
  modes(body, frame = this.heard(), into = null) {
    return this.slowly(body, 0, frame, into)
  }

  // The same for their speeds.
  modeSpeeds(body, frame = this.heard(), into = null) {
    return this.slowly(body, 1, frame, into)
  }

  slowly(body, half, frame, into) {
    const place = this.bodies.get(body)
    if (!place) return null
    const values = into ?? new Float32Array(place.count)
    if (!this.sounds()) return values.fill(0)
    return this.link.board.slowAt(frame, place.first + half * place.count, values)
  }

  // What a body looks like; null for one that is not a shape.
  shape(body) {
    const { shapes } = this.scene
    if (!shapes.has(body)) shapes.set(body, shapeOf(this.scene, body, RATE))
    return shapes.get(body)
  }

  // Whether the scene has kept its promises, energy and finite numbers: 'kept', 'broken' for a while after it has not,
  // or '' while nothing sounds.
  get account() {
    return this.recovery.broken ? 'broken' : this.sounds() ? 'kept' : ''
  }

  get limiter() {
    return { gain_db: this.link ? this.link.number('gain_db') : 0 }
  }

  counters() {
    const counters = {}
    this.counterNames.forEach((name, i) => (counters[name] = this.sounds() ? this.link.counter(i) : 0))
    const of = (name) => (this.link ? this.link.number(name) : 0)
    return {
      ...counters,
      load: of('load'),
      underruns: of('late'),
      refused: of('refused'),
      memory: of('memory'),
      allocations: of('allocations'),
      played: of('written'),
    }
  }

  // ---- the demo gesture

  gesture() {
    return gestureOf(JSON.parse(this.scene.source.text), this.scene.source.preset)
  }

  get playing() {
    return this.sounds() && this.link.number('playing') !== 0
  }

  play() {
    this.link?.send({ type: 'play' })
  }

  stop() {
    this.link?.send({ type: 'stop' })
  }

  // ---- state

  // What was set, and controls that stand elsewhere than at the beginning.
  values() {
    const values = new Map(this.scene.set_values)
    for (const control of this.info.controls) {
      const now = this.get(control.name)
      if (!control.trigger && now !== control.value) values.set(control.name, now)
    }
    return values
  }

  // The scene file as it stands now.
  text() {
    return this.scene.text(this.module, this.values())
  }

  state() {
    const { name, text, preset, own } = this.scene.source
    const values = this.values()
    return { scene: own ? text : name, own, preset: preset ?? null, values: Object.fromEntries(values) }
  }

  async restore({ scene, own, preset, values = {} }) {
    const source = own ? { text: scene, preset: preset ?? undefined } : { name: scene, preset: preset ?? undefined }
    await this.load(source, { values: Object.entries(values) })
  }

  // ---- offline

  // The demo as fast as it goes, in the worklet of an offline context: SI units when raw, else what the pickups'
  // full scales make of it; no limiter. `watch` adds columns.
  async offline({ name, text, preset, seconds, rate = RATE, raw = false, watch = [], ledger = false }) {
    const source = this.sourceOf({ name, text, preset })
    const scene = new Scene(this.module, this.schema, source, { rate, ledger })
    const frames = Math.max(1, Math.round((seconds ?? scene.info.seconds) * rate))
    const context = new OfflineAudioContext(1, 128 * Math.ceil(frames / 128), rate)
    await context.audioWorklet.addModule(new URL('worklet.js', import.meta.url))
    const handles = watch.map((path) => scene.find(path))
    const parcel = { ...scene.parcel(), generation: 0, watch: handles }
    const begun = performance.now()
    const node = new AudioWorkletNode(context, 'contatto-offline', {
      numberOfInputs: 0,
      processorOptions: { bytes: this.bytes, scene: parcel, frames, raw },
    })
    const result = new Promise((resolve, reject) => {
      node.port.onmessage = ({ data }) => resolve(data)
      node.onprocessorerror = () => reject(new Error('the scene broke down'))
    })
    node.connect(context.destination)
    await context.startRendering()
    const { samples, taps, counters, memory, words } = await result
    const seconds_taken = (performance.now() - begun) / 1000
    if (words) throw new Error(`${source.name}: ${wordsOf(words)}`)
    return {
      samples: samples[0],
      channels: samples,
      taps: Object.fromEntries(watch.map((path, i) => [path, taps[i]])),
      counters: Object.fromEntries(this.counterNames.map((counter, i) => [counter, counters[i]])),
      memory: { before: parcel.image.byteLength, after: memory },
      rate,
      seconds_taken,
    }
  }
}

function gestureOf(tree, preset) {
  return tree.presets?.[preset]?.gesture ?? tree.gesture ?? null
}
