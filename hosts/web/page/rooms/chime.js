// Tubes that hang: a beam, threads, tubes as long as the scene says, and a wooden ball before each. A tube swings by its
// slow mode; how near the balls are is the engine's.
import { vec } from './hero.js'
import { StruckRoom } from './struck.js'

const hung = (body) => body.shape === 'tube' && body.modes.some((mode) => mode.hz > 0 && mode.hz < 8)

export class ChimeRoom extends StruckRoom {
  static fits(info) {
    return info.bodies.filter(hung).length > 1
  }

  build() {
    const tubes = this.info.bodies.filter(hung)
    for (const body of tubes) this.makePiece(body, { share: 0.012 })
    const { kit } = this
    this.long = Math.max(...this.pieces.map(({ made }) => made.box.max.x - made.box.min.x))
    const r = this.pieces[0].made.box.max.y
    this.ball = r * 0.85
    this.thread = this.long * 0.22
    this.pitch = 2 * r + Math.max(this.gap() ?? r, r * 0.9)
    const half = (this.pitch * tubes.length) / 2 + r
    this.top = this.long * 1.02 + this.thread
    const beam = kit.plank(half * 2.5, r * 3, r * 1.5, 'oak')
    beam.position.z = this.top + r * 0.75
    const eye = kit.tube(loop(r * 1.5), r * 0.28, 'iron', { closed: true })
    eye.position.z = this.top + r * 2.8
    this.add(beam, eye)
    this.pieces.forEach((piece, i) => this.hang(piece, (i - (tubes.length - 1) / 2) * this.pitch))
    this.shadow(0, 0, -this.long * 0.06, half * 3.4, half * 2)
    this.show({ azimuth: -66, elevation: 8, fill: 0.68 })
  }

  /** How far apart the tubes hang, if the scene lets them knock each other. */
  gap() {
    const names = this.pieces.map(({ body }) => body.name)
    const touch = this.info.contacts.find((contact) =>
      [contact.a, contact.b].every((end) => names.includes(end.split('.')[0])),
    )
    return touch?.gap_m
  }

  hang(piece, x) {
    const { kit, top, thread } = this
    const pivot = kit.group()
    pivot.position.set(x, 0, top)
    const length = piece.made.box.max.x - piece.made.box.min.x
    piece.mesh.rotation.y = Math.PI / 2
    piece.mesh.position.z = -thread - length / 2
    const r = this.ball
    pivot.add(piece.mesh, kit.rod(vec(0, 0, 0), vec(0, 0, -thread), r * 0.1, 'hair'))
    piece.length = length
    piece.pivot = pivot
    piece.slow = piece.body.modes.findIndex((mode) => mode.hz > 0 && mode.hz < 8)
    piece.bead = kit.ball(r, 'wood')
    piece.line = kit.thread(r * 0.09)
    this.add(pivot, piece.bead, piece.line)
    this.unframed(piece.bead, piece.line)
  }

  move(now, seconds, pen) {
    this.updatePieces(seconds)
    const heard = this.engine.heard()
    for (const piece of this.pieces) {
      const swing = this.engine.modes(piece.body.name, heard)?.[piece.slow] ?? 0
      piece.pivot.rotation.y = -Math.max(-0.3, Math.min(0.3, swing / (this.thread + piece.length * 0.5)))
      piece.made.mesh.scale.setScalar(piece.made.grown ** 0.25)
      const at = this.spotOf(piece)
      const away = this.gapOf(piece, this.ball * 2.6) + this.ball * 1.9
      const z = this.top - this.thread - (at.x - piece.made.box.min.x)
      piece.bead.position.set(piece.pivot.position.x - away * 0.45, -away * 0.9, z)
      piece.line.userData.lay(piece.bead.position, vec(piece.pivot.position.x - away * 0.3, -this.ball, this.top))
    }
    this.drawBlows(pen)
  }
}

const loop = (r) =>
  Array.from({ length: 16 }, (_, i) => vec(r * Math.cos((i * Math.PI) / 8), 0, r * Math.sin((i * Math.PI) / 8)))
