/* A struck body, touching or ringing, in the engine and in plain C. Both start from the same state and get
 * the same force, so their outputs agree: the reference is the same model, not a smaller one. */
#include "base/text.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>

typedef struct strike {
  bench_body *body;
  ct_mode_def *modes;
  ct_mode_def hammer;
  ct_impact_def contact;
  uint32_t blocks;
  double *force_n; /* one per sample */
  double *heard, *expected;
} strike;

/* ---- the model ---- */

/* Modes spread evenly from 100 Hz to 18 kHz that ring for long, so that none falls silent while it is timed.
 */
static void describe(strike *s) {
  for (uint32_t i = 0; i < s->body->modes; i++)
    s->modes[i] = (ct_mode_def){.hz = 100 + 17900 * (i + 0.5) / s->body->modes,
                                .t60_s = s->body->touching ? 0.05 : 60,
                                .mass_kg = 0.05,
                                .v_m_s = s->body->touching ? 0 : 0.1};
  s->hammer = (ct_mode_def){.mass_kg = 0.01, .x_m = s->body->touching ? 0 : -1};
  s->contact = ct_default_impact_def();
  s->contact.name = "strike";
  s->contact.a = "hammer.tip";
  s->contact.b = "bar.hit";
  s->contact.stiffness = 1e7;
  s->contact.exponent = 1.5;
  s->contact.damping_s_m = 2;
  s->contact.substeps = 1;
  uint32_t frames = s->blocks * BENCH_BLOCK;
  for (uint32_t n = 0; n < frames; n++)
    s->force_n[n] = s->body->touching ? 20 + 2 * sin(2 * M_PI * 37 * n / BENCH_RATE_HZ) : 0;
}

static bool make_room(strike *s) {
  size_t frames = (size_t)s->blocks * BENCH_BLOCK;
  s->modes = calloc(s->body->modes, sizeof *s->modes);
  s->force_n = calloc(frames, sizeof *s->force_n);
  s->heard = calloc(frames, sizeof *s->heard);
  s->expected = calloc(frames, sizeof *s->expected);
  return s->modes && s->force_n && s->heard && s->expected;
}

static void release(strike *s) {
  free(s->modes);
  free(s->force_n);
  free(s->heard);
  free(s->expected);
}

/* ---- in the engine ---- */

static ct_modal_def modal(const char *name, const ct_mode_def *modes, uint32_t count,
                          const ct_point_def *point) {
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = point;
  def.point_count = 1;
  return def;
}

static ct_result build(const strike *s, ct_scene **scene, ct_error *error) {
  const ct_point_def hit = {.name = "hit", .gain_count = s->body->modes},
                     tip = {.name = "tip", .gain_count = 1};
  ct_modal_def bar = modal("bar", s->modes, s->body->modes, &hit),
               hammer = modal("hammer", &s->hammer, 1, &tip);
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "bar.hit";
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = BENCH_RATE_HZ;
  def.bodies = 2;
  def.contacts = def.pickups = 1;
  def.controls = def.targets = 0;
  def.messages = 16;
  def.pool_bytes = ct_modal_pool_bytes(&bar) + ct_modal_pool_bytes(&hammer) + 4096;
  ct_result result = ct_scene_size(&def, &s->body->bytes, error);
  if (result == CT_OK)
    result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = ct_scene_add_modal(*scene, &hammer, error);
  if (result == CT_OK)
    result = ct_scene_add_modal(*scene, &bar, error);
  if (result == CT_OK)
    result = ct_scene_add_impact(*scene, &s->contact, error);
  return result == CT_OK ? ct_scene_add_pickup(*scene, &pickup, error) : result;
}

/* Raw output: what the bar does, without the DC blocker. */
static void time_engine_round(strike *s, ct_scene *scene, ct_handle force, bench_timing *timing) {
  for (uint32_t b = 0; b < s->blocks; b++) {
    double *const raws[] = {s->heard + (size_t)b * BENCH_BLOCK};
    ct_input input = {force, s->force_n + (size_t)b * BENCH_BLOCK};
    ct_io io = {.frames = BENCH_BLOCK, .raw = raws, .inputs = &input, .input_count = s->body->touching};
    double start = bench_now_ns();
    ct_scene_process(scene, &io);
    bench_timing_add(timing, b, bench_now_ns() - start);
  }
}

static ct_result engine_round(void *what, bench_timing *timing, ct_error *error) {
  strike *s = what;
  ct_scene *scene = NULL;
  ct_handle force = {0};
  ct_result result = build(s, &scene, error);
  if (result == CT_OK)
    result = ct_scene_resolve(scene, "hammer.tip.force_n", &force, error);
  if (result == CT_OK) {
    time_engine_round(s, scene, force, timing);
    ct_counters c = ct_scene_counters(scene);
    double frames = (double)s->blocks * BENCH_BLOCK;
    s->body->evaluations = (double)c.evaluations / frames;
    s->body->solves = (double)c.solves / frames;
    result = ct_scene_judge(scene, error);
  }
  ct_scene_destroy(scene);
  return result;
}

/* ---- in plain C ---- */

static ct_result plain_round(void *what, bench_timing *timing, ct_error *error) {
  strike *s = what;
  bench_reference r;
  if (!bench_reference_init(&r, s->modes, s->body->modes, &s->hammer, &s->contact, BENCH_RATE_HZ)) {
    bench_reference_free(&r);
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  }
  for (uint32_t b = 0; b < s->blocks; b++) {
    size_t at = (size_t)b * BENCH_BLOCK;
    double start = bench_now_ns();
    if (s->body->touching)
      bench_reference_touch(&r, s->force_n + at, s->expected + at, BENCH_BLOCK);
    else
      bench_reference_ring(&r, s->expected + at, BENCH_BLOCK);
    bench_timing_add(timing, b, bench_now_ns() - start);
  }
  bench_reference_free(&r);
  return CT_OK;
}

/* ---- both ---- */

/* Over the first block: later, rounding may part two orbits of a contact. */
static double compare(const strike *s) {
  double wrong = 0, all = 0;
  for (uint32_t n = 0; n < BENCH_BLOCK; n++) {
    double expected = s->expected[n], off = s->heard[n] - expected;
    wrong += off * off;
    all += expected * expected;
  }
  return sqrt(wrong / all);
}

ct_result bench_body_run(bench_body *body, uint32_t blocks, uint32_t rounds, ct_error *error) {
  strike s = {.body = body, .blocks = blocks};
  ct_result result = make_room(&s) ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
  if (result == CT_OK) {
    describe(&s);
    result = bench_rounds(blocks, rounds, engine_round, &s, &body->speed, error);
  }
  if (result == CT_OK)
    result = bench_rounds(blocks, rounds, plain_round, &s, &body->reference, error);
  if (result == CT_OK)
    body->difference = compare(&s);
  release(&s);
  return result;
}
