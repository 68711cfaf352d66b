"""Runs Pd without a window and without sound, and reads what it wrote. Python's own library is all it needs."""
import array
import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys

ROOT, BUILD, CONTATTO = os.environ["ROOT"], os.environ["BUILD"], os.environ["CONTATTO"]
FOLDER = os.path.join(BUILD, "pd", "contatto")
LONG = bool(os.environ.get("CT_LONG"))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
from pd_patch import Patch  # noqa: E402

failures = []
BAD = re.compile(r"couldn't create|error:|no such object|no method|can't|refused|inlet: expected|consistency", re.I)


def wrong(words):
    print("wrong:", words)
    failures.append(words)


def finish():
    sys.exit(1 if failures else 0)


def sanitizer():
    """The sanitizer's runtime must come before Pd, which knows nothing of it."""
    with open(os.path.join(FOLDER, "contatto.pd_linux"), "rb") as f:
        if b"__asan_" not in f.read():
            return {}
    found = subprocess.run(["clang", "-print-file-name=libclang_rt.asan-x86_64.so"], capture_output=True, text=True)
    return {"LD_PRELOAD": found.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=99"}


def pd(patch, folder=".", rate=48000, timeout=300, env=None, options=("-batch",)):
    """Runs a patch (a file's name, or a Patch) until it quits. Returns what Pd said, line by line."""
    if isinstance(patch, Patch):
        name = os.path.join(folder, "patch.pd")
        with open(name, "w", encoding="utf-8") as f:
            f.write(str(patch))
        patch = "patch.pd"
    command = ["pd", "-nogui", "-noprefs", "-noaudio", "-nomidi", *options, "-r", str(rate), "-path", FOLDER, "-lib", "contatto", "-open", patch]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=timeout,
                          env={**os.environ, **sanitizer(), **(env or {})}, check=False)
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode:
        wrong(f"Pd ended with {done.returncode}: {' | '.join(said[-30:])}")
    return said


def complaints(said):
    return [line for line in said if BAD.search(line)]


def samples(name, channel=None):
    """32-bit floats of a WAV file; of one channel, or as they lie there."""
    with open(name, "rb") as f:
        data = f.read()
    at, channels = 12, 1
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        if kind == b"fmt ":
            channels = struct.unpack("<H", data[at + 10 : at + 12])[0]
        if kind == b"data":
            found = array.array("f", data[at + 8 : at + 8 + size])
            return found if channel is None else found[channel::channels]
        at += 8 + size + (size & 1)
    raise ValueError(name)


def render(*arguments):
    subprocess.run([CONTATTO, "render", *map(str, arguments)], check=True, capture_output=True)


def scenes():
    return sorted(name[:-5] for name in os.listdir(os.path.join(ROOT, "scenes")) if name.endswith(".json"))


def differ(a, b):
    """Where two sounds differ first; None when nowhere."""
    if a[: len(b)] == b[: len(a)]:
        return None
    return next(i for i, (x, y) in enumerate(zip(a, b)) if x != y)


def recorder(patch, x, y, name, frames):
    """An array and a [tabwrite~] that writes into it from the first sample on."""
    patch.obj(x, y - 60, f"array define {name} {frames}")
    writer = patch.obj(x, y, f"tabwrite~ {name}")
    start = patch.obj(x, y - 30, "r start")
    patch.link(start, 0, writer, 0)
    return writer


def player(patch, names, milliseconds, extra=()):
    """Starts recorders, then the sound; writes files and quits when that is over."""
    patch.obj(900, 20, "r start")  # somebody must hear it
    load = patch.obj(600, 20, "loadbang")
    order = patch.obj(600, 50, "t b b b")
    go = patch.send(600, 80, "pd dsp 1")
    start = patch.send(700, 80, "start bang")
    delay = patch.obj(800, 80, f"delay {milliseconds}")
    all_at_once = patch.obj(800, 110, "t " + "b " * (len(names) + 1))
    quit_it = patch.send(800, 140, "pd quit")
    patch.link(load, 0, order, 0)
    patch.link(order, 0, go, 0)
    patch.link(order, 1, start, 0)
    patch.link(order, 2, delay, 0)
    patch.link(delay, 0, all_at_once, 0)
    patch.link(all_at_once, 0, quit_it, 0)
    for i, name in enumerate(names):
        write = patch.msg(600 + 60 * i, 200, f"write -wave -bytes 4 {name}.wav {name}")
        filer = patch.obj(600 + 60 * i, 230, "soundfiler")
        patch.link(all_at_once, i + 1, write, 0)
        patch.link(write, 0, filer, 0)


def work(name):
    """An empty folder of the test's own."""
    folder = os.path.join(BUILD, "test", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    return folder


class Loudness(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("integrated", "momentary", "short_term", "true_peak")]


class Click(ctypes.Structure):
    _fields_ = [("time_s", ctypes.c_double), ("strength_db", ctypes.c_double)]


def measuring():
    library = ctypes.CDLL(os.path.join(BUILD, "libcontatto_measure.so"))
    library.ct_measure_loudness.restype = Loudness
    library.ct_measure_loudness.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_double]
    library.ct_measure_worst_click.restype = Click
    library.ct_measure_worst_click.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_void_p, ctypes.c_size_t]
    return library


def loudness(sound, channels, rate=48000):
    wide = array.array("d", sound)
    return measuring().ct_measure_loudness(wide.buffer_info()[0], len(wide) // channels, channels, rate)


def worst_click(sound, rate=48000):
    wide = array.array("d", sound)
    return measuring().ct_measure_worst_click(wide.buffer_info()[0], len(wide), rate, None, 0)
