/* ctest: slow
 * How far friction pulls the glass from its mode, against the continuous equations. A mode that is rubbed
 * obeys m (x'' + g x' + w^2 x) = f, and the part of f in phase with x is a spring beside its own: bristles
 * that stick sharpen the tone by a share that grows with the normal force, whatever the sample rate. So the
 * engine's pitch is compared with a fine RK4 of the same equations, written here and sharing no code with it.
 */
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000, SUBSTEPS = 8, SECONDS = 3, MODES = 2 };

/* The preset 'paper' of scenes/glass.json. */
static const double mode_hz[MODES] = {529.3, 1368}, t60_s[MODES] = {1.5, 1}, mode_kg = 0.02;
static const double finger_kg = 0.3, finger_t60_s = 0.05;
static const double s0 = 1e5, s1 = 0.3, mu_d = 0.3, mu_s = 0.6, v_s = 0.1, share = 0.7;

typedef struct rub {
  bool told; /* the finger moves at `push` m/s, instead of being pushed by `push` N */
  double push, normal_n;
} rub;

/* ---- the oracle ---- */

enum {
  V = 0,
  Z = 1,
  X0 = 2,
  STATES = 2 + 2 * MODES
}; /* finger's speed, bristle, then x and v of each mode */

static double bristle_rate(double v, double z, double normal_n) {
  double fc = mu_d * normal_n, fs = mu_s * normal_n, z_ba = share * fc / s0, a = 1;
  double z_ss = (fc + (fs - fc) * exp(-(v / v_s) * (v / v_s))) / s0;
  if (v * z <= 0 || fabs(z) <= z_ba)
    a = 0;
  else if (fabs(z) < z_ss)
    a = 0.5 + 0.5 * sin(M_PI * (fabs(z) - 0.5 * (z_ss + z_ba)) / (z_ss - z_ba));
  return v - a * fabs(v) / z_ss * z;
}

static void rates(const rub *r, double t, const double *y, double *dy) {
  double arrived = fmin(t / 0.2, 1), finger = r->told ? r->push * arrived : y[V], v = finger;
  for (int i = 0; i < MODES; i++)
    v -= y[X0 + 2 * i + 1];
  dy[Z] = bristle_rate(v, y[Z], r->normal_n);
  double f = s0 * y[Z] + s1 * dy[Z];
  dy[V] = r->told ? 0 : (r->push * arrived - f) / finger_kg - 2 * log(1000) / finger_t60_s * y[V];
  for (int i = 0; i < MODES; i++) {
    double w = 2 * M_PI * mode_hz[i], g = 2 * log(1000) / t60_s[i], x = y[X0 + 2 * i], u = y[X0 + 2 * i + 1];
    dy[X0 + 2 * i] = u;
    dy[X0 + 2 * i + 1] = f / mode_kg - g * u - w * w * x;
  }
}

static void rk4(const rub *r, double t, double h, double *y) {
  double k[4][STATES], at[STATES];
  static const double reach[4] = {0, 0.5, 0.5, 1};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < STATES; i++)
      at[i] = y[i] + (s ? reach[s] * h * k[s - 1][i] : 0);
    rates(r, t + reach[s] * h, at, k[s]);
  }
  for (int i = 0; i < STATES; i++)
    y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static play_sound oracle(const rub *r) {
  play_sound s = {.frames = (size_t)SECONDS * RATE, .channels = 1, .rate_hz = RATE};
  double y[STATES] = {0};
  s.samples = calloc(s.frames, sizeof *s.samples);
  assert_non_null(s.samples);
  for (size_t n = 0; n < s.frames; n++) {
    s.samples[n] = y[X0 + 1] + y[X0 + 3];
    for (int i = 0; i < SUBSTEPS; i++)
      rk4(r, ((double)n + (double)i / SUBSTEPS) / RATE, 1.0 / RATE / SUBSTEPS, y);
  }
  return s;
}

/* ---- the engine ---- */

static play_sound engine(const rub *r) {
  ct_doc *doc = play_open("glass", "paper");
  if (r->told)
    play_set_text(doc, "contacts.rub_crystal.a", "arm.at");
  const double time_s[] = {0, 0.2, SECONDS}, push[] = {0, r->push, r->push};
  const double pressure[] = {r->normal_n, r->normal_n, r->normal_n};
  const char *names[] = {r->told ? "arm.tangential_v_m_s" : "push", "pressure"};
  const double *columns[] = {push, pressure};
  ct_gesture g = {.rows = 3, .columns = 2, .time_s = time_s, .paths = names, .values = columns};
  return play_mono(doc, (ct_render_def){.gesture = &g, .seconds = SECONDS});
}

/* A tenth of a cent where the tone is steady. Where two modes quarrel it wanders, and is known no better than
 * the oracle's own pitch of one second is that of the next. */
static void compare(bool told, double speed_m_s, double normal_n) {
  double drag_n_s_m = finger_kg * 2 * log(1000) / finger_t60_s;
  rub r = {told, told ? speed_m_s : speed_m_s * drag_n_s_m + 0.45 * normal_n, normal_n};
  play_sound ours = engine(&r), fine = oracle(&r);
  double hz = play_strongest(ours, 2, 3).hz, fine_hz = play_strongest(fine, 2, 3).hz;
  double mode = hz < 900 ? mode_hz[0] : mode_hz[1], apart = ct_measure_cents(hz, fine_hz);
  double wanders = fabs(ct_measure_cents(fine_hz, play_strongest(fine, 1, 2).hz));
  printf("%s, %.2f m/s, %.1f N: %.3f Hz, %+.2f cents from its mode; fine %.3f Hz, %+.3f cents apart, "
         "wanders %.3f\n",
         told ? "told" : "pushed", speed_m_s, normal_n, hz, ct_measure_cents(hz, mode), fine_hz, apart,
         wanders);
  assert_true(fabs(apart) < 0.1 + wanders);
  free(ours.samples);
  free(fine.samples);
}

static void check(bool told) {
  static const double speeds[] = {0.05, 0.08, 0.1}, forces[] = {0.2, 0.5, 1, 5};
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
    for (size_t k = 0; k < sizeof forces / sizeof *forces; k++)
      compare(told, speeds[i], forces[k]);
}

static void pushed_pitch(void **state) {
  (void)state;
  check(false);
}

static void told_pitch(void **state) {
  (void)state;
  check(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pushed_pitch), cmocka_unit_test(told_pitch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
