// `contatto lab` as a server: what it gives, to whom, and what it does not give; and the files it exports.
// ctest: plain
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join, relative } from 'node:path'
import { check, contatto, lab, labFolder, main, root, run, scratch } from './browser.mjs'

const files = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

// The whole answer to a request written by hand: fetch() tidies addresses up before it sends them. Each of `hosts`
// becomes one line of its head.
const ask = (port, line, hosts = [`localhost:${port}`]) =>
  new Promise((resolve, reject) => {
    let answer = ''
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`),
    )
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })

const status = (answer) => Number(answer.split(' ')[1])

// ---- giving

// The head of an answer to a browser that takes `coding`.
const headFor = (address, coding) => fetch(address, { method: 'HEAD', headers: { 'Accept-Encoding': coding } })

// All that a browser asks for on its way to the first sound, compressed: within 1.2 MB.
async function givesSmall(address, all) {
  const sizes = all.filter((file) => file.endsWith('.gz')).map((file) => statSync(file).size)
  const sum = sizes.reduce((sum, size) => sum + size, 0)
  check(sizes.length > 10 && sum < 1.2e6, `${sizes.length} files compressed to ${Math.round(sum / 1000)} kB`)
  const coding = async (taken) => (await headFor(`${address}contatto.wasm`, taken)).headers.get('content-encoding')
  check((await coding('gzip, deflate, br')) === 'gzip', 'given compressed to who takes it')
  check((await coding('br')) === null && (await coding('gzip;q=0')) === null, 'and as it is to who does not')
}

async function givesEveryFile(address, folder) {
  const types = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
    wasm: 'application/wasm',
    json: 'application/json',
    svg: 'image/svg+xml',
    gz: 'application/gzip',
  }
  let wrong = 0
  const all = files(folder)
  for (const file of all) {
    const response = await fetch(address + relative(folder, file))
    const type = types[file.split('.').pop()] ?? 'text/plain'
    const same = Buffer.from(await response.arrayBuffer()).equals(readFileSync(file))
    if (response.status !== 200 || !same || !response.headers.get('content-type').startsWith(type)) {
      console.log(`      ${relative(folder, file)}: ${response.status} ${response.headers.get('content-type')}`)
      wrong++
    }
  }
  check(all.length > 10 && wrong === 0, `${all.length} files, byte for byte and with their types`)
  await givesSmall(address, all)
  const start = await fetch(address)
  check((await start.text()) === readFileSync(join(folder, 'index.html'), 'utf8'), 'the address itself is the page')
}

async function isolates(address) {
  for (const path of ['', 'engine/worklet.js', 'contatto.wasm', 'nothing']) {
    const { headers } = await fetch(address + path)
    const all =
      headers.get('cross-origin-opener-policy') === 'same-origin' &&
      headers.get('cross-origin-embedder-policy') === 'require-corp' &&
      headers.get('x-content-type-options') === 'nosniff'
    check(all && isStrict(headers.get('content-security-policy')), `/${path} comes isolated, under a strict policy`)
  }
}

// Nothing from elsewhere, no script or style in the page itself or made of text, and nobody's frame.
function isStrict(policy) {
  const rules = Object.fromEntries(
    policy.split(';').map((rule) => {
      const [name, ...values] = rule.trim().split(' ')
      return [name, values.join(' ')]
    }),
  )
  return (
    rules['default-src'] === "'self'" &&
    rules['script-src'] === "'self' 'wasm-unsafe-eval'" &&
    (rules['style-src'] ?? "'self'") === "'self'" &&
    rules['frame-ancestors'] === "'none'"
  )
}

// ---- not giving

async function givesNothingElse(port, folder) {
  const outside = join(folder, '..', 'secret.txt')
  writeFileSync(outside, 'secret')
  symlinkSync(outside, join(folder, 'way-out.txt'))
  mkdirSync(join(folder, 'empty'))
  const tries = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/engine/../../secret.txt',
    '/engine/%2e%2e/%2e%2e/secret.txt',
    '//../secret.txt',
    '/./../secret.txt',
    '/way-out.txt',
    '/engine',
    '/empty/',
    '/engine/engine.js/',
    '/..',
    '/%ff',
    `/${'a'.repeat(5000)}`,
    '/etc/passwd',
    '//etc/passwd',
    '/index.html%00',
    '/index.html%00.png',
    '/%00/index.html',
    '/index.html%0d%0a',
    '/index.html%7f',
    '/engine%2fengine.js',
    '/engine%5cengine.js',
    '/index.html%',
    '/index.html%0',
    '/index.html%zz',
  ]
  for (const path of tries) {
    const answer = await ask(port, `GET ${path}`)
    check(
      status(answer) === 404 && !answer.includes('secret\n') && !answer.endsWith('secret'),
      `GET ${path.slice(0, 40)}: ${status(answer)}`,
    )
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    check(status(await ask(port, `${method} /`)) === 405, `${method}: refused`)
  const head = await ask(port, 'HEAD /index.html')
  check(status(head) === 200 && head.endsWith('\r\n\r\n'), 'HEAD gives no body')
  check((await fetch(`http://127.0.0.1:${port}/?a=b#c`)).status === 200, 'what follows ? is not part of a name')
}

// A name that was made to mean this machine is not this machine's.
async function answersToItsOwnName(port) {
  const own = [`localhost:${port}`, `LocalHost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]
  for (const host of own) check(status(await ask(port, 'GET /', [host])) === 200, `Host: ${host}`)
  const others = [
    `evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `evil.localhost:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.2:${port}`,
    `0.0.0.0:${port}`,
    `localhost:${port + 1}`,
    `localhost:${port}0`,
    `user@localhost:${port}`,
    'localhost',
    'evil.example',
    '',
  ]
  for (const host of others) {
    const answer = await ask(port, 'GET /', [host])
    check(status(answer) === 421 && !answer.includes('<html'), `Host: ${host || '(empty)'}: ${status(answer)}`)
  }
  for (const hosts of [[], [own[0], 'evil.example'], ['evil.example', own[0]], [own[0], own[0]]]) {
    const answer = await ask(port, 'GET /', hosts)
    check(status(answer) >= 400 && !answer.includes('<html'), `${hosts.length} hosts: ${status(answer)}`)
  }
}

const refuses = (host, port) =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(socket.destroy() && false))
    socket.on('error', () => resolve(true))
  })

async function listensToThisMachineOnly(port) {
  const others = Object.values(networkInterfaces())
    .flat()
    .filter(({ internal, family }) => !internal && family === 'IPv4')
  for (const { address } of others) check(await refuses(address, port), 'nothing is heard on another interface')
  const table = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[1])
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  check(table.includes(`0100007F:${hex}`) && !table.includes(`00000000:${hex}`), `bound to 127.0.0.1:${port}`)
}

// ---- ports, options, ends

async function takesTheNextPort() {
  const holder = createServer()
  await new Promise((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const taken = holder.address().port
  const { address, stop } = await lab(['--port', String(taken)])
  const port = Number(new URL(address).port)
  check(port > taken && port < taken + 50, `${taken} is taken: ${port}`)
  check((await stop()).code === 130, 'interrupted, it ends with 128 + SIGINT')
  holder.close()
}

const fails = (args, words, env = {}) => {
  const { status: code, stderr } = spawnSync(contatto, ['lab', ...args], {
    env: { ...process.env, ...env },
    timeout: 60000,
  })
  check(
    code > 0 && String(stderr).includes(words) && String(stderr).trimEnd().split('\n').length === 1,
    String(stderr).trim(),
  )
}

function refusesNonsense() {
  fails(['--port', '70000'], 'out of range')
  fails(['--port', 'x'], 'is not a number')
  fails(['glass'], 'one argument too many')
  fails(['--no-opne'], 'did you mean --no-open?')
  fails(['--export', '/proc/nowhere'], '/proc/nowhere')
  fails([], 'holds no index.html', { CONTATTO_LAB: '/nonexistent' })
}

function exports(folder) {
  const to = join(scratch(), 'site')
  run('lab', '--export', to)
  execFileSync('diff', ['-r', folder, to])
  run('lab', '--export', to)
  check(files(to).length === files(folder).length, `--export writes ${files(to).length} files, and may be repeated`)
  carriesLicences(to, '--export')
}

// Ours, and of all that is in the page.
function carriesLicences(folder, who) {
  const text = (path) => readFileSync(join(folder, path), 'utf8')
  check(text('licenses/contatto.txt') === readFileSync(join(root, 'LICENSE'), 'utf8'), `${who} brings our licence`)
  const libc = text('licenses/wasi-libc.txt')
  const named = ['wasi-libc', 'Rich Felker', 'Arm Limited', 'SunPro', 'Permission is hereby granted']
  check(
    named.every((word) => libc.includes(word)),
    `${who} brings that of wasi-libc`,
  )
  const three = !files(folder).some((file) => file.endsWith('three.module.js')) || text('three/LICENSE')
  check(three === true || three.includes('three.js authors'), `${who} brings that of three.js`)
}

// An installed program finds the page under share/, wherever the tree has been moved to.
async function worksWhereInstalled() {
  const prefix = join(scratch(), 'prefix')
  execFileSync('cmake', ['--install', process.env.BUILD, '--prefix', prefix], { stdio: 'ignore' })
  const moved = join(scratch(), 'elsewhere')
  execFileSync('mv', [prefix, moved])
  const to = join(scratch(), 'site')
  execFileSync(join(moved, 'bin/contatto'), ['lab', '--export', to])
  check(
    files(to).some((file) => file.endsWith('contatto.wasm')),
    'installed and moved, it finds its page',
  )
  carriesLicences(join(moved, 'share/contatto/lab'), 'the installed lab')
}

await main(async () => {
  const built = labFolder()
  const folder = join(scratch(), 'root', 'lab')
  mkdirSync(join(folder, '..'))
  execFileSync('cp', ['-r', built, folder])
  process.env.CONTATTO_LAB = folder
  const { address } = await lab()
  const port = Number(new URL(address).port)
  await givesEveryFile(address, folder)
  await isolates(address)
  await givesNothingElse(port, folder)
  await answersToItsOwnName(port)
  await listensToThisMachineOnly(port)
  await takesTheNextPort()
  delete process.env.CONTATTO_LAB
  refusesNonsense()
  exports(built)
  await worksWhereInstalled()
})
