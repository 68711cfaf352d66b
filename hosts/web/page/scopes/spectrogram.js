// Frequency over time, running to the left; with reduced motion the picture stands and a line sweeps over it.
import { calm, fit } from '../ui/dom.js'
import { digits, noteName } from '../ui/scale.js'
import { Spectrum, strongest } from './fft.js'

const size = 4096
const lowest = 60
const highest = 16000
const seconds_shown = 6
const floor = -96
const ceiling = -14

/** Frequencies that are written beside a spectrum. */
export const marks = [
  [100, '100'],
  [300, '300'],
  [1000, '1 k'],
  [3000, '3 k'],
  [10000, '10 k'],
]

export class Spectrogram {
  constructor(engine) {
    this.engine = engine
    this.title = 'Spectrum'
    this.spectrum = new Spectrum(size)
    this.sheet = document.createElement('canvas')
    this.owed = 0
    this.head = 0
  }

  get paths() {
    return []
  }

  draw(canvas, caption, colors, seconds) {
    const { pen, width, height, changed } = fit(canvas, 1.5)
    const gutter = 34
    const wide = Math.max(1, Math.floor(width - gutter))
    const high = Math.max(1, Math.floor(height))
    if (changed || this.sheet.width !== wide || this.sheet.height !== high || this.theme !== colors.theme)
      this.begin(wide, high, colors)
    this.owed += this.engine.running ? (Math.min(seconds, 0.1) * wide) / seconds_shown : 0
    const columns = Math.floor(this.owed)
    this.owed -= columns
    if (columns > 0) this.advance(columns, caption)
    pen.clearRect(0, 0, width, height)
    pen.drawImage(this.sheet, 0, 0)
    if (calm()) this.drawHead(pen, high, colors)
    this.drawScale(pen, wide, height, colors)
  }

  begin(wide, high, colors) {
    this.sheet.width = wide
    this.sheet.height = high
    this.theme = colors.theme
    this.palette = palette(colors)
    const pen = (this.pen = this.sheet.getContext('2d', { willReadFrequently: true }))
    pen.fillStyle = `rgb(${this.palette[0].join(' ')})`
    pen.fillRect(0, 0, wide, high)
    this.rows = Array.from({ length: high }, (_, y) => bins(y, high, this.engine.rate))
    this.head = 0
  }

  advance(columns, caption) {
    const { width, height } = this.sheet
    const levels = this.spectrum.of(this.engine.tail('output', size))
    const column = this.pen.createImageData(1, height)
    for (let y = 0; y < height; y++) {
      const { from, to } = this.rows[y]
      let most = floor
      for (let i = from; i <= to; i++) most = Math.max(most, levels[i])
      const color = this.palette[Math.round(255 * Math.min(1, Math.max(0, (most - floor) / (ceiling - floor))))]
      column.data.set([...color, 255], 4 * y)
    }
    if (calm()) this.sweep(column, columns, width)
    else {
      this.pen.drawImage(this.sheet, -columns, 0)
      for (let k = 0; k < columns; k++) this.pen.putImageData(column, width - columns + k, 0)
    }
    this.tell(levels, caption)
  }

  sweep(column, columns, width) {
    for (let k = 0; k < columns; k++) {
      this.pen.putImageData(column, this.head, 0)
      this.head = (this.head + 1) % width
    }
  }

  drawHead(pen, high, colors) {
    pen.fillStyle = colors.accent
    pen.fillRect(this.head, 0, 1, high)
  }

  tell(levels, caption) {
    const step = this.engine.rate / size
    const { bin, level } = strongest(levels, Math.ceil(lowest / step), Math.floor(highest / step))
    const hz = bin * step
    caption(level > -70 ? `${digits(hz, 4)} Hz ${noteName(hz)}` : '')
  }

  drawScale(pen, x, height, colors) {
    pen.fillStyle = colors.muted
    pen.font = `10.5px ${colors.font}`
    pen.textBaseline = 'middle'
    pen.textAlign = 'left'
    for (const [hz, text] of marks) {
      const y = height * (1 - Math.log(hz / lowest) / Math.log(highest / lowest))
      pen.fillRect(x, Math.round(y), 4, 1)
      pen.fillText(text, x + 7, y)
    }
  }
}

/** The bins that one row of pixels stands for, at least one. */
function bins(y, high, rate) {
  const at = (row) => (lowest * (highest / lowest) ** (1 - row / high) * size) / rate
  const to = Math.min(size / 2 - 1, Math.round(at(y)))
  const from = Math.max(1, Math.min(to, Math.round(at(y + 1)) + 1))
  return { from, to }
}

/** From the panel's colour over cool and warm to paper or ink: quiet is quiet in both themes. */
function palette(colors) {
  const stops =
    colors.theme === 'light'
      ? [
          [249, 247, 242],
          [205, 222, 222],
          [94, 150, 163],
          [164, 72, 12],
          [60, 18, 6],
        ]
      : [
          [21, 24, 28],
          [24, 52, 66],
          [62, 130, 146],
          [240, 169, 74],
          [255, 246, 226],
        ]
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1)
    const low = Math.min(stops.length - 2, Math.floor(at))
    const t = at - low
    return stops[low].map((x, k) => Math.round(x + t * (stops[low + 1][k] - x)))
  })
}
