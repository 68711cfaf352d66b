/* Pickups: what is heard. Each is scaled by its own full scale and passes a 20 Hz DC blocker; nothing else
 * touches the level. */
#include "base/clamp.h"
#include "base/inline.h"
#include "scene/scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

const double *ct_pickup_reads(const ct_scene *s, const ct_pickup *p) {
  if (ct_pickup_on_contact(p))
    return &s->contacts[p->contact].force_n;
  const ct_port *port = &s->bodies[p->body].ports[p->port];
  if (p->thumps)
    return NULL;
  return p->listen == CT_VELOCITY ? &port->v_m_s : p->listen == CT_DISPLACEMENT ? &port->x_m : NULL;
}

/* Mean acceleration over the last step; none before the first. */
static double accelerate(const ct_scene *s, ct_pickup *p, double v_m_s) {
  double change = p->fresh ? 0 : v_m_s - p->v_last_m_s;
  p->v_last_m_s = v_m_s;
  return change * s->def.rate_hz;
}

/* Velocity of what it listens to, with the thumps that it hears: a thump that nobody asks for is not
 * computed.
 */
static double velocity(const ct_pickup *p, const ct_port *port, uint64_t sample) {
  if (!p->thumps || p->thump == 0)
    return port->v_m_s;
  p->thumps->heard = true;
  return port->v_m_s + p->thump * ct_thump_v_m_s(p->thumps, sample);
}

static double listen(const ct_scene *s, ct_pickup *p, uint64_t sample) {
  const ct_body *body = &s->bodies[p->body];
  if (p->reads)
    return *p->reads;
  if (p->listen == CT_FORCE)
    return ct_string_pull_n(body, p->port);
  double v_m_s = velocity(p, &body->ports[p->port], sample);
  return p->listen == CT_VELOCITY ? v_m_s : accelerate(s, p, v_m_s);
}

/* One that joins a sounding scene starts as if it had always been there. */
double ct_pickup_listen(const ct_scene *s, ct_pickup *p, uint64_t sample) {
  double si = listen(s, p, sample);
  if (p->fresh && s->sample > 0)
    p->blocked_in = si;
  p->fresh = false;
  return si;
}

/* y = x - x' + pole y': no gain at 0 Hz, one above 20 Hz. What has died away is put to 0 on ticks, long
 * before it is denormal: 1e-30 is written as 0. */
CT_INLINE void block_dc(const ct_scene *s, ct_pickup *p, uint32_t count, double *out) {
  double before = p->blocked_in, last = p->blocked_out, pole = s->dc_pole;
  for (uint32_t n = 0; n < count; n++) {
    last = p->si[n] - before + pole * last;
    before = p->si[n];
    out[n] = last;
  }
  p->blocked_in = before;
  p->blocked_out = ct_at_tick(s) && fabs(last) < 1e-34 * p->full_scale ? 0 : last;
}

/* Equal power: the gains of a pan, kept until it moves. */
static void place(ct_pickup *p) {
  if (p->heard_pan == p->pan)
    return;
  double angle = (p->pan + 1) * M_PI / 4;
  p->heard_pan = p->pan;
  p->gain[0] = cos(angle);
  p->gain[1] = sin(angle);
}

/* Behind the DC blocker, whose memory of a standing offset would else be cut off at the end. */
static void fade(ct_pickup *p, uint32_t count, double *sound, double *plain) {
  for (uint32_t n = 0; n < count; n++) {
    sound[n] *= p->fade;
    plain[n] *= p->fade;
    p->fade = ct_clamp(p->fade + p->fade_step, 0, 1);
  }
  if (p->fade >= 1)
    p->fade_step = 0;
}

/* What is heard of some samples on one channel: as sound, and in SI units. */
typedef struct heard {
  double sound[CT_TICK], plain[CT_TICK];
} heard;

CT_INLINE void hear(const ct_scene *s, ct_pickup *p, uint32_t count, heard *h) {
  block_dc(s, p, count, h->sound);
  for (uint32_t n = 0; n < count; n++) {
    h->sound[n] /= p->full_scale;
    h->plain[n] = p->si[n];
  }
  if (p->fade_step != 0 || p->fade != 1)
    fade(p, count, h->sound, h->plain);
}

CT_INLINE void add(heard *sum, const heard *h, double gain, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    sum->sound[n] += h->sound[n] * gain;
    sum->plain[n] += h->plain[n] * gain;
  }
}

CT_INLINE void write(float *out, double *raw, uint32_t count, const heard *h) {
  for (uint32_t n = 0; n < count && out; n++) /* no denormal floats */
    out[n] = fabs(h->sound[n]) < 1e-30 ? 0 : (float)h->sound[n];
  for (uint32_t n = 0; n < count && raw; n++)
    raw[n] = h->plain[n];
}

CT_INLINE void write_channel(const ct_io *io, uint32_t c, uint32_t first, uint32_t count, const heard *h) {
  write(io->outputs ? io->outputs[c] + first : NULL, io->raw ? io->raw[c] + first : NULL, count, h);
}

static bool writable(double sound, double plain) { return fabs(sound) <= (double)FLT_MAX && isfinite(plain); }

/* How many of the samples can be written, from the first on. */
CT_INLINE uint32_t writable_count(const heard *h, uint32_t count) {
  double sounds = 0, plains = 0; /* one that is not finite leaves no sum that is */
  for (uint32_t n = 0; n < count; n++) {
    sounds += fabs(h->sound[n]);
    plains += fabs(h->plain[n]);
  }
  if (writable(sounds, plains))
    return count;
  uint32_t n = 0;
  while (n < count && writable(h->sound[n], h->plain[n]))
    n++;
  return n;
}

/* From the first sample that is not finite on: silence. */
CT_OUTLINE void silence_from(ct_scene *s, uint32_t from, uint32_t count, heard *channels) {
  ct_fault_heard(s, s->sample - count + from);
  for (uint32_t c = 0; c < s->def.channels; c++)
    for (uint32_t n = from; n < count; n++)
      channels[c].sound[n] = channels[c].plain[n] = 0;
  s->counters.nonfinite_samples += count - from;
}

CT_INLINE double larger(double a, double b) { return a > b ? a : b; }

/* In two chains, which do not wait for one another. */
CT_INLINE float loudest(const heard *h, uint32_t count, float before) {
  double even = (double)before, odd = 0;
  for (uint32_t n = 0; n < count; n++) {
    double *most = n % 2 ? &odd : &even;
    *most = larger(fabs(h->sound[n]), *most);
  }
  return (float)larger(even, odd);
}

/* Before the scene starts again. */
CT_OUTLINE void hush(const ct_scene *s, uint32_t count, heard *channels) {
  for (uint32_t n = 0; n < count; n++) {
    double gain = ct_start_fade(s->start, s->sample - count + n);
    for (uint32_t c = 0; c < s->def.channels; c++) {
      channels[c].sound[n] *= gain;
      channels[c].plain[n] *= gain;
    }
  }
}

CT_INLINE void write_channels(ct_scene *s, const ct_io *io, uint32_t first, uint32_t count, heard *channels) {
  uint32_t good = count;
  for (uint32_t c = 0; c < s->def.channels; c++)
    good = writable_count(&channels[c], good);
  if (good < count)
    silence_from(s, good, count, channels);
  if (ct_start_fades(s))
    hush(s, count, channels);
  for (uint32_t c = 0; c < s->def.channels; c++) {
    float *most = &s->status.levels[c].loudest;
    *most = loudest(&channels[c], count, *most);
    write_channel(io, c, first, count, &channels[c]);
  }
}

/* To its one output as it is, or panned over the first two. */
CT_INLINE void send(const ct_scene *s, ct_pickup *p, const heard *one, uint32_t count, heard *outputs) {
  if (p->output || s->def.channels == 1) {
    add(&outputs[p->output ? p->output - 1 : 0], one, 1, count);
    return;
  }
  place(p);
  add(&outputs[0], one, p->gain[0], count);
  add(&outputs[1], one, p->gain[1], count);
}

CT_INLINE void mix(ct_scene *s, const ct_io *io, uint32_t first, uint32_t count) {
  heard one, sum[CT_OUTPUTS_MOST];
  memset(sum, 0, s->def.channels * sizeof *sum);
  for (uint16_t i = 0; i < s->heard_count; i++) {
    ct_pickup *p = s->heard[i];
    hear(s, p, count, &one);
    s->awake_stale |= s->groups[p->group].asleep && ct_pickup_is_done(p, s->sample);
    send(s, p, &one, count, sum);
  }
  write_channels(s, io, first, count, sum);
}

/* One of them, on one channel: there is nothing to add up. */
CT_INLINE void write_heard(ct_scene *s, const ct_io *io, uint32_t first, uint32_t count) {
  if (s->parts[CT_PART_PICKUP].live != 1 || s->def.channels != 1) {
    mix(s, io, first, count);
    return;
  }
  heard one;
  hear(s, ct_live_pickup(s, 0), count, &one);
  write_channels(s, io, first, count, &one);
}

/* Mostly of a whole tick, or of a single sample: then there are no loops over samples. The scene has stepped
 * past them. */
void ct_pickups_write(ct_scene *s, const ct_io *io, uint32_t first, uint32_t count) {
  if (count == CT_TICK)
    write_heard(s, io, first, CT_TICK);
  else if (count == 1)
    write_heard(s, io, first, 1);
  else
    write_heard(s, io, first, count);
}
