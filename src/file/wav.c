/* WAV and FLAC through libsndfile, over a stream of ours so that a full disk is seen and named. */
#include "file/wav.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; /* frames */

struct ct_wav {
  ct_staged *staged;
  SNDFILE *sound;
  char *name;
  uint32_t channels;
  bool flac;
  int why; /* errno of the first write that failed */
};

/* ---- the stream as libsndfile wants it ---- */

static FILE *stream_of(void *user) { return ct_staged_stream(((ct_wav *)user)->staged); }

static sf_count_t stream_tell(void *user) { return ftello(stream_of(user)); }

static sf_count_t stream_seek(sf_count_t offset, int whence, void *user) {
  return fseeko(stream_of(user), offset, whence) == 0 ? stream_tell(user) : -1;
}

static sf_count_t stream_length(void *user) {
  sf_count_t here = stream_tell(user);
  stream_seek(0, SEEK_END, user);
  sf_count_t length = stream_tell(user);
  stream_seek(here, SEEK_SET, user);
  return length;
}

static sf_count_t stream_read(void *data, sf_count_t count, void *user) {
  return (sf_count_t)fread(data, 1, (size_t)count, stream_of(user));
}

static sf_count_t stream_write(const void *data, sf_count_t count, void *user) {
  ct_wav *w = user;
  errno = 0;
  size_t done = fwrite(data, 1, (size_t)count, stream_of(user));
  if (done != (size_t)count && !w->why)
    w->why = errno ? errno : EIO;
  return (sf_count_t)done;
}

/* ---- writing ---- */

static ct_result cannot_write(const ct_wav *w, ct_error *error) {
  const char *why = w->why ? strerror(w->why) : sf_strerror(w->sound);
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: %s", w->name, why);
}

/* ---- FLAC ---- */

static const double flac_full_scale = 0x1p23;

static double flac_whole(double sample) {
  return rint(fmax(-flac_full_scale, fmin(flac_full_scale - 1, sample * flac_full_scale)));
}

double ct_flac_rounded(double sample) { return flac_whole(sample) / flac_full_scale; }

/* ---- both ---- */

/* No peak chunk: it carries the time of day, and the same render must give the same bytes. */
static ct_result open_sound(ct_wav *w, double rate_hz, bool wide, uint64_t frames, ct_error *error) {
  SF_VIRTUAL_IO io = {stream_length, stream_seek, stream_read, stream_write, stream_tell};
  uint64_t bytes = frames * w->channels * (wide ? 8 : 4);
  SF_INFO info = {.samplerate = (int)(rate_hz + 0.5), .channels = (int)w->channels};
  info.format = bytes < 0xf0000000u ? SF_FORMAT_WAV : SF_FORMAT_RF64;
  info.format |= wide ? SF_FORMAT_DOUBLE : SF_FORMAT_FLOAT;
  if (w->flac)
    info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_24;
  if (fseeko(ct_staged_stream(w->staged), 0, SEEK_SET) != 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: a WAV file cannot go into a pipe",
                   w->name);
  w->sound = sf_open_virtual(&io, SFM_WRITE, &info, w);
  if (!w->sound)
    return cannot_write(w, error);
  sf_command(w->sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  return CT_OK;
}

ct_result ct_wav_open(const char *file, double rate_hz, uint32_t channels, bool wide, uint64_t frames,
                      ct_wav **wav, ct_error *error) {
  if (channels < 1 || channels > CT_OUTPUTS_MOST)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.200s: cannot have %u channels; wants 1 to %u", file, channels,
                   CT_OUTPUTS_MOST);
  ct_wav *w = calloc(1, sizeof *w);
  if (!w || !(w->name = strdup(file))) {
    free(w);
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to write it", file);
  }
  w->channels = channels;
  w->flac = ct_ends_with(file, ".flac");
  ct_result result = ct_staged_open(file, &w->staged, error);
  if (result == CT_OK)
    result = open_sound(w, rate_hz, wide, frames, error);
  if (result == CT_OK)
    *wav = w;
  else
    ct_wav_drop(w);
  return result;
}

/* FLAC as whole numbers: libsndfile's own rounding of fractions differs at full scale from how it reads them.
 */
ct_result ct_wav_write_woven(ct_wav *w, const double *woven, size_t frames, ct_error *error) {
  int whole[CHUNK * CT_OUTPUTS_MOST];
  for (size_t start = 0; start < frames; start += CHUNK) {
    const size_t count = frames - start < CHUNK ? frames - start : CHUNK;
    const double *from = woven + start * w->channels;
    for (size_t i = 0; w->flac && i < count * w->channels; i++)
      whole[i] = (int)flac_whole(from[i]) * 256;
    const sf_count_t done = w->flac ? sf_writef_int(w->sound, whole, (sf_count_t)count)
                                    : sf_writef_double(w->sound, from, (sf_count_t)count);
    if (done != (sf_count_t)count || w->why)
      return cannot_write(w, error);
  }
  return CT_OK;
}

/* From one of the two; a float that went through a double is the same float. */
static ct_result write_frames(ct_wav *w, const float *const *narrow, const double *const *wide,
                              uint32_t frames, ct_error *error) {
  double woven[CHUNK * CT_OUTPUTS_MOST];
  for (uint32_t start = 0; start < frames; start += CHUNK) {
    uint32_t count = frames - start < CHUNK ? frames - start : CHUNK;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t c = 0; c < w->channels; c++)
        woven[i * w->channels + c] = narrow ? (double)narrow[c][start + i] : wide[c][start + i];
    CT_TRY(ct_wav_write_woven(w, woven, count, error));
  }
  return CT_OK;
}

ct_result ct_wav_write(ct_wav *w, const float *const *channels, uint32_t frames, ct_error *error) {
  return write_frames(w, channels, NULL, frames, error);
}

ct_result ct_wav_write_wide(ct_wav *w, const double *const *channels, uint32_t frames, ct_error *error) {
  return write_frames(w, NULL, channels, frames, error);
}

ct_result ct_wav_close(ct_wav *w, ct_error *error) {
  if (w->sound)
    sf_close(w->sound);
  w->sound = NULL;
  if (w->why)
    return cannot_write(w, error);
  return ct_staged_close(w->staged, error);
}

ct_staged *ct_wav_staged(ct_wav *w) { return w ? w->staged : NULL; }

void ct_wav_drop(ct_wav *w) {
  if (!w)
    return;
  if (w->sound)
    sf_close(w->sound);
  ct_staged_drop(w->staged);
  free(w->name);
  free(w);
}

ct_result ct_wav_finish(ct_wav *w, ct_result result, ct_error *error) {
  if (result == CT_OK)
    result = ct_wav_close(w, error);
  if (result == CT_OK)
    result = ct_staged_keep(w->staged, error);
  ct_wav_drop(w);
  return result;
}
