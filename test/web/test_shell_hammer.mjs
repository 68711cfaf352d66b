// The bar, clicked: where it is struck decides which modes sound. A free bar's second mode has a node in the middle, its
// first at 0.2242 of the length (Euler–Bernoulli); there they must be silent. What is drawn of a blow is on the sound's clock.
// ctest: plain timeout=600
import { between, browser, check, lab, main, near } from './browser.mjs'
import { db } from './files.mjs'
import { chooseScene, drawn, inLab, openLab, partial, passed, spotOn, start, until, wasQuiet } from './shell.mjs'

const node = 0.2242

// A real click at a place along the bar, and the first blow after it.
async function click(page, u) {
  const { x, y } = await spotOn(page, u)
  const from = await inLab(page, (lab) => lab.engine.heard())
  await page.mouse.click(x, y)
  const struck = (lab, from) => lab.room.events.list.find((event) => event.sample >= from)
  const strikes = await until(page, struck, from)
  return strikes ? inLab(page, struck, from) : null
}

// From so many frames before a blow to so many after: null when the page was kept waiting until the ring had lost them.
const soundOf = (page, event, before, after) =>
  inLab(
    page,
    async (lab, { first, count }) => {
      await window.until(() => lab.engine.heard() > first + count)
      const sound = kept(lab.engine, 'output', count, first + count - 1)
      return sound && Array.from(sound)
    },
    { first: event.sample - before, count: before + after },
  )

async function fresh(page) {
  await inLab(page, async (lab) => lab.engine.reset())
  await until(page, (lab) => lab.engine.sounds())
  await passed(page, 14400)
}

// Strikes and listens for two thirds of a second: amplitudes of the first modes in what was heard.
async function struckAt(page, u, modes) {
  let sound = null
  let event = null
  for (let tries = 0; tries < 10 && !sound; tries++) {
    await fresh(page)
    event = await click(page, u)
    if (!check(event, `a click at ${u} strikes`)) throw new Error('no blow')
    sound = await soundOf(page, event, -501, 501 + 32768)
  }
  const place = await inLab(page, (lab) => lab.engine.get('position'))
  return { place, event, levels: modes.map((hz) => db(partial(sound, hz))) }
}

async function whereItIsStruck(page) {
  const modes = await inLab(page, (lab) =>
    lab.info.bodies
      .find((body) => body.shape)
      .modes.slice(0, 4)
      .map((mode) => mode.hz),
  )
  const middle = await struckAt(page, 0.5, modes)
  const first = await struckAt(page, node, modes)
  const else_ = await struckAt(page, 0.36, modes)
  near(middle.place, 0.5, 0.004, 'the click in the middle is the place of the blow')
  near(first.place, node, 0.004, 'and the click at the node')
  const show = ({ levels }) => levels.map((level) => level.toFixed(1)).join(', ')
  console.log(
    `      levels of ${modes.map((hz) => hz.toFixed(0)).join(', ')} Hz: middle ${show(middle)}; node ${show(first)}; 0.36 ${show(else_)}`,
  )
  check(
    middle.levels[0] - first.levels[0] > 25,
    `the first mode is ${(middle.levels[0] - first.levels[0]).toFixed(1)} dB softer at its node than in the middle`,
  )
  check(
    first.levels[1] - middle.levels[1] > 25,
    `the second is ${(first.levels[1] - middle.levels[1]).toFixed(1)} dB softer in the middle, its node, than there`,
  )
  check(else_.levels[0] > first.levels[0] + 15 && else_.levels[1] > middle.levels[1] + 15, 'elsewhere both are heard')
}

// A blow is drawn by the sample at which its force begins; the sound begins with it. Its age is asked for between two
// looks at the clock, which goes on meanwhile.
async function drawnWhenHeard(page) {
  let sound = null
  let event = null
  for (let tries = 0; tries < 10 && !sound; tries++) {
    await fresh(page)
    event = await click(page, 0.4)
    sound = event && (await soundOf(page, event, 2400, 2400))
  }
  const onset = sound.findIndex((x) => Math.abs(x) > 1e-6) - 2400
  between(onset, 0, 48, 'frames from the drawn blow to its sound: under a millisecond')
  const { age, least, most } = await inLab(page, (lab) => {
    const event = lab.room.events.list.at(-1)
    const least = lab.engine.heard() - event.sample
    return { least, age: lab.room.events.age(event) * 48000, most: lab.engine.heard() - event.sample }
  })
  between(age, least - 1e-6, most + 1e-6, 'its age in the picture is the age of its sound, in frames')
}

// Keys: space strikes, arrows move the place and the strength.
async function byKeys(page) {
  await page.focus('#stage')
  const before = await inLab(page, (lab) => ({
    place: lab.engine.get('position'),
    strength: lab.hand.strength.get('strike_speed'),
    blows: lab.room.events.list.length,
  }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  check(await until(page, (lab, blows) => lab.room.events.list.length > blows, before.blows), 'space strikes')
  const further = (lab, { place, strength }) =>
    lab.engine.get('position') > place && lab.hand.strength.get('strike_speed') > strength
  check(await until(page, further, before), 'arrows move the place and the strength')
}

// Motion of the drawn bar is that of its modes: rest plus the sum of displacement times shape, magnified by one number.
// A mode that moves it by less than 1e-5 of its size is left out.
async function theBarMoves(page) {
  check(await click(page, 0.5), 'it is struck once more')
  const bent = (lab) => {
    const { bar } = lab.room
    const drawn = bar.position.array
    let worst = 0
    let most = 0
    for (let i = 0; i < drawn.length; i++) {
      const moved = bar.displacements.reduce((sum, shape, m) => sum + bar.now[m] * shape[i], 0) * bar.gain * bar.flip
      worst = Math.max(worst, Math.abs(drawn[i] - bar.rest[i] - moved))
      most = Math.max(most, Math.abs(moved))
    }
    return { worst: worst / bar.size, most: most / bar.size, allowed: 1e-5 * bar.displacements.length }
  }
  let worst = await inLab(page, bent)
  for (let i = 0; i < 100 && worst.most <= 0.005; i++) {
    await drawn(page)
    worst = await inLab(page, bent)
  }
  check(
    worst.worst < worst.allowed && worst.allowed < 0.05 * worst.most && worst.most > 0.005,
    `the bar is bent by its modes: ${(100 * worst.most).toFixed(1)} % of its size, to ${worst.worst.toExponential(1)}`,
  )
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await chooseScene(page, 'hammer')
  await whereItIsStruck(page)
  await drawnWhenHeard(page)
  await byKeys(page)
  await theBarMoves(page)
  wasQuiet(page, address)
})
