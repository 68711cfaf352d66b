// Newton's cradle: balls on threads in a frame. How long the threads are follows from how fast the balls swing, how large
// the balls from their mass; where they are is the engine's. A ball can be pulled aside and let go.
import { bodyOf } from '../stage/roles.js'
import { ring } from '../stage/overlay.js'
import { HeroRoom, vec, within } from './hero.js'

const steel = 7850 /* kg/m^3 */
const apart = 0.003 /* m: balls that are held together */
const swings = (body) => body.modes.length > 0 && body.modes[0].hz > 0 && body.modes[0].hz < 8 && !body.shape

/** Balls that swing and touch each other in a row, from left to right. */
function row(info) {
  const balls = info.bodies.filter(swings)
  const links = info.contacts.filter(
    (contact) =>
      contact.kind === 'impact' &&
      [contact.a, contact.b].every((end) => balls.some((ball) => ball.name === bodyOf(end))),
  )
  if (balls.length < 3 || links.length !== balls.length - 1) return []
  const after = new Map(links.map((contact) => [bodyOf(contact.a), bodyOf(contact.b)]))
  let name = balls.find((ball) => ![...after.values()].includes(ball.name))?.name
  const order = []
  for (; name; name = after.get(name)) order.push(balls.find((ball) => ball.name === name))
  return order
}

export class CradleRoom extends HeroRoom {
  static fits(info) {
    return row(info).length > 2
  }

  get hint() {
    return 'Pull a ball aside and let it go.'
  }

  build() {
    const { kit } = this
    this.held = new Map() /* by finger */
    this.manyFingers = true
    const found = row(this.info)
    const { hz, mass_kg } = found[0].modes[0]
    this.long = 9.81 / (2 * Math.PI * hz) ** 2
    this.radius = Math.cbrt((3 * mass_kg) / (4 * Math.PI * steel))
    const r = this.radius
    this.deep = this.long * 0.36
    this.low = r * 2.2
    this.top = this.low + Math.sqrt(this.long ** 2 - this.deep ** 2 / 4)
    this.balls = found.map((body, i) => this.hang(body, (i - (found.length - 1) / 2) * 2 * r))
    const half = r * found.length + this.long * 0.42
    const base = kit.plank(half * 2, this.deep * 1.5, r * 0.9, 'oak')
    base.position.z = r * 0.45
    this.add(base)
    for (const side of [-1, 1]) {
      const y = (side * this.deep) / 2
      const bend = r * 1.2
      const hoop = [
        vec(-half * 0.86, y, r * 0.6),
        vec(-half * 0.86, y, this.top - bend),
        vec(-half * 0.86 + bend * 0.3, y, this.top - bend * 0.3),
        vec(-half * 0.86 + bend, y, this.top),
        vec(half * 0.86 - bend, y, this.top),
        vec(half * 0.86 - bend * 0.3, y, this.top - bend * 0.3),
        vec(half * 0.86, y, this.top - bend),
        vec(half * 0.86, y, r * 0.6),
      ]
      this.add(kit.tube(hoop, r * 0.24, 'steel', { steps: 120 }))
    }
    this.shadow(0, 0, 0, half * 3, this.deep * 3.2)
    this.show({ azimuth: -66, elevation: 9, fill: 0.67 })
  }

  hang(body, x) {
    const ball = { body, x, mesh: this.kit.ball(this.radius, 'steel') }
    ball.mesh.userData.ball = ball
    ball.threads = [-1, 1].map((side) => ({ side, mesh: this.kit.thread(this.radius * 0.035) }))
    this.solids.push(ball.mesh)
    this.add(ball.mesh, ...ball.threads.map(({ mesh }) => mesh))
    this.unframed(ball.mesh, ...ball.threads.map(({ mesh }) => mesh))
    return ball
  }

  /** Where a ball is along the row; on a circle about its threads' ends. */
  move(now, seconds, pen) {
    const heard = this.engine.heard()
    const drop = this.top - this.low
    for (const ball of this.balls) {
      const out = this.engine.modes(ball.body.name, heard)?.[0] ?? 0
      const x = Math.max(-0.95 * drop, Math.min(0.95 * drop, out))
      ball.mesh.position.set(ball.x + x, 0, this.top - Math.sqrt(drop ** 2 - x ** 2))
      for (const { side, mesh } of ball.threads)
        mesh.userData.lay(ball.mesh.position, vec(ball.x, (side * this.deep) / 2, this.top))
    }
    for (const event of this.events.fresh(0.4)) {
      const ball = this.balls.find(({ body }) => body.name === bodyOf(event.b))
      const spot = ball?.mesh.position.clone().add(vec(-this.radius, 0, 0))
      if (spot)
        ring(pen, this.stage.project(spot), this.events.age(event), event.peak / 100, this.stage.colors.css.accent)
    }
  }

  // ---- playing: a ball, and all beyond it on the side it is pulled to

  pointer(pointer) {
    const ball = this.pick(pointer)?.object.userData.ball
    if (pointer.kind === 'hover') this.stage.section.style.cursor = ball ? 'grab' : ''
    if (pointer.kind === 'down' && ball) this.held.set(pointer.id, { ball, from: pointer.x, at: pointer.x })
    const held = this.held.get(pointer.id)
    if (!held) return
    held.at = pointer.x
    if (pointer.kind === 'up') this.release(pointer.id, held)
    else this.pull()
  }

  aside({ ball, from, at }) {
    const left = this.stage.project(vec(-1, 0, this.low)).x
    const perMetre = (this.stage.project(vec(1, 0, this.low)).x - left) / 2
    const x = (at - from) / perMetre
    const middle = (this.balls.length - 1) / 2
    const i = this.balls.indexOf(ball)
    const outwards = i < middle ? -1 : i > middle ? 1 : Math.sign(x) || 1
    const lifted = outwards < 0 ? i + 1 : this.balls.length - i
    return { i, outwards, x: outwards * within(Math.max(0, outwards * x), this.furthest / Math.sqrt(lifted)) }
  }

  /** One ball: several are lifted with the same energy. The trigger's slider says how fast a ball swings in; one can be pulled a quarter further than that takes, harder and
   * harder towards there, and never so far that its thread lies level. */
  get furthest() {
    const [trigger] = this.roles.triggers
    const { hz } = this.balls[0].body.modes[0]
    const speed = trigger ? this.hand.strength.get(trigger.name) : Infinity
    return Math.min(0.75 * this.long, (1.25 * speed) / (2 * Math.PI * hz))
  }

  /** How far aside each ball is held, 0 for those that hang; those held together are held a little apart. */
  get places() {
    const held = [...this.held.values()].filter(({ from, at }) => at !== from).map((one) => this.aside(one))
    return this.balls.map((_, k) =>
      held.reduce((place, { i, outwards, x }) => {
        const out = x + (k - i) * apart
        if (outwards < 0) return k <= i ? Math.min(place, out) : place
        return k >= i ? Math.max(place, out) : place
      }, 0),
    )
  }

  /** Held there, and the others steadied: whenever a pointer moves a ball, the engine is told the hands' forces, which hold
   * it from then on, and all places, at rest. Who goes right is moved from the right end on, then who goes left from the
   * left: the audio thread may listen in between, and no ball is ever pushed into the next. */
  pull() {
    const { places } = this
    if (!places.some((place) => place)) return
    const heard = this.engine.heard()
    const moves = this.balls.map(({ body: { name } }, k) => {
      const now = this.engine.modes(name, heard)?.[0] ?? 0
      return { name, to: places[k], right: places[k] > now }
    })
    this.hold(places)
    for (const { name, to } of [...moves.filter((one) => one.right).reverse(), ...moves.filter((one) => !one.right)]) {
      this.engine.set(`${name}.modes.0.x_m`, to)
      this.engine.set(`${name}.modes.0.v_m_s`, 0)
    }
  }

  /** A hand draws as hard as what draws a ball back to where it hangs. */
  hold(places) {
    this.balls.forEach(({ body: { name, points } }, k) => {
      const end = `${name}.${points[0].name}`
      const of = (path) => this.engine.get(path)
      const spring = of(`${name}.modes.0.mass_kg`) * (2 * Math.PI * of(`${name}.modes.0.hz`)) ** 2
      this.engine.set(`${end}.force_n`, (spring * places[k]) / (of(`${end}.gains.0`) || 1), 0)
    })
  }

  /** Let go; a ball that was only touched swings in as the scene's own trigger has it. */
  release(id, held) {
    const moved = Math.abs(held.at - held.from) > 4
    this.held.delete(id)
    this.hold(this.places)
    if (!moved && this.roles.triggers.length) this.hand.fire(this.roles.triggers[0])
  }
}
