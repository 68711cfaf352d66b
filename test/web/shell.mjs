// Driving the lab as a person does: real clicks, drags, keys and a pen; and reading what the engine made of them.
import { readFileSync } from 'node:fs'
import { check, open } from './browser.mjs'
import { readWav } from './files.mjs'

// The lab, opened and waiting for its click. Without a graphics card drawing is most of a page's work: here it is drawn
// with few pixels, at which no test looks and on which no place on the page depends, and seldom, but at once where
// somebody waits for it (`drawn`). `pause`: ms between two frames that nobody waits for; less where the hand, which moves
// with the frames, is looked at. Of every room the first frame is painted, unless `blind`; after it all is placed as it would be seen, but
// painted only if `painted` says so, and `scopes` are drawn only for those who look at them. The page around it is laid out
// and can be clicked, but lets everything shine through, which spares the browser the painting, unless somebody looks at
// it: `seen`. `often`: as on a desk, with all pixels. Where the context's time goes in steps (page_time.mjs), that draws as often as it says.
export async function openLab(context, address, hash = '', options = {}) {
  const { often = false, painted = often, scopes = painted, seen = painted, blind = false, pause = 150 } = options
  const page = await open(context, address, hash, often || context.timeIsStepped ? [] : [drawSeldom, pause])
  page.timeIsStepped = context.timeIsStepped
  await page.waitForSelector('#scene-title:not(:empty), #halt:not([hidden])')
  page.lab = await page.evaluateHandle(() => import('./app.js').then(({ lab }) => (window.lab = lab)))
  if (!seen) await page.evaluate(unseen)
  if (!often) await inLab(page, drawWithFewPixels)
  if (!painted) await inLab(page, paintOnce, blind)
  if (!scopes) await inLab(page, (lab) => lab?.scopes && (lab.scopes.draw = () => {}))
  return page
}

function drawSeldom(pause) {
  const own = window.requestAnimationFrame.bind(window)
  const waiting = new Set()
  const go = (frame) => waiting.delete(frame) && own(frame.draw)
  window.requestAnimationFrame = (draw) => {
    const frame = { draw }
    waiting.add(frame)
    setTimeout(go, window.hurry ? 0 : pause, frame)
  }
  window.drawNow = (hurry) => {
    window.hurry = hurry
    ;[...waiting].forEach(go)
  }
}

function unseen() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { opacity: 0 }')
  document.adoptedStyleSheets.push(sheet)
}

const drawWithFewPixels = (lab) => {
  lab?.stage?.sharpness?.hold(0.125)
  lab?.stage?.resize()
}

const paintOnce = (lab, blind) => {
  const renderer = lab?.stage?.renderer
  if (!renderer) return
  const paint = renderer.render.bind(renderer)
  let seen = null
  renderer.render = (scene, camera) => {
    if (lab.room !== seen && !blind) paint(scene, camera)
    else scene.updateMatrixWorld()
    seen = lab.room
  }
}

export async function start(page) {
  await page.click('#start')
  if (page.timeIsStepped) await until(page, () => !document.getElementById('start'))
  await page.waitForFunction(() => !document.getElementById('start') && !document.getElementById('record').disabled)
}

// The room is a new one even where the scene is the one that was there.
export async function chooseScene(page, name) {
  await inLab(page, (lab) => (lab.room.old = true))
  await page.click(`.card[data-scene="${name}"]`)
  await page.waitForSelector(`.card[data-scene="${name}"][aria-current="true"]`)
  await until(page, (lab, wanted) => !lab.room.old && lab.scene === wanted && lab.engine.sounds(), name)
}

// Runs a function of (lab, value) in the page.
export const inLab = (page, run, value) => page.lab.evaluate(run, value)

// Waits until a function of (lab, value) is true in the page; false when it never is.
export async function until(page, run, value, seconds = 60) {
  const end = Date.now() + 1000 * seconds
  while (Date.now() < end) {
    if (await inLab(page, run, value)) return true
    if (page.timeIsStepped) await page.evaluate(() => advance(2880))
    else await page.waitForTimeout(60)
  }
  return false
}

// Waits until so many frames more have been heard.
export const passed = (page, frames) => inLab(page, (lab, frames) => window.passed(lab.engine, frames), frames)

// The pointer goes there, and the page has been told: a browser tells of a pointer that moves when it next draws.
export async function moved(page, x, y) {
  await page.mouse.move(x, y)
  if (page.timeIsStepped) await page.evaluate(() => window.browserFrame())
}

// Waits until the page has drawn what it knows now: media, sizes and the lab's own frame come before the callback.
export const drawn = (page, times = 2) =>
  page.evaluate(async (times) => {
    window.drawNow?.(true)
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let i = 0; i <= times; i++) await (window.advance?.(800) ?? frame())
    window.drawNow?.(false)
  }, times)

// A question that means nothing to the audio thread comes back when all that was sent before has been heard there.
const delivered = (page) => inLab(page, (lab) => lab.engine.link.ask({ type: 'nothing' }).catch(() => null))

// What was heard while `play` went on, by the page's own recorder: {left, right, rate, name}. By its key, since the
// pointer may be busy playing.
export async function recorded(page, play) {
  await page.keyboard.press('r')
  await delivered(page)
  await play()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('r')])
  const { rate, channels } = readWav(readFileSync(await download.path()))
  return { left: channels[0], right: channels[1], rate, name: download.suggestedFilename() }
}

// Where on the page a place along a body's length is: what a person would aim at.
export const spotOn = (page, u) =>
  inLab(
    page,
    (lab, u) => {
      const { room, stage } = lab
      const { left, top } = stage.section.getBoundingClientRect()
      room.group.updateMatrixWorld(true)
      const { x, y } = stage.project(room.bar.mesh.localToWorld(room.bar.at(u, 0.5).place))
      return { x: x + left, y: y + top }
    },
    u,
  )

// Amplitude of a partial in a Hann window.
export function partial(samples, hz, rate = 48000) {
  let cosine = 0
  let sine = 0
  let sum = 0
  for (let n = 0; n < samples.length; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / samples.length)
    cosine += window * samples[n] * Math.cos((2 * Math.PI * hz * n) / rate)
    sine += window * samples[n] * Math.sin((2 * Math.PI * hz * n) / rate)
    sum += window
  }
  return (2 * Math.hypot(cosine, sine)) / sum
}

// A page that has had nothing to complain about and has asked nobody else for anything.
export function wasQuiet(page, address) {
  check(page.errors.length === 0, `no console error ${page.errors.join(' | ')}`)
  const own = (url) => url.startsWith(address) || url.startsWith('blob:') || url.startsWith('data:')
  const foreign = page.requests.filter((url) => !own(url))
  check(
    page.requests.length > 10 && foreign.length === 0,
    `${page.requests.length} requests, none leaves the machine ${foreign.join(' ')}`,
  )
}

// What left for the loudspeaker while `play` went on, as the audio thread kept it and the volume let it: {left, right, rate}.
// Without the page's button, so that nothing else changes there.
export async function taped(page, play) {
  await inLab(page, ({ engine }) => engine.recording.start())
  await delivered(page)
  await play()
  const text = await inLab(page, async ({ engine }) => {
    const wav = await engine.recording.stop()
    const reader = new FileReader()
    await new Promise((resolve) => (reader.onload = resolve) && reader.readAsDataURL(wav))
    return { wav: reader.result.split(',')[1], volume: engine.volume }
  })
  const { rate, channels } = readWav(Buffer.from(text.wav, 'base64'))
  const [left, right] = channels.map((samples) => samples.map((x) => text.volume * x))
  return { left, right, rate }
}
