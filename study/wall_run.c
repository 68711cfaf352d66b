/* Runs of a mass on a wall: steps, the corrections of section 4.2, and the truth to compare with. */
#include "study/wall.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

const char *const wall_method_names[WALL_METHODS] = {"am1", "verlet", "heun", "rk4", "contatto"};

static wall_method *const steps[] = {wall_step_am1, wall_step_verlet, wall_step_heun, wall_step_rk4};

double wall_energy_j(const wall *w, const wall_state *s) {
  double p = w->impact.exponent + 1;
  double stored = s->x_m > 0 ? w->impact.stiffness * pow(s->x_m, p) / p : 0;
  return stored + 0.5 * w->impact.mass_kg * s->v_m_s * s->v_m_s;
}

wall_state wall_start(const wall *w, double x_m) {
  double v = w->impact.speed_m_s;
  return (wall_state){x_m, v, wall_force_n(w, x_m, v)};
}

/* ---- traces ---- */

ct_result wall_trace_make(wall_trace *t, uint32_t room, ct_error *error) {
  *t = (wall_trace){calloc(room, sizeof *t->at), calloc(room, sizeof *t->energy_j), 0, room};
  if (t->at && t->energy_j)
    return CT_OK;
  wall_trace_free(t);
  ct_fail(error, CT_NO_MEMORY, "no memory for %u samples", room);
  return CT_NO_MEMORY;
}

void wall_trace_free(wall_trace *t) {
  free(t->at);
  free(t->energy_j);
  *t = (wall_trace){0};
}

void wall_trace_add(wall_trace *t, wall_state state, double energy_j) {
  t->at[t->count] = state;
  t->energy_j[t->count++] = energy_j;
}

double wall_trace_largest_x_m(const wall_trace *t) {
  double largest = 0;
  for (uint32_t n = 0; n < t->count; n++)
    largest = fmax(largest, t->at[n].x_m);
  return largest;
}

/* ---- corrections ---- */

/* What the running impact may do at most, known as soon as v_in is. */
typedef struct bounds {
  double x_max_m, v_out_m_s;
} bounds;

static bounds bounds_of(const wall *w, double v_in) {
  ct_impact_case c = w->impact;
  c.speed_m_s = v_in;
  return (bounds){ct_impact_largest_compression_m(&c), ct_impact_rebound_eq7_m_s(v_in, c.damping_s_m)};
}

static void correct(const wall *w, wall_corrections how, const bounds *b, bool leaves, wall_state *s) {
  if (how.clip && s->x_m > b->x_max_m)
    s->x_m = b->x_max_m;
  else if (how.restore && leaves)
    s->v_m_s = b->v_out_m_s;
  else
    return;
  s->force_n = wall_force_n(w, s->x_m, s->v_m_s);
}

/* ---- runs ---- */

/* The contact begins at x = 0 inwards, and ends at the first sample with x <= 0. */
static bool pressed_before(const wall_state *s) { return s->x_m > 0 || (s->x_m == 0 && s->v_m_s > 0); }

ct_result wall_run(const wall *w, const wall_run_def *def, wall_trace *t, ct_error *error) {
  if (def->method == WALL_CONTATTO)
    return wall_run_engine(w, def, t, error);
  ct_result result = wall_trace_make(t, def->samples + 1, error);
  if (result != CT_OK)
    return result;
  wall_state now = wall_start(w, def->x_m);
  bounds b = bounds_of(w, now.v_m_s);
  wall_trace_add(t, now, wall_energy_j(w, &now));
  for (uint32_t n = 0; n < def->samples; n++) {
    wall_state next = steps[def->method](w, now);
    bool leaves = pressed_before(&now) && next.x_m <= 0;
    if (!pressed_before(&now) && next.x_m > 0)
      b = bounds_of(w, now.v_m_s);
    correct(w, def->corrections, &b, leaves, &next);
    wall_trace_add(t, next, wall_energy_j(w, &next));
    if (def->once && leaves)
      break;
    now = next;
  }
  return CT_OK;
}

/* ---- the truth ---- */

enum { STEPS_PER_CONTACT = 4000 };

/* The length of a step from `s`, at most h, that ends at x = 0. */
static double last_step_s(wall fine, wall_state s, double h) {
  double low = 0, high = h;
  for (int i = 0; i < 60; i++) {
    fine.step_s = (low + high) / 2;
    *(wall_step_rk4(&fine, s).x_m > 0 ? &low : &high) = fine.step_s;
  }
  return high;
}

wall_contact wall_contact_true(const wall *w, double v_in) {
  wall fine = *w;
  fine.impact.speed_m_s = v_in;
  fine.step_s = ct_impact_contact_time_s(&fine.impact) / STEPS_PER_CONTACT;
  wall_state now = wall_start(&fine, 0), next = wall_step_rk4(&fine, now);
  wall_contact c = {0};
  for (; next.x_m > 0; c.time_s += fine.step_s) {
    now = next;
    next = wall_step_rk4(&fine, now);
  }
  fine.step_s = last_step_s(fine, now, fine.step_s);
  c.time_s += fine.step_s;
  c.v_out_m_s = wall_step_rk4(&fine, now).v_m_s;
  return c;
}
