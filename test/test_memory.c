/* Memory: what is counted is what is laid out, pieces of the pool come back whole, a scene lives in memory
 * its caller gives, and running out of it is an answer, not a crash. */
#include "base/arena.h"
#include "support/lab.h"
#include "support/random_scene.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka compares floats as single precision only. */
#define assert_near(got, wanted, room)                                                                       \
  do {                                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                                 \
    if (!(fabs(got_ - wanted_) <= (room)))                                                                   \
      fail_msg("%.17g instead of %.17g", got_, wanted_);                                                     \
  } while (0)

/* ---- an allocator that fails when told ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

#if OWN_ALLOCATOR

/* The C library's own, under the names it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static struct {
  bool armed;
  uint64_t calls, fail_at; /* 0: never */
  int64_t blocks;          /* given out while armed and not given back */
} allocator;

static bool refused(void) { return allocator.armed && ++allocator.calls == allocator.fail_at; }

static void *counted(void *block) {
  allocator.blocks += allocator.armed && block;
  return block;
}

void *malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : counted(__libc_calloc(count, size)); }
void *realloc(void *block, size_t size) {
  if (refused())
    return NULL;
  void *moved = __libc_realloc(block, size);
  allocator.blocks += allocator.armed && !block && moved;
  return moved;
}
void free(void *block) {
  allocator.blocks -= allocator.armed && block;
  __libc_free(block);
}

static void arm(uint64_t fail_at) {
  allocator.calls = 0;
  allocator.blocks = 0;
  allocator.fail_at = fail_at;
  allocator.armed = true;
}

static const struct {
  const char *path, *text; /* null text: the number */
  double number;
} leaves[] = {{"title", "little", 0},
              {"bodies.bar.modes[0].hz", NULL, 440},
              {"bodies.bar.modes[1].hz", NULL, 1000},
              {"bodies.bar.points.tip.gains[0]", NULL, 1},
              {"bodies.bar.points.tip.gains[1]", NULL, -1},
              {"bodies.bar.points.tip.force_n", NULL, 0.1},
              {"bodies.plate.modes.shape", "plate", 0},
              {"bodies.plate.modes.count", NULL, 4},
              {"bodies.plate.modes.hung_hz", NULL, 2},
              {"bodies.plate.points.spot.place_u", NULL, 0.3},
              {"bodies.wall.kind", "wall", 0},
              {"contacts.hit.a", "bar.tip", 0},
              {"contacts.hit.b", "wall.at", 0},
              {"pickups.ear.at", "bar.tip", 0},
              {"controls.pitch.targets[0].path", "bar.modes.0.hz", 0},
              {"controls.pitch.targets[0].from", NULL, 100},
              {"controls.pitch.targets[0].to", NULL, 1000},
              {"presets.low.set.pitch", NULL, 0.1},
              {"gesture.time_s[0]", NULL, 0},
              {"gesture.time_s[1]", NULL, 1},
              {"gesture.pitch[0]", NULL, 0},
              {"gesture.pitch[1]", NULL, 1}};

typedef struct attempt {
  ct_doc *doc;
  ct_scene *scene;
  ct_player *player;
} attempt;

static ct_result set_leaf(ct_doc *doc, size_t i, ct_error *error) {
  return leaves[i].text ? ct_doc_set_text(doc, leaves[i].path, leaves[i].text, error)
                        : ct_doc_set_number(doc, leaves[i].path, leaves[i].number, error);
}

/* Everything that allocates on the way from text to playing, until something refuses. */
static ct_result go_all_the_way(attempt *a, ct_error *error) {
  ct_result result = CT_OK;
  ct_gesture gesture;
  if (!(a->doc = ct_doc_create()))
    return CT_NO_MEMORY;
  for (size_t i = 0; i < sizeof leaves / sizeof leaves[0] && result == CT_OK; i++)
    result = set_leaf(a->doc, i, error);
  if (result == CT_OK)
    result = ct_doc_apply_preset(a->doc, "low", error);
  if (result == CT_OK)
    result = ct_doc_gesture(a->doc, &gesture, error);
  ct_build_def def = ct_default_build_def();
  if (result == CT_OK)
    result = ct_doc_build(a->doc, &def, &a->scene, NULL, NULL, error);
  if (result == CT_OK)
    result = ct_player_create(&gesture, a->scene, &a->player, error);
  if (result == CT_OK)
    result = ct_player_send(a->player, 100, error);
  return result;
}

static void clear_away(attempt *a) {
  ct_player_destroy(a->player);
  ct_scene_destroy(a->scene);
  ct_doc_destroy(a->doc);
}

static void memory_runs_out_anywhere(void **state) {
  (void)state;
  uint64_t wanted = 0, refusals = 0;
  for (uint64_t n = 0; n == 0 || n <= wanted; n++) {
    attempt a = {NULL, NULL, NULL};
    ct_error error = {0};
    arm(n);
    ct_result result = go_all_the_way(&a, &error);
    wanted = n == 0 ? allocator.calls : wanted;
    clear_away(&a);
    allocator.armed = false;
    if (result != (n == 0 ? CT_OK : CT_NO_MEMORY))
      fail_msg("allocation %llu refused: %s: %s", (unsigned long long)n, ct_result_text(result), error.text);
    if (allocator.blocks != 0)
      fail_msg("allocation %llu refused: %lld blocks lost", (unsigned long long)n,
               (long long)allocator.blocks);
    refusals += result == CT_NO_MEMORY;
  }
  printf("running out of memory: %llu allocations, each refused once, nothing lost\n",
         (unsigned long long)wanted);
  assert_true(wanted > 40 && refusals == wanted);
}

/* Everything a document shows, in one number. */
static uint64_t fingerprint(const ct_doc *doc) {
  uint64_t sum = 14695981039346656037u;
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    char line[512];
    int length =
        snprintf(line, sizeof line, "%s=%.17g%s", leaf.path, leaf.number, leaf.text ? leaf.text : "");
    for (int c = 0; c < length; c++)
      sum = (sum ^ (unsigned char)line[c]) * 1099511628211u;
  }
  const uint32_t counts[] = {ct_doc_body_count(doc), ct_doc_contact_count(doc), ct_doc_control_count(doc),
                             ct_doc_preset_count(doc)};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    sum = (sum ^ counts[i]) * 1099511628211u;
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++)
    sum = (sum ^ ct_doc_point_count(doc, i)) * 1099511628211u;
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    ct_control_info control = ct_doc_control(doc, i);
    sum = (sum ^ control.target_count) * 1099511628211u;
    uint64_t bits;
    memcpy(&bits, &control.value, sizeof bits);
    sum = (sum ^ bits) * 1099511628211u;
  }
  return sum;
}

static const struct {
  const char *path, *text;
  double number;
} extra[] = {{"bodies.new.modes[5].hz", NULL, 1},       {"bodies.bar.points.other.gains[3]", NULL, 1},
             {"contacts.late.a", "bar.tip", 0},         {"controls.pitch.value", NULL, 0.25},
             {"controls.pitch.targets[4].to", NULL, 1}, {"title", "something else", 0},
             {"gesture.time_s[40]", NULL, 3},           {"presets.high.set.pitch", NULL, 1}};

static void a_set_without_memory_changes_nothing(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (size_t e = 0; e < sizeof extra / sizeof extra[0]; e++)
    for (uint64_t n = 1;; n++) {
      ct_error error = {0};
      ct_doc *doc = ct_doc_create();
      for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++)
        assert_int_equal(set_leaf(doc, i, &error), CT_OK);
      uint64_t before = fingerprint(doc);
      arm(n);
      ct_result result = extra[e].text ? ct_doc_set_text(doc, extra[e].path, extra[e].text, &error)
                                       : ct_doc_set_number(doc, extra[e].path, extra[e].number, &error);
      allocator.armed = false;
      uint64_t after = fingerprint(doc);
      ct_doc_destroy(doc);
      if (result == CT_OK) {
        assert_true(after != before);
        break;
      }
      tried++;
      assert_int_equal(result, CT_NO_MEMORY);
      if (after != before)
        fail_msg("%s: refused for want of memory at allocation %llu, but the document changed", extra[e].path,
                 (unsigned long long)n);
    }
  printf("sets refused for want of memory: %u, the document unchanged\n", tried);
  assert_true(tried > 8);
}

#endif

/* ---- arena and pool ---- */

static void arena_counts_what_it_lays(void **state) {
  (void)state;
  random_state r = {7};
  for (int round = 0; round < 1000; round++) {
    size_t count[8], each[8];
    ct_arena counting = {NULL, 0, 0};
    for (int i = 0; i < 8; i++) {
      count[i] = random_below(&r, 50);
      each[i] = random_below(&r, 70);
      assert_null(ct_arena_take(&counting, count[i], each[i]));
    }
    _Alignas(64) unsigned char block[8 * 50 * 70 + 8 * 64];
    memset(block, 0xa5, sizeof block);
    assert_true(counting.used <= sizeof block);
    ct_arena arena = {block, counting.used, 0};
    for (int i = 0; i < 8; i++) {
      unsigned char *piece = ct_arena_take(&arena, count[i], each[i]);
      assert_non_null(piece);
      assert_int_equal((uintptr_t)piece % CT_ALIGN, 0);
      assert_true(piece + count[i] * each[i] <= block + counting.used);
      for (size_t k = 0; k < count[i] * each[i]; k++)
        assert_int_equal(piece[k], 0);
      memset(piece, 0xff, count[i] * each[i]); /* a later piece that overlaps would not be zero */
    }
    assert_int_equal(arena.used, counting.used);
    assert_null(ct_arena_take(&arena, 1, 1));
    assert_true(arena.used > arena.size);
    for (size_t k = counting.used; k < sizeof block; k++)
      assert_int_equal(block[k], 0xa5);
  }
}

static void arena_sees_what_cannot_fit(void **state) {
  (void)state;
  _Alignas(64) unsigned char block[256];
  static const struct {
    size_t count, each;
  } cases[] = {
      {1, SIZE_MAX},      {1, SIZE_MAX - 63},   {1, SIZE_MAX / 2 + 2}, {SIZE_MAX, 1},     {SIZE_MAX, 8},
      {SIZE_MAX / 8, 64}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2, 1},     {SIZE_MAX / 4, 3}, {1, 257}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_arena counting = {NULL, 0, 0}, arena = {block, sizeof block, 0};
    ct_arena_take(&counting, cases[i].count, cases[i].each);
    if (ct_arena_take(&arena, cases[i].count, cases[i].each) || arena.used <= arena.size ||
        counting.used <= sizeof block)
      fail_msg("%zu times %zu bytes fitted into 256", cases[i].count, cases[i].each);
  }
}

typedef struct held {
  unsigned char *at;
  size_t size;
  unsigned char mark;
} held;

/* Pieces never overlap, are zeroed when taken, and all that was given back can be had again in one piece. */
static void pool_takes_and_gives(void **state) {
  (void)state;
  enum { ROOM = 1 << 16, MOST = 100 };
  unsigned char *room = aligned_alloc(64, ROOM);
  ct_pool_piece taken[MOST];
  ct_pool pool = {.base = room, .size = ROOM, .pieces = taken, .most = MOST};
  random_state r = {99};
  held pieces[MOST];
  uint32_t count = 0, refused_takes = 0;
  for (uint32_t step = 0; step < 200000; step++) {
    if (count < MOST && random_unit(&r) < 0.55) {
      held h = {.size = 1 + random_below(&r, 2500), .mark = (unsigned char)(1 + step % 255)};
      h.at = ct_pool_take(&pool, h.size);
      if (!h.at) {
        refused_takes++;
        continue;
      }
      assert_true(h.at >= room && h.at + h.size <= room + ROOM);
      for (size_t k = 0; k < h.size; k++)
        assert_int_equal(h.at[k], 0);
      memset(h.at, h.mark, h.size);
      pieces[count++] = h;
    } else if (count) {
      uint32_t which = random_below(&r, count);
      for (size_t k = 0; k < pieces[which].size; k++)
        assert_int_equal(pieces[which].at[k], pieces[which].mark);
      ct_pool_give(&pool, pieces[which].at);
      pieces[which] = pieces[--count];
    }
  }
  while (count)
    ct_pool_give(&pool, pieces[--count].at);
  assert_int_equal(pool.count, 0);
  assert_ptr_equal(ct_pool_take(&pool, ROOM), room);
  assert_null(ct_pool_take(&pool, 1));
  printf("pool: 200000 takes and gives, %u takes refused when fragmented\n", refused_takes);
  assert_true(refused_takes > 0);
  free(room);
}

static void pool_fills_gaps_and_refuses_strangers(void **state) {
  (void)state;
  _Alignas(CT_ALIGN) static unsigned char room[10 * CT_ALIGN];
  ct_pool_piece taken[11];
  ct_pool pool = {.base = room, .size = sizeof room, .pieces = taken, .most = 11};
  unsigned char *p[10];
  for (int i = 0; i < 10; i++)
    p[i] = ct_pool_take(&pool, i % 2 ? CT_ALIGN : 1);
  assert_null(ct_pool_take(&pool, 1));
  ct_pool_give(&pool, room + 1);
  assert_int_equal(pool.count, 10);
  for (int i = 1; i < 10; i += 2)
    ct_pool_give(&pool, p[i]);
  assert_null(ct_pool_take(&pool, CT_ALIGN + 1)); /* half of it is free, in pieces of CT_ALIGN */
  ct_pool_give(&pool, p[4]);
  assert_ptr_equal(ct_pool_take(&pool, 3 * CT_ALIGN), p[3]);
  pool.most = pool.count;
  assert_null(ct_pool_take(&pool, 1)); /* there is a gap, but no more pieces can be told apart */
}

/* ---- a scene in its caller's memory ---- */

static void scene_in_given_memory(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.pool_bytes = 1u << 16;
  size_t bytes;
  ct_error error = {0};
  ct_scene *scene = NULL;
  assert_int_equal(ct_scene_size(&def, &bytes, &error), CT_OK);
  unsigned char *block = aligned_alloc(64, (bytes / 64 + 3) * 64);
  memset(block, 0xa5, (bytes / 64 + 3) * 64);
  unsigned char *memory = block + 64;
  assert_int_equal(ct_scene_init(memory + 8, bytes, &def, &scene, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_scene_init(NULL, bytes, &def, &scene, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_scene_init(memory, bytes - 1, &def, &scene, &error), CT_NO_MEMORY);
  assert_int_equal(ct_scene_init(memory, bytes, &def, NULL, &error), CT_BAD_ARGUMENT);
  assert_null(scene);
  for (size_t i = 0; i < (bytes / 64 + 3) * 64; i++)
    assert_int_equal(block[i], 0xa5); /* a refusal writes nothing */
  assert_int_equal(ct_scene_init(memory, bytes, &def, &scene, &error), CT_OK);
  lab_mass(scene, "ball", 1, 0, 1);
  lab_pickup(scene, "ear", "ball.at", CT_VELOCITY, 1);
  lab_step(scene, 1000);
  assert_near(lab_get(scene, "ball.at.x_m"), 1000.0 / 48000, 1e-12);
  for (size_t i = 0; i < 64; i++)
    assert_int_equal(block[i], 0xa5);
  for (size_t i = 64 + bytes; i < (bytes / 64 + 3) * 64; i++)
    assert_int_equal(block[i], 0xa5);
  ct_scene_destroy(scene); /* owns nothing: must not free the caller's memory */
  printf("a scene with room for 16 bodies and a pool of 64 KiB: %zu bytes\n", bytes);
  free(block);
}

static void impossible_sizes(void **state) {
  (void)state;
  static const size_t pools[] = {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2 + 2, SIZE_MAX / 2, SIZE_MAX / 4};
  for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
    ct_scene_def def = ct_default_scene_def();
    def.pool_bytes = pools[i];
    ct_error error = {0};
    ct_scene *scene = NULL;
    size_t bytes = 0;
    ct_result sized = ct_scene_size(&def, &bytes, &error);
    if (sized == CT_OK && bytes < pools[i])
      fail_msg("a pool of %zu bytes fits into %zu", pools[i], bytes);
    if (OWN_ALLOCATOR) /* a sanitizer's allocator ends the program instead of saying no */
      assert_true(ct_scene_create(&def, &scene, &error) != CT_OK);
    assert_null(scene);
  }
}

/* The room a definition promises is there. */
static void every_slot_can_be_filled(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.bodies = 1024;
  def.contacts = 0;
  ct_scene *scene = lab_scene_from(&def);
  for (uint32_t i = 0; i < def.bodies; i++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", i);
    lab_hand(scene, name, 0, 0);
  }
  ct_error error = {0};
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "more";
  assert_int_equal(ct_added(ct_scene_add_hand(scene, &hand, &error), &error), CT_FULL);
  ct_scene_destroy(scene);
}

/* ct_modal_pool_bytes is enough for exactly that body. */
static void pool_bytes_is_enough(void **state) {
  (void)state;
  random_state r = {3};
  for (int round = 0; round < 50; round++) {
    static ct_mode_def modes[200];
    ct_point_def points[5] = {{.name = "p0"}, {.name = "p1"}, {.name = "p2"}, {.name = "p3"}, {.name = "p4"}};
    ct_modal_def body = ct_default_modal_def();
    body.name = "body";
    body.modes = modes;
    body.mode_count = 1 + random_below(&r, 200);
    body.points = points;
    body.point_count = random_below(&r, 6);
    for (uint32_t i = 0; i < body.mode_count; i++)
      modes[i] = (ct_mode_def){.hz = 100 + i, .t60_s = 1, .mass_kg = 1};
    ct_scene_def def = ct_default_scene_def();
    def.ledger = round % 2;
    def.substeps = 1u << random_below(&r, 11);
    def.pool_bytes = ct_modal_pool_bytes(&body, &def);
    ct_scene *scene = lab_scene_from(&def);
    lab_body(scene, &body);
    ct_scene_destroy(scene);
    def.pool_bytes -= CT_ALIGN;
    scene = lab_scene_from(&def);
    ct_error error;
    assert_int_equal(ct_added(ct_scene_add_modal(scene, &body, &error), &error), CT_FULL);
    ct_scene_destroy(scene);
  }
}

/* The same of parts that are no modal bodies: together they fit into the sum, and into nothing less. */
static ct_result add_some(ct_scene *scene, const ct_modal_def *bar, const ct_string_def *string) {
  ct_error error;
  ct_hand_def hand = ct_default_hand_def();
  ct_friction_def rub = ct_default_friction_def();
  hand.name = "hand";
  rub.name = "rub";
  rub.a = "hand.at";
  rub.b = "bar.hit";
  ct_result result = ct_added(ct_scene_add_modal(scene, bar, &error), &error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_string(scene, string, &error), &error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_hand(scene, &hand, &error), &error);
  return result == CT_OK ? ct_added(ct_scene_add_friction(scene, &rub, &error), &error) : result;
}

static void sum_of_pool_bytes_is_enough(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 100, .t60_s = 1, .mass_kg = 1};
  const ct_point_def hit = {.name = "hit"};
  ct_modal_def bar = ct_default_modal_def();
  bar.name = "bar";
  bar.modes = &mode;
  bar.points = &hit;
  bar.mode_count = bar.point_count = 1;
  ct_string_def string = ct_default_string_def();
  string.name = "string";
  ct_scene_def def = ct_default_scene_def();
  def.pool_bytes = ct_modal_pool_bytes(&bar, &def) + ct_string_pool_bytes(&string, def.rate_hz) +
                   ct_hand_pool_bytes() + ct_friction_pool_bytes();
  ct_scene *scene = lab_scene_from(&def);
  assert_int_equal(add_some(scene, &bar, &string), CT_OK);
  for (int round = 0; round < 20; round++) { /* what is given back can be had again */
    assert_int_equal(ct_scene_remove(scene, "bar", NULL), CT_OK);
    assert_int_equal(ct_scene_remove(scene, "string", NULL), CT_OK);
    assert_int_equal(ct_scene_remove(scene, "hand", NULL), CT_OK);
    lab_step(scene, 2000); /* the rub lets go */
    assert_int_equal(add_some(scene, &bar, &string), CT_OK);
    lab_step(scene, 10);
  }
  ct_scene_destroy(scene);
  def.pool_bytes -= CT_ALIGN;
  scene = lab_scene_from(&def);
  assert_int_equal(add_some(scene, &bar, &string), CT_FULL);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#if OWN_ALLOCATOR
    cmocka_unit_test(memory_runs_out_anywhere),
    cmocka_unit_test(a_set_without_memory_changes_nothing),
#endif
    cmocka_unit_test(arena_counts_what_it_lays),
    cmocka_unit_test(arena_sees_what_cannot_fit),
    cmocka_unit_test(pool_takes_and_gives),
    cmocka_unit_test(pool_fills_gaps_and_refuses_strangers),
    cmocka_unit_test(scene_in_given_memory),
    cmocka_unit_test(impossible_sizes),
    cmocka_unit_test(every_slot_can_be_filled),
    cmocka_unit_test(pool_bytes_is_enough),
    cmocka_unit_test(sum_of_pool_bytes_is_enough)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
