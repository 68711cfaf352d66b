"""Run by test/test_python.sh with the installed package, from a folder of its own. CONTATTO, ROOT, BUILD and CC are
set as for every test. The oracle of every sound is the program."""

import gc
import json
import math
import os
import re
import subprocess
import threading
import time
import unittest
import warnings

import contatto
import numpy as np
from contatto import measure
from contatto._library import core, ffi, measures

PROGRAM, ROOT, BUILD = os.environ["CONTATTO"], os.environ["ROOT"], os.environ["BUILD"]


def program(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def wav_data(path):
    """The bytes of the data chunk."""
    with open(path, "rb") as file:
        content = file.read()
    place = 12
    while content[place : place + 4] != b"data":
        place += 8 + int.from_bytes(content[place + 4 : place + 8], "little")
    size = int.from_bytes(content[place + 4 : place + 8], "little")
    return content[place + 8 : place + 8 + size]


class Library(unittest.TestCase):
    """What cffi was told is what the compiler reads in the headers."""

    def types(self, kind):
        """{name: type} of the headers' types of a kind; function types have none."""
        found = {}
        for name in ffi.list_types()[0]:
            try:
                found[name] = ffi.typeof(name)
            except ffi.error as error:
                self.assertIn("is a function type", str(error))
        return {name: type_ for name, type_ in found.items() if type_.kind == kind}

    def compiled(self, lines):
        source = '#include <contatto/contatto.h>\n#include <contatto/measure.h>\n#include <stdio.h>\nint main(void) {\n'
        with open("layout.c", "w", encoding="utf-8") as file:
            file.write(source + "".join(lines) + "return 0;\n}\n")
        subprocess.run([os.environ["CC"], "-I", f"{ROOT}/include", "-o", "layout", "layout.c"], check=True)
        return subprocess.run(["./layout"], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]

    def test_structs_lie_in_memory_as_the_compiler_has_them(self):
        lines, expected = [], []
        for name, struct in self.types("struct").items():
            if not struct.fields:
                continue
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));\n')
            expected.append(f"{name} {ffi.sizeof(name)}")
            for field, place in struct.fields:
                where = f"offsetof({name}, {field}), sizeof((({name} *)0)->{field})"
                lines.append(f'printf("{name}.{field} %zu %zu\\n", {where});\n')
                expected.append(f"{name}.{field} {place.offset} {ffi.sizeof(place.type)}")
        self.assertGreater(len(expected), 200)
        self.assertEqual(self.compiled(lines), expected)

    def test_enumerations_have_the_compiler_s_numbers(self):
        words = {word: value for kind in self.types("enum").values() for value, word in kind.elements.items()}
        self.assertGreater(len(words), 50)
        lines = [f'printf("{word} %d\\n", (int){word});\n' for word in words]
        self.assertEqual(self.compiled(lines), [f"{word} {value}" for word, value in words.items()])

    def test_declares_what_the_libraries_export(self):
        shown = set()
        for library in ("libcontatto.so", "libcontatto_measure.so"):
            table = subprocess.check_output(["nm", "-D", "--defined-only", f"{BUILD}/{library}"], text=True)
            shown |= set(re.findall(r" T (\w+)", table))
        declared = {name for name in dir(core) if name.startswith("ct_")}
        self.assertEqual(declared, shown)
        self.assertGreater(len(shown), 150)

    def test_carries_the_built_in_scenes(self):
        names = sorted(name[:-5] for name in os.listdir(f"{ROOT}/scenes") if name.endswith(".json"))
        self.assertEqual(contatto.scene_names(), names)

    def test_does_not_look_into_the_source_tree(self):
        self.assertFalse(contatto.__file__.startswith(ROOT + os.sep))
        self.assertEqual(contatto.__version__, program("--version").split()[-1])


class Sound(unittest.TestCase):
    """Every sample of the program, bit by bit."""

    def same(self, scene, arguments=(), **options):
        program("render", scene, "-o", "program.wav", *arguments)
        samples, _ = contatto.render(scene, **options)
        self.assertEqual(samples.dtype, np.float64 if options.get("raw") else np.float32)
        self.assertGreater(np.abs(samples).max(), 0)
        self.assertTrue(samples.tobytes() == wav_data("program.wav"), f"{scene} {arguments}")

    def test_demos_equal_the_program_s(self):
        for scene in ("hammer", "glass", "cello", "marble", "xylophone"):
            self.same(scene)

    def test_options_equal_the_program_s(self):
        self.same("hammer", ["--raw"], raw=True)
        self.same("scrape", ["--seed", "7", "--seconds", "1.5"], seed=7, seconds=1.5)
        self.same("glass", ["--preset", "goblet", "--seconds", "2"], preset="goblet", seconds=2)
        self.same("hammer", ["--set", "hardness=0.2", "--rate", "44100"], controls={"hardness": 0.2}, rate_hz=44100)
        plucked = ["--preset", "pizzicato", "--set", "d.string.hz=160"]
        self.same("cello", plucked, preset="pizzicato", controls={"d.string.hz": 160})

    def test_gestures_equal_the_program_s(self):
        hand = {"time_s": [0, 0.5, 1], "push": [0, 12, 12], "pressure": [1.6, math.nan, 2.5]}
        with open("hand.csv", "w", encoding="utf-8") as file:
            file.write("time_s,push,pressure\n0,0,1.6\n0.5,12,\n1,12,2.5\n")
        self.same("glass", ["--gesture", "hand.csv", "--seconds", "2"], gesture=hand, seconds=2)

    def test_more_gesture_than_the_queue_holds(self):
        rows = 20000  # 7 to a sample, two columns: more than the queue holds even when what is due is taken out
        time_s = np.arange(rows) * 3e-6
        values = 0.2 + 0.6 * (np.arange(rows) % 2)
        with open("dense.csv", "w", encoding="utf-8") as file:
            file.write("time_s,hardness,position\n")
            np.savetxt(file, np.c_[time_s, values, values], delimiter=",", fmt="%.17g")
        columns = {"time_s": time_s, "hardness": values, "position": values}
        thrown = ["--gesture", "dense.csv", "--seconds", "0.3", "--set", "hammer.modes.0.v_m_s=1"]
        self.same("hammer", thrown, gesture=columns, seconds=0.3, controls={"hammer.modes.0.v_m_s": 1})

    def test_motion_equals_the_program_s(self):
        program("render", "hammer", "--seconds", "0.5", "--motion", "motion.npy", "--motion-of", "bar.*")
        table = np.load("motion.npy")
        block = contatto.Scene("hammer").play().process(24000, taps=["bar.*"])
        self.assertEqual(["time_s", *block.motion], list(table.dtype.names))
        for path, values in block.motion.items():
            self.assertTrue(np.array_equal(values, table[path]), path)

    def test_hundred_builds_and_renders(self):
        begun = time.perf_counter()
        sounds = [contatto.render("hammer", seconds=1, controls={"hardness": i / 100})[0] for i in range(1, 101)]
        print(f"hammer: a hundred documents, builds and renders of 1 s took {time.perf_counter() - begun:.2f} s")
        self.assertEqual(len({sound.tobytes() for sound in sounds}), 100)
        self.assertTrue(np.array_equal(contatto.render("hammer", seconds=1, controls={"hardness": 0.5})[0], sounds[49]))

    def test_writes_files_that_the_program_reads(self):
        samples, rate_hz = contatto.render("xylophone", seconds=1)
        contatto.write_wav("x.wav", samples, rate_hz)
        self.assertEqual(wav_data("x.wav"), samples.tobytes())
        said = json.loads(program("measure", "x.wav", "--json"))
        self.assertEqual((said["channels"], said["rate_hz"], said["duration_s"]), (2, 48000, 1))
        self.assertAlmostEqual(said["integrated_lufs"], measure.loudness(samples, rate_hz).integrated_lufs, 9)


class Process(unittest.TestCase):
    def test_block_size_does_not_matter(self):
        whole = contatto.Scene("glass").play().process(6000).samples
        scene = contatto.Scene("glass").play()
        parts = [scene.process(frames).samples for frames in (1, 7, 64, 0, 2928, 3000)]
        self.assertTrue(np.array_equal(np.concatenate(parts, axis=1), whole))

    def test_writes_into_the_caller_s_arrays(self):
        expected = contatto.Scene("hammer").play().process(9600, taps=["bar.hit.v_m_s"], raw=True)
        out, raw, tap = np.zeros(9600, np.float32), np.zeros((1, 9600)), np.zeros(9600)
        given = contatto.Scene("hammer").play().process(9600, out=out, raw=raw, taps={"bar.hit.v_m_s": tap})
        self.assertIs(given.samples, out)
        self.assertIs(given.raw, raw)
        self.assertIs(given.motion["bar.hit.v_m_s"], tap)
        self.assertTrue(np.array_equal(out, expected.samples[0]) and np.array_equal(raw, expected.raw))
        self.assertTrue(np.array_equal(tap, expected.motion["bar.hit.v_m_s"]))
        self.assertGreater(np.abs(tap).max(), 0)

    def test_presets_and_reset_while_it_sounds(self):
        document = contatto.Document.from_name("hammer")
        scene = contatto.Scene(document, keep_start=True)
        name = list(document.presets)[-1]
        first = scene.process(4800).samples
        self.assertEqual(scene.preset(document, name), [])
        scene.process(4800)
        built = contatto.Scene(contatto.Document.from_name("hammer").preset(name))
        self.assertEqual(scene.get("out.full_scale"), built.get("out.full_scale"))
        scene.reset(0.0)
        np.testing.assert_array_equal(scene.process(4800).samples, first)
        self.assertEqual(scene.sample, 3 * 4800)
        with self.assertRaisesRegex(contatto.Error, "has not kept its start"):
            built.reset()

    def test_sixty_four_outputs(self):
        document = contatto.Document.from_name("hammer")
        mono = contatto.Scene(document).process(4800).samples
        document["channels"] = 64
        document["out.output"] = 64
        many = contatto.Scene(document).process(4800).samples
        self.assertEqual(many.shape, (64, 4800))
        np.testing.assert_array_equal(many[63], mono[0])
        self.assertFalse(many[:63].any())

    def test_refuses_arrays_that_do_not_fit(self):
        scene = contatto.Scene("hammer")
        read_only = np.zeros(8, np.float32)
        read_only.flags.writeable = False
        wrong = [np.zeros(7, np.float32), np.zeros(8), np.zeros(16, np.float32)[::2], np.zeros((2, 8), np.float32)]
        for out in [*wrong, read_only]:
            self.assertRaises(contatto.Error, scene.process, 8, out=out)
        self.assertRaises(contatto.Error, scene.process, 8, taps={"bar.hit.v_m_s": np.zeros(9)})
        self.assertRaises(contatto.Error, scene.process, 8, taps={"bar.hit.v_m_s": np.zeros(16)[::2]})
        locked = np.zeros(8)
        locked.flags.writeable = False
        self.assertRaises(contatto.Error, scene.process, 8, taps={"bar.hit.v_m_s": locked})
        self.assertRaises(contatto.Error, scene.process, 8, taps={"bar.hit.v_m_s": [0.0] * 8})
        self.assertRaises(contatto.Error, scene.process, 8, inputs={"bar.hit.force_n": [0, 0]})
        self.assertEqual(scene.sample, 0)

    def test_inputs_at_every_sample(self):
        force = np.zeros(4800)
        force[100] = 1.0  # N for one sample: an impulse of 1/48000 N s
        scene = contatto.Scene("hammer", ledger=True)
        block = scene.process(4800, inputs={"bar.hit.force_n": force}, taps=["bar.hit.v_m_s"])
        v = block.motion["bar.hit.v_m_s"]
        self.assertTrue(np.all(v[:101] == 0))
        self.assertGreater(np.abs(v[101:110]).max(), 0)
        self.assertGreater(scene.ledger.force_j, 0)
        force[200] = math.inf
        scene.process(4800, inputs={"bar.hit.force_n": force})
        self.assertEqual(scene.counters.dropped_inputs, 1)

    def test_set_at_a_sample_and_get(self):
        scene = contatto.Scene("cello")
        scene.set("rub.normal_n", 2, ramp_s=0, at_sample=1000)
        normal = scene.process(2000, taps=["rub.normal_n"]).motion["rub.normal_n"]
        self.assertEqual(list(np.flatnonzero(np.diff(normal))), [999])
        self.assertEqual(scene.get("rub.normal_n"), 2)
        scene.set("force", 3)
        scene.process(48000)
        self.assertAlmostEqual(scene.get("force"), 3)
        self.assertAlmostEqual(scene.get("rub.normal_n"), 3)
        with self.assertRaisesRegex(contatto.Error, "normal_n: -1 N is out of range"):
            scene.set("rub.normal_n", -1)

    def test_events_land_on_their_frame(self):
        events = [(100, "rub.normal_n", 2, 0), (100, "bow.tangential_v_m_s", 0.1, 0), (70000, "rub.normal_n", 3, 0)]
        for playing in (False, True):  # blocks of 65536 frames, and of 256
            scene = contatto.Scene("cello")
            if playing:
                scene.play({"time_s": [0, 1], "vibrato": [0, 0]})
            scene.process(37)
            motion = scene.process(80000, taps=["rub.normal_n", "bow.tangential_v_m_s"], events=events).motion
            self.assertEqual(list(np.flatnonzero(np.diff(motion["rub.normal_n"]))), [99, 69999])
            self.assertEqual(list(np.flatnonzero(np.diff(motion["bow.tangential_v_m_s"]))), [99])
            self.assertEqual((scene.get("rub.normal_n"), scene.counters.late_events), (3, 0))
        for bad in ([(5, "rub.normal_n", 1), (4, "rub.normal_n", 1)], [(8, "rub.normal_n", 1)], [(0, "nobody", 1)]):
            self.assertRaises(contatto.Error, scene.process, 8, events=bad)

    def test_changes_that_belong_together(self):
        scene = contatto.Scene("cello")
        self.assertRaises(contatto.Error, scene.set_many, {"bow.tangential_v_m_s": 0.1, "rub.normal_n": -1})
        scene.set_many({"rub.normal_n": 2, "bow.tangential_v_m_s": 0.1}, ramp_s=0, at_sample=100)
        motion = scene.process(200, taps=["rub.normal_n", "bow.tangential_v_m_s"]).motion
        for values in motion.values():
            self.assertEqual(list(np.flatnonzero(np.diff(values))), [99])

    def test_gestures_outlive_their_document(self):
        scene = contatto.Scene(contatto.Document.from_name("glass")).play()
        expected = contatto.Scene("glass").play().process(9600).samples
        gc.collect()
        self.assertTrue(np.array_equal(scene.process(9600).samples, expected))

    def test_refuses_bad_gestures(self):
        scene = contatto.Scene("glass")
        falling, short = {"time_s": [1, 0], "push": [1, 1]}, {"time_s": [0, 1], "push": [1]}
        for bad in ({"push": [1]}, falling, short, {"time_s": [0], "nobody": [1]}, "loud"):
            self.assertRaises(contatto.Error, scene.play, bad)

    def test_scenes_in_threads(self):
        names = ["hammer", "glass", "cello", "marble"]
        alone = {name: contatto.render(name, seconds=0.5)[0] for name in names}
        together = {}

        def render(name):
            together[name] = contatto.render(name, seconds=0.5)[0]

        work = [threading.Thread(target=render, args=[name]) for name in names]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        for name in names:
            self.assertTrue(np.array_equal(alone[name], together[name]), name)

    def test_stops_where_numbers_are_not_finite(self):
        modes = [{"hz": 100 + i, "t60_s": 1, "mass_kg": 1e-12} for i in range(600)]
        dust = {"modes": modes, "points": {"at": {"gains": [1000] * 600}}}
        ear = {"at": "dust.at", "listen": "acceleration", "full_scale": 1e-12}
        loud = {"contatto": 1, "bodies": {"dust": dust}, "pickups": {"ear": ear}}
        scene = contatto.Scene(contatto.Document(json.dumps(loud)))
        scene.set("dust.at.force_n", 1e6, ramp_s=0, at_sample=480)
        with self.assertRaisesRegex(contatto.Error, "pickup 'ear' stopped being finite") as caught:
            scene.process(2400)
        self.assertEqual(caught.exception.code, "NOT_FINITE")
        self.assertEqual((scene.fault.found, scene.fault.kind, scene.fault.name), (True, "pickup", "ear"))


class Account(unittest.TestCase):
    def test_ledger_closes_and_is_the_scene_s(self):
        scene = contatto.Scene("drop", ledger=True).play()
        scene.process(48000)
        ledger = scene.ledger
        self.assertTrue(ledger.kept)
        self.assertGreater(ledger.lost_bodies_j, 0)
        self.assertEqual(ledger.stored_j, scene.get("energy.stored_j"))
        self.assertLessEqual(abs(ledger.error_j), ledger.allowance_j)
        self.assertEqual(scene.counters.steps, 48000)
        scene.judge()
        self.assertRaises(contatto.Error, lambda: contatto.Scene("drop").ledger)

    def test_modes_and_partials(self):
        modes = contatto.Scene("hammer").modes("bar")
        said = json.loads(program("describe", "hammer", "--body", "bar", "--json"))["modes"]
        self.assertEqual(len(modes), len(said))
        for mode, expected in zip(modes, said):
            for field in ("hz", "t60_s", "mass_kg"):
                self.assertAlmostEqual(mode[field] / expected[field], 1, 9)
        scene = contatto.Scene("cello")
        scene.process(0)
        self.assertLess(abs(measure.cents(scene.string_partial("d", 1)[0], 147)), 1)
        self.assertRaises(contatto.Error, scene.modes, "nobody")


class Documents(unittest.TestCase):
    def test_changes_read_back(self):
        document = contatto.Document.from_name("glass")
        document["rub.normal_n"] = 2
        document["contacts.rub.law"] = "lugre"
        self.assertEqual(document.leaves["contacts.rub.normal_n"], 2)
        self.assertEqual(document["rub.normal_n"], 2)
        self.assertEqual(document["contacts.rub.normal_n"], 2)
        self.assertEqual(document["rub.law"], "lugre")
        document["push"] = 0.25
        self.assertEqual(document["push"], 0.25)
        self.assertEqual(document["controls.push.value"], 0.25)
        for path, value in document.leaves.items():
            self.assertEqual(document[path], value)
        self.assertRaises(KeyError, document.__getitem__, "rub.no_such")
        again = contatto.Document.from_text(document.to_json(), "again")
        self.assertEqual(again.leaves, document.leaves)
        self.assertEqual(again.to_json(), document.to_json())
        self.assertEqual((again.title, again.bodies), (document.title, document.bodies))
        self.assertEqual(again.contacts, document.contacts)

    def test_says_what_a_scene_offers(self):
        document = contatto.Document.from_name("glass")
        said = json.loads(program("describe", "glass", "--json"))
        self.assertEqual([c["name"] for c in said["controls"]], list(document.controls))
        self.assertEqual([p["name"] for p in said["presets"]], list(document.presets))
        push = document.controls["push"]
        self.assertTrue(push.min < push.value < push.max and push.unit == "N" and push.scale == "CT_LINEAR")
        self.assertEqual(len(document.gesture["time_s"]), len(document.gesture["push"]))
        self.assertIsNone(contatto.Document('{"contatto": 1, "bodies": {"wall": {"kind": "wall"}}}').gesture)
        rows = {row.path: row for row in contatto.schema()}
        self.assertEqual(rows["contacts.*.normal_n"].unit, "N")

    def test_copies_and_renders_leave_it_alone(self):
        document = contatto.Document.from_name("glass").preset("goblet")
        before, demo = document.to_json(), document.gesture
        twin = document.copy()
        self.assertEqual(twin.to_json(), before)
        self.assertTrue(all(np.array_equal(twin.gesture[path], demo[path], equal_nan=True) for path in demo))
        contatto.render(document, seconds=0.01, preset="schnapps", controls={"rub.normal_n": 1})
        twin["rub.normal_n"] = 3
        self.assertEqual(document.to_json(), before)
        by_name = contatto.render("glass", seconds=0.5, preset="goblet")[0]
        self.assertTrue(np.array_equal(contatto.render(document, seconds=0.5)[0], by_name))

    def test_errors_are_the_library_s_lines(self):
        glass = contatto.Document.from_name("glass")

        def refused(code, pattern, action, *arguments):
            with self.assertRaisesRegex(contatto.Error, pattern) as caught:
                action(*arguments)
            self.assertEqual(caught.exception.code, code)
            self.assertNotIn("\n", str(caught.exception))

        refused("BAD_PATH", "rub.normal_m: no such parameter", glass.__setitem__, "rub.normal_m", 2)
        refused("BAD_VALUE", "wants 0 to 100000 N", glass.__setitem__, "rub.normal_n", -2)
        refused("BAD_VALUE", "not a number", glass.__setitem__, "rub.normal_n", "much")
        refused("BAD_VALUE", "", glass.__setitem__, "rub.normal_n", True)
        refused("BAD_PATH", "no preset called 'nix'", glass.preset, "nix")
        refused("BAD_PATH", "did you mean glass", contatto.Document.from_name, "glas")
        refused("BAD_SCENE", "^scene:2:2: ", contatto.Document.from_text, "{\n oops")
        refused("BAD_FILE", "nowhere.json: No such file", contatto.Document.from_file, "nowhere.json")
        refused("BAD_PATH", "nobody", contatto.Scene("glass").get, "nobody.x_m")
        refused("BAD_VALUE", "", contatto.Scene, "glass", -1)

    ROLL = {
        "contatto": 1,
        "seconds": 0.1,
        "bodies": {
            "ball": {"modes": [{"hz": 0, "mass_kg": 0.01}], "points": {"p": {"gains": [1]}}},
            "floor": {"kind": "wall"},
        },
        "contacts": {"touch": {"a": "ball.p", "b": "floor.at"}},
        "surfaces": {"ground": {"kind": "scan", "file": "ground.csv", "step_m": 1e-4}},
        "drives": {"roll": {"contact": "touch", "surface": "ground", "radius_m": 0.01, "throw_m_s": 1}},
        "pickups": {"out": {"at": "ball.p"}},
    }

    def test_scans_are_brought(self):
        heights = 1e-6 * np.array([0, 1, 0, 2, 0, 1, 0, 1])
        os.makedirs("scans", exist_ok=True)
        np.savetxt("scans/ground.csv", heights)
        with open("scans/roll.json", "w", encoding="utf-8") as file:
            json.dump(self.ROLL, file)
        program("render", "scans/roll.json", "-o", "roll.wav")
        from_file = contatto.render(contatto.Document.from_file("scans/roll.json"))[0]
        self.assertEqual(from_file.tobytes(), wav_data("roll.wav"))
        self.assertGreater(np.abs(from_file).max(), 0)
        asked = []

        def bring(kind, name):
            asked.append((kind, name))
            return heights, 0, True

        given = contatto.Document(json.dumps(self.ROLL), bring=bring)
        self.assertEqual(asked, [("scan", "ground.csv")])
        self.assertTrue(np.array_equal(contatto.render(given)[0], from_file))
        np.savetxt("scans/other.csv", heights[::-1] * 2)
        other = contatto.Document.from_file("scans/roll.json")
        other["surfaces.ground.file"] = "other.csv"
        program("render", "scans/roll.json", "--set", "surfaces.ground.file=other.csv", "-o", "roll.wav")
        self.assertEqual(contatto.render(other)[0].tobytes(), wav_data("roll.wav"))

    def test_what_bring_raises_comes_through(self):
        def bring(kind, name):
            raise KeyError(name)

        self.assertRaises(KeyError, contatto.Document, json.dumps(self.ROLL), "roll", bring)
        self.assertRaisesRegex(contatto.Error, "ground.csv", contatto.Scene, contatto.Document(json.dumps(self.ROLL)))

    def test_warnings_of_building(self):
        modes = [{"hz": 40000, "t60_s": 1}, {"hz": 400, "t60_s": 1}]
        bar = {"modes": modes, "points": {"p": {"gains": [1, 1]}}}
        high = {"contatto": 1, "bodies": {"bar": bar}, "pickups": {"out": {"at": "bar.p"}}}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            contatto.Scene(contatto.Document(json.dumps(high)))
        self.assertEqual([w.category for w in caught], [contatto.SceneWarning])


class Measures(unittest.TestCase):
    def test_every_measure_has_a_function(self):
        names = {name.removeprefix("ct_measure_") for name in dir(measures) if name.startswith("ct_measure_")}
        names = {name for name in names if name != "interval"}
        self.assertGreaterEqual(len(names), 20)
        self.assertEqual({name for name in names if not callable(getattr(measure, name, None))}, set())

    def test_of_a_decaying_sine(self):
        rate_hz, t = 48000.0, np.arange(96000) / 48000
        sine = 0.5 * np.sin(2 * np.pi * 440 * t)
        decaying = sine * 10 ** (-3 * t / 1.5)
        self.assertLess(abs(measure.cents(measure.pitch(sine, rate_hz).hz, 440)), 0.1)
        self.assertLess(abs(measure.strongest_partial(sine, rate_hz).hz - 440), 0.02)
        self.assertAlmostEqual(measure.level(sine).rms_db, 20 * math.log10(0.5 / math.sqrt(2)), 3)
        self.assertAlmostEqual(measure.decay(decaying, rate_hz, 440).t60_s, 1.5, delta=0.015)
        self.assertAlmostEqual(measure.decays(decaying, rate_hz, [440])[0].t60_s, 1.5, delta=0.015)
        self.assertAlmostEqual(measure.modes(decaying, rate_hz)[0].decay.t60_s, 1.5, delta=0.015)
        self.assertAlmostEqual(measure.spectrum(sine, rate_hz).centroid_hz, 440, delta=2)
        self.assertAlmostEqual(measure.peaks(sine, rate_hz)[0].hz, 440, delta=0.1)
        self.assertGreater(measure.harmonicity(sine, rate_hz, 440).fraction, 0.9)
        self.assertLess(measure.roughness(sine, rate_hz), 1e-3)
        edges = measure.octave_edges(1, 63, 8000)
        levels = measure.bands(sine, rate_hz, edges)
        self.assertTrue(edges[np.argmax(levels)] < 440 < edges[np.argmax(levels) + 1])
        self.assertTrue(all(abs(measure.cents(frame.hz, 440)) < 1 for frame in measure.pitch_track(sine, rate_hz)))
        self.assertEqual(len(measure.level_track(sine, rate_hz, 0.5, 0.5)), 4)

    def test_of_events(self):
        rate_hz, t = 48000.0, np.arange(96000) / 48000
        tremolo = (1 + 0.5 * np.cos(2 * np.pi * 5 * t)) * np.sin(2 * np.pi * 440 * t) / 2
        self.assertAlmostEqual(measure.modulation(tremolo, rate_hz).rate_hz, 5, delta=0.05)
        late = np.where(t >= 1, np.sin(2 * np.pi * 440 * (t - 1)) * np.exp(-5 * (t - 1)), 0)
        self.assertAlmostEqual(measure.onsets(late, rate_hz)[0].time_s, 1, delta=0.002)
        broken = np.cos(2 * np.pi * 440 * t)
        broken[48000:] *= -0.7
        self.assertAlmostEqual(measure.clicks(broken, rate_hz)[0].time_s, 1, delta=0.002)
        self.assertEqual(measure.clicks(broken, rate_hz, exempt=[(0.9, 1.1)]), [])
        self.assertGreater(measure.worst_click(broken, rate_hz).strength_db, 18)

    def test_loudness_by_the_standard(self):
        """BS.1770-4: a 997 Hz sine at 0 dBFS in one channel reads -3.01 LKFS."""
        t = np.arange(48000 * 3) / 48000
        self.assertAlmostEqual(measure.loudness(np.sin(2 * np.pi * 997 * t), 48000).integrated_lufs, -3.01, delta=0.05)
        both = np.column_stack([np.sin(2 * np.pi * 997 * t)] * 2)
        self.assertAlmostEqual(measure.loudness(both, 48000).integrated_lufs, 0, delta=0.05)

    def test_of_nothing(self):
        self.assertTrue(math.isnan(measure.pitch([], 48000).hz))
        self.assertEqual(measure.onsets([], 48000), [])
        self.assertRaises(contatto.Error, measure.pitch, np.zeros((2, 9)), 48000)


unittest.main()
