/* A mass on a wall, stepped by the methods of Papetti, Avanzini and Rocchesso (2009), section 3.2, and by the
 * engine. Compression x is positive inwards and so is its velocity v; gravity, where there is any, pulls
 * towards the wall. */
#ifndef CT_STUDY_WALL_H
#define CT_STUDY_WALL_H

#include <contatto/contatto.h>

typedef struct wall {
  ct_impact_case impact; /* speed_m_s: how fast the mass starts */
  double step_s;
  double gravity_m_s2;
} wall;

/* At a sample. `force_n` is all that acts on the mass, as the method evaluated it: f_n in eqs. 20 to 23. */
typedef struct wall_state {
  double x_m, v_m_s, force_n;
} wall_state;

double wall_force_n(const wall *wall, double x_m, double v_m_s); /* m g - f(x, v), eq. 1 */
double wall_energy_j(const wall *wall, const wall_state *state); /* H = V + T, eqs. 11 and 13; no gravity */
wall_state wall_start(const wall *wall, double x_m);

/* ---- the four methods: one step each ---- */

typedef wall_state wall_method(const wall *wall, wall_state now);

wall_method wall_step_am1, wall_step_verlet, wall_step_heun, wall_step_rk4;

typedef enum wall_methods {
  WALL_AM1,
  WALL_VERLET,
  WALL_HEUN,
  WALL_RK4,
  WALL_CONTATTO,
  WALL_METHODS
} wall_methods;

extern const char *const wall_method_names[WALL_METHODS]; /* am1, verlet ... */

/* ---- runs ---- */

/* Section 4.2: compression kept below x_max of the running impact (eqs. 26 and 4), velocity after it set to
 * eq. 7. The engine needs and takes neither. */
typedef struct wall_corrections {
  bool clip, restore;
} wall_corrections;

/* States at samples 0 .. count - 1. */
typedef struct wall_trace {
  wall_state *at;
  double *energy_j;
  uint32_t count, room;
} wall_trace;

ct_result wall_trace_make(wall_trace *trace, uint32_t room, ct_error *error); /* [setup] */
void wall_trace_add(wall_trace *trace, wall_state state, double energy_j);
void wall_trace_free(wall_trace *trace);
double wall_trace_largest_x_m(const wall_trace *trace);

/* `samples` steps from x_m, fewer when `once`: then it ends with the first sample after the contact. */
typedef struct wall_run_def {
  wall_methods method;
  wall_corrections corrections;
  double x_m;
  uint32_t samples;
  bool once;
  ct_quality quality; /* the engine's */
} wall_run_def;

/* Makes the trace. [setup] */
ct_result wall_run(const wall *wall, const wall_run_def *def, wall_trace *trace, ct_error *error);

/* The same through a scene: a free mass, a hand at rest and an impact between them. force_n is the mean over
 * the sample before. [setup] */
ct_result wall_run_engine(const wall *wall, const wall_run_def *def, wall_trace *trace, ct_error *error);

/* ---- the truth, with gravity ---- */

/* One contact by Runge and Kutta in thousands of steps, its end found within a step. */
typedef struct wall_contact {
  double time_s, v_out_m_s;
} wall_contact;

wall_contact wall_contact_true(const wall *wall, double v_in_m_s);

#endif
