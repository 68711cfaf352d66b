// The map of a source: which behaviour rules where in the plane of two signals of the gesture, and where the gesture is
// now. Regions come from the scene's own document, the rest from the engine.
import { fit } from '../ui/dom.js'
import { capital, digits, words } from '../ui/scale.js'

const margin = { left: 12, right: 10, top: 6, bottom: 20 }
const trail = 40

export class SourceMap {
  constructor(engine, source) {
    this.engine = engine
    this.source = source
    this.title = capital(words(source.name))
    const regions = JSON.parse(engine.text()).sources?.[source.name]?.regions ?? {}
    this.regions = Object.entries(regions).map(([name, region]) => ({ name, corners: cornersOf(region, source) }))
    this.signals = { x: this.pathOf(source.x_signal), y: this.pathOf(source.y_signal) }
    this.been = []
  }

  /** "speed" is the schema's sources.*.speed_m_s. */
  pathOf(signal) {
    const fields = this.engine.schema.map((row) => /^sources\.\*\.(\w+)$/.exec(row.path)?.[1]).filter(Boolean)
    const field = fields.find((field) => field === signal || field.startsWith(`${signal}_`))
    return `${this.source.name}.${field}`
  }

  get paths() {
    return [this.signals.x, this.signals.y, `${this.source.name}.region`, `${this.source.name}.push_n`]
  }

  draw(canvas, caption, colors) {
    const { pen, width, height } = fit(canvas)
    pen.clearRect(0, 0, width, height)
    const heard = this.engine.heard()
    const read = (path) => (this.engine.running ? this.engine.at(path, heard) : this.engine.get(path))
    const now = read(`${this.source.name}.region`)
    const place = (x, y) => ({
      x: margin.left + this.share('x', x) * (width - margin.left - margin.right),
      y: height - margin.bottom - this.share('y', y) * (height - margin.top - margin.bottom),
    })
    this.regions.forEach((region, i) => this.drawRegion(pen, region, i === now, place, colors))
    this.drawHand(pen, place(Math.abs(read(this.signals.x)), read(this.signals.y)), colors)
    this.nameAxes(pen, width, height, colors)
    const inside = this.regions[now]
    caption(
      inside
        ? `${words(inside.name)} · ${digits(Math.abs(read(this.signals.x)), 2)}, ${digits(read(this.signals.y), 2)}`
        : '',
    )
  }

  share(axis, value) {
    const { [`${axis}_min`]: min, [`${axis}_max`]: max, [`${axis}_scale`]: scale } = this.source
    const log = scale === 'log' && min > 0
    const at = log ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min)
    return Math.min(1, Math.max(0, at))
  }

  drawRegion(pen, region, here, place, colors) {
    pen.beginPath()
    for (const [x, y] of region.corners) pen.lineTo(place(x, y).x, place(x, y).y)
    pen.closePath()
    pen.fillStyle = here ? colors.accent : colors.muted
    pen.globalAlpha = here ? 0.28 : 0.1
    pen.fill()
    pen.globalAlpha = 0.8
    pen.strokeStyle = colors.line
    pen.lineWidth = 1
    pen.stroke()
    pen.globalAlpha = 1
    const middle = region.corners
      .map(([x, y]) => place(x, y))
      .reduce((a, b, i, all) => ({ x: a.x + b.x / all.length, y: a.y + b.y / all.length }), { x: 0, y: 0 })
    pen.fillStyle = here ? colors.text : colors.muted
    pen.font = `${here ? 600 : 400} 10.5px ${colors.font}`
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(words(region.name), middle.x, middle.y)
  }

  drawHand(pen, at, colors) {
    this.been.push(at)
    this.been.splice(0, this.been.length - trail)
    pen.strokeStyle = colors.cool
    pen.lineWidth = 1.5
    pen.beginPath()
    for (const { x, y } of this.been) pen.lineTo(x, y)
    pen.stroke()
    pen.fillStyle = colors.accent
    pen.beginPath()
    pen.arc(at.x, at.y, 4.5, 0, 7)
    pen.fill()
  }

  nameAxes(pen, width, height, colors) {
    pen.fillStyle = colors.muted
    pen.font = `10.5px ${colors.font}`
    pen.textBaseline = 'bottom'
    pen.textAlign = 'right'
    pen.fillText(`${words(this.source.x_signal)} →`, width - margin.right, height - 4)
    pen.textAlign = 'left'
    pen.fillText(`↑ ${words(this.source.y_signal)}`, margin.left, height - 4)
  }
}

/** Two corners are a rectangle's; a region without any is the whole plane. */
function cornersOf({ x = [], y = [] }, { x_min, x_max, y_min, y_max }) {
  if (x.length > 2) return x.map((value, i) => [value, y[i]])
  const [[left, right], [low, high]] = x.length
    ? [x, y]
    : [
        [x_min, x_max],
        [y_min, y_max],
      ]
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ]
}
