/* Scene files: JSON into a document and back. Neither way knows a parameter by name; the schema does all the
 * checking. */
#ifndef CT_FILE_JSON_H
#define CT_FILE_JSON_H

#include <contatto/doc.h>
#include <jansson.h>

/* Sets every leaf of the text; `name` is what messages call it. On failure the document is half filled: drop
 * it. [setup] */
ct_result ct_doc_read_json(ct_doc *doc, const char *name, const char *text, size_t length, ct_error *error);

/* The document as a scene file's tree: a new reference; null without memory. [setup] */
json_t *ct_doc_to_json(const ct_doc *doc);

/* As text: every number in the fewest digits (15 to 17) that read back as they were; free() it. [setup] */
char *ct_json_print(const json_t *tree);

#endif
