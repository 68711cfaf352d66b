// Where the bodies of any scene stand: what rings in a row, what moves over what it touches, and where everything only
// moves (a row of balls) in one line. Returns things: {body, kind: 'shape'|'reeds'|'mover'|'wall', place, ...}.
import * as THREE from '../three/three.module.js'
import { bodyOf } from '../stage/roles.js'

const long = ['bar', 'tube', 'string', 'chain']
const moverHz = 20 /* a body whose lowest mode is slower than this goes about as a whole */

export function layOut(info, roles, shapeOf, reeds) {
  const things = info.bodies.map((body) => makeThing(body, shapeOf, reeds))
  things.forEach((thing) => (thing.touches = roles.touches.get(thing.body.name) ?? []))
  placeCarriers(
    things.filter((thing) => thing.kind !== 'mover'),
    info,
  )
  placeMovers(things)
  for (const thing of things)
    thing.drive = info.drives?.find((drive) => thing.contact && drive.contact === thing.contact.name)
  return things
}

function makeThing(body, shapeOf, reeds) {
  const shape = shapeOf(body)
  if (shape) return { body, kind: 'shape', shape, flip: 1, ...measure(shape) }
  if (body.kind === 'wall' || (body.kind === 'hand' && !body.points.length))
    return { body, kind: 'wall', radius: 0.1, wide: 0.9, deep: 0.5, low: -0.05, tall: 0.03 }
  if (!body.modes.length || Math.min(...body.modes.map((mode) => mode.hz)) < moverHz) return makeMover(body)
  const made = reeds(body.modes)
  return {
    body,
    kind: 'reeds',
    shape: made,
    flip: 1,
    scale: 1,
    turn: [0, 0, 0],
    size: 1,
    wide: made.width,
    deep: 0.14,
    low: -0.1,
    tall: 0.62,
  }
}

function makeMover(body) {
  const mass = body.modes?.[0]?.mass_kg ?? 0.1
  const radius = Math.min(0.14, Math.max(0.06, 0.085 * Math.cbrt(mass / 0.05) ** 0.6))
  return {
    body,
    kind: 'mover',
    radius,
    wide: radius * 2,
    deep: radius * 2,
    low: -radius,
    point: `${body.name}.${body.points[0]?.name ?? 'at'}`,
    ball: body.modes?.length > 1,
  }
}

function measure(shape) {
  const box = new THREE.Box3().setFromArray(shape.vertices)
  const size = box.getSize(new THREE.Vector3())
  return { extent: size, size: size.length(), flat: size.z < 1e-6 * size.length(), scale: 1, turn: [0, 0, 0] }
}

/** Sizes keep their proportions. Several long things lie side by side, as the bars of a xylophone do; strings one behind
 * another; the rest in a row. */
function placeCarriers(carriers, info) {
  const shaped = carriers.filter((thing) => thing.kind === 'shape')
  const behind = shaped.length > 1 && carriers.every((thing) => thing.body.kind === 'string')
  const sideways = !behind && shaped.length > 2 && shaped.every((thing) => long.includes(thing.shape.kind))
  const largest = Math.max(...shaped.map((thing) => thing.size), 0)
  const wanted = sideways ? 1.25 : shaped.length > 1 && !behind ? 1.1 : 1.6
  for (const thing of shaped) sizeUp(thing, wanted / largest, sideways, info)
  if (behind)
    carriers.forEach((thing, i) => (thing.place = new THREE.Vector3(0, 0.4 * (i - (carriers.length - 1) / 2), 0)))
  else inARow(carriers, sideways ? 0.05 : 0.3)
}

function sizeUp(thing, scale, sideways, info) {
  const along = thing.extent.x * scale
  const across = Math.max(0.06, thing.extent.y * scale)
  Object.assign(thing, {
    scale,
    turn: sideways ? [0, 0, Math.PI / 2] : thing.turn,
    wide: sideways ? across : along,
    deep: sideways ? along : across,
    low: -0.05,
    tall: thing.extent.z * scale,
    flip: struckFromBelow(thing, info) ? -1 : 1,
  })
}

function inARow(carriers, gap) {
  const whole = carriers.reduce((sum, thing) => sum + thing.wide + gap, -gap)
  let x = -whole / 2
  for (const thing of carriers) {
    thing.place = new THREE.Vector3(x + thing.wide / 2, 0, 0)
    x += thing.wide + gap
  }
}

/** What strikes from below is drawn as coming from above, so the picture of its carrier is turned over. */
function struckFromBelow(thing, info) {
  const contact = info.contacts.find(
    (contact) => contact.kind === 'impact' && [bodyOf(contact.a), bodyOf(contact.b)].includes(thing.body.name),
  )
  return Boolean(contact) && contact.from !== 'above' && bodyOf(contact.b) === thing.body.name
}

function placeMovers(things) {
  const loose = things.filter((thing) => thing.kind === 'mover')
  const placed = new Set(things.filter((thing) => thing.place))
  const row = loose.filter(
    (thing) => !thing.touches.some((touch) => [...placed].some((other) => other.body.name === touch.other)),
  )
  const span = row.reduce((sum, thing) => sum + thing.wide, 0)
  let x = -span / 2
  for (const thing of row) {
    thing.row = thing.touches.length > 0
    thing.hangs = thing.row && thing.body.modes?.[0]?.hz > 0
    thing.place = new THREE.Vector3(x + thing.wide / 2, 0, placed.size ? 0.9 : 0.2)
    thing.home = thing.place.clone()
    x += thing.wide
  }
  for (const thing of loose.filter((thing) => !thing.place)) placeOver(thing, placed)
  for (const carrier of things.filter((thing) => thing.kind === 'reeds')) spread(carrier, loose)
}

/** Several over the same reeds, which have no places of their own: side by side. */
function spread(carrier, movers) {
  const over = movers.filter((thing) => thing.rests === carrier && thing.place.x === carrier.place.x)
  over.forEach((thing, i) => {
    thing.place.x += ((i + 1) / (over.length + 1) - 0.5) * carrier.wide
    thing.home = thing.place.clone()
    if (thing.slides) thing.run = Math.min(thing.run, (1.4 * carrier.wide) / over.length)
  })
}

function placeOver(thing, placed) {
  const touch = thing.touches.find((touch) => [...placed].some((other) => other.body.name === touch.other))
  const carrier = [...placed].find((other) => other.body.name === touch.other)
  const friction = touch.contact.kind === 'friction'
  const carriers = thing.touches
    .map((touch) => [...placed].find((other) => other.body.name === touch.other))
    .filter(Boolean)
  const middle = carriers.reduce((sum, other) => sum + other.place.x, 0) / carriers.length
  const top = carrier.kind !== 'shape' || carrier.tall > 0.1 ? carrier.tall : 0.02
  thing.slides = friction
  thing.travels = carrier.body.points?.some((point) => point.name === touch.otherPoint && point.follows)
  /* a ring turns under what touches it; along anything else the mover travels */
  if (thing.travels && carrier.shape.kind === 'ring') carrier.spins = `${carrier.body.name}.${touch.otherPoint}`
  if (carrier.kind === 'shape')
    thing.radius = Math.min(thing.radius, Math.max(0.045, 0.3 * Math.min(carrier.wide, carrier.deep)))
  thing.rests = carrier
  thing.restsAt = touch.otherPoint
  thing.contact = friction ? null : touch.contact
  thing.metre = carrier.kind === 'shape' ? carrier.scale : 2.5
  thing.roof = 0.34
  thing.run = Math.max(0.8, carrier.wide)
  thing.place = new THREE.Vector3(
    carriers.length > 1 && carrier.kind === 'reeds' ? middle : carrier.place.x,
    0,
    top + thing.radius + (friction ? 0.02 : 0.005),
  )
  thing.home = thing.place.clone()
}
