/* The border of the energy promise: what a person's hand, or gravity, does to a scene is real work and may
 * bring energy; every other parameter must not. Rows that are not listed here are promised to do no work, so
 * a new one is judged strictly until somebody says otherwise. */
#ifndef CT_TEST_BORDER_H
#define CT_TEST_BORDER_H

#include "support/trial.h"

typedef enum border_kind {
  BORDER_NONE = 0, /* does no work, however it moves */
  BORDER_MOVES,    /* imposed motion: works only while it changes */
  BORDER_FORCE,    /* works whenever it is not 0 */
  BORDER_SPEED,    /* imposed motion: works whenever it is not 0 */
  BORDER_START,    /* sets a state: works at the moment it is set */
  BORDER_CARRY,    /* imposed motion: begins when it is set, and takes a while */
  BORDER_GRAVITY,
} border_kind;

border_kind border_of_row(const ct_schema_row *row);

/* Who may bring energy into a trial, after its first sample. A point that a body or a free drive carries
 * along is nobody's hand; one that a hand carries moves when the hand does. */
typedef struct border {
  bool force, motion, noise, gravity;
  bool removes;    /* parts, and with them energy */
  bool mass_moves; /* or what is free does, so that gravity's work is not what the heights say */
} border;

/* `scene` was built from the trial. */
border border_of(const trial *t, const ct_scene *scene);

#endif
