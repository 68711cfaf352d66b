/* The port: all a contact ever sees of a body (physics: section 1). Over one step a force f at a port, held
 * constant, moves it by dx = dx_free + C f. A body model is one file with one ct_body_kind; bodies never know
 * contacts. A step may be subdivided: level j has step h / 2^j. */
#ifndef CT_BODY_BODY_H
#define CT_BODY_BODY_H

#include "base/arena.h"
#include "body/bank.h"
#include "body/waveguide.h"
#include "body/way.h"
#include <contatto/defs.h>

#include <math.h>
#include <stdbool.h>

#define CT_LEVELS 11u /* 2^10 substeps at most */
/* Share of a sample that a substep of a level takes: 2^-level, exactly. */
static inline double ct_share(uint32_t level) {
  static const double shares[CT_LEVELS] = {0x1p0,  0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5,
                                           0x1p-6, 0x1p-7, 0x1p-8, 0x1p-9, 0x1p-10};
  return shares[level];
}
/* And how many of them make a sample. */
static inline double ct_substeps(uint32_t level) { return (double)(1u << level); }
#define CT_NO_LEVEL UINT32_MAX
/* A mode slower than this, one turn in 105 minutes, counts as free: carried over to a stiffness as small as a
 * double can hold, a state would be beyond one. */
#define CT_LEAST_RAD_S 1e-3
#define CT_NO_PORT UINT16_MAX

/* What is read of a port after each step: what it does if left alone, where contacts touch it or forces push
 * it; its velocity, its place. */
enum { CT_WANT_FREE = 1, CT_WANT_V = 2, CT_WANT_X = 4, CT_TOUCHED = 8 };

/* One direction of one point. */
typedef struct ct_port {
  double *gain, *gain_over_mass; /* modal bodies: one per lane */
  double *glide;       /* rows, where a point that is carried glides to: see ct_glide_row; null: stays put */
  double gain2;        /* sum of the gains' squares; 0: not known */
  bool glides, slides; /* slides: a hand carries it */
  bool edited;         /* a gain was set by itself: the way back to the shape's is nobody's motion */
  double x_m, v_m_s;   /* now, where wanted */
  double rest_m; /* modal bodies: its place with all modes at 0; not 0 once a free mode became a bound one */
  double dx_free_m; /* predicted for the level asked last, where wanted; of a modal body, left alone: */
  double known_m;   /* what gravity and forces from outside add to it over such a step */
  double contact_n; /* sum of contact forces over the running substep */
  double external_n;
  double slide_m;    /* how far the port moved this sample because its gains moved */
  double residual_m; /* by how much what lies above the modes is bent here */
  double given_kg; /* free mass felt here when the body was added: 1 / sum of gain^2 / mass over 0 Hz modes */
  bool rolled; /* its gains move with the way of what rolls freely: the slide is part of its path's slope */
  double gross_n; /* |contact_n| + |external_n| of the running substep, for the ledger */
  uint8_t wants;
} ct_port;

static inline double *ct_glide_row(const ct_port *port, int row, uint32_t lanes) {
  return port->glide + (size_t)row * lanes;
}

/* One that nobody touches or listens to has the gains it had when the glide began. */
static inline bool ct_port_lags(const ct_port *port) { return port->glides && !port->wants; }

#define CT_STRIKE_M_S 1.0
#define CT_STRIKE_STIFFNESS 1e7 /* N / m^1.5: twenty grams that hit at 1 m/s stay for a millisecond */

/* Live numbers of a point; the schema points into it. */
typedef struct ct_point {
  char name[CT_NAME_MAX];
  double place[2];
  double force_n[CT_DIRECTIONS];
  double source_n[CT_DIRECTIONS]; /* what sources add to it, this sample */
  double strike_n_s;              /* the last, */
  union {                         /* by the kind */
    double pluck_m;               /* of a string: the last */
    double strike_m_s;            /* of a modal body: speed of what strikes it, */
  };
  double strike_stiffness; /* and how hard that is */
  uint16_t port[CT_DIRECTIONS];
  bool moved;           /* place changed since the gains were read */
  bool put;             /* the last to change its place was a message, not who carries it */
  uint32_t carried_for; /* samples it may take to get there: who carries it is asked on ticks; 0: at once */
  /* following another body's port: place[0] = follow_from + (x - follow_x_m) / follow_m */
  struct ct_body *leader; /* null: follows nobody */
  bool led_freely;        /* by a body that no hand moves */
  uint16_t leader_port;
  double follow_m, follow_from, follow_x_m;
} ct_point;

/* Whether moving the point makes its contacts slide: nobody would pay for it where a free body carries it
 * (see modal_move.c). */
static inline bool ct_point_slides(const ct_point *point) { return point->put || !point->led_freely; }

/* How far it moves over the step predicted, if no contact touches it. */
static inline double ct_port_free_m(const ct_port *port) { return port->dx_free_m + port->known_m; }

/* What a contact feels of a port's slide. A hand that drags a point over a bent body works in proportion to
 * the bend, so that what it puts in lets it put in more, without end: 300 m/s round a ringing glass would
 * make 1e70 J in 20 ms. But no point of a solid comes up faster than sound runs through it; what a slide is
 * more than that is not felt, as in points that nobody moves, and then energy grows by a power of time only.
 */
#define CT_FASTEST_SLIDE_M_S 1e4
static inline double ct_port_felt_m(const ct_port *port, double step_s) {
  double most = CT_FASTEST_SLIDE_M_S * step_s, slide = port->slide_m;
  return slide > most ? most : slide < -most ? -most : slide;
}

/* What a step hands to the ledger. */
typedef struct ct_tally {
  double force_j, lost_j;
  /* For the bound on rounding, see ledger.c: sizes of all terms of the step's balance, each as often as it
   * was rounded; what each force from outside would do alone, on the body at rest. */
  double gross_j, alone_j;
} ct_tally;

typedef struct ct_level {
  ct_coefficients rule;
  ct_losses *losses;  /* null without a ledger */
  double *compliance; /* ports x ports, m/N */
  double *fall;       /* ports: displacement over the step per unit of gravity, m per m/s^2 */
  bool rule_valid;
  uint64_t compliance_at; /* the body's revision these are for */
} ct_level;

/* What the modes that were left out yield at a touched port. */
typedef struct ct_residual {
  double compliance_m_n; /* 0: nothing */
  double damping_n_s_m;
} ct_residual;

/* A body made of something, as it was given. */
typedef struct ct_origin {
  ct_making making;
  ct_residual residual;
  ct_mode_def modes[];
} ct_origin;

/* Mode shapes along one axis, see ct_shape_table: row after row, a column for each shape. */
typedef struct ct_mode_table {
  uint32_t count, width;    /* rows, 0: there is no such axis; lanes of a row */
  bool periodic, unused[7]; /* no holes: see scene/plan.c */
  uint16_t *column;         /* of each mode, never beyond the mode's own number; null: that number */
  double *rows;
} ct_mode_table;

typedef struct ct_modal {
  uint32_t mode_count, lanes;
  uint32_t summed;                          /* level that the ports' sums hold, or CT_NO_LEVEL */
  uint16_t *free_ports, *v_ports, *x_ports; /* who wants what */
  uint16_t free_count, v_count, x_count, pass_count;
  ct_bank_sums *passes; /* the same, as the bank's loops take it */
  ct_bank bank;         /* filled but for coefficients and forces */
  double slide_ahead_m; /* where the one port that is touched or pushed is the one that glides, */
  bool glides_alone;    /* then this is true: */
  bool glided;          /* for the next sample already, and so far it will slide */
  ct_integrator integrator;
  ct_mode_def *modes; /* current values */
  bool *dead, *still; /* at or above Nyquist, of 0 Hz, when added */
  double *x, *v, *stiffness_over_mass, *mass;
  double *acceleration;      /* from forces, this substep */
  double *gravity;           /* -1 for 0 Hz modes, else 0 */
  bool has_free_mode, plain; /* plain: one pass does, and one port at most is touched: */
  uint32_t
      steady; /* plain, and the bank holds the rule of this level, for the next step too; else CT_NO_LEVEL */
  ct_port *only;
  ct_bank_pass *const (*stepper)[2];  /* the first pass, by forcing and whether the next step is as long, */
  ct_bank_pass *const (*steadily)[2]; /* and with gravity or without, by whether it is pushed */
  double *falling;                    /* gravity as accelerations, */
  const double *pull;                 /* or null where nothing falls */
  double speed2;                      /* sum of v^2 + w^2 x^2 on the last tick */
  ct_level *level;                    /* as many as the body has */
  ct_mode_table *table; /* mode shapes for moving points: u, v, and u along the surface; null: has none */
  double *factor;       /* scratch: one row of lanes */
  ct_making making;
  ct_origin *given; /* null unless made of something */
  ct_residual residual;
} ct_modal;

/* Imposed motion; x and v are what the schema shows. */
typedef struct ct_hand {
  double x_m[CT_DIRECTIONS], v_m_s[CT_DIRECTIONS];
  double at_m[CT_DIRECTIONS];      /* where it is now */
  double pending_m[CT_DIRECTIONS]; /* imposed position changes not yet walked */
  double step_m[CT_DIRECTIONS];    /* this sample's increment */
  double zero[4];                  /* compliance */
} ct_hand;

typedef struct ct_body ct_body;

#define CT_SIGNED_PORTS 6u /* that one contact may have on one body: all of its ends */
typedef struct ct_signed_port {
  uint16_t port;
  double sign;
} ct_signed_port;

/* How a body moves: not at all, straight on in its free modes only, or otherwise. */
typedef enum ct_pace { CT_RESTS, CT_DRIFTS, CT_MOVES } ct_pace;
#define CT_STILL_M_S 1e-14 /* slower is not at all */

/* What a body that coasts lets its pickups know. */
typedef struct ct_track {
  uint32_t count;
  uint16_t port[CT_SUMS];
  double v_m_s[CT_SUMS][CT_TICK + 1]; /* before each of the samples, and after the last */
} ct_track;

/* No further than this does a port get, and slide because its gains move, m. */
typedef struct ct_reach {
  double free_m, slide_m;
} ct_reach;

typedef struct ct_body_kind {
  const char *name;
  bool rigid;                                 /* compliance is zero: does not couple contacts */
  void (*begin)(ct_body *);                   /* once per sample, before any step */
  void (*predict)(ct_body *, uint32_t level); /* dx_free_m where wanted */
  void (*unpredict)(ct_body *);               /* may be missing: more than `predicted` is no longer true */
  /* May be missing: all of a port is always up to date. Bits of `wants` that came and went. */
  void (*wants_changed)(ct_body *, uint16_t port, uint8_t came, uint8_t went);
  /* May be missing: kept in the port. Its place and speed now, wanted or not. */
  double (*x_m)(const ct_body *, uint16_t port);
  double (*v_m_s)(const ct_body *, uint16_t port);
  /* May be missing: none. The free mass felt at a port; 0 where there is none. */
  double (*free_kg)(const ct_body *, uint16_t port);
  const double *(*compliance)(ct_body *, uint32_t level);
  /* compliance between two signed sums of ports, without cancellation; not for rigid bodies */
  double (*coupling)(ct_body *, uint32_t level, const ct_signed_port *p, uint32_t p_count,
                     const ct_signed_port *q, uint32_t q_count);
  void (*advance)(ct_body *, uint32_t level, uint32_t next_level, ct_tally *tally);
  /* May be missing. `count` whole samples in one go, in which no contact touches it and nothing about it
   * changes, but that points glide on: to the bit what so many advances make of them. How fast the ports in
   * want of it were goes to the track. False: it cannot, and has not moved. */
  bool (*coast)(ct_body *, uint32_t count, ct_track *track);
  /* On ticks. May be missing: as far as it likes. How far a port gets in `seconds` if no contact touches it.
   */
  ct_reach (*reach)(ct_body *, uint16_t port, double seconds);
  double (*stored_j)(const ct_body *);
  /* After values were written. The state is carried over so that stored energy stays; returns the part that
   * cannot be kept, which is lost, J. */
  double (*parameters_changed)(ct_body *);
  /* On ticks: zeroes what is too small to hear, long before it is denormal. False: the state is not finite.
   */
  bool (*on_tick)(ct_body *);
  ct_pace (*pace)(const ct_body *);
  /* May be missing: what `pace` has no time to look at is still too. */
  bool (*is_still)(const ct_body *);
  /* May be missing. It falls asleep: what is slower than CT_STILL_M_S stops; the energy lost by it, J. */
  double (*rest)(ct_body *);
  /* May be missing: it never drifts. Free modes go on for so long. */
  void (*drift)(ct_body *, double seconds);
} ct_body_kind;

struct ct_body {
  const ct_body_kind *kind;
  char name[CT_NAME_MAX];
  double step_s, rate_hz;
  const ct_bank_kernels *kernels;
  double gravity_m_s2;
  uint32_t predicted;    /* level dx_free_m and known_m hold, or CT_NO_LEVEL */
  uint64_t revision;     /* grows when compliances may have changed; never 0 */
  uint32_t gliding;      /* samples until carried points have arrived */
  uint32_t glides_ahead; /* of them, how many the stretch at hand still begins: a step may see to the next
                            one's glide */
  uint16_t point_count, port_count, levels; /* levels: of steps it can make */
  uint16_t number;                          /* among those that islands are made of */
  ct_point *points;
  ct_port *ports;
  uint32_t contact_count; /* live contacts on it */
  uint32_t dropped_modes; /* at or above Nyquist */
  void *memory;           /* its piece of the pool */
  uint32_t generation;    /* how many bodies had this slot before */
  bool leaving, changed, keeps_ledger;
  ct_pace pace; /* when it fell asleep */
  bool asleep;
  bool forced;            /* some port has an external force */
  bool moved;             /* some point has moved since the last sample */
  bool slid;              /* some port's slide_m is not zero */
  bool remade;            /* what it is made of has changed: its modes follow */
  uint16_t group;         /* of the scene, that it is in */
  uint64_t asleep_since;  /* sample */
  const uint64_t *sample; /* the scene's */
  struct ct_thump *thump; /* of its points; null: none has one */
  union {
    ct_modal modal;
    ct_hand hand;
    ct_string string;
    ct_way way;
  } as;
};

/* How long it has drifted on in its sleep. */
static inline double ct_body_drifted_s(const ct_body *b) {
  return b->asleep && b->pace == CT_DRIFTS ? (double)(*b->sample - b->asleep_since) * b->step_s : 0;
}

extern const ct_body_kind ct_modal_kind, ct_hand_kind, ct_string_kind, ct_way_kind;

/* Laying out: with a null arena base these only count. False when it does not fit. */
bool ct_modal_lay(ct_body *body, ct_arena *arena, const ct_modal_def *def); /* levels and ledger are set */
void ct_modal_fill(ct_body *body, const ct_modal_def *def);
bool ct_hand_lay(ct_body *body, ct_arena *arena);
void ct_hand_fill(ct_body *body, const ct_hand_def *def);
bool ct_string_lay(ct_body *body, ct_arena *arena, const ct_string_def *def, double most_cells);
void ct_string_fill(ct_body *body, const ct_string_def *def, const ct_string_values *values);

/* Wanted port sums from the body's state. */
void ct_body_read(ct_body *body);
/* Its state, its modes or gravity have changed: what was predicted is no longer true. */
void ct_body_unpredict(ct_body *body);
/* Reads what was not read before, from now on. */
void ct_body_want(ct_body *body, uint16_t port, uint8_t what);
/* No contact touches it any more. */
void ct_body_untouch(ct_body *body, uint16_t port);

/* Now, wanted or not. */
double ct_port_x_m(const ct_body *body, uint16_t port);
double ct_port_v_m_s(const ct_body *body, uint16_t port);
/* Or its number, when it has none. */
void ct_point_put_name(const ct_body *body, ct_point *point, const char *name);
/* What pushes a point's port in a direction. One may serve both; then both forces act on it. */
static inline double ct_point_force_n(const ct_point *point, int direction) {
  double force_n = point->force_n[direction] + point->source_n[direction];
  if (point->port[CT_NORMAL] != point->port[CT_TANGENTIAL])
    return force_n;
  return force_n + (point->force_n[!direction] + point->source_n[!direction]);
}
/* A force may have come to a port, or has left it. */
void ct_port_push_changes(ct_body *body, ct_port *port);
/* Such a force is known before the step, so the prediction made without it is stale. */
static inline void ct_port_push(ct_body *body, ct_port *port, double force_n) {
  bool goes_on = force_n != 0 && port->external_n != 0;
  port->external_n = force_n;
  body->predicted = CT_NO_LEVEL;
  if (!goes_on)
    ct_port_push_changes(body, port);
}
/* Takes over the point's external forces. */
void ct_point_push(ct_body *body, const ct_point *point);
/* Its place was told: it is there from the next `begin` on. */
static inline void ct_point_put(ct_body *body, ct_point *point) {
  point->moved = body->moved = point->put = true;
  point->carried_for = 0;
}
/* Somebody carries the point along and says so on every tick; `leap`: it is there at once. */
void ct_point_carry(ct_body *body, ct_point *point, int axis, double place, bool leap);
/* Gains of a point that moved, read from the shape; books the slide. */
void ct_modal_move_point(ct_body *body, ct_point *point);
/* Free mass felt at a port, now; 0 where there is none. */
double ct_modal_free_kg(const ct_body *body, uint16_t port);
/* Whether a point that moves takes the gains of that port from the body's shape. */
bool ct_modal_reads_gains(const ct_body *body, const ct_point *point, uint16_t port);
/* One gain set by itself: a parameter, which moves no port and does no work. */
void ct_modal_set_gain(ct_body *body, uint16_t port, uint32_t mode, double gain);
double ct_modal_mode_value(const ct_body *body, uint32_t mode, bool velocity);
void ct_modal_set_state(ct_body *body, uint32_t mode, bool velocity, double value);

/* Filters for a string, and the cells it then has. */
double ct_string_make_loop(ct_loop *loop, const ct_loss_wish *losses, double stop);
/* Partial n as it sounds, Hz, and its decay; 0 when it is not below Nyquist. */
double ct_string_partial(const ct_body *body, uint32_t n, double *t60_s);
/* The force across the string here, nut side on bridge side: at the bridge, what shakes it. */
double ct_string_pull_n(const ct_body *body, uint16_t port);
void ct_string_pluck(ct_body *body, const ct_point *point, double height_m);
void ct_string_strike(ct_body *body, const ct_point *point, double impulse_n_s);

/* What the files of the string share. */

/* string.c: weights of every port anew, because lengths have changed. */
void ct_string_place_ports(ct_body *body);

/* string_tune.c */
bool ct_string_has_vibrato(const ct_string *string);
double ct_string_parameters_changed(ct_body *body);
bool ct_string_on_tick(ct_body *body);

#endif
