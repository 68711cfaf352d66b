// What a scene's controls are for, read from what they move. A control that moves a tangential force pushes, one that
// moves a normal force presses, one that moves a place says where; a trigger belongs to the bodies it throws and to what
// they touch. Nothing here knows a scene or a control by name.

const inert = (target) => target.from === target.to

const sections = ['bodies', 'contacts', 'surfaces', 'drives', 'sources', 'pickups', 'controls']

/** "bodies.bar.points.hit.place_u" and "bar.hit.place_u" are the same: ['bar', 'hit', 'place_u']. */
export function steps(path) {
  const all = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  if (sections.includes(all[0])) all.shift()
  if (all[1] === 'points') all.splice(1, 1)
  return all
}

export const bodyOf = (end) => end.split('.')[0]

function moves(control, last) {
  return control.targets?.some((target) => !inert(target) && last.test(steps(target.path).at(-1)))
}

const pushes = /^(tangential_(force_n|v_m_s)|push_n|speed_m_s)$/
const presses = /^(normal_n|force_n|pressure)$/

export function readRoles(info) {
  const knobs = info.controls.filter((control) => !control.trigger)
  const triggers = info.controls.filter((control) => control.trigger)
  const push = knobs.find((control) => moves(control, pushes)) ?? null
  const press = knobs.find((control) => control !== push && moves(control, presses)) ?? null
  const rest = knobs.filter((control) => control !== push && control !== press)
  const across = push ?? rest[0] ?? null
  const second = rest.find((control) => control !== across) ?? null
  return {
    push,
    press,
    across,
    down: press ?? second,
    rubs: Boolean(push && press),
    triggers,
    pitch: readPitch(info, rest),
    thrown: readThrown(info, triggers),
    places: readPlaces(info),
    touches: readTouches(info),
  }
}

/** The control by which notes are played, and its value so many semitones above another; null where there is none: one in
 * semitones, a pitch in hertz, or the length of a string. */
function readPitch(info, knobs) {
  const strings = info.bodies.filter((body) => body.shape === 'string').map((body) => body.name)
  const stops = ({ targets }) =>
    targets?.some(({ path }) => steps(path).at(-1) === 'size' && strings.includes(steps(path)[0]))
  for (const control of knobs) {
    if (control.unit === 'semitones') return { control, above: (value, n) => value + n }
    if (control.unit === 'Hz' && moves(control, /^hz$/)) return { control, above: (value, n) => value * 2 ** (n / 12) }
    if (stops(control)) return { control, above: (value, n) => value * 2 ** (-n / 12) }
  }
  return null
}

/** 'bar.hit' -> {u: control, v: control}: who moves this point. */
function readPlaces(info) {
  const places = new Map()
  for (const control of info.controls)
    for (const target of control.targets ?? []) {
      const [body, point, last] = steps(target.path)
      if (inert(target) || !/^place_[uv]$/.test(last ?? '')) continue
      const key = `${body}.${point}`
      places.set(key, { ...places.get(key), [last.at(-1)]: { control, target } })
    }
  return places
}

/** body -> the contacts it has: [{contact, point, other, otherPoint}] */
function readTouches(info) {
  const touches = new Map(info.bodies.map((body) => [body.name, []]))
  for (const contact of info.contacts) {
    const [a, aPoint] = contact.a.split('.')
    const [b, bPoint] = contact.b.split('.')
    touches.get(a)?.push({ contact, point: aPoint, other: b, otherPoint: bPoint })
    touches.get(b)?.push({ contact, point: bPoint, other: a, otherPoint: aPoint })
  }
  return touches
}

/** The bodies a part is about: a body itself, both ends of a contact, those of the contact that a drive moves, the one a
 * source feeds. */
function bodiesOf(info, name) {
  const contact = info.contacts.find((contact) => contact.name === name)
  const drive = info.drives?.find((drive) => drive.name === name)
  const source = info.sources?.find((source) => source.name === name)
  if (contact) return [bodyOf(contact.a), bodyOf(contact.b)]
  if (source) return [bodyOf(source.at)]
  return drive ? bodiesOf(info, drive.contact) : [name]
}

/** control -> the bodies it throws: those of its targets that are not merely put back to zero. */
function readThrown(info, triggers) {
  const acts = ({ from, to }) => from !== 0 || to !== 0
  const thrown = ({ targets }) => targets.filter(acts).flatMap((target) => bodiesOf(info, steps(target.path)[0]))
  return new Map(triggers.map((control) => [control, thrown(control)]))
}

/** The trigger that a touch on this body means: one that throws the body itself, or what strikes it; a scene's only
 * trigger is meant by any. */
export function triggerFor(roles, body) {
  const all = [...roles.thrown]
  const strikes = (name) => roles.touches.get(name)?.some((touch) => touch.other === body)
  const own = all.find(([, bodies]) => bodies.includes(body))
  const striker = all.find(([, bodies]) => bodies.some(strikes))
  return (own ?? striker ?? (all.length === 1 ? all[0] : null))?.[0] ?? null
}

/** The point of this body that is struck or rubbed: the one that a click can move. */
export function touchedPoint(roles, body) {
  const touches = roles.touches.get(body) ?? []
  const touch = touches.find(({ point }) => roles.places.has(`${body}.${point}`)) ?? touches[0]
  return touch ? `${body}.${touch.point}` : null
}

/** The point of this body that a trigger acts on where it is told to: its own, or the one that is struck. */
export function aimedPoint(roles, trigger, body) {
  const own = trigger.targets
    .map((target) => steps(target.path))
    .find((path) => path.length === 3 && path[0] === body && path[1] !== 'modes')
  return own ? `${body}.${own[1]}` : touchedPoint(roles, body)
}

/** Sets where a point is, at once, before the blow that is to land there: by the control that moves it, within its range,
 * or by the parameter itself. */
export function setPlace(lab, point, { u, v }) {
  for (const [axis, at] of [
    ['u', u],
    ['v', v],
  ]) {
    if (at === undefined) continue
    const mover = lab.roles.places.get(point)?.[axis]
    if (mover) lab.engine.set(mover.control.name, inverse(mover, at), 0)
    else lab.set(`${point}.place_${axis}`, at, 0)
  }
}

/** The control's value at which its target is `at`. */
function inverse({ control, target }, at) {
  const t = Math.min(1, Math.max(0, (at - target.from) / (target.to - target.from)))
  if (control.scale === 'log' && control.min > 0) return control.min * (control.max / control.min) ** t
  return control.min + (control.max - control.min) * t
}

/** How strongly the scene's own demo moves a control, either way: what is not rest, the weakest first. */
function strengths(engine, control) {
  const column = engine.gesture()?.[control.name]?.filter((value) => Number.isFinite(value) && value !== 0) ?? []
  const sided = control.min < 0 && control.max > 0
  return (sided ? column.map(Math.abs) : [...column]).sort((a, b) => a - b)
}

const within = (control, value) => Math.min(control.max, Math.max(control.min, value))

/** What the scene's own demo mostly holds a control at: a value at which it sounds. */
export function workingValue(engine, control) {
  const sorted = strengths(engine, control)
  const demo = sorted.length ? sorted[sorted.length >> 1] : null
  if (control.value > control.min && !control.trigger && control.value !== 0) return control.value
  const middle = control.min > 0 ? Math.sqrt(control.min * control.max) : control.max / 2
  return within(control, demo ?? middle)
}

/** The strongest of the demo. */
export const greatestValue = (engine, control) =>
  within(control, strengths(engine, control).at(-1) ?? workingValue(engine, control))
