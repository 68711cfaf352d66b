// Every control of every built-in scene, by its own slider: the numbers it says it moves are moved, in the scene that
// sounds (`./check` moves those of one scene in three); its words are the engine's. And a few that can be measured do to the sound what their hints say.
// ctest: plain timeout=1800
import { check, lab, main, near, oneIn } from './browser.mjs'
import { cents, measure, rms } from './files.mjs'
import { steppedBrowser } from './page_time.mjs'
import { chooseScene, drawn, inLab, openLab, passed, recorded, start, until, wasQuiet } from './shell.mjs'

// The paths a control moves, watched at audio rate in place of what the picture needs.
const watchTargets = (lab) => {
  const paths = lab.info.controls.flatMap((control) => control.targets.map((target) => target.path))
  lab.engine.watch(['energy.force_j', ...new Set(paths)])
  return lab.info.controls
}

const arrived = (lab, { targets, end }) =>
  lab.engine.sounds() &&
  targets.every(
    ({ path, [end]: wanted }) => Math.abs(lab.engine.at(path, Infinity) - wanted) <= 1e-5 * Math.abs(wanted) + 1e-12,
  )

async function moves(page, control) {
  const slider = page.locator(`[id="control-${control.name}"]`)
  for (const [key, end] of [
    ['End', 'to'],
    ['Home', 'from'],
  ]) {
    await slider.press(key)
    const good = await until(page, arrived, { targets: control.targets, end })
    await drawn(page, 0) // the slider shows where it is: a key that would not move it is no input
    if (good) continue
    const seen = await inLab(
      page,
      (lab, targets) => targets.map(({ path }) => `${path} ${lab.engine.at(path, Infinity)}`),
      control.targets,
    )
    return `${key}: wants ${control.targets.map((target) => target[end])}, has ${seen}`
  }
  return null
}

async function fires(page, control) {
  const before = await inLab(page, (lab) => lab.engine.at('energy.force_j', Infinity))
  await page.locator(`.control:has([id="control-${control.name}"]) .fire`).click()
  const worked = await until(page, (lab, before) => lab.engine.at('energy.force_j', Infinity) !== before, before)
  return worked ? null : 'its button does no work'
}

// What is written beside the sliders is what the engine says of the controls.
const wordsThatDiffer = (lab) =>
  lab.info.controls.flatMap((control) => {
    const row = document.getElementById(`control-${control.name}`).closest('.control')
    const [label, hint, unit] = ['label', '.hint', '.unit'].map((part) => row.querySelector(part).textContent)
    const name = control.name.replaceAll('_', ' ').replace(/([a-z])(\d)/g, '$1 $2')
    const stem = control.unit === 'kg' ? 'g' : control.unit
    const same = unit === control.unit || (unit.length === stem.length + 1 && unit.endsWith(stem)) || unit === stem
    const good = label.toLowerCase().startsWith(name) && hint === control.hint && same
    return good ? [] : [`${control.name} says "${label}", "${hint}", "${unit}"`]
  })

async function everyControl(page, scene, moved) {
  await chooseScene(page, scene)
  const controls = await inLab(page, watchTargets)
  const faults = await inLab(page, wordsThatDiffer)
  for (const control of moved ? controls : []) {
    const fault = await (control.trigger ? fires : moves)(page, control)
    if (fault) faults.push(`${control.name}: ${fault}`)
  }
  check(
    controls.length > 0 && faults.length === 0,
    `${scene}${moved ? '' : ', words'}: ${controls.map((control) => control.name).join(', ')} ${faults.join('; ')}`,
  )
}

// ---- what can be measured

async function strikeWith(page, values) {
  await chooseScene(page, 'hammer')
  for (const [name, value] of Object.entries({ position: 0.5, ...values })) {
    const number = page.locator(`.control:has([id="control-${name}"]) input[type="text"]`)
    await number.fill(String(value))
    await number.press('Enter')
    await until(page, (lab, [name, value]) => Math.abs(lab.engine.get(name) - value) < 1e-6, [name, value])
  }
  await passed(page, 7200)
  await page.focus('#stage')
  const { left, rate } = await recorded(page, async () => {
    await page.locator('.control .fire').click()
    await passed(page, 72000)
  })
  await until(page, (lab) => lab.scopes.list[2].hits.length > 0)
  const contact = await inLab(page, (lab) => lab.scopes.list[2].hits.at(-1)?.points.length ?? 0)
  const first = left.findIndex((x) => Math.abs(x) > 1e-4)
  const sound = left.subarray(first + 240)
  return {
    hz: measure(sound, rate).strongest_hz,
    contact,
    late: rms(sound.subarray(24000, 48000)) / rms(sound.subarray(0, 12000)),
  }
}

async function doWhatTheySay(page) {
  const plain = await strikeWith(page, {})
  const large = await strikeWith(page, { size: 2 })
  near(cents(plain.hz, large.hz), 1200, 3, 'a bar of twice the size is lower by, cents')
  const soft = await strikeWith(page, { hardness: 0.15 })
  const hard = await strikeWith(page, { hardness: 0.85 })
  check(soft.contact > 4 * hard.contact, `harder: shorter contact, ${soft.contact} to ${hard.contact} samples`)
  const wood = await strikeWith(page, { material: 2 })
  check(
    wood.late < plain.late / 10,
    `wood dies sooner than steel: ${wood.late.toExponential(1)} against ${plain.late.toExponential(1)} of the blow left`,
  )
}

// A preset sets what it says, reset brings it back, and the demo plays and can be stopped.
async function presetsResetDemo(page) {
  await chooseScene(page, 'glass')
  await page.click('.chip:has-text("goblet")')
  check(
    await until(page, (lab) => lab.preset === 'goblet' && Math.abs(lab.engine.get('size') - 1.7) < 1e-6),
    'a preset sets its controls',
  )
  await page.locator('[id="control-size"]').press('Home')
  await until(page, (lab) => lab.engine.get('size') === 0.5)
  await page.click('#reset')
  check(
    await until(page, (lab) => lab.preset === 'goblet' && Math.abs(lab.engine.get('size') - 1.7) < 1e-6),
    'reset brings them back',
  )
  await page.click('#demo')
  check(await until(page, (lab) => lab.engine.get('push') > 5), 'the demo moves the controls')
  check(
    await until(page, () => Number(document.getElementById('control-push').value) / 1000 > 0.5),
    'and their sliders with them',
  )
  await page.click('#demo')
  check(await until(page, (lab) => !lab.engine.playing), 'and can be stopped')
}

// Below the controls, every parameter of the scene can be found and moved while it sounds.
async function everyParameter(page) {
  await chooseScene(page, 'glass')
  await page.click('#parameters summary')
  await page.fill('#parameters input[type="search"]', 'rub mu_dynamic')
  const line = page.locator('#parameters li', { hasText: 'rub.mu_dynamic' }).first()
  await line.locator('input').fill('0.2')
  await line.locator('input').press('Enter')
  check(
    await until(page, (lab) => Math.abs(lab.engine.get('rub.mu_dynamic') - 0.2) < 1e-9),
    'a parameter is found by its words and moved',
  )
  await line.locator('input').fill('1e9')
  await line.locator('input').press('Enter')
  const words = await page.locator('.toast.bad').last().innerText()
  check(words.includes('mu_dynamic') && words.includes('range'), `and refused out of its range: ${words}`)
}

await main(async () => {
  const context = await steppedBrowser({ pause: 100 })
  const { address } = await lab()
  const page = await openLab(context, address, '', { blind: true })
  await start(page)
  const names = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
  const moved = oneIn(3, names)
  for (const name of names) await everyControl(page, name, moved.includes(name))
  await inLab(page, ({ scopes }) => delete scopes.draw) // from here on they are drawn
  await doWhatTheySay(page)
  await presetsResetDemo(page)
  await everyParameter(page)
  wasQuiet(page, address)
})
