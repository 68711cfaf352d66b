// What goes round a rim: a fingertip on it, or a wooden stick that leans on it from outside, held by a hand.
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

/** Its foot is where it touches; a hand holds its upper end. */
export function makeStick(kit, radius) {
  const r = radius * 0.1
  const long = radius * 1.9
  const wood = kit.rod(vec(0, -long * 0.2, 0), vec(0, long * 0.8, 0), r, 'wood', r * 0.9)
  const leather = kit.rod(vec(0, -long * 0.21, 0), vec(0, long * 0.12, 0), r * 1.16, 'cloth')
  const group = kit.group(wood, leather)
  const place = (at, turns, firm, lifted) => {
    const a = turn * turns
    const out = r * (1.15 + 2 * Math.max(0, lifted - 0.82))
    group.position.set(at.x + out * Math.cos(a), at.y + out * Math.sin(a), at.z)
    group.quaternion.setFromUnitVectors(along, vec(Math.cos(a) * 0.45, Math.sin(a) * 0.45, 1).normalize())
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
