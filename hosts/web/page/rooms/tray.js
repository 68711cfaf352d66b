// What rolls freely over a plate: in a tray with rims that is tilted, along a board, or thrown on a floor. Place, turning,
// height over the plate and slope are the engine's; the tray is tilted by its true slope.
import { VibratingBody } from '../stage/vibrating.js'
import { bodyOf } from '../stage/roles.js'
import { ring } from '../stage/overlay.js'
import { HeroRoom, vec } from './hero.js'
import { above } from './things.js'
import { Trail } from './trail.js'
import { makeBall, makeBoard, makeFloor, makeTray } from './tray_parts.js'

const sling = 0.6 /* s: a ball that is drawn so far and let go has gone that far in this time */
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

  /** The trigger that throws it, and the one that lifts it, as the scene says. */
  trigger(last) {
    return this.roles.triggers.find((control) => control.targets.some(({ path }) => last.test(path)))
  }

  get lifts() {
    return this.trigger(/modes[.[]0\]?\.x_m$/)
  }

  build() {
    this.found = find(this.info)
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
    if (this.held) this.keepHolding()
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
    const found = this.held ? null : this.pick(pointer)
    if (pointer.kind === 'hover') this.stage.section.style.cursor = found ? 'grab' : ''
    if (pointer.kind === 'down' && found) this.held = { from: pointer, at: pointer, lifted: 0 }
    if (!this.held) return
    this.held.at = pointer
    if (this.found.v) this.tilt(pointer)
    else if (this.lifts) this.lift()
    if (pointer.kind !== 'up') return
    if (!this.found.v) this.throwIt(pointer)
    this.held = null
  }

  /** The pointer's way from where it pressed is the tilt; the whole range within a third of the stage. */
  tilt({ kind, x, y }) {
    const { across, down } = this.roles
    const { from } = this.held
    const set = (control, way) => control && this.engine.set(control.name, kind === 'up' ? 0 : way, follow)
    const reach = this.stage.height * 0.35
    const clamp = (control, share) => Math.max(control.min, Math.min(control.max, share * control.max))
    set(across, clamp(across, (x - from.x) / reach))
    set(down, clamp(down, (from.y - y) / reach))
  }

  get metre() {
    const half = this.wide / 2
    return (this.stage.project(vec(half, 0, 0)).x - this.stage.project(vec(-half, 0, 0)).x) / this.wide
  }

  /** Held as high as the pointer is above where it took the ball, and once it is led anywhere at least half as high as the
   * slider says: what is taken in the hand leaves the floor. */
  lift() {
    const { from, at } = this.held
    const led = Math.hypot(at.x - from.x, at.y - from.y) > 4
    const least = led ? this.hand.strength.get(this.lifts.name) / 2 : 0
    this.held.lifted = Math.max(least, (from.y - at.y) / this.metre)
    this.keepHolding()
  }

  keepHolding() {
    const { u } = this.found
    if (!this.lifts || this.found.v || !this.held.lifted) return
    const { min, max, name } = this.lifts
    this.held.place ??= this.now(`${u.name}.x_m`) - this.held.from.x / this.metre
    this.engine.set(name, Math.min(max, Math.max(min, this.held.lifted)))
    const place = Math.max(u.low_m, Math.min(u.high_m, this.held.place + this.held.at.x / this.metre))
    this.engine.set(`${u.name}.place_m`, place)
  }

  /** Thrown as fast as the pointer went, or as far as it was drawn; a mere touch throws as the slider says, towards the touch. */
  throwIt(pointer) {
    const throws = this.trigger(/throw_m_s$/)
    if (!throws) return
    const way = Math.sign(pointer.x - this.held.from.x)
    if (this.held.lifted || way) {
      const slung = Math.abs(pointer.x - this.held.from.x) / this.metre / sling
      const metres = way * Math.max(slung, (pointer.pace * this.stage.width) / this.metre)
      return void this.engine.set(throws.name, Math.max(throws.min, Math.min(throws.max, metres)))
    }
    if (this.lifts) this.hand.fire(this.lifts, pointer.pen)
    this.hand.fire(throws, pointer.pen)
  }
}
