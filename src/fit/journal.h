/* Answers that cost time, kept in a file as they come, so that a run that was ended can be taken up: a
 * search that is the same asks the same questions in the same order, and gets the kept answers at once. Lines
 * carry their own check, so that one cut short by the end of the process counts for nothing. */
#ifndef CT_FIT_JOURNAL_H
#define CT_FIT_JOURNAL_H

#include <contatto/base.h>

typedef struct ct_journal ct_journal;

/* `of` stands for everything the answers depend on. A file made for something else is refused. `width`
 * numbers an answer. [setup] */
ct_result ct_journal_open(const char *file, uint64_t of, uint32_t width, ct_journal **journal,
                          ct_error *error);
/* The next answer that was kept; false when there is none left. Null journals have none. [setup] */
bool ct_journal_next(ct_journal *journal, double *answer);
/* Keeps `count` answers, once all kept ones have been taken. [setup] */
ct_result ct_journal_add(ct_journal *journal, const double *answers, uint32_t count, ct_error *error);
void ct_journal_close(ct_journal *journal); /* null is fine */

#endif
