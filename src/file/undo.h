/* What has to be put right before the process may end early: staged files to remove, children to end. Kept
 * for the whole process, because a signal asks the whole process to end. */
#ifndef CT_FILE_UNDO_H
#define CT_FILE_UNDO_H

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
