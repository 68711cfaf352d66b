// Every finger plays. With one tool the first finger leads it, and a second presses with it, brakes, holds back, strikes,
// plucks, stops a string, bends the saw, pushes the other leaf or takes the ball; when the first is lifted the second leads.
// In every scene nothing is held once all are up (`./check` looks at one scene in three). What is held in the air stays there without the page drawing.
// PARTS=brakes,strikes: only these.
// ctest: plain timeout=900
import { check, lab, main, near, oneIn } from './browser.mjs'
import { steppedBrowser } from './page_time.mjs'
import { chooseScene, drawn, inLab, openLab, passed, start, until, wasQuiet } from './shell.mjs'

let say = null
let stagePage = null

// The points named are lifted; none named: all.
const lift = (...points) => say('touchEnd', points)
const press = (...points) => say('touchStart', points)

// Waits until the page has heard of it, and its hand has moved.
async function touch(...points) {
  await say('touchMove', points)
  await until(stagePage, arrived, points, 20)
  await drawn(stagePage, 1)
}

const arrived = ({ stage }, points) => {
  const { left, top } = stage.section.getBoundingClientRect()
  const there = (point) => (one) => Math.hypot(one.x + left - point.x, one.y + top - point.y) < 1.5
  return points.every((point) => [...stage.pointers.values()].some(there(point)))
}

async function connect(page) {
  const session = await page.context().newCDPSession(page)
  stagePage = page
  say = (type, points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y, id }) => ({ x, y, id })) })
}

// A finger on the page, from a place on the stage.
const finger = (id, { x, y }) => ({ id, x, y })
const moved = (one, dx, dy = 0) => ({ ...one, x: one.x + dx, y: one.y + dy })

// Where on the page a function of (lab, value) says it is on the stage; the hero's middle when there is none.
async function spot(page, place, which) {
  await inLab(page, (lab) => lab.room.group.updateMatrixWorld(true))
  const { x, y } = await inLab(page, place, which)
  const { left, top } = await inLab(page, (lab) => lab.stage.section.getBoundingClientRect().toJSON())
  return { x: x + left, y: y + top }
}
const centre = (page) => spot(page, (lab) => lab.room.centre)

async function two(page, scene, second = null, which = null) {
  await chooseScene(page, scene)
  const middle = await centre(page)
  const one = finger(0, middle)
  return [one, finger(1, second ? await spot(page, second, which) : moved(middle, 30, 20))]
}

// What the engine says once it says the same twice, a tenth of a second of sound apart.
async function settled(page, read) {
  let [before, now] = [null, await read()]
  for (let i = 0; i < 40 && now !== before; i++) {
    await passed(page, 4800)
    ;[before, now] = [now, await read()]
  }
  return now
}

const value = (page, name) => settled(page, () => inLab(page, (lab, name) => lab.engine.get(name), name))
const becomes = (page, name, wanted, words) =>
  until(page, (lab, { name, wanted }) => Math.abs(lab.engine.get(name) - wanted) < 1e-9, { name, wanted }, 20).then(
    async (same) => check(same, `${words}: ${name} ${await value(page, name)}, wanted ${wanted}`),
  )

async function pressesTogether(page) {
  const [one, other] = await two(page, 'rub')
  await press(one)
  await touch(moved(one, 60))
  const grip = await value(page, 'pressure')
  const push = await value(page, 'push')
  check(grip > 0 && push > 0, `rub: one finger pushes with ${push} N and presses with ${grip} N`)
  await press(moved(one, 60), other)
  await becomes(page, 'pressure', 2 * grip, 'a second presses as firmly again')
  await becomes(page, 'push', push, 'and does not change the push')
  await lift(other)
  await becomes(page, 'pressure', grip, 'lifted, it presses no more')
  await press(moved(one, 60), other)
  await lift(moved(one, 60))
  await becomes(page, 'push', 0, 'the first lifted, the second leads from where it is')
  await becomes(page, 'pressure', grip, 'with the touch of one')
  await touch(moved(other, 60))
  check(await until(page, (lab) => lab.engine.get('push') > 0), 'and pushes')
  await lift()
  await becomes(page, 'push', 0, 'all up')
  await becomes(page, 'pressure', await inLab(page, (lab) => lab.roles.press.min), 'all up')
}

async function brakes(page) {
  const [one, other] = await two(page, 'wheel')
  await press(one)
  await touch(moved(one, 60))
  const push = await value(page, 'push')
  check(push > 0 && (await value(page, 'pressure')) === 0, `wheel: one finger pushes with ${push} N, unbraked`)
  await press(moved(one, 60), other)
  const firm = await inLab(page, (lab) => lab.hand.firm)
  await becomes(page, 'pressure', firm, 'a second is the brake')
  await becomes(page, 'push', 0, 'and what is braked is not pushed')
  await lift(other)
  await becomes(page, 'push', push, 'lifted, the first pushes on')
  await lift()
  await becomes(page, 'pressure', 0, 'all up')
}

async function holdsBack(page) {
  const [one, other] = await two(page, 'barrel')
  await press(one)
  await touch(moved(one, 60))
  const speed = await value(page, 'speed')
  check(speed > 0, `barrel: one finger rolls it at ${speed} m/s`)
  await press(moved(one, 60), other)
  await becomes(page, 'speed', 0, 'a second holds it back')
  await lift(other)
  await becomes(page, 'speed', speed, 'lifted, it rolls on')
  await lift()
  await becomes(page, 'speed', 0, 'all up')
}

async function strikes(page) {
  const [one, other] = await two(page, 'bowl')
  await inLab(page, ({ hand }) => hand.strength.set('strike_speed', 1)) // slower, the stick does not reach the bowl
  await press(one)
  await touch(moved(one, 40))
  const before = await inLab(page, (lab) => lab.room.events.list.at(-1)?.sample ?? 0)
  await press(moved(one, 40), other)
  const struck = await until(page, (lab, before) => lab.room.events.list.at(-1)?.sample > before, before, 20)
  check(struck, 'bowl: a second finger strikes what the first rubs')
  await lift()
}

// The place on a string, so far from its bridge, as it stands on the stage.
const onString = (lab) =>
  lab.stage.project(lab.room.body.group.localToWorld(lab.room.body.string(lab.room.strings[0].place, 0.75)))

async function stopsAndPlucks(page) {
  let [one, other] = await two(page, 'viola', onString)
  const open = await value(page, 'stop')
  await press(one)
  await touch(moved(one, 60))
  await press(moved(one, 60), other)
  await until(page, (lab, open) => lab.engine.get('stop') !== open, open, 20)
  near(await value(page, 'stop'), 0.75, 0.03, 'viola: a second finger stops the string where it lies')
  await lift(other)
  await becomes(page, 'stop', open, 'lifted, it is open')
  await lift()
  ;[one, other] = await two(page, 'cello', onString)
  await press(one)
  await touch(moved(one, 60))
  await inLab(page, ({ hand }) => (hand.fire = ({ name }) => (window.fired = name)))
  await press(moved(one, 60), other)
  check(await until(page, () => window.fired === 'pluck', null, 20), 'cello: a second finger plucks')
  await lift()
}

async function bends(page) {
  const [one, other] = await two(page, 'saw')
  await press(one)
  await touch(moved(one, 60))
  await press(moved(one, 60), other)
  await touch(moved(one, 60), moved(other, 0, -40))
  check(await until(page, (lab) => lab.engine.get('pitch') > 1), 'saw: a second finger bends it')
  await lift()
  await becomes(page, 'pitch', 0, 'let go, it springs back')
}

async function pushesTheOtherLeaf(page) {
  const onLeaf = (lab, which) => {
    const { wide, high, side, group } = lab.room.leaves[which]
    return lab.stage.project(group.localToWorld(group.position.clone().set((-side * wide) / 2, 0, high / 2)))
  }
  const [, one] = await two(page, 'door', onLeaf, 0)
  const [, other] = await two(page, 'door', onLeaf, 1)
  const [a, b] = [
    { ...one, id: 0 },
    { ...other, id: 1 },
  ]
  await press(a)
  await touch(moved(a, -40))
  await press(moved(a, -40), b)
  await touch(moved(a, -40), moved(b, -40))
  check(await until(page, ({ room }) => room.other?.push < -1, null, 20), 'door: a finger for each leaf')
  const angles = () => inLab(page, (lab) => lab.room.leaves.map(({ angle }) => angle))
  const before = await angles()
  await passed(page, 24000)
  await drawn(page)
  const after = await angles()
  check(after[0] > before[0] && after[1] < before[1], `one opens and one shuts: ${before} then ${after}`)
  await lift(moved(b, -40))
  const opens = await until(page, ({ room }, least) => room.leaves[1].angle > least, after[1], 20)
  check(opens, 'one lifted, both follow the other')
  await lift()
}

async function tilts(page) {
  const [one, other] = await two(page, 'track')
  await press(one)
  await touch(moved(one, 20))
  const alone = await value(page, 'tilt_x')
  await press(moved(one, 20), other)
  await touch(moved(one, 20), moved(other, 20))
  await becomes(page, 'tilt_x', 2 * alone, 'track: two fingers tilt it twice as far')
  await lift(moved(other, 20))
  await becomes(page, 'tilt_x', alone, 'one lifted, half')
  await lift()
  await becomes(page, 'tilt_x', 0, 'all up, level')
}

// Nothing is drawn meanwhile: what holds is the engine's own.
const unseen = (page) => inLab(page, (lab) => (lab.stage.draw = () => {}))
const seen = (page) => inLab(page, (lab) => delete lab.stage.draw)

async function takesTheBall(page) {
  const [one, other] = await two(page, 'ball')
  await press(one)
  await touch(moved(one, 0, -60))
  await press(moved(one, 0, -60), other)
  await touch(moved(one, 0, -60), moved(other, 0, -80))
  check(await until(page, (lab) => lab.room.throwing.held.from.id > 0), 'ball: the newest finger has it')
  await passed(page, 4800)
  await unseen(page)
  const height = () => inLab(page, (lab) => lab.engine.modes('ball', lab.engine.heard())[0])
  const before = await height()
  await passed(page, 48000)
  near((await height()) / before, 1, 1e-3, `held at ${before} m, it stays there for a second, the page drawing nothing`)
  await lift(moved(one, 0, -60))
  near((await height()) / before, 1, 1e-3, 'the first finger lifted, it still has it')
  await seen(page)
  await lift()
  check(await until(page, (lab) => lab.engine.get('ball.bottom.force_n') === 0), 'all up, nothing bears it')
  check(await until(page, (lab) => lab.engine.modes('ball', lab.engine.heard())[0] < 0.01), 'it falls')
}

async function holdsWithoutDrawing(page) {
  const onBall = (lab) =>
    lab.stage.project(lab.room.balls[0].mesh.getWorldPosition(lab.room.balls[0].mesh.position.clone()))
  const [, other] = await two(page, 'cradle', onBall)
  const one = { ...other, id: 0 }
  await press(one)
  await touch(moved(one, -50))
  const out = () =>
    inLab(page, (lab) => lab.room.balls.map(({ body }) => lab.engine.modes(body.name, lab.engine.heard())[0]))
  check(
    await until(page, (lab) => lab.engine.modes(lab.room.balls[0].body.name, lab.engine.heard())[0] < -0.01),
    'cradle: pulled',
  )
  await unseen(page)
  const [before] = await out()
  await passed(page, 48000)
  const [after, ...others] = await out()
  near(after / before, 1, 1e-3, `held ${before} m aside, it stays there for a second, the page drawing nothing`)
  check(
    others.every((x) => Math.abs(x) < 1e-6),
    `the others hang still: ${others}`,
  )
  await seen(page)
  await lift()
  check(
    await until(page, (lab) => lab.engine.modes(lab.room.balls.at(-1).body.name, lab.engine.heard())[0] > 0.01),
    'let go, the blow passes through',
  )
}

async function writesOn(page) {
  const [one, other] = await two(page, 'guide')
  await press(one)
  await touch(moved(one, 20))
  await press(moved(one, 20), other)
  const id = await inLab(page, (lab) => lab.fingers.leader)
  await touch(moved(one, 20), moved(other, 15))
  check(await until(page, (lab, id) => lab.hand.pad?.at.id === id, id), 'guide: the newest finger writes')
  await lift()
  check(await until(page, (lab) => !lab.hand.pad), 'all up, the pen is lifted')
}

// Everything that pushes or presses, as the engine has it.
const forces = (lab) => {
  const ends = lab.info.bodies.flatMap(({ name, points }) => points.map((point) => `${name}.${point.name}`))
  const paths = ends.flatMap((end) => [`${end}.force_n`, `${end}.tangential_force_n`])
  const controls = [lab.roles.push, lab.roles.press].filter(Boolean).map(({ name }) => name)
  const value = (path) => (Math.abs(lab.engine.get(path)) < 1e-6 ? 0 : lab.engine.get(path))
  return JSON.stringify([...paths, ...controls].map((path) => [path, value(path)]))
}

const idle = ({ hand, fingers, stage }) =>
  !hand.pad && !hand.down && hand.helpers === 0 && !fingers.down.size && !stage.pointers.size

const letGo = 9600 // frames: what a hand lets go of runs to its rest in the scene's own time, 0.03 s as a rule

async function nothingIsHeld(page) {
  const left = []
  for (const name of oneIn(3, await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name)))) {
    const [one, other] = await two(page, name)
    await press(one)
    await touch(moved(one, 20, 10))
    await lift()
    await until(page, idle, null, 20)
    await passed(page, letGo)
    const before = await settled(page, () => inLab(page, forces))
    await press(one)
    await touch(moved(one, 30, 10))
    await press(moved(one, 30, 10), other)
    await touch(moved(one, 30, 10), moved(other, -20, -15))
    await lift(moved(one, 30, 10))
    await touch(moved(other, 20, 15))
    await lift()
    const free = await until(page, idle, null, 20)
    await passed(page, letGo)
    const after = await settled(page, () => inLab(page, forces))
    if (!free || after !== before) left.push(`${name}: ${before} then ${after}`)
  }
  check(!left.length, `in no scene is anything held once all fingers are up ${left.join('; ')}`)
}

await main(async () => {
  const context = await steppedBrowser({ hasTouch: true, pause: 50 })
  const { address } = await lab()
  const page = await openLab(context, address)
  await start(page)
  await connect(page)
  const parts = { pressesTogether, brakes, holdsBack, strikes, stopsAndPlucks, bends, pushesTheOtherLeaf }
  Object.assign(parts, { tilts, takesTheBall, holdsWithoutDrawing, writesOn, nothingIsHeld })
  for (const [name, part] of Object.entries(parts))
    if ((process.env.PARTS ?? name).split(',').includes(name)) await part(page)
  wasQuiet(page, address)
})
