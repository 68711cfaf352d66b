// Which contact to watch: the one with the largest force of the last moments, with some loyalty to the one already watched.

export class LiveContact {
  constructor(engine, contacts) {
    this.engine = engine
    this.list = contacts.map((contact) => ({ ...contact, force: `${contact.name}.force_n`, loud: 0 }))
    this.now = this.list[0] ?? null
    this.from = Math.floor(engine.heard())
  }

  get paths() {
    return this.list.map((contact) => contact.force)
  }

  read(seconds) {
    const end = Math.floor(this.engine.heard())
    const count = Math.min(Math.max(1024, end - this.from), Math.floor(this.engine.rate / 4))
    this.from = end
    for (const contact of this.list) {
      const tail = this.engine.tail(contact.force, count, end)
      let most = 0
      for (const force of tail) most = Math.max(most, Math.abs(force))
      contact.loud = Math.max(most, contact.loud * Math.exp(-seconds / 1.5))
    }
    const best = this.list.reduce((a, b) => (b.loud > a.loud ? b : a), this.list[0])
    if (best && (!this.now || best.loud > 1.5 * this.now.loud)) this.now = best
    return this.now
  }
}
