// The picture's pixels after a slow spell: fewer while frames come late, all of them again when there is time, by a clock
// of the test's own. No browser.
// ctest: plain timeout=60
import { check, main } from './browser.mjs'
import { Sharpness } from '../../hosts/web/page/stage/sharpness.js'

// Draws frames of so many milliseconds for so many seconds; the time then.
function frames(sharpness, from, seconds, each) {
  let now = from
  for (; now < from + 1000 * seconds; now += each) sharpness.take(now, 2, each)
  return now
}

await main(() => {
  const one = new Sharpness(2)
  let now = frames(one, 0, 10, 16.7)
  check(one.pixels === 2, 'quick frames keep all pixels')
  now = frames(one, now, 20, 60)
  check(one.pixels === 0.5, `slow frames take them away, never below half: ${one.pixels}`)
  now = frames(one, now, 60, 16.7)
  check(one.pixels === 2, `after the slow spell they are all there again: ${one.pixels}`)
  const screen = new Sharpness(1)
  now = frames(screen, 0, 20, 60)
  now = frames(screen, now, 60, 20)
  check(screen.pixels === 1, `on a screen of 50 Hz too: ${screen.pixels}`)
  // a machine that is quick with few pixels and slow with all of them must not be switched to and fro for ever
  const torn = new Sharpness(1)
  let steps = 0
  for (now = 0; now < 600000; now += torn.pixels > 0.8 ? 40 : 15)
    if (torn.take(now, 2, torn.pixels > 0.8 ? 40 : 15)) steps++
  check(steps < 40, `what is too much is tried more and more seldom: ${steps} changes in ten minutes`)
})
