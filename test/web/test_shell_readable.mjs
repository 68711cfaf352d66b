// What people read and reach: names that differ, hints and words that cover nothing, parts that do not overlap, and axe's
// rules, on a desk and on a phone, light and dark.
// ctest: plain timeout=1500
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, check, lab, main, root, skip } from './browser.mjs'
import { chooseScene, drawn, inLab, openLab, start, wasQuiet } from './shell.mjs'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const small = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const aside = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }

// ---- axe

function axeSource() {
  try {
    return readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
  } catch {
    return skip('needs axe-core: npm ci')
  }
}

// Run as a string by the test's own channel: the page's policy lets no foreign script in.
async function clean(page, where) {
  await page.evaluate(axeSource())
  const found = await page.evaluate(async () => {
    const { violations, passes } = await window.axe.run(document, { resultTypes: ['violations'] })
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    return { told, passed: passes.length }
  })
  check(
    found.passed > 10 && found.told.length === 0,
    `${where}: axe, ${found.passed} rules kept ${found.told.join(' | ')}`,
  )
}

async function axeEverywhere(address, options, words) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser({ ...options, colorScheme, reducedMotion: 'reduce' }) // no colour on its way to another
    const page = await openLab(context, address)
    await drawn(page)
    await clean(page, `${words}, ${colorScheme}, start`)
    await start(page)
    await page.waitForSelector('#curtain', { state: 'detached' })
    await page.click('#demo')
    await clean(page, `${words}, ${colorScheme}, playing`)
    await page.click('#demo')
    await page.click('#parameters summary')
    await page.waitForSelector('#parameters li')
    await clean(page, `${words}, ${colorScheme}, every parameter`)
    if (await page.isVisible('#tab-scopes')) {
      await page.click('#tab-scopes')
      await clean(page, `${words}, ${colorScheme}, scopes`)
    }
    await page.click('#help')
    await clean(page, `${words}, ${colorScheme}, help`)
    wasQuiet(page, address)
    await context.close()
  }
}

// ---- boxes

// The hero as it is drawn: its solids' corners on the stage, as a box on the page.
const heroBox = (lab) => {
  const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
  lab.room.group.updateMatrixWorld(true)
  const corners = []
  const walk = (thing) => {
    if (thing.userData.reaches || thing.visible === false) return
    const box = thing.isMesh && (thing.geometry.computeBoundingBox(), thing.geometry.boundingBox)
    for (let i = 0; box && i < 8; i++) {
      const corner = box.min.clone()
      for (const [bit, axis] of ['x', 'y', 'z'].entries()) corner[axis] = (i >> bit) & 1 ? box.max[axis] : box.min[axis]
      corners.push(lab.stage.project(thing.localToWorld(corner)))
    }
    thing.children.forEach(walk)
  }
  for (const solid of lab.room.solids ?? []) if (!solid.userData.ground) walk(solid)
  const clip = (value, most) => Math.min(most, Math.max(0, value))
  const side = (axis, pick, most) => clip(pick(...corners.map((corner) => corner[axis])), most)
  if (!corners.length) return null
  return {
    left: left + side('x', Math.min, width),
    right: left + side('x', Math.max, width),
    top: top + side('y', Math.min, height),
    bottom: top + side('y', Math.max, height),
  }
}

const boxes = (names) =>
  names.flatMap((name) =>
    [...document.querySelectorAll(name)]
      .filter((node) => node.checkVisibility?.() ?? node.offsetParent)
      .filter((node) => node.textContent.trim() || node.matches('button, input, canvas, section'))
      .map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect()
        return { name: node.id || `${name} ${node.textContent.trim().slice(0, 20)}`, left, right, top, bottom }
      }),
  )

const overlap = (a, b) =>
  a &&
  b &&
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1

// What stands on the stage or beside it: hint, notes, camera, and the hero they must not cover. `look` looks at each scene
// on the way.
async function coverNothing(address, options, words, look) {
  const context = await browser(options)
  const page = await openLab(context, address)
  await start(page)
  await page.waitForSelector('#curtain', { state: 'detached' })
  const scenes = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
  const faults = []
  for (const scene of scenes) {
    await chooseScene(page, scene)
    await drawn(page)
    await look(page, scene)
    const hero = await inLab(page, heroBox)
    const written = await page.evaluate(boxes, ['#stage-hint', '#stage-notes span', '#camera'])
    if (!written.some(({ name }) => name === 'stage-hint')) faults.push(`${scene}: no hint`)
    written.forEach((box, i) => {
      if (overlap(box, hero)) faults.push(`${scene}: ${box.name} on the hero`)
      for (const other of written.slice(i + 1))
        if (overlap(box, other)) faults.push(`${scene}: ${box.name} on ${other.name}`)
    })
  }
  check(scenes.length === 30 && !faults.length, `${words}: hints, notes and camera cover nothing ${faults.join('; ')}`)
  await context.close()
}

// Buttons and parts of the page lie beside each other.
async function besideEachOther(address, options, words) {
  const context = await browser(options)
  const page = await openLab(context, address)
  await drawn(page)
  const parts = await page.evaluate(boxes, ['.bar .button', '.bar canvas', '#volume', '.brand svg'])
  const places = await page.evaluate(boxes, ['.bar', '.rail', '#stage', '#stage-hint', '#panel', '#scopes', '.tabs'])
  for (const list of [parts, places]) {
    const pairs = list.flatMap((a, i) =>
      list
        .slice(i + 1)
        .filter((b) => overlap(a, b))
        .map((b) => `${a.name} on ${b.name}`),
    )
    const out = list
      .filter(({ left, right }) => left < -1 || right > options.viewport.width + 1)
      .map(({ name }) => name)
    check(
      list.length > 3 && !pairs.length && !out.length,
      `${words}: ${list.length} parts beside each other ${pairs} ${out}`,
    )
  }
  await context.close()
}

// ---- names

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

// Without WebGL the message stands clear of the button and its words.
async function lackIsRead(address, options, words) {
  const context = await browser({ ...options, args: ['--disable-3d-apis'] })
  const page = await openLab(context, address)
  await page.waitForSelector('#stage-lack')
  await drawn(page)
  const seen = await page.evaluate(boxes, ['#stage-lack b', '#stage-lack span', '#start', '#start-words'])
  const pairs = seen.flatMap((a, i) =>
    seen
      .slice(i + 1)
      .filter((b) => overlap(a, b))
      .map((b) => `${a.name} on ${b.name}`),
  )
  check(seen.length === 4 && !pairs.length, `${words}, without WebGL: the message lies under nothing ${pairs}`)
  await context.close()
}

await main(async () => {
  const { address } = await lab()
  const desk = { viewport: { width: 1280, height: 800 } }
  const views = { desk, phone, 'small phone': small, 'phone on its side': aside }
  for (const [words, options] of Object.entries(views)) await besideEachOther(address, options, words)
  for (const [words, options] of Object.entries(views)) await lackIsRead(address, options, words)
  for (const [words, options] of Object.entries({ desk, phone })) await axeEverywhere(address, options, words)
  const names = namesDiffer()
  await coverNothing(address, desk, 'desk', names.look)
  await coverNothing(address, phone, 'phone', () => null)
  names.end()
})
