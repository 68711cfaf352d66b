// What is rolled or slid at a told speed: a barrel over planks, a skateboard over tiles, cans over a table. The viewer goes
// along, and the ground runs past by the way the engine has gone; its joints are as far apart as the engine's surface has
// them. Turning, and how far it jumps, are the engine's.
import { bodyOf } from '../stage/roles.js'
import { HeroRoom, vec } from './hero.js'
import { rollingThings } from './rolling_things.js'
import { above } from './things.js'

const roles = Object.keys(rollingThings)
const jointed = ['boards', 'tiles', 'rails', 'bricks']

export class RollersRoom extends HeroRoom {
  static fits(info) {
    return roles.some((role) => HeroRoom.cast(info, role).length) && info.drives?.length > 0
  }

  get hint() {
    return 'Push it: across is how fast it goes. Let go, and it comes to rest.'
  }

  build() {
    const things = this.info.bodies.filter((body) => roles.includes(body.role))
    this.things = things.map((body, i) => this.makeThing(body, i, things.length))
    const [{ radius, role }] = this.things
    this.size = { barrel: radius * 2.2, skateboard: 0.34, can: radius * 3 }[role]
    this.makeGround()
    this.show(
      {
        barrel: { azimuth: -30, elevation: 15 },
        skateboard: { azimuth: -44, elevation: 21, fill: 0.58 },
        can: { azimuth: -62, elevation: 13, fill: 0.56, rise: 0.25 },
      }[role],
    )
  }

  makeThing(body, i, count) {
    const contact = this.info.contacts.find(
      (one) => one.kind === 'impact' && [one.a, one.b].some((end) => bodyOf(end) === body.name),
    )
    const drive = this.info.drives.find((one) => one.contact === contact?.name)
    const thing = { body, role: body.role, drive, radius: drive.radius_m, rolls: drive.kind === 'roll' }
    thing.way = this.tap(`${drive.name}.x_m`)
    thing.turns = this.tap(`${drive.name}.turns`)
    thing.gap = this.tap(`${contact.name}.compression_m`)
    thing.size = this.tap(`${drive.name}.radius_m`)
    thing.group = this.kit.group()
    thing.turned = rollingThings[body.role](this.kit, thing)
    thing.group.position.x = count > 1 ? (i - (count - 1) / 2) * thing.radius * 4.2 : 0
    this.solids.push(thing.group)
    this.add(thing.group)
    return thing
  }

  /** Pieces of ground, one for each joint of the engine's surface, or boards of a table where it has none. */
  makeGround() {
    const names = this.things
      .flatMap(({ drive }) => this.info.drives.filter((one) => one.contact === drive.contact))
      .map((drive) => drive.surface)
    const surfaces = this.info.surfaces.filter((surface) => names.includes(surface.name))
    this.surface = surfaces.find((surface) => jointed.includes(surface.kind)) ?? null
    this.step = this.surface?.length_m ?? this.size * 0.9
    if (this.surface) this.tap(`${this.surface.name}.length_m`)
    const reach = this.size * (this.things[0].role === 'skateboard' ? 6 : 4.2)
    this.count = Math.min(60, Math.ceil(reach / this.step) + 2)
    const deep = this.size * (this.things[0].role === 'skateboard' ? 2.2 : 1.9)
    const look = this.surface?.kind === 'tiles' ? 'stone' : 'wood'
    const gap = Math.max(this.surface?.gap_m ?? 0.002, this.size * 0.012)
    this.tiles = Array.from({ length: this.count }, () => {
      const tile = this.kit.plank(this.step - gap, deep, this.size * 0.05, look, this.size * 0.006)
      tile.position.z = -this.size * 0.025
      this.add(tile)
      this.ground(tile)
      return tile
    })
    this.built = this.step
    this.shadow(0, 0, 0.002, this.size * 2, deep * 0.8)
  }

  moveGround() {
    const live = this.surface ? this.now(`${this.surface.name}.length_m`) || this.step : this.step
    const span = this.count * live
    const x = this.now(this.things[0].way)
    this.tiles.forEach((tile, i) => {
      tile.scale.x = live / this.built
      tile.position.x = mod(i * live - x + span / 2, span) - span / 2
    })
  }

  move() {
    this.moveGround()
    for (const thing of this.things) {
      const spin = 2 * Math.PI * mod(this.now(thing.turns), 1)
      for (const part of thing.turned) part.rotation.y = spin
      const grown = (this.now(thing.size) || thing.radius) / thing.radius
      if (thing.role !== 'skateboard') thing.group.scale.setScalar(grown)
      thing.group.position.z = above(Math.max(0, -this.now(thing.gap)) * 4, this.size * 0.3)
    }
  }

  get notes() {
    return ['jumps drawn 4×']
  }

  get magnified() {
    return 0
  }
}

const mod = (x, n) => ((x % n) + n) % n
