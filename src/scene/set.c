/* Changes from outside: controls, and parameter messages. Set-up thread. */
#include "base/sized.h"
#include "base/text.h"
#include "scene/scene.h"

#include <math.h>

/* ---- controls ---- */

static ct_result check_control(const ct_scene *s, const ct_control_def *def, ct_error *error) {
  char field[CT_NAME_MAX];
  if (!ct_copy_name(field, def->name) || ct_word_of_scene(def->name))
    return ct_fail(error, CT_BAD_VALUE, "control '%.60s': not usable as a name", def->name ? def->name : "");
  if (ct_part_named(s, def->name))
    return ct_fail(error, CT_BAD_SCENE, "control '%s': the scene has a part of that name already", def->name);
  if (!(isfinite(def->min) && isfinite(def->max) && def->min < def->max))
    return ct_fail(error, CT_BAD_VALUE, "control '%s': min %g and max %g do not make a range", def->name,
                   def->min, def->max);
  if (!(def->value >= def->min && def->value <= def->max) && !(def->trigger && def->value == 0))
    return ct_fail(error, CT_BAD_VALUE, "control '%s': value %g is out of range; wants %g to %g%s%s",
                   def->name, def->value, def->min, def->max, def->unit && *def->unit ? " " : "",
                   def->unit ? def->unit : "");
  if (def->scale == CT_LOG && def->min <= 0)
    return ct_fail(error, CT_BAD_VALUE, "control '%s': a log scale wants min > 0", def->name);
  if (s->control_count == s->def.controls || s->target_count + def->target_count > s->def.targets)
    return ct_full_controls(s, def->name, def->target_count, error);
  return CT_OK;
}

static ct_result find_target(ct_scene *s, const ct_control_def *def, const ct_target_def *t, ct_target *out,
                             ct_error *error) {
  ct_error inner;
  if (ct_scene_resolve(s, t->path ? t->path : "", &out->handle, &inner) != CT_OK)
    return ct_fail(error, inner.code, "control '%s': %.250s", def->name, inner.text);
  const ct_row *row = ct_row_at(out->handle.row);
  if (row->shown.rate == CT_RATE_STATE || row->section == CT_IN_CONTROL)
    return ct_fail(error, CT_BAD_PATH, "control '%s': %s cannot be moved by a control", def->name, t->path);
  if (t->scale == CT_LOG && !(t->from > 0 && t->to > 0))
    return ct_fail(error, CT_BAD_VALUE, "control '%s': a log target wants from and to > 0", def->name);
  out->from = t->from;
  out->to = t->to;
  out->scale = t->scale;
  CT_TRY(ct_row_check(row, t->path, t->from, error));
  return ct_row_check(row, t->path, t->to, error);
}

/* Controls are added before the first sample; their targets take the value they stand at. */
static ct_result add_control(ct_scene *s, const ct_control_def *def, ct_error *error) {
  CT_TRY(ct_start_check(s, "control", error));
  CT_TRY(check_control(s, def, error));
  ct_control c = {.min = def->min,
                  .max = def->max,
                  .value = def->value,
                  .scale = def->scale,
                  .trigger = def->trigger,
                  .first = s->target_count,
                  .count = (uint16_t)def->target_count,
                  .live = true};
  for (uint32_t i = 0; i < def->target_count; i++) {
    ct_target *t = &s->targets[s->target_count + i];
    CT_TRY(find_target(s, def, &def->targets[i], t, error));
    c.audio_rate |= ct_row_at(t->handle.row)->shown.rate == CT_RATE_AUDIO;
  }
  ct_copy_name(c.name, def->name);
  s->target_count = (uint16_t)(s->target_count + def->target_count);
  s->controls[s->control_count++] = c;
  ct_start_note_change(s);
  if (c.trigger)
    return CT_OK;
  ct_handle handle = {.row = (uint16_t)ct_row_of(CT_CONTROL_VALUE),
                      .object = (uint16_t)(s->control_count - 1)};
  return ct_scene_set(s, handle, def->value, 0, 0, error);
}

ct_result ct_scene_add_control(ct_scene *s, const ct_control_def *given, ct_error *error) {
  ct_control_def def = ct_default_control_def();
  ct_target_def standard = {0};
  void *targets = NULL;
  bool good = s && ct_take_def(&def, given);
  if (good)
    def.targets =
        ct_take_rows(def.targets, def.target_count, def.target_stride, &standard, sizeof standard, &targets);
  good = good && (def.targets || def.target_count == 0);
  ct_result result = good ? add_control(s, &def, error)
                          : ct_fail(error, CT_BAD_ARGUMENT,
                                    "control: no scene, no targets, or a definition not made by its default "
                                    "function, or by one that knows "
                                    "more than this library (%s)",
                                    CT_VERSION);
  ct_rows_drop(targets);
  return result;
}

/* ---- messages ---- */

/* What a change asks for, as a message; or why not. */
static ct_result message_of(const ct_scene *s, const ct_change *change, uint64_t at_sample, ct_message *m,
                            ct_error *error) {
  const ct_row *row = s ? ct_row_at(change->handle.row) : NULL;
  if (!row)
    return ct_fail(error, CT_BAD_ARGUMENT, "set: no scene, or a handle that was not resolved");
  if (row->shown.rate == CT_RATE_STATE)
    return ct_fail(error, CT_BAD_PATH, "%s: read only", row->shown.path);
  CT_TRY(ct_row_check(row, row->shown.path, change->value, error));
  if (row->section == CT_IN_CONTROL) {
    const ct_control *c = &s->controls[change->handle.object];
    CT_TRY(ct_control_check(c, c->name, change->value, error));
  }
  *m = (ct_message){.kind = CT_MESSAGE_SET,
                    .handle = change->handle,
                    .value = change->value,
                    .at_sample = at_sample,
                    .ramp = ct_ramp_samples(s, change->ramp_s),
                    .unhurried = change->ramp_s < 0};
  return CT_OK;
}

/* Checked to the last before the first is written; then all are published at once. */
ct_result ct_scene_set_many(ct_scene *s, const ct_change *changes, uint32_t count, uint64_t at_sample,
                            ct_error *error) {
  ct_message m;
  for (uint32_t i = 0; i < count; i++)
    CT_TRY(message_of(s, &changes[i], at_sample, &m, error));
  if (count == 0)
    return CT_OK;
  if (ct_queue_room(&s->inbox) < count)
    return ct_full_queue(s, "set", NULL, count, error);
  for (uint32_t i = 0; i < count; i++) {
    message_of(s, &changes[i], at_sample, &m, error);
    ct_queue_write(&s->inbox, i, &m);
  }
  ct_queue_publish(&s->inbox, count);
  return CT_OK;
}

ct_result ct_scene_set(ct_scene *s, ct_handle handle, double value, double ramp_s, uint64_t at_sample,
                       ct_error *error) {
  return ct_scene_set_many(s, &(ct_change){handle, value, ramp_s}, 1, at_sample, error);
}

ct_result ct_scene_set_path(ct_scene *s, const char *path, double value, ct_error *error) {
  ct_handle handle;
  ct_error inner;
  CT_TRY(ct_scene_resolve(s, path, &handle, error));
  ct_result result = ct_scene_set(s, handle, value, -1, 0, &inner);
  return result == CT_OK ? result : ct_fail(error, result, "%s (%s)", inner.text, path);
}
