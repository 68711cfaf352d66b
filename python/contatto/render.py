"""Offline: a scene from its first sample to its end."""

import struct

import numpy as np

from ._library import Error
from .document import Document
from .scene import Scene


def render(scene, seconds=None, preset=None, controls=None, gesture="demo", rate_hz=48000.0, seed=1, raw=False):
    """(samples, rate_hz): the same samples as `contatto render`.

    scene     a built-in name or a Document, which stays as it is
    seconds   None: as long as the scene says
    controls  {control or path: value}, set after the preset
    gesture   "demo", None for none, or {"time_s": [...], control or path: [...]}
    raw       float64 in SI units instead of float32

    Samples are (frames,), of a scene with more than one channel (frames, channels), as sound file libraries take them.
    """
    document = Document.from_name(scene) if isinstance(scene, str) else scene.copy()
    if preset is not None:
        document.preset(preset)
    for path, value in (controls or {}).items():
        document[path] = value
    playing = Scene(document, rate_hz, seed)
    if gesture is not None:
        playing.play(gesture)
    length = document.seconds if seconds is None else seconds
    block = playing.process(max(1, int(np.floor(length * rate_hz + 0.5))), raw=raw)
    samples = block.raw if raw else block.samples
    return (samples[0] if playing.channels == 1 else samples.T), rate_hz


def write_wav(path, samples, rate_hz):
    """A sound file of 32-bit floats, 1 is full scale: (frames,) or (frames, channels)."""
    samples = np.ascontiguousarray(samples, dtype="<f4")
    if samples.ndim not in (1, 2):
        raise Error(f"samples: wants (frames,) or (frames, channels), not {samples.shape}")
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    rate = int(round(rate_hz))
    form = struct.pack("<4sIHHIIHHH", b"fmt ", 18, 3, channels, rate, rate * 4 * channels, 4 * channels, 32, 0)
    fact = struct.pack("<4sII", b"fact", 4, samples.shape[0])
    data = struct.pack("<4sI", b"data", samples.nbytes)
    with open(path, "wb") as file:
        size = 4 + len(form) + len(fact) + len(data) + samples.nbytes
        file.write(struct.pack("<4sI4s", b"RIFF", size, b"WAVE") + form + fact + data)
        file.write(samples.tobytes())
