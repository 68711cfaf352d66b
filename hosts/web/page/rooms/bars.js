// Bars side by side with their names, and two mallets: those that struck last. Bars are drawn as the engine has them, with
// their hollowed undersides; a mallet's height over its bar is the engine's gap.
import { label } from '../stage/overlay.js'
import { noteName } from '../ui/scale.js'
import { vec } from './hero.js'
import { StruckRoom } from './struck.js'

const isBar = (body) => body.shape === 'bar'

export class BarsRoom extends StruckRoom {
  static fits(info, roles) {
    const bars = info.bodies.filter(isBar)
    return bars.length > 2 && roles.triggers.length >= bars.length
  }

  get hint() {
    return 'Strike a bar: the faster the pointer, the harder; draw over several for a glissando. Keys A S D F G H J K play too.'
  }

  build() {
    for (const body of this.info.bodies.filter(isBar)) this.makePiece(body, { share: 0.02 })
    const sizes = this.pieces.map(({ made }) => made.box.getSize(vec(0, 0, 0)))
    this.wide = Math.max(...sizes.map((size) => size.y))
    this.pitch = this.wide * 1.22
    const n = this.pieces.length
    const half = (this.pitch * n) / 2
    this.thick = Math.max(...sizes.map((size) => size.z), this.wide * 0.3)
    this.pieces.forEach((piece, i) => this.lay(piece, (i - (n - 1) / 2) * this.pitch, sizes[i]))
    this.makeFrame(half, sizes)
    this.makeMallets()
    const deep = Math.max(...sizes.map((size) => size.x))
    this.shadow(0, 0, -this.wide * 1.6, half * 3, deep * 2)
    this.show({ azimuth: -64, elevation: 34 })
  }

  /** Along the bar is away from the viewer. */
  lay(piece, x, size) {
    piece.mesh.rotation.z = Math.PI / 2
    piece.mesh.position.x = x
    this.add(piece.mesh)
    piece.x = x
    piece.size = size
    piece.note = noteName(piece.body.modes.find((mode) => mode.hz > 20).hz).replace(/[+−]\d+$/, '')
  }

  /** Two rails under the bars' still places, narrowing with them, on posts. */
  makeFrame(half, sizes) {
    const { kit } = this
    const drop = -this.wide * 0.55
    const foot = -this.wide * 1.6
    for (const side of [-1, 1]) {
      const y = (i) => side * sizes.at(i).x * 0.276
      const a = vec(-half * 1.06, y(0), drop)
      const b = vec(half * 1.06, y(-1), drop)
      this.add(kit.rod(a, b, this.wide * 0.2, 'oak'))
      for (const end of [a, b]) {
        this.add(kit.rod(vec(end.x * 0.97, end.y, drop), vec(end.x * 0.97, end.y, foot), this.wide * 0.16, 'oak'))
      }
      if (side > 0) continue
      for (const i of [0, -1])
        this.add(
          kit.rod(
            vec(i ? half * 1.03 : -half * 1.03, -Math.abs(y(i)), drop),
            vec(i ? half * 1.03 : -half * 1.03, Math.abs(y(i)), drop),
            this.wide * 0.17,
            'oak',
          ),
        )
    }
    for (const piece of this.pieces)
      for (const side of [-1, 1]) {
        const pin = kit.rod(vec(0, 0, -this.wide * 0.5), vec(0, 0, this.wide * 0.32), this.wide * 0.06, 'steel')
        pin.position.set(piece.x - this.pitch / 2, side * piece.size.x * 0.276, 0)
        this.add(pin)
      }
  }

  makeMallets() {
    const head = this.wide * 0.36
    this.head = head
    this.mallets = [0, 1].map((i) => {
      const lean = vec(i ? 0.5 : 0.1, -0.8, 0.75)
      const mesh = this.kit.stick(this.wide * 5.5, head, 'felt', { lean })
      this.add(mesh)
      this.unframed(mesh)
      return {
        mesh,
        piece: this.pieces[i ? Math.floor(this.pieces.length * 0.65) : Math.floor(this.pieces.length * 0.3)],
      }
    })
  }

  /** The mallet that is nearer takes the next bar that is struck. */
  take(piece) {
    if (this.mallets.some((mallet) => mallet.piece === piece)) return
    const [a, b] = this.mallets
    const nearer = Math.abs(a.piece.x - piece.x) <= Math.abs(b.piece.x - piece.x) ? a : b
    nearer.piece = piece
  }

  move(now, seconds, pen) {
    this.updatePieces(seconds)
    for (const event of this.events.fresh(0.1)) {
      const piece = this.pieces.find(({ contact }) => contact.name === event.contact)
      if (piece && event.sample !== piece.struck) this.take(piece)
      if (piece) piece.struck = event.sample
    }
    for (const { mesh, piece } of this.mallets) {
      const at = this.spotOf(piece)
      mesh.position.set(piece.x - at.y, at.x, at.z + this.head + this.gapOf(piece, this.wide * 1.2))
    }
    this.drawBlows(pen)
    this.drawNotes(pen)
  }

  /** The middle of a bar, not the gap between two. */
  get centre() {
    const { x, size } = this.pieces[this.pieces.length >> 1]
    return this.stage.project(vec(x, -size.x * 0.1, size.z / 2))
  }

  drawNotes(pen) {
    for (const piece of this.pieces) {
      const at = this.stage.project(vec(piece.x, -piece.size.x * 0.5 - this.wide * 0.1, 0))
      label(pen, piece.note, at.x, at.y + 10, { color: this.stage.colors.css.muted, align: 'center', size: 12 })
    }
  }
}
