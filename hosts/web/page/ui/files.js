// Files in and out: a button, a drop anywhere, a download. What is no scene is taken for a sound.
import { byId, download, say } from './dom.js'

const largest = 4e6 /* bytes; a scene is a few thousand */

export function handleFiles(lab) {
  byId('open').addEventListener('click', () => byId('file').click())
  byId('file').addEventListener('change', async (event) => {
    const [file] = event.target.files
    event.target.value = ''
    if (file) await openFile(lab, file)
  })
  byId('save').addEventListener('click', () => {
    download(new Blob([lab.engine.text()], { type: 'application/json' }), `${lab.name}.json`)
    say(`Saved ${lab.name}.json. It opens here, and with contatto render ${lab.name}.json.`)
  })
  dropZone(lab)
}

function dropZone(lab) {
  let depth = 0
  const here = (on) => byId('drop').classList.toggle('here', on)
  const carries = (event) => event.dataTransfer?.types.includes('Files')
  addEventListener('dragenter', (event) => {
    if (carries(event)) here(++depth > 0)
  })
  addEventListener('dragleave', (event) => {
    if (carries(event)) here(--depth > 0)
  })
  addEventListener('dragover', (event) => {
    if (carries(event)) event.preventDefault()
  })
  addEventListener('drop', async (event) => {
    depth = 0
    here(false)
    if (!carries(event)) return
    event.preventDefault()
    if (event.dataTransfer.files[0]) await openFile(lab, event.dataTransfer.files[0])
  })
}

async function openFile(lab, file) {
  if (!(await isScene(file))) return lab.recordings.take(file)
  if (file.size > largest)
    return say(`${file.name}: ${Math.round(file.size / 1e6)} MB is too large for a scene file`, { bad: true })
  await lab.open({ text: await file.text(), title: file.name.replace(/\.json$/i, '') })
}

/** By its name, its type, or its first letter. */
async function isScene(file) {
  if (/\.json$/i.test(file.name) || file.type === 'application/json') return true
  return /^\s*\{/.test(await file.slice(0, 64).text())
}
