// The audio thread. Every scene is one instance of the module whose memory the page has built and sent; this
// thread resolves no name, reads no text and builds nothing. In the callback: what the inbox holds goes into the
// scene's own queue, the scenes are processed, the limiter ends the line, and all that is watched is written to
// the board. Nothing is allocated there: buffers and views are made when a scene arrives.
import { Board, COUNTERS_AT, CONTROLS_AT, OUTPUTS, PLACE, QUANTUM, RING, layout } from './layout.js'

const FADE_S = 0.03 // how long the scene before takes to leave, and one that was cut off to come back
const REPORT_QUANTA = 16
const LOAD_QUANTA = 375 // a second at 48 kHz

// ---- one scene

class Voice {
  constructor(module, { image, lab, generation, controls }) {
    const e = new WebAssembly.Instance(module).exports
    const missing = image.byteLength - e.memory.buffer.byteLength
    if (missing > 0) e.memory.grow(missing / 65536)
    new Uint8Array(e.memory.buffer).set(new Uint8Array(image))
    this.exports = e
    this.lab = lab
    this.generation = generation
    this.controls = controls
    this.gain = 1
    this.step = 0
    this.started = -1
    this.columns = 0
    this.slow = 0
    this.look()
  }

  look() {
    const e = this.exports
    const buffer = e.memory.buffer
    const frames = e.lab_frames_most()
    const floats = (pointer, length) => new Float32Array(buffer, pointer, length)
    const channels = e.lab_channels(this.lab)
    const range = (length) => Array.from({ length }, (_, i) => i)
    this.heard = range(OUTPUTS).map((side) => floats(e.lab_heard(this.lab, side), frames))
    this.outputs = range(channels).map((c) => floats(e.lab_output(this.lab, c), frames))
    this.raws = range(channels).map((c) => new Float64Array(buffer, e.lab_raw(this.lab, c), frames))
    this.columnViews = range(e.lab_columns_most()).map((c) => floats(e.lab_column(this.lab, c), frames))
    this.slowView = floats(e.lab_slow(this.lab), e.lab_slow_most())
    this.counters = new Float64Array(buffer, e.lab_counters(this.lab), e.lab_counter_count())
  }

  watch(handles) {
    handles.forEach((handle, column) => this.exports.lab_watch(this.lab, column, ...handle))
    this.exports.lab_watch_count(this.lab, handles.length)
    this.columns = handles.length
  }

  watchSlow(handles) {
    handles.forEach((handle, i) => this.exports.lab_watch_slow(this.lab, i, ...handle))
    this.exports.lab_watch_slow_count(this.lab, handles.length)
    this.slow = handles.length
  }

  // From inbox[at]: generation, handle, value, ramp, frame.
  change(inbox, at) {
    const frame = inbox[at + 8]
    const sample = frame > 0 ? Math.max(0, frame - Math.max(this.started, 0)) : 0
    return this.exports.lab_set(
      this.lab,
      inbox[at + 1],
      inbox[at + 2],
      inbox[at + 3],
      inbox[at + 4],
      inbox[at + 5],
      inbox[at + 6],
      inbox[at + 7],
      sample,
    )
  }

  // False when it has broken its promise: a number is not finite, or the energy account does not close.
  process(frames) {
    if (!this.exports.lab_process(this.lab, frames)) this.exports.lab_stop(this.lab)
    return this.exports.lab_judge(this.lab) === 0
  }

  // What it says about that, as bytes: there is no decoder of texts here.
  verdict() {
    const from = this.exports.lab_error(this.lab)
    const bytes = new Uint8Array(this.exports.memory.buffer)
    return bytes.slice(from, bytes.indexOf(0, from))
  }

  // Adds what was processed to the desk.
  mix(desk, frames) {
    for (let c = 0; c < OUTPUTS; c++) {
      const from = this.heard[c]
      const to = desk[c]
      let gain = this.gain
      for (let n = 0; n < frames; n++) {
        to[n] += gain * from[n]
        gain = clamp(gain + this.step)
      }
    }
    this.gain = clamp(this.gain + this.step * frames)
  }

  comeBack(rate) {
    this.gain = 0
    this.step = 1 / (FADE_S * rate)
  }

  leave(rate) {
    this.step = -1 / (FADE_S * rate)
  }
}

const clamp = (gain) => Math.min(1, Math.max(0, gain))

// ---- what is recorded: interleaved, in buffers the page sends and gets back full

class Tape {
  constructor(frames) {
    this.frames = frames
    this.buffers = []
    this.buffer = null
    this.filled = 0
    this.made = 0
  }

  write(left, right, frames, port) {
    for (let n = 0; n < frames; n++) {
      if (!this.buffer) this.load()
      this.buffer[2 * this.filled] = left[n]
      this.buffer[2 * this.filled + 1] = right[n]
      this.filled++
      if (this.filled === this.frames) this.send(port, false)
    }
  }

  // The page has been asleep: better a buffer made here than a hole in the recording.
  load() {
    this.filled = 0
    this.buffer = this.buffers.pop()
    if (this.buffer) return
    this.buffer = new Float32Array(2 * this.frames)
    this.made++
  }

  send(port, last) {
    const buffer = this.buffer ?? new Float32Array(0)
    port.postMessage({ type: 'recorded', buffer, frames: this.filled, last }, [buffer.buffer])
    this.buffer = null
    this.filled = 0
  }
}

// ---- without shared memory: the board's news as messages, in buffers that travel to and fro

class Courier {
  constructor(board, quanta, lag) {
    this.board = board
    this.quanta = quanta
    this.lag = lag
    this.parcels = []
    this.due = 0
    this.made = 0
  }

  parcel() {
    const { columns, slow } = this.board.plan
    const known = this.parcels.pop()
    if (known) return known
    this.made++
    return {
      numbers: new Float64Array(this.board.numbers.length),
      since: new Float64Array(this.board.since.length),
      ring: new Float32Array((OUTPUTS + columns) * QUANTUM * this.quanta),
      slow: new Float32Array(slow * this.quanta),
    }
  }

  // `first` is the frame of the quantum just written.
  tick(first, columns, slow, port) {
    if (++this.due < this.quanta) return
    this.due = 0
    const { board, quanta } = this
    const parcel = this.parcel()
    const length = quanta * QUANTUM
    const begin = first + QUANTUM - length
    parcel.numbers.set(board.numbers)
    parcel.since.set(board.since)
    for (let c = 0; c < OUTPUTS + columns; c++)
      for (let q = 0; q < quanta; q++) {
        const place = c * RING + ((begin + q * QUANTUM - (c < OUTPUTS ? this.lag : 0)) & (RING - 1))
        for (let n = 0; n < QUANTUM; n++) parcel.ring[c * length + q * QUANTUM + n] = board.ring[place + n]
      }
    for (let q = 0; q < quanta; q++) {
      const row = (((begin / QUANTUM + q) % (RING / QUANTUM)) + RING / QUANTUM) % (RING / QUANTUM)
      for (let i = 0; i < slow; i++) parcel.slow[q * slow + i] = board.slow[row * board.plan.slow + i]
    }
    const buffers = [parcel.numbers.buffer, parcel.since.buffer, parcel.ring.buffer, parcel.slow.buffer]
    port.postMessage({ type: 'news', begin, lag: this.lag, columns, slow, parcel }, buffers)
  }
}

// ---- how busy this thread is: the clock here has whole milliseconds, but ticks at any time, so sums are right

class Watchman {
  constructor(rate) {
    this.rate = rate
    this.busy = 0
    this.quanta = 0
    this.load = 0
    this.late = 0
    this.lag = Infinity
  }

  begin() {
    this.begun = Date.now()
  }

  end(frame) {
    this.busy += Date.now() - this.begun
    this.quanta++
    const lag = this.begun - (1000 * frame) / this.rate
    if (lag > this.lag + 40) {
      this.late++
      this.lag = lag
    }
    this.lag = Math.min(this.lag, lag)
    if (this.quanta < LOAD_QUANTA) return
    this.load = this.busy / ((1000 * QUANTUM * this.quanta) / this.rate)
    this.busy = 0
    this.quanta = 0
  }
}

// ---- the live processor

class Live extends AudioWorkletProcessor {
  constructor({ processorOptions: { bytes, columns, slow, buffer, quanta } }) {
    super()
    const plan = layout(columns, slow)
    this.module = new WebAssembly.Module(bytes)
    this.board = new Board(plan, buffer ?? new ArrayBuffer(plan.bytes))
    this.desk = this.makeDesk()
    this.courier = buffer ? null : new Courier(this.board, quanta, this.lag)
    this.voice = null
    this.leaving = []
    this.lost = 0 // generation of the scene that was dropped last
    this.tape = null
    this.quanta = 0
    this.playing = false
    this.refused = 0
    this.watchman = new Watchman(sampleRate)
    this.silent = new Float32Array(QUANTUM)
    this.zeroRow = new Float32Array(plan.slow)
    this.port.onmessage = ({ data }) => this.hear(data)
  }

  makeDesk() {
    const e = new WebAssembly.Instance(this.module).exports
    e._initialize()
    const desk = e.lab_desk_create(sampleRate)
    const view = (c) => new Float32Array(e.memory.buffer, e.lab_desk_channel(desk, c), e.lab_frames_most())
    this.latency = e.lab_desk_latency(desk)
    this.lag = QUANTUM * Math.ceil(this.latency / QUANTUM) // what is heard is known up to here, in whole quanta
    return { exports: e, desk, channels: [view(0), view(1)] }
  }

  // ---- messages: seldom, and free to allocate

  hear(message) {
    try {
      this[message.type](message)
    } catch (error) {
      this.port.postMessage({ type: 'error', text: String(error.message ?? error), for: message.id })
    }
  }

  load(message) {
    const voice = new Voice(this.module, message)
    voice.watch(message.watch)
    voice.watchSlow(message.slow)
    if (message.play) voice.exports.lab_play(voice.lab)
    if (this.voice) {
      this.voice.leave(sampleRate)
      this.leaving.push(this.voice)
    } else if (this.lost) voice.comeBack(sampleRate)
    this.voice = voice
    this.board.since.fill(Infinity, OUTPUTS)
    this.fresh = message.watch.map((_, i) => i)
    this.port.postMessage({ type: 'done', id: message.id })
  }

  watch({ watch: handles, slow, fresh, generation }) {
    if (this.voice?.generation !== generation) return
    this.voice.watch(handles)
    this.voice.watchSlow(slow)
    for (const column of fresh) this.board.since[OUTPUTS + column] = Infinity
    this.fresh = [...(this.fresh ?? []), ...fresh]
  }

  play() {
    if (this.voice) this.voice.exports.lab_play(this.voice.lab)
  }

  stop() {
    if (this.voice) this.voice.exports.lab_stop(this.voice.lab)
  }

  set({ change }) {
    this.board.put(change)
  }

  pen({ generation, samples, epoch }) {
    const { voice } = this
    if (voice?.generation !== generation) return
    for (let i = 0; i + 3 < samples.length; i += 4)
      voice.exports.lab_pen_sample(voice.lab, epoch + samples[i], samples[i + 1], samples[i + 2], samples[i + 3])
  }

  record({ on, frames, buffers }) {
    if (on) this.tape = new Tape(frames)
    if (on) this.tape.buffers.push(...buffers)
    else if (this.tape) {
      this.tape.send(this.port, true)
      this.tape = null
    }
  }

  empty({ buffer }) {
    this.tape?.buffers.push(buffer)
  }

  parcel({ parcel }) {
    this.courier?.parcels.push(parcel)
  }

  // ---- the callback

  process(inputs, outputs) {
    this.watchman.begin()
    const frames = outputs[0][0].length
    try {
      this.takeChanges()
      this.sound(frames)
    } catch (error) {
      this.fail(error, frames)
    }
    outputs[0][0].set(this.desk.channels[0])
    outputs[0][1].set(this.desk.channels[1])
    this.write(frames)
    this.tape?.write(this.desk.channels[0], this.desk.channels[1], frames, this.port)
    this.watchman.end(currentFrame)
    return true
  }

  // A change for a scene that is still on its way waits for it; one for a scene that is gone is dropped.
  takeChanges() {
    const newest = this.voice ? this.voice.generation : this.lost
    for (let at = this.board.next(); at >= 0; at = this.board.next()) {
      const generation = this.board.inbox[at]
      if (generation > newest) return
      if (this.voice && generation === newest && this.voice.change(this.board.inbox, at) !== 0) this.refused++
      this.board.taken()
    }
  }

  sound(frames) {
    const { exports, desk, channels } = this.desk
    channels[0].fill(0)
    channels[1].fill(0)
    const kept = this.soundVoice(frames)
    const others = this.soundLeaving(frames)
    if (!kept || !others) this.cut()
    if (!kept) this.lose(this.voice.verdict())
    else if (!others) this.voice?.comeBack(sampleRate)
    exports.lab_desk_process(desk, frames)
  }

  // False when the scene has broken its promise.
  soundVoice(frames) {
    const { voice } = this
    if (!voice) return true
    if (voice.started < 0) voice.started = currentFrame
    voice.exports.lab_pen_clock(voice.lab, Date.now() / 1000)
    if (!voice.process(frames)) return false
    voice.mix(this.desk.channels, frames)
    return true
  }

  // False when one of those on their way out has.
  soundLeaving(frames) {
    for (let i = this.leaving.length - 1; i >= 0; i--) {
      if (!this.leaving[i].process(frames)) return false
      this.leaving[i].mix(this.desk.channels, frames)
      if (this.leaving[i].gain <= 0) this.leaving.splice(i, 1)
    }
    return true
  }

  // The block in which something broke is not heard. The sound before it, which the limiter still holds, fades out.
  cut() {
    const { exports, desk, channels } = this.desk
    exports.lab_desk_fade_out(desk)
    channels[0].fill(0)
    channels[1].fill(0)
    this.leaving.length = 0
  }

  // The scene is dropped. The page hears why, and sends it anew.
  lose(words) {
    const { generation, started } = this.voice
    const { playing } = this
    const lived = currentFrame - started
    this.voice = null
    this.lost = generation
    this.board.since.fill(Infinity, OUTPUTS)
    this.fresh = null
    this.report()
    this.port.postMessage({ type: 'broken', generation, lived, playing, words })
  }

  // Something that should never be thrown was.
  fail(error, frames) {
    const { exports, desk } = this.desk
    this.cut()
    if (this.voice) this.lose(String(error.message))
    else this.port.postMessage({ type: 'error', text: `the audio thread: ${error.message}` })
    exports.lab_desk_process(desk, frames)
  }

  // What is heard comes out of the limiter late: it is written where it belongs, beside the motion that made it.
  write(frames) {
    const { board, voice } = this
    const place = currentFrame & (RING - 1)
    this.writeHeard(frames)
    const columns = voice ? voice.columns : 0
    for (let c = 0; c < columns; c++) board.ring.set(voice.columnViews[c], (OUTPUTS + c) * RING + place)
    const row = (place / QUANTUM) * board.plan.slow
    board.slow.set(voice && voice.slow ? voice.slowView : this.zeroRow, row)
    if (this.fresh) this.freshen()
    const numbers = board.numbers
    numbers[PLACE.written] = Math.max(0, currentFrame + frames - this.lag)
    const news = voice !== null && voice.generation !== numbers[PLACE.generation]
    if (++this.quanta % REPORT_QUANTA === 0 || news) this.report()
    this.courier?.tick(currentFrame, columns, voice ? voice.slow : 0, this.port)
  }

  writeHeard(frames) {
    for (let c = 0; c < OUTPUTS; c++) {
      const from = this.desk.channels[c]
      for (let n = 0; n < frames; n++) {
        const frame = currentFrame + n - this.latency
        if (frame >= 0) this.board.ring[c * RING + (frame & (RING - 1))] = from[n]
      }
    }
  }

  freshen() {
    for (const column of this.fresh) this.board.since[OUTPUTS + column] = currentFrame
    this.fresh = null
  }

  report() {
    const { numbers } = this.board
    const { voice } = this
    numbers[PLACE.gain_db] = this.desk.exports.lab_desk_gain_db(this.desk.desk)
    numbers[PLACE.load] = this.watchman.load
    numbers[PLACE.late] = this.watchman.late
    numbers[PLACE.latency] = this.latency
    numbers[PLACE.refused] = this.refused
    numbers[PLACE.allocations] = (this.tape?.made ?? 0) + (this.courier?.made ?? 0)
    numbers[PLACE.generation] = voice ? voice.generation : 0
    this.reportPlaying(numbers, voice)
    if (!voice) return
    numbers[PLACE.started] = voice.started
    numbers[PLACE.memory] = voice.exports.memory.buffer.byteLength
    numbers[PLACE.pen_s] = voice.exports.lab_pen_latency_s(voice.lab)
    voice.exports.lab_counters(voice.lab)
    numbers.set(voice.counters, COUNTERS_AT)
    this.reportControls(numbers, voice)
  }

  reportControls(numbers, voice) {
    const { controls, exports, lab } = voice
    for (let i = 0; i < controls.length; i++) {
      const h = controls[i]
      numbers[CONTROLS_AT + i] = exports.lab_get(lab, h[0], h[1], h[2], h[3], h[4])
    }
  }

  reportPlaying(numbers, voice) {
    const playing = voice !== null && voice.exports.lab_is_playing(voice.lab) !== 0
    if (this.playing && !playing) this.port.postMessage({ type: 'gesture-end' })
    this.playing = playing
    numbers[PLACE.playing] = playing ? 1 : 0
  }
}

// ---- offline: the same scenes, without limiter and ring, into one long array

class Offline extends AudioWorkletProcessor {
  constructor({ processorOptions: { bytes, scene, frames, raw } }) {
    super()
    this.voice = new Voice(new WebAssembly.Module(bytes), scene)
    this.voice.watch(scene.watch)
    this.voice.exports.lab_play(this.voice.lab)
    this.raw = raw
    this.frames = frames
    this.done = 0
    this.channels = this.voice.exports.lab_channels(this.voice.lab)
    this.samples = Array.from({ length: this.channels }, () => new Float64Array(frames))
    this.taps = scene.watch.map(() => new Float32Array(frames))
    this.words = null // what the scene says when it has broken its promise
  }

  process() {
    const length = Math.min(QUANTUM, this.frames - this.done)
    if (length <= 0) return false
    if (!this.voice.process(length)) this.words ??= this.voice.verdict()
    const from = this.raw ? this.voice.raws : this.voice.outputs
    for (let n = 0; n < length; n++) {
      for (let c = 0; c < this.channels; c++) this.samples[c][this.done + n] = from[c][n]
      for (let c = 0; c < this.taps.length; c++) this.taps[c][this.done + n] = this.voice.columnViews[c][n]
    }
    this.done += length
    if (this.done === this.frames) this.send()
    return this.done < this.frames
  }

  send() {
    const { samples, taps, voice, words } = this
    voice.exports.lab_counters(voice.lab)
    const counters = voice.counters.slice()
    const memory = voice.exports.memory.buffer.byteLength
    this.port.postMessage(
      { samples, taps, counters, memory, words },
      [...samples, ...taps].map((a) => a.buffer),
    )
  }
}

registerProcessor('contatto-live', Live)
registerProcessor('contatto-offline', Offline)
