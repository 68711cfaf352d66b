/* A body rubbed at one point: what every part of this study plays, by the engine or by the papers' solver. */
#ifndef CT_STUDY_AVANZINI2005_RUB_H
#define CT_STUDY_AVANZINI2005_RUB_H

#include <contatto/contatto.h>

enum { RUB_MODES = 3 };

typedef struct rub {
  double rate_hz;
  ct_mode_def modes[RUB_MODES]; /* the resonator's */
  uint32_t mode_count;
  double speed_m_s;         /* the exciter's: imposed, or at the start */
  double rise_s;            /* an imposed speed takes this long to arrive */
  double exciter_kg;        /* 0: its motion is imposed */
  ct_friction_def friction; /* a, b and name are filled in */
} rub;

/* Modes 400, 1000 and 1800 Hz, 10 g, losses 6, 10 and 20 per second, rubbed at 0.1 m/s with 1 N. */
rub rub_reference(void);
/* Modes 529.3 and 1368 Hz of a wineglass, 20 g, 1.5 and 1 s, rubbed at 0.08 m/s with 0.5 N. */
rub rub_glass(void);

/* What the engine made: one number per sample in each list that is not null, `count` of them. */
typedef struct rub_trace {
  double *v_m_s;        /* the resonator's velocity where it is rubbed: what is heard */
  double *slip_m_s;     /* exciter's velocity less the resonator's, mean over the sample */
  double *force_n;      /* friction, mean over the same sample */
  uint32_t *searches;   /* evaluations of friction's rate law in this sample */
  uint32_t count;
  ct_counters counters; /* at the end */
} rub_trace;

/* Plays `seconds`. Lists that are wanted are made; free them with rub_trace_free. [setup] */
typedef struct rub_wanted {
  bool motion, searches;
} rub_wanted;

ct_result rub_play(const rub *rub, double seconds, rub_wanted wanted, rub_trace *trace, ct_error *error);
void rub_trace_free(rub_trace *trace);

/* The same by the papers' solver; v_m_s only, and iterations in `searches`. [setup] */
ct_result rub_play_kmethod(const rub *rub, double seconds, bool delayed, rub_trace *trace, ct_error *error);

#endif
