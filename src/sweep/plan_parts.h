/* How a plan is read: its text, then its names in the scenes. */
#ifndef CT_SWEEP_PLAN_PARTS_H
#define CT_SWEEP_PLAN_PARTS_H

#include "file/place.h"
#include "sweep/plan.h"

/* plan.c: zeros that live as long as the plan, and a text; null without memory. */
void *ct_sweep_plan_take(ct_sweep_plan *plan, size_t count, size_t size);
char *ct_sweep_plan_text(ct_sweep_plan *plan, const char *text);

/* plan_read.c: adds a gesture by name, "demo", "none", one of the plan's or a file; fine when it is there. */
ct_result ct_sweep_want_gesture(ct_sweep_plan *plan, const char *name, ct_error *error);

/* plan.c: what the sounds are made from, wherever the files lie. */
void ct_sweep_hash_plan(ct_sweep_plan *plan);
/* A name in the plan as a file to open: beside the plan, unless it is a built-in scene. */
ct_file_path ct_sweep_file_of(const ct_sweep_plan *plan, const char *name);
/* Notes a file that was read, with its hash; twice is fine. Refused when it lies outside of the plan's
 * folder: a data set has copies of what it was made from. */
ct_result ct_sweep_note_input(ct_sweep_plan *plan, const char *file, ct_error *error);
ct_result ct_sweep_note_builtin(ct_sweep_plan *plan, const char *scene, const char *text, size_t length,
                                ct_error *error);

/* plan_check.c: every name of a part in every scene and preset it has. */
ct_result ct_sweep_check_part(ct_sweep_plan *plan, ct_sweep_part *part, ct_error *error);

/* The scene with its preset ("" for none) and what the part sets. */
ct_result ct_sweep_open_scene(const ct_sweep_plan *plan, const ct_sweep_part *part, const char *scene,
                              const char *preset, ct_doc **doc, ct_error *error);
/* Sets what varies in a document; what is no path is left alone. */
ct_result ct_sweep_set_path(ct_doc *doc, const ct_sweep_vary *vary, double number, const char *word,
                            ct_error *error);
/* Whether a path names another file, which then has to be read. */
bool ct_sweep_names_file(const char *path);

#endif
