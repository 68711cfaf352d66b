// The picture: three.js, one camera, and what a room puts before it. Throws where there is no WebGL.
import * as THREE from '../three/three.module.js'
import { PlainStage } from './plain_stage.js'
import { stageColors } from './looks.js'
import { Sharpness } from './sharpness.js'
import { byId } from '../ui/dom.js'
import { roomFor } from '../rooms/rooms.js'

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
    this.sharpness = new Sharpness(Math.min(devicePixelRatio || 1, 2))
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
    this.renderer.setPixelRatio(this.sharpness.pixels)
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
    /* while nothing sounds frames are few on purpose: that is not slowness */
    const between = this.lab.engine.running ? seconds * 1000 : 0
    if (this.sharpness.take(now, performance.now() - began, between)) this.resize()
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
