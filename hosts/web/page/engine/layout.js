// What the audio thread writes and the page reads, in one buffer that both see, or of which each keeps one:
//
//   numbers   a few doubles: how far the ring is filled, the limiter's gain, how busy the audio thread is ...
//   since     per column, the frame from which it holds what is asked for now
//   inbox     changes on their way to the audio thread
//   ring      the last RING frames of every column; the first two are what is heard
//   slow      numbers read once per quantum, for as long as the ring
//
// A frame is counted on the audio context's clock. All quanta are whole and the ring holds a whole number of
// them, so that one quantum is never broken in two.

export const QUANTUM = 128
export const RING = 1 << 16
export const OUTPUTS = 2

// ---- numbers, by place

export const NUMBERS = [
  'written', // first frame that is not in the ring yet
  'gain_db', // the limiter's lowest gain in the last report
  'load', // share of real time the audio thread works
  'late', // times the context's clock fell behind
  'playing', // 1 while a gesture is being played
  'generation', // of the scene that sounds
  'started', // frame of the scene's sample 0
  'latency', // of the limiter, in frames
  'pen_s', // how late motion is behind a pen
  'refused', // changes the scene would not take
  'memory', // bytes of the sounding scene's module
  'allocations', // times the callback had to make a buffer of its own
]
export const COUNTERS_MOST = 32
export const CONTROLS_MOST = 128
export const PLACE = Object.fromEntries(NUMBERS.map((name, i) => [name, i]))
export const COUNTERS_AT = NUMBERS.length
export const CONTROLS_AT = COUNTERS_AT + COUNTERS_MOST
const NUMBERS_LENGTH = CONTROLS_AT + CONTROLS_MOST

// ---- a change: generation, the five numbers of its handle, value, time to take, frame to start at

export const CHANGE = 9
export const CHANGES = 1024

function pad(bytes) {
  return (bytes + 63) & ~63
}

// Where everything lies, for so many columns and slow numbers.
export function layout(columns, slow) {
  const parts = {}
  let at = 0
  const lay = (name, type, length) => {
    parts[name] = { at, type, length }
    at = pad(at + type.BYTES_PER_ELEMENT * length)
  }
  lay('turns', Int32Array, 4)
  lay('numbers', Float64Array, NUMBERS_LENGTH)
  lay('since', Float64Array, OUTPUTS + columns)
  lay('inbox', Float64Array, CHANGE * CHANGES)
  lay('ring', Float32Array, (OUTPUTS + columns) * RING)
  lay('slow', Float32Array, (slow * RING) / QUANTUM)
  return { parts, bytes: at, columns, slow }
}

// Views of such a buffer.
export class Board {
  constructor(plan, buffer) {
    this.plan = plan
    this.buffer = buffer
    for (const [name, part] of Object.entries(plan.parts)) this[name] = new part.type(buffer, part.at, part.length)
  }

  // ---- the inbox: one writer, one reader; turns[0] counts what was put in, turns[1] what was taken out

  put(change) {
    const put = Atomics.load(this.turns, 0)
    if (put - Atomics.load(this.turns, 1) >= CHANGES) return false
    this.inbox.set(change, (put % CHANGES) * CHANGE)
    Atomics.store(this.turns, 0, put + 1)
    return true
  }

  // Where the next change lies in the inbox, or -1.
  next() {
    const taken = Atomics.load(this.turns, 1)
    return taken === Atomics.load(this.turns, 0) ? -1 : (taken % CHANGES) * CHANGE
  }

  taken() {
    Atomics.add(this.turns, 1, 1)
  }

  // ---- reading the ring

  // Between two frames in a straight line; before what the ring holds the oldest, after it the newest.
  value(column, frame) {
    const newest = this.numbers[PLACE.written] - 1
    const oldest = Math.max(newest + 1 - RING, this.since[column], 0)
    if (!(oldest <= newest)) return 0
    const at = Math.min(Math.max(frame, oldest), newest)
    const low = Math.floor(at)
    const first = this.ring[column * RING + (low & (RING - 1))]
    if (low === at) return first
    return first + (at - low) * (this.ring[column * RING + ((low + 1) & (RING - 1))] - first)
  }

  // The values of the frames from `end - into.length` up to `end`, which is left out; 0 where there are none.
  copy(column, end, into) {
    const first = end - into.length
    const written = this.numbers[PLACE.written]
    const from = Math.max(first, this.since[column], written - RING, 0)
    const to = Math.min(end, written)
    into.fill(0)
    let frame = from
    while (frame < to) {
      const place = frame & (RING - 1)
      const length = Math.min(to - frame, RING - place)
      const start = column * RING + place
      into.set(this.ring.subarray(start, start + length), frame - first)
      frame += length
    }
    return into
  }

  // Slow numbers of the quantum a frame lies in; before the first has been played, as the board was laid: zeros.
  slowAt(frame, first, into) {
    const written = this.numbers[PLACE.written]
    const quantum = Math.floor(Math.max(Math.min(Math.max(frame, written - RING), written - 1), 0) / QUANTUM)
    const row = (quantum % (RING / QUANTUM)) * this.plan.slow + first
    for (let i = 0; i < into.length; i++) into[i] = this.slow[row + i]
    return into
  }
}
