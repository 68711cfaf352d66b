// Sound and tables in and out, for the browser tests.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, scratch } from './browser.mjs'

// Channels of a WAV file of floats, 32 or 64 bits: {rate, channels: [Float64Array]}.
export function readWav(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at) => String.fromCharCode(...bytes.subarray(at, at + 4))
  let format = 0
  for (
    let at = 12;
    at + 8 <= bytes.length;
    at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)
  ) {
    if (word(at) === 'fmt ') format = at + 8
    if (word(at) === 'data') return samplesOf(view, format, at + 8, view.getUint32(at + 4, true))
  }
  throw new Error('no data in this WAV file')
}

function samplesOf(view, format, start, bytes) {
  const count = view.getUint16(format + 2, true)
  const width = view.getUint16(format + 14, true) / 8
  const frames = bytes / width / count
  const channels = Array.from({ length: count }, () => new Float64Array(frames))
  for (let n = 0; n < frames; n++)
    for (let c = 0; c < count; c++) {
      const at = start + width * (n * count + c)
      channels[c][n] = width === 8 ? view.getFloat64(at, true) : view.getFloat32(at, true)
    }
  return { rate: view.getUint32(format + 4, true), channels }
}

// One channel as 64-bit floats.
export function writeWav(path, samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + 8 * samples.length))
  const word = (at, text) => [...text].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)))
  word(0, 'RIFF')
  view.setUint32(4, 36 + 8 * samples.length, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 3, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 8, true)
  view.setUint16(32, 8, true)
  view.setUint16(34, 64, true)
  word(36, 'data')
  view.setUint32(40, 8 * samples.length, true)
  samples.forEach((x, n) => view.setFloat64(44 + 8 * n, x, true))
  writeFileSync(path, Buffer.from(view.buffer))
}

// What `contatto measure` says of samples.
export function measure(samples, rate = 48000) {
  const path = join((measure.folder ??= scratch()), 'sound.wav')
  writeWav(path, samples, rate)
  return JSON.parse(run('measure', '--json', path))
}

// What `contatto render` makes: {channels, columns: {name: Float64Array}}.
export function render(args, motion = false) {
  const folder = (render.folder ??= scratch())
  const out = join(folder, 'sound.wav')
  const table = join(folder, 'motion.csv')
  run('render', ...args, '-o', out, ...(motion ? ['--motion', table] : []))
  return { ...readWav(readFileSync(out)), columns: motion ? readCsv(readFileSync(table, 'utf8')) : {} }
}

// The energy account `contatto render` prints at the end.
export const ledger = (args) => String(run('render', ...args, '--ledger'))

function readCsv(text) {
  const lines = text.trimEnd().split('\n')
  const names = lines[0].split(',')
  const columns = names.map(() => new Float64Array(lines.length - 1))
  for (let i = 1; i < lines.length; i++) lines[i].split(',').forEach((cell, c) => (columns[c][i - 1] = Number(cell)))
  return Object.fromEntries(names.map((name, c) => [name, columns[c]]))
}

// ---- numbers

export const rms = (x) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / x.length)
export const db = (ratio) => 20 * Math.log10(ratio)
export const cents = (a, b) => 1200 * Math.log2(a / b)

// Power in third-octave bands from 50 Hz to 16 kHz, in dB, by one transform of the whole length.
export function bands(samples, rate = 48000) {
  const size = 2 ** Math.floor(Math.log2(samples.length))
  const power = spectrum(samples.subarray(0, size))
  const levels = []
  for (let band = -13; band <= 12; band++) {
    const middle = 1000 * 2 ** (band / 3)
    const low = Math.ceil((middle * 2 ** (-1 / 6) * size) / rate)
    const high = Math.ceil((middle * 2 ** (1 / 6) * size) / rate)
    let sum = 1e-300
    for (let k = low; k < high; k++) sum += power[k]
    levels.push(10 * Math.log10(sum))
  }
  return levels
}

// Power of a Hann-windowed transform, radix two.
function spectrum(x) {
  const n = x.length
  const re = new Float64Array(n)
  const im = new Float64Array(n)
  const bits = Math.log2(n)
  for (let i = 0; i < n; i++) {
    let r = 0
    for (let b = 0; b < bits; b++) r |= ((i >> b) & 1) << (bits - 1 - b)
    re[r] = x[i] * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n))
  }
  for (let half = 1; half < n; half *= 2)
    for (let k = 0; k < half; k++) {
      const c = Math.cos((Math.PI * k) / half)
      const s = -Math.sin((Math.PI * k) / half)
      for (let i = k; i < n; i += 2 * half) {
        const tr = c * re[i + half] - s * im[i + half]
        const ti = c * im[i + half] + s * re[i + half]
        re[i + half] = re[i] - tr
        im[i + half] = im[i] - ti
        re[i] += tr
        im[i] += ti
      }
    }
  return re.map((v, i) => v * v + im[i] * im[i])
}
