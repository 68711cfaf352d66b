/* Where a file name leads: the same file has many spellings. */
#ifndef CT_FILE_PLACE_H
#define CT_FILE_PLACE_H

#include <contatto/base.h>
#include <contatto/doc.h>

#include <limits.h>
#include <sys/types.h>

/* A path by value. One that is too long is cut here, and still too long for the system. */
typedef struct ct_file_path {
  char text[PATH_MAX + 2];
} ct_file_path;

/* A file of a folder; the name alone when it begins at the root or the folder is "". [any] */
ct_file_path ct_file_join(const char *folder, const char *name);
/* The part of a path before its last name, "." when there is none. [any] */
ct_file_path ct_file_folder(const char *path);

/* The full path without symbolic links, also of a file that is not there yet (its folder must be); free() it.
 * Null when the way there does not exist. [any] */
char *ct_place_resolve(const char *name);

/* A folder and those it lies in; fine when they are there. [setup] */
ct_result ct_place_make_folders(const char *folder, ct_error *error);

/* What a name stands for: a path, and, where something is there, the thing itself. */
typedef struct ct_place {
  ct_file_path path; /* resolved; "": nowhere yet */
  bool there;
  dev_t device;
  ino_t file;
  mode_t mode;
} ct_place;

ct_place ct_place_of(const char *name); /* [any] */
/* One file, whatever the names: by path, or by device and inode (hard links, mounts). Never true for
 * character devices: /dev/null may be anything's output. [any] */
bool ct_place_same(const ct_place *a, const ct_place *b);
/* Is `inner` the folder `outer`, or anywhere in it? `inner` need not exist. [any] */
bool ct_place_inside(const ct_place *inner, const ct_place *outer);

/* The files of one run: what it reads and what it will write. An output that is also an input, or another
 * output, is refused before anything is written, however it is spelled or linked. */

typedef struct ct_claim {
  ct_place place;
  char *name;
  bool output;
} ct_claim;

/* Starts as zeros. */
typedef struct ct_claims {
  ct_claim *items;
  size_t count, room;
} ct_claims;

/* Null names are fine: nothing is claimed. [setup] */
ct_result ct_claims_read(ct_claims *claims, const char *file, ct_error *error);
ct_result ct_claims_write(ct_claims *claims, const char *file, ct_error *error);
/* The files that loading a scene reads: its own and its scans. [setup] */
ct_result ct_doc_claim_files(const ct_doc *doc, const char *scene, ct_claims *claims, ct_error *error);
void ct_claims_free(ct_claims *claims);

#endif
