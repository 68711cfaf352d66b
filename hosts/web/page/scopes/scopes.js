// The four scopes below the stage. Each has paths (the taps it needs) and draw(); all read the engine's one clock.
import { byId, element } from '../ui/dom.js'
import { Ledger } from './ledger.js'
import { LiveContact } from './live.js'
import { Loop } from './loop.js'
import { SourceMap } from './map.js'
import { Oscilloscope } from './oscilloscope.js'
import { Spectrogram } from './spectrogram.js'

export class Scopes {
  constructor(engine) {
    this.engine = engine
    this.root = byId('scopes')
    this.frames = [0, 1, 2, 3].map(() => makeFrame())
    this.root.replaceChildren(...this.frames.map((frame) => frame.figure))
    this.list = []
  }

  /** A new scene: the spectrogram runs on, the rest begins anew. */
  enter(info) {
    this.live = new LiveContact(this.engine, info.contacts)
    this.spectrogram ??= new Spectrogram(this.engine)
    this.list = [new Oscilloscope(this.engine, this.live), this.spectrogram, this.third(info), new Ledger(this.engine)]
    this.list.forEach((scope, i) => (this.frames[i].title.textContent = scope.title))
  }

  /** A contact's law at work, or, where a scene has sources and no contact, the map of the first. */
  third(info) {
    const [source] = info.sources ?? []
    return source && !info.contacts.length ? new SourceMap(this.engine, source) : new Loop(this.engine, this.live)
  }

  get paths() {
    return [...this.live.paths, ...this.list.flatMap((scope) => scope.paths)]
  }

  draw(seconds, colors) {
    if (!this.list.length || !this.root.offsetParent) return
    this.live.read(seconds)
    this.list.forEach((scope, i) => {
      const { canvas, title, words } = this.frames[i]
      if (!canvas.offsetParent) return /* makes room for a recording */
      const put = (node, text) => {
        if (node.textContent !== text) node.textContent = text
      }
      scope.draw(
        canvas,
        (text) => put(words, text),
        colors,
        seconds,
        (text) => put(title, text),
      )
    })
  }
}

function makeFrame() {
  const title = element('b')
  const words = element('span')
  const canvas = element('canvas', { 'aria-hidden': 'true' })
  const figure = element(
    'figure',
    { className: 'scope' },
    element('figcaption', {}, title, words),
    element('div', { className: 'well' }, canvas),
  )
  return { figure, title, words, canvas }
}
