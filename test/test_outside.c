/* What a scene names outside itself: its reader asks the host for it by kind and name, and takes text or
 * numbers. */
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char scanned[] =
    "{\"contatto\": 1, \"bodies\": {\"floor\": {\"kind\": \"wall\"}, \"ball\": {\"modes\": [{\"hz\": 0}], "
    "\"points\": "
    "{\"at\": {\"gains\": [1]}}}}, \"contacts\": {\"touch\": {\"a\": \"ball.at\", \"b\": \"floor.at\"}}, "
    "\"drives\": "
    "{\"roll\": {\"contact\": \"touch\", \"surface\": \"ground\"}}, "
    "\"surfaces\": {\"ground\": {\"kind\": \"scan\", \"file\": \"some/where.csv\"}}}";

typedef struct shelf {
  ct_brought give;
  ct_result result;
  uint32_t asked;
} shelf;

static ct_result bring(void *context, const char *kind, const char *name, ct_brought *brought,
                       ct_error *error) {
  shelf *s = context;
  s->asked++;
  assert_string_equal(kind, CT_OUTSIDE_SCAN);
  assert_string_equal(name, "some/where.csv");
  *brought = s->give;
  if (s->result != CT_OK)
    snprintf(error->text, sizeof error->text, "not on the shelf");
  return s->result;
}

static ct_result read_scanned(shelf *s, ct_doc **doc, ct_error *error) {
  *doc = ct_doc_create();
  return ct_doc_read_json(*doc, "it", scanned, strlen(scanned), s ? bring : NULL, s, error);
}

static void check_scanned(shelf s, const char *words) {
  ct_doc *doc;
  ct_scene *scene = NULL;
  ct_error error = {.text = ""};
  ct_build_def def = ct_default_build_def();
  ct_result result = read_scanned(&s, &doc, &error);
  assert_int_equal(s.asked, 1);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, &scene, NULL, NULL, &error);
  if (strcmp(error.text, words) != 0 || (result == CT_OK) != (*words == 0))
    fail_msg("'%s' instead of '%s'", error.text, words);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

static void outside(void **state) {
  (void)state;
  static const char table[] = "x_m,height_m\n0,1\n1e-3,2\n2e-3,1\n3e-3,2\n4e-3,1\n5e-3,2\n6e-3,1\n7e-3,2\n";
  static const double numbers[] = {0, 1e-6, 0, 1e-6, 0, 1e-6, 0, 1e-6};
  check_scanned((shelf){{.text = table, .length = strlen(table)}, CT_OK, 0}, "");
  check_scanned((shelf){{.numbers = numbers, .count = 8, .step_m = 1e-3, .metres = true}, CT_OK, 0}, "");
  check_scanned((shelf){{.numbers = numbers, .count = 8}, CT_OK, 0},
                "surface 'ground': a sound file has no scale; give depth_m, its rms");
  check_scanned((shelf){{.text = table, .length = strlen(table) - 2}, CT_OK, 0},
                "surface 'ground': some/where.csv:9: wants x_m and height_m, a finite number each");
  check_scanned((shelf){{.text = "a", .length = 1, .name = "shelf 7"}, CT_OK, 0},
                "surface 'ground': a scan wants at least 8 heights; there are 0");
  check_scanned((shelf){{.text = "1;2", .length = 3, .name = "shelf 7"}, CT_OK, 0},
                "surface 'ground': shelf 7:1: semicolons between cells; wants commas, and points in numbers");
  check_scanned((shelf){{.text = NULL}, CT_BAD_FILE, 0}, "surface 'ground': not on the shelf");
  check_scanned((shelf){{.text = NULL}, CT_OK, 0},
                "surface 'ground': the scan 'some/where.csv' was brought empty");
  ct_doc *doc;
  ct_scene *scene = NULL;
  ct_error error = {.text = ""};
  ct_build_def def = ct_default_build_def();
  assert_int_equal(read_scanned(NULL, &doc, &error), CT_OK);
  assert_int_not_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_OK);
  assert_non_null(strstr(error.text, "was not read; this host reads no files"));
  shelf later = {.give = {.text = table, .length = strlen(table)}};
  assert_int_equal(ct_doc_read_outside(doc, bring, &later, &error), CT_OK);
  assert_int_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_OK);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
