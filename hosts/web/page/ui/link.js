// The state in the address: readable for built-in scenes (#scene=glass&preset=wine&pressure=0.7), packed for files.
// Only what differs from the preset is written.

const pack = 'deflate-raw'

export async function writeHash({ scene, text, preset, values }) {
  const parts = new URLSearchParams()
  if (text) parts.set('file', await deflate(text))
  else parts.set('scene', scene)
  if (preset) parts.set('preset', preset)
  for (const [name, value] of Object.entries(values))
    parts.set(
      name === 'scene' || name === 'file' || name === 'preset' ? `.${name}` : name,
      Number(value.toPrecision(6)),
    )
  return `#${parts}`
}

export async function readHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  if (!parts.has('scene') && !parts.has('file')) return null
  const values = {}
  for (const [name, value] of parts)
    if (!['scene', 'file', 'preset'].includes(name) && Number.isFinite(Number(value)))
      values[name.replace(/^\./, '')] = Number(value)
  return {
    scene: parts.get('scene'),
    text: parts.has('file') ? await inflate(parts.get('file')) : null,
    preset: parts.get('preset'),
    values,
  }
}

async function deflate(text) {
  const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream(pack)))
  const bytes = new Uint8Array(await packed.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function inflate(packed) {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(pack))).text()
}
