/* See generate.h. */
#include "support/generate.h"

#include "support/border.h"
#include "support/generate_parts.h"
#include "support/live.h"

#include <stdio.h>
#include <string.h>

/* Sections of the schema that this file has no words for: parts of a new kind. */
static void draw_unknown(generator *g) {
  static const char *const known[] = {"bodies.",  "contacts.", "surfaces.", "drives.",  "sources.",
                                      "pickups.", "controls.", "presets.",  "gesture.", "energy."};
  char last[64] = "";
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const char *path = ct_schema_row_at(i)->path;
    size_t length = strcspn(path, ".");
    bool skip =
        strncmp(path + length, ".*", 2) != 0 || (strncmp(path, last, length) == 0 && strlen(last) == length);
    for (size_t k = 0; k < sizeof known / sizeof known[0] && !skip; k++)
      skip = strncmp(path, known[k], strlen(known[k])) == 0;
    if (skip || length >= sizeof last)
      continue;
    snprintf(last, sizeof last, "%.*s", (int)length, path);
    for (uint32_t n = draw_below(&g->random, 3); n > 0; n--)
      generate_part(g, last, last, n);
  }
}

static void draw_scene_numbers(generator *g) {
  trial_set_number(g->t, "contatto", 1);
  if (draw_chance(&g->random, 0.5))
    trial_set_number(g->t, "gravity_m_s2",
                     draw_chance(&g->random, 0.7) ? 9.81 : draw_between(&g->random, 0, 100));
  if (draw_chance(&g->random, 0.3))
    trial_set_number(g->t, "smoothing_s", draw_log(&g->random, 0.001, 0.05));
  if (draw_chance(&g->random, 0.2))
    trial_set_number(g->t, "at_rest", 1);
  trial_set_number(g->t, "channels", 1 + draw_below(&g->random, 2));
}

static void count_given(const generator *g) {
  for (uint32_t i = 0; g->counts && i < g->t->leaf_count; i++)
    for (uint32_t k = 0; k < ct_schema_count() && k < 1024; k++)
      if (live_matches(ct_schema_row_at(k)->path, g->t->leaves[i].path)) {
        const ct_schema_row *row = ct_schema_row_at(k);
        g->counts->given[k]++;
        if (row->type == CT_TYPE_CHOICE)
          g->counts->chosen[k] |= (uint64_t)1 << draw_choice_index(row->choices, g->t->leaves[i].text);
        break;
      }
}

const ct_schema_row *generate_wish(uint64_t seed) {
  return seed < GENERATE_WISHES ? NULL : ct_schema_row_at((uint32_t)(seed % 1024));
}

/* Whether a wish is one of an undriven scene. */
static bool is_driven(const ct_schema_row *wish) {
  return generate_drives_it(wish) || border_of_row(wish) != BORDER_NONE ||
         strncmp(wish->path, "sources.", 8) == 0;
}

bool generate_is_undriven(uint64_t seed) {
  ct_random r = draw_begin(seed, 2);
  const ct_schema_row *wish = generate_wish(seed);
  return draw_chance(&r, 0.5) && !(wish && is_driven(wish));
}

/* How many parts of a kind: one at least where the wish is a row of it. */
static uint32_t how_many(const generator *g, const char *section, uint32_t drawn) {
  bool wished = g->wish && strncmp(g->wish->path, section, strlen(section)) == 0;
  return wished ? drawn + 1 : drawn;
}

void generate_scene(trial *t, uint64_t seed, generate_counts *counts) {
  generator g = {.random = draw_begin(seed, 1), .t = t, .counts = counts};
  trial_clear(t);
  t->seed = seed;
  t->rate_hz = draw_chance(&g.random, 0.5) ? 44100 : draw_log(&g.random, 8000, 192000);
  t->frames = (uint32_t)draw_log(&g.random, 200, 6000);
  t->block_frames = 1 + draw_below(&g.random, 24);
  g.undriven = generate_is_undriven(seed);
  g.temper = (draw_temper)draw_below(&g.random, 3);
  g.odds = draw_between(&g.random, 0.05, 0.5);
  draw_scene_numbers(&g);
  g.wish = generate_wish(seed);
  for (uint32_t i = 0, n = how_many(&g, "bodies", 1 + draw_below(&g.random, 4)); i < n; i++)
    generate_body(&g, i);
  bool drives = g.wish && strncmp(g.wish->path, "drives", 6) == 0;
  for (uint32_t i = 0, n = how_many(&g, "contacts", draw_below(&g.random, 5) + 2 * drives); i < n; i++)
    generate_part(&g, "contacts", "c", i);
  for (uint32_t i = 0, n = how_many(&g, "surfaces", draw_below(&g.random, 3) + drives); i < n; i++)
    generate_part(&g, "surfaces", "f", i);
  uint32_t most = g.surfaces.count && g.impacts.count ? how_many(&g, "drives", draw_below(&g.random, 3)) : 0;
  for (uint32_t i = 0; i < most; i++)
    generate_part(&g, "drives", "d", i);
  draw_unknown(&g);
  for (uint32_t i = 0, n = how_many(&g, "sources", !g.undriven && draw_chance(&g.random, 0.5)); i < n; i++)
    generate_source(&g, i);
  for (uint32_t i = 0, n = 1 + draw_below(&g.random, 2); i < n; i++)
    generate_part(&g, "pickups", "o", i);
  bool turned = draw_chance(&g.random, 0.4);
  for (uint32_t i = 0, n = how_many(&g, "controls", turned ? 1 + draw_below(&g.random, 2) : 0); i < n; i++)
    generate_control(&g, i);
  count_given(&g);
}
