/* Judges a sounding scene by its own account, sample by sample: nothing but finite numbers, an account that
 * closes, parameters that do no work, losses that are never given back, and nothing out of nothing. */
#ifndef CT_TEST_JUDGE_H
#define CT_TEST_JUDGE_H

#include "support/border.h"

typedef enum judge_complaint {
  JUDGE_FINE = 0,
  JUDGE_REFUSED,      /* the scene was not built */
  JUDGE_NOT_FINITE,   /* a sample, a state or a column of the account */
  JUDGE_ACCOUNT_OPEN, /* more is left over than rounding explains */
  JUDGE_PARAMETER,    /* a parameter did work */
  JUDGE_NOISE,        /* so did roughness */
  JUDGE_LOSS_BACK,    /* a loss was given back */
  JUDGE_FORCE,        /* work of forces where nobody pushes, or more than gravity's */
  JUDGE_MOTION,       /* work of motion where nobody moves anything */
  JUDGE_GAIN,         /* stored energy rose where nobody brought any */
  JUDGE_COMPLAINTS
} judge_complaint;

const char *judge_word(judge_complaint complaint);

#define JUDGE_WEIGHTS 64 /* free masses whose height is watched */

typedef struct judge {
  ct_scene *scene;
  border border;
  bool begun;
  ct_ledger first; /* once the scene has started */
  double start_j;  /* stored at the very start */
  double least_j;  /* stored, less the work of forces, so far */
  double most_lost_bodies_j, most_lost_contacts_j;
  ct_handle height[JUDGE_WEIGHTS], mass[JUDGE_WEIGHTS];
  uint32_t weights;
  bool weighed; /* every free mass is watched */
  double gravity_m_s2, first_height_j;
  /* the result */
  judge_complaint complaint;
  uint64_t sample;
  char text[240];
  double worst_error, worst_gain; /* in units of what is allowed */
  ct_counters counters;           /* of the whole trial */
  ct_ledger last;
} judge;

/* Before the first sample. */
void judge_open(judge *j, const trial *t, ct_scene *scene);
/* After some samples. False: it has a complaint, the first is kept. */
bool judge_look(judge *j);
/* The same for what was heard. */
bool judge_hear(judge *j, const float *samples, uint32_t count);

/* Plays the whole trial under a judge, the document's demo gesture with it. */
judge judge_trial(const trial *t);

#endif
