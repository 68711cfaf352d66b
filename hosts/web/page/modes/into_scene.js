// A body found in a recording goes into a scene: in the place of the body there that rings, if it is a list of modes,
// or else of the thing in a small scene made for it.

const slowest = 20 /* Hz: what swings more slowly is a tool, not a thing that rings */

const listed = (body) => Array.isArray(body.modes)
const rings = (body) => (listed(body) ? body.modes.some(({ hz }) => hz >= slowest) : Boolean(body.modes ?? body.string))

/** The name of the body of a scene (as its file has it) that a recording can take the place of: the only one that is touched
 * and rings, if it is a list of modes; else null. */
export function placeFor(scene) {
  const ends = Object.values(scene.contacts ?? {}).flatMap(({ a, b }) => [a, b].map((end) => end.split('.')[0]))
  const names = Object.keys(scene.bodies ?? {}).filter((name) => ends.includes(name) && rings(scene.bodies[name]))
  return names.length === 1 && listed(scene.bodies[names[0]]) ? names[0] : null
}

/** The scene with that body in its place. What was said of the old one goes: presets, and controls of its modes. */
export function withBody(scene, name, found) {
  const { modes, points, about } = found.bodies.body
  const [{ normal, tangential }] = Object.values(points)
  const before = scene.bodies[name]
  const own = (path) => path.replace(/^bodies\./, '').startsWith(`${name}.`)
  const gains = ({ gains, place_u, place_v, follows, follow_m, ...rest }) => ({ ...rest, normal, tangential })
  const controls = Object.entries(scene.controls ?? {})
    .map(([word, control]) => [word, { ...control, targets: (control.targets ?? []).filter(({ path }) => !own(path)) }])
    .filter(([, { targets }]) => targets.length)
  const { presets, ...rest } = scene
  return {
    ...rest,
    bodies: {
      ...scene.bodies,
      [name]: {
        ...before,
        about,
        modes,
        points: Object.fromEntries(Object.entries(before.points).map(([point, told]) => [point, gains(told)])),
      },
    },
    controls: Object.fromEntries(controls),
  }
}

const peak = (channels) => channels.reduce((most, list) => list.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0)

/** As loud as before: full scales are moved by what the demo's largest sample has grown. */
export async function asLoudAs(engine, scene, before) {
  if (!scene.gesture) return scene
  const played = async (tree) => peak((await engine.offline({ text: JSON.stringify(tree) })).channels)
  const [was, is] = [await played(before), await played(scene)]
  if (!(was > 0 && is > 0)) return scene
  const pickups = Object.entries(scene.pickups ?? {}).map(([name, pickup]) => [
    name,
    { ...pickup, full_scale: Number((((pickup.full_scale ?? 1) * is) / was).toPrecision(4)) },
  ])
  return { ...scene, pickups: Object.fromEntries(pickups) }
}
