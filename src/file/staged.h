/* A file that appears only when it is complete: written under another name beside its target, brought to the
 * disk, and renamed at the end. A run that fails or is interrupted drops it and leaves the target as it was;
 * of a run that was killed a file ".contatto-PROCESS-NUMBER.part" is left, which the next one to write into
 * that folder removes. Devices and pipes, which cannot be replaced by renaming, are written directly. */
#ifndef CT_FILE_STAGED_H
#define CT_FILE_STAGED_H

#include <contatto/base.h>

#include <stdio.h>

typedef struct ct_staged ct_staged;

/* [setup] */
ct_result ct_staged_open(const char *target, ct_staged **staged, ct_error *error);
FILE *ct_staged_stream(ct_staged *staged);           /* open for reading and writing until closed */
const char *ct_staged_name(const ct_staged *staged); /* where the bytes are until it is kept */

/* For one of many files: their bytes need not be on the disk when they are kept. Whoever says so brings them
 * there together, or looks at them again before trusting them. [setup] */
void ct_staged_skip_sync(ct_staged *staged);

/* Everything is on disk, or an error says why not. [setup] */
ct_result ct_staged_close(ct_staged *staged, ct_error *error);
/* Takes the target's place; close it before. [setup] */
ct_result ct_staged_keep(ct_staged *staged, ct_error *error);
/* The same for several (null ones are skipped): a signal comes before the first or after the last. [setup] */
ct_result ct_staged_keep_all(ct_staged *const *staged, size_t count, ct_error *error);
/* Frees; removes what was not kept. Null is fine. [setup] */
void ct_staged_drop(ct_staged *staged);
/* Closes and keeps it if `result`, what writing came to, is good; drops it in any case. [setup] */
ct_result ct_staged_finish(ct_staged *staged, ct_result result, ct_error *error);

/* A whole file: `put` writes what is in it. [setup] */
typedef ct_result ct_staged_put(FILE *out, const void *context, ct_error *error);
ct_result ct_staged_write(const char *target, ct_staged_put *put, const void *context, ct_error *error);
/* A whole file of this text and a line end. [setup] */
ct_result ct_staged_write_text(const char *target, const char *text, ct_error *error);

/* What has to be put right before the process may end early: staged files to remove, children to end. Kept
 * for the whole process, because a signal asks the whole process to end. */

/* Part of what it undoes; `run` gets it back. */
typedef struct ct_undo ct_undo;
struct ct_undo {
  void (*run)(ct_undo *undo);
  ct_undo *next;
};

/* While it is locked, ct_undo_all waits: what happens in between happens whole or not at all. Nothing that
 * may wait for others (a pipe, a child) belongs in between. [any] */
void ct_undo_lock(void);
void ct_undo_unlock(void);

/* Both want the lock. [any] */
void ct_undo_add(ct_undo *undo);
void ct_undo_remove(ct_undo *undo);

/* Runs all of them, the latest first, and keeps the lock: the caller ends the process next. [any] */
void ct_undo_all(void);

#endif
