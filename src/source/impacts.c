/* A Poisson process: times between blows are exponential, counted in mean distances so that the density may
 * change at any time. A blow has the shape t/T^2 exp(-t/T) and falls between samples, exactly: the two states
 * sum exp(-t/T) and t exp(-t/T) over all blows, and a new one enters with its own age. Signs and sizes are
 * even random numbers of variance 1, so (Campbell) the mean square is per_s integral of the shape squared,
 * per_s / 4 T. */
#include "source/action.h"

#include <math.h>

void ct_impacts_set_length(ct_impacts *m, double length_s) {
  if (length_s == m->length_s)
    return;
  m->length_s = length_s;
  m->decay = exp(-m->step_s / length_s);
}

void ct_impacts_init(ct_impacts *m, double rate_hz, double length_s, uint64_t seed) {
  *m = (ct_impacts){.random = {seed}, .step_s = 1 / rate_hz};
  m->left = -log(ct_random_share(&m->random));
  ct_impacts_set_length(m, length_s);
}

double ct_impacts_next(ct_impacts *m, double per_s) {
  m->swelling = (m->swelling + m->step_s * m->now) * m->decay;
  m->now *= m->decay;
  if (fabs(m->now) + fabs(m->swelling) < 1e-60) /* no denormal numbers */
    m->now = m->swelling = 0;
  m->left -= per_s * m->step_s;
  for (uint32_t i = 0; m->left < 0 && i < CT_IMPACTS_PER_SAMPLE; i++) {
    double age_s = fmin(-m->left / per_s, m->step_s);
    double size = sqrt(3) * ct_random_even(&m->random), left = exp(-age_s / m->length_s);
    m->now += size * left;
    m->swelling += size * age_s * left;
    m->left -= log(ct_random_share(&m->random));
  }
  m->left = fmax(m->left, 0);
  return m->swelling / (m->length_s * m->length_s);
}
