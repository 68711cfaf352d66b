/* Papetti, Avanzini and Rocchesso (2009): its parts. */
#ifndef CT_STUDY_PAPETTI2009_H
#define CT_STUDY_PAPETTI2009_H

#include "study/study.h"
#include "study/wall.h"

#define PAPETTI_RATE_HZ 44100.0

ct_result papetti2009_run(const ct_study_run *run, ct_error *error);

extern const ct_impact_case papetti_cases[2]; /* of section 3.3.2 */

/* Percent by which one method is off, against eq. 7 and against the exact root. x_max has one truth. */
typedef struct papetti_errors {
  double x_max_pct[2], v_out_pct[2], h_tau_pct[2];
} papetti_errors;

ct_result papetti_measure(const ct_impact_case *impact, wall_methods method, ct_quality quality,
                          papetti_errors *errors, ct_error *error);

/* Figures; each writes its numbers and draws them. */
ct_result papetti_draw_curves(const ct_study_run *run, ct_error *error);   /* 1, 2, 3 */
ct_result papetti_draw_hits(const ct_study_run *run, ct_error *error);     /* 4, 5, 6, 7 */
ct_result papetti_draw_bounce(const ct_study_run *run, ct_error *error);   /* 8 */
ct_result papetti_draw_short(const ct_study_run *run, ct_error *error);    /* 9: not in the paper */
ct_result papetti_draw_hardness(const ct_study_run *run, ct_error *error); /* 10: not in the paper */

#endif
