/* What the commands share: one-line messages, options, progress, interruption. Commands print results on
 * stdout, everything about the run on stderr, and return an exit code. */
#ifndef CT_CLI_CLI_H
#define CT_CLI_CLI_H

#include "file/place.h"
#include <contatto/doc.h>
#include <jansson.h>
#include <stdio.h>
#include <time.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

#define CLI_PRINTF(at) __attribute__((format(printf, (at), (at) + 1)))

/* ---- messages ---- */

/* "contatto COMMAND: ..." on stderr, on one line whatever the text holds. Returns CLI_FAILED. */
int cli_fail(const char *command, const char *format, ...) CLI_PRINTF(2);
/* The same for a call that makes no sense; points to --help. Returns CLI_USAGE. */
int cli_misuse(const char *command, const char *format, ...) CLI_PRINTF(2);

/* Warnings go to stderr as they come; when strict, the first is kept and the run has to fail with it. */
typedef struct cli_warnings {
  bool strict;
  uint32_t count;
  char first[CT_TEXT_MAX];
} cli_warnings;

void cli_warn(void *warnings, const char *line); /* a ct_warn */

/* ---- options ---- */

typedef enum cli_kind {
  CLI_FLAG,   /* bool */
  CLI_TEXT,   /* const char * */
  CLI_OUTPUT, /* const char *: a file or folder to be written; "-" and "" are refused */
  CLI_NUMBER, /* double, min to max */
  CLI_COUNT,  /* uint64_t */
  CLI_LIST,   /* cli_list: may be given several times */
} cli_kind;

typedef struct cli_list {
  const char **items; /* free() it */
  uint32_t count;
} cli_list;

typedef struct cli_option {
  const char *name; /* without dashes */
  char letter;      /* 0: none */
  cli_kind kind;
  void *value;
  const char *argument; /* what the value is called in --help */
  const char *help;
  double min, max;
} cli_option;

typedef struct cli_command {
  const char *name;
  const char *arguments;
  const char *about;
  const cli_option *options;
  uint32_t option_count;
  uint32_t words_least, words_most; /* arguments that are not options */
} cli_command;

/* Fills options and words. True: go on. False: exit with *code (0 after --help). */
bool cli_parse(const cli_command *command, int argc, char **argv, const char **words, int *code);

/* ---- edits ---- */

/* CLI_OK, or CLI_USAGE after saying which of the --set options is not PATH=VALUE. */
int cli_check_sets(const char *command, const cli_list *sets);
/* A scene: loaded, then changed by the preset (may be null) and by what --set says. Claims all files it
 * reads: those of the scene, and those that a --set names instead. */
ct_result cli_load(const char *scene, const char *preset, const cli_list *sets, ct_claims *claims,
                   ct_doc **doc, ct_error *error);

/* ---- progress and interruption ---- */

/* A bar on stderr, shown only on a terminal and only when the work takes more than a second. */
typedef struct cli_progress {
  struct timespec start, shown;
  bool terminal, visible;
} cli_progress;

cli_progress cli_progress_start(void);
void cli_progress_show(cli_progress *progress, const char *label, double fraction);
void cli_progress_clear(cli_progress *progress);

double cli_seconds_since(const struct timespec *start);

/* From now on a signal that asks us to end does so at once, with 128 + its number as the exit code:
 * unfinished files are removed, nothing is left half-written. `command` begins the message. */
void cli_end_on_signals(const char *command);

/* ---- printing ---- */

/* Prints and releases the tree. Returns an exit code. */
int cli_print_json(const char *command, json_t *tree);

/* ---- the commands ---- */

int cmd_lab(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_describe(int argc, char **argv);
int cmd_render(int argc, char **argv);
int cmd_gallery(int argc, char **argv);
int cmd_guide(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_modes(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_bench(int argc, char **argv);

#endif
