/* The waves of a string, one sample at a time. Losses are computed from what passes, never as a difference of
 * what is stored, so the ledger's balance is a check. Energies are in units of Z h throughout. */
#include "base/sum.h"
#include "body/waveguide.h"

#include <math.h>

/* The one thing every value passes once per round: what is 600 dB under a metre per second is silence, long
 * before it is denormal. */
static double hushed(double u) { return fabs(u) < 1e-30 ? 0 : u; }

/* ---- filters ---- */

/* y = x - p (x - s), s = y: x^2 - y^2 = p/(1-p) (y^2 - s^2) + p (x - s)^2. */
static double pass_pole(double pole, double *state, double x, double *lost) {
  double apart = x - *state;
  *lost += pole * apart * apart;
  return *state = x - pole * apart;
}

/* A wall on a spring beside a damper, taken at the middle of the step: v = 2 a (x - s), s the spring's force
 * over 2 Z. x^2 - y^2 = v (2 x - v) = 2 a/q (s'^2 - s^2) + 4 a (1 - a - q/2) (x - s)^2. */
static double reflect_bridge(const ct_loop *loop, double *spring, double x, double *lost) {
  double apart = x - *spring, v = 2 * loop->give * apart;
  *lost += 4 * loop->give * (1 - loop->give - loop->ease / 2) * apart * apart;
  *spring += loop->ease * apart;
  return v - x;
}

/* Normalised lattice y = k x + c s, s' = c x - k s with c s as its state: y = k x + s, s' = x - k y. The same
 * k twice makes x^2 + s^2/(1 - k^2) survive the rounding of coefficients, which c = sqrt(1 - k^2) would not;
 * and written with e = 1 - k nothing cancels where k is near one. */
static double pass_fade(double e, double *state, double x) {
  double between = e * x - *state, y = x - between;
  *state = between + e * y;
  return y;
}

/* Two of them, the inner one with k = e - 1 in place of the outer one's delay. */
static double pass_sections(const ct_loop *loop, ct_wave *wave, double x) {
  for (uint32_t i = 0; i < loop->sections; i++) {
    double between = loop->e2[i] * x - wave->section2[i], y = x - between, inner = between + loop->e2[i] * y;
    double within = loop->e1[i] * inner + wave->section1[i], back = within - inner;
    wave->section1[i] = within - loop->e1[i] * back;
    wave->section2[i] = back;
    x = y;
  }
  return x;
}

/* ---- one sample ---- */

enum { RIGHT, LEFT };

/* Rings turn under the waves: cell j of R becomes j - 1, of L j + 1. */
static double step_wave(ct_string *s, ct_wave *wave) {
  uint32_t right = ct_cells_right(s->cells), left = ct_cells_left(s->cells);
  double lost = 0, to_bridge = *ct_right(s, wave, 0), to_nut = *ct_left(s, wave, left - 1);
  double back = reflect_bridge(s->loop, &wave->spring,
                               pass_pole(s->loop->pole, &wave->pole[0], to_bridge, &lost), &lost);
  to_nut = pass_fade(s->fade[LEFT].e, &wave->fade[LEFT], to_nut);
  to_nut = pass_sections(s->loop, wave, pass_pole(s->loop->pole, &wave->pole[1], to_nut, &lost));
  double forth = pass_fade(s->fade[RIGHT].e, &wave->fade[RIGHT], -to_nut);
  *ct_right(s, wave, right) = hushed(forth); /* cell right - 1 once the rings have turned */
  *ct_left(s, wave, (uint32_t)-1) = hushed(back);
  return lost;
}

double ct_waves_step(ct_string *s) {
  double lost = 0;
  for (uint32_t p = 0; p < s->planes; p++)
    lost += step_wave(s, &s->plane[p]);
  s->turn++;
  return lost;
}

/* ---- stored ---- */

/* 1 - k^2 */
static double room(double e) { return e * (2 - e); }

/* What a one-pole, and a bridge, store per square of their state. */
static double pole_stores(const ct_loop *loop) { return loop->pole / (1 - loop->pole); }

static double spring_stores(const ct_loop *loop) { return 2 * loop->give / loop->ease; }

/* A string may have 1e5 cells, and a plain sum over so many is off by more than the account allows: so sums
 * over a few are plain, and the sum of these is compensated. */
enum { PLAIN_CELLS = 64 };

static double stored_in_cells(const ct_string *s, const ct_wave *wave) {
  uint32_t right = ct_cells_right(s->cells), left = ct_cells_left(s->cells);
  ct_sum all = {0, 0};
  for (uint32_t from = 0; from < right || from < left; from += PLAIN_CELLS) {
    double sum = 0;
    for (uint32_t i = from; i < right && i < from + PLAIN_CELLS; i++)
      sum += *ct_right(s, wave, i) * *ct_right(s, wave, i);
    for (uint32_t i = from; i < left && i < from + PLAIN_CELLS; i++)
      sum += *ct_left(s, wave, i) * *ct_left(s, wave, i);
    ct_sum_add(&all, sum);
  }
  return ct_sum_value(&all);
}

static double stored_in_fade(const ct_fade *fade, double state) {
  return fade->share > 0 ? state * state / room(fade->e) : 0;
}

static double stored_in_filters(const ct_loop *loop, const ct_wave *wave) {
  double sum = pole_stores(loop) * (wave->pole[0] * wave->pole[0] + wave->pole[1] * wave->pole[1]);
  sum += spring_stores(loop) * wave->spring * wave->spring;
  for (uint32_t i = 0; i < loop->sections; i++)
    sum +=
        (wave->section2[i] * wave->section2[i] + wave->section1[i] * wave->section1[i] / room(loop->e1[i])) /
        room(loop->e2[i]);
  return sum;
}

double ct_waves_stored_at_ends(const ct_string *s) {
  double sum = 0;
  for (uint32_t p = 0; p < s->planes; p++) {
    const ct_wave *wave = &s->plane[p];
    sum += stored_in_filters(s->loop, wave);
    for (int side = 0; side < 2; side++)
      sum += stored_in_fade(&s->fade[side], wave->fade[side]);
  }
  return sum;
}

double ct_waves_stored(const ct_string *s) {
  double sum = ct_waves_stored_at_ends(s);
  for (uint32_t p = 0; p < s->planes; p++)
    sum += stored_in_cells(s, &s->plane[p]);
  return sum;
}

bool ct_waves_flush(ct_string *s) {
  double sum = 0;
  for (uint32_t p = 0; p < s->planes; p++) {
    ct_wave *wave = &s->plane[p];
    for (uint32_t i = 0; i < s->loop->sections; i++) {
      wave->section1[i] = hushed(wave->section1[i]);
      wave->section2[i] = hushed(wave->section2[i]);
    }
    for (int i = 0; i < 2; i++) {
      wave->pole[i] = hushed(wave->pole[i]);
      wave->fade[i] = hushed(wave->fade[i]);
    }
    wave->spring = hushed(wave->spring);
    sum += fabs(wave->pole[0]) + fabs(wave->pole[1]) + fabs(wave->spring);
  }
  return isfinite(sum);
}

static bool are_still(const double *values, uint32_t count, double most) {
  for (uint32_t i = 0; i < count; i++)
    if (!(fabs(values[i]) <= most))
      return false;
  return true;
}

/* Nothing on its way anywhere. The first cell that moves says no. */
bool ct_waves_are_still(const ct_string *s, double most_m_s) {
  double most = most_m_s / s->wave_m_s;
  for (uint32_t p = 0; p < s->planes; p++) {
    const ct_wave *w = &s->plane[p];
    if (!are_still(w->right, s->mask + 1, most) || !are_still(w->left, s->mask + 1, most) ||
        !are_still(w->section1, s->loop->sections, most) ||
        !are_still(w->section2, s->loop->sections, most) || !are_still(w->pole, 2, most) ||
        !are_still(w->fade, 2, most) || !are_still(&w->spring, 1, most))
      return false;
  }
  return true;
}

/* ---- coefficients that move ---- */

/* An all-pass with another k: its state keeps its energy s^2 / (1 - k^2). */
static double rescaled(double before, double now) { return sqrt(room(now) / room(before)); }

static void take_sections(ct_string *s, const ct_loop *loop) {
  for (uint32_t i = 0; i < s->loop->sections; i++) {
    double outer = rescaled(s->loop->e2[i], loop->e2[i]), inner = rescaled(s->loop->e1[i], loop->e1[i]);
    for (uint32_t p = 0; p < s->planes; p++) {
      s->plane[p].section2[i] *= outer;
      s->plane[p].section1[i] *= outer * inner;
    }
  }
}

/* A state that stored before s^2 and now stores now s^2 keeps its energy; where nothing can be stored any
 * more it is lost. */
static double carry(double before, double now, double *state) {
  if (before == now)
    return 0;
  if (now > 0) {
    *state *= sqrt(before / now);
    return 0;
  }
  double lost = before * *state * *state;
  *state = 0;
  return lost;
}

double ct_waves_take_loop(ct_string *s, const ct_loop *loop) {
  double lost = 0, pole[2] = {pole_stores(s->loop), pole_stores(loop)},
         spring[2] = {spring_stores(s->loop), spring_stores(loop)};
  take_sections(s, loop);
  for (uint32_t p = 0; p < s->planes; p++) {
    lost += carry(pole[0], pole[1], &s->plane[p].pole[0]);
    lost += carry(pole[0], pole[1], &s->plane[p].pole[1]);
    lost += carry(spring[0], spring[1], &s->plane[p].spring);
  }
  *s->loop = *loop;
  return lost;
}

/* Which rail's end a cell is at. */
static int side_of(uint32_t cell) { return cell % 2 == 0 ? RIGHT : LEFT; }

/* What a fading cell still holds when it goes. */
static double drop_fade(ct_string *s, int side) {
  double lost = 0;
  for (uint32_t p = 0; p < s->planes; p++) {
    lost += stored_in_fade(&s->fade[side], s->plane[p].fade[side]);
    s->plane[p].fade[side] = 0;
  }
  s->fade[side] = (ct_fade){0, 0};
  return lost;
}

/* Another share of the same cell: its state keeps its energy, 1 - k^2 being 4 d/(1 + d)^2. What is lost when
 * nothing is left of it. */
static double set_fade(ct_string *s, int side, double share) {
  ct_fade *fade = &s->fade[side];
  if (share <= 0)
    return drop_fade(s, side);
  if (fade->share > 0) {
    double scale = sqrt(share / fade->share) * (1 + fade->share) / (1 + share);
    for (uint32_t p = 0; p < s->planes; p++)
      s->plane[p].fade[side] *= scale;
  }
  *fade = (ct_fade){share, 2 * share / (1 + share)};
  return 0;
}

static double set_fades(ct_string *s) {
  int side = side_of((uint32_t)s->cells);
  double lost = set_fade(s, side, ct_cells_share(s->cells, 0));
  return lost + set_fade(s, 1 - side, ct_cells_share(s->cells, 1));
}

static double *end_cell(ct_string *s, ct_wave *wave, int side, uint32_t cell) {
  return side == RIGHT ? ct_right(s, wave, cell / 2) : ct_left(s, wave, cell / 2);
}

/* The fading cell becomes a whole one of its rail; a new one begins to appear behind it. */
static void grow(ct_string *s, uint32_t cell) {
  int side = side_of(cell);
  set_fade(s, side, 1);
  for (uint32_t p = 0; p < s->planes; p++) {
    *end_cell(s, &s->plane[p], side, cell) = s->plane[p].fade[side];
    s->plane[p].fade[side] = 0;
  }
  s->fade[side] = (ct_fade){0, 0};
}

/* The cell that has all but vanished goes, with what little is left in it; the one before begins to fade. */
static double shrink(ct_string *s, uint32_t cell) {
  int side = side_of(cell);
  double lost = drop_fade(s, side);
  for (uint32_t p = 0; p < s->planes; p++)
    s->plane[p].fade[side] = *end_cell(s, &s->plane[p], side, cell - 2);
  s->fade[side] = (ct_fade){1, 1};
  return lost;
}

double ct_waves_tune(ct_string *s) {
  double left = s->goal - s->cells, lost = 0;
  double cells = fabs(left) <= fabs(s->pace) ? s->goal : s->cells + copysign(s->pace, left);
  uint32_t before = (uint32_t)s->cells, now = (uint32_t)cells;
  if (now > before)
    grow(s, before);
  else if (now < before)
    lost = shrink(s, before + 1);
  s->cells = cells;
  return lost + set_fades(s);
}

void ct_waves_set_cells(ct_string *s, double cells) {
  s->cells = s->goal = cells;
  s->fade[RIGHT] = s->fade[LEFT] = (ct_fade){0, 0};
  set_fades(s);
}

/* ---- bending ---- */

static void bend_filters(const ct_string *s, ct_wave *wave, double bridge, double nut) {
  const ct_loop *loop = s->loop;
  wave->pole[0] += bridge;
  wave->spring += bridge;
  wave->pole[1] -= nut;
  wave->fade[LEFT] -= s->fade[LEFT].e * nut;
  wave->fade[RIGHT] += s->fade[RIGHT].e * nut;
  for (uint32_t i = 0; i < loop->sections; i++) {
    wave->section2[i] -= loop->e2[i] * nut;
    wave->section1[i] -= (2 - loop->e1[i]) * loop->e2[i] * nut;
  }
}

/* At rest R = -L = slope / 2h; every filter passes 0 Hz with gain one, so it stands still until it is let go.
 * The cell with the corner in it rises as much as the string does between its edges: its slope is the mean of
 * both sides, each by its share. */
void ct_waves_bend(ct_string *s, uint32_t plane, double corner, double bridge, double nut) {
  ct_wave *wave = &s->plane[plane];
  for (uint32_t i = 0; i < ct_cells_right(s->cells); i++) {
    double share = fmin(fmax(corner - i, 0), 1), slope = share * bridge + (1 - share) * nut;
    *ct_right(s, wave, i) += slope / 2;
    if (i < ct_cells_left(s->cells))
      *ct_left(s, wave, i) -= slope / 2;
  }
  bend_filters(s, wave, bridge / 2, nut / 2);
}
