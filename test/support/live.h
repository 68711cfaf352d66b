/* Live parameters of a scene, found by walking the schema over what a document holds: every row that moves
 * while the scene sounds, for every part it belongs to. A new row is found the day it is added. */
#ifndef CT_TEST_LIVE_H
#define CT_TEST_LIVE_H

#include "support/draw.h"
#include "support/trial.h"

typedef struct live_knob {
  char path[TRIAL_PATH];
  const ct_schema_row *row;
  uint32_t row_index;
  ct_handle handle;
  double min, max; /* a control's own, else the row's */
} live_knob;

/* Moves while the scene sounds: at ticks, at audio rate, or as a trigger. */
bool live_row(const ct_schema_row *row);

/* The row a path of the document or of a scene ("b.modes.0.hz") belongs to; null: none. */
const ct_schema_row *live_row_of(const ct_scene *scene, const char *path);

/* All of them, for lists of modes and gains at most `most_numbers` each. The caller frees *knobs. */
uint32_t live_all(const trial *t, const ct_scene *scene, uint32_t most_numbers, live_knob **knobs);

/* One at random: first a row, then a part that has it. False: found none. `wanted` may be null. */
bool live_pick(ct_random *r, const trial *t, const ct_scene *scene, bool (*wanted)(const ct_schema_row *),
               live_knob *knob);

/* A part's parameter of that row. False: no part has one. */
bool live_pick_row(ct_random *r, const trial *t, const ct_scene *scene, const ct_schema_row *row,
                   live_knob *knob);

/* A pattern of the schema against a path: * a name, [] a number. */
bool live_matches(const char *pattern, const char *path);

#endif
