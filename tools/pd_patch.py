"""Patches of Pure Data, written by programs: a Patch collects objects and connections, and is its file's text.

Objects are numbered in the order they are made, as in the file. Texts are escaped as Pd wants them.
"""
import re


def escape(text):
    """Commas, semicolons and dollars by themselves end or change a message: they are escaped."""
    return re.sub(r"(?<!\\)([,;])", r" \\\1", re.sub(r"(?<!\\)\$", r"\\$", text))


class Patch:
    def __init__(self, width=700, height=500, x=60, y=60, font=12):
        self.head = f"#N canvas {x} {y} {width} {height} {font};"
        self.lines, self.links, self.count, self.tail = [], [], 0, []

    def add(self, line):
        self.lines.append(line)
        self.count += 1
        return self.count - 1

    def obj(self, x, y, text, width=0):
        return self.add(f"#X obj {x} {y} {escape(text)}{f', f {width}' if width else ''};")

    def msg(self, x, y, text):
        return self.add(f"#X msg {x} {y} {escape(text)};")

    def send(self, x, y, text):
        """A message box that sends to a name: '; pd dsp 1'."""
        return self.add(f"#X msg {x} {y} \\; {text};")

    def text(self, x, y, text, width=0):
        return self.add(f"#X text {x} {y} {escape(text)}{f', f {width}' if width else ''};")

    def number(self, x, y, width=7, label="-", receive="-", send="-"):
        return self.add(f"#X floatatom {x} {y} {width} 0 0 0 {label} {receive} {send} 0;")

    def bang(self, x, y, size=19, send="empty", receive="empty", label="empty"):
        return self.add(f"#X obj {x} {y} bng {size} 250 50 0 {send} {receive} {label} 24 9 0 11 #fcfcfc #000000 #000000;")

    def toggle(self, x, y, size=19, label="empty", init=0, send="empty", receive="empty"):
        return self.add(f"#X obj {x} {y} tgl {size} {init} {send} {receive} {label} 24 9 0 11 #fcfcfc #000000 #000000 {init} 1;")

    def slider(self, x, y, low, high, value=None, log=False, label="empty", width=150, vertical=False, send="empty", receive="empty"):
        """Made with a value it brings it at the start."""
        size = f"18 {width}" if vertical else f"{width} 18"
        at, init = 0, 0
        if value is not None:
            import math

            share = math.log(value / low) / math.log(high / low) if log else (value - low) / (high - low)
            at, init = round(share * (width - 1) * 100), 1
        kind, dx, dy = ("vsl", 0, -9) if vertical else ("hsl", -2, -8)
        return self.add(
            f"#X obj {x} {y} {kind} {size} {low} {high} {int(log)} {init} {send} {receive} {label} {dx} {dy} 0 11 #fcfcfc #000000 #000000 {at} 1;"
        )

    def panel(self, x, y, width, height, color="#e0e4dc", label="empty", label_x=10, label_y=12, font=14, text="#404040"):
        return self.add(
            f"#X obj {x} {y} cnv 15 {width} {height} empty empty {label} {label_x} {label_y} 0 {font} {color} {text} 0;"
        )

    def sub(self, x, y, name, patch, graph=None):
        """A subpatch; `graph` (x1 y1 x2 y2 width height) shows it on its parent."""
        inner = [patch.head.replace(";", f" {name} 0;").replace(" 12 ", " ")] + patch.body()
        if graph:
            inner.append(f"#X coords {graph} 1;")
        return self.add("\n".join(inner) + f"\n#X restore {x} {y} pd {name};")

    def array(self, x, y, name, size, low=-1, high=1, width=200, height=120, keep=False):
        """A graph of one array."""
        return self.add(
            f"#N canvas 0 0 450 300 (subpatch) 0;\n#X array {name} {size} float {3 if keep else 2};\n"
            f"#X coords 0 {high} {size - 1} {low} {width} {height} 1;\n#X restore {x} {y} graph;"
        )

    def link(self, source, outlet, sink, inlet=0):
        self.links.append(f"#X connect {source} {outlet} {sink} {inlet};")

    def chain(self, *objects):
        """Each one's first outlet to the next one's first inlet. Returns the last."""
        for a, b in zip(objects, objects[1:]):
            self.link(a, 0, b, 0)
        return objects[-1]

    def coords(self, text):
        """Graph on parent, for abstractions."""
        self.tail.append(f"#X coords {text};")

    def body(self):
        return self.lines + self.links + self.tail

    def __str__(self):
        return "\n".join([self.head] + self.body()) + "\n"
