/* ctest: slow
 * Many masses on one floor: contacts of one island that are solved together without the cube. From contacts
 * so soft that the floor hardly tells one mass of another to such as are stiff against every step, the
 * account closes, with and without one the same is heard, and on a floor that does not give each mass goes as
 * it would alone. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { MOST = 40, MODES = 6, FRAMES = 600 };

static const double rate_hz = 44100;

/* Masses that lie on a floor that rings, or are thrown on it. */
typedef struct bed {
  uint32_t masses;
  double stiffness, floor_kg, speed_m_s;
  double gain; /* of the floor's modes where the masses are */
  bool ledger;
} bed;

static void add_floor(ct_scene *scene, const bed *b) {
  static char names[MOST][8];
  static double gains[MOST][MODES];
  ct_mode_def modes[MODES];
  ct_point_def points[MOST];
  for (int k = 0; k < MODES; k++)
    modes[k] = (ct_mode_def){
        .hz = 60.0 * (k + 1) * (k + 1), .t60_s = 5, .mass_kg = b->floor_kg, .v_m_s = 0.02 / b->floor_kg};
  for (uint32_t i = 0; i < b->masses; i++) {
    snprintf(names[i], sizeof names[i], "p%u", i % 1000);
    for (int k = 0; k < MODES; k++)
      gains[i][k] = b->gain * sin(M_PI * (k + 1) * (i + 0.5) / b->masses);
    points[i] = (ct_point_def){.name = names[i], .gains = {gains[i], NULL}, .gain_count = MODES};
  }
  ct_modal_def floor = ct_default_modal_def();
  floor.name = "floor";
  floor.modes = modes;
  floor.mode_count = MODES;
  floor.points = points;
  floor.point_count = b->masses;
  lab_body(scene, &floor);
}

static ct_scene *build(const bed *b) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = rate_hz;
  def.gravity_m_s2 = 9.81;
  def.ledger = b->ledger;
  def.bodies = MOST + 1;
  def.contacts = MOST;
  def.at_rest = b->speed_m_s == 0;
  def.pool_bytes = 4u << 20;
  ct_scene *scene = lab_scene_from(&def);
  add_floor(scene, b);
  for (uint32_t i = 0; i < b->masses; i++) {
    char name[16], at[24], place[24], contact[16];
    snprintf(name, sizeof name, "m%u", i);
    snprintf(at, sizeof at, "m%u.at", i);
    snprintf(place, sizeof place, "floor.p%u", i);
    snprintf(contact, sizeof contact, "c%u", i);
    lab_mass(scene, name, 0.1 * (1 + i % 3), 0, -b->speed_m_s * (1 + 0.1 * (i % 7)));
    ct_impact_def law = lab_law(contact, at, place, b->stiffness, 1.5, 2);
    law.from_above = true;
    lab_touch(scene, law);
  }
  lab_settle(scene);
  return scene;
}

static const double stiffnesses[] = {1e5, 1e7, 1e9, 1e11}, floors_kg[] = {0.2, 20};
static const uint32_t counts[] = {8, 13, 40};

/* Every bed there is. */
static bool next_bed(uint32_t n, bed *b) {
  *b = (bed){.masses = counts[n % 3],
             .stiffness = stiffnesses[n / 3 % 4],
             .floor_kg = floors_kg[n / 12 % 2],
             .speed_m_s = n / 24 % 2 ? 0.3 : 0,
             .gain = 1,
             .ledger = true};
  return n < 48;
}

static void accounts_close(void **state) {
  (void)state;
  bed b;
  double worst = 0;
  ct_counters all = {0};
  for (uint32_t n = 0; next_bed(n, &b); n++) {
    ct_scene *scene = build(&b);
    ct_error error = {0};
    for (int part = 0; part < 6; part++) {
      lab_step(scene, FRAMES / 6);
      worst = fmax(worst, lab_ledger_error(scene));
      assert_true(ct_scene_finite(scene));
    }
    lab_must(ct_scene_judge(scene, &error), &error);
    ct_counters now = ct_scene_counters(scene);
    all.solves += now.solves;
    all.evaluations += now.evaluations;
    all.fallbacks += now.fallbacks;
    ct_scene_destroy(scene);
  }
  printf("%.2f evaluations a solve, %llu of %llu fell back; ledger off by %.2g at most\n",
         (double)all.evaluations / (double)all.solves, (unsigned long long)all.fallbacks,
         (unsigned long long)all.solves, worst);
  assert_true(worst < 1e-12);
}

static void account_changes_nothing(void **state) {
  (void)state;
  bed b;
  for (uint32_t n = 0; next_bed(n, &b); n++) {
    bed unkept = b;
    unkept.ledger = false;
    ct_scene *with = build(&b), *without = build(&unkept);
    lab_step(with, FRAMES);
    lab_step(without, FRAMES);
    assert_true(lab_get(with, "m1.at.v_m_s") == lab_get(without, "m1.at.v_m_s"));
    assert_true(lab_get(with, "floor.p2.v_m_s") == lab_get(without, "floor.p2.v_m_s"));
    ct_scene_destroy(with);
    ct_scene_destroy(without);
  }
}

/* The island's solve against the law's own, which a contact alone is solved by. */
static void as_alone_on_a_firm_floor(void **state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < 4; k++) {
    double v[2][FRAMES];
    bed b = {.masses = MOST, .stiffness = stiffnesses[k], .floor_kg = 1e6, .speed_m_s = 0.3, .gain = 1e-6};
    for (int alone = 0; alone < 2; alone++) {
      b.masses = alone ? 1 : MOST;
      ct_scene *scene = build(&b);
      lab_record(scene, "m0.at.v_m_s", v[alone], FRAMES);
      ct_scene_destroy(scene);
    }
    worst = fmax(worst, lab_relative_rms(v[0], v[1], FRAMES));
  }
  printf("off from one alone by %.2g\n", worst);
  assert_true(worst < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accounts_close),
                                     cmocka_unit_test(account_changes_nothing),
                                     cmocka_unit_test(as_alone_on_a_firm_floor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
