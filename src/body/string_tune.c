/* A string's numbers: what they make of the loop, and how they move while it sounds. A number that moves does
 * no work: every state keeps its energy. */
#include "body/body.h"

#include <math.h>
#include <string.h>

#define GLIDE_SAMPLES 8.0 /* a tick: what is retuned on one has arrived by the next */
#define TICKS_PER_FIT 4u
#define FASTEST 0.25 /* cells per sample, of the string's end */

/* Waves are kept in a unit in which their energy does not depend on the impedance: u^2 Z stays when Z moves,
 * so a wave of 1 is sqrt(Z0/Z) m/s, with Z0 the impedance the string was made with. A force, held for a
 * sample, moves a point by h/2Z per newton and overlap. */
static void take_impedance(ct_body *body) {
  ct_string *s = &body->as.string;
  s->metres_per_n = body->step_s / (2 * s->values.impedance_kg_s);
  s->wave_m_s = sqrt(s->made_kg_s / s->values.impedance_kg_s);
}

/* ---- tuning ---- */

static ct_loss_wish losses_now(const ct_body *body) {
  const ct_string_values *v = &body->as.string.values;
  return (ct_loss_wish){body->rate_hz, v->hz, v->inharmonicity, v->t60_s, v->high_t60_s, v->high_hz};
}

static bool same_losses(const ct_loss_wish *a, const ct_loss_wish *b) {
  return a->hz == b->hz && a->inharmonicity == b->inharmonicity && a->t60_s == b->t60_s &&
         a->high_t60_s == b->high_t60_s && a->high_hz == b->high_hz;
}

/* A stopped string is as stiff on a shorter length: B ~ 1 / length^2. No string is shorter than its fewest
 * cells, whatever it is tuned to. */
static ct_loop_wish wish_of(const ct_loss_wish *open, double stop, double cells) {
  double sounding = 1 - stop, fundamental = 2 * M_PI * open->hz / open->rate_hz / sounding;
  return (ct_loop_wish){fmin(fundamental, 2 * M_PI / CT_STRING_FEWEST),
                        open->inharmonicity / (sounding * sounding), cells};
}

static ct_loop_wish wish_now(const ct_body *body) {
  ct_loss_wish open = losses_now(body);
  return wish_of(&open, body->as.string.values.stop, body->as.string.goal);
}

bool ct_string_has_vibrato(const ct_string *s) {
  return s->values.vibrato_cents > 0 && s->values.vibrato_hz > 0;
}

/* Where the vibrato will be when a retuning arrives. */
static double vibrato_ratio(const ct_body *body) {
  const ct_string *s = &body->as.string;
  double turn = s->vibrato + GLIDE_SAMPLES * s->values.vibrato_hz * body->step_s;
  return exp(s->values.vibrato_cents / 1731.2340490667562 * sin(2 * M_PI * turn));
}

/* How far from the bridge the first cell lies, and how much string the filters stand for. */
static void measure_ends(ct_string *s, const ct_loop_wish *wish) {
  double w = ct_loop_partial(wish->fundamental, wish->inharmonicity, 1);
  ct_sine at = ct_sine_at(w);
  s->bridge_gap = 0.5 + ct_loop_bridge_lag(s->loop, at) / w / 2;
  s->filter_samples = ct_loop_lag(s->loop, at) / w;
}

static double possible(const ct_string *s, double cells) {
  return fmin(fmax(cells, CT_STRING_FEWEST), s->most_cells);
}

static void set_goal(ct_body *body, ct_loop_wish wish) {
  ct_string *s = &body->as.string;
  wish.fundamental *= vibrato_ratio(body);
  s->goal = possible(s, ct_loop_cells(s->loop, &wish));
  s->pace = fmin(fabs(s->goal - s->cells) / GLIDE_SAMPLES, FASTEST);
}

/* In units of the fundamental the poles hardly move, so that a step of their fit now and then will do. */
static void follow_sections(ct_string *s, ct_loop *loop, const ct_loop_wish *wish) {
  s->refitting = true;
  s->since_fit = (s->since_fit + 1) % TICKS_PER_FIT;
  if (s->since_fit == 0)
    s->refitting = !ct_loop_refit(loop, wish);
  else
    ct_loop_transpose(loop, wish->fundamental);
}

double ct_string_parameters_changed(ct_body *body) {
  ct_string *s = &body->as.string;
  ct_loss_wish losses = losses_now(body);
  ct_loop_wish wish = wish_now(body);
  ct_loop loop = *s->loop;
  bool damped = !same_losses(&losses, &s->heard_losses);
  if (damped)
    ct_loop_set_losses(&loop, &losses);
  if (damped || s->refitting || wish.fundamental != s->heard.fundamental ||
      wish.inharmonicity != s->heard.inharmonicity)
    follow_sections(s, &loop, &wish);
  double lost = s->wave_j * ct_waves_take_loop(s, &loop);
  take_impedance(body);
  s->heard_losses = losses;
  s->heard = wish;
  measure_ends(s, &wish);
  set_goal(body, wish);
  ct_string_place_ports(body);
  return lost;
}

bool ct_string_on_tick(ct_body *body) {
  ct_string *s = &body->as.string;
  bool finite = ct_waves_flush(s);
  body->changed |= s->refitting || ct_string_has_vibrato(s);
  return finite;
}

/* ---- filling ---- */

static void fill_points(ct_body *body, const ct_string_def *def) {
  ct_string *s = &body->as.string;
  for (uint16_t i = 0; i < body->point_count; i++) {
    ct_point *point = &body->points[i];
    ct_point_put_name(body, point, def->points[i].name);
    point->place[0] = def->points[i].place_u;
    point->place[1] = def->points[i].place_v;
    for (uint32_t d = 0; d < CT_DIRECTIONS; d++) {
      uint32_t plane = d < s->planes ? d : 0;
      point->port[d] = (uint16_t)(i * s->planes + plane);
      s->stencils[point->port[d]].plane = plane;
      s->stencils[point->port[d]].place = fmin(fmax(point->place[0], 0), 1);
    }
  }
}

/* A cent is heard by nobody, and every section more costs string to put points on. */
#define ENOUGH_CENTS 1.0
#define STIFF 3e-5 /* B; half of a cello's. Softer strings can do with what they have when stopped */

/* One section more than the open string needs: stopped, it is more inharmonic. The fit heeds the fraction of
 * a cell, and the fraction follows from the fit. */
double ct_string_make_loop(ct_loop *loop, const ct_loss_wish *losses, double stop) {
  double stiff = losses->inharmonicity;
  ct_loop_wish wish = wish_of(losses, stop, 0.5);
  memset(loop, 0, sizeof *loop);
  ct_loop_set_losses(loop, losses);
  double off = ct_loop_fit(loop, &wish, 0, ENOUGH_CENTS);
  ct_loop more = *loop;
  if (stiff > STIFF && loop->sections > 0 && ct_loop_fit(&more, &wish, loop->sections + 1, off) <= off)
    *loop = more;
  for (int i = 0; i < 40; i++) {
    wish.cells = ct_loop_cells(loop, &wish);
    if (ct_loop_refit(loop, &wish))
      break;
  }
  return ct_loop_cells(loop, &wish);
}

void ct_string_fill(ct_body *body, const ct_string_def *def, const ct_string_values *values) {
  ct_string *s = &body->as.string;
  body->kind = &ct_string_kind;
  s->values = *values;
  s->made_kg_s = values->impedance_kg_s;
  s->wave_j = s->made_kg_s * body->step_s;
  take_impedance(body);
  s->heard_losses = losses_now(body);
  s->goal = possible(s, ct_string_make_loop(s->loop, &s->heard_losses, values->stop));
  s->heard = s->given = wish_now(body);
  ct_waves_set_cells(s, s->goal);
  measure_ends(s, &s->heard);
  fill_points(body, def);
  ct_string_place_ports(body);
}

double ct_string_partial(const ct_body *body, uint32_t n, double *t60_s) {
  const ct_string *s = &body->as.string;
  double near = ct_loop_partial(s->heard.fundamental, s->heard.inharmonicity, n);
  if (near >= 0.98 * M_PI)
    return 0;
  double w = ct_loop_find_partial(s->loop, s->cells, n, near, t60_s);
  *t60_s *= body->step_s;
  return w / (2 * M_PI) * body->rate_hz;
}
