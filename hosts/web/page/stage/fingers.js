// Who plays when several fingers are on the stage. Where each thing has a tool of its own (bars, the balls of a cradle), every
// finger plays for itself. Where there is one tool, one finger leads it. What the others do, the room says: pluck, stop a
// string, strike, push the other leaf; else they help, see Hand.help. When the finger that leads is lifted, the next one
// leads. What is taken in the hand (a ball, a pen) belongs to the newest finger.

export class Fingers {
  constructor(lab) {
    this.lab = lab
    this.forget()
  }

  /** Another scene: a finger that is still down plays nothing there. */
  forget() {
    this.down = new Map() /* in the order they came: {at, busy}, busy with something of its own */
    this.leader = null
  }

  touch(pointer) {
    const { room } = this.lab
    if (room.manyFingers || pointer.kind === 'hover') return room.pointer(pointer)
    if (pointer.kind === 'down') return this.come(pointer)
    const finger = this.down.get(pointer.id)
    if (!finger) return
    finger.at = pointer
    if (pointer.kind === 'up') this.down.delete(pointer.id)
    if (pointer.id === this.leader) this.lead(pointer)
    else if (finger.busy) room.otherFinger(pointer)
    this.help()
  }

  come(pointer) {
    const { room } = this.lab
    const before = this.down.get(this.leader)
    const finger = { at: pointer, busy: false }
    this.down.set(pointer.id, finger)
    if (before && room.newestFinger) {
      if (before.at.type === 'pen') return /* a palm beside the pen */
      room.handOver(before.at)
    } else if (before) finger.busy = Boolean(room.otherFinger?.(pointer))
    if (!before || room.newestFinger) {
      /* a pluck is done at once: it leads nothing */
      finger.busy = room.pointer(pointer) === 'done'
      this.leader = finger.busy ? null : pointer.id
    }
    this.help()
  }

  /** The finger that leads; lifted, it makes way for the next that is not busy, or may leave what it is busy with. */
  lead(pointer) {
    const { room } = this.lab
    room.pointer(pointer)
    if (pointer.kind !== 'up') return
    const [next] = room.newestFinger ? [] : [...this.down].filter(([, { busy }]) => !busy || room.busyMayLead)
    this.leader = next?.[0] ?? null
    this.help()
    if (!next) return
    const [, finger] = next
    if (finger.busy) room.otherFinger({ ...finger.at, kind: 'up' })
    finger.busy = false
    room.pointer({ ...finger.at, kind: 'down', pace: 0 })
  }

  help() {
    const free = [...this.down].filter(([id, { busy }]) => id !== this.leader && !busy)
    this.lab.hand.help(this.leader === null || this.lab.room.newestFinger ? 0 : free.length)
  }
}
