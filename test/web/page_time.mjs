// A page whose time goes in steps that the test makes. Neither clock nor sound goes on by itself: `advance(frames)` plays so many frames,
// runs the timers that fall due and draws in between. So a minute of playing takes as long as its computing, and a busy
// machine hears what a quiet one hears: no sound comes late, no hand moves too quickly.
//
// What the page sees of time is replaced: clocks, timers, frames, the time of events, and AudioContext, which becomes an
// OfflineAudioContext that is suspended wherever time stands. The rest, above all the worklet, is the lab's own.
//
// The worklet's clock is replaced by a script of the test's own, which the server's policy would not allow: such a page is
// opened without the policy.
import { browser } from './browser.mjs'

// A browser with pages of that kind. `pause`: ms of the page's time between two frames.
export async function steppedBrowser({ pause = 1000 / 60, ...options } = {}) {
  const context = await browser({ bypassCSP: true, ...options })
  await context.addInitScript(ownTime, pause)
  context.timeIsStepped = true
  return context
}

function ownTime(pause) {
  const EPOCH_MS = Date.UTC(2026, 0, 1)
  const RATE = 48000
  const QUANTUM = 128
  const LONGEST_S = 3600
  let now_ms = 0
  let drawn_ms = 0
  let sounding = null

  // ---- clocks

  const soon = setTimeout
  performance.now = () => now_ms
  Date.now = () => EPOCH_MS + now_ms
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => now_ms })

  // ---- timers and frames

  const timers = new Map()
  let ids = 0
  const later = (run, ms = 0, ...values) => {
    timers.set(++ids, { at: now_ms + Math.max(0, ms), run: () => run(...values) })
    return ids
  }
  window.setTimeout = later
  window.clearTimeout = (id) => timers.delete(id)

  let frames = new Map()
  const ownFrame = requestAnimationFrame.bind(window)
  window.browserFrame = () => new Promise((resolve) => ownFrame(() => ownFrame(resolve)))
  window.requestAnimationFrame = (draw) => frames.set(++ids, draw) && ids
  window.cancelAnimationFrame = (id) => frames.delete(id)

  const nextTimer = () =>
    [...timers].reduce((first, timer) => (first && first[1].at <= timer[1].at ? first : timer), null)

  function runTimers() {
    for (let timer = nextTimer(); timer && timer[1].at <= now_ms; timer = nextTimer()) {
      timers.delete(timer[0])
      timer[1].run()
    }
  }

  function draw() {
    const due = frames
    frames = new Map()
    drawn_ms = now_ms
    for (const run of due.values()) run(now_ms)
  }
  window.drawNow = (hurry) => {
    window.hurry = hurry
    if (hurry) draw()
  }

  // ---- sound

  const offline = OfflineAudioContext.prototype
  class SteppedContext extends OfflineAudioContext {
    constructor({ sampleRate }) {
      super({ numberOfChannels: 1, length: LONGEST_S * sampleRate, sampleRate })
      this.going = false
      const { audioWorklet } = this
      const add = audioWorklet.addModule.bind(audioWorklet)
      audioWorklet.addModule = async (address) => {
        const clock = `Date.now = () => ${Date.now()} + 1000 * currentTime`
        await add(URL.createObjectURL(new Blob([clock], { type: 'text/javascript' })))
        await add(address)
        this.held = offline.suspend.call(this, 0)
        this.startRendering()
        await this.held
        sounding = this
      }
    }

    get state() {
      return this.going ? 'running' : 'suspended'
    }

    set onstatechange(tell) {
      this.tell = tell
    }

    async resume() {
      this.goes(true)
    }

    async suspend() {
      this.goes(false)
    }

    async close() {
      this.goes(false)
      sounding = null
    }

    goes(going) {
      if (going === this.going) return
      this.going = going
      this.tell?.()
    }

    get outputLatency() {
      return 0
    }

    getOutputTimestamp() {
      return { contextTime: this.currentTime, performanceTime: now_ms }
    }

    async play(quanta) {
      const end = Math.round(this.currentTime * RATE) + quanta * QUANTUM
      this.held = offline.suspend.call(this, (end - 1) / RATE) // rounded up to a whole quantum
      await offline.resume.call(this)
      await this.held
    }
  }
  window.AudioContext = SteppedContext

  // ---- going on

  // What either thread has told the other has arrived there. A page without a lab waits for tasks to run.
  const settled = async () => {
    const asked = window.lab?.engine.link?.ask({ type: 'nothing' }).catch(() => null)
    await (asked ?? new Promise((resolve) => soon(resolve, 0)))
  }

  const due_ms = () => Math.min(drawn_ms + (window.hurry ? 1000 / 60 : pause), nextTimer()?.[1].at ?? Infinity)

  window.advance = async (wanted) => {
    await settled()
    for (let left = Math.ceil(wanted / QUANTUM); left > 0;) {
      const until_due = Math.ceil(((due_ms() - now_ms) * RATE) / 1000 / QUANTUM)
      const quanta = Math.max(1, Math.min(left, until_due))
      if (sounding?.going) await sounding.play(quanta)
      now_ms += (1000 * quanta * QUANTUM) / RATE
      runTimers()
      if (now_ms + 1e-6 >= drawn_ms + (window.hurry ? 1000 / 60 : pause)) draw()
      left -= quanta
    }
    await settled()
  }
  window.until = async (holds, seconds = 60) => {
    for (let passed = 0; passed < seconds * RATE; passed += 480) {
      if (holds()) return true
      await advance(480)
    }
    return holds()
  }
}
