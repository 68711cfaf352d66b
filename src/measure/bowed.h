/* What a bowed string does, judged by nothing but its velocity under the bow. */
#ifndef CT_MEASURE_BOWED_H
#define CT_MEASURE_BOWED_H

#include <stdbool.h>
#include <stdint.h>

/* How a signal was bowed. */
typedef struct ct_bowing {
  double rate_hz;
  double string_hz;         /* nominal */
  double speed_m_s;         /* at its first sample */
  double acceleration_m_s2; /* from there on */
  double place;             /* beta */
} ct_bowing;

/* ---- slips ---- */

typedef struct ct_bowed_slip {
  double begin_s, end_s;
  double distance_m; /* that bow and string slid over each other */
} ct_bowed_slip;

/* A slip begins where the string runs backwards and ends where it has half the bow's speed again; it counts
 * if it is longer than a twentieth of what the bow travels in a period. How many there are. */
uint32_t ct_bowed_find_slips(const double *v_m_s, uint32_t count, const ct_bowing *bow, ct_bowed_slip *slips,
                             uint32_t max);

/* ---- steady motion ---- */

typedef enum ct_bowed_regime {
  CT_BOWED_NONE,      /* slides on, or sticks, or rings down by itself: the bow does not carry it */
  CT_BOWED_HELMHOLTZ, /* one slip per period, for beta of it, at pitch, stuck to the bow in between */
  CT_BOWED_MULTIPLE,  /* periodic, two slips or more */
  CT_BOWED_OTHER,   /* periodic otherwise: anomalous low frequencies, one slip that is too short (S motion) */
  CT_BOWED_RAUCOUS, /* no period */
  CT_BOWED_REGIMES
} ct_bowed_regime;

extern const char
    *const ct_bowed_regime_names[CT_BOWED_REGIMES]; /* none, helmholtz, multiple, other, raucous */

typedef struct ct_bowed_motion {
  ct_bowed_regime regime;
  double slips;      /* per nominal period */
  double slip_share; /* of time */
  double hz, clarity;
  double stuck_m_s; /* median velocity: the bow's, if it sticks most of the time */
} ct_bowed_motion;

/* Of a few dozen periods at constant bow speed. False: no memory. [setup] */
bool ct_bowed_judge(const double *v_m_s, uint32_t count, const ct_bowing *bow, ct_bowed_motion *found);

/* ---- attack ---- */

typedef struct ct_bowed_attack {
  double first_s; /* begin of the first slip; NAN: none */
  double periods; /* from there to the slip from which on there is one per period; NAN: never */
  double longest; /* periods it sticks between two slips until then, the most; NAN: there were no two */
} ct_bowed_attack;

/* Of an attack that was not right at once: choked, a slip came late; else loose, they came too often. [any]
 */
bool ct_bowed_is_choked(const ct_bowed_attack *attack);

/* One per period: every interval from there to the end within 12 % of the nominal period, ten or more, and it
 * sticks for the longer part of each. False: no memory. [setup] */
bool ct_bowed_measure_attack(const double *v_m_s, uint32_t count, const ct_bowing *bow,
                             ct_bowed_attack *attack);

#endif
