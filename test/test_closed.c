/* Closed forms of one impact: against an independent table (test/data/impact_closed_form.csv), against values
 * computed with 250 digits from mu v = 1e-6 to 1e3, and against what each must become in its limits. */
#include <contatto/impact.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static double apart(double value, double wanted) { return fabs(value / wanted - 1); }

static void near(const char *what, double value, double wanted, double tolerance) {
  if (!(apart(value, wanted) <= tolerance))
    fail_msg("%s: %.17g is not %.17g within %g", what, value, wanted, tolerance);
}

/* ---- the table ---- */

typedef struct row {
  ct_impact_case given;
  double v_out, v_out_eq7, x_max, tau, h_out;
} row;

static bool read_row(FILE *file, row *r) {
  char line[512];
  return fgets(line, sizeof line, file) &&
         sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &r->given.mass_kg, &r->given.stiffness,
                &r->given.damping_s_m, &r->given.exponent, &r->given.speed_m_s, &r->v_out, &r->v_out_eq7,
                &r->x_max, &r->tau, &r->h_out) == 10;
}

static void check_row(const row *r, double worst[5]) {
  const ct_impact_case *c = &r->given;
  double v = c->speed_m_s, mu = c->damping_s_m;
  const double errors[5] = {
      apart(ct_impact_rebound_m_s(v, mu), r->v_out), apart(ct_impact_rebound_eq7_m_s(v, mu), r->v_out_eq7),
      apart(ct_impact_largest_compression_m(c), r->x_max), apart(ct_impact_contact_time_s(c), r->tau),
      apart(ct_impact_energy_left_j(c), r->h_out)};
  for (int i = 0; i < 5; i++) {
    assert_true(errors[i] <= (i == 3 ? 1e-8 : 1e-10));
    worst[i] = fmax(worst[i], errors[i]);
  }
  near("k from contact time", ct_impact_stiffness_for(c, r->tau), c->stiffness, 1e-8);
}

static void table(void **state) {
  (void)state;
  char header[512];
  double worst[5] = {0};
  int rows = 0;
  FILE *file = fopen(CT_TEST_DATA "/impact_closed_form.csv", "r");
  assert_non_null(file);
  assert_non_null(fgets(header, sizeof header, file));
  for (row r; read_row(file, &r); rows++)
    check_row(&r, worst);
  fclose(file);
  printf(
      "%d rows, worst relative error: v_out %.1e, eq. 7 %.1e, x_max %.1e, contact time %.1e, energy %.1e\n",
      rows, worst[0], worst[1], worst[2], worst[3], worst[4]);
  assert_int_equal(rows, 432);
}

/* ---- from 1e-6 to 1e3 ---- */

/* m = k = v_in = 1; the last column is the compression on the way out, at half the speed it leaves with. */
static const struct {
  double mu, alpha, restitution, x_max, tau, x_half;
} wide[] = {
    {1e-6, 1.1, 0.99999933333377778, 1.0235050846888429, 3.1681454222572357, 0.89247362631422574},
    {1e-6, 2.3, 0.99999933333377778, 1.1638690991681665, 3.1881285647937751, 1.0667040136320309},
    {1e-3, 1.1, 0.99933377745210843, 1.0231806740890726, 3.1681957745865652, 0.89223789494767356},
    {1e-3, 2.3, 0.99933377745210843, 1.1636343308142564, 3.188546807707987, 1.066524708745473},
    {0.05, 1.1, 0.96773857853093249, 1.0077111436897493, 3.1709373203028504, 0.88099913939577972},
    {0.05, 2.3, 0.96773857853093249, 1.1524077594608698, 3.209105733023569, 1.0579560460218394},
    {0.3, 1.1, 0.83286979226560167, 0.94000896779721407, 3.191884508427459, 0.83183922630474607},
    {0.3, 2.3, 0.83286979226560167, 1.1025172815763299, 3.3152579973623866, 1.0199977298300754},
    {0.999, 1.1, 0.59387569478143914, 0.81132604475365231, 3.2894807001655051, 0.73802207486192619},
    {0.999, 2.3, 0.59387569478143914, 1.0039185790809335, 3.6219968127003267, 0.94520793523330694},
    {1, 1.1, 0.59362426004004009, 0.81118286446107271, 3.2896480573194402, 0.73791684358648503},
    {1, 2.3, 0.59362426004004009, 1.0038058319211723, 3.6224455671693348, 0.94512216838417182},
    {3, 1.1, 0.30689679829096211, 0.62805911762184489, 3.7025368737663036, 0.59828265750675262},
    {3, 2.3, 0.30689679829096211, 0.85297854044249592, 4.5687636021017771, 0.827017272876825},
    {30, 1.1, 0.033333333333297761, 0.26601508683141444, 8.7967488196658011, 0.26509234923834661},
    {30, 2.3, 0.033333333333297761, 0.49375838882972121, 15.979037980183339, 0.49266778746777731},
    {1000, 1.1, 0.001, 0.052897189051212154, 53.135531473025362, 0.052892289744336785},
    {1000, 2.3, 0.001, 0.17665346054613821, 177.23363221315099, 0.17664304848123246},
};

static void wide_range(void **state) {
  (void)state;
  double worst = 0;
  for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
    ct_impact_case c = {1, 1, wide[i].alpha, wide[i].mu, 1};
    double e = ct_impact_restitution(1, wide[i].mu);
    const double errors[] = {apart(e, wide[i].restitution),
                             apart(ct_impact_largest_compression_m(&c), wide[i].x_max),
                             apart(ct_impact_contact_time_s(&c), wide[i].tau),
                             apart(ct_impact_compression_m(&c, -e / 2), wide[i].x_half)};
    for (int j = 0; j < 4; j++)
      worst = fmax(worst, errors[j]);
  }
  printf("mu v from 1e-6 to 1e3, worst relative error %.1e\n", worst);
  assert_true(worst < 1e-13);
}

/* Eq. 6 itself, in long doubles, over six hundred values of mu v; and the branches must meet: E falls
 * everywhere. */
static void first_integral_holds(void **state) {
  (void)state;
  double before = 1;
  for (int i = 0; i <= 600; i++) {
    double u = pow(10, -6 + 0.015 * i), e = ct_impact_restitution(1, u);
    long double in = (long double)u - log1pl((long double)u), w = (long double)e * (long double)u;
    assert_true(e < before && e * u < 1 + 1e-15);
    before = e;
    if (u > 0.01 && u < 20) /* below, eq. 6 cancels even so; above, 1 + u_out is lost in rounding */
      assert_true(fabsl((-w - log1pl(-w)) / in - 1) < (u < 5 ? 1e-13L : 1e-6L));
  }
}

/* ---- limits ---- */

/* mu = 0: T = 2 sqrt(pi) Gamma(1+q)/Gamma(1/2+q) x_max / v, x_max = ((alpha+1) m v^2 / 2k)^q, q =
 * 1/(alpha+1).
 */
static void lossless(void **state) {
  (void)state;
  for (double alpha = 1; alpha <= 5; alpha += 0.25)
    for (double v = 1e-3; v < 20; v *= 7) {
      ct_impact_case c = {0.02, 3e8, alpha, 0, v};
      double q = 1 / (alpha + 1), x_max = pow((alpha + 1) * 0.02 * v * v / 2 / 3e8, q);
      near("lossless x_max", ct_impact_largest_compression_m(&c), x_max, 1e-13);
      near("lossless time", ct_impact_contact_time_s(&c),
           2 * sqrt(M_PI) * tgamma(1 + q) / tgamma(0.5 + q) * x_max / v, 1e-12);
      near("lossless rebound", ct_impact_rebound_m_s(v, 0), -v, 1e-15);
      near("lossless x(v)", ct_impact_compression_m(&c, -0.6 * v), x_max * pow(0.64, q), 1e-13);
    }
}

/* alpha = 1 without loss is a spring: half a period. */
static void spring(void **state) {
  (void)state;
  ct_impact_case c = {0.5, 200, 1, 0, 3};
  near("half a period", ct_impact_contact_time_s(&c), M_PI / 20, 1e-13);
  near("amplitude", ct_impact_largest_compression_m(&c), 3.0 / 20, 1e-13);
}

/* E = 1 - 2/3 u + 4/9 u^2 - ... for small u (Hunt and Crossley 1975 have the first term); u E -> 1. */
static void restitution_limits(void **state) {
  (void)state;
  for (double u = 1e-6; u < 2e-3; u *= 3)
    near("small mu v", ct_impact_restitution(1, u), 1 - 2 * u / 3 + 4 * u * u / 9, 1e-15 + u * u * u);
  near("large mu v", ct_impact_rebound_m_s(500, 2), ct_impact_limit_m_s(2), 1e-15);
  assert_true(ct_impact_rebound_m_s(2, 2) > ct_impact_limit_m_s(2));
  assert_true(isinf(ct_impact_limit_m_s(0)));
}

/* Eq. 7 is the exact root up to the fourth power of mu v, and has the same limit. */
static void equation_7(void **state) {
  (void)state;
  for (double u = 1e-6; u < 0.1; u *= 3)
    near("eq. 7", ct_impact_rebound_eq7_m_s(1, u), ct_impact_rebound_m_s(1, u), 2e-15 + 0.2 * pow(u, 4));
  near("eq. 7 far out", ct_impact_rebound_eq7_m_s(100, 1), -1, 1e-15);
  double case_1 = ct_impact_rebound_eq7_m_s(0.3, 0.1) / ct_impact_rebound_m_s(0.3, 0.1) - 1;
  double case_2 = ct_impact_rebound_eq7_m_s(1, 0.5) / ct_impact_rebound_m_s(1, 0.5) - 1;
  printf("eq. 7 errs by %+.3e %% in case 1 and %+.3e %% in case 2 of Papetti et al.\n", 100 * case_1,
         100 * case_2);
  near("case 1", case_1, -3.3e-9, 0.02);
  near("case 2", case_2, 1.25e-4, 0.01);
}

/* The phase curve ends at 0, has its top at v = 0, and its slope there is dx/dv = -m v / f. */
static void phase_curve(void **state) {
  (void)state;
  ct_impact_case c = {0.01, 1e9, 1.5, 0.5, 4};
  double out = ct_impact_rebound_m_s(4, 0.5), top = ct_impact_largest_compression_m(&c);
  assert_true(ct_impact_compression_m(&c, 4) == 0 && ct_impact_compression_m(&c, out) == 0);
  assert_true(ct_impact_compression_m(&c, 5) == 0 && ct_impact_compression_m(&c, -3) == 0);
  near("top from above", ct_impact_compression_m(&c, 1e-9), top, 1e-13);
  near("top from below", ct_impact_compression_m(&c, -1e-9), top, 1e-13);
  for (double v = 0.99 * out; v < 4; v += 0.037) {
    double dv = 1e-6, x = ct_impact_compression_m(&c, v);
    double slope = (ct_impact_compression_m(&c, v + dv) - ct_impact_compression_m(&c, v - dv)) / (2 * dv);
    assert_true(fabs(slope * ct_impact_force_n(&c, x, v) + c.mass_kg * v) < 1e-7 * c.mass_kg * 4);
  }
  /* next to the touch a free mass has gone V = m v dv */
  double gap = 1e-9, v = 4 - gap;
  near("near the touch", ct_impact_compression_m(&c, v),
       pow(2.5 * 0.01 / 1e9 * 4 * (4 - v) / (1 + 0.5 * 4), 0.4), 1e-8);
}

/* tau ~ (m / k)^(1/(alpha+1)) at a given speed; a stiffness asked for by its contact time gives that time. */
static void contact_time(void **state) {
  (void)state;
  for (double alpha = 1.1; alpha < 3; alpha += 0.4)
    for (double tau = 2e-6; tau < 0.1; tau *= 5) {
      ct_impact_case c = {0.004, 1, alpha, 0.7, 1.3};
      c.stiffness = ct_impact_stiffness_for(&c, tau);
      near("round trip", ct_impact_contact_time_s(&c), tau, 1e-12);
      ct_impact_case heavier = c;
      heavier.mass_kg *= 32;
      near("power law", ct_impact_contact_time_s(&heavier), tau * pow(32, 1 / (alpha + 1)), 1e-12);
    }
}

/* Two free masses: momentum stays, the closing speed becomes E times the parting speed, and a wall is the
 * limit of a heavy partner. */
static void two_masses(void **state) {
  (void)state;
  ct_impact_pair before = {{0.02, 0.07}, {1.5, -0.4}}, after = ct_impact_pair_after(&before, 0.3);
  near("momentum", 0.02 * after.v_m_s[0] + 0.07 * after.v_m_s[1], 0.02 * 1.5 - 0.07 * 0.4, 1e-14);
  near("parting speed", after.v_m_s[1] - after.v_m_s[0], 1.9 * ct_impact_restitution(1.9, 0.3), 1e-14);
  near("reduced mass", ct_impact_reduced_mass_kg(0.02, 0.07), 0.02 * 0.07 / 0.09, 1e-15);
  near("a wall", ct_impact_reduced_mass_kg(0.02, 1e30), 0.02, 1e-15);
  ct_impact_pair wall = {{0.02, 1e30}, {1, 0}};
  near("rebound off a heavy mass", ct_impact_pair_after(&wall, 0.3).v_m_s[0], ct_impact_rebound_m_s(1, 0.3),
       1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),      cmocka_unit_test(wide_range),  cmocka_unit_test(first_integral_holds),
      cmocka_unit_test(lossless),   cmocka_unit_test(spring),      cmocka_unit_test(restitution_limits),
      cmocka_unit_test(equation_7), cmocka_unit_test(phase_curve), cmocka_unit_test(contact_time),
      cmocka_unit_test(two_masses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
