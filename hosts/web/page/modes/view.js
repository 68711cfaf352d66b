// The spectrum of a recording and the modes found in it, among the scopes: a stem for each, as high as it is loud at the
// strike; and the same as a table.
import { byId, calm, element, fit, icon } from '../ui/dom.js'
import { digits } from '../ui/scale.js'
import { Spectrum } from '../scopes/fft.js'
import { marks } from '../scopes/spectrogram.js'

const lowest = 50
const highest = 16000
const shown_db = 96 /* from the top of the picture to its foot */
const largest = 32768 /* samples transformed */
const grows_ms = 500
const minus = (text) => text.replace('-', '−')

const markOf = ({ perhaps_room, stands_in, gain_guess }) =>
  perhaps_room ? ' (perhaps the room’s)' : stands_in ? ' (stands for its band)' : gain_guess ? ' (level: a guess)' : ''

export class FoundView {
  constructor({ cancel, close, save }) {
    this.title = element('b')
    this.words = element('span', { role: 'status' })
    this.bar = element('progress', { max: 1, 'aria-label': 'Finding modes' })
    this.canvas = element('canvas', { 'aria-hidden': 'true' })
    this.rows = element('tbody')
    this.buttons = {
      cancel: element('button', { type: 'button', className: 'button quiet small', onclick: cancel }, 'Cancel'),
      save: element(
        'button',
        { type: 'button', className: 'button quiet small', title: 'Save these modes as a body', onclick: save },
        icon('save'),
        'Body',
      ),
      close: element(
        'button',
        { type: 'button', className: 'button quiet small', 'aria-label': 'Close the recording', onclick: close },
        icon('close'),
      ),
    }
    this.table = element(
      'div',
      { className: 'found-table', tabIndex: 0, role: 'region', 'aria-label': 'Modes found in the recording' },
      makeTable(this.rows),
    )
    this.figure = element(
      'figure',
      { className: 'scope found', hidden: true, 'aria-label': 'The recording' },
      element(
        'figcaption',
        {},
        this.title,
        this.words,
        this.bar,
        element('div', { className: 'found-buttons' }, ...Object.values(this.buttons)),
      ),
      element('div', { className: 'found-body' }, element('div', { className: 'well' }, this.canvas), this.table),
    )
    byId('scopes').append(this.figure)
    this.canvas.addEventListener('pointermove', (event) => this.point(this.nearest(event)))
    this.canvas.addEventListener('pointerleave', () => this.point(null))
  }

  /** Its spectrum at once; the modes are still to be found. */
  begin(name, { samples, rate }) {
    this.levels = levelsOf(samples, rate, loudestFrom(samples, rate))
    this.put({ name, modes: [], busy: true })
    this.words.textContent = 'finding modes …'
    this.bar.value = 0
  }

  progress(fraction) {
    this.bar.value = fraction
  }

  /** What was found, or nothing: null. */
  show(found) {
    if (!found) {
      this.data = null
      return this.reveal(false)
    }
    this.levels = levelsOf(found.samples, found.rate, found.start)
    this.put({ name: found.name, modes: found.modes, busy: false })
    this.born = performance.now()
    this.usual = wordsOf(found)
    this.words.textContent = this.usual
  }

  put({ name, modes, busy }) {
    this.data = { modes }
    this.title.textContent = name
    this.bar.hidden = !busy
    this.buttons.cancel.hidden = !busy
    this.buttons.save.hidden = this.buttons.close.hidden = busy
    this.table.hidden = busy
    this.aimed = null
    this.rows.replaceChildren(...modes.map((mode, i) => this.row(mode, i)))
    this.reveal(true)
    this.stale = true
  }

  reveal(on) {
    this.figure.hidden = !on
    byId('scopes').classList.toggle('with-found', on)
  }

  row(mode, i) {
    const mark = markOf(mode)
    return element(
      'tr',
      { title: mark.slice(2, -1), onpointerenter: () => this.point(i), onpointerleave: () => this.point(null) },
      element('td', {}, digits(mode.hz, 5)),
      element('td', {}, digits(mode.t60_s, 3)),
      element('td', {}, minus(mode.level_db.toFixed(1))),
    )
  }

  point(i) {
    if (!this.data || this.aimed === i) return
    this.aimed = i
    this.stale = true
    const mode = this.data.modes[i]
    for (const [k, row] of [...this.rows.children].entries()) row.classList.toggle('aimed', k === i)
    if (mode)
      this.words.textContent = `${digits(mode.hz, 5)} Hz · t60 ${digits(mode.t60_s, 3)} s · ${minus(mode.level_db.toFixed(1))} dB`
    else if (this.data.modes.length) this.words.textContent = this.usual
  }

  nearest({ offsetX }) {
    const wide = this.canvas.clientWidth
    const far = this.data?.modes.map(({ hz }) => Math.abs(across(hz, wide) - offsetX)) ?? []
    const best = far.indexOf(Math.min(...far))
    return best >= 0 && far[best] < 12 ? best : null
  }

  // ---- drawing

  draw(colors) {
    if (!this.data || !this.canvas.offsetParent) return
    const { pen, width, height, changed } = fit(this.canvas)
    const age = this.born ? Math.min(1, (performance.now() - this.born) / grows_ms) : 1
    if (!changed && !this.stale && colors === this.colors && this.grown === 1) return
    this.colors = colors
    this.stale = false
    this.grown = calm() ? 1 : age
    const top = Math.max(this.levels.top, ...this.data.modes.map(({ level_db }) => level_db)) + 6
    const place = { width, high: height - 16, top }
    pen.clearRect(0, 0, width, height)
    drawScale(pen, place, colors)
    this.drawSpectrum(pen, place, colors)
    this.data.modes.forEach((mode, i) => this.drawStem(pen, place, colors, mode, i))
    this.drawNames(pen, place, colors)
  }

  drawSpectrum(pen, place, colors) {
    pen.beginPath()
    this.levels.list.forEach((level, k) => {
      const x = (k / (this.levels.list.length - 1)) * place.width
      if (k) pen.lineTo(x, down(level, place))
      else pen.moveTo(x, down(level, place))
    })
    pen.strokeStyle = colors.cool
    pen.lineWidth = 1
    pen.stroke()
    pen.lineTo(place.width, place.high)
    pen.lineTo(0, place.high)
    pen.fillStyle = colors.cool
    pen.globalAlpha = 0.14
    pen.fill()
    pen.globalAlpha = 1
  }

  drawStem(pen, place, colors, mode, i) {
    const x = across(mode.hz, place.width)
    const y = place.high + this.grown * (down(mode.level_db, place) - place.high)
    pen.strokeStyle = pen.fillStyle = i === this.aimed ? colors.text : colors.accent
    pen.globalAlpha = mode.stands_in || mode.perhaps_room ? 0.5 : 1
    pen.lineWidth = i === this.aimed ? 2 : 1
    pen.beginPath()
    pen.moveTo(x, place.high)
    pen.lineTo(x, y)
    pen.stroke()
    pen.beginPath()
    pen.arc(x, y, i === this.aimed ? 4 : 2.6, 0, 2 * Math.PI)
    if (mode.stands_in || mode.perhaps_room) pen.stroke()
    else pen.fill()
    pen.globalAlpha = 1
  }

  /** The frequencies of the strongest, where there is room for them. */
  drawNames(pen, place, colors) {
    if (this.grown < 1) return
    const strong = this.data.modes.filter(({ stands_in }) => !stands_in).sort((a, b) => b.level_db - a.level_db)
    const taken = []
    pen.font = `10.5px ${colors.font}`
    pen.textAlign = 'center'
    pen.textBaseline = 'bottom'
    pen.fillStyle = colors.text
    for (const { hz, level_db } of strong) {
      const x = Math.min(place.width - 20, Math.max(20, across(hz, place.width)))
      if (taken.length > 5 || taken.some((other) => Math.abs(other - x) < 44)) continue
      taken.push(x)
      pen.fillText(digits(hz, 4), x, Math.max(12, down(level_db, place) - 5))
    }
  }
}

function wordsOf({ modes, explained }) {
  const room = modes.filter(({ perhaps_room }) => perhaps_room).length
  return `${modes.length} modes, ${Math.round(100 * explained)} % of the sound${room ? `; ${room} perhaps the room’s` : ''}`
}

function makeTable(rows) {
  const head = ['Hz', 't60 s', 'dB'].map((word) => element('th', { scope: 'col' }, word))
  return element('table', {}, element('thead', {}, element('tr', {}, ...head)), rows)
}

const across = (hz, width) => (Math.log(hz / lowest) / Math.log(highest / lowest)) * width
const down = (level, { high, top }) => Math.min(high, Math.max(0, ((top - level) / shown_db) * high))

/** Before the strikes are known: the loudest sample, and a little before it. */
function loudestFrom(samples, rate) {
  let best = 0
  for (let n = 0; n < samples.length; n++) if (Math.abs(samples[n]) > Math.abs(samples[best])) best = n
  return Math.max(0, best - Math.round(0.005 * rate))
}

/** Levels over even steps of pitch, from one sample on; {list, top}. The window begins in full, as what is struck does, so
 * that a mode that rings long is as high as its stem. */
function levelsOf(samples, rate, start) {
  const size = Math.max(1024, Math.min(largest, 2 ** Math.floor(Math.log2(Math.max(1, samples.length - start)))))
  const block = new Float64Array(size)
  block.set(samples.subarray(start, start + size))
  const spectrum = new Spectrum(size)
  spectrum.window = Float64Array.from({ length: size }, (_, i) => 0.5 + 0.5 * Math.cos((Math.PI * i) / size))
  const levels = spectrum.of(block)
  const points = 600
  const bin = (k) => (lowest * (highest / lowest) ** (k / (points - 1)) * size) / rate
  const list = Array.from({ length: points }, (_, k) => {
    const from = Math.min(levels.length - 1, Math.round(bin(k)))
    const to = Math.min(levels.length - 1, Math.max(from, Math.round(bin(k + 1)) - 1))
    let most = -200
    for (let i = from; i <= to; i++) most = Math.max(most, levels[i])
    return most
  })
  return { list, top: Math.max(...list) }
}

function drawScale(pen, { width, high, top }, colors) {
  pen.font = `10.5px ${colors.font}`
  pen.textBaseline = 'top'
  pen.textAlign = 'center'
  for (const [hz, text] of marks) {
    const x = Math.round(across(hz, width))
    pen.fillStyle = colors.line
    pen.globalAlpha = 0.35
    pen.fillRect(x, 0, 1, high)
    pen.globalAlpha = 1
    pen.fillStyle = colors.muted
    pen.fillText(text, x, high + 3)
  }
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  for (let db = 20 * Math.floor(top / 20); db > top - shown_db; db -= 20) {
    const y = Math.round(down(db, { high, top }))
    pen.fillStyle = colors.line
    pen.globalAlpha = 0.35
    pen.fillRect(0, y, width, 1)
    pen.globalAlpha = 1
    pen.fillStyle = colors.muted
    if (y > 8 && y < high - 8) pen.fillText(minus(`${db} dB`), 4, y - 7)
  }
}
