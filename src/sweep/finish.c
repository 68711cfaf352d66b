/* What makes a folder of sounds a data set. */
#include "base/text.h"
#include "file/staged.h"
#include "picture/picture.h"
#include "sweep/about.h"
#include "sweep/columns.h"
#include "sweep/folder.h"
#include "sweep/pictures.h"

#include <stdlib.h>
#include <string.h>

/* What all of it is made from. */
typedef struct finishing {
  const ct_sweep_def *def;
  const ct_sweep_rows *rows;
  ct_sweep_summary *summary;
  ct_sweep_columns *columns;
  double *cells;
  ct_error *error;
} finishing;

static ct_result no_memory(ct_error *error) {
  return ct_fail(error, CT_NO_MEMORY, "no memory for the sweep");
}

static ct_result get_row(const finishing *f, uint64_t index, ct_sweep_row *row) {
  return ct_sweep_rows_get(f->rows, index, row, f->cells)
             ? CT_OK
             : ct_fail(f->error, CT_BAD_FILE, "%.200s: sound %llu has no row", f->def->folder,
                       (unsigned long long)index);
}

/* ---- tables ---- */

/* Texts are as wide as the longest. */
static ct_result widen(const finishing *f, ct_table_column *columns, uint32_t count) {
  ct_result result = CT_OK;
  for (uint64_t i = 0; i < f->summary->count && result == CT_OK; i++) {
    ct_sweep_row row;
    result = get_row(f, i, &row);
    const ct_table_cell *cells = result == CT_OK ? ct_sweep_columns_row(f->columns, &row) : NULL;
    for (uint32_t c = 0; cells && c < count; c++) {
      const uint32_t letters = columns[c].text ? ct_table_letters(cells[c].text) : 0;
      columns[c].letters = letters > columns[c].letters ? letters : columns[c].letters;
    }
  }
  return result;
}

static ct_result write_table(const finishing *f, const char *name, const ct_table_column *columns,
                             uint32_t count) {
  ct_table *table = NULL;
  char *file = ct_sweep_in(f->def->folder, name);
  ct_result result = file ? ct_table_open_mixed(file, columns, count, &table, f->error) : no_memory(f->error);
  for (uint64_t i = 0; i < f->summary->count && result == CT_OK; i++) {
    ct_sweep_row row;
    result = get_row(f, i, &row);
    if (result == CT_OK)
      result = ct_table_write_mixed(table, ct_sweep_columns_row(f->columns, &row), f->error);
  }
  if (result == CT_OK)
    result = ct_table_close(table, f->error);
  if (result == CT_OK)
    result = ct_table_keep(table, f->error);
  ct_table_drop(table);
  free(file);
  return result;
}

static ct_result write_tables(const finishing *f) {
  const uint32_t count = ct_sweep_columns_count(f->columns);
  ct_table_column *columns = calloc(count, sizeof *columns);
  if (!columns)
    return no_memory(f->error);
  for (uint32_t i = 0; i < count; i++) {
    const ct_sweep_column c = ct_sweep_columns_at(f->columns, i);
    columns[i] = (ct_table_column){.name = c.name, .text = c.text};
  }
  ct_result result = widen(f, columns, count);
  if (result == CT_OK)
    result = write_table(f, "table.csv", columns, count);
  if (result == CT_OK)
    result = write_table(f, "table.npy", columns, count);
  free(columns);
  return result;
}

static ct_result write_columns(const finishing *f) {
  static const ct_table_column heads[] = {{"column", true, 0}, {"unit", true, 0}, {"meaning", true, 0}};
  ct_table *table = NULL;
  char *file = ct_sweep_in(f->def->folder, "columns.csv");
  ct_result result = file ? ct_table_open_mixed(file, heads, 3, &table, f->error) : no_memory(f->error);
  for (uint32_t i = 0; i < ct_sweep_columns_count(f->columns) && result == CT_OK; i++) {
    const ct_sweep_column c = ct_sweep_columns_at(f->columns, i);
    const ct_table_cell cells[] = {{.text = c.name}, {.text = c.unit}, {.text = c.words}};
    result = ct_table_write_mixed(table, cells, f->error);
  }
  if (result == CT_OK)
    result = ct_table_close(table, f->error);
  if (result == CT_OK)
    result = ct_table_keep(table, f->error);
  ct_table_drop(table);
  free(file);
  return result;
}

/* ---- for people ---- */

static void put_readme(const finishing *f, FILE *out) {
  const ct_sweep_plan *plan = f->def->plan;
  const ct_sweep_origin *o = ct_sweep_rows_origin(f->rows);
  static const char *const kept[] = {"WAV files, 32-bit float, 1.0 is full scale", "FLAC files, 24 bits",
                                     "no sound files: measures only",
                                     "no sound files: states that were watched"};
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
}

static ct_result write_readme(const finishing *f) {
  ct_staged *staged = NULL;
  char *file = ct_sweep_in(f->def->folder, "README.md");
  ct_result result = file ? ct_staged_open(file, &staged, f->error) : no_memory(f->error);
  if (result == CT_OK) {
    put_readme(f, ct_staged_stream(staged));
    result = ct_staged_close(staged, f->error);
  }
  if (result == CT_OK)
    result = ct_staged_keep(staged, f->error);
  ct_staged_drop(staged);
  free(file);
  return result;
}

static ct_result write_about(const finishing *f) {
  char *file = ct_sweep_in(f->def->folder, "about.json");
  ct_result result =
      file ? ct_sweep_about_write(file, f->def->plan, ct_sweep_rows_origin(f->rows), f->summary, f->error)
           : no_memory(f->error);
  free(file);
  return result;
}

/* ---- hashes ---- */

static void put_hash(FILE *out, const uint8_t digest[CT_SHA256_BYTES], const char *name) {
  char text[CT_SHA256_TEXT];
  ct_sha256_print(digest, text);
  fprintf(out, "%s  %s\n", text, name);
}

static ct_result hash_file(const finishing *f, FILE *out, const char *name) {
  uint8_t digest[CT_SHA256_BYTES];
  char *file = ct_sweep_in(f->def->folder, name);
  ct_result result = file ? ct_sha256_file(file, digest, NULL, f->error) : no_memory(f->error);
  if (result == CT_OK)
    put_hash(out, digest, name);
  free(file);
  return result;
}

static ct_result hash_files(const finishing *f, FILE *out) {
  static const char *const whole[] = {"README.md", "about.json", "columns.csv", "plan.json",
                                      "table.csv", "table.npy",  NULL};
  static const char *const pictures[] = {"contact.png", "histograms.png", NULL};
  static const char *const shard[] = {"about.json", "plan.json", "rows.bin", NULL};
  ct_result result = CT_OK;
  for (const char *const *name = f->def->shards > 1 ? shard : whole; *name && result == CT_OK; name++)
    result = hash_file(f, out, *name);
  for (const char *const *name = pictures; f->summary->pictures && *name && result == CT_OK; name++)
    result = hash_file(f, out, *name);
  for (uint32_t i = 0; i < f->def->plan->input_count && result == CT_OK; i++)
    if (f->def->plan->inputs[i].file)
      result = hash_file(f, out, f->def->plan->inputs[i].name);
  return result;
}

static ct_result hash_sounds(const finishing *f, FILE *out) {
  ct_result result = CT_OK;
  for (uint64_t place = 0; place < f->summary->count && result == CT_OK; place++) {
    ct_sweep_row row;
    char name[CT_SWEEP_NAME_MAX];
    result = get_row(f, ct_sweep_rows_index(f->rows, place), &row);
    if (result != CT_OK || !row.bytes)
      continue;
    ct_sweep_sound_name(f->def->plan, row.index, name);
    put_hash(out, row.sha256, name);
  }
  return result;
}

static ct_result write_hashes(const finishing *f) {
  ct_staged *staged = NULL;
  char *file = ct_sweep_in(f->def->folder, "SHA256SUMS");
  ct_result result = file ? ct_staged_open(file, &staged, f->error) : no_memory(f->error);
  if (result == CT_OK)
    result = hash_files(f, ct_staged_stream(staged));
  if (result == CT_OK)
    result = hash_sounds(f, ct_staged_stream(staged));
  if (result == CT_OK)
    result = ct_staged_close(staged, f->error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, f->error);
  ct_staged_drop(staged);
  free(file);
  return result;
}

/* ---- all of it ---- */

static ct_result finish_whole(finishing *f) {
  ct_result result = write_tables(f);
  if (result == CT_OK)
    result = write_columns(f);
  f->summary->pictures = f->summary->failed < f->summary->count && ct_picture_possible();
  if (result == CT_OK && f->summary->pictures)
    result = ct_sweep_draw(f->def, f->rows, f->columns, f->error);
  return result == CT_OK ? write_readme(f) : result;
}

ct_result ct_sweep_finish(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_summary *summary,
                          ct_error *error) {
  finishing f = {.def = def, .rows = rows, .summary = summary, .error = error};
  f.columns = ct_sweep_columns_create(def->plan);
  f.cells = calloc(ct_sweep_cell_count(def->plan), sizeof *f.cells);
  ct_result result = f.columns && f.cells ? CT_OK : no_memory(error);
  if (result == CT_OK && def->shards == 1)
    result = finish_whole(&f);
  if (result == CT_OK)
    result = write_about(&f);
  if (result == CT_OK)
    result = write_hashes(&f);
  ct_sweep_columns_destroy(f.columns);
  free(f.cells);
  return result;
}
