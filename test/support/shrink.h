/* Cuts a failing trial down: fewer parts, leaves, events and samples, as long as the judge has the same
 * complaint. */
#ifndef CT_TEST_SHRINK_H
#define CT_TEST_SHRINK_H

#include "support/judge.h"

void shrink_trial(trial *t, judge_complaint complaint);

#endif
