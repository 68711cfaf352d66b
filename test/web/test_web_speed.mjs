// How fast the page renders: rooms at six times real time or better, and nothing more than three times slower than
// the program. Counted is time on the processor, of every thread behind the page and of the program, so that what else
// the machine does matters little; the best of several tries each, in turn.
// ctest: plain alone timeout=300
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { browser, check, contatto, engineAlone, lab, main, scratch } from './browser.mjs'
import { busy } from './processes.mjs'

const SECONDS = 8
const TRIES = 3
const ROOMS = ['glass', 'hammer']

async function inPage(page, name) {
  const before = busy()
  await page.evaluate(([name, seconds]) => engine.offline({ name, seconds }).then(() => 0), [name, SECONDS])
  return busy() - before
}

// The shell's `times`: its own, then its children's, user and system, as 0m0.123s.
function inProgram(name, out) {
  const script = '"$0" render "$1" --seconds "$2" -o "$3" && times'
  const { stdout } = spawnSync('sh', ['-c', script, contatto, name, String(SECONDS), out])
  const children = String(stdout).trim().split('\n').pop().split(' ')
  return children.reduce((sum, time) => sum + 60 * parseFloat(time) + parseFloat(time.split('m')[1]), 0)
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
