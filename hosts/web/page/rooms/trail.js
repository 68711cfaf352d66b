// Where a ball has been: a bead each moment back from now, as a stroboscope shows it, from what the engine still knows.
// They lie inside the ball while it rests.
const beads = 12
const apart = 0.08 /* s of sound between two beads */

export class Trail {
  /** `placeAt(frame)`: where the ball was when that frame was heard. */
  constructor(room, radius, placeAt) {
    this.engine = room.engine
    this.placeAt = placeAt
    this.beads = Array.from({ length: beads }, (_, i) => room.kit.ball(radius * (1 - (0.6 * i) / beads), 'hair'))
    room.unframed(...this.beads)
  }

  draw() {
    const heard = this.engine.heard()
    this.beads.forEach((bead, i) => bead.position.copy(this.placeAt(heard - (i + 1) * apart * this.engine.rate)))
  }
}
