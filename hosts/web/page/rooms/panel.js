// A plate and one thing that meets it. Where the thing falls by gravity it is a ball over a plate that lies on its
// supports; where it is thrown it is a fist before the upper panel of a door. Gap and place are the engine's.
import { bodyOf } from '../stage/roles.js'
import { ring } from '../stage/overlay.js'
import { vec } from './hero.js'
import { PanelledDoor } from './panelled_door.js'
import { StruckRoom } from './struck.js'
import { above } from './things.js'
import { Trail } from './trail.js'

const flat = ['plate', 'disc', 'membrane']

export class PanelRoom extends StruckRoom {
  static fits(info, roles) {
    const [contact, ...more] = info.contacts
    if (!contact || more.length || contact.kind !== 'impact' || info.drives?.length || !roles.triggers.length)
      return false
    return info.bodies.some(
      (body) => flat.includes(body.shape) && [contact.a, contact.b].some((end) => bodyOf(end) === body.name),
    )
  }

  get hint() {
    return this.falls
      ? 'Touch the plate: the ball is dropped there. The higher its slider, the further it falls.'
      : 'Knock on the panel: the faster the pointer, the harder.'
  }

  get falls() {
    return this.info.gravity_m_s2 > 0
  }

  build() {
    const body = this.info.bodies.find((one) => flat.includes(one.shape))
    const [contact] = this.info.contacts
    const other = [contact.a, contact.b].map(bodyOf).find((name) => name !== body.name)
    this.striker = this.info.bodies.find((one) => one.name === other)
    const thick = body.made?.thickness_m || 0.01
    this.piece = this.makePiece(body, { thickness: Math.max(thick, 0.008), share: 0.02 })
    const size = this.piece.made.box.getSize(vec(0, 0, 0))
    this.wide = size.x
    this.deep = size.y
    this.hold = this.kit.group(this.piece.mesh)
    this.add(this.hold)
    if (this.falls) this.layFlat(thick)
    else this.stand(thick)
  }

  /** The panel as the upper one of a door, its long side upright, a fist before it. */
  stand(thick) {
    const upright = this.wide > this.deep
    const [wide, high] = upright ? [this.deep, this.wide] : [this.wide, this.deep]
    const door = new PanelledDoor(this.kit, wide, high)
    this.hold.rotation.set(Math.PI / 2, 0, upright ? Math.PI / 2 : 0)
    this.hold.position.z = door.panelAt
    this.add(door.group)
    this.seeThrough(this.piece.mesh, ...door.panels)
    this.tool = this.kit.hand('fist')
    this.tool.scale.setScalar(1.7)
    this.tool.rotation.set(0.3, 0, -0.45) // the elbow lower than the knuckles, and aside
    this.add(this.tool)
    this.front = -Math.max(thick, 0.008) / 2
    this.shadow(0, -0.05, 0, wide * 2.4, high * 1.1)
    this.show({ azimuth: -47, elevation: 9, fill: 0.69 })
  }

  /** The plate on four feet, a ball over it. */
  layFlat(thick) {
    const { kit, wide, deep } = this
    const leg = deep * 0.5
    this.hold.position.z = leg
    for (const x of [-0.42, 0.42])
      for (const y of [-0.4, 0.4])
        this.add(
          kit.rod(
            vec(x * wide, y * deep, leg),
            vec(x * wide * 1.06, y * deep * 1.08, 0),
            deep * 0.03,
            'oak',
            deep * 0.022,
          ),
        )
    const mass = this.striker.modes[0]?.mass_kg ?? 0.01
    this.massPath = this.tap(`${this.striker.name}.modes.0.mass_kg`)
    this.mass = mass
    this.radius = Math.max(0.02, Math.min(0.05, Math.cbrt((3 * mass) / (4 * Math.PI * 1100))))
    this.tool = kit.ball(this.radius, 'accent')
    this.add(this.tool)
    this.front = Math.max(thick, 0.008) / 2
    this.shadow(0, 0, 0, wide * 1.5, deep * 1.7)
    this.unframed(this.tool)
    this.trail = new Trail(this, this.radius * 0.45, (frame) => this.placeAt(frame))
    this.add(...this.trail.beads)
    this.show({ azimuth: -64, elevation: 11, fill: 0.56, rise: 0.2 })
  }

  /** Where the ball is when this frame is heard. */
  placeAt(frame) {
    const gap = this.heard ? Math.max(0, -this.engine.at(this.piece.gap, frame)) : 0
    return this.spot.clone().add(vec(0, 0, this.front + this.radius * this.grown + above(gap, this.deep * 0.9)))
  }

  move(now, seconds, pen) {
    this.updatePieces(seconds)
    this.piece.mesh.scale.setScalar(this.piece.made.grown ** 0.2)
    this.piece.mesh.updateWorldMatrix(true, false)
    const spot = this.world.worldToLocal(this.piece.mesh.localToWorld(this.spotOf(this.piece)))
    if (this.falls) {
      const live = this.engine.get(this.massPath)
      const grown = Number.isFinite(live) && live > 0 ? Math.min(2, Math.max(0.6, Math.cbrt(live / this.mass))) : 1
      this.tool.scale.setScalar(grown)
      this.grown = grown
      this.spot = spot
      this.tool.position.copy(this.placeAt(this.engine.heard()))
      this.trail.draw()
    } else this.tool.position.set(spot.x, spot.y + this.front - this.gapOf(this.piece, this.deep * 0.3), spot.z)
    for (const event of this.events.fresh(0.5))
      ring(pen, this.stage.project(spot), this.events.age(event), event.peak / 10, this.stage.colors.css.accent)
  }
}
