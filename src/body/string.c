/* A string as a body: points on it, forces at them, and numbers that move. The waves are string_wave.c's.
 *
 * A point meets the cells through weights w, v = sum w (R + L), and a force f at it adds w f / 2Z to both
 * rails, which takes in exactly the work h f (v + f sum w^2 / 2Z): lossless for any weights, so they may be
 * chosen for smoothness. Points of one string that share cells feel each other within the step, C_pq = h w_p
 * . w_q / 2Z. Waves do not subdivide: over substeps what arrives is held, and the mean force is sent out; the
 * work of its variations, h var(f) / 2Z, is lost. */
#include "base/clamp.h"
#include "body/body.h"

#include <math.h>
#include <string.h>

#define FASTEST_POINT 0.1 /* cells per sample: what holds the string at a point pumps it as it travels */

/* ---- laying out ---- */

static uint32_t ring_size(double cells) {
  uint32_t size = 16;
  while (size < cells / 2 + 4)
    size *= 2;
  return size;
}

bool ct_string_lay(ct_body *body, ct_arena *arena, const ct_string_def *def, double most_cells) {
  ct_string *s = &body->as.string;
  uint32_t ring = ring_size(most_cells), ports = def->point_count * def->planes;
  s->planes = def->planes;
  s->most_cells = most_cells;
  s->mask = ring - 1;
  body->point_count = (uint16_t)def->point_count;
  body->port_count = (uint16_t)ports;
  body->points = ct_arena_take(arena, def->point_count, sizeof(ct_point));
  body->ports = ct_arena_take(arena, ports, sizeof(ct_port));
  s->stencils = ct_arena_take(arena, ports, sizeof(ct_stencil));
  s->mean_n = ct_arena_take(arena, ports, sizeof(double));
  s->overlap = ct_arena_take(arena, (size_t)ports * ports, sizeof(double));
  s->compliance = ct_arena_take(arena, (size_t)ports * ports, sizeof(double));
  s->loop = ct_arena_take(arena, 1, sizeof *s->loop);
  s->plane = ct_arena_take(arena, s->planes, sizeof *s->plane);
  for (uint32_t p = 0; p < s->planes; p++) {
    double *right = ct_arena_take(arena, ring, sizeof *right);
    double *left = ct_arena_take(arena, ring, sizeof *left);
    if (s->plane)
      s->plane[p] = (ct_wave){.right = right, .left = left};
  }
  return arena->base && arena->used <= arena->size;
}

/* ---- places ---- */

/* Cubic B-spline: reproduces straight lines, is smooth to the second derivative, and its sum of squares, so
 * the compliance, hardly depends on where between the cells it is. */
static void spline(double t, double weight[CT_SPLINE]) {
  double left = 1 - t;
  weight[0] = left * left * left / 6;
  weight[1] = (t * t * (3 * t - 6) + 4) / 6;
  weight[2] = (left * left * (3 * left - 6) + 4) / 6;
  weight[3] = t * t * t / 6;
}

static double samples_per_length(const ct_body *body) {
  return body->rate_hz / body->as.string.values.hz / 2;
}

/* Weights at a place `cell` >= 0 between cells. Behind the bridge waves are mirrored: velocities with the
 * other sign, slopes with the same. */
static void fill_weights(ct_stencil *st, double cell) {
  double weight[CT_SPLINE], base = floor(cell);
  spline(cell - base, weight);
  memcpy(st->weight, weight, sizeof weight);
  memcpy(st->slope_weight, weight, sizeof weight);
  st->first = (int)base - 1;
  if (st->first >= 0)
    return;
  for (int i = 0; i + 1 < CT_SPLINE; i++)
    st->weight[i] = st->slope_weight[i] = weight[i + 1];
  st->weight[0] -= weight[0];
  st->slope_weight[0] += weight[0];
  st->weight[CT_SPLINE - 1] = st->slope_weight[CT_SPLINE - 1] = 0;
  st->first = 0;
}

/* The last place in cells that has whole cells all around it. */
static double last_place(const ct_string *s) { return s->cells / 2 - 4; }

/* From the bridge to the first cell and from the last cells to the nut, where filters stand for string,
 * velocity falls off in a straight line, as it does on a string. The force is felt whole at the bridge. */
static void place_port(const ct_body *body, ct_stencil *st) {
  const ct_string *s = &body->as.string;
  double distance = st->place * samples_per_length(body);
  double cell = distance - s->bridge_gap, last = last_place(s), fall = 1, at_bridge = 0;
  double end = (s->cells + 0.5 + s->filter_samples) / 2;
  if (cell > last)
    fall = ct_most(0, end - distance) / (end - s->bridge_gap - last);
  if (cell < 0) {
    fall = distance / s->bridge_gap;
    at_bridge = 1 - fall;
  }
  fill_weights(st, ct_clamp(cell, 0, last));
  st->at = distance;
  st->at_end = cell > last;
  for (int i = 0; i < CT_SPLINE; i++) {
    st->weight[i] *= fall;
    st->slope_weight[i] *= 1 - at_bridge;
  }
  st->slope_weight[0] += at_bridge;
}

static double overlap_of(const ct_stencil *a, const ct_stencil *b) {
  double sum = 0;
  if (a->plane != b->plane)
    return 0;
  for (int i = 0; i < CT_SPLINE; i++) {
    int j = a->first + i - b->first;
    if (j >= 0 && j < CT_SPLINE)
      sum += a->weight[i] * b->weight[j];
  }
  return sum;
}

/* The cells of a stencil, in one piece but where a ring closes: then they are copied. */
typedef struct window {
  const double *right, *left;
  double copied[2][CT_SPLINE];
} window;

static inline void look(const ct_string *s, const ct_stencil *st, window *w) {
  const ct_wave *wave = &s->plane[st->plane];
  uint32_t first = (uint32_t)st->first, right = (first + s->turn) & s->mask,
           left = (first - s->turn) & s->mask;
  w->right = wave->right + right;
  w->left = wave->left + left;
  if (right + CT_SPLINE <= s->mask && left + CT_SPLINE <= s->mask)
    return;
  for (uint32_t i = 0; i < CT_SPLINE; i++) {
    w->copied[0][i] = *ct_right(s, wave, first + i);
    w->copied[1][i] = *ct_left(s, wave, first + i);
  }
  w->right = w->copied[0];
  w->left = w->copied[1];
}

static void arrive(const ct_body *body, ct_stencil *st) {
  window w;
  double sum = 0;
  look(&body->as.string, st, &w);
  for (uint32_t i = 0; i < CT_SPLINE; i++)
    sum += st->weight[i] * (w.right[i] + w.left[i]);
  st->arrive_m_s = sum * body->as.string.wave_m_s;
}

/* R - L: the slope per cell over h. */
static double slope(const ct_body *body, const ct_stencil *st) {
  window w;
  double sum = 0;
  look(&body->as.string, st, &w);
  for (uint32_t i = 0; i < CT_SPLINE; i++)
    sum += st->slope_weight[i] * (w.right[i] - w.left[i]);
  return sum * body->as.string.wave_m_s;
}

double ct_string_pull_n(const ct_body *body, uint16_t port) {
  return body->as.string.values.impedance_kg_s * slope(body, &body->as.string.stencils[port]);
}

static void weights_changed(ct_body *body) {
  ct_string *s = &body->as.string;
  for (uint16_t p = 0; p < body->port_count; p++) {
    arrive(body, &s->stencils[p]);
    for (uint16_t q = 0; q <= p; q++)
      s->overlap[p * body->port_count + q] = s->overlap[q * body->port_count + p] =
          overlap_of(&s->stencils[p], &s->stencils[q]);
  }
  body->revision++;
  body->predicted = CT_NO_LEVEL;
}

void ct_string_place_ports(ct_body *body) {
  for (uint16_t p = 0; p < body->port_count; p++)
    place_port(body, &body->as.string.stencils[p]);
  weights_changed(body);
}

/* The end has moved: so do the weights of ports it was or is now in reach of. Any port may come into reach,
 * since a string goes on getting shorter long after the last change of a number. */
static void follow_end(ct_body *body) {
  ct_string *s = &body->as.string;
  bool any = false;
  for (uint16_t p = 0; p < body->port_count; p++) {
    ct_stencil *st = &s->stencils[p];
    bool reached = st->at_end || st->at - s->bridge_gap > last_place(s);
    if (reached)
      place_port(body, st);
    any |= reached;
  }
  if (any)
    weights_changed(body);
}

/* Along the string its displacement changes by its slope: imposed motion for whatever touches there. A point
 * travels no faster than a tenth of the speed of waves, so a leap is walked, once the string has moved at
 * all; and one that is carried takes its time, evenly. True when it has arrived. */
static bool slide_point(ct_body *body, ct_point *point) {
  ct_string *s = &body->as.string;
  double wanted = fmin(fmax(point->place[0], 0), 1), most = FASTEST_POINT / samples_per_length(body);
  double way = wanted - s->stencils[point->port[0]].place,
         share = point->carried_for > 1 ? way / point->carried_for : way,
         step = s->sounded ? ct_clamp(share, -most, most) : way;
  point->carried_for -= point->carried_for > 0;
  for (uint32_t p = 0; p < s->planes; p++) {
    ct_port *port = &body->ports[point->port[p]];
    ct_stencil *st = &s->stencils[point->port[p]];
    st->place = step == way ? wanted : st->place + step;
    place_port(body, st);
    double slide = body->step_s * slope(body, st) * step * samples_per_length(body);
    port->slide_m += ct_point_slides(point) ? slide : 0;
    port->x_m += slide;
  }
  body->slid = true;
  return step == way;
}

/* Stays moved while a point is under way: then it is asked again at the next sample. */
static void string_begin(ct_body *body) {
  bool under_way = false;
  if (!body->moved)
    return;
  for (uint16_t i = 0; i < body->point_count; i++) {
    ct_point *point = &body->points[i];
    point->moved = point->moved && !slide_point(body, point);
    under_way |= point->moved;
  }
  body->moved = under_way;
  weights_changed(body);
}

/* ---- stepping ---- */

/* What a force at one port adds to how far every port moves. */
static void add_push(ct_body *body, uint16_t pushed, double metres_per_overlap) {
  const double *overlap = &body->as.string.overlap[pushed * body->port_count];
  for (uint16_t p = 0; p < body->port_count; p++)
    body->ports[p].dx_free_m += overlap[p] * metres_per_overlap;
}

static void string_predict(ct_body *body, uint32_t level) {
  double share = ct_share(level), step_s = body->step_s * share;
  if (body->predicted == level)
    return;
  for (uint16_t p = 0; p < body->port_count; p++)
    body->ports[p].dx_free_m = step_s * body->as.string.stencils[p].arrive_m_s;
  for (uint16_t q = 0; body->forced && q < body->port_count; q++)
    if (body->ports[q].external_n != 0)
      add_push(body, q, body->as.string.metres_per_n * share * body->ports[q].external_n);
  body->predicted = level;
}

static const double *string_compliance(ct_body *body, uint32_t level) {
  ct_string *s = &body->as.string;
  double over_2z = body->as.string.metres_per_n * ct_share(level);
  for (uint32_t i = 0; i < (uint32_t)body->port_count * body->port_count; i++)
    s->compliance[i] = over_2z * s->overlap[i];
  return s->compliance;
}

/* Weights of a signed sum of ports on the cells they cover, added up before anything is multiplied. */
typedef struct covered {
  uint32_t count;
  struct {
    uint32_t plane;
    int cell;
    double weight;
  } at[CT_SIGNED_PORTS * CT_SPLINE];
} covered;

static void cover(covered *c, const ct_stencil *st, double sign) {
  for (int i = 0; i < CT_SPLINE; i++) {
    uint32_t k = 0;
    while (k < c->count && (c->at[k].plane != st->plane || c->at[k].cell != st->first + i))
      k++;
    if (k == c->count) {
      c->at[k].plane = st->plane;
      c->at[k].cell = st->first + i;
      c->at[k].weight = 0;
      c->count++;
    }
    c->at[k].weight += sign * st->weight[i];
  }
}

static double string_coupling(ct_body *body, uint32_t level, const ct_signed_port *p, uint32_t p_count,
                              const ct_signed_port *q, uint32_t q_count) {
  const ct_stencil *stencils = body->as.string.stencils;
  covered a = {0}, b = {0};
  double sum = 0;
  for (uint32_t i = 0; i < p_count; i++)
    cover(&a, &stencils[p[i].port], p[i].sign);
  for (uint32_t i = 0; i < q_count; i++)
    cover(&b, &stencils[q[i].port], q[i].sign);
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++)
      if (a.at[i].plane == b.at[k].plane && a.at[i].cell == b.at[k].cell)
        sum += a.at[i].weight * b.at[k].weight;
  return sum * body->as.string.metres_per_n * ct_share(level);
}

/* f . overlap . f */
static double overlap_form(const ct_body *body, const double *f) {
  double sum = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    for (uint16_t q = 0; q < body->port_count; q++)
      sum += f[p] * body->as.string.overlap[p * body->port_count + q] * f[q];
  return sum;
}

/* Of the forces of this substep: f . overlap . f, and the sizes it is made of. */
static void note_spread(ct_body *body, double share) {
  ct_string *s = &body->as.string;
  double sum = 0, size = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    for (uint16_t q = 0; q < body->port_count; q++) {
      double product = (body->ports[p].contact_n + body->ports[p].external_n) *
                       s->overlap[p * body->port_count + q] *
                       (body->ports[q].contact_n + body->ports[q].external_n);
      sum += product;
      size += fabs(product);
    }
  s->spread += share * sum;
  s->push_size += share * size;
}

/* One substep: ports move, forces are remembered. */
static void move_ports(ct_body *body, double share, ct_tally *tally) {
  ct_string *s = &body->as.string;
  for (uint16_t q = 0; q < body->port_count; q++)
    if (body->ports[q].contact_n != 0)
      add_push(body, q, body->as.string.metres_per_n * share * body->ports[q].contact_n);
  if (tally && share < 1)
    note_spread(body, share);
  for (uint16_t p = 0; p < body->port_count; p++) {
    ct_port *port = &body->ports[p];
    port->x_m += port->dx_free_m;
    s->stencils[p].moved_m += port->dx_free_m;
    s->mean_n[p] += share * (port->contact_n + port->external_n);
    if (tally) {
      tally->force_j += port->external_n * port->dx_free_m;
      tally->gross_j += 4 * fabs(port->external_n * port->dx_free_m);
    }
    port->contact_n = 0;
  }
}

static void inject(ct_body *body) {
  ct_string *s = &body->as.string;
  for (uint16_t p = 0; p < body->port_count; p++) {
    const ct_stencil *st = &s->stencils[p];
    if (s->mean_n[p] == 0)
      continue;
    double add = s->mean_n[p] * s->metres_per_n * body->rate_hz / s->wave_m_s;
    s->sounded = true;
    for (uint32_t i = 0; i < CT_SPLINE; i++) {
      uint32_t cell = (uint32_t)st->first + i;
      *ct_right(s, &s->plane[st->plane], cell) += st->weight[i] * add;
      *ct_left(s, &s->plane[st->plane], cell) += st->weight[i] * add;
    }
  }
}

/* ---- how much rounding may do to the energy balance over a sample: see ledger.c ---- */

/* Cells only move. A filter's output and new state are sums of two products, off by four roundings of their
 * sizes at most; both count squared, so eight of what comes in and of what is stored. What comes in from the
 * bridge side passes a pole and the bridge; from the nut side a pole, two fading cells and the sections. */
static double gross_of_filters(const ct_string *s) {
  double sum = ct_waves_stored_at_ends(s);
  for (uint32_t p = 0; p < s->planes; p++) {
    double bridge = *ct_right(s, &s->plane[p], 0),
           nut = *ct_left(s, &s->plane[p], ct_cells_left(s->cells) - 1);
    sum += 2 * bridge * bridge + (3 + s->loop->sections) * nut * nut;
  }
  return 8 * sum;
}

/* Where forces went in, each cell was rounded as it was added to, and before another port's force came it may
 * have been larger than it is now; and what the ports were said to do is a sum over the cells, of waves that
 * may all but cancel. */
static double gross_of_port(const ct_body *body, uint16_t p) {
  const ct_string *s = &body->as.string;
  const ct_stencil *st = &s->stencils[p];
  double sum = 0, added = fabs(s->mean_n[p]) * s->metres_per_n * body->rate_hz / s->wave_m_s;
  for (uint32_t i = 0; i < CT_SPLINE; i++) {
    uint32_t cell = (uint32_t)st->first + i;
    double put_in = fabs(st->weight[i]) * added,
           right = fabs(*ct_right(s, &s->plane[st->plane], cell)) + put_in,
           left = fabs(*ct_left(s, &s->plane[st->plane], cell)) + put_in;
    sum += 4 * s->wave_j * (right * right + left * left) +
           8 * body->step_s * s->wave_m_s * fabs(s->mean_n[p] * st->weight[i]) * (right + left);
  }
  return sum;
}

/* How far forces move their own ports and one another's: sizes of f . overlap . f; forces may cancel. */
static double push_size(const ct_body *body) {
  const ct_string *s = &body->as.string;
  double sum = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    for (uint16_t q = 0; s->mean_n[p] != 0 && q < body->port_count; q++)
      sum += fabs(s->mean_n[p] * s->overlap[p * body->port_count + q] * s->mean_n[q]);
  return sum;
}

/* Sizes of all terms of the balance of a sample whose forces have gone in. */
static double gross_j(const ct_body *body) {
  const ct_string *s = &body->as.string;
  double sum = s->wave_j * gross_of_filters(s) + 8 * s->metres_per_n * (s->push_size + push_size(body));
  for (uint16_t p = 0; p < body->port_count; p++)
    sum += s->mean_n[p] != 0 ? gross_of_port(body, p) : 0;
  return sum;
}

/* ---- the end of a sample ---- */

/* The sample is over: the mean force goes out, and all waves move on by a cell. */
static void finish_sample(ct_body *body, ct_tally *tally) {
  ct_string *s = &body->as.string;
  double varied = s->spread > 0 ? fmax(0, s->spread - overlap_form(body, s->mean_n)) : 0;
  inject(body);
  if (tally)
    tally->gross_j += gross_j(body);
  double before = s->cells, lost = s->goal == before ? 0 : ct_waves_tune(s);
  lost += ct_waves_step(s);
  if (tally)
    tally->lost_j += s->wave_j * lost + body->as.string.metres_per_n * varied;
  if (ct_string_has_vibrato(s))
    s->vibrato = fmod(s->vibrato + s->values.vibrato_hz * body->step_s, 1);
  for (uint16_t p = 0; p < body->port_count; p++) {
    body->ports[p].v_m_s = s->stencils[p].moved_m * body->rate_hz;
    s->stencils[p].moved_m = s->mean_n[p] = 0;
  }
  s->spread = s->push_size = s->elapsed = 0;
  if (s->cells != before)
    follow_end(body);
  for (uint16_t p = 0; p < body->port_count; p++)
    arrive(body, &s->stencils[p]);
}

static void string_advance(ct_body *body, uint32_t level, uint32_t next, ct_tally *tally) {
  ct_string *s = &body->as.string;
  double share = ct_share(level);
  string_predict(body, level);
  move_ports(body, share, tally);
  s->elapsed += share;
  if (s->elapsed >= 1)
    finish_sample(body, tally);
  body->predicted = CT_NO_LEVEL;
  string_predict(body, next);
}

/* As far as one sees at once. */
static ct_pace string_pace(const ct_body *body) {
  return body->as.string.cells != body->as.string.goal ? CT_MOVES : CT_RESTS;
}

static bool string_is_still(const ct_body *body) {
  return !body->as.string.sounded || ct_waves_are_still(&body->as.string, CT_STILL_M_S);
}

static double string_stored(const ct_body *body) {
  return body->as.string.wave_j * ct_waves_stored(&body->as.string);
}

/* ---- plucking and striking ---- */

static void read_now(ct_body *body) {
  for (uint16_t p = 0; p < body->port_count; p++)
    arrive(body, &body->as.string.stencils[p]);
  body->predicted = CT_NO_LEVEL;
}

/* Cells from where the string at rest seems to begin: behind cell 0 by half a cell, the bridge's pole and its
 * spring. */
static double rest_distance(const ct_string *s, double distance) {
  return distance - s->bridge_gap + 0.5 + ct_loop_bridge_rest(s->loop) / 2;
}

/* A triangle, and its heights at cells: between the edges of a cell the string is straight, so that in the
 * one cell with the corner its height is the mean of the two edges'. */
typedef struct triangle {
  double apex, end, rise, fall; /* cells; metres per cell */
} triangle;

static double height_at(const triangle *t, double x) {
  return x <= t->apex ? t->rise * x : fmax(0, t->fall * (t->end - x));
}

static double height_of_cell(const triangle *t, double x) {
  return (height_at(t, x - 0.5) + height_at(t, x + 0.5)) / 2;
}

/* A silent string's points are where they were put, before anything moves it. */
static void take_places(ct_body *body) {
  if (!body->as.string.sounded)
    string_begin(body);
}

/* A triangle, let go: straight from the bridge to the point, straight on to the nut, its corner just there.
 * Lengths are those of a string at rest, spring of the bridge and filters included, so that nothing is left
 * standing afterwards. Ports move by what their weights make of the cells: they come back to where they were.
 */
void ct_string_pluck(ct_body *body, const ct_point *point, double height_m) {
  ct_string *s = &body->as.string;
  take_places(body);
  const ct_stencil *at = &s->stencils[point->port[CT_NORMAL]];
  double first = rest_distance(s, s->bridge_gap), per_step = 1 / (body->step_s * s->wave_m_s);
  triangle t = {.end = (s->cells + 0.5 + ct_loop_rest(s->loop)) / 2};
  /* so many cells, and a share of one, lie on the bridge's side */
  double before = fmin(fmax(rest_distance(s, at->at) - first + 0.5, 1), floor(s->cells / 2) - 2);
  t.apex = before - 0.5 + first;
  t.rise = height_m / t.apex;
  t.fall = height_m / (t.end - t.apex);
  s->sounded = true;
  ct_waves_bend(s, at->plane, before, t.rise * per_step, -t.fall * per_step);
  for (uint16_t p = 0; p < body->port_count; p++) {
    const ct_stencil *st = &s->stencils[p];
    for (int i = 0; st->plane == at->plane && i < CT_SPLINE; i++)
      body->ports[p].x_m += st->weight[i] * height_of_cell(&t, first + st->first + i);
  }
  read_now(body);
}

/* An impulse: the force I / h over one sample. */
void ct_string_strike(ct_body *body, const ct_point *point, double impulse_n_s) {
  ct_string *s = &body->as.string;
  uint16_t port = point->port[CT_NORMAL];
  take_places(body);
  s->mean_n[port] = impulse_n_s / body->step_s; /* between samples: all others are zero */
  inject(body);
  s->mean_n[port] = 0;
  read_now(body);
}

const ct_body_kind ct_string_kind = {.name = "string",
                                     .rigid = false,
                                     .begin = string_begin,
                                     .predict = string_predict,
                                     .compliance = string_compliance,
                                     .coupling = string_coupling,
                                     .advance = string_advance,
                                     .stored_j = string_stored,
                                     .parameters_changed = ct_string_parameters_changed,
                                     .on_tick = ct_string_on_tick,
                                     .pace = string_pace,
                                     .is_still = string_is_still};
