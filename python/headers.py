"""The public headers as cffi reads them. Nothing is listed here by hand: the compiler's own preprocessor reads
the headers, and what is left are declarations."""

import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

HEADERS = ("contatto.h", "measure.h")


def preprocess(include, *options):
    """All headers through the preprocessor, as a compiler that says nothing of itself, system headers empty."""
    folder = include / "contatto"
    text = "".join(header.read_text(encoding="utf-8") for header in sorted(folder.glob("*.h")))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory() as empty:
        for name in re.findall(r"#include <([^>]+)>", text):
            Path(empty, name).parent.mkdir(parents=True, exist_ok=True)
            Path(empty, name).touch()
        folders = ["-nostdinc", "-I", empty, "-I", str(include)]
        command = [*compiler, "-E", "-P", "-undef", *folders, *options, "-x", "c", "-"]
        source = "".join(f'#include "contatto/{header}"\n' for header in HEADERS)
        return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def without_inline_functions(text):
    """Inline functions are not in the library: `static inline ... { ... }` goes, braces counted."""
    kept = []
    while (start := text.find("static inline")) >= 0:
        kept.append(text[:start])
        depth = 0
        for place in range(text.index("{", start), len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if depth == 0:
                break
        text = text[place + 1 :]
    return "".join(kept) + text


def declarations(include):
    """What ffi.cdef() takes."""
    return without_inline_functions(preprocess(Path(include)))


def defines(include):
    """Every #define that is a plain number or text: {"CT_VERSION": "0.1.0", ...}."""
    found = {}
    for name, value in re.findall(r"^#define (CT_\w+) (.+)$", preprocess(Path(include), "-dM"), re.M):
        if re.fullmatch(r'"[^"\\]*"', value):
            found[name] = value[1:-1]
        elif re.fullmatch(r"\d+[uUlL]*", value):
            found[name] = int(value.rstrip("uUlL"))
        elif re.fullmatch(r"[\d.]+(e[-+]?\d+)?", value):
            found[name] = float(value)
    return dict(sorted(found.items()))
