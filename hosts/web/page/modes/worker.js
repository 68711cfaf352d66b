// Finds the modes of one recording: the program's own C in a thread of its own, where it disturbs neither sound nor page.
// In: {samples, rate, name}. Out: {fraction} while it works, then {modes, start, explained, body}, or {error}.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

onmessage = async ({ data }) => {
  try {
    const response = await fetch(new URL('../modes.wasm', self.location))
    if (!response.ok) throw new Error(`modes.wasm: ${response.status} ${response.statusText}`)
    const imports = { page: { progress: (fraction) => postMessage({ fraction }) } }
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports)
    instance.exports._initialize()
    postMessage(find(instance.exports, data))
  } catch (error) {
    postMessage({ error: error.message })
  }
}

function find(e, { samples, rate, name }) {
  const text = (pointer) => {
    const bytes = new Uint8Array(e.memory.buffer)
    return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)))
  }
  const analysis = e.analysis_create(samples.length, rate)
  if (!analysis) throw new Error('no memory')
  new Float64Array(e.memory.buffer, e.analysis_samples(analysis), samples.length).set(samples)
  if (e.analysis_find(analysis) !== 0) throw new Error(text(e.analysis_error(analysis)))
  const modes = Array.from({ length: e.analysis_mode_count(analysis) }, (_, i) => modeOf(e, analysis, i))
  const source = encoder.encode(`${name}\0`)
  const place = e.analysis_reserve(source.length)
  if (!place) throw new Error('no memory')
  new Uint8Array(e.memory.buffer).set(source, place)
  const body = e.analysis_body(analysis, place)
  if (!body) throw new Error(text(e.analysis_error(analysis)) || 'no memory')
  const { start, explained } = { start: e.analysis_start(analysis), explained: e.analysis_explained(analysis) }
  return { modes, start, explained, body: text(body) }
}

function modeOf(e, analysis, i) {
  const [hz, t60_s, level_db, over_db, stands_in, perhaps_room, gain_guess] = new Float64Array(
    e.memory.buffer,
    e.analysis_mode(analysis, i),
    7,
  )
  const marks = { stands_in: stands_in !== 0, perhaps_room: perhaps_room !== 0, gain_guess: gain_guess !== 0 }
  return { hz, t60_s, level_db, over_db, ...marks }
}
