/* Least squares without derivatives, over shares from 0 to 1: local searches from many places, then a global
 * one. Everything is drawn from a seed and asked for in batches whose size does not depend on the machine, so
 * the same answers lead to the same end. */
#ifndef CT_FIT_SEARCH_H
#define CT_FIT_SEARCH_H

#include <contatto/base.h>

enum { CT_SEARCH_MOST = 32 }; /* numbers */

/* Fills residuals[count * rows] for points[count * numbers]; anything but CT_OK ends the search. */
typedef ct_result ct_seek_ask(void *context, const double *points, uint32_t count, double *residuals,
                              ct_error *error);

/* A quick look at first points: what each may cost, for less than asking takes. May move a point to where it
 * costs less. */
typedef ct_result ct_seek_look(void *context, double *points, uint32_t count, double *costs, ct_error *error);

typedef struct ct_seek_def {
  uint32_t numbers, rows;
  const double *start; /* a first point */
  uint64_t seed;
  uint32_t most; /* points to be asked for, at most, before the last local search */
  ct_seek_ask *ask;
  void *context;
  ct_seek_look *look; /* may be null: first points are asked for as all others are */
} ct_seek_def;

typedef struct ct_seek_found {
  double best[CT_SEARCH_MOST];
  double *residuals; /* rows, at best; free() it */
  double cost;
  uint32_t asked; /* points */
} ct_seek_found;

#define CT_SEEK_BEND 3.0 /* tolerances from which on a residual counts less than its square */

/* Sum of 2 b^2 (sqrt(1 + (r / b)^2) - 1), b = CT_SEEK_BEND: squares where everything is near, and straight
 * beyond, so that a measure that cannot be met pulls no harder than any other that is off. [any] */
double ct_seek_cost(const double *residuals, uint32_t rows);

/* How many points a search asks for at most. [any] */
uint32_t ct_seek_plan(uint32_t numbers, uint32_t most);

/* [setup] */
ct_result ct_seek_run(const ct_seek_def *def, ct_seek_found *found, ct_error *error);

/* Differences around a point: jacobian[rows * numbers], per unit of share. [setup] */
ct_result ct_seek_slopes(const ct_seek_def *def, const double *at, double step, double *jacobian,
                         ct_error *error);

#endif
