// What rolls or slides at a told speed. Each is put into its thing's group, standing on z = 0 and going along x, and what
// of it turns is handed back.
import { vec } from './kit.js'

const staves = 16

/** Lying across the way: staves with a belly that stand out over the heads, iron hoops, and a bung. */
function barrel(kit, { group, radius: r }) {
  const half = r * 1.38
  const belly = (t) => r * (1 - 0.24 * t * t)
  const along = (from, to, round) =>
    Array.from({ length: 13 }, (_, i) => from + ((to - from) * i) / 12).map((t) => round(belly(t), t * half))
  const wall = along(-1, 1, (radius, z) => [radius, z])
  const inside = [-1, 1].map((side) => [
    [belly(1), side * half],
    [belly(1) * 0.9, side * half],
    [belly(1) * 0.9, side * half * 0.9],
    [0, side * half * 0.9],
  ])
  const turned = kit.group(kit.lathe(wall, 'oak', { around: 48 }))
  for (const ends of inside) turned.add(kit.lathe(ends, 'wood', { sharp: true, around: 48 }))
  const lines = [...barrelHoops(kit, belly, half), ...barrelSeams(kit, along), ...headSeams(kit, belly(1) * 0.9, half)]
  for (const line of lines) line.userData.engraved = true
  const bung = kit.rod(vec(0, r * 0.9, 0), vec(0, r * 1.06, 0), r * 0.09, 'accent')
  turned.add(...lines, bung)
  turned.rotation.x = Math.PI / 2
  const spin = kit.group(turned)
  spin.position.z = r
  group.add(spin)
  return [spin]
}

const barrelHoops = (kit, belly, half) =>
  [-0.94, -0.72, -0.36, 0.36, 0.72, 0.94].map((t) => {
    const edge = (at, out) => [belly(at) * out, at * half]
    const profile = [edge(t - 0.06, 1), edge(t - 0.055, 1.025), edge(t + 0.055, 1.025), edge(t + 0.06, 1)]
    return kit.lathe(profile, 'iron', { sharp: true })
  })

/** Between two staves, all along. */
const barrelSeams = (kit, along) =>
  Array.from({ length: staves }, (_, i) => {
    const a = (2 * Math.PI * (i + 0.5)) / staves
    const line = along(-0.99, 0.99, (radius, z) => vec(radius * Math.cos(a), radius * Math.sin(a), z))
    return kit.tube(line, belt, 'ebony', { sides: 5, steps: 24 })
  })
const belt = 0.004 /* m: how wide a seam is drawn */

/** Between the boards of either head. */
const headSeams = (kit, r, half) =>
  [-1, 1].flatMap((side) =>
    [-0.5, 0, 0.5].map((at) => {
      const reach = r * Math.sqrt(1 - at * at) * 0.98
      const z = side * half * 0.9
      return kit.rod(vec(-reach, at * r, z), vec(reach, at * r, z), belt, 'ebony')
    }),
  )

/** A deck with round lifted ends, two trucks, four wheels. */
function skateboard(kit, { group, radius: r }) {
  const [long, wide, high, thick] = [0.8, 0.2, 0.1, 0.012]
  const flat = long * 0.32
  const deck = kit.plank(2 * flat + 0.01, wide, thick, 'wood', 0.003)
  deck.position.z = high
  group.add(deck)
  const round = Array.from({ length: 17 }, (_, i) => {
    const a = Math.PI * (i / 16 - 0.5)
    return [0.04 + (long / 2 - flat - 0.03) * Math.cos(a), (wide / 2) * Math.sin(a)]
  })
  for (const side of [-1, 1]) {
    const nose = kit.extrude([[0, -wide / 2], ...round, [0, wide / 2]], thick, 'wood', { bevel: 0.003 })
    const lifted = kit.group(nose)
    nose.position.z = -thick / 2
    nose.rotation.z = side < 0 ? Math.PI : 0
    lifted.position.set(side * flat, 0, high)
    lifted.rotation.y = -side * 0.4
    group.add(lifted)
  }
  return [-0.21, 0.21].flatMap((x) => truck(kit, group, { x, wide, high: high - thick / 2, r }))
}

/** A hanger under the deck, its axle, and two wheels: those are handed back. */
function truck(kit, group, { x, wide, high, r }) {
  const hanger = kit.extrude(
    [
      [-0.05, high - r],
      [0.05, high - r],
      [0.014, 0],
      [-0.014, 0],
    ],
    0.08,
    'iron',
    { bevel: 0.003 },
  )
  hanger.rotation.x = Math.PI / 2
  hanger.position.set(x, 0.04, r)
  group.add(hanger, kit.rod(vec(x, -wide * 0.5, r), vec(x, wide * 0.5, r), 0.008, 'steel'))
  return [-1, 1].map((side) => {
    const made = skateWheel(kit, r)
    made.position.set(x, side * wide * 0.4, r)
    group.add(made)
    return made
  })
}

/** Solid, with rounded shoulders, a bearing on either face, and a mark so that it is seen to turn. */
function skateWheel(kit, r) {
  const half = r * 0.62
  const tyre = kit.lathe(
    [
      [0, -half * 0.8],
      [r * 0.72, -half],
      [r * 0.93, -half * 0.86],
      [r, -half * 0.5],
      [r, half * 0.5],
      [r * 0.93, half * 0.86],
      [r * 0.72, half],
      [0, half * 0.8],
    ],
    'felt',
    { sharp: true, around: 40 },
  )
  const parts = [tyre]
  for (const side of [-1, 1]) {
    parts.push(kit.rod(vec(0, 0, side * half * 0.6), vec(0, 0, side * half * 1.05), r * 0.36, 'steel'))
    parts.push(kit.rod(vec(r * 0.62, 0, side * half * 0.7), vec(r * 0.62, 0, side * half * 1.02), r * 0.12, 'hair'))
  }
  const turned = kit.group(...parts)
  turned.rotation.x = Math.PI / 2
  return kit.group(turned)
}

/** The wall of a tin: a seam that stands out at either end, and ribs over and under its paper. */
function tinProfile(r, high) {
  const rib = [0.1, 0.13, 0.16, 0.19, 0.22].map((z, i) => [r * (i % 2 ? 0.94 : 1), z * high])
  const half = [
    [0, r * 0.06],
    [r * 0.96, r * 0.06],
    [r * 0.98, 0],
    [r * 1.06, 0],
    [r * 1.06, r * 0.13],
    [r, r * 0.16],
  ]
  const low = [...half, ...rib]
  return [...low, ...low.map(([x, z]) => [x, high - z]).reverse()]
}

/** Rolled: lying across the way. Slid: standing, pushed by a hand. */
function can(kit, { group, radius: r, rolls }) {
  const high = r * 3
  const shell = kit.lathe(tinProfile(r, high), 'steel', { sharp: true })
  const paper = kit.lathe(
    [
      [r * 1.006, high * 0.26],
      [r * 1.006, high * 0.74],
    ],
    'felt',
    { sharp: true },
  )
  const band = kit.plank(r * 0.5, r * 0.06, high * 0.46, 'hair', r * 0.01)
  band.position.set(0, -r * 0.99, high / 2)
  const whole = kit.group(shell, paper, band)
  const spin = kit.group(whole)
  group.add(spin)
  if (!rolls) {
    const hand = kit.hand('pinch')
    hand.scale.setScalar(0.8)
    hand.position.set(r * 0.7, -r * 0.2, high * 1.02)
    hand.rotation.set(-0.5, 0, 1.3)
    group.add(hand)
    return []
  }
  whole.rotation.x = Math.PI / 2
  whole.position.y = high / 2
  spin.position.z = r
  return [spin]
}

/** By role: (kit, {group, radius, rolls}) => the parts that turn about y. */
export const rollingThings = { barrel, skateboard, can }
