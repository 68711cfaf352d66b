// What rolls freely over a plate: in a tray with rims that is tilted, along a board, or thrown on a floor. Place, turning,
// height over the plate and slope are the engine's; the tray is tilted by its true slope.
import { VibratingBody } from '../stage/vibrating.js'
import { bodyOf } from '../stage/roles.js'
import { ring } from '../stage/overlay.js'
import { HeroRoom, vec } from './hero.js'
import { above } from './things.js'

const sling = 0.6 /* s: a ball that is drawn so far and let go has gone that far in this time */
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
    this.makeBall(u ?? v)
    if (v) this.makeTray()
    else this.makeBoard(u)
  }

  makeBall(drive) {
    const { kit } = this
    this.radius = drive.radius_m
    this.larger = Math.max(1, (this.wide * 0.03) / this.radius)
    const r = this.radius * this.larger
    const stripes = [0, 1].map((i) => {
      const circle = Array.from({ length: 24 }, (_, k) => {
        const a = (2 * Math.PI * k) / 24
        return i ? vec(r * Math.cos(a), r * Math.sin(a), 0) : vec(r * Math.cos(a), 0, r * Math.sin(a))
      })
      return kit.tube(circle, r * 0.07, i ? 'cool' : 'hair', { closed: true, steps: 48, sides: 6 })
    })
    this.ball = kit.group(kit.ball(r, 'accent'), ...stripes)
    this.solids.push(this.ball)
    this.tilted.add(this.ball)
    this.rolled = { x: 0, y: 0 }
  }

  /** Rims on four sides, and two hands that hold it. */
  makeTray() {
    const { kit, wide, deep } = this
    const rim = Math.max(3 * this.radius, deep * 0.1)
    const wall = deep * 0.035
    for (const side of [-1, 1]) {
      const long = kit.plank(wide + 2 * wall, wall, rim, 'oak')
      long.position.set(0, (side * (deep + wall)) / 2, rim / 2 - this.thick)
      const short = kit.plank(wall, deep, rim, 'oak')
      short.position.set((side * (wide + wall)) / 2, 0, rim / 2 - this.thick)
      const hand = kit.hand('pinch')
      hand.scale.setScalar(0.95)
      hand.position.set(side * (wide / 2 - wall * 0.5), -deep * 0.08, rim - this.thick + 0.012)
      hand.rotation.set(0, 0, side * 1.35 + (side > 0 ? 0.1 : -0.1))
      this.tilted.add(long, short, hand)
    }
    this.shadow(0, 0, -deep * 0.42, wide * 1.5, deep * 1.7)
    this.show(vec(0, 0, 0), { wide: wide * 1.9, high: deep * 0.95, azimuth: -80, elevation: 36, fill: 0.62 })
  }

  /** A board with stops at its ends on two blocks, or a floor of boards for what is thrown. */
  makeBoard(drive) {
    const { kit, wide, deep } = this
    if (drive.rim) {
      const stop = Math.max(3 * this.radius, deep * 0.12)
      for (const side of [-1, 1]) {
        const end = kit.plank(deep * 0.06, deep, stop, 'oak')
        end.position.set((side * wide) / 2, 0, stop / 2)
        this.tilted.add(end)
      }
      const trestle = kit.extrude(
        [
          [-deep * 0.2, 0],
          [deep * 0.2, 0],
          [0, deep * 0.22],
        ],
        deep * 0.8,
        'oak',
        { bevel: 0.002 },
      )
      trestle.rotation.x = Math.PI / 2
      trestle.position.set(0, deep * 0.4, -deep * 0.22 - this.thick)
      this.add(trestle)
    } else
      for (let i = 1; i < 6; i++) {
        const seam = kit.plank(wide, deep * 0.006, 0.0015, 'ebony', 0.0004)
        seam.position.set(0, deep * (i / 6 - 0.5), this.thick / 2)
        this.tilted.add(seam)
        this.ground(this.made.mesh, seam)
      }
    this.shadow(0, 0, -deep * 0.24, wide * 1.3, deep * 2)
    const lift = this.lifts ? deep * 0.32 : 0
    const high = this.lifts ? deep * 1.15 : deep * 1.1
    this.show(vec(0, 0, lift), { wide: wide * 1.1, high, azimuth: -76, elevation: this.lifts ? 11 : 16, fill: 0.66 })
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
    const at = (axis, usual) => (this.engine.running ? this.now(this.places[axis]) : usual)
    const { place } = this.made.at(at('u', 0.5), at('v', 0.5))
    const live = this.now(`${(this.found.u ?? this.found.v).name}.radius_m`) || this.radius
    const drawn = live * this.larger
    this.ball.scale.setScalar(live / this.radius)
    const lift = above(Math.max(0, -this.now(this.gap)), this.lifts ? 0.62 * this.deep : this.deep * 0.4)
    this.ball.position.set(place.x, place.y, this.thick / 2 + drawn + lift)
    this.roll(live)
    if (this.held) this.keepHolding()
    for (const event of this.events.fresh(0.4)) {
      const spot = this.tilted.localToWorld(this.ball.position.clone())
      if (event.peak > 1)
        ring(pen, this.stage.project(spot), this.events.age(event), event.peak / 20, this.stage.colors.css.accent)
    }
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

  /** Held as high as the pointer is above where it took the ball. */
  lift() {
    const { from, at } = this.held
    this.held.lifted = Math.max(0, (from.y - at.y) / this.metre)
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
