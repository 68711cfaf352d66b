import { readAmplitudes, readModes } from '../stage/strobe.js'
import { VibratingBody } from '../stage/vibrating.js'
import { calm } from '../ui/dom.js'

/** A body that also shows the modes of bodies without a shape, each drawn as its own mode nearest in frequency. */
export class GuestedBody extends VibratingBody {
  constructor(engine, body, shape, look, colors, others) {
    super(engine, body, shape, look, colors)
    this.guests = others.map((other) => ({
      body: other,
      now: new Float32Array(other.modes.length),
      like: other.modes.map((mode) => this.nearestTo(mode.hz)),
    }))
  }

  nearestTo(hz) {
    const distance = (mode) => Math.abs(Math.log(mode.hz / hz))
    return this.modes.reduce((best, mode, i) => (distance(mode) < distance(this.modes[best]) ? i : best), 0)
  }

  read() {
    super.read()
    for (const { body, now, like } of this.guests) {
      ;(calm() ? readAmplitudes : readModes)(this.engine, body.name, body.modes, 1, now)
      now.forEach((x, i) => {
        this.now[like[i]] += x
      })
    }
    return this.now
  }
}
