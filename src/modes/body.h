/* What a body made of modes has in common with the thumps of its points. */
#ifndef CT_MODES_BODY_H
#define CT_MODES_BODY_H

#include <contatto/modes.h>

/* The impulse that the recorded gains answer to, of the body's masses as `weight` makes them; null: usual. */
double ct_modes_impulse_n_s(const ct_found_modes *found, const ct_modes_weight *weight);
/* How fast a mode of that body moves right after such an impulse, at the place that was struck. */
double ct_modes_struck_gain(const ct_found_modes *found, uint32_t place, uint32_t mode);

#endif
