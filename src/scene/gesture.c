/* Plays a gesture into a scene's queue. Between rows a value runs in a straight line: at each row that says
 * something, the player asks for a ramp to the next row that does; before its first such row a column stands
 * at what that row says. Triggers fire at rows whose value is not zero. */
#include "base/text.h"
#include "scene/scene.h"
#include <contatto/doc.h>

#include <math.h>
#include <stdlib.h>

struct ct_player {
  ct_gesture gesture;
  ct_scene *scene;
  double rate_hz;
  ct_handle *handles;
  bool *trigger;
  uint64_t start; /* the sample its time 0 lies at */
  /* next to send: cells in rows, so that a full queue is met again where it was left */
  uint32_t opened, row, column;
};

static ct_result prepare_column(ct_player *p, uint32_t column, ct_error *error) {
  ct_error inner;
  const char *path = p->gesture.paths[column];
  ct_handle *handle = &p->handles[column];
  if (ct_scene_resolve(p->scene, path, handle, &inner) != CT_OK)
    return ct_fail(error, inner.code, "gesture: %.300s", inner.text);
  const ct_row *row = ct_row_at(handle->row);
  const ct_control *control = row->section == CT_IN_CONTROL ? &p->scene->controls[handle->object] : NULL;
  if (row->shown.rate == CT_RATE_STATE)
    return ct_fail(error, CT_BAD_PATH, "gesture: %s is read only", path);
  for (uint32_t i = 0; i < p->gesture.rows; i++) {
    double value = p->gesture.values[column][i];
    if (!isnan(value) && (control ? ct_control_check(control, path, value, &inner)
                                  : ct_row_check(row, path, value, &inner)) != CT_OK)
      return ct_fail(error, inner.code, "gesture: %.300s", inner.text);
  }
  p->trigger[column] = control ? control->trigger : row->shown.rate == CT_RATE_TRIGGER;
  return CT_OK;
}

ct_result ct_player_create(const ct_gesture *gesture, ct_scene *scene, ct_player **player, ct_error *error) {
  if (!gesture || !scene || !player)
    return ct_fail(error, CT_BAD_ARGUMENT, "gesture: a null pointer");
  ct_player *p = calloc(1, sizeof *p);
  uint32_t columns = gesture->columns ? gesture->columns : 1;
  if (p)
    *p = (ct_player){.gesture = *gesture,
                     .scene = scene,
                     .rate_hz = ct_scene_rate_hz(scene),
                     .handles = calloc(columns, sizeof *p->handles),
                     .trigger = calloc(columns, sizeof *p->trigger)};
  if (!p || !p->handles || !p->trigger) {
    ct_player_destroy(p);
    return ct_fail(error, CT_NO_MEMORY, "gesture: out of memory");
  }
  ct_result result = CT_OK;
  for (uint32_t i = 0; result == CT_OK && i < gesture->columns; i++)
    result = prepare_column(p, i, error);
  if (result == CT_OK)
    *player = p;
  else
    ct_player_destroy(p);
  return result;
}

void ct_player_destroy(ct_player *p) {
  if (!p)
    return;
  free(p->handles);
  free(p->trigger);
  free(p);
}

void ct_player_start(ct_player *p, uint64_t at_sample) {
  p->start = at_sample;
  p->opened = p->row = p->column = 0;
}

static uint64_t sample_of(const ct_player *p, uint32_t row) {
  return p->start + (uint64_t)fmin(p->gesture.time_s[row] * p->rate_hz + 0.5, 0x1p62);
}

/* The next row after `row` where the column says something; rows when there is none. */
static uint32_t next_row(const ct_player *p, uint32_t column, uint32_t row) {
  do
    row++;
  while (row < p->gesture.rows && isnan(p->gesture.values[column][row]));
  return row;
}

/* Takes the value of the first row where the column says something. */
static ct_result open_column(ct_player *p, uint32_t column, ct_error *error) {
  uint32_t row = p->gesture.rows && isnan(p->gesture.values[column][0]) ? next_row(p, column, 0) : 0;
  if (p->trigger[column] || row >= p->gesture.rows)
    return CT_OK;
  return ct_scene_set(p->scene, p->handles[column], p->gesture.values[column][row], -1, p->start, error);
}

static ct_result send_cell(ct_player *p, uint32_t column, uint32_t row, ct_error *error) {
  const double *values = p->gesture.values[column];
  uint64_t at = sample_of(p, row);
  if (isnan(values[row]) || (p->trigger[column] && values[row] == 0))
    return CT_OK;
  if (p->trigger[column])
    return ct_scene_set(p->scene, p->handles[column], values[row], 0, at, error);
  uint32_t next = next_row(p, column, row);
  if (next == p->gesture.rows || values[next] == values[row])
    return CT_OK;
  return ct_scene_set(p->scene, p->handles[column], values[next],
                      p->gesture.time_s[next] - p->gesture.time_s[row], at, error);
}

ct_result ct_player_send(ct_player *p, uint64_t until_sample, ct_error *error) {
  for (; p->opened < p->gesture.columns; p->opened++)
    CT_TRY(open_column(p, p->opened, error));
  for (; p->row < p->gesture.rows && sample_of(p, p->row) < until_sample; p->row++, p->column = 0)
    for (; p->column < p->gesture.columns; p->column++)
      CT_TRY(send_cell(p, p->column, p->row, error));
  return CT_OK;
}
