"""The examples: from a first touch to the papers' own objects."""
import math

from pd_help import foot, notes, out, page, start, steps
from pd_patch import Patch

LOUD = "level after START: -24 to -16 LUFS"


def first_touch():
    p = page("first touch", "one scene after the other: click START, then load another one, and open its panel", 900, 520)
    go = start(p, 20, 56)
    s = p.obj(20, 400, "ct.scene~ hammer")
    p.chain(go, p.msg(20, 140, "demo"), s)
    for i, name in enumerate(("hammer", "glass", "cello", "marble", "creak", "wheel", "knock", "goblet", "saw", "chalk")):
        send = p.obj(110 + 130 * (i // 5), 300, "s $0-to") if i % 5 == 0 else send
        box = p.msg(110 + 130 * (i // 5), 140 + 28 * (i % 5), f"load {name}")
        p.link(box, 0, send)
    p.link(p.obj(110, 350, "r $0-to"), 0, s)
    for i, text in enumerate(("panel", "describe", "reset")):
        p.link(p.msg(20, 170 + 28 * i, text), 0, s)
    out(p, 20, 440, s)
    notes(p, 430, 60, ["START turns Pd's sound on and plays the hammer's gesture.", "load takes another scene. It is built aside, without a gap in the sound, and fades in. Then click demo.",
                       "panel opens a window with a slider for each of its controls. All of it can also be sent as messages: hardness 0.8", "describe lists controls and presets in Pd's window.",
                       "Next: the help of [ct.scene~] (right click, Help), then the other examples."], 60)
    foot(p, 490, LOUD)
    return p


# ---- Gem ----


def gem_page(name, words, scene, taps, height=640):
    """Scene, states read twenty times a second, and a switch for Gem's window."""
    p = page(name, words, 980, height)
    p.lines.append("#X declare -lib Gem;")
    go = start(p, 20, 56)
    s = p.obj(20, 230, f"ct.scene~ {scene} -out {' '.join(taps)}", 60)
    p.chain(go, p.msg(20, 140, "demo"), s)
    p.link(p.msg(80, 140, "push 0"), 0, s)
    p.link(p.msg(150, 140, "panel"), 0, s)
    window = p.bang(20, 340, 30, receive="ct-window")
    p.text(60, 345, "click: Gem's window")
    order = p.obj(20, 385, "t b b")
    gemwin = p.obj(20, 460, "gemwin 20")
    p.link(window, 0, order)
    for outlet, text, x in ((1, "dimen 640 480, create", 80), (0, "1", 20)):
        message = p.msg(x, 420, text)
        p.link(order, outlet, message)
        p.link(message, 0, gemwin)
    p.chain(order, p.obj(140, 385, "metro 50"), p.obj(220, 385, "s $0-frame"))
    return p, s


def reader(p, x, y, scene, outlet, factor, words):
    """A state as a number, twenty times a second, times a factor."""
    snap, times = p.obj(x, y, "snapshot~"), p.obj(x, y + 26, f"* {factor}")
    p.text(x + 80, y + 20, words, 26)
    p.link(scene, outlet, snap)
    p.link(p.obj(x + 90, y - 22, "r $0-frame"), 0, snap)
    p.link(snap, 0, times)
    return times


def colored(p, x, y, color, size=""):
    head, paint = p.obj(x, y, "gemhead"), p.obj(x, y + 26, f"colorRGB {color}")
    p.link(head, 0, paint)
    return paint


def glass():
    p, s = gem_page("glass", "a singing glass drawn with Gem, after Avanzini, Serafin and Rocchesso 2005", "glass", ["finger.tip.tangential_x_m", "rub.force_n", "glass.ear.x_m"])
    out(p, 20, 290, s)
    angle = reader(p, 330, 300, s, 1, 1593, "degrees: once round the rim is 0.226 m")
    bend = reader(p, 620, 300, s, 3, 300, "how far it bends, magnified")
    plus = p.obj(620, 352, "+ 1")
    p.link(bend, 0, plus)
    rim = colored(p, 620, 390, "0.7 0.85 1")
    tilt, scale, ring = p.obj(620, 442, "rotateXYZ 70 0 0"), p.obj(620, 468, "scaleXYZ 1 1 1"), p.obj(620, 494, "torus 1.6 60 0.06")
    p.chain(rim, tilt, scale, ring)
    p.link(plus, 0, scale, 1)
    lines = p.msg(800, 370, "draw line")
    p.link(p.obj(800, 345, "loadbang"), 0, lines)
    bowl = colored(p, 800, 400, "0.45 0.6 0.8")
    walls, stem, foot_ = p.obj(800, 478, "tube 1.6 0.3 1.6 40"), p.obj(800, 530, "tube 0.06 0.06 0.8 12"), p.obj(800, 582, "disk 0.7 40")
    p.chain(bowl, p.obj(800, 452, "rotateXYZ 70 0 0"), walls, p.obj(800, 504, "translateXYZ 0 0 1.6"), stem, p.obj(800, 556, "translateXYZ 0 0 0.8"), foot_)
    p.link(lines, 0, walls)
    finger = colored(p, 330, 390, "1 0.6 0.4")
    turn = p.obj(330, 468, "rotateXYZ 0 0 0")
    p.chain(finger, p.obj(330, 442, "rotateXYZ 70 0 0"), turn, p.obj(330, 494, "translateXYZ 1.6 0 0.15"), p.obj(330, 520, "sphere 0.22"))
    p.link(angle, 0, turn, 3)
    foot(p, 612, LOUD)
    return p


def leaf(p, x, angle, side, color):
    """A shutter that turns about its outer edge, with two battens and a knob."""
    paint = colored(p, x, 390, color)
    hinge, turn = p.obj(x, 442, f"translateXYZ {side * 2} 0 0"), p.obj(x, 468, "rotateXYZ 0 0 0")
    board = p.chain(paint, hinge, turn, p.obj(x, 494, f"translateXYZ {-side} 0 0"), p.obj(x, 520, "rectangle 0.95 1.8"))
    p.link(angle, 0, turn, 2)
    upper, lower = p.obj(x, 598, "rectangle 0.95 0.12"), p.obj(x, 650, "rectangle 0.95 0.12")
    p.chain(board, p.obj(x, 546, "colorRGB 0.3 0.2 0.1"), p.obj(x, 572, "translateXYZ 0 1.2 0.02"), upper, p.obj(x, 624, "translateXYZ 0 -2.4 0"), lower)
    p.chain(lower, p.obj(x, 676, f"translateXYZ {-side * 0.75} 1.2 0.02"), p.obj(x, 702, "colorRGB 0.9 0.8 0.4"), p.obj(x, 728, "disk 0.1 20"))


def house(p, x):
    """The wall, the frame of the window, and the dark behind it."""
    for i, (color, place, size) in enumerate((("0.62 0.6 0.55", "0 0 -0.3", "6 4.5"), ("0.85 0.82 0.75", "0 0 -0.2", "2.25 2.05"), ("0.06 0.06 0.1", "0 0 -0.1", "2 1.8"))):
        y = 500 + 92 * i
        p.chain(p.obj(x, y, "gemhead"), p.obj(x + 80, y, f"colorRGB {color}"), p.obj(x, y + 26, f"translateXYZ {place}"), p.obj(x, y + 52, f"rectangle {size}"))


def door():
    p, s = gem_page("door", "two creaking shutters drawn with Gem, after Avanzini, Serafin and Rocchesso 2005", "door", ["shutter1.pin.tangential_x_m", "shutter2.pin.tangential_x_m"], 830)
    out(p, 20, 290, s, True)
    house(p, 20)
    leaf(p, 330, reader(p, 330, 300, s, 2, 286, "degrees: displacement at the hinge over 0.2 m"), -1, "0.5 0.35 0.2")
    leaf(p, 620, reader(p, 620, 300, s, 3, -286, "the other one, the other way"), 1, "0.6 0.42 0.24")
    foot(p, 790, LOUD)
    return p


def wheel():
    p, s = gem_page("wheel", "a braked wheel drawn with Gem, after Avanzini, Serafin and Rocchesso 2005", "wheel", ["wheel.turn.tangential_x_m", "cart.axle.tangential_x_m"])
    out(p, 20, 290, s)
    angle, place = reader(p, 330, 300, s, 1, -229, "degrees: its radius is 0.25 m"), reader(p, 620, 300, s, 2, 1, "metres")
    wrapped = p.obj(620, 354, "expr fmod($f1 + 4000, 8) - 4")
    p.link(place, 0, wrapped)
    for i, (color, shape) in enumerate((("0.55 0.58 0.62", "disk 1.2 40 1.05"), ("0.8 0.3 0.2", "rectangle 0.08 1.1"), ("0.8 0.3 0.2", "rectangle 1.1 0.08"))):
        x = 330 + 155 * i
        paint = colored(p, x, 390, color)
        move, turn = p.obj(x, 442, "translateXYZ 0 0 0"), p.obj(x, 468, "rotateXYZ 0 0 0")
        p.chain(paint, move, turn, p.obj(x, 494, shape))
        p.link(wrapped, 0, move, 1)
        p.link(angle, 0, turn, 3)
    rail = colored(p, 800, 390, "0.4 0.4 0.4")
    p.chain(rail, p.obj(800, 442, "translateXYZ 0 -1.3 0"), p.obj(800, 468, "rectangle 5 0.06"))
    foot(p, 600, LOUD)
    return p


# ---- hands ----


def bow_pad():
    p = page("bow and pad", "speed and force of a bow on one plane: press and drag", 900, 620)
    go = start(p, 20, 56)
    pad = p.obj(20, 170, "ct.pad 300 240 -0.6 0.6 0 4")
    p.link(steps(p, 20, 140, go, [[(0, "0.2 1"), (1500, "-0.2 1"), (3000, "0.1 0.7"), (4500, "0 0.5")]]), 0, pad)
    s = p.obj(20, 500, "ct.scene~ cello speed force -out rub.relative_m_s")
    for i, x in enumerate((20, 150)):
        number, line = p.number(x, 420, 8), p.obj(x, 475, "line~")
        p.link(pad, i, number)
        p.chain(number, p.msg(x, 447, "$1 40"), line)
        p.link(line, 0, s, i + 1)
    p.text(85, 420, "m/s")
    p.text(215, 420, "N")
    out(p, 20, 540, s)
    for i, text in enumerate(("pitch 0", "pitch 5 200", "pitch 7 200", "vibrato 20", "vibrato 0", "skill 1", "skill 0")):
        send = p.obj(350, 380, "s $0-to") if i == 0 else send
        p.link(p.msg(350, 170 + 28 * i, text), 0, send)
    p.link(p.obj(350, 440, "r $0-to"), 0, s)
    notes(p, 500, 60, ["x: the bow's speed. Left of the middle it goes the other way.", "y: its force. Too little and the string whistles, too much and it crunches. Between the two it sings, and the way is wider for slow bows.",
                       "This is Schelleng's diagram under the hand."], 48)
    foot(p, 590, LOUD)
    return p


def track():
    p = page("tilting track", "a ball in a tray that is tilted by two axes: it runs to and fro and knocks at the rims", 900, 620)
    go = start(p, 20, 56)
    pad = p.obj(20, 170, "ct.pad 220 220 -0.15 0.15 -0.15 0.15")
    p.link(steps(p, 20, 140, go, [[(0, "0.1 0.02"), (1200, "-0.1 0.05"), (2600, "0.12 -0.1"), (4200, "-0.08 -0.03")]]), 0, pad)
    s = p.obj(20, 480, "ct.scene~ track -out x.x_m y.x_m")
    for i, name in enumerate(("tilt_x", "tilt_y")):
        number = p.number(20 + 120 * i, 400, 8)
        p.link(pad, i, number)
        p.chain(number, p.msg(20 + 120 * i, 427, f"{name} $1"), s)
    out(p, 20, 520, s)
    view = p.obj(300, 170, "ct.pad 320 220 -0.16 0.16 -0.11 0.11")
    p.text(300, 145, "where the ball is")
    metro, pack = p.obj(300, 450, "metro 40"), p.obj(300, 560, "pack f f")
    p.link(go, 0, p.obj(160, 110, "s $0-go"))
    p.chain(p.obj(300, 420, "r $0-go"), metro)
    for i in range(2):
        snap = p.obj(300 + 110 * i, 520, "snapshot~")
        p.link(s, 1 + i, snap)
        p.link(metro, 0, snap)
        p.link(snap, 0, pack, i)
    p.link(pack, 0, view)
    notes(p, 650, 170, ["Drag in the left plane to tilt the tray: right, and towards you.", "The right plane shows the ball, read from two outlets of the scene.", "panel, ball_size, rebound and material are other things to try."], 32)
    p.link(p.msg(650, 420, "panel"), 0, s)
    foot(p, 590, LOUD)
    return p


def action_map():
    p = page("action map", "a map of speed and pressure, cut into regions: what is heard is what the hand does there", 900, 620)
    go = start(p, 20, 56)
    pad = p.obj(20, 170, "ct.pad 300 220 0 0.5 0 1")
    p.link(steps(p, 20, 140, go, [[(0, "0.01 0.5"), (1000, "0.06 0.5"), (2000, "0.1 0.8"), (3000, "0.2 0.4"), (4000, "0.4 0.6"), (5000, "0.05 0.5")]]), 0, pad)
    s = p.obj(20, 490, "ct.scene~ creak swing weight -out hinge.f0_hz hinge.region")
    for i, x in enumerate((20, 150)):
        number, line = p.number(x, 410, 8), p.obj(x, 462, "line~")
        p.link(pad, i, number)
        p.chain(number, p.msg(x, 436, "$1 60"), line)
        p.link(line, 0, s, i + 1)
    out(p, 20, 530, s)
    metro = p.obj(420, 460, "metro 50")
    p.link(go, 0, metro)
    for i, words in enumerate(("fundamental, Hz", "region: 0 ticks, 1 creak, 2 wail")):
        snap, number = p.obj(300 + 150 * i, 520, "snapshot~"), p.number(300 + 150 * i, 550, 8)
        p.link(s, 1 + i, snap)
        p.link(metro, 0, snap)
        p.link(snap, 0, number)
        p.text(365 + 150 * i, 550, words, 18)
    for i, text in enumerate(("preset oak", "preset wardrobe", "preset melody", "preset backwards", "load plate", "load goblet")):
        p.link(p.msg(360, 170 + 28 * i, text), 0, s)
    notes(p, 560, 60, ["x: how fast the door turns. y: the weight on its hinge.", "There is no friction law here: the sound obeys (Thoret et al. 2013). A map says which behaviour rules where, and what pitch it has.", "contatto describe creak --map FILE.png draws the map."], 42)
    foot(p, 590, LOUD)
    return p


def midi():
    p = page("MIDI", "notes bow a string: the key is its pitch, the velocity its bow, the wheel its vibrato", 900, 560)
    go = start(p, 20, 56)
    notein, make = p.obj(20, 190, "notein"), p.obj(20, 225, "pack f f")
    p.link(notein, 0, make)
    p.link(notein, 1, make, 1)
    s = p.obj(20, 420, "ct.bow~")
    unpack = p.obj(20, 260, "unpack f f")
    p.link(make, 0, unpack)
    p.link(steps(p, 150, 190, go, [[(0, "50 90"), (900, "50 0"), (1000, "57 100"), (1900, "57 0"), (2000, "62 70"), (3400, "62 0"), (3500, "50 110"), (5000, "50 0")]]), 0, unpack)
    sounding, mtof = p.obj(20, 290, "spigot 1"), p.obj(20, 350, "mtof")
    switch = p.obj(120, 290, "> 0")
    p.link(unpack, 1, switch)
    p.link(switch, 0, sounding, 1)
    p.link(unpack, 0, sounding)
    p.chain(sounding, mtof, s)
    speed, line = p.obj(180, 320, "/ 400"), p.obj(180, 380, "line~")
    p.link(unpack, 1, speed)
    p.chain(speed, p.msg(180, 350, "$1 60"), line)
    p.link(line, 0, s, 1)
    force = p.obj(280, 380, "sig~ 1.1")
    place = p.obj(360, 380, "sig~ 0.08")
    p.link(force, 0, s, 2)
    p.link(place, 0, s, 3)
    wheel, scale = p.obj(460, 320, "ctlin 1"), p.obj(460, 350, "/ 3")
    p.chain(wheel, scale, p.msg(460, 380, "cord.string.vibrato_cents $1"), s)
    out(p, 20, 460, s)
    notes(p, 480, 56, ["[notein] and [ctlin 1] want a keyboard: Media, MIDI settings. START plays a few notes without one.", "Velocity becomes the bow's speed, up to 0.32 m/s. A key that is let go stops the bow, and the string rings on.", "For percussion see the polyphony example."], 56)
    foot(p, 530, LOUD)
    return p


def speed_of_pen():
    """A point in, metres per second out: the way since the last point over the time it took."""
    p = Patch(640, 360)
    p.text(20, 10, "metres per second: the way since the last point over the time it took", 70)
    inlet, order = p.obj(20, 40, "inlet"), p.obj(20, 70, "t l b")
    timer, again = p.obj(380, 130, "timer"), p.obj(380, 100, "t b b")
    unpack, new = p.obj(20, 110, "unpack f f"), [p.obj(20, 160, "t f f"), p.obj(130, 160, "t f f")]
    way = p.obj(20, 220, "expr sqrt(pow($f1-$f3, 2)+pow($f2-$f4, 2))*1000/max($f5, 5)")
    p.link(inlet, 0, order)
    p.link(order, 1, again)
    p.link(again, 1, timer, 1)
    p.link(again, 0, timer, 0)
    p.link(timer, 0, way, 4)
    p.link(order, 0, unpack)
    for i, x in enumerate((240, 300)):
        old = p.obj(x, 190, "f")
        p.link(unpack, i, new[i])
        p.link(order, 1, old)  # the last point goes in before the new one
        p.link(old, 0, way, 2 + i)
        p.link(new[i], 1, old, 1)
        p.link(new[i], 0, way, i)
    p.link(way, 0, p.obj(20, 260, "outlet"))
    return p


def pen():
    p = page("pen", "a pen or mouse rubs a squeaky plate: how fast it moves is the speed", 920, 640)
    go = start(p, 20, 56)
    pad = p.obj(20, 170, "ct.pad 300 200 0 0.3 0 0.2")
    circle = [(50 * k, f"{0.15 + 0.1 * math.cos(k * (0.1 + 0.002 * k)):.3f} {0.1 + 0.07 * math.sin(k * (0.1 + 0.002 * k)):.3f}") for k in range(100)]
    made = steps(p, 20, 140, go, [circle, [(0, "0.7")]])
    p.link(made, 0, pad)
    pack, speed, number = p.obj(20, 390, "pack f f"), p.sub(20, 420, "speed", speed_of_pen()), p.number(20, 450, 8)
    p.text(85, 450, "m/s")
    s = p.obj(20, 530, "ct.scene~ plate")
    any_point, still, stop = p.obj(150, 395, "t b"), p.obj(150, 422, "delay 120"), p.msg(150, 450, "speed 0 100")
    p.link(pad, 0, pack)
    p.link(pad, 1, pack, 1)
    p.chain(pack, speed, number, p.obj(20, 475, "clip 0 1"), p.msg(20, 500, "speed $1 60"), s)
    p.chain(pack, any_point, still, stop, s)
    p.text(240, 420, "no point for a while: it stands still")
    receive = p.obj(400, 240, "netreceive -u -b")
    p.link(p.msg(400, 210, "listen 9000"), 0, receive)
    parse, route, pressure = p.obj(400, 270, "oscparse"), p.obj(400, 300, "list trim"), p.obj(400, 330, "route pressure")
    p.chain(receive, parse, route, pressure, p.msg(400, 360, "pressure $1"), p.obj(400, 390, "s $0-to"))
    p.link(p.obj(400, 480, "r $0-to"), 0, s)
    slider = p.slider(560, 330, 0, 1, width=120)
    p.link(made, 1, p.obj(110, 140, "s $0-press"))
    p.link(p.obj(560, 285, "r $0-press"), 0, slider)
    p.text(560, 310, "pressure by hand, 0 to 1")
    p.chain(slider, p.msg(560, 360, "pressure $1"), p.obj(560, 390, "s $0-to"))
    out(p, 20, 565, s)
    notes(p, 360, 56, ["Draw in the plane. The point's speed is the speed of the gesture on the map of an action source.", "Pd itself knows no pen pressure. A tablet or telephone that speaks OSC does: click listen 9000, and send /pressure and a number from 0 to 1 to this port."], 66)
    foot(p, 610, LOUD)
    return p


def polyphony():
    p = page("polyphony", "[clone] makes eight bars of different sizes, each a scene of its own", 900, 540)
    go = start(p, 20, 56)
    s = p.obj(20, 400, "clone -s 1 ct.impact~ 8")
    metro, order, which, add = p.obj(20, 180, "metro 180"), p.obj(20, 210, "t b b"), p.obj(20, 240, "random 8"), p.obj(20, 270, "+ 1")
    stop, random, scale, speed, pack = p.msg(110, 180, "stop"), p.obj(110, 240, "random 20"), p.obj(110, 270, "/ 16"), p.obj(110, 300, "+ 0.3"), p.obj(20, 340, "pack f f")
    p.link(go, 0, metro)
    p.chain(go, p.obj(110, 150, "delay 5000"), stop, metro)
    p.link(metro, 0, order)
    p.link(order, 1, random)
    p.link(order, 0, which)
    p.chain(which, add, pack, s)
    p.chain(random, scale, speed)
    p.link(speed, 0, pack, 1)
    p.link(go, 0, p.obj(220, 110, "s $0-tune"))
    tune, sizes = p.obj(400, 110, "r $0-tune"), p.obj(400, 300, "s $0-sizes")
    for i, semitone in enumerate((0, 2, 4, 5, 7, 9, 11, 12)):
        box = p.msg(400 + 230 * (i % 2), 145 + 28 * (i // 2), f"{i + 1} object.modes.size {2 ** (-semitone / 12):.4f}")
        p.link(tune, 0, box)
        p.link(box, 0, sizes)
    p.link(p.obj(220, 360, "r $0-sizes"), 0, s)
    gain = p.obj(20, 430, "*~ 0.33")
    p.link(s, 0, gain)
    out(p, 20, 465, gain)
    notes(p, 400, 340, ["[clone -s 1 ct.impact~ 8]: eight copies. The first number of a message says which one, from 1. The rest goes to its first inlet: 3 2 strikes the third bar at 2 m/s.", "A scale: each bar has its own size. A bar half as large is an octave higher."], 66)
    foot(p, 510, LOUD)
    return p


def letters():
    """Inlets and messages as friction_2modalb had them: forces on both objects, normal force, and the papers' letters."""
    p = Patch(980, 420)
    p.text(20, 10, "friction_2modalb~: two modal objects in friction, with the inlets and letters of Avanzini, Serafin and Rocchesso 2005. It is [ct.friction~] with other names.", 120)
    inlets = [p.obj(20, 50, "inlet"), p.obj(560, 280, "inlet~"), p.obj(680, 280, "inlet~"), p.obj(800, 280, "inlet~")]
    for x, words in ((615, "fe1, N"), (735, "fe2, N"), (855, "fN, N")):
        p.text(x, 280, words)
    names = ("sigma0 bristle_n_m", "sigma1 bristle_damping_n_s_m", "sigma2 viscous_n_s_m", "sigma3 roughness_n", "mud mu_dynamic", "mus mu_static", "vs stribeck_m_s", "zba breakaway")
    route = p.obj(20, 90, "route " + " ".join(n.split()[0] for n in names))
    s = p.obj(20, 330, "ct.friction~")
    p.link(inlets[0], 0, route)
    send = p.obj(20, 260, "s $0-to")
    for i, name in enumerate(names):
        box = p.msg(20 + 235 * (i % 4), 140 + 40 * (i // 4), f"rub.{name.split()[1]} $1")
        p.link(route, i, box)
        p.link(box, 0, send)
    p.link(route, len(names), send)
    p.link(p.obj(20, 295, "r $0-to"), 0, s)
    for i in range(3):
        p.link(inlets[i + 1], 0, s, i + 1)
    for i, words in enumerate(("sound", "speed of object 2", "speed of object 1", "friction force")):
        p.link(s, i, p.obj(20 + 150 * i, 365, "outlet~"))
        p.text(20 + 150 * i, 388, words)
    return p


def friction_2modalb():
    p = page("friction_2modalb", "the object of the 2005 paper, with its inlets: forces on both objects and the normal force", 940, 560)
    go = start(p, 20, 56)
    s = p.obj(20, 380, "friction_2modalb~")
    made = steps(p, 20, 140, go, [[(0, "mus 0.6"), (3000, "mus 0.5")], [(0, "7"), (4500, "0")], [(0, "0.5"), (2000, "1.5"), (4700, "0")]])
    p.link(made, 0, s)
    for i, text in enumerate(("sigma0 100000", "sigma1 0.3", "sigma2 0", "mud 0.3", "mus 0.6", "vs 0.1", "b.modes.0.hz 529.3")):
        p.link(p.msg(20, 180 + 26 * i, text), 0, s)
    for i, (label, low, high, outlet) in enumerate((("fe1, N", -40, 40, 1), ("fe2, N", -40, 40, None), ("fN, N", 0, 8, 2))):
        x = 240 + 170 * i
        p.text(x, 190, label)
        slider, number, line = p.slider(x, 215, low, high, width=120), p.number(x, 245, 7), p.obj(x, 305, "line~")
        p.chain(slider, number, p.msg(x, 275, "$1 100"), line)
        p.link(line, 0, s, i + 1)
        if outlet is not None:
            p.link(made, outlet, slider)
    out(p, 20, 430, s)
    notes(p, 240, 360, ["sigma0, sigma1, sigma2: stiffness, damping and viscous term of the bristles. sigma3: roughness. mud, mus: dynamic and static friction. vs: Stribeck speed. zba: breakaway.", "Everything else by path: a is the first object, b the second."], 90)
    foot(p, 530, LOUD)
    return p


def kviolin_object():
    p = Patch(900, 380)
    p.text(20, 10, "kviolin~: a bowed string with the inlets of the 2002 patches: frequency, bow velocity, bow force, bow position. It is [ct.bow~] with a place that keeps its share of the sounding string.", 115)
    hz, v, f, place = p.obj(20, 60, "inlet"), p.obj(220, 60, "inlet~"), p.obj(420, 60, "inlet~"), p.obj(620, 60, "inlet~")
    for x, words in ((75, "frequency, Hz"), (275, "velocity, m/s"), (475, "force, N"), (675, "position, 0 to 1")):
        p.text(x, 60, words)
    s = p.obj(20, 150, "ct.bow~")
    p.link(hz, 0, s)
    for i, inlet in enumerate((v, f, place)):
        p.link(inlet, 0, s, i + 1)
    p.link(s, 0, p.obj(20, 200, "outlet~"))
    p.link(s, 1, p.obj(120, 200, "outlet~"))
    p.text(20, 224, "sound")
    p.text(120, 224, "friction force, N")
    return p


def kviolin():
    p = page("kviolin", "the bowed string of the 2002 paper: frequency, velocity, force and position of the bow", 940, 540)
    go = start(p, 20, 56)
    s = p.obj(20, 380, "kviolin~")
    made = steps(p, 20, 140, go, [[(0, "196"), (1500, "294"), (3000, "220"), (4500, "196")], [(0, "0.2"), (1500, "-0.2"), (3000, "0.2"), (4500, "-0.2"), (6000, "0")], [(0, "1")], [(0, "0.1")]])
    for i, (label, low, high) in enumerate((("frequency, Hz", 98, 588), ("velocity, m/s", -0.6, 0.6), ("force, N", 0, 4), ("position", 0.02, 0.4))):
        x = 20 + 190 * i
        p.text(x, 190, label)
        slider, number = p.slider(x, 215, low, high, width=120, log=i == 0), p.number(x, 245, 7)
        p.chain(slider, number)
        p.link(made, i, slider)
        if i:
            line = p.obj(x, 305, "line~")
            p.chain(number, p.msg(x, 275, "$1 100"), line)
            p.link(line, 0, s, i)
        else:
            p.link(number, 0, s)
    out(p, 20, 430, s)
    notes(p, 240, 380, ["Slow and light whistles, hard and slow crunches. Between them it sings: one slip per period.", "The friction is that of the 2002 paper, with rosin's numbers of ours. Open the object: it is [ct.bow~] inside."], 90)
    foot(p, 510, LOUD)
    return p


def shapes():
    p = page("shapes", "mode shapes and the bending of a body, drawn into arrays", 960, 560)
    go = start(p, 20, 56)
    s = p.obj(20, 400, "ct.scene~ hammer")
    p.chain(go, p.msg(20, 140, "demo"), s)
    out(p, 20, 440, s)
    p.array(480, 80, "ct-shape", 100, -2.5, 2.5, 400, 150)
    p.array(480, 310, "ct-bend", 100, -1, 1, 400, 150)
    for i in range(5):
        p.link(p.msg(140, 170 + 28 * i, f"shape bar {i} ct-shape"), 0, s)
    p.chain(go, p.obj(20, 330, "metro 60"), p.msg(20, 360, "deflection bar ct-bend 2000"), s)
    p.text(480, 235, "shape BODY MODE ARRAY: how far the mode moves each place along the bar", 58)
    p.text(480, 465, "deflection BODY ARRAY FACTOR: where the bar is now, in metres, magnified", 58)
    foot(p, 530, LOUD)
    return p


def examples():
    made = {"01-first-touch": first_touch(), "02-glass-gem": glass(), "03-door-gem": door(), "04-wheel-gem": wheel(), "05-bow-pad": bow_pad(),
            "06-tilting-track": track(), "07-action-map": action_map(), "08-midi": midi(), "09-pen": pen(), "10-polyphony": polyphony(),
            "friction_2modalb~": letters(), "11-friction_2modalb": friction_2modalb(), "kviolin~": kviolin_object(), "12-kviolin": kviolin(), "13-shapes": shapes()}
    for patch in made.values():  # the library and its abstractions lie in the folder above
        patch.lines = [line.replace("declare -lib contatto", "declare -path .. -lib contatto") for line in patch.lines]
    return {"examples/" + name: patch for name, patch in made.items()}
