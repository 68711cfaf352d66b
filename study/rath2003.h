/* Rath (2003): its parts. Each fills in its numbers; those of figures are written and drawn when a folder is
 * given. */
#ifndef CT_STUDY_RATH2003_H
#define CT_STUDY_RATH2003_H

#include "study/study.h"
#include <contatto/doc.h>

ct_result rath2003_run(const ct_study_run *run, ct_error *error);

/* ---- figures 1 to 3: a profile, the ball on it, its path, and two things that look like it ---- */

ct_result rath_draw_path(const ct_study_run *run, ct_error *error);

/* ---- figure 4: a ball off balance, at three speeds ---- */

enum { RATH_SPEEDS = 4 };

typedef struct rath_lean {
  double speed_m_s, swing_n, expected_n; /* half the swing of the contact's force; M A (v/r)^2 */
} rath_lean;

ct_result rath_draw_lean(const ct_study_run *run, rath_lean lean[RATH_SPEEDS], ct_error *error);

/* ---- spectra over distance: profile, path, and the profile low-passed to the path's rms ---- */

enum { RATH_BANDS = 24 };

typedef struct rath_band {
  double per_m, profile_db, rolled_db, smooth_db; /* power per cycle per metre */
} rath_band;

ct_result rath_draw_spectra(const ct_study_run *run, rath_band band[RATH_BANDS], ct_error *error);

/* ---- comparisons per grid point ---- */

enum { RATH_RADII = 13 };

typedef struct rath_cost {
  double radius_m, search, white, fractal, periodic;
} rath_cost;

ct_result rath_draw_cost(const ct_study_run *run, rath_cost cost[RATH_RADII], ct_error *error);

/* ---- a marble slowing down ---- */

typedef struct rath_heard {
  double centroid_fast_hz, centroid_slow_hz; /* at 0.9 and at 0.2 m/s */
  double level_fast_db, level_slow_db;
} rath_heard;

ct_result rath_draw_heard(const ct_study_run *run, rath_heard *heard, ct_error *error);
extern const char rath_palette[]; /* of spectrograms, and their axes */

/* ---- the same can rolled and slid, four seconds at the settings of the scene, over many tables ---- */

enum { RATH_SEEDS = 32, RATH_OFFSETS = 3 }; /* the first offset is the scene's own */
#define RATH_CAN_RADIUS_M 0.035
#define RATH_CAN_SPEED_M_S 1.2

typedef struct rath_line {
  double hz, depth; /* a line in the modulation of a sound's power; depth: of its mean */
} rath_line;

/* [0] rolled, [1] slid */
typedef struct rath_turning {
  double asymmetry_m;                  /* of the can's weight */
  double turn_hz;                      /* v / 2 pi r */
  rath_line line[2][RATH_SEEDS];       /* the largest of each sound */
  uint32_t at_turn[2];                 /* how many of them are at the rate of turning */
  uint32_t larger;                     /* on how many tables the rolled can's is larger */
  double least[2], median[2], most[2]; /* of their depths */
} rath_turning;

ct_result rath_draw_turning(const ct_study_run *run, rath_turning turning[RATH_OFFSETS], ct_error *error);

#endif
