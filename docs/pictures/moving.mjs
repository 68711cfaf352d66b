// node docs/pictures/moving.mjs BUILD: films seven rooms of the lab, as BUILD/contatto serves it, each playing its demo,
// and joins them into docs/pictures/rooms-moving.webp, the picture at the top of README.md. Needs img2webp (Debian's
// package webp); nothing else does, and ./check does not run this.
//
// However slow the machine, pictures are evenly spaced in the time that is heard: the engine is let run only a little
// beyond the frame that is drawn next, and the page is told that this frame is the one leaving the loudspeaker.
import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const build = resolve(process.argv[2] ?? 'build')
process.env.CONTATTO ??= join(build, 'contatto')
process.env.BUILD ??= build
const target = new URL('rooms-moving.webp', import.meta.url).pathname
const { browser, lab, main, scratch } = await import('../../test/web/browser.mjs')
const { chooseScene, inLab, openLab, start } = await import('../../test/web/shell.mjs')

const perSecond = 15
const length = 75 /* pictures in the loop */
const blend = 5 /* of them, the last ones fade into those before the first */
const large = { width: 372, height: 458 }
const small = { width: 264, height: 226 }
const gap = 6
const most = 1150000 /* bytes: the best quality that is smaller is taken */

// Seconds into the demo at which the loop begins, and how close the camera is.
const cast = [
  { name: 'glass', from: 1.2, zoom: 1.5, ...large },
  { name: 'wheel', from: 0.5, zoom: 1.05, ...small },
  { name: 'xylophone', from: 0.4, zoom: 1.05, ...small },
  { name: 'violin', from: 0.5, zoom: 1, ...small },
  { name: 'cradle', from: 0.4, zoom: 1.08, ...small },
  { name: 'barrel', from: 0.8, zoom: 1, ...small },
  { name: 'track', from: 1.5, zoom: 1.05, ...small },
]

// The stage alone on the page, with all its pixels, drawn only when asked; its clock stands until it is set.
function alone(lab, { width, height, zoom }) {
  const { stage, engine } = lab
  Object.assign(stage.section.style, {
    position: 'fixed',
    left: 0,
    top: 0,
    width: `${width}px`,
    height: `${height}px`,
    zIndex: 99,
  })
  for (const id of ['camera', 'stage-hint', 'stage-notes']) document.getElementById(id).style.display = 'none'
  stage.pixels = devicePixelRatio
  stage.patience = Infinity
  stage.view.zoom = zoom
  stage.resize()
  const draw = stage.draw.bind(stage)
  stage.draw = () => {}
  const film = { frame: engine.heard(), draw }
  engine.heard = () => film.frame
  Object.defineProperty(engine, 'running', { get: () => true })
  window.film = film
}

// From the demo's first frame; everything that was set before it has been heard.
async function begin(lab) {
  const { engine } = lab
  await engine.context.suspend()
  window.film.frame = window.film.first = engine.link.number('written')
  engine.play()
}

// The picture at so many seconds after the demo began.
async function drawAt(lab, { seconds, step }) {
  const { engine, room } = lab
  const frame = window.film.first + Math.round(seconds * engine.rate)
  if (engine.link.number('written') <= frame + 512) {
    await engine.context.resume()
    await window.until(() => engine.link.number('written') > frame + 512)
    await engine.context.suspend()
  }
  window.film.frame = frame
  window.film.draw(room, 1000 * seconds, step)
}

async function film(page, { name, from, width, height, zoom }) {
  await chooseScene(page, name)
  await inLab(page, alone, { width, height, zoom })
  await inLab(page, begin)
  const pictures = []
  const step = 1 / perSecond
  for (let i = -Math.ceil(from * perSecond); i < length; i++) {
    await inLab(page, drawAt, { seconds: from + i * step, step })
    if (i >= -blend) pictures.push(await page.screenshot({ type: 'png', clip: { x: 0, y: 0, width, height } }))
  }
  return pictures
}

const addressOf = (png) => `data:image/png;base64,${png.toString('base64')}`

// One picture of all rooms.
async function compose(page, films, i) {
  await page.evaluate(
    async ({ now, before, share }) => {
      const show = (kind, all) =>
        Promise.all(all.map((src, n) => Object.assign(document.getElementById(`${kind}${n}`), { src }).decode()))
      await show('now', now)
      if (share > 0) await show('before', before)
      for (let n = 0; n < now.length; n++) document.getElementById(`before${n}`).style.opacity = share
    },
    {
      now: films.map((film) => addressOf(film[blend + i])),
      before: films.map((film) => addressOf(film[Math.max(0, blend + i - length)])),
      share: Math.max(0, (i - (length - blend) + 1) / (blend + 1)),
    },
  )
  return page.screenshot({ type: 'png' })
}

async function joinFilms(films) {
  const context = await browser({ viewport: { width: large.width + 3 * (small.width + gap), height: large.height } })
  const page = await context.newPage()
  const cell = ({ name, width, height }, n) =>
    `<figure style="width:${width}px;height:${height}px"><img id="now${n}"><img id="before${n}"><figcaption>${name}</figcaption></figure>`
  await page.setContent(`<style>body{margin:0;display:grid;gap:${gap}px;grid-template-columns:${large.width}px repeat(3,${small.width}px);
    background:#0c0e11;font:13px sans-serif;color:#d6d9dd;text-shadow:0 0 4px #000,0 0 2px #000}figure{margin:0;position:relative}figure:first-child{grid-row:span 2}
    img{position:absolute;inset:0;width:100%;height:100%}figcaption{position:absolute;left:10px;bottom:7px}</style>${cast.map(cell).join('')}`)
  const folder = scratch()
  const files = []
  for (let i = 0; i < length; i++) {
    files.push(join(folder, `${String(i).padStart(3, '0')}.png`))
    writeFileSync(files[i], await compose(page, films, i))
  }
  for (let quality = 58; quality === 58 || (quality > 30 && statSync(target).size > most); quality -= 4)
    execFileSync('img2webp', [
      ...`-loop 0 -lossy -q ${quality} -m 6 -d ${Math.round(1000 / perSecond)}`.split(' '),
      ...files,
      '-o',
      target,
    ])
}

await main(async () => {
  const { address } = await lab()
  const films = []
  for (const part of cast) {
    const context = await browser({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
    const page = await openLab(context, address, '', { often: true })
    await start(page)
    films.push(await film(page, part))
    await context.close()
    console.log(`filmed ${part.name}`)
  }
  await joinFilms(films)
  console.log(`${target}: ${statSync(target).size} bytes`)
})
