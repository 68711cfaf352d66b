// node docs/pictures/rooms.mjs BUILD [light|dark|phone|black]: photographs every room in play, as BUILD/contatto serves it:
// docs/pictures/rooms/NAME.jpg in the dark, and one sheet of all for each way of looking. "black" is the outline test:
// the hero alone, in black, 128 pixels wide, without text, ground or shadow. SCENES=glass,door: only these, and no sheet.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const build = resolve(process.argv[2] ?? 'build')
const ways = process.argv[3] ? [process.argv[3]] : ['dark', 'light', 'phone', 'black']
process.env.CONTATTO ??= join(build, 'contatto')
process.env.BUILD ??= build
const folder = new URL('rooms/', import.meta.url).pathname
const { browser, lab, main } = await import('../../test/web/browser.mjs')
const { chooseScene, drawn, inLab, openLab, passed, start } = await import('../../test/web/shell.mjs')

// Seconds into the demo at which a scene shows what it is.
const moments = { wheel: 1, cradle: 0.5, hammer: 0.3, mallet: 0.3, knock: 0.25, drop: 0.35, ball: 0.3, door: 3, creak: 3, guide: 4, glass: 3 }

const sharp = (lab) => {
  lab.stage.sharpness.hold(1)
  lab.stage.resize()
}

async function blacken(lab) {
  const { MeshBasicMaterial, DoubleSide } = await import('./three/three.module.js')
  lab.stage.scene.overrideMaterial = new MeshBasicMaterial({ color: '#000', side: DoubleSide })
  lab.stage.scene.traverse((thing) => {
    if (thing.renderOrder === -1 || thing.userData.ground) thing.visible = false
  })
  for (const id of ['overlay', 'stage-hint', 'stage-notes', 'camera']) document.getElementById(id).style.visibility = 'hidden'
}

async function photograph(page, name, way) {
  await chooseScene(page, name)
  await inLab(page, sharp)
  await page.click('#demo')
  await passed(page, 48000 * (moments[name] ?? 1.4))
  if (way === 'black') await inLab(page, blacken)
  await drawn(page)
  return page.locator('#stage').screenshot({ type: 'jpeg', quality: 82 })
}

async function sheet(context, pictures, way) {
  const page = await context.newPage()
  const wide = { phone: 150, black: 128 }[way] ?? 250
  const columns = { phone: 10, black: 10 }[way] ?? 5
  await page.setViewportSize({ width: columns * (wide + 8) + 8, height: 100 })
  const cells = pictures.map(
    ([name, jpg]) =>
      `<figure><img src="data:image/jpeg;base64,${jpg.toString('base64')}"><figcaption>${way === 'black' ? '' : name}</figcaption></figure>`,
  )
  await page.setContent(`<style>body{margin:8px;display:grid;gap:8px;grid-template-columns:repeat(${columns},${wide}px);
    background:${way === 'dark' ? '#16191d' : '#efece4'};font:11px sans-serif;color:#888}figure{margin:0}img{width:100%;display:block}</style>${cells.join('')}`)
  await page.waitForTimeout(300)
  writeFileSync(join(folder, `all-${way}.jpg`), await page.screenshot({ type: 'jpeg', quality: 80, fullPage: true }))
}

await main(async () => {
  mkdirSync(folder, { recursive: true })
  const { address } = await lab()
  for (const way of ways) {
    const viewport = way === 'phone' ? { width: 390, height: 844 } : { width: 960, height: 760 }
    const context = await browser({ viewport, colorScheme: way === 'dark' ? 'dark' : 'light' })
    const page = await openLab(context, address)
    await start(page)
    const pictures = []
    const names = process.env.SCENES?.split(',') ?? (await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name)))
    for (const name of names) {
      pictures.push([name, await photograph(page, name, way)])
      if (way === 'dark') writeFileSync(join(folder, `${name}.jpg`), pictures.at(-1)[1])
    }
    if (!process.env.SCENES) await sheet(context, pictures, way)
    await context.close()
  }
})
