/* Pickups: what is heard. Each is scaled by its own full scale and passes a 20 Hz DC blocker; nothing else
 * touches the level. */
#include "scene/scene.h"

#include <math.h>

/* Mean acceleration over the last step; none before the first. */
static double accelerate(const ct_scene *s, ct_pickup *p, double v_m_s) {
  double change = s->sample > p->since ? v_m_s - p->v_last_m_s : 0;
  p->v_last_m_s = v_m_s;
  return change * s->def.rate_hz;
}

static double listen(const ct_scene *s, ct_pickup *p) {
  if (p->listen == CT_FORCE)
    return s->contacts[p->contact].force_n;
  const ct_port *port = &s->bodies[p->body].ports[p->port];
  switch (p->listen) {
  case CT_DISPLACEMENT:
    return port->x_m;
  case CT_VELOCITY:
    return port->v_m_s;
  default:
    return accelerate(s, p, port->v_m_s);
  }
}

/* y = x - x' + pole y': no gain at 0 Hz, one above 20 Hz. */
static double block_dc(ct_pickup *p, double in, double pole) {
  double out = in - p->blocked_in + pole * p->blocked_out;
  p->blocked_in = in;
  p->blocked_out = fabs(out) < 1e-60 ? 0 : out;
  return out;
}

/* Equal power: the gains of a pan, kept until it moves. */
static void place(const ct_scene *s, ct_pickup *p) {
  if (s->def.channels == 1 || p->heard_pan == p->pan)
    return;
  double angle = (p->pan + 1) * M_PI / 4;
  p->heard_pan = p->pan;
  p->gain[0] = cos(angle);
  p->gain[1] = sin(angle);
}

static void add(const ct_scene *s, const ct_pickup *p, double value, double mix[CT_CHANNELS]) {
  for (uint32_t c = 0; c < CT_CHANNELS && c < s->def.channels; c++)
    mix[c] += value * p->gain[c];
}

/* Behind the DC blocker, whose memory of a standing offset would else be cut off at the end. */
static void fade(ct_pickup *p) {
  p->fade = fmin(fmax(p->fade + p->fade_step, 0), 1);
  if (p->fade >= 1)
    p->fade_step = 0;
}

void ct_pickups_write(ct_scene *s, const ct_io *io, uint32_t frame) {
  double heard[CT_CHANNELS] = {0}, plain[CT_CHANNELS] = {0};
  for (uint16_t i = 0; i < s->pickup_live; i++) {
    ct_pickup *p = &s->pickups[s->pickup_order[i]];
    double si = listen(s, p);
    if (s->sample == p->since && s->sample > 0)
      p->blocked_in = si; /* as if it had always been there */
    place(s, p);
    add(s, p, block_dc(p, si, s->dc_pole) / p->full_scale * p->fade, heard);
    add(s, p, si * p->fade, plain);
    if (p->fade_step != 0)
      fade(p);
  }
  for (uint32_t c = 0; c < CT_CHANNELS && c < s->def.channels; c++) {
    if (io->outputs)
      io->outputs[c][frame] = fabs(heard[c]) < 1e-30 ? 0 : (float)heard[c]; /* no denormal floats */
    if (io->raw)
      io->raw[c][frame] = plain[c];
  }
}
