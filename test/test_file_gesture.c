/* Gesture files: what is read, and where reading stops. (Messages to the user are tested by
 * test_cli_refuse.sh.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static ct_result read_text(const char *text, size_t length, ct_gesture **gesture, ct_error *error) {
  FILE *out = fopen("gesture.csv", "wb");
  assert_non_null(out);
  fwrite(text, 1, length, out);
  fclose(out);
  ct_result result = ct_gesture_read("gesture.csv", gesture, error);
  unlink("gesture.csv");
  return result;
}

static void check_refused(const char *text, size_t length, const char *words) {
  ct_gesture *gesture;
  ct_error error = {.text = ""};
  assert_int_not_equal(read_text(text, length, &gesture, &error), CT_OK);
  if (!strstr(error.text, words))
    fail_msg("'%s' lacks '%s'", error.text, words);
}

/* time_s may stand anywhere; quotes, blanks, CRLF, blank lines, a byte order mark and a missing last line end
 * are fine. */
static void test_read(void **state) {
  (void)state;
  static const char text[] =
      "\xef\xbb\xbf hit ,\"time_s\", bar.modes.0.hz\r\n\r\n1.5,0,\r\n , 0.25 , 4.4e2\n,1e0,-3";
  ct_gesture *g;
  ct_error error = {.text = ""};
  if (read_text(text, strlen(text), &g, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(g->rows, 3);
  assert_int_equal(g->columns, 2);
  assert_string_equal(g->paths[0], "hit");
  assert_string_equal(g->paths[1], "bar.modes.0.hz");
  assert_true(g->time_s[0] == 0 && g->time_s[1] == 0.25 && g->time_s[2] == 1);
  assert_true(g->values[0][0] == 1.5 && isnan(g->values[0][1]) && isnan(g->values[0][2]));
  assert_true(isnan(g->values[1][0]) && g->values[1][1] == 440 && g->values[1][2] == -3);
  ct_gesture_free(g);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"", "gesture.csv: empty"},
      {"\n \n", "gesture.csv: empty"},
      {"time_s,a", "no rows"},
      {"a,b\n1,2\n", "gesture.csv:1: no column is called time_s"},
      {"time_s,a,time_s\n", "gesture.csv:1: column 3: is a second time_s"},
      {"time_s,a,a\n", "gesture.csv:1: column 3: has the name of an earlier column"},
      {"time_s,a\n0,1\n\n1,2,3\n", "gesture.csv:4: has 3 cells; the header has 2"},
      {"time_s,a\n0,1x\n", "gesture.csv:2: column 2 (a): '1x' is not a finite number"},
      {"time_s,a\n0,inf\n", "gesture.csv:2: column 2 (a): 'inf' is not a finite number"},
      {"a,time_s\n0,\n", "gesture.csv:2: column 2 (time_s): '' is not a time"},
      {"time_s,a\n1,0\n1,0\n", "gesture.csv:3: column 1 (time_s): '1' does not come after"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_refused(cases[i].text, strlen(cases[i].text), cases[i].words);
  check_refused("time_s,a\n0,\0\n", 13, "not a text file");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
