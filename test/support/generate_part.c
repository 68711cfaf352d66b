/* Contacts, surfaces, drives, sources, pickups and controls of a random scene. See generate.h. */
#include "document/schema.h"
#include "support/border.h"
#include "support/generate_parts.h"
#include "support/live.h"

#include <stdio.h>
#include <string.h>

/* ---- contacts, surfaces, drives, pickups, and whatever comes later ---- */

static bool is_friction(const trial *t, const char *part) {
  char path[TRIAL_PATH];
  const trial_leaf *kind = trial_find(t, (generate_join(path, part, "kind"), path));
  return kind && strcmp(kind->text, "friction") == 0;
}

/* Fields of the other kind of contact are refused one by one: they are not given at all. */
static void drop_misfits(generator *g, const char *part, uint32_t first) {
  bool friction = is_friction(g->t, part);
  uint32_t kept = first;
  for (uint32_t i = first; i < g->t->leaf_count; i++) {
    bool fits = true;
    for (uint32_t k = 0; k < ct_schema_count(); k++) {
      const ct_row *row = ct_row_at(k);
      if (row->section == CT_IN_CONTACT && live_matches(row->shown.path, g->t->leaves[i].path))
        fits = ct_row_fits_contact(row, friction);
    }
    if (fits)
      g->t->leaves[kept++] = g->t->leaves[i];
  }
  g->t->leaf_count = kept;
}

/* Stiff enough to be felt and not so deep inside each other that everything is blown apart. */
static void usual_contact(generator *g, const char *part) {
  char path[TRIAL_PATH];
  const char *a = names_any(g, &g->points), *b = names_any(g, &g->points);
  for (int tries = 0; tries < 8 && strcmp(a, b) == 0; tries++)
    b = names_any(g, &g->points);
  if (*a && strcmp(a, b) != 0) { /* a point does not touch itself */
    generate_join(path, part, "a");
    trial_set_text(g->t, path, a);
    generate_join(path, part, "b");
    trial_set_text(g->t, path, b);
  }
  if (draw_chance(&g->random, 0.8)) {
    generate_join(path, part, "gap_m");
    trial_set_number(g->t, path, draw_chance(&g->random, 0.5) ? 0 : draw_log(&g->random, 1e-7, 1e-2));
  }
}

static void drop_leaf(trial *t, const char *path) {
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strcmp(t->leaves[i].path, path) == 0) {
      memmove(&t->leaves[i], &t->leaves[i + 1], (t->leaf_count - i - 1) * sizeof t->leaves[0]);
      t->leaf_count--;
      return;
    }
}

/* A point of a body that is no hand; "" when that was not drawn. */
static const char *moved_point(generator *g) {
  char path[TRIAL_PATH];
  const char *point = names_any(g, &g->points);
  trial_spell(path, "bodies.%.*s.kind", (int)strcspn(point, "."), point);
  const trial_leaf *kind = trial_find(g->t, path);
  return kind && strcmp(kind->text, "hand") == 0 ? "" : point;
}

/* In an undriven scene what runs over a surface goes by itself, or with a body that does. */
static void free_drive(generator *g, const char *part) {
  char path[TRIAL_PATH];
  const char *leader = draw_chance(&g->random, 0.4) ? moved_point(g) : "";
  if (*leader) {
    generate_join(path, part, "motion");
    trial_set_text(g->t, path, "imposed");
    generate_join(path, part, "follows");
    trial_set_text(g->t, path, leader);
    return;
  }
  generate_join(path, part, "kind");
  trial_set_text(g->t, path, "roll");
  generate_join(path, part, "motion");
  trial_set_text(g->t, path, "free");
}

static void usual_drive(generator *g, const char *part) {
  char path[TRIAL_PATH];
  generate_join(path, part, "follows");
  bool led = trial_find(g->t, path) != NULL;
  generate_join(path, part, "motion");
  if (!led && draw_chance(&g->random, 0.3))
    drop_leaf(g->t, path);
  if (draw_chance(&g->random, 0.7)) {
    generate_join(path, part, "throw_m_s");
    trial_set_number(g->t, path, draw_between(&g->random, -2, 2));
  }
  if (draw_chance(&g->random, 0.4)) {
    generate_join(path, part, "low_m");
    trial_set_number(g->t, path, -draw_log(&g->random, 1e-5, 1));
    generate_join(path, part, "high_m");
    trial_set_number(g->t, path, draw_log(&g->random, 1e-5, 1));
  }
}

static void give_heights(generator *g, const char *part) {
  char path[TRIAL_PATH];
  const trial_leaf *kind = trial_find(g->t, (generate_join(path, part, "kind"), path));
  uint32_t count = 8 + draw_below(&g->random, 40);
  double step = draw_log(&g->random, 1e-8, 1e-2);
  bool scan = kind && strcmp(kind->text, "scan") == 0;
  for (uint32_t i = 0; scan && i < count; i++) {
    trial_spell(path, "%s.heights_m.%u", part, i);
    trial_set_number(g->t, path, step * draw_between(&g->random, -1, 1));
  }
}

void generate_part(generator *g, const char *section, const char *letter, uint32_t index) {
  char name[16], part[TRIAL_PATH], group[64];
  uint32_t first = g->t->leaf_count;
  snprintf(name, sizeof name, "%s%u", letter, index);
  trial_spell(part, "%s.%s", section, name);
  snprintf(group, sizeof group, "%s.*", section);
  bool contact = strcmp(section, "contacts") == 0, drive = strcmp(section, "drives") == 0;
  if (contact)
    usual_contact(g, part);
  if (drive && g->undriven)
    free_drive(g, part);
  if (drive)
    usual_drive(g, part);
  generate_group(g, group, part);
  if (contact)
    drop_misfits(g, part, first);
  if (strcmp(section, "surfaces") == 0)
    give_heights(g, part);
  generate_lists(g, group, part);
  if (!generate_mend(g, first))
    return;
  if (contact && !is_friction(g->t, part))
    names_add(&g->impacts, name);
  if (contact)
    names_add(&g->contacts, name);
  if (strcmp(section, "surfaces") == 0)
    names_add(&g->surfaces, name);
}

/* ---- sources and controls: lists of their own ---- */

/* A table of pitches over the plane: places rising along both axes, a frequency for each pair. */
static void give_table(generator *g, const char *region) {
  char path[TRIAL_PATH];
  uint32_t columns = 2 + draw_below(&g->random, 2), rows = draw_chance(&g->random, 0.5) ? 0 : 2;
  for (uint32_t i = 0; i < columns + rows; i++) {
    uint32_t place = i < columns ? i : i - columns;
    trial_spell(path, "%s.table_%c.%u", region, i < columns ? 'x' : 'y', place);
    trial_set_number(g->t, path, 0.1 + 0.3 * place);
  }
  generate_list(g, "sources.*.regions.*", region, "table_hz", columns * (rows ? rows : 1));
}

void generate_source(generator *g, uint32_t index) {
  char part[TRIAL_PATH], region[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t first = g->t->leaf_count, regions = 1 + draw_below(&g->random, 2);
  double cut = draw_between(&g->random, 0.1, 0.9);
  trial_spell(part, "sources.s%u", index);
  if (regions == 2) { /* two halves of the plane as it is without being told */
    const char *plain[] = {"x_min", "x_max", "y_min", "y_max"};
    const double ends[] = {0.01, 1, 0, 1};
    for (int i = 0; i < 4; i++)
      trial_set_number(g->t, (generate_join(path, part, plain[i]), path), ends[i]);
    trial_set_text(g->t, (generate_join(path, part, "x_signal"), path), "speed");
    trial_set_text(g->t, (generate_join(path, part, "y_signal"), path), "pressure");
  }
  if (draw_chance(&g->random, 0.8)) {
    trial_set_number(g->t, (generate_join(path, part, "speed_m_s"), path), draw_log(&g->random, 1e-3, 3));
    trial_set_number(g->t, (generate_join(path, part, "pressure"), path), draw_share(&g->random));
  }
  generate_group(g, "sources.*", part);
  for (uint32_t i = 0; i < regions; i++) {
    trial_spell(region, "%s.regions.r%u", part, i);
    generate_group(g, "sources.*.regions.*", region);
    if (draw_chance(&g->random, 0.2) || (g->wish && strstr(g->wish->path, ".table_")))
      give_table(g, region);
    for (uint32_t k = 0; regions == 2 && k < 2; k++) {
      trial_spell(path, "%s.x.%u", region, k);
      trial_set_number(g->t, path, k == i ? (i ? 1 : 0.01) : cut);
      trial_spell(path, "%s.y.%u", region, k);
      trial_set_number(g->t, path, k);
    }
  }
  generate_mend(g, first);
}

static bool not_a_control(const ct_schema_row *row) {
  return strncmp(row->path, "controls.", 9) != 0 && !generate_leaves_out(row);
}

static bool undriven_target(const ct_schema_row *row) {
  return not_a_control(row) && border_of_row(row) == BORDER_NONE;
}

static void draw_target(generator *g, const char *part, uint32_t index, bool *trigger) {
  char path[TRIAL_PATH];
  ct_scene *scene = NULL;
  ct_error error;
  live_knob knob;
  uint32_t kept = g->t->leaf_count;
  trial_spell(path, "%s.", part);
  while (kept && strncmp(g->t->leaves[kept - 1].path, path, strlen(path)) == 0)
    kept--; /* built without this control, which has no target yet */
  trial before = *g->t;
  before.leaf_count = kept;
  if (trial_build(&before, &scene, &error) != CT_OK)
    return;
  bool found = live_pick(&g->random, g->t, scene, g->undriven ? undriven_target : not_a_control, &knob);
  ct_scene_destroy(scene);
  if (!found)
    return;
  *trigger |= knob.row->rate == CT_RATE_TRIGGER;
  double from = draw_row_value(&g->random, knob.row, generate_temper(g)),
         to = draw_row_value(&g->random, knob.row, generate_temper(g));
  trial_spell(path, "%s.targets.%u.path", part, index);
  trial_set_text(g->t, path, knob.path);
  trial_spell(path, "%s.targets.%u.from", part, index);
  trial_set_number(g->t, path, from);
  trial_spell(path, "%s.targets.%u.to", part, index);
  trial_set_number(g->t, path, to);
  trial_spell(path, "%s.targets.%u.scale", part, index);
  trial_set_text(g->t, path, from > 0 && to > 0 && draw_chance(&g->random, 0.5) ? "log" : "linear");
}

void generate_control(generator *g, uint32_t index) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t first = g->t->leaf_count, targets = 1 + draw_below(&g->random, 3);
  bool trigger = false;
  trial_spell(part, "controls.k%u", index);
  double min = draw_log(&g->random, 1e-3, 10), max = min * draw_log(&g->random, 1.01, 1e4);
  trial_set_number(g->t, (generate_join(path, part, "min"), path), min);
  trial_set_number(g->t, (generate_join(path, part, "max"), path), max);
  trial_set_number(g->t, (generate_join(path, part, "value"), path), draw_between(&g->random, min, max));
  for (uint32_t i = 0; i < targets; i++)
    draw_target(g, part, i, &trigger);
  trial_set_number(g->t, (generate_join(path, part, "trigger"), path), trigger);
  generate_group(g, "controls.*", part);
  generate_mend(g, first);
}
