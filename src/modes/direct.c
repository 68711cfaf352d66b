/* A room answers every sample of the direct sound with a tail r that falls like its reverberation: a strike
 * sounds like m + r * m, m its modes. To a mode that rings longer than the room that is, in the end, the same
 * mode with another amplitude: c (1 + R), R = sum r[n] z^-n, which is a random number, and large where the
 * mode hardly outlasts the room. No later sample tells c from c (1 + R). The first ones do: r[n] is a
 * disturbance that pushes all amplitudes at sample n by c r[n], and few pushes have come by then.
 *
 * So amplitudes are followed from the end to the start (backward.h), with a push along c of variance
 *
 *   level (2 a / rate) e^(-2 a n / rate),  a = ln(1000) / t60
 *
 * at every sample. c is not known beforehand: a few passes find it, beginning with c (1 + R). The level, the
 * room's energy against the direct sound's, is the one that makes the samples likeliest. */
#include "modes/direct.h"
#include "modes/backward.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4 };

static const double levels[] = {0.06, 0.12, 0.25, 0.5, 1}; /* -12 to 0 dB */
/* Of the room's t60: how far back modes are followed, since later pushes are small; and to see whether they
 * are there at all. */
static const double reach = 0.7, reach_tried = 0.35;
static const double usual_level = 0.25;

/* One pass; returns twice the log likelihood. NAN without memory. */
static double follow(const ct_segment *s, const ct_room *room, double seconds, const ct_pole *poles,
                     uint32_t modes, double level, const double complex *push, double complex *found) {
  ct_backward b;
  double a = log(1000.0) / room->t60_s / s->rate_hz, *along = malloc((2 * modes + 1) * sizeof *along);
  size_t skip = (size_t)fmin(seconds * s->rate_hz, 0.5 * (double)s->count);
  if (!along || !ct_backward_init(&b, poles, modes, s, skip)) {
    free(along);
    return (double)NAN;
  }
  for (uint32_t i = 0; i < modes; i++) {
    along[2 * i] = creal(push[i]);
    along[2 * i + 1] = cimag(push[i]);
  }
  double likely = 0, variance;
  for (size_t n = skip; n-- > 0;) {
    ct_backward_push(&b, along, level * 2 * a * exp(-2 * a * (double)(n + 1)) / room->noise);
    double off = ct_backward_step(&b, s->x[n], &variance);
    likely -= off * off / (variance * room->noise) + log(variance);
  }
  for (uint32_t i = 0; i < modes; i++)
    found[i] = b.a[2 * i] + CT_I * b.a[2 * i + 1];
  ct_backward_free(&b);
  free(along);
  return likely;
}

bool ct_direct_drop(const ct_segment *segment, const ct_room *room, uint32_t kept, double worth,
                    ct_pole *poles, double complex *amplitudes, uint32_t *modes) {
  double seconds = reach_tried * room->t60_s;
  double complex *found = malloc((*modes + 1) * sizeof *found);
  double likely = found ? follow(segment, room, seconds, poles, *modes, usual_level, amplitudes, found) : 0;
  for (uint32_t i = *modes; found && i-- > kept;) {
    ct_pole pole = poles[i];
    double complex amplitude = amplitudes[i];
    uint32_t after = *modes - 1 - i;
    memmove(poles + i, poles + i + 1, after * sizeof *poles);
    memmove(amplitudes + i, amplitudes + i + 1, after * sizeof *amplitudes);
    double without = follow(segment, room, seconds, poles, *modes - 1, usual_level, amplitudes, found);
    if (likely - without < 2 * worth) {
      likely = without;
      --*modes;
      continue;
    }
    memmove(poles + i + 1, poles + i, after * sizeof *poles);
    memmove(amplitudes + i + 1, amplitudes + i, after * sizeof *amplitudes);
    poles[i] = pole;
    amplitudes[i] = amplitude;
  }
  free(found);
  return found && !isnan(likely);
}

double ct_direct_amplitudes(const ct_segment *segment, const ct_room *room, const ct_pole *poles,
                            uint32_t modes, double complex *amplitudes) {
  double complex *found = malloc((modes + 1) * sizeof *found);
  double best = usual_level;
  for (int pass = 0; found && pass < PASSES; pass++) {
    double most = -INFINITY;
    for (size_t k = 0; pass == 1 && k < sizeof levels / sizeof *levels; k++) {
      double likely = follow(segment, room, reach * room->t60_s, poles, modes, levels[k], amplitudes, found);
      if (likely > most) {
        most = likely;
        best = levels[k];
      }
    }
    if (isnan(follow(segment, room, reach * room->t60_s, poles, modes, best, amplitudes, found)))
      best = -1;
    memcpy(amplitudes, found, modes * sizeof *found);
  }
  if (!found)
    best = -1;
  free(found);
  return best;
}
