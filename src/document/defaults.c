/* Default definitions: every field that the schema describes takes the schema's standard value. */
#include "document/defaults.h"
#include "document/schema.h"

/* A default function: cookie, size, and what its rows say. */
#define DEFAULT(name, COOKIE, KIND)                                                                          \
  ct_##name##_def ct_default_##name##_def(void) {                                                            \
    ct_##name##_def def = {.cookie = (COOKIE), .size = sizeof def};                                          \
    ct_def_standard(KIND, &def);                                                                             \
    return def;                                                                                              \
  }

DEFAULT(modal, CT_COOKIE_MODAL, CT_DEF_MODAL)
DEFAULT(hand, CT_COOKIE_HAND, CT_DEF_HAND)
DEFAULT(string, CT_COOKIE_STRING, CT_DEF_STRING)
DEFAULT(impact, CT_COOKIE_IMPACT, CT_DEF_IMPACT)
DEFAULT(friction, CT_COOKIE_FRICTION, CT_DEF_FRICTION)
DEFAULT(surface, CT_COOKIE_SURFACE, CT_DEF_SURFACE)
DEFAULT(pickup, CT_COOKIE_PICKUP, CT_DEF_PICKUP)
DEFAULT(control, CT_COOKIE_CONTROL, CT_DEF_CONTROL)
DEFAULT(source, CT_COOKIE_SOURCE, CT_DEF_SOURCE)

ct_drive_def ct_default_drive_def(void) {
  ct_drive_def def = {.cookie = CT_COOKIE_DRIVE, .size = sizeof def, .free = true};
  ct_def_standard(CT_DEF_DRIVE, &def);
  return def;
}

ct_region_def ct_default_region_def(void) {
  ct_region_def def = {0};
  ct_def_standard(CT_DEF_REGION, &def);
  return def;
}
