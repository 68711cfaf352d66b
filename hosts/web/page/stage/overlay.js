// Flat drawing over the picture: the pad under the pointer, rings where things touch, words beside them.
import { readable, words } from '../ui/scale.js'

let family = null

export function label(pen, text, x, y, { color, align = 'left', size = 12, weight = 400, back = null } = {}) {
  pen.font = `${weight} ${size}px ${(family ??= getComputedStyle(document.body).fontFamily)}`
  pen.textAlign = align
  pen.textBaseline = 'middle'
  if (back) plate(pen, text, x, y, align, size, back)
  pen.fillStyle = color
  pen.fillText(text, x, y)
}

/** A little ground under words that lie over the picture. */
function plate(pen, text, x, y, align, size, color) {
  const wide = pen.measureText(text).width + 10
  const left = x - 5 - (align === 'right' ? wide - 10 : align === 'center' ? wide / 2 - 5 : 0)
  pen.globalAlpha = 0.72
  pen.fillStyle = color
  pen.beginPath()
  pen.roundRect(left, y - size * 0.75, wide, size * 1.5, 5)
  pen.fill()
  pen.globalAlpha = 1
}

/** The two axes of a press, their words and numbers, and a disc that grows with the pressure. */
export function drawPad(pen, hand, engine, colors) {
  const { pad } = hand
  if (!pad) return
  if (pad.ink) return drawInk(pen, pad.ink, colors)
  const { across, down, at } = pad
  pen.lineWidth = 1
  pen.strokeStyle = colors.css.line
  pen.setLineDash([3, 4])
  pen.beginPath()
  pen.moveTo(pad.x - pad.wide, pad.y)
  pen.lineTo(pad.x + pad.wide, pad.y)
  pen.moveTo(pad.x, pad.y - pad.high)
  pen.lineTo(pad.x, pad.y + pad.high)
  pen.stroke()
  pen.setLineDash([])
  arrow(pen, pad.x, pad.y, at.x, pad.y, colors.css.accent)
  arrow(pen, at.x, pad.y, at.x, at.y, colors.css.cool)
  const value = ({ control }) => {
    const { text, unit } = readable(engine.get(control.name), control.unit)
    return `${words(control.name)} ${text} ${unit}`
  }
  const right = at.x < pad.x
  const side = right ? -14 : 14
  const align = right ? 'right' : 'left'
  if (across)
    label(pen, value(across), at.x + side, at.y - 9, {
      color: colors.css.accent,
      align,
      size: 13,
      weight: 600,
      back: colors.css.panel,
    })
  if (down)
    label(pen, value(down), at.x + side, at.y + 9, {
      color: colors.css.cool,
      align,
      size: 13,
      weight: 600,
      back: colors.css.panel,
    })
}

/** What a pen has drawn, fading with its age. */
function drawInk(pen, ink, colors) {
  pen.strokeStyle = colors.css.accent
  pen.lineWidth = 2.5
  pen.lineCap = 'round'
  for (let i = 1; i < ink.length; i++) {
    pen.globalAlpha = i / ink.length
    pen.beginPath()
    pen.moveTo(ink[i - 1].x, ink[i - 1].y)
    pen.lineTo(ink[i].x, ink[i].y)
    pen.stroke()
  }
  pen.globalAlpha = 1
}

export function arrow(pen, x0, y0, x1, y1, color, width = 2) {
  const length = Math.hypot(x1 - x0, y1 - y0)
  if (length < 3) return
  const ux = (x1 - x0) / length
  const uy = (y1 - y0) / length
  const head = Math.min(8, length / 2)
  pen.strokeStyle = pen.fillStyle = color
  pen.lineWidth = width
  pen.beginPath()
  pen.moveTo(x0, y0)
  pen.lineTo(x1 - ux * head, y1 - uy * head)
  pen.stroke()
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x1 - ux * head - uy * head * 0.55, y1 - uy * head + ux * head * 0.55)
  pen.lineTo(x1 - ux * head + uy * head * 0.55, y1 - uy * head - ux * head * 0.55)
  pen.fill()
}

/** A ring that spreads from where something was hit; its age is the engine's. */
export function ring(pen, at, age, peak, color) {
  const life = 0.45
  const t = age / life
  if (t < 0 || t > 1) return
  const strength = Math.min(1, Math.log10(1 + peak) / 3)
  pen.globalAlpha = (1 - t) * (0.35 + 0.65 * strength)
  pen.strokeStyle = color
  pen.lineWidth = 1 + 3 * strength * (1 - t)
  pen.beginPath()
  pen.arc(at.x, at.y, 4 + (18 + 50 * strength) * Math.sqrt(t), 0, 7)
  pen.stroke()
  pen.globalAlpha = 1
}

export function dot(pen, at, radius, color, { hollow = false } = {}) {
  pen.beginPath()
  pen.arc(at.x, at.y, radius, 0, 7)
  pen.lineWidth = 1.5
  if (hollow) {
    pen.strokeStyle = color
    pen.stroke()
  } else {
    pen.fillStyle = color
    pen.fill()
  }
}
