// What is wiped or scraped: a sheet in a vice, a dinner plate, a block on its base. Each is put into the room, which keeps
// its measures: `top` is the height of the face, `size` what the tool is measured by, `view` where it is looked at from.
import { Magnifier } from '../stage/vibrating.js'
import { vec } from './kit.js'

/** A sheet held by its edge in a clamp, whose screw stands up from the bench. */
export function makeSheet(room, body) {
  const { kit } = room
  const size = room.makeShape(body, Math.max(body.made?.thickness_m || 0.002, 0.002))
  room.wide = size.x
  room.deep = size.y
  room.top = size.z / 2
  const jaw = room.deep * 0.25
  for (const side of [-1, 1]) {
    const part = kit.plank(jaw * 1.4, room.deep * 0.7, jaw, 'iron')
    part.position.set(-room.wide / 2, 0, side * (jaw / 2 + 0.001))
    room.add(part)
  }
  const x = -room.wide / 2
  const screw = kit.rod(vec(x, 0, jaw), vec(x, 0, 2.1 * jaw), jaw * 0.22, 'steel')
  const bar = kit.rod(vec(x - jaw, 0, 2 * jaw), vec(x + jaw, 0, 2 * jaw), jaw * 0.1, 'steel')
  const post = kit.plank(jaw, room.deep * 0.4, jaw * 2.6, 'iron')
  post.position.set(-room.wide / 2 - jaw * 0.2, 0, -jaw * 1.6)
  const bench = kit.plank(room.wide * 1.5, room.deep * 1.4, jaw * 0.4, 'oak')
  bench.position.z = -jaw * 3
  room.add(screw, bar, post, bench)
  room.ground(bench)
  room.shadow(0, 0, -jaw * 2.8, room.wide * 1.4, room.deep * 1.6)
  room.size = room.wide
  room.view = { azimuth: -62, elevation: 13, fill: 0.56, rise: 0.2 }
}

/** The bright line a nail leaves: from the furthest place to the left where it was pressed to the furthest to the right. */
export class Scratch {
  constructor(room) {
    this.mesh = room.kit.plank(1, room.deep * 0.03, 0.0006, 'chalk', 0.0001)
    this.mesh.visible = false
    room.engraved(this.mesh)
    room.unframed(this.mesh)
    room.add(this.mesh)
  }

  reach({ x, y, z }) {
    this.least = Math.min(this.least ?? x, x)
    this.most = Math.max(this.most ?? x, x)
    const long = this.most - this.least
    this.mesh.visible = long > 0.001
    this.mesh.scale.x = long
    this.mesh.position.set((this.least + this.most) / 2, y, z + 0.0004)
  }
}

/** A dinner plate; it stands on its foot, and its edge is the engine's disc. */
export function makeDish(room, body) {
  const { kit } = room
  const r = body.made?.radius_m || 0.12
  room.made = null
  room.radius = r
  room.size = r * 1.5
  const profile = [
    [0, 0.1],
    [0.55, 0.1],
    [0.64, 0.14],
    [0.95, 0.24],
    [1, 0.26],
    [1, 0.29],
    [0.94, 0.27],
    [0.64, 0.18],
    [0.56, 0.14],
    [0, 0.14],
  ].map(([x, z]) => [x * r, z * r])
  const dish = kit.lathe(profile, 'ceramic', { around: 72 })
  const foot = kit.lathe(
    [
      [0.5 * r, 0.1 * r],
      [0.52 * r, 0],
      [0.46 * r, 0],
      [0.46 * r, 0.1 * r],
    ],
    'ceramic',
    { sharp: true },
  )
  const line = kit.lathe(
    [
      [0.87 * r, 0.247 * r],
      [0.9 * r, 0.257 * r],
    ],
    'cool',
    { sharp: true, around: 72 },
  )
  room.solids.push(dish)
  room.add(dish, foot, line)
  layTable(room, r)
  room.top = 0.25 * r
  room.shadow(0, 0, 0, r * 2.8, r * 2.8)
  room.view = { azimuth: -90, elevation: 36, fill: 0.6 }
}

/** Fork and knife beside the plate, which say what it is. */
function layTable(room, r) {
  const { kit } = room
  const tines = [0.13, 0.05, -0.03, -0.11].flatMap((x) => [
    [x, 0.35],
    [x, 0.85],
    [x - 0.035, 0.85],
    [x - 0.035, 0.35],
  ])
  const fork = [[0.05, -0.9], [0.03, 0.05], [0.13, 0.2], ...tines, [-0.145, 0.2], [-0.03, 0.05], [-0.05, -0.9]]
  const knife = [
    [0.05, 0],
    [0.05, -0.9],
    [-0.05, -0.9],
    [-0.05, 0.85],
    [0.02, 0.8],
    [0.07, 0.5],
  ]
  const scaled = (outline) => outline.map(([x, y]) => [x * r, y * r])
  for (const [outline, x] of [
    [fork, -1.32],
    [knife, 1.32],
  ]) {
    const tool = kit.extrude(scaled(outline), r * 0.03, 'steel')
    tool.position.set(x * r, 0, 0)
    room.add(tool)
  }
}

/** A block whose top is drawn aside by its modes, held on a base. */
export function makeBlock(room, body) {
  const { kit } = room
  room.wide = 0.3
  room.deep = 0.12
  const high = 0.14
  room.block = kit.plank(room.wide, room.deep, high, 'rubber', 0.012)
  room.block.geometry.translate(0, 0, high / 2)
  room.rest = Float32Array.from(room.block.geometry.attributes.position.array)
  const base = kit.plank(room.wide * 1.2, room.deep * 1.4, high * 0.2, 'oak')
  base.position.z = -high * 0.1
  room.high = high
  room.top = high
  room.size = room.wide
  room.shaken = { body, now: new Float32Array(body.modes.length), magnifier: new Magnifier(0.06) }
  room.solids.push(room.block)
  room.add(room.block, base)
  room.shadow(0, 0, -high * 0.2, room.wide * 1.9, room.deep * 2.6)
  room.view = { azimuth: -60, elevation: 16, fill: 0.57, rise: 0.16 }
}
