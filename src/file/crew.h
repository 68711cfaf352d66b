/* Many independent jobs on all cores. */
#ifndef CT_FILE_CREW_H
#define CT_FILE_CREW_H

#include <contatto/base.h>

/* Does job `index`; several at once, so each writes to a place of its own. */
typedef ct_result ct_crew_job(void *context, uint32_t index, ct_error *error);

/* Jobs 0 .. count - 1, each once, on `threads` threads (0: as many as there are cores). The result does not
 * depend on their number: of several failures the one with the lowest index is told. [setup] */
ct_result ct_crew_run(uint32_t threads, uint32_t count, ct_crew_job *job, void *context, ct_error *error);

#endif
