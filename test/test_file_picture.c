/* The spectrogram behind the pictures: a sine appears at its frequency, its level and its time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture/gnuplot.h"
#include "picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 48000, COLUMNS = 100, ROWS = 200 };

static void make_sound(double *samples) {
  for (int n = 0; n < COUNT; n++)
    samples[n] = n < COUNT / 2 ? 0 : 0.1 * sin(2 * M_PI * 1000 * n / 48000.0);
}

static uint32_t loudest_row(const ct_spectrogram *s, uint32_t column) {
  uint32_t best = 0;
  for (uint32_t row = 0; row < s->rows; row++)
    if (s->db[row * s->columns + column] > s->db[best * s->columns + column])
      best = row;
  return best;
}

/* -20 dB at 1 kHz in the second half; nothing in the first. */
static void test_spectrogram(void **state) {
  (void)state;
  static double samples[COUNT];
  ct_spectrogram s;
  make_sound(samples);
  assert_true(ct_spectrogram_make(samples, COUNT, 48000, COLUMNS, ROWS, &s));
  uint32_t row = loudest_row(&s, 75);
  double hz = s.lo_hz * pow(s.hi_hz / s.lo_hz, row / (double)(ROWS - 1));
  assert_true(fabs(hz - 1000) < 20);
  assert_true(fabs((double)s.db[row * COLUMNS + 75] + 20) < 1.5); /* a bin may miss the peak by 1.4 dB */
  assert_true(fabs(s.loudest_db + 20) < 1.5);
  assert_true((double)s.db[row * COLUMNS + 25] < -150);
  free(s.db);
}

static void test_draw(void **state) {
  (void)state;
  static double samples[COUNT];
  unsigned char magic[8] = {0};
  ct_error error = {.text = ""};
  make_sound(samples);
  samples[100] = NAN;
  if (!ct_picture_possible())
    skip();
  if (ct_picture_draw("it's a picture.png", "it's a title", samples, COUNT, 48000, &error) != CT_OK)
    fail_msg("%s", error.text);
  FILE *in = fopen("it's a picture.png", "rb");
  assert_non_null(in);
  assert_int_equal(fread(magic, 1, 8, in), 8);
  fclose(in);
  unlink("it's a picture.png");
  assert_memory_equal(magic, "\x89PNG\r\n\x1a\n", 8);
  assert_int_not_equal(ct_picture_draw("nowhere/x.png", "x", samples, COUNT, 48000, &error), CT_OK);
  assert_string_equal(error.text, "nowhere/x.png: cannot be written: No such file or directory");
  assert_int_not_equal(ct_picture_draw("short.png", "x", samples, 10, 48000, &error), CT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_spectrogram), cmocka_unit_test(test_draw)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
