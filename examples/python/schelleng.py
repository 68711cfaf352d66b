#!/usr/bin/env python3
"""Schelleng's map of the bowed string: which forces, at which places of the bow, hold Helmholtz motion.

    schelleng.py [PLACES FORCES]     O Helmholtz, # raucous, . surface sound or none; schelleng.png with matplotlib

Helmholtz motion is begun where that is easy; then the bow slides to its place and goes to its force. What has become
of it half a second later is told by the string's velocity under the bow."""

import sys

import contatto
import numpy as np

HZ, SPEED_M_S, UNDER_BOW = 147, 0.1, "d.bow.tangential_v_m_s"
cello = contatto.Document.from_name("cello")
cello["speed"], cello["position"], cello["force"] = SPEED_M_S, 1 / 8, 0.63


def regime(place, force_n):
    scene = contatto.Scene(cello, rate_hz=44100)
    scene.process(17640)
    scene.set("position", place, ramp_s=0.15)
    scene.set("force", force_n, ramp_s=0.15)
    scene.process(28665)
    v_m_s = scene.process(7200, taps=[UNDER_BOW]).motion[UNDER_BOW]  # 24 periods
    pitch = contatto.measure.pitch(v_m_s, scene.rate_hz, HZ / 5, HZ * 12)
    if not pitch.clarity > 0.9 or pitch.hz < HZ / 1.4:
        return "#"
    fast = v_m_s[np.abs(v_m_s) > SPEED_M_S / 2]  # with the bow or, in a slip, against it
    slips = np.count_nonzero(np.diff(np.sign(fast)) < 0) / 24  # per period
    return "O" if abs(slips - 1) < 0.1 and abs(np.median(v_m_s) / SPEED_M_S - 1) < 0.1 else "."


places, forces = [int(word) for word in sys.argv[1:3]] or (24, 16)
places, forces_n = np.geomspace(0.025, 0.16, places), np.geomspace(0.05, 5, forces)
rows = ["".join(regime(place, force_n) for place in places) for force_n in forces_n]
for force_n, row in reversed(list(zip(forces_n, rows))):
    print(f"{force_n:6.2f} N  {row}")
print(f"          bow at {places[0]:.3f} to {places[-1]:.3f} of the string, from the bridge")
try:
    import matplotlib
except ImportError:
    sys.exit()
matplotlib.use("agg")
import matplotlib.pyplot as plot

plot.pcolormesh(places, forces_n, [[".O#".index(cell) for cell in row] for row in rows], shading="nearest")
plot.loglog()
plot.xlabel("place of the bow, share of the string from the bridge")
plot.ylabel("force of the bow, N")
plot.title("surface sound (dark), Helmholtz motion, raucous (light)")
plot.savefig("schelleng.png")
