// Small things that rooms are furnished with: solids for bodies that have no shape of their own, and reeds for bodies that
// are only a list of modes, one reed per mode, as long as its pitch is low.
import * as THREE from '../three/three.module.js'
import { bodyMaterial } from '../stage/looks.js'

export function solid(geometry, look, colors) {
  geometry.setAttribute('moved', new THREE.BufferAttribute(new Float32Array(geometry.attributes.position.count), 1))
  return new THREE.Mesh(geometry, bodyMaterial(look, colors))
}

/** A height that is true while small and never more than `roof`. */
export function above(height, roof) {
  const knee = roof * 0.6
  return height <= knee ? height : knee + (roof - knee) * (1 - Math.exp(-(height - knee) / (roof - knee)))
}

/** A shape in the engine's manner for a body of bare modes: reeds in a row, each bent by its own mode only. */
export function reedShape(modes) {
  const steps = 8
  const ringing = modes.map((mode, i) => ({ ...mode, i })).filter((mode) => mode.hz >= 20)
  const lowest = Math.min(...ringing.map((mode) => mode.hz))
  const gap = 0.085
  const vertices = []
  const faces = []
  const places = []
  const owner = []
  ringing.forEach((mode, k) => {
    const x = (k - (ringing.length - 1) / 2) * gap
    const tall = 0.62 * Math.max(0.16, (lowest / mode.hz) ** 0.4)
    const first = vertices.length / 3
    for (let s = 0; s <= steps; s++) {
      const half = 0.026 * (1 - (0.25 * s) / steps)
      for (const side of [-half, half]) {
        vertices.push(x + side, 0, (tall * s) / steps)
        places.push(0, 0)
        owner.push({ mode: mode.i, bend: (s / steps) ** 2 })
      }
    }
    for (let s = 0; s < steps; s++)
      faces.push(
        first + 2 * s,
        first + 2 * s + 1,
        first + 2 * s + 2,
        first + 2 * s + 1,
        first + 2 * s + 3,
        first + 2 * s + 2,
      )
  })
  const displaced = (i) => Float32Array.from(owner.flatMap(({ mode, bend }) => [0, mode === i ? bend : 0, 0]))
  return {
    kind: 'reeds',
    vertices: Float32Array.from(vertices),
    faces: Uint32Array.from(faces),
    places: Float32Array.from(places),
    width: ringing.length * gap,
    at: () => [0, 0, 0, 0, 0, 1],
    modes: modes.map((mode, i) => ({ hz: mode.hz, displacement: displaced(i) })),
  }
}

/** A strip with marks that run past as something slides along. */
export function makeBelt(length, colors) {
  const canvas = document.createElement('canvas')
  canvas.width = 256
  canvas.height = 16
  const pen = canvas.getContext('2d')
  pen.fillStyle = colors.css.muted
  for (let i = 0; i < 8; i++) pen.fillRect(i * 32, i % 4 ? 6 : 0, 2, i % 4 ? 10 : 16)
  const texture = new THREE.CanvasTexture(canvas)
  texture.wrapS = THREE.RepeatWrapping
  texture.repeat.x = length * 2
  const belt = new THREE.Mesh(
    new THREE.PlaneGeometry(length, 0.05),
    new THREE.MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, opacity: 0.8 }),
  )
  belt.rotation.x = Math.PI / 2
  belt.userData.run = (metres) => {
    texture.offset.x = (metres * 4) % 1
  }
  return belt
}
