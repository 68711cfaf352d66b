// The page itself: on a phone and on a desk, light and dark, by keyboard alone, with reduced motion, and in browsers that
// lack something.
// ctest: plain timeout=1200
import { join } from 'node:path'
import { browser, check, lab, main, plainServer, run, scratch } from './browser.mjs'
import { chooseScene, drawn, inLab, openLab, passed, start, until, wasQuiet } from './shell.mjs'

// Nothing sticks out, everything can be reached, and whatever can be pressed is large enough and has a name.
const layout = () => {
  const seen = [...document.querySelectorAll('button, input, a, [tabindex="0"]')].filter(
    (node) => node.offsetParent && !node.closest('.skip'),
  )
  const named = (node) =>
    (
      node.getAttribute('aria-label') ||
      node.textContent.trim() ||
      node.labels?.[0]?.textContent ||
      node.title ||
      ''
    ).trim()
  const low = seen.filter((node) => node.matches('button') && node.getBoundingClientRect().height < 28)
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    high: document.documentElement.scrollHeight - innerHeight,
    stage: document.getElementById('stage').getBoundingClientRect().toJSON(),
    nameless: seen.filter((node) => !named(node)).map((node) => node.outerHTML.slice(0, 80)),
    low: low.map((node) => node.outerHTML.slice(0, 80)),
    count: seen.length,
  }
}

// Contrast by WCAG 2 of what is written on what.
const contrasts = () => {
  const style = getComputedStyle(document.documentElement)
  const rgb = (name) => {
    const hex = style.getPropertyValue(`--${name}`).trim().slice(1)
    return [0, 2, 4]
      .map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
      .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
  }
  const light = (name) => rgb(name).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0)
  const pairs = [
    ['text', 'panel'],
    ['text', 'raise'],
    ['muted', 'panel'],
    ['muted', 'raise'],
    ['muted', 'stage-near'],
    ['muted', 'stage-far'],
    ['accent', 'panel'],
    ['accent', 'stage-near'],
    ['accent', 'stage-far'],
    ['cool', 'stage-near'],
    ['cool', 'stage-far'],
    ['on-accent', 'accent'],
    ['hot', 'panel'],
  ]
  return pairs.map(([over, under]) => {
    const [a, b] = [light(over), light(under)]
    return { pair: `${over} on ${under}`, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) }
  })
}

async function fits(context, address, ...sizes) {
  const page = await openLab(context, address, '', { pause: 400 })
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, [width, height])
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await drawn(page)
      await fitsIn(page, `${width}x${height}, ${colorScheme}`)
    }
  }
  await tabs(page)
  wasQuiet(page, address)
  await page.close()
}

async function fitsIn(page, where) {
  const { width, height } = page.viewportSize()
  const { wide, high, stage, nameless, low, count } = await page.evaluate(layout)
  check(wide <= 0 && high <= 0, `${where}: nothing sticks out`)
  check(
    stage.width >= Math.min(width, 390) * 0.9 && stage.height > 0.3 * height,
    `${where}: the stage is ${Math.round(stage.width)} x ${Math.round(stage.height)}`,
  )
  check(
    count > 20 && nameless.length === 0,
    `${where}: ${count} things to press, all with a name ${nameless.join(' ')}`,
  )
  check(low.length === 0, `${where}: none too small ${low.join(' ')}`)
  const worst = (await page.evaluate(contrasts)).sort((a, b) => a.ratio - b.ratio)[0]
  check(worst.ratio >= 4.5, `${where}: least contrast ${worst.ratio.toFixed(2)}, ${worst.pair}`)
}

// On a phone, the last of the sizes.
async function tabs(page) {
  check((await page.isVisible('#panel')) && !(await page.isVisible('#scopes')), 'on a phone the controls come first')
  await page.click('#tab-scopes')
  check((await page.isVisible('#scopes')) && !(await page.isVisible('#panel')), 'and the scopes are one tab away')
}

// Without a pointer: the button, the stage, and a glass that sings while the space bar is held.
async function byKeyboard(context, address) {
  const page = await openLab(context, address, '', { pause: 400 })
  await page.focus('#start')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => !document.getElementById('record').disabled)
  check(
    await page.evaluate(() => document.activeElement.id === 'stage'),
    'started by the enter key, the stage has the focus',
  )
  await page.keyboard.down('Space')
  check(
    await until(page, (lab) => lab.engine.tail('output', 4800).some((x) => Math.abs(x) > 0.05)),
    'it sings while space is held',
  )
  await page.keyboard.press('ArrowUp')
  check(await until(page, (lab) => lab.engine.get('pressure') > 0.55), 'the arrow presses harder')
  await page.keyboard.up('Space')
  check(
    await until(page, (lab) => lab.engine.get('push') === 0 && lab.engine.get('pressure') === 0),
    'and lifts with it',
  )
  await page.keyboard.press('?')
  check(await page.isVisible('#help-dialog'), 'a question mark opens the help')
  await page.keyboard.press('Escape')
  await page.waitForSelector('#help-dialog', { state: 'hidden' })
  await page.focus('.card[aria-current="true"]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const after = (lab) => {
    const names = lab.engine.catalogue.map((scene) => scene.name)
    return lab.scene === names[names.indexOf('glass') + 1]
  }
  check(await until(page, after), 'cards by arrow keys')
  await page.focus('.chip[aria-checked="true"]')
  await page.keyboard.press('ArrowRight')
  check(
    await until(page, (lab) => {
      const second = lab.engine.info.presets[1]
      return lab.preset === second.name && document.activeElement.textContent === second.title
    }),
    'presets too',
  )
  wasQuiet(page, address)
  await page.close()
}

// With reduced motion the drawing does not swing: between frames it only changes as amplitudes do. Looked at for two
// seconds of sound, in which it would swing to and fro.
async function calmly(context, address) {
  const page = await openLab(context, address, '#scene=hammer', { pause: 400 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await start(page)
  await page.keyboard.press('Space')
  await until(page, (lab) => lab.room.bar.now[0] !== 0)
  const signs = await inLab(page, async (lab) => {
    const signs = new Set()
    const end = lab.engine.heard() + 96000
    for (let i = 0; i < 20 || lab.engine.heard() < end; i++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      signs.add(Math.sign(lab.room.bar.now[0]))
    }
    return [...signs]
  })
  check(signs.length === 1 && signs[0] === 1, 'with reduced motion modes do not swing, they fade')
  await page.close()
}

// No room leaves anything behind; test_shell_budget.mjs walks through all of them.
async function roomsLeft(context, address) {
  const page = await openLab(context, address, '', { painted: true, pause: 400 })
  await start(page)
  await chooseScene(page, 'glass')
  await drawn(page, 10)
  const first = await inLab(page, (lab) => ({ ...lab.stage.renderer.info.memory }))
  for (const name of ['xylophone', 'hammer', 'glass']) await chooseScene(page, name)
  await drawn(page, 10)
  const later = await inLab(page, (lab) => ({ ...lab.stage.renderer.info.memory }))
  check(
    later.geometries <= first.geometries && later.textures <= first.textures,
    `nothing left behind: ${JSON.stringify(first)} then ${JSON.stringify(later)}`,
  )
  await scopesDraw(page)
  wasQuiet(page, address)
  await page.close()
}

// Every scope shows something of a singing glass: none of its canvases has one colour only.
async function scopesDraw(page) {
  await chooseScene(page, 'glass')
  await page.focus('#stage')
  await page.keyboard.down('Space')
  await until(page, (lab) => lab.engine.tail('output', 4800).some((x) => Math.abs(x) > 0.05))
  await passed(page, 38400)
  await drawn(page)
  const scopes = await page.evaluate(() =>
    [...document.querySelectorAll('.scope:not(.found)')].map((scope) => {
      const canvas = scope.querySelector('canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const colors = new Set()
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 40) colors.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4}`)
      return {
        title: scope.querySelector('b').textContent,
        words: scope.querySelector('span').textContent,
        colors: colors.size,
      }
    }),
  )
  await page.keyboard.up('Space')
  const told = scopes.map(({ title, words, colors }) => `${title} "${words}" in ${colors} colours`).join('; ')
  check(scopes.length === 4 && scopes.every(({ colors, words }) => colors > 2 && words), `scopes: ${told}`)
  const hz = Number(scopes[1].words.split(' ')[0])
  check(Math.abs(hz - 529.3) < 4, `the spectrum's strongest partial is the mode's, ${hz} Hz`)
}

// ---- browsers that lack something

async function byMessages(context) {
  const folder = join(scratch(), 'site')
  run('lab', '--export', folder)
  const address = await plainServer(folder)
  const page = await openLab(context, address, '', { pause: 400 })
  await start(page)
  check((await inLab(page, (lab) => lab.engine.transport)) === 'messages', 'exported, on a plain server: by messages')
  await page.keyboard.down('Space')
  check(await until(page, (lab) => lab.engine.tail('output', 4800).some((x) => Math.abs(x) > 0.05)), 'and it sings')
  check(await until(page, (lab) => lab.room.glass.gain > 0 && !lab.room.glass.still), 'and the rim is seen to move')
  await page.keyboard.up('Space')
  wasQuiet(page, address)
  await page.close()
}

async function withoutWebGl(address) {
  const context = await browser({ args: ['--disable-3d-apis'] })
  const page = await openLab(context, address, '', { pause: 400 })
  await start(page)
  const words = await page.innerText('#stage-lack')
  check(words.includes('WebGL') && words.includes('sound'), `without WebGL: ${words.replaceAll('\n', ' ')}`)
  const { x, y } = await page.locator('#stage').boundingBox()
  await page.mouse.move(x + 100, y + 200)
  await page.mouse.down()
  await page.mouse.move(x + 320, y + 200, { steps: 5 })
  check(
    await until(page, (lab) => lab.engine.tail('output', 4800).some((x) => Math.abs(x) > 0.05)),
    'and it sings all the same',
  )
  await page.mouse.up()
  await chooseScene(page, 'hammer')
  await page.mouse.click(x + 100, y + 200)
  check(await until(page, (lab) => lab.room.events.list.length > 0), 'and strikes')
  wasQuiet(page, address)
  await context.close()
}

async function withoutThree(context, address) {
  const page = await context.newPage()
  await page.route('**/three/*', (route) => route.fulfill({ status: 404 }))
  await page.goto(address)
  await page.waitForSelector('#stage-lack')
  check((await page.innerText('#stage-lack')).includes('three.js'), 'without three.js: says so')
  await page.click('#start')
  check(await page.waitForFunction(() => !document.getElementById('record').disabled).then(() => true), 'and starts')
  await page.close()
}

async function saysWhatIsMissing(context, address) {
  for (const [script, word] of [
    ['delete globalThis.AudioWorkletNode', 'AudioWorklet'],
    ['WebAssembly.validate = () => false', 'WebAssembly SIMD'],
    ['delete globalThis.WebAssembly', 'WebAssembly'],
  ]) {
    const page = await context.newPage()
    await page.addInitScript(script)
    await page.goto(address)
    await page.waitForSelector('#halt:not([hidden])')
    const words = await page.innerText('#halt')
    check(
      words.includes(word),
      `without ${word}: ${words.split('\n')[0]}: ${words.split('\n').slice(1).join(' ').slice(0, 60)}`,
    )
    await page.close()
  }
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  await fits(context, address, [1440, 900], [844, 390], [1024, 768], [390, 844])
  await byKeyboard(context, address)
  await calmly(context, address)
  await roomsLeft(context, address)
  await byMessages(context)
  await withoutThree(context, address)
  await saysWhatIsMissing(context, address)
  await withoutWebGl(address)
})
