/* A document written is a scene file that reads back as the same document, to the bit; in order, escaped, in
 * any room; and what cannot be written is refused in one line. */
#include "file/load.h"
#include "support/json_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *write_doc(const ct_doc *doc) {
  size_t length = 0, again = 0;
  ct_error error = {.text = ""};
  if (ct_doc_write_json(doc, NULL, 0, &length, &error) != CT_OK)
    fail_msg("%s", error.text);
  char *text = malloc(length + 1);
  assert_non_null(text);
  assert_int_equal(ct_doc_write_json(doc, text, length + 1, &again, &error), CT_OK);
  assert_int_equal(length, again);
  assert_int_equal(strlen(text), length);
  return text;
}

static ct_doc *read_doc(const char *text) {
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  if (ct_doc_read_json(doc, "it", text, strlen(text), NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  return doc;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const ct_leaf *)a)->path, ((const ct_leaf *)b)->path);
}

/* Leaves in the order of their paths. */
static ct_leaf *leaves_of(const ct_doc *doc) {
  uint32_t count = ct_doc_leaf_count(doc);
  ct_leaf *leaves = calloc(count, sizeof *leaves);
  assert_non_null(leaves);
  for (uint32_t i = 0; i < count; i++)
    leaves[i] = ct_doc_leaf(doc, i);
  qsort(leaves, count, sizeof *leaves, by_path);
  return leaves;
}

static void check_same(const ct_doc *a, const ct_doc *b) {
  assert_int_equal(ct_doc_leaf_count(a), ct_doc_leaf_count(b));
  ct_leaf *left = leaves_of(a), *right = leaves_of(b);
  for (uint32_t i = 0; i < ct_doc_leaf_count(a); i++) {
    assert_string_equal(left[i].path, right[i].path);
    bool nothing = isnan(left[i].number) && isnan(right[i].number);
    assert_true(nothing || memcmp(&left[i].number, &right[i].number, sizeof(double)) == 0);
    assert_true(!left[i].text == !right[i].text);
    if (left[i].text)
      assert_string_equal(left[i].text, right[i].text);
  }
  free(left);
  free(right);
}

static void check_round_trip(const ct_doc *doc) {
  char *text = write_doc(doc);
  ct_doc *again = read_doc(text);
  char *twice = write_doc(again);
  json_t *tree = oracle_parse(text, strlen(text));
  assert_non_null(tree);
  check_same(doc, again);
  assert_string_equal(text, twice);
  json_decref(tree);
  ct_doc_destroy(again);
  free(text);
  free(twice);
}

static void built_in_scenes(void **state) {
  (void)state;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    ct_doc *doc = read_doc(ct_builtin_scenes[i].json);
    check_round_trip(doc);
    for (uint32_t p = 0; p < ct_doc_preset_count(doc); p++) {
      ct_error error;
      assert_int_equal(ct_doc_apply_preset(doc, ct_doc_preset_name(doc, p), &error), CT_OK);
      check_round_trip(doc);
    }
    ct_doc_destroy(doc);
  }
}

static void set_number(ct_doc *doc, const char *path, double value) {
  ct_error error = {.text = ""};
  if (ct_doc_set_number(doc, path, value, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {.text = ""};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* Parts that come and go between others, places in a list that come late or never. */
static ct_doc *page(void) {
  ct_doc *doc = ct_doc_create();
  ct_error error;
  set_number(doc, "contatto", 1);
  set_number(doc, "bodies.bar.modes[2].hz", 0.1 + 0.2);
  set_text(doc, "title", "\"\\/\b\f\n\r\t\x01\x7f \xc3\xa9 \xf0\x9f\x98\x80");
  set_number(doc, "bodies.bar.modes[0].hz", 440);
  set_number(doc, "bodies.bar.modes[1].hz", 1e-7);
  set_number(doc, "bodies.late.modes[1].hz", 2);
  set_number(doc,
             "gesture\x1f"
             "time_s\x1f"
             "0",
             -0.0);
  set_number(doc,
             "presets\x1flow\x1fset\x1f"
             "bar.modes.0.hz",
             1e17);
  set_number(doc, "gesture.push[2]", 1.5);
  assert_int_equal(ct_doc_set_flag(doc, "controls.push.trigger", true, &error), CT_OK);
  set_text(doc, "bodies.bar.kind", "modal");
  return doc;
}

static void as_it_stands(void **state) {
  (void)state;
  ct_doc *doc = page();
  char *text = write_doc(doc);
  assert_string_equal(text,
                      "{\n"
                      "  \"contatto\": 1,\n"
                      "  \"bodies\": {\n"
                      "    \"bar\": {\n"
                      "      \"modes\": [\n"
                      "        {\n"
                      "          \"hz\": 440\n"
                      "        },\n"
                      "        {\n"
                      "          \"hz\": 1e-07\n"
                      "        },\n"
                      "        {\n"
                      "          \"hz\": 0.30000000000000004\n"
                      "        }\n"
                      "      ],\n"
                      "      \"kind\": \"modal\"\n"
                      "    },\n"
                      "    \"late\": {\n"
                      "      \"modes\": [\n"
                      "        [],\n"
                      "        {\n"
                      "          \"hz\": 2\n"
                      "        }\n"
                      "      ]\n"
                      "    }\n"
                      "  },\n"
                      "  \"title\": \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f \xc3\xa9 \xf0\x9f\x98\x80\",\n"
                      "  \"gesture\": {\n"
                      "    \"time_s\": [-0],\n"
                      "    \"push\": [[], [], 1.5]\n"
                      "  },\n"
                      "  \"presets\": {\n"
                      "    \"low\": {\n"
                      "      \"set\": {\n"
                      "        \"bar.modes.0.hz\": 1e+17\n"
                      "      }\n"
                      "    }\n"
                      "  },\n"
                      "  \"controls\": {\n"
                      "    \"push\": {\n"
                      "      \"trigger\": true\n"
                      "    }\n"
                      "  }\n"
                      "}\n");
  free(text);
  check_round_trip(doc);
  ct_doc_destroy(doc);
}

static void any_room(void **state) {
  (void)state;
  ct_doc *doc = page();
  char *text = write_doc(doc);
  size_t whole = strlen(text);
  for (size_t size = 0; size < whole + 3; size++) {
    char *cut = malloc(size + 1);
    size_t length = 0;
    ct_error error;
    assert_non_null(cut);
    memset(cut, '#', size + 1);
    assert_int_equal(ct_doc_write_json(doc, cut, size, &length, &error), CT_OK);
    assert_int_equal(length, whole);
    assert_int_equal(cut[size], '#');
    if (size) {
      assert_int_equal(strlen(cut), size - 1 < whole ? size - 1 : whole);
      assert_memory_equal(cut, text, strlen(cut));
    }
    free(cut);
  }
  free(text);
  ct_doc_destroy(doc);
}

static void check_refused(const ct_doc *doc, const char *words) {
  size_t length;
  ct_error error = {.text = ""};
  assert_int_not_equal(ct_doc_write_json(doc, NULL, 0, &length, &error), CT_OK);
  if (!strstr(error.text, words))
    fail_msg("'%s' lacks '%s'", error.text, words);
}

static void refused(void **state) {
  (void)state;
  size_t length;
  ct_error error;
  ct_doc *doc = page();
  assert_int_equal(ct_doc_write_json(NULL, NULL, 0, &length, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_write_json(doc, NULL, 1, &length, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_write_json(doc, NULL, 0, NULL, &error), CT_BAD_ARGUMENT);
  set_text(doc, "title", "half a letter: \xc3");
  check_refused(doc, "title: not UTF-8; cannot be written");
  set_text(doc, "title", "");
  set_text(doc, "bodies.bar.modes.shape", "bar");
  check_refused(doc, "cannot be written beside what else is there");
  ct_doc_destroy(doc);
}

static void empty(void **state) {
  (void)state;
  ct_doc *doc = ct_doc_create();
  char *text = write_doc(doc);
  assert_string_equal(text, "{\n}\n");
  free(text);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_in_scenes), cmocka_unit_test(as_it_stands), cmocka_unit_test(any_room),
      cmocka_unit_test(refused),         cmocka_unit_test(empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
