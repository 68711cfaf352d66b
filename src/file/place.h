/* Where a file name leads: the same file has many spellings. */
#ifndef CT_FILE_PLACE_H
#define CT_FILE_PLACE_H

#include <contatto/base.h>
#include <stdbool.h>
#include <sys/types.h>

/* The full path without symbolic links, also of a file that is not there yet (its folder must be); free() it.
 * Null when the way there does not exist. [any] */
char *ct_place_resolve(const char *name);

/* The part of a path before its last name, "." when there is none; free() it. Null without memory. [any] */
char *ct_place_folder(const char *path);

/* A folder and those it lies in; fine when they are there. [setup] */
ct_result ct_place_make_folders(const char *folder, ct_error *error);

/* What a name stands for: a path, and, where something is there, the thing itself. */
typedef struct ct_place {
  char *path; /* resolved; null: nowhere yet */
  bool there;
  dev_t device;
  ino_t file;
  mode_t mode;
} ct_place;

ct_place ct_place_of(const char *name); /* [any] */
void ct_place_free(ct_place *place);
/* One file, whatever the names: by path, or by device and inode (hard links, mounts). Never true for
 * character devices: /dev/null may be anything's output. [any] */
bool ct_place_same(const ct_place *a, const ct_place *b);
/* Is `inner` the folder `outer`, or anywhere in it? `inner` need not exist. [any] */
bool ct_place_inside(const ct_place *inner, const ct_place *outer);

#endif
