/* Sound files read by windows: the same samples wherever one looks, in whatever order. */
#include "file/sound.h"

#include <setjmp.h>
#include <sndfile.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { FRAMES = 700000, CHANNELS = 3, RATE = 48000 };

static const char *const file = "test_file_sound.wav";
static float *made;

static uint32_t random_below(uint32_t end) {
  static uint32_t state = 7;
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)state * end >> 32);
}

static int write_file(void **state) {
  (void)state;
  SF_INFO info = {.samplerate = RATE, .channels = CHANNELS, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  made = malloc(sizeof *made * FRAMES * CHANNELS);
  SNDFILE *out = sf_open(file, SFM_WRITE, &info);
  if (!made || !out)
    return -1;
  for (int i = 0; i < FRAMES * CHANNELS; i++)
    made[i] = (float)random_below(1u << 24) / (1u << 23) - 1;
  made[5] = NAN;
  made[FRAMES] = INFINITY;
  made[FRAMES * CHANNELS - 1] = -INFINITY;
  sf_writef_float(out, made, FRAMES);
  return sf_close(out);
}

static int remove_file(void **state) {
  (void)state;
  free(made);
  return remove(file);
}

static ct_sound *open_file(void) {
  ct_sound *sound = NULL;
  ct_error error = {.text = ""};
  assert_int_equal(ct_sound_open(file, &sound, &error), CT_OK);
  return sound;
}

static double sample(size_t at) { return isfinite(made[at]) ? (double)made[at] : 0; }

static void look(ct_windows *all, ct_windows *mono, size_t start, size_t count) {
  const double *x = all->at(all, start, count);
  assert_non_null(x);
  for (size_t n = 0; n < count * CHANNELS; n++)
    if (x[n] != sample(start * CHANNELS + n))
      fail_msg("sample %zu of the window at %zu", n, start);
  x = mono->at(mono, start, count);
  assert_non_null(x);
  for (size_t n = 0; n < count; n++) {
    double sum = 0;
    for (size_t c = 0; c < CHANNELS; c++)
      sum += sample((start + n) * CHANNELS + c);
    if (x[n] != sum / CHANNELS)
      fail_msg("mean %zu of the window at %zu", n, start);
  }
}

static void windows_show_the_file(void **state) {
  (void)state;
  ct_error error = {.text = ""};
  ct_sound *sound = open_file();
  ct_windows *all = ct_sound_all(sound), *mono = ct_sound_mono(sound);
  assert_true(all->count == FRAMES && all->channels == CHANNELS && mono->count == FRAMES &&
              mono->channels == 1);
  for (size_t start = 0; start < FRAMES; start += 30000) /* forward, overlapping */
    look(all, mono, start, FRAMES - start < 50000 ? FRAMES - start : 50000);
  look(all, mono, 0, 1);
  look(all, mono, FRAMES - 1, 1);
  look(all, mono, 0, FRAMES);
  for (int i = 0; i < 300; i++) { /* anywhere, forward and back */
    size_t start = random_below(FRAMES), most = FRAMES - start;
    look(all, mono, start, 1 + random_below((uint32_t)(most < 20000 ? most : 20000)));
  }
  assert_int_equal(ct_sound_bad_samples(sound), 3);
  assert_int_equal(ct_sound_check(sound, &error), CT_OK);
  ct_sound_close(sound);
}

static void an_early_end_is_noticed(void **state) {
  (void)state;
  ct_error error = {.text = ""};
  assert_int_equal(truncate(file, 44 + 4 * CHANNELS * 1000), 0);
  ct_sound *sound = NULL;
  if (ct_sound_open(file, &sound, &error) == CT_OK) { /* libsndfile may believe the file's size instead */
    ct_windows *mono = ct_sound_mono(sound);
    if (mono->count > 2000) {
      assert_null(mono->at(mono, 500, 1500));
      assert_int_not_equal(ct_sound_check(sound, &error), CT_OK);
      assert_non_null(strstr(error.text, "ends early"));
    }
    ct_sound_close(sound);
  }
}

/* A header alone may promise anything. */
static void limits_come_first(void **state) {
  (void)state;
  static const struct {
    int rate, channels;
    const char *says;
  } wrong[] = {{2000000, 1, "wants at most 1000000 Hz"},
               {1, 2, "hours long by its header; wants at most 24"}};
  static const unsigned char head[44] = "RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0\x01\0";
  for (size_t i = 0; i < 2; i++) {
    unsigned char bytes[44];
    uint32_t rate = (uint32_t)wrong[i].rate, size = 0x7fffff00;
    memcpy(bytes, head, sizeof bytes);
    bytes[22] = (unsigned char)wrong[i].channels;
    for (int k = 0; k < 4; k++) {
      bytes[24 + k] = (unsigned char)(rate >> (8 * k));
      bytes[28 + k] = (unsigned char)((rate * (uint32_t)wrong[i].channels) >> (8 * k));
      bytes[40 + k] = (unsigned char)(size >> (8 * k));
    }
    bytes[32] = (unsigned char)wrong[i].channels;
    bytes[34] = 8;
    memcpy(bytes + 36, "data", 4);
    FILE *out = fopen("test_file_sound_limit.wav", "wb");
    assert_non_null(out);
    fwrite(bytes, 1, sizeof bytes, out);
    fseek(out, 44 + 0x7ffffeff, SEEK_SET); /* a hole: no disk */
    fputc(0, out);
    fclose(out);
    ct_sound *sound = NULL;
    ct_error error = {.text = ""};
    assert_int_not_equal(ct_sound_open("test_file_sound_limit.wav", &sound, &error), CT_OK);
    if (!strstr(error.text, wrong[i].says))
      fail_msg("'%s' lacks '%s'", error.text, wrong[i].says);
    remove("test_file_sound_limit.wav");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(windows_show_the_file),
                                     cmocka_unit_test(an_early_end_is_noticed),
                                     cmocka_unit_test(limits_come_first)};
  return cmocka_run_group_tests(tests, write_file, remove_file);
}
