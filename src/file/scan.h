/* Files that a scene names: scans of surfaces, from a table or a sound file; bodies. */
#ifndef CT_FILE_SCAN_H
#define CT_FILE_SCAN_H

#include <contatto/doc.h>

typedef struct ct_scan_sound {
  double *heights; /* full scale is 1; free() it */
  uint32_t count;
} ct_scan_sound;

/* The first channel of a sound file. [setup] */
ct_result ct_scan_sound_read(const char *file, ct_scan_sound *scan, ct_error *error);

/* Where a file that a scene names lies, relative to `folder`; false when the name is empty or too long. [any]
 */
bool ct_outside_path(const char *folder, const char *file, char *path, size_t room);

/* What a scene in a folder names: the context of ct_outside_bring, which holds what it brought last. */
typedef struct ct_outside {
  const char *folder; /* "": where the program runs */
  char path[1024];
  char *text;
  ct_scan_sound scan;
} ct_outside;

/* Scans whose names end in .csv are tables, any other a sound file. [setup] */
ct_result ct_outside_bring(void *context, const char *kind, const char *name, ct_brought *brought,
                           ct_error *error);
void ct_outside_clear(ct_outside *outside); /* when reading is over */

#endif
