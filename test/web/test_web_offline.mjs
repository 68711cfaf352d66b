// The worklet renders what the program renders. Both run the same C, compiled twice: rounding differs (the program
// fuses multiplications and additions where the processor can), so the beginning agrees to 1e-9 and better, and so
// do two seconds, unless the scene is chaotic. A scene counts as chaotic here only when its own samples say so: they
// agree at first and have parted by the end. Then energy, blows and level have to agree, as well as two rides of a
// marble over two boards of one kind do (levels 0.5 dB and hops 6 % apart, one time in three more).
// A long run looks at every preset of every scene.
// ctest: plain timeout=3600
import { browser, check, engineAlone, lab, long, main } from './browser.mjs'
import { bands, cents, db, ledger, measure, render, rms } from './files.mjs'

const SECONDS = 2
const START = 480 // 10 ms

const jobsOf = (catalogue) =>
  catalogue.flatMap(({ name, presets }) => [null, ...(long ? presets : [])].map((preset) => ({ name, preset })))

// Numbers leave the page as text of their bytes: as lists they would take longer than they took to make.
const renderInPage = async (page, job, watch = []) => {
  const made = await page.evaluate(
    async ({ name, preset, seconds, watch }) => {
      const text = (numbers) => {
        const bytes = new Uint8Array(Float64Array.from(numbers).buffer)
        let all = ''
        for (let at = 0; at < bytes.length; at += 32768) all += String.fromCharCode(...bytes.subarray(at, at + 32768))
        return btoa(all)
      }
      const made = await engine.offline({
        name,
        preset: preset ?? undefined,
        seconds,
        raw: true,
        watch,
        ledger: watch.length > 0,
      })
      return {
        channels: made.channels.map(text),
        taps: Object.entries(made.taps).map(([path, numbers]) => [path, text(numbers)]),
      }
    },
    { ...job, seconds: SECONDS, watch },
  )
  const numbers = (text) => new Float64Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)
  return {
    channels: made.channels.map(numbers),
    taps: Object.fromEntries(made.taps.map(([path, text]) => [path, numbers(text)])),
  }
}

// ---- comparing

// Largest difference from `first` on, over the largest value of the whole sound: what starts at rest is silent at first.
function difference(a, b, first, count) {
  const largest = b.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  let most = 0
  for (let n = first; n < Math.min(first + count, b.length); n++) most = Math.max(most, Math.abs(a[n] - b[n]))
  return largest > 0 ? most / largest : most
}

// Samples that agree to a millionth have one pitch; where they agree less, it is measured.
function compareSound(label, page, native, parted) {
  const alike = { pitch_hz: null }
  const a = parted < 1e-6 ? alike : measure(page)
  const b = parted < 1e-6 ? alike : measure(native)
  const level = db(rms(page) / rms(native))
  const pitch = a.pitch_hz && b.pitch_hz ? cents(a.pitch_hz, b.pitch_hz) : 0
  const one = bands(page)
  const other = bands(native)
  const loudest = Math.max(...other)
  const apart = Math.max(...one.map((x, i) => (other[i] > loudest - 60 ? Math.abs(x - other[i]) : 0)))
  check(
    Math.abs(level) < 0.2 && Math.abs(pitch) < 1 && (a.pitch_hz === null) === (b.pitch_hz === null) && apart < 0.2,
    `${label}: 2 s: samples ${parted.toExponential(1)}, level ${level.toExponential(1)} dB, ${a === alike ? '' : `pitch ${pitch.toExponential(1)} cents, `}bands ${apart.toExponential(1)} dB`,
  )
}

// ---- what has parted

const blows = (forces) =>
  forces.reduce((sum, force) => {
    for (let n = 1; n < force.length; n++) if (force[n] !== 0 && force[n - 1] === 0) sum++
    return sum
  }, 0)

async function compareChaos(label, page, job) {
  const native = render([...argsOf(job), '--raw'], true)
  const forces = Object.keys(native.columns).filter((name) => name.endsWith('.force_n'))
  const watch = [...forces, 'energy.force_j', 'energy.motion_j', 'energy.lost_bodies_j', 'energy.lost_contacts_j']
  const ours = await renderInPage(page, job, watch)
  const level = db(rms(ours.channels[0]) / rms(native.channels[0]))
  const count = [blows(forces.map((name) => ours.taps[name])), blows(forces.map((name) => native.columns[name]))]
  const energy = energyOf(ours.taps)
  const wanted = nativeEnergy(job)
  check(
    Math.abs(level) < 2 && Math.abs(count[0] - count[1]) <= 0.2 * count[1] + 1 && Math.abs(energy / wanted - 1) < 0.05,
    `${label}: chaotic: level ${level.toFixed(2)} dB, ${count[0]} blows for ${count[1]}, energy ${energy.toPrecision(4)} J for ${wanted.toPrecision(4)} J`,
  )
}

const last = (x) => x[x.length - 1]
const energyOf = (taps) => last(taps['energy.lost_bodies_j']) + last(taps['energy.lost_contacts_j'])

function nativeEnergy(job) {
  const text = ledger(argsOf(job))
  const number = (words) => Number(new RegExp(`${words} +(\\S+)`).exec(text)[1])
  return number('lost in bodies') + number('lost in contacts')
}

const argsOf = ({ name, preset }) => [name, '--seconds', String(SECONDS), ...(preset ? ['--preset', preset] : [])]

// ---- one scene

async function compare(page, job) {
  const label = job.preset ? `${job.name} ${job.preset}` : job.name
  const native = render([...argsOf(job), '--raw'])
  const ours = await renderInPage(page, job)
  for (const [c, samples] of native.channels.entries()) {
    const first = samples.findIndex((x) => x !== 0)
    const begun = difference(ours.channels[c], samples, first, START)
    check(first >= 0 && begun < 1e-9, `${label}: first 10 ms of sound differ by ${begun.toExponential(1)}`)
  }
  const mine = ours.channels[0]
  const parted = rms(mine.map((x, n) => x - native.channels[0][n])) / rms(native.channels[0])
  if (parted < 1e-3) compareSound(label, mine, native.channels[0], parted)
  else await compareChaos(label, page, job)
  return parted
}

await main(async () => {
  const { address } = await lab()
  const page = await engineAlone(await browser(), address)
  const jobs = jobsOf(await page.evaluate(() => engine.catalogue))
  check(jobs.length >= 13, `${jobs.length} demos to compare`)
  let parted = 0
  for (const job of jobs) parted += (await compare(page, job)) >= 1e-3
  check(parted <= jobs.length / 4, `${parted} of ${jobs.length} are chaotic`)
})
