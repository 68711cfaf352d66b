/* Stepping any parameter or control by half its range in mid-sound: the ledger closes with the work booked,
 * and no click is heard (the measure of contatto/measure.h and its threshold) except where a contact newly
 * strikes, which is what a strike sounds like.
 *
 * ctest: slow timeout=2400 */
#include "file/load.h"
#include "support/lab.h"
#include "support/long_run.h"
#include "support/random_scene.h"
#include <contatto/doc.h>
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RATE 48000.0
enum {
  BEFORE = 9600,
  AFTER = 6000,
  FRAMES = BEFORE + AFTER,
  MOST_PATHS = 600,
  MOST_ROWS = 400,
  MOST_CONTACTS = 16,
  BLOCK = 16,
  LEAD = 1600 /* before a step: more than a click's surroundings */
};

/* ---- scenes ---- */

static void set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void set_number(ct_doc *doc, const char *path, double number) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, number, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* Controls over everything that can be moved in a press, each over a range a player would want. */
static void add_controls(ct_doc *doc) {
  static const struct {
    const char *name, *path;
    double from, to;
    bool log;
  } controls[] = {
      {"hardness", "press.stiffness", 1e5, 1e7, true},    {"shape", "press.exponent", 1.2, 2.5, false},
      {"loss", "press.damping_s_m", 0, 10, false},        {"depth", "hand.x_m", -1e-4, 1e-4, false},
      {"gap", "press.gap_m", -3e-4, -1e-4, false},        {"push", "bar.top.force_n", 0, 5, false},
      {"tune", "bar.modes.0.hz", 110, 880, true},         {"decay", "bar.modes.0.t60_s", 0.1, 3, true},
      {"weight", "bar.modes.0.mass_kg", 0.01, 0.2, true}, {"reach", "bar.top.gains.1", 0.5, 1.5, false},
      {"spot", "plate.mid.place_u", 0.2, 0.8, false},     {"size", "plate.modes.size", 0.7, 1.4, true},
      {"stiff", "plate.modes.young_pa", 1e10, 2e11, true}};
  for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
    char path[64];
    snprintf(path, sizeof path, "controls.%s.targets[0].path", controls[i].name);
    set_text(doc, path, controls[i].path);
    snprintf(path, sizeof path, "controls.%s.targets[0].from", controls[i].name);
    set_number(doc, path, controls[i].from);
    snprintf(path, sizeof path, "controls.%s.targets[0].to", controls[i].name);
    set_number(doc, path, controls[i].to);
    snprintf(path, sizeof path, "controls.%s.targets[0].scale", controls[i].name);
    set_text(doc, path, controls[i].log ? "log" : "linear");
  }
}

/* A list of modes and a shape, joined by a light ball that rests between a hand and the bar. */
static ct_doc *pressed_page(const char *listen) {
  ct_doc *doc = ct_doc_create();
  static const double hz[] = {220, 590, 1130};
  for (int i = 0; i < 3; i++) {
    char path[64];
    snprintf(path, sizeof path, "bodies.bar.modes[%d].hz", i);
    set_number(doc, path, hz[i]);
    snprintf(path, sizeof path, "bodies.bar.modes[%d].v_m_s", i);
    set_number(doc, path, 0.05);
    snprintf(path, sizeof path, "bodies.bar.points.top.gains[%d]", i);
    set_number(doc, path, 1);
  }
  set_text(doc, "bodies.plate.modes.shape", "plate");
  set_number(doc, "bodies.plate.modes.count", 6);
  set_text(doc, "bodies.plate.modes.material", "glass");
  set_number(doc, "bodies.plate.points.mid.place_u", 0.31);
  set_number(doc, "bodies.plate.points.mid.place_v", 0.27);
  set_text(doc, "bodies.hand.kind", "hand");
  set_text(doc, "contacts.press.a", "hand.at");
  set_text(doc, "contacts.press.b", "bar.top");
  set_number(doc, "contacts.press.gap_m", -2e-4);
  set_number(doc, "contacts.press.stiffness", 1e6);
  set_text(doc, "contacts.lean.a", "bar.top");
  set_text(doc, "contacts.lean.b", "plate.mid");
  set_number(doc, "contacts.lean.gap_m", -1e-4);
  set_number(doc, "contacts.lean.stiffness", 1e6);
  bool force = strcmp(listen, "force") == 0;
  set_text(doc, "pickups.ear.at", force ? "press" : "bar.top");
  set_text(doc, "pickups.ear.listen", listen);
  add_controls(doc);
  return doc;
}

static ct_scene *build(ct_doc *doc) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  def.rate_hz = RATE;
  def.ledger = true;
  if (ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  return scene;
}

/* ---- every live path of a scene ---- */

typedef struct parameter {
  char path[96];
  double value, stepped; /* as it stands at the start, and half a range away */
} parameter;

typedef struct parameters {
  uint32_t count, most_alike, alike[MOST_ROWS]; /* of one kind: the first few stand for all */
  parameter of[MOST_PATHS];
} parameters;

/* Half the range up, or down where up leads out of it; on a log scale by the root of the range, which starts
 * at a ten-thousandth of its end where 0 stands for something else (no spring, no loss). */
static double half_away(double value, double min, double max, ct_scale scale) {
  if (scale == CT_LOG && value > 0) {
    double factor = sqrt(max / fmax(min, 1e-4 * max));
    return value * factor <= max ? value * factor : value / factor;
  }
  double half = (max - min) / 2;
  return value + half <= max ? value + half : value - half;
}

static void keep(ct_scene *scene, parameters *all, const char *path) {
  ct_handle handle;
  if (ct_scene_resolve(scene, path, &handle, NULL) != CT_OK)
    return;
  const ct_schema_row *row = ct_schema_row_at(handle.row);
  if (row->rate != CT_RATE_TICK && row->rate != CT_RATE_AUDIO)
    return;
  if (all->alike[handle.row]++ >= all->most_alike)
    return;
  assert_true(all->count < MOST_PATHS);
  parameter *p = &all->of[all->count++];
  snprintf(p->path, sizeof p->path, "%s", path);
  p->value = ct_scene_get(scene, handle);
  bool place = strstr(row->path, ".place_") != NULL; /* beyond 0 to 1 it is the end, or another turn */
  p->stepped =
      place ? half_away(p->value, 0, 1, CT_LINEAR) : half_away(p->value, row->min, row->max, row->scale);
}

/* Puts names and numbers into a row's pattern: the first, second and last number stand for all. */
static void keep_filled(ct_scene *scene, parameters *all, const char *pattern, const char *name,
                        const char *point) {
  static const char *const numbers[] = {"0", "1", "2", "7"};
  bool numbered = strchr(pattern, '[') != NULL;
  for (int k = 0; k < (numbered ? 4 : 1); k++) {
    char path[96] = "";
    const char *next = name;
    for (const char *c = pattern; *c; c++) {
      char one[2] = {*c, 0};
      const char *piece = *c == '*' ? next : *c == ']' ? numbers[k] : one;
      next = *c == '*' ? point : next;
      strncat(path, piece, sizeof path - strlen(path) - 1);
      if (*c == ']')
        strncat(path, "]", sizeof path - strlen(path) - 1);
    }
    keep(scene, all, path);
  }
}

static void keep_row(ct_scene *scene, const ct_doc *doc, parameters *all, const char *pattern) {
  if (strncmp(pattern, "bodies.", 7) == 0) {
    bool pointed = strstr(pattern, ".points.") != NULL;
    for (uint32_t b = 0; b < ct_doc_body_count(doc); b++)
      for (uint32_t p = 0; p < (pointed ? ct_doc_point_count(doc, b) : 1); p++)
        keep_filled(scene, all, pattern, ct_doc_body_name(doc, b),
                    pointed ? ct_doc_point_name(doc, b, p) : "");
  } else if (strncmp(pattern, "contacts.", 9) == 0) {
    for (uint32_t i = 0; i < ct_doc_contact_count(doc); i++)
      keep_filled(scene, all, pattern, ct_doc_contact_name(doc, i), "");
  } else if (!strchr(pattern, '*'))
    keep(scene, all, pattern);
}

/* Pickups are found among the leaves: nothing else lists them. */
static void keep_pickups(ct_scene *scene, const ct_doc *doc, parameters *all, const char *field) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    char name[CT_NAME_MAX], path[96];
    if (sscanf(ct_doc_leaf(doc, i).path, "pickups.%47[^.].at", name) != 1 ||
        !strstr(ct_doc_leaf(doc, i).path, ".at"))
      continue;
    snprintf(path, sizeof path, "pickups.%s.%s", name, field);
    keep(scene, all, path);
  }
}

static void keep_controls(ct_scene *scene, const ct_doc *doc, parameters *all) {
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    ct_control_info c = ct_doc_control(doc, i);
    if (c.trigger)
      continue;
    uint32_t before = all->count;
    keep(scene, all, c.name);
    if (all->count > before)
      all->of[before].stepped = half_away(c.value, c.min, c.max, c.scale);
  }
}

static void find_parameters(ct_doc *doc, bool controls_only, parameters *all) {
  ct_scene *scene = build(doc);
  assert_true(ct_schema_count() <= MOST_ROWS);
  memset(all, 0, sizeof *all);
  all->most_alike = long_run() ? 5 : 1;
  for (uint32_t i = 0; i < ct_schema_count() && !controls_only; i++)
    keep_row(scene, doc, all, ct_schema_row_at(i)->path);
  keep_pickups(scene, doc, all, "full_scale");
  keep_pickups(scene, doc, all, "pan");
  all->most_alike = MOST_PATHS;
  keep_controls(scene, doc, all);
  ct_scene_destroy(scene);
}

/* ---- one run ---- */

typedef struct run {
  ct_scene *scene;
  ct_player *player;
  double sound[FRAMES];
  double force[MOST_CONTACTS][FRAMES];
  uint32_t contacts;
  ct_handle contact[MOST_CONTACTS];
  bool clicks; /* by nature, as it sticks and slips or rolls over joints: only the ledger is judged */
} run;

static bool clicks_by_nature(ct_leaf leaf) {
  static const char *const joints[] = {"tiles", "boards", "cobbles", "rails"};
  if (strcmp(leaf.row->path, "contacts.*.kind") == 0)
    return strcmp(leaf.text, "impact") != 0;
  bool found = false;
  for (int i = 0; i < 4 && strcmp(leaf.row->path, "surfaces.*.kind") == 0; i++)
    found |= strcmp(leaf.text, joints[i]) == 0;
  return found;
}

static void open_run(run *r, ct_doc *doc) {
  ct_error error = {0};
  ct_gesture gesture;
  r->scene = build(doc);
  r->player = NULL;
  if (ct_doc_gesture(doc, &gesture, &error) != CT_OK ||
      (gesture.rows && ct_player_create(&gesture, r->scene, &r->player, &error) != CT_OK))
    fail_msg("%s", error.text);
  r->clicks = false;
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++)
    r->clicks |= clicks_by_nature(ct_doc_leaf(doc, i));
  r->contacts = ct_doc_contact_count(doc);
  assert_true(r->contacts <= MOST_CONTACTS);
  for (uint32_t i = 0; i < r->contacts; i++) {
    char path[96];
    snprintf(path, sizeof path, "contacts.%s.force_n", ct_doc_contact_name(doc, i));
    r->contact[i] = lab_handle(r->scene, path);
  }
}

static void close_run(run *r) {
  ct_player_destroy(r->player);
  ct_scene_destroy(r->scene);
}

/* Plays one block; kept from frame `at` on when that is not negative. */
static void play_block(run *r, int at) {
  float left[BLOCK], right[BLOCK], *outputs[] = {left, right};
  ct_tap taps[MOST_CONTACTS];
  for (uint32_t i = 0; i < r->contacts && at >= 0; i++)
    taps[i] = (ct_tap){r->contact[i], r->force[i] + at};
  if (r->player)
    assert_int_equal(ct_player_send(r->player, ct_scene_sample(r->scene) + BLOCK, NULL), CT_OK);
  ct_scene_process(
      r->scene,
      &(ct_io){.frames = BLOCK, .outputs = outputs, .taps = taps, .tap_count = at >= 0 ? r->contacts : 0});
  bool stereo = ct_scene_channels(r->scene) == 2;
  for (int n = 0; n < BLOCK && at >= 0; n++)
    r->sound[at + n] = stereo ? 0.5 * ((double)left[n] + (double)right[n]) : (double)left[n];
}

/* Plays up to sample `when`, the last of it kept. */
static void play_until(run *r, ct_doc *doc, uint32_t when) {
  open_run(r, doc);
  for (uint32_t n = BEFORE; n < when; n += BLOCK)
    play_block(r, -1);
  for (int n = 0; n < BEFORE; n += BLOCK)
    play_block(r, n);
}

/* Steps one parameter there. */
static void step(run *r, const parameter *p, double ramp_s) {
  lab_set(r->scene, p->path, p->stepped, ramp_s, 0);
  for (int n = BEFORE; n < FRAMES; n += BLOCK)
    play_block(r, n);
}

/* ---- judging ---- */

enum { MOST_EXEMPT = 4000 };

/* From just before a contact begins until 3 ms after, or until it ends; and around its end, when the force
 * of a press that is let go within a sample or two snaps to nothing. */
static size_t find_strikes(const run *r, ct_measure_interval *strikes) {
  size_t count = 0;
  for (uint32_t c = 0; c < r->contacts; c++)
    for (int n = 1; n < FRAMES; n++) {
      bool before = r->force[c][n - 1] > 0, now = r->force[c][n] > 0;
      if (before == now || count == MOST_EXEMPT)
        continue;
      int end = n;
      while (now && end < FRAMES && end < n + 480 && r->force[c][end] > 0)
        end++;
      strikes[count++] = (ct_measure_interval){(n - 5) / RATE, fmax(end + 48, n + 144) / RATE};
    }
  return count;
}

typedef struct verdict {
  double worst_error, worst_click_db;
  uint32_t runs, complaints, strikes;
} verdict;

static bool ledger_closes(const ct_scene *scene, double *share) {
  ct_ledger l = ct_scene_ledger(scene);
  *share = l.allowance_j > 0 ? fabs(l.error_j) / l.allowance_j : 0;
  return ct_ledger_kept(&l);
}

/* The worst of frames `from` to `end`, strikes left out. */
static ct_measured_click worst_click(const run *r, int from, int end, ct_measure_interval *strikes,
                                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    strikes[i].start_s -= from / RATE;
    strikes[i].end_s -= from / RATE;
  }
  ct_measured_click worst =
      ct_measure_worst_click(r->sound + from, (size_t)(end - from), RATE, strikes, count);
  worst.time_s += from / RATE;
  return worst;
}

static void judge(const run *r, const char *scene, const parameter *p, verdict *v) {
  static ct_measure_interval strikes[MOST_EXEMPT];
  size_t count = find_strikes(r, strikes);
  double share;
  v->runs++;
  v->strikes += count > 0;
  if (!ledger_closes(r->scene, &share)) {
    ct_ledger l = ct_scene_ledger(r->scene);
    print_error("%s: %s from %g to %g: the ledger is off by %.3g J (S %.3g J, rounding %.3g J)\n", scene,
                p->path, p->value, p->stepped, l.error_j, l.scale_j, l.rounding_j);
    v->complaints++;
  }
  v->worst_error = fmax(v->worst_error, share);
  for (int n = 0; n < FRAMES; n++)
    if (!isfinite(r->sound[n])) {
      print_error("%s: %s from %g to %g: not finite\n", scene, p->path, p->value, p->stepped);
      v->complaints++;
      return;
    }
  if (r->clicks)
    return;
  ct_measured_click worst = worst_click(r, BEFORE - LEAD, FRAMES, strikes, count);
  v->worst_click_db = fmax(v->worst_click_db, worst.strength_db);
  if (worst.strength_db < CT_MEASURE_CLICK_DB)
    return;
  print_error("%s: %s from %g to %g: a click of %.1f dB %.4f s after the step (%zu strikes)\n", scene,
              p->path, p->value, p->stepped, worst.strength_db, worst.time_s - BEFORE / RATE, count);
  v->complaints++;
}

/* What all the steps of a scene have before them. */
static void judge_before(run *r, const char *scene, verdict *v) {
  static ct_measure_interval strikes[MOST_EXEMPT];
  for (uint32_t i = 0; i < r->contacts; i++)
    memset(r->force[i] + BEFORE, 0, sizeof r->force[i] - BEFORE * sizeof r->force[i][0]);
  size_t count = find_strikes(r, strikes);
  if (r->clicks)
    return;
  ct_measured_click worst = worst_click(r, 0, BEFORE, strikes, count);
  v->worst_click_db = fmax(v->worst_click_db, worst.strength_db);
  if (worst.strength_db < CT_MEASURE_CLICK_DB)
    return;
  print_error("%s: before any step: a click of %.1f dB\n", scene, worst.strength_db);
  v->complaints++;
}

static void add_verdict(verdict *sum, const verdict *v) {
  sum->worst_error = fmax(sum->worst_error, v->worst_error);
  sum->worst_click_db = fmax(sum->worst_click_db, v->worst_click_db);
  sum->runs += v->runs;
  sum->complaints += v->complaints;
  sum->strikes += v->strikes;
}

/* What happens before the step is the same for every parameter: it is played once, and each is stepped by a
 * child process of its own, which has the scene as it stood there. `v` is memory that both have. */
static void step_in_child(run *r, const char *name, const parameter *p, verdict *v) {
  int status = -1;
  *v = (verdict){.worst_click_db = -INFINITY};
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    step(r, p, -1);
    judge(r, name, p, v);
    fflush(NULL);
    _exit(0);
  }
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  if (status != 0 || v->runs != 1) {
    print_error("%s: %s from %g to %g: ended with status %d\n", name, p->path, p->value, p->stepped, status);
    v->complaints++;
  }
}

static void step_everything(ct_doc *doc, const char *name, bool controls_only, uint32_t when) {
  static parameters all;
  static run r;
  verdict sum = {.worst_click_db = -INFINITY};
  verdict *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(v != MAP_FAILED);
  find_parameters(doc, controls_only, &all);
  play_until(&r, doc, when);
  judge_before(&r, name, &sum);
  for (uint32_t i = 0; i < all.count; i++) {
    step_in_child(&r, name, &all.of[i], v);
    add_verdict(&sum, v);
  }
  close_run(&r);
  munmap(v, sizeof *v);
  printf("%s: %u parameters stepped %.3f s in; worst click %.1f dB of %g, ledger %.2g of what is allowed; %u "
         "runs "
         "with strikes\n",
         name, sum.runs, when / RATE, sum.worst_click_db, CT_MEASURE_CLICK_DB, sum.worst_error, sum.strikes);
  assert_int_equal(sum.runs, all.count);
  assert_int_equal(sum.complaints, 0);
}

/* The ear of this test: a change without its ramp is a click. */
static void a_jump_is_heard(void **state) {
  (void)state;
  static run r;
  ct_doc *doc = pressed_page("velocity");
  const parameter jump = {"pickups.ear.full_scale", 1, 0.5};
  double heard[2];
  for (int smooth = 0; smooth < 2; smooth++) {
    play_until(&r, doc, 9600 + 160);
    step(&r, &jump, smooth ? -1 : 0);
    heard[smooth] = ct_measure_worst_click(r.sound, FRAMES, RATE, NULL, 0).strength_db;
    close_run(&r);
  }
  printf("full scale halved at once: %.1f dB; over the scene's smoothing: %.1f dB\n", heard[0], heard[1]);
  assert_true(heard[0] > CT_MEASURE_CLICK_DB && heard[1] < CT_MEASURE_CLICK_DB);
  ct_doc_destroy(doc);
}

static void in_contact(void **state) {
  (void)state;
  static const char *const listen[] = {"velocity", "displacement", "acceleration", "force"};
  for (int i = 0; i < 4; i++) {
    ct_doc *doc = pressed_page(listen[i]);
    char name[48];
    snprintf(name, sizeof name, "pressed, %s", listen[i]);
    step_everything(doc, name, i > 1, 9600 + 160);
    ct_doc_destroy(doc);
  }
}

/* Where in its demo a scene rings with nothing touching, and where something touches; 0 when nowhere. */
static void find_moments(ct_doc *doc, uint32_t *ringing, uint32_t *touching) {
  static run r;
  uint32_t quiet = 0, from = 0;
  *ringing = *touching = 0;
  open_run(&r, doc);
  for (uint32_t at = 0; at < (uint32_t)(4 * RATE) && !(*ringing && *touching); at += BLOCK) {
    play_block(&r, 0);
    bool touch = false;
    for (uint32_t i = 0; i < r.contacts; i++)
      for (int n = 0; n < BLOCK; n++)
        touch |= r.force[i][n] > 0;
    from += touch;
    quiet = touch ? 0 : quiet + BLOCK;
    if (touch && !*touching && at > BEFORE)
      *touching = at;
    if (!*ringing && from && quiet > 2400 && at > BEFORE)
      *ringing = at;
  }
  close_run(&r);
}

/* CT_SCENE=NAME looks at one of them only. */
static bool is_wanted(size_t scene) {
  const char *only = getenv("CT_SCENE");
  return !only || strcmp(only, ct_builtin_scenes[scene].name) == 0;
}

/* What may be moved moves while something touches, and controls also while it only rings; in a long run all
 * of it at both. */
static void built_in_scenes(void **state) {
  (void)state;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    if (!is_wanted(i))
      continue;
    ct_error error = {0};
    ct_doc *doc = NULL;
    if (ct_doc_load(ct_builtin_scenes[i].name, &doc, &error) != CT_OK)
      fail_msg("%s", error.text);
    uint32_t moments[2];
    static const char *const names[] = {"ringing", "touching"};
    find_moments(doc, &moments[0], &moments[1]);
    for (int k = 0; k < 2; k++) {
      char name[64];
      snprintf(name, sizeof name, "%s, %s", ct_builtin_scenes[i].name, names[k]);
      if (moments[k])
        step_everything(doc, name, !long_run() && k == 0 && moments[1], moments[k]);
      else
        printf("%s: never\n", name);
    }
    ct_doc_destroy(doc);
  }
}

/* ---- at random ---- */

/* Somewhere between where it started and half a range away. Ranges that span all a scene could ever want
 * (metres, newtons, gains by the thousand) are walked by their first thousandth. */
static double random_value(random_state *r, const parameter *p) {
  double far = p->stepped, span = fabs(far - p->value);
  if (p->value > 0 && far > 0 && (far > 10 * p->value || far < p->value / 10))
    return p->value * pow(far / p->value, random_between(r, 0, 0.25));
  double reach = span >= 500 ? random_log(r, 1e-7, 1e-3) : random_unit(r);
  return p->value + reach * (far - p->value);
}

/* So many for every scene. */
static uint64_t seeds(void) { return long_run() ? 12 : 1; }

/* A second of the demo with a random parameter sent somewhere every three milliseconds. */
static void step_at_random(ct_doc *doc, const char *name, uint64_t seed) {
  static parameters all;
  static run r;
  random_state random = {seed};
  double worst = 0, share;
  find_parameters(doc, false, &all);
  open_run(&r, doc);
  for (uint32_t n = 0; n < (uint32_t)RATE; n += BLOCK) {
    if (n % 144 == 0) {
      const parameter *p = &all.of[random_below(&random, all.count)];
      double value = random_value(&random, p), ramp_s = random_unit(&random) < 0.3 ? 0 : -1;
      lab_set(r.scene, p->path, value, ramp_s, 0);
    }
    play_block(&r, -1);
    if (!ledger_closes(r.scene, &share)) {
      ct_ledger l = ct_scene_ledger(r.scene);
      fail_msg("%s, seed %llu, sample %u: the ledger is off by %.3g J (S %.3g J, rounding %.3g J)", name,
               (unsigned long long)seed, n, l.error_j, l.scale_j, l.rounding_j);
    }
    worst = fmax(worst, share);
  }
  ct_ledger l = ct_scene_ledger(r.scene);
  printf("%s at random, seed %llu: %.3g J of parameter work, ledger %.2g of what is allowed\n", name,
         (unsigned long long)seed, l.parameter_j, worst);
  assert_true(fabs(l.parameter_j) <= l.allowance_j);
  assert_int_equal(ct_scene_counters(r.scene).dropped_messages, 0);
  close_run(&r);
}

static void at_random(void **state) {
  (void)state;
  ct_doc *doc = pressed_page("velocity");
  for (uint64_t seed = 1; seed <= seeds(); seed++)
    step_at_random(doc, "pressed", seed);
  ct_doc_destroy(doc);
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    if (!is_wanted(i))
      continue;
    ct_error error = {0};
    if (ct_doc_load(ct_builtin_scenes[i].name, &doc, &error) != CT_OK)
      fail_msg("%s", error.text);
    for (uint64_t seed = 1; seed <= seeds(); seed++)
      step_at_random(doc, ct_builtin_scenes[i].name, seed);
    ct_doc_destroy(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_jump_is_heard), cmocka_unit_test(in_contact),
                                     cmocka_unit_test(built_in_scenes), cmocka_unit_test(at_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
