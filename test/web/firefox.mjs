// Firefox, driven through its Marionette port: playwright drives only a build of its own. It gets a screen (Xvfb), a sound
// server without a sound card (without one its AudioContext never runs) and a home of its own, all in a scratch folder; what was
// started here is ended here.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { run, scratch, skip, undone } from './browser.mjs'

const found = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// A program that ends with the test, at the latest by force.
function begin(program, args, env, stdio = 'ignore') {
  const child = spawn(program, args, { env, stdio })
  undone(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await Promise.race([ended, wait(10000)])
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return child
}

// Looks again and again, as long as the machine takes; the limit ends a test that has failed.
async function eventually(what, look, seconds = 120) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await wait(100)) {
    const seen = await look()
    if (seen) return seen
  }
  throw new Error(`${what}: waited in vain`)
}

// Xvfb takes the first screen that is free and tells its number.
async function screen(env) {
  const child = begin('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], env, [
    'ignore',
    'ignore',
    'ignore',
    'pipe',
  ])
  let number = ''
  child.stdio[3].on('data', (text) => (number += text))
  await eventually('Xvfb', () => number.includes('\n') || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`Xvfb ended with ${child.exitCode}`)
  return `:${number.trim()}`
}

async function soundServer(env, runtime) {
  const modules = ['module-null-sink', 'module-native-protocol-unix'].flatMap((name) => ['-L', name])
  begin('pulseaudio', ['-n', ...modules, '--exit-idle-time=-1', '--daemonize=no', '--use-pid-file=no'], env)
  await eventually('pulseaudio', () => existsSync(join(runtime, 'pulse/native')))
}

// The port is Firefox's own choice, which it writes into its profile.
async function marionettePort(profile) {
  return eventually('Firefox', () => {
    const path = join(profile, 'MarionetteActivePort')
    return existsSync(path) && Number(readFileSync(path, 'utf8'))
  })
}

const preferences = {
  'marionette.port': 0,
  'webgl.force-enabled': true,
  'media.autoplay.default': 1,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

// A Firefox with an empty profile, as an object whose `ask` sends a command of Marionette and gives its answer.
export async function firefox() {
  const program = ['firefox-esr', 'firefox'].find(found)
  for (const name of ['Xvfb', 'pulseaudio']) if (!found(name)) skip(`needs ${name}`)
  if (!program) skip('needs firefox-esr')
  const home = scratch()
  const [runtime, profile] = ['runtime', 'profile'].map((name) => join(home, name))
  mkdirSync(runtime, { mode: 0o700 })
  mkdirSync(profile)
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: runtime, PULSE_SERVER: `unix:${runtime}/pulse/native` }
  delete env.DBUS_SESSION_BUS_ADDRESS
  await soundServer(env, runtime)
  env.DISPLAY = await screen(env)
  const size = ['--width', '1000', '--height', '850'] // there is no window manager that could change it later
  begin(program, ['--marionette', '--profile', profile, '--no-remote', '--new-instance', ...size, 'about:blank'], env)
  const port = await marionettePort(profile)
  const session = await talk(port)
  await session.ask('WebDriver:NewSession', {})
  await session.ask('WebDriver:SetTimeouts', { script: 600000, pageLoad: 300000, implicit: 60000 })
  return session
}

// Messages are `length:[0, id, command, parameters]`, answers `length:[1, id, error, result]`.
async function talk(port) {
  const socket = await new Promise((resolve, reject) => {
    const made = connect(port, '127.0.0.1', () => resolve(made))
    made.once('error', reject)
  })
  undone(() => socket.destroy())
  const waiting = new Map()
  let bytes = Buffer.alloc(0)
  socket.on('data', (more) => {
    bytes = Buffer.concat([bytes, more])
    for (let colon = bytes.indexOf(58); colon > 0; colon = bytes.indexOf(58)) {
      const end = colon + 1 + Number(bytes.subarray(0, colon))
      if (bytes.length < end) return
      const message = JSON.parse(bytes.subarray(colon + 1, end))
      bytes = bytes.subarray(end)
      if (Array.isArray(message)) waiting.get(message[1])?.(message)
    }
  })
  let id = 0
  const ask = async (command, parameters) => {
    const text = JSON.stringify([0, ++id, command, parameters])
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error, result] = await answer
    if (error) throw new Error(`${command}: ${error.message}`)
    return result
  }
  // Runs one of the functions that `withHook` has put into the page.
  const inLab = async (run, ...values) => {
    const script = `const done = arguments[2];
      (window.wrappedJSObject ?? window).inTest(arguments[0], arguments[1]).then((text) => done(text))`
    const { value } = await ask('WebDriver:ExecuteAsyncScript', { script, args: [run.name, JSON.stringify(values)] })
    const { result, error } = JSON.parse(value)
    if (error) throw new Error(`${run.name}: ${error}`)
    return result
  }
  return { ask, inLab }
}

// A copy of the lab with functions of (lab, ...values) in it, to be called by their names: scripts of Marionette's own have
// other modules than the page, and the page's policy lets no text run.
export function withHook(functions) {
  const folder = join(scratch(), 'lab')
  run('lab', '--export', folder)
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const hook = '<script type="module" src="hook.js"></script></body>'
  rmSync(join(folder, 'index.html.gz'), { force: true })
  writeFileSync(join(folder, 'index.html'), page.replace('</body>', hook))
  writeFileSync(
    join(folder, 'hook.js'),
    `import { lab } from './app.js'
const all = { ${functions.map((one) => `${one.name}: ${one}`).join(',\n')} }
globalThis.inTest = (name, text) =>
  Promise.resolve()
    .then(() => all[name](lab, ...JSON.parse(text)))
    .then((result) => JSON.stringify({ result: result ?? null }), (error) => JSON.stringify({ error: String(error) }))
`,
  )
  return folder
}
