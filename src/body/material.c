/* Materials: a table of places on the damping plane, and the plane between them. docs/models/materials.md
 * says where each number comes from. */
#include <contatto/material.h>

#include "base/text.h"
#include "body/response.h"

#include <math.h>
#include <string.h>

static const ct_material materials[] = {
    {"wood", 650.0, 1.1e10, 0.35, 2.365, 0.1057},
    {"steel", 7800.0, 2.0e11, 0.29, -0.495, 0.0596},
    {"brass", 8500.0, 1.04e11, 0.35, -0.263, 0.0692},
    {"bronze", 8600.0, 1.0e11, 0.34, -1.074, 0.0895},
    {"aluminium", 2700.0, 7.0e10, 0.33, -0.207, 0.0596},
    {"glass", 2500.0, 6.2e10, 0.22, 0.329, 0.1076},
    {"water-filled-glass", 2500.0, 6.2e10, 0.22, 1.132, 0.1076},
    {"ceramic", 2400.0, 7.0e10, 0.22, 2.267, 0.0614},
    {"plastic", 1200.0, 3.0e9, 0.37, 3.251, 0.0991},
    {"rubber", 1100.0, 5.0e6, 0.49, 3.892, 0.1463},
    {"stone", 2700.0, 5.5e10, 0.25, 1.937, 0.0867},
};

#define MATERIAL_COUNT ((uint32_t)(sizeof materials / sizeof *materials))

uint32_t ct_material_count(void) { return MATERIAL_COUNT; }

const ct_material *ct_material_at(uint32_t index) {
  return index < MATERIAL_COUNT ? &materials[index] : NULL;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_name(const char *a, const char *b) {
  while (*a && lower(*a) == lower(*b))
    a++, b++;
  return *a == *b;
}

const ct_material *ct_material_find(const char *name) {
  if (name && same_name(name, "metal"))
    name = "steel";
  for (uint32_t i = 0; name && i < MATERIAL_COUNT; i++)
    if (same_name(name, materials[i].name))
      return &materials[i];
  return NULL;
}

/* The nearest and the second nearest name, by edits. */
static void nearest_names(const char *name, const char *best[2]) {
  char word[CT_NAME_MAX];
  size_t length = 0;
  for (; name[length] && length + 1 < sizeof word; length++)
    word[length] = lower(name[length]);
  word[length] = 0;
  uint32_t edits[2] = {UINT32_MAX, UINT32_MAX};
  for (uint32_t i = 0; i < MATERIAL_COUNT; i++) {
    uint32_t distance = ct_edit_distance(word, materials[i].name);
    if (distance < edits[0]) {
      edits[1] = edits[0], best[1] = best[0];
      edits[0] = distance, best[0] = materials[i].name;
    } else if (distance < edits[1]) {
      edits[1] = distance, best[1] = materials[i].name;
    }
  }
}

const ct_material *ct_material_look_up(const char *name, ct_error *error) {
  const ct_material *found = ct_material_find(name);
  if (found)
    return found;
  const char *best[2] = {"", ""};
  nearest_names(name ? name : "", best);
  ct_fail(error, CT_BAD_VALUE, "no material \"%.40s\"; did you mean \"%s\" or \"%s\"?", name ? name : "",
          best[0], best[1]);
  return NULL;
}

/* Glasberg and Moore (1990): how many equivalent rectangular bandwidths lie below f. */
static double erb_rate(double hz) { return 21.4 * log10(1.0 + 0.00437 * fmax(hz, 0.0)); }

double ct_material_decay_rate_per_s(const ct_material *material, double hz) {
  return exp(material->global_damping + material->relative_damping * erb_rate(hz));
}

/* Never 0, which would stand for a mode that does not decay at all, nor infinite. */
double ct_material_t60_s(const ct_material *material, double hz) {
  return fmin(fmax(log(1000.0) / ct_material_decay_rate_per_s(material, hz), CT_SHORTEST_T60_S), 1e300);
}

ct_result ct_material_set_t60_s(ct_material *material, double low_hz, double t60_low_s, double high_hz,
                                double t60_high_s) {
  if (!(t60_low_s > 0.0 && t60_high_s > 0.0 && low_hz >= 0.0 && high_hz > low_hz))
    return CT_BAD_VALUE;
  double low = erb_rate(low_hz), high = erb_rate(high_hz);
  /* differences of logarithms: quotients of times may leave the range of a double */
  double relative = (log(t60_low_s) - log(t60_high_s)) / (high - low);
  double global = log(log(1000.0)) - log(t60_low_s) - relative * low;
  if (!isfinite(relative) || !isfinite(global)) /* the two frequencies are one, or a time is for ever */
    return CT_BAD_VALUE;
  material->relative_damping = relative;
  material->global_damping = global;
  return CT_OK;
}

static double between(double a, double b, double t) { return a + (b - a) * t; }

static double between_log(double a, double b, double t) { return a * pow(b / a, t); }

ct_material ct_material_mix(const ct_material *a, const ct_material *b, double position) {
  if (position <= 0.0)
    return *a;
  if (position >= 1.0)
    return *b;
  return (ct_material){"",
                       between_log(a->density_kg_m3, b->density_kg_m3, position),
                       between_log(a->young_pa, b->young_pa, position),
                       between(a->poisson, b->poisson, position),
                       between(a->global_damping, b->global_damping, position),
                       between(a->relative_damping, b->relative_damping, position)};
}

/* Distance on the plane as the ear meets it: what happens to low and to high partials, not the two numbers,
 * of which one is thirty times the other. */
static double plane_distance(const ct_material *a, double global_damping, double relative_damping) {
  double global = global_damping - a->global_damping, relative = relative_damping - a->relative_damping;
  return hypot(global + relative * erb_rate(200.0), global + relative * erb_rate(5000.0));
}

const ct_material *ct_material_nearest(double global_damping, double relative_damping, double *distance) {
  const ct_material *best = &materials[0];
  double nearest = HUGE_VAL;
  for (uint32_t i = 0; i < MATERIAL_COUNT; i++) {
    double d = plane_distance(&materials[i], global_damping, relative_damping);
    if (d < nearest)
      nearest = d, best = &materials[i];
  }
  if (distance)
    *distance = nearest;
  return best;
}

ct_material ct_material_on_plane(double global_damping, double relative_damping) {
  double nearest, sum = 0.0, density = 0.0, young = 0.0, poisson = 0.0;
  const ct_material *best = ct_material_nearest(global_damping, relative_damping, &nearest);
  if (nearest < 1e-9)
    return *best;
  for (uint32_t i = 0; i < MATERIAL_COUNT; i++) {
    double d = plane_distance(&materials[i], global_damping, relative_damping), weight = 1.0 / (d * d);
    sum += weight;
    density += weight * log(materials[i].density_kg_m3);
    young += weight * log(materials[i].young_pa);
    poisson += weight * materials[i].poisson;
  }
  return (ct_material){
      "", exp(density / sum), exp(young / sum), poisson / sum, global_damping, relative_damping};
}

ct_result ct_material_check(const ct_material *m, ct_error *error) {
  const struct {
    const char *name, *unit;
    double value, min, max;
  } numbers[] = {{"density_kg_m3", " kg/m^3", m->density_kg_m3, 1.0, 3e4},
                 {"young_pa", " Pa", m->young_pa, 1e3, 2e12},
                 {"poisson", "", m->poisson, -0.99, 0.4999},
                 {"global_damping", "", m->global_damping, -20.0, 20.0},
                 {"relative_damping", " per ERB", m->relative_damping, -1.0, 1.0}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (!(numbers[i].value >= numbers[i].min && numbers[i].value <= numbers[i].max))
      return ct_fail(error, CT_BAD_VALUE, "material: %s = %g%s, must be %g to %g%s", numbers[i].name,
                     numbers[i].value, numbers[i].unit, numbers[i].min, numbers[i].max, numbers[i].unit);
  return CT_OK;
}

static const char *const walk[CT_MATERIAL_WALK] = {"rubber",  "plastic", "wood",  "stone",
                                                   "ceramic", "glass",   "brass", "steel"};

const char *ct_material_along_name(uint32_t stop) { return stop < CT_MATERIAL_WALK ? walk[stop] : NULL; }

ct_material ct_material_along(double place) {
  double last = CT_MATERIAL_WALK - 1;
  place = place > 0 ? place : 0;
  place = place < last ? place : last;
  uint32_t stop = (uint32_t)place;
  if (stop == CT_MATERIAL_WALK - 1)
    stop--;
  return ct_material_mix(ct_material_find(walk[stop]), ct_material_find(walk[stop + 1]), place - stop);
}

/* The place of one leg, 0..1, nearest to the material on the damping plane: a projection in the same two
 * coordinates as plane_distance. */
static double nearest_on_leg(const ct_material *from, const ct_material *to, const ct_material *m) {
  const double low = erb_rate(200.0), high = erb_rate(5000.0);
  double global = to->global_damping - from->global_damping,
         relative = to->relative_damping - from->relative_damping;
  double apart_global = m->global_damping - from->global_damping;
  double apart_relative = m->relative_damping - from->relative_damping;
  double leg[2] = {global + relative * low, global + relative * high};
  double apart[2] = {apart_global + apart_relative * low, apart_global + apart_relative * high};
  double place = (leg[0] * apart[0] + leg[1] * apart[1]) / (leg[0] * leg[0] + leg[1] * leg[1]);
  return fmin(fmax(place, 0.0), 1.0);
}

double ct_material_place_along(const ct_material *material) {
  double best = 0.0, nearest = HUGE_VAL;
  for (uint32_t leg = 0; leg + 1 < CT_MATERIAL_WALK; leg++) {
    double place =
        leg + nearest_on_leg(ct_material_find(walk[leg]), ct_material_find(walk[leg + 1]), material);
    ct_material there = ct_material_along(place);
    double d = plane_distance(&there, material->global_damping, material->relative_damping);
    if (d < nearest)
      nearest = d, best = place;
  }
  return best;
}
