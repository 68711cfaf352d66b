/* WAV files read back sample by sample with libsndfile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/wav.h"

#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 1300 }; /* more than one chunk of the writer, and not a multiple of it */

static double sample(int channel, int frame) { return (channel + 1) * sin(0.01 * frame) * 1.7 / 3; }

static void check_file(const char *file, int channels, double rate_hz, int format) {
  SF_INFO info = {0};
  SNDFILE *in = sf_open(file, SFM_READ, &info);
  assert_non_null(in);
  assert_int_equal(info.frames, FRAMES);
  assert_int_equal(info.channels, channels);
  assert_int_equal(info.samplerate, (int)rate_hz);
  assert_int_equal(info.format, SF_FORMAT_WAV | format);
  for (int n = 0; n < FRAMES; n++) {
    double frame[CT_OUTPUTS_MOST];
    assert_int_equal(sf_readf_double(in, frame, 1), 1);
    for (int c = 0; c < channels; c++) {
      double wanted = format == SF_FORMAT_DOUBLE ? sample(c, n) : (double)(float)sample(c, n);
      assert_memory_equal(&frame[c], &wanted, sizeof wanted);
    }
  }
  sf_close(in);
  unlink(file);
}

static void finish(ct_wav *wav, const char *file) {
  ct_error error;
  assert_int_equal(ct_wav_close(wav, &error), CT_OK);
  assert_int_not_equal(access(file, F_OK), 0); /* not before it is kept */
  assert_int_equal(ct_staged_keep(ct_wav_staged(wav), &error), CT_OK);
  ct_wav_drop(wav);
}

/* Values beyond full scale are kept, not clipped. */
static void test_float_stereo(void **state) {
  (void)state;
  static float left[FRAMES], right[FRAMES];
  const float *const channels[] = {left, right};
  ct_wav *wav;
  ct_error error;
  for (int n = 0; n < FRAMES; n++) {
    left[n] = (float)sample(0, n);
    right[n] = (float)sample(1, n);
  }
  assert_int_equal(ct_wav_open("stereo.wav", 48000, 2, false, FRAMES, &wav, &error), CT_OK);
  assert_int_equal(ct_wav_write(wav, channels, FRAMES, &error), CT_OK);
  finish(wav, "stereo.wav");
  check_file("stereo.wav", 2, 48000, SF_FORMAT_FLOAT);
}

static void test_as_many_as_a_scene_has(void **state) {
  (void)state;
  static float heard[CT_OUTPUTS_MOST][FRAMES];
  const float *channels[CT_OUTPUTS_MOST];
  ct_wav *wav;
  ct_error error;
  for (int c = 0; c < (int)CT_OUTPUTS_MOST; c++) {
    channels[c] = heard[c];
    for (int n = 0; n < FRAMES; n++)
      heard[c][n] = (float)sample(c, n);
  }
  assert_int_equal(ct_wav_open("many.wav", 48000, CT_OUTPUTS_MOST, false, FRAMES, &wav, &error), CT_OK);
  assert_int_equal(ct_wav_write(wav, channels, FRAMES, &error), CT_OK);
  finish(wav, "many.wav");
  check_file("many.wav", CT_OUTPUTS_MOST, 48000, SF_FORMAT_FLOAT);
}

static void test_double_mono_in_pieces(void **state) {
  (void)state;
  static double mono[FRAMES];
  ct_wav *wav;
  ct_error error;
  for (int n = 0; n < FRAMES; n++)
    mono[n] = sample(0, n);
  assert_int_equal(ct_wav_open("mono.wav", 384000, 1, true, FRAMES, &wav, &error), CT_OK);
  for (int n = 0; n < FRAMES; n += 100) {
    const double *const channels[] = {mono + n};
    assert_int_equal(ct_wav_write_wide(wav, channels, 100, &error), CT_OK);
  }
  finish(wav, "mono.wav");
  check_file("mono.wav", 1, 384000, SF_FORMAT_DOUBLE);
}

/* Beyond 4 GB a plain WAV header cannot count; the name of the format that can is in the first bytes. */
static void test_long_files_change_format(void **state) {
  (void)state;
  ct_wav *wav;
  ct_error error;
  char magic[5] = "";
  const float silence[1] = {0};
  const float *const channels[] = {silence};
  assert_int_equal(ct_wav_open("long.wav", 48000, 1, false, 1100000000, &wav, &error), CT_OK);
  assert_int_equal(ct_wav_write(wav, channels, 1, &error), CT_OK);
  finish(wav, "long.wav");
  FILE *in = fopen("long.wav", "rb");
  assert_int_equal(fread(magic, 1, 4, in), 4);
  fclose(in);
  unlink("long.wav");
  assert_string_equal(magic, "RF64");
}

static void test_full_disk_is_told(void **state) {
  (void)state;
  static float silence[FRAMES];
  const float *const channels[] = {silence};
  ct_wav *wav = NULL;
  ct_error error = {.text = ""};
  ct_result result = ct_wav_open("/dev/full", 48000, 1, false, 1000, &wav, &error);
  for (int i = 0; i < 100 && result == CT_OK; i++)
    result = ct_wav_write(wav, channels, FRAMES, &error);
  assert_int_not_equal(result, CT_OK);
  assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
  ct_wav_drop(wav);
}

static void test_refusals(void **state) {
  (void)state;
  ct_wav *wav;
  ct_error error;
  assert_int_not_equal(ct_wav_open("more.wav", 48000, CT_OUTPUTS_MOST + 1, false, 1, &wav, &error), CT_OK);
  assert_int_not_equal(access("more.wav", F_OK), 0);
  assert_int_not_equal(ct_wav_open("nowhere/a.wav", 48000, 1, false, 1, &wav, &error), CT_OK);
  assert_string_equal(error.text, "nowhere/a.wav: cannot be written: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float_stereo),          cmocka_unit_test(test_as_many_as_a_scene_has),
      cmocka_unit_test(test_double_mono_in_pieces), cmocka_unit_test(test_long_files_change_format),
      cmocka_unit_test(test_full_disk_is_told),     cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
