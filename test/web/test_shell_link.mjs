// A link carries the state; a scene file goes out and comes in again, by button and by drop; what is wrong is said in one line.
// ctest: plain timeout=600
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, check, lab, main, near, run, scratch } from './browser.mjs'
import { chooseScene, inLab, openLab, start, until, wasQuiet } from './shell.mjs'

// Typed with its unit: without one a number is in the unit that stands beside it.
async function put(page, name, value) {
  const number = page.locator(`.control:has([id="control-${name}"]) input[type="text"]`)
  const unit = await inLab(page, (lab, name) => lab.info.controls.find((one) => one.name === name).unit, name)
  await number.fill(typeof value === 'string' ? value : `${value} ${unit}`)
  await number.press('Enter')
}

const stands = (lab) => ({
  scene: lab.scene,
  preset: lab.preset,
  title: document.title,
  values: lab.values(),
  chip: document.querySelector('.chip[aria-checked="true"]')?.textContent,
})

async function linkOf(page) {
  await page.evaluate(() => document.getElementById('toasts').replaceChildren())
  await page.click('#share')
  await page.waitForSelector('.toast')
  return new URL(page.url()).hash
}

// Opened again in a page of its own: all controls, the preset, and what was set by its path.
async function restores(context, address, page) {
  await chooseScene(page, 'glass')
  await page.click('.chip:has-text("goblet")')
  await until(page, (lab) => lab.preset === 'goblet' && lab.engine.sounds())
  await put(page, 'pressure', 2.25)
  await put(page, 'wetness', 0.8)
  await inLab(page, (lab) => lab.set('rub.mu_dynamic', 0.25))
  await until(page, (lab) => lab.values().pressure === 2.25 && lab.values().wetness === 0.8)
  const hash = await linkOf(page)
  const before = await inLab(page, stands)
  const other = await openLab(context, address, hash)
  const after = await inLab(other, stands)
  check(
    JSON.stringify(after) === JSON.stringify(before) && after.values.pressure === 2.25,
    `${hash} restores scene, preset and controls`,
  )
  await start(other)
  await until(other, (lab) => lab.engine.sounds())
  near(await inLab(other, (lab) => lab.engine.get('wetness')), 0.8, 1e-6, 'in the scene that sounds')
  near(await inLab(other, (lab) => lab.engine.get('rub.mu_dynamic')), 0.25, 1e-6, 'and what was set by its path')
  await other.evaluate(() => (location.hash = '#scene=hammer&preset=wood&hardness=0.7'))
  check(
    await until(
      other,
      (lab) => lab.scene === 'hammer' && lab.preset === 'wood' && Math.abs(lab.engine.get('hardness') - 0.7) < 1e-6,
    ),
    'an address typed in is followed',
  )
  wasQuiet(other, address)
  await other.close()
}

async function savesAndOpens(page, folder) {
  await chooseScene(page, 'hammer')
  await put(page, 'mass', 0.05)
  await until(page, (lab) => lab.engine.get('mass') === 0.05)
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
  const file = join(folder, 'mine.json')
  await download.saveAs(file)
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  check(
    saved.controls.mass.value === 0.05 && download.suggestedFilename() === 'hammer.json',
    'saved with the values it stands at',
  )
  run('render', file, '--seconds', '0.2', '-o', join(folder, 'mine.wav'))
  check(true, 'and contatto render takes it')
  saved.title = 'My own bar'
  writeFileSync(file, JSON.stringify(saved))
  await page.setInputFiles('#file', file)
  check(await until(page, (lab) => lab.scene === null && lab.info.title === 'My own bar'), 'opened by the button')
  return { file, saved }
}

// A file's link has the whole scene in it.
async function linkOfAFile(context, address, page) {
  const hash = await linkOf(page)
  const other = await openLab(context, address, hash).catch(() => null)
  const after = other && (await inLab(other, (lab) => ({ title: lab.info.title, mass: lab.engine.get('mass') })))
  check(
    after?.title === 'My own bar' && after.mass === 0.05,
    `a link of ${hash.length} letters carries a scene of one's own`,
  )
  await other?.close()
}

async function drop(page, name, text) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name, { type: 'application/json' }))
      return data
    },
    [name, text],
  )
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: data })
}

async function dropsAndRefuses(page, { saved }) {
  await drop(page, 'dropped.json', JSON.stringify({ ...saved, title: 'Dropped bar' }))
  check(await until(page, (lab) => lab.info.title === 'Dropped bar'), 'opened by a drop')
  for (const [text, word] of [
    ['{"contatto": 1, "bodies": {"a": {"modes": [{"hz": -1}]}}}', 'bodies.a.modes.0.hz'],
    ['{\n  "contatto": 1,\n  oops\n}', 'bad:3:3: '],
    ['{"contatto": 1, "nonsense": 3}', 'nonsense'],
  ]) {
    await drop(page, 'bad.json', text)
    const toast = page.locator('.toast.bad').last()
    await toast.waitFor()
    const line = await toast.innerText()
    check(line.includes(word) && !line.trim().includes('\n'), `refused in one line: ${line}`)
    await page.evaluate(() => document.getElementById('toasts').replaceChildren())
  }
  check((await inLab(page, (lab) => lab.info.title)) === 'Dropped bar', 'and the scene that was there stays')
}

// Units with prefixes, a number out of range, undo, redo, and the browser's own way back.
async function editsAndBack(page) {
  const mass = (lab) => lab.engine.get('mass')
  const is = (wanted) => until(page, (lab, wanted) => Math.abs(lab.engine.get('mass') - wanted) < 1e-9, wanted)
  const settled = () =>
    until(page, (lab) => location.hash === lab.hash && lab.history.list.at(-1) === JSON.stringify(lab.state()))
  await chooseScene(page, 'hammer')
  await settled()
  const before = await inLab(page, mass)
  const row = page.locator('.control:has([id="control-mass"])')
  check((await row.locator('.unit').innerText()) === 'g', `${before} kg is shown in grams`)
  await put(page, 'mass', '50 g')
  check(await is(0.05), '50 g is 0.05 kg')
  await settled()
  await put(page, 'mass', '900 kg')
  const words = await page.locator('.toast.bad').last().innerText()
  check(words.includes('out of range') && (await is(0.05)), `refused with a word: ${words}`)
  await page.focus('#stage')
  await page.keyboard.press('Control+z')
  check(await is(before), 'undone')
  await page.keyboard.press('Control+y')
  check(await is(0.05), 'and done again')
  await settled()
  await chooseScene(page, 'glass')
  await settled()
  await page.goBack()
  check(await until(page, (lab) => lab.scene === 'hammer'), 'Back goes to the scene before')
  check(await is(0.05), 'as it was left')
}

async function damagedLinks(context, address) {
  for (const hash of ['#file=@@@', '#scene=nothing', '#nonsense']) {
    const page = await openLab(context, address, hash)
    const title = await inLab(page, (lab) => lab.info.title)
    const told = hash === '#nonsense' || (await page.locator('.toast.bad').count()) === 1
    check(
      title === 'Singing glass' && told,
      `${hash}: says so where there is something to say, and opens the first scene`,
    )
    await page.close()
  }
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await restores(context, address, page)
  const mine = await savesAndOpens(page, scratch())
  await linkOfAFile(context, address, page)
  await dropsAndRefuses(page, mine)
  await editsAndBack(page)
  await damagedLinks(context, address)
  wasQuiet(page, address)
})
