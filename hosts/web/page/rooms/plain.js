// A room without a picture: the whole stage is the pad; where things are struck, left to right is along the body, or one
// column per trigger.
import { Events } from '../stage/events.js'
import { penHint } from '../stage/hand.js'
import { drawPad, ring } from '../stage/overlay.js'
import { setPlace } from '../stage/roles.js'

export class PlainRoom {
  constructor(lab) {
    Object.assign(this, { lab, engine: lab.engine, info: lab.info, roles: lab.roles, stage: lab.stage, hand: lab.hand })
    this.events = new Events(
      this.engine,
      this.info.contacts.filter((contact) => contact.kind === 'impact'),
    )
    this.magnified = 0
    this.manyFingers = this.roles.triggers.length > 0
  }

  get hint() {
    const { triggers, rubs } = this.roles
    if (this.info.pen) return penHint
    if (triggers.length > 1) return 'Press: each part of the stage, from left to right, plays one of the bodies.'
    if (triggers.length) return this.place ? 'Press to strike; left to right is along the body.' : 'Press to play.'
    return rubs
      ? 'Press and pull: across pushes, down presses. Let go to lift.'
      : 'Drag: across and down move the first two controls.'
  }

  get paths() {
    return this.events.paths
  }

  /** The point that can be struck elsewhere, if the scene has one. */
  get place() {
    return [...this.roles.places.keys()].find((point) => this.roles.places.get(point).u) ?? null
  }

  enter() {}

  leave() {}

  frame(now, seconds, pen) {
    this.hand.frame(seconds)
    this.events.read()
    const { css } = this.stage.colors
    for (const event of this.events.fresh(0.5))
      ring(
        pen,
        this.struck ?? { x: this.stage.width / 2, y: this.stage.height / 2 },
        this.events.age(event),
        event.peak,
        css.accent,
      )
    drawPad(pen, this.hand, this.engine, this.stage.colors)
  }

  pointer(pointer) {
    const { triggers } = this.roles
    if (triggers.length && pointer.kind === 'down') this.strike(pointer, triggers)
    else if (triggers.length) return
    else if (pointer.kind === 'down') this.hand.startPad(pointer, this.stage)
    else if (pointer.kind === 'move') this.hand.movePad(pointer)
    else if (pointer.kind === 'up') this.hand.endPad()
  }

  strike(pointer, triggers) {
    const along = Math.min(0.999, Math.max(0, pointer.x / this.stage.width))
    this.struck = { x: pointer.x, y: pointer.y }
    if (triggers.length === 1 && this.place) setPlace(this.lab, this.place, { u: along })
    this.hand.fire(triggers[triggers.length > 1 ? Math.floor(along * triggers.length) : 0], pointer.pen, pointer.pace)
  }

  key(key) {
    return this.hand.key(key)
  }
}
