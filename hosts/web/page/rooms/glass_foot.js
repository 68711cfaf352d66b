// What a glass or a bowl stands on. It does not sound; a wineglass and a tumbler bring their own.
import * as THREE from '../three/three.module.js'

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

/** A flat round cushion under a bowl, wider than what stands on it. */
export function makeCushion(kit, r) {
  const profile = [
    [0, 0.03],
    [0.55, 0.02],
    [0.82, 0.03],
    [0.95, -0.02],
    [1, -0.1],
    [0.95, -0.18],
    [0.82, -0.22],
    [0, -0.22],
  ].map(([x, z]) => [x * r, z * r])
  return kit.lathe(profile, 'felt', { sharp: true })
}
