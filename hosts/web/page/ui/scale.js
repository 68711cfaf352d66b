// Numbers for people: a control's range walked in straight lines or by ratios, and values written with sense.

/** Where in its range a control's value lies, 0 to 1. */
export function share(control, value) {
  const { min, max } = control
  if (max === min) return 0
  const at = isLog(control) ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min)
  return Math.min(1, Math.max(0, at))
}

/** The value at a share of the range; shares outside stop at its ends. */
export function valueAt(control, at) {
  const { min, max } = control
  const t = Math.min(1, Math.max(0, at))
  if (t === 0) return min
  if (t === 1) return max
  return isLog(control) ? min * (max / min) ** t : min + (max - min) * t
}

const isLog = (control) => control.scale === 'log' && control.min > 0

/** The value at which a push is no push: zero where the range has it, else the end nearest to it. */
export const restValue = (control) => Math.min(control.max, Math.max(control.min, 0))

/** Three digits that matter, no noise: 0.5, 12.3, 1.2e7. */
export function digits(value, count = 3) {
  if (!Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e5 || size < 1e-3)
    return value
      .toExponential(count - 1)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e')
      .replace('-', '−')
      .replace('e-', 'e−')
  const places = Math.max(0, count - 1 - Math.floor(Math.log10(size)))
  const text = value.toFixed(Math.min(places, 5))
  return (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace('-', '−')
}

const prefixes = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
  [1e-12, 'p'],
  [1e-15, 'f'],
]

/** The largest prefix that leaves a tenth or more: 0.15 mm, not 150 µm. */
const prefixFor = (size) => prefixes.find(([factor]) => size >= 0.09995 * factor) ?? prefixes.at(-1)

/** 0.0123 J as "12.3 mJ", 2.9e-15 J as "2.9 fJ". */
export function withPrefix(value, unit) {
  const size = Math.abs(value)
  if (!(size > 0)) return `0 ${unit}`
  const [factor, prefix] = prefixFor(size)
  return `${digits(value / factor)} ${prefix}${unit}`
}

/** Units that take a prefix; a kilogram counts from the gram. */
const metric = /^(m|s|N|J|W|Hz|Pa|kg|m\/s|m\/s\^2|N\/m|N s\/m|s\/m)$/

/** A value as people write it: {text, unit, factor}, so that value = text times factor. From 0.1 to 9999 it stands as it is. */
export function readable(value, unit, count = 3) {
  const size = Math.abs(value)
  const plain = { text: digits(value, count), unit, factor: 1 }
  if (!metric.test(unit) || !(size > 0) || (size >= 0.1 && size < 1e4)) return plain
  const [base, word] = unit === 'kg' ? [1e-3, 'g'] : [1, unit]
  const [factor, prefix] = prefixFor(size / base)
  return { text: digits(value / base / factor, count), unit: `${prefix}${word}`, factor: base * factor }
}

/** What was typed, in the unit it was shown in, or in the one that was typed with it; NaN for what is no number. */
export function typed(text, unit, factor) {
  const [, number, word] = /^\s*([-+−]?[\d.,]+(?:e[-+−]?\d+)?)\s*(.*?)\s*$/i.exec(text) ?? []
  const value = Number((number ?? '').replace(',', '.').replaceAll('−', '-') || NaN)
  if (!word) return value * factor
  const stem = unit === 'kg' ? 'g' : unit
  const found = prefixes.find(([, prefix]) => word.replace('μ', 'µ') === `${prefix}${stem}`)
  return found ? value * found[0] * (unit === 'kg' ? 1e-3 : 1) : word === unit ? value : NaN
}

/** note1 is "note 1", strike_speed "strike speed". */
export const words = (name) => name.replaceAll('_', ' ').replace(/([a-z])(\d)/g, '$1 $2')

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const notes = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B']

/** 529.3 Hz as "C5+20". */
export function noteName(hz) {
  const key = 69 + 12 * Math.log2(hz / 440)
  const near = Math.round(key)
  const cents = Math.round((key - near) * 100)
  return `${notes[((near % 12) + 12) % 12]}${Math.floor(near / 12) - 1}${cents < 0 ? '−' : '+'}${Math.abs(cents)}`
}
