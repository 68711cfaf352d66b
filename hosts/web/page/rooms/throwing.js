// A ball in the hand: taken, lifted, and thrown. While it is held the hand bears its weight, so it stays where it is held
// by the engine's own reckoning, however seldom the pointer moves or the page draws.
import { bodyOf } from '../stage/roles.js'

const sling = 0.6 /* s: a ball that is drawn so far and let go has gone that far in this time */

export class Throwing {
  constructor(room, { contact, plate, u }) {
    this.room = room
    this.engine = room.engine
    this.drive = u
    this.end = bodyOf(contact.a) === plate.name ? contact.b : contact.a
    const { modes } = room.info.bodies.find(({ name }) => name === bodyOf(this.end))
    this.free = modes.findIndex(({ hz }) => hz === 0) /* the mode that falls */
    const trigger = (last) => room.roles.triggers.find(({ targets }) => targets.some(({ path }) => last.test(path)))
    this.lifts = trigger(/modes[.[]0\]?\.x_m$/)
    this.throws = trigger(/throw_m_s$/)
    this.held = null
  }

  pointer(pointer, found) {
    if (pointer.kind === 'down' && found) this.held = { from: pointer, lifted: 0 }
    if (!this.held) return
    if (this.lifts) this.lift(pointer)
    if (pointer.kind !== 'up') return
    const { held } = this
    this.drop()
    this.throwIt(pointer, held)
  }

  /** Out of the hand, without a throw. */
  drop() {
    if (this.held?.lifted) this.engine.set(`${this.end}.force_n`, 0, 0)
    this.held = null
  }

  /** The force that bears the ball, as heavy as it is now. */
  get weight() {
    const { free, engine, end } = this
    if (free < 0) return 0
    const mass = engine.get(`${bodyOf(end)}.modes.${free}.mass_kg`)
    return (mass * engine.get('gravity_m_s2')) / (engine.get(`${end}.gains.${free}`) || 1)
  }

  get metre() {
    return this.room.metre
  }

  /** Held as high as the pointer is above where it took the ball, and once it is led anywhere at least half as high as the
   * slider says: what is taken in the hand leaves the floor. */
  lift(at) {
    const { held, drive, engine, room } = this
    const { from } = held
    const led = Math.hypot(at.x - from.x, at.y - from.y) > 4
    const least = led ? room.hand.strength.get(this.lifts.name) / 2 : 0
    held.lifted = Math.max(least, (from.y - at.y) / this.metre, 0)
    if (!held.lifted) return
    const { min, max, name } = this.lifts
    held.place ??= room.now(`${drive.name}.x_m`) - from.x / this.metre
    engine.set(`${this.end}.force_n`, this.weight, 0)
    engine.set(name, Math.min(max, Math.max(min, held.lifted)))
    engine.set(`${drive.name}.throw_m_s`, 0)
    engine.set(`${drive.name}.place_m`, Math.max(drive.low_m, Math.min(drive.high_m, held.place + at.x / this.metre)))
  }

  /** Thrown as fast as the pointer went, or as far as it was drawn; a mere touch throws as the slider says, towards the touch. */
  throwIt({ x, pace, pen }, { from, lifted }) {
    const { throws, room } = this
    if (!throws) return
    const way = Math.sign(x - from.x)
    if (lifted || way) {
      const slung = Math.abs(x - from.x) / this.metre / sling
      const metres = way * Math.max(slung, (pace * room.stage.width) / this.metre)
      return void this.engine.set(throws.name, Math.max(throws.min, Math.min(throws.max, metres)))
    }
    if (this.lifts) room.hand.fire(this.lifts, pen)
    room.hand.fire(throws, pen)
  }
}
