"""A scene on paper: read from a name, a text or a file, changed leaf by leaf, built into a Scene."""

import difflib
import os
from collections import namedtuple

import numpy as np

from ._defines import CT_OUTSIDE_SCAN
from ._library import Error, call, core, doubles, ffi, named, pointer, scene_folder, sized, text

Preset = namedtuple("Preset", "name title about")


def scene_names():
    """The built-in scenes."""
    return sorted(name[:-5] for name in os.listdir(scene_folder) if name.endswith(".json"))


def schema():
    """Every kind of parameter: path pattern, words, symbol, unit, type, range, standard value, scale, rate, effect."""
    return [named(core.ct_schema_row_at(i)[0]) for i in range(core.ct_schema_count())]


def _brief(path, pattern):
    """contacts.rub.normal_n as rub.normal_n: without the words before names; a control's value by its name alone."""
    words, wanted = path.replace("\x1f", ".").split("."), pattern.replace("[]", ".[]").split(".")
    if pattern == "controls.*.value":
        return words[1]
    return ".".join(word for i, word in enumerate(words) if i + 1 >= len(wanted) or wanted[i + 1] != "*")


def bring_from(folder):
    """What a scene names outside itself, from a folder: CSV tables. For other files write such a function: it gets
    the kind ("scan") and the name, and returns bytes of CSV text, or (heights, step_m, metres): step_m 0 leaves it to
    the scene, metres False if the numbers have no scale."""

    def bring(kind, name):
        if kind != CT_OUTSIDE_SCAN:
            raise Error(f"'{name}' cannot be read: not known as a kind of file: {kind}", "BAD_PATH")
        if not name.endswith(".csv"):
            raise Error(f"{name}: only .csv tables are read here; give the function bring() for others", "BAD_FILE")
        try:
            with open(os.path.join(folder, name), "rb") as file:
                return file.read()
        except OSError as error:
            raise Error(f"{name}: {error.strerror}", "BAD_FILE") from error

    return bring


class _Bringer:
    """The C side of bring(). What it brought last stays alive; what it raised is raised again by whoever called."""

    def __init__(self, bring):
        self.raised = self.kept = None
        self.function = ffi.callback("ct_bring *", self._bring, onerror=self._note) if bring else ffi.NULL
        self.bring = bring

    def _note(self, kind, value, trace):
        self.raised = value
        return core.CT_BAD_FILE

    def _bring(self, _, kind, name, brought, error):
        found = self.bring(text(kind), text(name))
        if isinstance(found, (bytes, str)):
            found = found.encode() if isinstance(found, str) else found
            self.kept = ffi.from_buffer("char[]", found)
            brought.text, brought.length = self.kept, len(found)
        else:
            heights, brought.step_m, brought.metres = found
            heights = doubles(heights)
            self.kept = (heights, pointer(heights, "double"))
            brought.numbers, brought.count = self.kept[1], heights.size
        return core.CT_OK

    def call(self, function, *arguments):
        self.raised = None
        try:
            call(function, *arguments, self.function, ffi.NULL)
        except Error:
            if self.raised is not None:
                raise self.raised from None
            raise


class Document:
    """Leaves of a scene file, each checked as it is set. One thread at a time."""

    def __init__(self, source="", name="scene", bring=None):
        """From a scene file's text (JSON); "": empty. `bring(kind, name)` answers for files the scene names."""
        self._source, self._name, self._bring = source, name, bring
        self._changes = []
        self._doc = ffi.gc(core.ct_doc_create(), core.ct_doc_destroy)
        if source:
            data = source.encode() if isinstance(source, str) else bytes(source)
            _Bringer(bring).call(core.ct_doc_read_json, self._doc, name.encode(), data, len(data))

    @classmethod
    def from_text(cls, source, name="scene", bring=None):
        return cls(source, name, bring)

    @classmethod
    def from_file(cls, path, bring=None):
        """Scans are looked for beside the file, unless `bring` says otherwise."""
        path = os.fspath(path)
        try:
            with open(path, "rb") as file:
                return cls(file.read(), path, bring or bring_from(os.path.dirname(path)))
        except OSError as error:
            raise Error(f"{path}: {error.strerror}", "BAD_FILE") from error

    @classmethod
    def from_name(cls, name):
        """A built-in scene: contatto.scene_names() has them."""
        if name not in scene_names():
            near = difflib.get_close_matches(name, scene_names(), 2)
            advice = f"did you mean {' or '.join(near)}?" if near else "contatto.scene_names() has the built-in ones"
            raise Error(f"{name}: no such scene; {advice}", "BAD_PATH")
        with open(os.path.join(scene_folder, f"{name}.json"), "rb") as file:
            return cls(file.read(), name, bring_from(""))

    def copy(self):
        """Another one, made in the same steps."""
        twin = Document(self._source, self._name, self._bring)
        for path, value in self._changes:
            twin.preset(value) if path is None else twin.__setitem__(path, value)
        return twin

    # ---- changing

    def __setitem__(self, path, value):
        """doc["rub.normal_n"] = 2: a parameter's path or a control's name; a number, a text or True and False."""
        if isinstance(value, str):
            call(core.ct_doc_set_text, self._doc, path.encode(), value.encode())
        elif isinstance(value, (bool, np.bool_)):
            call(core.ct_doc_set_flag, self._doc, path.encode(), bool(value))
        else:
            call(core.ct_doc_set_number, self._doc, path.encode(), float(value))
        self._changes.append((path, value))
        if path.endswith(".file"):
            _Bringer(self._bring).call(core.ct_doc_read_outside, self._doc)

    def preset(self, name):
        """Everything a preset sets, set. Returns the document."""
        call(core.ct_doc_apply_preset, self._doc, name.encode())
        self._changes.append((None, name))
        return self

    # ---- reading back

    def _strings(self, what):
        count, name = getattr(core, f"ct_doc_{what}_count"), getattr(core, f"ct_doc_{what}_name")
        return [text(name(self._doc, i)) for i in range(count(self._doc))]

    title = property(lambda self: text(core.ct_doc_title(self._doc)))
    about = property(lambda self: text(core.ct_doc_about(self._doc)))
    seconds = property(lambda self: core.ct_doc_seconds(self._doc))
    bodies = property(lambda self: self._strings("body"))
    contacts = property(lambda self: self._strings("contact"))
    surfaces = property(lambda self: self._strings("surface"))
    drives = property(lambda self: self._strings("drive"))
    sources = property(lambda self: self._strings("source"))

    @property
    def controls(self):
        """{name: its unit, hint, min, max, value, scale, trigger, target_count}"""
        count = core.ct_doc_control_count(self._doc)
        infos = [sized(core.ct_doc_control_sized, "ct_control_info", self._doc, i) for i in range(count)]
        return {info.name: info for info in infos}

    @property
    def presets(self):
        """{name: its title and about}"""
        found = {}
        for i, name in enumerate(self._strings("preset")):
            title, about = core.ct_doc_preset_title(self._doc, i), core.ct_doc_preset_about(self._doc, i)
            found[name] = Preset(name, text(title), text(about))
        return found

    def _leaves(self):
        """(path, pattern of the schema, value) of all that was set."""
        for i in range(core.ct_doc_leaf_count(self._doc)):
            leaf = sized(core.ct_doc_leaf_sized, "ct_leaf", self._doc, i)
            flag = leaf.row.type == core.CT_TYPE_FLAG
            value = leaf.text if leaf.text is not None else bool(leaf.number) if flag else leaf.number
            yield leaf.path, text(leaf.row.path), value

    @property
    def leaves(self):
        """{path: value} of all that was set, in that order; a path with a word that holds dots is joined by \\x1f."""
        return {path: value for path, _, value in self._leaves()}

    def __getitem__(self, path):
        """doc["rub.normal_n"]: what was set there, by the same paths and names as in setting it."""
        for full, pattern, value in self._leaves():
            if path in (full, _brief(full, pattern)):
                return value
        raise KeyError(f"{path}: not set in this document; contatto.schema() has the defaults")

    @property
    def gesture(self):
        """The demo gesture, the preset's own if it has one: {"time_s": ..., control or path: ...}; None without one."""
        demo = ffi.new("ct_gesture *")
        call(core.ct_doc_gesture, self._doc, demo)
        if demo.rows == 0:
            return None

        def column(values):
            return np.frombuffer(ffi.buffer(values, demo.rows * 8), dtype=np.float64).copy()

        columns = {text(demo.paths[i]): column(demo.values[i]) for i in range(demo.columns)}
        return {"time_s": column(demo.time_s), **columns}

    def to_json(self):
        """As a scene file's text, which reads back as it is."""
        length = ffi.new("size_t *")
        call(core.ct_doc_write_json, self._doc, ffi.NULL, 0, length)
        room = ffi.new("char[]", length[0] + 1)
        call(core.ct_doc_write_json, self._doc, room, length[0] + 1, length)
        return text(room)

    def __repr__(self):
        return f"<contatto.Document {self._name}: {self.title}>"
