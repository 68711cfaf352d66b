"""[ct.scene~] against contatto render: the same samples, however Pd cuts its time and whoever else plays."""
import os
import subprocess

from pdtest import *

SECONDS = 8 if LONG else 2


def channels(scene):
    with open(os.path.join(ROOT, "scenes", scene + ".json"), encoding="utf-8") as f:
        return 2 if '"channels": 2' in f.read() else 1


def demo(patch, x, y, text, ports, prefix, frames):
    """A scene that plays its gesture into arrays named prefix0, prefix1."""
    message = patch.msg(x, y, "demo")
    start = patch.obj(x, y - 30, "r start")
    scene = patch.obj(x, y + 30, text)
    patch.chain(start, message, scene)
    names = [f"{prefix}{c}" for c in range(ports)]
    for c, name in enumerate(names):
        patch.link(scene, c, recorder(patch, x + 200 * c, y + 150, name, frames), 0)
    return names


def compare(what, names, reference):
    for c, name in enumerate(names):
        heard, wanted = samples(name + ".wav"), samples(reference, c)
        at = differ(heard, wanted)
        if at is not None:
            wrong(f"{what}, channel {c}: sample {at} is {heard[at]}, render has {wanted[at]}")
        if max(map(abs, wanted)) == 0:
            wrong(f"{what}, channel {c}: silence proves nothing")


def every_scene():
    """All built-in scenes in one patch: none hears the others."""
    frames, patch, names = 48000 * SECONDS, Patch(), {}
    for i, scene in enumerate(scenes()):
        names[scene] = demo(patch, 20 + 450 * (i % 6), 60 + 300 * (i // 6), f"ct.scene~ {scene}", channels(scene), scene, frames)
    player(patch, sum(names.values(), []), 1000 * SECONDS + 50)
    said = pd(patch)
    for line in complaints(said):
        wrong(line)
    for scene in names:
        render(scene, "--seconds", SECONDS, "-o", "reference.wav")
        compare(scene, names[scene], "reference.wav")
    if len(names) < 30:
        wrong(f"only {len(names)} scenes were tried")


BLOCKS = ["block~ 1", "block~ 16", "block~ 64", "block~ 128", "block~ 256", "block~ 1024", "switch~ 32"]
RATES = {"block~ 64 1 2": 96000, "block~ 512 1 2": 96000, "block~ 16 1 4": 192000, "block~ 64 1 0.5": 24000}


def switch_off_and_on(patch):
    """On at the start, off from 100 to 300 ms: a scene that is switched off stands still."""
    start = patch.obj(20, 20, "r start")
    for at, value in ((0, 1), (100, 0), (300, 1)):
        patch.chain(start, patch.obj(20 + at, 50, f"delay {at}"), patch.send(20 + at, 80, f"switch {value}"))


def blocks():
    """Sub-patches of every block size and rate, ten of the same among them, with presets."""
    scene, patch, cases = "hammer", Patch(), []
    for i, block in enumerate([None] * 10 + BLOCKS + list(RATES)):
        rate = RATES.get(block, 48000)
        inner = Patch()
        if block:
            switch = inner.obj(20, 300, block)
        if block and block.startswith("switch~"):
            inner.link(inner.obj(20, 270, "r switch"), 0, switch, 0)
        names = demo(inner, 20, 80, f"ct.scene~ {scene}", 1, f"case{i}_", rate // 2)
        patch.sub(20 + 120 * (i % 8), 300 + 30 * (i // 8), f"case{i}", inner)
        cases.append((block or f"instance {i}", names, rate))
    switch_off_and_on(patch)
    player(patch, sum((names for _, names, _ in cases), []), 1000)
    for line in complaints(pd(patch)):
        wrong(line)
    for what, names, rate in cases:
        render(scene, "--seconds", 0.5, "--rate", rate, "-o", "reference.wav")
        compare(what, names, "reference.wav")


def messages():
    """A message acts on its sample: that at which [vline~], beside it, makes its step."""
    patch, names, times = Patch(), [], (10.5, 99.9375)
    start = patch.obj(20, 20, "r start")
    for i, at in enumerate(times):
        patch.chain(start, patch.obj(20 + 100 * i, 50, f"delay {at}"), patch.send(20 + 100 * i, 80, f"strike{i} bang"))
    for i, block in enumerate(BLOCKS[:-1]):
        inner = Patch()
        inner.obj(20, 300, block)
        scene, line = inner.obj(20, 100, "ct.scene~ hammer"), inner.obj(300, 100, "vline~")
        for k in range(len(times)):
            strike, step = inner.msg(20 + 120 * k, 60, "strike_speed 2"), inner.msg(300 + 60 * k, 60, str(k + 1))
            receive = inner.obj(20 + 120 * k, 20, f"r strike{k}")
            inner.link(receive, 0, strike)
            inner.link(receive, 0, step)
            inner.link(strike, 0, scene)
            inner.link(step, 0, line)
        inner.link(scene, 0, recorder(inner, 20, 220, f"sound{i}", 24000))
        inner.link(line, 0, recorder(inner, 300, 220, f"step{i}", 24000))
        patch.sub(20 + 120 * i, 200, f"messages{i}", inner)
        names += [f"sound{i}", f"step{i}"]
    player(patch, names, 700)
    for line in complaints(pd(patch)):
        wrong(line)
    for i, block in enumerate(BLOCKS[:-1]):
        steps = samples(f"step{i}.wav")
        with open("gesture.csv", "w", encoding="utf-8") as f:
            f.write("time_s,strike_speed\n")
            for k in range(len(times)):
                f.write(f"{steps.index(k + 1) / 48000:.9f},2\n")
        render("hammer", "--gesture", "gesture.csv", "--seconds", 0.5, "-o", "reference.wav")
        compare(f"messages with {block}", [f"sound{i}"], "reference.wav")


def options():
    """What stands behind the scene's name: preset, leaves, seed; and load, in a batch run at once."""
    patch, names = Patch(), []
    names += demo(patch, 20, 60, "ct.scene~ knock -preset fist -set knuckle.modes.0.mass_kg 0.2", 1, "preset", 24000)
    names += demo(patch, 20, 360, "ct.scene~ glass -seed 7", 1, "seed", 24000)
    load, start = patch.msg(450, 60, "load knock, preset box, demo"), patch.obj(450, 30, "r start")
    patch.lines[load] = "#X msg 450 60 load knock \\, preset box \\, demo;"
    scene = patch.obj(450, 90, "ct.scene~ hammer")
    patch.chain(start, load, scene)
    names += ["loaded0"]
    patch.link(scene, 0, recorder(patch, 450, 210, "loaded0", 24000), 0)
    player(patch, names, 600)
    for line in complaints(pd(patch)):
        wrong(line)
    for name, arguments in (("preset0", "knock --preset fist --set knuckle.modes.0.mass_kg=0.2"), ("seed0", "glass --seed 7"),
                            ("loaded0", "knock --preset box")):
        render(*arguments.split(), "--seconds", 0.5, "-o", "reference.wav")
        compare(arguments, [name], "reference.wav")


def german():
    """A host that has called setlocale, as another external may do."""
    os.makedirs("locales", exist_ok=True)
    subprocess.run("cd locales && { localedef -c -i de_DE -f UTF-8 ./de || :; }", shell=True, capture_output=True, check=False)
    if not os.path.isdir("locales/de"):
        print("without a German locale: localedef has none")
        return
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-I/usr/include/pd", "-o", "german.pd_linux",
                    os.path.join(ROOT, "test/pd/german.c")], check=True)
    patch = Patch()
    patch.lines.append("#X declare -lib german;")
    names = demo(patch, 20, 60, "ct.scene~ knock -set knuckle.modes.0.mass_kg 0.25", 1, "german", 24000)
    player(patch, names, 600)
    said = pd(patch, env={"LOCPATH": os.path.abspath("locales"), "LC_ALL": "de"})
    if not any("0,5" in line for line in said):
        wrong(f"the host does not speak German: {said}")
    render("knock", "--set", "knuckle.modes.0.mass_kg=0.25", "--seconds", 0.5, "-o", "reference.wav")
    compare("German", names, "reference.wav")


work("pd_same")
every_scene()
blocks()
messages()
options()
german()
finish()
