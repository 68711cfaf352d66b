/* The same can rolled and slid: is the turning heard? An ear that listens for a rhythm finds the strongest
 * one there is, so that is what is judged: the largest line in the modulation of the sound's power, wherever
 * it is, in four seconds at the scene's own settings, and again over many tables. A line at the rate of
 * turning in one sound says little: roughness makes lines of its own anywhere, and whoever looks at one
 * frequency only finds what he looked for. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "file/crew.h"
#include "study/figure.h"
#include "study/rath2003.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  RATE = 48000,
  CANS = 2,
  EVERY = RATE / 100,
  POWERS = 400,
  FRAMES = POWERS * EVERY,
  SETTLED = RATE / 2
};
enum { LINES = 925 };

static const double low_hz = 1.5, line_step_hz = 0.02; /* slower than a turn in the demo, up to 20 Hz */

static double line_hz(uint32_t i) { return low_hz + i * line_step_hz; }

/* ---- one table ---- */

typedef struct table {
  double sound[CANS][FRAMES];
  double depth[CANS][LINES]; /* of the modulation at each rate */
} table;

/* The cans at the speed of the demo's second part, one on each channel. */
static ct_result record(uint64_t seed, double asymmetry_m, table *t, ct_error *error) {
  static const double times[] = {0, 0.2}, speeds[] = {0, RATH_CAN_SPEED_M_S}, *const values[] = {speeds};
  static const char *const paths[] = {"speed"};
  const ct_gesture gesture = {2, 1, times, paths, values};
  ct_render_def def = {
      .rate_hz = RATE, .seconds = (double)(SETTLED + FRAMES) / RATE, .seed = seed, .gesture = &gesture};
  ct_doc *doc = NULL;
  ct_render *render = NULL;
  ct_render_block b = {.frames = 1};
  ct_result result = ct_doc_load("slide", &doc, error);
  if (result == CT_OK)
    result = ct_doc_set_number(doc, "left.pan", -1, error);
  if (result == CT_OK)
    result = ct_doc_set_number(doc, "right.pan", 1, error);
  if (result == CT_OK && asymmetry_m > 0)
    result = ct_doc_set_number(doc, "asymmetry", asymmetry_m, error);
  if (result == CT_OK)
    result = ct_render_open(doc, &def, &render, error);
  while (result == CT_OK && b.frames && (result = ct_render_next(render, &b, error)) == CT_OK)
    for (uint32_t i = 0; i < b.frames; i++)
      for (int c = 0; c < CANS; c++)
        if (b.start + i >= SETTLED && b.start + i < SETTLED + FRAMES)
          t->sound[c][b.start + i - SETTLED] = (double)b.outputs[c][i];
  ct_render_close(render);
  ct_doc_destroy(doc);
  return result;
}

/* Amplitude of the power's modulation at every rate, as a share of its mean: a sine fitted to it under a Hann
 * window. */
static void find_lines(const double *sound, double depth[LINES]) {
  double power[POWERS] = {0}, mean = 0;
  for (int n = 0; n < FRAMES; n++)
    power[n / EVERY] += sound[n] * sound[n];
  for (int n = 0; n < POWERS; n++)
    mean += power[n] / POWERS;
  for (uint32_t i = 0; i < LINES; i++) {
    double re = 0, im = 0;
    for (int n = 0; n < POWERS && mean > 0; n++) {
      double angle = 2 * M_PI * line_hz(i) * n * EVERY / RATE;
      double part = (1 - cos(2 * M_PI * (n + 0.5) / POWERS)) * (power[n] / mean - 1) * 2 / POWERS;
      re += part * cos(angle);
      im += part * sin(angle);
    }
    depth[i] = hypot(re, im);
  }
}

static rath_line largest_line(const double depth[LINES]) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < LINES; i++)
    best = depth[i] > depth[best] ? i : best;
  return (rath_line){line_hz(best), depth[best]};
}

/* ---- many tables ---- */

typedef struct tables {
  const ct_study_run *run;
  rath_turning *turning;
  double asymmetry_m;           /* 0: the scene's own */
  double (*depth)[CANS][LINES]; /* of each seed */
  double (*first)[FRAMES];      /* sounds of the first seed */
} tables;

static ct_result one_table(void *context, uint32_t index, ct_error *error) {
  tables *all = context;
  table *t = calloc(1, sizeof *t);
  if (!t)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a sound");
  ct_result result = record(index + 1, all->asymmetry_m, t, error);
  for (int c = 0; c < CANS && result == CT_OK; c++) {
    find_lines(t->sound[c], t->depth[c]);
    all->turning->line[c][index] = largest_line(t->depth[c]);
  }
  memcpy(all->depth[index], t->depth, sizeof t->depth);
  if (index == 0)
    memcpy(all->first, t->sound, sizeof t->sound);
  free(t);
  return result;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A line is as wide as the sound is short: four seconds tell rates a quarter of a hertz apart. */
static void judge(rath_turning *t) {
  double depth[CANS][RATH_SEEDS], width_hz = (double)RATE / FRAMES;
  t->turn_hz = RATH_CAN_SPEED_M_S / (2 * M_PI * RATH_CAN_RADIUS_M);
  for (int s = 0; s < RATH_SEEDS; s++) {
    for (int c = 0; c < CANS; c++) {
      depth[c][s] = t->line[c][s].depth;
      t->at_turn[c] += fabs(t->line[c][s].hz - t->turn_hz) <= width_hz;
    }
    t->larger += t->line[0][s].depth > t->line[1][s].depth;
  }
  for (int c = 0; c < CANS; c++) {
    qsort(depth[c], RATH_SEEDS, sizeof depth[c][0], by_size);
    t->least[c] = depth[c][0];
    t->median[c] = (depth[c][RATH_SEEDS / 2 - 1] + depth[c][RATH_SEEDS / 2]) / 2;
    t->most[c] = depth[c][RATH_SEEDS - 1];
  }
}

/* ---- the figure ---- */

static ct_result write_mean(const tables *all, ct_error *error) {
  figure_table *out;
  ct_result result = figure_table_begin(all->run, "turning", "hz,rolled,slid", &out, error);
  for (uint32_t i = 0; i < LINES && result == CT_OK; i++) {
    double row[3] = {line_hz(i)};
    for (int s = 0; s < RATH_SEEDS; s++)
      for (int c = 0; c < CANS; c++)
        row[1 + c] += all->depth[s][c][i] / RATH_SEEDS;
    result = figure_table_row(out, row, error);
  }
  return figure_table_end(out, result, error);
}

static ct_result write_largest(const tables *all, ct_error *error) {
  figure_table *out;
  ct_result result =
      figure_table_begin(all->run, "turning_lines", "seed,rolled_hz,rolled,slid_hz,slid", &out, error);
  for (int s = 0; s < RATH_SEEDS && result == CT_OK; s++) {
    const rath_line *rolled = &all->turning->line[0][s], *slid = &all->turning->line[1][s];
    double row[] = {s + 1.0, rolled->hz, rolled->depth, slid->hz, slid->depth};
    result = figure_table_row(out, row, error);
  }
  return figure_table_end(out, result, error);
}

static const char script[] =
    "set multiplot layout 1,3 margins 0.06,0.98,0.18,0.91 spacing 0.06\nunset colorbox\n"
    "set title 'rolled'\nplot D('rolled') using 1:2:3 with image\n"
    "unset ylabel\nset title 'slid'\nplot D('slid') using 1:2:3 with image\n"
    "set title '32 tables: mean, and the largest line of each'\nset grid\nset ytics auto\nset yrange [0:1]\n"
    "set xrange [1:20]\nset key top right\nset xlabel 'modulation of the power, Hz'\n"
    "plot D('turning') using (C('hz')):(C('rolled')) with lines lw 2 lc rgb ours title 'rolled', \\\n"
    "  '' using (C('hz')):(C('slid')) with lines lw 1.5 lc rgb rk4 title 'slid', \\\n"
    "  D('turning_lines') using (C('rolled_hz')):(C('rolled')) with points pt 7 ps 0.6 lc rgb ours notitle, "
    "\\\n"
    "  '' using (C('slid_hz')):(C('slid')) with points pt 6 ps 0.6 lc rgb rk4 notitle\n"
    "unset multiplot\n";

static ct_result draw(const tables *all, ct_error *error) {
  static const char *const names[CANS] = {"rolled", "slid"};
  size_t shown = 3 * (size_t)RATE;
  ct_result result = CT_OK;
  for (int c = 0; c < CANS && result == CT_OK; c++)
    result = figure_spectrogram(all->run, names[c], all->first[c], shown, RATE, error);
  if (result == CT_OK)
    result = write_mean(all, error);
  if (result == CT_OK)
    result = write_largest(all, error);
  return result == CT_OK ? figure_draw(all->run, "turning", 1200, 400, rath_palette, script, error) : result;
}

/* As the scene has it. */
static ct_result own_asymmetry(double *asymmetry_m, ct_error *error) {
  ct_doc *doc = NULL;
  ct_result result = ct_doc_load("slide", &doc, error);
  for (uint32_t i = 0; result == CT_OK && i < ct_doc_control_count(doc); i++)
    if (strcmp(ct_doc_control(doc, i).name, "asymmetry") == 0)
      *asymmetry_m = ct_doc_control(doc, i).value;
  ct_doc_destroy(doc);
  return result;
}

static ct_result hear(tables *all, ct_error *error) {
  *all->turning = (rath_turning){.asymmetry_m = all->asymmetry_m};
  ct_result result = all->asymmetry_m > 0 ? CT_OK : own_asymmetry(&all->turning->asymmetry_m, error);
  if (result == CT_OK)
    result = ct_crew_run(0, RATH_SEEDS, one_table, all, error);
  if (result == CT_OK)
    judge(all->turning);
  return result;
}

ct_result rath_draw_turning(const ct_study_run *run, rath_turning turning[RATH_OFFSETS], ct_error *error) {
  static const double asymmetry_m[RATH_OFFSETS] = {0, 0.004, 0.0008};
  tables all = {
      .run = run, .depth = calloc(RATH_SEEDS, sizeof *all.depth), .first = calloc(CANS, sizeof *all.first)};
  ct_result result =
      all.depth && all.first ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory for the sounds");
  for (int i = 0; i < RATH_OFFSETS && result == CT_OK; i++) {
    all.turning = &turning[i];
    all.asymmetry_m = asymmetry_m[i];
    result = hear(&all, error);
    if (result == CT_OK && run->folder && i == 0)
      result = draw(&all, error);
  }
  free(all.depth);
  free(all.first);
  return result;
}
