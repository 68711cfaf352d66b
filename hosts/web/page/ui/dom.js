// Making elements, and saying things to people.

export const byId = (id) => document.getElementById(id)

/** element('p', {class: 'hint', onclick: f}, 'words', child...) */
export function element(tag, traits = {}, ...children) {
  const made = document.createElement(tag)
  for (const [key, value] of Object.entries(traits)) {
    if (value === null || value === undefined) continue
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (key in made && key !== 'list' && !key.startsWith('aria')) made[key] = value
    else made.setAttribute(key === 'className' ? 'class' : key, value)
  }
  made.append(...children.filter((child) => child !== null))
  return made
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use')
  use.setAttribute('href', `#i-${name}`)
  svg.append(use)
  return svg
}

export function setIcon(button, name) {
  button.querySelector('use').setAttribute('href', `#i-${name}`)
}

/** A word at the bottom of the page that goes by itself; bad news stay longer. */
export function say(words, { bad = false, node = null } = {}) {
  const toast = element('div', { className: bad ? 'toast bad' : 'toast' }, words, ...(node ? [' ', node] : []))
  const toasts = byId('toasts')
  while (toasts.children.length > 2) toasts.firstChild.remove()
  toasts.append(toast)
  setTimeout(() => toast.remove(), bad ? 9000 : 5000)
  return toast
}

/** Nothing can go on: a page of its own that says what is missing and what would help. */
export function halt(title, words, items = []) {
  const page = byId('halt')
  page.replaceChildren(
    element('h2', {}, title),
    element('ul', {}, ...items.map((item) => element('li', {}, item))),
    element('p', {}, words),
  )
  page.hidden = false
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob)
  const link = element('a', { href: address, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 60000)
}

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** A canvas in its own pixels. Returns the context in CSS units, and whether the size has changed. */
export function fit(canvas, most = 2) {
  const ratio = Math.min(window.devicePixelRatio || 1, most)
  const wide = Math.max(1, Math.round(canvas.clientWidth * ratio))
  const high = Math.max(1, Math.round(canvas.clientHeight * ratio))
  const changed = canvas.width !== wide || canvas.height !== high
  if (changed) {
    canvas.width = wide
    canvas.height = high
  }
  const pen = canvas.getContext('2d')
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  return { pen, width: canvas.clientWidth, height: canvas.clientHeight, ratio, changed }
}
