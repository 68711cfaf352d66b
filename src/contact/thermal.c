/* Thermal friction: |f| = mu(T) f_N, T the temperature of the film between two bodies.
 *
 * In steady sliding heating and cooling balance. Per newton of normal force a contact that slides at v makes
 * mu v of heat, and loses (g0 + g1 sqrt v) T: g0 through what it rests on, g1 sqrt v by what is carried away
 * (Jaeger 1942, fast moving sources). The curve mu_ss(v) of rosin was measured (Smith and Woodhouse 2000), so
 *
 *   T_ss(v) = mu_ss(v) v / (g0 + g1 sqrt v),   mu(T) = mu_ss at the v where T_ss = T.
 *
 * How soon T follows is a matter of heat flow. Rubbing heats the middle of a film of rosin, thickness d; its
 * faces give the heat to a patch of radius a on the string. At rest, for a power q per area:
 *
 *   film:   steady, T falls in a straight line to both faces: T_f = q d/(4 K_f); what it stores over what it
 *           conducts is d^2/(8 k_f).
 *   string: the middle of a disc on a half-space (Carslaw and Jaeger 1959, 10.5), X = k_s t/a^2,
 *           T_s(t) = (q a/K_s) F(X),  F = 2 sqrt X [1/sqrt pi - ierfc(1/(2 sqrt X))]: as the root of time at
 *           first, up to q a/K_s in the end.
 *
 * F is a sum of four exponentials, fitted by least squares within 6 % from X = 3e-4 to 30. So the contact has
 * five stores with shares p_i of the temperature and times t_i at rest, and each obeys
 *
 *   t_i T_i' = p_i (mu v)/g0 - (1 + (g1/g0) sqrt v) T_i,   T = sum T_i.
 *
 * Steady sliding is as above whatever the shares. Only their times and g1/g0 are felt: a common factor of g0
 * and g1 is the unit of T. Nothing of it touches the energy account: friction is passive for any mu. */
#include "contact/thermal.h"
#include "base/clamp.h"

#include <math.h>

static const double rosin_w_m_k = 0.2, rosin_m2_s = 1e-7;  /* as organic glasses are */
static const double string_w_m_k = 15, string_m2_s = 4e-6; /* chromium steel, of which windings are made */

static const double still_w_k = 1e-3, sliding_w_k = 1.5e-3; /* g0, g1 per newton */

enum { STRING_STORES = CT_HEAT_STORES - 1 };

static const double string_x[STRING_STORES] = {2.51e-4, 7.36e-3, 0.2154, 6.31};
static const double string_share[STRING_STORES] = {0.0211, 0.0940, 0.5832, 0.3017};

static const double hottest_k = 1e9; /* mu is the same long before, and it cools down from there */
static const double coldest_k = 1e-30;

static double conduction(double v) { return still_w_k + sliding_w_k * sqrt(fabs(v)); }

void ct_thermal_warm(ct_friction *f, double lost_j, double v, double h) {
  double heat_k = f->normal_n > 0 ? fmax(lost_j, 0) / (f->normal_n * still_w_k) : 0;
  double cooling = h * conduction(v) / still_w_k, sum = 0;
  for (uint32_t i = 0; i < CT_HEAT_STORES; i++) {
    double t = f->store_s[i];
    double warmed = (t * f->warm_k[i] + f->store_share[i] * heat_k) / (t + cooling);
    f->warm_k[i] = warmed > coldest_k ? ct_least(warmed, hottest_k) : 0;
    sum += f->warm_k[i];
  }
  f->temperature_k = sum;
  f->thermal_mu = ct_thermal_mu(f, sum);
}

double ct_thermal_rise(const ct_friction *f, double time_s) {
  double rise = 0;
  for (uint32_t i = 0; i < CT_HEAT_STORES; i++)
    rise -= f->store_share[i] * expm1(-time_s / f->store_s[i]);
  return rise;
}

/* ---- mu over temperature ---- */

static double steady_mu(double v) { return 0.4 * exp(-v / 0.01) + 0.45 * exp(-v / 0.1) + 0.35; }

static void tabulate(ct_friction *f) {
  for (uint32_t i = 0; i < CT_THERMAL_KNOTS; i++) {
    double v = i == 0 ? 0 : 1e-5 * pow(1e6, (double)(i - 1) / (CT_THERMAL_KNOTS - 2));
    f->knot_mu[i] = steady_mu(v);
    f->knot_k[i] = f->knot_mu[i] * v / conduction(v);
  }
}

double ct_thermal_mu(const ct_friction *f, double temperature_k) {
  uint32_t low = 0, high = CT_THERMAL_KNOTS - 1;
  if (temperature_k <= f->knot_k[low])
    return f->knot_mu[low];
  if (temperature_k >= f->knot_k[high])
    return f->knot_mu[high];
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (f->knot_k[middle] <= temperature_k)
      low = middle;
    else
      high = middle;
  }
  double t = (temperature_k - f->knot_k[low]) / (f->knot_k[high] - f->knot_k[low]);
  return f->knot_mu[low] + t * (f->knot_mu[high] - f->knot_mu[low]);
}

void ct_thermal_fill(ct_friction *f, double film_m, double patch_m) {
  double film = film_m / (4 * rosin_w_m_k), string = patch_m / string_w_m_k; /* K m^2/W */
  double film_share = film / (film + string);
  f->store_s[0] = film_m * film_m / (8 * rosin_m2_s);
  f->store_share[0] = film_share;
  for (uint32_t i = 0; i < STRING_STORES; i++) {
    f->store_s[i + 1] = string_x[i] * patch_m * patch_m / string_m2_s;
    f->store_share[i + 1] = (1 - film_share) * string_share[i];
  }
  tabulate(f);
  f->thermal_mu = f->knot_mu[0];
}
