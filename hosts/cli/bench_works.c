/* The table of works, and choosing from it. */
#include "base/text.h"
#include "file/load.h"
#include "hosts/cli/bench.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Floating-point operations per mode and sample that the model needs: 8 to step, 10 for what a point sees, 2
 * to push. */
#define RINGING 18.0
#define TOUCHING 20.0

static const char held_down[] = "hammer held on N modes by a force at every sample",
                  free_bar[] = "N modes ringing, hammer far away", in_c[] = "the same model in plain C",
                  rubbed[] = "mass pushed along a body of N modes", rubbed_rough[] = "the same, rough",
                  rolling[] = "marble rolling on a planed board of N modes",
                  resting[] = "the same marble at rest", sum[] = "all harmonics of that pitch up to 20 kHz",
                  source[] = "action source at that pitch";

static const bench_work table[] = {
    {"struck-3", held_down, &bench_struck, 3, .variant = BENCH_TOUCHING, .operations = TOUCHING * 3,
     .sdt_ns = 140},
    {"struck-8", held_down, &bench_struck, 8, .variant = BENCH_TOUCHING, .operations = TOUCHING * 8,
     .sdt_ns = 414},
    {"struck-16", held_down, &bench_struck, 16, .variant = BENCH_TOUCHING, .operations = TOUCHING * 16},
    {"struck-32", held_down, &bench_struck, 32, .variant = BENCH_TOUCHING, .operations = TOUCHING * 32,
     .sdt_ns = 1323},
    {"struck-128", held_down, &bench_struck, 128, .variant = BENCH_TOUCHING, .operations = TOUCHING * 128,
     .sdt_ns = 2862},
    {"struck-512", held_down, &bench_struck, 512, .variant = BENCH_TOUCHING, .operations = TOUCHING * 512,
     .sdt_ns = 19883},
    {"ringing-3", free_bar, &bench_struck, 3, .variant = BENCH_RINGING, .operations = RINGING * 3},
    {"ringing-8", free_bar, &bench_struck, 8, .variant = BENCH_RINGING, .operations = RINGING * 8},
    {"ringing-16", free_bar, &bench_struck, 16, .variant = BENCH_RINGING, .operations = RINGING * 16},
    {"ringing-32", free_bar, &bench_struck, 32, .variant = BENCH_RINGING, .operations = RINGING * 32},
    {"ringing-128", free_bar, &bench_struck, 128, .variant = BENCH_RINGING, .operations = RINGING * 128},
    {"ringing-512", free_bar, &bench_struck, 512, .variant = BENCH_RINGING, .operations = RINGING * 512},
    {"plain-struck-3", in_c, &bench_plain, 3, .variant = BENCH_TOUCHING, .operations = TOUCHING * 3},
    {"plain-ringing-3", in_c, &bench_plain, 3, .variant = BENCH_RINGING, .operations = RINGING * 3},
    {"plain-struck-32", in_c, &bench_plain, 32, .variant = BENCH_TOUCHING, .operations = TOUCHING * 32},
    {"plain-ringing-32", in_c, &bench_plain, 32, .variant = BENCH_RINGING, .operations = RINGING * 32},
    {"plain-struck-512", in_c, &bench_plain, 512, .variant = BENCH_TOUCHING, .operations = TOUCHING * 512},
    {"plain-ringing-512", in_c, &bench_plain, 512, .variant = BENCH_RINGING, .operations = RINGING * 512},
    {"friction-3", rubbed, &bench_friction, 3, .variant = BENCH_SMOOTH, .sdt_ns = 306},
    {"friction-3-rough", rubbed_rough, &bench_friction, 3, .variant = BENCH_ROUGH, .sdt_ns = 260},
    {"friction-8", rubbed, &bench_friction, 8, .variant = BENCH_SMOOTH},
    {"friction-8-rough", rubbed_rough, &bench_friction, 8, .variant = BENCH_ROUGH},
    {"friction-32", rubbed, &bench_friction, 32, .variant = BENCH_SMOOTH},
    {"friction-32-rough", rubbed_rough, &bench_friction, 32, .variant = BENCH_ROUGH},
    {"friction-128", rubbed, &bench_friction, 128, .variant = BENCH_SMOOTH},
    {"friction-128-rough", rubbed_rough, &bench_friction, 128, .variant = BENCH_ROUGH},
    {"string-bowed", "cello's D string, bowed", &bench_string, 1, .variant = BENCH_BRISTLES},
    {"string-thermal", "the same under the thermal law", &bench_string, 1, .variant = BENCH_THERMAL},
    {"marble-rolling-3", rolling, &bench_marble, 3, .variant = BENCH_ROLLING, .sdt_ns = 168},
    {"marble-resting-3", resting, &bench_marble, 3, .variant = BENCH_RESTING},
    {"marble-rolling-8", rolling, &bench_marble, 8, .variant = BENCH_ROLLING},
    {"marble-resting-8", resting, &bench_marble, 8, .variant = BENCH_RESTING},
    {"marble-rolling-32", rolling, &bench_marble, 32, .variant = BENCH_ROLLING},
    {"marble-resting-32", resting, &bench_marble, 32, .variant = BENCH_RESTING},
    {"bodies-100-ringing", "bodies of 16 modes ringing in one scene", &bench_bodies, 100,
     .variant = BENCH_SOUNDING, .operations = RINGING * 1600},
    {"bodies-100-silent", "the same after they have fallen silent", &bench_bodies, 100,
     .variant = BENCH_SILENT},
    {"masses-40-awake", "masses on one floor that rings", &bench_masses, .count = 40},
    {"masses-40-asleep", "the same at rest", &bench_masses, .count = 40, .variant = BENCH_SILENT},
    {"harmonics-1hz", sum, &bench_source, 1, .variant = BENCH_SUM, .hz = 1},
    {"source-1hz", source, &bench_source, 1, .variant = BENCH_WHOLE, .hz = 1},
    {"harmonics-50hz", sum, &bench_source, 1, .variant = BENCH_SUM, .hz = 50},
    {"source-50hz", source, &bench_source, 1, .variant = BENCH_WHOLE, .hz = 50},
    {"harmonics-1000hz", sum, &bench_source, 1, .variant = BENCH_SUM, .hz = 1000},
    {"source-1000hz", source, &bench_source, 1, .variant = BENCH_WHOLE, .hz = 1000},
};

enum { ROWS = sizeof table / sizeof table[0] };

bool bench_works_list(bench_works *works) {
  works->count = ROWS + (uint32_t)ct_builtin_scene_count;
  works->items = calloc(works->count, sizeof *works->items);
  if (!works->items)
    return false;
  memcpy(works->items, table, sizeof table);
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    bench_work *work = &works->items[ROWS + i];
    *work = (bench_work){.about = "demo of the scene", .kind = &bench_demo};
    snprintf(work->name, sizeof work->name, BENCH_DEMO "%s", ct_builtin_scenes[i].name);
  }
  return true;
}

/* ---- choosing ---- */

static bool matches(const bench_work *work, const char *pattern) {
  return fnmatch(pattern, work->name, 0) == 0;
}

static ct_result no_match(const bench_works *works, const char *pattern, ct_error *error) {
  const char *nearest = NULL;
  uint32_t least = 4;
  for (uint32_t i = 0; i < works->count; i++) {
    uint32_t distance = ct_edit_distance(pattern, works->items[i].name);
    if (distance < least) {
      least = distance;
      nearest = works->items[i].name;
    }
  }
  return nearest
             ? ct_fail(error, CT_BAD_ARGUMENT, "no work is called '%.80s', did you mean %s?", pattern,
                       nearest)
             : ct_fail(error, CT_BAD_ARGUMENT, "no work is called '%.80s'; --list names them all", pattern);
}

ct_result bench_works_choose(bench_works *works, const char *const *patterns, uint32_t count,
                             ct_error *error) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool any = false;
    for (uint32_t i = 0; i < works->count && !any; i++)
      any = matches(&works->items[i], patterns[k]);
    if (!any)
      return no_match(works, patterns[k], error);
  }
  for (uint32_t i = 0; i < works->count && count > 0; i++) {
    bool wanted = false;
    for (uint32_t k = 0; k < count && !wanted; k++)
      wanted = matches(&works->items[i], patterns[k]);
    if (wanted)
      works->items[kept++] = works->items[i];
  }
  works->count = count > 0 ? kept : works->count;
  return CT_OK;
}
