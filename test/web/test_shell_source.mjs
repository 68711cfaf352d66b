// Scenes that a source feeds: the stage moves the gesture, the map shows where it is and which region rules, and a scene
// that would begin in motion is silent until it is touched.
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

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await mapFollows(page)
  await wholePlane(page)
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  wasQuiet(page, address)
})
