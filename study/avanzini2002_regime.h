/* What a bowed string does, judged by nothing but its velocity under the bow. */
#ifndef CT_STUDY_AVANZINI2002_REGIME_H
#define CT_STUDY_AVANZINI2002_REGIME_H

#include <contatto/base.h>

/* How a signal was bowed. */
typedef struct regime_bow {
  double rate_hz;
  double string_hz;         /* nominal */
  double speed_m_s;         /* at its first sample */
  double acceleration_m_s2; /* from there on */
  double place;             /* beta */
} regime_bow;

/* ---- slips ---- */

typedef struct regime_slip {
  double begin_s, end_s;
  double distance_m; /* that bow and string slid over each other */
} regime_slip;

/* A slip begins where the string runs backwards and ends where it has half the bow's speed again; it counts
 * if it is longer than a twentieth of what the bow travels in a period. How many there are. */
uint32_t regime_find_slips(const double *v_m_s, uint32_t count, const regime_bow *bow, regime_slip *slips,
                           uint32_t max);

/* ---- steady motion ---- */

typedef enum regime {
  REGIME_NONE,      /* slides on, or sticks, or rings down by itself: the bow does not carry it */
  REGIME_HELMHOLTZ, /* one slip per period, for beta of it, at pitch, stuck to the bow in between */
  REGIME_MULTIPLE,  /* periodic, two slips or more */
  REGIME_OTHER,     /* periodic otherwise: anomalous low frequencies, one slip that is too short (S motion) */
  REGIME_RAUCOUS,   /* no period */
  REGIMES
} regime;

extern const char *const regime_names[REGIMES]; /* none, helmholtz, multiple, other, raucous */

typedef struct regime_found {
  regime regime;
  double slips;      /* per nominal period */
  double slip_share; /* of time */
  double hz, clarity;
  double stuck_m_s; /* median velocity: the bow's, if it sticks most of the time */
} regime_found;

/* Of a few dozen periods at constant bow speed. Fails only without memory. [setup] */
ct_result regime_judge(const double *v_m_s, uint32_t count, const regime_bow *bow, regime_found *found,
                       ct_error *error);

/* ---- attack ---- */

typedef struct regime_attack {
  double first_s; /* begin of the first slip; NAN: none */
  double periods; /* from there to the slip from which on there is one per period; NAN: never */
  double longest; /* periods it sticks between two slips until then, the most; NAN: there were no two */
} regime_attack;

/* Of an attack that was not right at once: choked, a slip came late; else loose, they came too often. [any]
 */
bool regime_is_choked(const regime_attack *attack);

/* One per period: every interval from there to the end within 12 % of the nominal period, ten or more, and it
 * sticks for the longer part of each. [setup] */
ct_result regime_measure_attack(const double *v_m_s, uint32_t count, const regime_bow *bow,
                                regime_attack *attack, ct_error *error);

#endif
