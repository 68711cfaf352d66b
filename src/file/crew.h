/* Many independent jobs on all cores. */
#ifndef CT_FILE_CREW_H
#define CT_FILE_CREW_H

#include <contatto/base.h>
#include <pthread.h>

enum { CT_CREW_MOST = 64 }; /* threads */

/* Does job `index`; several at once, so each writes to a place of its own. */
typedef ct_result ct_crew_job(void *context, uint32_t index, ct_error *error);

/* Jobs 0 .. count - 1, each once, on `threads` threads (0: as many as there are cores). The result does not
 * depend on their number: of several failures the one with the lowest index is reported. [setup] */
ct_result ct_crew_run(uint32_t threads, uint32_t count, ct_crew_job *job, void *context, ct_error *error);

/* What is dear to make and used by one job at a time, such as a document: given back, it waits for the next
 * one. At most as many as there are threads. */
typedef struct ct_crew_shelf {
  pthread_mutex_t lock; /* holds what follows */
  void *items[CT_CREW_MOST];
  uint32_t count;
} ct_crew_shelf;

void *ct_crew_take(ct_crew_shelf *shelf); /* null: there is none. [setup] */
void ct_crew_give(ct_crew_shelf *shelf, void *item);

#endif
