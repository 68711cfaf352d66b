// The sound as it is heard, held still at a rising zero, and the force of the watched contact over the same samples.
import { fit } from '../ui/dom.js'
import { digits } from '../ui/scale.js'

const milliseconds = 24

export class Oscilloscope {
  constructor(engine, live) {
    this.engine = engine
    this.live = live
    this.title = 'Sound'
    this.most = 0.05
    this.mostForce = 0.1
  }

  get paths() {
    return []
  }

  draw(canvas, caption, colors, seconds) {
    const { pen, width, height } = fit(canvas)
    const n = Math.round((milliseconds * this.engine.rate) / 1000)
    const end = Math.floor(this.engine.heard())
    const samples = this.engine.tail('output', 2 * n, end)
    const first = rising(samples, n)
    const force = this.live.now ? this.engine.tail(this.live.now.force, 2 * n, end) : null
    pen.clearRect(0, 0, width, height)
    grid(pen, width, height, colors)
    this.most = hold(this.most, peak(samples), seconds, 0.02)
    if (force) {
      this.mostForce = hold(this.mostForce, peak(force), seconds, 0.05)
      trace(pen, force, first, n, width, height, this.mostForce, colors.accent, 1, 0.75)
    }
    trace(pen, samples, first, n, width, height, this.most, colors.text, 1.5, 1)
    caption(`${milliseconds} ms · ±${digits(this.most, 2)}`)
  }
}

/** The first rising zero, so that the wave stands still; none: the newest samples. */
function rising(samples, n) {
  for (let i = n; i > 0; i--) if (samples[i - 1] <= 0 && samples[i] > 0) return i
  return n
}

const peak = (list) => list.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
const hold = (before, now, seconds, least) => Math.max(now, before * Math.exp(-seconds / 1.2), least)

export function grid(pen, width, height, colors) {
  pen.strokeStyle = colors.line
  pen.globalAlpha = 0.5
  pen.lineWidth = 1
  pen.beginPath()
  pen.moveTo(0, Math.round(height / 2) + 0.5)
  pen.lineTo(width, Math.round(height / 2) + 0.5)
  for (let k = 1; k < 6; k++) {
    const x = Math.round((width * k) / 6) + 0.5
    pen.moveTo(x, height / 2 - 3)
    pen.lineTo(x, height / 2 + 3)
  }
  pen.stroke()
  pen.globalAlpha = 1
}

function trace(pen, list, first, n, width, height, most, color, wide, alpha) {
  pen.strokeStyle = color
  pen.globalAlpha = alpha
  pen.lineWidth = wide
  pen.lineJoin = 'round'
  pen.beginPath()
  for (let i = 0; i < n; i++) {
    const x = (i / (n - 1)) * width
    const y = height / 2 - (list[first + i] / most) * height * 0.44
    if (i) pen.lineTo(x, y)
    else pen.moveTo(x, y)
  }
  pen.stroke()
  pen.globalAlpha = 1
}
