/* Every parameter there is, straight from the schema. */
#include "hosts/cli/describe.h"

#include <stdio.h>
#include <string.h>

/* "exact or bilinear" */
static void choice_words(const char *choices, char *text, size_t room) {
  size_t used = 0;
  for (; *choices && used + 6 < room; choices++) {
    if (*choices == '|')
      used += (size_t)snprintf(text + used, room - used, ", ");
    else
      text[used++] = *choices;
  }
  text[used] = 0;
}

static void range_words(const ct_schema_row *r, char *text, size_t room) {
  bool numeric = r->type == CT_TYPE_NUMBER || r->type == CT_TYPE_COUNT;
  *text = 0;
  if (r->type == CT_TYPE_CHOICE)
    choice_words(r->choices, text, room);
  else if (r->type == CT_TYPE_FLAG)
    snprintf(text, room, "true, false");
  else if (r->type == CT_TYPE_TEXT)
    snprintf(text, room, "text");
  else if (r->type == CT_TYPE_ANY)
    snprintf(text, room, "a number or text");
  else if (numeric && r->rate != CT_RATE_STATE)
    snprintf(text, room, "%g to %g%s", r->min, r->max, r->scale == CT_LOG ? ", log" : "");
}

static void standard_words(const ct_schema_row *r, char *text, size_t room) {
  *text = 0;
  if (r->type == CT_TYPE_CHOICE) {
    const char *at = r->choices;
    for (int skip = (int)r->standard; skip > 0; skip--)
      at += strcspn(at, "|") + 1;
    snprintf(text, room, "%.*s", (int)strcspn(at, "|"), at);
  } else if (r->type == CT_TYPE_FLAG) {
    snprintf(text, room, "%s", r->standard != 0 ? "true" : "false");
  } else if (r->type != CT_TYPE_TEXT && r->type != CT_TYPE_ANY && r->rate != CT_RATE_STATE) {
    snprintf(text, room, "%g", r->standard);
  }
}

/* ---- lines ---- */

static void show_row(const ct_schema_row *r) {
  char range[160], standard[48];
  range_words(r, range, sizeof range);
  standard_words(r, standard, sizeof standard);
  printf("%s\n    %s", r->path, r->words);
  if (*r->symbol)
    printf(" (%s)", r->symbol);
  printf("\n    ");
  if (*r->unit)
    printf("%s; ", r->unit);
  if (*range)
    printf("%s; ", range);
  if (*standard)
    printf("default %s; ", standard);
  printf("%s\n", ct_rate_word(r->rate));
  if (*r->effect && strcmp(r->effect, "none") != 0)
    printf("    effect: %s\n", r->effect);
}

void cli_schema_show(void) {
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    show_row(ct_schema_row_at(i));
}

/* ---- markdown ---- */

/* Bars would end a cell. */
static void put_cell(const char *text) {
  fputs(" ", stdout);
  for (; *text; text++)
    fputs(*text == '|' ? "\\|" : (char[2]){*text, 0}, stdout);
  fputs(" |", stdout);
}

static void markdown_row(const ct_schema_row *r) {
  char range[160], standard[48], path[96];
  range_words(r, range, sizeof range);
  standard_words(r, standard, sizeof standard);
  snprintf(path, sizeof path, "`%s`", r->path);
  const char *const cells[] = {path,     r->words, r->symbol, r->unit, range, standard, ct_rate_word(r->rate),
                               r->effect};
  fputs("|", stdout);
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
    put_cell(cells[i]);
  fputs("\n", stdout);
}

static size_t section_length(const char *path) { return strcspn(path, ".["); }

/* Rows without a name in their path belong to the scene itself. */
static bool starts_section(const ct_schema_row *last, const ct_schema_row *row) {
  if (!last)
    return true;
  size_t a = section_length(last->path), b = section_length(row->path);
  bool plain_a = !last->path[a], plain_b = !row->path[b];
  return plain_a != plain_b || (!plain_b && (a != b || memcmp(last->path, row->path, a) != 0));
}

void cli_schema_markdown(void) {
  const ct_schema_row *last = NULL;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    size_t length = section_length(row->path);
    if (starts_section(last, row)) {
      printf("\n### %.*s\n\n", row->path[length] ? (int)length : 5, row->path[length] ? row->path : "scene");
      puts("| path | what | symbol | unit | range | default | moves | effect |");
      puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
    }
    markdown_row(row);
    last = row;
  }
}

/* ---- JSON ---- */

static json_t *choices_json(const char *choices) {
  json_t *list = json_array();
  while (*choices) {
    size_t length = strcspn(choices, "|");
    json_array_append_new(list, json_stringn(choices, length));
    choices += length + (choices[length] == '|');
  }
  return list;
}

static json_t *row_json(const ct_schema_row *r) {
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "path", r->path, "words", r->words, "symbol",
                r->symbol, "unit", r->unit, "type", ct_type_word(r->type), "rate", ct_rate_word(r->rate),
                "effect", r->effect, "scale", r->scale == CT_LOG ? "log" : "linear");
  char standard[48];
  standard_words(r, standard, sizeof standard);
  bool numeric = (r->type == CT_TYPE_NUMBER || r->type == CT_TYPE_COUNT) && r->rate != CT_RATE_STATE;
  if (numeric) {
    json_object_set_new(row, "min", json_real(r->min));
    json_object_set_new(row, "max", json_real(r->max));
    json_object_set_new(row, "default", json_real(r->standard));
  } else if (*standard) {
    json_object_set_new(row, "default",
                        r->type == CT_TYPE_FLAG ? json_boolean(r->standard != 0) : json_string(standard));
  }
  if (r->type == CT_TYPE_CHOICE)
    json_object_set_new(row, "choices", choices_json(r->choices));
  return row;
}

json_t *cli_schema_json(void) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    json_array_append_new(rows, row_json(ct_schema_row_at(i)));
  return json_pack("{s:i, s:o}", "contatto", CT_FILE_VERSION, "schema", rows);
}
