/* The rubbed body as a scene, read sample by sample. */
#include "study/avanzini2005_kmethod.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- two bodies ---- */

static double t60_of(double loss_1_s) { return 2 * log(1000) / loss_1_s; }

static ct_friction_def the_papers(void) {
  ct_friction_def def = ct_default_friction_def();
  def.roughness_model = CT_ROUGHNESS_ADDED;
  return def;
}

rub rub_reference(void) {
  rub r = {.rate_hz = 44100, .mode_count = 3, .speed_m_s = 0.1, .rise_s = 0.02};
  const double hz[3] = {400, 1000, 1800}, loss[3] = {6, 10, 20};
  for (int i = 0; i < 3; i++)
    r.modes[i] = (ct_mode_def){.hz = hz[i], .t60_s = t60_of(loss[i]), .mass_kg = 0.01};
  r.friction = the_papers();
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
  r.friction = the_papers();
  r.friction.bristle_n_m = 1e5;
  r.friction.bristle_damping_n_s_m = 0.3;
  r.friction.mu_dynamic = 0.3;
  r.friction.mu_static = 0.6;
  r.friction.stribeck_m_s = 0.1;
  r.friction.normal_n = 0.5;
  return r;
}

/* ---- the scene ---- */

static ct_result add_modal(ct_scene *scene, const char *name, const ct_mode_def *modes, uint32_t count,
                           ct_error *error) {
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = &point;
  def.point_count = 1;
  return ct_added(ct_scene_add_modal(scene, &def, error), error);
}

static ct_result add_exciter(ct_scene *scene, const rub *r, ct_error *error) {
  ct_mode_def mass = {.mass_kg = r->exciter_kg, .t60_s = r->exciter_t60_s, .v_m_s = r->speed_m_s};
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "exciter";
  return r->exciter_kg > 0 ? add_modal(scene, "exciter", &mass, 1, error)
                           : ct_added(ct_scene_add_hand(scene, &hand, error), error);
}

static ct_result add_friction(ct_scene *scene, const rub *r, ct_error *error) {
  ct_friction_def def = r->friction;
  def.name = "rub";
  def.a = "exciter.at";
  def.b = "resonator.at";
  return ct_added(ct_scene_add_friction(scene, &def, error), error);
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

/* ---- playing ---- */

static bool make_list(double **list, uint32_t count) {
  return (*list = calloc(count, sizeof **list)) != NULL;
}

static bool make_lists(rub_trace *t, uint32_t count, rub_wanted wanted) {
  *t = (rub_trace){.count = count};
  bool made = make_list(&t->v_m_s, count);
  double **motion[] = {&t->slip_m_s, &t->force_n, &t->bristle_m, &t->speed_m_s, &t->place_m};
  for (size_t i = 0; wanted.motion && i < sizeof motion / sizeof motion[0]; i++)
    made &= make_list(motion[i], count);
  if (wanted.searches)
    made &= (t->searches = calloc(count, sizeof *t->searches)) != NULL;
  return made;
}

void rub_trace_free(rub_trace *t) {
  double *lists[] = {t->v_m_s, t->slip_m_s, t->force_n, t->bristle_m, t->speed_m_s, t->place_m};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    free(lists[i]);
  free(t->searches);
  *t = (rub_trace){0};
}

enum { RESONATOR_X, EXCITER_X, EXCITER_V, RESONATOR_V, FORCE, BRISTLE, NORMAL, DRIVE, HANDLES };

static ct_result find(const ct_scene *scene, const rub *r, ct_handle h[HANDLES], ct_error *error) {
  const char *const paths[HANDLES] = {
      [RESONATOR_X] = "resonator.at.tangential_x_m",
      [EXCITER_X] = "exciter.at.tangential_x_m",
      [EXCITER_V] = "exciter.at.tangential_v_m_s",
      [RESONATOR_V] = "resonator.at.tangential_v_m_s",
      [FORCE] = "rub.force_n",
      [BRISTLE] = "rub.deflection_m",
      [NORMAL] = "rub.normal_n",
      [DRIVE] = r->exciter_kg > 0 ? "exciter.at.tangential_force_n" : "exciter.tangential_v_m_s",
  };
  ct_result result = CT_OK;
  for (int i = 0; i < HANDLES && result == CT_OK; i++)
    result = ct_scene_resolve(scene, paths[i], &h[i], error);
  return result;
}

static rub_row row_at(const rub *r, double time_s) {
  uint32_t i = 0;
  if (r->row_count == 0)
    return (rub_row){time_s, 0, r->friction.normal_n};
  while (i + 1 < r->row_count && r->rows[i + 1].time_s <= time_s)
    i++;
  const rub_row *a = &r->rows[i], *b = i + 1 < r->row_count ? a + 1 : a;
  double t = b != a ? (time_s - a->time_s) / (b->time_s - a->time_s) : 0;
  return (rub_row){time_s, a->push_n + t * (b->push_n - a->push_n),
                   a->normal_n + t * (b->normal_n - a->normal_n)};
}

/* What the hand does at sample n: its speed, or the force it pushes a mass with; and the normal force. */
static void drive(const rub *r, uint32_t n, double *how, double *normal) {
  rub_row row = row_at(r, n / r->rate_hz);
  double risen = r->rise_s > 0 ? fmin(n / (r->rise_s * r->rate_hz), 1) : 1;
  *how = r->exciter_kg > 0 ? row.push_n : r->speed_m_s * risen;
  *normal = row.normal_n;
}

static double apart(const ct_scene *scene, const ct_handle h[HANDLES]) {
  return ct_scene_get(scene, h[EXCITER_X]) - ct_scene_get(scene, h[RESONATOR_X]);
}

static void read_motion(const ct_scene *scene, const ct_handle h[HANDLES], rub_trace *t, uint32_t n) {
  t->force_n[n] = ct_scene_get(scene, h[FORCE]);
  t->bristle_m[n] = ct_scene_get(scene, h[BRISTLE]);
  t->speed_m_s[n] = ct_scene_get(scene, h[EXCITER_V]);
  t->place_m[n] = ct_scene_get(scene, h[EXCITER_X]);
}

/* One sample at a time, so that everything between two samples can be told. */
static void play(ct_scene *scene, const rub *r, const ct_handle h[HANDLES], rub_trace *t) {
  double was_apart = apart(scene, h), how, normal;
  uint64_t searched = 0;
  const ct_input inputs[] = {{h[DRIVE], &how}, {h[NORMAL], &normal}};
  for (uint32_t n = 0; n < t->count; n++) {
    drive(r, n, &how, &normal);
    ct_scene_process(scene, &(ct_io){.frames = 1, .inputs = inputs, .input_count = 2});
    t->counters = ct_scene_counters(scene);
    t->v_m_s[n] = ct_scene_get(scene, h[RESONATOR_V]);
    if (t->slip_m_s) {
      t->slip_m_s[n] = (apart(scene, h) - was_apart) * r->rate_hz;
      was_apart = apart(scene, h);
      read_motion(scene, h, t, n);
    }
    if (t->searches)
      t->searches[n] = (uint32_t)(t->counters.friction_evaluations - searched);
    searched = t->counters.friction_evaluations;
  }
}

ct_result rub_play(const rub *r, double seconds, rub_wanted wanted, rub_trace *t, ct_error *error) {
  ct_scene *scene = NULL;
  ct_handle h[HANDLES];
  *t = (rub_trace){0};
  ct_result result = build(r, &scene, error);
  if (result == CT_OK) {
    ct_scene_process(scene, &(ct_io){.frames = 0});
    result = find(scene, r, h, error);
  }
  if (result == CT_OK && !make_lists(t, (uint32_t)lrint(seconds * r->rate_hz), wanted))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for %g s of rubbing", seconds);
  if (result == CT_OK) {
    play(scene, r, h, t);
    result = ct_scene_judge(scene, error);
  }
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
    t->searches[n] = k.converged ? k.iterations : KMETHOD_MOST;
  }
  return CT_OK;
}
