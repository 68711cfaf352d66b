// Writing with sound: a sheet, a pen in a hand, and a line of loops to follow. Ink is coloured by what is heard while it is
// written: warm where the pen sings, cool where it squeaks; the score is the share of the time that it sang. While nobody
// writes, the pen goes along the loops at the engine's own speed, as in the demo.
import { penHint } from '../stage/hand.js'
import { label } from '../stage/overlay.js'
import { presetTitle } from '../ui/controls.js'
import { HeroRoom, vec } from './hero.js'

const loops = 5
const [wide, deep] = [2.3, 1.2] /* of the paper */
const kept = 900
const pixel = 0.0254 / 96 /* m */

export class PaperRoom extends HeroRoom {
  static fits(info) {
    return Boolean(info.pen)
  }

  get hint() {
    return `${penHint} Follow the loops.`
  }

  build() {
    const { kit } = this
    const source = this.info.sources.find(({ name }) => name === this.info.pen.source)
    const { regions = {} } = JSON.parse(this.engine.text()).sources[source.name]
    const [sings] = Object.entries(regions).sort(([, a], [, b]) => (b.y?.[1] ?? 0) - (a.y?.[1] ?? 0))[0] ?? ['sing']
    this.speed = this.tap(`${source.name}.speed_m_s`)
    this.fluid = this.tap(`${source.name}.fluidity`)
    this.singing = this.tap(`${source.name}.${sings}.share`)
    this.limit = `${source.name}.${sings}.y.0`
    this.ink = []
    this.score = { sung: 0, all: 0 }
    this.gone = 0
    this.newestFinger = true
    this.makeSheet()
    this.makePen()
    this.show({ azimuth: -90, elevation: 57, fill: 0.6 })
  }

  /** Paper on a writing board with a raised edge and a clip, and the loops printed on it. */
  makeSheet() {
    const { kit } = this
    const sheet = kit.plank(wide, deep, 0.012, 'chalk', 0.004)
    sheet.position.z = -0.008
    const board = kit.plank(wide + 0.16, deep + 0.16, 0.03, 'oak', 0.01)
    board.position.z = -0.032
    this.solids.push(sheet)
    this.seeThrough(sheet, board)
    const edge = (x, y, w, d) => {
      const part = kit.plank(w, d, 0.05, 'oak', 0.008)
      part.position.set(x, y, -0.015)
      this.add(part)
    }
    const [x, y] = [wide / 2 + 0.08, deep / 2 + 0.08]
    for (const side of [-1, 1]) edge(side * x, 0, 0.045, 2 * y + 0.045)
    for (const side of [-1, 1]) edge(0, side * y, 2 * x, 0.045)
    const clip = kit.plank(0.44, 0.13, 0.06, 'steel', 0.02)
    clip.position.set(0, y - 0.05, 0.02)
    const grip = kit.tube(
      [-0.11, -0.08, 0.08, 0.11].map((at, i) => vec(at, y + (i % 3 ? 0.14 : 0.01), 0.05)),
      0.018,
      'steel',
    )
    const points = Array.from({ length: 40 * loops + 1 }, (_, i) => this.loop(i / (40 * loops)))
    const printed = { color: this.stage.colors.muted.clone(), shine: 0, clear: 0 }
    this.add(board, sheet, clip, grip, kit.tube(points, 0.015, printed, { steps: 160, sides: 3 }))
  }

  makePen() {
    const { kit } = this
    const along = vec(0.46, 0.12, 0.56).normalize()
    const at = (t) => along.clone().multiplyScalar(t)
    const parts = [
      kit.rod(at(0), at(0.06), 0.002, 'steel', 0.018),
      kit.rod(at(0.06), at(0.6), 0.02, 'cool', 0.022),
      kit.rod(at(0.6), at(0.66), 0.022, 'ebony', 0.018),
    ]
    const hand = kit.hand('pinch')
    hand.scale.setScalar(2.3)
    hand.position.copy(at(0.2))
    hand.rotation.set(-0.1, 0.15, 0.5)
    this.pen = kit.group(...parts, hand)
    this.add(this.pen)
    this.unframed(this.pen)
  }

  /** The loops on the paper, t from 0 to 1; and where that is on the stage. */
  loop(t) {
    const turn = 2 * Math.PI * loops * t
    return vec(wide * (0.76 * t - 0.38) - 0.24 * Math.sin(turn), 0.3 * Math.cos(turn), 0)
  }

  path(t) {
    return this.stage.project(this.loop(t))
  }

  /** Of all loops, in pixels of the stage. */
  get pathLength() {
    const { width, height } = this.stage
    if (this.measured?.width === width && this.measured.height === height) return this.measured.length
    const places = Array.from({ length: 20 * loops + 1 }, (_, i) => this.path(i / (20 * loops)))
    const length = places.slice(1).reduce((sum, { x, y }, i) => sum + Math.hypot(x - places[i].x, y - places[i].y), 0)
    this.measured = { width, height, length }
    return length
  }

  move(now, seconds, pen) {
    const { css } = this.stage.colors
    const writing = this.hand.pad?.ink ? this.hand.pad.at : null
    const speed = this.now(this.speed)
    const at = writing ?? this.goOn((speed * seconds) / pixel / this.pathLength, seconds)
    if (writing) this.write(at, seconds)
    this.drawInk(pen, css)
    this.drawScore(pen, css)
    const place = this.stage.onPlane(at.x, at.y, 0)
    if (place) this.pen.position.set(place.x, place.y, writing || speed > 0.002 ? 0 : 0.06)
  }

  /** Along the loops, in steps so small that they stay round however late a frame comes. */
  goOn(share, seconds) {
    const steps = Math.ceil(share / 0.004)
    for (let i = 0; i < steps; i++) {
      this.gone = (this.gone + share / steps) % 1
      this.write(this.path(this.gone), seconds / steps)
    }
    return this.path(this.gone)
  }

  write(at, seconds) {
    const sings = this.now(this.singing)
    const last = this.ink.at(-1)
    const jump = last && Math.hypot(at.x - last.x, at.y - last.y) > this.stage.width * 0.3
    this.ink.push({ x: at.x, y: at.y, sings, first: !last || jump })
    this.ink.splice(0, this.ink.length - kept)
    this.score.sung = this.score.sung * Math.exp(-seconds / 8) + sings * seconds
    this.score.all = this.score.all * Math.exp(-seconds / 8) + seconds
  }

  drawInk(pen, css) {
    pen.lineWidth = 3
    pen.lineCap = 'round'
    for (let i = 1; i < this.ink.length; i++) {
      const [a, b] = [this.ink[i - 1], this.ink[i]]
      if (b.first) continue
      pen.strokeStyle = b.sings > 0.5 ? css.accent : css.cool
      pen.globalAlpha = Math.min(1, (4 * i) / this.ink.length)
      pen.beginPath()
      pen.moveTo(a.x, a.y)
      pen.lineTo(b.x, b.y)
      pen.stroke()
    }
    pen.globalAlpha = 1
  }

  drawScore(pen, css) {
    const { sung, all } = this.score
    const limit = this.engine.get(this.limit)
    const preset = this.info.presets.find(({ name }) => name === this.lab.preset)
    const level = preset ? presetTitle(preset) : ''
    const roomy = this.stage.width > 520
    const least = roomy && Number.isFinite(limit) ? `, sings from ${limit.toFixed(1)}` : ''
    const style = { align: 'center', size: 13, weight: 600, back: css.panel }
    const text = all > 0.3 ? `${Math.round((100 * sung) / all)} % sung` : 'write'
    const fluid = this.now(this.fluid)
    label(pen, `${text} · fluidity ${fluid.toFixed(2)}${least}${level && ` · ${level}`}`, this.stage.width / 2, 40, {
      ...style,
      color: css.text,
    })
  }

  /** The newest finger writes, from where it comes down. */
  handOver(before) {
    super.pointer({ ...before, kind: 'up' })
  }

  pointer(pointer) {
    if (pointer.kind === 'down') this.score = { sung: 0, all: 0 }
    super.pointer(pointer)
  }
}
