// How fast the page renders: rooms at six times real time or better, all in all; and a second of sound takes no more
// than three times what it takes the program, starting up left aside. Counted is time on the processor, of every thread
// behind the page and of the program, so that what else the machine does matters little; the best of several tries, and
// of more where that is too slow: others may have been using the caches, and no number of tries is faster than it is.
// ctest: plain alone timeout=600
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { browser, check, contatto, engineAlone, lab, main, scratch } from './browser.mjs'
import { busy } from './processes.mjs'

const SHORT = 2
const LONG = 12
const TRIES = 3
const MOST_TRIES = 15
const ROOMS = ['glass', 'hammer']

async function inPage(page, name, seconds) {
  const before = busy()
  await page.evaluate(([name, seconds]) => engine.offline({ name, seconds }).then(() => 0), [name, seconds])
  return busy() - before
}

// The shell's `times`: its own, then its children's, user and system, as 0m0.123s.
function inProgram(name, seconds) {
  const out = join((inProgram.folder ??= scratch()), 'speed.wav')
  const script = '"$0" render "$1" --seconds "$2" -o "$3" && times'
  const { stdout } = spawnSync('sh', ['-c', script, contatto, name, String(seconds), out])
  const children = String(stdout).trim().split('\n').pop().split(' ')
  return children.reduce((sum, time) => sum + 60 * parseFloat(time) + parseFloat(time.split('m')[1]), 0)
}

// One try more of everything, by turns: the least of each so far.
async function again(page, name, least) {
  const take = (what, seconds) => (least[what] = Math.min(least[what] ?? Infinity, seconds))
  take('pageShort', await inPage(page, name, SHORT))
  take('pageLong', await inPage(page, name, LONG))
  take('programShort', inProgram(name, SHORT))
  take('programLong', inProgram(name, LONG))
}

const factor = ({ pageLong }) => LONG / pageLong
const ratio = ({ pageShort, pageLong, programShort, programLong }) =>
  (pageLong - pageShort) / (programLong - programShort)

await main(async () => {
  const { address } = await lab()
  const page = await engineAlone(await browser(), address)
  for (const name of [...ROOMS, 'chime', 'door']) {
    const fast = (least) => ratio(least) <= 3 && (!ROOMS.includes(name) || factor(least) >= 6)
    const least = {}
    for (let i = 0; i < TRIES || (i < MOST_TRIES && !fast(least)); i++) await again(page, name, least)
    if (ROOMS.includes(name))
      check(factor(least) >= 6, `${name}: ${factor(least).toFixed(1)} times real time in the page`)
    const ms = (1000 * (least.programLong - least.programShort)) / (LONG - SHORT)
    check(ratio(least) <= 3, `${name}: ${ratio(least).toFixed(2)} times the program's ${ms.toFixed(1)} ms per second`)
  }
})
