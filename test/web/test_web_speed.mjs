// How fast the page renders: rooms at six times real time or better, and nothing more than three times slower than
// the program. The best of several tries each, in turn, so that what else the machine does hits both alike.
// ctest: plain alone timeout=300
import { performance } from 'node:perf_hooks'
import { join } from 'node:path'
import { browser, check, engineAlone, lab, main, run, scratch } from './browser.mjs'

const SECONDS = 4
const TRIES = 5
const ROOMS = ['glass', 'hammer']

const inPage = (page, name) =>
  page.evaluate(
    ([name, seconds]) => engine.offline({ name, seconds }).then((made) => made.seconds_taken),
    [name, SECONDS],
  )

function inProgram(name, out) {
  const begun = performance.now()
  run('render', name, '--seconds', String(SECONDS), '-o', out)
  return (performance.now() - begun) / 1000
}

await main(async () => {
  const { address } = await lab()
  const page = await engineAlone(await browser(), address)
  const out = join(scratch(), 'speed.wav')
  for (const name of [...ROOMS, 'chime', 'door']) {
    let best = Infinity
    let native = Infinity
    for (let i = 0; i < TRIES; i++) {
      best = Math.min(best, await inPage(page, name))
      native = Math.min(native, inProgram(name, out))
    }
    const times = SECONDS / best
    if (ROOMS.includes(name)) check(times >= 6, `${name}: ${times.toFixed(1)} times real time in the page`)
    check(best <= 3 * native, `${name}: ${(best / native).toFixed(2)} times the program's ${native.toFixed(3)} s`)
  }
})
