/* gnuplot gets its script and the numbers in one unnamed temporary file as its standard input: no shell, no
 * pipe that could break half-way, nothing left behind. */
#include "picture/gnuplot.h"
#include "base/text.h"
#include "file/staged.h"
#include "file/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
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
