// A room for any scene. Bodies with a shape are drawn as they are, bodies of bare modes as reeds, movers as balls or
// blocks over what they touch, walls as walls; a click on a body means the trigger that throws it or strikes it, and where
// it is touched means the place, if the scene has a control for it. Where nothing can be thrown, the stage is the pad.
import * as THREE from '../three/three.module.js'
import { stringShape } from '../stage/vibrating_string.js'
import { penHint } from '../stage/hand.js'
import { aimedPoint, bodyOf, setPlace, steps, triggerFor } from '../stage/roles.js'
import { calm } from '../ui/dom.js'
import { words } from '../ui/scale.js'
import { drawContacts, drawNames } from './generic_marks.js'
import { makeThing } from './generic_parts.js'
import { layOut } from './layout.js'
import { Room } from './room.js'
import { above, reedShape } from './things.js'

export class GenericRoom extends Room {
  static fits() {
    return true
  }

  get hint() {
    const { triggers, rubs, across, down } = this.roles
    if (this.info.pen) return penHint
    const axes = [across, down].filter(Boolean).map((control) => words(control.name))
    if (triggers.length && rubs)
      return `Touch it to strike it. Press beside it and pull, to rub it: across is ${axes.join(', down is ')}.`
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
    for (const thing of this.things) makeThing(this, thing)
    this.frameAll()
  }

  /** The engine's shape of a body, or a string's own; null for what has none. */
  shapeOf(body) {
    if (body.kind !== 'string') return body.shape ? this.engine.shape(body.name) : null
    return stringShape(this.engine.get(`${body.name}.string.length_m`) || 0.65)
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
    drawContacts(this, pen)
    drawNames(this, pen)
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

  /** Where an end of a contact ('bar.hit') is on the overlay. */
  endOf(end) {
    const thing = this.things.find((thing) => thing.body.name === bodyOf(end))
    if (!thing) return null
    if (thing.kind !== 'shape') return this.stage.project(thing.group.position)
    return this.stage.project(this.worldOf(thing, end))
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
    const trigger = picked && !this.leads(picked.thing.body.name) && triggerFor(this.roles, picked.thing.body.name)
    const came = picked?.thing !== this.hot
    this.hot = trigger ? picked.thing : null
    this.stage.section.style.cursor = trigger ? 'pointer' : ''
    if (pointer.kind === 'down' && !trigger) return super.pointer(pointer)
    if (trigger && (pointer.kind === 'down' || (pointer.kind === 'move' && came))) this.strike(picked, trigger, pointer)
  }

  /** What is pushed is taken in the hand. */
  leads(body) {
    return this.roles.rubs && this.roles.push.targets.some(({ path }) => steps(path)[0] === body)
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
