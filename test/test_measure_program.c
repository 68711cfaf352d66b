/* `contatto measure`, from the outside: what it prints, how it refuses. */
#define _POSIX_C_SOURCE 200809L
#include "contatto/measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "test_measure_signals.h"

static const char *sound_file = "test_measure_program.wav";

static void put_number(FILE *file, uint32_t number, int bytes) {
  for (int k = 0; k < bytes; k++)
    fputc((int)(number >> (8 * k) & 255u), file);
}

/* A mono WAV file of 16-bit samples. */
static void write_wav(const sound *s) {
  FILE *file = fopen(sound_file, "wb");
  assert_non_null(file);
  const uint32_t bytes = (uint32_t)(2 * s->count), rate_hz = (uint32_t)s->rate_hz;
  fputs("RIFF", file);
  put_number(file, 36 + bytes, 4);
  fputs("WAVEfmt ", file);
  put_number(file, 16, 4);
  put_number(file, 1, 2);
  put_number(file, 1, 2);
  put_number(file, rate_hz, 4);
  put_number(file, 2 * rate_hz, 4);
  put_number(file, 2, 2);
  put_number(file, 16, 2);
  fputs("data", file);
  put_number(file, bytes, 4);
  for (size_t n = 0; n < s->count; n++)
    put_number(file, (uint32_t)(int32_t)lround(32767.0 * s->samples[n]) & 0xffffu, 2);
  assert_int_equal(fclose(file), 0);
}

/* Runs the program; returns its exit code and what it printed, stderr included. */
static int run_measure(const char *arguments, char *output, size_t room) {
  char command[1000];
  snprintf(command, sizeof command, "'%s' measure %s 2>&1", CT_PROGRAM, arguments);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t length = fread(output, 1, room - 1, pipe);
  output[length] = 0;
  const int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static double number_after(const char *text, const char *key) {
  const char *at = strstr(text, key);
  if (!at)
    fail_msg("no %s in the output", key);
  return strtod(at + strlen(key), NULL);
}

/* A mode at 440 Hz, t60 1 s, struck at 0.1 s, and a step of 2 % at 0.7 s. */
static void make_sound(void) {
  sound s = make_signal(1.5, 44100.0);
  add_decaying_sine(&s, 0.1, 440.0, 0.5, 0.0, 1.0);
  for (size_t n = (size_t)(0.7 * 44100.0); n < s.count; n++)
    s.samples[n] += 0.01 * exp(-20.0 * ((double)n / 44100.0 - 0.7));
  write_wav(&s);
  free_signal(&s);
}

static void json_holds_the_numbers(void **state) {
  (void)state;
  static char output[100000];
  char arguments[200];
  make_sound();
  snprintf(arguments, sizeof arguments, "--json --mode 441 %s", sound_file);
  assert_int_equal(run_measure(arguments, output, sizeof output), 0);
  check_near("pitch", ct_measure_cents(number_after(output, "\"pitch_hz\":"), 440.0), 0.0, 1.0);
  check_near("t60", number_after(output, "\"t60_s\":"), 1.0, 0.02);
  check_near("duration", number_after(output, "\"duration_s\":"), 1.5, 1e-6);
  check_near("onsets", number_after(output, "\"onset_count\":"), 1.0, 0.0);
  check_above("click", number_after(output, "\"worst_click_db\":"), CT_MEASURE_CLICK_DB);
  remove(sound_file);
}

static void table_has_rows(void **state) {
  (void)state;
  static char output[100000];
  make_sound();
  assert_int_equal(run_measure(sound_file, output, sizeof output), 0);
  check_near("pitch", number_after(output, "\npitch "), 440.0, 0.5);
  check_near("sample rate", number_after(output, "\nsample rate"), 44100.0, 0.0);
  assert_non_null(strstr(output, "octave Hz"));
  remove(sound_file);
}

static void expect_refusal(const char *arguments, int code, const char *says) {
  char output[2000];
  assert_int_equal(run_measure(arguments, output, sizeof output), code);
  if (strncmp(output, "contatto measure: ", 18) != 0 || !strstr(output, says))
    fail_msg("measure %s: '%s' lacks '%s'", arguments, output, says);
  assert_ptr_equal(strchr(output, '\n'), output + strlen(output) - 1);
}

static void refusals_are_one_line(void **state) {
  (void)state;
  char arguments[200];
  make_sound();
  expect_refusal("no/such/file.wav", 1, "no/such/file.wav: No such file");
  expect_refusal("'" CT_ROOT "/LICENSE'", 1, "wants a WAV file");
  expect_refusal("", 2, "missing");
  snprintf(arguments, sizeof arguments, "%s --band 5:x", sound_file);
  expect_refusal(arguments, 2, "LO:HI");
  snprintf(arguments, sizeof arguments, "%s --mode loud", sound_file);
  expect_refusal(arguments, 2, "frequency in Hz");
  snprintf(arguments, sizeof arguments, "%s --band 30000:40000", sound_file);
  expect_refusal(arguments, 1, "22050 Hz");
  sound nothing = {NULL, 0, 44100.0};
  write_wav(&nothing);
  expect_refusal(sound_file, 1, "no samples");
  remove(sound_file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_holds_the_numbers),
      cmocka_unit_test(table_has_rows),
      cmocka_unit_test(refusals_are_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
