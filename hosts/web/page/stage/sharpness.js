// How many pixels the picture is drawn with: fewer when frames come late, as they do on software WebGL, never fewer than
// half; all of them again, step by step, when there is time. Times are in milliseconds, by whatever clock the caller has.

const quickFrame = 22 /* below this there is time for more pixels again; a screen of 50 Hz shows one every 20 */
const slowFrame = 26 /* above this the picture is drawn with fewer */
const least = 0.5 /* pixels per CSS pixel */
const pause = 2000 /* between two steps: what the last one has brought has to be seen */
const soon = 8000 /* a slow frame so soon after a step up means that the step was too much */

export class Sharpness {
  constructor(most) {
    this.most = this.pixels = most
    this.frameTime = 16
    this.until = 0
    this.wait = 4000
    this.lessened = this.sharpened = -Infinity
  }

  /** A frame: when it was drawn, how long it took, and how long after the one before it came. True: the size has changed. */
  take(now, spent, between) {
    this.frameTime += (Math.max(spent, Math.min(between, 100)) - this.frameTime) * 0.05
    if (now < this.until) return false
    if (this.frameTime > slowFrame && this.pixels > least) return this.lessen(now)
    if (this.frameTime < quickFrame && this.pixels < this.most) return this.recover(now)
    return false
  }

  /** Stays so, however slow: for photographs. */
  hold(pixels) {
    this.pixels = pixels
    this.until = Infinity
  }

  /** Each step up that was too much makes the next wait twice as long. */
  lessen(now) {
    if (now - this.sharpened < soon) this.wait = Math.min(120000, 2 * this.wait)
    this.lessened = now
    return this.scale(0.75, now)
  }

  recover(now) {
    if (now - this.lessened < this.wait) return false
    this.sharpened = now
    return this.scale(4 / 3, now)
  }

  scale(by, now) {
    this.pixels = Math.min(this.most, Math.max(least, this.pixels * by))
    this.until = now + pause
    this.frameTime = 20
    return true
  }
}
