// A string as the eye has it: a blur. The engine tells how its points move; the widest a bowed or plucked string gets is,
// after Helmholtz, a parabola from end to end, so the blur is the parabola through what the points do. Same interface as
// VibratingBody.
import * as THREE from '../three/three.module.js'
import { Magnifier } from './vibrating.js'

const steps = 48
const looked = 1024 /* samples: one period of anything above 47 Hz */
const nearEnd = 0.06 /* a point nearer to an end than this says little about the middle */

/** The shape of a string lying along x, for laying it out. */
export function stringShape(length) {
  const vertices = Float32Array.from([-length / 2, 0, 0, length / 2, 0, 0])
  return { kind: 'string', vertices, at: (u) => [(u - 0.5) * length, 0, 0, 0, 0, 1], modes: [], length }
}

export class VibratingString {
  constructor(engine, body, shape, look, colors) {
    this.engine = engine
    this.body = body
    this.shape = shape
    this.size = shape.length
    this.magnifier = new Magnifier(0.045)
    this.grown = 1
    this.gain = 0
    this.still = true
    this.stop = `${body.name}.string.stop`
    this.points = body.points.map((point) => ({ point, path: `${body.name}.${point.name}` }))
    this.build(look, colors)
  }

  get paths() {
    return [this.stop, ...this.points.flatMap(({ path }) => [`${path}.tangential_x_m`, `${path}.x_m`])]
  }

  build(look, colors) {
    const length = this.size
    this.mesh = new THREE.Group()
    this.target = new THREE.Mesh(
      new THREE.BoxGeometry(length, length * 0.08, length * 0.05),
      new THREE.MeshBasicMaterial({ visible: false }),
    )
    const material = (opacity) =>
      new THREE.MeshBasicMaterial({
        color: look.color,
        transparent: true,
        opacity,
        side: THREE.DoubleSide,
        depthWrite: false,
      })
    this.blur = new THREE.Mesh(new THREE.PlaneGeometry(length, 1, steps, 1).rotateX(Math.PI / 2), material(0.4))
    this.core = new THREE.Mesh(new THREE.BoxGeometry(length, length * 0.006, length * 0.006), material(1))
    const peg = () =>
      new THREE.Mesh(
        new THREE.SphereGeometry(length * 0.016, 16, 12),
        new THREE.MeshBasicMaterial({ color: colors.muted }),
      )
    this.ends = [peg(), peg(), peg()]
    this.ends[0].position.x = -length / 2
    this.ends[1].position.x = length / 2
    this.mesh.add(this.target, this.blur, this.core, ...this.ends)
    this.blur.frustumCulled = false
    this.bend()
  }

  repaint(look) {
    for (const part of [this.blur, this.core]) part.material.color.copy(look.color)
  }

  update(seconds) {
    const moved = this.amplitude()
    this.gain = this.magnifier.gain(moved, this.size, seconds)
    this.swing = moved * this.gain
    this.still = this.swing < this.size * 1e-4
    this.bend()
    return this.gain
  }

  /** Half the way between the extremes of the last samples, of the parabola's middle. */
  amplitude() {
    const end = this.engine.heard()
    let most = 0
    for (const { path } of this.points) {
      const u = this.engine.get(`${path}.place_u`)
      if (!(u > nearEnd && u < 1 - nearEnd)) continue
      for (const way of ['tangential_x_m', 'x_m'])
        most = Math.max(most, halfRange(this.engine.tail(`${path}.${way}`, looked, end)) / (4 * u * (1 - u)))
    }
    return most
  }

  /** The part beyond a stopping finger, on the nut's side, stays still. */
  bend() {
    const { position } = this.blur.geometry.attributes
    const free = 1 - (this.engine.get(this.stop) || 0)
    for (let k = 0; k <= steps; k++) {
      const u = k / steps
      const wide = u < free ? Math.max(0.0015 * this.size, (this.swing ?? 0) * 4 * (u / free) * (1 - u / free)) : 0
      for (const row of [0, 1]) position.setZ(row * (steps + 1) + k, row ? -wide : wide)
    }
    position.needsUpdate = true
    this.ends[2].visible = free < 1
    this.ends[2].position.x = (free - 0.5) * this.size
  }

  at(u) {
    return { place: new THREE.Vector3((u - 0.5) * this.size, 0, 0), normal: new THREE.Vector3(0, 0, 1) }
  }

  hit(ray) {
    const [found] = ray.intersectObject(this.target, false)
    if (!found) return null
    const { x } = this.mesh.worldToLocal(found.point.clone())
    return { u: Math.min(1, Math.max(0, x / this.size + 0.5)), point: found.point, distance: found.distance }
  }

  /** What a pointer can meet. */
  get solids() {
    return [this.target]
  }
}

function halfRange(list) {
  let least = Infinity
  let most = -Infinity
  for (const x of list) {
    if (x < least) least = x
    if (x > most) most = x
  }
  return (most - least) / 2
}
