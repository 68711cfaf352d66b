// The picture: three.js, one camera, and what a room puts before it. Throws where there is no WebGL.
import * as THREE from '../three/three.module.js'
import { PlainStage } from './plain_stage.js'
import { stageColors } from './looks.js'
import { byId } from '../ui/dom.js'
import { roomFor } from '../rooms/rooms.js'

const quickFrame = 19 /* ms: below this there is time for more pixels again */
const slowFrame = 26 /* ms: above this the picture is drawn with fewer pixels */

export class Stage extends PlainStage {
  constructor(lab) {
    super(lab)
    if (!document.createElement('canvas').getContext('webgl2')) throw new Error('no WebGL')
    this.renderer = new THREE.WebGLRenderer({
      canvas: byId('picture'),
      alpha: true,
      antialias: true,
      powerPreference: 'high-performance',
    })
    this.scene = new THREE.Scene()
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100)
    this.camera.up.set(0, 0, 1)
    this.ray = new THREE.Raycaster()
    this.ray.params.Line.threshold = 0.02
    this.view = { target: new THREE.Vector3(), wide: 1, high: 1, azimuth: -90, elevation: 28, zoom: 1 }
    this.turned = { azimuth: 0, elevation: 0 }
    this.mostPixels = this.pixels = Math.min(devicePixelRatio || 1, 2)
    this.frameTime = 16
    this.watchContext()
    this.listenCamera()
    this.resize()
  }

  listenCamera() {
    const button = byId('camera')
    button.hidden = false
    button.addEventListener(
      'click',
      () => {
        this.setTurning(!this.turnable)
        button.setAttribute('aria-pressed', String(this.turnable))
      },
      { signal: this.quit.signal },
    )
  }

  roomFor(info, roles) {
    return roomFor(info, roles)
  }

  watchContext() {
    byId('picture').addEventListener('webglcontextlost', (event) => {
      event.preventDefault()
      this.lack(
        'The picture stopped',
        'The graphics card let go of this page. The sound goes on; reload for the picture.',
      )
    })
    byId('picture').addEventListener('webglcontextrestored', () => byId('stage-lack')?.remove())
  }

  resize() {
    super.resize()
    if (!this.camera) return
    this.renderer.setPixelRatio(this.pixels)
    this.renderer.setSize(this.width, this.height, false)
    this.camera.aspect = this.width / this.height
    this.camera.updateProjectionMatrix()
    this.place()
  }

  repaint(colors) {
    this.colors = stageColors(colors)
  }

  /** Looks at `target` from so far that this half width and half height around it are in the picture. */
  look(target, { wide, high, azimuth = -90, elevation = 28 }) {
    Object.assign(this.view, { target: target.clone(), wide, high, azimuth, elevation, zoom: 1 })
    this.turned = { azimuth: 0, elevation: 0 }
    this.place()
  }

  place() {
    const { target, azimuth, elevation, zoom, wide, high } = this.view
    const slope = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))
    const distance = Math.max(high / slope, wide / slope / this.camera.aspect) / zoom
    const a = THREE.MathUtils.degToRad(azimuth + this.turned.azimuth)
    const e = THREE.MathUtils.degToRad(Math.min(85, Math.max(-10, elevation + this.turned.elevation)))
    this.camera.position
      .set(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e))
      .multiplyScalar(distance)
      .add(target)
    this.camera.near = distance / 50
    this.camera.far = distance * 10
    this.camera.updateProjectionMatrix()
    this.camera.lookAt(target)
    this.camera.updateMatrixWorld()
  }

  /** World to the overlay's pixels. */
  project(point) {
    const seen = point.clone().project(this.camera)
    return { x: ((seen.x + 1) / 2) * this.width, y: ((1 - seen.y) / 2) * this.height }
  }

  rayAt(x, y) {
    this.ray.setFromCamera(new THREE.Vector2((x / this.width) * 2 - 1, 1 - (y / this.height) * 2), this.camera)
    return this.ray
  }

  /** Where the pointer's ray meets the horizontal plane at this height, or null. */
  onPlane(x, y, height) {
    return this.rayAt(x, y).ray.intersectPlane(
      new THREE.Plane(new THREE.Vector3(0, 0, 1), -height),
      new THREE.Vector3(),
    )
  }

  draw(room, now, seconds) {
    const began = performance.now()
    super.draw(room, now, seconds)
    this.renderer.render(this.scene, this.camera)
    this.adapt(performance.now() - began, seconds * 1000)
  }

  /** Fewer pixels when frames come late, as they do on software WebGL, never fewer than half; more again when there is time. */
  adapt(spent, between) {
    this.frameTime += (Math.max(spent, Math.min(between, 100)) - this.frameTime) * 0.05
    const now = performance.now()
    if (now < (this.patience ?? 0)) return
    if (this.frameTime > slowFrame && this.pixels > 0.5) this.sharpen(0.75, now + 2000)
    else if (this.frameTime < quickFrame && this.pixels < this.mostPixels) this.recover(now)
  }

  /** After a slow spell all pixels come back, step by step; each step that was too much makes the next wait twice as long. */
  recover(now) {
    if (now - (this.lessened ?? -Infinity) < (this.wait ??= 4000)) return
    this.sharpen(4 / 3, now + 2000)
  }

  sharpen(by, patience) {
    const now = performance.now()
    if (by < 1 && now - (this.sharpened ?? -Infinity) < 8000) this.wait = Math.min(120000, 2 * this.wait)
    this[by < 1 ? 'lessened' : 'sharpened'] = now
    this.pixels = Math.min(this.mostPixels, Math.max(0.5, this.pixels * by))
    this.patience = patience
    this.frameTime = 20
    this.resize()
  }

  // ---- turning the picture

  turn(id, at) {
    const from = this.pointers.get(id)
    const others = [...this.pointers].filter(([other, p]) => other !== id && p.turning).map(([, p]) => p)
    this.turned.azimuth -= ((at.x - from.x) * 0.35) / this.pointers.size
    this.turned.elevation += ((at.y - from.y) * 0.25) / this.pointers.size
    if (others.length) {
      const apart = (p) => Math.hypot(p.x - others[0].x, p.y - others[0].y)
      this.zoom(apart(at) / Math.max(20, apart(from)))
    }
    this.place()
  }

  wheel(event) {
    super.wheel(event)
    this.zoom(Math.exp(-event.deltaY * 0.0012))
    this.place()
  }

  zoom(factor) {
    this.view.zoom = Math.min(3, Math.max(0.5, this.view.zoom * factor))
  }

  home() {
    this.turned = { azimuth: 0, elevation: 0 }
    this.view.zoom = 1
    this.place()
  }
}
