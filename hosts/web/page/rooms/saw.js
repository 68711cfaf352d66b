// The musical saw: a blade held by its handle and bent, with a bow at its edge. How far it is bent is the pitch the engine
// has now; where the bow is, the engine's place. The blade's own swing is drawn large.
import * as THREE from '../three/three.module.js'
import { VibratingBody } from '../stage/vibrating.js'
import { bodyOf } from '../stage/roles.js'
import { Bowing } from './bowing.js'
import { HeroRoom, vec } from './hero.js'
import { aimHand } from './kit.js'

const teeth = 24
const perTooth = 4 /* rows of the blade: three along the slope, one down */
const deep = 0.22 /* of the blade's width: how deep the teeth are cut, drawn coarser than a saw for music has them */

/** A bar held at its ends, rubbed by a hand. */
function findBlade(info) {
  const ends = info.contacts
    .filter((contact) => contact.kind === 'friction')
    .flatMap((contact) => [contact.a, contact.b])
  const body = info.bodies.find((body) => body.shape === 'bar' && ends.some((end) => bodyOf(end) === body.name))
  return body ? { body, end: ends.find((end) => bodyOf(end) === body.name) } : null
}

export class SawRoom extends HeroRoom {
  static fits(info) {
    return findBlade(info) !== null
  }

  get hint() {
    return 'Press on the blade: across draws the bow, down presses. Where you press is where it is bowed.'
  }

  build() {
    const { body, end } = findBlade(this.info)
    this.end = end
    this.tap(`${end}.place_u`)
    const shape = this.engine.shape(body.name)
    this.blade = new VibratingBody(this.engine, body, shape, this.look(body), this.stage.colors)
    this.blade.magnifier.share = 0.03
    this.bodies = [this.blade]
    const { min, max } = this.blade.box
    this.length = max.x - min.x
    this.wide = max.y - min.y
    this.makeSteel(min)
    this.makeHandle()
    const bow = 0.7
    this.bowing = new Bowing(this, [end], bow)
    /* the hair faces the blade's smooth edge, the stick lies across it; the hand is behind, clear of the saw's handle */
    this.bowing.bow.applyMatrix4(new THREE.Matrix4().makeBasis(vec(0, -1, 0), vec(0, 0, -1), vec(1, 0, 0)))
    aimHand(this.bowing.holding, vec(0.9, -0.3, -0.3), vec(0.2, -1, 0.3))
    this.rest = this.kit.group(this.bowing.bow)
    this.add(this.rest)
    this.unframed(this.rest)
    this.solids.push(this.steel)
    const L = this.length
    this.shadow(0, 0.05, -L * 0.34, L * 1.5, L * 0.8)
    this.show({ azimuth: -58, elevation: 14, fill: 0.68 })
  }

  /** The blade stands: along is up, narrower towards the top; one edge has teeth. */
  makeSteel() {
    const { length: L, wide } = this
    const rows = teeth * perTooth
    const positions = []
    const index = []
    this.columns = [-0.5, 0.5]
    for (let k = 0; k <= rows; k++)
      for (const side of this.columns) {
        positions.push(0, 0, 0)
        if (k < rows && side < 0) index.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2)
      }
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3))
    geometry.setIndex(index)
    this.rows = rows
    this.steel = this.kit.solid(geometry, 'steel')
    this.steel.frustumCulled = false
    this.broad = (u) => wide * (1.55 - 0.85 * u)
    this.add(this.steel)
    this.bend()
    this.length = L
  }

  makeHandle() {
    const w = this.wide
    const outline = [
      [-0.95, 0.25],
      [0.85, 0.3],
      [1.0, -0.2],
      [0.55, -1.35],
      [0.75, -1.75],
      [0.1, -1.95],
      [-0.6, -1.5],
      [-1.0, -0.6],
    ].map(([x, z]) => [x * w, z * w])
    const hole = [
      [-0.4, -0.5],
      [0.4, -0.45],
      [0.15, -1.15],
      [-0.3, -1.15],
    ].map(([x, z]) => [x * w, z * w])
    const handle = this.kit.extrude(outline, w * 0.26, 'wood', { smooth: true, bevel: w * 0.06, holes: [hole] })
    handle.rotation.x = Math.PI / 2
    handle.position.y = w * 0.13
    this.add(handle)
  }

  /** Bent like an S, more for higher: the engine's size is how much longer or shorter it sounds. */
  bend() {
    const { position, moved } = this.steel.geometry.attributes
    const L = this.length
    const bow = 0.16 / Math.sqrt(this.blade.grown || 1)
    for (let k = 0; k <= this.rows; k++) {
      const u = k / this.rows
      const out = this.blade.solid ? this.swing(u) : 0
      this.columns.forEach((side, s) => {
        const cut = side < 0 ? deep * this.wide * (1 - (k % perTooth) / (perTooth - 1)) : 0
        position.setXYZ(2 * k + s, side * this.broad(u) + cut + L * bow * lean(u), out, u * L * 1.25)
        moved.setX(2 * k + s, Math.max(-1, Math.min(1, out / (L * 0.02))))
      })
    }
    position.needsUpdate = moved.needsUpdate = true
    this.steel.geometry.computeVertexNormals()
  }

  /** How far the engine's blade is out at u, magnified. */
  swing(u) {
    const { displacements, now, gain, places } = this.blade
    let best = 0
    let nearest = 2
    for (let i = 0; i < places.length / 2; i++) {
      const far = Math.abs(places[2 * i] - u) + 0.01 * Math.abs(places[2 * i + 1] - 0.5)
      if (far < nearest) [nearest, best] = [far, i]
    }
    return displacements.reduce((sum, shape, m) => sum + shape[3 * best + 2] * (now[m] ?? 0), 0) * gain
  }

  move(now, seconds) {
    this.blade.update(seconds)
    this.bend()
    const { at, lift } = this.bowing.step(seconds)
    const u = this.engine.get(`${this.end}.place_u`)
    const L = this.length
    const bow = 0.16 / Math.sqrt(this.blade.grown || 1)
    const side = L * bow * lean(u) + this.broad(u) * 0.5
    this.rest.position.set(side + 0.004 + L * 0.1 * lift, 0, u * L * 1.25)
    this.bowing.bow.position.set(0, -at, 0)
  }

  /** The other hand bends the blade: up is higher, an octave for the reach of the pad; let go, it springs back. */
  otherFinger({ kind, id, y }) {
    const { pitch } = this.roles
    if (!pitch || (this.bending && this.bending.id !== id)) return false
    if (kind === 'down') this.bending = { id, y, from: this.engine.get(pitch.control.name) }
    const up = kind === 'up' ? 0 : (this.bending.y - y) / (0.45 * this.stage.height)
    this.hand.play(this.bending.from, 12 * up)
    if (kind === 'up') this.bending = null
    return true
  }

  pointer(pointer) {
    if (pointer.kind === 'down') {
      const found = this.pick(pointer)
      const mover = this.roles.places.get(this.end)?.u
      if (found && mover) {
        const { z } = this.world.worldToLocal(found.point.clone())
        this.lab.set(
          mover.control.name,
          Math.min(mover.control.max, Math.max(mover.control.min, z / (this.length * 1.25))),
        )
      }
    }
    super.pointer(pointer)
  }
}

const lean = (u) => Math.sin(Math.PI * (u * 1.5 - 0.25)) * 0.5 + u * 0.9
