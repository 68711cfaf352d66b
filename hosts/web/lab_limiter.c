/* The last thing in the line: the library's limiter, over buffers the page fills. */
#include "hosts/web/lab.h"

#include <math.h>
#include <stdlib.h>

typedef struct lab_desk {
  ct_limiter *limiter;
  float channels[LAB_CHANNELS][LAB_FRAMES];
} lab_desk;

lab_desk *EXPORT(lab_desk_create)(double rate_hz);
float *EXPORT(lab_desk_channel)(lab_desk *d, uint32_t channel);
void EXPORT(lab_desk_process)(lab_desk *d, uint32_t frames);
void EXPORT(lab_desk_fade_out)(lab_desk *d);
double EXPORT(lab_desk_gain_db)(lab_desk *d);
uint32_t EXPORT(lab_desk_latency)(const lab_desk *d);

lab_desk *lab_desk_create(double rate_hz) {
  ct_limiter_def def = ct_default_limiter_def();
  def.rate_hz = rate_hz;
  def.channels = LAB_CHANNELS;
  lab_desk *d = calloc(1, sizeof *d);
  if (d && ct_limiter_create(&def, &d->limiter, NULL) == CT_OK)
    return d;
  free(d);
  return NULL;
}

float *lab_desk_channel(lab_desk *d, uint32_t channel) { return d->channels[channel]; }

void lab_desk_process(lab_desk *d, uint32_t frames) {
  float *channels[LAB_CHANNELS] = {d->channels[0], d->channels[1]};
  ct_limiter_process(d->limiter, channels, frames < LAB_FRAMES ? frames : LAB_FRAMES);
}

/* What it holds fades out; the next block follows as ever. */
void lab_desk_fade_out(lab_desk *d) { ct_limiter_fade_out(d->limiter); }

/* The lowest since it was last asked. */
double lab_desk_gain_db(lab_desk *d) { return 20 * log10(ct_limiter_gain(d->limiter)); }

uint32_t lab_desk_latency(const lab_desk *d) { return ct_limiter_latency(d->limiter); }
