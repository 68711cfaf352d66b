/* The rubbed body as a scene, read sample by sample. */
#include "study/avanzini2005_kmethod.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- two bodies
 * --------------------------------------------------------------------------------------------------------- */

static double t60_of(double loss_1_s) { return 2 * log(1000) / loss_1_s; }

rub rub_reference(void) {
  rub r = {.rate_hz = 44100, .mode_count = 3, .speed_m_s = 0.1, .rise_s = 0.02};
  const double hz[3] = {400, 1000, 1800}, loss[3] = {6, 10, 20};
  for (int i = 0; i < 3; i++)
    r.modes[i] = (ct_mode_def){.hz = hz[i], .t60_s = t60_of(loss[i]), .mass_kg = 0.01};
  r.friction = ct_default_friction_def();
  r.friction.bristle_n_m = 1e4;
  r.friction.bristle_damping_n_s_m = 10;
  r.friction.mu_dynamic = 0.2;
  r.friction.mu_static = 0.4;
  r.friction.stribeck_m_s = 0.1;
  r.friction.normal_n = 1;
  return r;
}

rub rub_glass(void) {
  rub r = {.rate_hz = 44100, .mode_count = 2, .speed_m_s = 0.08, .rise_s = 0.02};
  r.modes[0] = (ct_mode_def){.hz = 529.3, .t60_s = 1.5, .mass_kg = 0.02};
  r.modes[1] = (ct_mode_def){.hz = 1368, .t60_s = 1, .mass_kg = 0.02};
  r.friction = ct_default_friction_def();
  r.friction.bristle_n_m = 1e5;
  r.friction.bristle_damping_n_s_m = 0.3;
  r.friction.mu_dynamic = 0.3;
  r.friction.mu_static = 0.6;
  r.friction.stribeck_m_s = 0.1;
  r.friction.normal_n = 0.5;
  return r;
}

/* ---- the scene
 * --------------------------------------------------------------------------------------------------------- */

static ct_result add_modal(ct_scene *scene, const char *name, const ct_mode_def *modes, uint32_t count,
                           ct_error *error) {
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = &point;
  def.point_count = 1;
  return ct_scene_add_modal(scene, &def, error);
}

static ct_result add_exciter(ct_scene *scene, const rub *r, ct_error *error) {
  ct_mode_def mass = {.mass_kg = r->exciter_kg, .v_m_s = r->speed_m_s};
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "exciter";
  return r->exciter_kg > 0 ? add_modal(scene, "exciter", &mass, 1, error)
                           : ct_scene_add_hand(scene, &hand, error);
}

static ct_result add_friction(ct_scene *scene, const rub *r, ct_error *error) {
  ct_friction_def def = r->friction;
  def.name = "rub";
  def.a = "exciter.at";
  def.b = "resonator.at";
  return ct_scene_add_friction(scene, &def, error);
}

static ct_result build(const rub *r, ct_scene **scene, ct_error *error) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = r->rate_hz;
  def.bodies = 2;
  def.contacts = def.pickups = def.controls = def.targets = 1;
  def.pool_bytes = 1 << 14;
  ct_result result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = add_modal(*scene, "resonator", r->modes, r->mode_count, error);
  if (result == CT_OK)
    result = add_exciter(*scene, r, error);
  return result == CT_OK ? add_friction(*scene, r, error) : result;
}

/* ---- playing
 * --------------------------------------------------------------------------------------------------------- */

static bool make_lists(rub_trace *t, uint32_t count, rub_wanted wanted) {
  *t = (rub_trace){.v_m_s = calloc(count, sizeof *t->v_m_s), .count = count};
  bool made = t->v_m_s;
  if (wanted.motion)
    made &= (t->slip_m_s = calloc(count, sizeof *t->slip_m_s)) && (t->force_n = calloc(count, sizeof *t->force_n));
  if (wanted.searches)
    made &= (t->searches = calloc(count, sizeof *t->searches)) != NULL;
  return made;
}

void rub_trace_free(rub_trace *t) {
  free(t->v_m_s);
  free(t->slip_m_s);
  free(t->force_n);
  free(t->searches);
  *t = (rub_trace){0};
}

typedef struct reader {
  ct_handle x[2], v, force, speed;
} reader;

static ct_result find(const ct_scene *scene, const rub *r, reader *h, ct_error *error) {
  const struct {
    const char *path;
    ct_handle *handle;
  } wanted[] = {{"resonator.at.tangential_x_m", &h->x[0]},
                {"exciter.at.tangential_x_m", &h->x[1]},
                {"resonator.at.tangential_v_m_s", &h->v},
                {"rub.force_n", &h->force},
                {"exciter.tangential_v_m_s", &h->speed}};
  size_t count = r->exciter_kg > 0 ? 4 : 5;
  ct_result result = CT_OK;
  for (size_t i = 0; i < count && result == CT_OK; i++)
    result = ct_scene_resolve(scene, wanted[i].path, wanted[i].handle, error);
  return result;
}

static double apart(const ct_scene *scene, const reader *h) {
  return ct_scene_get(scene, h->x[1]) - ct_scene_get(scene, h->x[0]);
}

/* One sample at a time, so that everything between two samples can be told. */
static void play(ct_scene *scene, const rub *r, const reader *h, rub_trace *t) {
  double before = apart(scene, h), speed;
  uint64_t searched = 0;
  ct_input input = {h->speed, &speed};
  for (uint32_t n = 0; n < t->count; n++) {
    speed = r->speed_m_s * (r->rise_s > 0 ? fmin(n / (r->rise_s * r->rate_hz), 1) : 1);
    ct_scene_process(scene, &(ct_io){.frames = 1, .inputs = &input, .input_count = r->exciter_kg <= 0});
    t->v_m_s[n] = ct_scene_get(scene, h->v);
    if (t->slip_m_s) {
      double now = apart(scene, h);
      t->slip_m_s[n] = (now - before) * r->rate_hz;
      t->force_n[n] = fabs(ct_scene_get(scene, h->force)) * copysign(1, 1);
      before = now;
    }
    uint64_t all = ct_scene_counters(scene).friction_evaluations;
    if (t->searches)
      t->searches[n] = (uint32_t)(all - searched);
    searched = all;
  }
  t->counters = ct_scene_counters(scene);
}

ct_result rub_play(const rub *r, double seconds, rub_wanted wanted, rub_trace *t, ct_error *error) {
  ct_scene *scene = NULL;
  reader h;
  *t = (rub_trace){0};
  ct_result result = build(r, &scene, error);
  if (result == CT_OK) {
    ct_scene_process(scene, &(ct_io){.frames = 0});
    result = find(scene, r, &h, error);
  }
  if (result == CT_OK && !make_lists(t, (uint32_t)lrint(seconds * r->rate_hz), wanted))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for %g s of rubbing", seconds);
  if (result == CT_OK)
    play(scene, r, &h, t);
  ct_scene_destroy(scene);
  if (result != CT_OK)
    rub_trace_free(t);
  return result;
}

ct_result rub_play_kmethod(const rub *r, double seconds, bool delayed, rub_trace *t, ct_error *error) {
  kmethod k;
  if (!make_lists(t, (uint32_t)lrint(seconds * r->rate_hz), (rub_wanted){.searches = true})) {
    rub_trace_free(t);
    return ct_fail(error, CT_NO_MEMORY, "no memory for %g s of rubbing", seconds);
  }
  kmethod_start(&k, r, delayed);
  for (uint32_t n = 0; n < t->count; n++) {
    kmethod_step(&k);
    t->v_m_s[n] = kmethod_velocity_m_s(&k);
    t->searches[n] = k.iterations;
  }
  return CT_OK;
}
