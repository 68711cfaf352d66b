/* A document's tree. One kind of node serves every section: numbers and texts by row, children by name or
 * number, and columns of numbers. */
#ifndef CT_DOCUMENT_DOC_H
#define CT_DOCUMENT_DOC_H

#include "document/schema.h"
#include <contatto/base.h>
#include <contatto/doc.h>
#include <contatto/object.h>

#include <stdbool.h>
#include <stdint.h>

/* Finding things in a list by name: a hash table of their indices. The names stay where they are and are
 * asked for. */
#define CT_NO_NAME UINT32_MAX

/* Starts as zeros. */
typedef struct ct_names {
  uint32_t *slots; /* index + 1; 0: free */
  uint32_t size;   /* a power of two, or 0 */
  uint32_t used;
} ct_names;

/* The name of the index-th item of a list. */
typedef const char *ct_name_of(const void *list, uint32_t index);

/* The index of the first item added under that name, or CT_NO_NAME. */
uint32_t ct_names_find(const ct_names *names, const char *name, ct_name_of *name_of, const void *list);
/* False without memory, and then nothing has changed. */
bool ct_names_add(ct_names *names, uint32_t index, ct_name_of *name_of, const void *list);
/* While the item still has its name. */
void ct_names_remove(ct_names *names, uint32_t index, ct_name_of *name_of, const void *list);
void ct_names_clear(ct_names *names);

typedef struct ct_column {
  char *name;
  double *values; /* NaN where nothing was set */
  uint32_t count;
  size_t room;
  bool brought; /* from outside the document, not by a leaf */
} ct_column;

typedef struct ct_node ct_node;

typedef struct ct_node_list {
  ct_node **items;
  uint32_t count;
  size_t room;
  ct_names names;
} ct_node_list;

/* What a shape was computed to be, kept until the shape changes. */
typedef struct ct_kept_object {
  ct_object *object;
  double max_hz;  /* that its modes go up to */
  char note[160]; /* what the shape could not give; "": all is well */
} ct_kept_object;

struct ct_node {
  char *name;                    /* null for numbered nodes */
  double number[CT_FIELDS_MOST]; /* by slots of rows */
  char *text[CT_FIELDS_MOST];
  uint64_t set;     /* a bit per slot */
  uint64_t brought; /* those of them that came from outside the document, not by a leaf */
  ct_node_list kids[CT_KIDS_KINDS];
  ct_column *columns;
  uint32_t column_count;
  size_t column_room;
  ct_names column_names;
  ct_kept_object *kept; /* of a shape that was built; null: none */
};

typedef struct ct_kept_leaf {
  char *path;
  uint32_t row;
  double number;
  char *text;
} ct_kept_leaf;

struct ct_doc {
  ct_node *root;
  ct_kept_leaf *leaves;
  uint32_t leaf_count;
  size_t leaf_room;
  ct_names leaf_names;   /* by path */
  const ct_node *preset; /* applied last */
  /* the gesture as handed out */
  const char **gesture_paths;
  const double **gesture_values;
};

/* doc_read.c: false: there is no control of that name. */
bool ct_doc_find_control(const ct_doc *doc, const char *name, ct_control_info *info);

/* doc.c. What a path means: spelled out, its row, and the leaf if there is one, else null. */
ct_result ct_doc_find_leaf(const ct_doc *doc, const char *text, char *spelled, size_t size, uint32_t *row,
                           const ct_kept_leaf **leaf, ct_error *error);
/* The preset of that name, if all it sets can be set. */
ct_result ct_doc_check_preset(const ct_doc *doc, const char *name, const ct_node **preset, ct_error *error);

/* doc_node.c. What makes something gives null without memory, and then nothing was made. */

char *ct_doc_copy_text(const char *text);
void ct_node_free(ct_node *node); /* null is fine */
/* Null when it is not there and `create` is not set. */
ct_node *ct_node_want_named(ct_node_list *list, const char *name, bool create);
ct_node *ct_node_want_numbered(ct_node_list *list, uint32_t index, bool create);
ct_column *ct_node_want_column(ct_node *node, const char *name);
double *ct_column_want_cell(ct_column *column, uint32_t index);
/* Takes away what a failed set has made: it is bare, and everything older ends in something set. */
void ct_node_prune(ct_node *node);

ct_node *ct_node_named(const ct_node_list *list, const char *name);
const ct_column *ct_node_column(const ct_node *node, const char *name);
/* A field's number, the schema's standard when it was not set. */
double ct_node_number(const ct_node *node, ct_field field);
bool ct_node_has(const ct_node *node, ct_field field);
bool ct_node_holds(const ct_node *node, uint32_t row);                      /* the same, of any row */
const char *ct_node_text(const ct_node *node, ct_field field);              /* never null */
void ct_node_store(ct_node *node, uint32_t row, double number, char *text); /* takes over `text` */
/* Puts every number that was set, and every text, into a definition. */
void ct_node_give(const ct_node *node, ct_def_kind kind, void *def);

/* Values of bodies.*.kind. */
enum { CT_KIND_MODAL, CT_KIND_HAND, CT_KIND_WALL, CT_KIND_STRING };
bool ct_node_is_hand(const ct_node *body); /* or a wall */
bool ct_node_is_string(const ct_node *body);

/* The node of the shape that a body is; null where modes are a list, of its own or of another file. */
const ct_node *ct_node_shape(const ct_node *body);

/* A string's definition from its node; points are the caller's to free. */
ct_result ct_doc_string_def(const ct_node *body, ct_string_def *def, ct_point_def **points, ct_error *error);

/* A list of numbers without holes, null when it was not given; `what` begins the error. */
ct_result ct_node_list_of(const ct_node *node, const char *name, const char *what, const ct_column **list,
                          ct_error *error);

/* The object a shape node describes, kept by the document: building again need not compute it again. */
ct_result ct_doc_keep_object(ct_node *shape, double max_hz, const ct_kept_object **kept, ct_error *error);
void ct_doc_forget_object(ct_node *shape); /* it has changed */

/* doc_parts.c: texts and heights stay the document's. */
ct_result ct_doc_surface_def(const ct_node *node, ct_surface_def *def, ct_error *error);
ct_drive_def ct_doc_drive_def(const ct_node *node);

/* A scan of a surface as a table: heights along a line. */

typedef struct ct_scan_table {
  double *heights; /* free() it */
  uint32_t count;
  double step_m; /* 0: the table does not say */
} ct_scan_table;

/* CSV: one column of heights in metres, or x_m and height_m at even distances; a header line may name them.
 * Refused, with the line: what is not a number, or missing; what is not evenly spaced. `name` is what
 * messages call it. [setup] */
ct_result ct_scan_table_read(const char *name, const char *text, size_t length, ct_scan_table *scan,
                             ct_error *error);

#endif
