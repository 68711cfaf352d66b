// The way to the audio thread and back: one buffer that both threads see where the page is isolated, messages
// where it is not. The page reads the same board either way.
import { Board, CHANGE, COUNTERS_AT, OUTPUTS, PLACE, QUANTUM, RING, layout } from './layout.js'

const NEWS_QUANTA = 4 // per message: 11 ms

export class Link {
  constructor(context, bytes, { columns, slow }, hear) {
    const plan = layout(columns, slow)
    this.shared = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function'
    const buffer = this.shared ? new SharedArrayBuffer(plan.bytes) : null
    this.board = new Board(plan, buffer ?? new ArrayBuffer(plan.bytes))
    this.waiting = new Map()
    this.ids = 0
    this.hear = hear
    this.change = new Float64Array(CHANGE)
    this.node = new AudioWorkletNode(context, 'contatto-live', {
      numberOfInputs: 0,
      outputChannelCount: [OUTPUTS],
      processorOptions: { bytes, columns, slow, buffer, quanta: NEWS_QUANTA },
    })
    this.node.port.onmessage = ({ data }) => this.take(data)
    this.node.onprocessorerror = () => this.hear({ type: 'error', text: 'the audio thread has stopped' })
    this.volume = context.createGain() // of the loudspeaker only: scopes, meter and recordings hear what the engine made
    this.node.connect(this.volume).connect(context.destination)
  }

  get transport() {
    return this.shared ? 'shared' : 'messages'
  }

  send(message, buffers = []) {
    this.node.port.postMessage(message, buffers)
  }

  // Resolves when the audio thread has done it.
  ask(message, buffers = []) {
    const id = ++this.ids
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.send({ ...message, id }, buffers)
    })
  }

  // Handle, value, time: true unless the inbox is full.
  set(generation, handle, value, ramp_s) {
    const change = this.change
    change[0] = generation
    for (let i = 0; i < 5; i++) change[1 + i] = handle[i]
    change[6] = value
    change[7] = ramp_s
    change[8] = 0
    if (this.shared) return this.board.put(change)
    this.send({ type: 'set', change: change.slice() })
    return true
  }

  // ---- what comes back

  take(message) {
    const waiting = this.waiting.get(message.id ?? message.for)
    if (waiting) {
      this.waiting.delete(message.id ?? message.for)
      if (message.type === 'error') waiting.reject(new Error(message.text))
      else waiting.resolve(message)
    } else if (message.type === 'news') this.read(message)
    else this.hear(message)
  }

  // The board of the audio thread, copied piece by piece; its buffers go back to be filled again.
  read({ begin, lag, columns, slow, parcel }) {
    const { board } = this
    const length = NEWS_QUANTA * QUANTUM
    const rows = RING / QUANTUM
    for (let c = 0; c < OUTPUTS + columns; c++)
      for (let q = 0; q < NEWS_QUANTA; q++) {
        const from = c * length + q * QUANTUM
        const frame = begin + q * QUANTUM - (c < OUTPUTS ? lag : 0)
        if (frame >= 0) board.ring.set(parcel.ring.subarray(from, from + QUANTUM), c * RING + (frame & (RING - 1)))
      }
    for (let q = 0; q < NEWS_QUANTA; q++) {
      const row = (begin / QUANTUM + q + rows) % rows
      board.slow.set(parcel.slow.subarray(q * slow, (q + 1) * slow), row * board.plan.slow)
    }
    board.since.set(parcel.since)
    board.numbers.set(parcel.numbers)
    const { numbers, since, ring, slow: slowly } = parcel
    this.send({ type: 'parcel', parcel }, [numbers.buffer, since.buffer, ring.buffer, slowly.buffer])
  }

  number(name) {
    return this.board.numbers[PLACE[name]]
  }

  counter(i) {
    return this.board.numbers[COUNTERS_AT + i]
  }
}
