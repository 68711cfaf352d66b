/* A body rubbed at one point: what every part of this study plays, by the engine or by the papers' solver. */
#ifndef CT_STUDY_AVANZINI2005_RUB_H
#define CT_STUDY_AVANZINI2005_RUB_H

#include <contatto/contatto.h>

enum { RUB_MODES = 3 };

/* From this time on to the next row's, in straight lines. */
typedef struct rub_row {
  double time_s, push_n, normal_n;
} rub_row;

typedef struct rub {
  double rate_hz;
  ct_mode_def modes[RUB_MODES]; /* the resonator's */
  uint32_t mode_count;
  double speed_m_s;  /* the exciter's: imposed, or at the start */
  double rise_s;     /* an imposed speed takes this long to arrive */
  double exciter_kg; /* 0: its motion is imposed */
  double exciter_t60_s;
  ct_friction_def friction; /* a, b and name are filled in */
  const rub_row *rows;      /* pushes the exciter and presses it on, as long as there are rows; may be null */
  uint32_t row_count;
} rub;

/* Modes 400, 1000 and 1800 Hz, 10 g, losses 6, 10 and 20 per second, rubbed at 0.1 m/s with 1 N. */
rub rub_reference(void);
/* Modes 529.3 and 1368 Hz of a wineglass, 20 g, 1.5 and 1 s, rubbed at 0.08 m/s with 0.5 N. */
rub rub_glass(void);

/* What the engine made: one number per sample in each list that is not null, `count` of them. */
typedef struct rub_trace {
  double *v_m_s;     /* the resonator's velocity where it is rubbed: what is heard */
  double *slip_m_s;  /* exciter's velocity less the resonator's, mean over the sample */
  double *force_n;   /* friction, mean over the same sample; positive when it slows the exciter down */
  double *bristle_m; /* z at the end of it */
  double *speed_m_s; /* the exciter's */
  double *place_m;
  uint32_t *searches; /* evaluations of friction's rate law in this sample */
  uint32_t count;
  ct_counters counters; /* at the end */
} rub_trace;

typedef struct rub_wanted {
  bool motion; /* slip to place */
  bool searches;
} rub_wanted;

/* Plays `seconds` and makes the lists wanted; free them with rub_trace_free. [setup] */
ct_result rub_play(const rub *rub, double seconds, rub_wanted wanted, rub_trace *trace, ct_error *error);
void rub_trace_free(rub_trace *trace);

/* The same by the papers' solver; v_m_s only, and iterations in `searches`. [setup] */
ct_result rub_play_kmethod(const rub *rub, double seconds, bool delayed, rub_trace *trace, ct_error *error);

#endif
