// A sound file as samples of one channel. The browser decodes it, at the rate it was recorded with where its head says so.

const longest_s = 120
const usual_hz = 48000 /* where the head does not say */
const rates = [8000, 96000] /* that every browser decodes at */
const foreign = 'Format not recognised; wants a WAV file, or another sound file'

/** {samples, rate}; throws one line, in the program's words, when there is no such sound in it. */
export async function decode(file) {
  const bytes = await file.arrayBuffer()
  const head = readHead(new DataView(bytes))
  if (head.missing) throw new Error(`ends early, ${head.missing} bytes of its samples are missing`)
  const rate = head.rate >= rates[0] && head.rate <= rates[1] ? head.rate : usual_hz
  const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes).catch(() => null)
  if (!sound) throw new Error(foreign)
  if (sound.duration > longest_s)
    throw new Error(`lasts ${sound.duration.toFixed(0)} s; wants a strike or a few, at most ${longest_s} s`)
  return { samples: mixed(sound, head.bits), rate }
}

/** The mean of all channels. */
function mixed(sound, bits) {
  const samples = new Float64Array(sound.length)
  for (let c = 0; c < sound.numberOfChannels; c++) {
    const channel = sound.getChannelData(c)
    const value = bits === 16 ? evenly(channel) : (x) => x
    for (let n = 0; n < samples.length; n++) samples[n] += value(channel[n]) / sound.numberOfChannels
  }
  return samples
}

/** Chromium makes 1 of 32767 and -1 of -32768, which bends every wave at zero: by 3e-5, but modes are found from less. Back to one scale for both sides, as it was recorded, where that has happened. */
function evenly(channel) {
  const whole = (x) => Math.abs(x - Math.round(x)) < 0.003
  const bent = channel.some((x) => x > 0 && !whole(32768 * x)) && channel.every((x) => x <= 0 || whole(32767 * x))
  return bent ? (x) => (x > 0 ? Math.round(32767 * x) / 32768 : x) : (x) => x
}

const word = (view, at) =>
  at + 4 <= view.byteLength ? String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4)) : ''

/** {rate, bits, missing}: samples a second and bits of each, 0 where it is not known; bytes of samples that are promised but
 * not there. */
export function readHead(view) {
  const kind = word(view, 0)
  if (kind === 'RIFF' && word(view, 8) === 'WAVE') return readWave(view)
  if (kind === 'fLaC' && view.byteLength > 22) return readFlac(view.getUint32(18))
  if (kind === 'OggS' && view.byteLength > 44 && word(view, 29) === 'vorb')
    return { rate: view.getUint32(40, true), bits: 0, missing: 0 }
  return { rate: 0, bits: 0, missing: 0 }
}

/** 20 bits of rate, 3 of channels, 5 of bits. */
const readFlac = (packed) => ({ rate: packed >>> 12, bits: ((packed >>> 4) & 31) + 1, missing: 0 })

/** Sizes near 2 GB are of programs that did not know how long it would get. */
function readWave(view) {
  let [rate, bits] = [0, 0]
  for (let at = 12; at + 8 <= view.byteLength;) {
    const [name, size] = [word(view, at), view.getUint32(at + 4, true)]
    const there = view.byteLength - at - 8
    if (name === 'fmt ' && there >= 16) [rate, bits] = [view.getUint32(at + 12, true), view.getUint16(at + 22, true)]
    if (name === 'data') return { rate, bits, missing: size < 0x7fffffff ? Math.max(0, size - there) : 0 }
    at += 8 + size + (size & 1)
  }
  return { rate, bits, missing: 0 }
}
