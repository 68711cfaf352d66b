// The engine in a real browser, on a page of its own: with shared memory as `contatto lab` serves it, and by messages
// as a plain server gives it. What is read back is what was heard, to the sample and on one clock.
// ctest: plain timeout=300
import {
  between,
  browser,
  check,
  contatto,
  engineAlone,
  lab,
  main,
  near,
  plainServer,
  run,
  scratch,
} from './browser.mjs'
import { readWav } from './files.mjs'
import { join } from 'node:path'

// ---- the same for both ways

async function startsAndSounds(page, transport) {
  const seen = await page.evaluate(async () => {
    await engine.load({ name: 'hammer' })
    const before = { context: engine.context, info: engine.info.title, controls: engine.info.controls.length }
    await engine.start()
    return { ...before, transport: engine.transport, running: engine.running, rate: engine.context.sampleRate }
  })
  check(seen.context === null && seen.info === 'Hammer and bar', 'a scene is known before anything sounds')
  check(seen.running && seen.rate === 48000 && seen.transport === transport, `runs at 48 kHz by ${seen.transport}`)
}

// A gesture's samples are known: those of the offline rendering, for sound as for motion. Should the page have been kept
// waiting until the ring had lost the beginning, or the device until it left out frames of its own clock, the gesture is
// played again.
async function ringIsWhatWasRendered(page) {
  const { sound, force, blow, heard, count, tries } = await page.evaluate(async () => {
    const watch = ['strike.force_n', 'bar.end.v_m_s']
    const made = await engine.offline({ name: 'hammer', seconds: 1.2, watch })
    engine.watch(watch)
    const play = async () => {
      await engine.load({ name: 'hammer', play: true })
      if (!(await until(() => engine.sounds()))) throw new Error('the scene never sounds')
      const start = engine.link.number('started')
      await passed(engine, start + 57600 - engine.link.number('written'))
      const read = (path) => kept(engine, path, 57000, start + 56999)
      return { output: read('output'), force: read('strike.force_n') }
    }
    const apart = (got, wanted) => got.reduce((most, x, n) => Math.max(most, Math.abs(x - Math.fround(wanted[n]))), 0)
    const same = ({ output, force }) =>
      output && force && apart(output, made.samples) + apart(force, made.taps['strike.force_n']) === 0
    let got = await play()
    let tries = 1
    for (; tries < 5 && !same(got); tries++) got = await play()
    return {
      sound: apart(got.output, made.samples),
      force: apart(got.force, made.taps['strike.force_n']),
      blow: got.force.findIndex((f) => f > 0),
      heard: got.output.findIndex((x) => x !== 0),
      count: made.samples.filter((x) => x !== 0).length,
      tries,
    }
  })
  check(count > 50000 && sound === 0, `57000 frames of sound are the rendered ones, bit for bit (${sound}; ${tries})`)
  check(force === 0, `so is the force of the contact (${force})`)
  between(heard - blow, 0, 48, 'frames from the blow to its sound, on one clock')
}

// heard() is the context's own word for what leaves the loudspeaker, less the limiter's delay, and never runs back.
// Both clocks stand still while they are compared: how long the page was held up in between is not the question.
async function oneClock(page) {
  const ticks = await page.evaluate(async () => {
    const ticks = []
    const { context, link } = engine
    const latency = link.number('latency')
    for (let i = 0; i < 60; i++) {
      await passed(engine, 128)
      const stamp = context.getOutputTimestamp()
      const now = performance.now()
      const wanted = (stamp.contextTime + (now - stamp.performanceTime) / 1000) * 48000 - latency
      context.getOutputTimestamp = () => stamp
      performance.now = () => now
      const last = engine.lastHeard // others have asked since the last time round
      const before = link.number('written')
      const heard = engine.heard()
      ticks.push({ heard, last, wanted, before, newest: link.number('written') })
      delete context.getOutputTimestamp
      delete performance.now
    }
    return ticks
  })
  const follows = ({ heard, last, wanted, before, newest }) =>
    heard >= Math.max(Math.min(wanted, before) - 1, last) && heard <= Math.max(Math.min(wanted, newest), last)
  const on = ticks.filter(follows).length
  check(on === ticks.length, `heard() is the frame of the output's time stamp, ${on} times of ${ticks.length}`)
  const moved = ticks.at(-1).heard - ticks[0].heard
  check(moved > 0 && ticks.every(({ heard, newest }) => heard <= newest), `and runs forward: ${moved} frames`)
}

// Half a second of the ring, and a recording that went on until after it.
async function recordOnce(page) {
  const { wav, tail, on } = await page.evaluate(async () => {
    engine.recording.start()
    await until(() => engine.recording.seconds >= 1)
    await passed(engine, 24000)
    const tail = Array.from(newest(engine, 'output', 24000))
    const bytes = new Uint8Array(await (await engine.recording.stop()).arrayBuffer())
    let binary = ''
    for (let i = 0; i < bytes.length; i += 4096) binary += String.fromCharCode(...bytes.subarray(i, i + 4096))
    return { wav: btoa(binary), tail, on: engine.recording.on }
  })
  const { rate, channels } = readWav(Buffer.from(wav, 'base64'))
  let at = 0
  while (at + tail.length <= channels[0].length && !tail.every((x, n) => x === channels[0][at + n])) at++
  return { tail, on, rate, channels, at, found: at + tail.length <= channels[0].length }
}

// A device that was kept waiting may leave out frames of its own clock; then there is a hole in the ring where the
// recording has none, and it is tried again.
async function recordingIsWhatWasHeard(page) {
  await page.evaluate(async () => {
    await engine.load({ name: 'glass', play: true })
    await passed(engine, 14400)
  })
  let tries = 1
  let seen = await recordOnce(page)
  for (; tries < 5 && !seen.found; tries++) seen = await recordOnce(page)
  const { tail, on, rate, channels, at, found } = seen
  const [left, right] = channels
  check(!on && rate === 48000 && channels.length === 2 && left.length > 48000, `${left.length} frames recorded`)
  check(found, `half a second of the ring is in the recording, bit for bit, from frame ${at} (${tries})`)
  check(tail.some((x) => Math.abs(x) > 1e-3) && left.every((x, n) => x === right[n]), 'and it is not silence')
}

async function changesArrive(page) {
  const seen = await page.evaluate(async () => {
    await engine.load({ name: 'glass' })
    engine.watch(['rub.pressed_n', 'finger.tip.tangential_v_m_s', 'pressure'])
    const refused = [engine.set('pressure', 99), engine.set('presure', 1), engine.set('energy.stored_j', 1)]
    const set = engine.set('pressure', 3)
    engine.set('push', 7)
    let pressed, speed
    await until(() => {
      pressed = engine.at('rub.pressed_n', Infinity)
      speed = engine.at('finger.tip.tangential_v_m_s', Infinity)
      return Math.abs(pressed - 3) < 1e-6 && speed > 0.01
    })
    await until(() => engine.get('pressure') === 3 && engine.get('push') === 7)
    const state = engine.state()
    await engine.load({ name: 'hammer' })
    await engine.restore(state)
    await until(() => engine.sounds() && engine.get('pressure') === 3 && engine.get('push') === 7)
    return {
      refused,
      set,
      pressed,
      speed,
      sounds: engine.sounds(),
      restored: engine.get('pressure'),
      push: engine.get('push'),
      text: engine.text(),
    }
  })
  check(seen.set === null && Math.abs(seen.pressed - 3) < 1e-6, `a control reaches what it moves: ${seen.pressed} N`)
  check(seen.speed > 0.01, `the finger moves: ${seen.speed.toFixed(3)} m/s`)
  check(
    seen.refused.every((line) => typeof line === 'string' && line.length > 10),
    `refused: ${seen.refused.join(' | ')}`,
  )
  check(seen.sounds, 'a state that was restored sounds')
  near(seen.restored, 3, 1e-9, 'it restores a control')
  near(seen.push, 7, 1e-9, 'and another')
  const saved = JSON.parse(seen.text)
  check(
    saved.contatto === 1 && saved.controls.pressure.value === 3 && saved.controls.push.value === 7,
    'the saved file holds them',
  )
  const again = await page.evaluate(
    (text) => engine.offline({ text, seconds: 0.5 }).then((made) => made.samples.length),
    seen.text,
  )
  check(again === 24000, 'and can be opened again')
}

async function aBadSceneChangesNothing(page) {
  const seen = await page.evaluate(async () => {
    await engine.load({ name: 'glass', play: true })
    const before = engine.generation
    const lines = []
    const bad = [
      '{',
      '{}',
      '{"contatto": 2}',
      '{"contatto": 1, "bodies": {"a": {"modes": [{"hz": -1}]}}}',
      '{"contatto": 1, "nonsense": 3}',
    ]
    for (const text of bad) await engine.load({ text, name: 'mine' }).catch((error) => lines.push(error.message))
    await engine.load({ name: 'nothing' }).catch((error) => lines.push(error.message))
    await until(() => engine.counters().steps > 0)
    const steps = engine.counters().steps
    return {
      lines,
      same: engine.generation === before,
      title: engine.info.title,
      goes: await until(() => engine.counters().steps > steps + 14400),
    }
  })
  check(seen.lines.length === 6 && seen.lines.every((line) => !line.includes('\n')), `told: ${seen.lines.join(' | ')}`)
  check(seen.same && seen.goes && seen.title === 'Singing glass', 'and the scene that was there goes on')
}

// The peak is looked for from the blow on: the scene before may have been anything.
async function theLimiterHolds(page) {
  const seen = await page.evaluate(async () => {
    await engine.load({ name: 'hammer' })
    engine.watch(['out.full_scale'])
    engine.set('out.full_scale', 0.02, 0)
    await until(() => engine.sounds() && Math.abs(engine.at('out.full_scale', Infinity) - 0.02) < 1e-6)
    await passed(engine, 9600)
    engine.set('strike_speed', 3)
    let gain_db = 0
    await until(() => (gain_db = Math.min(gain_db, engine.limiter.gain_db)) < -6)
    await passed(engine, 9600)
    return { gain_db, peak: newest(engine, 'output', 19200).reduce((most, x) => Math.max(most, Math.abs(x)), 0) }
  })
  between(seen.peak, 0.6, 0.8913, 'peak of a blow far too loud')
  check(seen.gain_db < -6, `turned down by ${seen.gain_db.toFixed(1)} dB`)
}

// A page that was kept waiting for the whole of it has not seen it, and looks again.
async function gesturesPlayAndEnd(page) {
  const seen = await page.evaluate(async () => {
    const text = JSON.stringify({
      ...JSON.parse(engine.files.get('hammer')),
      gesture: { time_s: [0, 0.5], strike_speed: [1, 0.5], mass: [0.03, 0.1] },
    })
    await engine.load({ text })
    let ends = 0
    engine.on('gesture-end', () => ends++)
    const play = async () => {
      const before = ends
      engine.play()
      let during = false
      await until(() => (during ||= engine.playing) || ends > before)
      const ended = await until(() => ends > before)
      return { during, ended }
    }
    let { during, ended } = await play()
    for (let tries = 1; tries < 10 && ended && !during; tries++) ({ during, ended } = await play())
    await until(() => !engine.playing && Math.abs(engine.get('mass') - 0.1) < 1e-9)
    return { during, ended, after: engine.playing, mass: engine.get('mass'), gesture: engine.gesture() }
  })
  check(seen.during && seen.ended && !seen.after, 'a gesture plays, and ends with a word')
  near(seen.mass, 0.1, 1e-9, 'its controls can be followed')
  check(seen.gesture.time_s.length === 2, 'and looked at')
}

async function everything(page, transport) {
  await startsAndSounds(page, transport)
  await ringIsWhatWasRendered(page)
  await oneClock(page)
  await recordingIsWhatWasHeard(page)
  await changesArrive(page)
  await aBadSceneChangesNothing(page)
  await theLimiterHolds(page)
  await gesturesPlayAndEnd(page)
  const { refused, underruns } = await page.evaluate(() => engine.counters())
  check(refused === 0, `no change was refused on the way; ${underruns} times late`)
}

// ---- what a browser may lack

async function saysWhatIsMissing(context, address) {
  const lacking = async (script) => {
    const page = await context.newPage()
    await page.addInitScript(script)
    await page.goto(new URL('engine/engine.js', address).href)
    const words = await page.evaluate(async () => {
      const { Engine, missing } = await import('/engine/engine.js')
      return [
        missing(),
        await Engine.open().then(
          () => 'opened',
          (error) => error.message,
        ),
      ]
    })
    await page.close()
    return JSON.stringify(words)
  }
  const wasm = await lacking('delete globalThis.WebAssembly')
  check(wasm.includes('"WebAssembly"') && wasm.includes('has no WebAssembly'), `without WebAssembly: ${wasm}`)
  const simd = await lacking('WebAssembly.validate = () => false')
  check(simd.startsWith('[["WebAssembly SIMD"]'), `without SIMD: ${simd}`)
  const worklet = await lacking('delete globalThis.AudioWorkletNode')
  check(worklet.startsWith('[["AudioWorklet"]'), `without AudioWorklet: ${worklet}`)
  const audio = await lacking('delete globalThis.AudioContext')
  check(audio.startsWith('[["AudioContext"]'), `without AudioContext: ${audio}`)
}

await main(async () => {
  const context = await browser()
  const { address, stop } = await lab()
  const shared = await engineAlone(context, address)
  check(await shared.evaluate(() => crossOriginIsolated), 'isolated')
  await everything(shared, 'shared')
  const { allocations } = await shared.evaluate(() => engine.counters())
  check(allocations === 0, 'the callback made no buffer of its own')
  await saysWhatIsMissing(context, address)
  await shared.close()
  const { code } = await stop()
  check(code === 130, 'the server ends with 128 + the signal')

  const folder = join(scratch(), 'site')
  run('lab', '--export', folder)
  const alone = await engineAlone(context, await plainServer(folder))
  check(!(await alone.evaluate(() => crossOriginIsolated)), `${contatto} lab --export, on a plain server: not isolated`)
  await everything(alone, 'messages')
})
