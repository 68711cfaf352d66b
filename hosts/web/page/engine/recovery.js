// A scene that broke its promise: a number was not finite, or the energy account did not close. The audio thread has let
// its sound fade out and dropped it; here it is built anew, with what was set, and sent. One that breaks again at once is
// left alone until something is changed.
import { CONTROLS_AT, CONTROLS_MOST } from './layout.js'

const LIVED_S = 1 // a scene that begins again should last longer than this
const RETRY_MS = 1000
const SHOWN_S = 10 // how long it counts as broken

const decoder = new TextDecoder()

// The audio thread's words: bytes of the module's text, or a text.
export const wordsOf = (words) => (typeof words === 'string' ? words : decoder.decode(words))

export class Recovery {
  constructor(engine) {
    this.engine = engine
    this.generation = -1 // of the scene it began again
    this.frame = -Infinity // when it broke last
    this.resting = null // what broke, while it is left alone
    this.tried = -Infinity
  }

  take({ generation, lived, playing, words }) {
    const { engine } = this
    if (generation !== engine.generation) return // another one has taken its place already
    this.frame = engine.link.number('written')
    const again = generation === this.generation && lived < LIVED_S * engine.rate
    this.resting = again ? { generation, playing } : null
    engine.tell('broken', { words: wordsOf(words), resting: again })
    if (!again) this.begin(playing)
  }

  // Whether the scene that is held is left alone, or has begun again not long ago.
  get broken() {
    const { link, rate, generation } = this.engine
    if (this.resting) return this.resting.generation === generation
    return this.generation === generation && link.number('written') < this.frame + SHOWN_S * rate
  }

  // Something was changed: perhaps it holds now.
  wake() {
    if (this.resting?.generation !== this.engine.generation || performance.now() < this.tried + RETRY_MS) return
    const { playing } = this.resting
    this.resting = null
    this.begin(playing)
  }

  begin(playing) {
    const { engine } = this
    this.tried = performance.now()
    const before = engine.scene
    let scene
    try {
      scene = engine.build(before.source, this.values(playing))
    } catch (error) {
      return engine.tell('error', error.message)
    }
    scene.info = before.info
    scene.shapes = before.shapes
    engine.hold(scene)
    this.generation = engine.generation
    engine.sound(scene).catch((error) => engine.tell('error', error.message))
  }

  // What was set, but for blows, which are over; and what else has moved controls: while a gesture is played, that is
  // the gesture.
  values(playing) {
    const { scene, schema, info, link } = this.engine
    const values = new Map([...scene.set_values].filter(([path]) => schema[scene.find(path)[0]].rate !== 'trigger'))
    info.controls.slice(0, CONTROLS_MOST).forEach((control, i) => {
      const now = link.board.numbers[CONTROLS_AT + i]
      const moved = playing || !values.has(control.name)
      if (!control.trigger && moved && Number.isFinite(now) && now !== control.value) values.set(control.name, now)
    })
    return values
  }
}
