/* Scenes of many parts: a hundred bodies that touch nothing, and masses that rest on one floor. */
#include "base/text.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODY_MODES = 16, FLOOR_MODES = 16, NAME_ROOM = 16 };
#define WARM_UP_S 1.5

/* ---- bodies ---- */

/* Sounding ones ring for a minute; silent ones fall by 60 dB in 0.02 s, and are timed when
 * what their pickups block of it is gone as well. */
static void describe(ct_mode_def *modes, uint32_t body, bool silent) {
  for (int i = 0; i < BODY_MODES; i++)
    modes[i] = (ct_mode_def){
        .hz = (100 + body) * (1 + 1.7 * i), .t60_s = silent ? 0.02 : 60, .mass_kg = 0.05, .v_m_s = 0.1};
}

static const ct_point_def body_point = {.name = "at", .gain_count = BODY_MODES};

static ct_result add_body(ct_scene *scene, uint32_t body, bool silent, ct_error *error) {
  char name[NAME_ROOM], at[2 * NAME_ROOM], out[NAME_ROOM];
  ct_mode_def modes[BODY_MODES];
  ct_pickup_def pickup = ct_default_pickup_def();
  describe(modes, body, silent);
  snprintf(name, sizeof name, "bar%u", body % 1000);
  snprintf(out, sizeof out, "out%u", body % 1000);
  snprintf(at, sizeof at, "%s.at", name);
  pickup.name = out;
  pickup.at = at;
  ct_modal_def def = bench_modal(name, modes, BODY_MODES, &body_point);
  ct_result result = ct_added(ct_scene_add_modal(scene, &def, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_pickup(scene, &pickup, error), error) : result;
}

static ct_result open_bodies(bench_run *run, ct_error *error) {
  bool silent = run->work->variant == BENCH_SILENT;
  ct_mode_def modes[BODY_MODES];
  describe(modes, 0, silent);
  const ct_modal_def body = bench_modal("bar", modes, BODY_MODES, &body_point);
  ct_scene_def def = bench_scene_def(run, run->work->count, 0, run->work->count);
  def.substeps = 1;
  def.pool_bytes = run->work->count * ct_modal_pool_bytes(&body, &def);
  ct_result result = ct_scene_create(&def, &run->scene, error);
  for (uint32_t i = 0; i < run->work->count && result == CT_OK; i++)
    result = add_body(run->scene, i, silent, error);
  if (result == CT_OK && silent)
    bench_scene_play(run->scene, (uint32_t)(WARM_UP_S * run->rate_hz / BENCH_BLOCK));
  return result;
}

const bench_kind bench_bodies = {open_bodies, bench_scene_block, bench_scene_close};

/* ---- masses on a floor ---- */

static const ct_mode_def mass_mode = {.mass_kg = 0.1};
static const ct_point_def mass_point = {.name = "tip", .gain_count = 1};

static ct_result add_mass(ct_scene *scene, uint32_t mass, ct_error *error) {
  char name[NAME_ROOM], tip[2 * NAME_ROOM], place[2 * NAME_ROOM], contact_name[2 * NAME_ROOM];
  snprintf(name, sizeof name, "mass%u", mass % 1000);
  snprintf(tip, sizeof tip, "%s.tip", name);
  snprintf(place, sizeof place, "floor.p%u", mass % 1000);
  snprintf(contact_name, sizeof contact_name, "rest%u", mass % 1000);
  ct_modal_def def = bench_modal(name, &mass_mode, 1, &mass_point);
  ct_impact_def contact = ct_default_impact_def();
  contact.name = contact_name;
  contact.a = tip;
  contact.b = place;
  contact.from_above = true;
  contact.stiffness = 1e7;
  contact.exponent = 1.5;
  contact.damping_s_m = 2;
  ct_result result = ct_added(ct_scene_add_modal(scene, &def, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_impact(scene, &contact, error), error) : result;
}

/* A beam held at both ends, touched at evenly spaced places; one that rings keeps everybody awake. */
typedef struct beam {
  ct_mode_def modes[FLOOR_MODES];
  ct_point_def *points;
  double (*gains)[FLOOR_MODES];
  char (*names)[NAME_ROOM];
} beam;

static bool describe_beam(beam *b, uint32_t places, bool rings) {
  b->points = calloc(places, sizeof *b->points);
  b->gains = calloc(places, sizeof *b->gains);
  b->names = calloc(places, sizeof *b->names);
  if (!b->points || !b->gains || !b->names)
    return false;
  for (int k = 0; k < FLOOR_MODES; k++)
    b->modes[k] = (ct_mode_def){
        .hz = 60.0 * (k + 1) * (k + 1), .t60_s = rings ? 60 : 0.5, .mass_kg = 20, .v_m_s = rings ? 1e-3 : 0};
  for (uint32_t i = 0; i < places; i++) {
    snprintf(b->names[i], sizeof b->names[i], "p%u", i % 1000);
    for (int k = 0; k < FLOOR_MODES; k++)
      b->gains[i][k] = sin(M_PI * (k + 1) * (i + 0.5) / places);
    b->points[i] =
        (ct_point_def){.name = b->names[i], .gains = {b->gains[i], NULL}, .gain_count = FLOOR_MODES};
  }
  return true;
}

static void free_beam(beam *b) {
  free(b->points);
  free(b->gains);
  free(b->names);
}

static ct_result build_masses(bench_run *run, const ct_modal_def *floor, ct_error *error) {
  const uint32_t masses = run->work->count;
  const ct_modal_def mass = bench_modal("mass", &mass_mode, 1, &mass_point);
  bool silent = run->work->variant == BENCH_SILENT;
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "floor.p0";
  ct_scene_def def = bench_scene_def(run, masses + 1, masses, 1);
  def.gravity_m_s2 = 9.81;
  def.at_rest = true;
  def.pool_bytes = ct_modal_pool_bytes(floor, &def) + masses * ct_modal_pool_bytes(&mass, &def);
  ct_result result = ct_scene_create(&def, &run->scene, error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_modal(run->scene, floor, error), error);
  for (uint32_t i = 0; i < masses && result == CT_OK; i++)
    result = add_mass(run->scene, i, error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_pickup(run->scene, &pickup, error), error);
  if (result == CT_OK)
    ct_scene_process(run->scene, &(ct_io){0}); /* where the masses stand is found before the first sample */
  if (result == CT_OK && silent)
    bench_scene_play(run->scene, (uint32_t)(WARM_UP_S * run->rate_hz / BENCH_BLOCK));
  return result;
}

static ct_result open_masses(bench_run *run, ct_error *error) {
  beam b = {.points = NULL};
  ct_result result = CT_NO_MEMORY;
  if (describe_beam(&b, run->work->count, run->work->variant != BENCH_SILENT)) {
    ct_modal_def floor = bench_modal("floor", b.modes, FLOOR_MODES, b.points);
    floor.point_count = run->work->count;
    result = build_masses(run, &floor, error);
  } else
    ct_fail(error, result, "no memory");
  free_beam(&b);
  return result;
}

const bench_kind bench_masses = {open_masses, bench_scene_block, bench_scene_close};
