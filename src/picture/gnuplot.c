/* gnuplot gets its script and the numbers in one unnamed temporary file as its standard input: no shell, no
 * pipe that could break half-way, nothing left behind. */
#include "picture/gnuplot.h"
#include "base/text.h"
#include "file/staged.h"
#include "measure/fft.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct drawing_child {
  ct_undo undo; /* first, so that a pointer to it is a pointer to all */
  pid_t process;
} drawing_child;

/* It must be gone before its unfinished picture is removed, or it would make it again. */
static void end_child(ct_undo *undo) {
  const drawing_child *child = (drawing_child *)(void *)undo;
  kill(child->process, SIGKILL);
  while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
    ;
}

/* Signals reach it as they would reach anybody, but those of the terminal come to us alone: we end it. */
static int spawn(int input, const char *option, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char *const words[] = {"gnuplot", (char *)(uintptr_t)option, NULL};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  int failed = posix_spawnp(process, "gnuplot", &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

int ct_gnuplot_run(int input, const char *option) {
  drawing_child child = {.undo = {.run = end_child}};
  int status = 0;
  ct_undo_lock();
  int failed = spawn(input, option, &child.process);
  if (!failed)
    ct_undo_add(&child.undo);
  ct_undo_unlock();
  if (failed)
    return -1;
  while ((failed = waitpid(child.process, &status, 0) < 0) && errno == EINTR)
    ;
  ct_undo_lock();
  ct_undo_remove(&child.undo);
  ct_undo_unlock();
  return !failed && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void ct_gnuplot_quote(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'')
      fputc('\'', out);
    fputc(*text, out);
  }
  fputc('\'', out);
}

void ct_gnuplot_begin(FILE *out, const char *png, double width, double height, int letters) {
  fprintf(out, "set terminal pngcairo noenhanced size %.0f,%.0f font 'DejaVu Sans,%d'\nset output ", width,
          height, letters);
  ct_gnuplot_quote(out, png);
  fputs("\nset border lc rgb '#555555'\nunset key\n", out);
}

void ct_gnuplot_place(FILE *out, double left, double right, double top, double bottom) {
  fprintf(out,
          "set lmargin at screen %.6f\nset rmargin at screen %.6f\nset tmargin at screen %.6f\n"
          "set bmargin at screen %.6f\n",
          left, right, top, bottom);
}

void ct_gnuplot_title(FILE *out, const char *text, double x, double y, int letters) {
  fputs("set label 1 ", out);
  ct_gnuplot_quote(out, text);
  fprintf(out, " at screen %.6f,%.6f font 'DejaVu Sans,%d'\n", x, y, letters);
}

void ct_gnuplot_log_tics(FILE *out, char axis, double low, double high, bool in_log) {
  static const int steps[] = {1, 2, 5};
  const char *comma = "";
  fprintf(out, "set %ctics nomirror (", axis);
  for (int decade = -4; decade <= 5; decade++)
    for (int k = 0; k < 3; k++) {
      const double value = steps[k] * pow(10, decade);
      if (value < low || value > high)
        continue;
      fprintf(out, value < 1000 ? "%s'%g' %.9g" : "%s'%gk' %.9g", comma, value < 1000 ? value : value / 1000,
              in_log ? log10(value) : value);
      comma = ", ";
    }
  fputs(")\n", out);
}

static ct_result play(FILE *script, const char *png, ct_error *error) {
  if (fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: no room for the picture's numbers: %s", png, strerror(errno));
  int status = ct_gnuplot_run(fileno(script), "-");
  if (status != 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: gnuplot %s", png,
                   status < 0 ? "is not installed" : "could not draw it");
  return CT_OK;
}

static ct_result compose(const char *png, ct_gnuplot_write *write, const void *context, ct_error *error) {
  FILE *script = tmpfile();
  if (!script)
    return ct_fail(error, CT_BAD_FILE, "picture: no temporary file: %s", strerror(errno));
  ct_result result = write(script, png, context, error);
  if (result == CT_OK)
    result = play(script, png, error);
  fclose(script);
  return result;
}

ct_result ct_gnuplot_draw(const char *png, ct_gnuplot_write *write, const void *context, ct_error *error) {
  ct_staged *staged;
  CT_TRY(ct_staged_open(png, &staged, error));
  ct_result result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = compose(ct_staged_name(staged), write, context, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  return result;
}

enum { COLUMNS = 480, ROWS = 320, RANGE_DB = 80 };

/* Colours from *top_db down; NAN: from what is loudest here, which *top_db then is. */
static ct_result put_spectrogram(FILE *out, double left, const ct_panel_sound *s, double *top_db,
                                 ct_error *error) {
  ct_spectrogram g;
  if (!ct_spectrogram_make(s->samples, s->count, s->rate_hz, COLUMNS, ROWS, &g))
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  if (isnan(*top_db))
    *top_db = 5 * ceil(g.loudest_db / 5);
  ct_gnuplot_place(out, left, left + 0.37, 0.9, 0.58);
  fputs("set title ", out);
  ct_gnuplot_quote(out, s->title);
  fputs(" offset 0,-0.6\n", out);
  ct_gnuplot_log_tics(out, 'y', g.lo_hz, g.hi_hz, true);
  ct_spectrogram_plot(out, &g, (double)s->count / s->rate_hz, *top_db, RANGE_DB);
  free(g.db);
  return CT_OK;
}

ct_result ct_panels_begin(FILE *out, const char *png, const char *title, const ct_panel_sound sounds[2],
                          ct_error *error) {
  double top_db = (double)NAN;
  ct_gnuplot_begin(out, png, 1040, 750, 11);
  fputs("set multiplot\nset tics nomirror out scale 0.6\n", out);
  ct_gnuplot_title(out, title, 0.075, 0.97, 14);
  fprintf(out,
          "set cblabel 'level, dBFS' offset 1.5\nset colorbox user origin 0.905,0.58 size 0.013,0.32\n"
          "set xlabel 'time, s'\nset ylabel 'frequency, Hz' offset 0\n%s",
          ct_spectrogram_palette);
  CT_TRY(put_spectrogram(out, 0.075, &sounds[0], &top_db, error));
  fputs("unset label 1\nset ylabel ''\n", out);
  return put_spectrogram(out, 0.52, &sounds[1], &top_db, error);
}

void ct_panels_end(FILE *out) { fputs("unset multiplot\nset output\n", out); }

/* Short-time spectra on a log frequency axis. A Hann window of about 85 ms shows a partial as a line 24 Hz
 * wide and an impact as a stripe. Where several bins fall into one row the loudest is shown, so that no
 * partial is lost. */

#define WINDOW_S 0.085
#define FLOOR_DB (-200.0)

typedef struct analysis {
  ct_fft_frame frame;
  double scale; /* from |bin| to the amplitude of a sine */
} analysis;

static bool prepare(analysis *a, double rate_hz) {
  const size_t size = ct_fft_size((size_t)(WINDOW_S * rate_hz));
  double sum = 0;
  if (!ct_fft_frame_make(&a->frame, size, size, 0.5))
    return false;
  for (size_t i = 0; i < size; i++)
    sum += a->frame.hann[i];
  a->scale = 2 / sum;
  return true;
}

static void transform(const ct_fft_frame *f, const double *samples, size_t count, double middle) {
  double start = floor(middle) - 0.5 * (double)f->size;
  for (size_t i = 0; i < f->size; i++) {
    double at = start + (double)i;
    bool inside = at >= 0 && at < (double)count;
    double sample = inside ? samples[(size_t)at] : 0;
    f->x[i] = isfinite(sample) ? sample * f->hann[i] : 0;
  }
  ct_fft_forward(f->x, f->size, f->twiddles);
}

static double bin_db(const analysis *a, size_t bin) {
  double amplitude = cabs(a->frame.x[bin < a->frame.size / 2 ? bin : a->frame.size / 2]) * a->scale;
  return amplitude > 1e-10 ? 20 * log10(amplitude) : FLOOR_DB;
}

/* The level between two bin places: interpolated when they are closer than a bin, else the loudest in
 * between. */
static double row_db(const analysis *a, double from, double to) {
  double middle = 0.5 * (from + to), part = middle - floor(middle);
  double db = (1 - part) * bin_db(a, (size_t)middle) + part * bin_db(a, (size_t)middle + 1);
  for (size_t bin = (size_t)ceil(from); (double)bin < to; bin++)
    db = fmax(db, bin_db(a, bin));
  return db;
}

static void fill_column(ct_spectrogram *s, const analysis *a, double rate_hz, uint32_t column) {
  double bins_per_hz = (double)a->frame.size / rate_hz;
  double step = log(s->hi_hz / s->lo_hz) / (s->rows - 1);
  for (uint32_t row = 0; row < s->rows; row++) {
    double from = s->lo_hz * exp(step * (row - 0.5)), to = s->lo_hz * exp(step * (row + 0.5));
    double db = row_db(a, from * bins_per_hz, to * bins_per_hz);
    s->db[(size_t)row * s->columns + column] = (float)db;
    s->loudest_db = fmax(s->loudest_db, db);
  }
}

const char ct_spectrogram_palette[] =
    "set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', "
    "6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')\n";

void ct_spectrogram_plot(FILE *out, const ct_spectrogram *s, double seconds, double top_db, double range_db) {
  const double lo = log10(s->lo_hz), hi = log10(s->hi_hz), dx = seconds / s->columns;
  fprintf(out,
          "set xrange [0:%.9g]\nset yrange [%.9f:%.9f]\nset cbrange [%g:%g]\n"
          "plot '-' binary array=(%u,%u) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          seconds, lo, hi, top_db - range_db, top_db, s->columns, s->rows, dx, (hi - lo) / (s->rows - 1),
          dx / 2, lo);
  fwrite(s->db, sizeof *s->db, (size_t)s->columns * s->rows, out);
}

bool ct_spectrogram_make(const double *samples, size_t count, double rate_hz, uint32_t columns, uint32_t rows,
                         ct_spectrogram *s) {
  *s = (ct_spectrogram){.columns = columns, .rows = rows, .lo_hz = 40, .loudest_db = FLOOR_DB};
  s->hi_hz = fmin(16000, rate_hz / 2);
  s->db = calloc((size_t)columns * rows, sizeof *s->db);
  analysis a = {0};
  bool good = prepare(&a, rate_hz) && s->db;
  for (uint32_t column = 0; good && column < columns; column++) {
    transform(&a.frame, samples, count, (column + 0.5) * (double)count / columns);
    fill_column(s, &a, rate_hz, column);
  }
  ct_fft_frame_free(&a.frame);
  if (!good)
    free(s->db);
  return good;
}
