/* Options: each command describes its own in a table, from which parsing, messages and --help follow. */
#include "base/number.h"
#include "base/text.h"
#include "hosts/cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
  const cli_command *command;
  int argc, at;
  char **argv;
  int code;
} parser;

/* ---- help ---- */

static void show_option(const char *name, char letter, const char *argument, const char *help) {
  char text[64];
  char dash[8] = "    ";
  if (letter)
    snprintf(dash, sizeof dash, "-%c, ", letter);
  snprintf(text, sizeof text, "%s--%s %s", dash, name, argument ? argument : "");
  printf("  %-26s %s\n", text, help);
}

static void show_help(const cli_command *c) {
  printf("usage: contatto %s%s%s\n\n%s\n\noptions:\n", c->name, *c->arguments ? " " : "", c->arguments,
         c->about);
  for (uint32_t i = 0; i < c->option_count; i++)
    show_option(c->options[i].name, c->options[i].letter, c->options[i].argument, c->options[i].help);
  show_option("help", 'h', NULL, "show this");
}

/* ---- values ---- */

static bool misuse(parser *p, const cli_option *o, const char *text, const char *what) {
  p->code = cli_misuse(p->command->name, "--%s: '%.80s' %s", o->name, text, what);
  return false;
}

static bool take_number(parser *p, const cli_option *o, const char *text) {
  double value;
  if (!ct_number_typed(text, &value) || !isfinite(value))
    return misuse(p, o, text, "is not a number");
  if (value < o->min || value > o->max) {
    char what[80];
    snprintf(what, sizeof what, "is out of range, wants %g to %g", o->min, o->max);
    return misuse(p, o, text, what);
  }
  *(double *)o->value = value;
  return true;
}

/* Sound wants a place that can be gone back to, tables and pictures a name: "-" would make a file called
 * that. */
static bool take_output(parser *p, const cli_option *o, const char *text) {
  if (!*text)
    return misuse(p, o, text, "is no name for an output");
  if (strcmp(text, "-") == 0)
    return misuse(p, o, text,
                  "is standard output, which is not written to; wants a name ('./-' for a file called -)");
  *(const char **)o->value = text;
  return true;
}

static bool take_count(parser *p, const cli_option *o, const char *text) {
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end)
    return misuse(p, o, text, "is not a whole number from 0 on");
  *(uint64_t *)o->value = value;
  return true;
}

static bool take_item(parser *p, const cli_option *o, const char *text) {
  cli_list *list = o->value;
  const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
  if (!items)
    return misuse(p, o, text, "finds no memory");
  list->items = items;
  items[list->count++] = text;
  return true;
}

static bool take_value(parser *p, const cli_option *o, const char *text) {
  switch (o->kind) {
  case CLI_FLAG:
    *(bool *)o->value = true;
    return true;
  case CLI_TEXT:
    *(const char **)o->value = text;
    return true;
  case CLI_OUTPUT:
    return take_output(p, o, text);
  case CLI_NUMBER:
    return take_number(p, o, text);
  case CLI_COUNT:
    return take_count(p, o, text);
  case CLI_LIST:
    return take_item(p, o, text);
  }
  return false;
}

/* ---- words ---- */

static bool unknown_option(parser *p, const char *word) {
  const char *nearest = NULL;
  uint32_t least = 3;
  for (uint32_t i = 0; i < p->command->option_count; i++) {
    uint32_t distance = ct_edit_distance(word, p->command->options[i].name);
    if (distance < least) {
      least = distance;
      nearest = p->command->options[i].name;
    }
  }
  p->code = nearest
                ? cli_misuse(p->command->name, "unknown option --%.60s, did you mean --%s?", word, nearest)
                : cli_misuse(p->command->name, "unknown option --%.60s", word);
  return false;
}

static const char *next_word(parser *p) { return p->at + 1 < p->argc ? p->argv[++p->at] : NULL; }

/* `glued` is the value after "=" or right behind a letter; null: the next word is it. */
static bool take_option(parser *p, const cli_option *o, const char *glued) {
  if (o->kind == CLI_FLAG && glued)
    return misuse(p, o, glued, "is a value, but this option takes none");
  const char *text = o->kind == CLI_FLAG ? "" : glued ? glued : next_word(p);
  if (!text) {
    p->code = cli_misuse(p->command->name, "--%s wants %s", o->name, o->argument);
    return false;
  }
  return take_value(p, o, text);
}

static bool take_long(parser *p, const char *word) {
  char name[64];
  size_t length = strcspn(word, "=");
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  for (uint32_t i = 0; i < p->command->option_count; i++)
    if (strcmp(p->command->options[i].name, name) == 0)
      return take_option(p, &p->command->options[i], word[length] ? word + length + 1 : NULL);
  return unknown_option(p, name);
}

static bool take_short(parser *p, const char *word) {
  for (uint32_t i = 0; i < p->command->option_count; i++)
    if (p->command->options[i].letter == word[0])
      return take_option(p, &p->command->options[i], word[1] ? word + 1 : NULL);
  p->code = cli_misuse(p->command->name, "unknown option -%c", word[0]);
  return false;
}

static bool check_words(parser *p, uint32_t count, const char *extra) {
  if (count >= p->command->words_least && !extra)
    return true;
  p->code = extra ? cli_misuse(p->command->name, "'%.80s' is one argument too many", extra)
                  : cli_misuse(p->command->name, "something is missing: contatto %s %s", p->command->name,
                               p->command->arguments);
  return false;
}

static bool wants_help(const parser *p) {
  for (int i = 1; i < p->argc && strcmp(p->argv[i], "--") != 0; i++)
    if (strcmp(p->argv[i], "--help") == 0 || strcmp(p->argv[i], "-h") == 0)
      return true;
  return false;
}

static bool parse_words(parser *p, const char **words) {
  uint32_t count = 0;
  bool plain = false;
  const char *extra = NULL;
  for (p->at = 1; p->at < p->argc; p->at++) {
    const char *word = p->argv[p->at];
    bool option = !plain && word[0] == '-' && word[1];
    if (option && strcmp(word, "--") == 0)
      plain = true;
    else if (option && !(word[1] == '-' ? take_long(p, word + 2) : take_short(p, word + 1)))
      return false;
    else if (!option && count < p->command->words_most)
      words[count++] = word;
    else if (!option)
      extra = word;
  }
  return check_words(p, count, extra);
}

bool cli_parse(const cli_command *command, int argc, char **argv, const char **words, int *code) {
  parser p = {.command = command, .argc = argc, .argv = argv};
  if (wants_help(&p)) {
    show_help(command);
    *code = CLI_OK;
    return false;
  }
  bool good = parse_words(&p, words);
  *code = p.code;
  return good;
}
