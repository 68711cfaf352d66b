"""A sounding scene. One thread at a time may use a scene; different scenes run in different threads at once, since
cffi lets go of the interpreter's lock while the engine computes."""

import fnmatch
import re
import warnings
from collections import namedtuple

import numpy as np

from ._library import Error, call, core, doubles, ffi, named, pointer, sized, text
from .document import Document

Block = namedtuple("Block", "start samples raw motion")
Block.__doc__ = """What process() made: `start`, its first sample; `samples`, float32 (channels, frames), 1 is full
scale; `raw`, float64 in SI units or None; `motion`, {path: float64 array} of the taps."""

Ledger = namedtuple("Ledger", [name for name, _ in ffi.typeof("ct_ledger").fields] + ["kept"])

_PLAYED = 256  # frames at once while a gesture is played: its rows go into the scene's queue block by block
_QUIET = 1 << 16  # frames at once otherwise: so often an interrupt is looked at


class SceneWarning(UserWarning):
    """Something was done for you while a scene was built."""


class _Gesture:
    """A player and the memory it reads."""

    def __init__(self, scene, columns):
        columns = {path: doubles(values) for path, values in columns.items()}
        time_s = columns.pop("time_s", None)
        if time_s is None or time_s.ndim != 1 or time_s.size == 0:
            raise Error("a gesture wants a list time_s, and a list as long for each control or path")
        if not np.all(np.isfinite(time_s)) or np.any(np.diff(time_s) < 0) or time_s[0] < 0:
            raise Error("time_s of a gesture must rise, from 0 or later")
        for path, values in columns.items():
            if values.shape != time_s.shape:
                raise Error(f"{path}: {values.size} values; time_s has {time_s.size}")
        names = [ffi.new("char[]", path.encode()) for path in columns]
        rows = [pointer(values, "double") for values in columns.values()]
        paths, values = ffi.new("char *[]", names), ffi.new("double *[]", rows)
        fields = {"rows": time_s.size, "columns": len(columns), "time_s": pointer(time_s, "double")}
        gesture = ffi.new("ct_gesture *", {**fields, "paths": paths, "values": values})
        made = ffi.new("ct_player **")
        call(core.ct_player_create, gesture, scene, made)
        self.player = ffi.gc(made[0], core.ct_player_destroy)
        self.kept = (scene, time_s, columns, names, rows, paths, values, gesture)


class _Buffers:
    """A ct_io over numpy arrays, moved along them block by block."""

    def __init__(self, scene, frames, inputs, taps, out, raw, events):
        self.frames = frames
        channels = scene.channels
        self.samples = np.empty((channels, frames), np.float32) if out is None else out
        self.raw = np.empty((channels, frames)) if raw is True else None if raw is False else raw
        self.motion = dict(taps) if hasattr(taps, "keys") else {path: np.empty(frames) for path in scene.match(taps)}
        signals = {path: doubles(values) for path, values in (inputs or {}).items()}
        self._check("out", self.samples, (channels, frames), np.float32)
        if self.raw is not None:
            self._check("raw", self.raw, (channels, frames))
        for path, values in self.motion.items():
            self._check(path, values, (1, frames))
        for path, values in signals.items():
            if values.shape != (frames,):
                raise Error(f"{path}: wants {frames} numbers, not {values.shape}")
        self.outputs = self._rows(self.samples, channels, "float")
        self.raws = None if self.raw is None else self._rows(self.raw, channels, "double")
        self.inputs = self._signals(scene, signals, "ct_input[]")
        self.taps = self._signals(scene, self.motion, "ct_tap[]")
        self.io = ffi.new("ct_io *", {"outputs": self.outputs[0], "inputs": self.inputs[0], "taps": self.taps[0]})
        self.io.raw = ffi.NULL if self.raws is None else self.raws[0]
        self.io.input_count, self.io.tap_count = len(signals), len(self.motion)
        self.events, self.event_frames = self._events(scene, events), [event[0] for event in events]
        self.taken = 0  # events so far

    @staticmethod
    def _check(name, array, shape, dtype=np.float64):
        """Whether the library can write into it; one row may have one dimension."""
        shapes = (shape, shape[1:]) if shape[0] == 1 else (shape,)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape not in shapes:
            raise Error(f"{name}: wants an array of {np.dtype(dtype)} {shapes[-1]}")
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise Error(f"{name}: wants an array in one piece that can be written to")

    def _rows(self, array, channels, kind):
        starts = [pointer(row, kind) for row in array.reshape(channels, self.frames)]
        return ffi.new(f"{kind} *[]", len(starts)), starts

    def _signals(self, scene, arrays, kind):
        starts = [pointer(values, "double") for values in arrays.values()]
        list_ = ffi.new(kind, len(arrays))
        for item, path in zip(list_, arrays):
            item.handle = scene.handle(path)
        return list_, starts

    def _events(self, scene, events):
        list_, last = ffi.new("ct_event[]", len(events)), 0
        for item, (frame, path, value, *ramp_s) in zip(list_, events):
            if not last <= frame < self.frames:
                raise Error(f"{path}: event at frame {frame}; wants rising frames from 0 to {self.frames - 1}")
            item.handle, item.value, item.ramp_s = scene.handle(path), value, ramp_s[0] if ramp_s else -1.0
            last = frame
        return list_

    def at(self, done, frames):
        """The io for `frames` frames from `done` on."""
        self.io.frames = frames
        for rows in (self.outputs, self.raws):
            if rows is not None:
                for channel, start in enumerate(rows[1]):
                    rows[0][channel] = start + done
        for list_, starts in (self.inputs, self.taps):
            for i, start in enumerate(starts):
                list_[i].values = start + done
        first = self.taken
        while self.taken < len(self.event_frames) and self.event_frames[self.taken] < done + frames:
            self.events[self.taken].frame = self.event_frames[self.taken] - done
            self.taken += 1
        self.io.events, self.io.event_count = self.events + first, self.taken - first
        return self.io


class Scene:
    def __init__(self, document, rate_hz=48000.0, seed=1, ledger=False, keep_start=False):
        """Built from a Document or a built-in name. ledger=True keeps the energy account, at about twice the work;
        keep_start=True lets it reset(), at twice the memory."""
        document = Document.from_name(document) if isinstance(document, str) else document
        build = ffi.new("ct_build_def *")
        core.ct_fill_build_def(build, ffi.sizeof("ct_build_def"))
        build.rate_hz, build.seed, build.ledger, build.keep_start = rate_hz, seed, ledger, keep_start
        made, lines = ffi.new("ct_scene **"), []
        warn = ffi.callback("ct_warn *", lambda _, line: lines.append(text(line)))
        call(core.ct_doc_build, document._doc, build, made, warn, ffi.NULL)
        self._scene = ffi.gc(made[0], core.ct_scene_destroy, core.ct_scene_bytes(made[0]))
        self._gestures, self._handles, self._keeps_ledger = [], {}, bool(ledger)
        self._demo = document.gesture
        for line in lines:
            warnings.warn(line, SceneWarning, stacklevel=2)

    # ---- time

    rate_hz = property(lambda self: core.ct_scene_rate_hz(self._scene))
    channels = property(lambda self: core.ct_scene_channels(self._scene))
    sample = property(lambda self: core.ct_scene_sample(self._scene))
    memory_bytes = property(lambda self: core.ct_scene_bytes(self._scene))

    def process(self, frames, inputs=None, taps=(), out=None, raw=False, events=()):
        """The next `frames` samples, as a Block.

        inputs  {path: array}: signals that set a parameter at every sample
        taps    [path or pattern, ...] to be read at every sample; or {path: float64 array} to write into
        out     a float32 array (channels, frames) to write into, mono also (frames,)
        raw     True, or a float64 array as out: SI units, without full scale and DC blocker
        events  [(frame, path, value) or (frame, path, value, ramp_s), ...]: changes at frames of this block, rising
        """
        buffers = _Buffers(self, frames, inputs, taps, out, raw, list(events))
        start, done = self.sample, 0
        while done < frames:
            count = self._send(min(frames - done, _PLAYED if self._gestures else _QUIET))
            self._run(buffers.at(done, count))
            done += count
            if not core.ct_scene_finite(self._scene):
                self.judge()
        if frames == 0:
            self._run(ffi.new("ct_io *"))
        return Block(start, buffers.samples, buffers.raw, buffers.motion)

    def _run(self, io):
        core.ct_scene_process_sized(self._scene, io, ffi.sizeof("ct_io"))

    def play(self, gesture="demo"):
        """From here on, process() also plays this: "demo", the scene's own, or {"time_s": [...], path: [...], ...}.
        Between rows values run in straight lines; nan: nothing happens; a trigger fires where it is not 0."""
        columns = self._demo if isinstance(gesture, str) and gesture == "demo" else gesture
        if isinstance(columns, str):
            raise Error(f'{columns}: no such gesture; "demo", or a dict with time_s and columns', "BAD_PATH")
        if columns is not None:
            made = _Gesture(self._scene, columns)
            core.ct_player_start(made.player, self.sample)
            self._gestures.append(made)
        return self

    def _send(self, frames):
        """Queue what gestures do in the next `frames` frames. Returns how many to process: 1 if the queue is full."""
        until = self.sample + frames
        for gesture in self._gestures:
            if not self._has_sent(gesture, until):
                self._run(ffi.new("ct_io *"))  # takes what is due now
                if not self._has_sent(gesture, until):
                    frames = 1
        return frames

    @staticmethod
    def _has_sent(gesture, until):
        try:
            call(core.ct_player_send, gesture.player, until)
        except Error as error:
            if error.code != "FULL":
                raise
            return False
        return True

    # ---- parameters and states

    def handle(self, path):
        """A path, resolved once."""
        if path not in self._handles:
            found = ffi.new("ct_handle *")
            call(core.ct_scene_resolve, self._scene, path.encode(), found)
            self._handles[path] = found[0]
        return self._handles[path]

    def set(self, path, value, ramp_s=None, at_sample=0):
        """Move a parameter or control, from at_sample on (0: now), over ramp_s (None: the scene's smoothing)."""
        ramp = -1.0 if ramp_s is None else ramp_s
        call(core.ct_scene_set, self._scene, self.handle(path), value, ramp, at_sample)

    def set_many(self, values, ramp_s=None, at_sample=0):
        """{path: value} that belong together: all begin at the same sample or, when one is refused, none."""
        changes = ffi.new("ct_change[]", len(values))
        for change, (path, value) in zip(changes, values.items()):
            change.handle, change.value, change.ramp_s = self.handle(path), value, -1.0 if ramp_s is None else ramp_s
        call(core.ct_scene_set_many, self._scene, changes, len(values), at_sample)

    def preset(self, document, name, ramp_s=None, starts=False):
        """A preset of the Document it was built from (None: what the document itself says), while it sounds. Returns a
        line for all that cannot change now. starts=True also sets where things start: after a reset."""
        lines, how = [], ffi.new("ct_preset_def *")
        warn = ffi.callback("ct_warn *", lambda _, line: lines.append(text(line)))
        core.ct_fill_preset_def(how, ffi.sizeof("ct_preset_def"))
        how.ramp_s, how.starts, how.warn = -1.0 if ramp_s is None else ramp_s, starts, warn
        chosen = ffi.NULL if name is None else name.encode()
        call(core.ct_doc_send_preset, document._doc, chosen, self._scene, how)
        return lines

    def reset(self, fade_s=None):
        """Back to its start, once what sounds has faded (None: over the scene's smoothing). Gestures end."""
        call(core.ct_scene_reset, self._scene, -1.0 if fade_s is None else fade_s)
        self._gestures = []

    def get(self, path):
        """A parameter, control or state, as it is now."""
        return core.ct_scene_get(self._scene, self.handle(path))

    def paths(self):
        """{path: its row of the schema, with full_path} of every number of the scene that has one."""
        found = {}

        def visit(_, path, full_path, handle, row):
            found[text(path)] = (text(full_path), named(row[0]))
            return True

        core.ct_scene_visit(self._scene, ffi.callback("ct_visit *", visit), ffi.NULL)
        return found

    def match(self, patterns):
        """Paths as they are; of those with a * all states that match (parameters, when no state does)."""
        patterns = [patterns] if isinstance(patterns, str) else list(patterns)
        if not any("*" in pattern for pattern in patterns):
            return patterns
        paths, chosen = self.paths(), []
        for pattern in patterns:
            fits = re.compile(fnmatch.translate(pattern)).match
            hits = [path for path, (full, _) in paths.items() if fits(path) or fits(full)]
            states = [path for path in hits if paths[path][1].rate == "CT_RATE_STATE"]
            if "*" in pattern and not hits:
                raise Error(f"{pattern}: matches nothing in this scene", "BAD_PATH")
            chosen += (states or hits) if "*" in pattern else [pattern]
        return list(dict.fromkeys(chosen))

    def modes(self, body):
        """Of a modal body as it is now: an array with the fields hz, t60_s, mass_kg ..., one row per mode."""
        words = re.compile(rf"bodies\.{re.escape(body)}\.modes[.\[](\d+)\]?\.(\w+)")
        found = {}
        for path, (full, row) in self.paths().items():
            place = words.fullmatch(full)
            if place and row.rate != "CT_RATE_TRIGGER":
                found.setdefault(place[2], {})[int(place[1])] = self.get(path)
        if not found:
            raise Error(f"{body}: no body with modes in this scene", "BAD_PATH")
        rows = np.zeros(max(map(max, found.values())) + 1, dtype=[(name, float) for name in found])
        for name, values in found.items():
            rows[name][list(values)] = list(values.values())
        return rows

    def string_partial(self, body, number):
        """(hz, t60_s) of partial 1, 2, ... of a string; hz is 0 when it is not below half the rate."""
        hz, t60_s = ffi.new("double *"), ffi.new("double *")
        call(core.ct_scene_string_partial, self._scene, body.encode(), number, hz, t60_s)
        return hz[0], t60_s[0]

    # ---- what became of it

    @property
    def ledger(self):
        """The energy account since the start, in joules; `kept`: whether it closes."""
        if not self._keeps_ledger:
            raise Error("this scene keeps no energy account: Scene(..., ledger=True) does")
        account = ffi.new("ct_ledger *")
        core.ct_scene_ledger_sized(self._scene, account, ffi.sizeof("ct_ledger"))
        return Ledger(*named(account[0]), kept=core.ct_ledger_kept(account))

    counters = property(lambda self: sized(core.ct_scene_counters_sized, "ct_counters", self._scene))
    fault = property(lambda self: sized(core.ct_scene_fault_sized, "ct_fault", self._scene))

    def judge(self):
        """Raises if a number is not finite, or if the energy account (where there is one) does not close."""
        call(core.ct_scene_judge, self._scene)
