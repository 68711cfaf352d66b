// How things look: colours by material and theme, and one cheap shader for every body — soft light from above, a bright
// edge where the surface turns away, and a glow where it moves: warm outwards, cool inwards.
import * as THREE from '../three/three.module.js'

const materials = {
  rubber: { dark: '#5b5f66', light: '#63676d', shine: 0.15 },
  plastic: { dark: '#9fb2c8', light: '#8097b3', shine: 0.5 },
  wood: { dark: '#b98a5a', light: '#b07d49', shine: 0.2 },
  stone: { dark: '#9a9a94', light: '#8c8c86', shine: 0.15 },
  ceramic: { dark: '#ded7ca', light: '#cfc5b3', shine: 0.6 },
  glass: { dark: '#a9d3dc', light: '#7fb4c0', shine: 1, clear: 0.16 },
  brass: { dark: '#d1ab58', light: '#b78e35', shine: 0.9 },
  bronze: { dark: '#c0925a', light: '#a3753c', shine: 0.9 },
  steel: { dark: '#b4bcc4', light: '#8f9aa4', shine: 1 },
}
const plain = { dark: '#b9b6ae', light: '#a09b90', shine: 0.35 }

/** What a body is made of, by the word in its scene; `name` may be null. */
export function lookOf(name, theme) {
  const found = materials[name] ?? plain
  return { color: new THREE.Color(found[theme]), shine: found.shine, clear: found.clear ?? 0 }
}

/** Between two materials of the engine's list, for bodies that glide from one to another. */
export function lookBetween(names, at, theme) {
  const low = Math.min(names.length - 1, Math.max(0, Math.floor(at)))
  const high = Math.min(names.length - 1, low + 1)
  const a = lookOf(names[low], theme)
  const b = lookOf(names[high], theme)
  const t = at - low
  return {
    color: a.color.lerp(b.color, t),
    shine: a.shine + t * (b.shine - a.shine),
    clear: a.clear + t * (b.clear - a.clear),
  }
}

/** The page's colours for the picture, beside those for flat drawing. */
export function stageColors(css) {
  const color = (name) => new THREE.Color(css[name])
  return {
    css,
    theme: css.theme,
    accent: color('accent'),
    cool: color('cool'),
    hot: color('hot'),
    text: color('text'),
    muted: color('muted'),
  }
}

const vertex = `
attribute float moved;
varying vec3 vNormal; varying vec3 vView; varying float vMoved;
void main() {
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vView = -seen.xyz;
  vMoved = moved;
  gl_Position = projectionMatrix * seen;
}`

const fragment = `
uniform vec3 color, warm, cool, edge, sky; uniform float shine, clear, glow, light, lift;
varying vec3 vNormal; varying vec3 vView; varying float vMoved;
void main() {
  vec3 v = normalize(vView), n = normalize(vNormal);
  if (dot(n, v) < 0.0) n = -n;
  vec3 key = normalize(vec3(-0.45, 0.8, 0.55));
  float diffuse = max(dot(n, key), 0.0), hemisphere = 0.5 + 0.5 * n.y;
  float gleam = pow(max(dot(reflect(-key, n), v), 0.0), mix(8.0, 60.0, shine)) * shine;
  float turn = pow(1.0 - abs(dot(n, v)), 2.4);
  vec3 seen = color * (light * (0.34 + 0.34 * hemisphere) + 0.52 * diffuse) + gleam * 0.55 + edge * turn * 0.5 + sky * lift;
  float amount = clamp(abs(vMoved), 0.0, 1.0) * glow;
  seen = mix(seen, vMoved > 0.0 ? warm : cool, amount * 0.75);
  float alpha = clear > 0.0 ? clamp(clear + turn * 0.75 + gleam * 0.6 + amount * 0.5, 0.0, 1.0) : 1.0;
  gl_FragColor = vec4(seen, alpha);
  #include <colorspace_fragment>
}`

export function bodyMaterial(look, colors) {
  const material = new THREE.ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    side: THREE.DoubleSide,
    uniforms: {
      color: { value: new THREE.Color() },
      warm: { value: new THREE.Color() },
      cool: { value: new THREE.Color() },
      edge: { value: new THREE.Color() },
      sky: { value: new THREE.Color() },
      shine: { value: 0 },
      clear: { value: 0 },
      glow: { value: 1 },
      light: { value: 1 },
      lift: { value: 0 },
    },
  })
  paint(material, look, colors)
  return material
}

export function paint(material, look, colors) {
  const u = material.uniforms
  const dark = colors.theme === 'dark'
  u.color.value.copy(look.color)
  u.warm.value.copy(colors.accent)
  u.cool.value.copy(colors.cool)
  u.edge.value
    .set(dark ? '#ffffff' : look.clear ? '#2c5661' : '#ffffff')
    .multiplyScalar(dark ? 0.8 : look.clear ? 0.55 : 0.35)
  u.sky.value.copy(colors.accent)
  u.shine.value = look.shine
  u.clear.value = look.clear
  u.light.value = dark ? 0.95 : 1.25
  material.transparent = look.clear > 0
  material.depthWrite = !(look.clear > 0)
}

/** A soft dark spot under a thing: the cheapest shadow there is. */
export function shadowSpot(radius, colors) {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const pen = canvas.getContext('2d')
  const fade = pen.createRadialGradient(64, 64, 4, 64, 64, 64)
  const strength = colors.theme === 'dark' ? 0.75 : 0.3
  fade.addColorStop(0, `rgba(0,0,0,${strength})`)
  fade.addColorStop(0.5, `rgba(0,0,0,${strength * 0.38})`)
  fade.addColorStop(1, 'rgba(0,0,0,0)')
  pen.fillStyle = fade
  pen.fillRect(0, 0, 128, 128)
  const spot = new THREE.Mesh(
    new THREE.PlaneGeometry(radius * 2, radius * 2),
    new THREE.MeshBasicMaterial({ map: new THREE.CanvasTexture(canvas), transparent: true, depthWrite: false }),
  )
  spot.renderOrder = -1
  return spot
}
