// A WAV file of 32-bit floats, from interleaved samples.

export function wavBlob(pieces, channels, rate) {
  const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  return new Blob([header(bytes, channels, rate), ...pieces], { type: 'audio/wav' })
}

// Format 3 wants a fact chunk with the number of frames.
function header(bytes, channels, rate) {
  const view = new DataView(new ArrayBuffer(58))
  const word = (at, text) => [...text].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)))
  const number = (at, value) => view.setUint32(at, value, true)
  const short = (at, value) => view.setUint16(at, value, true)
  word(0, 'RIFF')
  number(4, 50 + bytes)
  word(8, 'WAVEfmt ')
  number(16, 18)
  short(20, 3)
  short(22, channels)
  number(24, rate)
  number(28, rate * channels * 4)
  short(32, channels * 4)
  short(34, 32)
  short(36, 0)
  word(38, 'fact')
  number(42, 4)
  number(46, bytes / (4 * channels))
  word(50, 'data')
  number(54, bytes)
  return view.buffer
}
