/* Draws random scenes from what the schema knows. Numbers, counts, choices and flags come from its rows, so a
 * new parameter is in the scenes the day it has a row; a new choice of a kind, too. What the schema cannot
 * say is written here: which texts name which parts, how long lists are, and how many parts there should be.
 * A part that the scene refuses is mended by dropping leaves, those named in the message first, or left out.
 */
#ifndef CT_TEST_GENERATE_H
#define CT_TEST_GENERATE_H

#include "support/trial.h"

/* How often each row of the schema was given to a scene that was built, or moved while it sounded. */
typedef struct generate_counts {
  uint32_t given[1024], moved[1024];
  uint64_t chosen[1024]; /* of a choice: a bit for each word that was given */
  uint32_t parts_given_up, tries;
} generate_counts;

/* Seeds from here on stand for a row of the schema, seed % 1024: their scenes have it wherever they can, and
 * their storms move it. */
#define GENERATE_WISHES (1ull << 40)
const ct_schema_row *generate_wish(uint64_t seed); /* null: any other seed */

/* The scene of a seed, without events. Half of the scenes are undriven: nobody's hand moves in them.
 * `counts` may be null. */
void generate_scene(trial *t, uint64_t seed, generate_counts *counts);

/* Leaves out all rows whose path contains one of these texts, "drives|roughness", to look behind faults that
 * are known; null: none. The text must stay. */
void generate_without(const char *text);
bool generate_leaves_out(const ct_schema_row *row);

/* Whether a seed's scene is one of those. */
bool generate_is_undriven(uint64_t seed);

#endif
