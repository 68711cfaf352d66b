"""The ready objects: abstractions over [ct.scene~], made of parts that can be read in the patch."""
from pd_patch import Patch


def parts(p, x, y, texts):
    for text in texts:
        p.obj(x, y, text, 110)
        y += 28 + 15 * (len(text) // 106)


def messages(p, x, y, scene, first=None):
    """The first inlet: a number goes to `first`, everything else to the scene as it is."""
    inlet = p.obj(x, y, "inlet")
    if first is None:
        p.link(inlet, 0, scene)
        return inlet
    route = p.obj(x, y + 30, "route float")
    p.link(inlet, 0, route)
    p.link(route, 0, first)
    p.link(route, 1, scene)
    return inlet


def signals(p, y, scene, names):
    """Signal inlets from left to right, each with its name."""
    for i, (x, name) in enumerate(names):
        p.link(p.obj(x, y, "inlet~"), 0, scene, i + 1)
        p.text(x + 55, y, name)


def outlets(p, y, scene, names):
    for i, (x, name) in enumerate(names):
        p.link(scene, i, p.obj(x, y, "outlet~"), 0)
        p.text(x, y + 24, name)


def impact():
    p = Patch(900, 440)
    p.text(20, 10, "ct.impact~: a hammer strikes a bar. A number strikes at that speed in m/s. Other messages go to the scene: object.modes.size 2", 110)
    scene = p.obj(20, 170, "ct.scene~ $0-s -out strike.force_n")
    both = p.obj(20, 105, "t f f")
    place, speed = p.msg(110, 135, "hammer.modes.0.x_m -0.002"), p.msg(330, 135, "hammer.modes.0.v_m_s $1")
    messages(p, 20, 45, scene, both)
    p.link(both, 1, place)
    p.link(both, 0, speed)
    p.link(place, 0, scene)
    p.link(speed, 0, scene)
    outlets(p, 215, scene, ((20, "sound"), (220, "force, N")))
    p.text(20, 268, "what it is made of: a free mass, a steel bar struck near its end, their contact, an ear at the other end", 110)
    parts(p, 20, 300, ["ct.body $0-s hammer modes.hz 0 modes.t60_s 0 modes.mass_kg 0.02 tip.gains 1",
                       "ct.body $0-s object bar steel hit.place_u 0.07 ear.place_u 0.97",
                       "ct.contact $0-s strike impact hammer.tip object.hit stiffness 1e+08 damping_s_m 0.5",
                       "ct.pickup $0-s out object.ear full_scale 1.6"])
    return p


def friction():
    p = Patch(960, 460)
    p.text(20, 10, "ct.friction~: two modal objects rub. Signals push them along the surface and press them together. Messages go to the scene: rub.mu_static 0.8", 115)
    scene = p.obj(20, 120, "ct.scene~ $0-s a.tip.tangential_force_n b.rim.tangential_force_n rub.normal_n -out b.rim.tangential_v_m_s a.tip.tangential_v_m_s rub.force_n")
    messages(p, 20, 60, scene)
    signals(p, 60, scene, ((160, "force on a, N"), (380, "force on b, N"), (620, "normal force, N")))
    outlets(p, 170, scene, ((20, "sound"), (200, "speed of b, m/s"), (400, "speed of a, m/s"), (600, "friction force, N")))
    p.text(20, 240, "a: a finger, a mass that its own damping holds back. b: a glass of two modes. The contact: bristles that bend and slip (Avanzini, Serafin and Rocchesso 2005)", 115)
    parts(p, 20, 290, ["ct.body $0-s a modes.hz 0 modes.t60_s 0.05 modes.mass_kg 0.3 tip.gains 1",
                       "ct.body $0-s b modes.hz 529.3 1368 modes.t60_s 1.5 1 modes.mass_kg 0.02 0.02 rim.gains 1 1",
                       "ct.contact $0-s rub friction a.tip b.rim bristle_n_m 100000 bristle_damping_n_s_m 0.3 mu_static 0.6 mu_dynamic 0.3 stribeck_m_s 0.1 normal_n 0",
                       "ct.pickup $0-s out b.rim direction tangential full_scale 0.95"])
    return p


def bow():
    p = Patch(960, 490)
    p.text(20, 10, "ct.bow~: a bow draws a string. A number retunes it in Hz. Other messages go to the scene: cord.string.vibrato_cents 20", 115)
    scene = p.obj(20, 150, "ct.scene~ $0-s bow.tangential_v_m_s rub.normal_n cord.bow.place_u -out rub.force_n")
    tune = p.msg(60, 110, "cord.string.hz $1")
    p.link(tune, 0, scene)
    messages(p, 20, 50, scene, tune)
    signals(p, 50, scene, ((160, "speed of the bow, m/s"), (400, "force of the bow, N"), (640, "place: share of the string")))
    outlets(p, 200, scene, ((20, "sound"), (250, "friction force, N")))
    p.text(20, 270, "a cello's D string as travelling waves, a hand that leads the hair, rosin between them, heard at the bridge (Avanzini, Serafin and Rocchesso 2002)", 115)
    parts(p, 20, 320, ["ct.body $0-s cord string string.hz 147 impedance_kg_s 0.506 length_m 0.69 q 500 high_hz 3000 high_t60_s 0.1 string.bending_n_m2 0.0003 string.lowest_hz 60 bow.place_u 0.08 bridge.place_u 0",
                       "ct.body $0-s bow hand",
                       "ct.contact $0-s rub friction bow.at cord.bow bristle_n_m 318600 bristle_damping_n_s_m 0.3 mu_static 1.021 mu_dynamic 0.507 stribeck_m_s 0.228 normal_n 0",
                       "ct.pickup $0-s out cord.bridge force tangential full_scale 8.5"])
    return p


def roll():
    p = Patch(960, 540)
    p.text(20, 10, "ct.roll~: a marble rolls over a board with a rim at both ends. A number throws it, in m/s. Other messages go to the scene: grain.depth_m 1e-05", 115)
    scene = p.obj(20, 150, "ct.scene~ $0-s roll.slope -set gravity_m_s2 9.81 -out roll.x_m roll.v_m_s touch.force_n")
    throw = p.msg(60, 110, "roll.throw_m_s $1")
    p.link(throw, 0, scene)
    messages(p, 20, 50, scene, throw)
    signals(p, 50, scene, ((200, "slope of the board, metres per metre"),))
    outlets(p, 200, scene, ((20, "sound"), (150, "place, m"), (300, "speed, m/s"), (450, "contact force, N")))
    p.text(20, 270, "marble, board, their contact, the grain of the wood, and the rolling over it (Rath 2003)", 115)
    parts(p, 20, 300, ["ct.body $0-s ball modes.hz 0 modes.t60_s 0 modes.mass_kg 0.0054 bottom.gains 1",
                       "ct.body $0-s board plate hinged size_m 0.8 0.3 thickness_m 0.015 count 40 material_at 2 spot.place_u 0.1 spot.place_v 0.37 rim.place_u 0.93 rim.place_v 0.4 ear.place_u 0.42 ear.place_v 0.61",
                       "ct.contact $0-s touch impact ball.bottom board.spot above stiffness 2e+08 exponent 1.5 damping_s_m 1",
                       "ct.surface $0-s grain fractal length_m 0.004 beta 2 depth_m 1.5e-06",
                       "ct.drive $0-s roll touch grain radius_m 0.008 resistance 0.008 asymmetry_m 5e-05 low_m 0 high_m 0.64 rebound 0.35 rim board.rim knock_s 0.003 travels board.spot travel_m 0.8",
                       "ct.pickup $0-s out board.ear full_scale 0.0095"])
    return p


def action():
    p = Patch(960, 490)
    p.text(20, 10, "ct.action~: friction that obeys. A door is told what to do by speed and pressure, with no physics in between. Messages go to the scene: hinge.wander 0.3", 115)
    scene = p.obj(20, 120, "ct.scene~ $0-s hinge.speed_m_s hinge.pressure -out hinge.f0_hz hinge.region")
    messages(p, 20, 60, scene)
    signals(p, 60, scene, ((160, "speed, m/s"), (400, "pressure, 0 to 1")))
    outlets(p, 170, scene, ((20, "sound"), (200, "fundamental, Hz"), (400, "region of the map")))
    p.text(20, 240, "a panel, and an action source with a map: slow is ticks, faster a creak, fast a wail (Thoret et al. 2013)", 115)
    parts(p, 20, 280, ["ct.body $0-s door plate wood size_m 0.8 1.9 thickness_m 0.035 count 60 hinge.place_u 0.03 hinge.place_v 0.13 ear.place_u 0.62 ear.place_v 0.41",
                       "ct.source $0-s hinge door.hinge x_min 0.002 x_max 0.5 force_n 40 wander 0.16 wander_hz 6 onset_m_s 0.003 ticks.behaviour creaky_door ticks.hz 35 ticks.x_power 0.9 ticks.y_power -0.3 ticks.x 0.002 0.02 ticks.y 0 1 creak.behaviour creaky_door creak.hz 95 creak.x_power 0.8 creak.y_power -0.4 creak.x 0.02 0.15 creak.y 0 1 wail.behaviour creaky_door wail.hz 190 wail.x_power 0.55 wail.y_power -0.4 wail.level 0.8 wail.x 0.15 0.5 wail.y 0 1",
                       "ct.pickup $0-s out door.ear full_scale 0.0103"])
    return p


def modal():
    p = Patch(900, 400)
    p.text(20, 10, "ct.modal~: one body as a resonator. A signal is the force on it in newtons. Messages go to the scene: object.modes.size 0.5", 110)
    scene = p.obj(20, 120, "ct.scene~ $0-s object.hit.force_n -out object.hit.x_m")
    messages(p, 20, 60, scene)
    signals(p, 60, scene, ((160, "force, N"),))
    outlets(p, 170, scene, ((20, "sound"), (200, "displacement where it is pushed, m")))
    p.text(20, 250, "a brass plate, pushed at one place and heard at another", 110)
    parts(p, 20, 280, ["ct.body $0-s object plate brass hit.place_u 0.31 hit.place_v 0.27 ear.place_u 0.62 ear.place_v 0.71",
                       "ct.pickup $0-s out object.ear full_scale 0.3"])
    return p


def out():
    """A volume slider in front of the loudspeakers; nothing leaves it above full scale."""
    p = Patch(560, 320)
    left, right = p.obj(20, 100, "inlet~"), p.obj(120, 100, "inlet~")
    volume = p.slider(22, 20, -60, 0, 0, label="volume,_dB".replace(",", ""), width=120)
    gain = [p.obj(20, 140, "*~"), p.obj(120, 140, "*~")]
    offset, rms, pack, line = p.obj(240, 60, "+ 100"), p.obj(240, 90, "dbtorms"), p.obj(240, 120, "pack f 30"), p.obj(240, 150, "line~")
    clips = [p.obj(20, 180, "clip~ -1 1"), p.obj(120, 180, "clip~ -1 1")]
    dac = p.obj(20, 220, "dac~")
    p.chain(volume, offset, rms, pack, line)
    for side, inlet in enumerate((left, right)):
        p.link(inlet, 0, gain[side])
        p.link(line, 0, gain[side], 1)
        p.chain(gain[side], clips[side])
        p.link(clips[side], 0, dac, side)
    p.text(240, 200, "ct.out~: two channels to the loudspeakers.")
    p.coords("0 -1 1 1 150 40 2 10 3")
    return p


def meta():
    """What Pd's package manager and help browser show of the library."""
    p, inner = Patch(300, 200), Patch(420, 260)
    for i, line in enumerate(("NAME contatto", "AUTHOR the contatto authors", "DESCRIPTION sounds of touching: bodies, contacts, scenes", "LICENSE MIT", "VERSION 0.1.0", "KEYWORDS physical modelling friction impact rolling")):
        inner.text(12, 20 + 25 * i, line)
    p.sub(20, 20, "META", inner)
    return p


def objects():
    return {"ct.impact~": impact(), "ct.friction~": friction(), "ct.bow~": bow(), "ct.roll~": roll(), "ct.action~": action(),
            "ct.modal~": modal(), "ct.out~": out(), "contatto-meta": meta()}
