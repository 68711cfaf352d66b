"""The help patches. Each starts on one click (or a bang to ct-start) and says how loud it is then: the range at its foot is
what test/pd/patches.py measures."""
from pd_patch import Patch

QUIET = "level after START: -23 to -17 LUFS"


def page(name, words, width=860, height=560):
    p = Patch(width, height + 24)
    p.width = width
    p.panel(0, 0, width - 2, 40, "#cdd8e4", name.replace(" ", "\\ "), 12, 20, 20, "#203040")
    p.text(max(200, 14 * len(name) + 20), 12, words, 95)
    p.lines.append("#X declare -lib contatto;")
    return p


def start(p, x, y, words="START: turns Pd's sound on and plays"):
    """The one click: sound on, then whatever is linked to what this returns."""
    bang = p.bang(x, y, 36, receive="ct-start", label="empty")
    p.text(x + 46, y, words, 30)
    both, on = p.obj(x, y + 48, "t b b"), p.send(x + 60, y + 42, "pd dsp 1")
    p.link(bang, 0, both)
    p.link(both, 1, on)
    return both


def steps(p, x, y, source, outlets):
    """A subpatch that plays lists of (milliseconds, message), one list per outlet, after a bang."""
    inner = Patch(760, 420)
    inner.text(20, 10, "what START plays: messages one after the other", 60)
    inlet = inner.obj(20, 40, "inlet")
    for i, plan in enumerate(outlets):
        left = 20 + 240 * i
        outlet = inner.obj(left, 120 + 30 * max(map(len, outlets)), "outlet")
        for k, (at, text) in enumerate(plan):
            wait = inner.obj(left, 90 + 30 * k, f"delay {at}")
            inner.chain(inlet, wait, inner.msg(left + 90, 90 + 30 * k, text))
            inner.link(inner.count - 1, 0, outlet)
    made = p.sub(x, y, "steps", inner)
    p.link(source, 0, made)
    return made


def column(p, x, y, texts, sink, gap=24):
    """Message boxes below each other, to click."""
    for i, text in enumerate(texts):
        p.link(p.msg(x, y + gap * i, text), 0, sink)


def out(p, x, y, scene, stereo=False):
    o = p.obj(x, y, "ct.out~")
    p.link(scene, 0, o, 0)
    p.link(scene, int(stereo), o, 1)
    return o


def notes(p, x, y, lines, width=52):
    """Explanations, one below the other; returns where they end."""
    for line in lines:
        p.text(x, y, line, width)
        y += 15 * (1 + int(len(line) * 1.06) // width) + 9
    return y


def foot(p, y, level=QUIET):
    p.panel(0, y, p.width - 2, 26, "#e4e8e0")
    p.text(10, y + 4, f"{level}. More: docs/pd.md and the folder examples", 100)


def scene():
    p = page("ct.scene~", "a scene of bodies in contact: the only object that steps, and the only one with signals", 960, 640)
    go = start(p, 20, 56)
    s = p.obj(20, 440, "ct.scene~ glass push pressure -out rub.force_n")
    to = p.obj(20, 400, "r $0-to")
    p.link(to, 0, s)
    send = p.obj(20, 370, "s $0-to")
    p.link(go, 0, p.msg(20, 150, "demo"))
    p.link(p.count - 1, 0, send)
    column(p, 20, 180, ("stop", "reset", "level", "panel", "describe", "describe rub", "get size"), send)
    send = p.obj(160, 370, "s $0-to")
    column(p, 160, 150, ("preset goblet", "preset wine", "load hammer", "load glass", "set push 9 pressure 2", "build glass.modes.count 20"), send)
    for i, (name, low, high) in enumerate((("push", -40, 40), ("pressure", 0, 8))):
        slider, number = p.slider(380, 170 + 90 * i, low, high, width=110), p.number(380, 195 + 90 * i, 6)
        p.text(380, 150 + 90 * i, f"{name}, N: {low} to {high}")
        p.chain(slider, number, p.msg(440, 195 + 90 * i, f"{name} $1"), p.obj(440, 220 + 90 * i, "s $0-to"))
    p.text(160, 405, "these two inlets are for signals, left alone here", 60)
    out(p, 20, 485, s)
    snap, force = p.obj(200, 490, "snapshot~"), p.number(200, 520, 8)
    p.link(s, 1, snap)
    p.link(go, 0, p.obj(160, 110, "s $0-go"))
    p.chain(p.obj(290, 470, "r $0-go"), p.obj(290, 490, "metro 100"), snap, force)
    p.text(270, 520, "force of friction, N")
    p.link(s, 2, p.obj(390, 490, "print scene"))
    notes(p, 560, 54, [
        "[ct.scene~ SCENE control ... -out path ... -preset NAME -set PATH VALUE -seed N -ledger]",
        "SCENE: a built-in one, a file, or the name that [ct.body] and its like are declared under.",
        "First inlet: messages, each on its own sample. PATH VALUE [MS] moves any control or parameter, in that time.",
        "set PATH VALUE PATH VALUE: together, or not at all.",
        "demo or bang plays the scene's own gesture, stop ends it, reset begins again.",
        "preset NAME and load SCENE build another one aside and fade to it. build PATH VALUE changes what cannot move while it sounds.",
        "panel opens sliders for its controls. describe lists them in Pd's window. describe PREFIX lists parameters.",
        "level, get PATH and (with -ledger) ledger answer through the last outlet.",
        "shape BODY MODE ARRAY and deflection BODY ARRAY FACTOR draw into arrays.",
        "Other inlets: signals, one per name. Left alone they keep the control's value.",
        "Outlets: the scene's one or two channels, then what -out names, in SI units, then messages."])
    foot(p, 600)
    return p


COMPOSED = ["ct.body $0-g finger modes.hz 0 modes.t60_s 0.05 modes.mass_kg 0.3 tip.gains 1",
            "ct.body $0-g glass modes.hz 529.3 1368 modes.t60_s 1.5 1 modes.mass_kg 0.02 0.02 rim.gains 1 1",
            "ct.contact $0-g rub friction finger.tip glass.rim bristle_n_m 100000 bristle_damping_n_s_m 0.3 mu_static 0.6 stribeck_m_s 0.1 normal_n 0.5",
            "ct.pickup $0-g out glass.rim full_scale 1"]


def part(name, words, texts, plan, explain, level=QUIET, clicks=()):
    p = page(name, words, 980, 600)
    go = start(p, 20, 56)
    s = p.obj(20, 250, "ct.scene~ $0-g" + (" -set gravity_m_s2 9.81" if name in ("ct.surface", "ct.drive") else ""))
    p.link(steps(p, 20, 140, go, [plan]), 0, s)
    column(p, 150, 140, clicks, s)
    out(p, 20, 290, s)
    p.text(20, 360, "the parts of this scene. The order they are made in does not matter. Delete one while it sounds, and make it again.", 120)
    y = 390
    for text in texts:
        p.obj(20, y, text, 100)
        y += 26 + 15 * (len(text) // 98)
    notes(p, 450, 50, explain, 70)
    foot(p, max(y + 14, 560))
    return p


RULES = ["[ct.body SCENE NAME ...]: the scene's name, the part's own, then words in any order.",
         "A key and its value: modes.size 2, hit.place_u 0.3. Words in front may be left out where no other parameter ends alike. A list takes all numbers that follow: modes.hz 529 1368.",
         "A choice by itself: bar, steel, friction. Names fill what wants a name: finger.tip glass.rim are the two ends of a contact.",
         "A message to a part sets its own parameters: mu_static 0.4 to [ct.contact $0-g rub ...] is rub.mu_static 0.4 to the scene."]


def modal_body():
    return part("ct.body", "a body of a scene: what vibrates or moves", COMPOSED,
                [(0, "finger.tip.tangential_force_n 8"), (2500, "glass.modes.0.hz 440 300"), (5000, "finger.tip.tangential_force_n 0")],
                RULES + ["Kinds: modal (a list of modes, or a shape and a material), hand (moves as told), wall, string. A free mass is a mode at 0 Hz.",
                         "Points are made by naming them: rim.gains 1 1 for a list of modes, hit.place_u 0.3 for a shape."],
                clicks=("finger.tip.tangential_force_n 8", "glass.modes.0.hz 600 200", "glass.modes.0.t60_s 4", "finger.tip.tangential_force_n 0"))


def contact():
    return part("ct.contact", "a contact of a scene: impact or friction between two points", COMPOSED,
                [(0, "finger.tip.tangential_force_n 8"), (2500, "rub.normal_n 1"), (5000, "finger.tip.tangential_force_n 0")],
                RULES[:1] + ["[ct.contact SCENE NAME friction A B ...] or impact. A and B are points: finger.tip glass.rim.", "A contact waits until both its bodies are there, and waits again when one is deleted.",
                             "[ct.contact SCENE friction A B]: a contact that is called friction.", "states to listen to with -out: rub.force_n, rub.relative_m_s; strike.compression_m"],
                clicks=("finger.tip.tangential_force_n 8", "rub.mu_static 0.9", "rub.mu_static 0.6", "finger.tip.tangential_force_n 0"))


def pickup():
    return part("ct.pickup", "an ear of a scene: a point listened to", COMPOSED + ["ct.pickup $0-g low glass.rim displacement full_scale 0.001"],
                [(0, "finger.tip.tangential_force_n 8"), (2500, "out.full_scale 2"), (5000, "finger.tip.tangential_force_n 0")],
                ["[ct.pickup SCENE NAME POINT ...]: displacement, velocity (as usual), acceleration or force; normal or tangential.",
                 "full_scale is what makes 0 dBFS, in the unit listened to; pan its place between two loudspeakers, in a scene made with -set channels 2.",
                 "All pickups of a scene are mixed. What should leave by an outlet of its own is named behind -out, in SI units: glass.rim.v_m_s"],
                clicks=("finger.tip.tangential_force_n 8", "out.full_scale 0.5", "out.full_scale 1", "finger.tip.tangential_force_n 0"))


ROLLING = ["ct.body $0-g ball modes.hz 0 modes.t60_s 0 modes.mass_kg 0.0054 bottom.gains 1",
           "ct.body $0-g board plate hinged size_m 0.8 0.3 thickness_m 0.015 count 40 material_at 2 spot.place_u 0.3 spot.place_v 0.37 ear.place_u 0.42 ear.place_v 0.61",
           "ct.contact $0-g touch impact ball.bottom board.spot above stiffness 2e+08 damping_s_m 1",
           "ct.surface $0-g grain fractal length_m 0.004 beta 2 depth_m 3e-06",
           "ct.drive $0-g roll touch grain motion imposed radius_m 0.008",
           "ct.pickup $0-g out board.ear full_scale 0.01"]
ROLL_STEPS = [(0, "roll.speed_m_s 0.5"), (2000, "roll.speed_m_s 0.25"), (4000, "roll.speed_m_s 0.7"), (6000, "roll.speed_m_s 0")]


def surface():
    return part("ct.surface", "a surface of a scene: heights over distance, for a drive to run over", ROLLING, ROLL_STEPS,
                ["[ct.surface SCENE NAME KIND ...]: noise, fractal, sine, tiles, boards, cobbles, rails, scan.",
                 "depth_m is how rough, length_m how long its waves or pieces. A drive names the surface it runs over.", "Deleting it is refused while a drive runs over it: delete that first."],
                clicks=("roll.speed_m_s 0.4", "grain.depth_m 6e-06", "grain.depth_m 3e-06", "roll.speed_m_s 0"))


def drive():
    return part("ct.drive", "a drive of a scene: rolls or scrapes over a surface", ROLLING, ROLL_STEPS,
                ["[ct.drive SCENE NAME CONTACT SURFACE ...]: roll or scrape; motion free (as usual for what rolls) or imposed.",
                 "Its path over the surface becomes the gap of an impact contact. speed_m_s is imposed, throw_m_s throws, slope tilts.",
                 "states to listen to with -out: roll.x_m, roll.v_m_s, roll.turns"],
                clicks=("roll.speed_m_s 0.4", "roll.speed_m_s -0.8", "roll.radius_m 0.03", "roll.speed_m_s 0"))


def source():
    return part("ct.source", "an action source of a scene: friction that obeys",
                ["ct.body $0-g plate plate steel at.place_u 0.31 at.place_v 0.27 ear.place_u 0.62 ear.place_v 0.71",
                 "ct.source $0-g squeak plate.at force_n 1 on.behaviour squeaky_plate on.hz 400 on.x_power 0.5",
                 "ct.pickup $0-g out plate.ear full_scale 0.1"],
                [(0, "set squeak.speed_m_s 0.1 squeak.pressure 0.5"), (1500, "squeak.speed_m_s 0.3 500"), (3500, "squeak.speed_m_s 0.05 500"), (5500, "squeak.speed_m_s 0")],
                ["[ct.source SCENE NAME POINT ...]: feeds a force to a point of a body. What it does is read from a map of two signals, cut into regions.",
                 "A region is made by naming it: on.behaviour squeaky_plate. Its corners are on.x and on.y; without corners it is the whole map.",
                 "speed_m_s and pressure play it. states: squeak.f0_hz, squeak.region"],
                clicks=("squeak.speed_m_s 0.2", "squeak.pressure 0.9", "squeak.wander 0.3", "squeak.speed_m_s 0"))


def ready(name, words, plan, explain, signals=(), level=QUIET, clicks=()):
    """One of the ready objects: messages to its first inlet, a slider for each of the others."""
    p = page(name, words, 980, 520)
    go = start(p, 20, 56)
    s = p.obj(20, 360, name)
    made = steps(p, 20, 140, go, [plan] + [signal[3] for signal in signals])
    p.link(made, 0, s)
    column(p, 20, 190, clicks, s)
    for i, (label, low, high, _, *message) in enumerate(signals):
        x = 230 + 170 * i
        p.text(x, 190, label)
        slider, number, box, line = p.slider(x, 215, low, high, width=120), p.number(x, 245, 7), p.msg(x, 275, message[0] if message else "$1 100"), p.obj(x, 305, "line~")
        p.chain(slider, number, box, line)
        p.link(made, i + 1, slider)
        p.link(line, 0, s, i + 1)
    out(p, 20, 400, s)
    notes(p, 230 if len(signals) > 1 else 440, 345 if len(signals) > 1 else 54, explain, 100 if len(signals) > 1 else 66)
    foot(p, 490)
    return p


def impact():
    return ready("ct.impact~", "a hammer strikes a bar: an abstraction, open it",
                 [(0, "1"), (700, "2"), (1400, "1.5"), (2100, "object.modes.size 1.5"), (2400, "2"), (3200, "3")],
                 ["First inlet: a number strikes, at that speed in m/s (0.1 to 4).", "Messages go to its scene: object.modes.size 1.5, object.hit.place_u 0.3, strike.stiffness 1e+06 (soft) to 1e+10 (hard).",
                  "First outlet: sound. Second: the force of the contact in N."], clicks=("1", "3", "object.modes.size 1", "strike.stiffness 1e+06", "strike.stiffness 1e+10"))


def friction():
    return ready("ct.friction~", "two modal objects rub against each other: an abstraction, open it", [(0, "rub.roughness_n 0")],
                 ["First inlet: messages to its scene, such as rub.mu_static 0.8, b.modes.0.hz 600, a.modes.0.mass_kg 0.1.", "Second: force on a along the surface, N. Third: force on b, N. Fourth: normal force, which presses them together, N.",
                  "Outlets: sound, speed of b in m/s, speed of a, friction force in N."],
                 [("force on a, N", -40, 40, [(0, "7"), (4000, "0")]), ("force on b, N", -40, 40, [(0, "0")]), ("normal force, N", 0, 8, [(0, "0.5"), (2500, "2"), (4200, "0")])],
                 clicks=("rub.mu_static 0.8", "rub.mu_static 0.6", "b.modes.0.hz 700 500", "b.modes.0.hz 529.3"))


def bow():
    return ready("ct.bow~", "a bow draws a string: an abstraction, open it", [(0, "147"), (2000, "196"), (4000, "147")],
                 ["First inlet: a number retunes the string, in Hz. Messages go to its scene, such as cord.string.vibrato_cents 20.", "Second: speed of the bow, m/s. Third: its force on the string, N. Fourth: its place, as a share of the string from the bridge.",
                  "Outlets: sound (the force at the bridge), friction force in N."],
                 [("speed, m/s", -0.6, 0.6, [(0, "0.2"), (2000, "-0.2"), (4000, "0.2"), (6000, "0")]), ("force, N", 0, 5, [(0, "1.1"), (6000, "0")]), ("place", 0.02, 0.4, [(0, "0.08")])],
                 clicks=("147", "220", "cord.string.vibrato_cents 20", "cord.string.vibrato_cents 0"))


def roll():
    return ready("ct.roll~", "a marble rolls over a board: an abstraction, open it", [(0, "1"), (2500, "-1.2"), (5000, "grain.depth_m 6e-06")],
                 ["First inlet: a number throws the marble, in m/s.", "Messages go to its scene, such as grain.depth_m 1e-05 (rougher), roll.radius_m 0.02 (larger).", "Second: slope of the board, metres per metre.",
                  "Outlets: sound, place in m, speed in m/s, contact force in N."], [("slope", -0.1, 0.1, [(0, "0"), (4500, "0.03"), (5500, "-0.03")])],
                 clicks=("1", "-1", "grain.depth_m 6e-06", "grain.depth_m 1.5e-06"))


def action():
    return ready("ct.action~", "friction that obeys: speed and pressure say what is heard: an abstraction, open it", [(0, "hinge.wander 0.16")],
                 ["First inlet: messages to its scene, such as hinge.wander 0.3 (less steady), hinge.regions.creak.hz 120.", "Second: speed, m/s: ticks, creaks, wails. Third: pressure: louder, and lower.",
                  "Outlets: sound, fundamental in Hz, region of the map."],
                 [("speed, m/s", 0, 0.5, [(0, "0.06"), (1500, "0.12"), (3000, "0.3"), (4500, "0.02"), (6000, "0")]), ("pressure", 0, 1, [(0, "0.5")])],
                 clicks=("hinge.wander 0.3", "hinge.wander 0", "hinge.regions.creak.hz 120"))


def modal():
    return ready("ct.modal~", "one body as a resonator for any force: an abstraction, open it", [(3000, "object.modes.size 0.6")],
                 ["First inlet: messages to its scene, such as object.modes.size 0.6 (smaller), object.modes.material_at 2 (wood).", "Second: force on the body, N. Here each number is a push that lasts 1 ms.",
                  "Outlets: sound (velocity at the ear), displacement where it is pushed in m."],
                 [("push, N", 0, 20, [(0, "20"), (600, "10"), (1200, "20"), (2000, "15"), (3500, "20"), (4500, "18")], "$1, 0 1")],
                 clicks=("object.modes.size 1", "object.modes.size 2", "object.modes.material_at 2", "object.modes.material_at 6"))


def pad():
    p = page("ct.pad", "a plane for the mouse or a pen: press and drag anywhere", 860, 600)
    go = start(p, 20, 60)
    made = p.obj(20, 170, "ct.pad 260 220 -0.5 0.5 0 3")
    p.link(steps(p, 20, 140, go, [[(0, "-0.15 1"), (1500, "0.2 1.2"), (3000, "-0.08 0.7"), (4500, "0 0")]]), 0, made)
    numbers = [p.number(20, 410), p.number(110, 410), p.toggle(200, 408)]
    packs = [p.msg(20, 440, "$1 50"), p.msg(110, 440, "$1 50")]
    lines = [p.obj(20, 470, "line~"), p.obj(110, 470, "line~")]
    s = p.obj(20, 505, "ct.scene~ cello speed force")
    for i in range(3):
        p.link(made, i, numbers[i])
    for i in range(2):
        p.chain(numbers[i], packs[i], lines[i])
        p.link(lines[i], 0, s, i + 1)
    out(p, 300, 490, s)
    notes(p, 500, 60, ["[ct.pad WIDTH HEIGHT X_LOW X_HIGH Y_LOW Y_HIGH]: size in pixels, and what its sides stand for.", "Outlets: x, y, and 1 or 0 for pressed and let go. y is sent first.",
                       "Two numbers put the point there and are sent; bang sends them again.", "Here x is the speed of a cello's bow and y its force."], 44)
    foot(p, 570)
    return p


def out_help():
    p = page("ct.out~", "two channels to the loudspeakers, with a volume slider", 700, 420)
    go = start(p, 20, 60)
    s = p.obj(20, 200, "ct.scene~ xylophone")
    p.chain(go, p.msg(20, 150, "demo"), s)
    out(p, 20, 240, s, True)
    notes(p, 330, 60, ["Two signal inlets: left and right. The slider is in dB.", "Scenes are at a safe level by themselves: their gestures measure -23 LUFS. What is driven harder is cut at full scale."], 44)
    foot(p, 390)
    return p


def help_patches():
    made = {"ct.scene~": scene, "ct.body": modal_body, "ct.contact": contact, "ct.pickup": pickup, "ct.surface": surface, "ct.drive": drive,
            "ct.source": source, "ct.impact~": impact, "ct.friction~": friction, "ct.bow~": bow, "ct.roll~": roll, "ct.action~": action,
            "ct.modal~": modal, "ct.pad": pad, "ct.out~": out_help}
    return {name + "-help": make() for name, make in made.items()}
