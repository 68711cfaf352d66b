/* A cello's D string under a bow: what every part of this study plays. */
#ifndef CT_STUDY_AVANZINI2002_BOW_H
#define CT_STUDY_AVANZINI2002_BOW_H

#include <contatto/contatto.h>

#define BOW_HZ 147.0 /* the open string */

/* From this time on to the next row's: speed in a straight line, force and place by equal ratios. */
typedef struct bow_row {
  double time_s;
  double speed_m_s;
  double normal_n;
  double place; /* beta: share of the string between bridge and bow */
} bow_row;

typedef struct bow {
  double rate_hz;
  ct_string_def string;     /* name and points are filled in */
  bool on_wall;             /* the bow slides on something that does not move, instead of the string */
  ct_friction_def friction; /* a, b and name are filled in, normal_n comes from the rows */
  const bow_row *rows;
  uint32_t row_count;
} bow;

/* The paper's string: 147 Hz, Q 500, EI = 3e-4 N m^2. It says nothing of how much faster high partials die;
 * here 5 kHz is gone in 30 ms, which also stands in for the losses of twisting, absent from a string that is
 * bowed at a point of its axis. Rosin, not the paper's: sigma_0 3.186e5, sigma_1 0.3, mu 0.507/1.021, v_S 0.228.
 * No rows yet. */
bow bow_cello(void);

/* One number per sample. */
typedef struct bow_trace {
  double *v_m_s;     /* of the string under the bow, mean over the sample before */
  double *speed_m_s; /* of the bow over the same sample */
  double *force_n;   /* friction over the same sample, positive when it pulls the string along */
  double *bristle_m; /* z at its end */
  uint32_t count;
} bow_trace;

/* Plays `seconds`; free the lists with bow_trace_free. [setup] */
ct_result bow_play(const bow *bow, double seconds, bow_trace *trace, ct_error *error);
void bow_trace_free(bow_trace *trace);

/* sigma_0 z_ss / f_N at this slip speed: eq. 6, or Smith and Woodhouse's curve for the thermal law. [any] */
double bow_steady_mu(const ct_friction_def *friction, double slip_m_s);

/* R of Schelleng's least force: the bridge that takes as much from the fundamental as the string's own losses
 * do. [setup] */
ct_result bow_resistance_kg_s(const bow *bow, double *resistance, ct_error *error);
double bow_impedance_kg_s(const bow *bow); /* [any] */

#endif
