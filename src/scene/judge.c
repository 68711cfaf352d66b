/* Whether a scene kept its promises: one place that says so, for every host. */
#include "base/text.h"
#include "scene/scene.h"

#include <math.h>

/* A comparison with a NaN is never true. */
bool ct_ledger_kept(const ct_ledger *l) {
  return isfinite(l->stored_j) && isfinite(l->allowance_j) && fabs(l->error_j) <= l->allowance_j;
}

ct_result ct_scene_judge(const ct_scene *s, ct_error *error) {
  if (s->fault.found)
    return ct_fail(error, CT_NOT_FINITE, "%s '%s' stopped being finite at %g s", s->fault.kind, s->fault.name,
                   (double)s->fault.sample / s->def.rate_hz);
  ct_ledger l = ct_scene_ledger(s);
  if (s->def.ledger && !ct_ledger_kept(&l))
    return ct_fail(error, CT_BROKEN, "the energy account is broken: its error is %g J, rounding allows %g J",
                   l.error_j, l.allowance_j);
  return CT_OK;
}
