/* The parts of `contatto describe`. */
#ifndef CT_CLI_DESCRIBE_H
#define CT_CLI_DESCRIBE_H

#include <contatto/doc.h>
#include <jansson.h>

/* The schema: as lines, as the reference part of docs/scene-format.md, as JSON. */
void cli_schema_show(void);
void cli_schema_markdown(void);
json_t *cli_schema_json(void);

/* One scene. `tree` is the document as JSON. */
void cli_scene_show(const char *name, const ct_doc *doc, const json_t *tree);
json_t *cli_scene_json(const char *name, const ct_doc *doc, json_t *tree);

#endif
