/* JSON that the program writes: a document as a tree, and trees as text. Reading scenes is the core's
 * (ct_doc_read_json). */
#ifndef CT_FILE_JSON_H
#define CT_FILE_JSON_H

#include <contatto/doc.h>
#include <jansson.h>

/* The document as the text of a scene file; free() it. [setup] */
ct_result ct_doc_to_text(const ct_doc *doc, char **text, ct_error *error);
/* The document as a scene file's tree: a new reference; null without memory. [setup] */
json_t *ct_doc_to_json(const ct_doc *doc);

/* As text: every number in the fewest digits (15 to 17) that read back as they were; free() it. [setup] */
char *ct_json_print(const json_t *tree);

#endif
