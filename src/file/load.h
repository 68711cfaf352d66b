/* Scenes by name: a built-in one, or a file. What others may call is in <contatto/file.h>. */
#ifndef CT_FILE_LOAD_H
#define CT_FILE_LOAD_H

#include "file/builtin.h"
#include "file/place.h"
#include <contatto/base.h>
#include <contatto/doc.h>
#include <contatto/file.h>

/* Null when there is none of that name. [any] */
const struct ct_builtin_scene *ct_builtin_find(const char *name);

enum { CT_FOLDER_BYTES = 1024 };

/* Where the files lie that a scene names: beside its own; "" where the program runs. [any] */
void ct_scene_folder(const char *scene, char folder[CT_FOLDER_BYTES]);

/* Files that a scene names: scans of surfaces, from a table or a sound file; bodies. */

typedef struct ct_scan_sound {
  double *heights; /* full scale is 1; free() it */
  uint32_t count;
} ct_scan_sound;

/* Where a file that a scene names lies, relative to `folder`; false: the name is empty or too long. [any] */
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

/* A whole text file in memory. */

#define CT_TEXT_FILE_MOST (64u << 20) /* bytes; a larger one is not a scene or a gesture */

/* Zero-terminated, without the byte order mark some programs begin UTF-8 with; free() it. Refused: missing,
 * unreadable, a folder, too large, holding zero bytes or UTF-16. [setup] */
ct_result ct_text_file_read(const char *file, char **text, size_t *length, ct_error *error);

/* Gestures from comma-separated files: a header row with `time_s` and a control or parameter path per column,
 * then one row per moment. An empty cell: nothing happens to that column in that row. */

/* Refused with file, line and column: no time_s, a cell too many or few, not a finite number, time that does
 * not rise. Whether the paths exist is for the player to say. [setup] */
ct_result ct_gesture_read(const char *file, ct_gesture **gesture, ct_error *error);
void ct_gesture_free(ct_gesture *gesture);

#endif
