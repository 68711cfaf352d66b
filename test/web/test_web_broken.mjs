// A scene that breaks its promise while it is played: it fades out, the page says so in one line, and it goes on from
// silence with its controls where they were. What leaves for the loudspeaker is finite, below the limiter's ceiling and
// without a step at every moment. The engine has no way to break a scene on purpose, so the test adds one to the file
// of the audio thread: it finds a number of the running scene in the module's memory and writes another in its place.
// ctest: plain
import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { browser, check, engineAlone, lab, labFolder, main, plainServer, scratch } from './browser.mjs'
import { chooseScene, drawn, inLab, openLab, start, until } from './shell.mjs'

// ---- the audio thread's file, with a hand in it

const hand = `
function replace({ exports, lab }, handle, factor) {
  const now = exports.lab_get(lab, ...handle)
  const memory = new Float64Array(exports.memory.buffer)
  let found = 0
  for (let i = 0; i < memory.length && now; i++) if (memory[i] === now) found += (memory[i] *= factor) !== now
  return found
}

Live.prototype.spoil = function ({ handle, factor, id }) {
  this.port.postMessage({ type: 'done', id, found: replace(this.voice, handle, factor) })
}

Live.prototype.trip = function ({ id }) {
  this.voice.process = () => { throw new Error('stumbled') }
  this.port.postMessage({ type: 'done', id })
}

// From now on every new scene breaks at once, or the one that leaves for it does.
Live.prototype.wish = function ({ wish, handle, id }) {
  this.wished = { wish, handle }
  this.port.postMessage({ type: 'done', id, loads: this.loads ?? 0 })
}

const load = Live.prototype.load
Live.prototype.load = function (message) {
  load.call(this, message)
  this.loads = (this.loads ?? 0) + 1
  const { wish, handle } = this.wished ?? {}
  if (wish === 'new') this.voice.process = () => false
  if (wish === 'old') for (const voice of this.leaving) this.wished.found = replace(voice, handle, NaN)
}

// Offline: a rendering of 24001 frames has the first number it watches spoilt half-way.
const watch = Voice.prototype.watch
Voice.prototype.watch = function (handles) {
  this.handles = handles
  watch.call(this, handles)
}

const render = Offline.prototype.process
Offline.prototype.process = function () {
  if (this.frames === 24001 && this.done === 12800) replace(this.voice, this.voice.handles[0], NaN)
  return render.call(this)
}
`

// The lab's folder with that file in it.
function folderWithHand() {
  const folder = join(scratch(), 'lab')
  cpSync(labFolder(), folder, { recursive: true })
  appendFileSync(join(folder, 'engine/worklet.js'), hand)
  rmSync(join(folder, 'engine/worklet.js.gz'), { force: true })
  return folder
}

// ---- in the page: playing hammer, and looking at what was recorded

function tools() {
  const MODE = 'bar.modes.0.v_m_s'
  const { engine } = window
  window.events = []
  engine.on('broken', (event) => events.push(event))
  window.begin = async (name = 'hammer') => {
    events.length = 0
    await engine.load({ name })
    await engine.start()
    await until(() => engine.sounds())
  }
  window.strike = async (frames = 9600) => {
    engine.set('strike_speed', 2)
    await passed(engine, frames)
  }
  window.spoil = (factor, path = MODE) => engine.link.ask({ type: 'spoil', handle: engine.scene.find(path), factor })
  window.wish = (wish) => engine.link.ask({ type: 'wish', wish, handle: engine.scene.find(MODE) })
  window.alive = (count) => until(() => events.length === count && engine.sounds())
  window.record = async (play) => {
    engine.recording.start()
    const { pieces } = engine.recording
    await play()
    await engine.recording.stop()
    return left(pieces)
  }
  const left = (pieces) => {
    const samples = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length / 2, 0))
    let n = 0
    for (const piece of pieces) for (let i = 0; i < piece.length; i += 2) samples[n++] = piece[i]
    return samples
  }
  const largest = (x) => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  const steepest = (x) => x.reduce((most, v, i) => Math.max(most, i ? Math.abs(v - x[i - 1]) : 0), 0)
  // Where the longest silence is, and what is around it: steps over the fade against steps of the sound before it.
  window.look = (samples) => {
    const gap = { from: 0, to: 0 }
    for (let i = 0, from = 0; i <= samples.length; i++) {
      if (i < samples.length && samples[i] === 0) continue
      if (i - from > gap.to - gap.from) Object.assign(gap, { from, to: i })
      from = i + 1
    }
    const latency = engine.link.number('latency')
    const sound = samples.subarray(Math.max(0, gap.from - latency - 4800), gap.from - latency)
    const end = samples.subarray(gap.from - latency - 1, gap.from + 1)
    return {
      finite: samples.every(Number.isFinite),
      peak: largest(samples),
      silence: gap.to - gap.from,
      before: largest(sound),
      step: steepest(end),
      allowed: 1.001 * (steepest(sound) + (largest(sound) * Math.PI) / (2 * latency)),
      after: largest(samples.subarray(gap.to)),
    }
  }
}

async function engineWithHand(context, address) {
  const page = await engineAlone(context, address)
  await page.evaluate(tools)
  return page
}

// Never louder than the limiter lets through, silent in between, no step where it ends, and there again.
function fadesAndGoesOn(seen, words) {
  const { finite, peak, silence, before, step, allowed, after } = seen
  check(finite && peak <= 10 ** (-1 / 20) * (1 + 1e-6), `${words}: all finite, at most ${peak.toFixed(3)}`)
  check(before > 1e-3 && silence > 100, `${words}: sound of ${before.toFixed(3)}, then ${silence} frames of silence`)
  check(step <= allowed, `${words}: steps up to ${step.toFixed(5)} as it ends, ${allowed.toFixed(5)} allowed`)
  check(after > 1e-3, `${words}: sounds again, ${after.toFixed(3)}`)
}

// ---- what is shown

// A number that is no number, or one that is ten times what it was: finite, but from nowhere.
async function goesOnFromSilence(page, factor, wanted) {
  const seen = await page.evaluate(async (factor) => {
    await begin()
    engine.set('hardness', 0.8)
    engine.set('position', 0.1)
    const kept = engine.account
    const samples = await record(async () => {
      await strike()
      window.found = (await spoil(factor)).found
      await alive(1)
      await passed(engine, 9600)
      await strike()
    })
    const controls = ['hardness', 'position', 'mass'].map((name) => engine.get(name))
    return { ...look(samples), found, kept, events, account: engine.account, controls }
  }, factor)
  const { found, kept, events, account, controls } = seen
  check(found > 0, `${found} numbers replaced`)
  fadesAndGoesOn(seen, `times ${factor}`)
  check(events.length === 1 && wanted.test(events[0].words) && !events[0].resting, `says once: ${events[0]?.words}`)
  check(kept === 'kept' && account === 'broken', `the account was ${kept}, then ${account}`)
  check(controls.join() === '0.8,0.1,0.03', `controls stay: ${controls}`)
}

// A gesture has moved the controls: they stay where it had them, and it ends.
async function keepsWhatAGestureMoved(page) {
  const { before, after, ended, playing } = await page.evaluate(async () => {
    await begin()
    let ended = 0
    engine.on('gesture-end', () => ended++)
    engine.play()
    await until(() => engine.playing && engine.get('position') !== engine.info.controls[1].value)
    await passed(engine, 24000)
    await spoil(NaN)
    await until(() => !engine.sounds())
    const before = engine.link.board.numbers.slice(-128)[1]
    await alive(1)
    await passed(engine, 9600)
    return { before, after: engine.get('position'), ended, playing: engine.playing }
  })
  check(Math.abs(after - before) < 1e-12, `position stays at ${before} where the demo had it`)
  check(ended === 1 && !playing, 'the demo is over')
}

async function outlivesAnException(page) {
  const seen = await page.evaluate(async () => {
    await begin()
    const samples = await record(async () => {
      await strike()
      await engine.link.ask({ type: 'trip' })
      await alive(1)
      await passed(engine, 9600)
      await strike()
    })
    return { ...look(samples), words: events[0]?.words }
  })
  fadesAndGoesOn(seen, 'an exception')
  check(seen.words === 'stumbled', `says: ${seen.words}`)
}

// The scene that was there breaks while it leaves: the new one comes back by itself.
async function dropsOneThatLeaves(page) {
  const seen = await page.evaluate(async () => {
    await begin()
    const samples = await record(async () => {
      await strike()
      await wish('old')
      await engine.load({ name: 'hammer' })
      await wish(null)
      await until(() => engine.sounds())
      await passed(engine, 9600)
      await strike()
    })
    return { ...look(samples), events: events.length }
  })
  fadesAndGoesOn(seen, 'one that leaves')
  check(seen.events === 0, 'nothing to be said: it was leaving')
}

// One that breaks again at once is tried once more, then rests until something is changed.
async function doesNotTryForEver(page) {
  const seen = await page.evaluate(async () => {
    await begin()
    await wish('new')
    await strike()
    await spoil(NaN)
    await until(() => events.length === 2)
    await passed(engine, 48000)
    const { loads } = await wish(null)
    const rested = { events: events.map(({ resting }) => resting).join(), account: engine.account }
    await passed(engine, 48000)
    const refused = engine.set('hardness', 0.3)
    await until(() => engine.sounds())
    const { loads: more } = await wish(null)
    await strike()
    const sound = newest(engine, 'output', 4800).reduce((most, x) => Math.max(most, Math.abs(x)), 0)
    return { ...rested, tries: more - loads, refused, sound, hardness: engine.get('hardness') }
  })
  check(seen.events === 'false,true', `broken and again: resting ${seen.events}`)
  check(seen.account === 'broken', 'and shown as broken')
  check(seen.refused === null && seen.tries === 1, `a change begins it again, once (${seen.tries})`)
  check(seen.sound > 1e-3 && seen.hardness === 0.3, `it sounds, ${seen.sound.toFixed(3)}, with what was changed`)
}

async function offlineSaysSo(page) {
  const said = await page.evaluate(() =>
    engine
      .offline({ name: 'hammer', seconds: 24001 / 48000, watch: ['bar.modes.0.v_m_s'] })
      .then(() => 'nothing')
      .catch((error) => error.message),
  )
  check(/^hammer: body 'bar' stopped being finite at 0\.26\d* s$/.test(said), `a rendering says: ${said}`)
}

// ---- and in the shell

async function theShellSaysSo(context, address) {
  const page = await openLab(context, address, '', { scopes: true })
  await start(page)
  await chooseScene(page, 'hammer')
  const caption = () => page.locator('.scope figcaption span').nth(3).innerText()
  await until(page, (lab) => lab.engine.account === 'kept')
  await drawn(page)
  const before = await caption()
  await page.focus('#stage')
  await page.keyboard.press('Space')
  await until(page, (lab) => lab.engine.tail('output', 1024).some(Boolean))
  const { found } = await inLab(page, (lab) => {
    const handle = lab.engine.scene.find('bar.modes.0.v_m_s')
    return lab.engine.link.ask({ type: 'spoil', handle, factor: NaN })
  })
  check(found > 0, 'spoilt while the lab is played')
  await page.waitForSelector('.toast.bad')
  const toasts = await page.locator('.toast').allInnerTexts()
  check(
    toasts.length === 1 && /^The scene broke: body 'bar' stopped .* s\. It goes on from silence\.$/.test(toasts[0]),
    toasts.join(' | '),
  )
  await until(page, (lab) => lab.engine.sounds())
  await drawn(page)
  const after = await caption()
  check(/ J · kept$/.test(before) && / J · broken$/.test(after), `the scope says: ${before}; ${after}`)
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  check(page.errors.length === 0, `no console error ${page.errors.join(' | ')}`)
}

await main(async () => {
  const folder = folderWithHand()
  process.env.CONTATTO_LAB = folder
  const context = await browser()
  const { address } = await lab()
  const page = await engineWithHand(context, address)
  await goesOnFromSilence(page, NaN, /^body 'bar' stopped being finite at [\d.]+ s$/)
  await goesOnFromSilence(page, 10, /^the energy account is broken: its error is .* J, rounding allows .* J$/)
  await keepsWhatAGestureMoved(page)
  await outlivesAnException(page)
  await dropsOneThatLeaves(page)
  await doesNotTryForEver(page)
  await offlineSaysSo(page)
  await page.close()
  const plain = await engineWithHand(context, await plainServer(folder))
  check((await plain.evaluate(() => engine.transport)) === 'messages', 'the same by messages')
  await goesOnFromSilence(plain, Infinity, /^body 'bar' stopped being finite at [\d.]+ s$/)
  await plain.close()
  await theShellSaysSo(context, address)
})
