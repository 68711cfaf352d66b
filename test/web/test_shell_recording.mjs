// A sound dropped on the page: the modes are the program's, they stand on the spectrum, the new body is struck and rubbed at
// once, undo brings back what was there, and what is no struck thing is refused in the program's words. Meanwhile sound goes on.
// ctest: plain timeout=400
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { clean } from './axe.mjs'
import { browser, check, contatto, lab, long, main, near, run, scratch } from './browser.mjs'
import { boxes, overlap, phone } from './boxes.mjs'
import { cents, db, measure, rms } from './files.mjs'
import { steppedBrowser } from './page_time.mjs'
import { chooseScene, drawn, inLab, moved, openLab, passed, start, taped, until, wasQuiet } from './shell.mjs'

const samples = '/usr/share/sonic-pi/samples'
const rate = 44100

// ---- recordings

const modes = [
  [440, 1.2, 0.3],
  [1130, 0.7, 0.2],
  [2210, 0.4, 0.1],
]

// The same numbers in every run.
function noise() {
  let state = 12345
  const even = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
  return () => Math.sqrt(-2 * Math.log(even() + 1e-12)) * Math.cos(2 * Math.PI * even())
}

const struck = (t) =>
  t < 0.1
    ? 0
    : modes.reduce(
        (sum, [hz, t60, gain]) => sum + gain * Math.sin(2 * Math.PI * hz * (t - 0.1)) * 1000 ** (-(t - 0.1) / t60),
        0,
      )

// A WAV file of 16 bits, as a telephone or a field recorder makes them.
function wave(seconds, value) {
  const count = Math.round(rate * seconds)
  const bytes = Buffer.alloc(44 + 2 * count)
  bytes.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  bytes.writeUInt32LE(36 + 2 * count, 4)
  ;[16, 0x10001, rate, 2 * rate, 0x100002].forEach((number, i) => bytes.writeUInt32LE(number, 16 + 4 * i))
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(2 * count, 40)
  for (let n = 0; n < count; n++)
    bytes.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(32767 * value(n / rate)))), 44 + 2 * n)
  return bytes
}

const hiss = noise()
const knock = wave(2, (t) => struck(t) + 1e-3 * hiss())

const refused = {
  'silence.wav': wave(1, () => 0),
  'clipped.wav': wave(1, (t) => 1.8 * Math.sin(2 * Math.PI * 440 * t) * 1000 ** -t),
  'short.wav': wave(0.05, (t) => 0.5 * Math.sin(2 * Math.PI * 440 * t)),
  'noise.wav': wave(1, () => 0.1 * hiss()),
  'cut.wav': knock.subarray(0, 60000),
  'words.wav': Buffer.from('these are words, and no sound\n'),
}

// ---- the page

async function drop(page, name, bytes) {
  const data = await page.evaluateHandle(
    ([name, base64]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name))
      return data
    },
    [name, bytes.toString('base64')],
  )
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: data })
}

const isOpen = (lab, name) => lab.recordings.made.get(lab.text)?.name === name && lab.engine.sounds()
const shown = (page) => page.isVisible('.found')

// ---- what is shown

// The program on the same file: every mode the same. Where modes of a real sound overlap, the last bits of sines, which no two
// libraries have in common, are seen in decays and gains: `within` says how far.
async function sameModes(page, file, within = 1e-6) {
  const wanted = JSON.parse(run('modes', file, '--json')).modes
  const found = await inLab(page, (lab) => lab.recordings.made.get(lab.text).modes)
  const apart = (value) => Math.max(...wanted.map((mode, i) => Math.abs(value(found[i] ?? {}, mode))))
  const hz = apart(({ hz }, mode) => hz / mode.hz - 1)
  const rest = Math.max(
    apart(({ t60_s }, mode) => t60_s / mode.t60_s - 1),
    apart(({ level_db }, { gain }) => 10 ** (level_db / 20) / gain - 1),
  )
  check(
    found.length === wanted.length && hz < 1e-6 && rest < within,
    `${basename(file)}: ${found.length} modes in the page, ${wanted.length} in the program; frequencies ${hz.toExponential(1)} apart, decays and gains ${rest.toExponential(1)}`,
  )
  const rows = await page.locator('.found-table tbody tr').count()
  check(rows === found.length, `${rows} of them in the table`)
  return found
}

async function isFound(page, file) {
  await inLab(page, (lab) => {
    lab.told = []
    const { view } = lab.recordings
    const own = view.progress
    view.progress = (fraction) => lab.told.push(fraction) && own.call(view, fraction)
  })
  await drop(page, 'knock.wav', readFileSync(file))
  check(await until(page, isOpen, 'knock.wav'), 'dropped, and opened as a scene')
  const told = await inLab(page, (lab) => lab.told)
  check(told.length > 2 && told.every((x, i) => i === 0 || x >= told[i - 1]), `progress: ${told.join(', ')}`)
}

// Where a thing of the room is on the page.
const placeOf = (page, name) =>
  inLab(
    page,
    ({ room, stage }, name) => {
      const { left, top } = stage.section.getBoundingClientRect()
      room.group.updateMatrixWorld(true)
      const thing = room.things.find(({ body }) => body.name === name)
      const { x, y } = stage.project(
        (thing.block ?? thing.mesh).getWorldPosition(thing.home?.clone() ?? thing.place.clone()),
      )
      return { x: x + left, y: y + top }
    },
    name,
  )

async function isStruck(page) {
  const at = await placeOf(page, 'thing')
  await moved(page, at.x, at.y)
  const { left } = await taped(page, async () => {
    await page.mouse.down()
    await page.mouse.up()
    await passed(page, 36000)
  })
  const told = measure(left)
  const hz = told.strongest_hz
  near(cents(hz, 440), 0, 2, `struck: its strongest partial is ${hz} Hz; cents from 440`)
  check(told.peak_db > -30 && told.peak_db < -0.5, `and peaks at ${told.peak_db.toFixed(1)} dB`)
}

async function isRubbed(page) {
  const at = await placeOf(page, 'finger')
  const { width } = await page.locator('#stage').boundingBox()
  await passed(page, 96000)
  await moved(page, at.x, at.y)
  await page.mouse.down()
  for (let i = 1; i <= 8; i++) {
    await moved(page, at.x + (0.22 * width * i) / 8, at.y)
    await passed(page, 1600)
  }
  await passed(page, 24000)
  const { left } = await taped(page, () => passed(page, 24000))
  await page.mouse.up()
  const told = measure(left)
  const hz = told.strongest_hz
  const away = Math.min(...modes.map(([mode]) => Math.abs(cents(hz, mode))))
  check(db(rms(left)) > -40, `rubbed: it sounds, ${db(rms(left)).toFixed(1)} dB`)
  check(away < 40, `and sings at ${hz} Hz, ${away.toFixed(0)} cents from one of its modes`)
}

async function savesAndUndoes(page, folder) {
  const save = async (selector) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)])
    await download.saveAs(join(folder, download.suggestedFilename()))
    return download.suggestedFilename()
  }
  const body = await save('.found-buttons button[title]')
  const scene = await save('#save')
  const user = {
    contatto: 1,
    bodies: {
      thing: { modes: { from: body } },
      ball: { modes: [{ hz: 0, t60_s: 0, mass_kg: 0.01, v_m_s: -1, x_m: 5e-4 }], points: { tip: { gains: [1] } } },
    },
    contacts: { hit: { kind: 'impact', a: 'ball.tip', b: 'thing.hit', stiffness: 1e7 } },
    pickups: { out: { at: 'thing.hit' } },
  }
  writeFileSync(join(folder, 'user.json'), JSON.stringify(user))
  for (const file of [scene, 'user.json'])
    run('render', join(folder, file), '--seconds', '0.1', '-o', join(folder, 'sound.wav'))
  check(body === 'knock-body.json' && scene === 'knock.json', `${body} and ${scene}: the program renders both`)
  await page.click('#undo')
  check(await until(page, (lab) => lab.scene === 'glass'), 'undo: the glass is back')
  check(!(await shown(page)), 'and the recording is gone')
  await page.click('#redo')
  check((await until(page, isOpen, 'knock.wav')) && (await shown(page)), 'redo: both are back')
}

// A scene whose body is a list of modes keeps its tools and gets the new one.
async function takesThePlace(page) {
  await chooseScene(page, 'rub')
  await drop(page, 'knock.wav', knock)
  await until(page, isOpen, 'knock.wav')
  const info = await inLab(page, ({ info, room, recordings, text }) => ({
    title: info.title,
    hz: info.bodies.find(({ name }) => name === 'thing').modes.map(({ hz }) => hz),
    found: recordings.made.get(text).modes.map(({ hz }) => hz),
    controls: info.controls.length,
    room: room.constructor.name,
  }))
  const same = info.hz.length === info.found.length && info.hz.every((hz, i) => Math.abs(hz / info.found[i] - 1) < 1e-4)
  check(same && info.controls === 10, `${info.title}: its body is the new one, its ${info.controls} controls are kept`)
}

// An analysis that held up the page or the audio thread would be over before a frame is heard.
async function isCancelled(page) {
  const before = await inLab(page, (lab) => lab.text)
  await drop(
    page,
    'again.wav',
    wave(8, (t) => struck(t % 1) + 1e-2 * hiss()),
  )
  await page.waitForSelector('.found progress:not([hidden])')
  await passed(page, 9600)
  const busy = await inLab(page, (lab) => lab.recordings.analysis !== null)
  check(busy, 'a longer one: 9600 frames are played and heard, and it is still at work')
  await page.click('.found-buttons button:text("Cancel")')
  const said = await page.locator('.toast').last().innerText()
  check(said === 'again.wav: cancelled.' && (await inLab(page, (lab) => lab.text)) === before, `cancelled: ${said}`)
  check(
    await inLab(page, (lab) => lab.recordings.view.title.textContent === 'knock.wav'),
    'and what was shown is shown',
  )
}

const program = (file) => {
  try {
    execFileSync(contatto, ['modes', basename(file)], { cwd: join(file, '..'), stdio: 'pipe' })
    return ''
  } catch (error) {
    return String(error.stderr).trim().replace('contatto modes: ', '')
  }
}

async function refuses(page, folder) {
  const before = await inLab(page, (lab) => lab.text)
  for (const [name, bytes] of Object.entries(refused)) {
    writeFileSync(join(folder, name), bytes)
    const wanted = program(join(folder, name))
    await page.evaluate(() => document.getElementById('toasts').replaceChildren())
    await drop(page, name, bytes)
    await until(page, () => document.querySelector('.toast.bad') !== null)
    const said = await page.locator('.toast.bad').allInnerTexts()
    check(wanted !== '' && said.length === 1 && said[0] === wanted, `as the program: ${said.join(' | ')}`)
  }
  check((await inLab(page, (lab) => lab.text)) === before, 'and the scene that was there stays')
}

async function realOne(page, name) {
  const file = join(samples, `${name}.flac`)
  if (!existsSync(file)) return console.log(`${name}: not installed`)
  await drop(page, `${name}.flac`, readFileSync(file))
  check(await until(page, isOpen, `${name}.flac`, 120), `${name}, a real recording, FLAC`)
  await sameModes(page, file, 1e-4)
}

async function readable(page, where) {
  check(await shown(page), `${where}: the modes are shown`)
  const parts = await page.evaluate(boxes, ['.bar .button', '.stage', '.stage-hint', '.tabs button', '.scope'])
  const pairs = parts.flatMap((a, i) => parts.slice(i + 1).map((b) => [a, b]))
  const over = pairs.filter(([a, b]) => overlap(a, b)).map(([a, b]) => `${a.name} / ${b.name}`)
  check(parts.length > 8 && over.length === 0, `${parts.length} parts, none over another ${over.join(' | ')}`)
  await clean(page, `${where}, a recording`)
}

// On a telephone, in the light, and on a desk, in the dark: nothing lies over anything, and axe has nothing to say.
async function isReadable(address) {
  const context = await browser({ ...phone, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await openLab(context, address, '', { pause: 1500 })
  await start(page)
  await drop(page, 'knock.wav', knock)
  await until(page, isOpen, 'knock.wav')
  await drawn(page)
  await readable(page, 'telephone, light')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await drawn(page)
  await readable(page, 'desk, dark')
  wasQuiet(page, address)
}

await main(async () => {
  const folder = scratch()
  const file = join(folder, 'knock.wav')
  writeFileSync(file, knock)
  const context = await steppedBrowser({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await isFound(page, file)
  const found = await sameModes(page, file)
  for (const [hz, t60] of modes) {
    const mode = found.reduce((best, one) => (Math.abs(one.hz - hz) < Math.abs(best.hz - hz) ? one : best))
    near(mode.hz, hz, 0.01, 'Hz')
    near(mode.t60_s, t60, 0.02 * t60, 's')
  }
  await drawn(page)
  await isStruck(page)
  await isRubbed(page)
  await savesAndUndoes(page, folder)
  await takesThePlace(page)
  await isCancelled(page)
  await refuses(page, folder)
  for (const name of long ? ['elec_ping', 'elec_bell'] : ['elec_ping']) await realOne(page, name)
  wasQuiet(page, address)
  await isReadable(address)
})
