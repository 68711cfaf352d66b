// A sound dropped on the page: decoded, its modes found, and a body made of them that can be struck and rubbed at once.
import { byId, download, say } from '../ui/dom.js'
import { Analysis } from './analysis.js'
import { decode } from './decode.js'
import { asLoudAs, placeFor, withBody } from './into_scene.js'
import { FoundView } from './view.js'

const largest = 200e6 /* bytes */

export class Recordings {
  constructor(lab) {
    this.lab = lab
    this.view = new FoundView({
      cancel: () => this.analysis?.cancel(),
      close: () => this.close(),
      save: () => this.save(),
    })
    this.made = new Map() /* from a scene's text to what it was made of */
  }

  async take(file) {
    const { lab, view } = this
    this.analysis?.cancel()
    try {
      if (file.size > largest) throw new Error(`${Math.round(file.size / 1e6)} MB is too large for a sound file`)
      const sound = await decode(file)
      view.begin(file.name, sound)
      byId('tab-scopes').click() /* where there is room for one of both only */
      const analysis = (this.analysis = new Analysis(sound, file.name, (fraction) => view.progress(fraction)))
      const found = await analysis.found
      if (this.analysis !== analysis) return /* another one has come meanwhile */
      this.analysis = null
      if (!found) {
        say(`${file.name}: cancelled.`)
        return this.show()
      }
      await this.open(file.name, { ...found, ...sound, name: file.name })
    } catch (error) {
      this.analysis = null
      this.show()
      say(`${file.name}: ${error.message}`, { bad: true })
    }
    lab.showSteps()
  }

  /** The scene with the new body, and the modes on the spectrum. */
  async open(file, found) {
    const { lab } = this
    const title = file.replace(/\.[^.]*$/, '')
    const body = JSON.parse(found.body)
    const here = JSON.parse(lab.engine.text())
    const place = placeFor(here)
    const before = place ? here : await thing(title, body)
    const scene = await asLoudAs(lab.engine, withBody(before, place ?? placeFor(before), body), before)
    const text = JSON.stringify(scene, null, 1)
    this.made.set(text, found)
    if (!(await lab.open({ text, title }))) this.show()
  }

  /** What belongs to the scene that is open: of one made of a recording, its modes. */
  show() {
    this.view.show(this.made.get(this.lab.text) ?? null)
  }

  close() {
    this.made.delete(this.lab.text)
    this.show()
  }

  save() {
    const found = this.made.get(this.lab.text)
    const name = `${found.name.replace(/\.[^.]*$/, '')}-body.json`
    download(new Blob([`${found.body}\n`], { type: 'application/json' }), name)
    say(`Saved ${name}: a body for any scene, "modes": {"from": "${name}"}. Save, above, writes the whole scene.`)
  }

  draw(colors) {
    this.view.draw(colors)
  }
}

/** A hammer, a finger, and a thing to strike and rub with them. */
async function thing(title, { bodies }) {
  const response = await fetch(new URL('thing.json', import.meta.url))
  if (!response.ok) throw new Error(`thing.json: ${response.status} ${response.statusText}`)
  return { ...(await response.json()), title, about: bodies.body.about }
}
