// The modes of what is struck, as ribbons behind it: each moves by its own displacement, so that one sees which of them a
// place wakes. They are there while they sound and under an aiming pointer, faint, and without numbers: those are the scopes'.
import * as THREE from '../three/three.module.js'
import { dot } from '../stage/overlay.js'

const most = 5
const steps = 64
const full = 0.07 /* how far the loudest is drawn out */

export class Ribbons {
  /** `wide`: the body's length in the picture; `flip`: -1 where it is drawn upside down. */
  constructor(room, bar, shape, { wide, flip }) {
    Object.assign(this, { room, bar, wide, flip, loudest: 0 })
    this.group = new THREE.Group()
    this.group.userData.ground = true
    this.all = bar.body.modes.slice(0, most).map((mode, i) => this.make(mode, i, shape))
  }

  make(mode, index, shape) {
    const geometry = new THREE.PlaneGeometry(this.wide, 0.012, steps, 1).rotateX(Math.PI / 2)
    const look = { color: this.room.stage.colors.muted, transparent: true, opacity: 0, side: THREE.DoubleSide }
    const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ ...look, depthWrite: false }))
    const profile = profileOf(shape, index)
    mesh.position.set(0, 0.3 + index * 0.06, 0.2 + index * 0.075)
    this.group.add(mesh)
    return { mesh, profile, mode, index, loud: 0, reach: Math.max(...profile.map(Math.abs)) }
  }

  /** `aiming`: whether the pointer asks which of them it would wake. */
  update(seconds, aiming) {
    const { colors } = this.room.stage
    const levels = this.all.map((ribbon) => this.read(ribbon, seconds))
    const fade = Math.exp(-seconds / 3)
    this.loudest = Math.max(this.loudest * fade, ...this.all.map(({ loud }) => loud), 1e-9)
    this.all.forEach((ribbon, i) => {
      bend(ribbon, Math.max(-1.3, Math.min(1.3, levels[i] / this.loudest)) * full * this.flip)
      const sounds = this.bar.still ? 0 : Math.min(1, Math.sqrt(ribbon.loud / this.loudest))
      ribbon.mesh.material.color.copy(colors.muted).lerp(colors.accent, sounds)
      ribbon.mesh.material.opacity = Math.max(0.6 * sounds, aiming ? 0.35 : 0)
    })
  }

  /** Modes are compared by velocity, which is what is heard: a high mode moves less for the same loudness. */
  read(ribbon, seconds) {
    const value = this.bar.now[ribbon.index] * ribbon.reach * ribbon.mode.hz
    ribbon.loud = Math.max(Math.abs(value), ribbon.loud * Math.exp(-seconds / 0.25))
    return value
  }

  /** How much a blow at u would wake each: larger dots for more, a hollow one where a mode stands still. */
  drawAim(pen, u) {
    const { stage } = this.room
    const { accent, hot } = stage.colors.css
    for (const { mesh, profile, reach } of this.all) {
      const k = u * steps
      const low = Math.min(steps - 1, Math.floor(k))
      const gain = (profile[low] + (k - low) * (profile[low + 1] - profile[low])) / reach
      const at = new THREE.Vector3((u - 0.5) * this.wide, mesh.position.y, mesh.position.z + gain * full)
      const asleep = Math.abs(gain) < 0.06
      const size = asleep ? 4 : 2 + 3 * Math.abs(gain)
      dot(pen, stage.project(at), size, asleep ? hot : accent, { hollow: asleep })
    }
  }
}

function bend({ mesh, profile, reach }, height) {
  const { position } = mesh.geometry.attributes
  for (let k = 0; k <= steps; k++)
    for (const row of [0, 1])
      position.setZ(row * (steps + 1) + k, (height * profile[k]) / reach + (row ? -0.006 : 0.006))
  position.needsUpdate = true
}

/** A mode shape along the body, in straight lines between the vertices of its upper middle. */
function profileOf(shape, mode) {
  const line = middleLine(shape)
  const motion = line.map(({ u, vertex }) => ({ u, z: shape.modes[mode].displacement[3 * vertex + 2] }))
  return Array.from({ length: steps + 1 }, (_, k) => between(motion, k / steps))
}

/** One vertex for each place along: the highest of those nearest to the middle. */
function middleLine(shape) {
  const best = new Map()
  const rank = (vertex) =>
    Math.abs(shape.places[2 * vertex + 1] - 0.5) - 1e-3 * Math.sign(shape.vertices[3 * vertex + 2])
  for (let vertex = 0; vertex < shape.places.length / 2; vertex++) {
    const u = shape.places[2 * vertex]
    const key = u.toFixed(5)
    if (!best.has(key) || rank(vertex) < rank(best.get(key).vertex)) best.set(key, { u, vertex })
  }
  return [...best.values()].sort((a, b) => a.u - b.u)
}

function between(points, u) {
  const after = Math.max(
    1,
    points.findIndex((point) => point.u >= u - 1e-6),
  )
  const [a, b] = [points[after - 1], points[after]]
  return a.z + ((u - a.u) / (b.u - a.u || 1)) * (b.z - a.z)
}
