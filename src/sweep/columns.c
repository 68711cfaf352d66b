/* Columns: which sound, what was set, what was measured, and why there is none. */
#include "measure/report.h"
#include "sweep/folder.h"
#include "sweep/maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ct_sweep_column *add(ct_sweep_columns *c, ct_sweep_source from, bool text, const char *name,
                            const char *unit, const char *words) {
  ct_sweep_column *to = &c->all[c->count++];
  *to = (ct_sweep_column){.from = from, .text = text};
  snprintf(to->name, sizeof to->name, "%s", name);
  snprintf(to->unit, sizeof to->unit, "%s", unit);
  snprintf(to->words, sizeof to->words, "%s", words);
  return to;
}

/* ---- what varies ---- */

static bool has_column(const ct_sweep_columns *c, ct_sweep_source from, const char *vary) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->all[i].from == from && strcmp(c->all[i].vary, vary) == 0)
      return true;
  return false;
}

/* Words in one part make words of the column. */
static bool is_text(const ct_sweep_plan *plan, const char *name) {
  for (uint32_t i = 0; i < plan->part_count; i++) {
    const uint32_t at = ct_sweep_find_vary(&plan->parts[i], name);
    if (at < plan->parts[i].vary_count && plan->parts[i].vary[at].words)
      return true;
  }
  return false;
}

static void add_vary(ct_sweep_columns *c, const ct_sweep_vary *v) {
  char name[CT_NAME_MAX + 64];
  if ((v->target == CT_SWEEP_PATH || v->target == CT_SWEEP_GESTURE_CELL) &&
      !has_column(c, CT_FROM_SET, v->name)) {
    snprintf(name, sizeof name, "set.%.100s", v->name);
    ct_sweep_column *set =
        add(c, CT_FROM_SET, is_text(c->plan, v->name), name, v->unit, v->about ? v->about : "");
    set->vary = v->name;
    set->log = v->scale == CT_LOG && !v->count;
  }
  if (v->labels && !has_column(c, CT_FROM_LABEL, v->name)) {
    snprintf(name, sizeof name, "label.%.100s", v->name);
    add(c, CT_FROM_LABEL, true, name, "", "what the plan calls that value")->vary = v->name;
  }
}

/* ---- all ---- */

static void add_all(ct_sweep_columns *c) {
  add(c, CT_FROM_INDEX, false, "index", "", "number of the sound in the plan, from 0 on");
  add(c, CT_FROM_SOUND, true, "sound", "", "its file; empty when there is none");
  add(c, CT_FROM_PART, true, "part", "", "part of the plan, by name or number");
  add(c, CT_FROM_SCENE, true, "scene", "", "scene, built in or beside the plan");
  add(c, CT_FROM_PRESET, true, "preset", "", "preset of the scene; empty: none");
  add(c, CT_FROM_GESTURE, true, "gesture", "", "what is played; demo: the scene's own");
  add(c, CT_FROM_SEED, false, "seed", "", "seed of everything random");
  for (uint32_t p = 0; p < c->plan->part_count; p++)
    for (uint32_t i = 0; i < c->plan->parts[p].vary_count; i++)
      add_vary(c, &c->plan->parts[p].vary[i]);
  add(c, CT_FROM_CELL, false, "warnings", "", "warnings while the scene was built");
  uint32_t cell = 1;
  for (uint32_t i = 0; c->plan->write != CT_SWEEP_WATCHED && i < ct_report_column_count(); i++) {
    const ct_report_column m = ct_report_column_at(i);
    ct_sweep_column *measure = add(c, CT_FROM_CELL, false, m.name, m.unit, m.words);
    measure->cell = cell++;
    measure->log = strcmp(m.unit, "Hz") == 0 || strcmp(m.unit, "s") == 0;
  }
  for (uint32_t i = 0; i < ct_sweep_watch_column_count(c->plan); i++) {
    char name[CT_NAME_MAX + 64];
    const ct_sweep_watch_column w = ct_sweep_watch_column_at(c->plan, i);
    snprintf(name, sizeof name, "%.60s.%s", w.watch, w.name);
    add(c, CT_FROM_CELL, false, name, w.unit, w.words)->cell = cell++;
  }
  add(c, CT_FROM_FAILED, true, "failed", "", "why there is no sound; empty: there is");
}

bool ct_sweep_columns_make(const ct_sweep_plan *plan, ct_sweep_columns *c) {
  size_t most = 16 + ct_report_column_count() + ct_sweep_watch_column_count(plan);
  for (uint32_t p = 0; p < plan->part_count; p++)
    most += 2 * (size_t)plan->parts[p].vary_count;
  *c = (ct_sweep_columns){
      .plan = plan, .all = calloc(most, sizeof *c->all), .cells = calloc(most, sizeof *c->cells)};
  if (!c->all || !c->cells)
    return false;
  add_all(c);
  return true;
}

void ct_sweep_columns_free(ct_sweep_columns *c) {
  free(c->all);
  free(c->cells);
}

/* ---- a row ---- */

static const char *print(ct_sweep_column *to, double number) {
  ct_number_print(to->printed, number, ct_number_digits(number));
  return to->printed;
}

static ct_table_cell set_cell(const ct_sweep_point *p, ct_sweep_column *to) {
  const uint32_t at = ct_sweep_find_vary(p->part, to->vary);
  const bool varies = at < p->part->vary_count;
  if (to->from == CT_FROM_LABEL)
    return (ct_table_cell){.text = varies && p->label[at] ? p->label[at] : ""};
  if (!varies)
    return (ct_table_cell){.number = (double)NAN, .text = ""};
  if (p->word[at])
    return (ct_table_cell){.text = p->word[at]};
  return (ct_table_cell){.number = p->number[at], .text = to->text ? print(to, p->number[at]) : NULL};
}

static ct_table_cell cell_of(const ct_sweep_columns *c, ct_sweep_column *to, const ct_sweep_row *row) {
  const ct_sweep_point *p = &c->point;
  switch (to->from) {
  case CT_FROM_INDEX:
    return (ct_table_cell){.number = (double)row->index};
  case CT_FROM_SOUND:
    return (ct_table_cell){.text = row->bytes ? c->sound : ""};
  case CT_FROM_PART:
    return (ct_table_cell){.text =
                               p->part->name ? p->part->name : print(to, (double)(p->part - c->plan->parts))};
  case CT_FROM_SCENE:
    return (ct_table_cell){.text = p->scene};
  case CT_FROM_PRESET:
    return (ct_table_cell){.text = p->preset};
  case CT_FROM_GESTURE:
    return (ct_table_cell){.text = p->gesture};
  case CT_FROM_SEED:
    return (ct_table_cell){.number = (double)p->seed};
  case CT_FROM_CELL:
    return (ct_table_cell){.number = row->cells[to->cell]};
  case CT_FROM_FAILED:
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
