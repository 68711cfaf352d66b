// The door: leaves that swing on their hinges. A leaf's angle is what the engine's body has moved at the hinge, over the
// lever that its scene says; where a scene only has a speed (an action on an object), the angle is the way gone at that
// speed, to and fro between shut and open.
import { bodyOf, steps } from '../stage/roles.js'
import { HeroRoom, given, vec, within } from './hero.js'

const ajar = 0.6 /* rad: how far a leaf stands open at rest, so that it is seen to be one */
const most = 1.75 /* rad: a leaf that is pushed further is drawn slower and slower towards this */
const thick = 0.045
const follow = 0.02 /* s: how fast the engine follows the second finger */

export class DoorRoom extends HeroRoom {
  static fits(info) {
    return HeroRoom.cast(info, 'leaf').length > 0
  }

  get hint() {
    return 'Push a leaf: across swings it, down bears on its hinges. Let go, and it comes to rest.'
  }

  build() {
    const found = this.cast('leaf')
    this.leaves = found.map((body, i) => this.makeLeaf(body, found.length > 1 && i === found.length - 1 ? 1 : -1))
    const [{ wide, high }] = this.leaves
    const half = (wide * this.leaves.length) / 2 + 0.015
    this.makeFrame(half, high)
    for (const leaf of this.leaves) this.hang(leaf, half)
    this.makeHands(high)
    this.shadow(0, -0.25, 0, half * 3.4, 2.2)
    this.show({ azimuth: -66, elevation: 14, fill: 0.66 })
  }

  /** Whose motion swings a leaf: the far side of the contact with its hinge, or the source that acts on it. */
  makeLeaf(body, side) {
    const extent = body.shape ? extentOf(this.engine.shape(body.name).vertices) : [0.75, 2]
    const leaf = { body, side, wide: given(body.drawn_width_m, extent[0]), high: given(body.drawn_height_m, extent[1]) }
    const lever = given(body.drawn_lever_m, 0.2)
    const source = this.info.sources?.find((source) => bodyOf(source.at) === body.name)
    if (source) return { ...leaf, lever, speed: this.tap(`${source.name}.speed_m_s`), way: 0, turn: 1 }
    return { ...leaf, lever, at: this.tap(`${this.swinging(body)}.tangential_x_m`) }
  }

  /** The scene may have led the hinge by a hand instead of the leaf: then the hand is what swings. */
  swinging(body) {
    const pairs = this.info.contacts.filter((contact) => contact.kind === 'friction')
    const own = pairs.find((contact) => [contact.a, contact.b].some((end) => bodyOf(end) === body.name))
    if (own) return bodyOf(own.a) === body.name ? own.a : own.b
    return pairs[this.cast('leaf').indexOf(body)]?.a ?? `${body.name}.${body.points[0].name}`
  }

  makeFrame(half, high) {
    const { kit } = this
    const post = (x) => {
      const made = kit.plank(0.11, 0.14, high + 0.06, 'stone')
      made.position.set(x, 0, (high + 0.06) / 2)
      return made
    }
    const lintel = kit.plank(half * 2 + 0.42, 0.17, 0.15, 'stone')
    lintel.position.z = high + 0.11
    const sill = kit.plank(half * 2 + 0.5, 0.34, 0.07, 'stone')
    sill.position.z = -0.03
    this.add(post(-half - 0.06), post(half + 0.06), lintel, sill)
  }

  /** Boards, two ledges and a brace, and a ring to pull. */
  hang(leaf, half) {
    const { kit } = this
    const { wide, high, side } = leaf
    const group = kit.group()
    const inwards = -side
    const boards = 4
    for (let i = 0; i < boards; i++) {
      const board = kit.plank(wide / boards - 0.006, thick, high - 0.03, 'wood', 0.008)
      board.position.set(inwards * wide * ((i + 0.5) / boards), 0, high / 2 + 0.015)
      group.add(board)
    }
    for (const z of [0.16, 0.84]) {
      const ledge = kit.plank(wide * 0.94, 0.03, high * 0.07, 'oak')
      ledge.position.set((inwards * wide) / 2, -thick * 0.8, high * z)
      const hinge = kit.hinge(0.17, 0.022)
      hinge.position.set(0, -thick * 0.5, high * z)
      const strap = kit.plank(wide * 0.5, 0.012, 0.045, 'iron')
      strap.position.set(inwards * wide * 0.27, -thick * 0.8 - 0.02, high * z)
      group.add(ledge, hinge, strap)
    }
    const brace = kit.plank(Math.hypot(wide * 0.8, high * 0.6), 0.028, high * 0.055, 'oak')
    brace.position.set((inwards * wide) / 2, -thick * 0.8, high / 2)
    brace.rotation.y = -inwards * Math.atan2(high * 0.6, wide * 0.8)
    const ring = kit.tube(circle(0.05, 24), 0.009, 'iron', { closed: true })
    ring.position.set(inwards * wide * 0.9, -thick * 0.5 - 0.03, high * 0.49)
    ring.rotation.x = Math.PI / 2
    group.add(brace, ring)
    group.position.x = side * half
    group.rotation.z = side * ajar
    leaf.group = group
    group.userData.leaf = leaf
    this.solids.push(group)
    this.add(group)
  }

  /** For the finger that leads, and for one on another leaf. */
  makeHands(high) {
    this.palms = [0, 1].map(() => this.kit.hand('flat'))
    for (const palm of this.palms) palm.scale.setScalar(1.25)
    this.palmHigh = high * 0.62
    this.busyMayLead = true
  }

  angle(leaf, seconds) {
    if (leaf.at) return ajar + within(this.now(leaf.at) / leaf.lever, most)
    leaf.way += (leaf.turn * this.now(leaf.speed) * seconds) / leaf.lever
    if (leaf.way > 0.8 || leaf.way < -ajar) leaf.turn = leaf.way > 0 ? -1 : 1
    return ajar + leaf.way
  }

  move(now, seconds) {
    for (const leaf of this.leaves) {
      leaf.angle = this.angle(leaf, seconds)
      leaf.group.rotation.z = leaf.side * leaf.angle
    }
    this.moveHand(this.palms[0], this.hand.down ? this.held : null)
    this.moveHand(this.palms[1], this.other?.leaf)
  }

  /** A hand on a leaf that is pushed, while it is pushed. */
  moveHand(palm, leaf) {
    palm.visible = Boolean(leaf)
    if (!leaf) return
    const { wide, side, group } = leaf
    if (palm.parent !== group) group.add(palm)
    palm.position.set(-side * wide * 0.72, -thick * 0.6 - 0.02, this.palmHigh)
    palm.rotation.set(0, 0, 0)
    palm.rotateX(Math.PI * 0.5)
    palm.rotateZ(-side * 0.35)
  }

  /** Another finger on another leaf pushes that one alone. The control pushes them all: what it says holds again once the
   * finger is lifted. */
  otherFinger(pointer) {
    if (pointer.kind === 'down') {
      const leaf = this.leafAt(pointer)
      const own = leaf && this.roles.push.targets.find(({ path }) => steps(path)[0] === leaf.body.name)
      if (!own || leaf === this.held || this.other) return false
      this.other = { id: pointer.id, leaf, path: own.path, from: pointer.x, push: 0 }
    }
    if (this.other?.id !== pointer.id) return false
    const { leaf, from, path } = this.other
    if (pointer.kind === 'up') {
      this.other = null
      this.engine.set(path, this.engine.get(this.roles.push.name), follow)
      return true
    }
    this.other.push = this.hand.pushOf(leaf.side * (pointer.x - from), this.stage)
    this.pushOther()
    return true
  }

  pushOther() {
    if (this.other) this.engine.set(this.other.path, this.other.push, follow)
  }

  leafAt(pointer) {
    let thing = this.pick(pointer)?.object
    while (thing && !thing.userData.leaf) thing = thing.parent
    return thing?.userData.leaf ?? null
  }

  /** A leaf follows the pointer: its free edge goes left when the left one opens, right when the right one does. */
  pointer(pointer) {
    if (pointer.kind === 'down') {
      this.held = this.leafAt(pointer) ?? this.leaves.at(-1)
      this.from = pointer.x
    }
    const mirrored = this.held?.side < 0 && this.from !== undefined && pointer.kind !== 'hover'
    super.pointer(mirrored ? { ...pointer, x: 2 * this.from - pointer.x } : pointer)
    this.pushOther()
  }
}

const circle = (r, n) =>
  Array.from({ length: n }, (_, i) => vec(r * Math.cos((2 * Math.PI * i) / n), r * Math.sin((2 * Math.PI * i) / n), 0))

function extentOf(vertices) {
  const least = [Infinity, Infinity]
  const greatest = [-Infinity, -Infinity]
  for (let i = 0; i < vertices.length; i++)
    if (i % 3 < 2) {
      least[i % 3] = Math.min(least[i % 3], vertices[i])
      greatest[i % 3] = Math.max(greatest[i % 3], vertices[i])
    }
  return [greatest[0] - least[0], greatest[1] - least[1]]
}
