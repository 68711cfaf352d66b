"""Contatto turns touching into sound: bodies vibrate, contacts press, slip and let go.

    samples, rate_hz = contatto.render("glass")

Document is a scene on paper, Scene one that sounds, render() both in one; contatto.measure says what an ear would
notice. Paths and controls are those of docs/scene-format.md and docs/scenes.md. docs/python.md has the rest."""

from . import measure
from ._library import Error, core, text
from .document import Document, bring_from, scene_names, schema
from .render import render, write_wav
from .scene import Block, Scene, SceneWarning
from .sweep import Sweep, sweep

__version__ = text(core.ct_version())
__all__ = [
    "Block",
    "Document",
    "Error",
    "Scene",
    "SceneWarning",
    "Sweep",
    "bring_from",
    "measure",
    "render",
    "scene_names",
    "schema",
    "sweep",
    "write_wav",
]
