// A bow as the engine moves it: along its hair by the way its hand has gone, or at the speed a source is given; lifted
// while nothing presses. When it comes to its end it is lifted and set on anew, and goes on the same way.
import { bodyOf } from '../stage/roles.js'

const retake = 0.25 /* s */

export class Bowing {
  /** `end`: the point on what is bowed; `tap` watches a path. */
  constructor(room, ends, length) {
    this.room = room
    this.bow = room.kit.bow(length)
    this.holding = holding(room.kit, length)
    this.bow.add(this.holding)
    this.reach = length * 0.36
    const { contacts, sources } = room.info
    this.rubs = contacts.filter((contact) => contact.kind === 'friction' && ends.some((end) => touches(contact, end)))
    this.rubs = this.rubs.filter((contact) => isHand(room.info, contact))
    this.source = sources?.find((source) => ends.includes(source.at))
    for (const contact of this.rubs) room.tap(`${contact.name}.pressed_n`)
    if (this.rubs.length) this.way = room.tap(`${otherEnd(this.rubs[0], ends)}.tangential_x_m`)
    if (this.source) {
      this.speed = room.tap(`${this.source.name}.speed_m_s`)
      room.tap(`${this.source.name}.pressure`)
    }
    Object.assign(this, { from: 0, gone: 0, taking: 0, lift: 1 })
  }

  /** How hard each contact is pressed, in the order of `rubs`. */
  get pressed() {
    return this.rubs.map((contact) => Math.max(0, this.room.now(`${contact.name}.pressed_n`)))
  }

  get sounding() {
    if (this.source) return this.room.now(this.speed) > 0 && this.room.now(`${this.source.name}.pressure`) > 0
    return this.pressed.some((force) => force > 0)
  }

  /** Where along the hair it is, in metres from the middle, and how far it is lifted, 0 to 1. */
  step(seconds) {
    this.gone = this.source ? this.gone + this.room.now(this.speed) * seconds : this.room.now(this.way)
    let at = this.gone - this.from
    if (Math.abs(at) > this.reach && !this.taking) this.taking = retake
    if (this.taking > 0) {
      const share = Math.min(1, seconds / this.taking)
      this.from += (at + Math.sign(at) * this.reach * 0.9) * share
      this.taking = Math.max(0, this.taking - seconds)
      at = this.gone - this.from
    }
    const lift = this.taking > 0 || !this.sounding ? 1 : 0
    this.lift += (lift - this.lift) * Math.min(1, seconds * 14)
    return { at: Math.max(-this.reach, Math.min(this.reach, at)), lift: this.lift }
  }
}

/** The hand that leads it, at the frog. */
function holding(kit, length) {
  const hand = kit.hand('pinch')
  hand.position.set(-length * 0.45, 0, length * 0.03)
  hand.rotation.set(0.1, 0, -1.15)
  return hand
}

const touches = (contact, end) => contact.a === end || contact.b === end
const otherEnd = (contact, ends) => (ends.includes(contact.a) ? contact.b : contact.a)

/** A bow is led: one side of its contact is a hand that the scene's push moves. */
const isHand = (info, contact) =>
  [contact.a, contact.b].some((end) => info.bodies.find((body) => body.name === bodyOf(end))?.kind === 'hand')
