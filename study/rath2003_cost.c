/* What a path costs: direct search compares as many heights as the ball is wide; the queue three, at any
 * radius. */
#include "base/hash.h"
#include "base/text.h"
#include "drive/surface.h"
#include "study/figure.h"
#include "study/rath2003.h"
#include "study/rath2003_roll.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 120000 / (int)CT_SURFACE_BLOCK * (int)CT_SURFACE_BLOCK };

static const double step_m = 1e-4;

static void fill_white(double *heights_m) {
  for (int i = 0; i < COUNT; i++)
    heights_m[i] = 1e-3 * ct_hash_even(ct_hash_at(7, (uint64_t)i));
}

static void fill_kind(ct_surface_kind kind, double *heights_m) {
  const ct_surface_values values = {.depth_m = 2e-4, .length_m = 0.01, .density = 1, .beta = 2};
  ct_relief relief;
  ct_relief_make(&relief, kind, &values, step_m, 5, NULL);
  for (int b = 0; b < COUNT / (int)CT_SURFACE_BLOCK; b++)
    ct_relief_fill(&relief, 0, b, heights_m + b * (int)CT_SURFACE_BLOCK);
}

static ct_result count(const double *heights_m, double radius_m, double *path_m, double *per_point,
                       ct_error *error) {
  uint64_t comparisons = 0;
  ct_result result = rath_roll(heights_m, COUNT, step_m, radius_m, path_m, &comparisons, error);
  *per_point = (double)comparisons / COUNT;
  return result;
}

static ct_result find(double *heights_m, double *path_m, rath_cost *cost, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < RATH_RADII; i++) {
    cost[i].radius_m = 1e-3 * pow(10, i / 4.0);
    cost[i].search = 2 * floor(cost[i].radius_m / step_m * (1 + 1e-12)) + 1;
  }
  for (int kind = 0; kind < 3; kind++) {
    if (kind == 0)
      fill_white(heights_m);
    else
      fill_kind(kind == 1 ? CT_SURFACE_FRACTAL : CT_SURFACE_SINE, heights_m);
    for (int i = 0; i < RATH_RADII && result == CT_OK; i++) {
      double *to = kind == 0 ? &cost[i].white : kind == 1 ? &cost[i].fractal : &cost[i].periodic;
      result = count(heights_m, cost[i].radius_m, path_m, to, error);
    }
  }
  return result;
}

static ct_result write_costs(const ct_study_run *run, const rath_cost *cost, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "cost", "radius_m,search,white,fractal,periodic", &table, error);
  for (int i = 0; i < RATH_RADII && result == CT_OK; i++) {
    double row[] = {cost[i].radius_m, cost[i].search, cost[i].white, cost[i].fractal, cost[i].periodic};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static const char script[] =
    "set logscale xy\nset xlabel 'radius, m'\nset ylabel 'comparisons per grid point'\nset yrange [1:40000]\n"
    "set key top left\n"
    "plot D('cost') using (C('radius_m')):(C('search')) with linespoints pt 7 ps 0.7 lw 2 lc rgb exact title "
    "'direct search', \\\n"
    "  '' using (C('radius_m')):(C('white')) with linespoints pt 7 ps 0.7 lw 2 lc rgb ours title 'queue, "
    "white', \\\n"
    "  '' using (C('radius_m')):(C('fractal')) with linespoints pt 7 ps 0.7 lw 2 lc rgb rk4 title 'queue, "
    "fractal', \\\n"
    "  '' using (C('radius_m')):(C('periodic')) with linespoints pt 7 ps 0.7 lw 2 lc rgb verlet title "
    "'queue, periodic'\n";

ct_result rath_draw_cost(const ct_study_run *run, rath_cost cost[RATH_RADII], ct_error *error) {
  double *heights_m = calloc(COUNT, sizeof *heights_m), *path_m = calloc(COUNT, sizeof *path_m);
  ct_result result = heights_m && path_m ? find(heights_m, path_m, cost, error)
                                         : ct_fail(error, CT_NO_MEMORY, "no memory for a profile");
  free(heights_m);
  free(path_m);
  if (result == CT_OK && run->folder)
    result = write_costs(run, cost, error);
  return result == CT_OK && run->folder ? figure_draw(run, "cost", 1000, 420, "", script, error) : result;
}
