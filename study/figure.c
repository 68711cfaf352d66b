/* Tables through file/table.h, pictures through a pipe to gnuplot. */
#include "study/figure.h"
#include "base/text.h"
#include "file/staged.h"
#include "file/table.h"

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
  return ct_table_open(t->file, t->columns, t->count, &t->table, error);
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
    result = ct_table_keep(t->table, error);
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
  const char *name, *terminal, *head, *script;
} drawing;

static ct_result pipe_script(const char *file, const char *folder, const drawing *d, ct_error *error) {
  FILE *gnuplot = popen("gnuplot", "w");
  if (!gnuplot)
    return ct_fail(error, CT_BAD_ARGUMENT, "gnuplot cannot be started: %s", strerror(errno));
  fprintf(gnuplot, "%s\nset output ", d->terminal);
  put_quoted(gnuplot, file);
  fputs("folder = ", gnuplot);
  put_quoted(gnuplot, folder);
  fprintf(gnuplot, "%s%s%s\nset output\n", style, d->head, d->script);
  return pclose(gnuplot) == 0 ? CT_OK
                              : ct_fail(error, CT_BAD_ARGUMENT, "%.80s: gnuplot could not draw it", d->name);
}

static ct_result draw_as(const ct_study_run *run, const char *ending, const drawing *d, ct_error *error) {
  ct_staged *staged = NULL;
  char *file = name_in(run, d->name, ending);
  ct_result result = file ? ct_staged_open(file, &staged, error)
                          : ct_fail(error, CT_NO_MEMORY, "no memory for %.80s", d->name);
  if (result == CT_OK)
    result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = pipe_script(ct_staged_name(staged), run->folder, d, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  free(file);
  return result;
}

ct_result figure_draw(const ct_study_run *run, const char *name, int width, int height, const char *head,
                      const char *script, ct_error *error) {
  char terminal[160];
  const drawing d = {name, terminal, head, script};
  if (run->stopped && run->stopped())
    return ct_fail(error, CT_BAD_ARGUMENT, "interrupted");
  if (!run->pictures)
    return CT_OK;
  snprintf(terminal, sizeof terminal, "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,11'",
           width, height);
  ct_result result = draw_as(run, ".png", &d, error);
  if (result != CT_OK)
    return result;
  snprintf(terminal, sizeof terminal,
           "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,11' background '#ffffff'", width,
           height);
  return draw_as(run, ".svg", &d, error);
}
