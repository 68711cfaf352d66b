// The edge of a rim: a thin round line that follows the topmost vertices, and a dashed one where it is at rest.
import * as THREE from '../three/three.module.js'
import { bodyMaterial, lookOf } from '../stage/looks.js'

const sides = 6

export class RimEdge {
  constructor(body, radius, colors) {
    this.body = body
    this.thick = radius * 0.022
    this.top = topmost(body.places)
    this.mesh = new THREE.Mesh(
      ringOf(this.top.length),
      bodyMaterial({ ...lookOf('glass', colors.theme), clear: 0 }, colors),
    )
    this.mesh.frustumCulled = false
    this.rest = restOf(body.shape, radius, colors)
    this.bend()
  }

  /** Goes where the body's vertices have gone; the dashed line is there while they move. */
  bend() {
    const from = this.body.position.array
    const glow = this.body.moved.array
    const { position, moved } = this.mesh.geometry.attributes
    this.top.forEach((vertex, i) => {
      const [x, y, z] = from.subarray(3 * vertex, 3 * vertex + 3)
      const r = Math.hypot(x, y) || 1
      for (let k = 0; k < sides; k++) {
        const a = (2 * Math.PI * k) / sides
        const out = 1 + (this.thick * Math.cos(a)) / r
        position.setXYZ(i * sides + k, x * out, y * out, z + this.thick * Math.sin(a))
        moved.setX(i * sides + k, glow[vertex])
      }
    })
    position.needsUpdate = moved.needsUpdate = true
    this.mesh.geometry.computeVertexNormals()
    this.rest.material.opacity = this.body.still ? 0 : 0.55
  }
}

/** Of a body's wall, at this share of its height. */
export function radiusAt(body, height) {
  const [x, y] = body.shape.at(0, height)
  return Math.hypot(x, y)
}

/** The vertices at the top, in their order round. */
function topmost(places) {
  const top = []
  for (let i = 0; i < places.length / 2; i++) if (places[2 * i + 1] >= 0.999) top.push(i)
  return top.sort((a, b) => places[2 * a] - places[2 * b])
}

/** A closed tube of n pieces, to be bent. */
function ringOf(n) {
  const index = []
  for (let i = 0; i < n; i++)
    for (let k = 0; k < sides; k++) {
      const a = i * sides + k
      const b = i * sides + ((k + 1) % sides)
      const c = ((i + 1) % n) * sides + k
      const d = ((i + 1) % n) * sides + ((k + 1) % sides)
      index.push(a, c, b, b, c, d)
    }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(n * sides * 3), 3))
  geometry.setAttribute('moved', new THREE.BufferAttribute(new Float32Array(n * sides), 1))
  geometry.setIndex(index)
  return geometry
}

/** Where the rim is at rest, faintly: what the eye measures the motion against. */
function restOf(shape, radius, colors) {
  const points = Array.from({ length: 97 }, (_, i) => new THREE.Vector3(...shape.at(i / 96, 1).slice(0, 3)))
  const dashes = { dashSize: radius * 0.07, gapSize: radius * 0.06 }
  const line = new THREE.Line(
    new THREE.BufferGeometry().setFromPoints(points),
    new THREE.LineDashedMaterial({ color: colors.muted, ...dashes, transparent: true, opacity: 0 }),
  )
  line.computeLineDistances()
  line.userData.ground = true // no part of the outline
  return line
}
