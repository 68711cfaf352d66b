// How fast the page renders: rooms at six times real time or better, all in all; and a second of sound takes no more
// than three times what it takes the program, starting up left aside. Counted is time on the processor, of every thread
// behind the page and of the program, so that what else the machine does matters little; the best of several tries.
// ctest: plain alone timeout=300
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { browser, check, contatto, engineAlone, lab, main, scratch } from './browser.mjs'
import { busy } from './processes.mjs'

const SHORT = 2
const LONG = 12
const TRIES = 3
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

async function best(work) {
  let least = Infinity
  for (let i = 0; i < TRIES; i++) least = Math.min(least, await work())
  return least
}

await main(async () => {
  const { address } = await lab()
  const page = await engineAlone(await browser(), address)
  for (const name of [...ROOMS, 'chime', 'door']) {
    const short = await best(() => inPage(page, name, SHORT))
    const long = await best(() => inPage(page, name, LONG))
    const native = (await best(() => inProgram(name, LONG))) - (await best(() => inProgram(name, SHORT)))
    if (ROOMS.includes(name))
      check(LONG / long >= 6, `${name}: ${(LONG / long).toFixed(1)} times real time in the page`)
    const ratio = (long - short) / native
    check(
      ratio <= 3,
      `${name}: ${ratio.toFixed(2)} times the program's ${((1000 * native) / (LONG - SHORT)).toFixed(1)} ms per second`,
    )
  }
})
