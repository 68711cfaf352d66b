// What the browser tests share: a lab that is being served, a Chromium that looks at it, and a way to say ok.
// Environment: CONTATTO the program, ROOT the sources, CHROME a browser of one's own. Exit code 77: cannot run here.
import { spawn, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'

export const root = process.env.ROOT ?? new URL('../..', import.meta.url).pathname
export const contatto = process.env.CONTATTO ?? join(root, 'build/contatto')

// `./check long`
export const long = process.env.CT_LONG === '1'

// Of what is gone through, scene by scene say, one in so many, always the same: CT_TURN=1, 2 and so on are the others. In a
// long run all.
const turn = Number(process.env.CT_TURN ?? 0)
export const oneIn = (count, all) => (long ? all : all.filter((_, i) => (i + turn) % count === 0))

// The folder `contatto lab` serves; none without clang for WebAssembly.
export function labFolder() {
  const folder = join(process.env.BUILD ?? join(root, 'build'), 'lab')
  return existsSync(join(folder, 'contatto.wasm')) ? folder : skip('the lab was not built')
}

export function skip(why) {
  console.log(`skipped: ${why}`)
  process.exit(77)
}

// ---- what has to be cleaned up, whatever happens

const undo = []

export const undone = (by) => undo.push(by)

async function cleanUp() {
  while (undo.length) await undo.pop()()
}

// Runs a test to its end, cleans up, and lets the process say how it went.
export async function main(test) {
  try {
    await test()
  } catch (error) {
    console.log(`FAIL: ${error.stack ?? error}`)
    process.exitCode = 1
  }
  if (watched.length) check(violations().length === 0, `every page keeps to the policy ${violations().join(' | ')}`)
  await cleanUp()
  if (failures) process.exitCode = 1
  process.exit()
}

let failures = 0

// One line per thing shown.
export function check(good, words) {
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${words}`)
  if (!good) failures++
  return good
}

export const near = (value, wanted, within, words) =>
  check(Math.abs(value - wanted) <= within, `${words}: ${value} (wants ${wanted} within ${within})`)

export const between = (value, low, high, words) =>
  check(value >= low && value <= high, `${words}: ${value} (wants ${low} to ${high})`)

export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'contatto-web-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

// ---- serving

// `contatto lab` itself: {address, pid, stop}. `files`: how many it may have open, as `ulimit -n` says it.
export async function lab(args = [], { files } = {}) {
  labFolder()
  const words = ['lab', '--no-open', '--port', '0', ...args]
  const limited = ['-c', 'ulimit -S -n "$0" && exec "$@"', String(files), contatto, ...words]
  const [program, all] = files ? ['sh', limited] : [contatto, words]
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
      if (child.exitCode !== null || child.signalCode !== null)
        resolve({ code: child.exitCode, signal: child.signalCode })
      else child.kill('SIGINT')
    })
  undo.push(stop)
  const address = await new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(String(line).trim()))
    child.once('exit', (code) => reject(new Error(`contatto lab ended with ${code}`)))
  })
  return { address, pid: child.pid, stop }
}

// A plain server without a single header beyond the type, as --export promises to be content with.
export async function plainServer(folder) {
  const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.wasm': 'application/wasm',
    '.svg': 'image/svg+xml',
  }
  const server = createServer((request, response) => {
    const path = normalize(join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname)))
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
    if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' })
    response.end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))))
  return `http://localhost:${server.address().port}/`
}

// ---- the browser

function chrome() {
  if (process.env.CHROME) return process.env.CHROME
  for (const name of ['chromium', 'google-chrome', 'chromium-browser']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`])
        .toString()
        .trim()
    } catch {
      continue
    }
  }
  return skip('needs chromium')
}

function playwright() {
  try {
    return createRequire(join(root, 'package.json'))('playwright-core')
  } catch {
    return skip('needs playwright-core: npm ci')
  }
}

// One browser for each set of arguments, started when it is first asked for: most of what a short test would wait for.
const launched = new Map()

function launch(args) {
  const key = args.join(' ')
  if (!launched.has(key)) launched.set(key, launchNow(args))
  return launched.get(key)
}

async function launchNow(args) {
  const { chromium } = playwright()
  const one = await chromium.launch({
    executablePath: chrome(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--mute-audio',
      ...args,
    ],
  })
  undo.push(() => one.close())
  return one
}

// A browser with an empty profile. `page.errors` collects what the console calls an error, `page.requests` every
// address asked for.
export async function browser({ args = [], ...options } = {}) {
  const one = await launch(args)
  const context = await one.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  undo.push(() => context.close())
  context.setDefaultTimeout(60000)
  return context
}

// How tests wait inside a page: for what they look at, or for sound to pass, never for the clock on the wall. How long
// that takes on a busy machine is not the question; the limits are there to end a test that has failed.
function waiting() {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 10))
  // True as soon as it holds, false when it never does.
  window.until ??= async (holds, seconds = 60) => {
    const end = performance.now() + 1000 * seconds
    while (performance.now() < end) {
      if (holds()) return true
      await turn()
    }
    return false
  }
  // So many frames more have been made and heard.
  window.passed = async (engine, frames) => {
    const end = engine.link.number('written') + frames
    await window.advance?.(frames)
    const goes = await until(() => engine.heard() >= end, 60 + frames / 4800)
    if (!goes) throw new Error(`the sound stands still at ${engine.heard()} of ${end} frames`)
  }
  // The ring goes on being written: n frames up to and with `end`, or null when some of them are there no more.
  window.kept = (engine, path, n, end) => {
    const { board } = engine.link
    const values = engine.tail(path, n, end)
    const ring = board.ring.length / board.since.length
    return engine.link.number('written') - ring <= end + 1 - n ? values : null
  }
  // The newest n frames.
  window.newest = (engine, path, n) => {
    for (;;) {
      const values = kept(engine, path, n, engine.link.number('written') - 1)
      if (values) return values
    }
  }
}

// What the server's policy forbids and a page tried all the same: an inline script, a style in an attribute. A test that
// tries on purpose says so with `page.expected`.
const watched = []

const violations = () =>
  watched
    .filter((page) => !page.expected)
    .flatMap((page) => page.errors)
    .filter((text) => /content security policy/i.test(text))

export async function open(context, address, path = '', before = []) {
  const page = await context.newPage()
  watched.push(page)
  await page.addInitScript(waiting)
  if (before.length) await page.addInitScript(...before)
  page.errors = []
  page.requests = []
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()))
  page.on('pageerror', (error) => page.errors.push(String(error)))
  page.on('request', (request) => page.requests.push(request.url()))
  await page.goto(new URL(path, address).href)
  return page
}

// The engine on its own, without the shell: window.engine, on the page `engine/` that the server gives as text.
export async function engineAlone(context, address) {
  const page = await open(context, address, 'engine/engine.js')
  await page.evaluate(async () => {
    const { Engine, missing } = await import('/engine/engine.js')
    window.missing = missing
    window.engine = await Engine.open()
  })
  return page
}

export const run = (...args) => execFileSync(contatto, args, { maxBuffer: 1 << 28 })
