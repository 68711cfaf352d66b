// What all struck rooms share: pieces that are struck where they are touched, as hard as the pointer was fast, and one
// after another as it is drawn over them. Beside them nothing happens.
import { VibratingBody } from '../stage/vibrating.js'
import { ring } from '../stage/overlay.js'
import { aimedPoint, bodyOf, setPlace, triggerFor } from '../stage/roles.js'
import { HeroRoom } from './hero.js'
import { above } from './things.js'

export class StruckRoom extends HeroRoom {
  constructor(lab) {
    super(lab)
    this.pieces = []
    this.under = new Map()
    this.manyFingers = true
  }

  get hint() {
    return 'Touch it to strike it there: the faster the pointer, the harder. Draw over several in one go.'
  }

  /** A body with a shape that is struck; `thickness` for a sheet. */
  makePiece(body, { thickness = 0, share = 0.03 } = {}) {
    const shape = this.engine.shape(body.name)
    const contact = this.info.contacts.find((one) => one.kind === 'impact' && this.strikes(one, body))
    const flip = contact && contact.from !== 'above' && bodyOf(contact.b) === body.name ? -1 : 1
    const made = new VibratingBody(this.engine, body, shape, this.look(body), this.stage.colors, { thickness, flip })
    made.magnifier.share = share
    this.bodies.push(made)
    const piece = { body, made, mesh: made.mesh, contact, trigger: triggerFor(this.roles, body.name) }
    if (contact) {
      piece.end = bodyOf(contact.b) === body.name ? contact.b : contact.a
      piece.gap = this.tap(`${contact.name}.compression_m`)
      for (const axis of ['u', 'v']) this.tap(`${piece.end}.place_${axis}`)
    }
    made.mesh.userData.piece = piece
    this.pieces.push(piece)
    this.solids.push(made.mesh)
    return piece
  }

  /** Of the contacts of a body, the one with what is thrown at it. */
  strikes(contact, body) {
    const [a, b] = [bodyOf(contact.a), bodyOf(contact.b)]
    const other = a === body.name ? b : b === body.name ? a : null
    return other !== null && [...this.roles.thrown.values()].some((bodies) => bodies.includes(other))
  }

  /** How far the striker is from the piece, in metres: true while near, never more than `roof`. */
  gapOf(piece, roof) {
    return above(Math.max(0, -this.now(piece.gap)), roof)
  }

  /** Where a piece is struck, in its own coordinates. */
  spotOf(piece) {
    const u = this.engine.get(`${piece.end}.place_u`)
    const v = this.engine.get(`${piece.end}.place_v`)
    return piece.made.at(Number.isFinite(u) ? u : 0.5, Number.isFinite(v) ? v : 0.5).place
  }

  updatePieces(seconds) {
    for (const piece of this.pieces) {
      piece.made.repaint(this.look(piece.body), this.stage.colors)
      piece.made.update(seconds)
    }
  }

  drawBlows(pen) {
    for (const event of this.events.fresh(0.5)) {
      const piece = this.pieces.find(({ contact }) => contact?.name === event.contact)
      if (!piece) continue
      const at = this.stage.project(piece.mesh.localToWorld(this.spotOf(piece)))
      ring(pen, at, this.events.age(event), event.peak, this.stage.colors.css.accent)
    }
  }

  pointer(pointer) {
    const found = this.pick(pointer)
    const piece = found?.object.userData.piece ?? null
    this.stage.section.style.cursor = piece ? 'pointer' : ''
    const came = piece !== (this.under.get(pointer.id) ?? null)
    if (pointer.kind === 'up') this.under.delete(pointer.id)
    else this.under.set(pointer.id, piece)
    if (!piece?.trigger || pointer.kind === 'up' || pointer.kind === 'hover') return
    if (pointer.kind === 'down' || came) this.strike(piece, pointer)
  }

  strike(piece, pointer) {
    const place = piece.made.hit(this.stage.ray)
    const point = aimedPoint(this.roles, piece.trigger, piece.body.name)
    if (place && point) setPlace(this.lab, point, place)
    this.hand.fire(piece.trigger, pointer.pen, pointer.pace)
  }
}
