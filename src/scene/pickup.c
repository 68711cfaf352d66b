/* Pickups: what is heard. Each is scaled by its own full scale and passes a 20 Hz DC blocker; nothing else
 * touches the level. */
#include "base/clamp.h"
#include "scene/scene.h"

#include <math.h>

const double *ct_pickup_reads(const ct_scene *s, const ct_pickup *p) {
  if (ct_pickup_on_contact(p))
    return &s->contacts[p->contact].force_n;
  const ct_port *port = &s->bodies[p->body].ports[p->port];
  return p->listen == CT_VELOCITY ? &port->v_m_s : p->listen == CT_DISPLACEMENT ? &port->x_m : NULL;
}

/* Mean acceleration over the last step; none before the first. */
static double accelerate(const ct_scene *s, ct_pickup *p, double v_m_s) {
  double change = p->fresh ? 0 : v_m_s - p->v_last_m_s;
  p->v_last_m_s = v_m_s;
  return change * s->def.rate_hz;
}

/* One that joins a sounding scene starts as if it had always been there. */
double ct_pickup_listen(const ct_scene *s, ct_pickup *p) {
  const ct_body *body = &s->bodies[p->body];
  double si = p->reads                ? *p->reads
              : p->listen == CT_FORCE ? ct_string_pull_n(body, p->port)
                                      : accelerate(s, p, body->ports[p->port].v_m_s);
  if (p->fresh && s->sample > 0)
    p->blocked_in = si;
  p->fresh = false;
  return si;
}

/* y = x - x' + pole y': no gain at 0 Hz, one above 20 Hz. */
static double block_dc(ct_pickup *p, double in, double pole) {
  double out = in - p->blocked_in + pole * p->blocked_out;
  p->blocked_in = in;
  p->blocked_out = fabs(out) < 1e-60 ? 0 : out;
  return out;
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
static void fade(ct_pickup *p) {
  p->fade = ct_clamp(p->fade + p->fade_step, 0, 1);
  if (p->fade >= 1)
    p->fade_step = 0;
}

/* What is heard of some samples on one channel: as sound, and in SI units. */
typedef struct heard {
  double sound[CT_TICK], plain[CT_TICK];
} heard;

static void hear(const ct_scene *s, ct_pickup *p, const double *gain, uint32_t count, heard *sum) {
  for (uint32_t n = 0; n < count; n++) {
    double sound = block_dc(p, p->si[n], s->dc_pole) / p->full_scale * p->fade, plain = p->si[n] * p->fade;
    for (uint32_t c = 0; c < s->def.channels; c++) {
      sum[c].sound[n] += sound * gain[c];
      sum[c].plain[n] += plain * gain[c];
    }
    if (p->fade_step != 0)
      fade(p);
  }
}

static void write(float *out, double *raw, uint32_t count, const heard *h) {
  for (uint32_t n = 0; n < count && out; n++) /* no denormal floats */
    out[n] = fabs(h->sound[n]) < 1e-30 ? 0 : (float)h->sound[n];
  for (uint32_t n = 0; n < count && raw; n++)
    raw[n] = h->plain[n];
}

void ct_pickups_write(ct_scene *s, const ct_io *io, uint32_t first, uint32_t count) {
  static const double mono[CT_CHANNELS] = {1, 1};
  heard sum[CT_CHANNELS];
  for (uint32_t c = 0; c < s->def.channels; c++)
    for (uint32_t n = 0; n < count; n++)
      sum[c].sound[n] = sum[c].plain[n] = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    ct_pickup *p = ct_live_pickup(s, i);
    place(p);
    hear(s, p, s->def.channels > 1 ? p->gain : mono, count, sum);
  }
  for (uint32_t c = 0; c < s->def.channels; c++)
    write(io->outputs ? io->outputs[c] + first : NULL, io->raw ? io->raw[c] + first : NULL, count, &sum[c]);
}
