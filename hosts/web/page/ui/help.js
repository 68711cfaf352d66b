// How to play, in one window.
import { byId, element, icon } from './dom.js'

const keys = (words) => words.split(' ').flatMap((key, i) => [...(i ? [' '] : []), element('kbd', {}, key)])
const list = (rows) =>
  element(
    'dl',
    {},
    ...rows.flatMap(([what, does]) => [
      element('dt', {}, ...(Array.isArray(what) ? what : [what])),
      element('dd', {}, does),
    ]),
  )

export function handleHelp() {
  const dialog = byId('help-dialog')
  const close = element(
    'button',
    { type: 'button', className: 'button quiet round close', 'aria-label': 'Close', onclick: () => dialog.close() },
    icon('close'),
  )
  dialog.append(
    element(
      'div',
      { className: 'dialog-body' },
      close,
      element('h2', { id: 'help-title' }, 'Touch it'),
      element(
        'p',
        {},
        'Every sound here is computed, at every sample, from masses, stiffnesses and speeds. Your pointer is a force: across the stage it pushes along the surface, down it presses onto it. What you see is what the engine has: the same positions that make the sound draw the picture, each vibration as through a stroboscope and much magnified.',
      ),
      element('h3', {}, 'Pointer, touch, pen'),
      list([
        ['Press and pull', 'push along, press down; let go to lift'],
        ['Click a body', 'strike it there, or throw what strikes it'],
        ['Pen', 'its pressure is the normal force'],
        ['Drop a sound on the page', 'the modes of what was struck in it become a body to play'],
        ['Right button, or the round arrow', 'turn the picture; wheel or pinch for size'],
      ]),
      element('h3', {}, 'Keys, when the stage has the focus'),
      list([
        [keys('Space'), 'touch as the demo does, or strike'],
        [keys('← →'), 'push either way, harder the longer; or where to strike'],
        [keys('↑ ↓'), 'press harder or lighter; or strike harder or softer'],
        [keys('1 … 9'), 'strike the first, second … body'],
        [keys('A S D F'), 'and the rows around: notes, where there are notes'],
        [keys('Home'), 'the picture as it was'],
      ]),
      element('h3', {}, 'Keys, anywhere'),
      list([
        [keys('P'), 'play or stop the demo'],
        [keys('R'), 'record, and stop recording'],
        [keys('0'), 'reset'],
        [keys('Ctrl+Z Ctrl+Y'), 'undo, redo'],
        [keys('?'), 'this window'],
      ]),
    ),
  )
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  byId('help').addEventListener('click', () => dialog.showModal())
}

export function handleKeys(press, step) {
  addEventListener('keydown', (event) => {
    const back = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()]
    if (
      back &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.target.closest?.('input[type="text"], input[type="search"], textarea, dialog')
    ) {
      event.preventDefault()
      return step(back)
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (event.target.closest?.('input, select, textarea, dialog')) return
    const id = { p: 'demo', r: 'record', 0: 'reset', '?': 'help' }[event.key.toLowerCase()]
    if (id && !byId(id).disabled) press(id)
  })
}
