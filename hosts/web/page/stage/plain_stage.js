// The stage without a picture: pointer, touch, pen and keys handed on to the room, and an overlay to write on. With three.js
// and WebGL, stage.js puts a picture behind it; without them this is all there is, and it says so. The sound needs neither.
import { byId, element, fit } from '../ui/dom.js'
import { PlainRoom } from '../rooms/plain.js'

export class PlainStage {
  constructor(lab) {
    this.lab = lab
    this.section = byId('stage')
    this.overlay = byId('overlay')
    this.pointers = new Map()
    this.quit = new AbortController()
    this.listen()
    this.observer = new ResizeObserver(() => this.resize())
    this.observer.observe(this.section)
    this.resize()
  }

  /** Makes way for another stage. */
  close() {
    this.quit.abort()
    this.observer.disconnect()
  }

  roomFor() {
    return PlainRoom
  }

  lack(title, words) {
    byId('stage-lack')?.remove()
    this.section.prepend(
      element(
        'div',
        { id: 'stage-lack', className: 'stage-lack', role: 'note' },
        element('b', {}, title),
        element('span', {}, words),
      ),
    )
  }

  resize() {
    this.width = this.section.clientWidth || 1
    this.height = this.section.clientHeight || 1
  }

  repaint(colors) {
    this.colors = { css: colors, theme: colors.theme }
  }

  draw(room, now, seconds) {
    const { pen, width, height } = fit(this.overlay)
    pen.clearRect(0, 0, width, height)
    room?.frame(now, seconds, pen)
  }

  // ---- pointer and keys

  listen() {
    const on = (name, handler) =>
      this.section.addEventListener(name, handler, { signal: this.quit.signal, passive: false })
    on('pointerdown', (event) => this.down(event))
    on('pointermove', (event) => this.move(event))
    on('pointerrawupdate', (event) => this.trace(event))
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) on(name, (event) => this.up(event))
    on('wheel', (event) => this.wheel(event))
    on('dblclick', (event) => event.preventDefault())
    on('contextmenu', (event) => event.preventDefault())
    on('keydown', (event) => this.key(event, true))
    on('keyup', (event) => this.key(event, false))
    on('blur', () => this.lab.room?.key({ key: 'blur', down: false }))
  }

  /** Where the pointer is on the stage, and how hard a pen presses; others do not tell. */
  at(event) {
    const box = this.section.getBoundingClientRect()
    const pen = event.pointerType === 'pen' ? event.pressure : null
    const time = event.timeStamp / 1000
    const place = { x: event.clientX - box.left, y: event.clientY - box.top }
    return { ...place, pen, type: event.pointerType, time, id: event.pointerId }
  }

  /** Every sample a pen or mouse has taken since the last event, as soon as the browser tells. */
  trace(event) {
    const pointer = this.pointers.get(event.pointerId)
    const all = event.getCoalescedEvents?.() ?? []
    if (pointer && !pointer.turning) this.lab.hand?.trace((all.length ? all : [event]).map((one) => this.at(one)))
  }

  down(event) {
    if (event.target.closest('.curtain, button')) return
    this.section.setPointerCapture(event.pointerId)
    this.section.focus({ preventScroll: true, focusVisible: false })
    const turning = event.button === 2 || event.altKey || this.turnable
    const at = this.at(event)
    this.pointers.set(event.pointerId, { ...at, turning })
    if (!turning) this.lab.touch({ kind: 'down', ...at })
    event.preventDefault()
  }

  /** While the camera's button is in, every pointer turns the picture: what was played is let go of. */
  setTurning(on) {
    this.turnable = on
    for (const pointer of this.pointers.values()) {
      if (!pointer.turning && on) this.lab.touch({ ...pointer, kind: 'up' })
      pointer.turning = on
    }
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId)
    const at = this.at(event)
    if (!pointer) return this.lab.touch({ kind: 'hover', ...at })
    this.trace(event)
    if (pointer.turning) this.turn(event.pointerId, at)
    else this.lab.touch({ kind: 'move', ...at })
    Object.assign(pointer, at)
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId)
    if (!pointer) return
    this.pointers.delete(event.pointerId)
    if (!pointer.turning) this.lab.touch({ kind: 'up', ...pointer })
  }

  key(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.section) return
    if (event.key === 'Home' && down) this.home()
    if (this.lab.started && this.lab.room?.key({ key: event.key, down, repeat: event.repeat })) event.preventDefault()
  }

  /** Space plays from anywhere on the page, unless something that takes it has the focus. */
  space(event, down) {
    const takes = event.target.closest?.('#stage, button, input, select, textarea, summary, a, dialog, [role="radio"]')
    if (event.key !== ' ' || takes || event.ctrlKey || event.metaKey || event.altKey || !this.lab.started) return
    if (this.lab.room?.key({ key: ' ', down, repeat: event.repeat })) event.preventDefault()
  }

  wheel(event) {
    event.preventDefault()
  }

  turn() {}

  home() {}
}
