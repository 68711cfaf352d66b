/* Under a German locale, where printf writes 0,25 and strtod wants it, scenes, gestures, scans and tables are
 * read and written as ever. A library has no say in what its host gives to setlocale. */
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"
#include "file/json.h"
#include "file/load.h"
#include "file/table.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GERMAN "de_DE.UTF-8"

/* ---- a German locale, whether the machine has one or not ---- */

static char folder[] = "locale-XXXXXX";

static void write_file(const char *name, const char *text) {
  FILE *out = fopen(name, "wb");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* Nothing but its way with numbers, in nothing but ASCII: needs none of the system's tables. */
static void write_sources(void) {
  char path[64];
  snprintf(path, sizeof path, "%s/numbers", folder);
  write_file(
      path,
      "LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"<U002E>\"\ngrouping 3;3\nEND LC_NUMERIC\n");
  snprintf(path, sizeof path, "%s/ascii", folder);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fputs("<code_set_name> UTF-8\n<escape_char> /\n<mb_cur_min> 1\n<mb_cur_max> 1\nCHARMAP\n", out);
  for (int c = 0; c < 128; c++)
    fprintf(out, "<U%04X> /x%02x letter\n", (unsigned)c, (unsigned)c);
  fputs("END CHARMAP\n", out);
  fclose(out);
}

/* A locale of numbers alone cannot be the whole one. */
static bool speak(const char *locale) { return setlocale(LC_ALL, locale) || setlocale(LC_NUMERIC, locale); }

/* The C library remembers what it did not find, so it is asked once, when the locale is there. localedef
 * warns of what is left out; what counts is what it made. */
static bool make_it(void) {
  static const char command[] = "(cd %s && { localedef -c -i de_DE -f UTF-8 ./" GERMAN "; [ -e " GERMAN
                                "/LC_NUMERIC ] || localedef -c -i ./numbers -f ./ascii ./" GERMAN
                                "; [ -e " GERMAN "/LC_NUMERIC ]; }) 2>/dev/null";
  char line[sizeof command + sizeof folder];
  snprintf(line, sizeof line, command, folder);
  return system(line) == 0 && speak(GERMAN);
}

static int make_german(void **state) {
  (void)state;
  if (speak(GERMAN))
    return 0;
  char path[1024], here[900];
  if (!mkdtemp(folder) || !getcwd(here, sizeof here))
    return -1;
  snprintf(path, sizeof path, "%s/%s", here, folder);
  setenv("LOCPATH", path, 1);
  write_sources();
  return make_it() ? 0 : -1;
}

static int remove_german(void **state) {
  (void)state;
  char line[64];
  snprintf(line, sizeof line, "rm -rf %s", folder);
  return strchr(folder, 'X') ? 0 : system(line);
}

/* ---- what must not care ---- */

static void it_is_german(void **state) {
  (void)state;
  char text[16];
  assert_true(speak(GERMAN));
  snprintf(text, sizeof text, "%g", 0.25);
  assert_string_equal(text, "0,25");
  assert_true(strtod("0.25", NULL) == 0);
}

static ct_doc *load(const char *name) {
  ct_doc *doc = NULL;
  ct_error error = {.text = ""};
  if (ct_doc_load(name, &doc, &error) != CT_OK)
    fail_msg("%s", error.text);
  return doc;
}

static void typed_numbers(void **state) {
  (void)state;
  assert_true(speak(GERMAN));
  ct_doc *doc = load("hammer");
  ct_error error = {.text = ""};
  assert_int_equal(ct_doc_set_typed(doc, "seconds", "0.25", &error), CT_OK);
  assert_true(ct_doc_seconds(doc) == 0.25);
  assert_int_not_equal(ct_doc_set_typed(doc, "seconds", "0,25", &error), CT_OK);
  assert_non_null(strstr(error.text, "seconds: '0,25' is not a number; wants "));
  assert_int_not_equal(ct_doc_set_typed(doc, "seconds", "-0.5", &error), CT_OK);
  assert_non_null(strstr(error.text, "seconds: -0.5 s is out of range; wants "));
  ct_doc_destroy(doc);
}

/* Read and written: one text. */
static char *written(const char *name) {
  ct_doc *doc = load(name);
  json_t *tree = ct_doc_to_json(doc);
  char *text = ct_json_print(tree);
  assert_non_null(text);
  json_decref(tree);
  ct_doc_destroy(doc);
  return text;
}

static void scenes(void **state) {
  (void)state;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    assert_true(speak("C"));
    char *plain = written(ct_builtin_scenes[i].name);
    assert_true(speak(GERMAN));
    char *german = written(ct_builtin_scenes[i].name);
    assert_string_equal(plain, german);
    free(plain);
    free(german);
  }
}

static void tables(void **state) {
  (void)state;
  static const char scan[] = "x_m,height_m\n0,1.5e-6\n0.25,2.5e-6\n";
  static const double row[] = {0.25, -1.5e-300};
  ct_error error = {.text = ""};
  ct_gesture *gesture;
  ct_scan_table heights;
  assert_true(speak(GERMAN));
  write_file("german.csv", "time_s,push\n0.25,1.5\n");
  assert_int_equal(ct_gesture_read("german.csv", &gesture, &error), CT_OK);
  assert_true(gesture->time_s[0] == 0.25 && gesture->values[0][0] == 1.5);
  ct_gesture_free(gesture);
  assert_int_equal(ct_scan_table_read("it", scan, strlen(scan), &heights, &error), CT_OK);
  assert_true(heights.step_m == 0.25 && heights.heights[1] == 2.5e-6);
  free(heights.heights);
  ct_table *table;
  assert_int_equal(ct_table_open("german.csv", (const char *const[]){"a", "b"}, 2, &table, &error), CT_OK);
  assert_int_equal(ct_table_write(table, row, &error), CT_OK);
  assert_int_equal(ct_table_close(table, &error), CT_OK);
  assert_int_equal(ct_staged_keep(ct_table_staged(table), &error), CT_OK);
  ct_table_drop(table);
  char text[64] = "";
  FILE *in = fopen("german.csv", "rb");
  assert_non_null(in);
  size_t length = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  text[length] = 0;
  assert_string_equal(text, "a,b\n0.25,-1.5000000000000001e-300\n");
  unlink("german.csv");
}

/* The program, with the locale of its surroundings. Leaks are not looked for here: with LOCPATH set, the C
 * library's newlocale leaves 30 bytes behind, and libp11-kit calls it before main. */
static void ask(const char *locale, const char *words, char *answer, size_t room) {
  char line[2048];
  snprintf(line, sizeof line, "ASAN_OPTIONS=detect_leaks=0 LC_ALL=%s '%s' %s 2>&1", locale, CT_PROGRAM,
           words);
  FILE *in = popen(line, "r");
  assert_non_null(in);
  size_t length = fread(answer, 1, room - 1, in);
  answer[length] = 0;
  pclose(in);
}

static void program(void **state) {
  (void)state;
  enum { MOST = 1 << 20 };
  static const char *const words[] = {"describe glass --json",
                                      "describe glass",
                                      "describe hammer --body bar",
                                      "describe hammer --set bar.modes.size=0.5 --json",
                                      "render hammer --ledger --seconds 0.25",
                                      "describe hammer --set bar.modes.size=-0.5"};
  char *plain = malloc(MOST), *german = malloc(MOST);
  assert_true(plain && german);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    ask("C", words[i], plain, MOST);
    ask(GERMAN, words[i], german, MOST);
    assert_true(strlen(plain) > 20);
    assert_string_equal(plain, german);
  }
  free(plain);
  free(german);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_german), cmocka_unit_test(typed_numbers), cmocka_unit_test(scenes),
      cmocka_unit_test(tables),       cmocka_unit_test(program),
  };
  return cmocka_run_group_tests(tests, make_german, remove_german);
}
