/* A contact joins two ports: d = s_a dx_a + s_b dx_b + imposed is how far it closes over a step, its force f
 * acts on each port as -s f, and its law f(d) never decreases. What rolls freely over it adds an end: its
 * way, at the path's slope (body/way.h). So does what follows a body: that body's port, with the path's slope
 * as its sign (drive/led.c). A law is one file with one ct_contact_kind; contacts never know
 * scenes. */
#ifndef CT_CONTACT_CONTACT_H
#define CT_CONTACT_CONTACT_H

#include "body/body.h"
#include "contact/friction.h"

typedef struct ct_end {
  ct_body *body;
  uint16_t port, unused[3]; /* no holes: scenes made in the same way are the same bytes, see scene/plan.c */
  double sign;
  ct_port *at; /* the same port, once the contact has joined */
} ct_end;

#define CT_WAYS 4u /* drives that run along a contact, freely or led by a body; others have no end */
#define CT_ENDS (2u + CT_WAYS) /* two bodies, and those */
_Static_assert(CT_ENDS <= CT_SIGNED_PORTS, "bodies add up the ends that a contact has on them");

/* Live numbers of an impact; the schema points into it. */
typedef struct ct_impact_values {
  double stiffness, exponent, damping_s_m, gap_m, contact_time_s;
} ct_impact_values;

/* N / m^alpha; a contact time asks for no stiffness beyond what may be given. */
#define CT_STIFFNESS_LEAST 1.0
#define CT_STIFFNESS_MOST 1e16

#define CT_MOST_EVALUATIONS 60u /* of one pass of the solver; friction begins no pass beyond them */
#define CT_BINOMIALS 18u        /* terms of (1 + r)^p that an eighth asks for */

typedef struct ct_contact ct_contact;

/* f and its slope at d; the frozen passive line f = b + K d of a solve that was cut short. */
typedef struct ct_force {
  double n, slope;
  double stored_j; /* what the contact would store after closing by d */
} ct_force;

/* Solution of e + C f(e) = free for one contact by itself. */
typedef struct ct_alone {
  double e;
  ct_force force;
  uint32_t evaluations;
  bool arrived; /* else e is the last iterate, and a passive line through it ends the solve */
} ct_alone;

/* What a solve took. */
typedef struct ct_effort {
  uint32_t evaluations;
  uint32_t searches, longest_search; /* evaluations of friction's Lambda: all, and the most of one search */
  bool fell_back;                    /* to frozen lines */
  double rounding;                   /* sum |f_i C_ij f_j| */
} ct_effort;

#define CT_APART UINT32_MAX /* instead of a level: it would not touch */

/* The solver's unknown is e = d - base (see base). base, begin, tune and let_go may be missing. */
typedef struct ct_contact_kind {
  const char *name;
  /* The level, this one or a finer one, wanted for a step predicted to close by d_free at `level`. Unless it
   * is apart, own_m_n is the contact's own compliance at `level`. */
  uint32_t (*level)(ct_contact *, uint32_t level, double d_free);
  /* by itself; returns its force and leaves d_m, now_n, lost_j and the new state (see solve_one.h) */
  double (*solve)(ct_contact *, double c, double d_free, ct_effort *effort);
  bool (*touches)(const ct_contact *, double d);   /* would d make a force? */
  double (*base)(const ct_contact *);              /* part of d known beforehand: the gap */
  ct_force (*force)(const ct_contact *, double e); /* non-decreasing in e */
  /* may be missing: `force` at e goes on to e + step; false: it is no line so far, and `force` is as it was
   */
  bool (*extend)(const ct_contact *, double e, double step, ct_force *force);
  ct_alone (*alone)(ct_contact *, double c, double free, uint32_t most); /* within `most` evaluations */
  void (*commit)(ct_contact *, double e, const ct_force *force);
  ct_force (*line)(const ct_contact *, double e); /* passive line f = n + slope d (not e), good near e */
  void (*commit_line)(ct_contact *, double d, double near);
  double (*parameters_changed)(ct_contact *); /* as a body's */
  void (*join)(ct_contact *);                 /* state of a contact that is new, or whose body was thrown */
  double (*begin)(ct_contact *);              /* once per sample; returns what it lost, J */
  void (*on_tick)(ct_contact *);              /* on ticks */
  bool (*rests)(const ct_contact *);          /* may be missing: while bodies rest, nothing in it changes */
  /* choose what is frozen while solving; by what share it has changed, of both; 0: hardly */
  double (*tune)(ct_contact *, double c, double free);
  void (*reset)(ct_contact *); /* forget what is stored: the numbers have left a double's range */
  void (*weaken)(ct_contact *, double share); /* to this share of its force; what it stored goes with it */
  /* Sizes of all terms of the balance f d = dV + Q of the step just made, each as often as it was rounded, J:
   * see ledger.c. */
  double (*gross_j)(const ct_contact *);
} ct_contact_kind;

struct ct_contact {
  const ct_contact_kind *kind;
  char name[CT_NAME_MAX];
  uint32_t generation; /* how many contacts had this slot before */
  uint16_t group;      /* of the scene, that it is in */
  bool changed;
  ct_end end[CT_ENDS];
  uint16_t end_count; /* the two, and the ways */
  uint16_t led_count; /* of these, ports of bodies that drives follow */
  uint16_t number;    /* among those that islands are made of */
  bool from_above;
  bool unbooked; /* no account is kept */
  union {        /* by the kind */
    struct {
      ct_impact_values values;
      double binomial[CT_BINOMIALS];      /* C(p, k + 1), p = alpha + 1 */
      bool hertz;                         /* alpha is 3/2 */
      double unit_hardness;               /* k t^(alpha + 1) for a kilogram at the reference speed */
      double hardness;                    /* the same for the mass it feels; 0: has not joined */
      double energy_limit_j[CT_LEVELS];   /* above it a level is too coarse, */
      double limit_compliance[CT_LEVELS]; /* at about this compliance */
      uint32_t limit_valid;               /* a bit per level */
    };
    ct_friction friction;
  };
  ct_quality quality;
  int fixed_level; /* -1: from the predicted contact time */

  double compression_m; /* the contact's own state; synchronised with the bodies only while apart */
  double stored_j;
  double force_n;     /* mean over the last sample */
  double force_sum_n; /* over this sample's substeps, weighted by their length */
  double gap_step_m;  /* gap closed this sample by moving it */
  double offset_m;    /* how far drives have closed it, by the surface under it */

  double step_s;      /* of the running substep */
  double per_s;       /* 1 / step_s */
  double d_free_m;    /* prediction for the running substep, imposed part included */
  double base_m;      /* the solver's unknown is e = d - base: what is left after the gap has closed */
  double free_m;      /* d_free - base */
  double imposed_m;   /* the part no body makes: hands, sliding points, a moving gap */
  double d_m, now_n;  /* solution */
  double before_n;    /* force of the step before the last that was solved with others */
  double lost_j;      /* over the running substep; of an impact only where an account is kept */
  double noise_j;     /* work of what is random, over the running substep */
  uint32_t searched;  /* evaluations of the last tune */
  uint32_t own_valid; /* a bit per level, of own_compliance */

  double own_m_n;                   /* C of this contact for the running substep */
  double own_compliance[CT_LEVELS]; /* C of the two bodies and of those that lead */
  uint64_t revision;                /* of the bodies, when these were computed, */
  uint64_t turned;                  /* and how often the sign of an end that is led had changed: part of it */
  void *memory;                     /* its piece of the pool; null: has none */
  uint64_t removed_at; /* sample at which it was removed; 0: it was not, else it lets go (scene/release.c) */
};

extern const ct_contact_kind ct_impact_kind, ct_friction_kind;
/* An impact as it presses at rest: its unknown is the compression itself. Only for ct_solve_laws. */
extern const ct_contact_kind ct_impact_rest_kind;

void ct_impact_fill(ct_contact *contact, const ct_impact_def *def);
/* After contact_time_s, stiffness or the exponent was written: the other two follow. */
void ct_impact_follow_time(ct_contact *contact);
void ct_impact_follow_stiffness(ct_contact *contact);
void ct_impact_follow_exponent(ct_contact *contact);
/* What friction keeps beside the contact; with a null arena base it only counts. */
void ct_friction_lay(ct_contact *contact, ct_arena *arena);
void ct_friction_fill(ct_contact *contact, const ct_friction_def *def);
/* `gone` pressed it, if it did: nothing does from now on, until a normal force is set. */
void ct_friction_forget(ct_contact *contact, const ct_contact *gone);
/* The finest level a contact of this quality may want, or of these substeps, if they are not 0. */
uint32_t ct_impact_finest(ct_quality quality, uint32_t substeps);
/* log2, -1 for 0. */
int ct_level_of_substeps(uint32_t substeps);

/* C between two contacts over a step of a level: sum over shared bodies. */
double ct_contact_compliance(const ct_contact *i, const ct_contact *j, uint32_t level);
/* C of a contact with itself, but for its ways kept until a body changes or a slope does. */
double ct_contact_renew_compliance(ct_contact *contact, uint32_t level);
double ct_contact_led_compliance(ct_contact *contact, uint32_t level); /* the same where it is led */
static inline double ct_contact_own_compliance(ct_contact *c, uint32_t level) {
  if (c->led_count)
    return ct_contact_led_compliance(c, level);
  bool fresh = c->revision == c->end[0].body->revision + c->end[1].body->revision;
  double sum =
      fresh && c->own_valid >> level & 1 ? c->own_compliance[level] : ct_contact_renew_compliance(c, level);
  for (uint16_t e = 2; e < c->end_count; e++)
    sum += ct_way_compliance(&c->end[e].body->as.way, ct_share(level));
  return sum;
}
/* In flight: closes by d and pushes nothing. */
static inline void ct_contact_pass_by(ct_contact *c, double d) {
  c->base_m = 0;
  c->d_m = d;
  c->now_n = 0;
  c->kind->commit(c, d, &(ct_force){0, 0, 0});
}
/* Numbers beyond a double's range (a hundred million tons thrown at a wall): the contact lets go and all it
 * stored is lost. Better a missed blow than a scene that is not a number for ever. */
void ct_contact_give_up(ct_contact *contact);
/* The passive line through `near` ends a solve that did not arrive. */
ct_force ct_contact_end_on_line(const ct_contact *contact, double compliance, double near, double *d_m);
/* Distance from the bodies' places, positive when pressed. */
double ct_contact_geometry(const ct_contact *contact);

#endif
