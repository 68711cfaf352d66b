// From a scene file to a document: the browser's own JSON is walked, its leaves are set one by one, and the
// library checks each. No parameter is known here by name.

const JOIN = '\x1f' // between words when one of them holds a dot itself
const DEPTH = 12

// ---- reading

export function parse(name, text) {
  let tree
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw new Error(`${name}${placeOf(text, error.message)}: ${error.message}`, { cause: error })
  }
  const twice = keyTwice(text)
  if (twice) throw new Error(`${name}${lineAndColumn(text, twice.at)}: duplicate object key near '"${twice.key}"'`)
  return tree
}

// ":line:column" of a syntax error, as far as the browser tells.
function placeOf(text, message) {
  const found = /line (\d+) column (\d+)/.exec(message)
  if (found) return `:${found[1]}:${found[2]}`
  const position = /at position (\d+)/.exec(message)
  return position ? lineAndColumn(text, Number(position[1])) : ''
}

function lineAndColumn(text, at) {
  const before = text.slice(0, at).split('\n')
  return `:${before.length}:${before[before.length - 1].length + 1}`
}

// Of two equal keys JSON.parse would quietly keep the last. `text` has been parsed already: it is JSON.
function keyTwice(text) {
  const open = [] // the keys of every object around, null for a list
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    const word = token[0]
    if (word === '{') open.push(new Set())
    else if (word === '[') open.push(null)
    else if (word === '}' || word === ']') open.pop()
    else if (/^\s*:/.test(text.slice(token.index + word.length, token.index + word.length + 64))) {
      const key = JSON.parse(word)
      if (open.at(-1).has(key)) return { key, at: token.index }
      open.at(-1).add(key)
    }
  }
  return null
}

function check(name, tree, version) {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree) || !('contatto' in tree))
    throw new Error(`${name}: not a contatto scene file: it wants { "contatto": ${version}, ... }`)
  if (tree.contatto !== version)
    throw new Error(`${name}: written for another version of contatto; this one reads "contatto": ${version}`)
}

export function fill(kernel, lab, name, tree) {
  check(name, tree, kernel.exports.lab_file_version())
  visit({ kernel, lab, name }, [], tree)
}

function visit(walk, words, value) {
  if (value === null || typeof value !== 'object') return setLeaf(walk, words, value)
  if (words.length >= DEPTH) throw refusal(walk, words, 'nested too deeply')
  const keys = Object.keys(value)
  if (!Array.isArray(value) && words.length > 1 && keys.length === 0)
    throw refusal(walk, words, '{} holds nothing; give it at least one value, or leave it out')
  for (const key of keys) {
    // eslint-disable-next-line no-control-regex
    if (key === '' || /[\x00-\x1f]/.test(key))
      throw refusal(walk, words, 'holds an empty key, or one with a control character')
    visit(walk, [...words, key], value[key])
  }
}

function refusal(walk, words, what) {
  return new Error(`${walk.name}: ${words.join('.') || 'the file'}: ${what}`)
}

function setLeaf({ kernel, lab, name }, words, value) {
  const e = kernel.exports
  const path = words.join(words.some((word) => /[.[\]]/.test(word)) ? JOIN : '.')
  const result =
    typeof value === 'string'
      ? kernel.withTexts([path, value], (p, t) => e.lab_doc_text(lab, p, t))
      : typeof value === 'boolean'
        ? kernel.withTexts([path], (p) => e.lab_doc_flag(lab, p, value))
        : kernel.withTexts([path], (p) => e.lab_doc_number(lab, p, value === null ? NaN : Number(value)))
  if (result !== 0) throw new Error(`${name}: ${kernel.text(e.lab_error(lab)).replaceAll(JOIN, '.')}`)
}

// ---- reading back

// All leaves as one tree again, choices as words and flags as such: what the scene is after presets and settings.
export function tree(kernel, lab, schema) {
  const e = kernel.exports
  const flags = new Set(schema.filter((row) => row.type === 'flag').map((row) => row.path))
  const root = bare()
  for (let i = 0; i < e.lab_leaf_count(lab); i++) {
    const path = kernel.text(e.lab_leaf_path(lab, i))
    const text = e.lab_leaf_text(lab)
    const words = path.split(path.includes(JOIN) ? JOIN : '.')
    const number = e.lab_leaf_number(lab)
    const flag = flags.has(kernel.text(e.lab_leaf_pattern(lab)))
    plant(root, words, text ? kernel.text(text) : flag ? number !== 0 : number)
  }
  return listed(root)
}

// Without the names every object inherits: a body may be called `constructor`.
const bare = () => Object.create(null)

function plant(node, words, value) {
  const last = words.length - 1
  for (const word of words.slice(0, last)) node = node[word] ??= bare()
  node[words[last]] = value
}

// Nodes whose keys count from 0 are lists.
function listed(node) {
  if (node === null || typeof node !== 'object') return node
  const keys = Object.keys(node)
  for (const key of keys) node[key] = listed(node[key])
  return keys.length > 0 && keys.every((key, i) => key === String(i)) ? keys.map((key) => node[key]) : node
}
