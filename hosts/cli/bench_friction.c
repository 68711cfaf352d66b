/* A mass that a force pushes along a body, smooth or rough: the scene `rub` with more modes. A damper holds
 * the mass back, so that it slides at about 0.2 m/s and the body squeals. */
#include "base/text.h"
#include "hosts/cli/bench.h"

#include <stdlib.h>

#define PUSH_N 50.0
#define WARM_UP_S 0.25

static ct_friction_def law_of(const bench_work *work) {
  ct_friction_def rub = ct_default_friction_def();
  rub.name = "rub";
  rub.a = "hand.tip";
  rub.b = "thing.side";
  rub.bristle_n_m = 1e4;
  rub.bristle_damping_n_s_m = 10;
  rub.mu_static = 0.4;
  rub.mu_dynamic = 0.2;
  rub.stribeck_m_s = 0.1;
  rub.normal_n = 10;
  rub.roughness_n = work->variant == BENCH_ROUGH ? 1 : 0;
  return rub;
}

static ct_result add_parts(const bench_run *run, const ct_modal_def *hand, const ct_modal_def *thing,
                           ct_error *error) {
  ct_friction_def rub = law_of(run->work);
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "thing.side";
  ct_result result = ct_added(ct_scene_add_modal(run->scene, hand, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_modal(run->scene, thing, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_friction(run->scene, &rub, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_pickup(run->scene, &pickup, error), error);
  return result == CT_OK ? ct_scene_set_path(run->scene, "hand.tip.tangential_force_n", PUSH_N, error)
                         : result;
}

static ct_result build(bench_run *run, const ct_mode_def *modes, ct_error *error) {
  const ct_mode_def mass = {.mass_kg = 1, .t60_s = 0.05};
  const ct_point_def tip = {.name = "tip", .gain_count = 1},
                     side = {.name = "side", .gain_count = run->work->count};
  ct_modal_def hand = bench_modal("hand", &mass, 1, &tip),
               thing = bench_modal("thing", modes, run->work->count, &side);
  ct_scene_def def = bench_scene_def(run, 2, 1, 1);
  def.substeps = 1;
  def.pool_bytes =
      ct_modal_pool_bytes(&hand, &def) + ct_modal_pool_bytes(&thing, &def) + ct_friction_pool_bytes();
  ct_result result = ct_scene_create(&def, &run->scene, error);
  return result == CT_OK ? add_parts(run, &hand, &thing, error) : result;
}

/* Three modes are those of `rub`; more of them are spread evenly up to 10 kHz. */
static void describe(ct_mode_def *modes, uint32_t count) {
  static const double hz[] = {400, 1000, 1800}, t60_s[] = {2.3, 1.38, 0.69};
  for (uint32_t i = 0; i < count; i++)
    modes[i] = (ct_mode_def){.hz = count == 3 ? hz[i] : 400 + 9600.0 * i / count,
                             .t60_s = count == 3 ? t60_s[i] : 1,
                             .mass_kg = 0.01};
}

static ct_result open_friction(bench_run *run, ct_error *error) {
  ct_mode_def *modes = calloc(run->work->count, sizeof *modes);
  if (!modes)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  describe(modes, run->work->count);
  ct_result result = build(run, modes, error);
  free(modes);
  if (result == CT_OK)
    bench_scene_play(run->scene, (uint32_t)(WARM_UP_S * run->rate_hz / BENCH_BLOCK));
  return result;
}

const bench_kind bench_friction = {open_friction, bench_scene_block, bench_scene_close};
