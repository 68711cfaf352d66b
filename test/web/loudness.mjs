// How loud: BS.1770's momentary loudness and true peak, as `contatto measure` has them (src/measure/loudness.c),
// which takes too long over a hundred recordings. test_shell_rooms.mjs compares the two.
import { db } from './files.mjs'

const step = ({ b, a }, state, x) => {
  const y = b[0] * x + state[0]
  state[0] = b[1] * x - a[0] * y + state[1]
  state[1] = b[2] * x - a[1] * y
  return y
}

function shelf(rate) {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / q + k * k
  return {
    b: [(high + (band * k) / q + k * k) / a0, (2 * (k * k - high)) / a0, (high - (band * k) / q + k * k) / a0],
    a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  }
}

function highpass(rate) {
  const k = Math.tan((Math.PI * 38.13547087602444) / rate)
  const q = 0.5003270373238773
  const a0 = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] }
}

// The loudest 0.4 s of one channel, in LUFS.
export function momentary(samples, rate = 48000) {
  const filters = [shelf(rate), highpass(rate)]
  const states = [
    [0, 0],
    [0, 0],
  ]
  const energy = new Float64Array(samples.length + 1)
  samples.forEach((x, n) => {
    const y = filters.reduce((y, filter, i) => step(filter, states[i], y), x)
    energy[n + 1] = energy[n] + y * y
  })
  const length = Math.round(0.4 * rate)
  let most = 0
  for (let n = 0; n + length <= samples.length; n += Math.round(0.01 * rate))
    most = Math.max(most, (energy[n + length] - energy[n]) / length)
  return -0.691 + 10 * Math.log10(Math.max(most, 1e-30))
}

// Between the samples too, eight places for each, where the samples are near the largest.
export function truePeak(samples) {
  const taps = 48
  const largest = samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  let most = largest
  const phases = [1, 2, 3, 4, 5, 6, 7].map((phase) => sinc(taps, phase / 8))
  for (let n = 0; n < samples.length; n++) {
    if (Math.abs(samples[n]) < 0.5 * largest) continue
    for (const phase of phases)
      for (const first of [n, n - 1]) {
        let sum = 0
        for (let k = 0; k < taps; k++) sum += phase[k] * (samples[first + k - (taps / 2 - 1)] ?? 0)
        most = Math.max(most, Math.abs(sum))
      }
  }
  return db(Math.max(most, 1e-15))
}

// A Kaiser window's sinc, `offset` of a sample later.
function sinc(taps, offset) {
  const all = Float64Array.from({ length: taps }, (_, k) => {
    const t = k - (taps / 2 - 1) - offset
    const edge = 1 - ((2 * t) / taps) ** 2
    return edge > 0 ? (bessel(7 * Math.sqrt(edge)) * Math.sin(Math.PI * t)) / (Math.PI * t) : 0
  })
  const sum = all.reduce((sum, x) => sum + x, 0)
  return all.map((x) => x / sum)
}

function bessel(x) {
  let term = 1
  let sum = 1
  for (let k = 1; k < 60; k++) sum += term *= (0.25 * x * x) / (k * k)
  return sum
}
