/* Names found by hash: all of them, with hardly more looks than names, and none after it has gone. */
#include "document/doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { NAMES = 60000 };
static char texts[NAMES][24];
static uint64_t looks;

static const char *name_of(const void *list, uint32_t index) {
  (void)list;
  looks++;
  return texts[index];
}

static void make_texts(const char *pattern) {
  for (unsigned i = 0; i < NAMES; i++)
    snprintf(texts[i], sizeof texts[i], pattern, i);
}

static void check_pattern(const char *pattern) {
  ct_names names = {0};
  make_texts(pattern);
  for (uint32_t i = 0; i < NAMES; i++) {
    assert_int_equal(ct_names_find(&names, texts[i], name_of, NULL), CT_NO_NAME);
    assert_true(ct_names_add(&names, i, name_of, NULL));
  }
  looks = 0;
  for (uint32_t i = 0; i < NAMES; i++)
    assert_int_equal(ct_names_find(&names, texts[i], name_of, NULL), i);
  print_message("%s: %.2f looks a name\n", pattern, (double)looks / NAMES);
  assert_true(looks < 4 * NAMES);
  for (uint32_t i = NAMES; i-- > 100;) {
    ct_names_remove(&names, i, name_of, NULL);
    if (i % 997 == 0) {
      assert_int_equal(ct_names_find(&names, texts[i], name_of, NULL), CT_NO_NAME);
      assert_int_equal(ct_names_find(&names, texts[i - 1], name_of, NULL), i - 1);
      assert_int_equal(ct_names_find(&names, texts[i / 2], name_of, NULL), i / 2);
    }
  }
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(ct_names_find(&names, texts[i], name_of, NULL), i);
  ct_names_clear(&names);
  assert_int_equal(ct_names_find(&names, texts[0], name_of, NULL), CT_NO_NAME);
}

static void all_are_found(void **state) {
  (void)state;
  check_pattern("%u");
  check_pattern("bodies.bar.modes.%u.hz");
  check_pattern("%08x");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
