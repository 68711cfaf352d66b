// What carries a ball that rolls freely: a tray with rims held by two hands, a board with stops, a floor of boards; and
// the ball itself, striped so that it is seen to turn.
import { vec } from './kit.js'

/** {ball, larger}: never smaller than a share of the plate, and then the room says how much larger. */
export function makeBall(kit, radius, least) {
  const larger = Math.max(1, least / radius)
  const r = radius * larger
  const stripes = [0, 1].map((i) => {
    const circle = Array.from({ length: 24 }, (_, k) => {
      const a = (2 * Math.PI * k) / 24
      return i ? vec(r * Math.cos(a), r * Math.sin(a), 0) : vec(r * Math.cos(a), 0, r * Math.sin(a))
    })
    return kit.tube(circle, r * 0.07, i ? 'cool' : 'hair', { closed: true, steps: 48, sides: 6 })
  })
  return { ball: kit.group(kit.ball(r, 'accent'), ...stripes), larger }
}

/** Rims on four sides of the room's plate, `high` over its face. */
function rims(room, high, wall) {
  const { kit, wide, deep, thick } = room
  for (const side of [-1, 1]) {
    const long = kit.plank(wide + 2 * wall, wall, high + thick, 'oak')
    long.position.set(0, (side * (deep + wall)) / 2, high / 2 - thick / 2)
    const short = kit.plank(wall, deep, high + thick, 'oak')
    short.position.set((side * (wide + wall)) / 2, 0, high / 2 - thick / 2)
    room.tilted.add(long, short)
  }
}

/** A tray, and two hands that hold it. */
export function makeTray(room) {
  const { kit, wide, deep, thick } = room
  const rim = Math.max(3 * room.radius, deep * 0.1)
  const wall = deep * 0.035
  rims(room, rim, wall)
  for (const side of [-1, 1]) {
    const hand = kit.hand('pinch')
    hand.scale.setScalar(0.95)
    hand.position.set(side * (wide / 2 - wall * 0.5), -deep * 0.08, rim - thick + 0.012)
    hand.rotation.set(0, 0, side * 1.35 + (side > 0 ? 0.1 : -0.1))
    room.tilted.add(hand)
  }
  room.seeThrough(room.made.mesh)
  room.shadow(0, 0, -deep * 0.42, wide * 1.5, deep * 1.7)
  room.show({ azimuth: -72, elevation: 36, fill: 0.6 })
}

/** A long flat tray: a board with stops at its ends and an edge as high along its sides. */
export function makeBoard(room) {
  const { wide, deep, thick } = room
  rims(room, Math.max(3 * room.radius, deep * 0.1), deep * 0.05)
  room.seeThrough(room.made.mesh)
  room.shadow(0, 0, -thick, wide * 1.3, deep * 2)
  room.show({ azimuth: -52, elevation: 30, fill: 0.6 })
}

/** A floor of boards in a low frame; what is thrown needs room above it. */
export function makeFloor(room) {
  const { kit, wide, deep, thick } = room
  for (let i = 1; i < 6; i++) {
    const seam = kit.plank(wide, deep * 0.014, 0.0015, 'ebony', 0.0004)
    seam.position.set(0, deep * (i / 6 - 0.5), thick / 2)
    room.engraved(seam)
    room.tilted.add(seam)
  }
  rims(room, thick * 0.5, deep * 0.03)
  room.shadow(0, 0, -deep * 0.16, wide * 1.3, deep * 2)
  room.show({ azimuth: -52, elevation: 21, fill: 0.56, rise: 0.2 })
}
