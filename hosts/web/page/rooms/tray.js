// What rolls freely over a plate: in a tray with rims that is tilted, along a board, or thrown on a floor. Place, turning,
// height over the plate and slope are the engine's; the tray is tilted by its true slope.
import { VibratingBody } from '../stage/vibrating.js'
import { bodyOf } from '../stage/roles.js'
import { ring } from '../stage/overlay.js'
import { HeroRoom, vec } from './hero.js'
import { above } from './things.js'
import { Throwing } from './throwing.js'
import { Trail } from './trail.js'
import { makeBall, makeBoard, makeFloor, makeTray } from './tray_parts.js'

const roof = 0.5 /* of the floor's depth: a ball that jumps higher is drawn there */
const follow = 0.05 /* s: how fast the tray follows the pointer */

/** The drives that carry one ball over one plate, by axis. */
function find(info) {
  const drives =
    info.drives?.filter((drive) => drive.travels && drive.kind === 'roll' && drive.motion !== 'imposed') ?? []
  const [first] = drives
  const contact = info.contacts.find((one) => one.name === first?.contact)
  const plate = info.bodies.find((body) => body.shape === 'plate' && body.name === bodyOf(first?.travels ?? ''))
  if (!contact || !plate || drives.some((drive) => drive.contact !== first.contact)) return null
  const axis = (name) => drives.find((drive) => (drive.travel_axis ?? 'u') === name) ?? null
  return { contact, plate, u: axis('u'), v: axis('v'), point: first.travels }
}

export class TrayRoom extends HeroRoom {
  static fits(info) {
    return find(info) !== null
  }

  get hint() {
    if (this.found.v) return 'Tilt the tray: press on it and drag. Let go, and it lies level again.'
    return this.lifts
      ? 'Take the ball, lift it, and throw it. Or touch the floor to throw it there.'
      : 'Flick the ball along the board: it goes as fast as the pointer did.'
  }

  /** The trigger that lifts it, as the scene says. */
  get lifts() {
    return this.throwing?.lifts
  }

  build() {
    this.found = find(this.info)
    this.throwing = this.found.v ? null : new Throwing(this, this.found)
    const { plate, contact, u, v, point } = this.found
    const shape = this.engine.shape(plate.name)
    this.thick = Math.max(plate.made?.thickness_m || 0.01, 0.006)
    this.made = new VibratingBody(this.engine, plate, shape, this.look(plate), this.stage.colors, {
      thickness: this.thick,
    })
    this.made.magnifier.share = 0.008
    this.bodies = [this.made]
    const size = this.made.box.getSize(vec(0, 0, 0))
    this.wide = size.x
    this.deep = size.y
    this.tilted = this.kit.group(this.made.mesh)
    this.solids.push(this.made.mesh)
    this.add(this.tilted)
    this.places = { u: this.tap(`${point}.place_u`), v: this.tap(`${point}.place_v`) }
    this.gap = this.tap(`${contact.name}.compression_m`)
    for (const drive of [u, v].filter(Boolean))
      for (const field of ['x_m', 'radius_m', 'slope']) this.tap(`${drive.name}.${field}`)
    this.radius = (u ?? v).radius_m
    const { ball, larger } = makeBall(this.kit, this.radius, this.wide * (this.lifts ? 0.045 : 0.03))
    Object.assign(this, { ball, larger, grown: 1, rolled: { x: 0, y: 0 } })
    this.solids.push(ball)
    this.unframed(ball)
    this.tilted.add(ball)
    this.tilting = new Map() /* by finger */
    this.manyFingers = Boolean(v)
    this.newestFinger = !v
    if (v) makeTray(this)
    else if (u.rim) makeBoard(this)
    else this.makeOpenFloor()
  }

  makeOpenFloor() {
    this.trail = new Trail(this, this.radius * this.larger * 0.45, (frame) => this.placeAt(frame))
    this.tilted.add(...this.trail.beads)
    makeFloor(this)
  }

  get notes() {
    return this.larger > 1.05 ? [`ball drawn ${this.larger.toFixed(1)}×`] : []
  }

  slope(axis) {
    const drive = this.found[axis]
    return drive ? this.now(`${drive.name}.slope`) : 0
  }

  move(now, seconds, pen) {
    this.made.repaint(this.look(this.found.plate), this.stage.colors)
    this.made.update(seconds)
    this.tilted.rotation.set(-Math.atan(this.slope('v')), Math.atan(this.slope('u')), 0)
    this.grown = (this.now(`${(this.found.u ?? this.found.v).name}.radius_m`) || this.radius) / this.radius
    this.ball.scale.setScalar(this.grown)
    this.ball.position.copy(this.placeAt(this.engine.heard()))
    this.trail?.draw()
    this.roll(this.radius * this.grown)
    for (const event of this.events.fresh(0.4)) {
      const spot = this.tilted.localToWorld(this.ball.position.clone())
      if (event.peak > 1)
        ring(pen, this.stage.project(spot), this.events.age(event), event.peak / 20, this.stage.colors.css.accent)
    }
  }

  /** Where the ball is on the plate when this frame is heard. */
  placeAt(frame) {
    const at = (axis) => (this.heard ? this.engine.at(this.places[axis], frame) : 0.5)
    const { place } = this.made.at(at('u'), at('v'))
    const gap = this.heard ? Math.max(0, -this.engine.at(this.gap, frame)) : 0
    const lift = above(gap, this.deep * (this.lifts ? roof : 0.4))
    return vec(place.x, place.y, this.thick / 2 + this.radius * this.larger * this.grown + lift)
  }

  /** Turned by the way gone since the last frame. */
  roll(radius) {
    const { u, v } = this.found
    const x = u ? this.now(`${u.name}.x_m`) : 0
    const y = v ? this.now(`${v.name}.x_m`) : 0
    this.ball.rotateOnWorldAxis(vec(0, 1, 0), (x - this.rolled.x) / radius)
    this.ball.rotateOnWorldAxis(vec(-1, 0, 0), (y - this.rolled.y) / radius)
    this.rolled = { x, y }
  }

  // ---- playing

  pointer(pointer) {
    const found = ['down', 'hover'].includes(pointer.kind) ? this.pick(pointer) : null
    if (pointer.kind === 'hover') this.stage.section.style.cursor = found ? 'grab' : ''
    if (this.found.v) return this.tilt(pointer, found)
    this.throwing.pointer(pointer, found)
  }

  /** The newest finger has the ball. */
  handOver() {
    this.throwing.drop()
  }

  /** The ways of all fingers from where each pressed, added up, are the tilt; the whole range within a third of the stage. */
  tilt({ kind, id, x, y }, found) {
    if (kind === 'down' && found) this.tilting.set(id, { x, y })
    const from = this.tilting.get(id)
    if (!from) return
    Object.assign(from, { across: x - from.x, down: from.y - y })
    if (kind === 'up') this.tilting.delete(id)
    for (const axis of ['across', 'down']) {
      const control = this.roles[axis]
      const way = [...this.tilting.values()].reduce((sum, finger) => sum + finger[axis], 0)
      const share = way / (this.stage.height * 0.35)
      if (control)
        this.engine.set(control.name, Math.max(control.min, Math.min(control.max, share * control.max)), follow)
    }
  }

  get metre() {
    const half = this.wide / 2
    return (this.stage.project(vec(half, 0, 0)).x - this.stage.project(vec(-half, 0, 0)).x) / this.wide
  }
}
