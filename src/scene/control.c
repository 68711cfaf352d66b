/* Controls: a value over a range, turned into the values of its targets. */
#include "base/text.h"
#include "base/walk.h"
#include "scene/scene.h"

static double walk(ct_scale scale, double from, double to, double t) {
  if (scale == CT_LOG && from > 0 && to > 0)
    return ct_walk_log(from, to, t);
  return ct_walk_line(from, to, t);
}

static double place_in_range(const ct_control *c, double value) {
  if (c->max == c->min)
    return 0;
  if (c->scale == CT_LOG && c->min > 0 && value > 0)
    return ct_log_ratio(value, c->min) / ct_log_ratio(c->max, c->min);
  return (value - c->min) / (c->max - c->min);
}

ct_result ct_control_check(const ct_control *c, const char *path, double value, ct_error *error) {
  if ((value >= c->min && value <= c->max) || (c->trigger && value == 0))
    return CT_OK;
  return ct_fail(error, CT_BAD_VALUE, "%s: %g is out of range; wants %g to %g", path, value, c->min, c->max);
}

double ct_control_target_value(const ct_control *c, const ct_target *target, double value) {
  return walk(target->scale, target->from, target->to, place_in_range(c, value));
}
