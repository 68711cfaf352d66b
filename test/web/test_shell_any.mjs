// Any scene can be played the day it is written: one with a bit of everything, dropped in as a file, is drawn, and a touch
// on a body means what the scene's controls move there.
// ctest: plain timeout=400
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, check, lab, main, near, scratch } from './browser.mjs'
import { drawn, inLab, openLab, start, until, wasQuiet } from './shell.mjs'

const gain = { gains: [1] }
const knob = (min, max, path, more) => ({ min, max, targets: [{ path, from: min, to: max }], ...more })

const scene = {
  contatto: 1,
  title: 'A bit of everything',
  gravity_m_s2: 9.81,
  bodies: {
    floor: { kind: 'wall' },
    hand: { kind: 'hand' },
    box: { modes: [{ hz: 310 }, { hz: 720 }, { hz: 1500 }], points: { side: { gains: [1, 1, 1] } } },
    puck: { modes: [{ hz: 0, t60_s: 0, mass_kg: 0.02, x_m: 0.1 }], points: { under: gain } },
    ball: { modes: [{ hz: 0, t60_s: 0, mass_kg: 0.05 }], points: { bottom: gain } },
    board: {
      modes: { shape: 'plate', size_m: [0.6, 0.3], thickness_m: 0.008, count: 20, material: 'wood' },
      points: { spot: { place_u: 0.4, place_v: 0.4 } },
    },
    wire: { kind: 'string', string: { hz: 196 }, points: { pick: { place_u: 0.3 }, bridge: { place_u: 0 } } },
  },
  contacts: {
    rub: { kind: 'friction', a: 'hand.at', b: 'box.side', normal_n: 0 },
    land: { a: 'puck.under', b: 'floor.at', from: 'above' },
    touch: { a: 'ball.bottom', b: 'board.spot', from: 'above' },
  },
  surfaces: { grain: { depth_m: 1e-5 } },
  drives: { run: { kind: 'roll', contact: 'touch', surface: 'grain', radius_m: 0.02 } },
  pickups: { out: { at: 'wire.bridge', listen: 'force', full_scale: 3 }, wood: { at: 'board.spot', full_scale: 0.1 } },
  controls: {
    bow: knob(-0.5, 0.5, 'hand.tangential_v_m_s', { value: 0, unit: 'm/s' }),
    weight: knob(0, 10, 'rub.normal_n', { value: 2, unit: 'N' }),
    pluck: knob(0.0005, 0.01, 'wire.pick.pluck_m', { trigger: true, unit: 'm' }),
    throw: knob(0.1, 3, 'run.throw_m_s', { trigger: true, unit: 'm/s' }),
  },
}

// Where a body is on the page: a place on it, or its middle.
const spot = (page, body, u) =>
  inLab(
    page,
    (lab, [body, u]) => {
      const { room, stage } = lab
      const { left, top } = stage.section.getBoundingClientRect()
      const thing = room.things.find((thing) => thing.body.name === body)
      const place = u === null ? thing.group.position : thing.mesh.localToWorld(thing.vibrating.at(u, 0.5).place)
      const { x, y } = stage.project(place)
      return { x: x + left, y: y + top }
    },
    [body, u],
  )

async function isDrawn(page) {
  const { room, kinds, calls } = await inLab(page, (lab) => ({
    room: lab.room.constructor.name,
    kinds: Object.fromEntries(
      lab.room.things.map((thing) => [thing.body.name, thing.vibrating?.constructor.name ?? thing.kind]),
    ),
    calls: lab.stage.renderer.info.render.calls,
  }))
  const wanted = {
    floor: 'wall',
    hand: 'mover',
    box: 'VibratingBody',
    puck: 'mover',
    ball: 'mover',
    board: 'VibratingBody',
    wire: 'VibratingString',
  }
  check(room === 'GenericRoom' && calls > 10, `${calls} things drawn in the room for any scene`)
  check(
    Object.entries(wanted).every(([name, kind]) => kinds[name] === kind),
    `each body in its way: ${JSON.stringify(kinds)}`,
  )
}

async function isPlayed(page) {
  const wire = await spot(page, 'wire', 0.7)
  await page.mouse.click(wire.x, wire.y)
  check(
    await until(page, (lab) => lab.engine.tail('output', 4800).some((x) => Math.abs(x) > 0.01)),
    'the string, touched, is plucked',
  )
  near(await inLab(page, (lab) => lab.engine.get('wire.pick.place_u')), 0.7, 0.03, 'where it was touched')
  const board = await spot(page, 'board', 0.75)
  await page.mouse.click(board.x, board.y)
  check(await until(page, (lab) => lab.engine.get('run.x_m') > 0.1), 'the board, touched, has its ball thrown')
  check(
    await until(page, (lab) => lab.room.things.find((thing) => thing.drive).mesh.rotation.y !== 0),
    'which is seen to turn',
  )
  const { x, y, width, height } = await page.locator('#stage').boundingBox()
  await page.mouse.move(x + 0.06 * width, y + 0.9 * height)
  await page.mouse.down()
  await page.mouse.move(x + 0.2 * width, y + 0.9 * height, { steps: 5 })
  check(
    await until(page, (lab) => lab.engine.get('bow') > 0.1 && Math.abs(lab.engine.get('weight') - 2) < 1e-6),
    'beside them the stage rubs',
  )
  await page.mouse.up()
  check(await until(page, (lab) => lab.engine.get('bow') === 0 && lab.engine.get('weight') === 0), 'and lets go')
}

await main(async () => {
  const context = await browser()
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  const file = join(scratch(), 'everything.json')
  writeFileSync(file, JSON.stringify(scene))
  await page.setInputFiles('#file', file)
  check(
    await until(page, (lab) => lab.info.title === 'A bit of everything' && lab.engine.sounds()),
    'the file is opened',
  )
  await drawn(page)
  await isDrawn(page)
  await isPlayed(page)
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  wasQuiet(page, address)
})
