/* Presliding: a block held by friction alone, pushed again and again below breakaway. Elasto-plastic bristles
 * are elastic there (alpha is 0 for |z| < z_ba, eq. 5) and bring it back; LuGre's give way a little at every
 * push, and it drifts. Lengths are in units of z_ba. */
#include "study/avanzini2005.h"
#include "study/figure.h"

#include <math.h>

enum { RATE_HZ = 8000, PUSH = 20, SHOWN = 20, REST = 400, LAWS = 2 };

static const ct_law laws[LAWS] = {CT_ELASTO_PLASTIC, CT_LUGRE};
static const uint32_t counts[] = {1,   2,    5,    10,   20,    50,    100,   200,
                                  500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};

enum { PUSHED, PLACE, BRISTLE, HANDLES };

typedef struct block {
  ct_scene *scene;
  ct_handle handles[HANDLES];
  double breakaway_n, breakaway_m;
  double most; /* |z| so far */
} block;

/* ---- the block
 * ---------------------------------------------------------------------------------------------------------
 */

static ct_result add_bodies(ct_scene *scene, ct_error *error) {
  ct_mode_def mass = {.mass_kg = 0.01};
  ct_point_def point = {.name = "at"};
  ct_modal_def body = ct_default_modal_def();
  ct_hand_def floor = ct_default_hand_def();
  body.name = "block";
  body.modes = &mass;
  body.points = &point;
  body.mode_count = body.point_count = 1;
  floor.name = "floor";
  ct_result result = ct_added(ct_scene_add_modal(scene, &body, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_hand(scene, &floor, error), error) : result;
}

static ct_result add_bristles(block *b, ct_law law, ct_error *error) {
  ct_friction_def def = ct_default_friction_def();
  def.name = "rub";
  def.a = "block.at";
  def.b = "floor.at";
  def.law = law;
  def.bristle_n_m = 1e6;
  def.bristle_damping_n_s_m = 100; /* half critical */
  b->breakaway_n = def.breakaway * def.mu_dynamic * def.normal_n;
  b->breakaway_m = b->breakaway_n / def.bristle_n_m;
  return ct_added(ct_scene_add_friction(b->scene, &def, error), error);
}

static ct_result find(block *b, ct_error *error) {
  const char *const paths[HANDLES] = {"block.at.tangential_force_n", "block.at.tangential_x_m",
                                      "rub.deflection_m"};
  ct_result result = CT_OK;
  ct_scene_process(b->scene, &(ct_io){.frames = 0});
  for (int i = 0; i < HANDLES && result == CT_OK; i++)
    result = ct_scene_resolve(b->scene, paths[i], &b->handles[i], error);
  return result;
}

static ct_result put_down(block *b, ct_law law, ct_error *error) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = RATE_HZ;
  def.bodies = 2;
  def.contacts = def.pickups = def.controls = def.targets = 1;
  def.pool_bytes = 1 << 14;
  *b = (block){0};
  ct_result result = ct_scene_create(&def, &b->scene, error);
  if (result == CT_OK)
    result = add_bodies(b->scene, error);
  if (result == CT_OK)
    result = add_bristles(b, law, error);
  return result == CT_OK ? find(b, error) : result;
}

/* ---- pushing it
 * ---------------------------------------------------------------------------------------------------------
 */

/* From nothing to 0.85 of breakaway and back, without a jump: overshoot must stay below breakaway too. */
static double push_at(uint32_t n) { return 0.425 * (1 - cos(2 * M_PI * n / PUSH)); }

static void step(block *b, double push) {
  double force_n = push * b->breakaway_n;
  ct_input input = {b->handles[PUSHED], &force_n};
  ct_scene_process(b->scene, &(ct_io){.frames = 1, .inputs = &input, .input_count = 1});
  b->most = fmax(b->most, fabs(ct_scene_get(b->scene, b->handles[BRISTLE])) / b->breakaway_m);
}

static double place(const block *b) { return ct_scene_get(b->scene, b->handles[PLACE]) / b->breakaway_m; }

/* The first pushes and the rest after them, sample by sample. */
static ct_result write_start(block blocks[LAWS], figure_table *t, ct_error *error) {
  ct_result result = CT_OK;
  for (uint32_t n = 0; n < SHOWN * PUSH + REST / 4 && result == CT_OK; n++) {
    double row[2 + 2 * LAWS] = {(double)n / RATE_HZ, n < SHOWN * PUSH ? push_at(n) : 0};
    for (int i = 0; i < LAWS; i++) {
      step(&blocks[i], row[1]);
      row[2 + i] = place(&blocks[i]);
      row[2 + LAWS + i] = ct_scene_get(blocks[i].scene, blocks[i].handles[BRISTLE]) / blocks[i].breakaway_m;
    }
    result = figure_table_row(t, row, error);
  }
  return result;
}

static void push_on(block *b, uint32_t pushes) {
  for (uint32_t n = 0; n < pushes * PUSH; n++)
    step(b, push_at(n % PUSH));
  for (uint32_t n = 0; n < REST; n++)
    step(b, 0);
}

/* Where it rests after so many pushes in all. */
static ct_result write_drift(block blocks[LAWS], figure_table *t, ct_error *error) {
  ct_result result = CT_OK;
  uint32_t done = 0;
  for (size_t c = 0; c < sizeof counts / sizeof counts[0] && result == CT_OK; c++) {
    double row[1 + 2 * LAWS] = {counts[c]};
    for (int i = 0; i < LAWS; i++) {
      push_on(&blocks[i], counts[c] - done);
      row[1 + i] = place(&blocks[i]);
      row[1 + LAWS + i] = blocks[i].most;
    }
    done = counts[c];
    result = figure_table_row(t, row, error);
  }
  return result;
}

/* ---- the figure
 * ---------------------------------------------------------------------------------------------------------
 */

typedef ct_result writer(block blocks[LAWS], figure_table *t, ct_error *error);

static ct_result write_table(const ct_study_run *run, const char *name, const char *columns, writer *rows,
                             ct_error *error) {
  block blocks[LAWS] = {0};
  figure_table *t;
  ct_result result = CT_OK;
  for (int i = 0; i < LAWS && result == CT_OK; i++)
    result = put_down(&blocks[i], laws[i], error);
  if (result == CT_OK) {
    result = figure_table_begin(run, name, columns, &t, error);
    if (result == CT_OK)
      result = rows(blocks, t, error);
    for (int i = 0; i < LAWS && result == CT_OK; i++)
      result = ct_scene_judge(blocks[i].scene, error);
    result = figure_table_end(t, result, error);
  }
  for (int i = 0; i < LAWS; i++)
    ct_scene_destroy(blocks[i].scene);
  return result;
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.06,0.98,0.14,0.9 spacing 0.1\n"
    "set xlabel 'time, ms'\n"
    "set ylabel 'place / z_ba' offset 1\n"
    "set key top left\n"
    "set title 'twenty pushes of 0.85 of breakaway, then left alone'\n"
    "set xrange [0:62.5]\n"
    "set yrange [-0.2:7]\n"
    "plot D('presliding_start') using (1e3*C('time_s')):(C('lugre_x')) with lines lw 1.5 lc rgb rk4 title "
    "'LuGre', '' using (1e3*C('time_s')):(C('elasto_plastic_x')) with lines lw 1.5 lc rgb ours title "
    "'elasto-plastic'\n"
    "set title 'where it rests after so many'\n"
    "set xlabel 'pushes'\n"
    "set ylabel '|place| / z_ba' offset 0\n"
    "set logscale xy\n"
    "set format xy '1e%T'\n"
    "set xrange [0.8:1.3e5]\n"
    "set yrange [1e-17:1e6]\n"
    "set ytics 1e3\n"
    "unset mytics\n"
    "set key at graph 0.97,0.65 right\n"
    "plot D('presliding_drift') using (C('pushes')):(abs(C('lugre'))) with linespoints pt 7 ps 0.7 lw 1.5 lc "
    "rgb rk4 title 'LuGre', '' using (C('pushes')):(abs(C('elasto_plastic'))) with linespoints pt 7 ps 0.7 "
    "lw 1.5 lc rgb ours title 'elasto-plastic'\n"
    "unset multiplot\n";

ct_result avanzini_draw_presliding(const ct_study_run *run, ct_error *error) {
  ct_result result =
      write_table(run, "presliding_start", "time_s,push,elasto_plastic_x,lugre_x,elasto_plastic_z,lugre_z",
                  write_start, error);
  if (result == CT_OK)
    result =
        write_table(run, "presliding_drift", "pushes,elasto_plastic,lugre,elasto_plastic_most_z,lugre_most_z",
                    write_drift, error);
  return result == CT_OK ? figure_draw(run, "presliding", 1000, 400, "", plot, error) : result;
}
