// Light or dark: as the system wishes, until the button says otherwise.
import { byId } from './dom.js'

const wish = matchMedia('(prefers-color-scheme: light)')

/** The page's colours, as the style sheet has them now. */
export function pageColors() {
  const style = getComputedStyle(document.documentElement)
  const read = (name) => style.getPropertyValue(`--${name}`).trim()
  const names = ['accent', 'cool', 'hot', 'text', 'muted', 'panel', 'stage-near', 'stage-far']
  return {
    theme: document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
    line: read('line-strong'),
    font: getComputedStyle(document.body).fontFamily,
    ...Object.fromEntries(names.map((name) => [name, read(name)])),
  }
}

function stored() {
  try {
    return localStorage.getItem('contatto-theme')
  } catch {
    return null
  }
}

export function handleTheme(changed) {
  const show = () => {
    const theme = stored() ?? (wish.matches ? 'light' : 'dark')
    document.documentElement.dataset.theme = theme
    byId('theme').setAttribute('aria-label', theme === 'light' ? 'Dark colours' : 'Light colours')
    byId('theme').title = byId('theme').getAttribute('aria-label')
    changed()
  }
  byId('theme').addEventListener('click', () => {
    try {
      localStorage.setItem('contatto-theme', document.documentElement.dataset.theme === 'light' ? 'dark' : 'light')
    } catch {
      /* private windows may refuse: then it lasts as long as the page */
    }
    if (!stored())
      document.documentElement.dataset.theme = document.documentElement.dataset.theme === 'light' ? 'dark' : 'light'
    show()
  })
  wish.addEventListener('change', show)
  show()
}
