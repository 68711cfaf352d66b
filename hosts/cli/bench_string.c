/* A bowed string under a friction law: the cello D string of Avanzini, Serafin and Rocchesso (2002), 0.1 m/s,
 * 1.1 N, timed once it sings. */
#include "base/text.h"
#include "hosts/cli/bench.h"

enum { WARM_UP_BLOCKS = 800 };

static const ct_point_def points[] = {{.name = "bow", .place_u = 0.08}, {.name = "bridge", .place_u = 0}};

static ct_string_def cello_d(void) {
  ct_string_def string = ct_default_string_def();
  string.name = "string";
  string.hz = 147;
  string.q = 500;
  string.high_hz = 3000;
  string.high_t60_s = 0.18;
  string.bending_n_m2 = 3e-4;
  string.points = points;
  string.point_count = 2;
  return string;
}

static ct_friction_def rosin(ct_law law) {
  ct_friction_def rub = ct_default_friction_def();
  rub.name = "rub";
  rub.a = "hand.at";
  rub.b = "string.bow";
  rub.law = law;
  rub.bristle_n_m = 3e5;
  rub.bristle_damping_n_s_m = 0.3;
  rub.mu_static = 1.02;
  rub.mu_dynamic = 0.507;
  rub.stribeck_m_s = 0.228;
  rub.normal_n = 1.1;
  return rub;
}

static ct_result build(bench_run *run, ct_error *error) {
  const ct_string_def string = cello_d();
  const ct_friction_def rub = rosin(run->work->variant == BENCH_THERMAL ? CT_THERMAL : CT_ELASTO_PLASTIC);
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "hand";
  hand.v_m_s[CT_TANGENTIAL] = 0.1;
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "string.bridge";
  pickup.listen = CT_FORCE;
  ct_scene_def def = bench_scene_def(run, 2, 1, 1);
  def.substeps = 1;
  def.pool_bytes =
      ct_string_pool_bytes(&string, run->rate_hz) + ct_hand_pool_bytes() + ct_friction_pool_bytes();
  ct_result result = ct_scene_create(&def, &run->scene, error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_string(run->scene, &string, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_hand(run->scene, &hand, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_friction(run->scene, &rub, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_pickup(run->scene, &pickup, error), error) : result;
}

/* Slips: where the string under the bow turns back. */
static uint32_t count_slips(const double *v, uint32_t frames, bool *slipping) {
  uint32_t slips = 0;
  for (uint32_t i = 0; i < frames; i++) {
    bool now = v[i] < (*slipping ? 0.05 : -0.1);
    slips += now && !*slipping;
    *slipping = now;
  }
  return slips;
}

/* Until it sings, watched but not timed. */
static void warm_up(bench_run *run, ct_handle bow) {
  double v[BENCH_BLOCK];
  uint32_t slips = 0;
  bool slipping = false;
  for (uint32_t b = 0; b < WARM_UP_BLOCKS; b++) {
    ct_tap tap = {bow, v};
    ct_scene_process(run->scene, &(ct_io){.frames = BENCH_BLOCK, .taps = &tap, .tap_count = 1});
    slips += b >= WARM_UP_BLOCKS / 2 ? count_slips(v, BENCH_BLOCK, &slipping) : 0;
  }
  run->facts.slips_per_s = slips * run->rate_hz / (WARM_UP_BLOCKS / 2.0 * BENCH_BLOCK);
}

static ct_result open_string(bench_run *run, ct_error *error) {
  ct_handle bow = {0};
  ct_result result = build(run, error);
  if (result == CT_OK)
    result = ct_scene_resolve(run->scene, "string.bow.v_m_s", &bow, error);
  if (result == CT_OK)
    warm_up(run, bow);
  return result;
}

const bench_kind bench_string = {open_string, bench_scene_block, bench_scene_close};
