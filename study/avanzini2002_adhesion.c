/* Figure 3: alpha(v, z). The bow slides on a wall, its bristles bent beforehand or not; from one sample to
 * the next eq. 4 is solved for alpha. */
#include "study/avanzini2002.h"
#include "study/figure.h"

#include <math.h>

static const double bent_m_s = 0.01, bent_s = 0.03; /* slowly: up to almost f_s / sigma_0 */
static const double fastest_m_s = 0.3;

enum { SPEEDS = 30 };

/* Bristles that give way over many samples. */
static bow soft_bow(void) {
  bow b = bow_cello();
  b.on_wall = true;
  b.rate_hz *= 8;
  b.friction.bristle_n_m = 1e4;
  b.friction.bristle_damping_n_s_m = 1;
  b.friction.mu_static = 0.45;
  b.friction.mu_dynamic = 0.2;
  b.friction.stribeck_m_s = 0.1;
  return b;
}

static const double normal_n = 1.1;

static double z_ss(const ct_friction_def *f, double v) {
  return bow_steady_mu(f, v) * normal_n / f->bristle_n_m;
}

static double z_ba(const ct_friction_def *f) {
  return f->breakaway * f->mu_dynamic * normal_n / f->bristle_n_m;
}

/* Eqs. 7 and 8, with |z|. */
static double printed_alpha(const ct_friction_def *f, double v, double z) {
  double steady = z_ss(f, v), free_to = z_ba(f), size = fabs(z);
  if (v * z <= 0 || size <= free_to)
    return 0;
  return size >= steady ? 1 : (1 + sin(M_PI * (size - (steady + free_to) / 2) / (steady - free_to))) / 2;
}

/* ---- the engine's ---- */

typedef struct looking {
  figure_table *table; /* null: only looked at */
  bowed_adhesion *found;
  double last_z;
} looking;

static const double apart_m = 0.5e-6; /* rows of a column */

static ct_result look(looking *l, const ct_friction_def *f, double v, double z, double rate,
                      ct_error *error) {
  if (fabs(z - l->last_z) < apart_m || fabs(z) < apart_m)
    return CT_OK;
  double steady = copysign(z_ss(f, v), v), alpha = (1 - rate / v) * steady / z,
         printed = printed_alpha(f, v, z);
  l->last_z = z;
  l->found->points++;
  l->found->worst = fmax(l->found->worst, fabs(alpha - printed));
  return l->table ? figure_table_row(l->table, (double[]){v, z, printed, alpha}, error) : CT_OK;
}

/* Bent by a slow slide (0: not at all), then at speed v for as long as it takes. */
static ct_result slide(looking *l, double bent, double v, ct_error *error) {
  bow b = soft_bow();
  const ct_friction_def *f = &b.friction;
  double bending_s = bent != 0 ? bent_s : 0, way = 3 * z_ss(f, 0), jump_s = 1e-9;
  const bow_row rows[] = {
      {0, bent, normal_n, 0}, {bending_s, bent, normal_n, 0}, {bending_s + jump_s, v, normal_n, 0}};
  bow_trace t;
  b.rows = rows;
  b.row_count = 3;
  ct_result result = bow_play(&b, bending_s + way / fabs(v), &t, error);
  l->last_z = INFINITY;
  for (uint32_t n = (uint32_t)(bending_s * b.rate_hz) + 3; n < t.count && result == CT_OK; n++)
    result = look(l, f, v, (t.bristle_m[n] + t.bristle_m[n - 1]) / 2,
                  (t.bristle_m[n] - t.bristle_m[n - 1]) * b.rate_hz, error);
  bow_trace_free(&t);
  return result;
}

/* Not bent, bent the way it goes, bent against it. */
static ct_result slide_all(looking *l, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 1; i <= SPEEDS; i++)
    for (int sign = -1; sign <= 1; sign += 2)
      for (int bent = -1; bent <= 1 && result == CT_OK; bent++)
        result = slide(l, bent * bent_m_s, sign * fastest_m_s * i / SPEEDS, error);
  return result;
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.075,0.985,0.14,0.91 spacing 0.16\n"
    "fc = 0.2*1.1; fs = 0.45*1.1; zba = 0.7*fc/1e4*1e6\n"
    "zss(v) = (fc + (fs - fc)*exp(-(v/0.1)**2))/1e4*1e6\n"
    "set title 'adhesion α(v, z), read off the bristles'\n"
    "set xlabel 'relative velocity v, m/s'\n"
    "set ylabel 'bristle deflection z, µm' offset 1\n"
    "set xrange [-0.305:0.305]\n"
    "set yrange [-50:50]\n"
    "set palette defined (0 '#f4f4f4', 0.5 '#8fbcdb', 1 '#1f4f8b')\n"
    "set cbrange [0:1]\n"
    "set colorbox user origin 0.475,0.14 size 0.012,0.77\n"
    "set key at graph 0.3,0.95\n"
    "set samples 400\n"
    "plot D('fig3_adhesion') using (C('v_m_s')):(1e6*C('z_m')):(0.005):(0.9):(C('contatto')) with boxxyerror "
    "fs solid noborder lc palette notitle, zss(x)*sgn(x) with lines lw 1.5 lc rgb ours title 'z_ss', "
    "zba*sgn(x) with lines dt 2 lw 1.5 lc rgb exact title 'z_ba'\n"
    "unset colorbox\n"
    "set title 'along z, against eqs. 7 and 8'\n"
    "set xlabel 'z, µm'\n"
    "set ylabel 'α' offset 1\n"
    "set xrange [0:50]\n"
    "set yrange [-0.05:1.1]\n"
    "set key default\nset key bottom right samplen 2\n"
    "array speed[3] = [0.02, 0.1, 0.2]\n"
    "array tint[3] = [rk4, heun, ours]\n"
    "a(v, z) = z < zba ? 0 : z > zss(v) ? 1 : 0.5*(1 + sin(pi*(z - 0.5*(zss(v) + zba))/(zss(v) - zba)))\n"
    "plot for [i=1:3] a(speed[i], x) with lines lw 1.5 lc rgb tint[i] title sprintf('eq. 8, %g m/s', "
    "speed[i]), "
    "for [i=1:3] D('fig3_adhesion') using (abs(C('v_m_s')-speed[i])<1e-6 ? 1e6*C('z_m') : "
    "NaN):(C('contatto')) "
    "with points pt 7 ps 0.5 lc rgb tint[i] notitle\n"
    "unset multiplot\n";

ct_result bowed_draw_adhesion(const ct_study_run *run, bowed_adhesion *found, ct_error *error) {
  looking l = {.found = found};
  *found = (bowed_adhesion){0};
  ct_result result = run->folder
                         ? figure_table_begin(run, "fig3_adhesion", "v_m_s,z_m,eq8,contatto", &l.table, error)
                         : CT_OK;
  if (result == CT_OK)
    result = slide_all(&l, error);
  result = figure_table_end(l.table, result, error);
  return result == CT_OK && run->folder ? figure_draw(run, "fig3", 1100, 430, "", plot, error) : result;
}
