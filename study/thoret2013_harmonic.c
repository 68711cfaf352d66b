/* The paper's analysis of inharmonicity: in every frame the fundamental and the peaks near its multiples,
 * gamma_n = f_n/(n f0) - 1, and the regression of gamma_n on n over all frames. A harmonic sound has a slope
 * of 0 within its error; a struck bar, for comparison, has not. Frames in which the pitch moves by more than
 * 1 % are left out: there a partial is a stroke, not a line. */
#include "base/text.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <math.h>
#include <stdlib.h>

enum { PARTIALS = 12, POINTS = 20000, FRAMES = 4000 };

static const double frame_s = 0.064, hop_s = 0.02, near = 0.3, floor_db = -60, steady = 0.01, loud_db = -12;

typedef struct point {
  double n, gamma;
} point;

typedef struct points {
  point at[POINTS];
  uint32_t count;
} points;

/* The strongest peak near n f0; NAN when it is far below the loudest of the frame. */
static double partial_near(const double *frame, size_t count, double rate_hz, double n, double f0,
                           double loudest_db) {
  ct_measured_peak p = ct_measure_strongest_partial(frame, count, rate_hz, (n - near) * f0, (n + near) * f0);
  return p.level_db > loudest_db + floor_db ? p.hz : (double)NAN;
}

/* f0 is refined by its first partial, so that gamma_1 = 0, as in the paper. */
static uint32_t add_frame(const double *frame, size_t count, double rate_hz, double f0, points *all) {
  double loudest = ct_measure_strongest_partial(frame, count, rate_hz, 0.5 * f0, 20000).level_db;
  double first = partial_near(frame, count, rate_hz, 1, f0, loudest);
  uint32_t found = 0;
  for (int n = 2; n <= PARTIALS && n * f0 < 16000 && isfinite(first); n++) {
    double hz = partial_near(frame, count, rate_hz, n, first, loudest);
    if (!isfinite(hz) || all->count == POINTS)
      continue;
    all->at[all->count++] = (point){n, hz / (n * first) - 1};
    found++;
  }
  return found;
}

static void regress(const points *all, thoret_harmonic *h) {
  double n = all->count, sx = 0, sy = 0, sxx = 0, sxy = 0, square = 0, rest = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    sx += all->at[i].n;
    sy += all->at[i].gamma;
    sxx += all->at[i].n * all->at[i].n;
    sxy += all->at[i].n * all->at[i].gamma;
    square += all->at[i].gamma * all->at[i].gamma;
  }
  double spread = sxx - sx * sx / n;
  h->slope = (sxy - sx * sy / n) / spread;
  for (uint32_t i = 0; i < all->count; i++) {
    double off = all->at[i].gamma - sy / n - h->slope * (all->at[i].n - sx / n);
    rest += off * off;
  }
  h->slope_error = 2 * sqrt(rest / (n - 2) / spread);
  h->rms = sqrt(square / n);
}

static bool is_steady(const ct_measured_pitch_frame *f, size_t i, size_t count) {
  if (i == 0 || i + 1 >= count)
    return false;
  return fabs(f[i].hz / f[i - 1].hz - 1) < steady &&
         fabs(f[i + 1].hz / f[i].hz - 1) < steady; /* NAN: false */
}

static void add_frames(const double *samples, size_t count, double rate_hz,
                       const ct_measured_pitch_frame *frames, size_t made, points *all, thoret_harmonic *h) {
  size_t length = (size_t)(frame_s * rate_hz);
  double loudest = -INFINITY;
  for (size_t i = 0; i < made; i++)
    loudest = fmax(loudest, frames[i].level_db);
  h->f0_low_hz = INFINITY;
  h->f0_high_hz = 0;
  for (size_t i = 0; i < made; i++) {
    size_t from = (size_t)fmax(0, frames[i].time_s * rate_hz - (double)length / 2);
    if (!is_steady(frames, i, made) || from + length > count || !(frames[i].level_db > loudest + loud_db))
      continue;
    uint32_t found = add_frame(samples + from, length, rate_hz, frames[i].hz, all);
    h->frames += found > 0;
    h->partials += found;
    if (found > 0) {
      h->f0_low_hz = fmin(h->f0_low_hz, frames[i].hz);
      h->f0_high_hz = fmax(h->f0_high_hz, frames[i].hz);
    }
  }
}

ct_result thoret_analyse(const double *samples, size_t count, double rate_hz, double lo_hz, double hi_hz,
                         thoret_harmonic *h, ct_error *error) {
  points *all = calloc(1, sizeof *all);
  ct_measured_pitch_frame *frames = calloc(FRAMES, sizeof *frames);
  ct_result result = CT_OK;
  h->frames = h->partials = 0;
  if (all && frames) {
    size_t made =
        ct_measure_pitch_track(samples, count, rate_hz, frame_s, hop_s, lo_hz, hi_hz, frames, FRAMES);
    add_frames(samples, count, rate_hz, frames, made < FRAMES ? made : FRAMES, all, h);
    h->slope = h->slope_error = h->rms = NAN;
    if (all->count > 2)
      regress(all, h);
  } else
    result = ct_fail(error, CT_NO_MEMORY, "no memory for partials");
  free(all);
  free(frames);
  return result;
}

/* ---- the sounds ---- */

typedef struct subject {
  const char *name;
  thoret_play play;
  double lo_hz, hi_hz;
} subject;

static const subject subjects[THORET_HARMONICS] = {
    {"creaking door (source)",
     {.scene = "creak", .path = {"swing", "rust"}, .value = {0.08, 0.1}, .held = 2, .seconds = 4},
     60,
     1000},
    {"squeaking plate (source)",
     {.scene = "plate",
      .path = {"pressure", "pitch", "wander"},
      .value = {0.7, 1450, 0.1},
      .held = 3,
      .seconds = 4},
     400,
     4000},
    {"squeaking glass (source)",
     {.scene = "goblet",
      .path = {"speed", "pressure", "wander"},
      .value = {0.05, 0.5, 0.1},
      .held = 3,
      .seconds = 4},
     300,
     3000},
    {"singing glass (source)",
     {.scene = "goblet", .path = {"speed", "pressure"}, .value = {0.2, 0.5}, .held = 2, .seconds = 4},
     300,
     900},
    {"viola (source)",
     {.scene = "viola",
      .path = {"speed", "pressure", "position"},
      .value = {0.3, 0.15, 0.08},
      .held = 3,
      .seconds = 3},
     100,
     400},
    {"creaking door (friction)", {.scene = "door"}, 60, 2000},
    {"singing glass (friction)", {.scene = "glass", .preset = "paper", .seconds = 2.5}, 300, 900},
    {"struck bar (comparison)", {.scene = "hammer"}, 100, 400},
};

static ct_result find_one(const subject *s, thoret_harmonic *h, ct_error *error) {
  thoret_sound sound;
  ct_result result = thoret_record(&s->play, &sound, error);
  if (result != CT_OK)
    return result;
  h->name = s->name;
  result = thoret_analyse(sound.samples, sound.count, THORET_RATE, s->lo_hz, s->hi_hz, h, error);
  thoret_sound_free(&sound);
  return result;
}

static ct_result write_all(const ct_study_run *run, const thoret_harmonic *found, ct_error *error) {
  figure_table *table;
  ct_result result =
      figure_table_begin(run, "inharmonicity",
                         "sound,frames,partials,f0_low_hz,f0_high_hz,slope,slope_error,rms", &table, error);
  for (int i = 0; i < THORET_HARMONICS && result == CT_OK; i++) {
    const thoret_harmonic *h = &found[i];
    double row[] = {i, h->frames, h->partials, h->f0_low_hz, h->f0_high_hz, h->slope, h->slope_error, h->rms};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

ct_result thoret_find_harmonics(const ct_study_run *run, thoret_harmonic found[THORET_HARMONICS],
                                ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < THORET_HARMONICS && result == CT_OK; i++)
    result = find_one(&subjects[i], &found[i], error);
  return result == CT_OK && run->folder ? write_all(run, found, error) : result;
}
