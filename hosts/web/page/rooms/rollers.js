// What is rolled or slid at a told speed: a barrel over planks, a skateboard over tiles, cans over a table. The viewer goes
// along, and the ground runs past by the way the engine has gone; its joints are as far apart as the engine's surface has
// them. Turning, and how far it jumps, are the engine's.
import { bodyOf } from '../stage/roles.js'
import { HeroRoom, vec } from './hero.js'
import { above } from './things.js'

const roles = ['barrel', 'skateboard', 'can']
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
    const s = this.size
    const view = {
      barrel: { wide: s * 2.2, high: s, elevation: 11, azimuth: -58, fill: 0.68 },
      skateboard: { wide: 1.0, high: 0.3, elevation: 12, azimuth: -62, fill: 0.62 },
      can: { wide: s * 3, high: s * 1.35, elevation: 13, azimuth: -76, fill: 0.66 },
    }[role]
    this.show(vec(0, 0, role === 'skateboard' ? 0.06 : role === 'can' ? s * 0.6 : s * 0.42), view)
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
    thing.turned = {
      barrel: () => this.barrel(thing),
      skateboard: () => this.skateboard(thing),
      can: () => this.can(thing),
    }[body.role]()
    thing.group.position.x = count > 1 ? (i - (count - 1) / 2) * thing.radius * 4.2 : 0
    this.solids.push(thing.group)
    this.add(thing.group)
    return thing
  }

  /** Lying across the way: staves with a belly, iron hoops, heads with a mark. */
  barrel({ group, radius: r }) {
    const { kit } = this
    const half = r * 1.25
    const belly = (t) => r * (1 - 0.2 * t * t)
    const profile = []
    for (let i = 0; i <= 12; i++) profile.push([belly(i / 6 - 1), (i / 6 - 1) * half])
    const turned = kit.group(kit.lathe(profile, 'oak', { around: 20 }))
    for (const t of [-0.95, -0.6, 0.6, 0.95]) {
      const hoop = kit.lathe(
        [
          [belly(t) * 1.005, (t - 0.06) * half],
          [belly(t) * 1.03, (t - 0.05) * half],
          [belly(t) * 1.03, (t + 0.05) * half],
          [belly(t) * 1.005, (t + 0.06) * half],
        ],
        'iron',
        { sharp: true },
      )
      turned.add(hoop)
    }
    for (const side of [-1, 1]) {
      const head = kit.rod(vec(0, 0, side * half * 0.9), vec(0, 0, side * half * 0.94), r * 0.78, 'wood')
      const bar = kit.plank(r * 1.3, r * 0.2, r * 0.05, 'oak')
      bar.position.z = side * half * 0.96
      turned.add(head, bar)
    }
    const bung = kit.rod(vec(0, r * 0.9, 0), vec(0, r * 1.06, 0), r * 0.09, 'accent')
    turned.add(bung)
    turned.rotation.x = Math.PI / 2
    const spin = kit.group(turned)
    spin.position.z = r
    group.add(spin)
    return [spin]
  }

  /** A deck with lifted ends, two trucks, four wheels. */
  skateboard({ group, radius: r }) {
    const { kit } = this
    const [long, wide] = [0.8, 0.2]
    const high = 0.1
    const deck = kit.extrude(
      [
        [-long / 2, 0.045],
        [-long * 0.36, 0],
        [long * 0.36, 0],
        [long / 2, 0.045],
        [long / 2, 0.057],
        [long * 0.355, 0.012],
        [-long * 0.355, 0.012],
        [-long / 2, 0.057],
      ],
      wide,
      'wood',
      { bevel: 0.004 },
    )
    deck.rotation.x = Math.PI / 2
    deck.position.set(0, wide / 2, high)
    group.add(deck)
    const wheels = []
    for (const x of [-0.27, 0.27]) {
      group.add(kit.rod(vec(x, -wide * 0.42, r), vec(x, wide * 0.42, r), 0.009, 'steel'))
      const truck = kit.extrude(
        [
          [-0.04, 0.045],
          [0.04, 0.045],
          [0.012, 0],
          [-0.012, 0],
        ],
        0.07,
        'iron',
        { bevel: 0.003 },
      )
      truck.rotation.x = Math.PI / 2
      truck.position.set(x, 0.035, r + 0.008)
      group.add(truck)
      for (const side of [-1, 1]) {
        const wheel = kit.wheel(r, 0.034, { spokes: 3, look: 'hair', flange: false })
        wheel.position.set(x, side * wide * 0.4, r)
        group.add(wheel)
        wheels.push(wheel)
      }
    }
    return wheels
  }

  /** Rolled: lying across the way. Slid: standing, pushed by a hand. */
  can({ group, radius: r, rolls }) {
    const { kit } = this
    const high = r * 3
    const shell = kit.lathe(
      [
        [0, 0],
        [r * 0.94, 0],
        [r, r * 0.06],
        [r, high - r * 0.06],
        [r * 0.94, high],
        [r * 0.9, high - r * 0.05],
        [0, high - r * 0.05],
      ],
      'steel',
      { sharp: true },
    )
    const paper = kit.lathe(
      [
        [r * 1.006, high * 0.14],
        [r * 1.006, high * 0.86],
      ],
      'felt',
      { sharp: true },
    )
    const band = kit.plank(r * 0.5, r * 0.06, high * 0.7, 'hair', r * 0.01)
    band.position.set(0, -r * 0.99, high / 2)
    const whole = kit.group(shell, paper, band)
    const spin = kit.group(whole)
    group.add(spin)
    if (!rolls) {
      const hand = kit.hand('pinch')
      hand.scale.setScalar(0.8)
      hand.position.set(r * 0.2, -r * 0.2, high * 1.02)
      hand.rotation.set(-0.75, 0, 0.55)
      group.add(hand)
      return []
    }
    whole.rotation.x = Math.PI / 2
    whole.position.y = high / 2
    spin.position.z = r
    return [spin]
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
