/* Pickups: what is heard. Each is scaled by its own full scale and passes a 20 Hz DC blocker; nothing else
 * touches the level. */
#include "base/clamp.h"
#include "base/inline.h"
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

CT_OUTLINE double listen(const ct_scene *s, ct_pickup *p) {
  const ct_body *body = &s->bodies[p->body];
  return p->listen == CT_FORCE ? ct_string_pull_n(body, p->port)
                               : accelerate(s, p, body->ports[p->port].v_m_s);
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

/* What one pickup adds: to the sound, and in SI units. */
typedef struct heard {
  double sound, plain;
} heard;

static inline heard hear(const ct_scene *s, ct_pickup *p) {
  double si = p->reads ? *p->reads : listen(s, p);
  if (p->fresh && s->sample > 0)
    p->blocked_in = si; /* as if it had always been there */
  p->fresh = false;
  heard h = {block_dc(p, si, s->dc_pole) / p->full_scale * p->fade, si * p->fade};
  if (p->fade_step != 0)
    fade(p);
  return h;
}

static void write(const ct_io *io, uint32_t channel, uint32_t frame, heard h) {
  if (io->outputs)
    io->outputs[channel][frame] = fabs(h.sound) < 1e-30 ? 0 : (float)h.sound; /* no denormal floats */
  if (io->raw)
    io->raw[channel][frame] = h.plain;
}

static void write_one(ct_scene *s, const ct_io *io, uint32_t frame) {
  heard sum = {0, 0};
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    heard h = hear(s, ct_live_pickup(s, i));
    sum.sound += h.sound;
    sum.plain += h.plain;
  }
  write(io, 0, frame, sum);
}

static void write_two(ct_scene *s, const ct_io *io, uint32_t frame) {
  heard sum[CT_CHANNELS] = {{0, 0}, {0, 0}};
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    ct_pickup *p = ct_live_pickup(s, i);
    heard h = hear(s, p);
    place(p);
    for (uint32_t c = 0; c < CT_CHANNELS; c++) {
      sum[c].sound += h.sound * p->gain[c];
      sum[c].plain += h.plain * p->gain[c];
    }
  }
  for (uint32_t c = 0; c < CT_CHANNELS; c++)
    write(io, c, frame, sum[c]);
}

void ct_pickups_write(ct_scene *s, const ct_io *io, uint32_t frame) {
  (s->def.channels == 1 ? write_one : write_two)(s, io, frame);
}
