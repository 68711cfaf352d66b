/* The bowed string as a scene: speed, force and place go in at every sample, velocity and friction come out.
 */
#include "study/avanzini2002_bow.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- a cello ---- */

static const double impedance_kg_s = 0.506; /* of a published D string of 0.69 m, 102.6 N */

bow bow_cello(void) {
  bow b = {.rate_hz = 44100, .string = ct_default_string_def(), .friction = ct_default_friction_def()};
  b.string.hz = BOW_HZ;
  b.string.impedance_kg_s = impedance_kg_s;
  b.string.q = 500;
  b.string.high_hz = 5000;
  b.string.high_t60_s = 0.03;
  b.string.bending_n_m2 = 3e-4;
  b.friction.bristle_n_m = 3.186e5;
  b.friction.bristle_damping_n_s_m = 0.3;
  b.friction.mu_dynamic = 0.507;
  b.friction.mu_static = 1.021;
  b.friction.stribeck_m_s = 0.228;
  return b;
}

double bow_impedance_kg_s(const bow *b) { return b->string.impedance_kg_s; }

double bow_steady_mu(const ct_friction_def *f, double slip_m_s) {
  double v = fabs(slip_m_s), u = v / f->stribeck_m_s;
  if (f->law == CT_THERMAL)
    return 0.4 * exp(-v / 0.01) + 0.45 * exp(-v / 0.1) + 0.35;
  return f->mu_dynamic + (f->mu_static - f->mu_dynamic) * exp(-u * u);
}

/* ---- the scene ---- */

static ct_result add_hand(ct_scene *scene, const char *name, ct_error *error) {
  ct_hand_def hand = ct_default_hand_def();
  hand.name = name;
  return ct_added(ct_scene_add_hand(scene, &hand, error), error);
}

static ct_result add_string(ct_scene *scene, const bow *b, ct_error *error) {
  ct_point_def point = {.name = "at", .place_u = b->row_count ? b->rows[0].place : 0.1};
  ct_string_def def = b->string;
  def.name = "string";
  def.points = &point;
  def.point_count = 1;
  return ct_added(ct_scene_add_string(scene, &def, error), error);
}

static ct_result add_friction(ct_scene *scene, const bow *b, ct_error *error) {
  ct_friction_def def = b->friction;
  def.name = "rosin";
  def.a = "bow.at";
  def.b = "string.at";
  def.normal_n = b->row_count ? b->rows[0].normal_n : 0;
  return ct_added(ct_scene_add_friction(scene, &def, error), error);
}

static ct_result build(const bow *b, ct_scene **scene, ct_error *error) {
  ct_scene_def def = ct_default_scene_def();
  ct_string_def string = b->string;
  ct_point_def point = {.name = "at", .place_u = 0.1};
  string.name = "string";
  string.points = &point;
  string.point_count = 1;
  def.rate_hz = b->rate_hz;
  def.bodies = 2;
  def.contacts = def.pickups = def.controls = def.targets = 1;
  def.pool_bytes =
      2 * ct_hand_pool_bytes() + ct_string_pool_bytes(&string, b->rate_hz) + ct_friction_pool_bytes();
  ct_result result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = add_hand(*scene, "bow", error);
  if (result == CT_OK)
    result = b->on_wall ? add_hand(*scene, "string", error) : add_string(*scene, b, error);
  if (result == CT_OK)
    result = add_friction(*scene, b, error);
  if (result == CT_OK)
    ct_scene_process(*scene, &(ct_io){.frames = 0});
  return result;
}

/* ---- the stroke ---- */

static double by_ratio(double from, double to, double t) {
  return from > 0 && to > 0 ? from * pow(to / from, t) : from + t * (to - from);
}

static bow_row row_at(const bow *b, double time_s, uint32_t *from) {
  while (*from + 1 < b->row_count && b->rows[*from + 1].time_s <= time_s)
    ++*from;
  const bow_row *r = &b->rows[*from], *next = *from + 1 < b->row_count ? r + 1 : r;
  double t = next != r ? fmax(0, (time_s - r->time_s) / (next->time_s - r->time_s)) : 0;
  return (bow_row){time_s, r->speed_m_s + t * (next->speed_m_s - r->speed_m_s),
                   by_ratio(r->normal_n, next->normal_n, t), by_ratio(r->place, next->place, t)};
}

enum { SPEED, NORMAL, PLACE, DRIVES };

static void fill_stroke(const bow *b, double *drives[DRIVES], uint32_t count) {
  uint32_t from = 0;
  for (uint32_t n = 0; n < count; n++) {
    bow_row row = row_at(b, n / b->rate_hz, &from);
    drives[SPEED][n] = row.speed_m_s;
    drives[NORMAL][n] = row.normal_n;
    drives[PLACE][n] = row.place;
  }
}

/* ---- playing ---- */

void bow_trace_free(bow_trace *t) {
  free(t->v_m_s);
  free(t->speed_m_s);
  free(t->force_n);
  free(t->bristle_m);
  *t = (bow_trace){0};
}

static bool make_lists(bow_trace *t, double *drives[DRIVES], uint32_t count) {
  double **lists[] = {&t->v_m_s,      &t->force_n,     &t->bristle_m, &t->speed_m_s,
                      &drives[SPEED], &drives[NORMAL], &drives[PLACE]};
  bool made = true;
  t->count = count;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    made &= (*lists[i] = calloc(count ? count : 1, sizeof(double))) != NULL;
  return made;
}

static ct_result resolve(const ct_scene *scene, const char *const *paths, ct_handle *handles, uint32_t count,
                         ct_error *error) {
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < count && result == CT_OK; i++)
    result = ct_scene_resolve(scene, paths[i], &handles[i], error);
  return result;
}

static ct_result play(const bow *b, ct_scene *scene, double *const drives[DRIVES], bow_trace *t,
                      ct_error *error) {
  const char *const paths[] = {"bow.tangential_v_m_s",       "rosin.normal_n", "string.at.place_u",
                               "string.at.tangential_v_m_s", "rosin.force_n",  "rosin.deflection_m"};
  const uint32_t driven = b->on_wall ? 2 : DRIVES; /* a wall has no places */
  double *const heard[] = {t->v_m_s, t->force_n, t->bristle_m};
  ct_handle handles[6] = {{0}};
  ct_input inputs[DRIVES];
  ct_tap taps[3];
  ct_result result = resolve(scene, paths, handles, driven, error);
  if (result == CT_OK)
    result = resolve(scene, paths + DRIVES, handles + DRIVES, 3, error);
  if (result != CT_OK)
    return result;
  for (uint32_t i = 0; i < 3; i++) {
    inputs[i] = (ct_input){handles[i], drives[i]};
    taps[i] = (ct_tap){handles[DRIVES + i], heard[i]};
  }
  ct_scene_process(
      scene,
      &(ct_io){.frames = t->count, .inputs = inputs, .input_count = driven, .taps = taps, .tap_count = 3});
  for (uint32_t n = 1; n < t->count; n++)
    t->speed_m_s[n] = drives[SPEED][n - 1];
  return ct_scene_judge(scene, error);
}

ct_result bow_play(const bow *b, double seconds, bow_trace *t, ct_error *error) {
  ct_scene *scene = NULL;
  double *drives[DRIVES] = {NULL};
  *t = (bow_trace){0};
  ct_result result = build(b, &scene, error);
  if (result == CT_OK && !make_lists(t, drives, (uint32_t)lrint(seconds * b->rate_hz)))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for %g s of bowing", seconds);
  if (result == CT_OK) {
    fill_stroke(b, drives, t->count);
    result = play(b, scene, drives, t, error);
  }
  ct_scene_destroy(scene);
  for (int i = 0; i < DRIVES; i++)
    free(drives[i]);
  if (result != CT_OK)
    bow_trace_free(t);
  return result;
}

/* ---- losses ---- */

/* Helmholtz motion at beta has partials h_n ~ sin(n pi beta)/(n pi beta). A string whose waves lose the share
 * d_n of themselves in a round, at the bridge or at the nut, answers a velocity at beta with the force
 *   Z d_n/(2 sin^2(n pi beta)),   so the bow must give   f_n = Z v_b d_n/(2 n pi beta sin(n pi beta)):
 * for equal d and low n a parabola over the period, Z v_b d/(4 beta^2) deep. Schelleng's bridge of resistance
 * R loses d = 2 Z/R, and his force is Z^2 v_b/(2 R beta^2). So R = 2 Z/d, with the d of the fundamental,
 * which makes four fifths of the parabola: high partials lose more, but a corner that has become round lacks
 * them and the bow need not replace them. With Q = pi/d this is 2 Z Q/pi. */
ct_result bow_resistance_kg_s(const bow *b, double *resistance, ct_error *error) {
  ct_scene *scene = NULL;
  double hz = 0, t60_s = 0;
  ct_result result = build(b, &scene, error);
  if (result == CT_OK)
    result = ct_scene_string_partial(scene, "string", 1, &hz, &t60_s, error);
  ct_scene_destroy(scene);
  *resistance = -2 * bow_impedance_kg_s(b) / expm1(-log(1000) / (hz * t60_s));
  return result;
}
