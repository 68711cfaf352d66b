// A tool that is drawn over something flat: a nail over a sheet, a finger over a dish or a block. The tool goes to and fro
// (round, on a dish) by the way the engine says it has gone, and is lifted while nothing presses. The sheet shows its modes.
import { VibratingBody } from '../stage/vibrating.js'
import { readModes } from '../stage/strobe.js'
import { bodyOf } from '../stage/roles.js'
import { share } from '../ui/scale.js'
import { HeroRoom, vec } from './hero.js'
import { aimHand } from './kit.js'
import { Travel } from './travel.js'
import { Scratch, makeBlock, makeDish, makeSheet } from './wiped.js'

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
    if (body.shape === 'disc') makeDish(this, body)
    else if (body.shape) makeSheet(this, body)
    else makeBlock(this, body)
    this.makeTool()
    this.show(this.view)
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

  /** A hand of its true size; for a scrape it holds a nail. */
  makeTool() {
    const { kit } = this
    const hand = kit.hand(this.scrapes ? 'pinch' : 'point')
    hand.rotation.set(-0.3, 0, this.radius ? 1.25 : 0.95)
    hand.scale.setScalar(0.85)
    this.tool = kit.group(hand)
    if (this.scrapes) this.giveNail(hand)
    this.solids.push(this.tool)
    this.add(this.tool)
    this.unframed(this.tool)
  }

  /** Held aslant like a pen, a carpenter's nail with its head over the hand; it leaves a scratch. */
  giveNail(hand) {
    const { kit } = this
    const long = 0.09
    const at = (share) => vec(0.5, 0.3, 0.81).multiplyScalar(long * share)
    hand.scale.setScalar(0.7)
    aimHand(hand, vec(-0.93, -0.3, -0.1), vec(0.1, -0.2, 1))
    hand.position.copy(at(0.66))
    this.tool.add(kit.rod(at(0), at(0.12), 0.0005, 'steel', 0.0038), kit.rod(at(0.12), at(1), 0.0038, 'steel'))
    this.tool.add(kit.rod(at(1), at(1.03), 0.0085, 'steel'))
    this.scratch = new Scratch(this)
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
    if (touching) this.scratch?.reach(this.spot)
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
