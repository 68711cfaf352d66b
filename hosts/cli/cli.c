/* Messages, progress, printing. */
#include "hosts/cli/cli.h"
#include "file/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- messages ---- */

/* One line, whatever file names and JSON texts put into it. */
static void put_line(char *text) {
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      *c = '?';
  fputs(text, stderr);
}

static void put_message(const char *command, const char *format, va_list arguments) {
  char text[2 * CT_TEXT_MAX];
  vsnprintf(text, sizeof text, format, arguments);
  fprintf(stderr, "contatto%s%s: ", *command ? " " : "", command);
  put_line(text);
}

int cli_fail(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_message(command, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return CLI_FAILED;
}

int cli_misuse(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_message(command, format, arguments);
  va_end(arguments);
  fprintf(stderr, "; see 'contatto%s%s --help'\n", *command ? " " : "", command);
  return CLI_USAGE;
}

void cli_warn(void *context, const char *line) {
  cli_warnings *w = context;
  char text[CT_TEXT_MAX];
  snprintf(text, sizeof text, "%s", line);
  if (w->count++ == 0)
    memcpy(w->first, text, sizeof text);
  if (w->strict)
    return;
  fputs("contatto: warning: ", stderr);
  put_line(text);
  fputc('\n', stderr);
}

/* ---- progress ---- */

double cli_seconds_since(const struct timespec *start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

cli_progress cli_progress_start(void) {
  cli_progress p = {.terminal = isatty(STDERR_FILENO) == 1};
  clock_gettime(CLOCK_MONOTONIC, &p.start);
  p.shown = p.start;
  return p;
}

void cli_progress_show(cli_progress *p, const char *label, double fraction) {
  enum { WIDTH = 40 };
  char bar[WIDTH + 1];
  if (!p->terminal || cli_seconds_since(&p->start) < 1 || cli_seconds_since(&p->shown) < 0.1)
    return;
  clock_gettime(CLOCK_MONOTONIC, &p->shown);
  for (int i = 0; i < WIDTH; i++)
    bar[i] = i < (int)(fraction * WIDTH) ? '#' : '.';
  bar[WIDTH] = 0;
  fprintf(stderr, "\r\033[K%s %3.0f %%  %s", bar, 100 * fraction, label);
  fflush(stderr);
  p->visible = true;
}

void cli_progress_clear(cli_progress *p) {
  if (p->visible)
    fputs("\r\033[K", stderr);
  p->visible = false;
}

/* ---- printing ---- */

int cli_print_json(const char *command, json_t *tree) {
  char *text = tree ? ct_json_print(tree) : NULL;
  json_decref(tree);
  if (!text)
    return cli_fail(command, "no memory to print");
  puts(text);
  free(text);
  return CLI_OK;
}
