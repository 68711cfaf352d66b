/* Scenes by name: a built-in one, or a file. */
#ifndef CT_FILE_LOAD_H
#define CT_FILE_LOAD_H

#include "file/builtin.h"
#include "file/claims.h"
#include <contatto/doc.h>

/* Null when there is none of that name. [any] */
const struct ct_builtin_scene *ct_builtin_find(const char *name);

/* A built-in scene when there is one of that name, else a file; the nearest names when there is neither.
 * [setup] */
ct_result ct_doc_load(const char *scene, ct_doc **doc, ct_error *error);

/* The scans that its surfaces name, anew; `scene` as it was loaded by. [setup] */
ct_result ct_doc_read_scans(ct_doc *doc, const char *scene, ct_error *error);

/* The files that loading it reads: its own and its scans. [setup] */
ct_result ct_doc_claim_files(const ct_doc *doc, const char *scene, ct_claims *claims, ct_error *error);

#endif
