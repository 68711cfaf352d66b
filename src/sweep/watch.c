/* What is measured of states. */
#include "base/text.h"
#include "measure/bowed.h"
#include "measure/signal.h"
#include "sweep/maker.h"
#include "sweep/plan.h"

#include <string.h>

/* ---- ways to measure ---- */

/* Numbers in the order of the kind's list. */
typedef bool measure_state(const double *x, size_t count, double rate_hz, const double *numbers,
                           double *cells);

static bool measure_range(const double *x, size_t count, double rate_hz, const double *numbers,
                          double *cells) {
  double sum = 0, squares = 0, least = CT_INFINITY, most = -CT_INFINITY;
  (void)rate_hz;
  (void)numbers;
  for (size_t n = 0; n < count; n++) {
    sum += x[n];
    squares += x[n] * x[n];
    least = fmin(least, x[n]);
    most = fmax(most, x[n]);
  }
  cells[0] = least;
  cells[1] = most;
  cells[2] = sum / (double)count;
  cells[3] = sqrt(squares / (double)count);
  return true;
}

static ct_bowing bowing_of(double rate_hz, const double *numbers) {
  return (ct_bowing){rate_hz, numbers[0], numbers[1], numbers[2], numbers[3]};
}

static bool measure_bowed(const double *v, size_t count, double rate_hz, const double *numbers,
                          double *cells) {
  const ct_bowing how = bowing_of(rate_hz, numbers);
  ct_bowed_motion m;
  if (!ct_bowed_judge(v, (uint32_t)count, &how, &m))
    return false;
  const double all[] = {m.regime, m.slips, m.slip_share, m.hz, m.clarity, m.stuck_m_s};
  memcpy(cells, all, sizeof all);
  return true;
}

static bool measure_attack(const double *v, size_t count, double rate_hz, const double *numbers,
                           double *cells) {
  const ct_bowing how = bowing_of(rate_hz, numbers);
  ct_bowed_attack a;
  if (!ct_bowed_measure_attack(v, (uint32_t)count, &how, &a))
    return false;
  const double all[] = {a.first_s, a.periods, a.longest};
  memcpy(cells, all, sizeof all);
  return true;
}

typedef struct state_column {
  const char *name, *unit, *words;
} state_column;

static const state_column range_columns[] = {{"least", "", "least value"},
                                             {"most", "", "greatest value"},
                                             {"mean", "", "mean value"},
                                             {"rms", "", "root of the mean square"}};
static const state_column bowed_columns[] = {
    {"regime", "", "0 none, 1 Helmholtz, 2 multiple slips, 3 other periodic, 4 raucous"},
    {"slips", "", "slips per nominal period"},
    {"slip_share", "", "share of time that it slips"},
    {"hz", "Hz", "pitch of the velocity under the bow"},
    {"clarity", "", "how periodic it is, 0 to 1"},
    {"stuck_m_s", "m/s", "median velocity: the bow's, if it sticks most of the time"}};
static const state_column attack_columns[] = {
    {"first_s", "s", "begin of the first slip"},
    {"periods", "", "nominal periods from there to one slip per period; none: never"},
    {"longest", "", "longest time without a slip until then, in nominal periods"}};

#define COLUMNS(columns) columns, sizeof(columns) / sizeof *(columns)

/* One row for each way, in the order of kind_words; `numbers` are what it wants to know. */
static const struct {
  const state_column *columns;
  uint32_t column_count;
  const char *numbers[CT_SWEEP_WATCH_NUMBERS + 1];
  measure_state *measure;
} kinds[] = {
    {COLUMNS(range_columns), {NULL}, measure_range},
    {COLUMNS(bowed_columns), {"string_hz", "speed_m_s", "acceleration_m_s2", "place"}, measure_bowed},
    {COLUMNS(attack_columns), {"string_hz", "speed_m_s", "acceleration_m_s2", "place"}, measure_attack},
};

static const char kind_words[] = "range|bowed|attack";

/* ---- reading ---- */

static ct_result refuse(const ct_sweep_plan *plan, const char *watch, const char *key, const char *what,
                        ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.100s: watch.%.60s%s%.40s: %.140s", plan->file, watch, *key ? "." : "",
                 key, what);
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && *text ? text : NULL;
}

static bool is_number_of(const ct_sweep_watch *w, const char *key) {
  for (uint32_t i = 0; kinds[w->kind].numbers[i]; i++)
    if (strcmp(kinds[w->kind].numbers[i], key) == 0)
      return true;
  return false;
}

static ct_result check_keys(const ct_sweep_plan *plan, const ct_sweep_watch *w, const json_t *object,
                            ct_error *error) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    if (ct_choice_index("path|measure|last_s", key) < 0 && !is_number_of(w, key))
      return refuse(plan, w->name, key, "no such key", error);
  }
  return CT_OK;
}

static ct_result read_number(ct_sweep_plan *plan, ct_sweep_watch *w, const json_t *object, uint32_t i,
                             ct_error *error) {
  const char *key = kinds[w->kind].numbers[i];
  const json_t *value = json_object_get(object, key);
  w->of[i].number = json_number_value(value);
  if (json_is_number(value))
    return CT_OK;
  if (!json_is_string(value))
    return refuse(plan, w->name, key, "wants a number, or the name of what varies", error);
  return ct_sweep_plan_text(plan, json_string_value(value), &w->of[i].vary, error);
}

static ct_result read_watch(ct_sweep_plan *plan, ct_sweep_watch *w, const char *name, const json_t *object,
                            ct_error *error) {
  const char *path = text_of(object, "path"), *measure = text_of(object, "measure");
  const json_t *last = json_object_get(object, "last_s");
  const int kind = ct_choice_index(kind_words, measure ? measure : "range");
  CT_TRY(ct_sweep_plan_text(plan, name, &w->name, error));
  if (!path)
    return refuse(plan, name, "path", "wants a state of the scene, such as rub.force_n", error);
  CT_TRY(ct_sweep_plan_text(plan, path, &w->path, error));
  if (kind < 0 || (!measure && json_object_get(object, "measure")))
    return refuse(plan, name, "measure", "wants one of range, bowed, attack", error);
  w->kind = (uint32_t)kind;
  w->last_s = json_number_value(last);
  if (last && !(json_is_number(last) && w->last_s > 0))
    return refuse(plan, name, "last_s", "wants a time above 0", error);
  CT_TRY(check_keys(plan, w, object, error));
  for (uint32_t i = 0; kinds[kind].numbers[i]; i++)
    CT_TRY(read_number(plan, w, object, i, error));
  return CT_OK;
}

ct_result ct_sweep_watches_read(ct_sweep_plan *plan, const json_t *list, ct_error *error) {
  const char *name;
  json_t *object;
  if (!list && plan->write == CT_SWEEP_WATCHED)
    return ct_fail(error, CT_BAD_FILE, "%.100s: write: nothing is watched; wants watch", plan->file);
  if (!list)
    return CT_OK;
  if (!json_is_object(list) || json_object_size(list) < 1 || json_object_size(list) > CT_SWEEP_WATCHES_MOST)
    return ct_fail(error, CT_BAD_FILE, "%.100s: watch: wants an object of 1 to %d names", plan->file,
                   CT_SWEEP_WATCHES_MOST);
  CT_TRY(ct_sweep_plan_take(plan, json_object_size(list), sizeof *plan->watches, &plan->watches, error));
  json_object_foreach((json_t *)(uintptr_t)list, name, object) {
    CT_TRY(read_watch(plan, &plan->watches[plan->watch_count++], name, object, error));
  }
  return CT_OK;
}

ct_result ct_sweep_watches_check(const ct_sweep_plan *plan, const ct_sweep_part *part, ct_error *error) {
  for (uint32_t i = 0; i < plan->watch_count; i++)
    for (uint32_t k = 0; kinds[plan->watches[i].kind].numbers[k]; k++) {
      const ct_sweep_watch *w = &plan->watches[i];
      const uint32_t found = w->of[k].vary ? ct_sweep_find_vary(part, w->of[k].vary) : 0;
      if (w->of[k].vary && (found == part->vary_count || part->vary[found].words))
        return refuse(plan, w->name, kinds[w->kind].numbers[k], "wants a number, or the name of what varies",
                      error);
    }
  return CT_OK;
}

ct_result ct_sweep_watches_tap(const ct_sweep_plan *plan, ct_render *render, ct_error *error) {
  for (uint32_t i = 0; i < plan->watch_count; i++)
    CT_TRY(ct_render_tap(render, (const char *const *)&plan->watches[i].path, 1, error));
  return CT_OK;
}

/* ---- columns and cells ---- */

uint32_t ct_sweep_watch_column_count(const ct_sweep_plan *plan) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->watch_count; i++)
    count += kinds[plan->watches[i].kind].column_count;
  return count;
}

ct_sweep_watch_column ct_sweep_watch_column_at(const ct_sweep_plan *plan, uint32_t index) {
  const ct_sweep_watch *w = plan->watches;
  for (; index >= kinds[w->kind].column_count; w++)
    index -= kinds[w->kind].column_count;
  const state_column *c = &kinds[w->kind].columns[index];
  return (ct_sweep_watch_column){w->name, c->name, c->unit, c->words};
}

bool ct_sweep_watches_measure(const ct_sweep_plan *plan, const ct_sweep_point *point,
                              const ct_sweep_made *made, double *cells) {
  for (uint32_t i = 0; i < plan->watch_count; i++) {
    const ct_sweep_watch *w = &plan->watches[i];
    double numbers[CT_SWEEP_WATCH_NUMBERS] = {0};
    size_t count = made->frames;
    for (uint32_t k = 0; kinds[w->kind].numbers[k]; k++)
      numbers[k] =
          w->of[k].vary ? point->number[ct_sweep_find_vary(point->part, w->of[k].vary)] : w->of[k].number;
    if (w->last_s > 0 && w->last_s * made->rate_hz < (double)count)
      count = (size_t)(w->last_s * made->rate_hz);
    if (!kinds[w->kind].measure(made->watched[i] + made->frames - count, count, made->rate_hz, numbers,
                                cells))
      return false;
    cells += kinds[w->kind].column_count;
  }
  return true;
}
