/* What makes a folder of sounds a data set. */
#include "base/text.h"
#include "file/staged.h"
#include "picture/picture.h"
#include "sweep/folder.h"

#include <stdlib.h>
#include <string.h>

/* What all of it is made from. */
typedef struct finishing {
  const ct_sweep_def *def;
  const ct_sweep_rows *rows;
  ct_sweep_summary *summary;
  ct_sweep_columns columns;
  ct_sweep_row row; /* asked for last */
  ct_error *error;
} finishing;

static ct_file_path file_of(const finishing *f, const char *name) {
  return ct_file_join(f->def->folder, name);
}

static ct_result get_row(const finishing *f, uint64_t index, ct_sweep_row *row) {
  return ct_sweep_rows_get(f->rows, index, row)
             ? CT_OK
             : ct_fail(f->error, CT_BAD_FILE, "%.200s: sound %llu has no row", f->def->folder,
                       (unsigned long long)index);
}

/* ---- tables ---- */

/* Fills the cells of row `index` of a table. */
typedef ct_result fill_row(finishing *f, uint64_t index, const ct_table_cell **cells);

static ct_result fill_sound(finishing *f, uint64_t index, const ct_table_cell **cells) {
  CT_TRY(get_row(f, index, &f->row));
  *cells = ct_sweep_columns_row(&f->columns, &f->row);
  return CT_OK;
}

static ct_result fill_column(finishing *f, uint64_t index, const ct_table_cell **cells) {
  const ct_sweep_column *c = &f->columns.all[index];
  const char *const texts[] = {c->name, c->unit, c->words};
  for (int i = 0; i < 3; i++)
    f->columns.cells[i] = (ct_table_cell){.text = texts[i]};
  *cells = f->columns.cells;
  return CT_OK;
}

static ct_result write_table(finishing *f, const char *name, const ct_table_column *columns, uint32_t count,
                             uint64_t rows, fill_row *fill) {
  ct_table *table = NULL;
  const ct_table_cell *cells;
  ct_result result = ct_table_open_mixed(file_of(f, name).text, columns, count, &table, f->error);
  for (uint64_t i = 0; i < rows && result == CT_OK; i++) {
    result = fill(f, i, &cells);
    if (result == CT_OK)
      result = ct_table_write_mixed(table, cells, f->error);
  }
  return ct_table_finish(table, result, f->error);
}

/* Texts are as wide as the longest. */
static ct_result widen(finishing *f, ct_table_column *columns) {
  const ct_table_cell *cells;
  for (uint64_t i = 0; i < f->summary->count; i++) {
    CT_TRY(fill_sound(f, i, &cells));
    for (uint32_t c = 0; c < f->columns.count; c++) {
      const uint32_t letters = columns[c].text ? ct_table_letters(cells[c].text) : 0;
      columns[c].letters = letters > columns[c].letters ? letters : columns[c].letters;
    }
  }
  return CT_OK;
}

static ct_result write_tables(finishing *f) {
  static const ct_table_column heads[] = {{"column", true, 0}, {"unit", true, 0}, {"meaning", true, 0}};
  static const char *const names[] = {"table.csv", "table.npy"};
  const uint32_t count = f->columns.count;
  ct_table_column *columns = calloc(count, sizeof *columns);
  if (!columns)
    return ct_fail(f->error, CT_NO_MEMORY, "no memory for the sweep");
  for (uint32_t i = 0; i < count; i++)
    columns[i] = (ct_table_column){.name = f->columns.all[i].name, .text = f->columns.all[i].text};
  ct_result result = widen(f, columns);
  for (int i = 0; i < 2 && result == CT_OK; i++)
    result = write_table(f, names[i], columns, count, f->summary->count, fill_sound);
  free(columns);
  return result == CT_OK ? write_table(f, "columns.csv", heads, 3, count, fill_column) : result;
}

/* ---- for people ---- */

static ct_result put_readme(FILE *out, const void *context, ct_error *error) {
  const finishing *f = context;
  const ct_sweep_plan *plan = f->def->plan;
  const ct_sweep_origin *o = &f->rows->origin;
  static const char *const kept[] = {"WAV files, 32-bit float, 1.0 is full scale", "FLAC files, 24 bits",
                                     "no sound files: measures only",
                                     "no sound files: states that were watched"};
  (void)error;
  fprintf(out, "# %s\n\n", plan->title ? plan->title : "Sounds of touching");
  if (plan->about)
    fprintf(out, "%s\n\n", plan->about);
  fprintf(out, "%llu sounds, %s", (unsigned long long)f->summary->count, kept[plan->write]);
  fprintf(out, f->summary->failed ? "; %llu of them failed, and the column `failed` says why.\n\n" : ".\n\n",
          (unsigned long long)f->summary->failed);
  fprintf(out, "Licence: %s.\n\n", plan->licence ? plan->licence : "the plan states none");
  fprintf(out,
          "Made by %s, instruction set %s, from `plan.json`:\n\n    contatto sweep plan.json -o AGAIN%s\n\n"
          "| file | what it is |\n| --- | --- |\n"
          "| plan.json | what was asked for; files it names lie beside it |\n",
          o->program, o->instructions, strcmp(o->instructions, "portable") == 0 ? " --portable" : "");
  if (ct_sweep_writes_sounds(plan))
    fputs("| sounds/ | the sounds, a thousand to a folder |\n", out);
  fputs("| table.csv, table.npy | a row per sound: what was set (`set.*`, `label.*`), then what `contatto "
        "measure` "
        "says of it |\n| columns.csv | what each column means, with its unit |\n"
        "| about.json | versions and counts, for programs |\n",
        out);
  if (f->summary->pictures)
    fputs(
        "| histograms.png, contact.png | how the numbers are spread; spectrograms of some of the sounds |\n",
        out);
  fputs("| SHA256SUMS | of all of these: `contatto sweep --check .` or `sha256sum -c SHA256SUMS` |\n\n"
        "In Python: `table = numpy.load(\"table.npy\")`, then `table[\"pitch_hz\"]`.\n",
        out);
  return CT_OK;
}

/* ---- hashes ---- */

static void put_hash(FILE *out, const uint8_t digest[CT_SHA256_BYTES], const char *name) {
  char text[CT_SHA256_TEXT];
  ct_sha256_print(digest, text);
  fprintf(out, "%s  %s\n", text, name);
}

static ct_result hash_file(const finishing *f, FILE *out, const char *name) {
  uint8_t digest[CT_SHA256_BYTES];
  CT_TRY(ct_sha256_file(file_of(f, name).text, digest, NULL, f->error));
  put_hash(out, digest, name);
  return CT_OK;
}

static ct_result put_hashes(FILE *out, const void *context, ct_error *error) {
  static const char *const whole[] = {"README.md", "about.json", "columns.csv", "plan.json",
                                      "table.csv", "table.npy",  NULL};
  static const char *const pictures[] = {"contact.png", "histograms.png", NULL};
  static const char *const shard[] = {"about.json", "plan.json", "rows.bin", NULL};
  const finishing *f = context;
  const ct_sweep_plan *plan = f->def->plan;
  ct_sweep_row row;
  char sound[CT_SWEEP_NAME_MAX];
  (void)error;
  for (const char *const *name = f->def->shards > 1 ? shard : whole; *name; name++)
    CT_TRY(hash_file(f, out, *name));
  for (const char *const *name = pictures; f->summary->pictures && *name; name++)
    CT_TRY(hash_file(f, out, *name));
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].file)
      CT_TRY(hash_file(f, out, plan->inputs[i].name));
  for (uint64_t place = 0; place < f->summary->count; place++) {
    CT_TRY(get_row(f, ct_sweep_rows_index(f->rows, place), &row));
    if (!row.bytes)
      continue;
    ct_sweep_sound_name(plan, row.index, sound);
    put_hash(out, row.sha256, sound);
  }
  return CT_OK;
}

/* ---- all of it ---- */

static ct_result finish_whole(finishing *f) {
  CT_TRY(write_tables(f));
  f->summary->pictures = f->summary->failed < f->summary->count && ct_picture_possible();
  if (f->summary->pictures)
    CT_TRY(ct_sweep_draw(f->def, f->rows, &f->columns, f->error));
  return ct_staged_write(file_of(f, "README.md").text, put_readme, f, f->error);
}

ct_result ct_sweep_finish(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_summary *summary,
                          ct_error *error) {
  finishing f = {.def = def, .rows = rows, .summary = summary, .error = error};
  ct_result result = ct_sweep_columns_make(def->plan, &f.columns)
                         ? CT_OK
                         : ct_fail(error, CT_NO_MEMORY, "no memory for the sweep");
  if (result == CT_OK && def->shards == 1)
    result = finish_whole(&f);
  ct_sweep_columns_free(&f.columns);
  if (result == CT_OK)
    result = ct_sweep_about_write(def->folder, def->plan, &rows->origin, summary, error);
  return result == CT_OK ? ct_staged_write(file_of(&f, "SHA256SUMS").text, put_hashes, &f, error) : result;
}
