/* Numbers as text: what is read is what strtod reads in the C locale, to the bit, and what is printed is what
 * printf prints there, for every kind of double and for texts of any length. */
#include "base/number.h"
#include "support/instrumented.h"
#include "support/long_run.h"
#include "support/random_scene.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static uint32_t many(uint32_t ordinary, uint32_t all) {
  return INSTRUMENTED ? ordinary / 10 : long_run() ? all : ordinary;
}

static uint64_t random_bits(random_state *r) {
  return (uint64_t)(random_unit(r) * 0x1p32) << 32 | (uint64_t)(random_unit(r) * 0x1p32);
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t to_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* A positive finite double, every bit pattern as likely. */
static double random_double(random_state *r) {
  for (;;) {
    double value = from_bits(random_bits(r) >> 1);
    if (isfinite(value))
      return value;
  }
}

static void check_read(const char *text) {
  char *end;
  double theirs = strtod(text, &end), ours = 0;
  size_t used = ct_number_read(text, strlen(text), &ours);
  if (used != (size_t)(end - text) || (used && to_bits(ours) != to_bits(theirs)))
    fail_msg("'%.900s': %a of %zu bytes instead of %a of %td", text, ours, used, theirs, end - text);
}

/* ---- reading ---- */

static void known_texts(void **state) {
  (void)state;
  static const char *const texts[] = {
      "0",
      "-0",
      "+0.0",
      "1",
      "-1",
      "+1",
      ".5",
      "5.",
      "-.5e1",
      "0.25",
      "1e5",
      "1E+5",
      "1e-5",
      "00012",
      "0e999999999",
      "1e",
      "1e+",
      "1e-x",
      "1.2.3",
      "12abc",
      "1,5",
      "1e23",
      "8.5e-324",
      "9007199254740993",
      "9007199254740992.5",
      "9007199254740991e22",
      "9007199254740993e-22",
      "1e22",
      "1e-22",
      "123456789012345678901234567890",
      "2.2250738585072011e-308",
      "2.2250738585072014e-308",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "2e-324",
      "1e-400",
      "1e-99999999999999999999999",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "1.797693134862315807e308",
      "1e308",
      "1e309",
      "1e400",
      "1e99999999999999999999999",
      "0.000000000000000000000000000000000000000001e42",
      "100000000000000000000000000000000000000000e-41",
      "6.02214076e23",
      "0.1",
      "0.30000000000000004",
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096"
      "330286"
      "416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069"
      "855571"
      "366959622842914819860834936475292719074168444365510704342711559699508093042880"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    check_read(texts[i]);
  double value;
  static const char *const none[] = {"", "-", "+", ".", "-.", "e5", " 1", "x", "inf", "nan", "+-1", ".e1"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_int_equal(ct_number_read(none[i], strlen(none[i]), &value), 0);
  assert_int_equal(ct_number_read("12345", 3, &value), 3); /* not a byte beyond its length */
  assert_true(value == 123);
  assert_int_equal(ct_number_read("1e5", 2, &value), 1);
  assert_int_equal(ct_number_read("0x10", 4, &value), 1); /* hexadecimal is not read */
}

static void random_patterns(void **state) {
  (void)state;
  random_state r = {18};
  uint32_t count = many(200000, 4000000);
  for (uint32_t i = 0; i < count; i++) {
    char text[64];
    double value = random_double(&r), again;
    snprintf(text, sizeof text, "%.*e", i % 4 ? 16 : (int)random_between(&r, 0, 25), value);
    check_read(text);
    snprintf(text, sizeof text, "%.16e", value);
    ct_number_read(text, strlen(text), &again);
    assert_true(to_bits(again) == to_bits(value));
  }
  printf("%u random bit patterns\n", count);
}

/* Numbers as people write them: few digits, small powers. */
static void short_numbers(void **state) {
  (void)state;
  random_state r = {19};
  uint32_t count = many(300000, 4000000);
  for (uint32_t i = 0; i < count; i++) {
    char text[64];
    uint64_t digits = random_bits(&r) >> (int)random_between(&r, 0, 63);
    int power = (int)random_between(&r, -30, 30);
    if (i % 2)
      snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, power);
    else
      snprintf(text, sizeof text, "%u.%llu", (unsigned)(digits >> 45),
               (unsigned long long)(digits & 0xffffffffff));
    check_read(text);
  }
  printf("%u short numbers\n", count);
}

/* The exact text of a sum of a double and half its distance to the next: the number all rounding turns on;
 * then a little more and a little less than that, in the last digit or far behind it. */
static void check_half_way(double value, random_state *r) {
  enum { ROOM = 4096 };
  static char text[ROOM];
  long double half = (long double)value + ((long double)nextafter(value, INFINITY) - (long double)value) / 2;
  int length = snprintf(text, ROOM / 2, "%.1100Le", half);
  char *e = strchr(text, 'e');
  assert_true(e && length > 0 && length < ROOM / 2);
  check_read(text);
  char power[16];
  snprintf(power, sizeof power, "%s", e);
  size_t end = (size_t)(e - text);
  size_t at = 2 + (size_t)random_between(r, 600, (double)end - 3);
  char kept = text[at];
  text[at] = kept == '9' ? '8' : (char)(kept + 1);
  check_read(text);
  text[at] = kept;
  size_t zeros = (size_t)random_between(r, 0, 900);
  memset(text + end, '0', zeros);
  snprintf(text + end + zeros, ROOM - end - zeros, "1%s", power);
  check_read(text);
}

static void half_way(void **state) {
  (void)state;
  random_state r = {20};
  uint32_t count = many(6000, 200000);
  for (uint32_t i = 0; i < count; i++) {
    double value = random_double(&r);
    if (i % 4 == 1)
      value = from_bits(random_bits(&r) >> 12); /* below the normal ones */
    if (i % 4 == 2)
      value = from_bits((uint64_t)random_between(&r, 0, 4096)); /* hardly above 0 */
    if (i % 4 == 3)
      value = from_bits((uint64_t)((int64_t)0x0010000000000000 + (int64_t)random_between(&r, -1000, 1000)));
    if (value < DBL_MAX)
      check_half_way(value, &r);
  }
  printf("%u numbers half-way between two, of up to 1100 digits and more\n", 3 * count);
}

static void edges(void **state) {
  (void)state;
  random_state r = {21};
  uint32_t count = many(20000, 500000);
  for (uint32_t i = 0; i < count; i++) {
    char text[64];
    double digits = random_between(&r, 1, 10);
    snprintf(text, sizeof text, "%.*fe%d", (int)random_between(&r, 0, 20), digits,
             i % 2 ? (int)random_between(&r, 300, 312) : (int)random_between(&r, -330, -300));
    check_read(text);
  }
}

/* Very long texts: digits, zeros in front and behind, a point anywhere. */
static void long_texts(void **state) {
  (void)state;
  random_state r = {22};
  enum { MOST = 5000 };
  static char text[MOST + 64];
  uint32_t count = many(3000, 60000);
  for (uint32_t i = 0; i < count; i++) {
    size_t length = 1 + (size_t)random_between(&r, 0, i % 8 ? 1000 : MOST - 2);
    double zero = i % 3 == 0 ? 0.99 : 0.1;
    for (size_t k = 0; k < length; k++)
      text[k] = random_unit(&r) < zero ? '0' : (char)('0' + (int)random_between(&r, 0, 10));
    text[(size_t)random_between(&r, 0, (double)length)] = '.';
    int power = (int)random_between(&r, -400, 400) - (i % 2 ? (int)length / 2 : 0);
    snprintf(text + length, 64, "e%d", power);
    check_read(text);
  }
  printf("%u texts of up to %d letters\n", count, MOST);
}

/* A million zeros and an exponent that takes them back. */
static void a_million_zeros(void **state) {
  (void)state;
  enum { ZEROS = 1000000 };
  char *text = malloc(ZEROS + 64);
  assert_non_null(text);
  memset(text, '0', ZEROS);
  text[0] = '.';
  snprintf(text + ZEROS, 64, "125e%d", ZEROS);
  check_read(text);
  double value = 0;
  ct_number_read(text, strlen(text), &value);
  assert_true(value == 1.25);
  memset(text, '0', ZEROS);
  text[0] = '7';
  snprintf(text + ZEROS, 64, "e-%d", ZEROS);
  check_read(text);
  free(text);
}

/* ---- as typed ---- */

static void typed(void **state) {
  (void)state;
  double value;
  assert_true(ct_number_typed("0.25", &value) && value == 0.25);
  assert_true(ct_number_typed(" \t-2e3", &value) && value == -2000);
  assert_true(ct_number_typed("nan", &value) && isnan(value));
  assert_true(ct_number_typed("-Inf", &value) && value == -(double)INFINITY);
  assert_true(ct_number_typed("INFINITY", &value) && value == (double)INFINITY);
  static const char *const wrong[] = {"", " ", "0,25", "1 ", "x", "1x", "in", "nano", "0x10", "1e", "--1"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_false(ct_number_typed(wrong[i], &value));
}

/* ---- printing ---- */

static void check_print(double value, int digits) {
  char ours[CT_NUMBER_ROOM], theirs[64];
  size_t length = ct_number_print(ours, value, digits);
  snprintf(theirs, sizeof theirs, "%.*g", digits, value);
  if (strcmp(ours, theirs) != 0 || length != strlen(theirs))
    fail_msg("%a in %d digits: '%s' instead of '%s'", value, digits, ours, theirs);
}

static void printed(void **state) {
  (void)state;
  static const double values[] = {0,      -0.0, 1,       -1,        0.1,    1e-5,     0.0001,   9.5,
                                  0.5,    2.5,  DBL_MAX, DBL_MIN,   5e-324, 1e22,     1e23,     1e15,
                                  1e16,   1e17, 1e-7,    99.5,      999.5,  9999.5,   99999.95, 1e300,
                                  1e-300, 125,  375,     0.3 - 0.1, 1e5,    123456,   1e-4,     9.99e-5,
                                  M_PI,   -M_E, 100000,  1e6,       999999, 999999.5, 0.15,     0.25};
  for (int digits = 1; digits <= 17; digits++) {
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
      check_print(values[i], digits);
    check_print((double)INFINITY, digits);
    check_print(-(double)INFINITY, digits);
  }
  double border = 0x1p63; /* from here on digits are found another way */
  for (int i = 0; i < 100; i++, border = nextafter(border, i < 50 ? INFINITY : 0))
    check_print(border, 1 + i % 17);
  random_state r = {23};
  uint32_t count = many(100000, 2000000);
  for (uint32_t i = 0; i < count; i++) {
    double value = i % 2 ? random_double(&r) : random_between(&r, -1000, 1000);
    check_print(value, 1 + (int)(i % 17));
    char text[CT_NUMBER_ROOM];
    double again = 0;
    int digits = ct_number_digits(value);
    ct_number_read(text, ct_number_print(text, value, digits), &again);
    assert_true(to_bits(again) == to_bits(value));
  }
  printf("%u printed numbers\n", count);
  assert_int_equal(ct_number_digits(0.1), 15);
  assert_int_equal(ct_number_digits(0.1 + 0.2), 17);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_texts),     cmocka_unit_test(random_patterns), cmocka_unit_test(short_numbers),
      cmocka_unit_test(half_way),        cmocka_unit_test(edges),           cmocka_unit_test(long_texts),
      cmocka_unit_test(a_million_zeros), cmocka_unit_test(typed),           cmocka_unit_test(printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
