/* States of a scene that a plan watches at every sample, and what is measured of them: how far a force goes,
 * what a bowed string does. A new way to measure is a row of the table in watch.c. */
#ifndef CT_SWEEP_WATCH_H
#define CT_SWEEP_WATCH_H

#include "file/render.h"
#include "sweep/maker.h"

#include <jansson.h>

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
