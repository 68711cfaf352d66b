/* Tables read back bit by bit, as CSV and as .npy; files appear complete or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"time_s", "bar.hit.x_m", "it's\\odd"};
static const double rows[][3] = {
    {0, 1.0 / 3, -0.0}, {1e-300, DBL_MAX, DBL_MIN}, {0.1, 4.9406564584124654e-324, -1.2345678901234567e-89}};

enum { ROWS = 3, COLUMNS = 3 };

static void write_table(const char *file) {
  ct_table *table;
  ct_error error;
  assert_int_equal(ct_table_open(file, names, COLUMNS, &table, &error), CT_OK);
  assert_int_not_equal(access(file, F_OK), 0); /* not before it is complete */
  for (int i = 0; i < ROWS; i++)
    assert_int_equal(ct_table_write(table, rows[i], &error), CT_OK);
  assert_int_equal(ct_table_close(table, &error), CT_OK);
  assert_int_not_equal(access(file, F_OK), 0);
  assert_int_equal(ct_staged_keep(ct_table_staged(table), &error), CT_OK);
  ct_table_drop(table);
  assert_int_equal(access(file, F_OK), 0);
}

static size_t slurp(const char *file, unsigned char *bytes, size_t room) {
  FILE *in = fopen(file, "rb");
  assert_non_null(in);
  size_t length = fread(bytes, 1, room, in);
  fclose(in);
  unlink(file);
  return length;
}

/* 17 significant digits are enough for every double. */
static void test_csv(void **state) {
  (void)state;
  unsigned char bytes[4096];
  write_table("table.csv");
  bytes[slurp("table.csv", bytes, sizeof bytes - 1)] = 0;
  char *at = strchr((char *)bytes, '\n');
  *at++ = 0;
  assert_string_equal((char *)bytes, "time_s,bar.hit.x_m,it's\\odd");
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++) {
      double value = strtod(at, &at);
      assert_memory_equal(&value, &rows[i][k], sizeof value);
      assert_int_equal(*at++, k + 1 < COLUMNS ? ',' : '\n');
    }
  assert_int_equal(*at, 0);
}

/* The layout numpy documents for version 2.0. */
static void test_npy(void **state) {
  (void)state;
  unsigned char bytes[4096];
  write_table("table.npy");
  size_t length = slurp("table.npy", bytes, sizeof bytes);
  assert_memory_equal(bytes, "\x93NUMPY\x02\x00", 8);
  size_t header = bytes[8] | (size_t)bytes[9] << 8 | (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  assert_int_equal((12 + header) % 64, 0);
  assert_int_equal(length, 12 + header + sizeof rows);
  assert_int_equal(bytes[12 + header - 1], '\n');
  bytes[12 + header - 1] = 0;
  const char *dict = "{'descr': [('time_s', '<f8'), ('bar.hit.x_m', '<f8'), ('it\\'s\\\\odd', '<f8'), ], "
                     "'fortran_order': False, 'shape': (3,), }";
  assert_memory_equal(bytes + 12, dict, strlen(dict));
  assert_int_equal(strspn((char *)bytes + 12 + strlen(dict), " "), header - 1 - strlen(dict));
  assert_memory_equal(bytes + 12 + header, rows, sizeof rows);
}

static void test_dropped_leaves_the_old(void **state) {
  (void)state;
  ct_table *table;
  ct_error error;
  unsigned char bytes[64];
  FILE *old = fopen("kept.csv", "w");
  fputs("old", old);
  fclose(old);
  assert_int_equal(ct_table_open("kept.csv", names, COLUMNS, &table, &error), CT_OK);
  assert_int_equal(ct_table_write(table, rows[0], &error), CT_OK);
  ct_table_drop(table);
  assert_int_equal(slurp("kept.csv", bytes, sizeof bytes), 3);
  assert_memory_equal(bytes, "old", 3);
}

static void test_full_disk_is_told(void **state) {
  (void)state;
  ct_table *table;
  ct_error error = {.text = ""};
  assert_int_equal(ct_table_open("/dev/full", names, COLUMNS, &table, &error), CT_OK);
  ct_result result = CT_OK;
  for (int i = 0; i < 10000 && result == CT_OK; i++)
    result = ct_table_write(table, rows[1], &error);
  assert_int_not_equal(result, CT_OK);
  assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
  ct_table_drop(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_csv),
      cmocka_unit_test(test_npy),
      cmocka_unit_test(test_dropped_leaves_the_old),
      cmocka_unit_test(test_full_disk_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
