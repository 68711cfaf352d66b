"""Every abstraction, help patch and example opens without a complaint; each help patch, started by its one click, is as
loud as it says."""
import glob

from pdtest import *

SECONDS = 6


def folder_that_records():
    """A copy of the library whose [ct.out~] also writes what it sends to the loudspeakers into an array."""
    shutil.copytree(FOLDER, "contatto")
    with open("contatto/ct.out~.pd", encoding="utf-8") as f:
        text = f.read()
    objects = sum(line.startswith(("#X obj", "#X msg", "#X text", "#X floatatom", "#X restore")) for line in text.splitlines())
    clips = [i for i, line in enumerate(re.findall(r"^#X (?:obj|msg|text|floatatom|restore).*", text, re.M)) if "clip~" in line]
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("#X connect"))
    for side, clip in enumerate(clips):
        lines.insert(at + 2 * side, f"#X obj 20 {300 + 60 * side} tabwrite~ heard{side};")
        lines.insert(at + 2 * side + 1, f"#X obj 200 {300 + 60 * side} r start;")
        lines.append(f"#X connect {clip} 0 {objects + 2 * side} 0;")
        lines.append(f"#X connect {objects + 2 * side + 1} 0 {objects + 2 * side} 0;")
    lines.sort(key=lambda line: line.startswith("#X coords"))  # stays last
    with open("contatto/ct.out~.pd", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def opener(file):
    """A patch that opens another one, clicks its START, and writes down what is heard."""
    patch = Patch()
    for side in range(2):
        patch.obj(20 + 200 * side, 300, f"array define heard{side} {48000 * SECONDS}")
    load, order = patch.obj(20, 20, "loadbang"), patch.obj(20, 50, "t b b b")
    go, click = patch.send(20, 80, "start bang"), patch.send(120, 80, "ct-start bang")
    open_it = patch.send(240, 80, f"pd open {os.path.basename(file)} {os.path.abspath(os.path.dirname(file))}")
    wait = patch.obj(20, 120, f"delay {1000 * SECONDS + 100}")
    write, filer, leave = patch.msg(20, 150, "write -wave -bytes 4 heard.wav heard0 heard1"), patch.obj(20, 180, "soundfiler"), patch.send(20, 210, "pd quit")
    for i, box in enumerate((click, go, open_it)):
        patch.link(order, i, box)
    patch.link(load, 0, order)
    patch.link(order, 1, wait)
    patch.chain(wait, write, filer, leave)
    return patch


def listen(file):
    said = pd(opener(file), options=["-batch", "-path", "contatto", "-path", "/usr/lib/pd/extra/Gem"])
    for line in complaints(said):
        if "start: no such object" not in line and "GEM" not in line and "ct-start: no such object" not in line:
            wrong(f"{file}: {line}")
    with open(file, encoding="utf-8") as f:
        stated = re.search(r"level after START: (-?\d+) to (-?\d+) LUFS", f.read())
    heard = loudness(samples("heard.wav"), 2)
    print(f"{os.path.basename(file)}: {heard.integrated:.1f} LUFS, true peak {heard.true_peak:.1f} dB")
    if not stated and file.endswith("~.pd"):
        return  # an object of the examples, without a START of its own
    if not stated:
        wrong(f"{file} does not say how loud it is")
    elif not int(stated[1]) <= heard.integrated <= int(stated[2]) or heard.true_peak > -1:
        wrong(f"{file}: {heard.integrated:.1f} LUFS, true peak {heard.true_peak:.1f} dB; it says {stated[0]}")


work("pd_patches")
folder_that_records()
patches = sorted(glob.glob("contatto/*-help.pd")) + sorted(glob.glob("contatto/examples/*.pd"))
if len(patches) < 15:
    wrong(f"only {len(patches)} patches")
for file in patches if len(sys.argv) < 2 else [f for f in patches if any(word in f for word in sys.argv[1:])]:
    listen(file)
finish()
