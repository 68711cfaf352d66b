/* A string as two rails of velocity waves: R runs towards the bridge, L away from it. Every piece of it keeps
 * its energy to the last bit, whatever its numbers and however they move (docs/models/string.md):
 *
 *   cell of a rail                 stores u^2
 *   all-pass y = k x + s           stores s^2 / (1 - k^2); s is rescaled when k moves, so nothing is gained;
 *                                  k is kept as e = 1 - |k|, which may be very small
 *   one-pole y = x - p (x - s)     stores p/(1 - p) s^2, loses p (x - s)^2
 *   bridge y = v - x, v = 2 a (x - s), s += q (x - s)     stores 2 a/q s^2, loses 4 a (1 - a - q/2) (x - s)^2
 *
 * all times Z h, where Z is the impedance the string was made with: waves are kept in units of sqrt(Z/Z now)
 * m/s, so that nothing is gained when it moves. Cells are numbered from the bridge, even ones on R, odd ones
 * on L; the last two fade. */
#ifndef CT_BODY_WAVEGUIDE_H
#define CT_BODY_WAVEGUIDE_H

#include <contatto/defs.h>

#include <math.h>

#define CT_STRING_SECTIONS 8u /* all-passes of second order, at most */
#define CT_STRING_PARTIALS 20u
#define CT_STRING_FEWEST 10.0 /* cells */
#define CT_STRING_PLANES 2u
#define CT_SPLINE 4 /* cells a point touches */

/* Live numbers; the schema points into it. */
typedef struct ct_string_values {
  double hz, impedance_kg_s, inharmonicity;
  double t60_s, high_t60_s, high_hz;
  double stop, vibrato_hz, vibrato_cents;
} ct_string_values;

/* What a wave meets on its way round, besides cells. */
typedef struct ct_loop {
  double pole;       /* p of the one-pole at either end */
  double give, ease; /* a and q of the bridge */
  uint32_t sections;
  double e1[CT_STRING_SECTIONS],
      e2[CT_STRING_SECTIONS]; /* lattice: k1 = e1 - 1 inside, k2 = 1 - e2 outside */
  /* their poles, in units of the fundamental: ln of the decay, square of the frequency (negative: two real
   * poles); and the straight delay beside them, radians of the fundamental */
  double log_decay[CT_STRING_SECTIONS], square[CT_STRING_SECTIONS], straight;
} ct_loop;

/* What the loop should be, in radians per sample. */
typedef struct ct_loop_wish {
  double fundamental; /* f0; partial n is n f0 sqrt(1 + B n^2) */
  double inharmonicity;
  double cells; /* as now: only its fraction matters */
} ct_loop_wish;

typedef struct ct_loss_wish {
  double rate_hz, hz, inharmonicity, t60_s, high_t60_s, high_hz;
} ct_loss_wish;

/* ---- string_loop.c: what the loop does to a sine, at w radians per sample ---- */

typedef struct ct_sine {
  double w, cos, sin;
} ct_sine;
static inline ct_sine ct_sine_at(double w) { return (ct_sine){w, cos(w), sin(w)}; }

double ct_loop_partial(double fundamental, double inharmonicity, double n);
/* Round trip of partial n, relative to that of a string without stiffness. */
double ct_loop_trip(double inharmonicity, double n);
void ct_loop_set_losses(ct_loop *loop, const ct_loss_wish *wish);
double ct_loop_lag(const ct_loop *loop, ct_sine at); /* of all but the cells, radians */
double ct_loop_bridge_lag(const ct_loop *loop, ct_sine at);
/* The same at 0 Hz, in samples: what a string at rest is long. */
double ct_loop_rest(const ct_loop *loop);
double ct_loop_bridge_rest(const ct_loop *loop);
double ct_loop_gain(const ct_loop *loop, double w);
double ct_cells_lag(double cells, ct_sine at);
/* How much of a fading cell there is: 1 whole, 0 none. Which: 0 the one before the last. */
double ct_cells_share(double cells, int which);
/* The cells that give the first partial its frequency. */
double ct_loop_cells(const ct_loop *loop, const ct_loop_wish *wish);
/* Partial n as the loop makes it. */
double ct_loop_find_partial(const ct_loop *loop, double cells, double n, double near, double *t60_samples);

/* ---- string_fit.c: all-passes for stiffness, and for what the other filters bend ---- */

/* As many sections as it takes, but no fewer than these; the most any of the first partials below a quarter
 * of the rate is off, cents. Set-up only. */
double ct_loop_fit(ct_loop *loop, const ct_loop_wish *wish, uint32_t fewest, double enough_cents);
/* The same poles for another pitch. */
void ct_loop_transpose(ct_loop *loop, double fundamental);
/* One step towards a moved wish, on the audio thread; true when it has arrived. */
bool ct_loop_refit(ct_loop *loop, const ct_loop_wish *wish);

/* ---- string_wave.c: the waves of one plane ---- */

typedef struct ct_fade {
  double share, e; /* of a cell; k = (1 - share)/(1 + share) = 1 - e */
} ct_fade;

typedef struct ct_wave {
  double *right, *left; /* rings */
  double fade[2];       /* the fading cells: at the end of R, of L */
  double section1[CT_STRING_SECTIONS], section2[CT_STRING_SECTIONS];
  double pole[2]; /* bridge, nut */
  double spring;
} ct_wave;

typedef struct ct_string {
  ct_string_values values;
  ct_loop *loop;
  ct_loss_wish heard_losses; /* the loop was made for */
  ct_loop_wish heard, given; /* now; as it was made */
  bool refitting;            /* sections still on their way */
  uint32_t since_fit;        /* retunings since the last step of theirs */
  bool sounded;              /* some force has reached it */
  double cells, goal, pace;  /* now, where to, how fast per sample */
  double most_cells;
  double bridge_gap;     /* samples from the bridge to cell 0 */
  double metres_per_n;   /* h / 2Z */
  double made_kg_s;      /* the impedance it was made with, */
  double wave_m_s;       /* what a wave of 1 is now, */
  double wave_j;         /* and what one stores, always */
  double filter_samples; /* of the fundamental's time round that is spent in filters */
  double vibrato;        /* phase, turns */
  uint32_t turn, mask;   /* R's cell j is right[(j + turn) & mask], L's is left[(j - turn) & mask] */
  ct_fade fade[2];
  uint32_t planes;
  ct_wave *plane;              /* planes of them */
  struct ct_stencil *stencils; /* one per port */
  double *overlap;             /* ports x ports: sum of products of weights */
  double *compliance;          /* the same for the level asked last */
  double *mean_n;              /* force over the sample so far */
  double spread, push_size;    /* sum of share f.overlap.f so far, and of its terms' sizes */
  double elapsed;              /* share of the sample gone */
} ct_string;

/* Where a port meets the cells. */
typedef struct ct_stencil {
  uint32_t plane;
  int first; /* cells first .. first + CT_SPLINE - 1, all within both rails */
  double weight[CT_SPLINE];
  double slope_weight[CT_SPLINE];
  double place;      /* where it is now, on its way to its point's */
  double at;         /* the same in samples from the bridge */
  bool at_end;       /* in reach of the string's end: its weights depend on where that is */
  double arrive_m_s; /* sum of weight (R + L) */
  double moved_m;    /* over the sample so far */
} ct_stencil;

/* Full cells of a rail. */
static inline uint32_t ct_cells_right(double cells) { return ((uint32_t)cells + 1) / 2; }
static inline uint32_t ct_cells_left(double cells) { return (uint32_t)cells / 2; }

static inline double *ct_right(const ct_string *s, const ct_wave *w, uint32_t cell) {
  return &w->right[(cell + s->turn) & s->mask];
}
static inline double *ct_left(const ct_string *s, const ct_wave *w, uint32_t cell) {
  return &w->left[(cell - s->turn) & s->mask];
}

/* One sample of every plane; what it lost, in units of Z h. */
double ct_waves_step(ct_string *string);
/* Towards the goal by one sample's pace; what was cut off with a cell, in units of Z h. */
double ct_waves_tune(ct_string *string);
/* Filters take new coefficients; their states keep their energy. What a filter that is no longer there held
 * is lost, in units of Z h. */
double ct_waves_take_loop(ct_string *string, const ct_loop *loop);
void ct_waves_set_cells(ct_string *string, double cells); /* at rest */
double ct_waves_stored(const ct_string *string);          /* in units of Z h */
double ct_waves_stored_at_ends(const ct_string *string);  /* of these, in filters and fading cells */
/* False: what has come round to a filter at one of the ends is not finite. */
bool ct_waves_flush(ct_string *string);
bool ct_waves_are_still(const ct_string *string, double most_m_s);
/* Adds a standing slope: R - L = slope per cell / h on either side of a corner, so many cells and a share of
 * one from the bridge, in equilibrium with every filter. */
void ct_waves_bend(ct_string *string, uint32_t plane, double corner, double slope_bridge, double slope_nut);

#endif
