/* See random_scene.h. */
#include "support/random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

double random_unit(random_state *r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

double random_between(random_state *r, double low, double high) {
  return low + (high - low) * random_unit(r);
}

double random_log(random_state *r, double low, double high) {
  return low * exp(random_unit(r) * log(high / low));
}

uint32_t random_below(random_state *r, uint32_t count) { return (uint32_t)(random_unit(r) * count); }

static ct_mode_def random_mode(random_state *r, bool first, double rate_hz, double mass_kg) {
  bool free_mass = first && random_unit(r) < 0.5;
  return (ct_mode_def){.hz = free_mass ? 0 : random_log(r, 1, 0.499 * rate_hz),
                       .t60_s = random_unit(r) < 0.3 ? 0 : random_log(r, 1e-4, 100),
                       .mass_kg = mass_kg * random_log(r, 0.1, 10),
                       .v_m_s = random_unit(r) < 0.5 ? 0 : random_between(r, -5, 5)};
}

static void random_body(random_state *r, struct random_body *b, uint32_t index, double rate_hz,
                        random_limits limits) {
  snprintf(b->name, sizeof b->name, "b%u%c", index, 'a' + (char)random_below(r, 26));
  b->hand = random_unit(r) < 0.1;
  b->mode_count = 1 + random_below(r, random_unit(r) < 0.5 ? 4 : RANDOM_MODES);
  b->point_count = 1 + random_below(r, RANDOM_POINTS);
  b->integrator = random_unit(r) < 0.2 ? CT_BILINEAR : CT_EXACT;
  double mass = random_log(r, limits.mass_low * 10, limits.mass_high / 10);
  for (uint32_t i = 0; i < b->mode_count; i++)
    b->modes[i] = random_mode(r, i == 0, rate_hz, mass);
  for (uint32_t p = 0; p < b->point_count; p++) {
    snprintf(b->point_names[p], sizeof b->point_names[p], "p%u", p);
    for (uint32_t i = 0; i < b->mode_count; i++)
      b->gains[p][i] = random_unit(r) < 0.3 ? 1 : random_between(r, -1, 1);
  }
}

static void random_end(random_state *r, const random_scene *s, char *end, size_t size) {
  const struct random_body *b = &s->bodies[random_below(r, s->body_count)];
  snprintf(end, size, "%s.%s", b->name, b->hand ? "at" : b->point_names[random_below(r, b->point_count)]);
}

bool random_other_end(const random_scene *s, const char *a, char *end, size_t size) {
  for (uint32_t b = 0; b < s->body_count; b++)
    for (uint32_t p = 0; p < (s->bodies[b].hand ? 1 : s->bodies[b].point_count); p++) {
      snprintf(end, size, "%s.%s", s->bodies[b].name, s->bodies[b].hand ? "at" : s->bodies[b].point_names[p]);
      if (strcmp(a, end) != 0)
        return true;
    }
  return false;
}

static void random_contact(random_state *r, random_scene *s, uint32_t index, random_limits limits) {
  struct random_contact *c = &s->contacts[index];
  snprintf(c->name, sizeof c->name, "c%u%c", index, 'a' + (char)random_below(r, 26));
  random_end(r, s, c->a, sizeof c->a);
  random_end(r, s, c->b, sizeof c->b);
  if (strcmp(c->a, c->b) == 0 && !random_other_end(s, c->a, c->b, sizeof c->b))
    s->contact_count = 0; /* the one point there is touches nothing */
  c->def = ct_default_impact_def();
  c->def.from_above = random_unit(r) < 0.5;
  c->def.stiffness = random_log(r, limits.stiffness_low, limits.stiffness_high);
  c->def.exponent = random_between(r, 1.01, 3);
  c->def.damping_s_m = random_unit(r) < 0.3 ? 0 : random_log(r, 1e-3, 100);
  c->def.gap_m = random_unit(r) < 0.3 ? 0 : random_log(r, 1e-7, 1e-2);
  c->def.quality = (ct_quality)random_below(r, 2);
  c->def.substeps = random_unit(r) < 0.5 ? 1 : 0;
}

void random_scene_make(random_scene *s, uint64_t seed, random_limits limits) {
  random_state r = {seed * 0x2545f4914f6cdd1du + 1};
  memset(s, 0, sizeof *s);
  s->rate_hz = random_log(&r, 8000, 384000);
  s->body_count = 1 + random_below(&r, RANDOM_BODIES);
  s->contact_count = 1 + random_below(&r, RANDOM_CONTACTS);
  s->least_mass_kg = INFINITY;
  for (uint32_t i = 0; i < s->body_count; i++) {
    random_body(&r, &s->bodies[i], i, s->rate_hz, limits);
    for (uint32_t k = 0; k < s->bodies[i].mode_count; k++)
      s->least_mass_kg = fmin(s->least_mass_kg, s->bodies[i].modes[k].mass_kg);
  }
  for (uint32_t i = 0; i < s->contact_count; i++) {
    random_contact(&r, s, i, limits);
    s->most_stiffness = fmax(s->most_stiffness, s->contacts[i].def.stiffness);
  }
}

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static void add_body(ct_scene *scene, const struct random_body *b) {
  ct_error error = {0};
  if (b->hand) {
    ct_hand_def def = ct_default_hand_def();
    def.name = b->name;
    must(ct_added(ct_scene_add_hand(scene, &def, &error), &error), &error);
    return;
  }
  ct_point_def points[RANDOM_POINTS] = {0};
  for (uint32_t p = 0; p < b->point_count; p++)
    points[p] =
        (ct_point_def){.name = b->point_names[p], .gains = {b->gains[p]}, .gain_count = b->mode_count};
  ct_modal_def def = ct_default_modal_def();
  def.name = b->name;
  def.modes = b->modes;
  def.mode_count = b->mode_count;
  def.points = points;
  def.point_count = b->point_count;
  def.integrator = b->integrator;
  must(ct_added(ct_scene_add_modal(scene, &def, &error), &error), &error);
}

static void add_contact(ct_scene *scene, const struct random_contact *c, bool swap) {
  ct_error error = {0};
  ct_impact_def def = c->def;
  def.name = c->name;
  def.a = swap ? c->b : c->a;
  def.b = swap ? c->a : c->b;
  def.from_above = def.from_above != swap;
  must(ct_added(ct_scene_add_impact(scene, &def, &error), &error), &error);
}

static void shuffle(uint32_t *order, uint32_t count, random_state *r, bool really) {
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  for (uint32_t i = count; really && i > 1; i--) {
    uint32_t j = random_below(r, i), swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
}

ct_scene *random_scene_build(const random_scene *s, uint64_t order, bool ledger) {
  random_state r = {order};
  uint32_t bodies[RANDOM_BODIES], contacts[RANDOM_CONTACTS];
  shuffle(bodies, s->body_count, &r, order != 0);
  shuffle(contacts, s->contact_count, &r, order != 0);
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = s->rate_hz;
  def.ledger = ledger;
  def.bodies = RANDOM_BODIES;
  def.contacts = RANDOM_CONTACTS;
  def.pool_bytes = 8u << 20;
  def.messages = 64;
  ct_error error = {0};
  ct_scene *scene = NULL;
  must(ct_scene_create(&def, &scene, &error), &error);
  for (uint32_t i = 0; i < s->body_count; i++)
    add_body(scene, &s->bodies[bodies[i]]);
  for (uint32_t i = 0; i < s->contact_count; i++)
    add_contact(scene, &s->contacts[contacts[i]], order != 0 && random_unit(&r) < 0.5);
  ct_scene_process(scene, &(ct_io){.frames = 0});
  return scene;
}
