/* How the rows of the schema are written: what is shown, then where it is kept. */
#ifndef CT_DOCUMENT_SCHEMA_ROWS_H
#define CT_DOCUMENT_SCHEMA_ROWS_H

#include "document/schema.h"

#include <stddef.h>

#define TEXT(path, words, effect, ...)                                                                       \
  { {path, words, "", "", CT_TYPE_TEXT, 0, 0, 0, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, __VA_ARGS__ }
#define CHOICE(path, words, choices, standard, effect, ...)                                                  \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_CHOICE, 0, 0, standard, CT_LINEAR, CT_RATE_FIXED, choices, effect},        \
        __VA_ARGS__                                                                                          \
  }
#define COUNT(path, words, min, max, standard, effect, ...)                                                  \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_COUNT, min, max, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect},        \
        __VA_ARGS__                                                                                          \
  }
#define FLAG(path, words, standard, effect, ...)                                                             \
  { {path, words, "", "", CT_TYPE_FLAG, 0, 1, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, __VA_ARGS__ }
#define NUMBER(path, words, symbol, unit, min, max, standard, scale, rate, effect, ...)                      \
  { {path, words, symbol, unit, CT_TYPE_NUMBER, min, max, standard, scale, rate, NULL, effect}, __VA_ARGS__ }
#define STATE(path, words, symbol, unit, ...)                                                                \
  {                                                                                                          \
    {path,  words, symbol,    unit,          CT_TYPE_NUMBER, -1e300,                                         \
     1e300, 0,     CT_LINEAR, CT_RATE_STATE, NULL,           "read only"},                                   \
        __VA_ARGS__                                                                                          \
  }

#define WITHIN(in) .section = (in)
#define NAMED(name) .field = (name)
#define GIVEN(kind, type, member)                                                                            \
  .def = (kind), .bytes = sizeof(((const type *)0)->member), .at = offsetof(type, member)
#define LIVE(type, member) .live = true, .offset = offsetof(type, member)

/* A field of a definition; _LIVE: one that may move, under the same name among the live values. */
#define SCENE(member) WITHIN(CT_IN_SCENE), GIVEN(CT_DEF_SCENE, ct_scene_def, member)
#define HAND(member) WITHIN(CT_IN_BODY), GIVEN(CT_DEF_HAND, ct_hand_def, member), LIVE(ct_hand, member)
#define MODE(member) WITHIN(CT_IN_MODE), GIVEN(CT_DEF_MODE, ct_mode_def, member)
#define MODE_LIVE(member) MODE(member), LIVE(ct_mode_def, member)
#define POINT(member) WITHIN(CT_IN_POINT), GIVEN(CT_DEF_POINT, ct_point_def, member)
#define SHAPE(member) WITHIN(CT_IN_SHAPE), GIVEN(CT_DEF_SHAPE, ct_shape_def, member)
#define MATERIAL(member) WITHIN(CT_IN_SHAPE), GIVEN(CT_DEF_MATERIAL, ct_material, member)
#define MAKING(member) LIVE(ct_modal, making.member)
#define STRING(member) WITHIN(CT_IN_STRING), GIVEN(CT_DEF_STRING, ct_string_def, member)
#define STRING_LIVE(member) STRING(member), LIVE(ct_string, values.member)
#define OF_CONTACTS(kind) WITHIN(CT_IN_CONTACT), .def = (kind) /* of this kind only */
#define IMPACT(member) WITHIN(CT_IN_CONTACT), GIVEN(CT_DEF_IMPACT, ct_impact_def, member)
#define IMPACT_LIVE(member) IMPACT(member), LIVE(ct_contact, values.member)
#define FRICTION(member) WITHIN(CT_IN_CONTACT), GIVEN(CT_DEF_FRICTION, ct_friction_def, member)
#define FRICTION_LIVE(member) FRICTION(member), LIVE(ct_contact, friction.values.member)
#define SURFACE(member) WITHIN(CT_IN_SURFACE), GIVEN(CT_DEF_SURFACE, ct_surface_def, member)
#define SURFACE_LIVE(member) SURFACE(member), LIVE(ct_surface, values.member)
#define DRIVE(member) WITHIN(CT_IN_DRIVE), GIVEN(CT_DEF_DRIVE, ct_drive_def, member)
#define DRIVE_LIVE(member) DRIVE(member), LIVE(ct_drive, values.member)
#define SOURCE(member) WITHIN(CT_IN_SOURCE), GIVEN(CT_DEF_SOURCE, ct_source_def, member)
#define SOURCE_LIVE(member) SOURCE(member), LIVE(ct_source, action.values.member)
#define GESTURE(member, which) SOURCE(member), LIVE(ct_source, action.signal[which])
#define REGION(member) WITHIN(CT_IN_REGION), GIVEN(CT_DEF_REGION, ct_region_def, member)
#define REGION_LIVE(member) REGION(member), LIVE(ct_region, member)
#define PICKUP(member) WITHIN(CT_IN_PICKUP), GIVEN(CT_DEF_PICKUP, ct_pickup_def, member)
#define PICKUP_LIVE(member) PICKUP(member), LIVE(ct_pickup, member)
#define CONTROL(member) WITHIN(CT_IN_CONTROL), GIVEN(CT_DEF_CONTROL, ct_control_def, member)
#define TARGET(member) WITHIN(CT_IN_TARGET), GIVEN(CT_DEF_TARGET, ct_target_def, member)

/* Rows of sources and their regions, after all others. */
extern const ct_row ct_source_rows[];
extern const uint32_t ct_source_row_count;

#endif
