// The page reads scene files as the program does: the same are taken, the same are refused, in the same words; and what
// it shows of a scene is what `contatto describe` shows. One reader, in the library, and one schema.
// ctest: plain
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, contatto, labFolder, main, run, scratch } from './browser.mjs'

const folder = labFolder()
const root = process.env.ROOT
const engineFile = (name) => `file://${folder}/engine/${name}`
const module = new WebAssembly.Module(readFileSync(`${folder}/contatto.wasm`))
const { Scene } = await import(engineFile('scene.js'))
const { Kernel } = await import(engineFile('wasm.js'))
const { schemaOf, filesOf, catalogueOf, materialsOf } = await import(engineFile('describe.js'))
const kernel = new Kernel(module)
const schema = schemaOf(kernel)

const sceneOf = (name, text, preset) =>
  new Scene(module, schema, { name, text, preset }, { rate: 48000, ledger: false })
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

// ---- what there is

function schemaIsTheProgram() {
  const rows = JSON.parse(run('describe', '--json')).schema
  const wrong = rows.filter((row, i) => {
    const ours = schema[i]
    const numeric = !('min' in row) || (ours.min === row.min && ours.max === row.max && ours.standard === row.default)
    const words = ['path', 'words', 'symbol', 'unit', 'type', 'rate', 'effect', 'scale'].every(
      (field) => ours[field] === row[field],
    )
    return !numeric || !words || !same(row.choices ?? [], ours.choices)
  })
  check(rows.length === schema.length && wrong.length === 0, `${schema.length} rows of the schema, as the program's`)
}

function catalogueIsTheFiles() {
  const names = readdirSync(join(root, 'scenes'))
    .map((file) => file.replace('.json', ''))
    .sort()
  const files = filesOf(kernel)
  check(same([...files.keys()], names), `${names.length} scenes`)
  check(
    names.every((name) => files.get(name) === readFileSync(join(root, `scenes/${name}.json`), 'utf8')),
    'byte for byte',
  )
  const listed = JSON.parse(run('list', '--json'))
  const titles = Object.fromEntries((listed.scenes ?? listed).map(({ name, title }) => [name, title]))
  check(
    catalogueOf(files, schema).every(({ name, title }) => titles[name] === title),
    'with the titles of `contatto list`',
  )
  check(materialsOf(kernel).length === 8, `materials: ${materialsOf(kernel).join(', ')}`)
}

function infoIsWhatDescribeSays() {
  for (const [name, text] of filesOf(kernel)) {
    const said = JSON.parse(run('describe', name, '--json'))
    const { info } = sceneOf(name, text)
    const controls = info.controls.map(({ targets, ...control }) => (targets.length ? control : null))
    const bodies = info.bodies.map((body) => ({ name: body.name, points: body.points.map((point) => point.name) }))
    const contacts = info.contacts.map((contact) => contact.name)
    const good =
      info.title === said.title &&
      info.about === said.about &&
      info.seconds === said.seconds &&
      same(controls, said.controls) &&
      same(info.presets, said.presets) &&
      same(bodies, said.bodies) &&
      same(contacts, said.contacts)
    check(
      good,
      `${name}: ${info.controls.length} controls, ${info.bodies.length} bodies, ${info.contacts.length} contacts, as described`,
    )
  }
}

// Saved, the scene is the file it came from.
function textComesBack() {
  for (const [name, text] of filesOf(kernel)) {
    const saved = JSON.parse(sceneOf(name, text).text(module, []))
    const said = JSON.parse(run('describe', name, '--json')).scene
    const sorted = (x) =>
      x && typeof x === 'object' && !Array.isArray(x)
        ? Object.fromEntries(
            Object.keys(x)
              .sort()
              .map((key) => [key, sorted(x[key])]),
          )
        : Array.isArray(x)
          ? x.map(sorted)
          : x
    check(same(sorted(saved), sorted(said)), `${name}: saved as it was`)
  }
}

// A scene file comes from anywhere: a name is a name, whatever JavaScript means by it.
function namesAreOnlyNames() {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const text = `{"contatto": 1, "bodies": {"${name}": {"modes": [{"hz": 300}], "points": {"${name}": {"gains": [1]}}}}}`
    const made = sceneOf('names', text)
    const { modes, points } = made.info.bodies[0]
    const again = JSON.parse(made.text(module, []), (key, value) => (key === '__proto__' ? { was: value } : value))
    check(
      modes[0].hz === 300 && points[0].name === name && {}.modes === undefined && again !== null,
      `a body called ${name}`,
    )
  }
}

// ---- what is refused

const scene = (parts) =>
  JSON.stringify({
    contatto: 1,
    bodies: { bar: { modes: [{ hz: 400 }, { hz: 900 }], points: { hit: { gains: [1, 1] } } } },
    ...parts,
  })

const bad = {
  'not a scene': '{"title": "x"}',
  'a list': '[1, 2]',
  'another version': '{"contatto": 2}',
  'no version': '{"contatto": "1"}',
  'unknown key': scene({ colour: 3 }),
  'wrong type': scene({ title: 3 }),
  'text for a number': scene({ seconds: 'long' }),
  'null for a number': scene({ seconds: null }),
  'a hollow body': scene({ bodies: { floor: {} } }),
  'an empty key': scene({ bodies: { '': { kind: 'wall' } } }),
  'out of range': scene({ bodies: { bar: { modes: [{ hz: -5 }] } } }),
  'too few gains': scene({
    bodies: { bar: { modes: [{ hz: 400 }, { hz: 500 }], points: { hit: { gains: [1, 1, 1] } } } },
  }),
  'no such body': scene({ contacts: { touch: { a: 'gong.hit', b: 'bar.hit' } } }),
  'no such choice': scene({ bodies: { bar: { kind: 'jelly' } } }),
  'no such material': scene({ bodies: { bar: { modes: { shape: 'bar', material: 'cheese' } } } }),
  'too deep': scene({ bodies: { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: { l: 1 } } } } } } } } } } } } }),
  'a broken gesture': scene({ gesture: { time_s: [0, 1], push: [1, 2] } }),
  'times that fall': scene({
    controls: { push: { targets: [{ path: 'bar.hit.force_n' }] } },
    gesture: { time_s: [1, 0], push: [0, 1] },
  }),
  'a control of nothing': scene({ controls: { push: { targets: [{ path: 'bar.hit.nothing' }] } } }),
  'twice the same': '{"contatto": 1, "title": "a", "title": "b"}',
  'broken off': '{"contatto": 1,',
  'a stray word': '{"contatto": 1, "title": oops}',
  'a line within a text': '{"contatto": 1, "title": "a\nb"}',
  'half a character': '{"contatto": 1, "title": "\\ud800"}',
  'too large': '{"contatto": 1, "seconds": 1e999}',
  'one bracket more': '{"contatto": 1}}',
  'nothing at all': '',
}

function refusesTheSame() {
  const place = join(scratch(), 'bad.json')
  for (const [what, text] of Object.entries(bad)) {
    writeFileSync(place, text)
    const { status, stderr } = spawnSync(contatto, ['render', place, '--seconds', '0.01', '--ledger'])
    const native = String(stderr)
      .trim()
      .replace(/^contatto render: /, '')
      .replaceAll(place, 'bad.json')
    let ours = ''
    try {
      sceneOf('bad.json', text)
    } catch (error) {
      ours = error.message
    }
    const agree = strip(ours) === strip(native)
    check(
      status !== 0 && agree && !ours.includes('\n'),
      `${what}: ${ours}${agree ? '' : `   (the program: ${native})`}`,
    )
  }
}

// The program names the file once, where reading fails; the page always.
const strip = (line) => line.replace(/^bad.json: /, '')

await main(async () => {
  schemaIsTheProgram()
  catalogueIsTheFiles()
  infoIsWhatDescribeSays()
  textComesBack()
  namesAreOnlyNames()
  refusesTheSame()
})
