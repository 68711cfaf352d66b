/* Drives that run over a surface. A drive knows where it is and how fast it moves; the path over its surface
 * becomes the offset of one impact contact, which closes by as much as the path rises. Only increments along
 * the way count: whatever else changes the path (another radius, roughness, lean, level, or being put
 * somewhere else) moves no contact and does no work.
 *
 * An imposed drive (a speed, a hand that leads it) is a hand: how far it closes the contact is known
 * beforehand, and its work is imposed motion. A free one is a mode of the scene (body/way.h): what is known
 * beforehand is the path's slope, and how far it goes is solved with the contact. One led by a body is moved
 * by that body's modes, and the same holds (led.c). All are known for some samples ahead: ct_drive_run plans
 * them, the scene steps through them. How many samples are taken at a time changes nothing. */
#ifndef CT_DRIVE_DRIVE_H
#define CT_DRIVE_DRIVE_H

#include "contact/contact.h"
#include "drive/trail.h"

/* What is lighter or heavier than this has no mass to go by. */
#define CT_DRIVE_LEAST_KG 1e-12
#define CT_DRIVE_MOST_KG 1e12
static inline bool ct_drive_can_weigh(double kg) { return kg >= CT_DRIVE_LEAST_KG && kg <= CT_DRIVE_MOST_KG; }

/* A surface of the scene: what is fixed, and what moves. */
typedef struct ct_surface {
  char name[CT_NAME_MAX];
  uint32_t generation; /* how many surfaces had this slot before */
  ct_surface_kind kind;
  double grid_m;
  uint64_t seed;
  ct_surface_values values, given; /* now; as it was added */
  ct_scan scan;
  void *memory; /* its piece of the pool, for a scan */
} ct_surface;

/* A point of a body. */
typedef struct ct_spot {
  ct_body *body; /* null: none */
  uint16_t point;
} ct_spot;

typedef struct ct_drive_kind {
  const char *name;
  bool turns;
} ct_drive_kind;

enum { CT_LOW_END, CT_HIGH_END, CT_WAY_ENDS };
#define CT_END_QUALITY CT_NORMAL_QUALITY /* of the contacts at the ends of a way */

typedef struct ct_drive {
  const ct_drive_kind *kind;
  char name[CT_NAME_MAX];
  uint32_t generation; /* how many drives had this slot before */
  ct_drive_def values; /* the definition, without its names: the schema moves its numbers */
  const ct_surface *surface;
  ct_contact *contact;
  bool free;       /* moves by itself; else as imposed */
  ct_spot leader;  /* imposed by its sideways motion */
  double leader_m; /* where that was a sample ago */
  bool led;        /* by a body that no hand moves: that body pays for the path, */
  uint16_t end;    /* at this end of the contact */
  ct_spot plane;   /* travels along with the drive */
  uint16_t plane_axis;
  double travel_m, travel_from; /* metres per unit of place; place at x = 0 */
  double travelled_m;           /* by the plane's point, per sample up to the next tick */
  ct_spot rim;                  /* knocked at the ends of the way */
  double gravity_m_s2;
  void *memory;      /* its piece of the pool */
  uint64_t tuned_at; /* how often anything in the scene had been set when it last looked; 0: never */

  double x_m, v_m_s;                         /* of a free one: as its way has them */
  double carried_kg;                         /* mass that falls */
  double turned;                             /* turns so far */
  double sine, cosine;                       /* of that angle, */
  double faced;                              /* computed afresh in this turn */
  double turn_way_m, turn_sine, turn_cosine; /* of what a sample turns by, at this way; NaN: not known */
  double lean_m;                             /* asymmetry, exaggerated */
  bool still;                                /* does not move in the samples at hand */
  bool streamed;         /* what pulls it may change at any sample: it may move though nothing pulls now */
  double ahead[CT_TICK]; /* of the next samples: how far it closes the contact; free: the path's slope */
  double next_m_s;       /* imposed: speed after the sample, */
  bool told;             /* and one that is told for each of the next samples: */
  double told_m_s[CT_TICK];

  /* free: the way, its ends, and the plan, which starts from where the ball is */
  ct_body way;
  ct_port way_port[CT_WAY_PORTS];
  ct_contact stop[CT_WAY_ENDS];
  bool near[CT_WAY_ENDS];                  /* the ball may run into it before the next tick: it has joined */
  double rebound, rebound_u, rebound_time; /* what the law of the ends makes of the rebound, see ends.c */
  uint32_t planned;                        /* samples left of it */
  bool stood;                              /* through the last one */
  double from_m, from_turned;              /* where it started */
  double way_m;                            /* per sample, */
  double plan_m, plan_sine, plan_cosine;   /* and so far */
  double slope;                            /* of the path where it started, the centre of mass included */
  double pressed_sum_n;                    /* forces felt since, */
  uint32_t pressed_count;
  double pressed_n;      /* and their mean before */
  const ct_port *slides; /* where the contact touches the plane's travelling point; null: it does not */
  double slide_gain;     /* slope of the path per metre that this port slides in a sample */
  double lost_j;         /* that nobody has booked yet */

  /* the path: one trail is read; when radius, level or surface have changed another grows and fades in */
  ct_round round;
  ct_trail trail[2];
  uint8_t now;              /* which is read */
  bool changing;            /* the other one grows or fades in */
  double blend, blend_step; /* of the other one's slope */
  double path_m[2];         /* what they say here; of a free one, where the plan is */
  double offset_m;          /* how far it has closed the contact */
  double wish_m, jump_m;    /* a place to be put at, once the path there is known */
  bool wants_jump, jumping;

  double share_left;   /* of its path, once it was removed and lets go (scene/release.c), */
  uint64_t removed_at; /* at this sample; 0: it was not */
} ct_drive;

extern const ct_drive_kind ct_roll_kind, ct_scrape_kind;

/* Grid steps to either side that a drive of this radius gets room for. */
uint32_t ct_drive_reach(double radius_m, double grid_m);
void ct_drive_lay(ct_drive *drive, ct_arena *arena, uint32_t reach); /* its kind is known */
/* The way of a free one, once the drive is where it stays in memory. */
void ct_drive_fill_way(ct_drive *drive, double step_s);
/* Takes its place over a surface of these values, with the path around it known and an offset of zero; not
 * for the audio thread. */
void ct_drive_start(ct_drive *drive, const ct_surface_values *values, double step_s);
/* Mass that moves along, as it and the bodies were given. */
double ct_drive_given_kg(const ct_drive *drive);

/* [audio] */
/* Comes among bodies as they are now: where its point starts to travel, its mass, where its leader is. */
void ct_drive_join(ct_drive *drive, double gravity_m_s2);
void ct_drive_meet(ct_drive *drive, double gravity_m_s2); /* the last two, anew */
void ct_drive_tick(ct_drive *drive, double step_s);
/* The plane's point is where the drive is; `leap`: at once. */
void ct_drive_travel(ct_drive *drive, bool leap);
/* How many samples can be planned now, at most up to the tick. */
uint32_t ct_drive_plan_length(ct_drive *drive, double step_s, uint32_t to_tick);
/* Its push or the fall of its way has changed. */
void ct_drive_pull(ct_drive *drive);
/* Plans them: fills `ahead`; nothing at rest. */
void ct_drive_run(ct_drive *drive, double step_s, uint32_t count);
/* They have been stepped. */
void ct_drive_advance(ct_drive *drive, uint32_t count);
/* Samples `from` to `to` of them, in which nothing touches the contact. */
void ct_drive_coast(ct_drive *drive, uint32_t from, uint32_t to);
/* No further than this do they close its contact while nothing touches it, m, if the plane's point slides by
 * no more than slide_m. */
double ct_drive_reach_m(const ct_drive *drive, double step_s, uint32_t count, double slide_m);
void ct_drive_throw(ct_drive *drive, double v_m_s);
void ct_drive_put(ct_drive *drive, double x_m);
/* Where it is, or is to be put. */
double ct_drive_place_m(const ct_drive *drive);
/* Masses, which parameters may have changed; kinetic energy stays. */
void ct_drive_weigh(ct_drive *drive);

void ct_drive_fill_ends(ct_drive *drive);
/* The ends of a free one's way (ends.c): may it run into one before the tick after the next? */
bool ct_drive_nears(const ct_drive *drive, int side);
/* The end's law and place as the parameters have them now; not while it is pressed. */
void ct_drive_set_end(ct_drive *drive, int side);
/* What they push with, along the way. */
static inline double ct_drive_ends_n(const ct_drive *d) {
  return d->way.as.way.along * ((d->near[CT_LOW_END] ? d->stop[CT_LOW_END].force_n : 0) -
                                (d->near[CT_HIGH_END] ? d->stop[CT_HIGH_END].force_n : 0));
}

/* One led by a body (led.c): the slope it meets in the next sample, */
void ct_led_run(ct_drive *drive, double step_s);
/* and where that has brought it. */
void ct_led_arrive(ct_drive *drive);

static inline double ct_drive_slope(const ct_drive *d, uint32_t n) {
  return d->slides ? d->ahead[n] + d->slide_gain * d->slides->slide_m : d->ahead[n];
}
/* Sample n of those planned, to its way; held while it is put somewhere else. */
static inline void ct_drive_lead_way(ct_drive *d, uint32_t n, double pressed_n, double ends_n) {
  ct_way_begin(&d->way.as.way, ct_drive_slope(d, n), pressed_n, ends_n);
  d->way.as.way.held |= d->jumping;
  d->way.predicted = CT_NO_LEVEL;
}
/* Or to the contact. */
static inline void ct_drive_lead(ct_drive *d, uint32_t n) {
  if (d->still)
    return;
  if (d->led) {
    double slope = ct_drive_slope(d, n), *sign = &d->contact->end[d->end].sign;
    d->contact->turned += slope != *sign;
    *sign = slope;
    return;
  }
  if (d->free) {
    bool held = d->way.as.way.held;
    ct_drive_lead_way(d, n, d->contact->force_n, ct_drive_ends_n(d));
    d->way.revision += held != d->way.as.way.held; /* what the ends feel of it */
    return;
  }
  d->offset_m += d->ahead[n];
  d->contact->offset_m += d->ahead[n];
  d->contact->gap_step_m += d->ahead[n];
}
/* And back from it. */
static inline void ct_drive_feel(ct_drive *d, uint32_t n, double force_n) {
  if (d->led)
    ct_led_arrive(d);
  if (d->still || !d->free)
    return;
  double rise_m = d->ahead[n] * d->way.as.way.gone_m;
  d->pressed_sum_n += force_n > 0 ? force_n : 0;
  d->contact->offset_m += rise_m;
  d->offset_m += rise_m;
}

/* Moved by nobody's hand: freely, or by a body. Its path is paid for within the solve. */
static inline bool ct_drive_is_solved(const ct_drive *d) { return d->free || d->led; }

/* What the files of drives share. */
double ct_drive_climb(ct_drive *drive, double x_m); /* rise of the path since the last place */
void ct_drive_grow_other(ct_drive *drive, double x_m, double step_s);
void ct_drive_blend_on(ct_drive *drive);
bool ct_drive_blended(const ct_drive *drive); /* the other trail has faded in, or is known where to jump */
void ct_drive_take_over(ct_drive *drive);     /* it is the one that is read */
void ct_drive_aim(ct_drive *drive, double way_m);
double ct_drive_leader_m(const ct_drive *drive);
/* So much of a way as lies before its end; what goes on there is stopped. */
double ct_drive_stop_at_end(ct_drive *drive, double way_m);
/* Turns by a way; how far the centre of mass rises. */
double ct_drive_lean(ct_drive *drive, double way_m);
/* Of the path where it is, the centre of mass included. */
double ct_drive_slope_here(ct_drive *drive);
uint32_t ct_roll_plan_length(ct_drive *drive, double step_s, uint32_t to_tick);
void ct_roll_run(ct_drive *drive, double step_s, uint32_t count);

#endif
