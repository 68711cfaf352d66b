/* A struck body, touching or ringing, in the engine and in plain C. Touching: a force that swells and falls
 * keeps the hammer on it. Ringing: the hammer is far away. Both start from the same state and get the same
 * force, so their outputs agree: the reference is the same model as anybody would write it first, not a
 * smaller one. */
#include "base/text.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct strike {
  ct_mode_def *modes;
  ct_mode_def hammer;
  ct_impact_def contact;
  bool touching;
  ct_handle force;
  bench_reference reference;
  double *force_n; /* at every sample */
  double heard[BENCH_BLOCK], first[BENCH_BLOCK];
} strike;

/* ---- the model ---- */

/* Modes spread evenly from 100 Hz to 18 kHz that ring for long, so that none falls silent while it is timed.
 */
static void describe(strike *s, uint32_t modes) {
  for (uint32_t i = 0; i < modes; i++)
    s->modes[i] = (ct_mode_def){.hz = 100 + 17900 * (i + 0.5) / modes,
                                .t60_s = s->touching ? 0.05 : 60,
                                .mass_kg = 0.05,
                                .v_m_s = s->touching ? 0 : 0.1};
  s->hammer = (ct_mode_def){.mass_kg = 0.01, .x_m = s->touching ? 0 : -1};
  s->contact = ct_default_impact_def();
  s->contact.name = "strike";
  s->contact.a = "hammer.tip";
  s->contact.b = "bar.hit";
  s->contact.stiffness = 1e7;
  s->contact.exponent = 1.5;
  s->contact.damping_s_m = 2;
  s->contact.substeps = 1;
}

static void release(strike *s) {
  if (s) {
    bench_reference_free(&s->reference);
    free(s->modes);
    free(s->force_n);
  }
  free(s);
}

static strike *describe_new(const bench_run *run, ct_error *error) {
  size_t frames = (size_t)run->blocks * BENCH_BLOCK;
  strike *s = calloc(1, sizeof *s);
  if (s) {
    s->modes = calloc(run->work->count, sizeof *s->modes);
    s->force_n = calloc(frames, sizeof *s->force_n);
  }
  if (!s || !s->modes || !s->force_n) {
    release(s);
    ct_fail(error, CT_NO_MEMORY, "no memory");
    return NULL;
  }
  s->touching = run->work->variant == BENCH_TOUCHING;
  describe(s, run->work->count);
  for (size_t n = 0; n < frames && s->touching; n++)
    s->force_n[n] = 20 + 2 * sin(2 * M_PI * 37 * (double)n / run->rate_hz);
  return s;
}

/* ---- in the engine ---- */

static ct_result build(const strike *s, const bench_run *run, ct_scene **scene, ct_error *error) {
  const ct_point_def hit = {.name = "hit", .gain_count = run->work->count},
                     tip = {.name = "tip", .gain_count = 1};
  ct_modal_def bar = bench_modal("bar", s->modes, run->work->count, &hit),
               hammer = bench_modal("hammer", &s->hammer, 1, &tip);
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "bar.hit";
  ct_scene_def def = bench_scene_def(run, 2, 1, 1);
  def.substeps = s->contact.substeps;
  def.pool_bytes = ct_modal_pool_bytes(&bar, &def) + ct_modal_pool_bytes(&hammer, &def);
  ct_result result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_modal(*scene, &hammer, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_modal(*scene, &bar, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_impact(*scene, &s->contact, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_pickup(*scene, &pickup, error), error) : result;
}

static ct_result start_reference(strike *s, const bench_run *run, ct_error *error) {
  return bench_reference_init(&s->reference, s->modes, run->work->count, &s->hammer, &s->contact,
                              run->rate_hz)
             ? CT_OK
             : ct_fail(error, CT_NO_MEMORY, "no memory");
}

static ct_result open_struck(bench_run *run, ct_error *error) {
  strike *s = run->own = describe_new(run, error);
  if (!s)
    return CT_NO_MEMORY;
  ct_result result = build(s, run, &run->scene, error);
  if (result == CT_OK)
    result = ct_scene_resolve(run->scene, "hammer.tip.force_n", &s->force, error);
  return result == CT_OK ? start_reference(s, run, error) : result;
}

/* Raw output: what the bar does, without the DC blocker. */
static ct_result block_struck(bench_run *run, ct_error *error) {
  strike *s = run->own;
  double *const raws[] = {s->heard};
  ct_input input = {s->force, s->force_n + (size_t)run->at * BENCH_BLOCK};
  ct_io io = {.frames = BENCH_BLOCK, .raw = raws, .inputs = &input, .input_count = s->touching};
  (void)error;
  ct_scene_process(run->scene, &io);
  if (run->at == 0)
    memcpy(s->first, s->heard, sizeof s->first);
  return CT_OK;
}

/* ---- in plain C ---- */

static ct_result open_plain(bench_run *run, ct_error *error) {
  strike *s = run->own = describe_new(run, error);
  return s ? start_reference(s, run, error) : CT_NO_MEMORY;
}

static void play_reference(strike *s, uint32_t at) {
  if (s->touching)
    bench_reference_touch(&s->reference, s->force_n + (size_t)at * BENCH_BLOCK, s->heard, BENCH_BLOCK);
  else
    bench_reference_ring(&s->reference, s->heard, BENCH_BLOCK);
}

static ct_result block_plain(bench_run *run, ct_error *error) {
  (void)error;
  play_reference(run->own, run->at);
  return CT_OK;
}

static void close_plain(bench_run *run) { release(run->own); }

/* ---- both ---- */

/* Over the first block: later, rounding may part two orbits of a contact. */
static double compare(strike *s) {
  double wrong = 0, all = 0;
  play_reference(s, 0);
  for (uint32_t n = 0; n < BENCH_BLOCK; n++) {
    double expected = s->heard[n], off = s->first[n] - expected;
    wrong += off * off;
    all += expected * expected;
  }
  return sqrt(wrong / all);
}

static void close_struck(bench_run *run) {
  if (run->at > 0)
    run->facts.difference = compare(run->own);
  close_plain(run);
  ct_scene_destroy(run->scene);
}

const bench_kind bench_struck = {open_struck, block_struck, close_struck};
const bench_kind bench_plain = {open_plain, block_plain, close_plain};
