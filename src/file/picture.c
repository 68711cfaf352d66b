/* gnuplot gets its script and the numbers in one unnamed temporary file as its standard input: no shell, no
 * pipe that could break half-way, nothing left behind. */
#include "file/picture.h"
#include "base/text.h"
#include "file/spectrogram.h"
#include "file/staged.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COLUMNS = 960, ROWS = 420, RANGE_DB = 80 };

/* ---- running gnuplot
 * --------------------------------------------------------------------------------------------- */

/* Its exit status; -1 when it cannot be started. */
static int run_gnuplot(int input, const char *option) {
  posix_spawn_file_actions_t actions;
  char *const words[] = {"gnuplot", (char *)(uintptr_t)option, NULL};
  pid_t child;
  int status;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool ct_picture_possible(void) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0)
    return false;
  int status = run_gnuplot(nothing, "--version");
  close(nothing);
  return status == 0;
}

/* ---- the script
 * -------------------------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'')
      fputc('\'', out);
    fputc(*text, out);
  }
  fputc('\'', out);
}

static void put_setup(FILE *out, const char *png, const char *title) {
  fputs("set terminal pngcairo noenhanced size 1200,680 font 'DejaVu Sans,11'\nset output ", out);
  put_quoted(out, png);
  fputs(
      "\nset multiplot\nset lmargin at screen 0.085\nset rmargin at screen 0.9\nset border lc rgb '#555555'\n"
      "set tics nomirror out scale 0.6\nunset key\nset label 1 ",
      out);
  put_quoted(out, title);
  fputs(" at screen 0.085,0.965 font 'DejaVu Sans,14'\n", out);
}

/* A nice upper end for the waveform's axis: 1, 2 or 5 times a power of ten. */
static double round_up(double value) {
  double power = pow(10, floor(log10(value)));
  double steps[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (value <= steps[i] * power)
      return steps[i] * power;
  return 10 * power;
}

static void extremes(const double *samples, size_t from, size_t to, float *low, float *high) {
  *low = *high = (float)samples[from];
  for (size_t i = from; i < to; i++) {
    *low = fminf(*low, (float)samples[i]);
    *high = fmaxf(*high, (float)samples[i]);
  }
}

static double peak_of(const double *samples, size_t count) {
  double peak = 0;
  for (size_t i = 0; i < count; i++)
    peak = isfinite(samples[i]) ? fmax(peak, fabs(samples[i])) : peak;
  return peak;
}

static void put_waveform(FILE *out, const double *samples, size_t count, double rate_hz) {
  double seconds = (double)count / rate_hz, peak = peak_of(samples, count);
  double top = round_up(peak > 1e-9 ? peak : 1e-9);
  fprintf(out,
          "set tmargin at screen 0.925\nset bmargin at screen 0.78\nset xrange [0:%.9g]\nset yrange [%g:%g]\n"
          "set format x ''\nset ytics (%g, 0, %g)\nset ylabel 'full scale' offset 1\n"
          "plot '-' binary record=(%d) format='%%float%%float%%float' using 1:2:3 with filledcurves lc rgb "
          "'#1f5f8b'\n",
          seconds, -top, top, -top, top, COLUMNS);
  for (size_t c = 0; c < COLUMNS; c++) {
    size_t from = c * count / COLUMNS, to = (c + 1) * count / COLUMNS;
    float row[3] = {(float)((double)c * seconds / (COLUMNS - 1)), 0, 0};
    extremes(samples, from, to, &row[1], &row[2]);
    fwrite(row, sizeof *row, 3, out);
  }
}

static void put_frequency_tics(FILE *out, double lo_hz, double hi_hz) {
  static const int tics[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000};
  fputs("set ytics (", out);
  const char *comma = "";
  for (size_t i = 0; i < sizeof tics / sizeof tics[0]; i++)
    if (tics[i] >= lo_hz && tics[i] <= hi_hz) {
      fprintf(out, "%s'%d%s' %.9f", comma, tics[i] < 1000 ? tics[i] : tics[i] / 1000,
              tics[i] < 1000 ? "" : "k", log10(tics[i]));
      comma = ", ";
    }
  fputs(")\n", out);
}

static void put_spectrogram(FILE *out, const ct_spectrogram *s, double seconds) {
  double top = fmax(5 * ceil(s->loudest_db / 5), -100), lo = log10(s->lo_hz), hi = log10(s->hi_hz);
  fprintf(
      out,
      "unset label 1\nset tmargin at screen 0.745\nset bmargin at screen 0.095\nset yrange [%.9f:%.9f]\n"
      "set format x '%%g'\nset xlabel 'time, s'\nset ylabel 'frequency, Hz' offset 0\nset cblabel 'level, "
      "dBFS'\n"
      "set cbrange [%g:%g]\nset colorbox user origin 0.915,0.095 size 0.015,0.65\n"
      "set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', "
      "6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')\n",
      lo, hi, top - RANGE_DB, top);
  put_frequency_tics(out, s->lo_hz, s->hi_hz);
  double dx = seconds / s->columns, dy = (hi - lo) / (s->rows - 1);
  fprintf(out,
          "plot '-' binary array=(%u,%u) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          s->columns, s->rows, dx, dy, dx / 2, lo);
  fwrite(s->db, sizeof *s->db, (size_t)s->columns * s->rows, out);
  fputs("unset multiplot\nset output\n", out);
}

/* ---- the picture
 * ------------------------------------------------------------------------------------------------- */

static ct_result draw_into(FILE *script, const char *png, ct_error *error) {
  if (fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: no room for the picture's numbers: %s", png, strerror(errno));
  int status = run_gnuplot(fileno(script), "-");
  if (status != 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: gnuplot %s", png,
                   status < 0 ? "is not installed" : "could not draw it");
  return CT_OK;
}

static ct_result compose(ct_staged *staged, const char *title, const double *samples, size_t count,
                         double rate_hz, ct_error *error) {
  ct_spectrogram s;
  FILE *script = tmpfile();
  if (!script)
    return ct_fail(error, CT_BAD_FILE, "picture: no temporary file: %s", strerror(errno));
  if (!ct_spectrogram_make(samples, count, rate_hz, COLUMNS, ROWS, &s)) {
    fclose(script);
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  }
  put_setup(script, ct_staged_name(staged), title);
  put_waveform(script, samples, count, rate_hz);
  put_spectrogram(script, &s, (double)count / rate_hz);
  free(s.db);
  ct_result result = draw_into(script, ct_staged_name(staged), error);
  fclose(script);
  return result;
}

ct_result ct_picture_draw(const char *png, const char *title, const double *samples, size_t count,
                          double rate_hz, ct_error *error) {
  ct_staged *staged;
  if (count < COLUMNS)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.200s: too short for a picture", png);
  ct_result result = ct_staged_open(png, &staged, error);
  if (result != CT_OK)
    return result;
  result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = compose(staged, title, samples, count, rate_hz, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  return result;
}
