// The disc brake: a drilled steel disc on the arms of its hub, and a caliper whose pads the engine presses. The disc is
// turned by the place that has travelled under the pad; the braked ring is as wide and as thick as the scene says.
import { bodyOf } from '../stage/roles.js'
import { share } from '../ui/scale.js'
import { HeroRoom, given, vec } from './hero.js'
import { rubOf } from './travel.js'

const arms = 6
const leg = 1.8 /* rad from the horizon: where the fork's leg goes */
const grip = 0.95 /* rad: where on the rim the caliper sits */

export class BrakeRoom extends HeroRoom {
  static fits(info) {
    const disc = info.bodies.find((body) => body.shape === 'ring')
    return Boolean(disc && disc.points.some((point) => point.follows) && rubOf(info, disc))
  }

  get hint() {
    return 'Take the disc: across turns it, down presses the pads. Let go to release them.'
  }

  build() {
    this.hand.lighten()
    const disc = this.info.bodies.find((body) => body.shape === 'ring')
    const contact = rubOf(this.info, disc)
    const own = bodyOf(contact.a) === disc.name ? contact.a : contact.b
    this.rubs = this.info.contacts
      .filter((one) => one.kind === 'friction')
      .map((one) => this.tap(`${one.name}.pressed_n`))
    this.turned = this.tap(`${own}.place_u`)
    const r = disc.made?.radius_m || 0.08
    this.radius = r
    const [wide] = disc.made?.size_m ?? []
    this.makeDisc(r, given(disc.made?.thickness_m, r * 0.15), given(wide, r * 0.05))
    this.makeFork(r)
    this.makeCaliper(r)
    this.shadow(0, 0, -r * 1.35, r * 3.4, r * 1.9)
    this.show({ azimuth: -68, elevation: 9, fill: 0.68 })
  }

  /** Stands in the plane x–z and turns about y: the ring that is braked, `broad` and drilled, on six swept arms. */
  makeDisc(r, broad, thick) {
    const { kit } = this
    const [outer, inner] = [r + broad / 2, r - broad / 2]
    const holes = []
    for (let i = 0; i < 30; i++) holes.push(circle(broad * 0.2, 12, polar(r + broad * (i % 2 ? 0.16 : -0.16), i / 30)))
    for (let i = 0; i < arms; i++) holes.push(opening(r * 0.36, inner - broad * 0.1, i / arms))
    const disc = kit.extrude(circle(outer, 96), thick, 'steel', { holes, bevel: thick * 0.08 })
    disc.position.z = -thick / 2
    const hub = kit.rod(vec(0, 0, -r * 0.3), vec(0, 0, r * 0.16), r * 0.15, 'iron')
    const bolts = Array.from({ length: arms }, (_, i) => {
      const [x, y] = polar(r * 0.27, i / arms)
      return kit.rod(vec(x, y, -thick), vec(x, y, thick * 1.2), r * 0.035, i ? 'iron' : 'accent')
    })
    const flat = kit.group(disc, hub, ...bolts)
    flat.rotation.x = Math.PI / 2
    this.disc = kit.group(flat)
    this.solids.push(this.disc)
    this.add(this.disc)
  }

  /** What holds the axle and the caliper: one leg of a bicycle's fork, behind the disc. */
  makeFork(r) {
    const { kit } = this
    const y = r * 0.3
    const along = (far) => vec(r * far * Math.cos(leg), y, r * far * Math.sin(leg))
    const lower = kit.rod(along(-0.16), along(1.25), r * 0.1, 'iron', r * 0.12)
    const upper = kit.rod(along(1.25), along(1.75), r * 0.09, 'steel')
    this.add(lower, upper, kit.rod(vec(0, -r * 0.2, 0), vec(0, y * 1.2, 0), r * 0.08, 'iron'))
    this.unframed(lower, upper)
  }

  /** Over the rim like a bracket: two jaws with their pads, the bridge that joins them, ears, and the hose. In a group whose
   * z goes out from the axle and whose x goes along the rim. */
  makeCaliper(r) {
    const { kit } = this
    const fixed = kit.group()
    fixed.rotation.y = Math.PI / 2 - grip
    this.pads = [-1, 1].map((side) => {
      const shell = kit.extrude(jawOutline(r), r * 0.15, 'cool', { bevel: r * 0.03, smooth: true })
      shell.rotation.x = Math.PI / 2
      shell.position.y = r * 0.075 + side * r * 0.14
      const pad = kit.plank(r * 0.38, r * 0.05, r * 0.24, 'felt')
      pad.position.set(0, side * r * 0.03, r * 0.98)
      const piston = kit.rod(vec(0, side * r * 0.2, r), vec(0, side * r * 0.26, r), r * 0.13, 'iron')
      const jaw = kit.group(shell, pad, piston)
      fixed.add(jaw)
      return { side, jaw }
    })
    const bridge = kit.plank(r * 0.44, r * 0.46, r * 0.16, 'cool', r * 0.04)
    bridge.position.z = r * 1.3
    const ear = kit.extrude(box(r * 0.5, r * 0.11), r * 0.1, 'cool', {
      bevel: r * 0.02,
      holes: [-1, 1].map((side) => circle(r * 0.05, 14, [side * r * 0.4, 0])),
    })
    ear.rotation.x = Math.PI / 2
    ear.position.set(0, r * 0.3, r * 1.26)
    fixed.add(bridge, ear)
    this.add(fixed, this.makeHose(r))
  }

  makeHose(r) {
    const path = [
      [0.72, 1.14],
      [0.84, 1.33],
      [0.8, 1.6],
      [0.5, 1.86],
    ]
    const points = path.map(([x, z]) => vec(x * r, 0.1 * r, z * r))
    const nut = this.kit.rod(points[0], points[0].clone().lerp(points[1], 0.5), r * 0.07, 'steel')
    const hose = this.kit.group(nut, this.kit.tube(points, r * 0.04, 'ebony'))
    this.unframed(hose)
    return hose
  }

  move() {
    this.disc.rotation.y = 2 * Math.PI * (this.now(this.turned) % 1)
    const force = Math.max(0, ...this.rubs.map((path) => this.now(path)))
    const firm = force > 0 && this.roles.press ? share(this.roles.press, force) : 0
    const clear = this.radius * (force > 0 ? 0.05 - 0.012 * firm : 0.11)
    for (const { side, jaw } of this.pads) jaw.position.y = side * clear
  }
}

const polar = (r, turns) => [r * Math.cos(2 * Math.PI * turns), r * Math.sin(2 * Math.PI * turns)]
const circle = (r, n, [x, y] = [0, 0]) =>
  Array.from({ length: n }, (_, i) => polar(r, i / n).map((value, axis) => value + [x, y][axis]))
const box = (x, y) => [
  [-x, -y],
  [x, -y],
  [x, y],
  [-x, y],
]

/** What is cut out between two arms, which sweep back as they go out. */
function opening(from, to, turns) {
  const steps = 8
  const side = (narrow, wide) =>
    Array.from({ length: steps + 1 }, (_, i) => {
      const t = i / steps
      return polar(from + (to - from) * t, turns + narrow + (wide - narrow) * t - 0.09 * t)
    })
  const arc = Array.from({ length: steps - 1 }, (_, i) => polar(to, turns + 0.022 + (0.123 * (i + 1)) / steps - 0.09))
  return [...side(0.045, 0.022), ...arc, ...side(0.122, 0.145).reverse()]
}

/** One half of a caliper, over the pads and round where the piston is. */
const jawOutline = (r) =>
  [
    [-0.24, 0.92],
    [-0.14, 0.84],
    [0.14, 0.84],
    [0.24, 0.92],
    [0.28, 1.14],
    [0.2, 1.34],
    [-0.2, 1.34],
    [-0.28, 1.14],
  ].map(([x, z]) => [x * r, z * r])
