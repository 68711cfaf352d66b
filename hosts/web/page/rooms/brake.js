// The disc brake: a steel disc with holes on its hub, and a caliper whose pads the engine presses. The disc is turned by
// the place that has travelled under the pad.
import { bodyOf } from '../stage/roles.js'
import { share } from '../ui/scale.js'
import { HeroRoom, vec } from './hero.js'
import { rubOf } from './travel.js'

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
    this.makeDisc(r, Math.max(disc.made?.thickness_m || 0.004, r * 0.05))
    this.makeFork(r)
    this.makeCaliper(r)
    this.shadow(0, 0, -r * 1.35, r * 3.4, r * 1.9)
    this.show({ azimuth: -58, elevation: 12, fill: 0.67 })
  }

  /** Stands in the plane x–z and turns about y. */
  makeDisc(r, thick) {
    const { kit } = this
    const hole = (a, at, size) => circle(size, 12).map(([x, y]) => [x + at * Math.cos(a), y + at * Math.sin(a)])
    const holes = []
    for (let i = 0; i < 24; i++) holes.push(hole((2 * Math.PI * i) / 24, r * (i % 2 ? 0.88 : 0.74), r * 0.05))
    for (let i = 0; i < 6; i++) {
      const a = (2 * Math.PI * (i + 0.5)) / 6
      holes.push(hole(a, r * 0.45, r * 0.15))
    }
    const disc = kit.extrude(circle(r, 96), thick, 'steel', { holes, bevel: thick * 0.08 })
    disc.position.z = -thick / 2
    const hub = kit.rod(vec(0, 0, -r * 0.28), vec(0, 0, r * 0.28), r * 0.2, 'iron')
    const bolts = [0, 1, 2, 3, 4, 5].map((i) => {
      const a = (Math.PI * i) / 3
      const at = (z) => vec(r * 0.28 * Math.cos(a), r * 0.28 * Math.sin(a), z)
      return kit.rod(at(-thick), at(thick * 1.2), r * 0.03, i ? 'iron' : 'accent')
    })
    const flat = kit.group(disc, hub, ...bolts)
    flat.rotation.x = Math.PI / 2
    this.disc = kit.group(flat)
    this.solids.push(this.disc)
    this.add(this.disc)
  }

  /** What holds the axle and the caliper: one leg of a motorcycle's fork, behind the disc. */
  makeFork(r) {
    const { kit } = this
    const y = r * 0.34
    const out = (way) => vec(way * 0.77 * r, y, way * 0.64 * r)
    this.add(kit.rod(out(-0.25), out(1.2), r * 0.14, 'iron', r * 0.12))
    this.add(kit.rod(out(1.2), out(1.9), r * 0.1, 'steel', r * 0.1))
    this.add(kit.rod(vec(0, -r * 0.1, 0), vec(0, y * 1.2, 0), r * 0.1, 'iron'))
  }

  makeCaliper(r) {
    const { kit } = this
    const at = vec(Math.cos(0.7) * r * 0.86, 0, Math.sin(0.7) * r * 0.86)
    this.pads = [-1, 1].map((side) => {
      const pad = kit.plank(r * 0.3, r * 0.05, r * 0.42, 'felt')
      const shell = kit.plank(r * 0.4, r * 0.2, r * 0.56, 'cool')
      shell.position.y = side * r * 0.14
      const jaw = kit.group(pad, shell)
      jaw.rotation.y = -0.7 + Math.PI / 2
      jaw.position.copy(at)
      this.add(jaw)
      return { side, jaw }
    })
    const bridge = kit.plank(r * 0.2, r * 0.5, r * 0.5, 'cool')
    bridge.rotation.y = -0.7
    bridge.position.copy(at.clone().multiplyScalar(1.34))
    this.add(bridge)
  }

  move() {
    this.disc.rotation.y = 2 * Math.PI * (this.now(this.turned) % 1)
    const force = Math.max(0, ...this.rubs.map((path) => this.now(path)))
    const firm = force > 0 && this.roles.press ? share(this.roles.press, force) : 0
    const clear = this.radius * (force > 0 ? 0.05 - 0.012 * firm : 0.11)
    for (const { side, jaw } of this.pads) jaw.position.y = side * clear
  }
}

const circle = (r, n) =>
  Array.from({ length: n }, (_, i) => [r * Math.cos((2 * Math.PI * i) / n), r * Math.sin((2 * Math.PI * i) / n)])
