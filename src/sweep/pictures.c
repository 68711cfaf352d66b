/* Histograms of what was set and of what an ear notices first, and spectrograms of sounds spread evenly over
 * the plan. Sounds are read from their files, or made again where none are kept. */
#include "sweep/pictures.h"
#include "base/number.h"
#include "base/text.h"
#include "file/sound.h"
#include "picture/sheet_picture.h"
#include "sweep/folder.h"
#include "sweep/maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
  const ct_sweep_def *def;
  const ct_sweep_rows *rows;
  ct_sweep_columns *columns;
  double *cells;
  ct_sweep_maker *maker;
  uint64_t shown[CT_SHEET_MOST]; /* sounds of the sheet */
} drawing;

static const char *title_of(const ct_sweep_plan *plan) {
  return plan->title ? plan->title : "Sounds of touching";
}

/* ---- histograms ---- */

static bool is_shown(const ct_sweep_column *c) {
  static const char *const measures[] = {
      "rms_db",       "true_peak_db", "momentary_max_lufs", "pitch_hz", "centroid_hz", "mode_1_hz",
      "mode_1_t60_s", "clarity",      "onset_count",        NULL};
  if (c->text)
    return false;
  for (const char *const *name = measures; *name; name++)
    if (strcmp(*name, c->name) == 0)
      return true;
  return strncmp(c->name, "set.", 4) == 0;
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
  ct_sweep_row row;
  for (uint64_t i = 0; i < ct_sweep_rows_count(d->rows); i++) {
    if (!ct_sweep_rows_get(d->rows, i, &row, d->cells))
      continue;
    const ct_table_cell *cells = ct_sweep_columns_row(d->columns, &row);
    for (uint32_t k = 0; k < s->count; k++)
      if (isfinite(cells[s->column[k]].number))
        visit(&s->all[k], cells[s->column[k]].number);
  }
}

static void choose_columns(const drawing *d, spreads *s) {
  for (uint32_t i = 0; i < ct_sweep_columns_count(d->columns) && s->count < CT_SPREADS_MOST; i++) {
    const ct_sweep_column c = ct_sweep_columns_at(d->columns, i);
    if (!is_shown(&c))
      continue;
    ct_spread *to = &s->all[s->count];
    *to = (ct_spread){.min = (double)INFINITY, .max = -(double)INFINITY, .log = c.log};
    ct_format(to->title, sizeof to->title, "%s%s%s", c.name, *c.unit ? ", " : "", c.unit);
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
  char *png = ct_sweep_in(d->def->folder, "histograms.png");
  ct_result result = CT_OK;
  if (s && png) {
    choose_columns(d, s);
    visit_numbers(d, s, widen);
    set_axes(s);
    visit_numbers(d, s, put);
    result = ct_spread_picture_draw(png, title_of(d->def->plan), s->all, s->count, error);
  } else
    result = ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  free(s);
  free(png);
  return result;
}

/* ---- the sheet ---- */

/* Whether the plan has words for that column. */
static bool has_label(const ct_sweep_columns *columns, uint32_t index) {
  const char *name = ct_sweep_columns_at(columns, index).name + strlen("set.");
  if (index + 1 >= ct_sweep_columns_count(columns))
    return false;
  const char *next = ct_sweep_columns_at(columns, index + 1).name;
  return strncmp(next, "label.", 6) == 0 && strcmp(next + 6, name) == 0;
}

static void label_sound(drawing *d, const ct_sweep_row *row, char label[CT_TEXT_MAX]) {
  enum { ENOUGH = 36, DIGITS = 3 };
  const ct_table_cell *cells = ct_sweep_columns_row(d->columns, row);
  size_t used = ct_format(label, CT_TEXT_MAX, "%llu:", (unsigned long long)row->index);
  for (uint32_t i = 0; i < ct_sweep_columns_count(d->columns) && used < ENOUGH; i++) {
    const ct_sweep_column c = ct_sweep_columns_at(d->columns, i);
    const bool set = strncmp(c.name, "set.", 4) == 0, word = strncmp(c.name, "label.", 6) == 0;
    char number[CT_NUMBER_ROOM];
    if ((!set && !word) || (set && has_label(d->columns, i)))
      continue;
    if (!c.text)
      ct_number_print(number, cells[i].number, DIGITS);
    used += ct_format(label + used, CT_TEXT_MAX - used, " %.16s", c.text ? cells[i].text : number);
  }
}

static ct_result read_sound(drawing *d, uint64_t index, double **samples, size_t *length, double *rate_hz,
                            ct_error *error) {
  char name[CT_SWEEP_NAME_MAX];
  ct_sound *sound = NULL;
  ct_sweep_sound_name(d->def->plan, index, name);
  char *file = ct_sweep_in(d->def->folder, name);
  ct_result result =
      file ? ct_sound_open(file, &sound, error) : ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  if (result == CT_OK) {
    ct_windows *mono = ct_sound_mono(sound);
    *length = mono->count;
    *rate_hz = mono->rate_hz;
    *samples = calloc(mono->count, sizeof **samples);
    const double *from = *samples ? mono->at(mono, 0, mono->count) : NULL;
    if (from)
      memcpy(*samples, from, mono->count * sizeof **samples);
    else
      result = ct_fail(error, CT_BAD_FILE, "%.200s: cannot be read", file);
  }
  ct_sound_close(sound);
  free(file);
  return result;
}

static ct_result make_sound(drawing *d, uint64_t index, double **samples, size_t *length, double *rate_hz,
                            ct_error *error) {
  ct_sweep_point point;
  ct_sweep_made made;
  ct_sweep_point_at(d->def->plan, index, &point);
  ct_result result = ct_sweep_make(d->maker, &point, &made, error);
  if (result != CT_OK)
    return result;
  *length = made.frames;
  *rate_hz = made.rate_hz;
  *samples = calloc(made.frames, sizeof **samples);
  if (!*samples)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  for (size_t n = 0; n < made.frames; n++)
    for (uint32_t c = 0; c < made.channels; c++)
      (*samples)[n] += made.samples[n * made.channels + c] / made.channels;
  return CT_OK;
}

static ct_result take(void *context, uint32_t index, double **samples, size_t *length, double *rate_hz,
                      char label[CT_TEXT_MAX], ct_error *error) {
  drawing *d = context;
  ct_sweep_row row;
  const uint64_t sound = d->shown[index];
  if (!ct_sweep_rows_get(d->rows, sound, &row, d->cells))
    return ct_fail(error, CT_BAD_FILE, "sound %llu has no row", (unsigned long long)sound);
  label_sound(d, &row, label);
  return (row.bytes ? read_sound : make_sound)(d, sound, samples, length, rate_hz, error);
}

/* Evenly over the plan, each the next one that did not fail. */
static uint32_t choose(drawing *d) {
  const uint64_t count = ct_sweep_rows_count(d->rows);
  const uint64_t wanted = count < CT_SHEET_MOST ? count : CT_SHEET_MOST;
  uint32_t chosen = 0;
  ct_sweep_row row;
  for (uint64_t i = 0; i < wanted; i++) {
    uint64_t at = i * count / wanted;
    const uint64_t end = (i + 1) * count / wanted;
    while (at < end && !(ct_sweep_rows_get(d->rows, at, &row, d->cells) && !*row.failed))
      at++;
    if (at < end)
      d->shown[chosen++] = at;
  }
  return chosen;
}

static ct_result draw_sheet(drawing *d, ct_error *error) {
  char *png = ct_sweep_in(d->def->folder, "contact.png");
  const ct_sheet sheet = {title_of(d->def->plan), choose(d), take, d};
  ct_result result = png ? ct_sheet_picture_draw(png, &sheet, error)
                         : ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  free(png);
  return result;
}

ct_result ct_sweep_draw(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_columns *columns,
                        ct_error *error) {
  drawing d = {.def = def, .rows = rows, .columns = columns, .maker = ct_sweep_maker_create(def->plan)};
  d.cells = calloc(ct_sweep_rows_cells(rows), sizeof *d.cells);
  ct_result result = d.maker && d.cells ? draw_spreads(&d, error)
                                        : ct_fail(error, CT_NO_MEMORY, "no memory for the pictures");
  if (result == CT_OK)
    result = draw_sheet(&d, error);
  ct_sweep_maker_destroy(d.maker);
  free(d.cells);
  return result;
}
