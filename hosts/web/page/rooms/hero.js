// A room with one hero: what is played stands in the middle, drawn in metres, and fills most of the stage's height.
// A press on it plays: across pushes and down presses where the scene is rubbed; elsewhere a room says what a touch means.
import * as THREE from '../three/three.module.js'
import { shadowSpot } from '../stage/looks.js'
import { frameHero } from './framing.js'
import { Kit, vec } from './kit.js'
import { Room } from './room.js'

export { vec }

export class HeroRoom extends Room {
  constructor(lab) {
    super(lab)
    this.kit = new Kit(this.stage.colors)
    this.world = new THREE.Group()
    this.solids = []
    this.tapped = []
  }

  get paths() {
    return [...new Set([...super.paths, ...this.tapped])]
  }

  enter() {
    this.group.add(this.world)
    super.enter()
  }

  /** The bodies a scene gives this role. */
  static cast(info, role) {
    return info.bodies.filter((body) => body.role === role)
  }

  cast(role) {
    return HeroRoom.cast(this.info, role)
  }

  add(...parts) {
    this.world.add(...parts)
    return parts[0]
  }

  /** Watched, and read as it is heard; before there is sound, as it was set. */
  tap(path) {
    if (!this.tapped.includes(path)) this.tapped.push(path)
    return path
  }

  now(path) {
    return this.heard ? this.engine.at(path, this.engine.heard()) : 0
  }

  /** Looks at the hero from this side, see framing.js. */
  show(view) {
    frameHero(this, view)
  }

  /** What lies flat under the hero and is no part of its outline. */
  ground(...parts) {
    for (const part of parts) part.userData.ground = true
  }

  /** What plays or carries the hero: in the outline, but the camera does not go by it. */
  unframed(...parts) {
    for (const part of parts) part.userData.unframed = true
  }

  /** A face of the hero that would swallow the outline of what is before it: a slate, the floor of a tray. */
  seeThrough(...parts) {
    for (const part of parts) part.userData.open = true
  }

  /** A line cut into the hero, or laid round it: a seam, a hoop, a scratch. It stays white in the outline. */
  engraved(...parts) {
    for (const part of parts) part.userData.engraved = true
  }

  /** A soft spot on the ground. */
  shadow(x, y, z, wide, deep) {
    const spot = shadowSpot(1, this.stage.colors)
    spot.scale.set(wide / 2, deep / 2, 1)
    spot.position.set(x, y, z + 0.001)
    this.world.add(spot)
    return spot
  }

  /** The solid of the hero under the pointer, or null. */
  pick(pointer) {
    const [found] = this.stage.rayAt(pointer.x, pointer.y).intersectObjects(this.solids, true)
    return found ?? null
  }

  /** Where the hero's middle is on the stage: what a stranger would touch first. */
  get centre() {
    const box = new THREE.Box3()
    for (const solid of this.solids) surround(box, solid)
    return this.stage.project(box.getCenter(vec(0, 0, 0)))
  }

  pointer(pointer) {
    if (pointer.kind === 'hover') this.stage.section.style.cursor = this.pick(pointer) ? 'grab' : ''
    super.pointer(pointer)
  }

  leave() {
    this.stage.section.style.cursor = ''
    super.leave()
  }
}

/** Makes the box hold the thing, but for arms. */
function surround(box, thing) {
  if (thing.userData.reaches) return
  if (thing.isMesh) box.expandByObject(thing)
  else for (const part of thing.children) surround(box, part)
}

/** Told apart from nothing said. */
export const given = (value, usual) => (value > 0 ? value : usual)

/** Grows like x and never passes `most` either way. */
export const within = (x, most) => most * Math.tanh(x / most)
