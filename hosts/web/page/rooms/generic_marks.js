// What is written and marked over the room for any scene.
import * as THREE from '../three/three.module.js'
import { arrow, dot, label, ring } from '../stage/overlay.js'
import { words } from '../ui/scale.js'

/** Blows, sources and the pull of friction. */
export function drawContacts(room, pen) {
  const colors = room.stage.colors.css
  for (const event of room.events.fresh(0.5)) {
    const at = room.endOf(event.b) ?? room.endOf(event.a)
    if (at) ring(pen, at, room.events.age(event), event.peak, colors.accent)
  }
  for (const source of room.info.sources ?? []) {
    const at = room.endOf(source.at)
    if (at) dot(pen, at, room.hand.down ? 7 : 5, colors.accent, { hollow: !room.hand.down })
  }
  for (const contact of room.info.contacts.filter((contact) => contact.kind === 'friction')) {
    const force = room.engine.at(`${contact.name}.force_n`, room.engine.heard())
    const at = room.endOf(contact.a) ?? room.endOf(contact.b)
    if (at && Math.abs(force) > 1e-6)
      arrow(pen, at.x, at.y, at.x - Math.sign(force) * 26 * Math.log10(1 + 10 * Math.abs(force)), at.y, colors.hot, 2)
  }
}

/** Names under the bodies, where there is room for them; pickups; and where the pointer aims. */
export function drawNames(room, pen) {
  const colors = room.stage.colors.css
  const many = room.things.length * 64 > room.stage.width
  const taken = []
  for (const thing of room.things) {
    if (thing !== room.hot && (many || (thing.kind === 'mover' && thing.contact && room.things.length > 4))) continue
    const at = room.stage.project(
      thing.group.position.clone().add(new THREE.Vector3(0, -thing.deep / 2, thing.low - 0.1)),
    )
    const name = words(thing.body.name)
    label(pen, name, at.x, free(taken, at.x, at.y + 4, 4 * name.length), {
      color: thing === room.hot ? colors.text : colors.muted,
      align: 'center',
      size: 12,
    })
  }
  for (const pickup of room.info.pickups) {
    const at = room.endOf(pickup.at)
    if (at && !many) dot(pen, at, 4, colors.cool, { hollow: true })
  }
  if (room.hot?.aim) dot(pen, room.stage.project(room.hot.aim), 5, colors.accent, { hollow: true })
}

/** The first line at or below y where nothing is written so near to x. */
function free(taken, x, y, reach) {
  while (taken.some((other) => Math.abs(other.y - y) < 13 && Math.abs(other.x - x) < other.reach + reach)) y += 14
  taken.push({ x, y, reach })
  return y
}
