// Glass, wheel and cello in Firefox: the first click starts the sound, and what a drag across plays there has the pitch and
// the loudness it has in Chromium.
// ctest: plain timeout=900
import { browser, check, lab, main, near } from './browser.mjs'
import { cents, measure, readWav } from './files.mjs'
import { firefox, withHook } from './firefox.mjs'
import { momentary } from './loudness.mjs'
import { chooseScene, drawn, inLab, openLab, passed, start, taped } from './shell.mjs'

// Seconds that the drag is held, and what the sound has a pitch of; a wheel that rolls has none.
const scenes = { glass: { seconds: 2, pitch: true }, wheel: { seconds: 3 }, cello: { seconds: 2, pitch: true } }
const share = 0.22 // of the stage's width: half of what the whole range takes

// ---- in the page, told as text: the same in both browsers

const centre = (lab) => {
  const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
  lab.room.group.updateMatrixWorld(true)
  const { x, y } = lab.room.centre ?? { x: width / 2, y: height / 2 }
  return { x: Math.round(x + left), y: Math.round(y + top), width }
}

// ---- Chromium

async function inChromium(address) {
  const context = await browser({ viewport: { width: 1000, height: 760 } })
  const page = await openLab(context, address)
  await start(page)
  const heard = {}
  for (const [name, { seconds }] of Object.entries(scenes)) {
    await chooseScene(page, name)
    await drawn(page)
    const { x, y, width } = await inLab(page, centre)
    await page.mouse.move(x, y)
    await passed(page, 19200)
    heard[name] = await taped(page, async () => {
      await page.mouse.down()
      await page.mouse.move(x + share * width, y, { steps: 10 })
      await passed(page, 48000 * seconds)
      await page.mouse.up()
    })
  }
  await context.close()
  return heard
}

// ---- Firefox

// Waits inside the page, for sound and not for the clock on the wall.
const waitFrames = async (lab, frames) => {
  const end = lab.engine.link.number('written') + frames
  while (lab.engine.heard() < end) await new Promise((resolve) => setTimeout(resolve, 20))
}

const mouse = (session, actions) =>
  session.ask('WebDriver:PerformActions', {
    actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
  })

const moveTo = (x, y, duration = 0) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration })

async function click(session, selector) {
  const found = await session.ask('WebDriver:FindElement', { using: 'css selector', value: selector })
  await session.ask('WebDriver:ElementClick', { id: Object.values(found.value)[0] })
}

const started = async (lab) => {
  for (let i = 0; i < 3000 && !(lab.started && lab.engine.running && lab.engine.sounds()); i++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return { running: lab.engine.running, rate: lab.engine.context?.sampleRate, agent: navigator.userAgent }
}

// Seen once, and no more: it is heard that counts here, and the picture takes all the time there is.
const unpainted = (lab) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { opacity: 0 }')
  document.adoptedStyleSheets.push(sheet)
  lab.stage.renderer.render = (scene) => scene.updateMatrixWorld()
  lab.scopes.draw = () => {}
}

const open = (lab, name) =>
  lab.openCard(name).then(async () => {
    while (!lab.engine.sounds()) await new Promise((resolve) => setTimeout(resolve, 20))
  })

const record = (lab) => {
  lab.engine.recording.start()
  return lab.engine.link.ask({ type: 'nothing' }).catch(() => null)
}

const recorded = async (lab) => {
  const reader = new FileReader()
  const wav = await lab.engine.recording.stop()
  await new Promise((resolve) => (reader.onload = resolve) && reader.readAsDataURL(wav))
  return reader.result.split(',')[1]
}

async function playedInFirefox(session, seconds) {
  const { x, y, width } = await session.inLab(centre)
  await mouse(session, [moveTo(x, y)])
  await session.inLab(waitFrames, 19200)
  await session.inLab(record)
  await mouse(session, [{ type: 'pointerDown', button: 0 }, moveTo(x + share * width, y, 300)])
  await session.inLab(waitFrames, 48000 * seconds)
  await mouse(session, [{ type: 'pointerUp', button: 0 }])
  const { rate, channels } = readWav(Buffer.from(await session.inLab(recorded), 'base64'))
  return { left: channels[0], rate }
}

async function inFirefox(session, address) {
  await session.ask('WebDriver:Navigate', { url: address })
  await click(session, '#start:not(:disabled)')
  const running = await session.inLab(started)
  check(running.running && running.rate === 48000, `the first click starts the sound in ${running.agent}`)
  await session.inLab(unpainted)
  const heard = {}
  for (const [name, { seconds }] of Object.entries(scenes)) {
    await session.inLab(open, name)
    heard[name] = await playedInFirefox(session, seconds)
  }
  await session.ask('Marionette:Quit', { flags: ['eForceQuit'] })
  return heard
}

// ---- compared

// The last second of what was held, when it has settled.
const settled = ({ left }) => left.subarray(Math.max(0, left.length - 48000))

function compare(name, { pitch }, there, here) {
  const loud = momentary(there.left)
  check(loud > -27 && loud < -19, `${name} in Firefox: ${loud.toFixed(1)} LUFS`)
  near(loud, momentary(here.left), 2, `${name}: LUFS in Firefox as in Chromium`)
  if (!pitch) return
  const [a, b] = [there, here].map((sound) => measure(settled(sound)).pitch_hz)
  near(cents(a, b), 0, 10, `${name}: ${a.toFixed(1)} Hz in Firefox, ${b.toFixed(1)} in Chromium, apart in cents`)
}

await main(async () => {
  const session = await firefox()
  process.env.CONTATTO_LAB = withHook([centre, waitFrames, started, unpainted, open, record, recorded])
  const { address } = await lab()
  const there = await inFirefox(session, address)
  const here = await inChromium(address)
  for (const [name, scene] of Object.entries(scenes)) compare(name, scene, there[name], here[name])
})
