// Touching, by keys and fingers: notes by the keyboard's rows, Space from a slider, strength from the pointer's speed, two
// fingers at two balls, a word while paused; beside the hero nothing is edited, and what is edited is undone.
// ctest: plain timeout=900
import { check, lab, main, near, oneIn } from './browser.mjs'
import { steppedBrowser } from './page_time.mjs'
import { chooseScene, inLab, openLab, spotOn, start, until, wasQuiet } from './shell.mjs'

async function notes(page) {
  await chooseScene(page, 'cello')
  await page.focus('#stage')
  await page.keyboard.down('d')
  check(
    await until(page, (lab) => lab.engine.get('pitch') === 4 && lab.engine.get('speed') > 0),
    'cello: D is four semitones above the open string, and bowed',
  )
  await page.keyboard.down('g')
  check(await until(page, (lab) => lab.engine.get('pitch') === 7), 'G is seven')
  await page.keyboard.up('g')
  check(await until(page, (lab) => lab.engine.get('pitch') === 4), 'let go, the one still held sounds')
  await page.keyboard.up('d')
  check(
    await until(page, (lab) => lab.engine.get('speed') === 0 && lab.engine.get('force') === 0),
    'then the bow lifts',
  )
  await chooseScene(page, 'xylophone')
  await page.focus('#stage')
  await page.keyboard.press('f')
  const struck = (lab) => lab.room.events.list.some(({ contact }) => contact === lab.room.pieces[3].contact.name)
  check(await until(page, struck), 'xylophone: F is the fourth bar')
}

async function spaceFromASlider(page) {
  await chooseScene(page, 'barrel')
  await page.focus('#control-hardness')
  await page.keyboard.down(' ')
  check(await until(page, (lab) => lab.engine.get('speed') > 1), 'Space pushes the barrel while a slider has the focus')
  await page.keyboard.up(' ')
  check(await until(page, (lab) => lab.engine.get('speed') === 0), 'and lets go')
  await chooseScene(page, 'track')
  await page.focus('#stage')
  await page.keyboard.down('ArrowRight')
  check(await until(page, (lab) => lab.engine.get('tilt_x') > 0.05), 'an arrow tilts the tray')
  await page.keyboard.up('ArrowRight')
  check(await until(page, (lab) => lab.engine.get('tilt_x') === 0), 'let go, it lies level')
}

// The same pointer events with other times between them: how fast a machine sends them is not the question.
async function strength(page) {
  await chooseScene(page, 'hammer')
  const { x, y } = await spotOn(page, 0.4)
  const fired = await inLab(
    page,
    (lab, { x, y }) => {
      const { stage, hand, engine } = lab
      const { left, top } = stage.section.getBoundingClientRect()
      const at = (dx, time) => ({ x: x - left + dx, y: y - top, time, id: 1, pen: null, type: 'mouse' })
      const told = []
      const set = engine.set
      engine.set = (name, value, ...more) => {
        if (name === hand.last.name) told.push(value)
        return set.call(engine, name, value, ...more)
      }
      const own = stage.at
      for (const way of [20, 200]) {
        stage.trails.clear()
        stage.at = () => at(-way, 1)
        stage.paced({ type: 'pointermove', pointerType: 'mouse' })
        stage.at = () => at(0, 1.05)
        const pointer = stage.paced({ type: 'pointerdown', pointerType: 'mouse' })
        lab.touch({ ...pointer, kind: 'down' })
        lab.touch({ ...pointer, kind: 'up' })
      }
      stage.at = own
      delete engine.set
      return told
    },
    { x, y },
  )
  check(fired.length === 2 && fired[1] > 3 * fired[0], `a fast pointer strikes harder: ${fired} m/s`)
}

async function twoFingers(page) {
  await chooseScene(page, 'cradle')
  const at = await inLab(page, (lab) => {
    const { left, top } = lab.stage.section.getBoundingClientRect()
    lab.room.group.updateMatrixWorld(true)
    return [lab.room.balls[0], lab.room.balls.at(-1)].map(({ mesh }) => {
      const { x, y } = lab.stage.project(mesh.getWorldPosition(mesh.position.clone()))
      return [x + left, y + top]
    })
  })
  const touch = await page.context().newCDPSession(page)
  const say = (type, ...points) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  const [one, two] = at
  await say('touchStart', one)
  await say('touchStart', one, two)
  await say('touchMove', [one[0] - 50, one[1]], [two[0] + 50, two[1]])
  const out = (lab) => lab.room.balls.map(({ body }) => lab.engine.modes(body.name, lab.engine.heard())?.[0] ?? 0)
  const apart = (lab) => {
    const names = [lab.room.balls[0], lab.room.balls.at(-1)].map(({ body }) => body.name)
    const [a, b] = names.map((name) => lab.engine.modes(name, lab.engine.heard())?.[0] ?? 0)
    return a < -0.005 && b > 0.005
  }
  check(await until(page, apart), `two fingers hold two balls: ${await inLab(page, out)}`)
  await say('touchEnd')
}

async function saysPaused(page) {
  await page.click('#pause')
  await until(page, (lab) => !lab.engine.running)
  const { x, y } = await page.locator('#stage').boundingBox()
  await page.mouse.click(x + 30, y + 60)
  check((await page.locator('.toast').last().innerText()).includes('Paused'), 'touched while paused, it says so')
  await page.click('#pause')
  await until(page, (lab) => lab.engine.running)
}

async function besideTheHero(page) {
  const changed = []
  const scenes = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
  // the whole sheet of `guide` is for writing; of the others one in three
  for (const scene of oneIn(
    3,
    scenes.filter((name) => name !== 'guide'),
  )) {
    await chooseScene(page, scene)
    const before = await inLab(page, (lab) => JSON.stringify(lab.state()))
    const { x, y } = await page.locator('#stage').boundingBox()
    await page.mouse.move(x + 12, y + 60)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 90, { steps: 4 })
    await page.mouse.up()
    const same = await until(page, (lab, before) => JSON.stringify(lab.state()) === before, before, 10)
    if (!same) changed.push(`${scene}: ${before} then ${await inLab(page, (lab) => JSON.stringify(lab.state()))}`)
  }
  check(!changed.length, `beside the hero nothing is edited ${changed.join('; ')}`)
}

// Edits a person makes beside the stage; the state of the lab before and after each comes back.
const edits = {
  'a preset': (page) => page.locator('#presets button').nth(2).click(),
  'a slider moved by its keys': async (page) => {
    await page.locator('#controls input[type=range]').nth(1).focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  },
  'everything set back': (page) => page.click('#reset'),
}

async function everyEditUndone(page) {
  const state = () => inLab(page, (lab) => JSON.stringify(lab.state()))
  const becomes = (wanted) => until(page, (lab, wanted) => JSON.stringify(lab.state()) === wanted, wanted, 20)
  for (const [words, edit] of Object.entries(edits)) {
    const before = await state()
    await edit(page)
    await until(page, (lab, before) => JSON.stringify(lab.state()) !== before && !lab.resting, before, 20)
    const after = await state()
    await page.click('#undo')
    const back = await becomes(before)
    await page.click('#redo')
    check(after !== before && back && (await becomes(after)), `${words}: undone and done again`)
  }
}

async function undone(page) {
  await chooseScene(page, 'glass')
  const before = await inLab(page, (lab) => lab.engine.get('rub.mu_dynamic'))
  await inLab(page, (lab) => lab.set('rub.mu_dynamic', 0.21))
  await until(page, (lab) => !lab.resting)
  await page.click('#undo')
  await until(page, (lab, before) => Math.abs(lab.engine.get('rub.mu_dynamic') - before) < 1e-9, before)
  near(await inLab(page, (lab) => lab.engine.get('rub.mu_dynamic')), before, 1e-9, 'a parameter, undone by the button')
  await page.click('#redo')
  check(await until(page, (lab) => Math.abs(lab.engine.get('rub.mu_dynamic') - 0.21) < 1e-9), 'and done again')
  await everyEditUndone(page)
  await chooseScene(page, 'hammer')
  await page.goBack()
  check(await until(page, (lab) => lab.scene === 'glass'), 'Back at once after a choice goes to the scene before')
}

await main(async () => {
  const context = await steppedBrowser({ hasTouch: true, pause: 50 })
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await notes(page)
  await spaceFromASlider(page)
  await strength(page)
  await twoFingers(page)
  await saysPaused(page)
  await besideTheHero(page)
  await undone(page)
  wasQuiet(page, address)
})
