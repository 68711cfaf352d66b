/* The scene on paper: its text in and out, and everything people see of it. */
#include "hosts/web/lab.h"

#include <stdlib.h>

/* ---- memory and texts for the page ---- */

void *EXPORT(lab_reserve)(size_t bytes);
void EXPORT(lab_release)(void *memory);
lab *EXPORT(lab_create)(void);
const char *EXPORT(lab_error)(const lab *l);
const char *EXPORT(lab_notes)(const lab *l);

void *lab_reserve(size_t bytes) { return malloc(bytes); }

void lab_release(void *memory) { free(memory); }

lab *lab_create(void) {
  lab *l = calloc(1, sizeof *l);
  if (l && (l->doc = ct_doc_create()))
    return l;
  free(l);
  return NULL;
}

const char *lab_error(const lab *l) { return l->error.text; }

const char *lab_notes(const lab *l) { return l->notes; }

/* ---- text in and out ---- */

ct_result EXPORT(lab_doc_read)(lab *l, const char *name, const char *text, size_t length);
ct_result EXPORT(lab_doc_number)(lab *l, const char *path, double value);
ct_result EXPORT(lab_doc_preset)(lab *l, const char *preset);
char *EXPORT(lab_doc_text)(lab *l);

/* A page has no files beside a scene's own. */
ct_result lab_doc_read(lab *l, const char *name, const char *text, size_t length) {
  return ct_doc_read_json(l->doc, name, text, length, NULL, NULL, &l->error);
}

ct_result lab_doc_number(lab *l, const char *path, double value) {
  return ct_doc_set_number(l->doc, path, value, &l->error);
}

ct_result lab_doc_preset(lab *l, const char *preset) {
  return ct_doc_apply_preset(l->doc, preset, &l->error);
}

/* As a scene file, yours to release; null when it cannot be written. */
char *lab_doc_text(lab *l) {
  size_t length;
  if (ct_doc_write_json(l->doc, NULL, 0, &length, &l->error) != CT_OK)
    return NULL;
  char *text = malloc(length + 1);
  if (text && ct_doc_write_json(l->doc, text, length + 1, &length, &l->error) == CT_OK)
    return text;
  free(text);
  return NULL;
}

/* ---- what people see ---- */

const char *EXPORT(lab_title)(const lab *l);
const char *EXPORT(lab_about)(const lab *l);
double EXPORT(lab_seconds)(const lab *l);
uint32_t EXPORT(lab_preset_count)(const lab *l);
const char *EXPORT(lab_preset_name)(const lab *l, uint32_t i);
const char *EXPORT(lab_preset_title)(const lab *l, uint32_t i);
const char *EXPORT(lab_preset_about)(const lab *l, uint32_t i);
uint32_t EXPORT(lab_body_count)(const lab *l);
const char *EXPORT(lab_body_name)(const lab *l, uint32_t i);
uint32_t EXPORT(lab_point_count)(const lab *l, uint32_t body);
const char *EXPORT(lab_point_name)(const lab *l, uint32_t body, uint32_t i);
uint32_t EXPORT(lab_contact_count)(const lab *l);
const char *EXPORT(lab_contact_name)(const lab *l, uint32_t i);

const char *lab_title(const lab *l) { return ct_doc_title(l->doc); }
const char *lab_about(const lab *l) { return ct_doc_about(l->doc); }
double lab_seconds(const lab *l) { return ct_doc_seconds(l->doc); }
uint32_t lab_preset_count(const lab *l) { return ct_doc_preset_count(l->doc); }
const char *lab_preset_name(const lab *l, uint32_t i) { return ct_doc_preset_name(l->doc, i); }
const char *lab_preset_title(const lab *l, uint32_t i) { return ct_doc_preset_title(l->doc, i); }
const char *lab_preset_about(const lab *l, uint32_t i) { return ct_doc_preset_about(l->doc, i); }
uint32_t lab_body_count(const lab *l) { return ct_doc_body_count(l->doc); }
const char *lab_body_name(const lab *l, uint32_t i) { return ct_doc_body_name(l->doc, i); }
uint32_t lab_point_count(const lab *l, uint32_t body) { return ct_doc_point_count(l->doc, body); }
const char *lab_point_name(const lab *l, uint32_t body, uint32_t i) {
  return ct_doc_point_name(l->doc, body, i);
}
uint32_t lab_contact_count(const lab *l) { return ct_doc_contact_count(l->doc); }
const char *lab_contact_name(const lab *l, uint32_t i) { return ct_doc_contact_name(l->doc, i); }

/* ---- controls ---- */

uint32_t EXPORT(lab_control_count)(const lab *l);
const char *EXPORT(lab_control_name)(lab *l, uint32_t i);
const char *EXPORT(lab_control_unit)(const lab *l);
const char *EXPORT(lab_control_hint)(const lab *l);
double EXPORT(lab_control_min)(const lab *l);
double EXPORT(lab_control_max)(const lab *l);
double EXPORT(lab_control_value)(const lab *l);
uint32_t EXPORT(lab_control_is_log)(const lab *l);
uint32_t EXPORT(lab_control_is_trigger)(const lab *l);

uint32_t lab_control_count(const lab *l) { return ct_doc_control_count(l->doc); }

/* Picks a control, for those below. */
const char *lab_control_name(lab *l, uint32_t i) {
  l->control = ct_doc_control(l->doc, i);
  return l->control.name;
}

const char *lab_control_unit(const lab *l) { return l->control.unit; }
const char *lab_control_hint(const lab *l) { return l->control.hint; }
double lab_control_min(const lab *l) { return l->control.min; }
double lab_control_max(const lab *l) { return l->control.max; }
double lab_control_value(const lab *l) { return l->control.value; }
uint32_t lab_control_is_log(const lab *l) { return l->control.scale == CT_LOG; }
uint32_t lab_control_is_trigger(const lab *l) { return l->control.trigger; }
