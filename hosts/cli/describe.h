/* The parts of `contatto describe`. */
#ifndef CT_CLI_DESCRIBE_H
#define CT_CLI_DESCRIBE_H

#include "hosts/cli/cli.h"
#include <contatto/doc.h>
#include <jansson.h>

/* What the command line asks for. */
typedef struct describe_job {
  const char *scene, *body, *map, *picture, *preset;
  cli_list sets;
  double rate_hz;
  bool json, markdown, strict;
} describe_job;

/* The scene, as --preset and --set change it; refused when the picture would take the place of one of its
 * files. */
ct_result cli_describe_load(const describe_job *job, ct_doc **doc, ct_error *error);

/* The schema: as lines, as the reference part of docs/scene-format.md, as JSON. */
void cli_schema_show(void);
void cli_schema_markdown(void);
json_t *cli_schema_json(void);

/* One scene. `tree` is the document as JSON. */
void cli_scene_show(const char *name, const ct_doc *doc, const json_t *tree);
json_t *cli_scene_json(const char *name, const ct_doc *doc, json_t *tree);

/* One body, of a scene or of words alone. Returns an exit code. */
int cli_body_describe(const describe_job *job);

/* The map of one source of a scene. Returns an exit code. */
int cli_map_describe(const describe_job *job);

/* What a body gives, read back from the scene built with it. */
typedef struct cli_body {
  const char *name;
  ct_doc *doc;
  ct_scene *scene;
  ct_object *object; /* null: a list of modes */
  ct_mode_def *modes;
  uint32_t count;
  uint32_t hung;               /* 1: the first mode is its swing */
  const ct_shape_mode *orders; /* of the modes after the swing */
  ct_shape_table shape;        /* no tables: a list of modes */
  uint32_t number;             /* among the document's bodies */
} cli_body;

/* The order of a mode: "(2,0)", "(2,0)'" for the second of a pair, "swing", or "". */
void cli_mode_order(const cli_body *body, uint32_t mode, char *text, size_t room);
double cli_mode_ratio(const cli_body *body, uint32_t mode); /* to the lowest that rings */
/* How much a point moves with a mode. */
double cli_mode_gain(const cli_body *body, uint32_t point, uint32_t mode);

void cli_body_show(const cli_body *body);
json_t *cli_body_json(const cli_body *body);

#endif
