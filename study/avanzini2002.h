/* Avanzini, Serafin and Rocchesso (2002): its parts. Each fills in its numbers; those of figures are written
 * and drawn when a folder is given. */
#ifndef CT_STUDY_AVANZINI2002_H
#define CT_STUDY_AVANZINI2002_H

#include "study/avanzini2002_bow.h"
#include "measure/bowed.h"
#include "study/study.h"

ct_result avanzini2002_run(const ct_study_run *run, ct_error *error);

/* ---- figure 3: the adhesion map ---- */

typedef struct bowed_adhesion {
  uint32_t points; /* (v, z) where the engine's bristles were looked at */
  double worst;    /* distance of their alpha from eqs. 7 and 8 */
} bowed_adhesion;

ct_result bowed_draw_adhesion(const ct_study_run *run, bowed_adhesion *found, ct_error *error);

/* ---- figures 6 and 7: velocity under the bow, and friction over velocity ---- */

enum { BOWED_THERMAL, BOWED_STIFF_04, BOWED_STIFF_05, BOWED_SOFT_04, BOWED_SOFT_05, BOWED_ROSIN, BOWED_LAWS };

extern const char *const bowed_law_names[BOWED_LAWS];

typedef struct bowed_loop {
  double beta;
  double slips, slip_share, cents; /* per period; of time; of the open string */
  double slip_m_s, helmholtz_m_s;  /* the string's fastest way back; v_b (1 - beta)/beta */
  double half_share;        /* of time, faster than half of v_b/beta: beta, if it is Helmholtz motion */
  double width;             /* mean distance in mu between speeding up and slowing down, in the slip */
  double mu[2], slip_mu[2]; /* least and greatest; in the slip */
  double on_curve_share;    /* of the slip's time, within 3 % of the steady curve */
  double on_curve_longest;  /* longest way along the curve, in parts of the largest slip speed */
} bowed_loop;

ct_result bowed_measure_loops(const ct_study_run *run, bowed_loop loops[BOWED_LAWS], ct_error *error);
/* Of any trace in steady motion: the numbers of the loop in it. */
void bowed_measure_loop(const bow *bow, const bow_trace *trace, double normal_n, bowed_loop *loop);

/* Slips, share and pitch from the trace's second half. */
ct_result bowed_measure_motion(const bow *bow, const bow_trace *trace, bowed_loop *loop, ct_error *error);

/* ---- the thermal law over its two numbers ---- */

enum { BOWED_FILMS = 8, BOWED_PATCHES = 5 };

extern const double bowed_film_m[BOWED_FILMS], bowed_patch_m[BOWED_PATCHES];

typedef struct bowed_heat {
  bowed_loop at[BOWED_PATCHES][BOWED_FILMS];
} bowed_heat;

/* Helmholtz motion at pitch: one slip per period, flat by less than 10 cents, its speed within 15 % of the
 * ideal, the share of time beyond half of that speed within 20 % of beta. [any] */
bool bowed_is_in_tune(const bowed_loop *loop);
/* And "no part of the loop follows the steady curve": less than a fifth of the slip's time. [any] */
bool bowed_is_off_curve(const bowed_loop *loop);
ct_result bowed_map_heat(const ct_study_run *run, bowed_heat *map, ct_error *error);

/* ---- maps ---- */

/* Runs the built-in plan of that name: so many sounds, so many watched numbers of each, one behind the other;
 * free() them. [setup] */
ct_result bowed_run_plan(const char *name, uint32_t sounds, uint32_t numbers, double **found,
                         ct_error *error);

/* ---- Schelleng's map ---- */

#define BOWED_SPEED_M_S 0.1

/* F_max = 2 Z v_b/(beta (mu_s - mu_d)), F_min = Z^2 v_b/(2 R (mu_s - mu_d) beta^2). */
double bowed_most_n(const bow *bow, double speed_m_s, double beta);
double bowed_least_n(const bow *bow, double resistance_kg_s, double speed_m_s, double beta);

#define BOWED_WAIT_S 0.25
/* Helmholtz motion is begun where that is easy, then the bow moves there: does it keep it for `wait_s`? */
ct_result bowed_keep(const bow *bow, double beta, double normal_n, double wait_s, ct_bowed_motion *found,
                     ct_error *error);
/* The bow is put on there at full speed, the string at rest. */
ct_result bowed_begin(const bow *bow, double beta, double normal_n, ct_bowed_motion *found, ct_error *error);

/* force ~ beta^exponent, fitted to the logarithms; error: one standard deviation, from the scatter. */
typedef struct bowed_power {
  double exponent, error;
  uint32_t points;
} bowed_power;

bowed_power bowed_fit_power(const double *beta, const double *force_n, uint32_t count); /* NAN: left out */

typedef struct bowed_schelleng {
  uint32_t betas, forces;
  double lowest_beta, highest_beta, lowest_n, highest_n; /* cells divide these by equal ratios */
  double resistance_kg_s;
  ct_bowed_motion *kept, *begun; /* [force * betas + beta] */
  double *upper_n, *lower_n;     /* per beta: the kept region's edges; NAN: not within the map */
  double upper_off, lower_off;   /* worst ratio of an edge to its limit, 1 or more */
  bowed_power upper, lower;
} bowed_schelleng;

double bowed_beta_at(const bowed_schelleng *map, double cell);
double bowed_normal_at(const bowed_schelleng *map, double cell);
/* `map` says how large; free with bowed_schelleng_free. [setup] */
ct_result bowed_map_schelleng(const ct_study_run *run, bowed_schelleng *map, ct_error *error);
void bowed_schelleng_free(bowed_schelleng *map);

/* ---- what moves the slopes ---- */

enum {
  BOWED_UPPER_CASES = 8,
  BOWED_LOWER_CASES = 4,
  BOWED_SLOPE_CASES = BOWED_UPPER_CASES + BOWED_LOWER_CASES
};

typedef struct bowed_slope {
  const char *what;
  bowed_power power;
  double first, last; /* edge over its limit, at the bridge and at the far end */
} bowed_slope;

/* The upper edge's cases first. */
ct_result bowed_vary_slopes(bowed_slope slopes[BOWED_SLOPE_CASES], ct_error *error);

/* ---- Guettler's map ---- */

typedef struct bowed_guettler {
  uint32_t accelerations, forces;
  double beta, highest_m_s2, highest_n; /* cells divide these evenly */
  ct_bowed_attack *at;                  /* [force * accelerations + acceleration] */
  double best_n_s2_m;                   /* F/a in the middle of the perfect attacks; NAN: none */
} bowed_guettler;

/* F/a of the line on which the first slip comes just when the bow is fast enough for Schelleng's F_max; and
 * of those where that comes later by so many seconds, and where growing takes all the force there is. */
double bowed_perfect_n_s2_m(const bow *bow, double beta);
double bowed_late_n_s2_m(const bow *bow, double beta, double late_s);
double bowed_growing_n_s2_m(const bow *bow, double beta);

ct_result bowed_attack(const bow *bow, double beta, double acceleration_m_s2, double normal_n,
                       ct_bowed_attack *attack, ct_error *error);
/* A listener accepts 50 ms of prolonged periods, 90 ms of multiple slips (Guettler and Askenfelt 1997). */
bool bowed_is_accepted(const ct_bowed_attack *attack);
ct_result bowed_map_guettler(const ct_study_run *run, bowed_guettler *map, ct_error *error);
void bowed_guettler_free(bowed_guettler *map);

#endif
