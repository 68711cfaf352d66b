/* One thread sets, adds and removes while another makes sound. Under the thread sanitizer a data race fails
 * it; without, that every message arrives, in the order it was sent, and that a full queue says so. */
#include "base/queue.h"
#include "support/lab.h"

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
#include <string.h>
#include <time.h>

static double seconds_since(struct timespec start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}

/* ---- the queue alone ---- */

typedef struct parcel {
  uint64_t number, square, cube; /* torn parcels do not fit together */
} parcel;

enum { PARCELS = 400000 };

typedef struct line {
  ct_queue queue;
  uint64_t wrong, received;
} line;

static void *receive(void *context) {
  line *l = context;
  while (l->received < PARCELS) {
    const parcel *p = ct_queue_peek(&l->queue);
    if (!p) {
      sched_yield();
      continue;
    }
    uint64_t n = l->received;
    l->wrong += p->number != n || p->square != n * n || p->cube != n * n * n;
    l->received++;
    ct_queue_drop(&l->queue);
  }
  return NULL;
}

static void queue_keeps_order(void **state) {
  (void)state;
  static parcel room[61];
  line l = {.queue = {.capacity = 61, .item_size = sizeof(parcel), .items = (unsigned char *)room}};
  pthread_t reader;
  assert_int_equal(pthread_create(&reader, NULL, receive, &l), 0);
  uint64_t full = 0;
  for (uint64_t n = 0; n < PARCELS;) {
    parcel p = {n, n * n, n * n * n};
    if (ct_queue_push(&l.queue, &p)) {
      n++;
      continue;
    }
    full++;
    sched_yield();
  }
  pthread_join(reader, NULL);
  printf("queue: %d parcels, %llu wrong, %llu times full\n", PARCELS, (unsigned long long)l.wrong,
         (unsigned long long)full);
  assert_int_equal(l.wrong, 0);
  assert_int_equal(ct_queue_room(&l.queue), 61);
}

/* Filled and emptied wherever it begins: where the indices begin anew nothing happens, whatever the size. */
static void fill_and_empty(ct_queue *q, uint64_t first) {
  for (uint64_t k = 0; k < q->capacity; k++) {
    assert_int_equal(ct_queue_room(q), q->capacity - k);
    assert_true(ct_queue_push(q, &(uint64_t){first + k}));
  }
  assert_false(ct_queue_push(q, &(uint64_t){0}));
  for (uint64_t k = 0; k < q->capacity; k++) {
    assert_int_equal(*(const uint64_t *)ct_queue_peek(q), first + k);
    ct_queue_drop(q);
  }
  assert_null(ct_queue_peek(q));
}

static void queue_wraps(void **state) {
  (void)state;
  for (uint32_t capacity = 1; capacity <= 9; capacity++) {
    uint64_t room[10] = {[9] = 12345};
    ct_queue q = {.capacity = capacity, .item_size = sizeof room[0], .items = (unsigned char *)room};
    for (uint64_t n = 0; n < 100; n++) {
      fill_and_empty(&q, 100 * n);
      assert_true(ct_queue_push(&q, &n)); /* so that the next round begins one further on */
      ct_queue_drop(&q);
    }
    assert_int_equal(room[9], 12345);
  }
}

/* ---- a scene between two threads ---- */

enum { BLOCK = 32 };

typedef struct studio {
  ct_scene *scene;
  ct_handle heard;
  atomic_bool stop, arrived; /* arrived: the audio thread has seen the number it waits for */
  uint64_t blocks;
  /* what the audio thread saw of the numbers sent */
  double last;
  uint64_t steps_back, distinct, not_finite;
  bool one_by_one; /* whether to look after every sample */
  double awaited;
} studio;

static void look(studio *st, double value) {
  st->steps_back += value < st->last;
  st->distinct += value != st->last;
  st->last = value;
  if (value == st->awaited)
    atomic_store_explicit(&st->arrived, true, memory_order_release);
}

/* Until the audio thread has seen the number it waits for, or has had a minute for it. */
static void await_arrival(studio *st) {
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (!atomic_load_explicit(&st->arrived, memory_order_acquire) && seconds_since(start) < 60)
    sched_yield();
}

static void *make_sound(void *context) {
  studio *st = context;
  float left[BLOCK], right[BLOCK], *outputs[] = {left, right};
  double seen[BLOCK];
  ct_tap tap = {st->heard, seen};
  while (!atomic_load_explicit(&st->stop, memory_order_acquire)) {
    uint32_t frames = st->one_by_one ? 1 : BLOCK;
    ct_scene_process(st->scene, &(ct_io){.frames = frames, .outputs = outputs, .taps = &tap, .tap_count = 1});
    for (uint32_t n = 0; n < frames; n++) {
      look(st, seen[n]);
      st->not_finite += !isfinite(left[n]) || !isfinite(right[n]);
    }
    st->blocks++;
    if (st->blocks % 64 == 0)
      sched_yield();
  }
  return NULL;
}

static ct_scene *room_for(uint32_t messages) {
  ct_scene_def def = ct_default_scene_def();
  def.ledger = true;
  def.channels = 2;
  def.bodies = 4;
  def.contacts = 4;
  def.pickups = 3;
  def.messages = messages;
  def.pool_bytes = 128u << 10;
  ct_scene *scene = lab_scene_from(&def);
  ct_mode_def modes[] = {{.hz = 300, .t60_s = 0.5, .mass_kg = 0.1, .v_m_s = 1},
                         {.hz = 900, .t60_s = 0.3, .mass_kg = 0.1}};
  lab_modal(scene, "bar", modes, 2);
  lab_hand(scene, "counter", 0, 0);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_settle(scene);
  return scene;
}

/* Rising numbers, each of which stands until the next: none may be missed for good or come early. */
static void sets_arrive_in_order(void **state) {
  (void)state;
  enum { SENT = 20000 };
  studio st = {.scene = room_for(16), .one_by_one = true, .awaited = SENT * 0.01 + 1};
  st.heard = lab_handle(st.scene, "counter.tangential_x_m");
  lab_step(st.scene, 1);
  pthread_t audio;
  assert_int_equal(pthread_create(&audio, NULL, make_sound, &st), 0);
  uint64_t full = 0;
  for (int n = 1; n <= SENT;) {
    ct_error error = {0};
    ct_result result = ct_scene_set(st.scene, st.heard, n * 0.01, 0, 0, &error);
    if (result == CT_OK) {
      n++;
      continue;
    }
    if (result != CT_FULL || !strstr(error.text, "full"))
      fail_msg("%s", error.text);
    full++;
    sched_yield();
  }
  ct_error error = {0};
  while (ct_scene_set(st.scene, st.heard, st.awaited, 0, 0, &error) != CT_OK)
    sched_yield();
  await_arrival(&st);
  atomic_store_explicit(&st.stop, true, memory_order_release);
  pthread_join(audio, NULL);
  printf("sets: %d sent, %llu values seen, %llu out of order, queue full %llu times\n", SENT,
         (unsigned long long)st.distinct, (unsigned long long)st.steps_back, (unsigned long long)full);
  assert_int_equal(st.steps_back, 0);
  assert_true(st.last == st.awaited);
  assert_int_equal(ct_scene_counters(st.scene).dropped_messages, 0);
  ct_scene_destroy(st.scene);
}

typedef struct tally {
  uint64_t added, removed, set, full;
} tally;

static bool worked(ct_result result, const ct_error *error, tally *t) {
  if (result == CT_FULL)
    t->full++;
  else if (result != CT_OK)
    fail_msg("%s", error->text);
  return result == CT_OK;
}

/* A guest with one contact and two pickups comes, is moved about, and goes. */
static void one_visit(ct_scene *scene, uint64_t round, tally *t) {
  ct_error error = {0};
  ct_mode_def modes[8];
  for (int i = 0; i < 8; i++)
    modes[i] = (ct_mode_def){.hz = 200 + 100 * i, .t60_s = 0.1, .mass_kg = 0.05, .v_m_s = 0.1};
  ct_point_def point = {.name = "at"};
  ct_modal_def body = ct_default_modal_def();
  body.name = "guest";
  body.modes = modes;
  body.mode_count = 1 + (uint32_t)(round % 8);
  body.points = &point;
  body.point_count = 1;
  if (!worked(ct_added(ct_scene_add_modal(scene, &body, &error), &error), &error, t))
    return;
  t->added++;
  ct_impact_def law = lab_law("touch", "guest.at", "bar.at", 1e5, 1.5, 0.5);
  bool touching = worked(ct_added(ct_scene_add_impact(scene, &law, &error), &error), &error, t);
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "ear2";
  pickup.at = "guest.at";
  worked(ct_added(ct_scene_add_pickup(scene, &pickup, &error), &error), &error, t);
  pickup.name = "ear3";
  pickup.at = "touch";
  pickup.listen = CT_FORCE;
  if (touching)
    worked(ct_added(ct_scene_add_pickup(scene, &pickup, &error), &error), &error, t);
  static const char *const paths[] = {"guest.modes.0.hz", "guest.at.force_n", "guest.modes.0.v_m_s",
                                      "bar.modes.1.t60_s", "guest.at.gains.0"};
  for (int i = 0; i < 5; i++)
    t->set += worked(ct_scene_set_path(scene, paths[i], 0.5 + (double)(round % 7), &error), &error, t);
  while (!worked(ct_scene_remove(scene, "guest", &error), &error, t))
    sched_yield();
  t->removed++;
}

/* Four seconds of visits, and longer where the machine had other things to do. */
static bool enough(struct timespec start, const tally *t) {
  double elapsed_s = seconds_since(start);
  return elapsed_s > 60 || (elapsed_s >= 4 && t->added > 20 && t->full > 0);
}

static void guests_come_and_go(void **state) {
  (void)state;
  studio st = {.scene = room_for(64)};
  st.heard = lab_handle(st.scene, "counter.x_m");
  lab_step(st.scene, 1);
  pthread_t audio;
  assert_int_equal(pthread_create(&audio, NULL, make_sound, &st), 0);
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  tally t = {0};
  for (uint64_t round = 0; !enough(start, &t); round++) {
    one_visit(st.scene, round, &t);
    if (round % 4 == 0)
      sched_yield();
  }
  atomic_store_explicit(&st.stop, true, memory_order_release);
  pthread_join(audio, NULL);
  ct_ledger l = ct_scene_ledger(st.scene);
  printf("guests: %llu came, %llu went, %llu sets, full %llu times, %llu blocks, error %.2g of S\n",
         (unsigned long long)t.added, (unsigned long long)t.removed, (unsigned long long)t.set,
         (unsigned long long)t.full, (unsigned long long)st.blocks, fabs(l.error_j) / l.scale_j);
  assert_true(t.added > 20 && t.added == t.removed && t.full > 0);
  assert_int_equal(st.not_finite, 0);
  assert_true(ct_ledger_kept(&l));
  lab_step(st.scene, 4000);
  for (int i = 0; i < 2; i++) { /* every slot has come back */
    char name[8];
    snprintf(name, sizeof name, "free%d", i);
    lab_hand(st.scene, name, 0, 0);
  }
  ct_scene_destroy(st.scene);
}

/* ---- every kind of part ---- */

/* Some parts stay, and everything that leans on them comes and goes: bodies of three kinds, contacts of two,
 * a surface, drives, sources locked to a mode and to a partial, pickups, followers. Meanwhile every number
 * that adding could look at is on the move: gravity, modes, strings, surfaces, places. */
static ct_scene *crowded_room(void) {
  ct_scene_def def = ct_default_scene_def();
  def.ledger = true;
  def.channels = 2;
  def.gravity_m_s2 = 9.81;
  def.messages = 64;
  def.pool_bytes = 4u << 20;
  ct_scene *scene = lab_scene_from(&def);
  ct_mode_def modes[] = {{.mass_kg = 0.1}, {.hz = 300, .t60_s = 0.5, .mass_kg = 0.1, .v_m_s = 1}};
  ct_string_def wire = ct_default_string_def();
  ct_surface_def ground = ct_default_surface_def();
  ct_error error = {0};
  lab_modal(scene, "bar", modes, 2);
  lab_string(scene, "wire", wire, (double[]){0.1, 0.5}, 2);
  lab_hand(scene, "counter", 0, 0);
  lab_touch(scene, lab_law("floor", "counter.at", "bar.at", 1e5, 1.5, 0.5));
  ground.name = "ground";
  ground.depth_m = 1e-6;
  if (ct_added(ct_scene_add_surface(scene, &ground, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_pickup(scene, "ear", "wire.p0", CT_FORCE, 10);
  lab_settle(scene);
  return scene;
}

typedef struct flood {
  const char *path;
  double low, high, ramp_s;
} flood;

/* Parts that are not there are no mistake: they come and go. */
static void pour(ct_scene *scene, uint64_t round, tally *t) {
  static const flood all[] = {{"gravity_m_s2", 1, 20, 0.01},
                              {"bar.modes.0.mass_kg", 0.05, 0.2, 0.003},
                              {"bar.modes.1.hz", 200, 400, 0.003},
                              {"bar.at.gains.1", 0.5, 1, 0.003},
                              {"wire.string.hz", 100, 200, 0.01},
                              {"wire.string.inharmonicity", 0, 1e-4, 0.01},
                              {"wire.string.impedance_kg_s", 0.2, 1, 0.01},
                              {"wire.p0.place_u", 0.1, 0.4, 0.01},
                              {"ground.depth_m", 1e-7, 1e-6, 0.003},
                              {"counter.tangential_v_m_s", -0.1, 0.1, 0.003},
                              {"floor.stiffness", 1e4, 1e6, 0.003},
                              {"ball.mass_kg", 0.01, 0.1, 0.003},
                              {"ball.speed_m_s", 0, 0.2, 0.003},
                              {"squeak.pressure", 0, 1, 0.003},
                              {"sheet.points.at.place_u", 0.1, 0.9, 0.01},
                              {"line.string.stop", 0, 0.5, 0.01},
                              {"grip.normal_n", 0, 2, 0.003}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    ct_handle handle;
    ct_error error = {0};
    double value = all[i].low + (all[i].high - all[i].low) * (double)((round * 7 + i * 3) % 11) / 10;
    if (ct_scene_resolve(scene, all[i].path, &handle, &error) == CT_OK)
      t->set += worked(ct_scene_set(scene, handle, value, all[i].ramp_s, 0, &error), &error, t);
  }
}

static bool add_line(ct_scene *scene, tally *t) {
  ct_error error = {0};
  ct_point_def points[] = {{.name = "at", .place_u = 0.2}, {.name = "end", .place_u = 0.9}};
  ct_string_def def = ct_default_string_def();
  def.name = "line";
  def.points = points;
  def.point_count = 2;
  def.planes = 2;
  return worked(ct_added(ct_scene_add_string(scene, &def, &error), &error), &error, t);
}

/* A body with a shape, so that its point can travel. */
static bool add_sheet(ct_scene *scene, tally *t) {
  ct_error error = {0};
  double u[2][8];
  for (int k = 0; k < 8; k++) {
    u[0][k] = 1;
    u[1][k] = sin(M_PI * k / 7);
  }
  ct_mode_def modes[] = {{.mass_kg = 0.05}, {.hz = 500, .t60_s = 0.2, .mass_kg = 0.05}};
  ct_point_def point = {.name = "at", .place_u = 0.3};
  ct_modal_def def = ct_default_modal_def();
  def.name = "sheet";
  def.modes = modes;
  def.mode_count = 2;
  def.points = &point;
  def.point_count = 1;
  def.shape = (ct_shape_table){.u = u[0], .u_count = 8};
  return worked(ct_added(ct_scene_add_modal(scene, &def, &error), &error), &error, t);
}

static void add_drive(ct_scene *scene, uint64_t round, tally *t) {
  ct_error error = {0};
  ct_drive_def def = ct_default_drive_def();
  def.name = "ball";
  def.contact = "tread";
  def.surface = "ground";
  def.kind = round % 3 ? CT_ROLL : CT_SCRAPE;
  def.free = round % 3 == 1;
  def.v_m_s = def.speed_m_s = 0.1;
  def.travels = "sheet.at";
  def.travel_m = 0.5;
  if (round % 3 == 2)
    def.follows = "counter.at";
  worked(ct_added(ct_scene_add_drive(scene, &def, &error), &error), &error, t);
}

static void add_source(ct_scene *scene, const char *name, const char *at, tally *t) {
  ct_error error = {0};
  ct_region_def region = ct_default_region_def();
  region.name = "all";
  region.behaviour = CT_SINGING_GLASS;
  region.pitch = CT_PITCH_LOCKED;
  region.mode = 1;
  ct_source_def def = ct_default_source_def();
  def.name = name;
  def.at = at;
  def.regions = &region;
  def.region_count = 1;
  worked(ct_added(ct_scene_add_source(scene, &def, &error), &error), &error, t);
}

static void add_ear(ct_scene *scene, const char *name, const char *at, ct_listen listen, tally *t) {
  ct_error error = {0};
  ct_pickup_def def = ct_default_pickup_def();
  def.name = name;
  def.at = at;
  def.listen = listen;
  worked(ct_added(ct_scene_add_pickup(scene, &def, &error), &error), &error, t);
}

static void leave(ct_scene *scene, const char *name, tally *t) {
  ct_error error = {0};
  ct_result result;
  while ((result = ct_scene_remove(scene, name, &error)) == CT_FULL)
    sched_yield();
  t->removed += result == CT_OK;
}

static void everybody_visits(ct_scene *scene, uint64_t round, tally *t) {
  ct_error error = {0};
  bool string = add_line(scene, t), sheet = add_sheet(scene, t);
  t->added += string && sheet;
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "pad";
  bool pad = worked(ct_added(ct_scene_add_hand(scene, &hand, &error), &error), &error, t);
  ct_friction_def rub = ct_default_friction_def();
  rub.name = "grip";
  rub.a = "pad.at";
  rub.b = "line.at";
  if (string && pad)
    worked(ct_added(ct_scene_add_friction(scene, &rub, &error), &error), &error, t);
  ct_impact_def law = lab_law("tread", "bar.at", "sheet.at", 1e5, 1.5, 0.5);
  if (sheet && worked(ct_added(ct_scene_add_impact(scene, &law, &error), &error), &error, t)) {
    add_drive(scene, round, t);
    add_ear(scene, "ear3", "tread", CT_FORCE, t);
  }
  if (string) {
    add_ear(scene, "ear2", "line.end", CT_FORCE, t);
    worked(ct_scene_follow(scene, "line.end", "counter.at", 0.5, &error), &error, t);
  }
  add_source(scene, "squeak", "bar.at", t);
  add_source(scene, "hum", "wire.p1", t);
  pour(scene, round, t);
  static const char *const going[] = {"squeak", "ear2", "line", "ball", "hum", "ear3", "sheet", "pad"};
  for (size_t i = 0; i < sizeof going / sizeof going[0]; i++)
    leave(scene, going[(i + round) % 8], t);
  pour(scene, round + 5, t);
}

/* What any thread may ask at any time. */
static void *wonder(void *context) {
  studio *st = context;
  size_t bytes = ct_scene_bytes(st->scene);
  while (!atomic_load_explicit(&st->stop, memory_order_acquire)) {
    if (ct_scene_bytes(st->scene) != bytes || ct_scene_rate_hz(st->scene) != 48000 ||
        ct_scene_channels(st->scene) != 2)
      st->steps_back++;
    sched_yield();
  }
  return NULL;
}

/* What the audio thread may ask: states, partials, the account. */
static void *make_sound_and_ask(void *context) {
  studio *st = context;
  float left[BLOCK], right[BLOCK], *outputs[] = {left, right};
  while (!atomic_load_explicit(&st->stop, memory_order_acquire)) {
    double hz = 0, t60_s = 0;
    ct_error error = {0};
    ct_scene_process(st->scene, &(ct_io){.frames = BLOCK, .outputs = outputs});
    st->not_finite += !isfinite(left[BLOCK - 1]) || !isfinite(ct_scene_get(st->scene, st->heard)) ||
                      !isfinite(ct_scene_ledger(st->scene).stored_j);
    if (ct_scene_string_partial(st->scene, "wire", 1, &hz, &t60_s, &error) != CT_OK || !(hz > 50 && hz < 400))
      st->not_finite++;
    st->distinct += ct_scene_string_partial(st->scene, "line", 2, &hz, &t60_s, &error) == CT_OK;
    st->blocks += ct_scene_sample(st->scene) > 0 && ct_scene_counters(st->scene).steps > 0;
    if (st->blocks % 64 == 0)
      sched_yield();
  }
  return NULL;
}

static void every_kind_comes_and_goes(void **state) {
  (void)state;
  studio st = {.scene = crowded_room()};
  st.heard = lab_handle(st.scene, "wire.p1.x_m");
  lab_step(st.scene, 1);
  pthread_t audio, wondering;
  assert_int_equal(pthread_create(&audio, NULL, make_sound_and_ask, &st), 0);
  assert_int_equal(pthread_create(&wondering, NULL, wonder, &st), 0);
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  tally t = {0};
  for (uint64_t round = 0; !enough(start, &t); round++)
    everybody_visits(st.scene, round, &t);
  atomic_store_explicit(&st.stop, true, memory_order_release);
  pthread_join(audio, NULL);
  pthread_join(wondering, NULL);
  ct_ledger l = ct_scene_ledger(st.scene);
  printf(
      "every kind: %llu crowds came, %llu parts went, %llu sets, full %llu times, %llu blocks, the line was "
      "asked %llu times, error %.2g of S\n",
      (unsigned long long)t.added, (unsigned long long)t.removed, (unsigned long long)t.set,
      (unsigned long long)t.full, (unsigned long long)st.blocks, (unsigned long long)st.distinct,
      fabs(l.error_j) / l.scale_j);
  assert_true(t.added > 20 && t.removed > 5 * t.added);
  assert_int_equal(st.not_finite, 0);
  assert_int_equal(st.steps_back, 0);
  assert_true(fabs(l.error_j) <= l.allowance_j);
  ct_scene_destroy(st.scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(queue_keeps_order), cmocka_unit_test(queue_wraps),
                                     cmocka_unit_test(sets_arrive_in_order),
                                     cmocka_unit_test(guests_come_and_go),
                                     cmocka_unit_test(every_kind_comes_and_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
