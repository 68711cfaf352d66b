/* Drives that run over a surface. A drive knows where it is and how fast it moves; the path over its surface
 * becomes the offset of one impact contact, which closes by as much as the path rises. A free one decides on
 * ticks how fast it goes, so its way is known for some samples ahead: ct_drive_run goes them, the scene steps
 * through them and hands each one's rise to the contact, and ct_drive_settle sees the forces that resulted
 * and keeps the account, sample by sample. How many samples are taken at a time changes nothing. A law of
 * motion is one file with one ct_drive_kind. */
#ifndef CT_DRIVE_DRIVE_H
#define CT_DRIVE_DRIVE_H

#include "contact/contact.h"
#include "drive/trail.h"

/* A surface of the scene: what is fixed, and what moves. */
typedef struct ct_surface {
  char name[CT_NAME_MAX];
  uint16_t turn; /* how many surfaces had this slot before */
  ct_surface_kind kind;
  double grid_m;
  uint64_t seed;
  ct_surface_values values, given; /* now; as it was added */
  ct_scan scan;
  void *memory; /* its piece of the pool, for a scan */
} ct_surface;

/* Live numbers of a drive; the schema points into it. */
typedef struct ct_drive_values {
  double radius_m;
  double inertia;           /* what turning adds to the mass: 0.4 a ball, 0.5 a cylinder, 1 a hoop */
  double mass_kg;           /* 0: the free mass that the contact carries */
  double speed_m_s;         /* imposed, */
  double acceleration_m_s2; /* and reached this fast; 0: at once */
  double push_n, slope, resistance;
  double asymmetry_m; /* how far the centre of mass is off the middle */
  double out_of_round_m;
  double exaggerate;
  double low_m, high_m; /* ends of the way; low = high: it has none */
  double rebound, knock_s;
} ct_drive_values;

/* What one sample brings to the ledger. */
typedef struct ct_drive_tally {
  double force_j, motion_j, lost_j;
} ct_drive_tally;

/* A point of a body. */
typedef struct ct_spot {
  ct_body *body; /* null: none */
  uint16_t point;
} ct_spot;

/* A sample of the way. */
typedef struct ct_drive_step {
  double way_m;
  double climbed_m; /* rise of the path along it; what else moves the offset is imposed */
  double closed_m;  /* both */
  double force_n;   /* of the contact, once it is known */
} ct_drive_step;

typedef struct ct_drive ct_drive;

typedef struct ct_drive_kind {
  const char *name;
  bool turns;
  /* Of a kind that can be free; else missing. Has no speed and nothing that could give it any: */
  bool (*stays)(const ct_drive *);
  /* its speed after so many seconds, as the force it felt predicts it; */
  double (*predict)(const ct_drive *, double span_s);
  /* the account of some samples, now that the contact's forces are known; */
  void (*pay)(ct_drive *, const ct_drive_step *steps, uint32_t count, ct_drive_tally *tally);
  /* and what it loses at an end of its way. */
  double (*rebound)(ct_drive *);
} ct_drive_kind;

struct ct_drive {
  const ct_drive_kind *kind;
  char name[CT_NAME_MAX];
  uint16_t turn; /* how many drives had this slot before */
  ct_drive_values values;
  const ct_surface *surface;
  ct_contact *contact;
  bool free;       /* moves by itself; else as imposed */
  ct_spot leader;  /* imposed by its sideways motion */
  double leader_m; /* where that was a sample ago */
  ct_spot plane;   /* travels along with the drive */
  uint16_t plane_axis;
  double travel_m, travel_from; /* metres per unit of place; place at x = 0 */
  ct_spot rim;                  /* knocked at the ends of the way */
  double gravity_m_s2;
  void *memory;      /* its piece of the pool */
  uint64_t tuned_at; /* how often anything in the scene had been set when it last looked; 0: never */

  double x_m, v_m_s;
  double carried_kg, moved_kg;               /* mass that falls; mass that moves along, turning included */
  double per_kg;                             /* 1 / moved_kg; 0: nothing moves */
  double kinetic_j;                          /* moved_kg v^2 / 2 of a free one, as the ledger has it */
  double turned;                             /* turns so far */
  double sine, cosine;                       /* of that angle, */
  double faced;                              /* computed afresh in this turn */
  double turn_way_m, turn_sine, turn_cosine; /* of what a sample turns by, at this way; NaN: not known */
  double lean_m;                             /* asymmetry, exaggerated */

  /* as planned: this way per sample, for so many samples, to arrive with this speed */
  double way_m, next_m_s;
  uint32_t planned;
  double pressed_sum_n; /* forces felt since the plan was made, */
  uint32_t pressed_count;
  double pressed_n; /* and their mean before */
  bool struck;      /* reaches an end of its way */
  bool still;       /* does not move in the samples at hand */
  double knock_n_s, knock_left_s;
  ct_drive_step step[CT_TICK];

  /* the path: one trail is read; when radius, level or surface have changed another grows and fades in */
  ct_round round;
  ct_trail trail[2];
  uint8_t now;              /* which is read */
  bool changing;            /* the other one grows or fades in */
  double blend, blend_step; /* of the other one */
  double path_m[2];         /* what they say here */
  double slope;             /* of the blend, the centre of mass included, when the plan was made */
  double offset_m;          /* as the contact has it: 0 at the start */
  double wish_m, jump_m;    /* a place to be put at, once the path there is known */
  bool wants_jump, jumping;
};

extern const ct_drive_kind ct_roll_kind, ct_scrape_kind;

/* Grid steps to either side that a drive of this radius gets room for. */
uint32_t ct_drive_reach(double radius_m, double grid_m);
void ct_drive_lay(ct_drive *drive, ct_arena *arena, uint32_t reach);
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
void ct_drive_travel(ct_drive *drive, bool leap);
/* How many of the next samples it can go at once; the tick is so far away. */
uint32_t ct_drive_foresee(ct_drive *drive, double step_s, uint32_t to_tick);
/* Goes them: fills `step`, or stands still. */
void ct_drive_run(ct_drive *drive, double step_s, uint32_t count);
/* Step n of them, to the contact and back from it. */
static inline void ct_drive_hand_over(ct_drive *d, uint32_t n) {
  if (d->still)
    return;
  d->contact->offset_m += d->step[n].closed_m;
  d->contact->gap_step_m += d->step[n].closed_m;
}
static inline void ct_drive_feel(ct_drive *d, uint32_t n) { d->step[n].force_n = d->contact->force_n; }
/* Their account, in `tally`; the forces are in `step`. */
void ct_drive_settle(ct_drive *drive, uint32_t count, ct_drive_tally *tally);
void ct_drive_throw(ct_drive *drive, double v_m_s);
void ct_drive_put(ct_drive *drive, double x_m);
/* Where it is, or is to be put. */
double ct_drive_place_m(const ct_drive *drive);
/* Masses, which parameters may have changed; the kinetic energy follows. */
void ct_drive_weigh(ct_drive *drive);

#endif
