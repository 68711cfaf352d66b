"""What an ear would notice, as numbers: contatto/measure.h, one function each, documented in docs/measure.md.

Samples are (frames,), 1 is full scale; any number type, read as float64. What cannot be measured is nan."""

import math

import numpy as np

from ._defines import CT_MEASURE_CLICK_DB
from ._library import Error, doubles, ffi, measures, named, pointer


def _signal(samples):
    samples = doubles(samples)
    if samples.ndim != 1:
        raise Error(f"samples: wants one channel, (frames,), not {samples.shape}")
    return pointer(samples, "double"), samples.size


def _list(function, kind, *arguments):
    """f(..., items, max) called twice: for their number, and for them."""
    count = function(*arguments, ffi.NULL, 0)
    items = ffi.new(f"{kind}[]", count)
    function(*arguments, items, count)
    return [item if kind == "double" else named(item) for item in items]


def cents(hz, reference_hz):
    return measures.ct_measure_cents(hz, reference_hz)


def pitch(samples, rate_hz, lo_hz=20.0, hi_hz=5000.0):
    """The fundamental: hz, clarity."""
    return named(measures.ct_measure_pitch(*_signal(samples), rate_hz, lo_hz, hi_hz))


def pitch_track(samples, rate_hz, window_s=0.1, hop_s=0.02, lo_hz=30.0, hi_hz=5000.0):
    """The fundamental over time: [(time_s, hz, clarity, level_db), ...]."""
    kind = "ct_measured_pitch_frame"
    return _list(measures.ct_measure_pitch_track, kind, *_signal(samples), rate_hz, window_s, hop_s, lo_hz, hi_hz)


def strongest_partial(samples, rate_hz, lo_hz=0.0, hi_hz=math.inf):
    return named(measures.ct_measure_strongest_partial(*_signal(samples), rate_hz, lo_hz, hi_hz))


def peaks(samples, rate_hz, floor_db=-60.0):
    """[(hz, level_db), ...] by rising frequency."""
    return _list(measures.ct_measure_peaks, "ct_measured_peak", *_signal(samples), rate_hz, floor_db)


def level(samples):
    """rms_db, peak_db, mean."""
    return named(measures.ct_measure_level(*_signal(samples)))


def level_track(samples, rate_hz, window_s=0.05, hop_s=0.025):
    """[(time_s, rms_db, peak_db), ...]"""
    kind = "ct_measured_level_frame"
    return _list(measures.ct_measure_level_track, kind, *_signal(samples), rate_hz, window_s, hop_s)


def loudness(samples, rate_hz):
    """ITU-R BS.1770-4 of (frames,) or (frames, channels)."""
    samples = doubles(samples)
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    frames = samples.shape[0]
    return named(measures.ct_measure_loudness(pointer(samples, "double"), frames, channels, rate_hz))


def decay(samples, rate_hz, mode_hz):
    """Of the mode near mode_hz: hz, t60_s, level_db, range_db, misfit_db."""
    return named(measures.ct_measure_decay(*_signal(samples), rate_hz, mode_hz))


def decays(samples, rate_hz, modes_hz):
    """The same for each of several modes."""
    modes = doubles(modes_hz)
    found = ffi.new("ct_measured_decay[]", modes.size)
    measures.ct_measure_decays(*_signal(samples), rate_hz, pointer(modes, "double"), modes.size, found)
    return [named(item) for item in found]


def modes(samples, rate_hz, lo_hz=20.0, hi_hz=20000.0, most=16):
    """The strongest modes, the strongest first: [(peak, decay), ...]."""
    found = ffi.new("ct_measured_mode[]", most)
    count = measures.ct_measure_modes(*_signal(samples), rate_hz, lo_hz, hi_hz, found, most)
    return [named(found[i]) for i in range(count)]


def spectrum(samples, rate_hz, lo_hz=0.0, hi_hz=math.inf):
    """centroid_hz, spread_hz, rolloff_hz."""
    return named(measures.ct_measure_spectrum(*_signal(samples), rate_hz, lo_hz, hi_hz))


def bands(samples, rate_hz, edges_hz):
    """Rms dB between each two edges, as an array."""
    edges = doubles(edges_hz)
    levels = np.empty(max(edges.size - 1, 0))
    signal = _signal(samples)
    measures.ct_measure_bands(*signal, rate_hz, pointer(edges, "double"), levels.size, pointer(levels, "double"))
    return levels


def octave_edges(per_octave=3, lo_hz=20.0, hi_hz=20000.0):
    return np.array(_list(measures.ct_measure_octave_edges, "double", per_octave, lo_hz, hi_hz))


def roughness(samples, rate_hz):
    return measures.ct_measure_roughness(*_signal(samples), rate_hz)


def harmonicity(samples, rate_hz, f0_hz):
    """fraction, hnr_db."""
    return named(measures.ct_measure_harmonicity(*_signal(samples), rate_hz, f0_hz))


def modulation(samples, rate_hz, lo_hz=0.5, hi_hz=50.0):
    """rate_hz, depth."""
    return named(measures.ct_measure_modulation(*_signal(samples), rate_hz, lo_hz, hi_hz))


def onsets(samples, rate_hz):
    """[(time_s, strength_db), ...]"""
    return _list(measures.ct_measure_onsets, "ct_measured_onset", *_signal(samples), rate_hz)


def _exempt(intervals):
    return ffi.new("ct_measure_interval[]", [tuple(interval) for interval in intervals]), len(intervals)


def clicks(samples, rate_hz, threshold_db=CT_MEASURE_CLICK_DB, exempt=()):
    """Discontinuities outside the intervals (start_s, end_s) of `exempt`: [(time_s, strength_db), ...]."""
    arguments = (*_signal(samples), rate_hz, threshold_db, *_exempt(exempt))
    return _list(measures.ct_measure_clicks, "ct_measured_click", *arguments)


def worst_click(samples, rate_hz, exempt=()):
    return named(measures.ct_measure_worst_click(*_signal(samples), rate_hz, *_exempt(exempt)))
