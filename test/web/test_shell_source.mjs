// Scenes that a source feeds: the stage moves the gesture, the map shows where it is and which region rules, and a scene
// that would begin in motion is silent until it is touched. Where the map asks for fluidity, what is drawn on the stage is
// measured while it is drawn.
// ctest: plain timeout=400
import { browser, check, lab, main, near } from './browser.mjs'
import { chooseScene, inLab, openLab, passed, start, until, wasQuiet } from './shell.mjs'

// What is said beside the map, such as "slow · 0.071, 0.45".
const caption = (page) => page.locator('.scope figcaption span').nth(2).textContent()

const captionSays = (lab, name) => document.querySelectorAll('.scope figcaption span')[2].textContent.startsWith(name)

// Goes across from the middle of the stage by a share of its width, and stays.
async function pullAcross(page, share) {
  const { x, y, width, height } = await page.locator('#stage').boundingBox()
  await page.mouse.move(x + 0.3 * width, y + 0.8 * height)
  await page.mouse.down()
  await page.mouse.move(x + (0.3 + share) * width, y + 0.8 * height, { steps: 6 })
}

const inRegion = (lab, name) =>
  lab.scopes.list[2].regions[lab.engine.at('finger.region', lab.engine.heard())]?.name === name

async function mapFollows(page) {
  await chooseScene(page, 'goblet')
  check((await inLab(page, (lab) => lab.scopes.list[2].constructor.name)) === 'SourceMap', 'the third scope is the map')
  const regions = await inLab(page, (lab) =>
    lab.scopes.list[2].regions.map(({ name, corners }) => [name, corners.length]),
  )
  check(regions.length === 5 && regions.every(([, corners]) => corners === 4), `its regions: ${regions.join(' ')}`)
  await until(page, (lab) => lab.engine.get('speed') === 0)
  await passed(page, 9600)
  check(await inLab(page, (lab) => lab.engine.get('speed') === 0), 'nothing moves before it is touched')
  // 0.225 of the stage is the 0.2 m/s that the scene has, 0.45 the whole range to 1 m/s: slow below 0.08 m/s, song to 0.5,
  // fast beyond
  for (const [share, name] of [
    [0.05, 'slow'],
    [0.12, 'song'],
    [0.4, 'fast'],
    [-0.12, 'song'],
  ]) {
    await pullAcross(page, share)
    check(await until(page, inRegion, name), `pulled by ${share} of the stage it is ${name}`)
    await until(page, captionSays, name)
    check((await caption(page)).startsWith(name), `and the caption says so: ${await caption(page)}`)
    const out = Math.abs(share) / 0.225
    const wanted = out < 1 ? 0.2 * out : 0.2 + 0.8 * (out - 1)
    await until(page, (lab, wanted) => Math.abs(lab.engine.get('speed') - wanted) < 0.02, wanted)
    near(await inLab(page, (lab) => lab.engine.get('speed')), wanted, 0.02, 'speed in m/s')
    await page.mouse.up()
    check(await until(page, (lab) => lab.engine.get('speed') === 0), 'let go, it stands')
  }
}

// A scene whose only region has no corners: it is the whole plane.
async function wholePlane(page) {
  const scene = {
    contatto: 1,
    bodies: { bar: { modes: { shape: 'bar', count: 5 }, points: { at: { place_u: 0.3 } } } },
    sources: { rub: { at: 'bar.at', speed_m_s: 0.3, pressure: 0.5, regions: { all: { behaviour: 'rubbing' } } } },
    pickups: { out: { at: 'bar.at' } },
  }
  await inLab(page, (lab, text) => lab.open({ text, title: 'plane' }), JSON.stringify(scene))
  const corners = await inLab(page, (lab) => lab.scopes.list[2].regions[0].corners.flat())
  check(corners.join() === '0.01,0,1,0,1,1,0.01,1', `a region without corners is the whole plane: ${corners}`)
}

// Draws for some seconds as a pen at 120 Hz would: a path by time, told to the engine 1.5 s ahead, since there it waits
// for its time anyway (256 samples can); so a page that is kept waiting for a moment does not falter. What rules is read
// from the ring, for a second of sound that begins 1.5 s after the pen. Null: the page was kept waiting for too long to be
// a hand.
const drawnOnce = (page, jerky) =>
  inLab(
    page,
    async (lab, jerky) => {
      const seconds = 5
      const { engine } = lab
      const begun = performance.now() / 1000
      const first = engine.link.number('written')
      const pace = (t) => (jerky ? t - (0.95 * Math.sin(2 * Math.PI * 6 * t)) / (2 * Math.PI * 6) : t)
      const place = (t) => [0.01 * Math.cos(7.5 * pace(t)), 0.01 * Math.sin(7.5 * pace(t))]
      let n = 0
      let seen = null
      let longest = 0
      for (let before = begun; before < begun + seconds;) {
        await new Promise((done) => setTimeout(done, 4))
        const now = performance.now() / 1000
        const samples = []
        longest = Math.max(longest, now - before)
        before = now
        for (; n / 120 <= now - begun + 1.5 && n < 120 * seconds; n++)
          samples.push(begun + n / 120, ...place(n / 120), 0.5)
        if (samples.length) engine.write(samples)
        if (!seen && engine.link.number('written') - first > 120000)
          seen = {
            rules: newest(engine, 'pen.region', 48000),
            fluidity: engine.get('fluidity'),
            ...engine.penLatency(),
          }
      }
      engine.write([performance.now() / 1000, ...place(seconds), 0])
      const sings = lab.scopes.list[2].regions.findIndex(({ name }) => name === 'sing')
      const { rules, ...rest } = seen ?? {}
      return longest > 0.4 || !rules ? null : { sings: rules.filter((i) => i === sings).length / rules.length, ...rest }
    },
    jerky,
  )

async function drawn(page, jerky) {
  for (let tries = 0; tries < 10; tries++) {
    const seen = await drawnOnce(page, jerky)
    if (seen) return seen
  }
  throw new Error('the page never had five seconds for itself')
}

// With the score that the room gives for it, 0 to 1.
async function scored(page, jerky) {
  await inLab(page, ({ room }) => (room.score = { sung: 0, all: 0 }))
  const seen = await drawn(page, jerky)
  return { ...seen, score: await inLab(page, ({ room: { score } }) => score.sung / score.all) }
}

// What a smooth hand hears and what a jerky one does; how late.
async function penGuides(page) {
  await chooseScene(page, 'guide')
  await page.click('.chip:has-text("level 3")')
  await until(page, (lab) => lab.preset === 'level_3' && lab.engine.sounds())
  const smooth = await scored(page, false)
  const jerky = await scored(page, true)
  check(smooth.sings > 0.9 && smooth.fluidity > 0.6, `a smooth hand sings: ${JSON.stringify(smooth)}`)
  check(jerky.sings < 0.1 && jerky.fluidity < 0.4, `a jerky one squeaks: ${JSON.stringify(jerky)}`)
  check(smooth.score > jerky.score + 0.3, `and scores more: ${smooth.score.toFixed(2)}, ${jerky.score.toFixed(2)}`)
  await until(page, (lab) => lab.noted?.includes('pen to sound'))
  const { words } = await inLab(page, (lab) => ({ words: lab.noted }))
  check(/pen to sound \d+ ms, to the loudspeaker \d+ ms more/.test(words), `and it is said how late: ${words}`)
  check(
    await until(page, (lab) => lab.engine.get('speed') < 1e-3 && lab.engine.get('pressure') < 1e-3),
    'a lifted pen rests',
  )
}

// A mouse is a pen without pressure: what it draws is seen, moves the source, and is over when it is let go. It goes round
// until it has been quick enough: how quick it is, is the machine's affair.
async function mouseWrites(page) {
  const { x, y, width, height } = await page.locator('#stage').boundingBox()
  const quick = ({ speed, pressure }) => speed > 0.02 && Math.abs(pressure - 0.5) < 0.05
  let seen = {}
  let fastest = 0
  await page.mouse.move(x + 0.5 * width, y + 0.6 * height)
  await page.mouse.down()
  for (let i = 1; i <= 40 || (i <= 1000 && !quick(seen)); i++) {
    await page.mouse.move(x + 0.5 * width + 90 * Math.sin(i / 4), y + 0.6 * height + 90 * Math.cos(i / 4))
    const now = await inLab(page, (lab) => ({ speed: lab.engine.get('speed'), pressure: lab.engine.get('pressure') }))
    fastest = Math.max(fastest, now.speed)
    if (!quick(seen)) seen = now
  }
  check(await until(page, (lab) => lab.hand.pad.ink.length >= 40), '40 samples of ink')
  check(seen.speed > 0.02 && fastest < 5, `at up to ${fastest.toFixed(2)} m/s`)
  near(seen.pressure, 0.5, 0.05, 'with the usual pressure')
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  await page.mouse.up()
  check(await until(page, (lab) => lab.engine.get('pressure') < 1e-3), 'let go, it rests')
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address, '', { scopes: true })
  await start(page)
  await mapFollows(page)
  await penGuides(page)
  await mouseWrites(page)
  await wholePlane(page)
  wasQuiet(page, address)
})
