/* The plane of velocity and force while a body sings: a loop, not the steady curve (figure 7 of 2002). At
 * eight times the rate, so that its corners show. */
#include "study/avanzini2005.h"
#include "study/figure.h"

#include <math.h>

typedef struct loop {
  const char *file;
  double bristle_n_m;
} loop;

static const loop loops[] = {{"loop_soft", 2e4}, {"loop_glass", 1e5}, {"loop_stiff", 1e7}};

enum { LOOPS = 3 };

/* The last periods of the glass; eq. 4 beside each point. */
static ct_result write_loop(const ct_study_run *run, const loop *l, ct_error *error) {
  rub r = rub_glass();
  rub_trace t;
  figure_table *table;
  r.rate_hz *= 8;
  r.rise_s = 0;
  r.friction.bristle_n_m = l->bristle_n_m;
  ct_result result = rub_play(&r, 0.8, (rub_wanted){.motion = true}, &t, error);
  if (result != CT_OK)
    return result;
  uint32_t shown = (uint32_t)(4 * r.rate_hz / r.modes[0].hz);
  const ct_friction_def *f = &r.friction;
  result = figure_table_begin(run, l->file, "time_s,slip_m_s,force_n,eq4_n,v_m_s", &table, error);
  for (uint32_t n = t.count - shown; n < t.count && result == CT_OK; n++) {
    double v = t.slip_m_s[n], u = v / f->stribeck_m_s;
    double steady = f->normal_n * (f->mu_dynamic + (f->mu_static - f->mu_dynamic) * exp(-u * u));
    double row[] = {n / r.rate_hz, v, t.force_n[n], copysign(steady, v), t.v_m_s[n]};
    result = figure_table_row(table, row, error);
  }
  rub_trace_free(&t);
  return figure_table_end(table, result, error);
}

static const char plot[] =
    "set multiplot layout 1,3 margins 0.055,0.99,0.15,0.9 spacing 0.05\n"
    "array file[3] = ['loop_soft', 'loop_glass', 'loop_stiff']\n"
    "array named[3] = ['σ0 = 2e4 N/m', 'σ0 = 1e5 N/m', 'σ0 = 1e7 N/m']\n"
    "set xlabel 'slip, m/s'\n"
    "set ylabel 'friction, N' offset 1\n"
    "set xrange [-0.03:0.2]\n"
    "set yrange [-0.35:0.36]\n"
    "set key bottom right\n"
    "set ytics 0.1\n"
    "do for [i=1:3] {\n"
    "  set title 'glass, '.named[i]\n"
    "  plot D(file[i]) using (C('slip_m_s')):(C('force_n')) with lines lw 1.3 lc rgb ours title 'contatto',  "
    " 0.5*(0.3+0.3*exp(-(x/0.1)**2)) with lines dt 2 lw 1.5 lc rgb exact title 'steady, eq. 4'\n"
    "}\n"
    "unset multiplot\n";

ct_result avanzini_draw_loop(const ct_study_run *run, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < LOOPS && result == CT_OK; i++)
    result = write_loop(run, &loops[i], error);
  return result == CT_OK ? figure_draw(run, "loop", 1200, 400, "", plot, error) : result;
}
