// A room for any scene. Bodies with a shape are drawn as they are, bodies of bare modes as reeds, movers as balls or
// blocks over what they touch, walls as walls; a click on a body means the trigger that throws it or strikes it, and where
// it is touched means the place, if the scene has a control for it. Where nothing can be thrown, the stage is the pad.
import * as THREE from '../three/three.module.js'
import { VibratingBody } from '../stage/vibrating.js'
import { VibratingString, stringShape } from '../stage/vibrating_string.js'
import { shadowSpot } from '../stage/looks.js'
import { penHint } from '../stage/hand.js'
import { arrow, dot, label, ring } from '../stage/overlay.js'
import { aimedPoint, bodyOf, setPlace, triggerFor } from '../stage/roles.js'
import { calm } from '../ui/dom.js'
import { words } from '../ui/scale.js'
import { layOut } from './layout.js'
import { above, makeBelt as belt, reedShape, solid } from './things.js'
import { Room } from './room.js'

/** The first line at or below y where nothing is written so near to x. */
function free(taken, x, y, reach) {
  while (taken.some((other) => Math.abs(other.y - y) < 13 && Math.abs(other.x - x) < other.reach + reach)) y += 14
  taken.push({ x, y, reach })
  return y
}

export class GenericRoom extends Room {
  static fits() {
    return true
  }

  get hint() {
    const { triggers, rubs, across, down } = this.roles
    if (this.info.pen) return penHint
    const axes = [across, down].filter(Boolean).map((control) => words(control.name))
    if (triggers.length)
      return `Touch a body to play it${axes.length ? `; drag beside it: across is ${axes.join(', down is ')}` : ''}.`
    if (rubs) return `Press and pull: across is ${axes.join(', down is ')}. Let go to lift.`
    return axes.length ? `Drag: across is ${axes.join(', down is ')}.` : 'Play the demo to hear this scene.'
  }

  get paths() {
    const motion = this.things
      .filter((thing) => thing.kind === 'mover')
      .flatMap((thing) => [`${thing.point}.x_m`, `${thing.point}.tangential_x_m`])
    const drives = (this.info.drives ?? []).flatMap((drive) => [`${drive.name}.x_m`, `${drive.name}.turns`])
    const contacts = this.info.contacts.flatMap((contact) => [
      `${contact.name}.force_n`,
      ...(contact.kind === 'impact' ? [`${contact.name}.compression_m`] : []),
    ])
    return [...new Set([...contacts, ...drives, ...motion, ...this.places, ...super.paths])]
  }

  /** Where bodies are touched, which may travel. */
  get places() {
    const shaped = (end) => this.things.some((thing) => thing.kind === 'shape' && thing.body.name === bodyOf(end))
    return this.info.contacts
      .flatMap((contact) => [contact.a, contact.b])
      .filter(shaped)
      .flatMap((end) => [`${end}.place_u`, `${end}.place_v`])
  }

  build() {
    this.manyFingers = !this.roles.push && this.roles.triggers.length > 0
    this.things = layOut(this.info, this.roles, (body) => this.shapeOf(body), reedShape)
    for (const thing of this.things) this.makeThing(thing)
    this.frameAll()
  }

  /** The engine's shape of a body, or a string's own; null for what has none. */
  shapeOf(body) {
    if (body.kind !== 'string') return body.shape ? this.engine.shape(body.name) : null
    return stringShape(this.engine.get(`${body.name}.string.length_m`) || 0.65)
  }

  makeThing(thing) {
    thing.group = new THREE.Group()
    thing.group.position.copy(thing.place)
    if (thing.kind === 'shape' || thing.kind === 'reeds') this.makeVibrating(thing)
    else thing.mesh = this.makeSolid(thing)
    thing.solids = thing.vibrating?.solids ?? [thing.mesh, thing.block].filter(Boolean)
    for (const solid of thing.solids) solid.userData.thing = thing
    thing.group.add(thing.mesh)
    if ((thing.slides && !thing.travels) || (thing.drive && !thing.drive.travels)) this.group.add(this.makeBelt(thing))
    if (thing.drive?.kind === 'roll') thing.mesh.add(this.makeStripe(thing))
    if (thing.hangs) thing.group.add(this.makeStrings(thing))
    this.group.add(thing.group)
  }

  makeVibrating(thing) {
    const thickness = thing.kind === 'shape' && thing.flat ? thing.size * 0.02 : 0
    const Kind = thing.shape.kind === 'string' && thing.body.kind === 'string' ? VibratingString : VibratingBody
    const extras = { thickness, flip: thing.flip }
    thing.vibrating = new Kind(this.engine, thing.body, thing.shape, this.look(thing.body), this.stage.colors, extras)
    if (Kind === VibratingBody) thing.vibrating.magnifier.share = thing.kind === 'reeds' ? 0.16 : 0.05
    thing.mesh = thing.vibrating.mesh
    thing.mesh.scale.setScalar(thing.scale)
    thing.mesh.rotation.set(...thing.turn)
    this.bodies.push(thing.vibrating)
    const spot = shadowSpot(1, this.stage.colors)
    spot.scale.set(Math.max(0.25, thing.wide * 0.68), Math.max(0.2, thing.deep * 0.8), 1)
    spot.position.z = thing.low - 0.04
    thing.group.add(spot)
    if (thing.kind === 'reeds') thing.group.add(this.makeBlock(thing))
  }

  makeBlock(thing) {
    const block = solid(
      new THREE.BoxGeometry(thing.wide + 0.06, 0.14, 0.09),
      { ...this.look(thing.body), color: this.stage.colors.muted.clone().multiplyScalar(0.6), shine: 0.2 },
      this.stage.colors,
    )
    block.position.z = -0.045
    thing.group.add(block)
    thing.block = block
    return block
  }

  makeSolid(thing) {
    const colors = this.stage.colors
    const r = thing.radius
    const look = {
      ...this.look(thing.body),
      color:
        thing.kind === 'wall'
          ? colors.muted.clone().multiplyScalar(0.55)
          : thing.ball
            ? this.look(thing.body).color
            : colors.accent.clone(),
      shine: 0.6,
    }
    const geometry =
      thing.kind === 'wall'
        ? new THREE.BoxGeometry(0.9, 0.5, 0.06)
        : thing.slides
          ? new THREE.BoxGeometry(r * 2.4, r * 1.6, r * 1.2)
          : new THREE.SphereGeometry(r, 28, 20)
    return solid(geometry, look, colors)
  }

  /** What swings slowly hangs: two threads, for the eye. */
  makeStrings(thing) {
    const points = [-1, 1].flatMap((side) => [
      new THREE.Vector3(0, 0, thing.radius),
      new THREE.Vector3(0, side * 0.3, 0.95),
    ])
    return new THREE.LineSegments(
      new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineBasicMaterial({ color: this.stage.colors.muted, transparent: true, opacity: 0.6 }),
    )
  }

  /** A band round a ball, so that it is seen to turn. */
  makeStripe(thing) {
    const stripe = new THREE.TorusGeometry(thing.radius, thing.radius * 0.09, 8, 40).rotateY(Math.PI / 2)
    return solid(stripe, { ...this.look(thing.body), color: this.stage.colors.cool.clone() }, this.stage.colors)
  }

  makeBelt(thing) {
    thing.belt = belt(thing.run, this.stage.colors)
    thing.belt.position.copy(thing.place).add(new THREE.Vector3(0, 0.12, -thing.radius * 0.6 - 0.035))
    return thing.belt
  }

  frameAll() {
    const box = new THREE.Box3()
    for (const thing of this.things) box.expandByObject(thing.group)
    const size = box.getSize(new THREE.Vector3())
    const centre = box.getCenter(new THREE.Vector3()).add(new THREE.Vector3(0, 0, 0.04))
    const high = (size.z + size.y * 0.5) / 2 + 0.22
    this.stage.look(centre, {
      wide: (size.x / 2) * 1.12 + 0.1,
      high: Math.max(high, 0.45),
      azimuth: -90 + (this.things.length > 2 ? 0 : 12),
      elevation: 26,
    })
  }

  move(now, seconds, pen) {
    for (const thing of this.things) {
      if (thing.vibrating) this.moveVibrating(thing, seconds)
      else if (thing.kind === 'mover') this.moveMover(thing)
    }
    this.drawContacts(pen)
    this.drawNames(pen)
  }

  moveVibrating(thing, seconds) {
    thing.vibrating.repaint(this.look(thing.body), this.stage.colors)
    thing.vibrating.update(seconds)
    thing.mesh.scale.setScalar(thing.scale * thing.vibrating.grown ** 0.33)
    if (thing.spins) thing.mesh.rotation.z = -2 * Math.PI * (this.engine.get(`${thing.spins}.place_u`) + 0.25)
  }

  moveMover(thing) {
    const heard = this.engine.heard()
    const at = thing.home.clone()
    if (thing.rests) this.onCarrier(thing, at)
    if (thing.row) at.x += Math.tanh((this.engine.at(`${thing.point}.x_m`, heard) * 2.5) / 1.2) * 1.2
    else if (thing.slides) thing.belt?.userData.run(calm() ? 0 : this.engine.at(`${thing.point}.tangential_x_m`, heard))
    else if (thing.contact)
      at.z += above(
        Math.max(0, -this.engine.at(`${thing.contact.name}.compression_m`, heard)) * thing.metre,
        thing.roof,
      )
    if (thing.drive) this.drive(thing, heard)
    thing.group.position.copy(at)
  }

  /** What runs over a surface turns, and the way runs past under it. */
  drive({ drive, belt, mesh }, heard) {
    belt?.userData.run(calm() ? 0 : this.engine.at(`${drive.name}.x_m`, heard))
    if (drive.kind === 'roll' && !calm())
      mesh.rotation.y = 2 * Math.PI * (this.engine.at(`${drive.name}.turns`, heard) % 1)
  }

  /** A mover is over the place it touches, and goes with it. */
  onCarrier(thing, at) {
    const carrier = thing.rests
    if (!carrier.vibrating || carrier.kind !== 'shape') return
    const { x, y } = this.worldOf(carrier, `${carrier.body.name}.${thing.restsAt}`)
    at.x = x
    at.y = y
  }

  /** A point of a body with a shape, where it is now. */
  worldOf(thing, point) {
    const u = this.engine.get(`${point}.place_u`)
    const v = this.engine.get(`${point}.place_v`)
    return thing.mesh.localToWorld(thing.vibrating.at(u, Number.isFinite(v) ? v : 0.5).place)
  }

  drawContacts(pen) {
    const colors = this.stage.colors.css
    for (const event of this.events.fresh(0.5)) {
      const at = this.endOf(event.b) ?? this.endOf(event.a)
      if (at) ring(pen, at, this.events.age(event), event.peak, colors.accent)
    }
    for (const source of this.info.sources ?? []) {
      const at = this.endOf(source.at)
      if (at) dot(pen, at, this.hand.down ? 7 : 5, colors.accent, { hollow: !this.hand.down })
    }
    for (const contact of this.info.contacts.filter((contact) => contact.kind === 'friction')) {
      const force = this.engine.at(`${contact.name}.force_n`, this.engine.heard())
      const at = this.endOf(contact.a) ?? this.endOf(contact.b)
      if (at && Math.abs(force) > 1e-6)
        arrow(pen, at.x, at.y, at.x - Math.sign(force) * 26 * Math.log10(1 + 10 * Math.abs(force)), at.y, colors.hot, 2)
    }
  }

  /** Where an end of a contact ('bar.hit') is on the overlay. */
  endOf(end) {
    const thing = this.things.find((thing) => thing.body.name === bodyOf(end))
    if (!thing) return null
    if (thing.kind !== 'shape') return this.stage.project(thing.group.position)
    return this.stage.project(this.worldOf(thing, end))
  }

  drawNames(pen) {
    const colors = this.stage.colors.css
    const many = this.things.length * 64 > this.stage.width
    const taken = []
    for (const thing of this.things) {
      if (thing !== this.hot && (many || (thing.kind === 'mover' && thing.contact && this.things.length > 4))) continue
      const at = this.stage.project(
        thing.group.position.clone().add(new THREE.Vector3(0, -thing.deep / 2, thing.low - 0.1)),
      )
      const name = words(thing.body.name)
      label(pen, name, at.x, free(taken, at.x, at.y + 4, 4 * name.length), {
        color: thing === this.hot ? colors.text : colors.muted,
        align: 'center',
        size: 12,
      })
    }
    for (const pickup of this.info.pickups) {
      const at = this.endOf(pickup.at)
      if (at && !many) dot(pen, at, 4, colors.cool, { hollow: true })
    }
    if (this.hot?.aim) dot(pen, this.stage.project(this.hot.aim), 5, colors.accent, { hollow: true })
  }

  // ---- playing ----

  /** What is under the pointer: the thing, and where on it. */
  pick(pointer) {
    const meshes = this.things.flatMap((thing) => thing.solids)
    const [found] = this.stage.rayAt(pointer.x, pointer.y).intersectObjects(meshes, false)
    const thing = found?.object.userData.thing
    if (!thing) return null
    const place = thing.kind === 'shape' ? thing.vibrating.hit(this.stage.ray) : null
    thing.aim = place?.point ?? null
    return { thing, place }
  }

  pointer(pointer) {
    if (this.hand.pad) return super.pointer(pointer)
    const picked = this.pick(pointer)
    const trigger = picked && triggerFor(this.roles, picked.thing.body.name)
    const came = picked?.thing !== this.hot
    this.hot = trigger ? picked.thing : null
    this.stage.section.style.cursor = trigger ? 'pointer' : ''
    if (pointer.kind === 'down' && !trigger) return super.pointer(pointer)
    if (trigger && (pointer.kind === 'down' || (pointer.kind === 'move' && came))) this.strike(picked, trigger, pointer)
  }

  strike({ thing, place }, trigger, pointer) {
    const point = aimedPoint(this.roles, trigger, thing.body.name)
    if (place && point) setPlace(this.lab, point, place)
    this.hand.fire(trigger, pointer.pen, pointer.pace)
  }

  leave() {
    this.stage.section.style.cursor = ''
    super.leave()
  }
}
