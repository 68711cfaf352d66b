"""Scenes composed in the patch: the same samples as the same parts in a scene file, in any order of creation; parts come
and go while it sounds."""
import json
import random

from pdtest import *

# Numbers that a float holds exactly, so that patch and file say the same.
PARTS = {
    "finger": "ct.body G finger modes.hz 0 modes.t60_s 0.0625 modes.mass_kg 0.25 tip.gains 1 tip.tangential_force_n 8",
    "crystal": "ct.body G crystal modes.hz 529.25 1368 modes.t60_s 1.5 1 modes.mass_kg 0.03125 0.03125 rim.gains 1 1",
    "rub": "ct.contact G rub friction finger.tip crystal.rim normal_n 0.5 mu_static 0.625 stribeck_m_s 0.125 bristle_n_m 100000 bristle_damping_n_s_m 0.25",
    "out": "ct.pickup G out crystal.rim full_scale 1.5",
    "bar": "ct.body G bar bar steel hit.place_u 0.25 end.place_u 1",
    "hammer": "ct.body G hammer modes.hz 0 modes.mass_kg 0.0625 modes.x_m -0.03125 modes.v_m_s 1 tip.gains 1",
    "strike": "ct.contact G strike impact hammer.tip bar.hit stiffness 1048576",
    "bar_out": "ct.pickup G bar_out bar.end",
    "way": "ct.surface G way noise depth_m 0.0001220703125",
    "ball": "ct.body G ball modes.hz 0 modes.mass_kg 0.0078125 at.gains 1",
    "table": "ct.body G table plate wood middle.place_u 0.5 middle.place_v 0.5",
    "touch": "ct.contact G touch impact ball.at table.middle from above",
    "ride": "ct.drive G ride roll touch way speed_m_s 0.5 motion imposed",
    "table_out": "ct.pickup G table_out table.middle full_scale 0.25",
    "creak": "ct.source G creak table.middle speed_m_s 0.25 pressure 0.5 on.behaviour creaky_door",
}
FILE = {
    "contatto": 1,
    "bodies": {
        "finger": {"modes": [{"hz": 0, "t60_s": 0.0625, "mass_kg": 0.25}], "points": {"tip": {"gains": [1], "tangential_force_n": 8}}},
        "crystal": {"modes": [{"hz": 529.25, "t60_s": 1.5, "mass_kg": 0.03125}, {"hz": 1368, "t60_s": 1, "mass_kg": 0.03125}],
                    "points": {"rim": {"gains": [1, 1]}}},
        "bar": {"modes": {"shape": "bar", "material": "steel"}, "points": {"hit": {"place_u": 0.25}, "end": {"place_u": 1}}},
        "hammer": {"modes": [{"hz": 0, "mass_kg": 0.0625, "x_m": -0.03125, "v_m_s": 1}], "points": {"tip": {"gains": [1]}}},
        "ball": {"modes": [{"hz": 0, "mass_kg": 0.0078125}], "points": {"at": {"gains": [1]}}},
        "table": {"modes": {"shape": "plate", "material": "wood"}, "points": {"middle": {"place_u": 0.5, "place_v": 0.5}}},
    },
    "contacts": {
        "rub": {"kind": "friction", "a": "finger.tip", "b": "crystal.rim", "normal_n": 0.5, "mu_static": 0.625,
                "stribeck_m_s": 0.125, "bristle_n_m": 100000, "bristle_damping_n_s_m": 0.25},
        "strike": {"kind": "impact", "a": "hammer.tip", "b": "bar.hit", "stiffness": 1048576},
        "touch": {"kind": "impact", "a": "ball.at", "b": "table.middle", "from": "above"},
    },
    "surfaces": {"way": {"kind": "noise", "depth_m": 0.0001220703125}},
    "drives": {"ride": {"kind": "roll", "contact": "touch", "surface": "way", "speed_m_s": 0.5, "motion": "imposed"}},
    "sources": {"creak": {"at": "table.middle", "speed_m_s": 0.25, "pressure": 0.5, "regions": {"on": {"behaviour": "creaky_door"}}}},
    "pickups": {"out": {"at": "crystal.rim", "full_scale": 1.5}, "bar_out": {"at": "bar.end"},
                "table_out": {"at": "table.middle", "full_scale": 0.25}},
}


def orders():
    """Three orders of creation in one patch; the scene first, in the middle, last."""
    patch, names, draw = Patch(), [], random.Random(3)
    for k in range(3):
        inner, parts = Patch(), list(PARTS.values())
        if k:
            draw.shuffle(parts)
        parts.insert((0, 7, len(parts))[k], "ct.scene~ G -set seconds 1")
        for i, text in enumerate(parts):
            made = inner.obj(20, 20 + 25 * i, text.replace(" G", f" $0-g{k}", 1))
            if text.startswith("ct.scene~"):
                scene = made
        inner.link(scene, 0, recorder(inner, 700, 200, f"order{k}", 24000))
        patch.sub(20, 40 + 30 * k, f"order{k}", inner)
        names.append(f"order{k}")
    player(patch, names, 600)
    for line in complaints(pd(patch)):
        wrong(line)
    sounds = [samples(name + ".wav") for name in names]
    return sounds


def same_as_file(sound):
    """Parts added one by one stand in other slots than those of a file: the same physics, rounded alike."""
    with open("parts.json", "w", encoding="utf-8") as f:
        json.dump(FILE, f)
    render("./parts.json", "--seconds", 0.5, "-o", "reference.wav")
    wanted = samples("reference.wav")
    loudest = max(map(abs, wanted))
    worst = max(abs(a - b) for a, b in zip(sound, wanted))
    print(f"composed against the file: differs by {worst / loudest:.1e} of the loudest sample")
    if not worst <= 1e-6 * loudest or loudest == 0:
        wrong(f"composed in the patch: differs by {worst} from the file, whose loudest sample is {loudest}")


def come_and_go():
    """The crystal rings on, unchanged, while others are made beside it, touched and deleted."""
    patch, start = Patch(), None
    for k, changes in enumerate(((), ((110, "obj 20 20 ct.body G extra bar brass hit.place_u 0.25"), (110, "obj 20 50 ct.contact G knock impact finger2.tip extra.hit"),
                                      (160, "obj 20 80 ct.body G finger2 modes.hz 0 modes.mass_kg 0.0625 modes.v_m_s 1 tip.gains 1"),
                                      (160, "obj 20 110 ct.pickup G extra_out extra.hit"), (260, "clear"), (310, "obj 20 20 ct.body G extra wineglass glass rim.place_v 1"), (360, "clear")))):
        inner = Patch()
        for i, name in enumerate(("finger", "crystal", "rub", "out")):
            inner.obj(20, 20 + 25 * i, PARTS[name].replace(" G", f" come{k}", 1))
        scene = inner.obj(20, 150, f"ct.scene~ come{k} -out crystal.rim.v_m_s extra.hit.v_m_s")
        inner.sub(400, 20, f"stage{k}", Patch())
        inner.link(scene, 1, recorder(inner, 20, 300, f"crystal{k}", 24000))
        inner.link(scene, 2, recorder(inner, 220, 300, f"extra{k}", 24000))
        patch.sub(20, 40 + 30 * k, f"come{k}", inner)
        start = patch.obj(20, 100, "r start")
        for at, text in changes:
            patch.chain(start, patch.obj(20 + at, 130, f"delay {at}"), patch.send(20 + at, 160, f"pd-stage{k} {text.replace(' G', f' come{k}', 1)}"))
    player(patch, ["crystal0", "crystal1", "extra0", "extra1"], 600)
    for line in complaints(pd(patch)):
        wrong(line)
    alone, beside, extra = samples("crystal0.wav"), samples("crystal1.wav"), samples("extra1.wav")
    if max(map(abs, alone)) == 0 or differ(alone, beside) is not None:
        wrong(f"the crystal hears who comes and goes, from sample {differ(alone, beside)} on")
    loud = [max(map(abs, extra[n : n + 2400])) for n in range(0, 24000, 2400)]
    if not (max(loud[:3]) == 0 and loud[4] > 0 and max(loud[6:]) == 0):
        wrong(f"what was made at 110 ms, struck at 160 and deleted at 260 sounds so: {loud}")


def own_outlets():
    """A pickup named behind -out leaves by its own outlet and not by the first; in a scene file and composed."""
    patch, names = Patch(), []
    for k, (scene, outs) in enumerate((("./parts.json", "bar_out table_out"), ("own", "bar_out table_out"), ("./parts.json", ""))):
        made = patch.obj(20, 40 + 100 * k, f"ct.scene~ {scene} {'-out ' + outs if outs else ''}")
        for i in range(1 + len(outs.split())):
            names.append(f"own{k}{i}")
            patch.link(made, i, recorder(patch, 20 + 150 * i + 500 * k, 400, names[-1], 12000))
    for i, text in enumerate(PARTS.values()):
        patch.obj(800, 20 + 25 * i, text.replace(" G", " own", 1))
    player(patch, names, 400)
    for line in complaints(pd(patch)):
        wrong(line)
    heard = {name: samples(name + ".wav") for name in names}
    for i in range(3):
        loudest = max(map(abs, heard[f"own0{i}"]))
        worst = max(abs(a - b) for a, b in zip(heard[f"own0{i}"], heard[f"own1{i}"]))
        if not worst <= 1e-6 * loudest or loudest == 0:
            wrong(f"outlet {i} of a composed scene: differs by {worst} from the file, whose loudest sample is {loudest}")
    mixed = [sum(three) for three in zip(*(heard[f"own0{i}"] for i in range(3)))]
    worst = max(abs(a - b) for a, b in zip(mixed, heard["own20"]))
    if not worst <= 1e-6 * max(map(abs, mixed)):
        wrong(f"the three outlets together differ by {worst} from the mix")


def retyped():
    """A part that is deleted and made again in the same moment, as when its text is edited: the new one counts. So does one
    whose body comes back: the contact that went with it is made again."""
    patch = Patch()
    for name in ("finger", "rub", "out"):
        patch.obj(20, 20, PARTS[name].replace(" G", " again", 1))
    patch.sub(400, 20, "again-stage", Patch())
    scene = patch.obj(20, 150, "ct.scene~ again")
    patch.link(scene, 1, patch.obj(20, 200, "print answer"))
    start = patch.obj(20, 100, "r start")
    body = "obj 20 20 ct.body again crystal modes.hz {} modes.mass_kg 0.03125 rim.gains 1"
    for at, texts in ((10, (body.format(440),)), (300, ("clear", body.format(880)))):
        wait = patch.obj(20, 130, f"delay {at}")
        patch.link(start, 0, wait)
        order = patch.obj(20, 130, "t " + "b " * len(texts))
        patch.link(wait, 0, order)
        for i, text in enumerate(texts):
            patch.link(order, len(texts) - 1 - i, patch.send(20, 160, f"pd-again-stage {text}"))
    for at in (200, 1000):
        for path in ("crystal.modes.0.hz", "rub.normal_n"):
            patch.chain(start, patch.obj(20, 130, f"delay {at}"), patch.msg(20, 160, f"get {path}"), scene)
    player(patch, [], 1100)
    said = [line for line in pd(patch) if "answer" in line or "error" in line]
    if said != ["answer: crystal.modes.0.hz 440", "answer: rub.normal_n 0.5", "answer: crystal.modes.0.hz 880", "answer: rub.normal_n 0.5"]:
        wrong(f"a part typed anew: {said}")


work("pd_compose")
sounds = orders()
same_as_file(sounds[0])
for k in (1, 2):
    if differ(sounds[0], sounds[k]) is not None:
        wrong(f"another order of creation sounds otherwise from sample {differ(sounds[0], sounds[k])} on")
own_outlets()
come_and_go()
retyped()
finish()
