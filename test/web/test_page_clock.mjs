// The moment that is heard, by a clock of the test's own: where the browser tells it, and where it must not be asked. No browser.
// ctest: plain timeout=60
import { check, main, near } from './browser.mjs'
import { OutputClock, asksFreely } from '../../hosts/web/page/engine/clock.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

// A context whose time advances by steps, as Firefox's does, and that fails the test when its latency is asked for.
const stepping = (step_s) => ({
  state: 'running',
  time_s: 0,
  get currentTime() {
    return Math.floor(this.time_s / step_s) * step_s
  },
  get outputLatency() {
    throw new Error('asked for outputLatency')
  },
  getOutputTimestamp() {
    throw new Error('asked for getOutputTimestamp')
  },
})

// What the clock says every 16.7 ms, less the time it is.
function errors(clock, context, seconds) {
  const all = []
  for (let ms = 0; ms < 1000 * seconds; ms += 16.7) {
    context.time_s = ms / 1000
    all.push(clock.now(ms) - ms / 1000)
  }
  return all
}

await main(() => {
  check(!asksFreely(FIREFOX) && asksFreely(CHROMIUM) && asksFreely(SAFARI), 'only Firefox is not asked')
  for (const step_s of [128 / 48000, 0.0427]) {
    const context = stepping(step_s)
    const wrong = errors(new OutputClock(context, false), context, 4).slice(10)
    const [least, most] = [Math.min(...wrong), Math.max(...wrong)].map((s) => 1000 * (s + 0.025))
    check(
      least > -17 && most < 1,
      `steps of ${(1000 * step_s).toFixed(1)} ms: off by ${least.toFixed(1)} to ${most.toFixed(1)} ms`,
    )
  }
  const context = stepping(0.01)
  const clock = new OutputClock(context, false)
  context.time_s = 1
  clock.now(1000)
  near(clock.now(9000), 1.075, 1e-9, 'without news it stops soon')
  context.state = 'suspended'
  near(clock.now(9500), 0.975, 1e-9, 'a paused context has no time in between')
  const told = {
    state: 'running',
    getOutputTimestamp: () => ({ contextTime: 2, performanceTime: 5000 }),
    outputLatency: 0.04,
  }
  near(new OutputClock(told, true).now(5250), 2.25, 1e-9, 'a time stamp is carried on')
  near(new OutputClock(told, true).latency_s, 0.04, 1e-9, 'and a latency believed')
  near(
    new OutputClock({ currentTime: 3, baseLatency: 0.01 }, true).now(0),
    2.99,
    1e-9,
    'without a time stamp: less the latency',
  )
})
