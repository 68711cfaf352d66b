/* Bodies of a random scene. See generate.h. */
#include "support/generate_parts.h"
#include "support/live.h"

#include <stdio.h>
#include <string.h>

static uint32_t draw_modes(generator *g) {
  return 1 + draw_below(&g->random, draw_chance(&g->random, 0.6) ? 3 : 16);
}

static void give_modes(generator *g, const char *body, uint32_t count) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  for (uint32_t i = 0; i < count; i++) {
    trial_spell(part, "%s.modes.%u", body, i);
    if (i == 0 && draw_chance(&g->random, 0.5)) { /* something to fall, fly and roll */
      generate_join(path, part, "hz");
      trial_set_number(g->t, path, 0);
    }
    if (draw_chance(&g->random, 0.5)) {
      generate_join(path, part, "v_m_s");
      trial_set_number(g->t, path, draw_log(&g->random, 1e-4, 10) * (draw_chance(&g->random, 0.5) ? 1 : -1));
    }
    generate_join(path, part, "mass_kg");
    trial_set_number(g->t, path, 0.05);
    generate_group(g, "bodies.*.modes[]", part);
    if (draw_chance(&g->random, 0.7))
      trial_set_number(g->t, path, draw_log(&g->random, 1e-5, 10));
  }
}

/* Lists that a few shapes want: most draws are refused by most shapes, and mended. */
static void give_shape(generator *g, const char *body) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  generate_join(part, body, "modes");
  generate_join(path, part, "count");
  trial_set_number(g->t, path, 1 + draw_below(&g->random, draw_chance(&g->random, 0.7) ? 6 : 24));
  generate_join(path, part, "columns");
  uint32_t columns = 1 + draw_below(&g->random, 8);
  trial_set_number(g->t, path, columns);
  generate_join(path, part, "rows");
  trial_set_number(g->t, path, 1 + draw_below(&g->random, 5));
  draw_temper temper = g->temper;
  double odds = g->odds;
  g->temper = draw_chance(&g->random, 0.7) ? DRAW_MILD : temper;
  g->odds = draw_chance(&g->random, 0.6) ? 0.07 : odds;
  generate_group(g, "bodies.*.modes", part);
  if (draw_chance(&g->random, 0.2))
    generate_list(g, "bodies.*.modes", part, "size_m", 1 + draw_below(&g->random, 2));
  if (draw_chance(&g->random, 0.15)) {
    generate_list(g, "bodies.*.modes", part, "masses_kg", columns);
    generate_list(g, "bodies.*.modes", part, "springs_n_m", columns + 1);
  }
  const trial_leaf *shape = trial_find(g->t, (generate_join(path, part, "shape"), path));
  if (shape && strcmp(shape->text, "network") == 0)
    for (uint32_t i = 0; i < columns; i++) {
      trial_spell(path, "%s.links_from.%u", part, i);
      trial_set_number(g->t, path, i);
      trial_spell(path, "%s.links_to.%u", part, i);
      trial_set_number(g->t, path, i + 1 < columns ? i + 1.0 : -1);
      trial_spell(path, "%s.links_n_m.%u", part, i);
      trial_set_number(g->t, path, draw_log(&g->random, 1, 1e7));
    }
  g->temper = temper;
  g->odds = odds;
}

static void give_points(generator *g, const char *body, uint32_t modes) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t count = 1 + draw_below(&g->random, 3);
  for (uint32_t i = 0; i < count; i++) {
    trial_spell(part, "%s.points.p%u", body, i);
    if (modes) {
      const char *lists[] = {"gains", "normal", "tangential"};
      generate_list(g, "bodies.*.points.*", part, lists[0], modes);
      for (int k = 1; k < 3; k++)
        if (draw_chance(&g->random, 0.3))
          generate_list(g, "bodies.*.points.*", part, lists[k], modes);
    } else {
      generate_join(path, part, "place_u");
      trial_set_number(g->t, path, draw_share(&g->random));
    }
    if (draw_chance(&g->random, 0.2) || (g->wish && strstr(g->wish->path, ".thump[]")))
      generate_list(g, "bodies.*.points.*", part, "thump", 1 + draw_below(&g->random, 64));
    generate_group(g, "bodies.*.points.*", part);
  }
}

/* Gains near 1 more often than not, so that bodies are felt. */
static void calm_gains(generator *g, uint32_t first) {
  for (uint32_t i = first; i < g->t->leaf_count; i++) {
    trial_leaf *leaf = &g->t->leaves[i];
    bool gain = live_matches("bodies.*.points.*.gains[]", leaf->path) ||
                live_matches("bodies.*.points.*.normal[]", leaf->path) ||
                live_matches("bodies.*.points.*.tangential[]", leaf->path);
    if (gain && draw_chance(&g->random, 0.9))
      leaf->number = draw_chance(&g->random, 0.4) ? 1 : draw_between(&g->random, -1, 1);
  }
}

static void note_points(generator *g, const char *name, bool shaped) {
  char prefix[TRIAL_PATH], point[64];
  trial_spell(prefix, "bodies.%s.points.", name);
  for (uint32_t i = 0; i < 3; i++) {
    snprintf(point, sizeof point, "p%u.", i);
    bool there = false;
    for (uint32_t k = 0; k < g->t->leaf_count && !there; k++)
      there = strncmp(g->t->leaves[k].path, prefix, strlen(prefix)) == 0 &&
              strncmp(g->t->leaves[k].path + strlen(prefix), point, strlen(point)) == 0;
    snprintf(point, sizeof point, "%s.p%u", name, i);
    if (there)
      names_add(&g->points, point);
    if (there && shaped)
      names_add(&g->shaped, point);
  }
}

void generate_body(generator *g, uint32_t index) {
  char name[16], body[TRIAL_PATH], path[TRIAL_PATH], kind[32], part[TRIAL_PATH];
  uint32_t first = g->t->leaf_count;
  snprintf(name, sizeof name, "b%u", index);
  trial_spell(body, "bodies.%s", name);
  draw_choice(&g->random, generate_row("bodies.*.kind")->choices, kind, sizeof kind);
  if (index == 0 || draw_chance(&g->random, 0.4))
    snprintf(kind, sizeof kind, "modal");
  generate_join(path, body, "kind");
  trial_set_text(g->t, path, kind);
  bool modal = strcmp(kind, "modal") == 0, string = strcmp(kind, "string") == 0;
  bool hand = strcmp(kind, "hand") == 0 || strcmp(kind, "wall") == 0;
  bool shaped = modal && draw_chance(&g->random, 0.4);
  uint32_t modes = modal && !shaped ? draw_modes(g) : 0;
  if (modes)
    give_modes(g, body, modes);
  if (shaped)
    give_shape(g, body);
  if (string)
    generate_group(g, "bodies.*.string", (generate_join(part, body, "string"), part));
  if (hand)
    generate_group(g, "bodies.*", body);
  if (!hand)
    give_points(g, body, modes);
  if (modal && draw_chance(&g->random, 0.2)) {
    generate_join(path, body, "integrator");
    generate_give(g, generate_row("bodies.*.integrator"), path);
  }
  calm_gains(g, first);
  if (!generate_mend(g, first))
    return;
  if (hand) {
    trial_spell(path, "%s.at", name);
    names_add(&g->points, path);
  } else
    note_points(g, name, shaped);
}
