/* ctest: plain timeout=1200
 * `contatto measure` of long files: memory that does not grow with them, the same answers wherever the sound
 * is, and what comes through a pipe. Instrumented builds reserve address space that a limit would forbid. */
#define _POSIX_C_SOURCE 200809L
#include "contatto/measure.h"

#include <sndfile.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "test_measure_signals.h"

static int run(const char *command, char *output, size_t room) {
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

/* Silence of so many seconds, with two strikes of a 440 Hz mode, t60 1 s, the second one louder. */
static void write_flac(const char *file, double seconds, double first_s, double second_s) {
  enum { chunk = 48000 };
  SF_INFO info = {.samplerate = 48000, .channels = 1, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_24};
  SNDFILE *out = sf_open(file, SFM_WRITE, &info);
  static double samples[chunk];
  assert_non_null(out);
  for (double at = 0.0; at < seconds; at += 1.0) {
    for (int n = 0; n < chunk; n++) {
      const double t = at + n / 48000.0;
      const double since = t >= second_s ? t - second_s : t - first_s, loud = t >= second_s ? 0.5 : 0.1;
      const int rings = since >= 0.0 && since < 3.0;
      samples[n] = rings ? loud * exp(-log(1000.0) * since) * sin(TWO_PI * 440.0 * since) : 0.0;
    }
    sf_writef_double(out, samples, chunk);
  }
  assert_int_equal(sf_close(out), 0);
}

/* 10 minutes are 230 MB as doubles, and were held five times over. 200 MB of address space, the libraries and
 * threads included, have to do. */
static void memory_does_not_grow(void **state) {
  (void)state;
  static char output[200000];
  const char *file = "test_measure_long.flac";
  write_flac(file, 600.0, 150.0, 450.0);
  assert_int_equal(run("ulimit -v 204800; '" CT_PROGRAM
                       "' measure --json --mode 440 test_measure_long.flac 2>&1",
                       output, sizeof output),
                   0);
  check_near("duration", number_after(output, "\"duration_s\":"), 600.0, 1e-6);
  check_near("pitch", ct_measure_cents(number_after(output, "\"pitch_hz\":"), 440.0), 0.0, 1.0);
  check_near("t60", number_after(output, "\"t60_s\":"), 1.0, 0.01);
  check_near("level", number_after(output, "\"level_db\":"), 20.0 * log10(0.5), 0.5);
  check_near("onsets", number_after(output, "\"onset_count\":"), 2.0, 0.0);
  const char *onsets = strstr(output, "\"onsets\":");
  assert_non_null(onsets);
  check_near("first onset", number_after(onsets, "\"time_s\":"), 150.0, 0.002);
  const double most_s = (1 << 22) / 48000.0;
  check_near("excerpt", number_after(output, "\"excerpt_s\":"), most_s, 1e-6);
  check_near("its start", number_after(output, "\"excerpt_start_s\":"), 450.0 - most_s / 8.0, 0.01);
  remove(file);
}

/* That an excerpt was taken is said in words too. */
static void excerpts_are_told(void **state) {
  (void)state;
  static char output[200000];
  const char *file = "test_measure_long.flac";
  write_flac(file, 150.0, 10.0, 120.0);
  assert_int_equal(
      run("'" CT_PROGRAM "' measure --mode 440 test_measure_long.flac 2>&1", output, sizeof output), 0);
  const double most_s = (1 << 22) / 48000.0;
  check_near("told", number_after(output, "decays, modulation: from"), 150.0 - most_s, 0.01);
  remove(file);
}

static void pipes_are_files(void **state) {
  (void)state;
  static char whole[200000], piped[200000];
  assert_int_equal(
      run("'" CT_PROGRAM "' render hammer --seconds 1 -o test_measure_long.wav", whole, sizeof whole), 0);
  assert_int_equal(run("'" CT_PROGRAM "' measure --json test_measure_long.wav 2>&1", whole, sizeof whole), 0);
  assert_int_equal(
      run("cat test_measure_long.wav | '" CT_PROGRAM "' measure --json - 2>&1", piped, sizeof piped), 0);
  const char *a = strstr(whole, "\"duration_s\""), *b = strstr(piped, "\"duration_s\"");
  assert_true(a && b);
  assert_string_equal(a, b);
  assert_int_equal(
      run("head -c 9000 test_measure_long.wav | '" CT_PROGRAM "' measure - 2>&1", piped, sizeof piped), 1);
  assert_non_null(strstr(piped, "ends early"));
  remove("test_measure_long.wav");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_does_not_grow),
                                     cmocka_unit_test(excerpts_are_told), cmocka_unit_test(pipes_are_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
