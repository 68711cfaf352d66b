/* Schelleng's limits go as 1/beta and 1/beta^2. The edges that are found are steeper; here one thing of the
 * string, the bow or the judging is changed at a time, and the edge's slope is fitted again. */
#include "study/avanzini2002.h"
#include "file/crew.h"

#include <math.h>

enum { PLACES = 8, FORCES = 12 };

typedef struct variant {
  const char *what;
  double rate, bristle, losses, bending, stribeck; /* factors */
  double lowest_beta, highest_beta, wait_s;
} variant;

static const variant cases[BOWED_SLOPE_CASES] = {
    {"as it is", 1, 1, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"bristles a third as stiff", 1, 1.0 / 3, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"bristles 3 times as stiff", 1, 3, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"bristles 10 times as stiff", 1, 10, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"four times the rate", 4, 1, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"5 kHz gone in half the time", 1, 1, 0.5, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"no bending stiffness", 1, 1, 1, 0, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"v_S a quarter", 1, 1, 1, 1, 0.25, 0.022, 0.15, BOWED_WAIT_S},
    {"as it is", 1, 1, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"twice the rate", 2, 1, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S},
    {"judged 1.5 s later", 1, 1, 1, 1, 1, 0.022, 0.15, BOWED_WAIT_S + 1.5},
    {"only beta from 0.026 to 0.11", 1, 1, 1, 1, 1, 0.026, 0.11, BOWED_WAIT_S},
};

typedef struct search {
  bowed_slope *slopes;
  bool kept[BOWED_SLOPE_CASES][PLACES][FORCES];
} search;

static bool is_upper(uint32_t which) { return which < BOWED_UPPER_CASES; }

static bow bow_of(const variant *v) {
  bow b = bow_cello();
  b.rate_hz *= v->rate;
  b.friction.bristle_n_m *= v->bristle;
  b.friction.stribeck_m_s *= v->stribeck;
  b.string.high_t60_s *= v->losses;
  b.string.bending_n_m2 *= v->bending;
  return b;
}

static double beta_at(const variant *v, uint32_t place) {
  return v->lowest_beta * pow(v->highest_beta / v->lowest_beta, place / (PLACES - 1.0));
}

/* In parts of the limit, by equal ratios. */
static double share_at(bool upper, double cell) {
  double lowest = upper ? 0.7 : 0.4, highest = upper ? 2.4 : 1.6;
  return lowest * pow(highest / lowest, cell / FORCES);
}

static ct_result limit_n(const bow *b, bool upper, double beta, double *limit, ct_error *error) {
  double resistance = 0;
  ct_result result = upper ? CT_OK : bow_resistance_kg_s(b, &resistance, error);
  *limit =
      upper ? bowed_most_n(b, BOWED_SPEED_M_S, beta) : bowed_least_n(b, resistance, BOWED_SPEED_M_S, beta);
  return result;
}

static ct_result try_cell(void *context, uint32_t index, ct_error *error) {
  search *s = context;
  uint32_t which = index / (PLACES * FORCES), place = index / FORCES % PLACES, force = index % FORCES;
  const variant *v = &cases[which];
  bow b = bow_of(v);
  double beta = beta_at(v, place), limit;
  ct_bowed_motion found = {.regime = CT_BOWED_NONE};
  ct_result result = limit_n(&b, is_upper(which), beta, &limit, error);
  if (result == CT_OK)
    result = bowed_keep(&b, beta, limit * share_at(is_upper(which), force + 0.5), v->wait_s, &found, error);
  s->kept[which][place][force] = found.regime == CT_BOWED_HELMHOLTZ;
  return result;
}

/* The border with the fewest cells on its wrong side; 0 and FORCES: none within. */
static uint32_t border(const bool *kept, bool upper) {
  uint32_t best = 0, fewest = UINT32_MAX;
  for (uint32_t edge = 0; edge <= FORCES; edge++) {
    uint32_t wrong = 0;
    for (uint32_t j = 0; j < FORCES; j++)
      wrong += kept[j] != (upper ? j < edge : j >= edge);
    if (wrong < fewest) {
      fewest = wrong;
      best = edge;
    }
  }
  return best;
}

static ct_result fit_case(search *s, uint32_t which, ct_error *error) {
  const variant *v = &cases[which];
  bow b = bow_of(v);
  double beta[PLACES], edge_n[PLACES], share[PLACES];
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < PLACES && result == CT_OK; i++) {
    uint32_t edge = border(s->kept[which][i], is_upper(which));
    double limit;
    beta[i] = beta_at(v, i);
    result = limit_n(&b, is_upper(which), beta[i], &limit, error);
    share[i] = edge > 0 && edge < FORCES ? share_at(is_upper(which), edge) : (double)NAN;
    edge_n[i] = share[i] * limit;
  }
  if (result == CT_OK)
    s->slopes[which] =
        (bowed_slope){v->what, bowed_fit_power(beta, edge_n, PLACES), share[0], share[PLACES - 1]};
  return result;
}

ct_result bowed_vary_slopes(bowed_slope slopes[BOWED_SLOPE_CASES], ct_error *error) {
  search s = {.slopes = slopes};
  ct_result result = ct_crew_run(0, BOWED_SLOPE_CASES * PLACES * FORCES, try_cell, &s, error);
  for (uint32_t i = 0; i < BOWED_SLOPE_CASES && result == CT_OK; i++)
    result = fit_case(&s, i, error);
  return result;
}
