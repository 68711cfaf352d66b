// What people read and reach: parts that do not overlap, and axe's rules, on a desk and on a phone, light and dark.
// test_shell_hero.mjs, which walks through every room anyway, has the hints and the names.
// ctest: plain timeout=1500
import { clean as keepsRules } from './axe.mjs'
import { browser, check, lab, long, main } from './browser.mjs'
import { boxes, desk, overlap, phone } from './boxes.mjs'
import { drawn, openLab, start, wasQuiet } from './shell.mjs'

const seldom = { pause: 1500 } // drawn: what is read stands still, and axe has the page to itself

const smallPhone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const aside = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }

// ---- axe

// What is dark differs from what is light in its colours alone: there the rules of colours are looked at, in a long run all.
async function axeEverywhere(address, options, words) {
  for (const colorScheme of ['light', 'dark']) {
    const clean = (page, where) => keepsRules(page, where, { colorsOnly: colorScheme === 'dark' && !long })
    const context = await browser({ ...options, colorScheme, reducedMotion: 'reduce' }) // no colour on its way to another
    const page = await openLab(context, address, '', { ...seldom, seen: true })
    await drawn(page)
    if (colorScheme === 'light') await besideEachOther(page, options, words)
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

// Buttons and parts of the page lie beside each other.
async function besideEachOther(page, options, words) {
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
}

async function besideEachOtherOn(address, options, words) {
  const context = await browser(options)
  const page = await openLab(context, address, '', seldom)
  await drawn(page)
  await besideEachOther(page, options, words)
  await context.close()
}

// Without WebGL the message stands clear of the button and its words.
async function lackIsRead(address, options, words) {
  const context = await browser({ ...options, args: ['--disable-3d-apis'] })
  const page = await openLab(context, address, '', seldom)
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
  const usual = { desk, phone }
  const small = { 'small phone': smallPhone, 'phone on its side': aside }
  for (const [words, options] of Object.entries(usual)) await axeEverywhere(address, options, words)
  for (const [words, options] of Object.entries(small)) await besideEachOtherOn(address, options, words)
  for (const [words, options] of Object.entries({ ...usual, ...small })) await lackIsRead(address, options, words)
})
