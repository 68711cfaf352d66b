/* Figure 7: the plane of speed and pressure cut into behaviours, and the pitch it gives: the goblet's map as
 * the source weighs it, and the pitch heard while the speed is swept up and down again. */
#include "file/load.h"
#include "source/map.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <math.h>

enum { CELLS = 120, SWEEP_EVERY = 400 };

static const double sweep_s = 10, slow_m_s = 0.02, fast_m_s = 1;

static ct_result write_plane(figure_table *table, ct_map *map, ct_error *error) {
  ct_result result = CT_OK;
  for (int x = 0; x < CELLS; x++)
    for (int y = 0; y < CELLS && result == CT_OK; y++) {
      const double place[2] = {(x + 0.5) / CELLS, (y + 0.5) / CELLS};
      double weights[CT_REGIONS_MOST];
      map->now = map->region_count;
      ct_map_weigh(map, place, weights);
      double row[] = {log10(ct_axis_value(&map->axis[0], place[0])), ct_axis_value(&map->axis[1], place[1]),
                      map->now};
      result = figure_table_row(table, row, error);
    }
  return result;
}

static ct_result draw_map(const ct_study_run *run, ct_error *error) {
  ct_doc *doc = NULL;
  ct_source_def source;
  ct_region_def regions[CT_REGIONS_MOST];
  ct_outline outlines[CT_REGIONS_MOST];
  figure_table *table = NULL;
  ct_result result = ct_doc_load("goblet", &doc, error);
  if (result == CT_OK)
    result = ct_doc_source(doc, "finger", &source, regions, error);
  if (result == CT_OK) {
    ct_map map = {.axis = {source.x, source.y}, .region_count = source.region_count, .outlines = outlines};
    result = ct_map_fill(&map, regions, source.name, error);
    if (result == CT_OK)
      result = figure_table_begin(run, "fig7_plane", "log_speed,pressure,region", &table, error);
    if (result == CT_OK)
      result = write_plane(table, &map, error);
  }
  ct_doc_destroy(doc);
  return figure_table_end(table, result, error);
}

/* Up on a log scale in five seconds, and down again. */
static ct_result draw_sweep(const ct_study_run *run, ct_error *error) {
  enum { STEPS = 101 };
  static double times[STEPS], speeds[STEPS], pressures[STEPS];
  const char *const paths[] = {"finger.speed_m_s", "finger.pressure"};
  const double *const columns[] = {speeds, pressures};
  for (int i = 0; i < STEPS; i++) {
    double up = 1 - fabs(2.0 * i / (STEPS - 1) - 1);
    times[i] = sweep_s * i / (STEPS - 1);
    speeds[i] = slow_m_s * pow(fast_m_s / slow_m_s, up);
    pressures[i] = 0.5;
  }
  const ct_gesture sweep = {STEPS, 2, times, paths, columns};
  thoret_sound sound;
  figure_table *table;
  ct_result result = thoret_record(&(thoret_play){.scene = "goblet",
                                                  .gesture = &sweep,
                                                  .tap = {"finger.f0_hz", "finger.speed_m_s"},
                                                  .seconds = sweep_s},
                                   &sound, error);
  if (result != CT_OK)
    return result;
  result = figure_table_begin(run, "fig7_pitch", "time_s,speed_m_s,f0_hz,up", &table, error);
  for (size_t i = 0; i < sound.count && result == CT_OK; i += SWEEP_EVERY) {
    double row[] = {(double)i / THORET_RATE, sound.tap[1][i], sound.tap[0][i], i < sound.count / 2};
    result = figure_table_row(table, row, error);
  }
  thoret_sound_free(&sound);
  return figure_table_end(table, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.07,0.98,0.14,0.9 spacing 0.1\n"
    "set key off\nunset grid\nset title 'Figure 7: behaviours over speed and pressure'\nset xlabel 'speed, "
    "m/s'\n"
    "set ylabel 'pressure' offset 1\n"
    "set xrange [log10(0.02):0]\nset yrange [0:1]\n"
    "set xtics ('0.02' log10(0.02), '0.05' log10(0.05), '0.1' -1, '0.2' log10(0.2), '0.5' log10(0.5), '1' "
    "0)\n"
    "set palette maxcolors 5 defined (0 '#f2bf73', 1 '#73b2d9', 2 '#4f8fc0', 3 '#e3ad5f', 4 '#ccc9c4')\n"
    "set cbrange [-0.5:4.5]\nunset colorbox\n"
    "set label 1 'squeaks' at log10(0.04),0.6 center front\nset label 2 'sings' at log10(0.2),0.45 center "
    "front\n"
    "set label 3 'sings, next mode' at log10(0.2),0.87 center front\n"
    "set label 4 'squeaks' at log10(0.72),0.6 center front\nset label 5 'slides' at log10(0.15),0.1 center "
    "front\n"
    "plot D('fig7_plane') using 1:2:3 with image\n"
    "unset label\nset grid\nset key top left\nset title 'pitch at pressure 0.5, speed swept up and down'\n"
    "set ylabel 'fundamental, Hz' offset 1\nset xlabel 'speed, m/s'\nset xrange "
    "[0.02:1]\nset yrange [200:4000]\nset logscale xy\n"
    "set xtics (0.02, 0.05, 0.1, 0.2, 0.5, 1)\nset ytics (200, 529.3, 1000, 2000, 4000)\n"
    "plot D('fig7_pitch') using (C('up') > 0 ? C('speed_m_s') : 1/0):(C('f0_hz')) with points pt 7 ps 0.4 lc "
    "rgb ours title 'faster', \\\n"
    "  '' using (C('up') > 0 ? 1/0 : C('speed_m_s')):(C('f0_hz')) with points pt 7 ps 0.4 lc rgb rk4 title "
    "'slower'\n"
    "unset multiplot\n";

ct_result thoret_draw_plane(const ct_study_run *run, ct_error *error) {
  ct_result result = draw_map(run, error);
  if (result == CT_OK)
    result = draw_sweep(run, error);
  return result == CT_OK ? figure_draw(run, "fig7", 1200, 480, "", plot, error) : result;
}
