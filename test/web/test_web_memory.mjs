// Playing does not grow memory: not the module's, not the page's, and not the browser's processes behind it.
// A long run plays for ten minutes; else half a minute has to do, in which a leak of scenes would show too. Minutes
// of sound, that is, however long they take.
// ctest: plain timeout=3600
import { browser, check, engineAlone, lab, long, main } from './browser.mjs'
import { resident } from './processes.mjs'

const seconds = long ? 600 : 20
const MB = 1 << 20

// ---- playing

const look = async (page) => {
  const { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory())
  const { memory, allocations, steps } = await page.evaluate(() => engine.counters())
  return { page: bytes, processes: resident(), module: memory, allocations, steps }
}

// Every 50 ms a change, as a hand would make them.
const play = (page, seconds) =>
  page.evaluate(async (seconds) => {
    const end = engine.counters().played + 48000 * seconds
    for (let i = 0; engine.counters().played < end; i++) {
      engine.set('pressure', 0.5 + 0.4 * Math.sin(i / 7), 0.05)
      engine.set('push', 7 + 2 * Math.sin(i / 11), 0.05)
      engine.tail('output', 2048)
      engine.modes('glass')
      await passed(engine, 2400)
    }
  }, seconds)

const grown = (before, after, what) => (after[what] - before[what]) / MB

async function playingGrowsNothing(page) {
  await page.evaluate(async () => {
    await engine.load({ name: 'glass' })
    await engine.start()
    engine.watch(['rub.force_n', 'rub.deflection_m', 'energy.stored_j', 'finger.tip.tangential_v_m_s'])
  })
  await play(page, Math.min(60, seconds / 2))
  const before = await look(page)
  await play(page, seconds)
  const after = await look(page)
  const played = (after.steps - before.steps) / 48000
  check(played > 0.9 * seconds, `played ${played.toFixed(1)} s`)
  check(after.module === before.module, `the module holds ${(after.module / MB).toFixed(2)} MB, as before`)
  check(after.allocations === 0, 'the callback made no buffer of its own')
  check(grown(before, after, 'page') < 1, `the page has grown by ${grown(before, after, 'page').toFixed(2)} MB`)
  check(
    grown(before, after, 'processes') < 10,
    `the processes have grown by ${grown(before, after, 'processes').toFixed(1)} MB of ${(before.processes / MB).toFixed(0)}`,
  )
}

// Each scene is 1.2 MB in the page and again on the audio thread: a hundred kept would be 240 MB.
async function scenesAreLetGo(page) {
  const loads = (times) =>
    page.evaluate(async (times) => {
      for (let i = 0; i < times; i++) {
        await engine.load({ name: ['glass', 'hammer'][i % 2], play: true })
        await passed(engine, 1920) // the scene before takes 1440 to leave
      }
    }, times)
  await loads(40)
  const before = await look(page)
  await loads(100)
  await page.evaluate(() => passed(engine, 24000))
  const after = await look(page)
  check(
    grown(before, after, 'page') < 3,
    `a hundred scenes later the page has grown by ${grown(before, after, 'page').toFixed(2)} MB`,
  )
  check(
    grown(before, after, 'processes') < 80,
    `and the processes by ${grown(before, after, 'processes').toFixed(1)} MB`,
  )
}

await main(async () => {
  const { address } = await lab()
  const context = await browser({ args: ['--enable-blink-features=ForceEagerMeasureMemory'] })
  const page = await engineAlone(context, address)
  await playingGrowsNothing(page)
  await scenesAreLetGo(page)
})
