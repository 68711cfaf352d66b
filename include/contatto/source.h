/* Sources: friction that obeys. A source has no physics loop: it makes a force from a gesture and feeds it to
 * a point of a body. What it does, and at what pitch, is read from a map: a plane of two signals cut into
 * regions. docs/models/action.md has the equations (Thoret et al. 2013) and says when to use which. */
#ifndef CONTATTO_SOURCE_H
#define CONTATTO_SOURCE_H

#include "defs.h"

CT_DECLARATIONS_BEGIN

/* Table 1 of the paper, its noise impacts, and nothing. */
typedef enum ct_behaviour {
  CT_CREAKY_DOOR = 0,
  CT_SQUEAKY_PLATE = 1,
  CT_SQUEAKY_GLASS = 2,
  CT_SINGING_GLASS = 3,
  CT_BOWED_STRING = 4,
  CT_SCRATCHING = 5,
  CT_RUBBING = 6,
  CT_SILENT = 7,
  CT_BEHAVIOURS
} ct_behaviour;

typedef enum ct_pitch_kind {
  CT_PITCH_USUAL = 0,  /* as the behaviour has it: free for squeaks and creaks, locked for what sings */
  CT_PITCH_FREE = 1,   /* hz (x / middle)^x_power (y / middle)^y_power, or by its table */
  CT_PITCH_LOCKED = 2, /* to a mode of the body it feeds */
  CT_PITCH_SCALE = 3,  /* free, then to the nearest note */
} ct_pitch_kind;

typedef enum ct_notes {
  CT_NOTES_CHROMATIC = 0,
  CT_NOTES_MAJOR = 1,
  CT_NOTES_MINOR = 2,
  CT_NOTES_PENTATONIC = 3,
  CT_NOTES_BLUES = 4,
  CT_NOTES_WHOLE_TONE = 5,
  CT_NOTES_OVERTONES = 6, /* whole multiples of the root */
  CT_NOTES_KINDS
} ct_notes;

/* Between the values of a table of pitches. */
typedef enum ct_table_curve {
  CT_TABLE_STRAIGHT = 0, /* straight lines over log pitch, bilinear on two axes */
  CT_TABLE_SMOOTH = 1,   /* monotone cubics */
} ct_table_curve;

#define CT_TABLE_PLACES_MOST 256u  /* along an axis */
#define CT_TABLE_VALUES_MOST 4096u /* of one table */

#define CT_REGIONS_MOST 16u
#define CT_CORNERS_MOST 16u     /* of one region */
#define CT_MAP_CORNERS_MOST 96u /* of all regions of a map */

/* A region of the map. Without corners it is the whole plane; two corners are a rectangle's. As drawn,
 * regions cut the plane; corners, shift and size may then move while it sounds, and where that makes regions
 * overlap the deeper one counts, in a hole the nearest. */
typedef struct ct_region_def {
  const char *name;
  ct_behaviour behaviour;
  ct_behaviour morph_to;
  double morph; /* 0 behaviour .. 1 morph_to */
  ct_pitch_kind pitch;
  double hz; /* f0 in the middle of the plane; 0: the behaviour's own */
  double x_power, y_power;
  uint32_t mode; /* that it locks to, counted from 0 */
  ct_notes notes;
  double root_hz;
  double level; /* factor of its force */
  const double *x, *y;
  uint32_t corner_count;
  double shift_x, shift_y; /* of the whole region, as shares of the plane's sides */
  double size;             /* of it, about its middle */
  /* Any Phi: f0 at places along the first axis, the second, or both (a row along x for every place on y),
   * instead of powers. */
  const double *table_x, *table_y, *table_hz;
  uint32_t table_x_count, table_y_count, table_hz_count;
  ct_table_curve table_curve;
} ct_region_def;

typedef enum ct_signal {
  CT_SPEED = 0,
  CT_PRESSURE = 1,
  CT_FLUIDITY = 2,
  CT_POSITION = 3,
  CT_PATH_ACCELERATION = 4,
  CT_PATH_CURVATURE = 5,
  CT_LOG_JERK = 6,
  CT_ARC_LENGTH = 7,
  CT_SIGNALS
} ct_signal;

typedef struct ct_axis_def {
  ct_signal signal;
  double min, max;
  ct_scale scale;
} ct_axis_def;

typedef enum ct_boundary {
  CT_SUDDEN = 0,     /* the region the point is in, at once */
  CT_HYSTERETIC = 1, /* a region is left only `width` beyond its edge */
  CT_BLENDED = 2,    /* regions blend over `width` to both sides of an edge */
} ct_boundary;

typedef struct ct_source_def {
  uint32_t cookie, size;
  const char *name;
  const ct_region_def *regions;
  uint32_t region_count, region_stride;
  const char *at; /* "body.point" */
  ct_direction direction;
  ct_axis_def x, y;
  ct_boundary boundary;
  double width; /* as a share of the plane's side */
  /* the gesture */
  double speed_m_s;
  double pressure; /* 0 .. 1 */
  double fluidity; /* 0 jerky .. 1 smooth */
  double position; /* 0 .. 1, whatever it stands for: a bow's place on a string */
  double acceleration_m_s2, curvature_1_m, log_jerk, arc_length; /* as in pen.h */
  /* the sound */
  double force_n;  /* amplitude of the fundamental at full pressure */
  double noise_n;  /* rms of the noise impacts at full pressure and 0.1 m/s */
  double exponent; /* amplitudes are k^-exponent */
  double wander;   /* rms of eps */
  double wander_hz;
  double onset_m_s;    /* speed at which it has half its force */
  double density;      /* factor of the behaviour's impacts per metre */
  double impact_s;     /* how long a blow lasts */
  double diameter_m;   /* of the rim a finger goes round */
  uint32_t rim_waves;  /* n of the rim's mode */
  bool physical_beats; /* 2 n pulses a turn, as a real rim; else two, as printed */
  ct_point_id at_id;   /* the same as `at` */
  void *user_data;
} ct_source_def;

CT_API void ct_fill_region_def(ct_region_def *def, uint32_t size); /* [any] as in defs.h */
CT_API void ct_fill_source_def(ct_source_def *def, uint32_t size); /* [any] */
CT_API const char *ct_behaviour_name(ct_behaviour);                /* [any] "creaky_door" */
CT_API const char *ct_signal_name(ct_signal signal);               /* [any] "speed" */
CT_API const char *ct_signal_unit(ct_signal signal);               /* [any] "m/s", or "" */

static inline ct_region_def ct_default_region_def(void) {
  ct_region_def def;
  ct_fill_region_def(&def, (uint32_t)sizeof def);
  return def;
}
static inline ct_source_def ct_default_source_def(void) {
  ct_source_def def;
  ct_fill_source_def(&def, (uint32_t)sizeof def);
  def.region_stride = (uint32_t)sizeof(ct_region_def);
  return def;
}

CT_DECLARATIONS_END

#endif
