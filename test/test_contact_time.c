/* Hardness as a contact time: a contact that is told how long to last at a speed does so, on a wall and on
 * another mass, and goes on doing so when the time is moved. Stiffness and time always say the same thing. */
#include "support/lab.h"
#include <contatto/doc.h>
#include <contatto/impact.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static const double rate_hz = 192000;

/* A ball on its way to a wall, or to a free mass at rest. */
typedef struct meeting {
  double mass_kg, other_kg; /* 0: a wall */
  double exponent, damping_s_m, speed_m_s, time_s;
} meeting;

static ct_scene *arrange(const meeting *m) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "ball", m->mass_kg, -100.37 * m->speed_m_s / rate_hz, m->speed_m_s);
  if (m->other_kg > 0)
    lab_mass(scene, "other", m->other_kg, 0, 0);
  else
    lab_hand(scene, "other", 0, 0);
  ct_impact_def law = ct_default_impact_def();
  law.name = "touch";
  law.a = "ball.at";
  law.b = "other.at";
  law.exponent = m->exponent;
  law.damping_s_m = m->damping_s_m;
  law.contact_time_s = m->time_s;
  law.contact_speed_m_s = m->speed_m_s;
  law.quality = CT_BEST;
  lab_touch(scene, law);
  lab_settle(scene);
  return scene;
}

/* Time with compression > 0. Apart, compression runs straight in time, so both crossings are found from
 * the two samples on their outer side. */
static double measured_s(ct_scene *scene) {
  enum { MOST = 20000 };
  static double x[MOST];
  lab_record(scene, "touch.compression_m", x, MOST);
  int first = 0, last = MOST - 1;
  while (first < MOST && x[first] <= 0)
    first++;
  while (last > 0 && x[last] <= 0)
    last--;
  assert_true(first >= 2 && last > first && last < MOST - 3);
  double touch = first - 1 - x[first - 1] / (x[first - 1] - x[first - 2]);
  double leave = last + 1 - x[last + 1] / (x[last + 2] - x[last + 1]);
  return (leave - touch) / rate_hz;
}

static void check_time(ct_scene *scene, double wanted_s, const char *what) {
  double got_s = measured_s(scene);
  printf("%s: %.6g ms asked, %.6g ms measured, %+.4f %%, ledger off by %.1e\n", what, 1e3 * wanted_s,
         1e3 * got_s, 100 * (got_s / wanted_s - 1), lab_ledger_error(scene));
  assert_true(fabs(got_s / wanted_s - 1) < 0.01);
  assert_true(lab_ledger_error(scene) < 1e-12);
}

static const meeting on_wall = {0.01, 0, 1.5, 0.3, 1, 1e-3}, on_mass = {0.01, 0.5, 2.3, 0.6, 2, 1e-3},
                     hard = {0.1, 0, 1.1, 0, 0.3, 0.1e-3}, soft = {0.002, 3, 1.5, 2, 1.5, 10e-3};

static void lasts_as_long_as_asked(void **state) {
  (void)state;
  const meeting *all[] = {&on_wall, &on_mass, &hard, &soft};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    ct_scene *scene = arrange(all[i]);
    check_time(scene, all[i]->time_s, all[i]->other_kg > 0 ? "two masses" : "a wall");
    ct_scene_destroy(scene);
  }
}

/* From 1 ms to 0.25 ms, at once and on the way, and to the stiffness the closed form has for it. */
static void moves_live(void **state) {
  (void)state;
  const meeting *all[] = {&on_wall, &on_mass};
  for (int i = 0; i < 4; i++) {
    const meeting *m = all[i & 1];
    ct_scene *scene = arrange(m);
    lab_set(scene, "touch.contact_time_s", 0.25e-3, i & 2 ? 60 / rate_hz : 0, 1);
    lab_step(scene, 96);
    ct_impact_case wanted = {m->mass_kg, 0, m->exponent, m->damping_s_m, m->speed_m_s};
    if (m->other_kg > 0)
      wanted.mass_kg = ct_impact_reduced_mass_kg(m->mass_kg, m->other_kg);
    double k = ct_impact_stiffness_for(&wanted, 0.25e-3);
    assert_true(fabs(lab_get(scene, "touch.stiffness") / k - 1) < 1e-9);
    check_time(scene, 0.25e-3, i & 2 ? "moved on the way" : "moved at once");
    ct_scene_destroy(scene);
  }
}

/* Moving it while pressed does no work: the contact then stores as much in another compression. */
static void moves_while_pressed(void **state) {
  (void)state;
  ct_scene *scene = arrange(&on_wall);
  lab_step(scene, 180);
  assert_true(lab_get(scene, "touch.compression_m") > 0);
  lab_set(scene, "touch.contact_time_s", 0.25e-3, 50 / rate_hz, 0);
  lab_step(scene, 1000);
  assert_true(lab_get(scene, "touch.compression_m") < 0);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(fabs(l.parameter_j) < 1e-15 * l.scale_j);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Stiffness set live, and read back as a time; the exponent leaves both where they are. */
static void stays_a_pair(void **state) {
  (void)state;
  ct_scene *scene = arrange(&on_wall);
  double k = lab_get(scene, "touch.stiffness");
  lab_set(scene, "touch.stiffness", k * pow(2, 2.5), 0, 0);
  lab_step(scene, 1);
  assert_true(fabs(lab_get(scene, "touch.contact_time_s") / 0.5e-3 - 1) < 1e-12);
  check_time(scene, 0.5e-3, "by stiffness");
  ct_scene_destroy(scene);

  scene = arrange(&on_wall);
  lab_set(scene, "touch.exponent", 2, 0, 0);
  lab_step(scene, 1);
  assert_true(lab_get(scene, "touch.stiffness") == k && lab_get(scene, "touch.contact_time_s") == 1e-3);
  lab_set(scene, "touch.contact_time_s", 0.5e-3, 0, 0);
  lab_step(scene, 64);
  assert_true(fabs(lab_get(scene, "touch.stiffness") / (8 * k) - 1) < 1e-12);
  ct_scene_destroy(scene);
}

/* A time no stiffness in range can make gives the hardest there is, and the way back is the way there. */
static void stops_at_the_hardest(void **state) {
  (void)state;
  meeting m = on_mass;
  m.exponent = 4;
  ct_scene *scene = arrange(&m);
  double k = lab_get(scene, "touch.stiffness");
  lab_set(scene, "touch.contact_time_s", 1e-6, 0, 0);
  lab_step(scene, 64);
  assert_true(lab_get(scene, "touch.stiffness") == 1e16);
  lab_set(scene, "touch.contact_time_s", 1e-3, 0, 0);
  lab_step(scene, 64);
  assert_true(fabs(lab_get(scene, "touch.stiffness") / k - 1) < 1e-12);
  ct_scene_destroy(scene);
}

/* ---- on paper
 * ------------------------------------------------------------------------------------------------- */

static void write_number(ct_doc *doc, const char *path, double number) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, number, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void write_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static ct_doc *page(bool heavy) {
  ct_doc *doc = ct_doc_create();
  write_number(doc, "contatto", 1);
  write_text(doc, "bodies.ball.kind", heavy ? "modal" : "hand");
  if (heavy) {
    write_number(doc, "bodies.ball.modes[0].hz", 0);
    write_number(doc, "bodies.ball.modes[0].t60_s", 0);
    write_number(doc, "bodies.ball.modes[0].mass_kg", 0.01);
    write_number(doc, "bodies.ball.points.at.gains[0]", 1);
  }
  write_text(doc, "bodies.wall.kind", "wall");
  write_text(doc, "contacts.hit.a", "ball.at");
  write_text(doc, "contacts.hit.b", "wall.at");
  write_number(doc, "contacts.hit.contact_time_s", 2e-3);
  return doc;
}

static void is_refused(ct_doc *doc, const char *line) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  assert_int_not_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_OK);
  assert_string_equal(error.text, line);
  ct_doc_destroy(doc);
}

static void refuses_two_words_for_one_thing(void **state) {
  (void)state;
  ct_error error = {0};
  ct_doc *doc = page(true);
  write_number(doc, "contacts.hit.stiffness", 1e6);
  is_refused(doc, "contact 'hit': stiffness and contact_time_s say the same thing; give one");
  doc = page(true);
  write_number(doc, "contacts.hit.lambda", 1e6);
  is_refused(doc, "contact 'hit': lambda needs a stiffness; with contact_time_s give damping_s_m");
  is_refused(page(false), "hit.contact_time_s: wants a body with a mass; hands and walls have none");
  doc = page(true);
  assert_int_not_equal(ct_doc_set_number(doc, "contacts.hit.contact_time_s", 2, &error), CT_OK);
  ct_doc_destroy(doc);
}

static void builds_from_a_page(void **state) {
  (void)state;
  ct_error error = {0};
  ct_doc *doc = page(true);
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  write_number(doc, "contacts.hit.contact_speed_m_s", 3);
  if (ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_settle(scene);
  ct_impact_case wanted = {0.01, 0, 1.5, 0.5, 3};
  assert_true(fabs(lab_get(scene, "hit.stiffness") / ct_impact_stiffness_for(&wanted, 2e-3) - 1) < 1e-9);
  assert_true(lab_get(scene, "hit.contact_time_s") == 2e-3);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lasts_as_long_as_asked), cmocka_unit_test(moves_live),
      cmocka_unit_test(moves_while_pressed),    cmocka_unit_test(stays_a_pair),
      cmocka_unit_test(stops_at_the_hardest),   cmocka_unit_test(refuses_two_words_for_one_thing),
      cmocka_unit_test(builds_from_a_page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
