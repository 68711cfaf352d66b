// Scenes that a source feeds: the stage moves the gesture, the map shows where it is and which region rules, and a scene
// that would begin in motion is silent until it is touched. Where the map asks for fluidity, what is drawn on the stage is
// measured while it is drawn.
// ctest: plain timeout=400
import { browser, check, lab, main, near } from './browser.mjs'
import { chooseScene, inLab, openLab, start, until, wasQuiet } from './shell.mjs'

// What is said beside the map, such as "slow · 0.071, 0.45".
const caption = (page) => page.locator('.scope figcaption span').nth(2).textContent()

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
  check(await inLab(page, (lab) => lab.engine.get('speed') === 0), 'nothing moves before it is touched')
  // 0.45 of the stage walks the whole range of 0 to 1 m/s: slow below 0.08 m/s, song to 0.5, fast beyond
  for (const [share, name] of [
    [0.02, 'slow'],
    [0.12, 'song'],
    [0.4, 'fast'],
    [-0.12, 'song'],
  ]) {
    await pullAcross(page, share)
    check(await until(page, inRegion, name, 5), `pulled by ${share} of the stage it is ${name}`)
    await page.waitForTimeout(200)
    check((await caption(page)).startsWith(name), `and the caption says so: ${await caption(page)}`)
    near(await inLab(page, (lab) => lab.engine.get('speed')), Math.abs(share) / 0.45, 0.02, 'speed in m/s')
    await page.mouse.up()
    check(await until(page, (lab) => lab.engine.get('speed') === 0, null, 5), 'let go, it stands')
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

// Draws for some seconds as a pen at 120 Hz would: a path by time, told to the engine as it happens.
const drawn = (page, jerky, seconds) =>
  inLab(
    page,
    async (lab, [jerky, seconds]) => {
      const begun = performance.now() / 1000
      const heard = { sing: 0, squeak: 0 }
      const pace = (t) => (jerky ? t - (0.95 * Math.sin(2 * Math.PI * 6 * t)) / (2 * Math.PI * 6) : t)
      const place = (t) => [0.01 * Math.cos(7.5 * pace(t)), 0.01 * Math.sin(7.5 * pace(t))]
      for (let n = 0; n < 120 * seconds;) {
        await new Promise((done) => setTimeout(done, 4))
        const samples = []
        for (; n / 120 <= performance.now() / 1000 - begun; n++) samples.push(begun + n / 120, ...place(n / 120), 0.5)
        if (samples.length) lab.engine.write(samples)
        if (n > 60 * seconds) heard[lab.scopes.list[2].regions[lab.engine.at('pen.region', Infinity)].name]++
      }
      const { engine, output } = lab.engine.penLatency()
      const fluidity = lab.engine.get('fluidity')
      lab.engine.write([performance.now() / 1000, ...place(seconds), 0])
      return { sings: heard.sing / (heard.sing + heard.squeak), fluidity, engine, output }
    },
    [jerky, seconds],
  )

// What a smooth hand hears and what a jerky one does; how late.
async function penGuides(page) {
  await chooseScene(page, 'guide')
  await page.click('.chip:has-text("level 3")')
  await until(page, (lab) => lab.preset === 'level_3' && lab.engine.sounds())
  const smooth = await drawn(page, false, 3)
  const jerky = await drawn(page, true, 3)
  check(smooth.sings > 0.9 && smooth.fluidity > 0.6, `a smooth hand sings: ${JSON.stringify(smooth)}`)
  check(jerky.sings < 0.1 && jerky.fluidity < 0.4, `a jerky one squeaks: ${JSON.stringify(jerky)}`)
  const { words } = await inLab(page, (lab) => ({ words: lab.noted }))
  check(/pen to sound \d+ ms, to the loudspeaker \d+ ms more/.test(words), `and it is said how late: ${words}`)
  check(
    await until(page, (lab) => lab.engine.get('speed') < 1e-3 && lab.engine.get('pressure') < 1e-3, null, 5),
    'a lifted pen rests',
  )
}

// A mouse is a pen without pressure: what it draws is seen, moves the source, and is over when it is let go.
async function mouseWrites(page) {
  const { x, y, width, height } = await page.locator('#stage').boundingBox()
  await page.mouse.move(x + 0.5 * width, y + 0.6 * height)
  await page.mouse.down()
  let fastest = 0
  for (let i = 1; i <= 40; i++) {
    await page.mouse.move(x + 0.5 * width + 60 * Math.sin(i / 5), y + 0.6 * height + 60 * Math.cos(i / 5))
    fastest = Math.max(fastest, await inLab(page, (lab) => lab.engine.get('speed')))
  }
  const { ink, pressure } = await inLab(page, (lab) => ({
    ink: lab.hand.pad.ink.length,
    pressure: lab.engine.get('pressure'),
  }))
  check(ink >= 40, `${ink} samples of ink`)
  check(fastest > 0.02 && fastest < 5, `at up to ${fastest.toFixed(2)} m/s`)
  near(pressure, 0.5, 0.05, 'with the usual pressure')
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  await page.mouse.up()
  check(await until(page, (lab) => lab.engine.get('pressure') < 1e-3, null, 5), 'let go, it rests')
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await mapFollows(page)
  await penGuides(page)
  await mouseWrites(page)
  await wholePlane(page)
  wasQuiet(page, address)
})
