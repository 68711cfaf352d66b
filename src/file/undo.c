/* One list under one lock. */
#include "file/undo.h"

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static ct_undo *latest;

void ct_undo_lock(void) { pthread_mutex_lock(&guard); }

void ct_undo_unlock(void) { pthread_mutex_unlock(&guard); }

void ct_undo_add(ct_undo *undo) {
  undo->next = latest;
  latest = undo;
}

void ct_undo_remove(ct_undo *undo) {
  for (ct_undo **at = &latest; *at; at = &(*at)->next)
    if (*at == undo) {
      *at = undo->next;
      return;
    }
}

void ct_undo_all(void) {
  ct_undo_lock();
  for (ct_undo *undo = latest; undo; undo = undo->next)
    undo->run(undo);
  latest = NULL;
}
