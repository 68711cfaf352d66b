/* ctest: slow timeout=900
 * Every modal body of the built-in scenes: struck in the engine, analysed, made anew from what was found,
 * struck and analysed again. Each time every mode that is 20 dB over the noise comes back within 4.5 of its
 * Cramér-Rao bound, or within what rounding of the engine's output allows where that is more.
 *
 * Where modes overlap, closer to each other than they are wide, as in a wooden board above its first few, a
 * sound does not tell them: there it is the sound that must come back, within 3 dB of log-spectral distance.
 */
#include "file/builtin.h"
#include "support/play.h"
#include "support/strikes.h"
#include <contatto/modes.h>
#include <contatto/object.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double rate_hz = 48000, noise_rms = 1e-4, seconds = 1.5;
static const double lo_hz = 40, hi_hz = 15000, t60_least_s = 0.03;
/* What is allowed where the bound is less: a mode that starts between two samples is not told from one that
 * starts at the first. */
static const double cents_least = 0.01, t60_share = 1e-3, gain_share = 1e-3;
static const double least_cents_missed = 2;

typedef struct tally {
  int bodies, overlapping, modes, missed;
  double farthest_db;
  double worst[3]; /* of the allowed error */
} tally;

static int by_hz(const void *a, const void *b) {
  const known_mode *x = a, *y = b;
  return (x->hz > y->hz) - (x->hz < y->hz);
}

/* Modes that can be told: within the band, and no two at the same frequency (a round plate has many such
 * pairs, which sound as one). */
static uint32_t keep_distinct(known_mode *m, uint32_t count) {
  uint32_t kept = 0;
  qsort(m, count, sizeof *m, by_hz);
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || m[i].hz - m[kept - 1].hz > 0.3 * log(1000) / m[i].t60_s / (2 * M_PI))
      m[kept++] = m[i];
  return kept;
}

/* Its modes, struck where all of them are heard: light ones more. */
static uint32_t modes_of(const ct_mode_def *modes, uint32_t count, known_mode *known) {
  double lightest = INFINITY;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    lightest = modes[i].hz > lo_hz ? fmin(lightest, modes[i].mass_kg) : lightest;
  for (uint32_t i = 0; i < count && kept < CT_KNOWN_MOST; i++)
    if (modes[i].hz > lo_hz && modes[i].hz < hi_hz && modes[i].t60_s > t60_least_s)
      known[kept++] = (known_mode){
          .hz = modes[i].hz, .t60_s = modes[i].t60_s, .gain = 0.2 * fmax(lightest / modes[i].mass_kg, 0.05)};
  return keep_distinct(known, kept);
}

static uint32_t listed_modes(const ct_doc *doc, const char *body, known_mode *known) {
  ct_mode_def modes[CT_KNOWN_MOST];
  uint32_t count = 0;
  for (uint32_t i = 0; i < CT_KNOWN_MOST; i++)
    modes[i] = (ct_mode_def){.hz = 440, .t60_s = 1, .mass_kg = 0.05};
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    size_t length = strlen(body);
    if (strncmp(leaf.path, "bodies.", 7) != 0 || strncmp(leaf.path + 7, body, length) != 0 ||
        strncmp(leaf.path + 7 + length, ".modes.", 7) != 0)
      continue;
    char *field;
    unsigned long mode = strtoul(leaf.path + 7 + length + 7, &field, 10);
    if (field == leaf.path + 7 + length + 7 || *field++ != '.' || mode >= CT_KNOWN_MOST)
      continue;
    count = mode + 1 > count ? (uint32_t)mode + 1 : count;
    if (strcmp(field, "hz") == 0)
      modes[mode].hz = leaf.number;
    if (strcmp(field, "t60_s") == 0)
      modes[mode].t60_s = leaf.number;
    if (strcmp(field, "mass_kg") == 0)
      modes[mode].mass_kg = leaf.number;
  }
  return modes_of(modes, count, known);
}

static uint32_t body_modes(const ct_doc *doc, uint32_t body, known_mode *known) {
  ct_object *object = NULL;
  ct_error error = {.text = ""};
  const char *name = ct_doc_body_name(doc, body);
  if (ct_doc_body_object(doc, name, rate_hz, &object, &error) != CT_OK)
    fail_msg("%s", error.text);
  if (!object)
    return listed_modes(doc, name, known);
  ct_modal_def def = ct_object_modal_def(object);
  uint32_t count = modes_of(def.modes, def.mode_count, known);
  ct_object_destroy(object);
  return count;
}

/* ---- the engine ---- */

/* A body of these modes, each set off at its gain in m/s, heard as the sum of their velocities. */
static ct_doc *scene_of(const known_mode *m, uint32_t count) {
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  assert_int_equal(ct_doc_set_number(doc, "contatto", 1, &error), CT_OK);
  for (uint32_t i = 0; i < count; i++) {
    char path[80];
    const struct {
      const char *name;
      double value;
    } fields[] = {{"hz", m[i].hz}, {"t60_s", m[i].t60_s}, {"v_m_s", m[i].gain}};
    for (int k = 0; k < 3; k++) {
      snprintf(path, sizeof path, "bodies.body.modes.%u.%s", i, fields[k].name);
      play_set(doc, path, fields[k].value);
    }
    snprintf(path, sizeof path, "bodies.body.points.hit.gains.%u", i);
    play_set(doc, path, 1);
  }
  play_set_text(doc, "pickups.out.at", "body.hit");
  play_set(doc, "pickups.out.full_scale", 1);
  return doc;
}

/* What the engine plays: v (cos wt - (s/w) sin wt) e^-st, w the frequency with damping, w^2 = w0^2 - s^2; a
 * body's is w0, without. */
static void as_heard(known_mode *m, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    double s = log(1000) / m[i].t60_s, w = 2 * M_PI * m[i].hz;
    m[i].phase_rad = atan(s / w);
    m[i].gain *= hypot(1, s / w);
    m[i].hz = sqrt(w * w - s * s) / (2 * M_PI);
  }
}

/* The point's velocity itself: a pickup's filter against DC would answer the strike with a fall of its own.
 */
static double *render(const known_mode *m, uint32_t count, uint64_t seed, size_t *length) {
  const char *const tap = "body.hit.v_m_s";
  ct_render_def def = {.rate_hz = rate_hz, .seconds = seconds, .taps = &tap, .tap_count = 1};
  ct_doc *doc = scene_of(m, count);
  ct_error error = {.text = ""};
  ct_render *r = NULL;
  ct_render_block block = {0};
  if (ct_render_open(doc, &def, &r, &error) != CT_OK)
    fail_msg("%s", error.text);
  double *x = malloc(ct_render_frames(r) * sizeof *x);
  *length = 0;
  while (ct_render_next(r, &block, &error) == CT_OK && block.frames) {
    memcpy(x + *length, block.taps[0], block.frames * sizeof *x);
    *length += block.frames;
  }
  ct_render_close(r);
  ct_doc_destroy(doc);
  strike_add_noise(noise_rms, &seed, x, *length);
  return x;
}

/* ---- comparing ---- */

static void compare(const known_mode *m, const ct_found_modes *f, uint32_t k, tally *t, const char *name) {
  const double error[3] = {
      fabs(f->modes[k].hz - m->hz) / fmax(4.5 * m->hz_bound, m->hz * (exp2(cents_least / 1200) - 1)),
      fabs(f->modes[k].t60_s - m->t60_s) / fmax(4.5 * m->t60_bound_s, t60_share * m->t60_s),
      fabs(f->gains[k].gain - m->gain) / fmax(4.5 * m->gain_bound, gain_share * m->gain)};
  for (int q = 0; q < 3; q++) {
    t->worst[q] = fmax(t->worst[q], error[q]);
    if (error[q] > 1)
      print_message(
          "%s: %.3f Hz, t60 %.3f s, %.1f dB over the noise: found %.3f Hz, %.3f s, gain %.5f not %.5f\n",
          name, m->hz, m->t60_s, m->over_db, f->modes[k].hz, f->modes[k].t60_s, f->gains[k].gain, m->gain);
  }
}

static void match(const known_mode *m, uint32_t count, const ct_found_modes *f, tally *t, const char *name) {
  bool used[CT_FOUND_MOST] = {false};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t best = 0;
    if (m[i].over_db < 20)
      continue;
    for (uint32_t k = 1; k < f->mode_count; k++)
      best = fabs(f->modes[k].hz - m[i].hz) < fabs(f->modes[best].hz - m[i].hz) ? k : best;
    t->modes++;
    if (used[best] || fabs(f->modes[best].hz - m[i].hz) >
                          fmax(20 * m[i].hz_bound, m[i].hz * (exp2(least_cents_missed / 1200) - 1))) {
      t->missed++;
      print_message("%s: missed %.3f Hz, t60 %.3f s, %.1f dB over the noise\n", name, m[i].hz, m[i].t60_s,
                    m[i].over_db);
      continue;
    }
    used[best] = true;
    compare(&m[i], f, best, t, name);
  }
}

/* Some mode is nearer to another than both are wide. */
static bool overlaps(const known_mode *m, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (m[i].hz - m[i - 1].hz < (log(1000) / m[i].t60_s + log(1000) / m[i - 1].t60_s) / (2 * M_PI))
      return true;
  return false;
}

static void compare_sound(const double *x, size_t length, const ct_found_modes *f, tally *t,
                          const char *name) {
  size_t start = f->strikes[0].start;
  double *again = calloc(length + 1, sizeof *again);
  ct_modes_play(f, 0, rate_hz, again, length - start);
  double distance_db = ct_modes_distance_db(x + start, again, length - start, rate_hz);
  print_message("%s: modes overlap; %u found, log-spectral distance %.2f dB\n", name, f->mode_count,
                distance_db);
  t->farthest_db = fmax(t->farthest_db, distance_db);
  free(again);
}

/* One round; `m` becomes what was found. */
static uint32_t go_round(known_mode *m, uint32_t count, uint64_t seed, tally *t, const char *name) {
  size_t length;
  ct_error error = {.text = ""};
  ct_found_modes *f = NULL;
  double *x = render(m, count, seed, &length);
  ct_modes_def def = ct_default_modes_def();
  def.most = overlaps(m, count) ? 40 : 150;
  const ct_recording recording = {x, length, rate_hz, 0};
  as_heard(m, count);
  strike_bounds(m, count, rate_hz, length, noise_rms);
  if (ct_modes_find(&recording, 1, &def, &f, &error) != CT_OK)
    fail_msg("%s: %s", name, error.text);
  bool told = !overlaps(m, count);
  if (told)
    match(m, count, f, t, name);
  else
    compare_sound(x, length, f, t, name);
  uint32_t found = 0;
  for (uint32_t k = 0; k < f->mode_count && k < CT_KNOWN_MOST; k++)
    m[found++] = (known_mode){.hz = hypot(f->modes[k].hz, log(1000) / f->modes[k].t60_s / (2 * M_PI)),
                              .t60_s = f->modes[k].t60_s,
                              .gain = f->gains[k].gain};
  ct_modes_free(f);
  free(x);
  return found;
}

static void built_in_bodies(void **state) {
  (void)state;
  tally t = {0};
  for (size_t s = 0; s < ct_builtin_scene_count; s++) {
    ct_doc *doc = play_open(ct_builtin_scenes[s].name, NULL);
    for (uint32_t b = 0; b < ct_doc_body_count(doc); b++) {
      known_mode m[CT_KNOWN_MOST];
      char name[120];
      uint32_t count = body_modes(doc, b, m);
      if (count == 0)
        continue;
      snprintf(name, sizeof name, "%s, %s", ct_builtin_scenes[s].name, ct_doc_body_name(doc, b));
      bool over = overlaps(m, count);
      count = go_round(m, count, 1 + s, &t, name);
      if (!over)
        go_round(m, count, 100 + s, &t, name);
      t.bodies++;
      t.overlapping += over;
    }
    ct_doc_destroy(doc);
  }
  print_message("%d bodies, %d of them with modes that overlap, farthest %.2f dB\n", t.bodies, t.overlapping,
                t.farthest_db);
  assert_true(t.farthest_db < 3);
  assert_true(t.bodies > 2 * t.overlapping);
  print_message(
      "%d bodies, %d modes, %d missed; worst error, of what is allowed: frequency %.2f, decay %.2f, gain "
      "%.2f\n",
      t.bodies, t.modes, t.missed, t.worst[0], t.worst[1], t.worst[2]);
  assert_int_equal(t.missed, 0);
  for (int q = 0; q < 3; q++)
    assert_true(t.worst[q] <= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(built_in_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
