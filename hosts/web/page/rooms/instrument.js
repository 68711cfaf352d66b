// An instrument of the violin family, in lengths of its string: x from the bridge (0) to the nut (1), y across, z out of
// the belly. Proportions are those of a violin; a cello has higher ribs, a longer neck foot and a spike.
import { vec } from './kit.js'

const half = [
  [-0.49, 0],
  [-0.485, 0.11],
  [-0.44, 0.22],
  [-0.35, 0.295],
  [-0.25, 0.318],
  [-0.14, 0.295],
  [-0.075, 0.24],
  [-0.06, 0.25],
  [-0.035, 0.205],
  [0.03, 0.172],
  [0.11, 0.172],
  [0.18, 0.2],
  [0.205, 0.235],
  [0.225, 0.222],
  [0.3, 0.25],
  [0.39, 0.258],
  [0.48, 0.235],
  [0.55, 0.17],
  [0.59, 0.09],
  [0.6, 0.03],
]
const outline = [
  ...half,
  ...half
    .slice(1)
    .reverse()
    .map(([x, y]) => [x, -y]),
]

const families = {
  violin: { ribs: 0.12, spike: 0, rest: true },
  viola: { ribs: 0.12, spike: 0, rest: true },
  cello: { ribs: 0.19, spike: 0.42, rest: false },
}

/** {group, string(i, u), low, high}: string 0 is the lowest, u from the bridge. */
export function instrument(kit, length, kind) {
  const { ribs, spike, rest } = families[kind]
  const group = kit.group()
  const L = length
  const put = (mesh, x = 0, y = 0, z = 0) => {
    mesh.position.set(x * L, y * L, z * L)
    group.add(mesh)
    return mesh
  }
  const scaled = (points, by = 1) => points.map(([x, y]) => [x * by * L, y * by * L])
  put(kit.extrude(scaled(outline, 0.985), ribs * L, 'varnish', { smooth: true }), 0, 0, -ribs)
  put(kit.extrude(scaled(outline), 0.03 * L, 'spruce', { smooth: true, bevel: 0.012 * L }), 0, 0, -0.008)
  for (const side of [-1, 1]) {
    const hole = [
      [0.1, 0.055],
      [0.085, 0.075],
      [0.03, 0.085],
      [-0.03, 0.105],
      [-0.085, 0.135],
      [-0.1, 0.115],
    ].map(([x, y]) => vec(x * L, side * y * L * 1.15, 0.026 * L))
    group.add(kit.tube(hole, 0.011 * L, 'ebony', { steps: 32, sides: 6 }))
  }
  neck(kit, L, put, group)
  tail(kit, L, put, group)
  bridge(kit, L, group)
  if (rest)
    put(
      kit.lathe(
        [
          [0, 0.05 * L],
          [0.09 * L, 0.045 * L],
          [0.12 * L, 0.03 * L],
          [0.1 * L, 0],
        ],
        'ebony',
      ),
      -0.42,
      0.16,
      0.02,
    )
  if (spike)
    group.add(
      kit.rod(vec(-0.47 * L, 0, -0.09 * L), vec(-(0.49 + spike) * L, 0, -0.09 * L), 0.014 * L, 'steel', 0.006 * L),
    )
  const across = (i) => (1.5 - i) * 0.034
  const rise = (i) => 0.012 * (1 - ((i - 1.5) / 1.5) ** 2)
  return {
    group,
    string: (i, u) => vec(u * L, across(i) * (1 - 0.45 * u) * L, (0.115 + rise(i) - 0.045 * u) * L),
    low: -(0.5 + spike) * L,
    high: 1.3 * L,
  }
}

function neck(kit, L, put, group) {
  const board = kit.extrude(
    [
      [0.16 * L, -0.062 * L],
      [1.0 * L, -0.036 * L],
      [1.0 * L, 0.036 * L],
      [0.16 * L, 0.062 * L],
    ],
    0.028 * L,
    'ebony',
    { bevel: 0.008 * L },
  )
  board.rotation.y = 0.035
  put(board, 0, 0, 0.052)
  put(kit.plank(0.46 * L, 0.062 * L, 0.06 * L, 'varnish', 0.02 * L), 0.8, 0, 0.012)
  const box = kit.extrude(
    [
      [1.0, -0.038],
      [1.16, -0.028],
      [1.24, -0.02],
      [1.24, 0.02],
      [1.16, 0.028],
      [1.0, 0.038],
    ].map(([x, y]) => [x * L, y * L]),
    0.06 * L,
    'varnish',
    { bevel: 0.008 * L },
  )
  box.rotation.y = 0.14
  put(box, -0.02, 0, 0.12)
  const curl = []
  for (let i = 0; i <= 40; i++) {
    const a = (i / 40) * 3.6 * Math.PI
    const r = (0.055 - 0.0105 * (a / Math.PI)) * L
    curl.push(vec(1.225 * L + r * Math.sin(a), 0, -0.07 * L + r * Math.cos(a)))
  }
  const scroll = kit.tube(curl, 0.021 * L, 'varnish', { steps: 90, sides: 8 })
  scroll.scale.y = 1.5
  put(scroll)
  for (let i = 0; i < 4; i++) {
    const side = i % 2 ? 1 : -1
    const x = (1.06 + 0.035 * i) * L
    const z = (-0.01 - 0.006 * i) * L
    group.add(kit.rod(vec(x, -side * 0.03 * L, z), vec(x, side * 0.115 * L, z), 0.011 * L, 'ebony', 0.015 * L))
    put(kit.ball(0.026 * L, 'ebony'), x / L, side * 0.12, z / L).scale.set(1.2, 0.6, 0.8)
  }
}

function tail(kit, L, put, group) {
  const piece = kit.extrude(
    [
      [-0.15 * L, -0.06 * L],
      [-0.15 * L, 0.06 * L],
      [-0.45 * L, 0.03 * L],
      [-0.47 * L, 0],
      [-0.45 * L, -0.03 * L],
    ],
    0.022 * L,
    'ebony',
    { bevel: 0.007 * L },
  )
  piece.rotation.y = -0.12
  put(piece, 0, 0, 0.06)
  for (let i = 0; i < 4; i++) {
    const y = (1.5 - i) * 0.03 * L
    group.add(kit.rod(vec(-0.16 * L, y, 0.09 * L), vec(0, (1.5 - i) * 0.034 * L, 0.12 * L), 0.003 * L, 'iron'))
  }
}

/** Feet, waist and a curved crown, standing across. */
function bridge(kit, L, group) {
  const shape = [
    [-0.075, 0],
    [-0.04, 0],
    [-0.03, 0.035],
    [0.03, 0.035],
    [0.04, 0],
    [0.075, 0],
    [0.06, 0.045],
    [0.066, 0.1],
    [0.03, 0.122],
    [-0.03, 0.122],
    [-0.066, 0.1],
    [-0.06, 0.045],
  ].map(([y, z]) => [y * L, z * L])
  const made = kit.extrude(shape, 0.018 * L, 'hair', { bevel: 0.003 * L })
  made.rotation.set(Math.PI / 2, Math.PI / 2, 0)
  made.position.set(-0.009 * L, 0, 0.015 * L)
  group.add(made)
}
