// What a glass or a bowl stands on. It does not sound; a wineglass and a tumbler bring their own.
import * as THREE from '../three/three.module.js'
import { vec } from './kit.js'

/** Stem and foot under a cup of this height, radius and bottom. */
export function makeStem({ height, radius: r, bottom }, material) {
  const low = -height * 1.1
  const profile = [
    [0, low],
    [r * 0.86, low],
    [r * 0.84, low + 0.015 * r],
    [r * 0.3, low + 0.1 * r],
    [r * 0.085, low + 0.3 * r],
    [r * 0.062, low * 0.5],
    [r * 0.066, low * 0.15],
    [Math.max(bottom, r * 0.1), 0],
    [Math.max(bottom, r * 0.16), height * 0.012],
  ].map(([x, z]) => new THREE.Vector2(x, z))
  const lathe = new THREE.LatheGeometry(new THREE.SplineCurve(profile).getPoints(60), 48)
  return new THREE.Mesh(lathe.rotateX(Math.PI / 2), material)
}

/** A square cushion with drawn-out corners and a tassel at each; its middle is pressed in by the bowl of this radius. */
export function makeCushion(kit, r) {
  const half = r * 0.98
  const high = r * 0.24
  const n = 24
  const shape = (u, v, face) => {
    const full = Math.sqrt((1 - u ** 4) * (1 - v ** 4))
    const drawnIn = (w) => 1 - 0.13 * (1 - w * w)
    const dent = face > 0 ? 0.35 * Math.exp(-5 * (u * u + v * v)) : 0
    return [half * u * drawnIn(v), half * v * drawnIn(u), high * full * (face > 0 ? 1 - dent : -0.8)]
  }
  const faces = [1, -1].map((face) => {
    const sheet = new THREE.PlaneGeometry(2, 2, n, n)
    const { position } = sheet.attributes
    for (let i = 0; i < position.count; i++) position.setXYZ(i, ...shape(position.getX(i), position.getY(i), face))
    if (face < 0) sheet.setIndex([...sheet.index.array].reverse())
    sheet.computeVertexNormals()
    return kit.solid(sheet, 'felt')
  })
  const cushion = kit.group(...faces)
  for (const [x, y] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ])
    cushion.add(tassel(kit, r, half * x, half * y))
  cushion.rotation.z = Math.PI / 4 + 0.12
  return cushion
}

/** A knot and threads that lie on the ground, away from the middle. */
function tassel(kit, r, x, y) {
  const out = (far, z) => vec(x * far, y * far, z)
  const knot = kit.ball(r * 0.06, 'oak')
  knot.position.copy(out(1.02, 0))
  return kit.group(knot, kit.rod(out(1.02, 0), out(1.2, -r * 0.13), r * 0.03, 'oak', r * 0.085))
}
