"""Share of a core: 50 three-mode impacts and 10 frictions in one patch, beside the same work in contatto bench. Run by hand:
    ROOT=. BUILD=build CONTATTO=build/contatto sh test/pd/run.sh share
Times depend on the machine; nothing is judged."""
import json
import resource
import subprocess

from pdtest import *

SECONDS, IMPACTS, FRICTIONS, RATE = 60, 50, 10, 44100
# As hosts/cli/bench_struck.c and bench_friction.c have them: a hammer pressed by a force at every sample, a pushed mass.
IMPACT = ["ct.body G hammer modes.hz 0 modes.t60_s 0 modes.mass_kg 0.01 tip.gains 1",
          "ct.body G bar modes.hz 3083 9050 15017 modes.t60_s 0.05 0.05 0.05 modes.mass_kg 0.05 0.05 0.05 hit.gains 1 1 1",
          "ct.contact G strike impact hammer.tip bar.hit stiffness 1e+07 exponent 1.5 damping_s_m 2 substeps 1", "ct.pickup G out bar.hit"]
FRICTION = ["ct.body G mass modes.hz 0 modes.t60_s 0.05 modes.mass_kg 1 tip.gains 1 tip.tangential_force_n 50",
            "ct.body G glass modes.hz 400 1000 1800 modes.t60_s 2.3 1.38 0.69 modes.mass_kg 0.01 0.01 0.01 rim.gains 1 1 1",
            "ct.contact G rub friction mass.tip glass.rim bristle_n_m 10000 bristle_damping_n_s_m 10 mu_static 0.4 mu_dynamic 0.2 stribeck_m_s 0.1 normal_n 10",
            "ct.pickup G out glass.rim direction tangential"]


def renamed(texts, group, number):
    """The same parts with names of their own, for one scene of all."""
    for name in ("hammer", "bar", "strike", "out", "mass", "glass", "rub"):
        texts = [re.sub(rf"\b{name}\b(?!_)", f"{name}{number}", text) for text in texts]
    return [text.replace(" G ", f" {group} ") for text in texts]


def patch_of(together):
    patch = Patch()
    force = patch.obj(20, 400, "osc~ 37"), patch.obj(20, 430, "*~ 2"), patch.obj(20, 460, "+~ 20")
    patch.chain(*force)
    for i in range(IMPACTS + FRICTIONS):
        group = "all" if together else f"g{i}"
        for k, text in enumerate(renamed(IMPACT if i < IMPACTS else FRICTION, group, i)):
            patch.obj(20, 20 + 25 * k, text)
        if not together:
            scene = patch.obj(20, 200, f"ct.scene~ {group}" + (f" hammer{i}.tip.force_n" if i < IMPACTS else ""))
            if i < IMPACTS:
                patch.link(force[-1], 0, scene, 1)
    if together:
        scene = patch.obj(20, 200, "ct.scene~ all " + " ".join(f"hammer{i}.tip.force_n" for i in range(IMPACTS)))
        for i in range(IMPACTS):
            patch.link(force[-1], 0, scene, i + 1)
    player(patch, [], 1000 * SECONDS)
    return patch


def seconds_of(patch):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for line in complaints(pd(patch, rate=RATE)):
        wrong(line)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def bench(work):
    done = subprocess.run([CONTATTO, "bench", work, "--json"], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    rows = found.get("works", found) if isinstance(found, dict) else found
    return next(row["ns_per_sample"] for row in rows if row["name"] == work)


work("pd_share")
empty = Patch()
player(empty, [], 1000 * SECONDS)
nothing = seconds_of(empty)
for together, words in ((False, "60 scenes"), (True, "one scene")):
    share = (seconds_of(patch_of(together)) - nothing) / SECONDS
    print(f"Pd, {words}: {100 * share:.2f} % of a core")
in_bench = (IMPACTS * bench("struck-3") + FRICTIONS * bench("friction-3")) * 1e-9 * RATE
print(f"contatto bench, 50 struck-3 and 10 friction-3: {100 * in_bench:.2f} % of a core")
finish()
