// The worklet without a browser: its two processors run here under a stand-in for the audio thread, where every
// callback can be looked at. Nothing is allocated in it, changes wait for their scene, a scene that breaks fades out and
// is dropped with a word, and the samples are those of the program.
// ctest: plain
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { check, labFolder, main, scratch } from './browser.mjs'
import { render } from './files.mjs'

const folder = labFolder()
const engineFile = (name) => `file://${folder}/engine/${name}`

// ---- the stand-in

const processors = {}
let posted = []

globalThis.sampleRate = 48000
globalThis.currentFrame = 0
globalThis.registerProcessor = (name, processor) => (processors[name] = processor)
globalThis.AudioWorkletProcessor = class {
  port = { postMessage: (message) => posted.push(message), onmessage: null }
}

const bytes = readFileSync(`${folder}/contatto.wasm`)
const module = new WebAssembly.Module(bytes)
await import(engineFile('worklet.js'))
const { Scene } = await import(engineFile('scene.js'))
const { Kernel } = await import(engineFile('wasm.js'))
const { schemaOf, filesOf } = await import(engineFile('describe.js'))
const { PLACE, RING, Board, layout, CHANGE } = await import(engineFile('layout.js'))

const kernel = new Kernel(module)
const schema = schemaOf(kernel)
const files = filesOf(kernel)
const limits = { columns: kernel.exports.lab_columns_most(), slow: kernel.exports.lab_slow_most() }

const sceneOf = (name, ledger = true) =>
  new Scene(module, schema, { name, text: files.get(name) }, { rate: 48000, ledger })

function live(shared = true) {
  const plan = layout(limits.columns, limits.slow)
  const buffer = shared ? new SharedArrayBuffer(plan.bytes) : null
  const processor = new processors['contatto-live']({ processorOptions: { bytes, ...limits, buffer, quanta: 4 } })
  const say = (data) => processor.port.onmessage({ data })
  globalThis.currentFrame = 0
  posted = []
  return { processor, say, board: new Board(plan, buffer ?? processor.board.buffer) }
}

const outputs = [[new Float32Array(128), new Float32Array(128)]]

function tick(processor) {
  processor.process([], outputs)
  globalThis.currentFrame += 128
}

const load = (scene, generation, watch = [], play = true) => ({
  type: 'load',
  ...scene.parcel(),
  generation,
  watch: watch.map((path) => scene.find(path)),
  slow: scene.modePaths('glass', 'x_m').map((path) => scene.find(path)),
  play,
  id: 1,
})

// ---- what is shown

// Frames of the ring are the program's samples, at once beside the motion that made them.
function samplesAreTheProgram() {
  const native = render(['glass', '--seconds', '1'], true)
  const { processor, say, board } = live()
  const scene = sceneOf('glass')
  const watch = ['rub.force_n', 'finger.tip.v_m_s', 'glass.rim.v_m_s']
  say(load(scene, 1, watch))
  while (globalThis.currentFrame < 48000) tick(processor)
  const written = board.numbers[PLACE.written]
  let sound = 0
  const motion = watch.map(() => 0)
  for (let n = 0; n < written; n++) {
    sound = Math.max(sound, Math.abs(board.value(0, n) - native.channels[0][n]))
    watch.forEach((path, i) => {
      motion[i] = Math.max(motion[i], Math.abs(board.value(2 + i, n) - Math.fround(native.columns[path][n])))
    })
  }
  const loudest = Math.max(...native.channels[0].map(Math.abs))
  check(written > 47000 && loudest > 0.01, `${written} frames in the ring, up to ${loudest.toFixed(3)}`)
  check(sound < 1e-6 * loudest, `sound in the ring differs from the program's by ${sound.toExponential(1)}`)
  watch.forEach((path, i) => {
    const largest = Math.max(...native.columns[path].map(Math.abs))
    check(motion[i] < 1e-6 * largest + 1e-12, `${path} in the ring differs by ${motion[i].toExponential(1)}`)
  })
}

// Scene files as the documents show them, whatever kinds of body, contact and drive have come since: the offline
// processor gives the program's samples. Those with a body from another file are not whole.
function writtenScenesAreTheProgram() {
  const pages = readdirSync(`${process.env.ROOT}/docs`, { recursive: true }).filter((name) => name.endsWith('.md'))
  const blocks = pages
    .flatMap((page) => [
      ...readFileSync(`${process.env.ROOT}/docs/${page}`, 'utf8').matchAll(/^```json\n([^]*?)^```/gm),
    ])
    .filter(([, text]) => !/"modes": *\{"from"/.test(text))
  const place = join(scratch(), 'written.json')
  check(blocks.length >= 2, `${blocks.length} scenes in the documents`)
  for (const [, text] of blocks) {
    writeFileSync(place, text)
    const native = render([place, '--seconds', '0.5', '--raw']).channels[0]
    const scene = new Scene(module, schema, { name: 'written', text }, { rate: 48000, ledger: false })
    const options = { bytes, scene: { ...scene.parcel(), watch: [] }, frames: 24000, raw: true }
    const processor = new processors['contatto-offline']({ processorOptions: options })
    posted = []
    while (processor.process());
    const ours = posted[0].samples[0]
    const first = native.findIndex((x) => x !== 0)
    let most = 0
    let apart = 0
    for (let n = first; n < first + 480; n++) {
      most = Math.max(most, Math.abs(native[n]))
      apart = Math.max(apart, Math.abs(ours[n] - native[n]))
    }
    const kinds = scene.info.bodies.map((body) => body.shape ?? body.kind).join(', ')
    check(
      first >= 0 && apart < 1e-9 * most,
      `${scene.info.title} (${kinds}): first 10 ms differ by ${(apart / most).toExponential(1)}`,
    )
  }
}

// Of a scene with more than two outputs the page plays the first two left and right, all others in the middle at equal
// power; what is rendered offline has a channel per output.
function manyOutputsAreFolded() {
  const bodies = { bar: { modes: [{ hz: 440, v_m_s: 0.1 }], points: { at: { gains: [1] } } } }
  const ear = (output) => ({ at: 'bar.at', output, full_scale: 2 ** output })
  const text = JSON.stringify({
    contatto: 1,
    channels: 64,
    bodies,
    pickups: { a: ear(1), b: ear(2), c: ear(3), d: ear(4) },
  })
  const made = () => new Scene(module, schema, { name: 'many', text }, { rate: 48000, ledger: false })
  const options = { bytes, scene: { ...made().parcel(), watch: [] }, frames: 4800, raw: false }
  const offline = new processors['contatto-offline']({ processorOptions: options })
  posted = []
  while (offline.process());
  const { samples } = posted[0]
  const { processor, say, board } = live()
  say(load(made(), 1, [], false))
  while (globalThis.currentFrame < 9600) tick(processor)
  const loudest = Math.max(...samples[0].map(Math.abs))
  let apart = 0
  for (let n = 0; n < 4800; n++)
    for (let side = 0; side < 2; side++) {
      const middle = Math.SQRT1_2 * (samples[2][n] + samples[3][n])
      apart = Math.max(apart, Math.abs(board.value(side, n) - (samples[side][n] + middle)))
    }
  check(samples.length === 64 && loudest > 0.01, `${samples.length} channels, up to ${loudest.toFixed(3)}`)
  check(apart < 1e-6 * loudest, `two loudspeakers differ from the fold by ${apart.toExponential(1)}`)
}

// Between two collections the heap only grows: what a thousand callbacks leave behind is what they made. The least of
// several times a thousand: now and then the compiler is at work too, for longer where the machine is busy. A thousand in
// which there was a collection say nothing.
async function nothingIsAllocated() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const { processor, say, board } = live()
  const scene = sceneOf('glass')
  say(load(scene, 1, ['rub.force_n', 'energy.stored_j', 'glass.modes.0.x_m']))
  say({ type: 'record', on: true, frames: 48000 * 60, buffers: [new Float32Array(2 * 48000 * 60)] })
  const handle = scene.find('pressure')
  const change = new Float64Array(CHANGE)
  const run = (times) => {
    for (let i = 0; i < times; i++) {
      change[0] = 1
      for (let k = 0; k < 5; k++) change[1 + k] = handle[k]
      change[6] = 0.5 + 0.001 * (i % 100)
      change[7] = 0.01
      board.put(change)
      tick(processor)
    }
  }
  run(3000) // until everything is compiled
  const memory = processor.voice.exports.memory.buffer
  collect()
  const buffers = process.memoryUsage().arrayBuffers
  let least = Infinity
  for (let i = 0; i < 4 || (i < 40 && least >= 120); i++) {
    const before = process.memoryUsage().heapUsed
    run(1000)
    const made = (process.memoryUsage().heapUsed - before) / 1000
    if (made >= 0) least = Math.min(least, made)
  }
  check(least < 120, `${least.toFixed(0)} bytes of heap per callback: numbers in boxes, no object or array`)
  check(process.memoryUsage().arrayBuffers <= buffers, 'no array buffer was made')
  check(processor.voice.exports.memory.buffer === memory, 'the module asked for no memory')
  check(
    processor.tape.made === 0 && board.numbers[PLACE.refused] === 0,
    'recording and changes went into what was there',
  )
}

function changesWaitForTheirScene() {
  const { processor, say, board } = live()
  const scene = sceneOf('hammer')
  say(load(scene, 1, [], false))
  tick(processor)
  const change = (generation, value) => {
    const record = new Float64Array(CHANGE)
    record.set([generation, ...scene.find('mass'), value, 0, 0])
    board.put(record)
  }
  const mass = () => scene.kernel.exports && processor.voice.exports.lab_get(processor.voice.lab, ...scene.find('mass'))
  change(2, 0.1)
  for (let i = 0; i < 4; i++) tick(processor)
  check(mass() === 0.03, 'a change for the next scene leaves this one alone')
  say(load(scene, 2, [], false))
  for (let i = 0; i < 40; i++) tick(processor)
  check(Math.abs(mass() - 0.1) < 1e-12, 'and is there when that scene is')
  change(1, 0.05)
  for (let i = 0; i < 40; i++) tick(processor)
  check(Math.abs(mass() - 0.1) < 1e-12 && board.next() < 0, 'one for a scene that is gone is dropped')
}

// ---- every scene, spoilt while its demo is played

// A speed of the scene that is not 0 becomes something else, wherever it is kept. False: there is none.
function spoil({ exports, lab }, scene, value) {
  const memory = new Float64Array(exports.memory.buffer)
  for (const { name } of scene.info.bodies)
    for (const path of scene.modePaths(name, 'v_m_s')) {
      const now = exports.lab_get(lab, ...scene.find(path))
      if (now === 0) continue
      memory.forEach((x, i) => x === now && (memory[i] = value))
      return true
    }
  return false
}

function heardOver(processor, quanta) {
  const heard = new Float32Array(128 * quanta)
  for (let i = 0; i < quanta; i++) {
    tick(processor)
    heard.set(outputs[0][0], 128 * i)
  }
  return heard
}

const largest = (x) => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
const steepest = (x) => x.reduce((most, v, i) => Math.max(most, i ? Math.abs(v - x[i - 1]) : 0), 0)

// What is heard ends within the limiter's latency, in steps no larger than the sound's own and the fade's together. The
// sound that fades is what would have been heard without the accident.
function endsSoftly(name, quanta, value) {
  const scene = sceneOf(name)
  const played = () => {
    const { processor, say } = live()
    say(load(scene, 1))
    return { processor, sound: heardOver(processor, quanta) }
  }
  const twin = played()
  const good = Float32Array.from([...twin.sound, ...heardOver(twin.processor, 1)])
  const { processor, sound } = played()
  if (!spoil(processor.voice, scene, value)) return null
  const end = heardOver(processor, 8)
  const { latency } = processor
  const last = [sound[sound.length - 1], ...end.subarray(0, latency + 1)]
  const allowed = 1.001 * (steepest(good) + (largest(good) * Math.PI) / (2 * latency)) + 1e-9
  const broken = posted.filter(({ type }) => type === 'broken')
  return (
    end.every(Number.isFinite) &&
    largest(end) <= 10 ** (-1 / 20) * (1 + 1e-6) &&
    steepest(last) <= allowed &&
    end.subarray(latency).every((x) => x === 0) &&
    broken.length === 1 &&
    processor.voice === null
  )
}

function everySceneEndsSoftly() {
  let spoilt = 0
  const wrong = []
  for (const name of files.keys())
    for (const [quanta, value] of [
      [100, NaN],
      [131, Infinity],
      [157, 1e300],
    ]) {
      const good = endsSoftly(name, quanta, value)
      spoilt += good !== null
      if (good === false) wrong.push(`${name} ${quanta} ${value}`)
    }
  check(spoilt > 50 && !wrong.length, `${spoilt} scenes were spoilt and ended softly ${wrong.join(', ')}`)
}

function aSceneThatBreaksIsDropped() {
  const { processor, say } = live()
  say(load(sceneOf('glass'), 1))
  tick(processor)
  const { exports, lab } = processor.voice
  new Uint32Array(exports.memory.buffer).fill(0xffffff00, lab / 4, lab / 4 + 4) // its pointers lead nowhere
  tick(processor)
  const broken = posted.find(({ type }) => type === 'broken')
  check(broken?.generation === 1 && broken.words.includes('memory'), `said: ${broken?.words}`)
  tick(processor)
  check(
    outputs[0][0].every((x) => x === 0),
    'and silence, once the limiter has let go of what it held',
  )
  say(load(sceneOf('glass'), 2))
  for (let i = 0; i < 400; i++) tick(processor)
  check(
    outputs[0][0].some((x) => x !== 0),
    'the next scene sounds',
  )
}

// The old scene fades while the new one begins. Cut off at the top of a wave of 530 Hz, the sound would jump by 14
// times the steps it makes anyway.
function scenesChangeWithoutAJump() {
  const { processor, say, board } = live()
  say(load(sceneOf('glass'), 1))
  while (globalThis.currentFrame < 96000) tick(processor)
  say(load(sceneOf('glass'), 2, [], false))
  while (globalThis.currentFrame < 110000) tick(processor)
  const at = (n) => board.ring[n & (RING - 1)]
  let before = 0
  let after = 0
  for (let n = 90000; n < 95000; n++) before = Math.max(before, Math.abs(at(n) - at(n - 1)))
  for (let n = 95800; n < 100000; n++) after = Math.max(after, Math.abs(at(n) - at(n - 1)))
  check(after <= 2 * before, `largest step ${after.toExponential(2)} while changing, ${before.toExponential(2)} before`)
  check(processor.leaving.length === 0 && at(109000) === 0, 'the old scene has left')
}

// Without shared memory the same board arrives in pieces.
function newsArriveWhole() {
  const { processor, say } = live(false)
  say(load(sceneOf('glass'), 1, ['rub.force_n']))
  for (let i = 0; i < 40; i++) tick(processor)
  const news = posted.filter(({ type }) => type === 'news')
  check(news.length === 10, `${news.length} messages in 40 quanta`)
  const whole = news.every(({ parcel, begin }) => {
    for (let n = 0; n < 512; n++) {
      const frame = begin + n
      if (parcel.ring[2 * 512 + n] !== processor.board.ring[2 * RING + frame]) return false
      if (frame >= 128 && parcel.ring[n] !== processor.board.ring[frame - 128]) return false
    }
    return true
  })
  check(whole, 'every frame of sound and motion is in them')
}

await main(async () => {
  samplesAreTheProgram()
  writtenScenesAreTheProgram()
  manyOutputsAreFolded()
  await nothingIsAllocated()
  changesWaitForTheirScene()
  aSceneThatBreaksIsDropped()
  everySceneEndsSoftly()
  scenesChangeWithoutAJump()
  newsArriveWhole()
})
