"""Nonsense: creation arguments, paths, files and messages drawn at random, objects made and deleted while others sound.
Pd must go on to its end, with every sample finite; built with the sanitizers, without a finding from them."""
import random
import sys

from pdtest import *

WORDS = ["glass", "hammer", "cello", "creak", "ball", "track", "g1", "g2", "nosuch", "-out", "-preset", "-set", "-seed",
         "-ledger", "--", "-", ".", "..", "a.b.c.d.e.f.g.h.i.j", "modes", "modes.0.hz", "bodies.*.modes[].hz", "energy.stored_j",
         "x" * 900, "glass.rim.v_m_s", "rub.force_n", "push", "pressure", "/dev/null", "/", "empty.json", "torn.json", "text.json",
         "bar", "steel", "friction", "impact", "string", "hand", "wall", "roll", "noise", "tip.gains", "hit.place_u", "99999999999",
         "kind", "finger.tip", "crystal.rim", "kräftig", "controls.push.value", "title", "channels", "modes.count", "modes.hz"]
NUMBERS = [0, 1, -1, 0.5, 2, 3, 7, 48000, 1e9, -1e9, 1e30, -1e30, 1e-30, 4294967296, 65535, 0.3333]
PARTS = ["ct.body", "ct.contact", "ct.surface", "ct.drive", "ct.source", "ct.pickup"]
SENSE = ["ct.body G finger modes.hz 0 modes.t60_s 0.06 modes.mass_kg 0.25 tip.gains 1 tip.tangential_force_n 8",
         "ct.body G crystal modes.hz 529 1368 modes.t60_s 1.5 1 modes.mass_kg 0.03 0.03 rim.gains 1 1",
         "ct.contact G friction finger.tip crystal.rim normal_n 0.5", "ct.contact G rub friction finger.tip bar.hit normal_n 2",
         "ct.pickup G out crystal.rim", "ct.body G bar bar steel hit.place_u 0.25", "ct.contact G touch impact finger.tip bar.hit",
         "ct.surface G way noise", "ct.drive G ride roll touch way speed_m_s 0.5", "ct.source G creak crystal.rim on.behaviour creaky_door",
         "ct.body G cord string points.p.place_u 0.1", "ct.contact G bow friction finger.tip cord.p", "ct.body G wine wineglass glass modes.count 12 rim.place_v 1"]
SCENES = ["glass push pressure -out glass.rim.v_m_s rub.force_n", "hammer -ledger", "knock hardness -preset fist", "cradle", "creak",
          "g1 -out crystal.rim.v_m_s", "g2 finger.tip.tangential_force_n", "track", "fiddle -set smoothing_s 0.1"]
MESSAGES = ["demo", "stop", "reset", "describe", "ledger", "level", "panel", "load hammer", "load glass", "load door", "load nosuch",
            "load torn.json", "preset goblet", "preset fist", "preset nosuch", "push 10", "pressure 2 50", "push 1e9", "strike_speed 2",
            "hardness 0.7", "knock_speed 1", "set push 3 pressure 1", "set push", "set push x", "build glass.modes.count 9", "build nosuch 1",
            "get push", "get energy.stored_j", "shape glass 2 shape", "shape glass 99 shape", "deflection glass shape 1000",
            "deflection nosuch shape", "shape glass 0 nowhere", "describe rub", "bang", "finger.tip.tangential_force_n 20",
            "crystal.modes.0.hz 900", "friction.normal_n 3 100", "size 2 200", "glass.modes.size 0.3", "rub.stored_j 1", "preset", "load 7"]


def atom(draw):
    return draw.choice(WORDS) if draw.random() < 0.6 else repr(draw.choice(NUMBERS))


def nonsense(draw, most):
    return " ".join(atom(draw) for _ in range(draw.randrange(most)))


def scene(draw):
    return draw.choice(SCENES) if draw.random() < 0.75 else nonsense(draw, 8)


def part(draw):
    if draw.random() < 0.75:
        return draw.choice(SENSE).replace(" G", " " + draw.choice(("g1", "g2")), 1)
    return f"{draw.choice(PARTS)} {draw.choice(('g1', 'g2'))} {nonsense(draw, 8)}"


def act(draw):
    """One line of the storm: who gets what."""
    dice, which = draw.random(), draw.randrange(3)
    if dice < 0.08:  # another scene in one of three places
        return [f"pd-scene{which} clear", f"pd-scene{which} obj 20 20 r to{which}", f"pd-scene{which} obj 20 50 ct.scene~ {scene(draw)}",
                f"pd-scene{which} connect 0 0 1 0", f"pd-scene{which} obj 20 80 s~ nowhere{which}",
                f"pd-scene{which} connect 1 0 2 0"]
    if dice < 0.30:
        return [f"pd-parts{which} obj 20 20 {part(draw)}"]
    if dice < 0.34:
        return [f"pd-parts{which} clear"]
    if dice < 0.36:
        return ["pd dsp 0", "pd dsp 1"]
    if dice < 0.90:
        return [f"to{which} {draw.choice(MESSAGES)}"]
    return [f"to{which} {atom(draw)} {nonsense(draw, 4)}"]


def storm(seed, seconds, options):
    draw, at = random.Random(seed), 0.0
    with open("storm.txt", "w", encoding="utf-8") as f:
        f.write("pd dsp 1;\n")
        while at < seconds * 1000:
            wait = draw.expovariate(1 / 25)
            at += wait
            for i, line in enumerate(act(draw)):
                f.write(f"{wait:.3f} {line};\n" if i == 0 else f"0 {line};\n")
        f.write("100 pd dsp 0;\n50 pd quit;\n")
    patch = Patch()
    for i in range(3):
        patch.sub(20, 30 + 30 * i, f"scene{i}", Patch())
        patch.sub(200, 30 + 30 * i, f"parts{i}", Patch())
    patch.obj(20, 200, "array define shape 100")
    load, read, bang, list_ = patch.obj(400, 20, "loadbang"), patch.msg(400, 50, "read storm.txt"), patch.msg(500, 80, "bang"), patch.obj(400, 110, "qlist")
    order = patch.obj(450, 35, "t b b")
    patch.link(load, 0, order)
    patch.link(order, 1, read)
    patch.link(order, 0, bang)
    patch.link(read, 0, list_)
    patch.link(bang, 0, list_)
    said = pd(patch, options=options, timeout=900)
    for line in said:
        if "Sanitizer" in line or "runtime error" in line or "bug" in line.lower() or "couldn't create" in line or "can't load" in line:
            wrong(f"seed {seed}: {line}")
    told = sum("error" in line for line in said)
    print(f"seed {seed}: {seconds} s, {told} clear refusals")
    if told < seconds:
        wrong(f"seed {seed}: only {told} refusals: the storm did not blow: {said[-5:]}")
    return said


def bad_files():
    for name, text in (("empty.json", ""), ("torn.json", '{"contatto": 1, "bodies": {"bar": '), ("text.json", "no scene\n")):
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)


def clear_words():
    """Each mistake is answered by one line that names it; the rest of the patch goes on."""
    cases = {"ct.scene~": "wants a scene", "ct.scene~ glass nosuch": "nosuch", "ct.scene~ glass -out nowhere": "nowhere",
             "ct.scene~ glass -preset nosuch": "nosuch", "ct.scene~ glass -sett a 1": "-sett", "ct.scene~ torn.json": "torn.json",
             "ct.scene~ glass -set glass.modes.count 0": "count", "ct.scene~ nosuch": "no built-in scene, no file",
             "ct.scene~ 3": "at most", "ct.body": "wants the name", "ct.body g": "wants the scene's name", "ct.body g b hz 1": "could be",
             "ct.body g b 7": "a number without", "ct.pickup g b w.at nonsuch.key": "neither", "ct.contact w c impact nobody.at nothing.at": "nobody",
             "ct.body g b modes.hz": "wants a value", "ct.pickup g a.b at": "without dots"}
    for text, wanted in cases.items():
        patch = Patch()
        patch.obj(20, 60, text)
        patch.obj(20, 100, "ct.scene~ w")
        patch.obj(20, 130, "ct.body w hand")
        player(patch, [], 1500)
        said = complaints(pd(patch))
        if not any(wanted in line for line in said) or any("couldn't create" in line for line in said):
            wrong(f"[{text}] is answered by {said}, which does not say '{wanted}'")
        if len(said) > 2:
            wrong(f"[{text}] is answered by {len(said)} lines: {said}")


work("pd_storm")
bad_files()
if len(sys.argv) > 1:
    storm(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
else:
    clear_words()
    for seed in range(1, 8 if LONG else 4):
        storm(seed, 60 if LONG else 20, ["-batch"])
    storm(101, 60 if LONG else 8, [])  # in Pd's own time: scenes are built on the other thread
finish()
