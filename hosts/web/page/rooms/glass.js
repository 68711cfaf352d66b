// The glass: a finger goes round a rim. Take hold near the rim and go round: how far the pointer is ahead of the finger
// along the rim is, linearly, the push, one turn for the whole range. Anywhere else the stage is the usual pad.
// The rim is drawn from the engine's modes; the finger is where the engine has it.
import { shadowSpot } from '../stage/looks.js'
import { arrow, label } from '../stage/overlay.js'
import { calm } from '../ui/dom.js'
import { readable, share, words } from '../ui/scale.js'
import { frameHero } from './framing.js'
import { makeCushion, makeStem } from './glass_foot.js'
import { GuestedBody } from './guested_body.js'
import { Kit, vec } from './kit.js'
import { RimEdge, radiusAt } from './rim_edge.js'
import { bowls, findGuests, findRubbing } from './rim_rubbed.js'
import { makeFinger, makeStick } from './rim_tool.js'
import { Room } from './room.js'

const turn = 2 * Math.PI
const bowlView = { elevation: 18, fill: 0.57, rise: 0.24 }
const glassView = { elevation: 32, fill: 0.64, rise: 0.1 }

export class GlassRoom extends Room {
  static fits(info, roles) {
    return roles.rubs && findRubbing(info) !== null
  }

  get hint() {
    const tool = this.stick ? 'stick' : 'finger'
    return `Take the ${tool} and go round the rim. Or press anywhere: across pushes, down presses.`
  }

  get paths() {
    const { contact, source } = this.rubbing
    if (source) return [...super.paths, `${source.name}.speed_m_s`, `${source.name}.pressure`]
    return [...super.paths, `${this.rubbing.own}.place_u`, `${contact.name}.pressed_n`]
  }

  constructor(lab) {
    super(lab)
    this.rubbing = findRubbing(this.info)
    this.others = findGuests(this.info, this.rubbing)
    this.leash = null
    this.stick = bowls.includes(this.rubbing.body.shape)
    this.turns = 0
    this.way = 1
  }

  build() {
    const { body } = this.rubbing
    const colors = this.stage.colors
    const shape = this.engine.shape(body.name)
    this.glass = new GuestedBody(this.engine, body, shape, this.look(body), colors, this.others)
    this.bodies = [this.glass]
    this.unit = 1 / this.glass.size
    this.height = this.glass.box.max.z
    this.radius = radiusAt(this.glass, 1)
    this.foot = body.shape === 'glass' ? -this.height * 1.1 : Math.min(0, this.glass.box.min.z)
    const kit = new Kit(colors)
    this.edge = new RimEdge(this.glass, this.radius, colors)
    this.tool = (this.stick ? makeStick : makeFinger)(kit, this.radius)
    this.tool.group.userData.unframed = true
    this.inner = kit.group(this.glass.mesh, this.makeFoot(kit), this.edge.mesh, this.edge.rest, this.tool.group)
    this.inner.scale.setScalar(this.unit)
    this.group.add(this.inner, this.makeShadow())
    frameHero(this, { azimuth: -90, ...(this.stick ? bowlView : glassView) })
  }

  makeFoot(kit) {
    const { height, radius } = this
    if (this.stick) return makeCushion(kit, radius)
    if (this.rubbing.body.shape !== 'glass') return null
    const cup = { height, radius: Math.max(1e-3, this.glass.box.max.x), bottom: radiusAt(this.glass, 0) }
    return makeStem(cup, this.glass.material)
  }

  makeShadow() {
    const spot = shadowSpot(0.72, this.stage.colors)
    spot.position.z = this.foot * this.unit - 0.005
    return spot
  }

  /** The finger's angle, in turns, as the engine has it. */
  angle(sample = this.engine.heard()) {
    if (this.rubbing.source) return this.turns
    return this.heard ? this.engine.at(`${this.rubbing.own}.place_u`, sample) : this.rubbing.point.place_u
  }

  /** The way a source has gone, in turns of its rim. */
  goOn(seconds) {
    const { source } = this.rubbing
    if (!source || !this.heard) return
    const round = Math.PI * (this.engine.get(`${source.name}.diameter_m`) || 2 * this.radius)
    this.turns += (this.way * this.engine.at(`${source.name}.speed_m_s`, this.engine.heard()) * seconds) / round
  }

  get pressing() {
    const { source, contact } = this.rubbing
    const path = source ? `${source.name}.speed_m_s` : `${contact.name}.pressed_n`
    return this.engine.at(path, this.engine.heard()) > 0 || this.hand.down
  }

  move(now, seconds, pen) {
    this.goOn(seconds)
    this.glass.update(seconds)
    this.edge.bend()
    const { grown } = this.glass
    const seen = grown ** 0.25 /* enough to see it grow, and still on the stage */
    this.inner.scale.setScalar(this.unit * seen)
    this.inner.position.z = this.foot * this.unit * (1 - seen)
    this.pull()
    this.moveTool()
    if (this.leash) this.drawLeash(pen)
  }

  moveTool() {
    const at = this.angle()
    const { place } = this.glass.at(at, 1)
    const press = this.roles.press
    const firm = press ? share(press, this.engine.get(press.name)) : 0
    const lift = this.pressing ? 0.82 - 0.25 * firm : 1.9
    this.lifted = calm() ? lift : (this.lifted ?? lift) + (lift - (this.lifted ?? lift)) * 0.25
    this.tool.place(place, at, firm, this.lifted)
  }

  // ---- playing ----

  /** The middle of the wall that faces the viewer. */
  get centre() {
    const { x, y } = this.stage.camera.position
    const out = (0.8 * this.radius * this.inner.scale.x) / Math.hypot(x, y)
    return this.stage.project(vec(x * out, y * out, this.inner.position.z + 0.35 * this.height * this.inner.scale.z))
  }

  /** The pointer in the plane of the rim: angle in turns, distance from the axis over the rim's radius. */
  onRim(pointer) {
    const height = this.inner.position.z + this.height * this.inner.scale.z
    const hit = this.stage.onPlane(pointer.x, pointer.y, height)
    if (!hit) return null
    const far = Math.hypot(hit.x, hit.y) / (this.radius * this.inner.scale.x)
    return { turns: Math.atan2(hit.y, hit.x) / turn, far }
  }

  pointer(pointer) {
    const rim = this.onRim(pointer)
    if (pointer.kind === 'hover') this.stage.section.style.cursor = rim && near(rim) ? 'grab' : ''
    if (pointer.kind === 'down' && rim && near(rim)) return this.take(pointer, rim)
    if (!this.leash) return super.pointer(pointer)
    if (pointer.kind === 'up') return this.release()
    this.leash.pen = pointer.pen
    this.leash.at = pointer
    if (rim) this.leash.turns += nearest(rim.turns - this.leash.turns)
    this.pull()
  }

  take(pointer, rim) {
    const finger = this.angle()
    this.leash = { turns: finger + nearest(rim.turns - finger), at: pointer, pen: pointer.pen }
    this.hand.touch(pointer.pen)
    this.stage.section.style.cursor = 'grabbing'
  }

  release() {
    this.leash = null
    this.stage.section.style.cursor = ''
    this.hand.lift()
  }

  /** One turn ahead is the whole push: softer would not follow, harder would overtake the pointer between two frames. */
  pull() {
    if (!this.leash) return
    const { push } = this.roles
    const lead = this.leash.turns - this.angle(Infinity)
    const held = Math.max(-1, Math.min(1, lead))
    this.leash.turns += held - lead
    if (this.rubbing.source) this.way = held < 0 ? -1 : 1
    const least = push.min < 0 ? -push.min : push.max
    this.hand.push(this.rubbing.source ? Math.abs(held) * push.max : held * (held < 0 ? least : push.max))
    if (this.leash.pen !== null) this.hand.pressure(this.leash.pen)
  }

  drawLeash(pen) {
    const { push, press } = this.roles
    const [colors, at] = [this.stage.colors.css, this.leash.at]
    const tip = this.stage.project(this.inner.localToWorld(this.tool.group.position.clone()))
    arrow(pen, tip.x, tip.y, at.x, at.y, colors.accent, 1.5)
    const value = (control) => {
      const { text, unit } = readable(this.engine.get(control.name), control.unit)
      return `${words(control.name)} ${text} ${unit}`
    }
    const [x, align] = at.x < tip.x ? [at.x - 18, 'right'] : [at.x + 18, 'left']
    const style = { align, size: 13, weight: 600, back: colors.panel }
    label(pen, value(push), x, at.y - 10, { ...style, color: colors.accent })
    label(pen, value(press), x, at.y + 11, { ...style, color: colors.cool })
  }
}

const near = (rim) => rim.far > 0.55 && rim.far < 1.4
const nearest = (turns) => turns - Math.round(turns)
