/* Figures 1 to 3: a rough profile, much exaggerated; a ball that follows it perfectly; the offset curve that
 * results; and what a low-pass filter, or a ball that only looks back, makes of it. */
#include "base/text.h"
#include "drive/trail.h"
#include "drive/surface.h"
#include "study/figure.h"
#include "study/rath2003.h"
#include "study/rath2003_roll.h"

#include <math.h>
#include <stdlib.h>

static ct_result no_memory(ct_error *error) { return ct_fail(error, CT_NO_MEMORY, "no memory for a path"); }

ct_result rath_roll(const double *heights_m, size_t count, double step_m, double radius_m, double *path_m,
                    uint64_t *comparisons, ct_error *error) {
  ct_roll_filter f = {0};
  ct_arena arena = {NULL, 0, 0};
  uint32_t reach = ct_roll_reach(radius_m, step_m), plenty;
  ct_roll_filter_lay(&f, &arena, reach);
  void *memory = malloc(arena.used);
  if (!memory)
    return no_memory(error);
  arena = (ct_arena){memory, arena.used, 0};
  ct_roll_filter_lay(&f, &arena, reach);
  ct_roll_filter_start(&f, radius_m, step_m);
  ct_roll_filter_prepare(&f, UINT32_MAX);
  for (size_t i = 0; i < count; i++) {
    plenty = UINT32_MAX;
    ct_roll_filter_feed(&f, heights_m[i], &plenty);
    if (ct_roll_filter_ready(&f))
      path_m[i - reach] = ct_roll_filter_offset_m(&f);
  }
  if (comparisons)
    *comparisons = f.comparisons;
  free(memory);
  return CT_OK;
}

/* ---- the picture's profile ---- */

enum { BLOCKS = 48, COUNT = BLOCKS * (int)CT_SURFACE_BLOCK, SHOWN_FROM = 536, SHOWN = 2000, BALLS = 3 };

static const double step_m = 5e-5, radius_m = 0.012;

typedef struct picture {
  double heights_m[COUNT], path_m[COUNT], smooth_m[COUNT], behind_m[COUNT];
} picture;

static double x_mm(int i) { return (i - SHOWN_FROM) * step_m * 1e3; }

static void fill_profile(picture *p) {
  const ct_surface_values values = {
      .depth_m = 8e-4, .length_m = 6e-3, .width_octaves = 2.5, .density = 1, .beta = 2};
  ct_relief relief;
  ct_relief_make(&relief, CT_SURFACE_NOISE, &values, step_m, 12, NULL);
  for (int b = 0; b < BLOCKS; b++)
    ct_relief_fill(&relief, 0, b, p->heights_m + b * (int)CT_SURFACE_BLOCK);
}

/* A Hann window as wide as the ball's usual hold on the profile, a third of its radius. */
static void smooth(picture *p) {
  int half = (int)(radius_m / 3 / step_m);
  for (int i = half; i < COUNT - half; i++) {
    double sum = 0, weight = 0;
    for (int k = -half; k <= half; k++) {
      double w = 1 + cos(M_PI * k / half);
      sum += w * p->heights_m[i + k];
      weight += w;
    }
    p->smooth_m[i] = sum / weight;
  }
}

/* Falls from every peak as the ball would, but does not see the next one coming. */
static void look_back(picture *p) {
  int reach = (int)ct_roll_reach(radius_m, step_m);
  for (int i = reach; i < COUNT; i++) {
    p->behind_m[i] = p->heights_m[i];
    for (int k = 0; k <= reach; k++) {
      double d = k * step_m;
      p->behind_m[i] =
          fmax(p->behind_m[i], p->heights_m[i - k] - radius_m + sqrt(radius_m * radius_m - d * d));
    }
  }
}

/* ---- tables ---- */

static ct_result write_curves(const ct_study_run *run, const picture *p, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(
      run, "fig1_path", "x_mm,profile_mm,offset_mm,centre_mm,smooth_mm,behind_mm", &table, error);
  for (int i = SHOWN_FROM; i < SHOWN_FROM + SHOWN && result == CT_OK; i += 2) {
    double row[] = {x_mm(i),
                    1e3 * p->heights_m[i],
                    1e3 * p->path_m[i],
                    1e3 * (p->path_m[i] + radius_m),
                    1e3 * p->smooth_m[i],
                    1e3 * p->behind_m[i]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

/* Where the circle at place i touches. */
static int touches_at(const picture *p, int i) {
  int reach = (int)ct_roll_reach(radius_m, step_m), best = i;
  double most = -INFINITY;
  for (int k = -reach; k <= reach; k++) {
    double d = k * step_m, top = p->heights_m[i + k] + sqrt(fmax(radius_m * radius_m - d * d, 0));
    if (top > most) {
      most = top;
      best = i + k;
    }
  }
  return best;
}

static ct_result write_balls(const ct_study_run *run, const picture *p, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "fig1_balls",
                                        "centre_x_mm,centre_mm,radius_mm,touch_x_mm,touch_mm", &table, error);
  for (int b = 0; b < BALLS && result == CT_OK; b++) {
    int i = SHOWN_FROM + SHOWN * (2 * b + 1) / (2 * BALLS), at = touches_at(p, i);
    double row[] = {x_mm(i), 1e3 * (p->path_m[i] + radius_m), 1e3 * radius_m, x_mm(at),
                    1e3 * p->heights_m[at]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

/* ---- pictures ---- */

static const char frame[] = "set xlabel 'distance, mm'\nset ylabel 'height, mm'\nset xrange [0:100]\n";

static const char balls_script[] =
    "set size ratio -1\nset key off\nset yrange [-4:28]\n"
    "plot D('fig1_path') using (C('x_mm')):(C('profile_mm')):(-4) with filledcurves y1=-4 lc rgb '#c9b79c', "
    "\\\n"
    "  '' using (C('x_mm')):(C('profile_mm')) with lines lw 1.2 lc rgb '#7a5c2e', \\\n"
    "  D('fig1_balls') using (C('centre_x_mm')):(C('centre_mm')):(C('radius_mm')) with circles lw 1.5 lc rgb "
    "rk4, \\\n"
    "  '' using (C('touch_x_mm')):(C('touch_mm')) with points pt 7 ps 0.9 lc rgb ours, \\\n"
    "  D('fig1_path') using (C('x_mm')):(C('centre_mm')) with lines lw 2 dt 2 lc rgb ours\n";

static const char offset_script[] = "set key top right\nset yrange [-2.5:3.2]\n"
                                    "plot D('fig1_path') using (C('x_mm')):(C('profile_mm')) with lines lw "
                                    "1.5 lc rgb '#7a5c2e' title 'profile s(x)', \\\n"
                                    "  '' using (C('x_mm')):(C('offset_mm')) with lines lw 2.5 lc rgb ours "
                                    "title 'offset: the ball''s centre, less its radius'\n";

static const char like_script[] =
    "set key top right\nset yrange [-2.5:3.6]\n"
    "plot D('fig1_path') using (C('x_mm')):(C('profile_mm')) with lines lw 1 lc rgb '#bba98a' title "
    "'profile', \\\n"
    "  '' using (C('x_mm')):(C('offset_mm')) with lines lw 2.5 lc rgb ours title 'rolled', \\\n"
    "  '' using (C('x_mm')):(C('behind_mm')) with lines lw 1.8 lc rgb rk4 title 'falls from each peak, sees "
    "none coming', \\\n"
    "  '' using (C('x_mm')):(C('smooth_mm')) with lines lw 1.8 lc rgb verlet title 'low-passed'\n";

ct_result rath_draw_path(const ct_study_run *run, ct_error *error) {
  picture *p = calloc(1, sizeof *p);
  if (!p)
    return no_memory(error);
  fill_profile(p);
  smooth(p);
  look_back(p);
  ct_result result = rath_roll(p->heights_m, COUNT, step_m, radius_m, p->path_m, NULL, error);
  if (result == CT_OK)
    result = write_curves(run, p, error);
  if (result == CT_OK)
    result = write_balls(run, p, error);
  free(p);
  if (result == CT_OK)
    result = figure_draw(run, "fig1", 1000, 400, frame, balls_script, error);
  if (result == CT_OK)
    result = figure_draw(run, "fig2", 1000, 420, frame, offset_script, error);
  return result == CT_OK ? figure_draw(run, "fig3", 1000, 420, frame, like_script, error) : result;
}
