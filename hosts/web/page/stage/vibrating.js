// A body that shows how it moves: its rest shape and mode shapes come from the engine, its modal displacements from the
// taps; the picture is their sum, magnified. One class for every shape there is.
import * as THREE from '../three/three.module.js'
import { bodyMaterial, paint } from './looks.js'
import { readAmplitudes, readModes } from './strobe.js'
import { calm } from '../ui/dom.js'

const modesMost = 24

/** How much motion is magnified: the largest of the last seconds fills `share` of the size; what fades is seen to fade. */
export class Magnifier {
  constructor(share = 0.07) {
    this.share = share
    this.most = 0
  }

  gain(moved, size, seconds) {
    this.most = Math.max(moved, this.most * Math.exp(-seconds / 3), size * 2e-7)
    return (this.share * size) / this.most
  }
}

export class VibratingBody {
  constructor(engine, body, shape, look, colors, { thickness = 0, flip = 1 } = {}) {
    this.engine = engine
    this.body = body
    this.shape = shape
    this.flip = flip
    this.magnifier = new Magnifier()
    const sheet = thickness > 0 && shape.faces?.length ? thicken(shape, thickness) : shape
    this.rest = sheet.vertices
    this.places = sheet.places
    this.displacements = sheet.modes.slice(0, modesMost).map((mode) => mode.displacement)
    this.modes = body.modes.slice(0, this.displacements.length)
    this.now = new Float32Array(this.modes.length)
    this.ringing = Math.max(
      0,
      this.modes.findIndex((mode) => mode.hz >= 8),
    )
    this.gain = 0
    this.build(sheet, look, colors)
  }

  build(sheet, look, colors) {
    const geometry = new THREE.BufferGeometry()
    this.position = new THREE.BufferAttribute(Float32Array.from(this.rest), 3)
    this.moved = new THREE.BufferAttribute(new Float32Array(this.rest.length / 3), 1)
    geometry.setAttribute('position', this.position)
    geometry.setAttribute('moved', this.moved)
    geometry.computeBoundingBox()
    this.box = geometry.boundingBox.clone()
    this.size = this.box.getSize(new THREE.Vector3()).length()
    this.material = bodyMaterial(look, colors)
    this.solid = Boolean(sheet.faces?.length)
    geometry.setIndex(new THREE.BufferAttribute(this.solid ? sheet.faces : sheet.lines, 1))
    if (this.solid) geometry.computeVertexNormals()
    this.mesh = this.solid
      ? new THREE.Mesh(geometry, this.material)
      : new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: look.color }))
    this.mesh.frustumCulled = false
    this.mesh.userData.vibrating = this
  }

  repaint(look, colors) {
    if (this.solid) paint(this.material, look, colors)
    else this.mesh.material.color.copy(look.color)
  }

  /** Taps: how large it is, what it is made of and how high it rings may glide while it sounds. */
  get paths() {
    if (!this.body.shape) return []
    return [`${this.body.name}.modes.${this.ringing}.hz`, `${this.body.name}.modes.size`]
  }

  /** A parameter as it is heard; before there is sound, as it was set. */
  live(path) {
    const heard = this.engine.running ? this.engine.at(path, this.engine.heard()) : 0
    return heard || this.engine.get(path)
  }

  /** How far its modes have glided since it was built; shapes keep their intervals. */
  get pitch() {
    const [hz] = this.paths
    return hz ? this.live(hz) / this.modes[this.ringing].hz || 1 : 1
  }

  get grown() {
    const [, size] = this.paths
    return size ? this.live(size) || 1 : 1
  }

  read() {
    const read = calm() ? readAmplitudes : readModes
    return read(this.engine, this.body.name, this.modes, this.pitch, this.now)
  }

  /** Reads the modes and bends the mesh. Returns the magnification. */
  update(seconds) {
    this.read()
    const moved = this.largest()
    this.gain = this.magnifier.gain(moved, this.size, seconds)
    if (moved * this.gain < this.size * 1e-5 && this.still) return this.gain
    this.still = moved * this.gain < this.size * 1e-5
    this.bend()
    return this.gain
  }

  /** A bound of the displacement anywhere: enough to choose a magnification by, and cheap. */
  largest() {
    this.reach ??= this.displacements.map((list) => list.reduce((most, x) => Math.max(most, Math.abs(x)), 0))
    return this.reach.reduce((sum, reach, i) => (this.modes[i].hz < 8 ? sum : sum + reach * Math.abs(this.now[i])), 0)
  }

  bend() {
    const out = this.position.array
    const glow = this.moved.array
    const rest = this.rest
    const scale = this.gain * this.flip
    out.set(rest)
    for (let m = 0; m < this.displacements.length; m++) {
      const amount = this.now[m] * (this.modes[m].hz < 8 ? 0 : scale)
      const shape = this.displacements[m]
      if (Math.abs(amount) * this.reach[m] < this.size * 1e-5) continue
      for (let i = 0; i < out.length; i++) out[i] += amount * shape[i]
    }
    const full = this.size * this.magnifier.share
    for (let i = 0, k = 0; i < glow.length; i++, k += 3) {
      const x = out[k] - rest[k]
      const y = out[k + 1] - rest[k + 1]
      const z = out[k + 2] - rest[k + 2]
      const outwards = Math.abs(z) > Math.hypot(x, y) ? z : x * rest[k] + y * rest[k + 1]
      glow[i] = Math.sign(outwards) * Math.min(1, (Math.hypot(x, y, z) / full) * 1.6)
    }
    this.position.needsUpdate = this.moved.needsUpdate = true
    if (this.solid) this.mesh.geometry.computeVertexNormals()
  }

  /** Where on the body a ray meets it: {u, v, point, distance} or null. */
  hit(ray) {
    const [found] = ray.intersectObject(this.mesh, false)
    if (!found) return null
    if (!found.face) return { ...this.placeOf(found.index), point: found.point, distance: found.distance }
    const { a, b, c } = found.face
    const corner = (i) => new THREE.Vector3().fromBufferAttribute(this.position, i)
    const weights = new THREE.Vector3()
    THREE.Triangle.getBarycoord(this.mesh.worldToLocal(found.point.clone()), corner(a), corner(b), corner(c), weights)
    const at = (axis) =>
      wrapped([a, b, c].map((i) => this.places[2 * i + axis])).reduce(
        (sum, x, k) => sum + x * weights.getComponent(k),
        0,
      )
    return { u: at(0), v: at(1), point: found.point, distance: found.distance }
  }

  placeOf(index) {
    return { u: this.places[2 * index], v: this.places[2 * index + 1] }
  }

  /** A place of the rest shape in the body's own coordinates, and its normal. */
  at(u, v) {
    const [x, y, z, nx, ny, nz] = this.shape.at(u, v)
    return { place: new THREE.Vector3(x, y, z), normal: new THREE.Vector3(nx, ny, nz) }
  }

  dispose() {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}

/** Three coordinates that may lie on both sides of the seam of a round thing. */
function wrapped(list) {
  return Math.max(...list) - Math.min(...list) > 0.5 ? list.map((x) => (x < 0.5 ? x + 1 : x)) : list
}

/** A sheet with a back and an edge, so that a bar is not a ribbon. */
function thicken(shape, thickness) {
  const n = shape.vertices.length / 3
  const half = thickness / 2
  const vertices = new Float32Array(6 * n)
  const places = new Float32Array(4 * n)
  for (let i = 0; i < n; i++)
    for (const [copy, sign] of [
      [i, 1],
      [n + i, -1],
    ]) {
      vertices.set(
        [shape.vertices[3 * i], shape.vertices[3 * i + 1], shape.vertices[3 * i + 2] + sign * half],
        3 * copy,
      )
      places.set([shape.places[2 * i], shape.places[2 * i + 1]], 2 * copy)
    }
  const doubled = (mode) => {
    const displacement = new Float32Array(6 * n)
    displacement.set(mode.displacement)
    displacement.set(mode.displacement, 3 * n)
    return { ...mode, displacement }
  }
  return { vertices, places, faces: sides(shape.faces, n), modes: shape.modes.map(doubled) }
}

function sides(faces, n) {
  const edges = new Map()
  const out = [...faces]
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = faces.subarray(i, i + 3)
    out.push(n + a, n + c, n + b)
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ])
      if (!edges.delete(`${to} ${from}`)) edges.set(`${from} ${to}`, [from, to])
  }
  for (const [a, b] of edges.values()) out.push(a, n + a, b, b, n + a, n + b)
  return Uint32Array.from(out)
}
