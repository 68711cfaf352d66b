// `contatto lab` under 1100 connections that never finish a request, with the 1024 open files a shell usually gives:
// a browser is served meanwhile, and the server keeps to a bounded number of them.
// ctest: plain
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { check, lab, main, undone } from './browser.mjs'

const HOLDERS = 2 // processes, since a process may have 1024 open files itself
const EACH = 550

// Opens connections, every second one with half a request; answers each line it is sent with how many are open.
async function hold() {
  const [port, count] = process.argv.slice(3).map(Number)
  const half = `GET /index.html HTTP/1.1\r\nHost: localhost:${port}\r\nX-Half: `
  let connected = 0
  let closed = 0
  const one = (i) =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        connected++
        if (i % 2) socket.write(half)
        resolve()
      })
      socket.on('close', () => (closed++, resolve()))
      socket.on('error', () => {})
      socket.resume()
    })
  for (let i = 0; i < count; i++) await one(i)
  console.log(connected)
  process.stdin.on('data', () => console.log(count - closed))
  process.stdin.on('end', () => process.exit())
}

// {connected, open(), end()}: connections made, how many of them the server still has, and letting go of them.
async function holder(port) {
  const child = spawn(process.execPath, [process.argv[1], 'hold', port, EACH], { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = () => new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
  const end = () =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      if (child.exitCode !== null) resolve()
      child.stdin.end()
    })
  undone(end)
  const connected = await line()
  const open = () => {
    const answer = line()
    child.stdin.write('?\n')
    return answer
  }
  return { connected, open, end }
}

// On a connection of its own, as a browser that has just been opened.
const get = async (address, path) => {
  const response = await fetch(address + path, { headers: { Connection: 'close' } })
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
}

async function serves(address, when) {
  const paths = ['', 'app.js', 'contatto.wasm', 'three/three.core.js', 'style/base.css', 'engine/worklet.js']
  const began = Date.now()
  const answers = []
  for (const path of paths) answers.push(await get(address, path))
  const good = answers.every(({ status, bytes }) => status === 200 && bytes > 0)
  const took = Date.now() - began
  check(good, `${when}: ${answers.length} files in ${took} ms`)
  return took
}

async function test() {
  const { address, pid } = await lab([], { files: 1024 })
  const port = Number(new URL(address).port)
  const files = () => readdirSync(`/proc/${pid}/fd`).length
  await serves(address, 'alone')
  const before = files()
  const holders = []
  for (let i = 0; i < HOLDERS; i++) holders.push(await holder(port))
  const connected = holders.reduce((sum, each) => sum + each.connected, 0)
  check(connected === HOLDERS * EACH, `${connected} connections that ask for nothing or for half`)
  const took = await serves(address, 'among them')
  let open = 0
  for (const each of holders) open += await each.open()
  check(open > 0 && took < 20000, `served while ${open} of them were still open, not when 30 s had ended them`)
  check(files() < before + 300, `${files()} open files, ${before} before`)
  for (const each of holders) await each.end()
  await serves(address, 'after them')
}

if (process.argv[2] === 'hold') await hold()
else await main(test)
