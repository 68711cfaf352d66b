// The law at work. Friction: force over sliding speed, round and round as it sticks and slips. Impact: force over
// compression, one leaf per hit, its area what the hit has cost; force over time while it rolls or rests.
import { RING } from '../engine/layout.js'
import { fit } from '../ui/dom.js'
import { capital, withPrefix, words } from '../ui/scale.js'

const shown = 1200 /* samples of friction: 25 ms */
const leaves = 4
const rested = 2400 /* samples of what rolls or rests: 50 ms */

export class Loop {
  constructor(engine, live) {
    this.engine = engine
    this.live = live
    this.title = 'Contact'
    this.over = null /* what force is drawn over: speed, depth or time */
    this.hits = []
    this.from = Math.floor(engine.heard())
  }

  get paths() {
    return this.live.list.flatMap((contact) =>
      contact.kind === 'friction'
        ? [`${contact.a}.tangential_v_m_s`, `${contact.b}.tangential_v_m_s`]
        : [`${contact.name}.compression_m`],
    )
  }

  draw(canvas, caption, colors, seconds, title) {
    const { pen, width, height } = fit(canvas)
    const contact = this.live.now
    pen.clearRect(0, 0, width, height)
    if (contact !== this.watched) {
      this.watched = contact
      this.hits = []
      this.mostX = this.mostY = 0
    }
    if (!contact) return caption('no contact')
    title(capital(words(contact.name)))
    if (contact.kind === 'friction') this.drawFriction(pen, width, height, caption, colors, seconds, contact)
    else this.drawImpact(pen, width, height, caption, colors, seconds, contact)
  }

  drawFriction(pen, width, height, caption, colors, seconds, contact) {
    this.over = 'speed'
    const end = Math.floor(this.engine.heard())
    const tail = (path) => this.engine.tail(path, shown, end)
    const a = tail(`${contact.a}.tangential_v_m_s`)
    const b = tail(`${contact.b}.tangential_v_m_s`)
    const force = tail(contact.force)
    const speed = a.map((v, i) => v - b[i])
    this.scale(speed, force, seconds, 0.01, 0.01)
    const x = (v) => width / 2 + (v / this.mostX) * width * 0.44
    const y = (f) => height / 2 - (f / this.mostY) * height * 0.42
    axes(pen, width, height, width / 2, height / 2, colors, 'speed, m/s')
    for (let part = 0; part < 6; part++) {
      pen.beginPath()
      for (let i = Math.floor((part * shown) / 6); i < Math.floor(((part + 1) * shown) / 6) + 1 && i < shown; i++)
        pen.lineTo(x(speed[i]), y(force[i]))
      pen.strokeStyle = colors.accent
      pen.globalAlpha = 0.12 + 0.88 * ((part + 1) / 6) ** 2
      pen.lineWidth = 1.4
      pen.stroke()
    }
    pen.globalAlpha = 1
    caption(`${withPrefix(this.mostX, 'm/s')} · ${withPrefix(this.mostY, 'N')}`)
  }

  drawImpact(pen, width, height, caption, colors, seconds, contact) {
    this.takeHits(contact)
    const force = this.engine.tail(contact.force, rested, Math.floor(this.engine.heard()))
    if (touching(force) > 0.6) return this.drawResting(pen, width, height, caption, colors, seconds, force)
    this.over = 'depth'
    axes(pen, width, height, 26, height - 18, colors, 'depth')
    const last = this.hits.at(-1)
    if (!last) return caption('strike it')
    const mostX = Math.max(...this.hits.map((hit) => hit.deepest), 1e-9)
    const mostY = Math.max(...this.hits.map((hit) => hit.hardest), 1e-9)
    this.hits.forEach((hit, i) => {
      pen.beginPath()
      pen.moveTo(26, height - 18)
      hit.points.forEach(([x, f]) =>
        pen.lineTo(26 + (x / mostX) * (width - 44), height - 18 - (f / mostY) * (height - 34)),
      )
      pen.closePath()
      const newest = i === this.hits.length - 1
      pen.globalAlpha = newest ? 1 : 0.15 + 0.12 * i
      pen.strokeStyle = pen.fillStyle = colors.accent
      pen.lineWidth = 1.5
      pen.stroke()
      pen.globalAlpha *= 0.14
      pen.fill()
    })
    pen.globalAlpha = 1
    caption(`${withPrefix(last.hardest, 'N')} · ${withPrefix(last.points.length / this.engine.rate, 's')}`)
  }

  /** What rolls or rests touches all the time: its force over time, not a line to and fro. */
  drawResting(pen, width, height, caption, colors, seconds, force) {
    this.over = 'time'
    this.scale([0], force, seconds, 1, 1e-6)
    axes(pen, width, height, 26, height - 18, colors, 'time')
    pen.strokeStyle = colors.accent
    pen.lineWidth = 1.3
    pen.beginPath()
    force.forEach((f, i) =>
      pen.lineTo(26 + (i / rested) * (width - 36), height - 18 - (Math.abs(f) / this.mostY) * (height - 34)),
    )
    pen.stroke()
    caption(`${withPrefix(this.mostY, 'N')} · ${withPrefix(rested / this.engine.rate, 's')}`)
  }

  /** Gathers the hits of what was heard since the last frame. */
  takeHits(contact) {
    const end = Math.floor(this.engine.heard())
    const count = Math.min(end - this.from, RING)
    if (count <= 0) return
    const force = this.engine.tail(contact.force, count, end)
    const depth = this.engine.tail(`${contact.name}.compression_m`, count, end)
    this.from = end
    for (let i = 0; i < count; i++) this.takeSample(Math.max(0, depth[i]), Math.abs(force[i]))
  }

  takeSample(depth, force) {
    if (force > 0 && !this.open) this.open = { points: [], deepest: 0, hardest: 0 }
    if (force > 0 && this.open.points.length < 4000) {
      this.open.points.push([depth, force])
      this.open.deepest = Math.max(this.open.deepest, depth)
      this.open.hardest = Math.max(this.open.hardest, force)
    } else if (this.open) {
      const hardest = Math.max(0, ...this.hits.map((hit) => hit.hardest))
      if (this.open.hardest > 0.02 * hardest) this.hits.push(this.open) /* what only comes to rest is no hit */
      this.hits.splice(0, this.hits.length - leaves)
      this.open = null
    }
  }

  scale(xs, ys, seconds, leastX, leastY) {
    const most = (list) => list.reduce((m, x) => Math.max(m, Math.abs(x)), 0)
    const fade = Math.exp(-seconds / 1.2)
    this.mostX = Math.max(most(xs), (this.mostX ?? 0) * fade, leastX)
    this.mostY = Math.max(most(ys), (this.mostY ?? 0) * fade, leastY)
  }
}

const touching = (force) => force.reduce((sum, f) => sum + (f !== 0 ? 1 : 0), 0) / force.length

function axes(pen, width, height, x0, y0, colors, word) {
  pen.strokeStyle = colors.line
  pen.globalAlpha = 0.7
  pen.lineWidth = 1
  pen.beginPath()
  pen.moveTo(8, Math.round(y0) + 0.5)
  pen.lineTo(width - 8, Math.round(y0) + 0.5)
  pen.moveTo(Math.round(x0) + 0.5, 6)
  pen.lineTo(Math.round(x0) + 0.5, height - 6)
  pen.stroke()
  pen.globalAlpha = 1
  pen.fillStyle = colors.muted
  pen.font = `10.5px ${colors.font}`
  pen.textAlign = 'right'
  pen.textBaseline = 'top'
  pen.fillText(word, width - 8, y0 + 3)
  pen.textAlign = 'left'
  pen.fillText('force, N', x0 + 5, 4)
}
