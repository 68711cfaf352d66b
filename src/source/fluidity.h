/* Two measures of how fluid a movement is, from its speed at an even rate (Balasubramanian et al. 2015). */
#ifndef CT_SOURCE_FLUIDITY_H
#define CT_SOURCE_FLUIDITY_H

#include <stddef.h>

/* -ln(T^3 / v_peak^2 integral v''^2 dt) over T seconds. NAN at rest. [any] */
double ct_log_jerk(double duration_s, double peak_m_s, double squared_m2_s5);

/* Minus the arc length of the speed's amplitude spectrum, normalised to 1 at 0 Hz, up to the last frequency
 * (at most CT_ARC_HZ) where it is above CT_ARC_FLOOR; frequency is normalised to that one. NAN at rest. [any]
 */
double ct_arc_length(const double *speed_m_s, size_t count, double rate_hz);

#define CT_ARC_HZ 10.0
#define CT_ARC_FLOOR 0.05
#define CT_ARC_STEPS 8u /* spectrum samples per 1 / duration */

#endif
