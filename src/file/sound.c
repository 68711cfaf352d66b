/* Sound files through libsndfile. A view keeps the frames that were asked for last, some before them, and a
 * chunk ahead; going forward it reads every frame once. */
#include "file/sound.h"
#include "base/grow.h"
#include "base/text.h"

#include <errno.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_SAMPLES = 1 << 17 };
#define SPOOL_MOST ((sf_count_t)1 << 29) /* samples of 8 bytes */
static const double kept_s = 0.1;        /* of the mean, before what was asked for last */
enum { KEPT_FRAMES = 64 };               /* of all channels */

typedef struct view {
  ct_windows windows; /* first, so that a pointer to it is a pointer to all */
  ct_sound *sound;
  double *frames;             /* from `first` on */
  size_t first, filled, room; /* frames */
  size_t kept;                /* frames before what was asked for last */
} view;

struct ct_sound {
  char *name;
  SNDFILE *file;
  FILE *spool; /* a copy of what cannot be gone back in; null: none */
  size_t frames, channels, position;
  double *chunk; /* as read: all channels */
  size_t chunk_frames;
  size_t looked_at; /* frames whose bad samples are counted */
  size_t bad_samples;
  bool ends_early;
  view all, mono;
};

/* ---- reading ---- */

static void count_bad(ct_sound *s, size_t start, size_t count) {
  for (size_t n = 0; n < count * s->channels; n++) {
    if (isfinite(s->chunk[n]))
      continue;
    s->bad_samples += start + n / s->channels >= s->looked_at ? 1 : 0;
    s->chunk[n] = 0.0;
  }
  s->looked_at = start + count > s->looked_at ? start + count : s->looked_at;
}

/* Reads frames into the chunk, finite ones; at most a chunk. */
static bool read_chunk(ct_sound *s, size_t start, size_t count) {
  const bool there =
      s->position == start || sf_seek(s->file, (sf_count_t)start, SEEK_SET) == (sf_count_t)start;
  const sf_count_t got = there ? sf_readf_double(s->file, s->chunk, (sf_count_t)count) : 0;
  s->position = there ? start + (size_t)(got > 0 ? got : 0) : s->position;
  s->ends_early |= got != (sf_count_t)count;
  if (!s->ends_early)
    count_bad(s, start, count);
  return !s->ends_early;
}

static void append(view *v, size_t count) {
  const ct_sound *s = v->sound;
  double *to = v->frames + v->filled * v->windows.channels;
  if (v->windows.channels == s->channels)
    memcpy(to, s->chunk, count * s->channels * sizeof *to);
  else
    for (size_t n = 0; n < count; n++) {
      double sum = 0.0;
      for (size_t c = 0; c < s->channels; c++)
        sum += s->chunk[n * s->channels + c];
      to[n] = sum / (double)s->channels;
    }
  v->filled += count;
}

/* Drops what lies too far before `start`; all of it when `start` is not within reach. */
static void drop_before(view *v, size_t start) {
  size_t wanted = start > v->kept ? start - v->kept : 0;
  bool reached = start >= v->first && start <= v->first + v->filled;
  size_t from = !reached ? start : wanted > v->first ? wanted : v->first;
  size_t dropped = reached ? from - v->first : v->filled;
  if (v->filled > dropped)
    memmove(v->frames, v->frames + dropped * v->windows.channels,
            (v->filled - dropped) * v->windows.channels * sizeof *v->frames);
  v->filled -= dropped;
  v->first = from;
}

static bool read_up_to(view *v, size_t start, size_t end) {
  size_t count = v->windows.count, chunk = v->sound->chunk_frames;
  size_t ahead = count - end < chunk ? count : end + chunk;
  drop_before(v, start);
  if (!ct_grow(&v->frames, &v->room, ahead - v->first, v->windows.channels * sizeof *v->frames))
    return false;
  while (v->first + v->filled < ahead) {
    size_t at = v->first + v->filled, left = ahead - at, frames = left < chunk ? left : chunk;
    if (!read_chunk(v->sound, at, frames))
      return false;
    append(v, frames);
  }
  return true;
}

static const double *at_view(ct_windows *windows, size_t start, size_t count) {
  view *v = (view *)(void *)windows;
  if (start < v->first || start + count > v->first + v->filled)
    if (!read_up_to(v, start, start + count))
      return NULL;
  return v->frames + (start - v->first) * windows->channels;
}

/* ---- opening ---- */

static ct_result no_sound_file(const char *file, ct_error *error) {
  const char *reason = sf_strerror(NULL), *prefix = "System error : ";
  size_t skip = strncmp(reason, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
  char words[160];
  snprintf(words, sizeof words, "%.*s", (int)strcspn(reason + skip, ".\n"), reason + skip);
  return ct_fail(error, CT_BAD_FILE, "%.160s: %s; wants a WAV file, or another sound file", file, words);
}

static ct_result check_limits(const ct_sound *s, const SF_INFO *info, ct_error *error) {
  if (info->frames <= 0)
    return ct_fail(error, CT_BAD_FILE, "%.200s: holds no samples, wants at least one", s->name);
  if (info->samplerate < 1 || info->samplerate > CT_SOUND_MOST_HZ || info->channels < 1 ||
      info->channels > CT_SOUND_MOST_CHANNELS)
    return ct_fail(error, CT_BAD_FILE, "%.160s: %d Hz, %d channels; wants at most %d Hz and %d channels",
                   s->name, info->samplerate, info->channels, CT_SOUND_MOST_HZ, CT_SOUND_MOST_CHANNELS);
  if ((double)info->frames > CT_SOUND_MOST_S * info->samplerate)
    return ct_fail(error, CT_BAD_FILE, "%.160s: is %g hours long by its header; wants at most %g", s->name,
                   floor((double)info->frames / info->samplerate / 3600), CT_SOUND_MOST_S / 3600);
  return CT_OK;
}

/* Everything through a second file that can be gone back in, under no name. */
static ct_result copy_frames(ct_sound *s, SNDFILE *to, sf_count_t frames, ct_error *error) {
  for (sf_count_t left = frames; left > 0;) {
    sf_count_t count = left < (sf_count_t)s->chunk_frames ? left : (sf_count_t)s->chunk_frames;
    if (sf_readf_double(s->file, s->chunk, count) != count) {
      s->ends_early = true;
      return ct_sound_check(s, error);
    }
    if (sf_writef_double(to, s->chunk, count) != count)
      return ct_fail(error, CT_BAD_FILE, "%.200s: no room for a temporary copy", s->name);
    left -= count;
  }
  return CT_OK;
}

static ct_result spool(ct_sound *s, const SF_INFO *info, ct_error *error) {
  SF_INFO copy = {.samplerate = info->samplerate,
                  .channels = info->channels,
                  .format = SF_FORMAT_RF64 | SF_FORMAT_DOUBLE};
  if (info->frames > SPOOL_MOST / info->channels)
    return ct_fail(error, CT_BAD_FILE, "%.160s: too long for a pipe; wants a file, or at most %g s", s->name,
                   floor((double)SPOOL_MOST / info->channels / info->samplerate));
  s->spool = tmpfile();
  SNDFILE *to = s->spool ? sf_open_fd(fileno(s->spool), SFM_WRITE, &copy, SF_FALSE) : NULL;
  if (!to)
    return ct_fail(error, CT_BAD_FILE, "%.200s: no temporary copy: %s", s->name, strerror(errno));
  ct_result result = copy_frames(s, to, info->frames, error);
  sf_close(to);
  sf_close(s->file);
  copy.format = 0;
  lseek(fileno(s->spool), 0, SEEK_SET);
  s->file = sf_open_fd(fileno(s->spool), SFM_READ, &copy, SF_FALSE);
  if (result == CT_OK && !s->file)
    result = ct_fail(error, CT_BAD_FILE, "%.200s: no temporary copy: %.100s", s->name, sf_strerror(NULL));
  return result;
}

static view view_of(ct_sound *s, size_t channels, double rate_hz, size_t kept) {
  return (view){.windows = {.at = at_view, .count = s->frames, .channels = channels, .rate_hz = rate_hz},
                .sound = s,
                .kept = kept};
}

static ct_result set_up(ct_sound *s, const SF_INFO *info, ct_error *error) {
  CT_TRY(check_limits(s, info, error));
  s->frames = (size_t)info->frames;
  s->channels = (size_t)info->channels;
  s->chunk_frames = CHUNK_SAMPLES / s->channels;
  s->chunk = malloc(s->chunk_frames * s->channels * sizeof *s->chunk);
  if (!s->chunk)
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to read it", s->name);
  s->all = view_of(s, s->channels, info->samplerate, KEPT_FRAMES);
  s->mono = view_of(s, 1, info->samplerate, (size_t)(kept_s * info->samplerate));
  return info->seekable ? CT_OK : spool(s, info, error);
}

ct_result ct_sound_open(const char *file, ct_sound **sound, ct_error *error) {
  SF_INFO info = {0};
  ct_sound *s = calloc(1, sizeof *s);
  if (!s || !(s->name = strdup(file))) {
    free(s);
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to read it", file);
  }
  s->file = sf_open(file, SFM_READ, &info);
  ct_result result = s->file ? set_up(s, &info, error) : no_sound_file(file, error);
  if (result == CT_OK)
    *sound = s;
  else
    ct_sound_close(s);
  return result;
}

void ct_sound_close(ct_sound *s) {
  if (!s)
    return;
  if (s->file)
    sf_close(s->file);
  if (s->spool)
    fclose(s->spool);
  free(s->all.frames);
  free(s->mono.frames);
  free(s->chunk);
  free(s->name);
  free(s);
}

ct_windows *ct_sound_all(ct_sound *s) { return &s->all.windows; }

ct_windows *ct_sound_mono(ct_sound *s) { return &s->mono.windows; }

size_t ct_sound_bad_samples(const ct_sound *s) { return s->bad_samples; }

ct_result ct_sound_check(const ct_sound *s, ct_error *error) {
  if (!s->ends_early)
    return CT_OK;
  return ct_fail(error, CT_BAD_FILE, "%.160s: ends early, its header promises %llu frames", s->name,
                 (unsigned long long)s->frames);
}

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
