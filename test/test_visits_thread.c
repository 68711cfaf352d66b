/* ctest: timeout=1800
 * Parts that come and go a hundred times a second from another thread, while the scene sounds: masses that
 * press, hands that rub, balls that roll, all removed in the middle of it. No click, an account that is kept,
 * and the sanitizers look on: 60 s in ./check long. */
#include "support/instrumented.h"
#include "support/lab.h"
#include <contatto/measure.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000, BLOCK = 64, EVERY = RATE / 100, STAY = 3 * EVERY, GUESTS = 16 };

typedef struct stage {
  ct_scene *scene;
  uint64_t frames;
  double *sound;
  _Atomic uint64_t seen; /* the sample at which the host looked last */
} stage;

/* Both threads run side by side, but the sound never runs more than EVERY samples past the host's last look:
 * on a machine that stops one of them, the other waits, and as many come and go as on any other. */

static void *play(void *context) {
  stage *st = context;
  for (uint64_t n = 0; n < st->frames; n += BLOCK) {
    while (n > atomic_load(&st->seen) + EVERY)
      sched_yield();
    double *raw[] = {st->sound + n};
    ct_scene_process(st->scene, &(ct_io){.frames = BLOCK, .raw = raw});
    sched_yield();
  }
  return NULL;
}

/* ---- who comes ---- */

typedef struct guest {
  ct_id id[4]; /* removed in this order */
  int count;
  uint64_t leaves_at;
} guest;

static ct_error error;

static ct_id some(ct_id id) {
  if (ct_id_is_none(id))
    fail_msg("%s", error.text);
  return id;
}

static void ramp(ct_scene *s, ct_id part, const char *path, double value) {
  ct_handle handle;
  lab_must(ct_scene_resolve_in(s, part, path, &handle, &error), &error);
  lab_must(ct_scene_set(s, handle, value, -1, 0, &error), &error);
}

/* Added apart from the bar, then pressed against it by a growing force. */
static guest presses(ct_scene *s, ct_id bar, double force_n) {
  ct_mode_def mode = {.mass_kg = 0.05};
  ct_point_def point = {0};
  ct_modal_def mass = ct_default_modal_def();
  mass.modes = &mode;
  mass.points = &point;
  mass.mode_count = mass.point_count = 1;
  ct_id body = some(ct_scene_add_modal(s, &mass, &error));
  ct_impact_def touch = ct_default_impact_def();
  touch.stiffness = 1e4;
  touch.damping_s_m = 2;
  touch.gap_m = 1e-6;
  touch.substeps = 1;
  touch.a_id = (ct_point_id){body, 0};
  touch.b_id = (ct_point_id){bar, 0};
  ct_id contact = some(ct_scene_add_impact(s, &touch, &error));
  ramp(s, body, "#0.force_n", force_n);
  return (guest){.id = {contact, body}, .count = 2};
}

static guest rubs(ct_scene *s, ct_id bar, double normal_n) {
  ct_hand_def hand = ct_default_hand_def();
  hand.v_m_s[CT_TANGENTIAL] = 0.2;
  ct_id body = some(ct_scene_add_hand(s, &hand, &error));
  ct_friction_def rub = ct_default_friction_def();
  rub.normal_n = 0;
  rub.viscous_n_s_m = 0;
  rub.a_id = (ct_point_id){body, 0};
  rub.b_id = (ct_point_id){bar, 0};
  ct_id contact = some(ct_scene_add_friction(s, &rub, &error));
  ramp(s, contact, "normal_n", normal_n);
  return (guest){.id = {body}, .count = 1};
}

/* Under the ball that lies on the bar. */
static guest rolls(ct_scene *s, ct_id contact, ct_id surface, double speed_m_s) {
  ct_drive_def roll = ct_default_drive_def();
  roll.contact_id = contact;
  roll.surface_id = surface;
  roll.acceleration_m_s2 = 10;
  ct_id drive = some(ct_scene_add_drive(s, &roll, &error));
  ramp(s, drive, "speed_m_s", speed_m_s);
  return (guest){.id = {drive}, .count = 1};
}

/* ---- the visits ---- */

static void add_hosts(ct_scene *s, ct_id *bar, ct_id *contact, ct_id *surface) {
  ct_mode_def modes[] = {{.hz = 220, .t60_s = 2, .mass_kg = 0.1, .v_m_s = 0.05},
                         {.hz = 610, .t60_s = 1, .mass_kg = 0.1, .v_m_s = 0.03},
                         {.hz = 1370, .t60_s = 1, .mass_kg = 0.1, .v_m_s = 0.02}};
  lab_modal(s, "bar", modes, 3);
  lab_mass(s, "ball", 0.02, 0, 0);
  ct_impact_def law = lab_law("touch", "ball.at", "bar.at", 1e6, 1.5, 5);
  law.from_above = true;
  lab_touch(s, law);
  ct_surface_def floor = ct_default_surface_def();
  floor.name = "floor";
  floor.depth_m = 1e-7;
  *surface = some(ct_scene_add_surface(s, &floor, &error));
  lab_pickup(s, "ear", "bar.at", CT_VELOCITY, 1);
  *bar = ct_scene_find(s, "bar");
  *contact = ct_scene_find(s, "touch");
}

/* ./check long says so to instrumented builds, too. */
static uint64_t seconds(void) {
  const char *set = getenv("CT_LONG");
  return (set && *set == '1') || sanitized_long() ? 60 : INSTRUMENTED ? 3 : 6;
}

static void a_hundred_a_second(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = RATE;
  def.ledger = true;
  def.bodies = def.contacts = def.drives = 64;
  def.at_rest = true;
  def.gravity_m_s2 = 9.81;
  stage st = {.scene = lab_scene_from(&def), .frames = seconds() * RATE};
  st.sound = calloc(st.frames, sizeof *st.sound);
  ct_id bar, contact, surface;
  add_hosts(st.scene, &bar, &contact, &surface);
  lab_settle(st.scene);
  pthread_t player;
  assert_int_equal(pthread_create(&player, NULL, play, &st), 0);

  guest guests[GUESTS] = {0};
  uint64_t came = 0, went = 0;
  for (uint64_t next = EVERY; next + STAY + 2 * EVERY < st.frames;) {
    uint64_t now = ct_scene_sample(st.scene);
    for (int i = 0; i < GUESTS; i++)
      if (guests[i].count && guests[i].leaves_at <= now) {
        for (int k = 0; k < guests[i].count; k++)
          lab_must(ct_scene_remove_id(st.scene, guests[i].id[k], &error), &error);
        guests[i].count = 0;
        went++;
      }
    atomic_store(&st.seen, now);
    if (now < next) {
      sched_yield();
      continue;
    }
    int free = 0;
    while (free < GUESTS && guests[free].count)
      free++;
    assert_true(free < GUESTS);
    double strength = 0.2 + 0.1 * (double)(came % 7);
    guests[free] = came % 3 == 0   ? presses(st.scene, bar, strength)
                   : came % 3 == 1 ? rubs(st.scene, bar, strength)
                                   : rolls(st.scene, contact, surface, strength);
    guests[free].leaves_at = now + STAY;
    came++;
    next = now + EVERY;
  }
  atomic_store(&st.seen, st.frames);
  pthread_join(player, NULL);
  ct_ledger l = ct_scene_ledger(st.scene);
  double most = 0;
  for (uint64_t n = 0; n < st.frames; n++)
    most = fmax(most, fabs(st.sound[n]));
  ct_measured_click worst = ct_measure_worst_click(st.sound, st.frames, RATE, NULL, 0);
  printf(
      "%llu s: %llu came, %llu went, peak %.3g m/s, worst %.1f dB at %.3f s (a click is %g), error %.2g of "
      "what is allowed\n",
      (unsigned long long)seconds(), (unsigned long long)came, (unsigned long long)went, most,
      worst.strength_db, worst.time_s, CT_MEASURE_CLICK_DB, fabs(l.error_j) / l.allowance_j);
  /* At the latest one comes EVERY samples after it was due, and a block: 180 in 6 s, whoever is slow. */
  assert_true(came > st.frames / (3 * EVERY) && went + GUESTS >= came && most > 0.01);
  assert_true(ct_ledger_kept(&l));
  assert_true(worst.strength_db < CT_MEASURE_CLICK_DB);
  ct_scene_destroy(st.scene);
  free(st.sound);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_hundred_a_second)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
