/* What listens to a port of a body, or to a contact. */
#ifndef CT_BODY_PICKUP_H
#define CT_BODY_PICKUP_H

#include "body/body.h"
#include "body/thump.h"

typedef struct ct_pickup {
  char name[CT_NAME_MAX];
  uint32_t generation; /* how many pickups had this slot before */
  ct_listen listen;
  uint16_t body, port, contact; /* contact for the force of one, else CT_NO_PORT */
  uint16_t output;              /* that it goes to alone, counted from 1; 0: panned over the first two */
  double full_scale, pan, thump;
  double heard_pan, gain[2];      /* the pan that gain is for */
  double v_last_m_s;              /* one sample ago, for acceleration */
  const double *reads;            /* the number it listens to, where one of the state is it */
  bool fresh;                     /* has not been read yet */
  uint16_t group;                 /* of what it listens to */
  double si[CT_TICK];             /* what it heard of the samples at hand */
  double blocked_in, blocked_out; /* DC blocker */
  double fade, fade_step;         /* runs to 1 in steps when it joins a sounding scene, to 0 when removed */
  ct_thump *thumps;               /* of its body, where it may hear them; null: none */
} ct_pickup;

/* Hears nothing from this sample on, and has nothing left of what it heard. */
static inline bool ct_pickup_is_silent(const ct_pickup *p, uint64_t sample) {
  return !p->fresh && p->si[0] == 0 && p->blocked_in == 0 && p->blocked_out == 0 &&
         (!p->thumps || !ct_thump_rings(p->thumps, sample));
}

/* Besides, it neither comes nor goes. */
static inline bool ct_pickup_is_done(const ct_pickup *p, uint64_t sample) {
  return ct_pickup_is_silent(p, sample) && p->fade_step == 0;
}

static inline bool ct_pickup_on_contact(const ct_pickup *p) { return p->contact != CT_NO_PORT; }

#endif
