// The scenes, as cards. A card's picture is drawn from what the scene is made of: the shape that rings and the way it is
// touched; so a scene that lands tomorrow has a card tomorrow.
import { byId, element } from './dom.js'

const shapes = {
  glass: '<path d="M12 6h16l-2 11c-.6 3.4-3 5.5-6 5.5s-5.4-2.1-6-5.5zM20 22.5V33M13.5 34h13"/>',
  wineglass: '<path d="M12.5 6h15c1.6 7 1 15-7.5 15.5S11 13 12.5 6zM20 21.5V33M13.5 34h13"/>',
  tumbler: '<path d="M11 8h18l-2.5 25h-13zM13.8 30h12.4"/>',
  bowl: '<path d="M7 14h26c0 9-5 15-13 15S7 23 7 14zM15 32h10"/>',
  bell: '<path d="M13 27c1-3 1-6 1-9 0-5 2.5-8 6-8s6 3 6 8c0 3 0 6 1 9l2 2.5H11zM20 7v3"/>',
  ring: '<circle cx="20" cy="20" r="12"/>',
  bar: '<path d="M5 24h30v4.5H5zM11 32v-3.5M29 32v-3.5"/>',
  tube: '<path d="M12 12v21M20 12v17M28 12v21M8 9h24"/>',
  string: '<path d="M5 22c10-5 20 5 30 0M5 17v10M35 17v10"/>',
  plate: '<path d="M4 27 12 20h24l-8 7z"/>',
  membrane: '<path d="M4 27 12 20h24l-8 7z"/>',
  disc: '<ellipse cx="20" cy="25" rx="14" ry="5"/>',
  drum: '<ellipse cx="20" cy="17" rx="13" ry="4.5"/><path d="M7 17v11c0 2.5 6 4.5 13 4.5S33 30.5 33 28V17"/>',
  balls:
    '<circle cx="9" cy="25" r="4.5"/><circle cx="18" cy="25" r="4.5"/><circle cx="27" cy="25" r="4.5"/><path d="M9 20.5V7M18 20.5V7M27 20.5V7"/>',
  block: '<path d="M8 31h24M12 31V17M20 31V11M28 31V21"/>',
  mesh: '<path d="M8 12h24v18H8zM16 12v18M24 12v18M8 18h24M8 24h24"/>',
}
shapes.chain = shapes.string
shapes.network = shapes.mesh
const rub = '<path class="touch" d="M7 8.5c2.6-3 5.2-3 7.8 0s5.2 3 7.8 0 5.2-3 7.8 0"/>'
const hit = '<path class="touch" d="M20 14.5V9M14.5 14 11.5 9.5M25.5 14l3-4.5"/>'

const roll =
  '<circle class="touch" cx="20" cy="15.5" r="5.5"/><path class="touch" d="M20 10v5.5M9 11h3.5M6 15.5h5M9 20h3.5"/>'

/** How it is touched: rolled, rubbed (a string by its bow, whatever else may strike it), or struck. */
function touchOf(main, contacts, drives) {
  if (drives.includes('roll')) return roll
  if (!contacts.includes('impact') || (main === 'string' && contacts.includes('friction')) || drives.length) return rub
  return main === 'balls' ? '' : hit
}

function glyph({ shapes: kinds = [], contacts = [], drives = [] }) {
  const count = kinds.filter(Boolean).length
  const main = kinds.find(Boolean) ?? (contacts.includes('friction') ? 'block' : kinds.length > 2 ? 'balls' : 'block')
  const touch = touchOf(main, contacts, drives)
  const body =
    count > 4 && main === 'bar'
      ? '<path d="M6 19v14M12 20v12M18 21v10M24 22v8M30 23v6M4 16h32" stroke-width="2.6"/>'
      : (shapes[main] ?? shapes.block)
  return `<svg viewBox="0 0 40 40" aria-hidden="true">${body}${main.endsWith('glass') || main === 'tumbler' || main === 'tube' || main === 'drum' ? touch.replace('<path', '<path transform="translate(0 -4)"') : touch}</svg>`
}

export function showCards(catalogue, choose) {
  const cards = catalogue.map((scene) => {
    const card = element('button', {
      type: 'button',
      className: 'card',
      title: scene.about,
      onclick: (event) => choose(scene.name, event.detail > 0) /* by a key there are no clicks to count */,
    })
    card.dataset.scene = scene.name
    card.innerHTML = glyph(scene)
    card.append(element('b', {}, scene.title), element('span', {}, scene.about))
    return card
  })
  byId('rail').replaceChildren(element('p', { className: 'rail-word' }, 'Scenes'), ...cards)
  byId('rail').addEventListener('keydown', (event) => walk(event, cards))
}

/** Arrow keys go from card to card. */
function walk(event, cards) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  const at = cards.indexOf(document.activeElement)
  if (!step || at < 0) return
  cards[(at + step + cards.length) % cards.length].focus()
  event.preventDefault()
}

export function markCard(name) {
  for (const card of document.querySelectorAll('.card')) {
    const here = card.dataset.scene === name
    card.setAttribute('aria-current', here)
    if (here) card.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
}
