/* Histograms of what was set and of what an ear notices first, and spectrograms of sounds spread evenly over
 * the plan. Sounds are read from their files, or made again where none are kept. */
#include "base/number.h"
#include "base/text.h"
#include "file/sound.h"
#include "picture/picture.h"
#include "sweep/folder.h"
#include "sweep/maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
  const ct_sweep_def *def;
  const ct_sweep_rows *rows;
  ct_sweep_columns *columns;
  ct_sweep_maker *maker;
  ct_sweep_row row;              /* asked for last */
  uint64_t shown[CT_SHEET_MOST]; /* sounds of the sheet */
} drawing;

static const char *title_of(const ct_sweep_plan *plan) {
  return plan->title ? plan->title : "Sounds of touching";
}

/* ---- histograms ---- */

static bool is_shown(const ct_sweep_column *c) {
  static const char measures[] = "rms_db|true_peak_db|momentary_max_lufs|pitch_hz|centroid_hz|mode_1_hz|"
                                 "mode_1_t60_s|clarity|onset_count";
  return !c->text && (ct_choice_index(measures, c->name) >= 0 || strncmp(c->name, "set.", 4) == 0);
}

/* All histograms at once: the rows are gone through twice, however many there are. */
typedef struct spreads {
  ct_spread all[CT_SPREADS_MOST];
  uint32_t column[CT_SPREADS_MOST], count;
} spreads;

static void widen(ct_spread *s, double number) {
  s->min = fmin(s->min, number);
  s->max = fmax(s->max, number);
}

static void put(ct_spread *s, double number) {
  const uint32_t bin = ct_spread_bin(s, number);
  if (bin < CT_SHEET_BINS)
    s->bins[bin]++;
}

static void visit_numbers(drawing *d, spreads *s, void (*visit)(ct_spread *, double)) {
  for (uint64_t i = 0; i < ct_sweep_rows_count(d->rows); i++) {
    if (!ct_sweep_rows_get(d->rows, i, &d->row))
      continue;
    const ct_table_cell *cells = ct_sweep_columns_row(d->columns, &d->row);
    for (uint32_t k = 0; k < s->count; k++)
      if (isfinite(cells[s->column[k]].number))
        visit(&s->all[k], cells[s->column[k]].number);
  }
}

static void choose_columns(const drawing *d, spreads *s) {
  for (uint32_t i = 0; i < d->columns->count && s->count < CT_SPREADS_MOST; i++) {
    const ct_sweep_column *c = &d->columns->all[i];
    if (!is_shown(c))
      continue;
    ct_spread *to = &s->all[s->count];
    *to = (ct_spread){.min = (double)INFINITY, .max = -(double)INFINITY, .log = c->log};
    ct_format(to->title, sizeof to->title, "%s%s%s", c->name, *c->unit ? ", " : "", c->unit);
    s->column[s->count++] = i;
  }
}

/* Columns without a number go; where all are the same, the bar stands in the middle. */
static void set_axes(spreads *s) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    ct_spread *one = &s->all[i];
    if (one->max < one->min)
      continue;
    one->log = one->log && one->min > 0 && one->max > one->min;
    if (one->max == one->min) {
      one->min -= 0.5;
      one->max += 0.5;
    }
    s->column[kept] = s->column[i];
    s->all[kept++] = *one;
  }
  s->count = kept;
}

static ct_result draw_spreads(drawing *d, ct_error *error) {
  spreads *s = calloc(1, sizeof *s);
  if (!s)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  choose_columns(d, s);
  visit_numbers(d, s, widen);
  set_axes(s);
  visit_numbers(d, s, put);
  ct_result result = ct_spread_picture_draw(ct_file_join(d->def->folder, "histograms.png").text,
                                            title_of(d->def->plan), s->all, s->count, error);
  free(s);
  return result;
}

/* ---- the sheet ---- */

/* Whether the plan has words for that column. */
static bool has_label(const ct_sweep_columns *columns, uint32_t index) {
  const ct_sweep_column *c = &columns->all[index];
  return index + 1 < columns->count && c[1].from == CT_FROM_LABEL && strcmp(c->vary, c[1].vary) == 0;
}

static void label_sound(drawing *d, char label[CT_TEXT_MAX]) {
  enum { ENOUGH = 36, DIGITS = 3 };
  const ct_table_cell *cells = ct_sweep_columns_row(d->columns, &d->row);
  size_t used = ct_format(label, CT_TEXT_MAX, "%llu:", (unsigned long long)d->row.index);
  for (uint32_t i = 0; i < d->columns->count && used < ENOUGH; i++) {
    const ct_sweep_column *c = &d->columns->all[i];
    char number[CT_NUMBER_ROOM];
    if ((c->from != CT_FROM_SET || has_label(d->columns, i)) && c->from != CT_FROM_LABEL)
      continue;
    if (!c->text)
      ct_number_print(number, cells[i].number, DIGITS);
    used += ct_format(label + used, CT_TEXT_MAX - used, " %.16s", c->text ? cells[i].text : number);
  }
}

static ct_result read_sound(drawing *d, ct_sheet_sound *to, ct_error *error) {
  char name[CT_SWEEP_NAME_MAX];
  ct_sound *sound = NULL;
  ct_sweep_sound_name(d->def->plan, d->row.index, name);
  const ct_file_path file = ct_file_join(d->def->folder, name);
  CT_TRY(ct_sound_open(file.text, &sound, error));
  ct_windows *mono = ct_sound_mono(sound);
  *to = (ct_sheet_sound){calloc(mono->count, sizeof *to->samples), mono->count, mono->rate_hz};
  const double *from = to->samples ? mono->at(mono, 0, mono->count) : NULL;
  if (from)
    memcpy(to->samples, from, mono->count * sizeof *from);
  ct_sound_close(sound);
  return from ? CT_OK : ct_fail(error, CT_BAD_FILE, "%.200s: cannot be read", file.text);
}

static ct_result make_sound(drawing *d, ct_sheet_sound *to, ct_error *error) {
  ct_sweep_point point;
  ct_sweep_made made;
  ct_sweep_point_at(d->def->plan, d->row.index, &point);
  CT_TRY(ct_sweep_make(d->maker, &point, &made, error));
  *to = (ct_sheet_sound){calloc(made.frames, sizeof *to->samples), made.frames, made.rate_hz};
  if (!to->samples)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  for (size_t n = 0; n < made.frames; n++)
    for (uint32_t c = 0; c < made.channels; c++)
      to->samples[n] += made.samples[n * made.channels + c] / made.channels;
  return CT_OK;
}

static ct_result take(void *context, uint32_t index, ct_sheet_sound *sound, char label[CT_TEXT_MAX],
                      ct_error *error) {
  drawing *d = context;
  if (!ct_sweep_rows_get(d->rows, d->shown[index], &d->row))
    return ct_fail(error, CT_BAD_FILE, "sound %llu has no row", (unsigned long long)d->shown[index]);
  label_sound(d, label);
  return (d->row.bytes ? read_sound : make_sound)(d, sound, error);
}

/* Evenly over the plan, each the next one that did not fail. */
static uint32_t choose(drawing *d) {
  const uint64_t count = ct_sweep_rows_count(d->rows);
  const uint64_t wanted = count < CT_SHEET_MOST ? count : CT_SHEET_MOST;
  uint32_t chosen = 0;
  for (uint64_t i = 0; i < wanted; i++) {
    uint64_t at = i * count / wanted;
    const uint64_t end = (i + 1) * count / wanted;
    while (at < end && !(ct_sweep_rows_get(d->rows, at, &d->row) && !*d->row.failed))
      at++;
    if (at < end)
      d->shown[chosen++] = at;
  }
  return chosen;
}

ct_result ct_sweep_draw(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_columns *columns,
                        ct_error *error) {
  drawing d = {.def = def, .rows = rows, .columns = columns, .maker = ct_sweep_maker_create(def->plan)};
  if (!d.maker)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  ct_result result = draw_spreads(&d, error);
  if (result == CT_OK)
    result = ct_sheet_picture_draw(ct_file_join(def->folder, "contact.png").text,
                                   &(ct_sheet){title_of(def->plan), choose(&d), take, &d}, error);
  ct_sweep_maker_destroy(d.maker);
  return result;
}
