// node docs/pictures/rooms.mjs BUILD [light|dark|phone|black]: photographs every room in play, as BUILD/contatto serves it:
// docs/pictures/rooms/NAME.jpg in the dark, and one sheet of all for each way of looking. "black" is the outline test:
// the hero alone, in black, 128 pixels, without text, ground or shadow; what is engraved in it stays white. KEEP=FOLDER: every picture
// also as a file there, FOLDER/WAY-NAME.jpg (black: png). SCENES=glass,door: only these; a sheet is then made when the
// pictures of all others are kept.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const build = resolve(process.argv[2] ?? 'build')
const ways = process.argv[3] ? [process.argv[3]] : ['dark', 'light', 'phone', 'black']
process.env.CONTATTO ??= join(build, 'contatto')
process.env.BUILD ??= build
const folder = new URL('rooms/', import.meta.url).pathname
const { browser, lab, main } = await import('../../test/web/browser.mjs')
const { chooseScene, drawn, inLab, openLab, start } = await import('../../test/web/shell.mjs')

// Seconds into the demo at which a scene shows what it is.
const moments = {
  ball: 0.58,
  bowl: 1.7,
  chalk: 4,
  cradle: 0.5,
  creak: 1.2,
  door: 3,
  drop: 0.14,
  glass: 3,
  guide: 4,
  hammer: 0.3,
  knock: 0.25,
  mallet: 0.3,
  marble: 0.6,
  plate: 1.8,
  scrape: 1.1,
  wheel: 1,
}

// What is played instead of the demo where a person would play it more boldly: controls by their names.
const gestures = { ball: { bounciness: 0.9, height: 0.9, speed: 0.9 } }

// Played so long and no longer, however slowly the page draws.
async function play(lab, { frames, gesture }) {
  if (gesture) for (const [name, value] of Object.entries(gesture)) lab.engine.set(name, value)
  else document.getElementById('demo').click()
  await window.passed(lab.engine, frames)
  lab.engine.pause()
}

const sharp = (lab) => {
  lab.stage.sharpness.hold(1)
  lab.stage.resize()
}

async function blacken(lab) {
  const { BufferAttribute, MeshBasicMaterial, DoubleSide } = await import('./three/three.module.js')
  lab.stage.scene.overrideMaterial = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide })
  const ink = (thing, white) => {
    const { renderOrder, userData, geometry } = thing
    if (renderOrder === -1 || userData.ground || userData.open) thing.visible = false
    const light = white || userData.engraved
    if (geometry) {
      const shades = new Float32Array(3 * geometry.attributes.position.count).fill(light ? 1 : 0)
      geometry.setAttribute('color', new BufferAttribute(shades, 3))
    }
    for (const part of thing.children) ink(part, light)
  }
  ink(lab.stage.scene, false)
  for (const id of ['overlay', 'stage-hint', 'stage-notes', 'camera'])
    document.getElementById(id).style.visibility = 'hidden'
  document.getElementById('stage').style.background = '#fff'
}

function colour(lab) {
  lab.stage.scene.overrideMaterial = null
  for (const id of ['overlay', 'stage-hint', 'stage-notes', 'camera']) document.getElementById(id).style.visibility = ''
  document.getElementById('stage').style.background = ''
}

// What is black, as large as it can be in 128 by 128 pixels of white; null while the browser shows an empty stage.
async function trim(base64) {
  const png = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([png], { type: 'image/png' }))
  const from = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  from.drawImage(picture, 0, 0)
  const { data, width, height } = from.getImageData(0, 0, picture.width, picture.height)
  const [x, y] = [[], []]
  for (let i = 0; i < width * height; i++)
    if (data[4 * i] < 60 && data[4 * i + 1] < 60) {
      x.push(i % width)
      y.push(Math.floor(i / width))
    }
  if (!x.length) return null
  const least = (all) => all.reduce((a, b) => Math.min(a, b))
  const most = (all) => all.reduce((a, b) => Math.max(a, b)) + 1
  const [left, top, wide, high] = [least(x), least(y), most(x) - least(x), most(y) - least(y)]
  const scale = 120 / Math.max(wide, high)
  const canvas = new OffscreenCanvas(128, 128)
  const to = canvas.getContext('2d')
  to.fillStyle = '#fff'
  to.fillRect(0, 0, 128, 128)
  to.imageSmoothingQuality = 'high'
  const [w, h] = [wide * scale, high * scale]
  to.drawImage(picture, left, top, wide, high, (128 - w) / 2, (128 - h) / 2, w, h)
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
}

async function photograph(page, name, way) {
  await chooseScene(page, name)
  await inLab(page, sharp)
  await inLab(page, play, { frames: 48000 * (moments[name] ?? 1.4), gesture: gestures[name] })
  if (way === 'black') await inLab(page, blacken)
  const picture = await (way === 'black' ? outline(page) : shot(page, { type: 'jpeg', quality: 82 }))
  if (way === 'black') await inLab(page, colour)
  await inLab(page, (lab) => lab.engine.resume())
  return picture
}

async function shot(page, kind = {}) {
  await drawn(page)
  return page.locator('#stage').screenshot(kind)
}

async function outline(page) {
  for (let tries = 0; tries < 20; tries++) {
    const trimmed = await page.evaluate(trim, (await shot(page)).toString('base64'))
    if (trimmed) return Buffer.from(trimmed, 'base64')
  }
  throw new Error('nothing black on the stage')
}

async function sheet(context, pictures, way) {
  const page = await context.newPage()
  const wide = { phone: 150, black: 128 }[way] ?? 250
  const columns = { phone: 10, black: 10 }[way] ?? 5
  await page.setViewportSize({ width: columns * (wide + 8) + 8, height: 100 })
  const cells = pictures.map(
    ([name, jpg]) =>
      `<figure><img src="data:image;base64,${jpg.toString('base64')}"><figcaption>${way === 'black' ? '' : name}</figcaption></figure>`,
  )
  await page.setContent(`<style>body{margin:8px;display:grid;gap:8px;grid-template-columns:repeat(${columns},${wide}px);
    background:${way === 'dark' ? '#16191d' : '#efece4'};font:11px sans-serif;color:#888}figure{margin:0}img{width:100%;display:block}</style>${cells.join('')}`)
  await page.waitForTimeout(300)
  writeFileSync(join(folder, `all-${way}.jpg`), await page.screenshot({ type: 'jpeg', quality: 80, fullPage: true }))
}

const fresh = new Map()
const keptAs = (way, name) => join(process.env.KEEP ?? '', `${way}-${name}.${way === 'black' ? 'png' : 'jpg'}`)

function pictureOf(way, name) {
  const file = keptAs(way, name)
  return fresh.get(file) ?? (process.env.KEEP && existsSync(file) ? readFileSync(file) : null)
}

await main(async () => {
  if (process.env.KEEP) mkdirSync(process.env.KEEP, { recursive: true })
  mkdirSync(folder, { recursive: true })
  const { address } = await lab()
  for (const way of ways) {
    const viewport = way === 'phone' ? { width: 390, height: 844 } : { width: 960, height: 760 }
    const context = await browser({ viewport, colorScheme: way === 'dark' ? 'dark' : 'light' })
    const page = await openLab(context, address, '', { often: true })
    await start(page)
    const all = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
    for (const name of process.env.SCENES?.split(',') ?? all) {
      const picture = await photograph(page, name, way)
      fresh.set(keptAs(way, name), picture)
      if (process.env.KEEP) writeFileSync(keptAs(way, name), picture)
      if (way === 'dark') writeFileSync(join(folder, `${name}.jpg`), picture)
    }
    const pictures = all.map((name) => [name, pictureOf(way, name)])
    if (pictures.every(([, picture]) => picture)) await sheet(context, pictures, way)
    await context.close()
  }
})
