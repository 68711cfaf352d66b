/* The program `contatto`: finds the command and lets it work. */
#include "base/text.h"
#include "hosts/cli/cli.h"

#include <errno.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *about;
} commands[] = {
    {"lab", cmd_lab, "play scenes by touching them, in the browser"},
    {"list", cmd_list, "the built-in scenes and their presets"},
    {"describe", cmd_describe, "a scene's controls, bodies and parameters, or every parameter there is"},
    {"render", cmd_render, "a scene to a WAV file, its motion and energy to tables"},
    {"gallery", cmd_gallery, "every built-in scene to a WAV file with a picture"},
    {"guide", cmd_guide, "pen strokes to a sound that squeaks or sings, with scores"},
    {"measure", cmd_measure, "pitch, level, decay and more of a WAV file"},
    {"modes", cmd_modes, "a struck thing's modes from recordings of it, as a body for scenes"},
    {"fit", cmd_fit, "a rubbing or rolling scene's numbers from recordings: until it sounds like them"},
    {"sweep", cmd_sweep, "thousands of sounds over a plan, with a table of their measures"},
    {"study", cmd_study, "a paper's tables and figures, made anew"},
    {"bench", cmd_bench, "how fast it runs here"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int show_help(FILE *out) {
  fputs("usage: contatto COMMAND [ARGUMENT]...\n\nSounds of touching: bodies, contacts, scenes.\n\n", out);
  for (int i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].about);
  fputs("\n'contatto COMMAND --help' tells more; so does 'man contatto'.\n", out);
  return CLI_OK;
}

static int unknown_command(const char *name) {
  const char *nearest = NULL;
  uint32_t least = 3;
  for (int i = 0; i < COMMANDS; i++) {
    uint32_t distance = ct_edit_distance(name, commands[i].name);
    if (distance < least) {
      least = distance;
      nearest = commands[i].name;
    }
  }
  return nearest ? cli_misuse("", "unknown command '%.60s', did you mean %s?", name, nearest)
                 : cli_misuse("", "unknown command '%.60s'", name);
}

/* The command's name, "" for anything else. */
static const char *known(const char *name) {
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(name, commands[i].name) == 0)
      return commands[i].name;
  return "";
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    show_help(stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
    return show_help(stdout);
  if (strcmp(argv[1], "--version") == 0)
    return printf("contatto %s\n", CT_VERSION) < 0;
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  return unknown_command(argv[1]);
}

int main(int argc, char **argv) {
  cli_end_on_signals(known(argc > 1 ? argv[1] : ""));
  int code = run(argc, argv);
  if (fflush(stdout) != 0 && code == CLI_OK)
    return cli_fail(argc > 1 ? argv[1] : "", "cannot print: %s", strerror(errno));
  return code;
}
