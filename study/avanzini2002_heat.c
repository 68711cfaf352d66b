/* The thermal law has two numbers that are felt: how thick the film is that melts, and how large the patch
 * that takes its heat (src/contact/thermal.c). Where in their plane is there Helmholtz motion at pitch, and
 * where does friction keep off its steady curve, as figure 6 has it? */
#include "study/avanzini2002.h"
#include "file/crew.h"
#include "study/figure.h"

#include <math.h>

const double bowed_film_m[BOWED_FILMS] = {0.5e-6, 1e-6, 2e-6, 5e-6, 10e-6, 20e-6, 40e-6, 75e-6};
/* The first is hardly there: all heat stays in the film. */
const double bowed_patch_m[BOWED_PATCHES] = {1e-6, 1e-4, 2.2e-4, 4.4e-4, 8.8e-4};

static const double beta = 0.1, normal_n = 1.1, played_s = 1.5;

bool bowed_is_in_tune(const bowed_loop *l) {
  return fabs(l->slips - 1) < 0.05 && fabs(l->cents) < 10 &&
         fabs(l->slip_m_s / l->helmholtz_m_s - 1) < 0.15 && fabs(l->half_share / l->beta - 1) < 0.2;
}

bool bowed_is_off_curve(const bowed_loop *l) { return l->on_curve_share < 0.2; }

static ct_result play_point(void *context, uint32_t index, ct_error *error) {
  bowed_heat *m = context;
  bowed_loop *l = &m->at[index / BOWED_FILMS][index % BOWED_FILMS];
  const bow_row row = {0, BOWED_SPEED_M_S, normal_n, beta};
  bow b = bow_cello();
  bow_trace t;
  b.rate_hz *= 2;
  b.friction.law = CT_THERMAL;
  b.friction.film_m = bowed_film_m[index % BOWED_FILMS];
  b.friction.patch_m = bowed_patch_m[index / BOWED_FILMS];
  b.rows = &row;
  b.row_count = 1;
  *l = (bowed_loop){.beta = beta};
  ct_result result = bow_play(&b, played_s, &t, error);
  if (result != CT_OK)
    return result;
  bowed_measure_loop(&b, &t, normal_n, l);
  result = bowed_measure_motion(&b, &t, l, error);
  bow_trace_free(&t);
  return result;
}

static ct_result write_map(const ct_study_run *run, const bowed_heat *m, ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, "heat", "film_m,patch_m,slips,half_share,cents,slip_over_ideal,width_mu,on_curve_share", &t,
      error);
  for (uint32_t k = 0; k < BOWED_PATCHES * BOWED_FILMS && result == CT_OK; k++) {
    const bowed_loop *l = &m->at[k / BOWED_FILMS][k % BOWED_FILMS];
    result = figure_table_row(t,
                              (double[]){bowed_film_m[k % BOWED_FILMS], bowed_patch_m[k / BOWED_FILMS],
                                         l->slips, l->half_share, l->cents, l->slip_m_s / l->helmholtz_m_s,
                                         l->width, l->on_curve_share},
                              error);
  }
  return figure_table_end(t, result, error);
}

ct_result bowed_map_heat(const ct_study_run *run, bowed_heat *m, ct_error *error) {
  ct_result result = ct_crew_run(0, BOWED_PATCHES * BOWED_FILMS, play_point, m, error);
  return result == CT_OK && run->folder ? write_map(run, m, error) : result;
}
