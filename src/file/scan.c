/* Files that a scene names: scans of surfaces, from a table or a sound file; bodies. */
#include "base/text.h"
#include "file/load.h"

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sound files ---- */

enum { HEIGHTS_MOST = 1 << 23, CHUNK = 1024 };

static ct_result take_frames(const char *file, SNDFILE *sound, const SF_INFO *info, double *chunk,
                             ct_scan_sound *scan, ct_error *error) {
  for (sf_count_t got = 1; got > 0;) {
    sf_count_t left = info->frames - (sf_count_t)scan->count;
    got = sf_readf_double(sound, chunk, left < CHUNK ? left : CHUNK);
    for (sf_count_t i = 0; i < got; i++) {
      double height = chunk[i * info->channels];
      if (!isfinite(height))
        return ct_fail(error, CT_BAD_VALUE, "%.120s: frame %u is not a finite number", file, scan->count);
      scan->heights[scan->count++] = height;
    }
  }
  return CT_OK;
}

static ct_result take_first_channel(const char *file, SNDFILE *sound, const SF_INFO *info,
                                    ct_scan_sound *scan, ct_error *error) {
  double *chunk = malloc(sizeof *chunk * CHUNK * (size_t)info->channels);
  scan->heights = malloc(sizeof *scan->heights * (size_t)(info->frames > 0 ? info->frames : 1));
  ct_result result = chunk && scan->heights
                         ? take_frames(file, sound, info, chunk, scan, error)
                         : ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the scan", file);
  free(chunk);
  return result;
}

/* The first channel of a sound file. */
static ct_result read_sound(const char *file, ct_scan_sound *scan, ct_error *error) {
  SF_INFO info = {0};
  *scan = (ct_scan_sound){0};
  SNDFILE *sound = sf_open(file, SFM_READ, &info);
  if (!sound)
    return ct_fail(error, CT_BAD_PATH, "%.120s: cannot be read as a scan: %.100s", file, sf_strerror(NULL));
  ct_result result = info.frames > HEIGHTS_MOST
                         ? ct_fail(error, CT_BAD_VALUE, "%.120s: %lld heights; wants at most %d", file,
                                   (long long)info.frames, HEIGHTS_MOST)
                         : take_first_channel(file, sound, &info, scan, error);
  sf_close(sound);
  if (result != CT_OK) {
    free(scan->heights);
    scan->heights = NULL;
  }
  return result;
}

/* ---- what a document names ---- */

bool ct_outside_path(const char *folder, const char *file, char *path, size_t room) {
  int length =
      snprintf(path, room, "%s%s%s", *file == '/' ? "" : folder, *file == '/' || !*folder ? "" : "/", file);
  return *file && length >= 0 && (size_t)length < room;
}

void ct_outside_clear(ct_outside *outside) {
  free(outside->text);
  free(outside->scan.heights);
  outside->text = NULL;
  outside->scan = (ct_scan_sound){0};
}

ct_result ct_outside_bring(void *context, const char *kind, const char *name, ct_brought *brought,
                           ct_error *error) {
  ct_outside *o = context;
  ct_outside_clear(o);
  bool body = strcmp(kind, CT_OUTSIDE_BODY) == 0;
  if (!body && strcmp(kind, CT_OUTSIDE_SCAN) != 0)
    return ct_fail(error, CT_BAD_PATH, "'%.80s' cannot be read: not known as a kind of file: %.40s", name,
                   kind);
  if (!ct_outside_path(o->folder, name, o->path, sizeof o->path))
    return ct_fail(error, CT_BAD_PATH, "the name of its file is too long");
  brought->name = o->path;
  if (body || ct_ends_with(o->path, ".csv"))
    CT_TRY(ct_text_file_read(o->path, &o->text, &brought->length, error));
  else
    CT_TRY(read_sound(o->path, &o->scan, error));
  brought->text = o->text;
  brought->numbers = o->scan.heights;
  brought->count = o->scan.count;
  return CT_OK;
}
