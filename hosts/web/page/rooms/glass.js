// The glass: a finger goes round a rim. Take hold near the rim and go round: how far the pointer is ahead of the finger
// along the rim is, linearly, the push, one turn for the whole range. Anywhere else the stage is the usual pad.
// The rim is drawn from the engine's modes; the finger is where the engine has it.
import * as THREE from '../three/three.module.js'
import { VibratingBody } from '../stage/vibrating.js'
import { bodyMaterial, lookOf, shadowSpot } from '../stage/looks.js'
import { arrow, label } from '../stage/overlay.js'
import { readAmplitudes, readModes } from '../stage/strobe.js'
import { calm } from '../ui/dom.js'
import { readable, share, words } from '../ui/scale.js'
import { bodyOf } from '../stage/roles.js'
import { Kit } from './kit.js'
import { Room } from './room.js'

const bowls = ['bowl', 'bell']
const rims = ['glass', 'wineglass', 'tumbler', ...bowls]
const turn = 2 * Math.PI

/** The rim, the finger that rubs it, and the point of the rim that travels with the finger. */
function findRubbing(info) {
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

export class GlassRoom extends Room {
  static fits(info, roles) {
    return roles.rubs && findRubbing(info) !== null
  }

  get hint() {
    const tool = this.stick ? 'stick' : 'finger'
    return `Take the ${tool} and go round the rim. Or press anywhere: across pushes, down presses.`
  }

  get paths() {
    const { contact, source } = this.rubbing
    if (source) return [...super.paths, `${source.name}.speed_m_s`, `${source.name}.pressure`]
    return [...super.paths, `${this.rubbing.own}.place_u`, `${contact.name}.pressed_n`]
  }

  constructor(lab) {
    super(lab)
    this.rubbing = findRubbing(this.info)
    this.others = this.findOthers()
    this.leash = null
    this.stick = bowls.includes(this.rubbing.body.shape)
    this.turns = 0
    this.way = 1
  }

  /** Bodies without a shape that the same finger rubs (two modes from a table): they borrow the rim's mode shapes. */
  findOthers() {
    if (this.rubbing.source) return []
    const rubbed = this.info.contacts
      .filter((contact) => contact.kind === 'friction' && bodyOf(contact.a) === bodyOf(this.rubbing.finger))
      .map((contact) => bodyOf(contact.b))
    return this.info.bodies.filter((body) => !body.shape && rubbed.includes(body.name))
  }

  build() {
    const { body } = this.rubbing
    const colors = this.stage.colors
    const shape = this.engine.shape(body.name)
    this.glass = new GuestedBody(this.engine, body, shape, this.look(body), colors, this.others)
    this.bodies = [this.glass]
    this.unit = 1 / this.glass.size
    this.height = this.glass.box.max.z
    this.radius = radiusAt(this.glass, 1)
    this.foot = body.shape === 'glass' ? -this.height * 1.1 : Math.min(0, this.glass.box.min.z)
    this.inner = new THREE.Group()
    this.inner.add(this.glass.mesh)
    if (body.shape === 'glass') this.inner.add(this.makeStem())
    else if (this.stick) this.inner.add(this.makeCushion())
    this.makeRim()
    if (this.stick) this.makeStick()
    else this.makeFinger()
    this.group.add(this.inner, this.makeShadow())
    const middle = ((this.height + this.foot) / 2) * this.unit
    const view = this.stick ? { wide: 0.62, high: 0.62, elevation: 26 } : { wide: 0.86, high: 1.02, elevation: 34 }
    this.stage.look(new THREE.Vector3(0, 0, middle + (this.stick ? 0.16 : 0.1)), { ...view, azimuth: -90 })
  }

  /** Stem and foot of the plain glass are for the eye only; a wineglass and a tumbler bring their own. */
  makeStem() {
    const r = Math.max(1e-3, this.glass.box.max.x)
    const low = -this.height * 1.1
    const profile = []
    const bottom = radiusAt(this.glass, 0)
    for (const [x, z] of [
      [0, low],
      [r * 0.86, low],
      [r * 0.84, low + 0.015 * r],
      [r * 0.3, low + 0.1 * r],
      [r * 0.085, low + 0.3 * r],
      [r * 0.062, low * 0.5],
      [r * 0.066, low * 0.15],
      [Math.max(bottom, r * 0.1), 0],
      [Math.max(bottom, r * 0.16), this.height * 0.012],
    ])
      profile.push(new THREE.Vector2(x, z))
    const lathe = new THREE.LatheGeometry(new THREE.SplineCurve(profile).getPoints(60), 48)
    lathe.rotateX(Math.PI / 2)
    return new THREE.Mesh(lathe, this.glass.material)
  }

  /** What a bowl stands on: it does not sound either. */
  makeCushion() {
    const r = this.radius
    const profile = [
      [0, 0.02],
      [0.5, 0.02],
      [0.72, -0.03],
      [0.8, -0.14],
      [0.66, -0.26],
      [0, -0.28],
    ].map(([x, z]) => [x * r, z * r])
    return new Kit(this.stage.colors).lathe(profile, 'felt')
  }

  /** A wooden stick that leans on the rim from outside; its foot is where it touches. */
  makeStick() {
    const r = this.radius * 0.13
    const kit = new Kit(this.stage.colors)
    const long = this.radius * 2.1
    const handle = kit.rod(
      new THREE.Vector3(0, -long * 0.25, 0),
      new THREE.Vector3(0, long * 0.75, 0),
      r,
      'wood',
      r * 0.85,
    )
    const grip = kit.rod(new THREE.Vector3(0, -long * 0.26, 0), new THREE.Vector3(0, long * 0.12, 0), r * 1.18, 'cloth')
    this.finger = new THREE.Group()
    this.finger.add(handle, grip)
    this.fingerRadius = r
    this.inner.add(this.finger)
  }

  makeShadow() {
    const spot = shadowSpot(0.72, this.stage.colors)
    spot.position.z = this.foot * this.unit - 0.005
    return spot
  }

  /** A thin round edge that follows the topmost vertices. */
  makeRim() {
    const top = []
    for (let i = 0; i < this.glass.places.length / 2; i++) if (this.glass.places[2 * i + 1] >= 0.999) top.push(i)
    this.top = top.sort((a, b) => this.glass.places[2 * a] - this.glass.places[2 * b])
    const sides = 6
    const n = this.top.length
    const index = []
    for (let i = 0; i < n; i++)
      for (let k = 0; k < sides; k++) {
        const a = i * sides + k
        const b = i * sides + ((k + 1) % sides)
        const c = ((i + 1) % n) * sides + k
        const d = ((i + 1) % n) * sides + ((k + 1) % sides)
        index.push(a, c, b, b, c, d)
      }
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(n * sides * 3), 3))
    geometry.setAttribute('moved', new THREE.BufferAttribute(new Float32Array(n * sides), 1))
    geometry.setIndex(index)
    this.rim = new THREE.Mesh(
      geometry,
      bodyMaterial({ ...lookOf('glass', this.stage.colors.theme), clear: 0 }, this.stage.colors),
    )
    this.rim.frustumCulled = false
    this.inner.add(this.rim, this.makeRest())
    this.bendRim()
  }

  /** Where the rim is at rest, faintly: what the eye measures the motion against. */
  makeRest() {
    const points = Array.from(
      { length: 97 },
      (_, i) => new THREE.Vector3(...this.glass.shape.at(i / 96, 1).slice(0, 3)),
    )
    this.rest = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineDashedMaterial({
        color: this.stage.colors.muted,
        dashSize: this.radius * 0.07,
        gapSize: this.radius * 0.06,
        transparent: true,
        opacity: 0,
      }),
    )
    this.rest.computeLineDistances()
    return this.rest
  }

  bendRim() {
    const from = this.glass.position.array
    const glow = this.glass.moved.array
    const { position, moved } = this.rim.geometry.attributes
    const sides = 6
    const thick = this.radius * 0.022
    this.top.forEach((vertex, i) => {
      const x = from[3 * vertex]
      const y = from[3 * vertex + 1]
      const z = from[3 * vertex + 2]
      const r = Math.hypot(x, y) || 1
      for (let k = 0; k < sides; k++) {
        const a = (turn * k) / sides
        const out = 1 + (thick * Math.cos(a)) / r
        position.setXYZ(i * sides + k, x * out, y * out, z + thick * Math.sin(a))
        moved.setX(i * sides + k, glow[vertex])
      }
    })
    position.needsUpdate = moved.needsUpdate = true
    this.rim.geometry.computeVertexNormals()
  }

  makeFinger() {
    const r = this.radius * 0.2
    this.finger = new THREE.Group()
    const skin = {
      color: new THREE.Color(this.stage.colors.theme === 'dark' ? '#d9a27c' : '#c98d66'),
      shine: 0.35,
      clear: 0,
    }
    const tip = new THREE.Mesh(new THREE.CapsuleGeometry(r, r * 5, 8, 20), bodyMaterial(skin, this.stage.colors))
    tip.position.y = r * 2.5
    const nail = new THREE.Mesh(
      new THREE.SphereGeometry(r * 0.72, 16, 10),
      bodyMaterial(
        { ...skin, color: skin.color.clone().lerp(new THREE.Color('#ffffff'), 0.45), shine: 0.9 },
        this.stage.colors,
      ),
    )
    nail.scale.set(0.85, 1.15, 0.5)
    nail.position.set(0, -r * 0.25, r * 0.72)
    for (const mesh of [tip, nail]) blank(mesh.geometry)
    this.finger.add(tip, nail)
    this.fingerRadius = r
    this.inner.add(this.finger)
  }

  /** The finger's angle, in turns, as the engine has it. */
  angle(sample = this.engine.heard()) {
    if (this.rubbing.source) return this.turns
    return this.engine.running ? this.engine.at(`${this.rubbing.own}.place_u`, sample) : this.rubbing.point.place_u
  }

  /** The way a source has gone, in turns of its rim. */
  goOn(seconds) {
    const { source } = this.rubbing
    if (!source || !this.engine.running) return
    const round = Math.PI * (this.engine.get(`${source.name}.diameter_m`) || 2 * this.radius)
    this.turns += (this.way * this.engine.at(`${source.name}.speed_m_s`, this.engine.heard()) * seconds) / round
  }

  get pressing() {
    const { source, contact } = this.rubbing
    const path = source ? `${source.name}.speed_m_s` : `${contact.name}.pressed_n`
    return this.engine.at(path, this.engine.heard()) > 0 || this.hand.down
  }

  move(now, seconds, pen) {
    this.goOn(seconds)
    this.glass.update(seconds)
    this.bendRim()
    const { grown } = this.glass
    const seen = grown ** 0.25 /* enough to see it grow, and still on the stage */
    this.inner.scale.setScalar(this.unit * seen)
    this.inner.position.z = this.foot * this.unit * (1 - seen)
    this.rest.material.opacity = this.glass.still ? 0 : 0.55
    this.pull()
    this.moveFinger()
    if (this.leash) this.drawLeash(pen)
  }

  moveFinger() {
    const at = this.angle()
    const { place } = this.glass.at(at, 1)
    const press = this.roles.press
    const firm = press ? share(press, this.engine.get(press.name)) : 0
    const lift = this.pressing ? 0.82 - 0.25 * firm : 1.9
    this.lifted = calm() ? lift : (this.lifted ?? lift) + (lift - (this.lifted ?? lift)) * 0.25
    const a = turn * at
    if (this.stick) return this.moveStick(place, a)
    this.finger.position.set(place.x, place.y, place.z + this.fingerRadius * this.lifted)
    const lean = new THREE.Vector3(Math.cos(a) * 0.75, Math.sin(a) * 0.75, 0.62).normalize()
    this.finger.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), lean)
    this.finger.rotateY(nailTurn(this.finger, lean))
    this.finger.scale.set(1 + 0.12 * firm, 1, 1 + 0.12 * firm)
  }

  moveStick(place, a) {
    const out = this.fingerRadius * (1.15 + 2 * Math.max(0, this.lifted - 0.82))
    this.finger.position.set(place.x + out * Math.cos(a), place.y + out * Math.sin(a), place.z)
    const lean = new THREE.Vector3(Math.cos(a) * 0.3, Math.sin(a) * 0.3, 1).normalize()
    this.finger.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), lean)
  }

  // ---- playing ----

  /** The pointer in the plane of the rim: angle in turns, distance from the axis over the rim's radius. */
  onRim(pointer) {
    const height = this.inner.position.z + this.height * this.inner.scale.z
    const hit = this.stage.onPlane(pointer.x, pointer.y, height)
    if (!hit) return null
    return {
      turns: Math.atan2(hit.y, hit.x) / turn,
      far: Math.hypot(hit.x, hit.y) / (this.radius * this.inner.scale.x),
    }
  }

  pointer(pointer) {
    const rim = this.onRim(pointer)
    if (pointer.kind === 'hover') this.stage.section.style.cursor = rim && near(rim) ? 'grab' : ''
    if (pointer.kind === 'down' && rim && near(rim)) return this.take(pointer, rim)
    if (!this.leash) return super.pointer(pointer)
    if (pointer.kind === 'up') return this.release()
    this.leash.pen = pointer.pen
    this.leash.at = pointer
    if (rim) this.leash.turns += nearest(rim.turns - this.leash.turns)
    this.pull()
  }

  take(pointer, rim) {
    const finger = this.angle()
    this.leash = { turns: finger + nearest(rim.turns - finger), at: pointer, pen: pointer.pen }
    this.hand.touch(pointer.pen)
    this.stage.section.style.cursor = 'grabbing'
  }

  release() {
    this.leash = null
    this.stage.section.style.cursor = ''
    this.hand.lift()
  }

  /** One turn ahead is the whole push: softer would not follow, harder would overtake the pointer between two frames. */
  pull() {
    if (!this.leash) return
    const { push } = this.roles
    const lead = this.leash.turns - this.angle(Infinity)
    const held = Math.max(-1, Math.min(1, lead))
    this.leash.turns += held - lead
    if (this.rubbing.source) this.way = held < 0 ? -1 : 1
    const least = push.min < 0 ? -push.min : push.max
    this.hand.push(this.rubbing.source ? Math.abs(held) * push.max : held * (held < 0 ? least : push.max))
    if (this.leash.pen !== null) this.hand.pressure(this.leash.pen)
  }

  drawLeash(pen) {
    const { push, press } = this.roles
    const colors = this.stage.colors.css
    const { at } = this.leash
    const tip = this.stage.project(this.inner.localToWorld(this.finger.position.clone()))
    arrow(pen, tip.x, tip.y, at.x, at.y, colors.accent, 1.5)
    const value = (control) => {
      const { text, unit } = readable(this.engine.get(control.name), control.unit)
      return `${words(control.name)} ${text} ${unit}`
    }
    const [x, align] = at.x < tip.x ? [at.x - 18, 'right'] : [at.x + 18, 'left']
    const style = { align, size: 13, weight: 600, back: colors.panel }
    label(pen, value(push), x, at.y - 10, { ...style, color: colors.accent })
    label(pen, value(press), x, at.y + 11, { ...style, color: colors.cool })
  }
}

const near = (rim) => rim.far > 0.55 && rim.far < 1.6
const nearest = (turns) => turns - Math.round(turns)

/** Geometry that never glows. */
function blank(geometry) {
  geometry.setAttribute('moved', new THREE.BufferAttribute(new Float32Array(geometry.attributes.position.count), 1))
}

/** Turns the nail to the sky, whatever way the finger leans. */
function nailTurn(finger, lean) {
  const front = new THREE.Vector3(0, 0, 1).applyQuaternion(finger.quaternion)
  const up = new THREE.Vector3(0, 0, 1).projectOnPlane(lean).normalize()
  const side = new THREE.Vector3().crossVectors(front, up).dot(lean)
  return Math.atan2(side, front.dot(up))
}

/** Of the wall, at this share of its height. */
function radiusAt(glass, height) {
  const [x, y] = glass.shape.at(0, height)
  return Math.hypot(x, y)
}

/** A body that also shows the modes of bodies without a shape, each drawn as its own mode nearest in frequency. */
class GuestedBody extends VibratingBody {
  constructor(engine, body, shape, look, colors, others) {
    super(engine, body, shape, look, colors)
    this.guests = others.map((other) => ({
      body: other,
      now: new Float32Array(other.modes.length),
      like: other.modes.map((mode) => this.nearestTo(mode.hz)),
    }))
  }

  nearestTo(hz) {
    const distance = (mode) => Math.abs(Math.log(mode.hz / hz))
    return this.modes.reduce((best, mode, i) => (distance(mode) < distance(this.modes[best]) ? i : best), 0)
  }

  read() {
    super.read()
    for (const { body, now, like } of this.guests) {
      ;(calm() ? readAmplitudes : readModes)(this.engine, body.name, body.modes, 1, now)
      now.forEach((x, i) => {
        this.now[like[i]] += x
      })
    }
    return this.now
  }
}
