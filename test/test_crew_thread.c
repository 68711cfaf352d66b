/* A crew does every job once, and its result does not depend on how many threads there are. */
#include "file/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { JOBS = 2000 };

typedef struct tally {
  uint32_t done[JOBS];
  uint32_t bad_from; /* jobs from here on fail */
} tally;

static ct_result count_job(void *context, uint32_t index, ct_error *error) {
  tally *t = context;
  t->done[index]++;
  if (index < t->bad_from)
    return CT_OK;
  snprintf(error->text, sizeof error->text, "job %u", index);
  return CT_BAD_VALUE;
}

static void every_job_once(void **state) {
  (void)state;
  for (uint32_t threads = 0; threads < 9; threads++) {
    tally t = {.bad_from = JOBS};
    ct_error error = {.text = ""};
    assert_int_equal(ct_crew_run(threads, JOBS, count_job, &t, &error), CT_OK);
    for (int i = 0; i < JOBS; i++)
      assert_int_equal(t.done[i], 1);
  }
  assert_int_equal(ct_crew_run(4, 0, count_job, NULL, NULL), CT_OK);
}

static void first_failure_is_told(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads < 9; threads++) {
    tally t = {.bad_from = 700};
    ct_error error = {.text = ""};
    assert_int_equal(ct_crew_run(threads, JOBS, count_job, &t, &error), CT_BAD_VALUE);
    assert_string_equal(error.text, "job 700");
    for (int i = 0; i < 700; i++)
      assert_int_equal(t.done[i], 1);
    assert_int_equal(t.done[JOBS - 1], 0); /* the rest is left alone */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_job_once),
                                     cmocka_unit_test(first_failure_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
