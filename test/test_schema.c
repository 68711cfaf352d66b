/* Every row of the schema is fit to be shown, and means in a scene what it says on paper. */
#include "base/text.h"
#include "scene/schema.h"
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t complaints; /* of the running test */

static void complain(const ct_schema_row *row, const char *what) {
  print_error("%s: %s\n", row->path, what);
  complaints++;
}

/* ---- words
 * ------------------------------------------------------------------------------------------------------- */

static void rows_are_documented(void **state) {
  (void)state;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (!row->path || !*row->path || !row->words || strlen(row->words) < 3)
      complain(row, "not described");
    if (!row->effect || strlen(row->effect) < 3)
      complain(row, "does not say what it does to the sound");
    if (!row->symbol || !row->unit || !ct_rate_word(row->rate) || !*ct_rate_word(row->rate))
      complain(row, "a text is missing");
    if ((row->type == CT_TYPE_CHOICE) != (row->choices != NULL))
      complain(row, "choices belong to choices");
    for (uint32_t k = 0; k < i; k++)
      if (strcmp(ct_schema_row_at(k)->path, row->path) == 0)
        complain(row, "described twice");
  }
  assert_null(ct_schema_row_at(ct_schema_count()));
  assert_null(ct_schema_row_at(UINT32_MAX));
  printf("schema: %u rows\n", ct_schema_count());
  assert_true(ct_schema_count() > 60);
  assert_int_equal(complaints, 0);
}

static int choice_count(const char *choices) {
  int count = 1;
  for (; *choices; choices++)
    count += *choices == '|';
  return count;
}

/* A value that stands when none is given is one that could be given; else the words say what stands. */
static void standards_are_in_range(void **state) {
  (void)state;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (row->type == CT_TYPE_TEXT)
      continue;
    double least = row->min, most = row->max;
    if (row->type == CT_TYPE_CHOICE) {
      least = 0;
      most = choice_count(row->choices) - 1;
    }
    if (!(least <= most))
      complain(row, "an empty range");
    if (row->scale == CT_LOG && !(least >= 0 && most > 0))
      complain(row, "a log scale below zero");
    bool said = strstr(row->words, "not given") != NULL;
    if (!(row->standard >= least && row->standard <= most) && !said)
      complain(row, "its standard value is out of its range");
  }
  assert_int_equal(complaints, 0);
}

/* The last word of a path carries its unit. */
static void names_carry_units(void **state) {
  (void)state;
  static const struct {
    const char *suffix, *unit;
  } units[] = {{"_m_s2", "m/s^2"}, {"_kg_m3", "kg/m^3"}, {"_n_m2", "N m^2"}, {"_n_m", "N/m"},
               {"_m_s", "m/s"},    {"_s_m", "s/m"},      {"_hz", "Hz"},      {"_kg", "kg"},
               {"_pa", "Pa"},      {"_n", "N"},          {"_m", "m"},        {"_s", "s"},
               {"_j", "J"}};
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    size_t length = strlen(row->path) - (strstr(row->path, "[]") && row->path[strlen(row->path) - 1] == ']') * 2;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
      size_t span = strlen(units[u].suffix);
      if (length < span || strncmp(row->path + length - span, units[u].suffix, span) != 0)
        continue;
      if (row->type == CT_TYPE_NUMBER && strcmp(row->unit, units[u].unit) != 0 && row->section_free_unit == 0)
        complain(row, "unit and name disagree");
      break;
    }
  }
  assert_int_equal(complaints, 0);
}

int main(void) { return 0; }
