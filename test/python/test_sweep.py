"""contatto.sweep() on this machine: run by test/test_python.sh like test_contatto.py. What it returns and leaves behind is
what the program makes. test/test_sweep_dask.sh has the same on a cluster."""

import hashlib
import json
import os
import pickle
import subprocess
import unittest
from pathlib import Path

import contatto
import numpy as np

PROGRAM, ROOT = os.environ["CONTATTO"], Path(os.environ["ROOT"])

PLAN = {
    "contatto_sweep": 1,
    "scene": "hammer",
    "seconds": 0.05,
    "gesture": {"time_s": [0.01], "strike_speed": [1.5]},
    "vary": {"hardness": [0.2, 0.8], "position": [0.1, 0.5]},
}


def files(folder):
    """{name: hash of its bytes}"""
    found = (file for file in Path(folder).rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in found}


class Nobody:
    """A client that must not be asked for anything."""

    def __getattr__(self, name):
        raise AssertionError(f"asks the client for {name}")


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.id().split(".")[-1])
        self.folder.mkdir()

    def plan_file(self, **changed):
        file = self.folder / "asked.json"
        file.write_text(json.dumps(PLAN | changed, indent=1) + "\n")
        return file

    def assert_refused(self, line, *arguments, **keywords):
        before = files(self.folder)
        with self.assertRaisesRegex(contatto.Error, line):
            contatto.sweep(*arguments, **keywords)
        self.assertEqual(files(self.folder), before)

    def test_folder_is_the_program_s(self):
        subprocess.run([PROGRAM, "sweep", self.plan_file(), "-o", self.folder / "program"], check=True, capture_output=True)
        made = contatto.sweep(PLAN, folder=self.folder / "python")
        self.assertEqual(files(self.folder / "python"), files(self.folder / "program"))
        self.assertEqual(made.folder, str(self.folder / "python"))
        self.assertEqual(made.table.tobytes(), np.load(self.folder / "program/table.npy").tobytes())

    def test_table_columns_and_samples(self):
        made = contatto.sweep(PLAN, sounds=True)
        self.assertIsNone(made.folder)
        self.assertEqual(list(made.table["set.hardness"]), [0.2, 0.2, 0.8, 0.8])
        self.assertEqual(list(made.table["set.position"]), [0.1, 0.5, 0.1, 0.5])
        self.assertEqual(list(made.columns), list(made.table.dtype.names))
        self.assertEqual(made.columns["duration_s"].unit, "s")
        for row, samples in zip(made.table, made.samples):
            controls = {"hardness": row["set.hardness"], "position": row["set.position"]}
            rendered, _ = contatto.render("hammer", seconds=0.05, controls=controls, gesture=PLAN["gesture"])
            np.testing.assert_array_equal(samples, rendered)
        self.assertIsNone(contatto.sweep(PLAN).samples)

    def test_measures_only_have_no_samples(self):
        made = contatto.sweep(PLAN | {"write": "measures"}, sounds=True)
        self.assertEqual(made.samples, [None] * 4)

    def test_a_sound_that_fails_is_a_row_that_says_why(self):
        dust = {"modes": [{"hz": 100 + i, "t60_s": 1, "mass_kg": 1e-12} for i in range(600)]}
        scene = {
            "contatto": 1,
            "seconds": 0.02,
            "bodies": {"dust": dust | {"points": {"at": {"gains": [1000] * 600}}}},
            "pickups": {"ear": {"at": "dust.at", "listen": "acceleration", "full_scale": 1}},
            "gesture": {"time_s": [0, 0.01, 0.0101], "dust.at.force_n": [1e-6, 1e-6, 1e6]},
        }
        (self.folder / "loud.json").write_text(json.dumps(scene))
        plan = self.folder / "asked.json"
        vary = {"ear.full_scale": [1e8, 1e-12]}
        plan.write_text(json.dumps({"contatto_sweep": 1, "scene": "loud.json", "measures": ["level"], "vary": vary}))
        made = contatto.sweep(plan, sounds=True)
        self.assertEqual([samples is None for samples in made.samples], [False, True])
        self.assertEqual(made.table["failed"][0], "")
        self.assertIn("stopped being finite", made.table["failed"][1])

    def test_errors_come_whole_from_other_processes(self):
        error = pickle.loads(pickle.dumps(contatto.Error("a line", "BAD_FILE")))
        self.assertEqual((str(error), error.code), ("a line", "BAD_FILE"))

    def test_scenes_beside_the_plan(self):
        (self.folder / "mine.json").write_bytes((ROOT / "scenes/hammer.json").read_bytes())
        mine = contatto.sweep(self.plan_file(scene="mine.json"))
        self.assertEqual(mine.table["rms_db"].tobytes(), contatto.sweep(PLAN).table["rms_db"].tobytes())

    def test_a_finished_sweep_asks_nobody(self):
        first = contatto.sweep(PLAN, folder=self.folder / "set")
        again = contatto.sweep(PLAN, Nobody(), self.folder / "set")
        self.assertEqual(again.table.tobytes(), first.table.tobytes())

    def test_refuses_in_the_program_s_words(self):
        place = self.folder / "set"
        self.assert_refused(r"plan\.json: .*loudness", PLAN | {"vary": {"loudness": [1]}}, folder=place)
        self.assert_refused("nowhere.json", "nowhere.json", folder=place)
        self.assert_refused("nobody: No such file.*program=", PLAN, folder=place, program="nobody")
        self.assert_refused("shared: wants a client", PLAN, folder=place, shared=True)

    def test_refuses_a_folder_of_another_plan_at_once(self):
        place = self.folder / "set"
        contatto.sweep(PLAN | {"write": "measures"}, folder=place)
        for client in (None, Nobody()):
            self.assert_refused("set: holds the sounds of another plan", PLAN, client, folder=place)


if __name__ == "__main__":
    unittest.main()
