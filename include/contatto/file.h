/* contatto/file.h: scenes from files, and those that come with the library. The core opens no files: this is
 * the library beside it that does. Link libcontatto_file, libcontatto and libm (the static one wants
 * libsndfile too). */
#ifndef CONTATTO_FILE_H
#define CONTATTO_FILE_H

#include "doc.h"

#ifdef CT_FILE_BUILDING
#define CT_FILE_API CT_EXPORT
#else
#define CT_FILE_API CT_IMPORT
#endif

CT_DECLARATIONS_BEGIN

/* A built-in scene when there is one of that name, else a file ("./name" is always a file), with the scans
 * its surfaces name, which lie beside it: tables (.csv) or sound files. *doc is yours to destroy, and
 * untouched on failure. [setup] */
CT_FILE_API ct_result ct_doc_load(const char *scene, ct_doc **doc, ct_error *error);

/* The scans that its surfaces name, anew: after a leaf that names one was changed. `scene` as it was loaded
 * by. [setup] */
CT_FILE_API ct_result ct_doc_read_scans(ct_doc *doc, const char *scene, ct_error *error);

/* The built-in scenes, in alphabetical order; null beyond the last. [any] */
CT_FILE_API uint32_t ct_builtin_count(void);
CT_FILE_API const char *ct_builtin_name(uint32_t index);
/* One's text, as its file has it, with a closing zero after `length` bytes (may be null); null when there is
 * none of that name. [any] */
CT_FILE_API const char *ct_builtin_text(const char *name, size_t *length);

CT_DECLARATIONS_END

#endif
