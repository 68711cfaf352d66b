/* Strikes of one body as sums of damped sinusoids, fitted to the samples themselves by least squares: all
 * poles and all amplitudes together. In white noise that is the maximum of the likelihood, so that errors are
 * those of the Cramér-Rao bound.
 *
 * The model of segment g:  x_g[n] = sum over i of Re(c_gi z_i^n),  z_i = exp((-s_i + i w_i) / rate).
 * Poles are the body's and shared by all segments; amplitudes are each strike's own. */
#ifndef CT_MODES_FIT_H
#define CT_MODES_FIT_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ct_segment {
  const double *x; /* from the strike on */
  size_t count;
  double rate_hz;
  struct ct_moments *moments; /* of the samples around it; null: every sum takes a pass over x */
} ct_segment;

typedef struct ct_pole {
  double omega; /* rad/s */
  double decay; /* 1/s */
} ct_pole;

/* What is known about a mode besides. */
typedef enum ct_kind {
  CT_KIND_PLAIN,
  CT_KIND_STANDS_IN,   /* has no line of its own, stands for a band (choose.h) */
  CT_KIND_OUTLASTS,    /* rings on when the room is silent; its amplitudes are those of the direct sound */
  CT_KIND_MAY_OUTLAST, /* the same, but its decay is not known well enough to say so: perhaps the room's */
  CT_KIND_ROOM         /* perhaps the room's */
} ct_kind;

typedef struct ct_fit {
  const ct_segment *segments;
  uint32_t segment_count;
  uint32_t count, room; /* modes */
  ct_pole *poles;
  double complex *amplitudes; /* [segment * room + mode] */
  double
      *risen; /* [the same]: by how much the squared residual rises when the mode is left out; ct_fit_judge */
  double *errors;       /* [the same]: of the amplitude's size, as a share of it; 0: what noise makes of it */
  bool exact;           /* poles are not rounded: for the last fit */
  double squares;       /* of all residuals together */
  ct_kind *kinds;       /* [mode] */
  struct ct_sums *sums; /* [the same]: sums over samples that are still right */
  struct ct_energy *energies; /* [segment] */
} ct_fit;

bool ct_fit_init(ct_fit *fit, const ct_segment *segments, uint32_t segment_count, uint32_t room);
bool ct_fit_copy(ct_fit *to, const ct_fit *from); /* made anew; false without memory */
void ct_fit_free(ct_fit *fit);

void ct_fit_add(ct_fit *fit, ct_pole pole); /* nothing beyond its room */
void ct_fit_remove(ct_fit *fit, uint32_t mode);

/* At most `steps` steps of Levenberg and Marquardt; ends when a step is not expected to lower the squares by
 * more than 1 % of the noise of one sample. False without memory. */
bool ct_fit_run(ct_fit *fit, uint32_t steps);

/* Fills `risen`. False without memory. */
bool ct_fit_judge(ct_fit *fit);

/* The equations A a = right of the best amplitudes a (Re and Im of each mode) on a segment: a[n * n] and
 * right[n], n twice the modes. False without memory. */
bool ct_fit_equations(const ct_pole *poles, uint32_t modes, const ct_segment *segment, double *a,
                      double *right);

/* residual[0 .. count) of a segment. */
void ct_fit_residual(const ct_fit *fit, uint32_t segment, double *residual);
/* Adds factor times the modes to out[0 .. count); amplitudes[count of modes]. */
void ct_fit_add_modes(const ct_pole *poles, const double complex *amplitudes, uint32_t modes, double rate_hz,
                      double factor, double *out, size_t count);

/* The least decay a segment can tell from none. */
double ct_fit_least_decay(const ct_segment *segment);

#endif
