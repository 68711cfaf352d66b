/* How the rows of the schema are written: what is shown, then where it is kept. */
#ifndef CT_DOCUMENT_SCHEMA_ROWS_H
#define CT_DOCUMENT_SCHEMA_ROWS_H

#include "document/schema.h"

#include <stddef.h>

/* `at` is one of the places below; behind the last text of a row may follow LIVE, NAMED and OF. */
#define ROW(type_, words_, ...)                                                                              \
  { .shown.type = CT_TYPE_##type_, .shown.words = (words_), __VA_ARGS__ }
#define NUMBER(at, words, symbol_, unit_, min_, max_, standard_, scale_, rate_, ...)                         \
  ROW(NUMBER, words, at, .shown.symbol = (symbol_), .shown.unit = (unit_), .shown.min = (min_),              \
      .shown.max = (max_), .shown.standard = (standard_), .shown.scale = CT_##scale_,                        \
      .shown.rate = CT_RATE_##rate_, .shown.effect = __VA_ARGS__)
#define STATE(at, words, symbol_, ...)                                                                       \
  ROW(NUMBER, words, at, .shown.min = -1e300, .shown.max = 1e300, .shown.rate = CT_RATE_STATE,               \
      .shown.effect = "read only", .shown.symbol = (symbol_), .shown.unit = __VA_ARGS__)
#define BARE(type, words, ...) ROW(type, words, .shown.symbol = "", .shown.unit = "", __VA_ARGS__)
#define TEXT(at, words, ...) BARE(TEXT, words, at, .shown.effect = __VA_ARGS__)
#define CHOICE(at, words, choices_, standard_, ...)                                                          \
  BARE(CHOICE, words, at, .shown.choices = (choices_), .shown.standard = (standard_),                        \
       .shown.effect = __VA_ARGS__)
#define COUNT(at, words, min_, max_, standard_, ...)                                                         \
  BARE(COUNT, words, at, .shown.min = (min_), .shown.max = (max_), .shown.standard = (standard_),            \
       .shown.effect = __VA_ARGS__)
#define FLAG(at, words, standard_, ...)                                                                      \
  BARE(FLAG, words, at, .shown.max = 1, .shown.standard = (standard_), .shown.effect = __VA_ARGS__)

#define NAMED(name) .field = (name)
#define OF(kind) .def = (kind) /* for contacts of this kind only */
#define LIVE(type, member) .live = true, .offset = offsetof(type, member)
#define GIVEN(kind, type, member)                                                                            \
  .def = (kind), .bytes = sizeof(((const type *)0)->member), .at = offsetof(type, member)

/* The path's last word, within a section. */
#define IN(section_, path_) .section = CT_IN_##section_, .shown.path = path_
#define IN_SCENE(word) IN(SCENE, #word)
#define IN_BODY(word) IN(BODY, "bodies.*." #word)
#define IN_MODE(word) IN(MODE, "bodies.*.modes[]." #word)
#define IN_SHAPE(word) IN(SHAPE, "bodies.*.modes." #word)
#define IN_SHAPE_LIST(word) IN(SHAPE_LIST, "bodies.*.modes." #word)
#define IN_STRING(word) IN(STRING, "bodies.*.string." #word)
#define IN_POINT(word) IN(POINT, "bodies.*.points.*." #word)
#define IN_GAINS(word) IN(GAINS, "bodies.*.points.*." #word)
#define IN_THUMP(word) IN(THUMP, "bodies.*.points.*." #word)
#define IN_CONTACT(word) IN(CONTACT, "contacts.*." #word)
#define IN_SURFACE(word) IN(SURFACE, "surfaces.*." #word)
#define IN_SURFACE_LIST(word) IN(SURFACE_LIST, "surfaces.*." #word)
#define IN_DRIVE(word) IN(DRIVE, "drives.*." #word)
#define IN_SOURCE(word) IN(SOURCE, "sources.*." #word)
#define IN_REGION(word) IN(REGION, "sources.*.regions.*." #word)
#define IN_REGION_LIST(word) IN(REGION_LIST, "sources.*.regions.*." #word)
#define IN_PICKUP(word) IN(PICKUP, "pickups.*." #word)
#define IN_CONTROL(word) IN(CONTROL, "controls.*." #word)
#define IN_TARGET(word) IN(TARGET, "controls.*.targets[]." #word)
#define IN_PRESET(word) IN(PRESET, "presets.*." #word)
#define IN_PRESET_GESTURE(word) IN(PRESET_GESTURE, "presets.*." #word)
#define IN_GESTURE(word) IN(GESTURE, #word)
#define ENERGY(word) IN(ENERGY, "energy." #word), LIVE(ct_ledger, word)

/* A field of a definition, called as in paths or _AS the word given; _LIVE: one that may move, under the same
 * name among the live values. */
#define SCENE(member) IN_SCENE(member), GIVEN(CT_DEF_SCENE, ct_scene_def, member)
#define HAND(word, member) IN_BODY(word), GIVEN(CT_DEF_HAND, ct_hand_def, member), LIVE(ct_hand, member)
#define MODE(member) IN_MODE(member), GIVEN(CT_DEF_MODE, ct_mode_def, member)
#define MODE_LIVE(member) MODE(member), LIVE(ct_mode_def, member)
#define POINT(member) IN_POINT(member), GIVEN(CT_DEF_POINT, ct_point_def, member)
#define SHAPE(member) SHAPE_AS(member, member)
#define SHAPE_AS(word, member) IN_SHAPE(word), GIVEN(CT_DEF_SHAPE, ct_shape_def, member)
#define MATERIAL(member) MATERIAL_AS(member, member)
#define MATERIAL_AS(word, member) IN_SHAPE(word), GIVEN(CT_DEF_MATERIAL, ct_material, member)
#define MAKING(member) LIVE(ct_modal, making.member)
#define STRING(member) IN_STRING(member), GIVEN(CT_DEF_STRING, ct_string_def, member)
#define STRING_LIVE(member) STRING(member), LIVE(ct_string, values.member)
#define IMPACT(member) IMPACT_AS(member, member)
#define IMPACT_AS(word, member) IN_CONTACT(word), GIVEN(CT_DEF_IMPACT, ct_impact_def, member)
#define IMPACT_LIVE(member) IMPACT(member), LIVE(ct_contact, values.member)
#define FRICTION(member) IN_CONTACT(member), GIVEN(CT_DEF_FRICTION, ct_friction_def, member)
#define FRICTION_LIVE(member) FRICTION(member), LIVE(ct_contact, friction.values.member)
#define SURFACE(member) IN_SURFACE(member), GIVEN(CT_DEF_SURFACE, ct_surface_def, member)
#define SURFACE_LIVE(member) SURFACE(member), LIVE(ct_surface, values.member)
#define DRIVE(member) DRIVE_AS(member, member)
#define DRIVE_AS(word, member) IN_DRIVE(word), GIVEN(CT_DEF_DRIVE, ct_drive_def, member)
#define DRIVE_LIVE(member) DRIVE(member), LIVE(ct_drive, values.member)
#define SOURCE(member) SOURCE_AS(member, member)
#define SOURCE_AS(word, member) IN_SOURCE(word), GIVEN(CT_DEF_SOURCE, ct_source_def, member)
#define SOURCE_LIVE(member) SOURCE(member), LIVE(ct_source, action.values.member)
#define GESTURE(member, which) SOURCE(member), LIVE(ct_source, action.signal[which])
#define REGION(member) IN_REGION(member), GIVEN(CT_DEF_REGION, ct_region_def, member)
#define REGION_LIVE(member) REGION(member), LIVE(ct_region, member)
#define PICKUP(member) IN_PICKUP(member), GIVEN(CT_DEF_PICKUP, ct_pickup_def, member)
#define PICKUP_LIVE(member) PICKUP(member), LIVE(ct_pickup, member)
#define CONTROL(member) IN_CONTROL(member), GIVEN(CT_DEF_CONTROL, ct_control_def, member)
#define TARGET(member) IN_TARGET(member), GIVEN(CT_DEF_TARGET, ct_target_def, member)

/* Rows of sources and their regions, after all others. */
extern const ct_row ct_source_rows[];
extern const uint32_t ct_source_row_count;

#endif
