/* Definitions: what a scene's parts are made of. Fill one from its ct_default_*_def(), change what you like,
 * hand it to ct_scene_add_*(). Nothing is kept of it after the call; names are copied. A part without a name
 * gets one from its kind and place, "body#3"; no name that is given can look like that.
 * A cookie and the struct's size, both set by the default function, catch a definition that was not made by
 * it and let later versions add fields at the end. A stride is the size of one row of an array, set there
 * too. */
#ifndef CONTATTO_DEFS_H
#define CONTATTO_DEFS_H

#include "base.h"

CT_DECLARATIONS_BEGIN

typedef enum ct_direction { CT_NORMAL = 0, CT_TANGENTIAL = 1, CT_DIRECTIONS = 2 } ct_direction;

/* A point of a body by its number, the first is 0; of a hand there is that one. In a definition it counts
 * before the name "body.point" of the same thing, unless its body is none. */
typedef struct ct_point_id {
  ct_id body;
  uint32_t point;
} ct_point_id;

/* One mode: x'' + g x' + w^2 x = gain f / mass, g = 2 ln(1000) / t60. A free mass is one mode at 0 Hz. */
typedef struct ct_mode_def {
  double hz;      /* 0: not held by a spring */
  double t60_s;   /* time to fall by 60 dB; 0: never (no loss) */
  double mass_kg; /* modal mass, > 0 */
  double x_m;     /* state at the start */
  double v_m_s;
} ct_mode_def;

/* A place on a body: a row of mode gains per direction. A null row means: every mode with gain 1; a null
 * tangential row means: as the normal one. With a shape, place_[uv] give the gains instead of the rows. */
typedef struct ct_point_def {
  const char *name; /* null: "#0", "#1", ... by its number */
  const double *gains[CT_DIRECTIONS];
  uint32_t gain_count; /* length of each row given; must be the body's mode_count */
  double place_u, place_v;
  /* Of a modal body: what pickups may hear of a blow here besides the modes (ct_pickup_def.thump), as
   * velocity per impulse, 1/kg: means over samples at thump_hz, from the blow on, at most CT_THUMP_MOST_S of
   * them. */
  const double *thump;
  double thump_hz;
  uint32_t thump_count; /* 0: none */
} ct_point_def;

#define CT_THUMP_MOST_S 0.1

/* Mode shapes that separate, gain_i(u, v) = U_i(u) V_i(v), tabulated evenly over 0..1 and read with cubic
 * interpolation, so that a point may move at audio rate. Row i starts at u[i * u_count]. */
typedef struct ct_shape_table {
  const double *u;
  uint32_t u_count;    /* samples per mode along u, at least 4; 0: gains come from the points' rows */
  bool u_periodic;     /* u = 1 is u = 0 again (a rim) */
  const double *along; /* as u, for the tangential direction; null: the same as u */
  const double *v;     /* may be null: the shape does not depend on v */
  uint32_t v_count;
  bool v_periodic;
} ct_shape_table;

/* What a body is made of, when its modes follow from it: then size and material can be moved while it sounds.
 *   hz   ~ size^-size_power  stiffness^(1/2)  density^-(1/2)
 *   mass ~ size^3 density
 *   t60  = the material's damping law at hz
 * and the two of a pair lie `wonkiness` cents apart, the first below, the second above,
 * relative to the modes given, which are those of the values given here. */
typedef struct ct_making {
  double size; /* 1: as given; 2: twice as long, wide and thick; 0: this body is not made of anything */
  double density_kg_m3;
  double young_pa;
  double damping_global, damping_relative; /* see material.h */
  double material_at;  /* setting it while sounding sets the four above: ct_material_along() */
  double size_power;   /* 1 for what is stiff by itself, 3/2 for membranes, 2 for strings */
  bool elastic;        /* young_pa matters: not for what is stiff by tension alone */
  uint32_t first_mode; /* modes before this one stay as they are (a swing) */
  double wonkiness;    /* cents between the two modes of a pair: 0 for what is truly round */
  bool paired;         /* from first_mode on, modes come in pairs: cosine, sine */
} ct_making;

typedef enum ct_integrator {
  CT_EXACT = 0,    /* exact propagation with the force held over the step: nothing is warped */
  CT_BILINEAR = 1, /* the papers' choice: warps w to 2 Fs atan(w / 2 Fs) */
} ct_integrator;

typedef struct ct_modal_def {
  uint32_t cookie, size;
  const char *name;
  const ct_mode_def *modes;
  uint32_t mode_count, mode_stride;
  const ct_point_def *points;
  uint32_t point_count, point_stride;
  ct_integrator integrator;
  ct_shape_table shape;
  ct_making making;
  /* What the modes left out yield where a contact touches: a spring's compliance and the dashpot beside it.
   * ct_object_add_residual() knows both; 0: nothing. */
  double residual_m_n, residual_n_s_m;
  void *user_data; /* the host's own: see ct_scene_user_data */
} ct_modal_def;

/* Imposed motion: moves as told whatever the force; at rest, a wall. One point, `at`. */
typedef struct ct_hand_def {
  uint32_t cookie, size;
  const char *name;
  double x_m[CT_DIRECTIONS];   /* imposed position */
  double v_m_s[CT_DIRECTIONS]; /* imposed velocity, on top of the position's own changes */
  void *user_data;
} ct_hand_def;

/* A string as travelling waves. Five numbers describe an ideal string and three of them make the other two,
 *   hz = sqrt(tension / density) / (2 length),  impedance = sqrt(tension density);
 * give those you know, 0 for the rest. What is still open after that is a cello's D string. Numbers that
 * contradict each other are refused. place_u of its points: 0 at the bridge, 1 at the nut. */
typedef struct ct_string_def {
  uint32_t cookie, size;
  const char *name;
  const ct_point_def *points;
  uint32_t point_count, point_stride;
  double hz; /* f0 of the open string; partial n is n f0 sqrt(1 + B n^2) */
  double impedance_kg_s;
  double length_m;
  double tension_n;
  double density_kg_m;
  double t60_s;      /* of the fundamental; 0: no loss at all */
  double q;          /* its quality factor, pi hz t60_s / ln 1000; not 0: instead of t60_s */
  double high_t60_s; /* at high_hz; between, 1/t60 = a + b f^2; 0: rings for as many periods */
  double high_hz;
  double inharmonicity; /* B; or */
  double bending_n_m2;  /* EI: B = pi^2 EI / (tension length^2) */
  double stop;          /* share of the open string, from the nut, that a finger cuts off */
  double vibrato_hz, vibrato_cents;
  double lowest_hz; /* how low it may be tuned while sounding; 0: an octave */
  uint32_t planes;  /* 2: moves along the normal and sideways independently; 1: one motion for both */
  void *user_data;
} ct_string_def;

typedef enum ct_quality { CT_DRAFT = 0, CT_NORMAL_QUALITY = 1, CT_HIGH = 2, CT_BEST = 3 } ct_quality;

/* Hunt-Crossley contact, f = k x^alpha (1 + mu x') for compression x > 0.
 * Compression is x_a - x_b - gap when a meets b from below, x_b - x_a - gap from above. */
typedef struct ct_impact_def {
  uint32_t cookie, size;
  const char *name;
  const char *a, *b; /* "body.point" */
  bool from_above;
  double stiffness;   /* k, N / m^alpha; not read when contact_time_s is given */
  double exponent;    /* alpha >= 1; 1: a linear spring */
  double damping_s_m; /* mu; lambda = mu k */
  double gap_m;       /* distance at rest; negative: pressed together */
  ct_quality quality;
  uint32_t substeps;        /* 0: chosen from the predicted contact time; else a fixed power of two */
  double contact_time_s;    /* how long it lasts when they meet at contact_speed_m_s; 0: stiffness says */
  double contact_speed_m_s; /* the speed contact_time_s speaks of */
  ct_point_id a_id, b_id;   /* the same as a and b */
  void *user_data;
} ct_impact_def;

/* Friction laws, one mechanism: bristles that bend by z and slide. */
typedef enum ct_law {
  CT_ELASTO_PLASTIC = 0, /* bends without creeping below breakaway */
  CT_LUGRE = 1,
  CT_DAHL = 2,
  CT_KINETIC = 3, /* a curve of velocity, set-valued at rest */
  CT_THERMAL = 4, /* mu follows the contact's temperature (rosin) */
} ct_law;

/* What roughness does. */
typedef enum ct_roughness_model {
  CT_ROUGHNESS_PASSIVE = 0, /* varies the bristles' force: only takes energy */
  CT_ROUGHNESS_ADDED = 1,   /* the papers' added force: may push, not passive, for comparison */
} ct_roughness_model;

/* Friction between a and b along the surface: f = s0 z + s1 zdot + s2 v + roughness, v = v_a - v_b. */
typedef struct ct_friction_def {
  uint32_t cookie, size;
  const char *name;
  const char *a, *b; /* "body.point" */
  ct_law law;
  double bristle_n_m;           /* s0 */
  double bristle_damping_n_s_m; /* s1 */
  double viscous_n_s_m;         /* s2 */
  double roughness_n;           /* s3: rms of the roughness force while sliding */
  double roughness_exponent;    /* beta: its power ~ (spatial frequency)^beta */
  double mu_static, mu_dynamic; /* mu_static >= mu_dynamic */
  double stribeck_m_s;          /* vS: how fast the curve falls */
  double breakaway;             /* c < 1: bristles bend freely up to c mu_dynamic f_N / s0 */
  double normal_n;              /* f_N */
  const char *normal_from;      /* an impact contact whose force is the normal force; null: normal_n */
  bool constant_damping;        /* the papers' constant s1: not passive, for comparison */
  uint32_t substeps;            /* 0 or 1: one step per sample; else a power of two */
  ct_roughness_model roughness_model;
  double film_m;          /* thermal law: thickness of the film that melts */
  double patch_m;         /* thermal law: radius of the patch that takes its heat */
  ct_point_id a_id, b_id; /* the same as a and b, */
  ct_id normal_id;        /* and as normal_from */
  void *user_data;
} ct_friction_def;

/* What a surface is like, over distance. */
typedef enum ct_surface_kind {
  CT_SURFACE_NOISE = 0,   /* a band of wavelengths */
  CT_SURFACE_FRACTAL = 1, /* rough at all scales: power ~ 1 / f^beta */
  CT_SURFACE_SINE = 2,
  CT_SURFACE_TILES = 3, /* flat pieces with joints */
  CT_SURFACE_BOARDS = 4,
  CT_SURFACE_COBBLES = 5,
  CT_SURFACE_RAILS = 6,
  CT_SURFACE_SCAN = 7, /* measured */
} ct_surface_kind;

/* Heights over distance. Any place follows from the numbers here, in any order; fast motion reads a coarser
 * copy of the same surface. */
typedef struct ct_surface_def {
  uint32_t cookie, size;
  const char *name;
  ct_surface_kind kind;
  double
      depth_m; /* rms of noise, fractal and scan; amplitude of a sine; depth of joints, height of cobbles */
  double length_m;      /* centre wavelength of noise, longest of fractal; period of the others */
  double width_octaves; /* of noise */
  double beta;          /* of fractal: power ~ 1 / (spatial frequency)^beta */
  double density;       /* of noise and fractal: share of places that are rough at all */
  double gap_m;         /* width of a joint */
  double irregularity;  /* 0: all pieces alike, 1: each one its own */
  double grid_m;        /* distance between heights */
  uint32_t seed;
  const double *heights; /* of a scan; copied */
  uint32_t height_count;
  double step_m; /* between them; beyond its ends a scan is mirrored */
  void *user_data;
} ct_surface_def;

typedef enum ct_drive_kind_word {
  CT_ROLL = 0,   /* turns as it moves */
  CT_SCRAPE = 1, /* is dragged along */
} ct_drive_kind_word;

/* What runs over a surface: its path becomes the offset of an impact contact. */
typedef struct ct_drive_def {
  uint32_t cookie, size;
  const char *name;
  ct_drive_kind_word kind;
  const char *contact; /* an impact */
  const char *surface;
  bool free;         /* moves by its own speed, pushed and braked; else as imposed */
  double radius_m;   /* of the ball, or of the stylus' tip */
  double inertia;    /* what turning adds to the mass: 0.4 a ball, 0.5 a cylinder, 1 a hoop */
  double mass_kg;    /* 0: the free mass on the contact */
  double x_m, v_m_s; /* at the start */
  double speed_m_s, acceleration_m_s2; /* imposed; acceleration 0: at once */
  double push_n;                       /* along the way */
  double slope;                        /* fall per metre of way: adds mass g slope */
  double resistance;                   /* braking force per newton of contact force */
  double asymmetry_m;                  /* of the centre of mass, off the middle */
  double out_of_round_m;               /* rms of the ball's own profile, the same at every turn */
  uint32_t facets;                     /* of that profile; 0: rough all round */
  double exaggerate;                   /* 1: as it is. Asymmetry, roughness and size as cartoons have them */
  double low_m, high_m;                /* ends of the way; low = high: it has none */
  double rebound;                      /* share of the speed that comes back from an end */
  const char *rim;                     /* "body.point" that is knocked there; null: nobody hears it */
  double knock_s;                      /* how long that lasts */
  const char *follows;          /* "body.point" whose sideways motion is imposed on it; null: speed_m_s */
  const char *travels;          /* "body.point" of a shape that moves along with it; null: none */
  double travel_m;              /* metres per unit of its place */
  uint32_t travel_axis;         /* 0: place_u, 1: place_v */
  ct_id contact_id, surface_id; /* the same as contact and surface, */
  ct_point_id rim_id, follows_id, travels_id; /* and as rim, follows and travels */
  void *user_data;
} ct_drive_def;

typedef enum ct_listen {
  CT_DISPLACEMENT = 0,
  CT_VELOCITY = 1,
  CT_ACCELERATION = 2,
  CT_FORCE = 3, /* of a contact */
} ct_listen;

typedef struct ct_pickup_def {
  uint32_t cookie, size;
  const char *name;
  const char *at; /* "body.point", or a contact's name when listening to its force */
  ct_listen listen;
  ct_direction direction;
  double full_scale; /* what makes 0 dBFS, in the unit listened to: m, m/s, m/s^2, N */
  double pan;        /* -1 left .. 1 right; equal power; ignored by a mono scene and where output is not 0 */
  ct_point_id at_id; /* the same as `at`, of a point; */
  ct_id contact_id;  /* of a contact, whose force it listens to */
  void *user_data;
  uint32_t output; /* 0: panned over the scene's first two outputs; k: to output k alone, as it is */
  double thump;    /* how much it hears of the thumps of its body's points; 1: as they are; 0: nothing.
                    * Only where it listens to velocity or acceleration */
} ct_pickup_def;

typedef enum ct_scale { CT_LINEAR = 0, CT_LOG = 1 } ct_scale;

/* What a control moves: path runs from `from` to `to` as the control runs over its range. */
typedef struct ct_target_def {
  const char *path;
  double from, to;
  ct_scale scale;
} ct_target_def;

/* A knob of a scene. A trigger acts when it is set to a value other than zero (a strike), not between. */
typedef struct ct_control_def {
  uint32_t cookie, size;
  const char *name;
  const ct_target_def *targets;
  uint32_t target_count, target_stride;
  const char *unit;
  const char *hint; /* what it does to the sound, in a few words */
  double min, max, value;
  ct_scale scale;
  bool trigger;
} ct_control_def;

/* Standard values into `size` bytes. Languages that cannot call inline functions call these. [any] */
CT_API void ct_fill_modal_def(ct_modal_def *def, uint32_t size);
CT_API void ct_fill_hand_def(ct_hand_def *def, uint32_t size);
CT_API void ct_fill_string_def(ct_string_def *def, uint32_t size);
CT_API void ct_fill_impact_def(ct_impact_def *def, uint32_t size);
CT_API void ct_fill_friction_def(ct_friction_def *def, uint32_t size);
CT_API void ct_fill_surface_def(ct_surface_def *def, uint32_t size);
CT_API void ct_fill_drive_def(ct_drive_def *def, uint32_t size);
CT_API void ct_fill_pickup_def(ct_pickup_def *def, uint32_t size);
CT_API void ct_fill_control_def(ct_control_def *def, uint32_t size);

/* What everybody else calls. [any] */
static inline ct_modal_def ct_default_modal_def(void) {
  ct_modal_def def;
  ct_fill_modal_def(&def, (uint32_t)sizeof def);
  def.mode_stride = (uint32_t)sizeof(ct_mode_def);
  def.point_stride = (uint32_t)sizeof(ct_point_def);
  return def;
}
static inline ct_hand_def ct_default_hand_def(void) {
  ct_hand_def def;
  ct_fill_hand_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_string_def ct_default_string_def(void) {
  ct_string_def def;
  ct_fill_string_def(&def, (uint32_t)sizeof def);
  def.point_stride = (uint32_t)sizeof(ct_point_def);
  return def;
}
static inline ct_impact_def ct_default_impact_def(void) {
  ct_impact_def def;
  ct_fill_impact_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_friction_def ct_default_friction_def(void) {
  ct_friction_def def;
  ct_fill_friction_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_surface_def ct_default_surface_def(void) {
  ct_surface_def def;
  ct_fill_surface_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_drive_def ct_default_drive_def(void) {
  ct_drive_def def;
  ct_fill_drive_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_pickup_def ct_default_pickup_def(void) {
  ct_pickup_def def;
  ct_fill_pickup_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_control_def ct_default_control_def(void) {
  ct_control_def def;
  ct_fill_control_def(&def, (uint32_t)sizeof def);
  def.target_stride = (uint32_t)sizeof(ct_target_def);
  return def;
}

CT_DECLARATIONS_END

#endif
