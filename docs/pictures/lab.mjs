// node docs/pictures/lab.mjs BUILD: photographs the lab anew, as BUILD/contatto serves it. Real pointers play it in a real
// browser; nothing is posed but the moment. Needs pngquant, which makes the files a third as large.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const build = resolve(process.argv[2] ?? 'build')
process.env.CONTATTO ??= join(build, 'contatto')
process.env.BUILD ??= build
const pictures = new URL('.', import.meta.url).pathname
const { browser, lab, main } = await import('../../test/web/browser.mjs')
const { chooseScene, inLab, openLab, spotOn, start, until } = await import('../../test/web/shell.mjs')

// All pixels, however slow the machine draws.
const sharp = (page) =>
  inLab(page, (lab) => {
    lab.stage.sharpness.hold(devicePixelRatio)
    lab.stage.resize()
  })

async function visit(address, { width, height, theme, scale = 1 }) {
  const context = await browser({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: scale,
    hasTouch: width < 500,
  })
  const page = await openLab(context, address, '', { often: true })
  await start(page)
  await sharp(page)
  return page
}

// Stops drawing if things move a good deal just now, as a photographer waits for the moment.
const held = (lab) => {
  const good = lab.room.bodies.some((body) => body.largest() * body.gain > 0.8 * body.size * body.magnifier.share)
  if (good) lab.stage.draw = () => {}
  return good
}

const rimOf = (page) =>
  inLab(page, (lab) => {
    const { room, stage } = lab
    const { left, top } = stage.section.getBoundingClientRect()
    room.group.updateMatrixWorld(true)
    return Array.from({ length: 72 }, (_, i) => {
      const { x, y } = stage.project(room.inner.localToWorld(room.glass.at(i / 72, 1).place))
      return { x: x + left, y: y + top }
    })
  })

// Goes round the rim until it has sung for a while, and holds the picture when the rim moves most.
async function singing(page, seconds) {
  const rim = await rimOf(page)
  const from = await inLab(page, (lab) => lab.room.angle())
  const at = (turns) => rim[Math.floor((((turns % 1) + 1) % 1) * 72)]
  await page.mouse.move(at(from).x, at(from).y)
  await page.mouse.down()
  const began = Date.now()
  const since = () => (Date.now() - began) / 1000
  do await page.mouse.move(at(from + 0.55 * since()).x, at(from + 0.55 * since()).y)
  while (since() < seconds || (since() < 4 * seconds && !(await inLab(page, held))))
}

async function strikes(page, places) {
  for (const u of places) {
    const { x, y } = await spotOn(page, u)
    await page.mouse.click(x, y)
    await page.waitForTimeout(700)
  }
}

async function demo(page, name, seconds) {
  await chooseScene(page, name)
  await page.click('#demo')
  await page.waitForTimeout(1000 * seconds)
}

function keep(name, png) {
  const file = join(pictures, `${name}.png`)
  writeFileSync(file, png)
  execFileSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', file, '200', file])
}

const photo = async (page, name) => keep(name, await page.screenshot())

// Phones side by side, on one sheet.
async function sheet(screens) {
  const context = await browser({ viewport: { width: 1000, height: 100 }, deviceScaleFactor: 1.4 })
  const page = await context.newPage()
  const images = screens.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`).join('')
  await page.setContent(`<style>body{margin:0;padding:16px;display:grid;grid-template-columns:1fr 1fr 1fr;gap:16px;background:#6d6a63}
    img{width:100%;border-radius:22px;display:block}</style>${images}`)
  await page.waitForTimeout(300)
  keep('lab-phone', await page.screenshot({ fullPage: true }))
}

await main(async () => {
  const { address } = await lab()
  const glass = await visit(address, { width: 1280, height: 800, theme: 'dark' })
  await singing(glass, 8)
  await photo(glass, 'lab-glass')
  await glass.context().close()

  const desk = await visit(address, { width: 1280, height: 800, theme: 'light' })
  await chooseScene(desk, 'hammer')
  await strikes(desk, [0.5, 0.3, 0.12])
  for (let tries = 0; tries < 200 && !(await inLab(desk, held)); tries++);
  await photo(desk, 'lab-hammer')
  await desk.context().close()

  const any = await visit(address, { width: 1280, height: 800, theme: 'dark' })
  await demo(any, 'xylophone', 2.6)
  await photo(any, 'lab-xylophone')
  await any.context().close()

  const recording = '/usr/share/sonic-pi/samples/drum_cowbell.flac' /* of Debian's sonic-pi-samples, CC0 */
  const thing = await visit(address, { width: 1280, height: 800, theme: 'dark' })
  await thing.setInputFiles('#file', recording)
  await until(thing, (lab) => lab.recordings.made.has(lab.text), null, 120)
  await thing.focus('#stage')
  for (let i = 0; i < 3; i++) {
    await thing.keyboard.press('1')
    await thing.waitForTimeout(700)
  }
  await photo(thing, 'lab-recording')
  await thing.context().close()

  const phone = { width: 390, height: 844, scale: 2 }
  const first = await visit(address, { ...phone, theme: 'dark' })
  await singing(first, 6)
  const screens = [await first.screenshot()]
  await first.context().close()
  const second = await visit(address, { ...phone, theme: 'light' })
  await chooseScene(second, 'hammer')
  await second.click('#tab-scopes')
  await strikes(second, [0.3, 0.12])
  screens.push(await second.screenshot())
  await second.context().close()
  const third = await visit(address, { ...phone, theme: 'dark' })
  await demo(third, 'chime', 2.4)
  screens.push(await third.screenshot())
  await third.context().close()
  await sheet(screens)
})
