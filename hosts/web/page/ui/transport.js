// Demo, record, pause, and a meter of what leaves the page.
import { byId, download, fit, say, setIcon } from './dom.js'
import { digits } from './scale.js'

export class Transport {
  constructor(lab) {
    this.lab = lab
    this.peak = 0
    this.level = 0
    this.recording = false
    byId('demo').addEventListener('click', () => this.demo())
    byId('record').addEventListener('click', () => this.record())
    byId('pause').addEventListener('click', () => this.pause())
    byId('volume').addEventListener('input', () => this.setVolume(false))
    byId('mute').addEventListener('click', () => this.setVolume(!this.muted))
    this.setVolume(false)
    lab.engine.on('gesture-end', () => this.showPlaying(false))
    for (const word of ['running', 'stopped']) lab.engine.on(word, () => this.showRunning(lab.engine.running))
  }

  started() {
    for (const id of ['record', 'pause']) byId(id).disabled = false
    this.enter()
  }

  /** A scene without a gesture has no demo. */
  enter() {
    this.showPlaying(false)
    byId('demo').disabled = !this.lab.started || !this.lab.info.gesture
  }

  demo() {
    if (this.playing) {
      this.lab.engine.stop()
      if (this.lab.roles.push) this.lab.hand.lift()
    } else {
      this.lab.hand.grasp()
      this.lab.engine.play()
    }
    this.showPlaying(!this.playing)
  }

  /** The player's hand goes before the demo. */
  interrupt() {
    if (!this.playing) return
    this.lab.engine.stop()
    this.showPlaying(false)
  }

  showPlaying(playing) {
    this.playing = playing
    setIcon(byId('demo'), playing ? 'stop' : 'play')
    byId('demo').querySelector('.word').textContent = playing ? 'Stop' : 'Demo'
    byId('demo').setAttribute('aria-pressed', playing)
  }

  async record() {
    const button = byId('record')
    const { recording } = this.lab.engine
    if (!this.recording) {
      await recording.start()
      this.recording = performance.now()
      button.setAttribute('aria-pressed', 'true')
      return
    }
    this.recording = false
    button.setAttribute('aria-pressed', 'false')
    button.querySelector('.word').textContent = 'Record'
    const wav = await recording.stop()
    download(wav, `contatto-${this.lab.name}.wav`)
    say(
      `Recorded: contatto-${this.lab.name}.wav, ${Math.max(1, Math.round(wav.size / 1000))} kB, the very samples you heard.`,
    )
  }

  /** The slider is in steps of loudness: its lower half is the last 20 dB. */
  setVolume(muted) {
    const at = Number(byId('volume').value) / 100
    this.muted = muted
    this.lab.engine.volume = muted ? 0 : at ** 2
    byId('mute').setAttribute('aria-pressed', String(muted))
    setIcon(byId('mute'), muted || at === 0 ? 'mute' : 'sound')
  }

  async pause() {
    const { engine } = this.lab
    await (engine.running ? engine.pause() : engine.resume())
    this.showRunning(engine.running)
  }

  /** The browser may stop the sound by itself, as when a phone rings. */
  showRunning(running) {
    byId('pause').setAttribute('aria-pressed', !running)
    setIcon(byId('pause'), running ? 'pause' : 'play')
    byId('pause').querySelector('.word').textContent = running ? 'Pause' : 'Go on'
  }

  draw(seconds, colors) {
    if (this.recording)
      byId('record').querySelector('.word').textContent = clock((performance.now() - this.recording) / 1000)
    const tail = this.lab.engine.tail('output', 1024)
    const most = tail.reduce((m, x) => Math.max(m, Math.abs(x)), 0)
    this.level = Math.max(most, this.level * Math.exp(-seconds / 0.25))
    this.peak = Math.max(most, this.peak * Math.exp(-seconds / 2))
    this.drawBar(colors)
    const taken = this.lab.engine.limiter?.gain_db ?? 0
    const peak = 20 * Math.log10(this.peak)
    const text =
      taken < -0.1
        ? `limited ${digits(-taken, 2)} dB`
        : this.peak > 1e-4
          ? `${Math.round(peak)} dB`.replace('-', '−')
          : 'silent'
    if (byId('meter-word').textContent !== text) byId('meter-word').textContent = text
  }

  drawBar(colors) {
    const { pen, width, height } = fit(byId('meter').querySelector('canvas'))
    const at = (x) => Math.max(0, 1 + (20 * Math.log10(Math.max(x, 1e-6))) / 60) * width
    pen.clearRect(0, 0, width, height)
    pen.fillStyle = colors.line
    pen.globalAlpha = 0.45
    pen.fillRect(0, 0, width, height)
    pen.globalAlpha = 1
    pen.fillStyle = this.level > 0.9 ? colors.hot : colors.accent
    pen.fillRect(0, 0, at(this.level), height)
    pen.fillStyle = colors.text
    pen.fillRect(Math.min(width - 2, at(this.peak)), 0, this.peak > 1e-3 ? 2 : 0, height)
  }
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
