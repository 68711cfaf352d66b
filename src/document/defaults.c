/* Default definitions: every field that the schema describes takes the schema's standard value. */
#include "base/sized.h"
#include "document/schema.h"
#include <contatto/source.h>

/* Cookie, by which a definition that was not made here is caught, size, and what the definition's rows say,
 * as far as the caller's struct goes. */
#define FILL(name, COOKIE, KIND)                                                                             \
  void ct_fill_##name##_def(ct_##name##_def *to, uint32_t size) {                                            \
    ct_##name##_def def = {.cookie = (COOKIE), .size = size};                                                \
    ct_def_standard(KIND, &def);                                                                             \
    ct_give_bytes(to, size, &def, sizeof def);                                                               \
  }

FILL(modal, 0x0c04da11u, CT_DEF_MODAL)
FILL(hand, 0x0c04a4d1u, CT_DEF_HAND)
FILL(string, 0x0c045714u, CT_DEF_STRING)
FILL(impact, 0x0c041a9cu, CT_DEF_IMPACT)
FILL(friction, 0x0c04f41cu, CT_DEF_FRICTION)
FILL(surface, 0x0c045e4fu, CT_DEF_SURFACE)
FILL(pickup, 0x0c04914cu, CT_DEF_PICKUP)
FILL(control, 0x0c04c047u, CT_DEF_CONTROL)
FILL(source, 0x0c0450ceu, CT_DEF_SOURCE)

void ct_fill_drive_def(ct_drive_def *to, uint32_t size) {
  ct_drive_def def = {.cookie = 0x0c04d41eu, .size = size, .free = true};
  ct_def_standard(CT_DEF_DRIVE, &def);
  ct_give_bytes(to, size, &def, sizeof def);
}

void ct_fill_region_def(ct_region_def *to, uint32_t size) {
  ct_region_def def = {0};
  ct_def_standard(CT_DEF_REGION, &def);
  ct_give_bytes(to, size, &def, sizeof def);
}
