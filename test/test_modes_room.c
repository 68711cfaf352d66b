/* ctest: slow timeout=1200
 * Strikes heard in a room: every sample of the strike is followed by a tail of noise that falls by 60 dB in
 * 0.4 s and has, all together, a quarter of the energy of the direct sound (6 dB less). Modes that ring at
 * least twice as long as the room come back within 2 cents, 15 % of their decay and 2 dB of the gain of the
 * direct sound, and are not marked; all others are marked as perhaps the room's.
 *
 * Some gains cannot be known to 2 dB: what the room adds hides the direct sound. These are marked as a guess,
 * and the standard errors that decide it are honest: errors are 1 of them, rms, and not 4.5 at worst. Nor is
 * a mark an excuse: a gain is a guess only where nobody could do much better, and never where the Cramér-Rao
 * bound at the true modes is less than half of the standard error that makes a guess.
 *
 * Progress never falls, ends at 1, and is told while gains are looked for as well. */
#include "modes/linear.h"
#include "modes/tail.h"
#include "support/long_run.h"
#include "support/strikes.h"
#include <contatto/modes.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double rate_hz = 48000, noise_rms = 1e-4, room_t60_s = 0.4, direct_db = 6;
enum { START = 4800, LENGTH = 4800 + 84000 }; /* 1.75 s of strike */

typedef struct tally {
  int wanted, missed, marked, unmarked, short_ones, far, guesses, far_unsaid, unknowable;
  double worst_cents, worst_decay, worst_db, squares_db, worst_errors,
      squares_errors;       /* errors: standard ones */
  double least_guess_bound; /* dB: of a gain that is marked as a guess */
} tally;

static const double guess_db = 2.0 / 3; /* three standard errors are 2 dB */

/* Long ones t60 0.8 to 4 s, others 0.06 to 0.6 s, 200 Hz to 10 kHz, not nearer than 60 Hz; within 12 dB. */
static void draw_modes(known_mode *m, uint32_t count, uint32_t longs, uint64_t *random) {
  for (uint32_t made = 0; made < count;) {
    known_mode k = {.hz = 200 * pow(50, strike_random(random)),
                    .phase_rad = 2 * M_PI * strike_random(random)};
    double u = strike_random(random);
    k.t60_s = made < longs ? 2 * room_t60_s * pow(5, u) : 0.06 * pow(10, u);
    k.gain = 0.1 * pow(10, -0.6 * strike_random(random));
    bool is_free = true;
    for (uint32_t i = 0; i < made; i++)
      is_free = is_free && fabs(m[i].hz - k.hz) > 60;
    if (is_free)
      m[made++] = k;
  }
}

/* The strike as the room's floor of noise answers it: each mode is a resonator that the direct sound and then
 * the tail drive. */
static void add_in_room(const known_mode *m, uint32_t count, uint64_t *random, double *x) {
  double *tail = calloc(LENGTH, sizeof *tail), energy = 0, share = pow(10, -direct_db / 10);
  for (int n = 1; n < LENGTH - START; n++) {
    tail[n] = strike_normal(random) * exp(-log(1000) / room_t60_s * n / rate_hz);
    energy += tail[n] * tail[n];
  }
  for (int n = 1; n < LENGTH - START; n++)
    tail[n] *= sqrt(share / energy);
  tail[0] = 1;
  for (uint32_t i = 0; i < count; i++) {
    double size = exp(-log(1000) / m[i].t60_s / rate_hz), angle = 2 * M_PI * m[i].hz / rate_hz;
    double re = 0, im = 0, c = size * cos(angle), s = size * sin(angle);
    for (int n = 0; n < LENGTH - START; n++) {
      double next = c * re - s * im + tail[n] * m[i].gain * cos(m[i].phase_rad);
      im = s * re + c * im + tail[n] * m[i].gain * sin(m[i].phase_rad);
      re = next;
      x[START + n] += re;
    }
  }
  free(tail);
}

static void set_truth(ct_tail *t, const known_mode *m, uint32_t count, uint32_t longs) {
  t->noise = noise_rms * noise_rms;
  t->modes = count;
  t->fixed = longs;
  t->level = pow(10, -direct_db / 10);
  t->fall = log(1000) / room_t60_s;
  for (uint32_t i = 0; i < count; i++) {
    t->poles[i] = (ct_pole){2 * M_PI * m[i].hz, log(1000) / m[i].t60_s};
    t->c[i] = m[i].gain * (cos(m[i].phase_rad) + CT_I * sin(m[i].phase_rad));
  }
}

/* The standard error of mode i's size: sqrt(u' F^-1 u), u along its amplitude, F in units of what each
 * parameter is known to alone, of which `factor` is the Cholesky factor and `alone` the squares. */
static double size_error(const ct_tail *t, uint32_t i, const double *factor, const double *alone) {
  double u[4 * 12 + 2] = {0}, size = cabs(t->c[i]);
  uint32_t all = ct_tail_parameters(t);
  u[2 * i] = creal(t->c[i]) / size / sqrt(alone[2 * i]);
  u[2 * i + 1] = cimag(t->c[i]) / size / sqrt(alone[2 * i + 1]);
  ct_cholesky_forward(all, factor, u);
  return sqrt(ct_dot(u, u, all)) / size;
}

/* What nobody can know a gain better than, in dB: the Cramér-Rao bound at the true modes and room, with all
 * other amplitudes, the room's level and t60 and the poles of short modes unknown, from as long as the tail
 * is heard. Poles of the long ones and the instant are known for it: that makes it less rather than more. */
static void fill_bounds(const double *x, known_mode *m, uint32_t count, uint32_t longs) {
  ct_tail t;
  assert_true(ct_tail_init(&t, x + START, (size_t)(room_t60_s * rate_hz), rate_hz, count));
  set_truth(&t, m, count, longs);
  uint32_t all = ct_tail_parameters(&t);
  double *matrix = malloc((size_t)all * all * sizeof *matrix), alone[4 * 12 + 2];
  ct_tail_likelihood(&t);
  assert_true(ct_tail_information(&t, matrix));
  for (size_t i = 0; i < all; i++)
    alone[i] = matrix[i * all + i];
  for (size_t i = 0; i < all; i++)
    for (size_t k = 0; k < all; k++)
      matrix[i * all + k] /= sqrt(alone[i] * alone[k]);
  ct_cholesky(all, matrix);
  for (uint32_t i = 0; i < longs; i++)
    m[i].gain_bound = 20 / log(10) * size_error(&t, i, matrix, alone);
  free(matrix);
  ct_tail_free(&t);
}

static void compare(const known_mode *m, const ct_found_modes *f, uint32_t k, tally *t) {
  double cents = fabs(1200 * log2(f->modes[k].hz / m->hz)), decay = fabs(f->modes[k].t60_s / m->t60_s - 1);
  double db = 20 * log10(f->gains[k].gain / m->gain), error_db = 20 / log(10) * f->modes[k].gain_error;
  t->marked += f->modes[k].perhaps_room;
  t->worst_cents = fmax(t->worst_cents, cents);
  t->worst_decay = fmax(t->worst_decay, decay);
  t->worst_db = fmax(t->worst_db, fabs(db));
  t->squares_db += db * db;
  t->far += fabs(db) > 2;
  t->guesses += f->modes[k].gain_guess;
  t->far_unsaid += fabs(db) > 2 && !f->modes[k].gain_guess;
  t->unknowable += m->gain_bound > guess_db;
  if (f->modes[k].gain_guess)
    t->least_guess_bound = fmin(t->least_guess_bound, m->gain_bound);
  t->worst_errors = fmax(t->worst_errors, fabs(db / error_db));
  t->squares_errors += db * db / (error_db * error_db);
  if (cents > 2 || decay > 0.15 || fabs(db) > 2 || f->modes[k].perhaps_room)
    print_message("%.2f Hz, t60 %.3f s, gain %.4f: %.2f cents, t60 %.3f s, gain %+.2f dB, standard error "
                  "%.2f dB, bound "
                  "%.2f dB%s\n",
                  m->hz, m->t60_s, m->gain, cents, f->modes[k].t60_s, db, error_db, m->gain_bound,
                  f->modes[k].perhaps_room ? ", marked" : "");
}

static void match(const known_mode *m, uint32_t longs, const ct_found_modes *f, tally *t) {
  bool used[CT_FOUND_MOST] = {false};
  for (uint32_t i = 0; i < longs; i++) {
    uint32_t best = f->mode_count;
    for (uint32_t k = 0; k < f->mode_count; k++)
      if (!used[k] && fabs(1200 * log2(f->modes[k].hz / m[i].hz)) < 20 &&
          (best == f->mode_count || fabs(f->modes[k].hz - m[i].hz) < fabs(f->modes[best].hz - m[i].hz)))
        best = k;
    t->wanted++;
    if (best == f->mode_count) {
      t->missed++;
      print_message("missed: %.2f Hz, t60 %.3f s\n", m[i].hz, m[i].t60_s);
      continue;
    }
    used[best] = true;
    compare(&m[i], f, best, t);
  }
  for (uint32_t k = 0; k < f->mode_count; k++) {
    t->short_ones += !used[k];
    if (used[k] || f->modes[k].perhaps_room)
      continue;
    t->unmarked++;
    print_message("not marked: %.2f Hz, t60 %.3f s, gain %.4f, over %.1f dB; room %.3f s\n", f->modes[k].hz,
                  f->modes[k].t60_s, f->gains[k].gain, f->modes[k].over_db, f->room_t60_s);
  }
}

typedef struct progress {
  double last;
  int told;
} progress;

static void follow_progress(void *context, double fraction) {
  progress *p = context;
  assert_true(fraction >= p->last && fraction <= 1);
  p->told += fraction > 0.6 && fraction < 0.9; /* from the second search to the choice of modes */
  p->last = fraction;
}

static void try_room(uint64_t seed, tally *t) {
  known_mode m[12];
  uint64_t random = seed;
  uint32_t longs = 1 + (uint32_t)(6 * strike_random(&random)),
           count = longs + (uint32_t)(6 * strike_random(&random));
  double *x = calloc(LENGTH, sizeof *x);
  draw_modes(m, count, longs, &random);
  add_in_room(m, count, &random, x);
  strike_add_noise(noise_rms, &random, x, LENGTH);
  ct_modes_def def = ct_default_modes_def();
  progress p = {0};
  def.most = 24;
  def.progress = follow_progress;
  def.context = &p;
  ct_error error = {.text = ""};
  ct_found_modes *f = NULL;
  const ct_recording recording = {x, LENGTH, rate_hz, 0};
  if (ct_modes_find(&recording, 1, &def, &f, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_true(p.last == 1 && p.told >= 5);
  fill_bounds(x, m, count, longs);
  match(m, longs, f, t);
  ct_modes_free(f);
  free(x);
}

static void tell(const tally *t) {
  print_message(
      "%d modes that outlast the room, %d missed, %d marked; worst %.2f cents, %.1f %%, %.2f dB (rms "
      "%.2f dB, %d over 2 dB)\n",
      t->wanted, t->missed, t->marked, t->worst_cents, 100 * t->worst_decay, t->worst_db,
      sqrt(t->squares_db / t->wanted), t->far);
  print_message("%d gains are guesses, bounds of these %.2f dB and more, %d bounds of all over 0.67 dB; %d "
                "of the others over 2 dB; rms %.2f standard errors, worst %.2f; %d other "
                "modes, %d not marked\n",
                t->guesses, t->least_guess_bound, t->unknowable, t->far_unsaid,
                sqrt(t->squares_errors / t->wanted), t->worst_errors, t->short_ones, t->unmarked);
}

static void in_a_room(void **state) {
  (void)state;
  int recordings = long_run() ? 60 : 9;
  uint64_t seed = long_run_seed(1);
  tally t = {.least_guess_bound = INFINITY};
  for (int run = 0; run < recordings; run++)
    try_room(seed + (uint64_t)run, &t);
  tell(&t);
  assert_int_equal(t.missed, 0);
  assert_true(t.worst_cents < 2);
  assert_true(t.worst_decay < 0.15);
  assert_true(t.worst_db < 4);
  assert_int_equal(t.far_unsaid, 0);
  assert_true(t.far <= t.wanted / 30);
  assert_true(sqrt(t.squares_db / t.wanted) < 0.7);
  assert_true(t.guesses <= t.wanted / 6);
  assert_true(t.least_guess_bound > guess_db / 2);
  assert_true(sqrt(t.squares_errors / t.wanted) < 1.3);
  assert_true(t.worst_errors < 4.5);
  assert_true(t.marked <= (long_run() ? 1 : 0));
  assert_true(t.unmarked <= (long_run() ? 1 : 0)); /* noise looks like a mode in one recording of 200 */
}

/* Rooms that were hard: one that nearly cancels a mode, so that in the end it is a fifth of its direct sound;
 * one with a short mode near a long one, seen as two; one in which a needless short mode can take a long
 * one's sound; one in which weighted least squares do not converge; one that is at first taken to ring for
 * 0.7 s. In all of them there is but one gain that cannot be known for sure to 2 dB. */
static void in_hard_rooms(void **state) {
  static const uint64_t seeds[] = {161803026, 161803049, 1794991953006, 271828047, 1414213017};
  (void)state;
  tally t = {.least_guess_bound = INFINITY};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    try_room(seeds[i], &t);
  tell(&t);
  assert_int_equal(t.missed, 0);
  assert_int_equal(t.far, 0);
  assert_int_equal(t.marked, 0);
  assert_true(t.guesses <= 1 && t.least_guess_bound > guess_db / 2);
  assert_true(t.worst_errors < 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_room), cmocka_unit_test(in_hard_rooms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
