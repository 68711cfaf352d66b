// From a scene file to a document: the library reads the text itself, in the same words as the program. And back:
// from a document to a tree.

const JOIN = '\x1f' // between words when one of them holds a dot itself

const encoder = new TextEncoder()

export function read(kernel, lab, name, text) {
  const bytes = encoder.encode(text)
  const e = kernel.exports
  const result = kernel.withTexts([name, bytes], (n, t) => e.lab_doc_read(lab, n, t, bytes.length))
  if (result !== 0) throw new Error(kernel.text(e.lab_error(lab)))
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
