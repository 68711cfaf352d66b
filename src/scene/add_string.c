/* Adding a string. Of its five numbers any three that do not say the same thing make the other two; in
 * logarithms that is a linear system,
 *
 *   ln 2 hz = (ln T - ln rho)/2 - ln L,   ln Z = (ln T + ln rho)/2,
 *
 * which is solved as numbers come in: one that follows from those before it must agree with them. */
#include "base/sized.h"
#include "base/text.h"
#include "scene/add.h"

#include <math.h>
#include <string.h>

enum { LENGTH, TENSION, DENSITY, UNKNOWNS };

/* sum factor[i] x[i] = value */
typedef struct equation {
  double factor[UNKNOWNS], value;
} equation;

/* In echelon: row i, when there, starts at unknown i. */
typedef struct echelon {
  equation row[UNKNOWNS];
  bool there[UNKNOWNS];
} echelon;

/* Takes an equation in; false when it was known already, and then `off` says by how much it disagrees. */
static bool take_in(echelon *e, equation q, double *off) {
  for (int i = 0; i < UNKNOWNS; i++) {
    double factor = q.factor[i];
    if (fabs(factor) < 1e-9)
      continue;
    if (!e->there[i]) {
      e->row[i] = q;
      return e->there[i] = true;
    }
    double share = factor / e->row[i].factor[i];
    for (int k = 0; k < UNKNOWNS; k++)
      q.factor[k] -= share * e->row[i].factor[k];
    q.value -= share * e->row[i].value;
  }
  *off = q.value;
  return false;
}

static void solve(const echelon *e, double x[UNKNOWNS]) {
  for (int i = UNKNOWNS; i-- > 0;) {
    double sum = e->row[i].value;
    for (int k = i + 1; k < UNKNOWNS; k++)
      sum -= e->row[i].factor[k] * x[k];
    x[i] = sum / e->row[i].factor[i];
  }
}

typedef struct known {
  const char *name;
  double given, standard; /* standard 0: never assumed */
  equation equation;      /* of its logarithm */
} known;

/* Half a percent: numbers copied from a book are rounded. */
static ct_result take_all(const char *name, const known *numbers, size_t count, echelon *e, ct_error *error) {
  double off = 0;
  for (size_t i = 0; i < count; i++) {
    equation q = numbers[i].equation;
    q.value += log(numbers[i].given);
    if (numbers[i].given > 0 && !take_in(e, q, &off) && fabs(off) > 0.005)
      return ct_fail(
          error, CT_BAD_VALUE,
          "%s.string.%s: %g contradicts the other numbers given, which make it %.4g; give three of "
          "hz, impedance_kg_s, length_m, tension_n, density_kg_m",
          name, numbers[i].name, numbers[i].given, numbers[i].given * exp(-off));
  }
  for (size_t i = 0; i < count; i++) {
    equation q = numbers[i].equation;
    q.value += log(numbers[i].standard);
    if (numbers[i].standard > 0)
      take_in(e, q, &off);
  }
  return CT_OK;
}

/* A published cello D string: 0.69 m, 0.506 kg/s, so 102.5 N. */
static ct_result solve_string(const ct_string_def *def, double x[UNKNOWNS], ct_error *error) {
  const known numbers[] = {
      {"hz", def->hz, 146.8, {{-1, 0.5, -0.5}, log(2)}},
      {"impedance_kg_s", def->impedance_kg_s, 0.506, {{0, 0.5, 0.5}, 0}},
      {"length_m", def->length_m, 0.69, {{1, 0, 0}, 0}},
      {"tension_n", def->tension_n, 0, {{0, 1, 0}, 0}},
      {"density_kg_m", def->density_kg_m, 0, {{0, 0, 1}, 0}},
  };
  echelon e = {0};
  CT_TRY(take_all(def->name, numbers, sizeof numbers / sizeof numbers[0], &e, error));
  solve(&e, x);
  return CT_OK;
}

/* ---- checks ---- */

/* 0 stands for not given. */
static ct_result check_numbers(const ct_string_def *d, ct_error *error) {
  char who[CT_TEXT_MAX / 2];
  ct_format(who, sizeof who, "%s.string", d->name);
  CT_TRY(ct_def_check(CT_DEF_STRING, who, d, error));
  if (d->q != 0)
    CT_TRY(ct_field_check(CT_STRING_Q, who, d->q, error));
  if (d->inharmonicity > 0 && d->bending_n_m2 > 0)
    return ct_fail(error, CT_BAD_SCENE,
                   "body '%s': inharmonicity and bending_n_m2 say the same thing; give one", d->name);
  return CT_OK;
}

static ct_result check_points(const ct_string_def *d, ct_error *error) {
  if (d->point_count > CT_STRING_POINTS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': %u points on a string are wanted; at most %u", d->name,
                   d->point_count, CT_STRING_POINTS_MOST);
  for (uint32_t i = 0; i < d->point_count; i++) {
    const ct_point_def *point = &d->points[i];
    CT_TRY(ct_add_check_point(d->name, d->points, i, error));
    if (point->gains[CT_NORMAL] || point->gains[CT_TANGENTIAL])
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: a string's point is a place (place_u), not gains", d->name,
                     point->name);
    if (point->thump_count)
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: thump belongs to points of modal bodies, not of a string",
                     d->name, point->name);
  }
  return CT_OK;
}

/* ---- the string ---- */

typedef struct plan {
  ct_string_values values;
  double most_cells;
} plan;

static ct_result fill_values(const ct_string_def *d, ct_string_values *v, ct_error *error) {
  double x[UNKNOWNS];
  CT_TRY(solve_string(d, x, error));
  double length = exp(x[LENGTH]), tension = exp(x[TENSION]), density = exp(x[DENSITY]);
  double hz = sqrt(tension / density) / (2 * length);
  *v = (ct_string_values){.hz = d->hz > 0 ? d->hz : hz,
                          .impedance_kg_s = sqrt(tension * density),
                          .inharmonicity = d->inharmonicity,
                          .t60_s = d->q > 0 ? d->q * log(1000) / (M_PI * hz) : d->t60_s,
                          .high_hz = d->high_hz,
                          .stop = d->stop,
                          .vibrato_hz = d->vibrato_hz,
                          .vibrato_cents = d->vibrato_cents};
  if (d->bending_n_m2 > 0)
    v->inharmonicity = M_PI * M_PI * d->bending_n_m2 / (tension * length * length);
  v->high_t60_s = d->high_t60_s > 0 ? d->high_t60_s : v->t60_s * v->hz / v->high_hz;
  char who[CT_TEXT_MAX / 2];
  ct_format(who, sizeof who, "%s.string", d->name);
  CT_TRY(ct_field_check(CT_STRING_HZ, who, v->hz, error));
  CT_TRY(ct_field_check(CT_STRING_IMPEDANCE, who, v->impedance_kg_s, error));
  CT_TRY(ct_field_check(CT_STRING_INHARMONICITY, who, v->inharmonicity, error));
  if (v->high_hz < 1.5 * v->hz)
    return ct_fail(error, CT_BAD_VALUE,
                   "%s.string.high_hz: %g Hz; wants at least one and a half times hz, %g Hz", d->name,
                   v->high_hz, 1.5 * v->hz);
  return CT_OK;
}

/* Short strings at low rates leave no cells between their filters. */
static ct_result make_plan(const ct_string_def *d, double rate_hz, plan *p, ct_error *error) {
  CT_TRY(fill_values(d, &p->values, error));
  ct_loop loop;
  const ct_string_values *v = &p->values;
  ct_loss_wish losses = {rate_hz, v->hz, v->inharmonicity, v->t60_s, v->high_t60_s, v->high_hz};
  double cells = ct_string_make_loop(&loop, &losses, v->stop), period = rate_hz * (1 - v->stop) / v->hz;
  if (!(cells >= CT_STRING_FEWEST))
    return ct_fail(
        error, CT_BAD_VALUE,
        "body '%s': a string of %g Hz is too short for a rate of %g Hz; wants about %.4g Hz or less", d->name,
        rate_hz / period, rate_hz, rate_hz / (fmax(period, CT_STRING_FEWEST) - cells + CT_STRING_FEWEST + 2));
  double lowest = d->lowest_hz > 0 ? fmin(d->lowest_hz, v->hz) : v->hz / 2;
  p->most_cells = fmax(rate_hz / lowest, cells + 4);
  return CT_OK;
}

static ct_result check_string(const ct_string_def *d, double rate_hz, plan *p, ct_error *error) {
  CT_TRY(check_numbers(d, error));
  CT_TRY(check_points(d, error));
  return make_plan(d, rate_hz, p, error);
}

size_t ct_string_pool_bytes(const ct_string_def *given, double rate_hz) {
  ct_string_def def = ct_default_string_def();
  ct_body scratch;
  ct_arena counting = {NULL, 0, 0};
  void *points = NULL;
  plan p;
  memset(&scratch, 0, sizeof scratch);
  if (ct_take_def(&def, given) &&
      ct_add_take_points(&def.points, def.point_count, def.point_stride, &points, NULL) == CT_OK &&
      check_string(&def, rate_hz, &p, NULL) == CT_OK)
    ct_string_lay(&scratch, &counting, &def, p.most_cells);
  ct_rows_drop(points);
  return counting.used;
}

static ct_result add_string(ct_scene *s, const ct_string_def *def, ct_error *error) {
  plan p;
  CT_TRY(check_string(def, s->def.rate_hz, &p, error));
  ct_body counted;
  ct_arena arena = {NULL, 0, 0};
  ct_add_prepare_body(s, &counted, def->name);
  ct_string_lay(&counted, &arena, def, p.most_cells);
  ct_body *body = ct_add_place_body(s, &counted, &arena, error);
  if (!body)
    return CT_FULL;
  ct_string_lay(body, &arena, def, p.most_cells);
  ct_string_fill(body, def, &p.values);
  ct_add_announce(s, CT_PART_BODY, (uint16_t)(body - s->bodies), def->user_data);
  return CT_OK;
}

ct_id ct_scene_add_string(ct_scene *s, const ct_string_def *given, ct_error *error) {
  ct_string_def def = ct_default_string_def();
  char made[CT_NAME_MAX];
  void *points = NULL;
  ct_result result = ct_add_begin(s, CT_PART_BODY, given, &def, made, error);
  if (result == CT_OK)
    result = ct_add_take_points(&def.points, def.point_count, def.point_stride, &points, error);
  if (result == CT_OK)
    result = add_string(s, &def, error);
  ct_rows_drop(points);
  return ct_add_end(s, result);
}

ct_result ct_scene_string_partial(const ct_scene *s, const char *name, uint32_t n, double *hz, double *t60_s,
                                  ct_error *error) {
  int slot = s && name ? ct_part_find_live(s, CT_PART_BODY, name) : -1;
  if (!s || !name || !hz || !t60_s || n == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "partial: a null pointer, or partial 0");
  if (slot < 0 || s->bodies[slot].kind != &ct_string_kind)
    return ct_fail(error, CT_BAD_PATH, "partial: there is no string called '%.48s'", name);
  *t60_s = 0;
  *hz = ct_string_partial(&s->bodies[slot], n, t60_s);
  return CT_OK;
}
