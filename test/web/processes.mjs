// The browser's processes behind the pages, by the kernel's books.
import { readFileSync, readdirSync } from 'node:fs'

function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function list(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

// Those that draw and compute pages, among this process's children and theirs.
function renderers() {
  const parents = new Map()
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name)))
    parents.set(Number(pid), Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]))
  const ours = (pid) => pid === process.pid || (parents.get(pid) > 1 && ours(parents.get(pid)))
  return [...parents.keys()].filter((pid) => ours(pid) && read(`/proc/${pid}/cmdline`).includes('--type=renderer'))
}

// Bytes of memory they hold.
export function resident() {
  return renderers().reduce((sum, pid) => sum + 4096 * Number(read(`/proc/${pid}/statm`).split(' ')[1] || 0), 0)
}

const threads = () => renderers().flatMap((pid) => list(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`))

const onProcessor = (all) =>
  all.reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0] || 0), 0) / 1e9

// Seconds their threads have been on a processor.
export const busy = () => onProcessor(threads())

// The same for those alone that make the sound: "Realtime AudioWorklet ...", of which the kernel keeps fifteen letters.
export const audioBusy = () => onProcessor(threads().filter((thread) => /AudioW/.test(read(`${thread}/comm`))))
