// A tool that is drawn over something flat: a nail over a sheet, a finger over a dish or a block. The tool goes to and fro
// (round, on a dish) by the way the engine says it has gone, and is lifted while nothing presses. The sheet shows its modes.
import { VibratingBody } from '../stage/vibrating.js'
import { readModes } from '../stage/strobe.js'
import { Magnifier } from '../stage/vibrating.js'
import { bodyOf } from '../stage/roles.js'
import { share } from '../ui/scale.js'
import { HeroRoom, vec } from './hero.js'
import { Travel } from './travel.js'

const flat = ['plate', 'disc', 'membrane']

/** What is rubbed, and by what: {body, contact | source, kind}. */
function find(info) {
  for (const source of info.sources ?? []) {
    const body = info.bodies.find((one) => one.name === bodyOf(source.at) && flat.includes(one.shape))
    if (body) return { body, source, end: source.at }
  }
  for (const contact of info.contacts.filter((one) => one.kind === 'friction'))
    for (const [own, other] of [
      [contact.b, contact.a],
      [contact.a, contact.b],
    ]) {
      const body = info.bodies.find((one) => one.name === bodyOf(own))
      if (body && (flat.includes(body.shape) || body.role === 'block')) return { body, contact, end: own, tool: other }
    }
  return null
}

export class WipeRoom extends HeroRoom {
  static fits(info) {
    return !info.pen && find(info) !== null
  }

  get hint() {
    return `Take the ${this.scrapes ? 'nail' : 'finger'}: across draws it along, down presses. Let go to lift it.`
  }

  get scrapes() {
    return this.info.drives?.some((drive) => drive.kind === 'scrape') ?? false
  }

  build() {
    this.found = find(this.info)
    const { body } = this.found
    this.travel = new Travel(this, this.found)
    for (const axis of ['u', 'v']) this.tap(`${this.found.end}.place_${axis}`)
    if (body.shape === 'disc') this.makeDish(body)
    else if (body.shape) this.makeSheet(body)
    else this.makeBlock(body)
    this.makeTool()
  }

  makeShape(body, thickness) {
    const shape = this.engine.shape(body.name)
    this.made = new VibratingBody(this.engine, body, shape, this.look(body), this.stage.colors, { thickness })
    this.made.magnifier.share = 0.02
    this.bodies = [this.made]
    this.solids.push(this.made.mesh)
    this.add(this.made.mesh)
    return this.made.box.getSize(vec(0, 0, 0))
  }

  /** A sheet held by its edge in a vice. */
  makeSheet(body) {
    const { kit } = this
    const size = this.makeShape(body, Math.max(body.made?.thickness_m || 0.002, 0.002))
    this.wide = size.x
    this.deep = size.y
    this.top = size.z / 2
    const jaw = this.deep * 0.2
    for (const side of [-1, 1]) {
      const part = kit.plank(jaw * 1.4, this.deep * 0.7, jaw, 'iron')
      part.position.set(-this.wide / 2, 0, side * (jaw / 2 + 0.001))
      this.add(part)
    }
    const post = kit.plank(jaw, this.deep * 0.4, jaw * 2.6, 'iron')
    post.position.set(-this.wide / 2 - jaw * 0.2, 0, -jaw * 1.6)
    const bench = kit.plank(this.wide * 1.5, this.deep * 1.4, jaw * 0.4, 'oak')
    bench.position.z = -jaw * 3
    this.add(post, bench)
    this.ground(bench)
    this.shadow(0, 0, -jaw * 2.8, this.wide * 1.4, this.deep * 1.6)
    this.size = this.wide
    this.show(vec(0, 0, this.deep * 0.12), {
      wide: this.wide * 1.5,
      high: this.deep * 1.25,
      azimuth: -70,
      elevation: 28,
      fill: 0.66,
    })
  }

  /** A dinner plate; it stands on its foot, and its edge is the engine's disc. */
  makeDish(body) {
    const { kit } = this
    const r = body.made?.radius_m || 0.12
    this.made = null
    this.radius = r
    this.size = r * 1.5
    const profile = [
      [0, 0.1],
      [0.55, 0.1],
      [0.64, 0.14],
      [0.95, 0.24],
      [1, 0.26],
      [1, 0.29],
      [0.94, 0.27],
      [0.64, 0.18],
      [0.56, 0.14],
      [0, 0.14],
    ].map(([x, z]) => [x * r, z * r])
    const dish = kit.lathe(profile, 'ceramic', { around: 72 })
    const foot = kit.lathe(
      [
        [0.5 * r, 0.1 * r],
        [0.52 * r, 0],
        [0.46 * r, 0],
        [0.46 * r, 0.1 * r],
      ],
      'ceramic',
      { sharp: true },
    )
    const line = kit.lathe(
      [
        [0.87 * r, 0.247 * r],
        [0.9 * r, 0.257 * r],
      ],
      'cool',
      { sharp: true, around: 72 },
    )
    this.solids.push(dish)
    this.add(dish, foot, line)
    this.top = 0.25 * r
    this.shadow(0, 0, 0, r * 2.8, r * 2.8)
    this.show(vec(0, 0, r * 0.25), { wide: r * 3, high: r * 1.5, azimuth: -90, elevation: 34, fill: 0.64 })
  }

  /** A block whose top is drawn aside by its modes, held on a base. */
  makeBlock(body) {
    const { kit } = this
    this.wide = 0.3
    this.deep = 0.12
    const high = 0.14
    this.block = kit.plank(this.wide, this.deep, high, 'rubber', 0.012)
    this.block.geometry.translate(0, 0, high / 2)
    this.rest = Float32Array.from(this.block.geometry.attributes.position.array)
    const base = kit.plank(this.wide * 1.2, this.deep * 1.4, high * 0.2, 'oak')
    base.position.z = -high * 0.1
    this.high = high
    this.top = high
    this.size = this.wide
    this.shaken = { body, now: new Float32Array(body.modes.length), magnifier: new Magnifier(0.06) }
    this.solids.push(this.block)
    this.add(this.block, base)
    this.shadow(0, 0, -high * 0.2, this.wide * 1.9, this.deep * 2.6)
    this.show(vec(0, 0, high * 0.75), {
      wide: this.wide * 1.7,
      high: high * 2,
      azimuth: -70,
      elevation: 16,
      fill: 0.68,
    })
  }

  makeTool() {
    const { kit } = this
    const s = this.size
    const hand = kit.hand(this.scrapes ? 'pinch' : 'point')
    hand.scale.setScalar((s * 2.4) / 0.5)
    hand.rotation.set(-0.55, 0, 0.45)
    const nail = kit.rod(vec(0, 0, 0), vec(s * 0.12, -s * 0.1, s * 0.36), s * 0.003, 'steel', s * 0.016)
    if (this.scrapes) hand.position.set(s * 0.08, -s * 0.07, s * 0.25)
    this.tool = kit.group(hand, this.scrapes ? nail : null)
    this.solids.push(this.tool)
    this.add(this.tool)
  }

  /** Where the tool touches: round a dish, along a sheet about the engine's place. */
  get spot() {
    if (this.radius) {
      const u = this.engine.get(`${this.found.end}.place_u`) || 0.7
      const a = -Math.PI / 2 + this.travel.gone / (u * this.radius)
      return vec(u * this.radius * Math.cos(a), u * this.radius * Math.sin(a), this.top * (u > 0.6 ? 0.85 : 0.6))
    }
    const v = this.made ? this.engine.get(`${this.found.end}.place_v`) || 0.5 : 0.5
    return vec(this.travel.within(this.wide * 0.7) + this.wide * 0.05, (v - 0.5) * this.deep, this.top)
  }

  move(now, seconds) {
    if (this.made) this.made.repaint(this.look(this.found.body), this.stage.colors)
    this.made?.update(seconds)
    if (this.block) this.shake(seconds)
    const { touching, pressed } = this.travel.step(seconds)
    const firm = touching && this.roles.press ? share(this.roles.press, pressed) : 0
    const away = touching ? -0.006 * firm : 0.16
    this.lifted = (this.lifted ?? away) + (away - (this.lifted ?? away)) * Math.min(1, seconds * 14)
    this.tool.position.copy(this.spot).add(vec(0, 0, this.lifted * this.size))
  }

  /** The block's top goes aside with the sum of its modes, its foot stays. */
  shake(seconds) {
    const { body, now, magnifier } = this.shaken
    readModes(this.engine, body.name, body.modes, 1, now)
    const moved = now.reduce((sum, x) => sum + x, 0)
    this.gain = magnifier.gain(Math.abs(moved), this.size, seconds)
    const { position, moved: glow } = this.block.geometry.attributes
    for (let i = 0; i < position.count; i++) {
      const height = this.rest[3 * i + 2] / this.high
      position.setX(i, this.rest[3 * i] + moved * this.gain * height * height)
      glow.setX(i, Math.max(-1, Math.min(1, (moved * this.gain * height) / (0.04 * this.size))))
    }
    position.needsUpdate = glow.needsUpdate = true
  }

  get magnified() {
    return this.block ? this.gain : super.magnified
  }
}
