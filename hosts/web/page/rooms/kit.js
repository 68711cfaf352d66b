// What rooms are furnished with. Every piece is made in metres (or whatever unit its room uses), in the one shader of
// looks.js, and knows nothing about sound. Axes: x to the right, y away from the viewer, z up.
import * as THREE from '../three/three.module.js'
import { bodyMaterial, lookOf } from '../stage/looks.js'

export const vec = (x, y, z) => new THREE.Vector3(x, y, z)
const up = vec(0, 1, 0)

const tints = {
  skin: { dark: '#d9a27c', light: '#c98d66', shine: 0.35 },
  cloth: { dark: '#4a6076', light: '#5d7286', shine: 0.05 },
  oak: { dark: '#a5794b', light: '#a97c4b', shine: 0.25 },
  varnish: { dark: '#a9562a', light: '#9c4c22', shine: 0.75 },
  spruce: { dark: '#c98a4b', light: '#c08344', shine: 0.6 },
  ebony: { dark: '#3a3a40', light: '#33343a', shine: 0.6 },
  iron: { dark: '#6d747c', light: '#6b727a', shine: 0.7 },
  hair: { dark: '#e9e4d6', light: '#d6cfbd', shine: 0.2 },
  slate: { dark: '#3d4a46', light: '#3c4845', shine: 0.1 },
  chalk: { dark: '#f4f1ea', light: '#ffffff', shine: 0.05 },
  felt: { dark: '#b4534a', light: '#a6463e', shine: 0.05 },
  ground: { dark: '#4a4d50', light: '#b7b3aa', shine: 0.05 },
}

export class Kit {
  constructor(colors) {
    this.colors = colors
  }

  /** By a word: a tint of the kit, a material of the engine, 'accent' or 'cool' of the page. */
  look(word) {
    if (typeof word !== 'string') return word
    if (word === 'accent' || word === 'cool') return { color: this.colors[word].clone(), shine: 0.5, clear: 0 }
    const tint = tints[word]
    if (!tint) return lookOf(word, this.colors.theme)
    return { color: new THREE.Color(tint[this.colors.theme]), shine: tint.shine, clear: 0 }
  }

  solid(geometry, look) {
    geometry.setAttribute('moved', new THREE.BufferAttribute(new Float32Array(geometry.attributes.position.count), 1))
    return new THREE.Mesh(geometry, bodyMaterial(this.look(look), this.colors))
  }

  /** Turned about z: [[radius, z], ...], smoothed unless `sharp`. */
  lathe(profile, look, { around = 48, sharp = false } = {}) {
    const points = profile.map(([r, z]) => new THREE.Vector2(r, z))
    const turned = (curve) => new THREE.LatheGeometry(curve, around).rotateX(Math.PI / 2)
    if (!sharp) return this.solid(turned(new THREE.SplineCurve(points).getPoints(profile.length * 8)), look)
    return this.solid(joined(points.slice(1).map((point, i) => turned([points[i], point]))), look)
  }

  /** A flat outline [[x, y], ...] in the plane z = 0, `depth` thick upwards, edges rounded by `bevel`. */
  extrude(outline, depth, look, { bevel = 0, smooth = false, holes = [] } = {}) {
    const shape = new THREE.Shape(pointsOf(outline, smooth))
    for (const hole of holes) shape.holes.push(new THREE.Path(pointsOf(hole, smooth)))
    const options = { depth: depth - 2 * bevel, bevelEnabled: bevel > 0, bevelSize: bevel, bevelThickness: bevel }
    const geometry = new THREE.ExtrudeGeometry(shape, { ...options, bevelSegments: 3, bevelOffset: -bevel })
    return this.solid(geometry.translate(0, 0, bevel), look)
  }

  /** A box about its middle with rounded edges. */
  plank(wide, deep, high, look, round = Math.min(wide, deep, high) * 0.12) {
    const x = wide / 2
    const y = deep / 2
    const mesh = this.extrude(
      [
        [-x, -y],
        [x, -y],
        [x, y],
        [-x, y],
      ],
      high,
      look,
      { bevel: round },
    )
    mesh.geometry.translate(0, 0, -high / 2)
    return mesh
  }

  /** A pipe through points. */
  tube(points, radius, look, { closed = false, sides = 10, steps = 64 } = {}) {
    const curve = new THREE.CatmullRomCurve3(points, closed)
    return this.solid(new THREE.TubeGeometry(curve, steps, radius, sides, closed), look)
  }

  /** A straight round stick from a to b, `thin` at its end. */
  rod(a, b, radius, look, thin = radius) {
    const along = b.clone().sub(a)
    const mesh = this.solid(new THREE.CylinderGeometry(thin, radius, along.length(), 16), look)
    return between(mesh, a, b)
  }

  /** A thread that can be laid anew every frame: userData.lay(a, b). */
  thread(radius, look = 'hair') {
    const mesh = this.solid(new THREE.CylinderGeometry(radius, radius, 1, 6), look)
    mesh.userData.lay = (a, b) => {
      mesh.scale.y = a.distanceTo(b)
      between(mesh, a, b)
    }
    return mesh
  }

  ball(radius, look) {
    return this.solid(new THREE.SphereGeometry(radius, 32, 22), look)
  }

  group(...parts) {
    const group = new THREE.Group()
    const all = parts.filter(Boolean)
    if (all.length) group.add(...all)
    return group
  }

  /** A hinge: two knuckles on a pin, standing. */
  hinge(high, radius) {
    const knuckle = (z) => this.rod(vec(0, 0, z - high * 0.24), vec(0, 0, z + high * 0.24), radius, 'iron')
    const pin = this.rod(vec(0, 0, -high * 0.56), vec(0, 0, high * 0.56), radius * 0.55, 'steel')
    return this.group(knuckle(-high * 0.26), knuckle(high * 0.26), pin)
  }

  /** A wheel in the plane x–z, about the origin: tyre with a flange, spokes (one of them marked), hub. */
  wheel(radius, wide, { spokes = 8, look = 'steel', flange = true } = {}) {
    const inner = radius * 0.8
    const w = wide / 2
    const lip = flange ? radius * 1.07 : radius
    const rim = this.lathe(
      [
        [inner, -w],
        [radius * 0.985, -w],
        [radius, w * 0.35],
        [lip, w * 0.55],
        [lip, w],
        [inner, w],
        [inner, -w],
      ],
      look,
      { sharp: true, around: 72 },
    )
    const hub = this.lathe(
      [
        [0, -w * 1.5],
        [radius * 0.13, -w * 1.5],
        [radius * 0.16, -w * 0.8],
        [radius * 0.16, w * 0.8],
        [radius * 0.13, w * 1.5],
        [0, w * 1.5],
      ],
      'iron',
      { sharp: true, around: 32 },
    )
    const turned = this.group(rim, hub)
    for (let i = 0; i < spokes; i++) {
      const a = (2 * Math.PI * i) / spokes
      const at = (r) => vec(r * Math.cos(a), r * Math.sin(a), 0)
      turned.add(this.rod(at(radius * 0.12), at(inner * 1.02), radius * 0.055, i ? look : 'accent', radius * 0.035))
    }
    turned.rotation.x = Math.PI / 2
    return this.group(turned)
  }

  /** A curved rail: head, web and foot along an arc about (0, middle, 0), with sleepers and joints. */
  ringRail(radius, high, { sleepers, joints }) {
    const profile = [
      [-0.42, 1],
      [0.42, 1],
      [0.42, 0.72],
      [0.1, 0.62],
      [0.1, 0.2],
      [0.6, 0.08],
      [0.6, 0],
      [-0.6, 0],
      [-0.6, 0.08],
      [-0.1, 0.2],
      [-0.1, 0.62],
      [-0.42, 0.72],
      [-0.42, 1],
    ].map(([x, z]) => [radius + x * high * 0.7, (z - 1) * high])
    const parts = [this.lathe(profile, 'steel', { sharp: true, around: 160 })]
    const round = (count, piece, r, z) => {
      for (let i = 0; i < count; i++) {
        const a = (2 * Math.PI * i) / count
        const made = piece()
        made.position.set(r * Math.cos(a), r * Math.sin(a), z)
        made.rotation.z = a
        parts.push(made)
      }
    }
    round(sleepers, () => this.plank(high * 3.4, high * 1.05, high * 0.55, 'oak'), radius, -high * 1.3)
    round(joints, () => this.plank(high * 0.72, high * 0.14, high * 0.5, 'ebony'), radius, -high * 0.22)
    return this.group(...parts)
  }

  /** A stick with a head at the origin; its grip lies towards (-y, +z). */
  stick(length, head, look, { wood = 'wood', lean = vec(0.25, -0.85, 0.35) } = {}) {
    const end = lean.clone().normalize().multiplyScalar(length)
    return this.group(this.ball(head, look), this.rod(vec(0, 0, 0), end, length * 0.008, wood, length * 0.011))
  }

  /** A bow along x, hair at z = 0 facing down, its middle at the origin. */
  bow(length) {
    const half = length / 2
    const rise = length * 0.055
    const stickAt = (t) => vec(half * t, 0, rise * (0.62 + 0.38 * t * t))
    const stick = this.tube([-1, -0.6, -0.2, 0.2, 0.6, 0.97].map(stickAt), length * 0.0075, 'varnish', { sides: 10 })
    const hair = this.plank(length * 0.95, length * 0.016, length * 0.006, 'hair')
    const frog = this.plank(length * 0.075, length * 0.02, rise * 0.95, 'ebony')
    frog.position.set(-half * 0.9, 0, rise * 0.45)
    const tip = this.extrude(
      [
        [0, 0],
        [length * 0.035, rise * 0.2],
        [length * 0.012, rise * 1.15],
        [-length * 0.03, rise * 1.05],
        [-length * 0.02, rise * 0.6],
      ],
      length * 0.014,
      'hair',
      {},
    )
    tip.rotation.x = Math.PI / 2
    tip.position.set(half * 0.94, length * 0.007, 0)
    const screw = this.rod(vec(-half * 0.99, 0, rise), vec(-half * 1.05, 0, rise), length * 0.011, 'steel')
    return this.group(stick, hair, frog, tip, screw)
  }

  /** A hand whose fingers point along y, palm down, 0.19 m long. `pose`: point, fist, flat, pinch. The origin is where it
   * touches: the tip of the index, the knuckles, the palm, or between thumb and index. */
  hand(pose) {
    const { curls, origin, thumb } = poses[pose]
    const parts = [this.palm()]
    curls.forEach((curl, i) => parts.push(...this.finger(vec(-0.033 + 0.022 * i, 0.05, 0), fingerLong[i], curl)))
    const joints = thumb.map(([x, y, z]) => vec(x, y, z))
    for (let i = 1; i < joints.length; i++) parts.push(this.bone(joints[i - 1], joints[i], 0.012 - 0.0012 * i))
    const arm = this.rod(vec(0.002, -0.05, 0), vec(0.01, -0.2, 0.004), 0.026, 'skin', 0.031)
    const sleeve = this.rod(vec(0.008, -0.12, 0.002), vec(0.02, -0.34, 0.01), 0.039, 'cloth', 0.047)
    const all = this.group(...parts, arm, sleeve)
    all.position.set(...origin).negate()
    const hand = this.group(all)
    hand.userData.reaches = true // its arm goes on beyond the picture
    return hand
  }

  palm() {
    const outline = [
      [-0.028, -0.055],
      [0.03, -0.055],
      [0.046, 0.0],
      [0.044, 0.052],
      [-0.042, 0.056],
      [-0.046, 0.0],
    ]
    const palm = this.extrude(outline, 0.03, 'skin', { bevel: 0.012, smooth: true })
    palm.position.z = -0.015
    return palm
  }

  finger(base, length, curl) {
    const parts = []
    let angle = 0
    let from = base
    ;[0.46, 0.3, 0.24].forEach((part, i) => {
      angle += curl[Math.min(i, curl.length - 1)]
      const to = from.clone().add(vec(0, Math.cos(angle), -Math.sin(angle)).multiplyScalar(length * part))
      parts.push(this.bone(from, to, 0.0102 - 0.0009 * i))
      from = to
    })
    return parts
  }

  bone(a, b, radius) {
    const mesh = this.solid(new THREE.CapsuleGeometry(radius, a.distanceTo(b), 6, 14), 'skin')
    return between(mesh, a, b)
  }

  /** Where something is at rest, faintly: what the eye measures motion against. */
  ghost(points, dash) {
    const line = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineDashedMaterial({
        color: this.colors.muted,
        dashSize: dash,
        gapSize: dash * 0.8,
        transparent: true,
        opacity: 0.55,
      }),
    )
    line.computeLineDistances()
    return line
  }
}

const fingerLong = [0.078, 0.086, 0.08, 0.064]
const poses = {
  point: {
    curls: [
      [0.12, 0.1, 0.1],
      [1.1, 1.3, 0.8],
      [1.2, 1.3, 0.8],
      [1.25, 1.3, 0.8],
    ],
    thumb: [
      [-0.035, -0.02, -0.008],
      [-0.05, 0.02, -0.02],
      [-0.028, 0.045, -0.035],
    ],
    origin: [-0.033, 0.13, -0.022],
  },
  fist: {
    curls: [
      [1.35, 1.55, 0.9],
      [1.35, 1.55, 0.9],
      [1.35, 1.55, 0.9],
      [1.35, 1.55, 0.9],
    ],
    thumb: [
      [-0.038, -0.02, -0.005],
      [-0.05, 0.03, -0.022],
      [-0.02, 0.05, -0.05],
    ],
    origin: [0, 0.066, 0],
  },
  flat: {
    curls: [[0.05], [0.02], [0.02], [0.05]],
    thumb: [
      [-0.036, -0.02, 0],
      [-0.066, 0.012, -0.004],
      [-0.078, 0.045, -0.004],
    ],
    origin: [0, 0.03, -0.018],
  },
  pinch: {
    curls: [
      [0.7, 0.55, 0.3],
      [0.85, 0.7, 0.4],
      [1, 0.9, 0.5],
      [1.1, 1, 0.5],
    ],
    thumb: [
      [-0.036, -0.02, -0.01],
      [-0.05, 0.03, -0.04],
      [-0.03, 0.075, -0.062],
    ],
    origin: [-0.03, 0.088, -0.066],
  },
}

function pointsOf(outline, smooth) {
  const points = outline.map(([x, y]) => new THREE.Vector2(x, y))
  if (!smooth) return points
  const curve = new THREE.CatmullRomCurve3(
    points.map(({ x, y }) => vec(x, y, 0)),
    true,
  )
  return curve.getPoints(outline.length * 7).map(({ x, y }) => new THREE.Vector2(x, y))
}

/** Geometries as one, each with its own edges. */
function joined(parts) {
  const position = []
  const normal = []
  const index = []
  for (const part of parts) {
    const first = position.length / 3
    position.push(...part.attributes.position.array)
    normal.push(...part.attributes.normal.array)
    for (const i of part.index.array) index.push(first + i)
    part.dispose()
  }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3))
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3))
  geometry.setIndex(index)
  return geometry
}

/** Turns a hand so that its fingers point along `fingers`, the back of it towards `back`. */
export function aimHand(hand, fingers, back) {
  const y = fingers.clone().normalize()
  const x = y.clone().cross(back).normalize()
  hand.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, x.clone().cross(y)))
  return hand
}

/** Lays a mesh that stands along y between two points. */
function between(mesh, a, b) {
  mesh.position.copy(a).add(b).multiplyScalar(0.5)
  mesh.quaternion.setFromUnitVectors(up, b.clone().sub(a).normalize())
  return mesh
}
