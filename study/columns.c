#include "study/columns.h"

#include <string.h>

void study_heading(const ct_study_run *run, const study_table *table) {
  int width = 0;
  if (run->csv)
    return;
  fprintf(run->out, "%s\n%-*s", table->title, table->first, table->names);
  for (uint32_t i = 0; i < table->count; i++) {
    const study_column *c = &table->columns[i];
    width += c->width + (int)strlen(c->unit);
    if (!c->heading)
      continue;
    fprintf(run->out, "%*s", width, c->heading);
    width = 0;
  }
  fputc('\n', run->out);
}

void study_row(const ct_study_run *run, const study_table *table, const char *of, const double *values) {
  if (!run->csv && table->first)
    fprintf(run->out, "%-*s", table->first, of);
  for (uint32_t i = 0; i < table->count; i++) {
    const study_column *c = &table->columns[i];
    if (run->csv && c->quantity)
      fprintf(run->out, "%s,%s%s%s,%s%s%.6g\n", table->word, table->quote, of, table->quote, c->quantity,
              table->between, values[i]);
    else if (!run->csv && c->width)
      fprintf(run->out, "%*.*f%s", c->width, c->decimals, c->factor * values[i], c->unit);
  }
  if (!run->csv)
    fputc('\n', run->out);
}

void study_sentence(const ct_study_run *run, const char *word, const study_fact *facts, uint32_t count,
                    const char *end) {
  for (const study_fact *f = facts; f < facts + count; f++)
    if (run->csv && f->quantity)
      fprintf(run->out, "%s,%s,%s,,%.6g\n", word, f->of, f->quantity, f->value);
    else if (!run->csv && f->words)
      fprintf(run->out, "%s%.*f", f->words, f->decimals, f->value);
  if (!run->csv)
    fprintf(run->out, "%s\n", end);
}
