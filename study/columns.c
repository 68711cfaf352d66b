#include "study/columns.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

study_text study_number_text(double number) {
  study_text t;
  snprintf(t.text, sizeof t.text, "%.6g", number);
  return t;
}

void study_say(const ct_study_run *run, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!run->csv)
    vfprintf(run->out, format, list);
  va_end(list);
}

void study_heading(const ct_study_run *run, const study_table *table) {
  int width = 0;
  study_say(run, "%s\n%-*s", table->title, table->first, table->names);
  for (uint32_t i = 0; i < table->count; i++) {
    const study_column *c = &table->columns[i];
    width += c->width + (int)strlen(c->unit);
    if (!c->heading)
      continue;
    study_say(run, "%*s", width, c->heading);
    width = 0;
  }
  study_say(run, "\n");
}

static void write_line(FILE *out, const study_csv *csv, const char *word, const char *of,
                       const char *quantity, const char *at, double value) {
  fprintf(out, "%s,%s%s%s,%s,%s%s%.6g\n", word, csv->quote, of, csv->quote, quantity, csv->has_at ? at : "",
          csv->has_at ? "," : "", value);
}

static void say_number(const ct_study_run *run, int width, int decimals, char style, double value) {
  if (style == 'e')
    study_say(run, "%*.*e", width, decimals, value);
  else if (style == '+')
    study_say(run, "%+*.*f", width, decimals, value);
  else
    study_say(run, "%*.*f", width, decimals, value);
}

void study_number(const ct_study_run *run, const study_table *table, uint32_t column, const char *of,
                  const char *at, double value) {
  const study_column *c = &table->columns[column];
  if (run->csv && c->quantity)
    write_line(run->out, table->csv, table->word, of, c->quantity, at, value);
  if (run->csv || !c->width)
    return;
  if (isnan(value) && table->missing)
    study_say(run, "%*s", c->width, table->missing);
  else
    say_number(run, c->width, c->decimals, c->style, c->factor * value);
  study_say(run, "%s", c->unit);
}

void study_numbers(const ct_study_run *run, const study_table *table, const char *of, const char *at,
                   const double *values) {
  for (uint32_t i = 0; i < table->count; i++)
    study_number(run, table, i, of, at, values[i]);
}

void study_labelled_row(const ct_study_run *run, const study_table *table, const char *label, const char *of,
                        const double *values) {
  if (table->first)
    study_say(run, "%-*s", table->first, label);
  study_numbers(run, table, of, "", values);
  study_say(run, "\n");
}

void study_row(const ct_study_run *run, const study_table *table, const char *of, const double *values) {
  study_labelled_row(run, table, of, of, values);
}

void study_sentence(const ct_study_run *run, const study_csv *csv, const char *word, const study_fact *facts,
                    uint32_t count, const char *end) {
  for (const study_fact *f = facts; f < facts + count; f++) {
    if (run->csv && f->quantity)
      write_line(run->out, csv, word, f->of, f->quantity, "", f->value);
    if (!f->words)
      continue;
    study_say(run, "%s", f->words);
    say_number(run, 0, f->decimals, f->style, f->value);
  }
  if (end)
    study_say(run, "%s\n", end);
}
