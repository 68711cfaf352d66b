// What all rooms share: a group on the stage, the pad for rubbing, keys, rings where things touch.
import * as THREE from '../three/three.module.js'
import { Events } from '../stage/events.js'
import { drawPad } from '../stage/overlay.js'
import { lookBetween, lookOf } from '../stage/looks.js'

export class Room {
  constructor(lab) {
    this.lab = lab
    this.engine = lab.engine
    this.info = lab.info
    this.roles = lab.roles
    this.stage = lab.stage
    this.hand = lab.hand
    this.group = new THREE.Group()
    this.events = new Events(
      this.engine,
      this.info.contacts.filter((contact) => contact.kind === 'impact'),
    )
    this.bodies = []
  }

  get hint() {
    return ''
  }

  get paths() {
    return [
      ...this.events.paths,
      ...this.bodies.flatMap((body) => [...body.paths, ...(body.body.materialPath ? [body.body.materialPath] : [])]),
    ]
  }

  enter() {
    this.build()
    this.stage.scene.add(this.group)
  }

  leave() {
    this.stage.scene.remove(this.group)
    this.group.traverse((thing) => {
      thing.geometry?.dispose()
      thing.material?.map?.dispose()
      thing.material?.dispose()
    })
  }

  /** Whether anything has been heard yet; in a pause the picture stands where the sound does. */
  get heard() {
    return this.engine.heard() > 0
  }

  /** The look of a body as it is now: some glide from one material to another. */
  look(body) {
    const at = body.materialPath
      ? (this.heard && this.engine.at(body.materialPath, this.engine.heard())) || this.engine.get(body.materialPath)
      : null
    return at === null
      ? lookOf(body.material, this.stage.colors.theme)
      : lookBetween(this.engine.materials, at, this.stage.colors.theme)
  }

  frame(now, seconds, pen) {
    this.hand.frame(seconds)
    this.events.read()
    this.move(now, this.engine.running ? seconds : 0, pen)
    drawPad(pen, this.hand, this.engine, this.stage.colors)
  }

  /** The largest magnification on the stage, for the note in its corner. */
  get magnified() {
    return Math.max(0, ...this.bodies.filter((body) => !body.still).map((body) => body.gain))
  }

  /** The pad; where things are struck and nothing is pushed, a press beside them changes nothing. */
  pointer(pointer) {
    const plays = this.roles.push || this.info.pen || !this.roles.triggers.length
    if (pointer.kind === 'down' && plays) this.hand.startPad(pointer, this.stage)
    else if (pointer.kind === 'move') this.hand.movePad(pointer)
    else if (pointer.kind === 'up') this.hand.endPad()
  }

  /** Beside the finger that rubs, others strike, where there is something to strike with. True: it is busy with that. */
  otherFinger({ kind, pen, pace }) {
    const [strikes] = this.roles.triggers
    if (strikes && kind === 'down') this.hand.fire(strikes, pen, pace)
    return Boolean(strikes)
  }

  key(key) {
    return this.hand.key(key)
  }
}
