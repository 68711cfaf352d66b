// Where the camera stands. The hero is everything a room has put on the stage but shadows, ground, tools and arms; it fills
// a share of the stage's height, less where the stage is too narrow for it.
import * as THREE from '../three/three.module.js'

const leftOut = (thing) =>
  !thing.visible || thing.renderOrder === -1 || ['ground', 'unframed', 'reaches'].some((word) => thing.userData[word])

/** The hero's corners in the world, as the room stands now. */
function corners(room) {
  const points = []
  const collect = (thing) => {
    if (leftOut(thing)) return
    if (thing.isMesh) {
      const { position } = thing.geometry.attributes
      for (let i = 0; i < position.count; i++)
        points.push(new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(thing.matrixWorld))
    }
    thing.children.forEach(collect)
  }
  room.group.updateMatrixWorld(true)
  collect(room.group)
  return points
}

const range = (values) =>
  values.reduce(({ least, most }, x) => ({ least: Math.min(least, x), most: Math.max(most, x) }), {
    least: Infinity,
    most: -Infinity,
  })

/** The hero's edges on the stage, as shares of its width and height. */
export function heroSpan(room) {
  const { stage } = room
  const seen = corners(room).map((point) => stage.project(point))
  const x = range(seen.map((at) => at.x / stage.width))
  const y = range(seen.map((at) => at.y / stage.height))
  return { left: x.least, right: x.most, top: y.least, bottom: y.most, wide: x.most - x.least, high: y.most - y.least }
}

/** Looks from this side so that the hero is in the middle and `fill` of the stage's height, at most `wide` of its width.
 * `rise`: room left above it, as a share of the stage's height. */
export function frameHero(room, { azimuth = -66, elevation = 16, fill = 0.63, wide = 0.86, rise = 0 }) {
  const { camera } = room.stage
  const slope = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2))
  const [a, e] = [azimuth, elevation].map(THREE.MathUtils.degToRad)
  const towards = new THREE.Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e))
  const right = new THREE.Vector3(-Math.sin(a), Math.cos(a), 0)
  const up = new THREE.Vector3().crossVectors(towards, right)
  const points = corners(room)
  const target = new THREE.Box3().setFromPoints(points).getCenter(new THREE.Vector3())
  const span = (axis, distance) =>
    range(points.map((p) => axis.dot(p) - axis.dot(target)).map((x, i) => x / (distance - depth(points[i]))))
  const depth = (point) => towards.dot(point) - towards.dot(target)
  const nearest = Math.max(...points.map(depth))
  let [byHeight, byWidth] = [0, 0]
  for (let i = 0, distance = 20 * nearest; i < 12; i++) {
    const x = span(right, distance)
    const y = span(up, distance)
    byHeight = (distance * (y.most - y.least)) / (2 * slope * fill)
    byWidth = (distance * (x.most - x.least)) / (2 * slope * camera.aspect * wide)
    target.addScaledVector(right, ((x.most + x.least) / 2) * distance)
    target.addScaledVector(up, ((y.most + y.least) / 2) * distance)
    distance = Math.max(byHeight, byWidth, 1.2 * Math.max(...points.map(depth)))
  }
  target.addScaledVector(up, rise * slope * Math.max(byHeight, byWidth))
  room.stage.look(target, { wide: byWidth * slope * camera.aspect, high: byHeight * slope, azimuth, elevation })
}
