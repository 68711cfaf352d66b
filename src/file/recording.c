#include "file/recording.h"
#include "base/text.h"
#include "file/sound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether a WAV file is as long as it says: libsndfile takes half a file for a whole one ---- */

static uint32_t little_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Bytes that are missing at the end of the chunk with the samples. Sizes near 4 GB are of programs that did
 * not know how long it would get. */
static long missing_bytes(FILE *file) {
  unsigned char head[12], chunk[8];
  if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "RIFF", 4) != 0 ||
      memcmp(head + 8, "WAVE", 4) != 0)
    return 0;
  while (fread(chunk, 1, sizeof chunk, file) == sizeof chunk) {
    uint32_t size = little_endian(chunk + 4);
    long start = ftell(file);
    if (memcmp(chunk, "data", 4) == 0) {
      fseek(file, 0, SEEK_END);
      long there = ftell(file) - start;
      return size < 0x7fffffff && (long)size > there ? (long)size - there : 0;
    }
    if (size > 0x7ffffff0 || fseek(file, (long)size + (size & 1), SEEK_CUR) != 0)
      return 0;
  }
  return 0;
}

static ct_result check_whole(const char *name, ct_error *error) {
  FILE *file = strcmp(name, "-") ? fopen(name, "rb") : NULL;
  const long missing = file ? missing_bytes(file) : 0;
  if (file)
    fclose(file);
  return missing ? ct_fail(error, CT_BAD_FILE, "%.200s: ends early, %ld bytes of its samples are missing",
                           name, missing)
                 : CT_OK;
}

/* ---- samples ---- */

static ct_result read_samples(const char *file, ct_sound *sound, ct_recorded *r, ct_error *error) {
  ct_windows *mono = ct_sound_mono(sound);
  r->count = mono->count;
  r->rate_hz = mono->rate_hz;
  if (!(r->samples = malloc((mono->count + 1) * sizeof *r->samples)))
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory", file);
  ct_windows_copy(mono, 0, mono->count, r->samples);
  CT_TRY(ct_sound_check(sound, error));
  const size_t bad = ct_sound_bad_samples(sound);
  return bad ? ct_fail(error, CT_BAD_VALUE, "%.200s: %zu samples are not finite", file, bad) : CT_OK;
}

static ct_result check_length(const char *file, ct_sound *sound, double least_s, double most_s,
                              const char *what, ct_error *error) {
  const ct_windows *mono = ct_sound_mono(sound);
  const double seconds = (double)mono->count / mono->rate_hz;
  if (seconds >= least_s && seconds <= most_s)
    return CT_OK;
  char range[48];
  if (least_s > 0)
    ct_format(range, sizeof range, "%g to %g s", least_s, most_s);
  else
    ct_format(range, sizeof range, "at most %g s", most_s);
  return ct_fail(error, CT_BAD_VALUE, "%.160s: lasts %g s; wants %s, %s", file, round(1e3 * seconds) / 1e3,
                 what, range);
}

ct_result ct_recording_read(const char *file, double least_s, double most_s, const char *what,
                            ct_recorded *recorded, ct_error *error) {
  ct_sound *sound = NULL;
  *recorded = (ct_recorded){0};
  CT_TRY(check_whole(file, error));
  ct_result result = ct_sound_open(file, &sound, error);
  if (result == CT_OK)
    result = check_length(file, sound, least_s, most_s, what, error);
  if (result == CT_OK)
    result = read_samples(file, sound, recorded, error);
  ct_sound_close(sound);
  if (result != CT_OK) {
    free(recorded->samples);
    *recorded = (ct_recorded){0};
  }
  return result;
}
