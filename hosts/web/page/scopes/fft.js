// A spectrum for the eye: radix-2 FFT of a windowed block. Drawing only; nothing that sounds passes through here.

export class Spectrum {
  constructor(size) {
    this.size = size
    this.real = new Float64Array(size)
    this.imaginary = new Float64Array(size)
    this.levels = new Float32Array(size / 2)
    this.window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
    this.cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
    this.sin = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size))
    this.order = reversed(size)
  }

  /** Levels in dB of full scale: a sine of amplitude 1 is 0 dB at its bin. */
  of(samples) {
    const { size, real, imaginary, levels } = this
    for (let i = 0; i < size; i++) {
      real[this.order[i]] = samples[i] * this.window[i]
      imaginary[i] = 0
    }
    this.transform()
    for (let i = 0; i < size / 2; i++)
      levels[i] = 10 * Math.log10(((real[i] * real[i] + imaginary[i] * imaginary[i]) * 16) / (size * size) + 1e-20)
    return levels
  }

  transform() {
    const { size, real, imaginary, cos, sin } = this
    for (let half = 1; half < size; half *= 2)
      for (let start = 0; start < size; start += 2 * half)
        for (let k = 0, turn = 0; k < half; k++, turn += size / (2 * half)) {
          const a = start + k
          const b = a + half
          const x = real[b] * cos[turn] + imaginary[b] * sin[turn]
          const y = imaginary[b] * cos[turn] - real[b] * sin[turn]
          real[b] = real[a] - x
          imaginary[b] = imaginary[a] - y
          real[a] += x
          imaginary[a] += y
        }
  }
}

function reversed(size) {
  const bits = Math.log2(size)
  const order = new Uint32Array(size)
  for (let i = 0; i < size; i++) for (let k = 0, x = i; k < bits; k++, x >>= 1) order[i] = (order[i] << 1) | (x & 1)
  return order
}

/** The strongest partial between two bins, by a parabola through three levels: {bin, level}. */
export function strongest(levels, from, to) {
  let best = from
  for (let i = from; i < to; i++) if (levels[i] > levels[best]) best = i
  if (best <= 0 || best >= levels.length - 1) return { bin: best, level: levels[best] }
  const [a, b, c] = [levels[best - 1], levels[best], levels[best + 1]]
  const bend = a - 2 * b + c
  return { bin: best + (bend < 0 ? (0.5 * (a - c)) / bend : 0), level: b }
}
