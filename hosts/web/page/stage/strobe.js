// Seeing what is too fast to see. A mode at 529 Hz drawn 60 times a second is a jitter, so it is shown as through a
// stroboscope. The engine gives each mode's displacement x and velocity v at a known frame, and with them its amplitude and
// phase; the picture shows that amplitude, and that phase turned back from the mode's own pace to that of a clock `slow`
// times slower. Amplitudes, beats, and which way a pattern goes round are the engine's.
import { QUANTUM } from '../engine/layout.js'

const slow = 420
const quickest = 3 /* Hz: what the eye still follows with pleasure */
const still = 8 /* Hz: what is slower than this is drawn as it is */

/** The frame that the engine's modes of now belong to: the first of the quantum that is being heard. */
const frameOf = (heard) => QUANTUM * Math.floor(heard / QUANTUM)

/** Modal displacements of a body as they are to be drawn; `pitch` is how far its modes have glided since it was built. */
export function readModes(engine, name, modes, pitch, into) {
  const heard = engine.heard()
  const x = engine.modes(name, heard)
  const v = engine.modeSpeeds(name, heard)
  if (!x) return into.fill(0)
  const seconds = frameOf(heard) / engine.rate
  for (let i = 0; i < into.length; i++) into[i] = turned(x[i], v[i], modes[i].hz * pitch, seconds)
  return into
}

/** x cos d - v/w sin d is the displacement the mode had d radians ago. */
function turned(x, v, hz, seconds) {
  if (hz < still) return x
  const cycles = seconds * hz * (1 - Math.min(1 / slow, quickest / hz))
  const back = 2 * Math.PI * (cycles - Math.floor(cycles))
  return x * Math.cos(back) - (v / (2 * Math.PI * hz)) * Math.sin(back)
}

/** With reduced motion nothing swings: each mode is drawn at its amplitude, so that it only grows and fades. */
export function readAmplitudes(engine, name, modes, pitch, into) {
  const heard = engine.heard()
  const x = engine.modes(name, heard)
  const v = engine.modeSpeeds(name, heard)
  if (!x) return into.fill(0)
  for (let i = 0; i < into.length; i++) {
    const hz = modes[i].hz * pitch
    into[i] = hz < still ? x[i] : Math.hypot(x[i], v[i] / (2 * Math.PI * hz))
  }
  return into
}
