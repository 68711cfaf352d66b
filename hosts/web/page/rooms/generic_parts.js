// The solids of any scene's bodies: shapes as the engine has them, reeds on a block, balls, walls, threads and belts.
import * as THREE from '../three/three.module.js'
import { VibratingBody } from '../stage/vibrating.js'
import { VibratingString } from '../stage/vibrating_string.js'
import { shadowSpot } from '../stage/looks.js'
import { makeBelt as belt, solid } from './things.js'

/** The thing's solids in a group of its own, on the room's stage. */
export function makeThing(room, thing) {
  thing.group = new THREE.Group()
  thing.group.position.copy(thing.place)
  if (thing.kind === 'shape' || thing.kind === 'reeds') makeVibrating(room, thing)
  else thing.mesh = makeSolid(room, thing)
  thing.solids = thing.vibrating?.solids ?? [thing.mesh, thing.block].filter(Boolean)
  for (const solid of thing.solids) solid.userData.thing = thing
  thing.group.add(thing.mesh)
  if ((thing.slides && !thing.travels) || (thing.drive && !thing.drive.travels)) room.group.add(makeBelt(room, thing))
  if (thing.drive?.kind === 'roll') thing.mesh.add(makeStripe(room, thing))
  if (thing.hangs) thing.group.add(makeStrings(room, thing))
  room.group.add(thing.group)
}

function makeVibrating(room, thing) {
  const thickness = thing.kind === 'shape' && thing.flat ? thing.size * 0.02 : 0
  const Kind = thing.shape.kind === 'string' && thing.body.kind === 'string' ? VibratingString : VibratingBody
  const extras = { thickness, flip: thing.flip }
  thing.vibrating = new Kind(room.engine, thing.body, thing.shape, room.look(thing.body), room.stage.colors, extras)
  if (Kind === VibratingBody) thing.vibrating.magnifier.share = thing.kind === 'reeds' ? 0.16 : 0.05
  thing.mesh = thing.vibrating.mesh
  thing.mesh.scale.setScalar(thing.scale)
  thing.mesh.rotation.set(...thing.turn)
  room.bodies.push(thing.vibrating)
  const spot = shadowSpot(1, room.stage.colors)
  spot.scale.set(Math.max(0.25, thing.wide * 0.68), Math.max(0.2, thing.deep * 0.8), 1)
  spot.position.z = thing.low - 0.04
  thing.group.add(spot)
  if (thing.kind === 'reeds') thing.group.add(makeBlock(room, thing))
}

/** What holds the reeds. */
function makeBlock(room, thing) {
  const block = solid(
    new THREE.BoxGeometry(thing.wide + 0.06, 0.14, 0.09),
    { ...room.look(thing.body), color: room.stage.colors.muted.clone().multiplyScalar(0.6), shine: 0.2 },
    room.stage.colors,
  )
  block.position.z = -0.045
  thing.group.add(block)
  thing.block = block
  return block
}

function makeSolid(room, thing) {
  const colors = room.stage.colors
  const r = thing.radius
  const look = {
    ...room.look(thing.body),
    color:
      thing.kind === 'wall'
        ? colors.muted.clone().multiplyScalar(0.55)
        : thing.ball
          ? room.look(thing.body).color
          : colors.accent.clone(),
    shine: 0.6,
  }
  const geometry =
    thing.kind === 'wall'
      ? new THREE.BoxGeometry(0.9, 0.5, 0.06)
      : thing.slides
        ? new THREE.BoxGeometry(r * 2.4, r * 1.6, r * 1.2)
        : new THREE.SphereGeometry(r, 28, 20)
  return solid(geometry, look, colors)
}

/** What swings slowly hangs: two threads, for the eye. */
function makeStrings(room, thing) {
  const points = [-1, 1].flatMap((side) => [
    new THREE.Vector3(0, 0, thing.radius),
    new THREE.Vector3(0, side * 0.3, 0.95),
  ])
  return new THREE.LineSegments(
    new THREE.BufferGeometry().setFromPoints(points),
    new THREE.LineBasicMaterial({ color: room.stage.colors.muted, transparent: true, opacity: 0.6 }),
  )
}

/** A band round a ball, so that it is seen to turn. */
function makeStripe(room, thing) {
  const stripe = new THREE.TorusGeometry(thing.radius, thing.radius * 0.09, 8, 40).rotateY(Math.PI / 2)
  return solid(stripe, { ...room.look(thing.body), color: room.stage.colors.cool.clone() }, room.stage.colors)
}

function makeBelt(room, thing) {
  thing.belt = belt(thing.run, room.stage.colors)
  thing.belt.position.copy(thing.place).add(new THREE.Vector3(0, 0.12, -thing.radius * 0.6 - 0.035))
  return thing.belt
}
