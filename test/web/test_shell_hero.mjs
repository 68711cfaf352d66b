// One walk through every room on a desk, and one on a phone. The hero fills 55 to 70 % of the stage's height on a desk, as
// docs/rooms.md asks, and is whole on the stage of a phone, measured by projecting the hero's own corners as the room stands
// before anything is played. Hints and words cover nothing; names of scenes and presets differ.
// ctest: plain timeout=900
import { boxes, heroBox, overlap, phone } from './boxes.mjs'
import { between, check, lab, main } from './browser.mjs'
import { steppedBrowser } from './page_time.mjs'
import { chooseScene, drawn, inLab, openLab, start } from './shell.mjs'

const desk = { viewport: { width: 960, height: 760 } } // a small one, where less fits beside the hero

async function everyRoom(address, options, ...looks) {
  const context = await steppedBrowser({ ...options, pause: 200 })
  const page = await openLab(context, address, '', { blind: true })
  await start(page)
  await page.waitForSelector('#curtain', { state: 'detached' })
  const names = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
  check(names.length === 30, `${names.length} scenes`)
  for (const name of names) {
    await chooseScene(page, name)
    await drawn(page)
    for (const { look } of looks) await look(page, name)
  }
  looks.forEach(({ end }) => end?.())
  await context.close()
}

// ---- the hero

const span = (page) =>
  inLab(page, async (lab) => {
    const { heroSpan } = await import('./rooms/framing.js')
    return heroSpan(lab.room)
  })

const percent = (share) => Math.round(100 * share)

const fills = {
  look: async (page, name) => {
    const { high, wide, top, bottom } = await span(page)
    between(percent(high), 55, 70, `${name}: the hero's share of the stage's height, in %`)
    check(wide < 1 && top > 0 && bottom < 1, `${name}: whole on the stage, ${percent(wide)} % wide`)
  },
}

const isWhole = {
  look: async (page, name) => {
    const { left, right, top, bottom, high } = await span(page)
    check(left > 0 && right < 1 && top > 0 && bottom < 1, `${name}: whole on a phone, ${percent(high)} % high`)
  },
}

// ---- what is written

// What stands on the stage or beside it: hint, notes, camera, and the hero they must not cover.
function coverNothing(words) {
  const faults = []
  const look = async (page, scene) => {
    const hero = await inLab(page, heroBox)
    const written = await page.evaluate(boxes, ['#stage-hint', '#stage-notes span', '#camera'])
    if (!written.some(({ name }) => name === 'stage-hint')) faults.push(`${scene}: no hint`)
    written.forEach((box, i) => {
      if (overlap(box, hero)) faults.push(`${scene}: ${box.name} on the hero`)
      for (const other of written.slice(i + 1))
        if (overlap(box, other)) faults.push(`${scene}: ${box.name} on ${other.name}`)
    })
  }
  const end = () => check(!faults.length, `${words}: hints, notes and camera cover nothing ${faults.join('; ')}`)
  return { look, end }
}

// Collects the names on the way, and judges them at the end.
function namesDiffer() {
  const chips = []
  let cards = []
  const look = async (page, scene) => {
    cards = await page.locator('.card b').allTextContents()
    const own = await inLab(page, (lab) => lab.info.presets.filter(({ title }) => !title).map(({ name }) => name))
    check(own.length === 0, `${scene}: every preset has a title ${own}`)
    chips.push(...(await page.locator('.chip').allTextContents()))
  }
  const twice = (list) => list.map((word) => word.toLowerCase()).filter((word, i, all) => all.indexOf(word) !== i)
  const end = () => {
    check(cards.length === 30 && !twice(cards).length, `${cards.length} scenes, no two alike ${twice(cards)}`)
    check(chips.length > 100 && !twice(chips).length, `${chips.length} presets, no two alike ${twice(chips)}`)
  }
  return { look, end }
}

await main(async () => {
  const { address } = await lab()
  await everyRoom(address, desk, fills, coverNothing('desk'), namesDiffer())
  await everyRoom(address, phone, isWhole, coverNothing('phone'))
})
