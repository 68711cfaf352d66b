// The rooms. Each is a class with one interface:
//   static fits(info, roles)   whether this scene is its kind, judged by what the scene is made of, never by its name
//   hint                       one line on how to play
//   paths                      the taps its picture needs
//   enter()  leave()           put its things on the stage, take them away
//   frame(now, seconds, pen)   draw one frame by the engine's clock
//   pointer(p)  key(k)         play
// The first that fits is taken; the last fits everything.
import { BarsRoom } from './bars.js'
import { BoardRoom } from './board.js'
import { BrakeRoom } from './brake.js'
import { ChimeRoom } from './chime.js'
import { CradleRoom } from './cradle.js'
import { DoorRoom } from './door.js'
import { GenericRoom } from './generic.js'
import { GlassRoom } from './glass.js'
import { HammerRoom } from './hammer.js'
import { PanelRoom } from './panel.js'
import { PaperRoom } from './paper.js'
import { RollersRoom } from './rollers.js'
import { SawRoom } from './saw.js'
import { StringsRoom } from './strings.js'
import { TrayRoom } from './tray.js'
import { WheelRoom } from './wheel.js'
import { WipeRoom } from './wipe.js'

const rooms = [
  GlassRoom,
  DoorRoom,
  WheelRoom,
  StringsRoom,
  SawRoom,
  ChimeRoom,
  CradleRoom,
  BarsRoom,
  PanelRoom,
  TrayRoom,
  RollersRoom,
  PaperRoom,
  BrakeRoom,
  BoardRoom,
  WipeRoom,
  HammerRoom,
  GenericRoom,
]

export function roomFor(info, roles) {
  return rooms.find((room) => room.fits(info, roles))
}
