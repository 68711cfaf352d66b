// Strings and a bow: one instrument of the violin family, as large as its strings say; long strings make a cello. The
// string is drawn from its own waves, slowly; the bow lies on the strings that the engine presses it on.
import * as THREE from '../three/three.module.js'
import { StringLine } from '../stage/string_line.js'
import { bodyOf, setPlace, triggerFor } from '../stage/roles.js'
import { Bowing } from './bowing.js'
import { HeroRoom, given, vec } from './hero.js'
import { instrument } from './instrument.js'

const tunings = { cello: [65.4, 98, 147, 220], viola: [131, 196, 294, 440], violin: [196, 293.7, 440, 659.3] }
const board = 0.42 /* of the string from its bridge: where the fingerboard begins */
const tilt = 0.3 /* rad of the bow from one string to the next */

const isString = (body) => body.kind === 'string' || body.shape === 'string'

/** Every string that something rubs, lowest first. */
function bowed(info) {
  const ends = [
    ...info.contacts.filter((contact) => contact.kind === 'friction').flatMap((contact) => [contact.a, contact.b]),
    ...(info.sources ?? []).map((source) => source.at),
  ]
  const hz = (body) => body.string?.hz ?? body.modes[0]?.hz ?? 0
  return info.bodies
    .filter((body) => isString(body) && ends.some((end) => bodyOf(end) === body.name))
    .sort((a, b) => hz(a) - hz(b))
    .map((body) => ({ body, hz: hz(body), end: ends.find((end) => bodyOf(end) === body.name) }))
}

export class StringsRoom extends HeroRoom {
  static fits(info) {
    return !info.pen && bowed(info).length > 0
  }

  get hint() {
    const pluck = this.roles.triggers.length ? ' Touch the string above the fingerboard to pluck it.' : ''
    return `Press on a string: across draws the bow, down presses.${pluck}`
  }

  build() {
    const found = bowed(this.info)
    this.length = given(found[0].body.string?.length_m, 0.37)
    this.kind = this.length > 0.5 ? 'cello' : this.length > 0.345 ? 'viola' : 'violin'
    this.body = instrument(this.kit, this.length, this.kind)
    /* x from bridge to nut is up, z out of the belly is towards the viewer */
    this.body.group.rotation.set(0, 0, 0)
    this.body.group.applyMatrix4(new THREE.Matrix4().makeBasis(vec(0, 0, 1), vec(-1, 0, 0), vec(0, -1, 0)))
    this.hold = new THREE.Group()
    this.hold.add(this.body.group)
    this.hold.rotation.set(-0.12, 0.1, 0)
    this.solids.push(this.body.group)
    this.add(this.hold)
    this.makeStrings(found)
    this.makeBow(found)
    const L = this.length
    this.shadow(0, L * 0.2, this.body.low, L * 1.6, L * 0.9)
    this.show({ azimuth: -70, elevation: 12, fill: 0.68 })
  }

  /** The strings of the scene in their places among the four; the others are there for the eye. */
  makeStrings(found) {
    const tuning = tunings[this.kind]
    const place = (hz) =>
      tuning.reduce(
        (best, at, i) => (Math.abs(Math.log(at / hz)) < Math.abs(Math.log(tuning[best] / hz)) ? i : best),
        0,
      )
    const taken = found.map(({ hz }, i) => (found.length === 4 ? i : place(hz)))
    this.strings = found.map(({ body, end }, i) => {
      const bridge = body.kind === 'string' ? this.bridgeOf(body) : null
      const options = { length: this.length, radius: this.length * 0.0055, look: 'hair', bridge }
      const line = new StringLine(this.engine, body, this.kit, options)
      line.lay((u) => this.body.string(taken[i], u))
      line.paths.forEach((path) => this.tap(path))
      this.tap(`${end}.place_u`)
      this.body.group.add(line.mesh, this.restOf(taken[i]))
      return { body, end, line, place: taken[i] }
    })
    for (let i = 0; i < 4; i++) {
      if (taken.includes(i)) continue
      this.body.group.add(this.kit.rod(this.body.string(i, 0), this.body.string(i, 1), this.length * 0.0026, 'iron'))
    }
    this.bodies = this.strings.map(({ line }) => line)
  }

  bridgeOf(body) {
    const point = body.points.find((point) => point.place_u === 0) ?? body.points.at(-1)
    return `${body.name}.${point.name}`
  }

  restOf(i) {
    return this.kit.ghost([this.body.string(i, 0.02), this.body.string(i, 0.98)], this.length * 0.03)
  }

  makeBow(found) {
    this.bowing = new Bowing(
      this,
      found.map(({ end }) => end),
      this.length > 0.5 ? 0.7 : this.length * 2.25,
    )
    this.bowing.bow.rotation.z = -Math.PI / 2
    this.rest = new THREE.Group()
    this.rest.add(this.bowing.bow)
    this.body.group.add(this.rest)
    this.unframed(this.rest)
    this.on = this.strings[0].place
  }

  /** Between strings by how hard it lies on each; where one is bowed only, on that. */
  lean(seconds) {
    const presses = this.bowing.source ? [1] : this.bowing.rubs.map((contact, i) => this.bowing.pressed[i])
    const placeOf = (contact) => this.strings.find(({ end }) => [contact.a, contact.b].includes(end))?.place ?? 0
    const places = this.bowing.source ? [this.strings[0].place] : this.bowing.rubs.map(placeOf)
    const all = presses.reduce((sum, force) => sum + force, 0)
    if (all > 0) {
      const wanted = presses.reduce((sum, force, i) => sum + force * places[i], 0) / all
      this.on += (wanted - this.on) * Math.min(1, seconds * 20)
    }
    return this.on
  }

  move(now, seconds) {
    for (const { line } of this.strings) line.update(seconds)
    const on = this.lean(seconds)
    const { at, lift } = this.bowing.step(seconds)
    const near = this.strings.reduce((best, string) =>
      Math.abs(string.place - on) < Math.abs(best.place - on) ? string : best,
    )
    const u = this.engine.get(`${near.end}.place_u`)
    const spot = this.body.string(on, Number.isFinite(u) ? u : 0.1)
    const L = this.length
    this.rest.position.set(spot.x, spot.y, spot.z + L * (0.012 + 0.09 * lift))
    this.rest.rotation.x = -(on - 1.5) * tilt
    this.bowing.bow.position.set(0, -at, 0)
  }

  // ---- playing

  /** The place on a string that is next to the pointer. */
  nearest(pointer) {
    let best = null
    for (const string of this.strings)
      for (let k = 1; k < 60; k++) {
        const seen = this.stage.project(this.body.group.localToWorld(this.body.string(string.place, k / 60)))
        const far = Math.hypot(seen.x - pointer.x, seen.y - pointer.y)
        if (!best || far < best.far) best = { string, u: k / 60, far }
      }
    return best
  }

  /** The string under the pointer, and where along it; null beside them all. */
  aim(pointer) {
    const best = this.nearest(pointer)
    return best.far < 0.06 * this.stage.height + 6 ? best : null
  }

  pointer(pointer) {
    if (pointer.kind !== 'down') return super.pointer(pointer)
    const aim = this.aim(pointer)
    if (this.pluck(pointer, aim)) return 'done'
    if (aim) this.choose(aim)
    return super.pointer(pointer)
  }

  /** Beside the finger that bows, others pluck; where nothing is plucked they stop the string, as long as they lie there. */
  otherFinger(pointer) {
    const { pitch } = this.roles
    if (pointer.kind === 'down') {
      const aim = this.aim(pointer)
      if (this.pluck(pointer, aim)) return true
      if (!aim || aim.u < board || !pitch) return false
      this.stopping ??= { open: this.engine.get(pitch.control.name), ids: new Set() }
      this.stopping.ids.add(pointer.id)
    }
    if (!this.stopping?.ids.has(pointer.id)) return false
    if (pointer.kind === 'up') return this.unstop(pointer.id)
    this.hand.play(this.hand.open, -12 * Math.log2(this.nearest(pointer).u))
    return true
  }

  /** The last one lifted: as it was before. */
  unstop(id) {
    this.stopping.ids.delete(id)
    if (this.stopping.ids.size) return
    this.hand.play(this.stopping.open, 0)
    this.stopping = null
  }

  pluck(pointer, aim) {
    const trigger = aim && aim.u > board ? triggerFor(this.roles, aim.string.body.name) : null
    if (trigger) this.hand.fire(trigger, pointer.pen, pointer.pace)
    return trigger
  }

  /** The bow goes to the string that was pointed at, and along it as far as the scene lets it. */
  choose({ string, u }) {
    if (this.roles.places.has(string.end)) setPlace(this.lab, string.end, { u })
    const chooser = this.info.controls.find(({ name }) => name === 'string')
    if (chooser && this.strings.length > 1) this.lab.set('string', this.strings.indexOf(string))
  }
}
