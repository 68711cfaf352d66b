// How far a tool has gone, drawn within a length: to and fro, as a hand does. From the place of a hand or of a body, from a
// drive's way, or from a source's speed; all the engine's.
import { bodyOf } from '../stage/roles.js'

export class Travel {
  /** `contact` or `source` is what rubs; the tool is the end that is pushed. */
  constructor(room, { contact = null, source = null, tool = null }) {
    this.room = room
    this.gone = 0
    this.pressed = contact ? room.tap(`${contact.name}.pressed_n`) : room.tap(`${source.name}.pressure`)
    if (source) this.speed = room.tap(`${source.name}.speed_m_s`)
    else this.way = room.tap(`${tool ?? contact.a}.tangential_x_m`)
  }

  /** Metres gone since the last call, and whether it presses. */
  step(seconds) {
    const { room } = this
    const before = this.gone
    if (this.speed) this.gone += room.now(this.speed) * seconds
    else this.gone = room.now(this.way)
    const pressed = room.now(this.pressed)
    return { moved: this.gone - before, pressed, touching: pressed > 0 && (!this.speed || room.now(this.speed) > 0) }
  }

  /** Where that is in a way of this length, turning back at its ends: -half to half. */
  within(length) {
    const t = (((this.gone / length + 0.5) % 2) + 2) % 2
    return (t < 1 ? t - 0.5 : 1.5 - t) * length
  }
}

/** The friction contact between two bodies of a scene, if there is one. */
export const rubOf = (info, body) =>
  info.contacts.find(
    (contact) => contact.kind === 'friction' && [contact.a, contact.b].some((end) => bodyOf(end) === body.name),
  )
