// A shut door round one of its panels: stiles and rails, a lower panel that does not sound, hinges, a lever handle on its
// plate, and the frame the door hangs in. Made for a panel of this width and height, whose middle is at `panelAt`.
import { vec } from './kit.js'

export class PanelledDoor {
  constructor(kit, wide, high) {
    Object.assign(this, { kit, wide, high, group: kit.group(), panels: [] })
    this.rail = wide * 0.2
    this.thick = wide * 0.08
    this.lower = high * 0.5
    this.panelAt = this.rail * 2.4 + this.lower + high / 2
    this.top = this.panelAt + high / 2 + this.rail
    this.makeLeaf()
    this.makeFrame()
    this.makeHandle()
  }

  box(x, z, wide, high, look = 'wood', deep = this.thick) {
    const made = this.kit.plank(wide, deep, high, look, this.thick * 0.1)
    made.position.set(x, 0, z)
    this.group.add(made)
    return made
  }

  makeLeaf() {
    const { wide, rail, lower, top } = this
    for (const side of [-1, 1]) this.box((side * (wide + rail)) / 2, top / 2, rail, top)
    this.box(0, top - rail / 2, wide, rail)
    this.box(0, rail * 1.9 + lower, wide, rail)
    this.box(0, rail * 0.7, wide, rail * 1.4)
    this.panels.push(this.box(0, rail * 1.4 + lower / 2, wide, lower, 'wood', this.thick * 0.3))
  }

  /** Posts and a lintel, a little apart from the leaf, and two hinges between. */
  makeFrame() {
    const { wide, rail, top, thick, kit } = this
    const bar = rail * 0.5
    const gap = rail * 0.16
    const out = wide / 2 + rail + gap + bar / 2
    for (const side of [-1, 1]) this.box(side * out, (top + gap) / 2, bar, top + gap, 'stone', thick * 2)
    this.box(0, top + gap + bar / 2, 2 * out + bar, bar, 'stone', thick * 2)
    for (const z of [0.2, 0.82]) {
      const hinge = kit.hinge(rail * 1.2, gap * 0.8)
      hinge.position.set(wide / 2 + rail + gap / 2, -thick * 0.4, top * z)
      this.group.add(hinge)
    }
  }

  /** On the stile away from the hinges, its lever before the upper panel, low enough for a hand to knock over it. */
  makeHandle() {
    const { wide, high, rail, lower, thick, kit } = this
    const x = -(wide + rail) / 2
    const z = rail * 2.4 + lower + high * 0.1
    const y = -thick * 1.3
    const plate = this.box(x, z - rail * 0.25, rail * 0.32, rail * 1.5, 'iron')
    plate.position.y = -thick * 0.15
    const neck = kit.rod(vec(x, 0, z), vec(x, y, z), rail * 0.1, 'steel')
    const lever = kit.rod(vec(x - rail * 0.08, y, z), vec(x + rail * 1.9, y, z - rail * 0.1), rail * 0.12, 'steel')
    this.group.add(neck, lever)
  }
}
