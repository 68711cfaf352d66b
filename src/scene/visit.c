/* Every number of a scene, by its path. The schema's patterns are filled with the names of what is there and
 * resolved like any other path; what resolves exists. Set-up thread only. */
#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

typedef struct walk {
  const ct_scene *scene;
  ct_visit *visit;
  void *context;
  bool stopped;
} walk;

/* What fills a pattern: names for *, a number for []. */
typedef struct filling {
  const char *name[2];
  uint32_t number;
} filling;

static void add_word(char path[CT_PATH_BYTES], const char *word, size_t length) {
  size_t used = strlen(path);
  if (used + length + 2 > CT_PATH_BYTES)
    return; /* no such path is that long */
  if (used)
    path[used++] = '.';
  memcpy(path + used, word, length);
  path[used + length] = 0;
}

/* "bodies.*.points.*.x_m" -> bodies.bar.points.hit.x_m and bar.hit.x_m. The word before a * is left out of
 * the short path, because names of parts are unique in a scene and names of points in a body. */
static void write_paths(const char *pattern, const filling *f, char *full, char *brief) {
  uint32_t names = 0;
  *full = *brief = 0;
  for (const char *p = pattern; *p;) {
    size_t span = *p == '[' ? 2 : strcspn(p, ".["), length = span;
    char number[12];
    const char *word = p;
    if (*p == '*') {
      word = f->name[names] ? f->name[names] : ""; /* a row has no more names than there are parts to it */
      names++;
      length = strlen(word);
    } else if (*p == '[') {
      word = number;
      length = ct_format(number, sizeof number, "%u", f->number);
    }
    p += span;
    p += *p == '.';
    add_word(full, word, length);
    if (*p != '*')
      add_word(brief, word, length);
  }
}

/* False: there is no such number. */
static bool visit_number(walk *w, uint32_t row, const filling *f) {
  char full[CT_PATH_BYTES], brief[CT_PATH_BYTES];
  ct_handle handle;
  ct_error error;
  write_paths(ct_row_at(row)->shown.path, f, full, brief);
  if (ct_scene_resolve(w->scene, full, &handle, &error) != CT_OK || handle.row != row)
    return false;
  bool control = ct_row_at(row)->section == CT_IN_CONTROL;
  w->stopped = !w->visit(w->context, control ? f->name[0] : brief, full, handle, &ct_row_at(row)->shown);
  return true;
}

static uint32_t count_of(const char *text, char c) {
  uint32_t count = 0;
  for (; *text; text++)
    count += *text == c;
  return count;
}

/* All rows of a section with so many names in their paths. */
static void visit_rows(walk *w, const char *section, uint32_t names, filling f) {
  size_t span = strlen(section);
  for (uint32_t row = 0; row < ct_schema_count() && !w->stopped; row++) {
    const char *pattern = ct_row_at(row)->shown.path;
    bool of_section = strncmp(pattern, section, span) == 0 && (span == 0 || pattern[span] == '.');
    if (!of_section || count_of(pattern, '*') != names || ct_row_at(row)->shown.rate == CT_RATE_FIXED)
      continue;
    bool numbered = strchr(pattern, '[') != NULL;
    f.number = 0;
    while (!w->stopped && visit_number(w, row, &f) && numbered)
      f.number++;
  }
}

/* Points of a body, regions of a source. */
static const char *item_name(const ct_scene *s, ct_part part, uint16_t slot, uint32_t item) {
  if (part == CT_PART_BODY && item < s->bodies[slot].point_count)
    return s->bodies[slot].points[item].name;
  if (part == CT_PART_SOURCE && item < s->sources[slot].action.map.region_count)
    return s->sources[slot].action.regions[item].name;
  return NULL;
}

static void visit_part(walk *w, ct_part part, uint16_t slot) {
  const char *section = ct_part_section((ct_part)part);
  filling f = {.name = {ct_part_name(w->scene, part, slot)}};
  visit_rows(w, section, 1, f);
  for (uint32_t i = 0; !w->stopped && (f.name[1] = item_name(w->scene, part, slot, i)); i++)
    visit_rows(w, section, 2, f);
}

/* The used slot whose name comes next; -1: none. */
static int next_by_name(const ct_scene *s, ct_part part, const char *last) {
  int next = -1;
  for (uint16_t i = 0; i < s->parts[part].capacity; i++) {
    const char *name = ct_part_name(s, part, i);
    if (s->parts[part].slot[i] != CT_SLOT_USED || (last && strcmp(name, last) <= 0))
      continue;
    if (next < 0 || strcmp(name, ct_part_name(s, part, (uint16_t)next)) < 0)
      next = i;
  }
  return next;
}

void ct_scene_visit(const ct_scene *s, ct_visit *visit, void *context) {
  walk w = {s, visit, context, false};
  visit_rows(&w, "", 0, (filling){0});
  for (int part = 0; part < CT_PART_KINDS; part++)
    for (int slot = next_by_name(s, (ct_part)part, NULL); slot >= 0 && !w.stopped;
         slot = next_by_name(s, (ct_part)part, ct_part_name(s, (ct_part)part, (uint16_t)slot)))
      visit_part(&w, (ct_part)part, (uint16_t)slot);
  for (uint32_t i = 0; i < s->control_count && !w.stopped; i++)
    visit_rows(&w, "controls", 1, (filling){.name = {s->controls[i].name}});
}
