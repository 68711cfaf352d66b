/* Figures 1 to 3: what the closed forms say. */
#include "study/figure.h"
#include "study/papetti2009.h"

#include <math.h>

enum { SPEEDS = 4, POINTS = 300 };

/* v from v_in to v_out, dense at both ends, where x rises steeply. */
static double velocity_at(const ct_impact_case *c, int i) {
  double out = ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m);
  return out + (c->speed_m_s - out) * (1 + cos(M_PI * i / (POINTS - 1))) / 2;
}

static ct_impact_case case_at(int speed) {
  ct_impact_case c = papetti_cases[1];
  c.speed_m_s = 1 + speed;
  return c;
}

/* ---- figures 1 and 2 ---- */

static ct_result write_portraits(const ct_study_run *run, ct_error *error) {
  figure_table *t;
  ct_result result =
      figure_table_begin(run, "fig1", "v1_m_s,x1_m,v2_m_s,x2_m,v3_m_s,x3_m,v4_m_s,x4_m", &t, error);
  for (int i = 0; i < POINTS && result == CT_OK; i++) {
    double row[2 * SPEEDS];
    for (int s = 0; s < SPEEDS; s++) {
      ct_impact_case c = case_at(s);
      row[2 * s] = velocity_at(&c, i);
      row[2 * s + 1] = ct_impact_compression_m(&c, row[2 * s]);
    }
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

/* The elastic part, k x^alpha, over the compressions of the fastest. */
static ct_result write_loops(const ct_study_run *run, ct_error *error) {
  figure_table *t;
  ct_result result =
      figure_table_begin(run, "fig2", "x1_m,f1_n,x2_m,f2_n,x3_m,f3_n,x4_m,f4_n,x_m,elastic_n", &t, error);
  for (int i = 0; i < POINTS && result == CT_OK; i++) {
    double row[2 * SPEEDS + 2];
    ct_impact_case c;
    for (int s = 0; s < SPEEDS; s++) {
      c = case_at(s);
      double v = velocity_at(&c, i);
      row[2 * s] = ct_impact_compression_m(&c, v);
      row[2 * s + 1] = ct_impact_force_n(&c, row[2 * s], v);
    }
    row[2 * SPEEDS] = ct_impact_largest_compression_m(&c) * i / (POINTS - 1);
    row[2 * SPEEDS + 1] = ct_impact_force_n(&c, row[2 * SPEEDS], 0);
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static const char shades[] = "array shade[4] = ['#9ecae1', '#4292c6', '#1f5f8b', '#0b2f52']\n";

static const char portraits[] =
    "set xlabel 'compression, µm'\nset ylabel 'velocity, m/s'\nset xrange [-35:115]\nset yrange [-2.4:4.6]\n"
    "set key top right\n"
    "set arrow from -35,-2 to 115,-2 nohead dt 3 lw 1.5 lc rgb ours\n"
    "set label 'v_lim = -1/µ' at 113,-1.83 right tc rgb ours\n"
    "set label 'arrives' at -34,1.2 tc rgb '#555555'\nset label 'leaves' at -34,-0.5 tc rgb '#555555'\n"
    "do for [i=1:4] {\n"
    "  set arrow from -35,word(v_in, i)+0 to 0,word(v_in, i)+0 nohead dt 2 lw 1.5 lc rgb shade[i]\n"
    "  set arrow from -35,word(v_out, i)+0 to 0,word(v_out, i)+0 nohead dt 2 lw 1.5 lc rgb shade[i]\n"
    "}\n"
    "plot for [i=1:4] D('fig1') using (1e6*C('x'.i.'_m')):(C('v'.i.'_m_s')) with lines lw 2 lc rgb shade[i] "
    "title 'v_in = '.i.' m/s'\n";

static const char loops[] =
    "set xlabel 'compression, µm'\nset ylabel 'force, N'\nset xrange [0:105]\nset yrange [0:1600]\n"
    "set key top left Left reverse\n"
    "plot for [i=1:4] D('fig2') using (1e6*C('x'.i.'_m')):(C('f'.i.'_n')) with lines lw 2 lc rgb shade[i] "
    "title 'v_in = '.i.' m/s', D('fig2') using (1e6*C('x_m')):(C('elastic_n')) with lines lw 1.5 dt 2 lc rgb "
    "exact title 'nothing lost: k x^α'\n";

static ct_result draw_portraits(const ct_study_run *run, ct_error *error) {
  char head[600], out[200];
  size_t at = 0;
  for (int s = 0; s < SPEEDS; s++)
    at += (size_t)snprintf(out + at, sizeof out - at, "%.9f ",
                           ct_impact_rebound_m_s(1 + s, papetti_cases[1].damping_s_m));
  snprintf(head, sizeof head, "v_in = '1 2 3 4'\nv_out = '%s'\n%s", out, shades);
  ct_result result = write_portraits(run, error);
  if (result == CT_OK)
    result = figure_draw(run, "fig1", 760, 520, head, portraits, error);
  if (result == CT_OK)
    result = write_loops(run, error);
  if (result == CT_OK)
    result = figure_draw(run, "fig2", 760, 480, shades, loops, error);
  return result;
}

/* ---- figure 3 ---- */

static double eq7_error_pct(double u) {
  return 100 * (ct_impact_rebound_eq7_m_s(1, u) / ct_impact_rebound_m_s(1, u) - 1);
}

static ct_result write_eq7(const ct_study_run *run, ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(run, "fig3", "mu_v_in,error_pct", &t, error);
  for (int i = 0; i <= 500 && result == CT_OK; i++) {
    double u = pow(10, -2 + 3.2 * i / 500);
    result = figure_table_row(t, (double[]){u, eq7_error_pct(u)}, error);
  }
  return figure_table_end(t, result, error);
}

static const char eq7_plot[] =
    "set multiplot layout 1,2 margins 0.07,0.98,0.14,0.95 spacing 0.12\n"
    "set xlabel 'µ v_in'\nset ylabel 'error of eq. 7, %' offset 1\nset xrange [0:10]\nunset key\n"
    "plot D('fig3') using (C('mu_v_in')):(C('error_pct')) with lines lw 2 lc rgb '#1f5f8b'\n"
    "set logscale xy\nset xrange [0.01:10]\nset yrange [1e-9:10]\nset format y '%.0e'\nset format x '%g'\n"
    "set ylabel 'size of the error, %' offset 0.5\nset key bottom right\n"
    "set label 'case 1' at 0.034,e1 left offset 0.6,-0.4\nset label 'case 2' at 0.55,e2 left offset "
    "0.3,-0.8\n"
    "plot D('fig3') using (C('mu_v_in')):(abs(C('error_pct'))) with lines lw 2 lc rgb '#1f5f8b' title 'eq. "
    "7', "
    "'+' using (0.03):(e1) every ::0::0 with points pt 7 ps 1.3 lc rgb '#1f5f8b' title 'the two cases', "
    "'+' using (0.5):(e2) every ::0::0 with points pt 7 ps 1.3 lc rgb '#1f5f8b' notitle, "
    "'+' using (0.03):(1e-2) every ::0::0 with points pt 2 ps 1.5 lw 2 lc rgb ours title 'as table 1 says', "
    "'+' using (0.5):(1e-4) every ::0::0 with points pt 2 ps 1.5 lw 2 lc rgb ours notitle\n"
    "unset multiplot\n";

static ct_result draw_eq7(const ct_study_run *run, ct_error *error) {
  char head[100];
  snprintf(head, sizeof head, "e1 = %.9e\ne2 = %.9e\n", fabs(eq7_error_pct(0.03)), fabs(eq7_error_pct(0.5)));
  ct_result result = write_eq7(run, error);
  return result == CT_OK ? figure_draw(run, "fig3", 1000, 420, head, eq7_plot, error) : result;
}

ct_result papetti_draw_curves(const ct_study_run *run, ct_error *error) {
  ct_result result = draw_portraits(run, error);
  return result == CT_OK ? draw_eq7(run, error) : result;
}
