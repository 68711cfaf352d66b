// The wheel: it runs on a rail that goes round in a circle, and a brake shoe is pressed on its tread. The viewer rides
// along, so the rail turns under the wheel. Wheel and rail are turned by the engine: the rail by the way gone, the wheel by
// its own turning where the scene has it, else by the turns of what rolls.
import { share } from '../ui/scale.js'
import { HeroRoom, given, vec } from './hero.js'

export class WheelRoom extends HeroRoom {
  static fits(info) {
    return HeroRoom.cast(info, 'wheel').length > 0 && info.drives?.some((drive) => drive.kind === 'roll')
  }

  get hint() {
    return 'Take the wheel: across pushes it, down brakes it. Let go to let it run.'
  }

  build() {
    this.hand.lighten()
    const [body] = this.cast('wheel')
    const drive = this.info.drives.find((drive) => drive.kind === 'roll')
    this.radius = given(drive.radius_m, 0.25)
    this.way = this.tap(`${drive.name}.x_m`)
    this.turning = this.turningOf(body, drive)
    this.pressed = this.pressedOf(body)
    this.makeRail()
    this.makeWheel()
    this.makeBrake()
    const r = this.radius
    this.shadow(0, 0, -r * 0.3, r * 4, r * 2.4)
    this.show({ azimuth: -66, elevation: 19, fill: 0.62 })
  }

  /** Turns of the wheel: of its own body, where the scene draws it by a lever; else of what rolls. */
  turningOf(body, drive) {
    if (!(body.drawn_lever_m > 0)) return { path: this.tap(`${drive.name}.turns`), perTurn: 1 }
    const path = this.tap(`${body.name}.${body.points[0].name}.tangential_x_m`)
    return { path, perTurn: 2 * Math.PI * body.drawn_lever_m }
  }

  /** How hard the shoe is pressed: the friction that the pressing control moves. */
  pressedOf() {
    const targets =
      this.roles.press?.targets.map((target) => target.path.replace(/^contacts\./, '').split('.')[0]) ?? []
    const contact = this.info.contacts.find((contact) => contact.kind === 'friction' && targets.includes(contact.name))
    return contact ? this.tap(`${contact.name}.pressed_n`) : null
  }

  /** As many whole rails as make a circle of about four wheels' width. */
  makeRail() {
    const joints = this.info.surfaces?.find((surface) => surface.kind === 'rails')
    const length = given(joints?.length_m, this.radius * 8)
    const count = Math.max(2, Math.round((2 * Math.PI * this.radius * 3.6) / length))
    this.round = Math.max((count * length) / (2 * Math.PI), this.radius * 3.2)
    const high = this.radius * 0.2
    this.rail = this.kit.ringRail(this.round, high, {
      sleepers: Math.round((this.round / this.radius) * 14),
      joints: count,
    })
    this.rail.position.y = this.round
    this.add(this.rail)
    this.unframed(this.rail)
  }

  makeWheel() {
    const { kit, radius: r } = this
    this.wheel = kit.wheel(r, r * 0.26)
    this.wheel.position.z = r
    this.solids.push(this.wheel)
    this.add(this.wheel)
    const axle = kit.rod(vec(0, -r * 0.26, r), vec(0, this.round, r), r * 0.055, 'iron')
    const post = kit.lathe(
      [
        [0, r * 1.35],
        [r * 0.1, r * 1.3],
        [r * 0.12, r * 0.7],
        [r * 0.12, -r * 0.1],
        [r * 0.4, -r * 0.2],
      ],
      'oak',
    )
    post.position.y = this.round
    this.add(axle, post)
    this.unframed(axle, post)
  }

  /** A shoe on the tread, on a lever that sits on the axle. */
  makeBrake() {
    const { kit, radius: r } = this
    const arc = []
    for (let i = 0; i <= 12; i++) arc.push(turned(r * 1.02, 0.5 * (i / 12 - 0.5)))
    for (let i = 12; i >= 0; i--) arc.push(turned(r * 1.24, 0.42 * (i / 12 - 0.5)))
    const shoe = kit.extrude(arc, r * 0.24, 'felt', { bevel: r * 0.012 })
    shoe.rotation.x = Math.PI / 2
    shoe.position.set(0, r * 0.12, 0)
    const lever = kit.tube(
      [vec(r * 1.2, 0, 0), vec(r * 1.5, r * 0.1, r * 0.3), vec(r * 1.25, r * 0.4, r * 1.0), vec(0, r * 0.55, r * 0.05)],
      r * 0.045,
      'iron',
    )
    this.brake = kit.group(shoe, lever)
    this.brake.rotation.y = -0.2
    this.brakeHome = vec(0, 0, r)
    this.add(this.brake)
    this.unframed(this.brake)
  }

  /** Clear of the tread by a tenth of the radius, or on it: the pressing force is the engine's. */
  move() {
    const turns = this.now(this.turning.path) / this.turning.perTurn
    this.wheel.rotation.y = 2 * Math.PI * (turns % 1)
    this.rail.rotation.z = -Math.PI / 2 - this.now(this.way) / this.round
    const force = this.pressed ? this.now(this.pressed) : 0
    const firm = force > 0 ? share(this.roles.press, force) : 0
    const clear = force > 0 ? -0.012 * firm : 0.12
    this.brake.position.copy(this.brakeHome).add(vec(clear * this.radius, 0, clear * this.radius * 0.2))
  }
}

const turned = (r, a) => [r * Math.cos(a), r * Math.sin(a)]
