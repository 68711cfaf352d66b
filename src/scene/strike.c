/* A strike by something that is not in the scene: an impulse I at a speed v, as a game's physics knows them,
 * becomes a force on a point of a modal body.
 *
 * What strikes and leaves as fast as it came has the mass m = I / 2v and brings E = m v^2 / 2 = I v / 4. With
 * Hertz's contact, f = k x^(3/2), it dents by x = (5 E / 2 k)^(2/5) and stays for
 *
 *   T = 2 sqrt(pi) Gamma(7/5) / Gamma(9/10) x / v = 2.94 x / v
 *
 * so a harder, a faster and a lighter thing sounds brighter. Hertz's pulse is close to 0.4 of a half sine and
 * 0.6 of a raised cosine (0.5 dB up to 1 / T, where it has fallen by 7 dB), whose integral over a sample is
 * known; so the impulse is I whatever the rate is. The force is known before the step: its work is booked as
 * that of any force from outside. Other than a hammer of the scene it does not feel how the body yields.
 *
 * A scene has room for so many at a time. Beyond that the one that ends first gives at once, as a jump of the
 * modes' velocities, what it has left. */
#include "scene/scene.h"

#include <math.h>

/* Share of the impulse that is over at u = t / T. */
static double given_by(double u) {
  if (u >= 1)
    return 1;
  return 0.2 * (1 - cos(M_PI * u)) + 0.6 * (u - sin(2 * M_PI * u) / (2 * M_PI));
}

static ct_point *point_of(const ct_scene *s, const ct_strike *strike) {
  return &s->bodies[strike->body].points[strike->point];
}

/* All at once: a jump, like a throw. */
static void give(ct_scene *s, uint16_t slot, uint16_t index, double impulse_n_s) {
  double before_j = ct_stored_before(s);
  ct_body *body = &s->bodies[slot];
  const ct_port *port = &body->ports[body->points[index].port[CT_NORMAL]];
  for (uint32_t i = 0; i < body->as.modal.mode_count; i++)
    ct_modal_set_state(body, i, true,
                       ct_modal_mode_value(body, i, true) + port->gain_over_mass[i] * impulse_n_s);
  ct_body_read(body);
  ct_book_jump(s, &s->account.force, before_j);
  ct_thump_give(body, index, impulse_n_s);
}

static void end(ct_scene *s, uint32_t index) {
  ct_strike *strike = &s->strikes[index];
  ct_point *point = point_of(s, strike);
  point->source_n[CT_NORMAL] = 0;
  ct_point_push(&s->bodies[strike->body], point);
  *strike = s->strikes[--s->strike_count];
}

static uint32_t next_to_end(const ct_scene *s) {
  uint32_t next = 0;
  for (uint32_t i = 1; i < s->strike_count; i++)
    if (s->strikes[i].samples - s->strikes[i].gone < s->strikes[next].samples - s->strikes[next].gone)
      next = i;
  return next;
}

void ct_strike_begin(ct_scene *s, uint16_t body, uint16_t point, double impulse_n_s) {
  const ct_point *p = &s->bodies[body].points[point];
  /* What would stay longer than a second pushes and does not strike. */
  double energy_j = fabs(impulse_n_s) * p->strike_m_s / 4,
         dent_m = pow(2.5 * energy_j / p->strike_stiffness, 0.4);
  double length_s = fmin(2.943275 * dent_m / p->strike_m_s, 1), samples = fmax(length_s * s->def.rate_hz, 1);
  if (impulse_n_s == 0)
    return;
  if (s->def.strikes == 0) {
    give(s, body, point, impulse_n_s);
    return;
  }
  if (s->strike_count == s->def.strikes) {
    uint32_t next = next_to_end(s);
    const ct_strike *ends = &s->strikes[next];
    give(s, ends->body, ends->point, ends->impulse_n_s * (1 - given_by(ends->gone / ends->samples)));
    end(s, next);
  }
  s->strikes[s->strike_count++] = (ct_strike){body, point, impulse_n_s, samples, 0};
}

void ct_strikes_forget(ct_scene *s, uint16_t body) {
  for (uint32_t i = s->strike_count; i-- > 0;)
    if (s->strikes[i].body == body)
      end(s, i);
}

/* ---- sample by sample ---- */

static void clear_strikes(ct_scene *s) {
  for (uint32_t i = 0; i < s->strike_count; i++)
    point_of(s, &s->strikes[i])->source_n[CT_NORMAL] = 0;
}

/* Mean force over the sample. */
static void play_strikes(ct_scene *s) {
  for (uint32_t i = 0; i < s->strike_count; i++) {
    ct_strike *strike = &s->strikes[i];
    double before = given_by(strike->gone / strike->samples),
           after = given_by((strike->gone + 1) / strike->samples);
    strike->gone++;
    point_of(s, strike)->source_n[CT_NORMAL] += strike->impulse_n_s * (after - before) * s->def.rate_hz;
  }
}

/* One that was over before this sample has pushed nothing in it, and goes. */
static void push_strikes(ct_scene *s) {
  for (uint32_t i = 0; i < s->strike_count; i++)
    ct_point_push(&s->bodies[s->strikes[i].body], point_of(s, &s->strikes[i]));
  for (uint32_t i = s->strike_count; i-- > 0;)
    if (s->strikes[i].gone >= s->strikes[i].samples + 1)
      s->strikes[i] = s->strikes[--s->strike_count];
}

/* ---- sources ---- */

/* Sources, and strikes from outside (above), on the audio thread. Their forces are known before the step,
 * so they are external forces of the points they feed, and their work is booked as such. A block is made at
 * every tick, so block sizes of the host cannot matter; sources are summed in order of their names. */

_Static_assert(CT_ACTION_BLOCK == CT_TICK, "a source's block lasts from tick to tick");

static ct_point *source_point(const ct_scene *s, const ct_source *source) {
  return &s->bodies[source->body].points[source->point];
}

/* Nothing of it is left at its point. */
void ct_source_silence(ct_scene *s, uint16_t slot) {
  ct_point *point = source_point(s, &s->sources[slot]);
  point->source_n[CT_NORMAL] = point->source_n[CT_TANGENTIAL] = 0;
  ct_point_push(&s->bodies[s->sources[slot].body], point);
}

static void play(ct_scene *s, ct_source *source, uint64_t sample) {
  if (sample % CT_TICK == 0) {
    ct_action_block(&source->action, source->block_n);
    source->region = source->action.map.now;
  }
  if (source->fade_step < 0)
    source->fade = source->fade > -source->fade_step ? source->fade + source->fade_step : 0;
  source->push_n = source->fade * source->block_n[sample % CT_TICK];
  source_point(s, source)->source_n[source->direction] += source->push_n;
}

static bool feeds(const ct_scene *s, const ct_source *source, const ct_group *g) {
  return !g || &s->groups[s->bodies[source->body].group] == g;
}

void ct_sources_feed(ct_scene *s, const ct_group *g, uint64_t sample) {
  uint16_t live = s->parts[CT_PART_SOURCE].live;
  clear_strikes(s);
  for (uint16_t i = 0; i < live; i++) {
    ct_point *point = source_point(s, ct_live_source(s, i));
    if (feeds(s, ct_live_source(s, i), g))
      point->source_n[CT_NORMAL] = point->source_n[CT_TANGENTIAL] = 0;
  }
  for (uint16_t i = 0; i < live; i++)
    if (feeds(s, ct_live_source(s, i), g))
      play(s, ct_live_source(s, i), sample);
  play_strikes(s);
  for (uint16_t i = 0; i < live; i++) {
    const ct_source *source = ct_live_source(s, i);
    if (feeds(s, source, g))
      ct_point_push(&s->bodies[source->body], source_point(s, source));
  }
  push_strikes(s);
}
