// What goes round a rim: a fingertip on it, or a mallet that leans on it from outside.
import * as THREE from '../three/three.module.js'
import { vec } from './kit.js'

const turn = 2 * Math.PI
const along = vec(0, 1, 0)

/** {group, place(at, turns, firm, lifted)}: `at` is the rim's place, `firm` how hard it presses, `lifted` in its own radii. */
export function makeFinger(kit, radius) {
  const r = radius * 0.2
  const skin = kit.look('skin')
  const nailLook = { ...skin, color: skin.color.clone().lerp(new THREE.Color('#ffffff'), 0.45), shine: 0.9 }
  const tip = kit.solid(new THREE.CapsuleGeometry(r, r * 5, 8, 20), skin)
  tip.position.y = r * 2.5
  const nail = kit.solid(new THREE.SphereGeometry(r * 0.72, 16, 10), nailLook)
  nail.scale.set(0.85, 1.15, 0.5)
  nail.position.set(0, -r * 0.25, r * 0.72)
  const group = kit.group(tip, nail)
  const place = (at, turns, firm, lifted) => {
    const a = turn * turns
    const lean = vec(Math.cos(a) * 0.75, Math.sin(a) * 0.75, 0.62).normalize()
    group.position.set(at.x, at.y, at.z + r * lifted)
    group.quaternion.setFromUnitVectors(along, lean)
    group.rotateY(nailTurn(group, lean))
    group.scale.set(1 + 0.12 * firm, 1, 1 + 0.12 * firm)
  }
  return { group, place }
}

/** A mallet that stands against the rim from outside: a thick head wrapped in leather that the rim touches, and a turned
 * handle with a knob. */
export function makeStick(kit, radius) {
  const r = radius * 0.16
  const long = radius * 1.25
  const profile = [
    [0, 0.2],
    [0.62, 0.22],
    [0.5, 0.34],
    [0.46, 0.6],
    [0.6, 0.68],
    [0.46, 0.73],
    [0.72, 0.79],
    [0.78, 0.85],
    [0.6, 0.91],
    [0, 0.93],
  ]
  const cover = [
    [0, -0.3],
    [0.7, -0.295],
    [0.95, -0.26],
    [1, -0.2],
    [1, 0.2],
    [0.95, 0.25],
    [0.6, 0.28],
  ]
  const turned = (points, look, sharp) =>
    kit.lathe(
      points.map(([x, z]) => [x * r, z * long]),
      look,
      { around: 28, sharp },
    )
  const upright = kit.group(turned(profile, 'wood', false), turned(cover, 'cloth', true))
  upright.rotation.x = -Math.PI / 2 // lathes stand along z, tools along y
  const group = kit.group(upright)
  const place = (at, turns, firm, lifted) => {
    const a = turn * turns
    const out = r * (1.02 + 2 * Math.max(0, lifted - 0.82))
    group.position.set(at.x + out * Math.cos(a), at.y + out * Math.sin(a), at.z)
    group.quaternion.setFromUnitVectors(along, vec(Math.cos(a) * 0.3, Math.sin(a) * 0.3, 1).normalize())
  }
  return { group, place }
}

/** Turns the nail to the sky, whatever way the finger leans. */
function nailTurn(finger, lean) {
  const front = vec(0, 0, 1).applyQuaternion(finger.quaternion)
  const up = vec(0, 0, 1).projectOnPlane(lean).normalize()
  const side = new THREE.Vector3().crossVectors(front, up).dot(lean)
  return Math.atan2(side, front.dot(up))
}
