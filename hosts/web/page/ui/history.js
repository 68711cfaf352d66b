// Undo and redo: the states a scene has been in, each taken when things had come to rest. A state is what a link holds.

const most = 100

export class History {
  constructor() {
    this.list = []
    this.at = -1
  }

  /** A state that differs from the one there is comes after it; what was undone is gone then. */
  take(state) {
    const text = JSON.stringify(state)
    if (text === this.list[this.at]) return
    this.list.splice(this.at + 1)
    this.list.push(text)
    this.list.splice(0, this.list.length - most)
    this.at = this.list.length - 1
  }

  has(way) {
    return this.list[this.at + way] !== undefined
  }

  /** The state before (-1) or after (1) this one, or null. */
  step(way) {
    const text = this.list[this.at + way]
    if (text === undefined) return null
    this.at += way
    return JSON.parse(text)
  }
}
