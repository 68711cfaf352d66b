/* Default definitions: every field that the schema describes takes the schema's standard value. */
#include "document/defaults.h"
#include "base/sized.h"
#include "document/schema.h"

/* Cookie, size, and what the definition's rows say, as far as the caller's struct goes. */
#define FILL(name, COOKIE, KIND)                                                                             \
  void ct_fill_##name##_def(ct_##name##_def *to, uint32_t size) {                                            \
    ct_##name##_def def = {.cookie = (COOKIE), .size = size};                                                \
    ct_def_standard(KIND, &def);                                                                             \
    ct_give_bytes(to, size, &def, sizeof def);                                                               \
  }

FILL(modal, CT_COOKIE_MODAL, CT_DEF_MODAL)
FILL(hand, CT_COOKIE_HAND, CT_DEF_HAND)
FILL(string, CT_COOKIE_STRING, CT_DEF_STRING)
FILL(impact, CT_COOKIE_IMPACT, CT_DEF_IMPACT)
FILL(friction, CT_COOKIE_FRICTION, CT_DEF_FRICTION)
FILL(surface, CT_COOKIE_SURFACE, CT_DEF_SURFACE)
FILL(pickup, CT_COOKIE_PICKUP, CT_DEF_PICKUP)
FILL(control, CT_COOKIE_CONTROL, CT_DEF_CONTROL)
FILL(source, CT_COOKIE_SOURCE, CT_DEF_SOURCE)

void ct_fill_drive_def(ct_drive_def *to, uint32_t size) {
  ct_drive_def def = {.cookie = CT_COOKIE_DRIVE, .size = size, .free = true};
  ct_def_standard(CT_DEF_DRIVE, &def);
  ct_give_bytes(to, size, &def, sizeof def);
}

void ct_fill_region_def(ct_region_def *to, uint32_t size) {
  ct_region_def def = {0};
  ct_def_standard(CT_DEF_REGION, &def);
  ct_give_bytes(to, size, &def, sizeof def);
}
