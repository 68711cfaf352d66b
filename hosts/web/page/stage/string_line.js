// A string as it is bent now, seen slowly. A string of travelling waves is known from what shakes its bridge: with the
// bridge at rest, y(u, t) = g(t + u h) - g(t - u h), h half a period, and the force on the bridge is 2 Z g'; so the shape is
// the integral of that force from u h before t to u h after it, over 2 Z. Drawn at the moments of a stroboscope, a bowed
// string shows its one corner (Helmholtz), a plucked one its two. A string that is a sum of modes is that sum.
import * as THREE from '../three/three.module.js'
import { Magnifier } from './vibrating.js'
import { readModes } from './strobe.js'
import { calm } from '../ui/dom.js'

export const steps = 72
const sides = 6
const slow = 0.45 /* Hz: periods drawn per second */
const shareOfLength = 0.07

export class StringLine {
  /** `bridge`: the point whose pull_n is heard at the bridge; without one the body's modes are summed. */
  constructor(engine, body, kit, { length, radius, look, bridge = null }) {
    Object.assign(this, { engine, body, length, radius, bridge })
    this.magnifier = new Magnifier(shareOfLength)
    this.bent = new Float32Array(steps + 1)
    this.force = new Float32Array(8192)
    this.gain = 0
    this.still = true
    this.size = length
    if (!bridge) this.readShape()
    const geometry = new THREE.CylinderGeometry(radius, radius, 1, sides, steps, true)
    this.mesh = kit.solid(geometry, look)
    this.mesh.frustumCulled = false
    this.lay((u) => new THREE.Vector3(u * length, 0, 0))
  }

  readShape() {
    const shape = this.engine.shape(this.body.name)
    const n = shape.vertices.length / 3
    const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => shape.places[2 * a] - shape.places[2 * b])
    this.modes = this.body.modes.slice(0, 24)
    this.now = new Float32Array(this.modes.length)
    this.profiles = this.modes.map((_, m) =>
      Float32Array.from({ length: steps + 1 }, (_, k) => {
        const at = order.findIndex((i) => shape.places[2 * i] >= k / steps)
        const [a, b] = [order[Math.max(0, at - 1)], order[Math.max(0, at)]]
        const [ua, ub] = [shape.places[2 * a], shape.places[2 * b]]
        const t = ub > ua ? (k / steps - ua) / (ub - ua) : 0
        const moved = (i) => shape.modes[m].displacement[3 * i + 1] + shape.modes[m].displacement[3 * i + 2]
        return moved(a) + t * (moved(b) - moved(a))
      }),
    )
  }

  get paths() {
    return this.bridge ? [`${this.bridge}.pull_n`, `${this.body.name}.string.hz`] : []
  }

  /** Where its rest line is: a function from u, 0 at the bridge, to a place. */
  lay(line) {
    this.line = Array.from({ length: steps + 1 }, (_, k) => line(k / steps))
    this.draw()
  }

  update(seconds) {
    const most = this.bridge ? this.readWaves() : this.sumModes()
    this.gain = this.magnifier.gain(most, this.size, seconds)
    this.still = most * this.gain < this.size * 1e-4
    this.draw()
  }

  readWaves() {
    const { engine, bent, bridge } = this
    bent.fill(0)
    const hz = engine.at(`${this.body.name}.string.hz`, engine.heard())
    const impedance = engine.get(`${this.body.name}.string.impedance_kg_s`)
    const period = engine.rate / hz
    if (!(hz > 10) || !(impedance > 0) || 2 * period + 4 > this.force.length) return 0
    const end = Math.floor(engine.heard())
    const cycles = (end / period) * (1 - slow / hz)
    const back = calm() ? (end % period) + period / 4 : (cycles - Math.floor(cycles)) * period
    const n = Math.ceil(2 * period) + 4
    const force = engine.tail(`${bridge}.pull_n`, n, end, this.force.subarray(0, n))
    let mean = 0
    const whole = Math.floor(period)
    for (let i = n - whole; i < n; i++) mean += force[i] / whole
    const middle = n - 1 - back - period / 2
    let sum = 0
    let most = 0
    for (let k = 1, low = middle, high = middle; k <= steps; k++) {
      const reach = ((k / steps) * period) / 2
      sum += area(force, mean, middle - reach, low) + area(force, mean, high, middle + reach)
      low = middle - reach
      high = middle + reach
      bent[k] = sum / (2 * impedance * engine.rate)
      most = Math.max(most, Math.abs(bent[k]))
    }
    return most
  }

  sumModes() {
    readModes(this.engine, this.body.name, this.modes, 1, this.now)
    let most = 0
    for (let k = 0; k <= steps; k++) {
      this.bent[k] = this.profiles.reduce((sum, profile, m) => sum + profile[k] * this.now[m], 0)
      most = Math.max(most, Math.abs(this.bent[k]))
    }
    return most
  }

  draw() {
    const { position, moved, normal } = this.mesh.geometry.attributes
    const row = sides + 1
    const full = this.size * shareOfLength
    for (let k = 0; k <= steps; k++) {
      const { x, y, z } = this.line[k]
      const out = this.bent[k] * this.gain
      for (let s = 0; s < row; s++) {
        const a = (2 * Math.PI * s) / sides
        position.setXYZ(k * row + s, x, y + out + this.radius * Math.cos(a), z + this.radius * Math.sin(a))
        normal.setXYZ(k * row + s, 0, Math.cos(a), Math.sin(a))
        moved.setX(k * row + s, Math.max(-1, Math.min(1, (2.5 * out) / full)))
      }
    }
    position.needsUpdate = moved.needsUpdate = normal.needsUpdate = true
  }

  /** Where it is now at u. */
  at(u) {
    const k = Math.min(steps, Math.max(0, Math.round(u * steps)))
    const { x, y, z } = this.line[k]
    return new THREE.Vector3(x, y + this.bent[k] * this.gain, z)
  }
}

/** Of force - mean, in straight steps, between two places in samples. */
function area(force, mean, from, to) {
  let sum = 0
  for (let t = from; t < to;) {
    const i = Math.max(0, Math.min(force.length - 1, Math.floor(t)))
    const next = Math.min(to, Math.floor(t) + 1)
    sum += (force[i] - mean) * (next - t)
    t = next
  }
  return sum
}
