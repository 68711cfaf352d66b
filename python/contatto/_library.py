"""The two shared libraries beside this file, through cffi's ABI mode: no compiler, declarations made from the C
headers when the package was built. Errors of the library become contatto.Error."""

import os
from collections import namedtuple
from functools import lru_cache

import numpy as np

from ._declarations import ffi

_folder = os.path.dirname(os.path.abspath(__file__))
core = ffi.dlopen(os.path.join(_folder, "libcontatto.so"))
measures = ffi.dlopen(os.path.join(_folder, "libcontatto_measure.so"))
scene_folder = os.path.join(_folder, "scenes")


class Error(Exception):
    """One line from the library: what, where, what would be right. `code` is its kind: "BAD_PATH", "BAD_VALUE" ..."""

    def __init__(self, line, code="BAD_ARGUMENT"):
        super().__init__(line)
        self.code = code


def code_name(result):
    return ffi.string(ffi.cast("ct_result", result)).removeprefix("CT_")


def call(function, *arguments):
    """A function that ends in `ct_error *error`: raises what it says."""
    error = ffi.new("ct_error *")
    result = function(*arguments, error)
    if result != core.CT_OK:
        line = ffi.string(error.text) or ffi.string(core.ct_result_text(result))
        raise Error(line.decode("utf-8", "replace"), code_name(result))


def text(pointer):
    """A C text as str; null is None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def sized(function, kind, *arguments):
    """A struct that is read back as a whole: f(..., struct *, its size)."""
    struct = ffi.new(f"{kind} *")
    function(*arguments, struct, ffi.sizeof(kind))
    return named(struct[0])


@lru_cache(maxsize=None)
def _tuple_of(kind):
    fields = {name: field.type.elements if field.type.kind == "enum" else None for name, field in kind.fields}
    return namedtuple(kind.cname.removeprefix("struct ").removeprefix("ct_"), fields), fields


def named(struct):
    """A C struct as a named tuple with the fields of the header; what is one of a list, by its name there."""
    make, fields = _tuple_of(ffi.typeof(struct))
    return make(*(_plain(getattr(struct, name), words) for name, words in fields.items()))


def _plain(value, words):
    if not isinstance(value, ffi.CData):
        return words.get(value, value) if words else value
    kind = ffi.typeof(value)
    if kind.kind == "struct":
        return named(value)
    if kind.kind in ("pointer", "array") and kind.item.cname == "char":
        return text(value)
    return value


def doubles(values):
    """As float64 in one piece; no copy if they are that already."""
    return np.ascontiguousarray(values, dtype=np.float64)


def pointer(array, kind):
    """To an array's own memory. The array must outlive what is done with it."""
    return ffi.from_buffer(f"{kind}[]", array, require_writable=array.flags.writeable) if array.size else ffi.NULL
