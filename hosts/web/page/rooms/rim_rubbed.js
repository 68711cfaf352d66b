// Which rim of a scene is rubbed, and by what: a finger whose place travels round it, or a source that acts on it.
import { bodyOf } from '../stage/roles.js'

export const bowls = ['bowl', 'bell']
const rims = ['glass', 'wineglass', 'tumbler', ...bowls]

/** The rim, the finger that rubs it, and the point of the rim that travels with the finger. */
export function findRubbing(info) {
  for (const body of info.bodies.filter((body) => rims.includes(body.shape)))
    for (const contact of info.contacts.filter((contact) => contact.kind === 'friction')) {
      const [own, other] =
        bodyOf(contact.b) === body.name
          ? [contact.b, contact.a]
          : bodyOf(contact.a) === body.name
            ? [contact.a, contact.b]
            : []
      const point = body.points.find((point) => own === `${body.name}.${point.name}` && point.follows)
      if (point) return { body, contact, own, finger: other, point }
    }
  return findSource(info)
}

/** A source that acts on a rim goes round it: the way gone at its speed, over its diameter. */
function findSource(info) {
  for (const source of info.sources ?? []) {
    const body = info.bodies.find((body) => rims.includes(body.shape) && body.name === bodyOf(source.at))
    const point = body?.points.find((point) => source.at === `${body.name}.${point.name}`)
    if (point?.place_v === 1) return { body, source, own: source.at, point }
  }
  return null
}

/** Bodies without a shape that the same finger rubs (two modes from a table): they borrow the rim's mode shapes. */
export function findGuests(info, { source, finger }) {
  if (source) return []
  const rubbed = info.contacts
    .filter((contact) => contact.kind === 'friction' && bodyOf(contact.a) === bodyOf(finger))
    .map((contact) => bodyOf(contact.b))
  return info.bodies.filter((body) => !body.shape && rubbed.includes(body.name))
}
