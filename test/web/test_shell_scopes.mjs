// Each kind of contact gets the scope that suits it, as the page draws it: force over sliding speed for what rubs, a leaf of
// force over depth for what strikes, force over time for what rolls or has come to rest, the map for what a source feeds.
// Read from the title, the caption, the words on the canvas and where its ink is.
// ctest: plain timeout=600
import { browser, check, lab, main } from './browser.mjs'
import { chooseScene, inLab, openLab, start, until, wasQuiet } from './shell.mjs'

// Every canvas keeps the words of the picture it shows.
const listen = () => {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    this.canvas.words = []
    clearRect.apply(this, box)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    this.canvas.words?.push(text)
    fillText.call(this, text, ...more)
  }
  // The third scope: its words, and the box of what is drawn in the accent's colour, as shares of its width and height.
  window.contactScope = (lab) => {
    const figure = document.querySelectorAll('#scopes figure')[2]
    const canvas = figure.querySelector('canvas')
    const { width, height } = canvas
    const probe = new OffscreenCanvas(1, 1).getContext('2d')
    probe.fillStyle = lab.colors.accent
    probe.fillRect(0, 0, 1, 1)
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
    const ink = { left: 1, right: 0, top: 1, bottom: 0, columns: new Set() }
    for (let i = 0; i < width * height; i++) {
      const far = Math.abs(data[4 * i] - r) + Math.abs(data[4 * i + 1] - g) + Math.abs(data[4 * i + 2] - b)
      if (data[4 * i + 3] < 100 || far > 60) continue
      const [x, y] = [(i % width) / width, Math.floor(i / width) / height]
      Object.assign(ink, { left: Math.min(ink.left, x), right: Math.max(ink.right, x) })
      Object.assign(ink, { top: Math.min(ink.top, y), bottom: Math.max(ink.bottom, y) })
      ink.columns.add(i % width)
    }
    const [title, caption] = ['b', 'span'].map((tag) => figure.querySelector(`figcaption ${tag}`).textContent)
    return { title, caption, words: canvas.words ?? [], ...ink, columns: ink.columns.size / width }
  }
}

const scope = async (page) => {
  const { title, caption, words, ...ink } = await inLab(page, (lab) => window.contactScope(lab))
  const shares = Object.entries(ink).map(([side, share]) => `${side} ${share.toFixed(2)}`)
  return `${title}, "${caption}", ${words.join(' / ')}, ink ${shares.join(' ')}`
}

// Shown within the gesture, or never: the scopes' own pictures are asked, not the clock.
async function shows(page, what, suits) {
  const seen = await until(page, suits, null, 30)
  check(seen, `${what}: ${await scope(page)}`)
}

// A loop about the middle, where neither force nor speed is: it has a width and a height.
const rubs = (lab) => {
  const { words, caption, left, right, top, bottom } = window.contactScope(lab)
  const spread = right - left > 0.15 && bottom - top > 0.15
  return words.includes('speed, m/s') && words.includes('force, N') && /m\/s · .*N$/.test(caption) && spread
}

// A leaf that comes out of the corner, where neither force nor depth is.
const strikes = (lab) => {
  const { words, caption, left, bottom, right, top } = window.contactScope(lab)
  const corner = left < 0.25 && bottom > 0.75 && right > 0.6 && top < 0.4
  return words.includes('depth') && words.includes('force, N') && /N · .*s$/.test(caption) && corner
}

// A line from one end to the other.
const lasts = (lab) => {
  const { words, caption, columns } = window.contactScope(lab)
  return words.includes('time') && words.includes('force, N') && /N · .*ms$/.test(caption) && columns > 0.7
}

const scenes = {
  glass: ['a finger that rubs', rubs],
  cello: ['a bow', rubs],
  hammer: ['a blow', strikes],
  skate: ['wheels that roll', lasts],
  marble: ['a ball that rolls', lasts],
}

async function suits(page, name, [what, shown]) {
  await chooseScene(page, name)
  await page.click('#demo')
  await shows(page, `${name}, ${what}`, shown)
}

// One contact, two scopes: a leaf for the fall, force over time once it lies there.
async function comesToRest(page) {
  await chooseScene(page, 'drop')
  await page.click('#demo')
  await shows(page, 'drop, a ball that falls', strikes)
  await inLab(page, (lab) => lab.engine.stop())
  await shows(page, 'drop, a ball that lies there', lasts)
}

async function mapOfASource(page) {
  await chooseScene(page, 'goblet')
  await page.click('#demo')
  await shows(page, 'goblet, a source', (lab) => {
    const { words } = window.contactScope(lab)
    return words.some((word) => word.endsWith(' →')) && words.some((word) => word.startsWith('↑ '))
  })
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address, '', { scopes: true })
  await start(page)
  await inLab(page, listen)
  for (const [name, row] of Object.entries(scenes)) await suits(page, name, row)
  await comesToRest(page)
  await mapOfASource(page)
  wasQuiet(page, address)
})
