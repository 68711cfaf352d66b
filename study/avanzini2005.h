/* Avanzini, Serafin and Rocchesso (2005): its parts. Each fills in its numbers; those of figures are written
 * and drawn when a folder is given. */
#ifndef CT_STUDY_AVANZINI2005_H
#define CT_STUDY_AVANZINI2005_H

#include "study/avanzini2005_heard.h"
#include "study/study.h"

ct_result avanzini2005_run(const ct_study_run *run, ct_error *error);

/* ---- iterations of the papers' Newton, evaluations of ours ---- */

/* Random rubbed bodies from one region of the parameters. A run counts up to its first step that does not
 * converge: there the papers' loop would never end. */
typedef struct avanzini_counts {
  uint32_t runs, runs_over_7, runs_ended, runs_blown; /* Newton: beyond 7, no convergence, |v| > 100 speeds */
  uint64_t steps, steps_over_7;                       /* Newton */
  double mean_newton, mean_ours;
  uint32_t most_newton, most_ours; /* most_newton: of those that converged */
} avanzini_counts;

enum { AVANZINI_TYPICAL, AVANZINI_WIDE, AVANZINI_REGIONS };

extern const char *const avanzini_region_names[AVANZINI_REGIONS];

ct_result avanzini_count(const ct_study_run *run, avanzini_counts counts[AVANZINI_REGIONS], ct_error *error);

/* ---- a force that comes one sample late ---- */

enum { AVANZINI_DELAYED, AVANZINI_NEWTON, AVANZINI_ENGINE, AVANZINI_SOLVERS };

extern const char *const avanzini_solver_names[AVANZINI_SOLVERS];

/* One bristle stiffness. */
typedef struct avanzini_late {
  double bristle_n_m;
  double cents[AVANZINI_SOLVERS]; /* of the strongest partial while rubbed, against the engine at 8 times the
                                     rate; NAN: blew up */
  double held_db[AVANZINI_SOLVERS]; /* plucked at -120 dB and held still: level after a second */
} avanzini_late;

enum { AVANZINI_STIFFNESSES = 15 };

ct_result avanzini_delay(const ct_study_run *run, avanzini_late late[AVANZINI_STIFFNESSES], ct_error *error);

/* ---- Table I ---- */

enum { AVANZINI_PARAMETERS = 8, AVANZINI_VALUES = 9, AVANZINI_BODIES = 2 };

typedef struct avanzini_sweep {
  double value[AVANZINI_VALUES];
  heard at[AVANZINI_VALUES];
} avanzini_sweep;

typedef avanzini_sweep avanzini_table[AVANZINI_PARAMETERS][AVANZINI_BODIES];

extern const char *const avanzini_parameters[AVANZINI_PARAMETERS]; /* sigma_0 ... */
extern const char *const avanzini_bodies[AVANZINI_BODIES];

/* What the table says of a parameter, as something that can be wrong: a measure, and how far it must move. */
typedef struct avanzini_claim {
  int parameter;
  const char *words; /* the paper's */
  heard_measure measure;
  int direction; /* 0: moves at all; 1: rises; -1: falls */
} avanzini_claim;

extern const avanzini_claim avanzini_claims[];
extern const uint32_t avanzini_claim_count;

/* Over the values that sound. */
typedef struct avanzini_effect {
  double low, high; /* of the measure */
  double steps;     /* from low to high in steps of what can just be noticed */
  double trend;     /* Spearman's rank correlation with the parameter */
  bool holds;       /* at least 3 steps, and a trend beyond 0.6 where the claim has a direction */
} avanzini_effect;

ct_result avanzini_sweep_all(const ct_study_run *run, avanzini_table table, ct_error *error);
avanzini_effect avanzini_judge(const avanzini_sweep *sweep, heard_measure measure, int direction);
const char *avanzini_verdict(const avanzini_table table, int parameter); /* agree, partly, not */

/* ---- the braking wheel of section VI, from the built-in scene ---- */

enum { AVANZINI_ROLLS, AVANZINI_SLIDES, AVANZINI_SQUEALS, AVANZINI_STAGES };

extern const char *const avanzini_stage_names[AVANZINI_STAGES];

typedef struct avanzini_stage {
  double cart_m_s, tread_m_s;    /* means */
  double slip_m_s;               /* at most */
  double joints_m;               /* by how much the tyre's joints and lean move the contact */
  double lufs;                   /* as it is heard */
  double partial_hz, partial_db; /* the strongest, and how far it is from all of the sound */
} avanzini_stage;

ct_result avanzini_wheel(const ct_study_run *run, avanzini_stage stages[AVANZINI_STAGES], ct_error *error);

/* ---- figures without a table ---- */

ct_result avanzini_draw_curve(const ct_study_run *run, ct_error *error);      /* 2, and the adhesion map */
ct_result avanzini_draw_waves(const ct_study_run *run, ct_error *error);      /* 4 */
ct_result avanzini_draw_loop(const ct_study_run *run, ct_error *error);       /* the (v, f) plane */
ct_result avanzini_draw_presliding(const ct_study_run *run, ct_error *error); /* below breakaway */

#endif
