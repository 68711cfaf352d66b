// The bar: click it anywhere and it is struck there. Behind it its modes are seen faintly while they sound (ribbons.js): on
// this stage the place of the blow is what is played, and they show what it does.
import * as THREE from '../three/three.module.js'
import { VibratingBody } from '../stage/vibrating.js'
import { lookOf, shadowSpot } from '../stage/looks.js'
import { dot, label, ring } from '../stage/overlay.js'
import { bodyOf, setPlace, touchedPoint } from '../stage/roles.js'
import { digits } from '../ui/scale.js'
import { frameHero } from './framing.js'
import { Ribbons } from './ribbons.js'
import { Room } from './room.js'
import { above, solid } from './things.js'

const long = ['bar', 'tube', 'string']
const wide = 2.4 /* the bar's length in the picture */

export class HammerRoom extends Room {
  static fits(info, roles) {
    const shaped = info.bodies.filter((body) => body.shape)
    return (
      shaped.length === 1 &&
      long.includes(shaped[0].shape) &&
      info.contacts.length === 1 &&
      info.contacts[0].kind === 'impact' &&
      roles.triggers.length === 1
    )
  }

  get hint() {
    return 'Strike the bar anywhere. Each ribbon behind it is one of its modes; where a mode stands still, it cannot be struck.'
  }

  get paths() {
    return [...super.paths, `${this.contact.name}.compression_m`, `${this.point}.place_u`]
  }

  constructor(lab) {
    super(lab)
    this.body = this.info.bodies.find((body) => body.shape)
    this.contact = this.info.contacts[0]
    this.point = touchedPoint(this.roles, this.body.name)
    this.striker = this.info.bodies.find(
      (body) => body !== this.body && [bodyOf(this.contact.a), bodyOf(this.contact.b)].includes(body.name),
    )
    this.aim = null
    this.manyFingers = true
  }

  build() {
    const shape = this.engine.shape(this.body.name)
    const length = extent(shape.vertices, 0)
    this.unit = wide / length
    /* what strikes from below comes from above in the picture, so positive x is drawn downwards */
    this.flip = this.contact.from === 'above' ? 1 : -1
    this.bar = new VibratingBody(this.engine, this.body, shape, this.look(this.body), this.stage.colors, {
      flip: this.flip,
    })
    this.bar.magnifier.share = 0.05
    this.bodies = [this.bar]
    this.bar.mesh.scale.setScalar(this.unit)
    this.group.add(this.bar.mesh, this.makeShadow())
    this.makeRests()
    this.ribbons = new Ribbons(this, this.bar, shape, { wide, flip: this.flip })
    this.group.add(this.ribbons.group)
    this.makeHammer()
    frameHero(this, { azimuth: -50, elevation: 29, fill: 0.58, rise: 0.1 })
  }

  makeShadow() {
    const spot = shadowSpot(1, this.stage.colors)
    spot.scale.set(wide * 0.62, 0.34, 1)
    spot.position.z = -0.16
    return spot
  }

  /** Two felt-covered rests, for the eye: the engine's bar is free. */
  makeRests() {
    const look = { ...lookOf('rubber', this.stage.colors.theme) }
    for (const x of [-0.5 + 0.224, 0.5 - 0.224]) {
      const rest = solid(new THREE.CylinderGeometry(0.035, 0.05, 0.32, 20), look, this.stage.colors)
      rest.position.set(x * wide, 0, this.bar.box.min.z * this.unit - 0.05)
      this.group.add(rest)
    }
  }

  makeHammer() {
    this.hammer = new THREE.Group()
    const colors = this.stage.colors
    const head = solid(
      new THREE.SphereGeometry(0.062, 28, 20),
      { ...lookOf('plastic', colors.theme), color: colors.accent.clone(), shine: 0.6 },
      colors,
    )
    const stick = solid(new THREE.CylinderGeometry(0.012, 0.016, 1.1, 12), lookOf('wood', colors.theme), colors)
    stick.position.set(0.22, -0.5, 0.1)
    stick.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(-0.4, 0.9, -0.18).normalize())
    this.hammer.add(head, stick)
    this.hammer.userData.unframed = true
    this.group.add(this.hammer)
  }

  /** Where the bar's middle is on the stage. */
  get centre() {
    return this.stage.project(this.bar.mesh.localToWorld(this.bar.at(0.5, 0.5).place))
  }

  get place() {
    return this.engine.at(`${this.point}.place_u`, this.engine.heard())
  }

  move(now, seconds, pen) {
    this.bar.repaint(this.look(this.body), this.stage.colors)
    this.bar.update(seconds)
    const { grown } = this.bar
    this.bar.mesh.scale.set(this.unit * grown ** 0.25, this.unit * grown ** 0.4, this.unit * grown ** 0.4)
    this.moveHammer()
    this.ribbons.update(seconds, this.aim !== null)
    this.drawMarks(pen)
  }

  /** The gap is the engine's; far away it is drawn nearer, so that the hammer waits in the picture. */
  moveHammer() {
    const gap = Math.max(0, -this.engine.at(`${this.contact.name}.compression_m`, this.engine.heard()))
    const { place } = this.bar.at(this.place, 0.5)
    const top = place.z * this.unit
    const mass = this.striker?.modes[0]?.mass_kg ?? 0.03
    const live = this.striker ? this.engine.get(`${this.striker.name}.modes.0.mass_kg`) || mass : mass
    const size = Math.min(2, Math.max(0.45, Math.cbrt(live / 0.03)))
    this.hammer.children[0].scale.setScalar(size)
    this.hammer.position.set(
      place.x * this.unit,
      place.y * this.unit,
      top + 0.062 * size + above(gap * this.unit, 0.34),
    )
  }

  drawMarks(pen) {
    const colors = this.stage.colors.css
    const spot = (u) => {
      const { place } = this.bar.at(u, 0.5)
      return this.stage.project(place.multiplyScalar(this.unit))
    }
    for (const event of this.events.fresh(0.5))
      ring(pen, spot((event.u ??= this.place)), this.events.age(event), event.peak, colors.accent)
    if (this.aim) this.drawAim(pen, spot(this.aim.u), colors)
  }

  drawAim(pen, at, colors) {
    dot(pen, at, 5, colors.accent, { hollow: true })
    const unit = this.roles.places.get(this.point)?.u?.control.unit ?? ''
    label(pen, `${digits(this.aim.u, 2)} ${unit}`, at.x, at.y + 22, {
      color: colors.text,
      align: 'center',
      size: 12,
      back: colors.panel,
    })
    this.ribbons.drawAim(pen, this.aim.u)
  }

  /** Where the pointer is along the bar: on it, or beside it at the same length. */
  aimAt(pointer) {
    const hit = this.bar.hit(this.stage.rayAt(pointer.x, pointer.y))
    if (hit) return hit
    const plane = this.stage.onPlane(pointer.x, pointer.y, 0)
    const half = (extent(this.bar.rest, 0) * this.bar.mesh.scale.x) / 2
    return plane && Math.abs(plane.y) < 0.3 && Math.abs(plane.x) < half * 1.04
      ? { u: Math.min(1, Math.max(0, 0.5 + plane.x / half / 2)), v: 0.5 }
      : null
  }

  pointer(pointer) {
    if (this.hand.pad) return super.pointer(pointer)
    this.aim = pointer.kind === 'up' && pointer.type === 'touch' ? null : this.aimAt(pointer)
    this.stage.section.style.cursor = this.aim ? 'pointer' : ''
    if (pointer.kind !== 'down') return
    if (!this.aim) return super.pointer(pointer)
    setPlace(this.lab, this.point, { u: this.aim.u })
    this.hand.fire(this.roles.triggers[0], pointer.pen, pointer.pace)
  }

  leave() {
    this.stage.section.style.cursor = ''
    super.leave()
  }
}

function extent(vertices, axis) {
  let least = Infinity
  let most = -Infinity
  for (let i = axis; i < vertices.length; i += 3) {
    least = Math.min(least, vertices[i])
    most = Math.max(most, vertices[i])
  }
  return most - least
}
