// Contact events, by the engine's clock: the samples at which a force begins, found in the taps. What is drawn of an event
// takes its age from that sample, so picture and sound cannot drift apart.

import { RING } from '../engine/layout.js'

const keep = 48

export class Events {
  constructor(engine, contacts) {
    this.engine = engine
    this.contacts = contacts.map((contact) => ({ ...contact, path: `${contact.name}.force_n`, touching: false }))
    this.from = Math.floor(engine.heard())
    this.list = []
  }

  get paths() {
    return this.contacts.map((contact) => contact.path)
  }

  /** Takes in what was heard since the last call, if the ring still has it. Returns the events that began in it. */
  read() {
    const end = Math.floor(this.engine.heard())
    const count = Math.min(end - this.from, RING)
    if (count <= 0) return []
    const fresh = this.contacts.flatMap((contact) =>
      this.scan(contact, this.engine.tail(contact.path, count, end), end - count + 1),
    )
    this.from = end
    this.list.push(...fresh)
    this.list.splice(0, this.list.length - keep)
    return fresh
  }

  scan(contact, forces, first) {
    const found = []
    for (let i = 0; i < forces.length; i++) {
      const force = Math.abs(forces[i])
      const touching = force > 0
      if (touching && !contact.touching) {
        contact.event = { contact: contact.name, a: contact.a, b: contact.b, sample: first + i, peak: 0 }
        found.push(contact.event)
      }
      if (touching && contact.event) contact.event.peak = Math.max(contact.event.peak, force)
      contact.touching = touching
    }
    return found
  }

  /** Seconds since the event was heard. */
  age(event) {
    return (this.engine.heard() - event.sample) / this.engine.rate
  }

  /** Events young and strong enough to be seen: the rustle of something coming to rest is not. */
  fresh(seconds) {
    const young = this.list.filter((event) => this.age(event) < seconds)
    const most = Math.max(...young.map((event) => event.peak), 0)
    return young.filter((event) => event.peak > 0.03 * most)
  }
}
