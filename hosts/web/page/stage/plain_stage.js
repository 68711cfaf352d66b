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
    this.trails = new Map()
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
    byId('stage-words').prepend(
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
    on('blur', () => this.letGoOfKeys())
    const away = () => {
      this.letGo()
      this.letGoOfKeys()
    }
    addEventListener('blur', away, { signal: this.quit.signal })
    document.addEventListener('visibilitychange', () => document.hidden && away(), { signal: this.quit.signal })
  }

  /** Where the pointer is on the stage, and how hard a pen presses; others do not tell. */
  at(event) {
    const box = this.section.getBoundingClientRect()
    const pen = event.pointerType === 'pen' ? event.pressure : null
    const time = event.timeStamp / 1000
    const place = { x: event.clientX - box.left, y: event.clientY - box.top }
    return { ...place, pen, type: event.pointerType, time, id: event.pointerId }
  }

  /** The same, and how fast this pointer is, in stages' widths per second over its last moments; 0 when it stands. A finger
   * that comes down has not been anywhere before. */
  paced(event) {
    const at = this.at(event)
    const fresh = event.type === 'pointerdown' && event.pointerType === 'touch'
    const trail = fresh ? [] : (this.trails.get(at.id) ?? [])
    trail.push(at)
    while (trail.length > 2 && at.time - trail[0].time > 0.12) trail.shift()
    this.trails.set(at.id, trail)
    const spent = at.time - trail[0].time
    const way = Math.hypot(at.x - trail[0].x, at.y - trail[0].y) / this.width
    return { ...at, pace: spent > 0.004 && spent < 0.3 ? way / spent : 0 }
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
    const at = this.paced(event)
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

  /** Every pointer, as if it had been lifted: the page no longer hears of it. */
  letGo() {
    for (const pointer of this.pointers.values()) if (!pointer.turning) this.lab.touch({ ...pointer, kind: 'up' })
    this.pointers.clear()
  }

  letGoOfKeys() {
    this.lab.room?.key({ key: 'blur', down: false })
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId)
    const at = this.paced(event)
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
    const pace = event.type === 'pointerup' ? this.paced(event).pace : 0
    if (event.pointerType === 'touch') this.trails.delete(event.pointerId)
    if (!pointer.turning) this.lab.touch({ ...pointer, kind: 'up', pace })
  }

  key(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.section) return
    if (event.key === 'Home' && down) this.home()
    if (this.press(event, down)) event.preventDefault()
  }

  /** Space plays from anywhere on the page, unless something that takes it has the focus: a button, a place to write. */
  space(event, down) {
    const takes = event.target.closest?.(
      '#stage, button, input:not([type="range"]), select, textarea, summary, dialog, [role="radio"]',
    )
    if (event.key !== ' ' || takes || event.ctrlKey || event.metaKey || event.altKey) return
    if (this.press(event, down)) event.preventDefault()
  }

  /** True when the key meant something. */
  press({ key, code, repeat }, down) {
    return this.lab.started && this.lab.press({ key, code, down, repeat })
  }

  wheel(event) {
    event.preventDefault()
  }

  turn() {}

  home() {}
}
