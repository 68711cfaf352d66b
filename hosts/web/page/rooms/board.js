// The blackboard: a stick of chalk in a hand, and the line it leaves wherever the engine presses it. The hand goes to and
// fro by the way the chalk has gone, a line lower each time.
import * as THREE from '../three/three.module.js'
import { HeroRoom, given, vec } from './hero.js'
import { Travel, rubOf } from './travel.js'

const larger = 3 /* times the chalk's way is drawn: a hand that tries a squeak goes a few centimetres */
const kept = 3000 /* places of the line that stay on the board */

export class BoardRoom extends HeroRoom {
  static fits(info) {
    const [chalk] = HeroRoom.cast(info, 'chalk')
    return Boolean(chalk && rubOf(info, chalk))
  }

  get hint() {
    return 'Take the chalk: across draws it over the board, down presses. Let go to lift it.'
  }

  build() {
    const { kit } = this
    const [chalk] = this.cast('chalk')
    const [board] = this.cast('board')
    this.wide = given(board?.drawn_width_m, 1.2)
    this.high = given(board?.drawn_height_m, 0.75)
    this.travel = new Travel(this, { contact: rubOf(this.info, chalk) })
    this.makeBoard()
    this.lower = 0
    this.line = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: '#f6f3ec', transparent: true, opacity: 0.9 }),
    )
    this.line.frustumCulled = false
    this.points = new Float32Array(kept * 6)
    this.line.geometry.setAttribute('position', new THREE.BufferAttribute(this.points, 3))
    this.count = 0
    this.add(this.line)
    const long = this.high * 0.26
    const stick = kit.rod(vec(0, 0, 0), vec(long * 0.75, -long * 0.55, -long * 0.3), long * 0.09, 'chalk')
    const hand = kit.hand('pinch')
    hand.scale.setScalar(1.25)
    hand.position.set(long * 0.62, -long * 0.46, -long * 0.25)
    hand.rotation.set(0.1, 0.5, 1.15)
    this.tool = kit.group(stick, hand)
    this.solids.push(this.tool, this.slate)
    this.add(this.tool)
    this.unframed(this.tool)
    this.seeThrough(this.slate)
    this.show({ azimuth: -66, elevation: 10, fill: 0.67 })
  }

  /** Slate in a wooden frame, with a ledge for chalk, on an easel. */
  makeBoard() {
    const { kit, wide, high } = this
    const bar = high * 0.06
    const foot = high * 0.2
    this.slate = kit.plank(wide, 0.012, high, 'slate')
    this.slate.position.z = high / 2 + foot
    for (const side of [-1, 1]) {
      const post = kit.plank(bar, 0.035, high + 2 * bar, 'wood')
      post.position.set((side * (wide + bar)) / 2, 0, high / 2 + foot)
      const rail = kit.plank(wide, 0.035, bar, 'wood')
      rail.position.set(0, 0, high / 2 + foot + (side * (high + bar)) / 2)
      const leg = kit.rod(vec(side * wide * 0.44, 0.02, foot), vec(side * wide * 0.5, -0.12, 0), bar * 0.4, 'wood')
      this.add(post, rail, leg)
    }
    const ledge = kit.plank(wide * 0.8, 0.1, bar * 0.4, 'wood')
    ledge.position.set(0, -0.06, foot - bar * 0.2)
    const spare = kit.rod(
      vec(-wide * 0.2, -0.06, foot + bar * 0.2),
      vec(-wide * 0.12, -0.06, foot + bar * 0.2),
      bar * 0.2,
      'chalk',
    )
    this.add(this.slate, ledge, spare)
    this.foot = foot
    this.shadow(0, 0, 0, wide * 1.4, 0.9)
  }

  get notes() {
    return [`way drawn ${larger}×`]
  }

  /** A little lower with every metre, and again at the top when the board is full. */
  move(now, seconds) {
    const { moved, touching } = this.travel.step(seconds)
    const before = this.tip?.clone()
    if (touching) this.lower = (this.lower + Math.abs(moved) * larger * 0.06) % (this.high * 0.62)
    this.tip = vec(
      this.travel.within((this.wide * 0.86) / larger) * larger,
      -0.009,
      this.foot + this.high * 0.86 - this.lower,
    )
    if (touching && before && Math.abs(moved) > 1e-6 && before.distanceTo(this.tip) < this.wide * 0.4)
      this.draw(before, this.tip)
    const away = touching ? 0 : 0.05
    this.lifted = (this.lifted ?? away) + (away - (this.lifted ?? away)) * Math.min(1, seconds * 14)
    this.tool.position.set(this.tip.x, this.tip.y - this.lifted, this.tip.z)
  }

  draw(a, b) {
    const i = (this.count++ % kept) * 6
    this.points.set([a.x, a.y, a.z, b.x, b.y, b.z], i)
    for (let k = 1; k < 5; k++) {
      const j = (this.count++ % kept) * 6
      this.points.set([a.x, a.y, a.z + k * 0.0016, b.x, b.y, b.z + k * 0.0016], j)
    }
    this.line.geometry.attributes.position.needsUpdate = true
    this.line.geometry.setDrawRange(0, 2 * Math.min(this.count, kept))
  }
}
