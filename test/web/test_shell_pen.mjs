// A pen's pressure is the normal force of the contact, a finger's touch plays, and the camera has a button.
// ctest: plain timeout=400
import { browser, check, lab, main, near } from './browser.mjs'
import { inLab, openLab, start, until, wasQuiet } from './shell.mjs'

async function penPressure(page) {
  const pen = await page.context().newCDPSession(page)
  const { x, y } = await inLab(page, (lab) => {
    const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
    return { x: left + width * 0.2, y: top + height * 0.8 }
  })
  const say = (type, force, more = {}) =>
    pen.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button: 'left',
      buttons: 1,
      pointerType: 'pen',
      force,
      clickCount: 1,
      ...more,
    })
  const pressed = (lab) => lab.engine.at('rub.pressed_n', Infinity)
  await say('mousePressed', 0.25)
  for (const force of [0.25, 0.5, 0.9]) {
    await say('mouseMoved', force, { x: x + 10 * force })
    await until(page, (lab, wanted) => Math.abs(lab.engine.at('rub.pressed_n', Infinity) - wanted) < 1e-3, 8 * force)
    near(
      await inLab(page, pressed),
      8 * force,
      0.01,
      `pressed with ${force} of a pen's force, the contact's normal force in newtons`,
    )
  }
  await say('mouseReleased', 0, { buttons: 0 })
  await until(page, (lab) => lab.engine.at('rub.pressed_n', Infinity) === 0)
  near(await inLab(page, pressed), 0, 0, 'lifted, it is')
}

// Pressed down a third of the way, the mouse presses a third of 0.45 of the stage harder, linearly.
async function mousePressure(page) {
  const { x, y, high } = await inLab(page, (lab) => {
    const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
    return { x: left + width * 0.2, y: top + height * 0.6, high: height * 0.45 }
  })
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + high / 3, { steps: 5 })
  const { grip, press } = await inLab(page, (lab) => ({ grip: lab.hand.grip, press: lab.roles.press }))
  const wanted = press.min + (press.max - press.min) * (grip / press.max + (1 / 3) * (1 - grip / press.max))
  await until(page, (lab, wanted) => Math.abs(lab.engine.at('rub.pressed_n', Infinity) - wanted) < 0.1, wanted)
  near(
    await inLab(page, (lab) => lab.engine.at('rub.pressed_n', Infinity)),
    wanted,
    0.1,
    'a mouse drawn down presses, in newtons',
  )
  await page.mouse.up()
}

async function fingers(page) {
  const touch = await page.context().newCDPSession(page)
  const { x, y, azimuth } = await inLab(page, (lab) => {
    const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
    return { x: left + width * 0.2, y: top + height * 0.8, azimuth: lab.stage.turned.azimuth }
  })
  const say = (type, ...points) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  await say('touchStart', [x, y])
  await say('touchMove', [x + 60, y])
  check(await until(page, (lab) => lab.engine.get('push') > 3), 'a finger drawn across pushes')
  await say('touchStart', [x + 60, y], [x + 200, y])
  await say('touchMove', [x + 60, y], [x + 240, y])
  check(
    await until(page, (lab, azimuth) => lab.engine.get('push') > 3 && lab.stage.turned.azimuth === azimuth, azimuth),
    'a second finger neither stops it nor turns the picture',
  )
  await say('touchEnd')
  check(await until(page, (lab) => lab.engine.get('push') === 0), 'lifted, it lets go')
  await page.click('#camera')
  await say('touchStart', [x, y])
  await say('touchMove', [x + 60, y])
  await say('touchEnd')
  const { turned, push } = await inLab(page, (lab) => ({
    turned: lab.stage.turned.azimuth,
    push: lab.engine.get('push'),
  }))
  check(turned !== azimuth && push === 0, "with the camera's button in, a finger turns the picture and plays nothing")
  await page.click('#camera')
}

await main(async () => {
  const context = await browser({ hasTouch: true })
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await penPressure(page)
  await mousePressure(page)
  await fingers(page)
  wasQuiet(page, address)
})
