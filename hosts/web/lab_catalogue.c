/* What there is before any scene is opened: the built-in scenes, and the schema. */
#include "file/builtin.h"
#include "hosts/web/lab.h"

uint32_t EXPORT(lab_scene_count)(void);
const char *EXPORT(lab_scene_name)(uint32_t i);
const char *EXPORT(lab_scene_json)(uint32_t i);

uint32_t lab_scene_count(void) { return (uint32_t)ct_builtin_scene_count; }
const char *lab_scene_name(uint32_t i) { return ct_builtin_scenes[i].name; }
const char *lab_scene_json(uint32_t i) { return ct_builtin_scenes[i].json; }

const char *EXPORT(lab_version)(void);

const char *lab_version(void) { return CT_VERSION; }

const char *EXPORT(lab_material_name)(uint32_t stop);

/* Along the walk through the materials; null beyond the last. */
const char *lab_material_name(uint32_t stop) { return ct_material_along_name(stop); }

/* ---- the schema ---- */

uint32_t EXPORT(lab_row_count)(void);
const char *EXPORT(lab_row_path)(uint32_t i);
const char *EXPORT(lab_row_words)(uint32_t i);
const char *EXPORT(lab_row_symbol)(uint32_t i);
const char *EXPORT(lab_row_unit)(uint32_t i);
const char *EXPORT(lab_row_choices)(uint32_t i);
const char *EXPORT(lab_row_effect)(uint32_t i);
const char *EXPORT(lab_row_rate)(uint32_t i);
const char *EXPORT(lab_row_type)(uint32_t i);
double EXPORT(lab_row_min)(uint32_t i);
double EXPORT(lab_row_max)(uint32_t i);
double EXPORT(lab_row_standard)(uint32_t i);
uint32_t EXPORT(lab_row_is_log)(uint32_t i);

uint32_t lab_row_count(void) { return ct_schema_count(); }
const char *lab_row_path(uint32_t i) { return ct_schema_row_at(i)->path; }
const char *lab_row_words(uint32_t i) { return ct_schema_row_at(i)->words; }
const char *lab_row_symbol(uint32_t i) { return ct_schema_row_at(i)->symbol; }
const char *lab_row_unit(uint32_t i) { return ct_schema_row_at(i)->unit; }
const char *lab_row_choices(uint32_t i) { return ct_schema_row_at(i)->choices; }
const char *lab_row_effect(uint32_t i) { return ct_schema_row_at(i)->effect; }
const char *lab_row_rate(uint32_t i) { return ct_rate_word(ct_schema_row_at(i)->rate); }
double lab_row_min(uint32_t i) { return ct_schema_row_at(i)->min; }
double lab_row_max(uint32_t i) { return ct_schema_row_at(i)->max; }
double lab_row_standard(uint32_t i) { return ct_schema_row_at(i)->standard; }
uint32_t lab_row_is_log(uint32_t i) { return ct_schema_row_at(i)->scale == CT_LOG; }

const char *lab_row_type(uint32_t i) { return ct_type_word(ct_schema_row_at(i)->type); }
