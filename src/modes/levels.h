/* Levels of a sum of modes, cell by cell (distance.h), beside those of a recording. */
#ifndef CT_MODES_LEVELS_H
#define CT_MODES_LEVELS_H

#include "modes/distance.h"
#include "modes/fit.h"

/* Re and Im of [bin * frames + frame] or [band * frames + frame]. */
typedef struct ct_plane {
  double *re, *im;
} ct_plane;

/* The spectrum of one mode. */
typedef struct ct_shape {
  ct_pole pole;
  double complex c;                   /* its amplitude */
  double complex *bins;               /* [bins], and as many of its mirror image */
  bool mirrored;                      /* which is heard */
  size_t from, to;                    /* bins that count */
  double own[CT_CELL_BANDS];          /* power in each band at amplitude 1 */
  double complex with[CT_CELL_BANDS]; /* inner product with its mirror image */
} ct_shape;

typedef struct ct_levels {
  const ct_segment *segment;
  size_t frames, frame, hop, n, bins, cells;
  size_t edges[CT_CELL_BANDS + 1];
  double least;         /* floor of a cell's power */
  double *wanted;       /* dB of the recording's cells, [band * frames + frame] */
  double *power, *off;  /* of the sum: its cells, and the squares of their differences */
  ct_plane sum;         /* its spectrum */
  ct_plane along, back; /* inner products of the sum with a shape and with its mirror image, by cell */
  ct_plane at;          /* [frame] a mode's amplitude */
  double *memory;       /* of all of these */
  double complex *twiddles;
} ct_levels;

/* Nothing is in the sum. False without memory; to be freed all the same. */
bool ct_levels_init(ct_levels *l, const ct_segment *segment);
void ct_levels_free(ct_levels *l);

double ct_levels_db(const ct_levels *l, double power);
/* Squares of all cells that are heard in the recording. */
double ct_levels_squares(const ct_levels *l);

/* Gives the shape that pole; its `bins` must have room for twice the levels'. */
void ct_shape_aim(const ct_levels *l, ct_shape *shape, ct_pole pole);

/* By how much the squares of the cells' differences fall when the shape is added: first one look at it beside
 * the sum as it is, then as many amplitudes as wanted. */
void ct_levels_look(ct_levels *l, const ct_shape *shape);
double ct_levels_gain(ct_levels *l, const ct_shape *shape, double complex amplitude);
void ct_levels_add(ct_levels *l, const ct_shape *shape, double complex amplitude);

#endif
