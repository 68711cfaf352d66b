// Which moment of the context's time leaves the loudspeaker now.
//
// Browsers that tell (getOutputTimestamp, outputLatency) are believed, but Firefox is not asked: its answer holds the lock of
// its audio graph while it waits for the sound server, whose callback waits for that lock, and now and then page and sound
// stand still for ever (seen in version 153 in one start of four). Its time stamps advance by up to 43 ms at once as well. So
// there the time is the context's own, which advances in the same steps, carried on by the page's clock in between, less a
// latency that is assumed.

const ASSUMED_S = 0.025 // a desktop's sound server
const CARRIED_S = 0.1 // without news for so long the sound has stopped

export const asksFreely = (agent = globalThis.navigator?.userAgent ?? '') => !/Gecko\/\d/.test(agent)

export class OutputClock {
  constructor(context, free = asksFreely()) {
    this.context = context
    this.free = free
    this.seen = { time_s: -1, at_ms: 0 } // the context's time, and when it was first seen to have come so far
  }

  // Seconds from the context's output to the loudspeaker.
  get latency_s() {
    const { context } = this
    return (this.free ? context.outputLatency || context.baseLatency : ASSUMED_S) || 0
  }

  // Seconds on the context's clock.
  now(page_ms = performance.now()) {
    return this.free ? this.told(page_ms) : this.carried(page_ms)
  }

  get running() {
    return this.context.state === 'running'
  }

  told(page_ms) {
    const stamp = this.context.getOutputTimestamp?.()
    if (stamp?.contextTime > 0 && stamp.performanceTime > 0)
      return stamp.contextTime + (this.running ? (page_ms - stamp.performanceTime) / 1000 : 0)
    return this.context.currentTime - this.latency_s
  }

  carried(page_ms) {
    const time_s = this.context.currentTime
    if (time_s !== this.seen.time_s) this.seen = { time_s, at_ms: page_ms }
    const since_s = this.running ? Math.min((page_ms - this.seen.at_ms) / 1000, CARRIED_S) : 0
    return time_s + since_s - this.latency_s
  }
}
