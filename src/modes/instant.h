/* The instant at which a body was struck, once its modes are known. */
#ifndef CT_MODES_INSTANT_H
#define CT_MODES_INSTANT_H

#include "modes/search.h"

/* The sample of the recording at which strike g most likely starts. *memory is set to false without any. */
size_t ct_instant(const ct_search *search, uint32_t strike, bool *memory);

#endif
