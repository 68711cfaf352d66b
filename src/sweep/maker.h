/* Makes sounds of a plan, one after the other. It keeps documents, the shapes they have computed and, where
 * only gestures vary, the scene itself, so that the next sound costs less; what it makes is what `contatto
 * render` would, to the bit. One maker per thread. */
#ifndef CT_SWEEP_MAKER_H
#define CT_SWEEP_MAKER_H

#include "file/render.h"
#include "sweep/plan.h"

#include <jansson.h>

typedef struct ct_sweep_maker ct_sweep_maker;

/* [setup] */
ct_sweep_maker *ct_sweep_maker_create(const ct_sweep_plan *plan); /* null without memory */
void ct_sweep_maker_destroy(ct_sweep_maker *maker);               /* null is fine */

/* A sound; valid until the next one is made. */
typedef struct ct_sweep_made {
  char failed[CT_TEXT_MAX]; /* why there is none; "": there is */
  const double *samples;    /* frame by frame */
  size_t frames;
  uint32_t channels;
  double rate_hz;
  const double *const *watched; /* a number per frame for each of the plan's watches */
  uint32_t warnings;            /* lines said while the scene was built */
} ct_sweep_made;

/* A scene that cannot be built or stops being finite is a sound that failed, not an error. [setup] */
ct_result ct_sweep_make(ct_sweep_maker *maker, const ct_sweep_point *point, ct_sweep_made *made,
                        ct_error *error);

/* How many scenes were built, and how many sounds came from one that was there already. [any] */
void ct_sweep_maker_counts(const ct_sweep_maker *maker, uint64_t *built, uint64_t *reused);

/* States of a scene that a plan watches at every sample, and what is measured of them: how far a force goes,
 * what a bowed string does. A new way to measure is a row of the table in watch.c. */

enum { CT_SWEEP_WATCH_NUMBERS = 4 };

/* A number, or the name of what varies. */
typedef struct ct_sweep_number {
  double number;
  char *vary; /* null: the number */
} ct_sweep_number;

struct ct_sweep_watch {
  char *name, *path;
  uint32_t kind;                              /* in the table of watch.c */
  double last_s;                              /* only the last of it; 0: all */
  ct_sweep_number of[CT_SWEEP_WATCH_NUMBERS]; /* what the kind wants to know */
};

/* The plan's list; null is fine. [setup] */
ct_result ct_sweep_watches_read(ct_sweep_plan *plan, const json_t *list, ct_error *error);
/* Names of what varies, in a part. [setup] */
ct_result ct_sweep_watches_check(const ct_sweep_plan *plan, const ct_sweep_part *part, ct_error *error);
/* Asks a render for the states. [setup] */
ct_result ct_sweep_watches_tap(const ct_sweep_plan *plan, ct_render *render, ct_error *error);

typedef struct ct_sweep_watch_column {
  const char *watch, *name, *unit, *words;
} ct_sweep_watch_column;

uint32_t ct_sweep_watch_column_count(const ct_sweep_plan *plan); /* [any] */
ct_sweep_watch_column ct_sweep_watch_column_at(const ct_sweep_plan *plan, uint32_t index);
/* One number per column. False: no memory. [setup] */
bool ct_sweep_watches_measure(const ct_sweep_plan *plan, const ct_sweep_point *point,
                              const ct_sweep_made *made, double *cells);

#endif
