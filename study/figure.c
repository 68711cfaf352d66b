/* Tables through file/table.h, pictures through picture/gnuplot.h. */
#include "study/figure.h"
#include "base/text.h"
#include "file/place.h"
#include "file/staged.h"
#include "file/table.h"
#include "picture/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- folders and names ---- */

static ct_result make_folder(const char *folder, ct_error *error) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return CT_OK;
  return ct_fail(error, CT_BAD_ARGUMENT, "%.200s: cannot be made: %s", folder, strerror(errno));
}

ct_result figure_folder(const char *folder, ct_error *error) {
  ct_result result = CT_OK;
  char *path = strdup(folder);
  if (!path)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  for (char *c = path; result == CT_OK && (c = strchr(c, '/')); c++) {
    *c = 0;
    result = *path ? make_folder(path, error) : CT_OK;
    *c = '/';
  }
  free(path);
  return result == CT_OK ? make_folder(folder, error) : result;
}

static char *name_in(const ct_study_run *run, const char *name, const char *ending) {
  size_t room = strlen(run->folder) + strlen(name) + strlen(ending) + 2;
  char *file = malloc(room);
  if (file)
    snprintf(file, room, "%s/%s%s", run->folder, name, ending);
  return file;
}

/* No figure may take the place of another one of the same run, by a link in the folder. */
static ct_result claim(const ct_study_run *run, const char *file, ct_error *error) {
  return run->claims ? ct_claims_write(run->claims, file, error) : CT_OK;
}

/* ---- tables ---- */

enum { MOST_COLUMNS = 40 };

struct figure_table {
  ct_table *table;
  char *file, *text;
  const char *columns[MOST_COLUMNS];
  uint32_t count;
};

static void split_columns(figure_table *t) {
  for (char *c = t->text; c && t->count < MOST_COLUMNS; c = c ? c + 1 : NULL) {
    t->columns[t->count++] = c;
    c = strchr(c, ',');
    if (c)
      *c = 0;
  }
}

ct_result figure_table_begin(const ct_study_run *run, const char *name, const char *columns,
                             figure_table **table, ct_error *error) {
  figure_table *t = *table = calloc(1, sizeof *t);
  if (!t || !(t->file = name_in(run, name, ".csv")) || !(t->text = strdup(columns)))
    return ct_fail(error, CT_NO_MEMORY, "no memory for %.80s", name);
  split_columns(t);
  ct_result result = claim(run, t->file, error);
  return result == CT_OK ? ct_table_open(t->file, t->columns, t->count, &t->table, error) : result;
}

ct_result figure_table_row(figure_table *t, const double *row, ct_error *error) {
  return ct_table_write(t->table, row, error);
}

ct_result figure_table_end(figure_table *t, ct_result result, ct_error *error) {
  if (!t)
    return result;
  if (result == CT_OK)
    result = ct_table_close(t->table, error);
  if (result == CT_OK)
    result = ct_staged_keep(ct_table_staged(t->table), error);
  ct_table_drop(t->table);
  free(t->file);
  free(t->text);
  free(t);
  return result;
}

/* ---- pictures ---- */

static const char style[] = "set encoding utf8\n"
                            "set datafile separator ','\n"
                            "set datafile columnheaders\n"
                            "set border 3 lc rgb '#555555'\n"
                            "set tics nomirror out scale 0.6\n"
                            "set grid lc rgb '#dddddd' lw 0.7\n"
                            "set key samplen 2\n"
                            "am1 = '#781c6d'\nverlet = '#2a9d57'\nheun = '#ed9b25'\nrk4 = '#1f77b4'\n"
                            "ours = '#cf2027'\nexact = '#222222'\n"
                            "D(name) = folder.'/'.name.'.csv'\n"
                            "C(name) = column(name)\n";

/* In gnuplot's single quotes only the quote itself is special. */
static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++)
    fputs(*text == '\'' ? "''" : (char[]){*text, 0}, out);
  fputs("'\n", out);
}

typedef struct drawing {
  const char *name, *folder, *terminal, *head, *script;
} drawing;

static ct_result write_script(FILE *script, const char *picture, const void *context, ct_error *error) {
  const drawing *d = context;
  (void)error;
  fprintf(script, "%s\nset output ", d->terminal);
  put_quoted(script, picture);
  fputs("folder = ", script);
  put_quoted(script, d->folder);
  fprintf(script, "%s%s%s\nset output\n", style, d->head, d->script);
  return CT_OK;
}

static ct_result draw_as(const ct_study_run *run, const char *ending, const drawing *d, ct_error *error) {
  char *file = name_in(run, d->name, ending);
  ct_result result =
      file ? claim(run, file, error) : ct_fail(error, CT_NO_MEMORY, "no memory for %.80s", d->name);
  if (result == CT_OK)
    result = ct_gnuplot_draw(file, write_script, d, error);
  free(file);
  return result;
}

/* NAME.gp draws the picture again from the numbers beside it, run in that folder. */
static ct_result write_beside(const ct_study_run *run, const drawing *d, ct_error *error) {
  char *file = name_in(run, d->name, ".gp"),
       *picture = name_in(&(ct_study_run){.folder = "."}, d->name, ".png");
  drawing here = *d;
  ct_staged *staged = NULL;
  here.folder = ".";
  ct_result result = file && picture ? claim(run, file, error)
                                     : ct_fail(error, CT_NO_MEMORY, "no memory for %.80s", d->name);
  if (result == CT_OK)
    result = ct_staged_open(file, &staged, error);
  if (result == CT_OK)
    result = write_script(ct_staged_stream(staged), picture, &here, error);
  if (result == CT_OK)
    result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  free(file);
  free(picture);
  return result;
}

ct_result figure_draw(const ct_study_run *run, const char *name, int width, int height, const char *head,
                      const char *script, ct_error *error) {
  char terminal[160];
  const drawing d = {name, run->folder, terminal, head, script};
  if (!run->folder)
    return CT_OK;
  snprintf(terminal, sizeof terminal, "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,11'",
           width, height);
  ct_result result = write_beside(run, &d, error);
  if (result == CT_OK && run->pictures)
    result = draw_as(run, ".png", &d, error);
  snprintf(terminal, sizeof terminal,
           "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,11' background '#ffffff'", width,
           height);
  if (result == CT_OK && run->pictures)
    result = draw_as(run, ".svg", &d, error);
  return result;
}
