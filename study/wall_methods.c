/* Section 3.2, equation by equation. f is all that acts on the mass, so signs are as printed. */
#include "study/wall.h"

#include <math.h>

double wall_force_n(const wall *w, double x, double v) {
  return w->impact.mass_kg * w->gravity_m_s2 - ct_impact_force_n(&w->impact, x, v);
}

/* ---- 1-step Adams-Moulton, eq. 20 ---- */

/* d/df of the contact's force at (x + k1 f, v + k2 f). */
static double slope(const wall *w, double x, double v, double k1, double k2) {
  const ct_impact_case *c = &w->impact;
  if (x <= 0)
    return 0;
  double spring = c->stiffness * pow(x, c->exponent);
  return -k1 * spring * c->exponent / x * (1 + c->damping_s_m * v) - k2 * spring * c->damping_s_m;
}

/* The K-method: x and v are known but for f, f = F(x + k1 f, v + k2 f). Newton from the force of gravity
 * alone, where the compression is largest, comes down on the root from one side because F is convex. */
static double solve_am1(const wall *w, double x, double v, double k1, double k2) {
  double f = w->impact.mass_kg * w->gravity_m_s2;
  for (int i = 0; i < 100; i++) {
    double x1 = x + k1 * f, v1 = v + k2 * f;
    double step = (wall_force_n(w, x1, v1) - f) / (1 - slope(w, x1, v1, k1, k2));
    f += step;
    if (fabs(step) <= 1e-15 * fabs(f))
      break;
  }
  return f;
}

wall_state wall_step_am1(const wall *w, wall_state n) {
  double h = w->step_s, m = w->impact.mass_kg, k1 = h * h / (4 * m), k2 = h / (2 * m);
  double f = solve_am1(w, n.x_m + h * n.v_m_s + k1 * n.force_n, n.v_m_s + k2 * n.force_n, k1, k2);
  return (wall_state){n.x_m + h * n.v_m_s + k1 * (f + n.force_n), n.v_m_s + k2 * (f + n.force_n), f};
}

/* ---- velocity Verlet, eq. 21 ---- */

wall_state wall_step_verlet(const wall *w, wall_state n) {
  double h = w->step_s, m = w->impact.mass_kg;
  double x = n.x_m + h * n.v_m_s + h * h / 2 * n.force_n / m;
  double half = n.v_m_s + h / 2 * n.force_n / m;
  double f = wall_force_n(w, x, half);
  return (wall_state){x, half + h / 2 * f / m, f};
}

/* ---- Heun, eq. 22 ---- */

wall_state wall_step_heun(const wall *w, wall_state n) {
  double h = w->step_s, m = w->impact.mass_kg;
  double predicted = n.v_m_s + h * n.force_n / m;
  double x = n.x_m + h / 2 * (n.v_m_s + predicted);
  double f = wall_force_n(w, x, predicted);
  return (wall_state){x, n.v_m_s + h / 2 * (n.force_n + f) / m, f};
}

/* ---- Runge and Kutta of 4th order, eq. 23 ---- */

wall_state wall_step_rk4(const wall *w, wall_state n) {
  double h = w->step_s, m = w->impact.mass_kg, x = n.x_m, v = n.v_m_s;
  double l1 = h * v, k1 = h * n.force_n / m;
  double l2 = h * (v + k1 / 2), k2 = h * wall_force_n(w, x + l1 / 2, v + k1 / 2) / m;
  double l3 = h * (v + k2 / 2), k3 = h * wall_force_n(w, x + l2 / 2, v + k2 / 2) / m;
  double l4 = h * (v + k3), k4 = h * wall_force_n(w, x + l3, v + k3) / m;
  x += (l1 + 2 * l2 + 2 * l3 + l4) / 6;
  v += (k1 + 2 * k2 + 2 * k3 + k4) / 6;
  return (wall_state){x, v, wall_force_n(w, x, v)};
}
