/* ctest: slow
 * A free ball's way is a mode of the scene: over any ground, with any ends, nobody's motion does work and
 * nothing is gained; it swings in a valley, turns back at a bump it cannot climb, and keeps its energy where
 * nothing takes it. The ends of the way give back what `rebound` says and last as long as `knock_s` says.
 * Parameters that move while it rolls do no work. */
#include "support/lab.h"
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* ---- scenes that gained energy, and variations of them ---- */

typedef struct change {
  const char *path;
  double value;
  const char *text; /* instead of the value */
} change;

enum { CHANGES = 8 };
typedef struct variation {
  const char *name;
  double rate_hz;
  change changes[CHANGES];
} variation;

typedef struct outcome {
  double start_j, gained_j, worst; /* worst: closing error over what is allowed */
  ct_ledger ledger;
} outcome;

/* Renders with an account and looks at it after every block: what is stored, less the work of gravity and
 * slope, never rises. */
static outcome run(ct_doc *doc, double rate_hz, double seconds) {
  ct_error error = {0};
  ct_render *r = NULL;
  ct_render_def def = {.rate_hz = rate_hz, .seconds = seconds, .ledger = true, .block_frames = 64};
  must(ct_render_open(doc, &def, &r, &error), &error);
  ct_render_block b;
  outcome o = {.start_j = ct_scene_ledger(ct_render_scene(r)).stored_j};
  double lost = 0, brought = o.start_j;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error)) {
    ct_ledger l = o.ledger = ct_scene_ledger(ct_render_scene(r));
    double allowed = l.allowance_j;
    if (!(isfinite(l.stored_j) && isfinite(l.error_j)))
      fail_msg("not finite");
    brought = fmax(brought, o.start_j + l.force_j);
    o.gained_j = fmax(o.gained_j, l.stored_j - l.force_j - o.start_j);
    o.worst = fmax(o.worst, fabs(l.error_j) / allowed);
    assert_true(l.lost_bodies_j + l.lost_contacts_j >= lost - 1e-12 * l.scale_j);
    lost = l.lost_bodies_j + l.lost_contacts_j;
    for (uint32_t i = 0; i < b.frames; i++)
      assert_true(isfinite((double)b.outputs[0][i]));
  }
  ct_render_close(r);
  ct_doc_destroy(doc);
  o.start_j = brought;
  return o;
}

static void check_variations(const char *file, const variation *all, size_t count, double seconds) {
  char path[512];
  snprintf(path, sizeof path, "%s/violations/%s", CT_TEST_DATA, file);
  double worst = 0, gained = 0;
  for (size_t i = 0; i < count; i++) {
    ct_doc *doc = play_open(path, NULL);
    for (int k = 0; k < CHANGES && all[i].changes[k].path; k++)
      if (all[i].changes[k].text)
        play_set_text(doc, all[i].changes[k].path, all[i].changes[k].text);
      else
        play_set(doc, all[i].changes[k].path, all[i].changes[k].value);
    outcome o = run(doc, all[i].rate_hz, seconds);
    if (!(o.ledger.motion_j == 0 && o.ledger.parameter_j == 0 && o.gained_j <= 1e-9 * o.start_j &&
          o.worst <= 1))
      fail_msg("%s, %s: gained %.3g J of %.3g J, motion %.3g J, account %.3g of what is allowed", file,
               all[i].name, o.gained_j, o.start_j, o.ledger.motion_j, o.worst);
    worst = fmax(worst, o.worst);
    gained = fmax(gained, o.gained_j / o.start_j);
  }
  printf(
      "%s and %zu variations: gain at most %.2g of what was put in, account off by at most %.2g of what is "
      "allowed\n",
      file, count - 1, gained, worst);
}

static void rolling_gains_nothing(void **state) {
  (void)state;
  static const variation all[] = {
      {"as found", 44100, {{0}}},
      {"steeper ground", 44100, {{"grain.depth_m", 0.1, 0}}},
      {"fine and deep", 44100, {{"grain.depth_m", 0.05, 0}, {"grain.length_m", 0.001, 0}}},
      {"shallow", 48000, {{"grain.depth_m", 1e-4, 0}}},
      {"fast", 44100, {{"roll.throw_m_s", 20, 0}}},
      {"as fast as can be thrown", 44100, {{"roll.throw_m_s", 1000, 0}}},
      {"light board", 44100, {{"board.modes.thickness_m", 0.0005, 0}, {"roll.throw_m_s", 3, 0}}},
      {"heavy ball", 44100, {{"ball.modes.0.mass_kg", 50, 0}, {"roll.throw_m_s", 2, 0}}},
      {"mass of its own", 44100, {{"roll.mass_kg", 1e-6, 0}}},
      {"downhill", 44100, {{"roll.slope", 1, 0}}},
      {"uphill", 44100, {{"roll.slope", -1, 0}, {"roll.throw_m_s", 5, 0}}},
      {"no resistance", 44100, {{"roll.resistance", 0, 0}, {"touch.damping_s_m", 0, 0}}},
      {"much resistance", 44100, {{"roll.resistance", 10, 0}, {"roll.throw_m_s", 5, 0}}},
      {"coarse grid", 44100, {{"surfaces.grain.grid_m", 0.01, 0}}},
      {"fine grid", 44100, {{"surfaces.grain.grid_m", 1e-6, 0}, {"roll.radius_m", 0.002, 0}}},
      {"cobbles", 44100, {{"surfaces.grain.kind", 0, "cobbles"}, {"roll.throw_m_s", 3, 0}}},
      {"rails at a low rate", 8000, {{"surfaces.grain.kind", 0, "rails"}, {"grain.depth_m", 0.3, 0}}},
      {"tiles", 44100, {{"surfaces.grain.kind", 0, "tiles"}, {"grain.gap_m", 0.03, 0}}},
      {"boards", 44100, {{"surfaces.grain.kind", 0, "boards"}, {"roll.throw_m_s", -4, 0}}},
      {"sine", 44100, {{"surfaces.grain.kind", 0, "sine"}, {"grain.length_m", 0.01, 0}}},
      {"noise", 96000, {{"surfaces.grain.kind", 0, "noise"}, {"grain.length_m", 0.003, 0}}},
      {"ends", 44100, {{"roll.low_m", -0.01, 0}, {"roll.high_m", 0.02, 0}, {"roll.rebound", 1, 0}}},
      {"leans and is not round",
       44100,
       {{"roll.asymmetry_m", 0.004, 0}, {"roll.out_of_round_m", 0.002, 0}, {"roll.exaggerate", 4, 0}}},
      {"travels",
       44100,
       {{"drives.roll.travels", 0, "board.at"},
        {"roll.travel_m", 0.8, 0},
        {"board.modes.thickness_m", 1e-3, 0}}},
      {"one step per sample", 44100, {{"contacts.touch.substeps", 1, 0}}},
      {"always 64 steps", 44100, {{"contacts.touch.substeps", 64, 0}}},
      {"draft", 44100, {{"contacts.touch.quality", 0, "draft"}}},
      {"best", 44100, {{"contacts.touch.quality", 0, "best"}, {"touch.stiffness", 1e12, 0}}},
  };
  check_variations("roll.json", all, sizeof all / sizeof all[0], 1.5);
}

/* Without gravity where the board throws the ball up: the rounding of a mass that falls for a second in
 * hundreds of steps per sample is another matter. */
static void ends_gain_nothing(void **state) {
  (void)state;
  static const variation all[] = {
      {"as found", 44100, {{0}}},
      {"fast", 44100, {{"roll.throw_m_s", 20, 0}, {"board.modes.0.mass_kg", 0.5, 0}}},
      {"very fast", 44100, {{"roll.throw_m_s", 200, 0}, {"gravity_m_s2", 0, 0}}},
      {"hard", 44100, {{"roll.knock_s", 1e-5, 0}, {"gravity_m_s2", 0, 0}}},
      {"hard and heavy", 44100, {{"roll.knock_s", 1e-5, 0}, {"board.modes.0.mass_kg", 1, 0}}},
      {"soft", 44100, {{"roll.knock_s", 0.1, 0}}},
      {"rim of a milligram", 44100, {{"board.modes.0.mass_kg", 1e-6, 0}, {"gravity_m_s2", 0, 0}}},
      {"rim of a ton", 44100, {{"board.modes.0.mass_kg", 1000, 0}}},
      {"undamped rim", 44100, {{"board.modes.0.t60_s", 0, 0}}},
      {"floating rim", 44100, {{"board.modes.0.hz", 0, 0}, {"board.modes.0.mass_kg", 0.05, 0}}},
      {"high rim", 44100, {{"board.modes.0.hz", 15000, 0}}},
      {"half comes back", 44100, {{"roll.rebound", 0.5, 0}}},
      {"nothing comes back", 44100, {{"roll.rebound", 0, 0}}},
      {"narrow", 44100, {{"roll.low_m", 0, 0}, {"roll.high_m", 1e-4, 0}}},
      {"wide and steep", 44100, {{"roll.slope", 1, 0}, {"roll.high_m", 0.4, 0}, {"gravity_m_s2", 9.81, 0}}},
      {"slope and resistance", 44100, {{"roll.slope", 0.3, 0}, {"roll.resistance", 0.1, 0}}},
      {"thrown from outside", 44100, {{"drives.roll.place_m", 0.3, 0}, {"roll.throw_m_s", -1, 0}}},
      {"thrown further out", 44100, {{"drives.roll.place_m", -0.3, 0}, {"roll.throw_m_s", -1, 0}}},
      {"rough ground", 44100, {{"flat.depth_m", 0.003, 0}, {"flat.length_m", 0.02, 0}}},
      {"heavy ball", 44100, {{"ball.modes.0.mass_kg", 30, 0}, {"gravity_m_s2", 0, 0}}},
      {"hoop", 44100, {{"roll.inertia", 1, 0}, {"roll.asymmetry_m", 0.002, 0}}},
      {"no turning", 44100, {{"roll.inertia", 0, 0}}},
      {"rim is where it rolls", 44100, {{"drives.roll.rim", 0, "board.at"}}},
      {"low rate", 8000, {{"roll.throw_m_s", 5, 0}}},
      {"high rate", 192000, {{"roll.throw_m_s", 5, 0}, {"gravity_m_s2", 0, 0}}},
      {"leaden gravity", 44100, {{"gravity_m_s2", 100, 0}, {"board.modes.0.mass_kg", 0.5, 0}}},
  };
  check_variations("knock.json", all, sizeof all / sizeof all[0], 1.5);
}

/* ---- by itself ---- */

static const double rate_hz = 48000, mass_kg = 0.01, gravity = 9.81;

static void add(ct_scene *s, ct_surface_def surface, ct_drive_def drive) {
  ct_error error = {0};
  surface.name = "floor";
  drive.name = "roll";
  drive.contact = "touch";
  drive.surface = "floor";
  must(ct_added(ct_scene_add_surface(s, &surface, &error), &error), &error);
  must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  lab_settle(s);
}

/* A ball on a board of two modes; nothing loses anything unless told so. */
static ct_scene *ball_on_board(double t60_s, double damping_s_m) {
  const ct_mode_def board[] = {{.hz = 310, .t60_s = t60_s, .mass_kg = 0.3},
                               {.hz = 870, .t60_s = t60_s, .mass_kg = 0.4}};
  ct_scene *s = lab_scene(rate_hz, gravity);
  lab_mass(s, "ball", mass_kg, 0, 0);
  lab_modal(s, "board", board, 2);
  ct_impact_def law = lab_law("touch", "ball.at", "board.at", 1e6, 1.5, damping_s_m);
  law.from_above = true;
  lab_touch(s, law);
  return s;
}

/* Bottom at 0.15 m, top at 0.05 m and 0.25 m, 2 depth higher. */
static ct_surface_def valley(double depth_m) {
  ct_surface_def def = ct_default_surface_def();
  def.kind = CT_SURFACE_SINE;
  def.length_m = 0.2;
  def.depth_m = depth_m;
  return def;
}

static ct_surface_def rough(double depth_m) {
  ct_surface_def def = ct_default_surface_def();
  def.kind = CT_SURFACE_FRACTAL;
  def.length_m = 0.01;
  def.depth_m = depth_m;
  return def;
}

/* Without damping or resistance what is stored changes by gravity's work alone, for ten seconds. */
static void keeps_its_energy(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    ct_scene *s = ball_on_board(0, 0);
    ct_drive_def drive = ct_default_drive_def();
    drive.resistance = 0;
    drive.v_m_s = i == 0 ? 0.3 : 1;
    drive.x_m = 0.15;
    drive.slope = i == 4 ? -0.03 : 0;
    if (i >= 3) {
      drive.low_m = -0.3;
      drive.high_m = 0.3;
      drive.rebound = 1;
      drive.rim = i == 3 ? "board.at" : NULL;
    }
    add(s, i < 2 ? valley(0.005) : rough(i == 2 ? 1e-3 : 1e-5), drive);
    double start = ct_scene_ledger(s).stored_j;
    lab_step(s, (uint32_t)(10 * rate_hz));
    ct_ledger l = ct_scene_ledger(s);
    double off = (l.stored_j - l.force_j - start) / start;
    printf("%d: %.6g J are off by %.2g of themselves after 10 s\n", i, start, off);
    assert_true(fabs(off) < 1e-12);
    assert_true(l.motion_j == 0 && l.lost_bodies_j == 0 && l.lost_contacts_j == 0);
    ct_scene_destroy(s);
  }
}

/* Thrown at a bump of 1 cm that asks for 0.37 m/s: at 0.3 m/s it turns back, and is as fast again where it
 * came from; at 0.45 m/s it gets over. */
static void turns_where_it_cannot_climb(void **state) {
  (void)state;
  const double speeds[] = {0.3, 0.45};
  for (int i = 0; i < 2; i++) {
    ct_scene *s = ball_on_board(0.3, 50);
    ct_drive_def drive = ct_default_drive_def();
    drive.resistance = 0;
    drive.v_m_s = speeds[i];
    drive.x_m = 0.15;
    add(s, valley(0.005), drive);
    enum { FRAMES = 48000 };
    double *x = malloc(FRAMES * sizeof *x), *v = malloc(FRAMES * sizeof *v), highest = 0, back = 0;
    for (uint32_t n = 0; n < FRAMES; n++) {
      x[n] = lab_get(s, "roll.x_m");
      v[n] = lab_get(s, "roll.v_m_s");
      lab_step(s, 1);
    }
    for (uint32_t n = 1; n < FRAMES && back == 0; n++) {
      highest = fmax(highest, x[n]);
      if (x[n] < 0.15 && x[n - 1] >= 0.15)
        back = v[n];
    }
    double height = speeds[i] * speeds[i] * 1.4 / (2 * gravity); /* it can climb */
    printf("%g m/s: gets to %.4f m, comes back with %.5f m/s\n", speeds[i], highest, back);
    if (i == 0) {
      double expected = 0.15 + 0.1 / M_PI * acos(1 - height / 0.005);
      assert_true(fabs(highest - expected) < 1e-3);
      assert_true(back < 0 && -back <= speeds[i] * (1 + 1e-9) && -back > 0.99 * speeds[i]);
    } else
      assert_true(highest > 0.25 && back == 0);
    assert_true(lab_ledger_error(s) < 1e-12 && ct_scene_ledger(s).motion_j == 0);
    free(x);
    free(v);
    ct_scene_destroy(s);
  }
}

/* In a valley it swings, as a pendulum of w^2 = g curvature / 1.4, and comes to rest near the bottom. */
static void swings_and_rests(void **state) {
  (void)state;
  const double resistance = 0.002, depth = 0.005;
  ct_scene *s = ball_on_board(0.3, 50);
  ct_drive_def drive = ct_default_drive_def();
  drive.resistance = resistance;
  drive.x_m = 0.165;
  add(s, valley(depth), drive);
  uint32_t frames = (uint32_t)(40 * rate_hz), crossings = 0, first = 0, last = 0;
  double *v = malloc(frames * sizeof *v);
  lab_record(s, "roll.v_m_s", v, frames);
  for (uint32_t n = 1; n < frames; n++)
    if (v[n - 1] < 0 && v[n] >= 0) {
      last = n;
      first = first ? first : n;
      crossings++;
    }
  double w = 2 * M_PI / 0.2, curvature = depth * w * w, x = lab_get(s, "roll.x_m");
  double period = 2 * M_PI * sqrt(1.4 / (gravity * curvature)),
         measured = (last - first) / rate_hz / (crossings - 1);
  printf("swings %u times in %.4f s each (pendulum %.4f s), rests %.2g m from the bottom\n", crossings,
         measured, period, x - 0.15);
  assert_true(crossings >= 3 && fabs(measured / period - 1) < 0.05);
  assert_true(v[frames - 1] == 0 && fabs(x - 0.15) * curvature <= 1.05 * resistance);
  assert_true(lab_ledger_error(s) < 1e-12 && ct_scene_ledger(s).motion_j == 0);
  lab_step(s, 48000);
  assert_true(lab_get(s, "roll.x_m") == x);
  free(v);
  ct_scene_destroy(s);
}

/* ---- the ends of the way ---- */

/* Into an end on smooth ground: how long its speed changes, and what comes back. */
static void knock(double v, double rebound, double knock_s, const char *rim, double *time_s, double *share) {
  const ct_mode_def heavy[] = {{.hz = 30, .t60_s = 0.1, .mass_kg = 50}};
  enum { FRAMES = 24000 };
  ct_scene *s = lab_scene(rate_hz, gravity);
  lab_mass(s, "ball", mass_kg, 0, 0);
  lab_hand(s, "wall", 0, 0);
  lab_modal(s, "rim", heavy, 1);
  ct_impact_def law = lab_law("touch", "ball.at", "wall.at", 1e5, 1.5, 200);
  law.from_above = true;
  law.gap_m = -pow(mass_kg * gravity / 1e5, 1 / 1.5);
  lab_touch(s, law);
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = v;
  drive.resistance = 0;
  drive.high_m = 0.02;
  drive.low_m = -10;
  drive.rebound = rebound;
  drive.knock_s = knock_s;
  drive.rim = rim;
  ct_surface_def flat = ct_default_surface_def();
  flat.depth_m = 0;
  add(s, flat, drive);
  double *speed = malloc(FRAMES * sizeof *speed), pressed = 0;
  lab_record(s, "roll.v_m_s", speed, FRAMES);
  for (uint32_t n = 1; n < FRAMES; n++)
    pressed += fabs(speed[n] - speed[n - 1]) > 1e-9 * v;
  *time_s = pressed / rate_hz;
  *share = -speed[FRAMES - 1] / v;
  assert_true(lab_ledger_error(s) < 1e-12 && ct_scene_ledger(s).motion_j == 0);
  free(speed);
  ct_scene_destroy(s);
}

static void ends_are_as_told(void **state) {
  (void)state;
  static const struct {
    double v, rebound, knock_s;
    const char *rim;
  } knocks[] = {{0.7, 0.35, 0.002, "rim.at"}, {0.7, 0.45, 0.003, NULL}, {0.1, 0.45, 0.003, NULL},
                {2, 0.45, 0.003, "rim.at"},   {0.5, 1, 0.001, NULL},    {0.5, 0.9, 0.001, NULL},
                {0.5, 0.1, 0.002, NULL},      {0.3, 0.7, 0.01, NULL},   {1, 0.5, 2e-4, NULL}};
  for (size_t i = 0; i < sizeof knocks / sizeof knocks[0]; i++) {
    double time_s, share;
    knock(knocks[i].v, knocks[i].rebound, knocks[i].knock_s, knocks[i].rim, &time_s, &share);
    printf("%g m/s, %g, %g s: lasts %.5f s, %.4f comes back\n", knocks[i].v, knocks[i].rebound,
           knocks[i].knock_s, time_s, share);
    assert_true(fabs(share - knocks[i].rebound) < 0.03 * knocks[i].rebound + 0.005);
    assert_true(fabs(time_s / knocks[i].knock_s - 1) < 0.03 + 2 / (rate_hz * knocks[i].knock_s));
  }
}

/* With nothing to come back it stops at the end, and leans on it where the way falls that way. */
static void rests_at_an_end(void **state) {
  (void)state;
  ct_scene *s = ball_on_board(0.3, 50);
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = 0.4;
  drive.high_m = 0.1;
  drive.rebound = 0.3;
  drive.slope = 0.05;
  drive.rim = "board.at";
  add(s, rough(1e-6), drive);
  lab_step(s, (uint32_t)(5 * rate_hz));
  double pull = mass_kg * gravity * 0.05, per_s = M_PI / 1e-3, stiff = mass_kg * per_s * per_s;
  printf("rests %.3g m behind its end, at %.2g m/s\n", lab_get(s, "roll.x_m") - 0.1,
         lab_get(s, "roll.v_m_s"));
  assert_true(fabs(lab_get(s, "roll.v_m_s")) < 1e-6);
  assert_true(lab_get(s, "roll.x_m") > 0.1 - 1e-5 && lab_get(s, "roll.x_m") < 0.1 + 2 * pull / stiff + 1e-5);
  assert_true(lab_ledger_error(s) < 1e-12 && ct_scene_ledger(s).motion_j == 0);
  ct_scene_destroy(s);
}

/* ---- parameters do no work ---- */

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double between(uint64_t *state, double low, double high) {
  return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Everything of a drive and its surface that is no hand's business, jumped about while it rolls: what is
 * stored only changes by gravity's work. */
static void storms_do_no_work(void **state) {
  (void)state;
  static const struct {
    const char *path;
    double low, high; /* of its decimal logarithm where both are below 0 */
  } rows[] = {
      {"roll.radius_m", -4, -1},     {"roll.inertia", 0, 10},           {"roll.mass_kg", -4, -0.01},
      {"roll.resistance", 0, 0.02},  {"roll.asymmetry_m", -6, -2},      {"roll.out_of_round_m", -7, -3},
      {"roll.exaggerate", 0.25, 4},  {"roll.low_m", -0.2, -0.1},        {"roll.high_m", 0.1, 0.2},
      {"roll.rebound", 0, 1},        {"roll.knock_s", -5, -1},          {"floor.depth_m", -8, -2},
      {"floor.length_m", -4, -0.01}, {"floor.width_octaves", 0.05, 16}, {"floor.density", -4, -0.01},
      {"floor.irregularity", 0, 1},  {"floor.gap_m", -5, -1},           {"floor.beta", -2, 3}};
  enum { ROWS = sizeof rows / sizeof rows[0], STORMS = 40 };
  double worst = 0, gain = 0;
  for (uint64_t seed = 1; seed <= STORMS; seed++) {
    uint64_t random = seed;
    ct_scene *s = ball_on_board(seed % 2 ? 0.3 : 0, seed % 3 ? 1 : 0);
    ct_surface_def surface = ct_default_surface_def();
    surface.kind = (ct_surface_kind)(seed % CT_SURFACE_SCAN);
    surface.depth_m = 1e-4;
    surface.length_m = 0.02;
    ct_drive_def drive = ct_default_drive_def();
    drive.v_m_s = between(&random, -2, 2);
    drive.low_m = -0.1;
    drive.high_m = 0.1;
    drive.mass_kg = 0.01;
    drive.rim = seed % 4 ? "board.at" : NULL;
    add(s, surface, drive);
    double start = ct_scene_ledger(s).stored_j;
    uint32_t every = (uint32_t)(rate_hz / pow(10, between(&random, 0, 2.7)));
    uint32_t only = (uint32_t)(next_random(&random) % (2 * ROWS)); /* beyond ROWS: all of them */
    for (uint32_t done = 0; done < 24000; done += every) {
      for (uint32_t r = 0; r < ROWS; r++) {
        double value = between(&random, rows[r].low, rows[r].high);
        if (only < ROWS && only != r)
          continue;
        lab_set(s, rows[r].path, rows[r].high < 0 ? pow(10, value) : value, seed % 5 ? 0 : 0.002, 0);
      }
      lab_step(s, every);
      ct_ledger l = ct_scene_ledger(s);
      double over = (l.stored_j - l.force_j - start) / start, allowed = l.allowance_j;
      assert_true(isfinite(l.stored_j) && isfinite(lab_get(s, "roll.x_m")));
      gain = fmax(gain, over);
      worst = fmax(worst, fabs(l.error_j) / allowed);
      if (!(over < 1e-9 && l.motion_j == 0 && fabs(l.parameter_j) < 1e-12 * l.scale_j))
        fail_msg("storm %llu: gained %.3g of %.3g J; motion %.3g J, parameters %.3g J",
                 (unsigned long long)seed, over, start, l.motion_j, l.parameter_j);
    }
    ct_scene_destroy(s);
  }
  printf("%d storms: gain at most %.2g, account off by at most %.2g of what is allowed\n", STORMS, gain,
         worst);
  assert_true(worst <= 1);
}

/* What stands is not moved by what becomes of the path under it: no contact closes, nothing sounds. */
static void standing_is_not_disturbed(void **state) {
  (void)state;
  for (int imposed = 0; imposed < 2; imposed++) {
    ct_scene *s = ball_on_board(0.1, 200);
    ct_drive_def drive = ct_default_drive_def();
    drive.free = !imposed;
    drive.resistance = 1;
    add(s, rough(1e-5), drive);
    lab_step(s, 96000);
    double offset = lab_get(s, "roll.offset_m"), ball = lab_get(s, "ball.at.x_m");
    static const change moves[] = {{"roll.radius_m", 0.05, 0},       {"roll.asymmetry_m", 1e-3, 0},
                                   {"floor.depth_m", 1e-4, 0},       {"roll.exaggerate", 2, 0},
                                   {"roll.out_of_round_m", 1e-4, 0}, {"roll.place_m", 0.3, 0}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
      lab_set(s, moves[i].path, moves[i].value, 0, 0);
      lab_step(s, 9600);
      assert_true(lab_get(s, "roll.offset_m") == offset);
      assert_true(fabs(lab_get(s, "ball.at.x_m") - ball) < 1e-12);
    }
    assert_true(lab_get(s, "roll.x_m") == 0.3);
    assert_true(ct_scene_ledger(s).motion_j == 0);
    ct_scene_destroy(s);
  }
}

/* ---- the same samples ---- */

static void blocks_and_accounts_do_not_matter(void **state) {
  (void)state;
  enum { FRAMES = 24000 };
  static double x[3][FRAMES];
  for (int i = 0; i < 3; i++) {
    ct_doc *doc = play_open(CT_TEST_DATA "/violations/knock.json", NULL);
    play_set(doc, "roll.resistance", 0.01);
    play_set(doc, "flat.depth_m", 1e-4);
    play_set(doc, "roll.asymmetry_m", 1e-4);
    play_sound sound = play_mono(
        doc,
        (ct_render_def){.seconds = FRAMES / rate_hz, .ledger = i == 1, .block_frames = i == 2 ? 37 : 256});
    memcpy(x[i], sound.samples, sizeof x[i]);
    free(sound.samples);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(x[0], x[2], sizeof x[0]);
}

/* A contact has two axes. */
static void third_axis_is_refused(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *s = ball_on_board(0.3, 1);
  ct_drive_def drive = ct_default_drive_def();
  add(s, rough(1e-5), drive);
  drive.contact = "touch";
  drive.surface = "floor";
  drive.name = "across";
  must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  drive.name = "up";
  assert_int_equal(ct_added(ct_scene_add_drive(s, &drive, &error), &error), CT_BAD_SCENE);
  assert_string_equal(error.text, "drive 'up': two free drives move 'touch' already; wants at most two axes");
  must(ct_scene_remove(s, "roll", &error), &error);
  must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  lab_set(s, "up.throw_m_s", 0.3, 0, 0);
  lab_set(s, "across.throw_m_s", -0.2, 0, 0);
  lab_step(s, 4800);
  assert_true(lab_ledger_error(s) < 1e-12 && ct_scene_ledger(s).motion_j == 0);
  ct_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rolling_gains_nothing),     cmocka_unit_test(ends_gain_nothing),
      cmocka_unit_test(keeps_its_energy),          cmocka_unit_test(turns_where_it_cannot_climb),
      cmocka_unit_test(swings_and_rests),          cmocka_unit_test(ends_are_as_told),
      cmocka_unit_test(rests_at_an_end),           cmocka_unit_test(storms_do_no_work),
      cmocka_unit_test(standing_is_not_disturbed), cmocka_unit_test(blocks_and_accounts_do_not_matter),
      cmocka_unit_test(third_axis_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
