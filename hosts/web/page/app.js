// The lab: one engine, one stage, one scene at a time. This file ties the parts together and knows nothing about physics.
import { Engine, missing } from './engine/engine.js'
import { Scopes } from './scopes/scopes.js'
import { Fingers } from './stage/fingers.js'
import { Hand } from './stage/hand.js'
import { Recordings } from './modes/recordings.js'
import { readRoles } from './stage/roles.js'
import { PlainStage } from './stage/plain_stage.js'
import { markCard, showCards } from './ui/cards.js'
import { Controls, showPresets } from './ui/controls.js'
import { byId, halt, say } from './ui/dom.js'
import { handleFiles } from './ui/files.js'
import { handleHelp, handleKeys } from './ui/help.js'
import { History } from './ui/history.js'
import { readHash, writeHash } from './ui/link.js'
import { handleParameters, refreshParameters } from './ui/parameters.js'
import { digits } from './ui/scale.js'
import { handleTheme, pageColors } from './ui/theme.js'
import { Transport } from './ui/transport.js'

const first = 'glass'
const rest = 150 /* ms between frames while nothing sounds */
const settle = 400 /* ms: how long a change rests before it is written into the address */

class Lab {
  constructor(engine) {
    this.engine = engine
    this.started = false
    this.changed = {}
    this.history = new History()
    this.fingers = new Fingers(this)
    this.scopes = new Scopes(engine)
    this.recordings = new Recordings(this)
    this.controls = new Controls(this)
    this.transport = new Transport(this)
    engine.on('error', (text) => say(String(text), { bad: true }))
    engine.on('broken', ({ words, resting }) =>
      say(
        `The scene broke: ${words}. It ${resting ? 'stays silent until something is changed' : 'goes on from silence'}.`,
        {
          bad: true,
        },
      ),
    )
  }

  /** With a picture where the browser can draw one. */
  async makeStage() {
    try {
      const { Stage } = await import('./stage/stage.js')
      this.stage = new Stage(this)
    } catch (error) {
      this.stage?.close()
      this.stage = new PlainStage(this)
      const why = error instanceof TypeError ? 'three.js was not served with this page' : 'this browser has no WebGL'
      this.stage.lack(
        'No picture here',
        `The stage stays empty, because ${why}. The sound does not need it: play here all the same.`,
      )
    }
    this.repaint()
  }

  /** Opens a scene, or says in one line why not and keeps the one there is. */
  async open({ name, text, title, preset, values = {} }) {
    try {
      await this.engine.load({ name: name ?? title, text, preset })
    } catch (error) {
      say(error.message, { bad: true })
      return false
    }
    this.name = name ?? (title || 'scene')
    this.scene = name ?? null
    this.text = text ?? null
    this.preset = preset ?? null
    this.enter()
    for (const [path, value] of Object.entries(values)) {
      if (!(path in this.initial)) this.origins[path] = this.engine.get(path)
      this.restore(path, value)
    }
    this.changed = { ...values }
    this.remember()
    return true
  }

  restore(name, value) {
    const control = this.info.controls.find((control) => control.name === name)
    if (control?.trigger) this.hand.strength.set(name, value)
    else this.engine.set(name, value)
    if (control && control === this.roles.press && value > control.min) this.hand.grip = value
  }

  /** Everything that depends on the scene is made anew. */
  enter() {
    const { engine } = this
    this.room?.leave()
    this.fingers.forget()
    this.info = engine.info
    for (const body of this.info.bodies)
      body.materialPath = body.shape && !body.material && engine.materials ? `${body.name}.modes.material_at` : null
    this.roles = readRoles(this.info)
    this.hand = new Hand(engine, this.roles)
    this.makeRoom()
    this.transport.enter()
    this.scopes.enter(this.info)
    engine.watch([...new Set([...this.scopes.paths, ...this.room.paths])])
    this.controls.enter(this.info, this.roles)
    this.initial = this.values()
    this.origins = {} /* what parameters stood at before they were first changed */
    this.hand.rest()
    this.recordings.show()
    this.describe()
  }

  makeRoom() {
    this.room = new (this.stage.roomFor(this.info, this.roles))(this)
    this.room.enter()
  }

  describe() {
    const { info } = this
    byId('scene-title').textContent = info.title || this.name
    byId('scene-about').textContent = info.about ?? ''
    document.title = `${info.title || this.name} · contatto`
    byId('stage-hint').textContent = [this.room.hint, this.noteHint].filter(Boolean).join(' ')
    byId('stage').setAttribute(
      'aria-label',
      `Stage: ${info.title || this.name}. Space plays, arrow keys push and press.`,
    )
    showPresets(info.presets, this.preset, (preset, focus) => this.choosePreset(preset, focus))
    markCard(this.scene)
    refreshParameters(this)
  }

  /** Where there are notes and keys to play them by. */
  get noteHint() {
    const keys = this.roles.push && this.roles.pitch && matchMedia('(hover: hover)').matches
    return keys ? 'Keys A W S E D … play notes.' : ''
  }

  async choosePreset(preset, focus = false) {
    await this.open({ name: this.scene ?? undefined, text: this.text ?? undefined, title: this.name, preset })
    if (focus) document.querySelector('.chip[aria-checked="true"]')?.focus()
  }

  /** A change by the player, kept for the link. */
  set(path, value, seconds) {
    this.origins[path] ??= this.engine.get(path)
    const refusal = this.engine.set(path, value, seconds)
    if (!refusal) this.changed[path] = value
    this.remember()
    return refusal
  }

  touch(pointer) {
    if (!this.room || !this.started) return
    if (pointer.kind === 'down') this.begin()
    this.fingers.touch(pointer)
    if (pointer.kind === 'up') this.remember()
  }

  /** Before a touch, by a pointer or by a key: the demo makes way, and nothing is silent without a word. */
  begin() {
    if (!this.engine.running) this.sayPaused()
    this.transport.interrupt()
  }

  /** Once, however often it is touched. */
  sayPaused() {
    if (!this.paused?.isConnected) this.paused = say('Paused: press Go on, above, to hear what you touch.')
  }

  /** A key on the stage; true when it meant something. */
  press({ key, code, down, repeat }) {
    const { playing } = this.transport
    const meant = this.room?.key({ key, code, down, repeat }) ?? false
    if (meant && down && !repeat && !this.engine.running) this.sayPaused()
    if (meant && down && playing && !this.hand.demoing) this.transport.interrupt()
    if (meant && !down) this.remember()
    return meant
  }

  /** What stands on the controls: of a trigger its strength, of the pressure the grip; a push is over when it is over. */
  values() {
    const value = (control) =>
      control.trigger
        ? this.hand.strength.get(control.name)
        : control === this.roles.press && this.roles.rubs
          ? this.hand.grip
          : this.engine.get(control.name)
    return Object.fromEntries(
      this.info.controls
        .filter((control) => control !== this.roles.push)
        .map((control) => [control.name, value(control)]),
    )
  }

  /** What a link needs: the scene, its preset, and what is different from how it began. */
  state() {
    const own = Object.fromEntries(Object.entries(this.changed).filter(([path]) => path !== this.roles.push?.name))
    const values = Object.entries({ ...own, ...this.values() }).filter(([path, value]) => value !== this.initial[path])
    return { scene: this.scene, text: this.text, preset: this.preset, values: Object.fromEntries(values) }
  }

  /** Writes the address when things have come to rest; another scene at once, so that Back knows of it. */
  remember() {
    clearTimeout(this.resting)
    if (this.stepping) return /* what is opened by undo is no new edit */
    if (this.written !== (this.scene ?? this.text)) return this.write()
    this.resting = setTimeout(() => this.write(), settle)
  }

  /** Another scene is another page to go back from; the same scene, changed, takes the place of its address. */
  async write() {
    this.resting = null
    const state = this.state()
    const here = this.scene ?? this.text
    const other = this.written !== undefined && this.written !== here
    const push = other && !this.followed
    this.written = here
    this.followed = false
    this.history.take(state)
    this.showSteps()
    const hash = await writeHash(state)
    if (this.written !== here) return /* another scene has come meanwhile */
    this.hash = hash
    if (push) history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  }

  showSteps() {
    byId('undo').disabled = !this.history.has(-1)
    byId('redo').disabled = !this.history.has(1)
  }

  /** Undo (-1) and redo (1): values are set where the scene is the same, else the scene of then is opened. */
  async step(way) {
    if (this.resting) this.history.take(this.state())
    clearTimeout(this.resting)
    this.resting = null
    const then = this.history.step(way)
    if (!then) return say(way < 0 ? 'There is nothing to undo.' : 'There is nothing to redo.')
    if (then.scene !== this.scene || then.text !== this.text || then.preset !== this.preset) {
      this.stepping = true
      await this.open({
        name: then.scene ?? undefined,
        text: then.text ?? undefined,
        title: then.text ? this.name : null,
        preset: then.preset ?? undefined,
        values: then.values,
      })
      this.stepping = false
    } else {
      const now = this.state().values
      for (const path of new Set([...Object.keys(now), ...Object.keys(then.values)]))
        this.restore(path, then.values[path] ?? this.initial[path] ?? this.origins[path])
      this.changed = { ...then.values }
    }
    clearTimeout(this.resting)
    this.resting = null
    this.controls.update()
    this.showSteps()
    refreshParameters(this)
    this.hash = await writeHash(then)
    this.written = then.scene ?? then.text
    history.replaceState(null, '', this.hash)
  }

  async follow(hash) {
    if (hash === this.hash) return
    clearTimeout(this.resting)
    this.followed = true
    let wanted = null
    try {
      wanted = await readHash(hash)
    } catch {
      say('This link is damaged: the scene in it cannot be unpacked.', { bad: true })
    }
    if (
      wanted &&
      (await this.open({
        name: wanted.scene ?? undefined,
        text: wanted.text ?? undefined,
        title: wanted.text ? 'shared scene' : null,
        preset: wanted.preset ?? undefined,
        values: wanted.values,
      }))
    )
      return
    if (!this.info)
      await this.openCard(
        this.engine.catalogue.some((scene) => scene.name === first) ? first : this.engine.catalogue[0].name,
      )
  }

  /** A built-in scene begins with its first preset. */
  openCard(name) {
    return this.open({ name, preset: this.engine.catalogue.find((scene) => scene.name === name)?.presets[0] })
  }

  async start() {
    const button = byId('start')
    if (button.disabled) return
    button.disabled = true
    try {
      await this.engine.start()
    } catch (error) {
      button.disabled = false
      return say(error.message, { bad: true })
    }
    this.started = true
    byId('curtain').classList.add('gone')
    setTimeout(() => byId('curtain').remove(), 400)
    byId('stage').focus({ preventScroll: true, focusVisible: false })
    this.transport.started()
    this.showFoot()
  }

  showFoot() {
    const { engine } = this
    const how = engine.transport === 'shared' ? 'shared memory' : 'messages'
    byId('foot').textContent = `${digits(engine.rate, 5)} Hz · ${how}`
  }

  run() {
    let before = performance.now()
    const frame = (now) => {
      requestAnimationFrame(frame)
      if (!this.engine.running && !this.stage.pointers.size && now - before < rest) return
      const seconds = Math.min(0.25, Math.max(0, (now - before) / 1000))
      before = now
      this.stage.draw(this.room, now, seconds)
      this.scopes.draw(seconds, this.colors)
      this.recordings.draw(this.colors)
      this.controls.update()
      this.transport.draw(seconds, this.colors)
      this.note()
    }
    requestAnimationFrame(frame)
  }

  /** The corner of the stage says how much the motion is magnified, and how late a pen is heard. */
  note() {
    const gain = this.room?.magnified ?? 0
    const late = this.engine.penLatency()
    const ms = (seconds) => `${Math.round(1000 * seconds)} ms`
    const text = [
      gain > 1.5 && `motion drawn ${digits(Number(gain.toPrecision(1)))}×`,
      ...(this.room?.notes ?? []),
      late && `pen to sound ${ms(late.engine)}, to the loudspeaker ${ms(late.output)} more`,
    ]
      .filter(Boolean)
      .join(' · ')
    if (text !== this.noted)
      byId('stage-notes').replaceChildren(Object.assign(document.createElement('span'), { textContent: text }))
    this.noted = text
  }

  repaint() {
    this.colors = pageColors()
    this.stage.repaint(this.colors)
    if (!this.room) return
    this.stage.letGo()
    this.room.leave()
    this.makeRoom()
  }
}

function handleTabs() {
  const choose = (word) => {
    document.body.dataset.tab = word
    for (const tab of ['controls', 'scopes']) byId(`tab-${tab}`).setAttribute('aria-selected', tab === word)
  }
  for (const tab of ['controls', 'scopes']) byId(`tab-${tab}`).addEventListener('click', () => choose(tab))
  choose('controls')
}

async function open() {
  handleTheme(() => lab?.repaint())
  handleHelp()
  handleTabs()
  const lacks = missing()
  if (lacks.length) {
    byId('curtain').hidden = true
    return halt(
      'This browser cannot run the lab',
      'It needs a browser of the last few years: Chromium 111, Firefox 113, Safari 16.4 or later. The command line, contatto render, needs none.',
      lacks,
    )
  }
  try {
    const made = new Lab(await Engine.open())
    await made.makeStage()
    lab = made
  } catch (error) {
    return halt('The lab did not open', error.message)
  }
  showCards(lab.engine.catalogue, async (name, byPointer) => {
    await lab.openCard(name)
    if (byPointer) byId('stage').focus({ preventScroll: true, focusVisible: false })
  })
  handleFiles(lab)
  handleParameters(lab)
  handleKeys(
    (id) => byId(id).click(),
    (way) => lab.step(way),
  )
  byId('undo').addEventListener('click', () => lab.step(-1))
  byId('redo').addEventListener('click', () => lab.step(1))
  for (const [name, down] of [
    ['keydown', true],
    ['keyup', false],
  ])
    addEventListener(name, (event) => lab.stage.space(event, down))
  byId('curtain').addEventListener('click', () => lab.start())
  byId('reset').addEventListener('click', () =>
    lab.open({
      name: lab.scene ?? undefined,
      text: lab.text ?? undefined,
      title: lab.name,
      preset: lab.preset ?? undefined,
    }),
  )
  byId('share').addEventListener('click', () => share())
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault()
    byId('stage').focus()
  })
  addEventListener('hashchange', () => lab.follow(location.hash))
  await lab.follow(location.hash)
  lab.run()
  byId('start').disabled = false // a click before this would be lost
}

async function share() {
  lab.hash = await writeHash(lab.state())
  history.replaceState(null, '', lab.hash)
  try {
    await navigator.clipboard.writeText(location.href)
    say('Link copied: it opens this scene as it is now.')
  } catch {
    say('The link is in the address line: copy it from there.')
  }
}

export let lab = null
await open()
