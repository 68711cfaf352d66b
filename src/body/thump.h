/* What is heard of a blow besides the modes, as a short response per point (thump.c). */
#ifndef CT_BODY_THUMP_H
#define CT_BODY_THUMP_H

#include "base/arena.h"
#include <contatto/defs.h>

/* One point that has a thump, with response h: h[0] is heard one sample after the force that causes it. */
typedef struct ct_thump_point {
  double *left;   /* -(h[k + 1] + h[k + 2] + ...) / rate: what a step of the force still has to do */
  double sum;     /* of all h, / rate: the velocity that a steady force makes */
  double least_n; /* changes of the force below this are not heard */
  double force_n; /* that the response has been told so far */
  double now_n;   /* mean force over the sample at hand */
  double given_n_s;
  uint32_t count; /* of h */
  uint16_t point, port;
} ct_thump_point;

/* Of a body: all of its points, in one ring that holds what is still to be heard. Sample n is at n % size. */
typedef struct ct_thump {
  ct_thump_point *points;
  double *ring;
  uint32_t point_count, size;
  uint64_t cleared; /* cells of samples before this one may be stale */
  uint64_t end;     /* from this sample on nothing is in the ring */
  double steady_m_s;
  bool heard;     /* by a pickup, in the sample at hand; else nobody computes it */
  bool follows;   /* force_n is the force of the last sample */
  bool unused[6]; /* no holes: see scene/plan.c */
} ct_thump;

/* Memory for the points that have one; null: none has, or only counted. */
ct_thump *ct_thump_lay(ct_arena *arena, const ct_point_def *points, uint32_t count, double rate_hz);
/* Responses at the scene's rate; ports are still to be told. */
void ct_thump_fill(ct_thump *thump, const ct_point_def *points, uint32_t count, double rate_hz);

/* The forces now_n have acted over this sample. */
void ct_thump_feed(ct_thump *thump, uint64_t sample);
/* As if now_n had always acted, from this sample on. */
void ct_thump_follow(ct_thump *thump);

static inline bool ct_thump_rings(const ct_thump *thump, uint64_t sample) { return sample < thump->end; }
static inline double ct_thump_v_m_s(const ct_thump *thump, uint64_t sample) {
  double ringing = ct_thump_rings(thump, sample) ? thump->ring[sample % thump->size] : 0;
  return thump->steady_m_s + ringing;
}

#endif
