// What leaves for the loudspeaker, sample for sample: the audio thread fills buffers the page sends it and gives
// them back, so a page that sleeps for a while loses nothing.
import { OUTPUTS } from './layout.js'
import { wavBlob } from './wav.js'

const SECONDS = 1
const AHEAD = 4

export class Recording {
  constructor(engine) {
    this.engine = engine
    this.pieces = null
    this.ended = null
  }

  get on() {
    return this.pieces !== null
  }

  get seconds() {
    return this.pieces ? this.pieces.reduce((sum, piece) => sum + piece.length, 0) / OUTPUTS / this.engine.rate : 0
  }

  start() {
    if (this.on || !this.engine.link) return
    const frames = SECONDS * this.engine.rate
    const buffers = Array.from({ length: AHEAD }, () => new Float32Array(OUTPUTS * frames))
    this.frames = frames
    this.pieces = []
    this.engine.link.send(
      { type: 'record', on: true, frames, buffers },
      buffers.map((buffer) => buffer.buffer),
    )
  }

  take({ buffer, frames, last }) {
    if (!this.pieces) return
    if (frames) this.pieces.push(buffer.slice(0, OUTPUTS * frames))
    if (last) this.ended()
    else this.engine.link.send({ type: 'empty', buffer }, [buffer.buffer])
  }

  // A WAV file of 32-bit floats, two channels.
  async stop() {
    if (!this.on) return null
    await new Promise((resolve) => {
      this.ended = resolve
      this.engine.link.send({ type: 'record', on: false })
    })
    const blob = wavBlob(this.pieces, OUTPUTS, this.engine.rate)
    this.pieces = null
    return blob
  }
}
