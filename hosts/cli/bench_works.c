/* The table of works, and choosing from it. */
#include "base/text.h"
#include "file/load.h"
#include "hosts/cli/bench.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Floating-point operations per mode and sample that the model needs: 8 to step, 10 for what a point sees, 2
 * to push. */
#define RINGING(modes) (18.0 * (modes))
#define TOUCHING(modes) (20.0 * (modes))

#define STRUCK(modes, sdt)                                                                                   \
  {                                                                                                          \
    "struck-" #modes, "hammer held on " #modes " modes by a force at every sample", &bench_struck, modes,    \
        BENCH_TOUCHING, 0, sdt, TOUCHING(modes), 0                                                           \
  }
#define RINGS(modes)                                                                                         \
  {                                                                                                          \
    "ringing-" #modes, #modes " modes ringing, hammer far away", &bench_struck, modes, BENCH_RINGING, 0, 0,  \
        RINGING(modes), 0                                                                                    \
  }
#define PLAIN(modes)                                                                                         \
  {"plain-struck-" #modes,                                                                                   \
   "struck-" #modes " in plain C",                                                                           \
   &bench_plain,                                                                                             \
   modes,                                                                                                    \
   BENCH_TOUCHING,                                                                                           \
   0,                                                                                                        \
   0,                                                                                                        \
   TOUCHING(modes),                                                                                          \
   0},                                                                                                       \
  {                                                                                                          \
    "plain-ringing-" #modes, "ringing-" #modes " in plain C", &bench_plain, modes, BENCH_RINGING, 0, 0,      \
        RINGING(modes), 0                                                                                    \
  }
#define FRICTION(modes, sdt_smooth, sdt_rough)                                                               \
  {"friction-" #modes,                                                                                       \
   "mass pushed along a body of " #modes " modes",                                                           \
   &bench_friction,                                                                                          \
   modes,                                                                                                    \
   BENCH_SMOOTH,                                                                                             \
   0,                                                                                                        \
   sdt_smooth,                                                                                               \
   0,                                                                                                        \
   0},                                                                                                       \
  {                                                                                                          \
    "friction-" #modes "-rough", "the same, rough", &bench_friction, modes, BENCH_ROUGH, 0, sdt_rough, 0, 0  \
  }
#define MARBLE(modes, sdt)                                                                                   \
  {"marble-rolling-" #modes,                                                                                 \
   "marble rolling on a planed board of " #modes " modes",                                                   \
   &bench_marble,                                                                                            \
   modes,                                                                                                    \
   BENCH_ROLLING,                                                                                            \
   0,                                                                                                        \
   sdt,                                                                                                      \
   0,                                                                                                        \
   0},                                                                                                       \
  {                                                                                                          \
    "marble-resting-" #modes, "the same marble at rest", &bench_marble, modes, BENCH_RESTING, 0, 0, 0, 0     \
  }
#define SOURCE(pitch)                                                                                        \
  {"harmonics-" #pitch "hz",                                                                                 \
   "sum of all harmonics of " #pitch " Hz up to 20 kHz",                                                     \
   &bench_source,                                                                                            \
   0,                                                                                                        \
   BENCH_SUM,                                                                                                \
   pitch,                                                                                                    \
   0,                                                                                                        \
   0,                                                                                                        \
   0},                                                                                                       \
  {                                                                                                          \
    "source-" #pitch "hz", "action source at " #pitch " Hz", &bench_source, 0, BENCH_WHOLE, pitch, 0, 0, 0   \
  }

static const bench_work table[] = {
    STRUCK(3, 140),
    STRUCK(8, 414),
    STRUCK(16, 0),
    STRUCK(32, 1323),
    STRUCK(128, 2862),
    STRUCK(512, 19883),
    RINGS(3),
    RINGS(8),
    RINGS(16),
    RINGS(32),
    RINGS(128),
    RINGS(512),
    PLAIN(3),
    PLAIN(32),
    PLAIN(512),
    FRICTION(3, 306, 260),
    FRICTION(8, 0, 0),
    FRICTION(32, 0, 0),
    FRICTION(128, 0, 0),
    {"string-bowed", "cello's D string, bowed", &bench_string, 0, BENCH_BRISTLES, 0, 0, 0, 0},
    {"string-thermal", "the same under the thermal law", &bench_string, 0, BENCH_THERMAL, 0, 0, 0, 0},
    MARBLE(3, 168),
    MARBLE(8, 0),
    MARBLE(32, 0),
    {"bodies-100-ringing", "100 bodies of 16 modes ringing, one scene", &bench_bodies, 100, BENCH_SOUNDING, 0,
     0, 100 * RINGING(16), 0},
    {"bodies-100-silent", "the same after they have fallen silent", &bench_bodies, 100, BENCH_SILENT, 0, 0, 0,
     0},
    {"masses-40-resting", "40 masses resting on one floor", &bench_masses, 40, 0, 0, 0, 0, 0},
    SOURCE(1),
    SOURCE(50),
    SOURCE(1000),
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
