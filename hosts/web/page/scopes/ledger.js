// The energy account, flowing: every eighth of a second one bar, work that came in above the line, losses below it, and as
// a line what is stored. What comes in and is not stored goes out: the heights must balance, and the caption says whether
// they do.
import { fit } from '../ui/dom.js'
import { withPrefix } from '../ui/scale.js'

const every = 1 / 8
const bars = 56
const comes = ['force', 'motion', 'parameter', 'noise']
const goes = ['lost_bodies', 'lost_contacts']

export class Ledger {
  constructor(engine) {
    this.engine = engine
    this.title = 'Energy'
    this.flow = []
    this.most = this.mostStored = 1e-9
  }

  get paths() {
    return ['stored', ...comes, ...goes].map((word) => `energy.${word}_j`)
  }

  draw(canvas, caption, colors, seconds) {
    this.take()
    const { pen, width, height } = fit(canvas)
    const stored = this.flow.at(-1)?.stored ?? 0
    pen.clearRect(0, 0, width, height)
    const top = 4
    const wide = (width - 16) / bars
    const foot = height - 22
    const middle = (top + foot) / 2
    const fade = Math.exp(-seconds / 2)
    this.most = Math.max(1e-12, this.most * fade, ...this.flow.map(tallest))
    this.mostStored = Math.max(1e-12, this.mostStored * fade, ...this.flow.map((bar) => bar.stored))
    this.drawBars(pen, width, middle, (foot - top) / 2 - 2, wide, colors)
    this.drawStored(pen, width, middle, (foot - top) / 2 - 2, wide, colors)
    legend(pen, width, height - 10, colors)
    const { account } = this.engine
    caption(account ? `${withPrefix(stored, 'J')} · ${account}` : `stored ${withPrefix(stored, 'J')}`)
  }

  /** One bar for every eighth of a second that was heard; the numbers are the ledger's, at that sample. */
  take() {
    const heard = this.engine.heard()
    const step = every * this.engine.rate
    const { generation } = this.engine
    const lost = heard < this.next - 2 * step || heard > this.next + 60 * step
    if (this.next === undefined || lost || generation !== this.generation) this.begin(heard)
    this.generation = generation
    while (this.next <= heard) {
      const now = this.read(this.next)
      const bar = { stored: now.stored }
      for (const word of [...comes, ...goes]) bar[word] = now[word] - this.before[word]
      this.flow.push(bar)
      this.before = now
      this.next += step
    }
    this.flow.splice(0, this.flow.length - bars)
  }

  begin(heard) {
    this.next = heard + every * this.engine.rate
    this.before = this.read(heard)
    this.flow = []
  }

  read(sample) {
    return Object.fromEntries(
      ['stored', ...comes, ...goes].map((word) => [word, this.engine.at(`energy.${word}_j`, sample)]),
    )
  }

  drawBars(pen, width, middle, half, wide, colors) {
    const tint = {
      force: colors.cool,
      motion: colors.cool,
      parameter: colors.muted,
      noise: colors.muted,
      lost_bodies: colors.accent,
      lost_contacts: colors.hot,
    }
    this.flow.forEach((bar, i) => {
      const x = width - 8 - (this.flow.length - i) * wide
      let up = middle
      let down = middle
      for (const word of [...comes, ...goes]) {
        const gives = comes.includes(word) === bar[word] >= 0
        const tall = (Math.abs(bar[word]) / this.most) * half
        pen.fillStyle = tint[word]
        pen.globalAlpha = word === 'motion' || word === 'noise' ? 0.6 : 0.95
        pen.fillRect(x, gives ? up - tall : down, Math.max(1, wide - 1.5), tall)
        if (gives) up -= tall
        else down += tall
      }
    })
    pen.globalAlpha = 0.8
    pen.fillStyle = colors.line
    pen.fillRect(8, middle - 0.5, width - 16, 1)
    pen.globalAlpha = 1
  }

  drawStored(pen, width, middle, half, wide, colors) {
    pen.strokeStyle = colors.text
    pen.lineWidth = 1.5
    pen.beginPath()
    this.flow.forEach((bar, i) =>
      pen.lineTo(
        width - 8 - (this.flow.length - i - 0.5) * wide,
        middle - (bar.stored / this.mostStored) * half * 0.92,
      ),
    )
    pen.stroke()
  }
}

/** A bar's height above the line or below it, whichever is more; a negative entry counts on the other side. */
function tallest(bar) {
  let up = 0
  let down = 0
  for (const word of [...comes, ...goes]) {
    if (comes.includes(word) === bar[word] >= 0) up += Math.abs(bar[word])
    else down += Math.abs(bar[word])
  }
  return Math.max(up, down)
}

function legend(pen, width, y, colors) {
  const parts = [
    ['in', colors.cool],
    ['lost in bodies', colors.accent],
    ['lost in contacts', colors.hot],
    ['stored', colors.text],
  ]
  pen.font = `${width < 200 ? 9.5 : 10.5}px ${colors.font}`
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  const gap = width < 230 ? 6 : 12
  const length = (list) => list.reduce((sum, [word]) => sum + pen.measureText(word).width + 9 + gap, -gap)
  const shown = length(parts) > width - 12 ? parts.map(([word, color]) => [word.replace('lost in ', ''), color]) : parts
  let x = Math.max(6, (width - length(shown)) / 2)
  for (const [word, color] of shown) {
    pen.fillStyle = color
    pen.fillRect(x, y - 3, 6, 6)
    pen.fillStyle = colors.muted
    pen.fillText(word, x + 9, y)
    x += pen.measureText(word).width + 9 + gap
  }
}
