/* ct_format says what snprintf says, for the conversions it knows, and never writes beyond its room. */
#include "base/text.h"
#include "support/random_scene.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* One format through both, at every size from 0 to more than enough. */
#define BOTH(...)                                                                                            \
  do {                                                                                                       \
    for (size_t size_ = 0; size_ <= 80; size_++) {                                                           \
      char ours_[96], theirs_[96];                                                                           \
      memset(ours_, '#', sizeof ours_);                                                                      \
      memset(theirs_, '#', sizeof theirs_);                                                                  \
      size_t length_ = ct_format(ours_, size_, __VA_ARGS__);                                                 \
      int wanted_ = snprintf(theirs_, size_, __VA_ARGS__);                                                   \
      assert_int_equal(length_, wanted_);                                                                    \
      assert_memory_equal(ours_, theirs_, size_ ? strlen(theirs_) + 1 : 1);                                  \
      for (size_t i_ = size_; i_ < sizeof ours_; i_++)                                                       \
        assert_int_equal(ours_[i_], '#');                                                                    \
    }                                                                                                        \
  } while (0)

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif
#pragma GCC diagnostic ignored "-Wformat-zero-length"

static void words_and_whole_numbers(void **state) {
  (void)state;
  BOTH("%s", "");
  BOTH("plain");
  BOTH("%s and %s", "one", "two");
  BOTH("%.3s|%.0s|%.48s", "abcdef", "abc", "short");
  BOTH("%d %d %d", 0, INT_MAX, INT_MIN);
  BOTH("%u %u", 0u, UINT_MAX);
  BOTH("%zu", SIZE_MAX);
  BOTH("%c%c%%", 'x', 'y');
  BOTH("%s.%s.%u.%s: %g%s%s is out of range; wants %g to %g", "bar", "modes", 3u, "hz", 1e9, " ", "Hz", 0.0,
       2e5);
}

static void known_numbers(void **state) {
  (void)state;
  static const double values[] = {0,      -0.0,     1,         -1,       0.1,         1e-5,    123456,
                                  999999, 999999.5, 1234567,   1e6,      0.0001,      9.99e-5, 0.00012345678,
                                  1e16,   1e100,    1e300,     DBL_MAX,  DBL_MIN,     5e-324,  1e-300,
                                  48000,  99999.95, 0.9999995, 1.000001, 123456.4999, M_PI,    100000};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    BOTH("%g", values[i]);
    BOTH("%g", -values[i]);
  }
  BOTH("%g %g", (double)INFINITY, (double)-INFINITY);
  char text[8];
  ct_format(text, sizeof text, "%g", (double)NAN);
  assert_string_equal(text, "nan");
}

/* All magnitudes; a tie in the sixth digit may fall either way, so the printed values may differ by one there
 * but hardly ever do. */
static void random_numbers(void **state) {
  (void)state;
  random_state r = {20260101};
  uint32_t count = 400000, different = 0;
  for (uint32_t i = 0; i < count; i++) {
    char ours[32], theirs[32];
    double value = pow(10, random_between(&r, -308, 308)) * (random_unit(&r) < 0.5 ? -1 : 1);
    ct_format(ours, sizeof ours, "%g", value);
    snprintf(theirs, sizeof theirs, "%g", value);
    if (strcmp(ours, theirs) == 0)
      continue;
    different++;
    double a, b;
    assert_int_equal(sscanf(ours, "%lf", &a), 1);
    assert_int_equal(sscanf(theirs, "%lf", &b), 1);
    if (!(fabs(a - b) <= 1.01e-5 * fabs(b)))
      fail_msg("%.17g: '%s' instead of '%s'", value, ours, theirs);
  }
  printf("random numbers: %u of %u differ from snprintf in the last digit\n", different, count);
  assert_true(different <= count / 10000);
}

static void errors_fit_their_line(void **state) {
  (void)state;
  char wide[2 * CT_TEXT_MAX];
  memset(wide, 'w', sizeof wide - 1);
  wide[sizeof wide - 1] = 0;
  struct {
    ct_error error;
    char guard[8];
  } guarded;
  memset(&guarded, '#', sizeof guarded);
  assert_int_equal(ct_fail(&guarded.error, CT_BAD_VALUE, "%s", wide), CT_BAD_VALUE);
  assert_int_equal(guarded.error.code, CT_BAD_VALUE);
  assert_int_equal(strlen(guarded.error.text), CT_TEXT_MAX - 1);
  assert_memory_equal(guarded.guard, "########", 8);
  assert_int_equal(ct_fail(NULL, CT_FULL, "%s", wide), CT_FULL);
}

static void results_have_words(void **state) {
  (void)state;
  for (int i = CT_OK; i <= CT_NO_MEMORY; i++) {
    assert_true(strlen(ct_result_text((ct_result)i)) > 0);
    for (int k = CT_OK; k < i; k++)
      assert_string_not_equal(ct_result_text((ct_result)i), ct_result_text((ct_result)k));
  }
}

static void indices(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool good;
    uint32_t value;
  } cases[] = {{"0", true, 0},         {"7", true, 7},      {"0012", true, 12},   {"65535", true, 65535},
               {"65530", true, 65530}, {"65536", false, 0}, {"655350", false, 0}, {"", false, 0},
               {"-1", false, 0},       {"1x", false, 0},    {" 1", false, 0},     {"99999999999", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint32_t value = 0;
    if (ct_parse_index(cases[i].text, &value) != cases[i].good || value != cases[i].value)
      fail_msg("'%s' as a number below 65536", cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_and_whole_numbers), cmocka_unit_test(known_numbers),
      cmocka_unit_test(random_numbers),          cmocka_unit_test(errors_fit_their_line),
      cmocka_unit_test(results_have_words),      cmocka_unit_test(indices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
