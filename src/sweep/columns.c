/* Columns: which sound, what was set, what was measured, and why there is none. */
#include "sweep/columns.h"
#include "base/number.h"
#include "measure/report.h"
#include "sweep/folder.h"
#include "sweep/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a cell comes from. */
typedef enum source {
  FROM_INDEX,
  FROM_SOUND,
  FROM_PART,
  FROM_SCENE,
  FROM_PRESET,
  FROM_GESTURE,
  FROM_SEED,
  FROM_SET,   /* what varies, */
  FROM_LABEL, /* and its label */
  FROM_CELL,  /* of the row */
  FROM_FAILED
} source;

enum { WORDS_MAX = 160 };

typedef struct column {
  char name[CT_NAME_MAX + 64], unit[CT_NAME_MAX], words[WORDS_MAX];
  bool text, log;
  source from;
  uint32_t cell;    /* of the row */
  const char *vary; /* name of what varies */
  char printed[CT_NUMBER_ROOM];
} column;

struct ct_sweep_columns {
  const ct_sweep_plan *plan;
  column *all;
  uint32_t count;
  ct_table_cell *cells;
  ct_sweep_point point;
  char sound[CT_SWEEP_NAME_MAX];
};

static column *add(ct_sweep_columns *c, source from, bool text, const char *name, const char *unit,
                   const char *words) {
  column *to = &c->all[c->count++];
  *to = (column){.from = from, .text = text};
  snprintf(to->name, sizeof to->name, "%s", name);
  snprintf(to->unit, sizeof to->unit, "%s", unit);
  snprintf(to->words, sizeof to->words, "%s", words);
  return to;
}

/* ---- what varies ---- */

static bool has_column(const ct_sweep_columns *c, source from, const char *vary) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->all[i].from == from && strcmp(c->all[i].vary, vary) == 0)
      return true;
  return false;
}

static const ct_sweep_vary *find(const ct_sweep_part *part, const char *name, uint32_t *at) {
  for (*at = 0; *at < part->vary_count; ++*at)
    if (strcmp(part->vary[*at].name, name) == 0)
      return &part->vary[*at];
  return NULL;
}

/* Words in one part make words of the column. */
static bool is_text(const ct_sweep_plan *plan, const char *name) {
  uint32_t at;
  for (uint32_t i = 0; i < plan->part_count; i++) {
    const ct_sweep_vary *v = find(&plan->parts[i], name, &at);
    if (v && v->words)
      return true;
  }
  return false;
}

static void add_vary(ct_sweep_columns *c, const ct_sweep_vary *v) {
  char name[CT_NAME_MAX + 64];
  if ((v->target == CT_SWEEP_PATH || v->target == CT_SWEEP_GESTURE_CELL) &&
      !has_column(c, FROM_SET, v->name)) {
    snprintf(name, sizeof name, "set.%.100s", v->name);
    column *set = add(c, FROM_SET, is_text(c->plan, v->name), name, v->unit, v->about ? v->about : "");
    set->vary = v->name;
    set->log = v->scale == CT_LOG && !v->count;
  }
  if (v->labels && !has_column(c, FROM_LABEL, v->name)) {
    snprintf(name, sizeof name, "label.%.100s", v->name);
    add(c, FROM_LABEL, true, name, "", "what the plan calls that value")->vary = v->name;
  }
}

/* ---- all ---- */

static void add_all(ct_sweep_columns *c) {
  add(c, FROM_INDEX, false, "index", "", "number of the sound in the plan, from 0 on");
  add(c, FROM_SOUND, true, "sound", "", "its file; empty when there is none");
  add(c, FROM_PART, true, "part", "", "part of the plan, by name or number");
  add(c, FROM_SCENE, true, "scene", "", "scene, built in or beside the plan");
  add(c, FROM_PRESET, true, "preset", "", "preset of the scene; empty: none");
  add(c, FROM_GESTURE, true, "gesture", "", "what is played; demo: the scene's own");
  add(c, FROM_SEED, false, "seed", "", "seed of everything random");
  for (uint32_t p = 0; p < c->plan->part_count; p++)
    for (uint32_t i = 0; i < c->plan->parts[p].vary_count; i++)
      add_vary(c, &c->plan->parts[p].vary[i]);
  add(c, FROM_CELL, false, "warnings", "", "warnings while the scene was built");
  uint32_t cell = 1;
  for (uint32_t i = 0; c->plan->write != CT_SWEEP_WATCHED && i < ct_report_column_count(); i++) {
    const ct_report_column m = ct_report_column_at(i);
    column *measure = add(c, FROM_CELL, false, m.name, m.unit, m.words);
    measure->cell = cell++;
    measure->log = strcmp(m.unit, "Hz") == 0 || strcmp(m.unit, "s") == 0;
  }
  for (uint32_t i = 0; i < ct_sweep_watch_column_count(c->plan); i++) {
    char name[CT_NAME_MAX + 64];
    const ct_sweep_watch_column w = ct_sweep_watch_column_at(c->plan, i);
    snprintf(name, sizeof name, "%.60s.%s", w.watch, w.name);
    add(c, FROM_CELL, false, name, w.unit, w.words)->cell = cell++;
  }
  add(c, FROM_FAILED, true, "failed", "", "why there is no sound; empty: there is");
}

ct_sweep_columns *ct_sweep_columns_create(const ct_sweep_plan *plan) {
  size_t most = 16 + ct_report_column_count() + ct_sweep_watch_column_count(plan);
  for (uint32_t p = 0; p < plan->part_count; p++)
    most += 2 * (size_t)plan->parts[p].vary_count;
  ct_sweep_columns *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->plan = plan;
  c->all = calloc(most, sizeof *c->all);
  c->cells = calloc(most, sizeof *c->cells);
  if (!c->all || !c->cells) {
    ct_sweep_columns_destroy(c);
    return NULL;
  }
  add_all(c);
  return c;
}

void ct_sweep_columns_destroy(ct_sweep_columns *c) {
  if (!c)
    return;
  free(c->all);
  free(c->cells);
  free(c);
}

uint32_t ct_sweep_columns_count(const ct_sweep_columns *c) { return c->count; }

ct_sweep_column ct_sweep_columns_at(const ct_sweep_columns *c, uint32_t index) {
  const column *from = &c->all[index];
  return (ct_sweep_column){from->name, from->unit, from->words, from->text, from->log};
}

/* ---- a row ---- */

static const char *print(column *to, double number) {
  ct_number_print(to->printed, number, ct_number_digits(number));
  return to->printed;
}

static ct_table_cell set_cell(const ct_sweep_point *p, column *to) {
  uint32_t at;
  const ct_sweep_vary *v = find(p->part, to->vary, &at);
  if (to->from == FROM_LABEL)
    return (ct_table_cell){.text = v && p->label[at] ? p->label[at] : ""};
  if (!v)
    return (ct_table_cell){.number = (double)NAN, .text = ""};
  if (p->word[at])
    return (ct_table_cell){.text = p->word[at]};
  return (ct_table_cell){.number = p->number[at], .text = to->text ? print(to, p->number[at]) : NULL};
}

static ct_table_cell part_cell(const ct_sweep_columns *c, column *to) {
  const ct_sweep_part *part = c->point.part;
  return (ct_table_cell){.text = part->name ? part->name : print(to, (double)(part - c->plan->parts))};
}

static ct_table_cell cell_of(const ct_sweep_columns *c, column *to, const ct_sweep_row *row) {
  const ct_sweep_point *p = &c->point;
  switch (to->from) {
  case FROM_INDEX:
    return (ct_table_cell){.number = (double)row->index};
  case FROM_SOUND:
    return (ct_table_cell){.text = row->bytes ? c->sound : ""};
  case FROM_PART:
    return part_cell(c, to);
  case FROM_SCENE:
    return (ct_table_cell){.text = p->scene};
  case FROM_PRESET:
    return (ct_table_cell){.text = p->preset};
  case FROM_GESTURE:
    return (ct_table_cell){.text = p->gesture};
  case FROM_SEED:
    return (ct_table_cell){.number = (double)p->seed};
  case FROM_CELL:
    return (ct_table_cell){.number = row->cells[to->cell]};
  case FROM_FAILED:
    return (ct_table_cell){.text = row->failed};
  default:
    return set_cell(p, to);
  }
}

const ct_table_cell *ct_sweep_columns_row(ct_sweep_columns *c, const ct_sweep_row *row) {
  ct_sweep_point_at(c->plan, row->index, &c->point);
  ct_sweep_sound_name(c->plan, row->index, c->sound);
  for (uint32_t i = 0; i < c->count; i++)
    c->cells[i] = cell_of(c, &c->all[i], row);
  return c->cells;
}
