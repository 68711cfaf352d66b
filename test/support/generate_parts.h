/* The inside of the generator: one scene being drawn. */
#ifndef CT_TEST_GENERATE_PARTS_H
#define CT_TEST_GENERATE_PARTS_H

#include "support/draw.h"
#include "support/generate.h"

#define NAMES_MOST 40

typedef struct names {
  char name[NAMES_MOST][TRIAL_TEXT];
  uint32_t count;
} names;

typedef struct generator {
  ct_random random;
  trial *t;
  bool undriven;
  draw_temper temper; /* of most numbers */
  double odds;        /* that a number is given at all */
  names points, shaped, impacts, contacts, surfaces;
  const ct_schema_row *wish; /* is given wherever it can be */
  generate_counts *counts;
} generator;

/* generate_leaf.c: leaves, groups of leaves, and mending what the scene refuses. */
void names_add(names *list, const char *name);
const char *names_any(generator *g, const names *list); /* "" when there is none */
draw_temper generate_temper(generator *g);              /* of the next number */
void generate_join(char path[TRIAL_PATH], const char *part, const char *field);
void generate_give(generator *g, const ct_schema_row *row, const char *path);
/* Some of the single values of "bodies.*.string" for the part at `part`. Choices are always given: they say
 * what it is. */
void generate_group(generator *g, const char *group, const char *part);
/* A list of a group, `count` long. */
void generate_list(generator *g, const char *group, const char *part, const char *list, uint32_t count);
/* Lists of a group that have none yet, now and then, of a few values each: what nobody wrote words for. */
void generate_lists(generator *g, const char *group, const char *part);
/* Whether a row makes a scene a driven one as soon as it is given. */
bool generate_drives_it(const ct_schema_row *row);
const ct_schema_row *generate_row(const char *path);
/* Leaves from `first` on are a new part. Mends it until the scene can be built, else takes it back: false. */
bool generate_mend(generator *g, uint32_t first);

/* generate_body.c, generate_part.c: one more of a kind, if it can be. */
void generate_body(generator *g, uint32_t index);
void generate_part(generator *g, const char *section, const char *letter, uint32_t index);
void generate_source(generator *g, uint32_t index);
void generate_control(generator *g, uint32_t index);

#endif
