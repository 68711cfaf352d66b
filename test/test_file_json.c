/* Scene files: what goes in comes out again, for a file that uses every way to write a path, and for every
 * built-in scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/json.h"
#include "file/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "{\"contatto\": 1, \"title\": \"Test\", \"about\": \"\\u00e9t\\u00e9\", \"seconds\": 0.1, \"channels\": "
    "2,"
    " \"bodies\": {\"bar\": {\"kind\": \"modal\", \"modes\": [{\"hz\": 441.1, \"t60_s\": 0.3}, {\"hz\": 0, "
    "\"mass_kg\": 1e-7}],"
    "   \"points\": {\"hit\": {\"gains\": [0.1, -0.30000000000000004]}, \"end\": {\"normal\": [1, 1], "
    "\"tangential\": [0.5, 0.25]}}},"
    "  \"floor\": {\"kind\": \"wall\"}},"
    " \"contacts\": {\"touch\": {\"a\": \"bar.hit\", \"b\": \"floor.at\", \"from\": \"above\", "
    "\"stiffness\": 1e8}},"
    " \"controls\": {\"go\": {\"trigger\": true, \"min\": 0.5, \"max\": 2,"
    "   \"targets\": [{\"path\": \"bar.modes.0.v_m_s\", \"from\": 0.5, \"to\": 2}]}},"
    " \"presets\": {\"low\": {\"about\": \"x\", \"set\": {\"bar.modes.0.hz\": 380.5, \"go\": 1},"
    "   \"gesture\": {\"time_s\": [0, 1.5], \"bar.modes.0.t60_s\": [1, 2]}}}}";

static ct_doc *read_text(const char *text) {
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  if (ct_doc_read_json(doc, "test", text, strlen(text), NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  return doc;
}

static void check_round_trip(const char *text, size_t length) {
  json_t *original = json_loadb(text, length, 0, NULL);
  ct_doc *doc = read_text(text);
  json_t *tree = ct_doc_to_json(doc);
  assert_non_null(tree);
  char *printed = ct_json_print(tree);
  ct_doc *again = read_text(printed);
  json_t *tree_again = ct_doc_to_json(again);
  assert_true(json_equal(tree, tree_again));
  assert_int_equal(ct_doc_leaf_count(doc), ct_doc_leaf_count(again));
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf a = ct_doc_leaf(doc, i), b = ct_doc_leaf(again, i);
    assert_string_equal(a.path, b.path);
    assert_memory_equal(&a.number, &b.number, sizeof a.number);
  }
  assert_int_equal(json_object_size(original), json_object_size(tree));
  free(printed);
  json_decref(original);
  json_decref(tree);
  json_decref(tree_again);
  ct_doc_destroy(doc);
  ct_doc_destroy(again);
}

static void test_round_trip(void **state) {
  (void)state;
  check_round_trip(scene, strlen(scene));
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    check_round_trip(ct_builtin_scenes[i].json, ct_builtin_scenes[i].length);
}

/* The tree itself, number types aside, is the file. */
static void test_tree_is_the_file(void **state) {
  (void)state;
  ct_doc *doc = read_text(scene);
  json_t *tree = ct_doc_to_json(doc);
  const char *path[] = {"presets", "low", "set", "bar.modes.0.hz"};
  const json_t *node = tree;
  for (int i = 0; i < 4; i++)
    node = json_object_get(node, path[i]);
  assert_true(json_real_value(node) == 380.5);
  const json_t *points = json_object_get(json_object_get(json_object_get(tree, "bodies"), "bar"), "points");
  const json_t *gains = json_object_get(json_object_get(points, "hit"), "gains");
  assert_int_equal(json_array_size(gains), 2);
  assert_true(json_real_value(json_array_get(gains, 1)) == -0.30000000000000004);
  assert_true(
      json_is_true(json_object_get(json_object_get(json_object_get(tree, "controls"), "go"), "trigger")));
  assert_string_equal(json_string_value(json_object_get(tree, "about")), "\xc3\xa9t\xc3\xa9");
  json_decref(tree);
  ct_doc_destroy(doc);
}

/* Numbers are printed as short as they can be. */
static void test_short_numbers(void **state) {
  (void)state;
  json_t *tree = json_pack("[f, f, i]", 0.1, 1e-7, 5);
  char *text = ct_json_print(tree);
  assert_non_null(strstr(text, "0.1,"));
  assert_non_null(strstr(text, "1e-7") ? strstr(text, "1e-7") : strstr(text, "1e-07"));
  free(text);
  json_decref(tree);
  tree = json_pack("[f]", 0.1 + 0.2);
  text = ct_json_print(tree);
  assert_non_null(strstr(text, "0.30000000000000004"));
  free(text);
  json_decref(tree);
}

static void check_refused(const char *text, const char *words) {
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  assert_int_not_equal(ct_doc_read_json(doc, "test", text, strlen(text), NULL, NULL, &error), CT_OK);
  if (!strstr(error.text, words) || strchr(error.text, CT_DOC_JOIN))
    fail_msg("'%s' lacks '%s'", error.text, words);
  ct_doc_destroy(doc);
}

static void test_refusals(void **state) {
  (void)state;
  check_refused("", "test:1:0: ");
  check_refused("{\"contatto\": 1,\n\"title\" 3}", "test:2:9: ");
  check_refused("{\"contatto\": \"1\"}", "another version");
  check_refused("{\"contatto\": 1.5}", "another version");
  check_refused("{\"contatto\": 1, \"\": 3}", "empty key");
  check_refused("{\"contatto\": 1, \"a\\u001fb\": 3}", "control character");
  check_refused("{\"contatto\": 1, \"bodies\": {\"bar\": {\"points\": {\"p\": {}}}}}",
                "bodies.bar.points.p: {} holds nothing");
  check_refused("{\"contatto\": 1, \"title\": \"a\\u0000b\"}", "test:1:");
  check_refused("{\"contatto\": 1, \"a\": [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "nested too deeply");
  check_refused("{\"contatto\": 1, \"bodies\": {\"bar\": {\"modes\": [{\"hz\": null}]}}}",
                "bodies.bar.modes.0.hz");
}

static void test_very_long_keys(void **state) {
  (void)state;
  char text[4096] = "{\"contatto\": 1, \"";
  memset(text + strlen(text), 'x', 3000);
  strcat(text, "\": 1}");
  check_refused(text, "too long");
}

static void test_names(void **state) {
  (void)state;
  ct_doc *doc;
  ct_error error;
  assert_null(ct_builtin_find("no such scene"));
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    assert_ptr_equal(ct_builtin_find(ct_builtin_scenes[i].name), &ct_builtin_scenes[i]);
  assert_int_not_equal(ct_doc_load("dropp", &doc, &error), CT_OK);
  assert_string_equal(error.text, "dropp: no such scene or file; did you mean drop?");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_tree_is_the_file),
      cmocka_unit_test(test_short_numbers),  cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_very_long_keys), cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
