/* Rows and the definitions they describe: one loop each for defaults, checks, and the numbers that move. */
#include "base/sized.h"
#include "base/text.h"
#include "document/schema.h"
#include <contatto/source.h>

#include <math.h>
#include <string.h>

static bool is_in(const ct_row *row, ct_def_kind kind) { return row->def == kind && row->bytes; }

void ct_row_put(const ct_row *row, void *def, double value) {
  unsigned char *to = (unsigned char *)def + row->at;
  uint32_t whole = row->bytes == sizeof value ? 0 : (uint32_t)value;
  bool flag = value != 0;
  if (row->bytes == sizeof value)
    memcpy(to, &value, sizeof value);
  else if (row->bytes == sizeof whole)
    memcpy(to, &whole, sizeof whole);
  else
    memcpy(to, &flag, sizeof flag);
}

static double take(const ct_row *row, const void *def) {
  const unsigned char *from = (const unsigned char *)def + row->at;
  double value;
  uint32_t whole;
  if (row->bytes == sizeof value)
    return memcpy(&value, from, sizeof value), value;
  if (row->bytes == sizeof whole)
    return memcpy(&whole, from, sizeof whole), whole;
  return *from;
}

void ct_def_standard(ct_def_kind kind, void *def) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (is_in(row, kind) && row->shown.type != CT_TYPE_TEXT)
      ct_row_put(row, def, row->shown.standard);
  }
}

void ct_def_start(ct_def_kind kind, const void *def, void *live) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (is_in(row, kind) && row->live)
      memcpy((unsigned char *)live + row->offset, (const unsigned char *)def + row->at, sizeof(double));
  }
}

/* ---- checks ---- */

ct_result ct_row_check(const ct_row *row, const char *path, double value, ct_error *error) {
  const ct_schema_row *r = &row->shown;
  const char *space = *r->unit ? " " : "";
  if (!isfinite(value))
    return ct_fail(error, CT_BAD_VALUE, "%s: not a finite number; wants %g to %g%s%s", path, r->min, r->max,
                   space, r->unit);
  if (value < r->min || value > r->max)
    return ct_fail(error, CT_BAD_VALUE, "%s: %g%s%s is out of range; wants %g to %g%s%s", path, value, space,
                   r->unit, r->min, r->max, space, r->unit);
  if (r->type == CT_TYPE_COUNT && value != floor(value))
    return ct_fail(error, CT_BAD_VALUE, "%s: %g is not a whole number", path, value);
  return CT_OK;
}

/* "draft|normal|high" -> "draft, normal or high" */
static void list_choices(const char *choices, char *text, size_t size) {
  for (size_t used = 0; *choices && used < size; choices++)
    if (*choices == '|')
      used += ct_format(text + used, size - used, "%s", strchr(choices + 1, '|') ? ", " : " or ");
    else
      used += ct_format(text + used, size - used, "%c", *choices);
}

static ct_result check_choice(const ct_row *row, const char *path, double value, ct_error *error) {
  double count = 1;
  char wanted[CT_TEXT_MAX / 2];
  for (const char *c = row->shown.choices; *c; c++)
    count += *c == '|';
  if (value < count)
    return CT_OK;
  list_choices(row->shown.choices, wanted, sizeof wanted);
  return ct_fail(error, CT_BAD_VALUE, "%s: wants %s", path, wanted);
}

static ct_result check_one(const ct_row *row, const char *who, double value, ct_error *error) {
  const ct_schema_row *r = &row->shown;
  char path[CT_TEXT_MAX / 2];
  ct_format(path, sizeof path, "%s%s", who, strrchr(r->path, '.'));
  if (r->type == CT_TYPE_CHOICE)
    return check_choice(row, path, value, error);
  bool not_given = value == r->standard && (value < r->min || value > r->max);
  return not_given ? CT_OK : ct_row_check(row, path, value, error);
}

ct_result ct_def_check(ct_def_kind kind, const char *who, const void *def, ct_error *error) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (is_in(row, kind) && row->shown.type != CT_TYPE_TEXT)
      CT_TRY(check_one(row, who, take(row, def), error));
  }
  return CT_OK;
}

ct_result ct_field_check(ct_field field, const char *who, double value, ct_error *error) {
  return check_one(ct_row_at(ct_row_of(field)), who, value, error);
}

/* ---- default definitions: every field that the schema describes takes its standard value ---- */

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
