// What a browser makes of the server's headers: nothing written into the page runs, nobody shows the lab in a frame, and
// a site whose name is made to mean this machine gets nothing.
// ctest: plain
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, check, lab, main, open, plainServer, scratch } from './browser.mjs'

// A stranger who found a way to write into the page. It is a file of the server's, for what a debugger evaluates is
// allowed more.
const attack = `
  const refused = []
  document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective))
  document.body.innerHTML = '<p id="p" style="color: rgb(1, 2, 3)" onclick="window.ran = 1">words</p>'
  document.getElementById('p').click()
  const inline = document.createElement('script')
  inline.textContent = 'window.ran = "inline"'
  const foreign = document.createElement('script')
  foreign.src = 'data:text/javascript,window.ran="data"'
  document.body.append(inline, foreign)
  try {
    window.eval('window.ran = "eval"')
  } catch (error) {
    refused.push(error.constructor.name)
  }
  await until(() => refused.length >= 6)
  const { color } = getComputedStyle(document.getElementById('p'))
  export const found = { refused: refused.sort().join(' '), ran: window.ran ?? null, color }`

async function runsNothingWrittenIntoThePage(context, address) {
  const page = await open(context, address)
  page.expected = true
  await page.route('**/attack.js', (route) => route.fulfill({ contentType: 'text/javascript', body: attack }))
  const refused = await page.evaluate(async () => (await import('/attack.js')).found)
  check(refused.ran === null, 'no script runs that is not a file of the server')
  check(refused.color !== 'rgb(1, 2, 3)', 'nor is a style taken from an attribute')
  check(
    refused.refused === 'EvalError script-src script-src-attr script-src-elem script-src-elem style-src-attr',
    refused.refused,
  )
  const engine = await page.evaluate(async () => {
    const { Engine } = await import('/engine/engine.js')
    return (await Engine.open()).catalogue.length
  })
  check(engine > 10, 'the module itself does')
}

async function isShownInNobodysFrame(context, address) {
  const folder = scratch()
  writeFileSync(join(folder, 'index.html'), `<!doctype html><iframe src="${address}"></iframe>`)
  const page = await open(context, await plainServer(folder))
  page.expected = true
  const refused = page.errors.some((text) => text.includes('frame-ancestors') || text.includes('X-Frame-Options'))
  const [, frame] = page.frames()
  const empty = !frame || !(await frame.content().catch(() => '')).includes('contatto')
  check(refused && empty, 'another page that frames the lab frames nothing')
}

async function isNotRebound(address) {
  const port = new URL(address).port
  const context = await browser({ args: ['--host-resolver-rules=MAP rebound.example 127.0.0.1'] })
  const page = await context.newPage()
  const response = await page.goto(`http://rebound.example:${port}/contatto.wasm`)
  check(response.status() === 421, `a name that means 127.0.0.1 for a while: ${response.status()}`)
  check((await page.innerText('body')).includes('localhost'), 'and is told which name is right')
}

await main(async () => {
  const { address } = await lab()
  const context = await browser()
  await runsNothingWrittenIntoThePage(context, address)
  await isShownInNobodysFrame(context, address)
  await isNotRebound(address)
})
