"""The Gem examples draw: each is opened on a screen of its own, and its picture is there and moves."""
import itertools
import time

from pdtest import *

COLORS = {"02-glass-gem": (255, 153, 102), "03-door-gem": (128, 89, 51), "04-wheel-gem": (204, 77, 51)}
STARTER = """#N canvas 0 800 300 100 12;
#X obj 20 20 loadbang;
#X obj 20 50 delay 1000;
#X msg 20 80 \\; ct-window bang \\; ct-start bang;
#X connect 0 0 1 0;
#X connect 1 0 2 0;
"""


def screen():
    """A screen with a free number."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x960x24", "+extension", "GLX"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as f:
        return server, ":" + f.readline().strip()


def picture(env):
    """The screen's pixels of one color: how many, and where their middle is."""
    done = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], capture_output=True, env=env, check=False)
    return done.stdout


def places(pixels, color):
    wanted, found, at = bytes(color), [], -1
    while (at := pixels.find(wanted, at + 1)) >= 0:
        if at % 3 == 0:
            found.append(at // 3)
    return found


def wait_for(what, condition, seconds=120):
    """Until it is so; the time is only there for what never comes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.3)
    wrong(f"{what}: did not come in {seconds} s")
    return None


def near(color):
    """Software drawing may round a color down by one."""
    return list(itertools.product(*((c, c - 1) for c in color)))


def drawn(env, color):
    pixels = picture(env)
    for shade in near(color):
        found = places(pixels, shade)
        if len(found) > 200:
            return found
    return None


def look(name, color, display):
    env = {**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"}
    patch = os.path.join(FOLDER, "examples", name + ".pd")
    pd_ = subprocess.Popen(["pd", "-noprefs", "-noaudio", "-nomidi", "-r", "48000", "-path", FOLDER, "-path", "/usr/lib/pd/extra/Gem", "-lib", "contatto",
                            "-open", "starter.pd", "-open", patch], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        first = wait_for(f"{name}: its picture", lambda: drawn(env, color))
        if first and wait_for(f"{name}: its motion", lambda: (drawn(env, color) or first) != first):
            print(f"{name}: draws and moves")
    finally:
        pd_.terminate()
        pd_.wait()


for tool in ("Xvfb", "import", "pd-gui"):
    if not shutil.which(tool):
        print(f"skipped: needs {tool}")
        sys.exit(77)
if not os.path.isdir("/usr/lib/pd/extra/Gem"):
    print("skipped: needs gem")
    sys.exit(77)
work("pd_gem")
with open("starter.pd", "w", encoding="utf-8") as f:
    f.write(STARTER)
server, display = screen()
try:
    for name, color in COLORS.items():
        look(name, color, display)
finally:
    server.terminate()
    server.wait()
finish()
