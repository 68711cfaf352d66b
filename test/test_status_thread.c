/* What any thread may read while another one processes: clock, levels, forces in contacts, and whether
 * anything sounds. */
#include "support/lab.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static ct_scene *struck(void) {
  ct_scene *scene = lab_scene(48000, 9.81);
  lab_modal(scene, "bar", (const ct_mode_def[]){{.hz = 440, .t60_s = 0.05, .mass_kg = 0.05}}, 1);
  lab_mass(scene, "ball", 0.02, 0.001, 0);
  lab_hand(scene, "floor", 0, 0);
  ct_impact_def bounce = lab_law("bounce", "ball.at", "floor.at", 1e6, 1.5, 3);
  bounce.from_above = true;
  lab_touch(scene, bounce);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 2);
  lab_settle(scene);
  return scene;
}

static void clock_level_and_rest(void **state) {
  (void)state;
  ct_scene *scene = struck();
  assert_int_equal(ct_scene_sample(scene), 0);
  lab_step(scene, 4 * 48000); /* the ball has come to rest on the floor, which bears it */
  assert_int_equal(ct_scene_sample(scene), 4 * 48000);
  ct_handle bounce = lab_handle(scene, "bounce.stiffness");
  assert_true(fabs(fabs(ct_scene_contact_force_n(scene, bounce)) - 0.02 * 9.81) < 1e-4);
  assert_true(ct_scene_contact_force_n(scene, lab_handle(scene, "bar.at.force_n")) ==
              0); /* not a contact's */
  assert_false(ct_scene_is_sounding(scene));
  assert_true(ct_scene_level(scene, 0) == 0 && ct_scene_level(scene, 99) == 0);

  lab_set(scene, "bar.modes.0.v_m_s", 1, 0, 0);
  float sound[480];
  float *out[] = {sound};
  ct_scene_process(scene, &(ct_io){.frames = 480, .outputs = out});
  double most = 0;
  for (int i = 0; i < 480; i++)
    most = fmax(most, fabs((double)sound[i]));
  assert_true(ct_scene_is_sounding(scene) && most > 0.1 && fabs(ct_scene_level(scene, 0) - most) < 1e-6);
  lab_step(scene, 48000);
  assert_false(ct_scene_is_sounding(scene));
  lab_step(scene, 64);
  assert_true(ct_scene_level(scene, 0) == 0);
  ct_scene_destroy(scene);
}

/* A handle of what is gone reads nothing, also when somebody else has its place. */
static void gone_contacts_are_not_somebody_else(void **state) {
  (void)state;
  ct_scene *scene = struck();
  lab_step(scene, 48000);
  ct_handle old = lab_handle(scene, "bounce.force_n");
  assert_true(ct_scene_contact_force_n(scene, old) != 0);
  lab_must(ct_scene_remove(scene, "bounce", NULL), NULL);
  lab_step(scene, 64);
  assert_true(ct_scene_contact_force_n(scene, old) == 0); /* at once, though it lets go for 30 ms */
  lab_step(scene, 2000);
  ct_impact_def again = lab_law("again", "ball.at", "floor.at", 1e6, 1.5, 3);
  again.from_above = true;
  lab_touch(scene, again);
  lab_step(scene, 48000);
  ct_handle now = lab_handle(scene, "again.force_n");
  assert_int_equal(now.object, old.object);
  assert_true(ct_scene_contact_force_n(scene, now) != 0);
  assert_true(ct_scene_contact_force_n(scene, old) == 0);
  ct_scene_destroy(scene);
}

/* ---- from another thread; the sanitizers look on ---- */

typedef struct reader {
  ct_scene *scene;
  ct_handle bounce;
  atomic_bool ends;
  uint64_t reads, went_back;
  bool odd;
} reader;

static void *read_on(void *context) {
  reader *r = context;
  uint64_t last = 0;
  while (!atomic_load(&r->ends)) {
    uint64_t now = ct_scene_sample(r->scene);
    r->went_back += now < last;
    last = now;
    double level = ct_scene_level(r->scene, 0), force = ct_scene_contact_force_n(r->scene, r->bounce);
    r->odd |= !(level >= 0 && level < 10) || !isfinite(force);
    r->reads += ct_scene_is_sounding(r->scene) || level >= 0;
  }
  return NULL;
}

static void from_another_thread(void **state) {
  (void)state;
  reader r = {.scene = struck()};
  r.bounce = lab_handle(r.scene, "bounce.force_n");
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, read_on, &r), 0);
  for (int i = 0; i < 2000; i++)
    lab_step(r.scene, 64);
  atomic_store(&r.ends, true);
  pthread_join(thread, NULL);
  assert_true(!r.odd && r.went_back == 0);
  assert_int_equal(ct_scene_sample(r.scene), 2000 * 64);
  ct_scene_destroy(r.scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clock_level_and_rest),
      cmocka_unit_test(gone_contacts_are_not_somebody_else),
      cmocka_unit_test(from_another_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
