/* The schema's inside: which part of a scene a row belongs to, and where its live number is kept. */
#ifndef CT_SCENE_SCHEMA_H
#define CT_SCENE_SCHEMA_H

#include <contatto/schema.h>

/* Where in the tree a row's number lives. Each section has objects (found by name or number) and fields. */
typedef enum ct_section {
  CT_IN_SCENE,
  CT_IN_BODY,
  CT_IN_MODE,
  CT_IN_SHAPE,      /* what a body is, instead of a list of modes */
  CT_IN_SHAPE_LIST, /* arrays of a shape */
  CT_IN_STRING,
  CT_IN_POINT,
  CT_IN_GAINS, /* arrays of a point */
  CT_IN_CONTACT,
  CT_IN_SURFACE,
  CT_IN_SURFACE_LIST, /* arrays of a surface */
  CT_IN_DRIVE,
  CT_IN_PICKUP,
  CT_IN_CONTROL,
  CT_IN_TARGET,
  CT_IN_PRESET,
  CT_IN_PRESET_SET,
  CT_IN_PRESET_GESTURE,
  CT_IN_GESTURE,
  CT_IN_ENERGY,
  CT_IN_SOURCE,
  CT_IN_REGION,      /* of a source's map */
  CT_IN_REGION_LIST, /* arrays of a region */
} ct_section;

/* Fields, numbered within their section. */
enum {
  CT_SCENE_VERSION,
  CT_SCENE_TITLE,
  CT_SCENE_ABOUT,
  CT_SCENE_SECONDS,
  CT_SCENE_CHANNELS,
  CT_SCENE_GRAVITY,
  CT_SCENE_SMOOTHING
};
enum {
  CT_BODY_KIND,
  CT_BODY_ABOUT,
  CT_BODY_INTEGRATOR,
  CT_BODY_X,
  CT_BODY_V,
  CT_BODY_TANGENTIAL_X,
  CT_BODY_TANGENTIAL_V,
  CT_BODY_ROLE,
  CT_BODY_DRAWN_WIDTH,
  CT_BODY_DRAWN_HEIGHT,
  CT_BODY_DRAWN_LEVER,
};
enum {
  CT_SHAPE_FIELD_KIND,
  CT_SHAPE_FIELD_EDGE,
  CT_SHAPE_FIELD_MATERIAL,
  CT_SHAPE_FIELD_COUNT,
  CT_SHAPE_FIELD_THICKNESS,
  CT_SHAPE_FIELD_RADIUS,
  CT_SHAPE_FIELD_INNER_RADIUS,
  CT_SHAPE_FIELD_TENSION,
  CT_SHAPE_FIELD_EDGE_TENSION,
  CT_SHAPE_FIELD_BENDING,
  CT_SHAPE_FIELD_INHARMONICITY,
  CT_SHAPE_FIELD_FILL,
  CT_SHAPE_FIELD_LOWEST_HZ,
  CT_SHAPE_FIELD_RIGID,
  CT_SHAPE_FIELD_RESIDUAL,
  CT_SHAPE_FIELD_UNDERCUT,
  CT_SHAPE_FIELD_THIN,
  CT_SHAPE_FIELD_COLUMNS,
  CT_SHAPE_FIELD_ROWS,
  CT_SHAPE_FIELD_NODE_MASS,
  CT_SHAPE_FIELD_SPRING,
  CT_SHAPE_FIELD_HUNG_HZ,
  CT_SHAPE_FIELD_HUNG_T60,
  CT_SHAPE_FIELD_POISSON,
  CT_SHAPE_FIELD_SIZE,
  CT_SHAPE_FIELD_DENSITY,
  CT_SHAPE_FIELD_YOUNG,
  CT_SHAPE_FIELD_DAMPING_GLOBAL,
  CT_SHAPE_FIELD_DAMPING_RELATIVE,
  CT_SHAPE_FIELD_MATERIAL_AT,
};
enum {
  CT_LIST_SIZE,
  CT_LIST_MASSES,
  CT_LIST_SPRINGS,
  CT_LIST_LINK_FROM,
  CT_LIST_LINK_TO,
  CT_LIST_LINK_SPRING
};
enum {
  CT_STRING_HZ,
  CT_STRING_IMPEDANCE,
  CT_STRING_LENGTH,
  CT_STRING_TENSION,
  CT_STRING_DENSITY,
  CT_STRING_T60,
  CT_STRING_Q,
  CT_STRING_HIGH_T60,
  CT_STRING_HIGH_HZ,
  CT_STRING_INHARMONICITY,
  CT_STRING_BENDING,
  CT_STRING_STOP,
  CT_STRING_VIBRATO_HZ,
  CT_STRING_VIBRATO_CENTS,
  CT_STRING_LOWEST_HZ,
  CT_STRING_FIELD_PLANES,
};
enum { CT_MODE_HZ, CT_MODE_T60, CT_MODE_MASS, CT_MODE_X, CT_MODE_V, CT_MODE_LEV };
enum {
  CT_POINT_PLACE_U,
  CT_POINT_PLACE_V,
  CT_POINT_FORCE,
  CT_POINT_TANGENTIAL_FORCE,
  CT_POINT_X,
  CT_POINT_V,
  CT_POINT_TANGENTIAL_X,
  CT_POINT_TANGENTIAL_V,
  CT_POINT_PULL,
  CT_POINT_PLUCK,
  CT_POINT_STRIKE,
  CT_POINT_FOLLOWS,
  CT_POINT_FOLLOW_M,
};
enum { CT_GAINS_BOTH, CT_GAINS_NORMAL, CT_GAINS_TANGENTIAL };
enum {
  CT_CONTACT_KIND,
  CT_CONTACT_A,
  CT_CONTACT_B,
  CT_CONTACT_FROM,
  CT_CONTACT_STIFFNESS,
  CT_CONTACT_EXPONENT,
  CT_CONTACT_DAMPING,
  CT_CONTACT_LAMBDA,
  CT_CONTACT_GAP,
  CT_CONTACT_QUALITY,
  CT_CONTACT_SUBSTEPS,
  CT_CONTACT_TIME,
  CT_CONTACT_SPEED,
  CT_CONTACT_FORCE_NOW,
  CT_CONTACT_COMPRESSION,
  CT_CONTACT_STORED,
  CT_CONTACT_RELATIVE_NOW,
  CT_CONTACT_LAW,
  CT_CONTACT_BRISTLE,
  CT_CONTACT_BRISTLE_DAMPING,
  CT_CONTACT_VISCOUS,
  CT_CONTACT_ROUGHNESS,
  CT_CONTACT_ROUGHNESS_EXPONENT,
  CT_CONTACT_ROUGHNESS_MODEL,
  CT_CONTACT_MU_STATIC,
  CT_CONTACT_MU_DYNAMIC,
  CT_CONTACT_STRIBECK,
  CT_CONTACT_BREAKAWAY,
  CT_CONTACT_NORMAL,
  CT_CONTACT_NORMAL_FROM,
  CT_CONTACT_CONSTANT_DAMPING,
  CT_CONTACT_DEFLECTION,
  CT_CONTACT_NORMAL_NOW,
  CT_CONTACT_TEMPERATURE,
  CT_CONTACT_SLIP,
};
enum {
  CT_SURFACE_FIELD_KIND,
  CT_SURFACE_FIELD_ABOUT,
  CT_SURFACE_FIELD_DEPTH,
  CT_SURFACE_FIELD_LENGTH,
  CT_SURFACE_FIELD_WIDTH,
  CT_SURFACE_FIELD_BETA,
  CT_SURFACE_FIELD_DENSITY,
  CT_SURFACE_FIELD_GAP,
  CT_SURFACE_FIELD_IRREGULARITY,
  CT_SURFACE_FIELD_GRID,
  CT_SURFACE_FIELD_SEED,
  CT_SURFACE_FIELD_FILE,
  CT_SURFACE_FIELD_STEP,
};
enum { CT_SURFACE_LIST_HEIGHTS };
enum {
  CT_DRIVE_KIND,
  CT_DRIVE_ABOUT,
  CT_DRIVE_CONTACT,
  CT_DRIVE_SURFACE,
  CT_DRIVE_MOTION,
  CT_DRIVE_RADIUS,
  CT_DRIVE_INERTIA,
  CT_DRIVE_MASS,
  CT_DRIVE_SPEED,
  CT_DRIVE_ACCELERATION,
  CT_DRIVE_THROW,
  CT_DRIVE_PLACE,
  CT_DRIVE_PUSH,
  CT_DRIVE_SLOPE,
  CT_DRIVE_RESISTANCE,
  CT_DRIVE_ASYMMETRY,
  CT_DRIVE_OUT_OF_ROUND,
  CT_DRIVE_FACETS,
  CT_DRIVE_EXAGGERATE,
  CT_DRIVE_LOW,
  CT_DRIVE_HIGH,
  CT_DRIVE_REBOUND,
  CT_DRIVE_RIM,
  CT_DRIVE_KNOCK,
  CT_DRIVE_FOLLOWS,
  CT_DRIVE_TRAVELS,
  CT_DRIVE_TRAVEL_M,
  CT_DRIVE_TRAVEL_AXIS,
  CT_DRIVE_X,
  CT_DRIVE_V,
  CT_DRIVE_OFFSET,
  CT_DRIVE_TURNS,
};
enum { CT_PICKUP_AT, CT_PICKUP_LISTEN, CT_PICKUP_DIRECTION, CT_PICKUP_FULL_SCALE, CT_PICKUP_PAN };
enum {
  CT_CONTROL_UNIT,
  CT_CONTROL_HINT,
  CT_CONTROL_MIN,
  CT_CONTROL_MAX,
  CT_CONTROL_VALUE,
  CT_CONTROL_SCALE,
  CT_CONTROL_TRIGGER,
};
enum { CT_TARGET_PATH, CT_TARGET_FROM, CT_TARGET_TO, CT_TARGET_SCALE };
enum { CT_PRESET_ABOUT };
enum {
  CT_ENERGY_STORED,
  CT_ENERGY_FORCE,
  CT_ENERGY_MOTION,
  CT_ENERGY_PARAMETER,
  CT_ENERGY_NOISE,
  CT_ENERGY_LOST_BODIES,
  CT_ENERGY_LOST_CONTACTS,
  CT_ENERGY_ERROR,
};

enum {
  CT_SOURCE_AT,
  CT_SOURCE_DIRECTION,
  CT_SOURCE_X_SIGNAL,
  CT_SOURCE_X_MIN,
  CT_SOURCE_X_MAX,
  CT_SOURCE_X_SCALE,
  CT_SOURCE_Y_SIGNAL,
  CT_SOURCE_Y_MIN,
  CT_SOURCE_Y_MAX,
  CT_SOURCE_Y_SCALE,
  CT_SOURCE_BOUNDARY,
  CT_SOURCE_WIDTH,
  CT_SOURCE_SPEED,
  CT_SOURCE_PRESSURE,
  CT_SOURCE_FLUIDITY,
  CT_SOURCE_POSITION,
  CT_SOURCE_ACCELERATION,
  CT_SOURCE_CURVATURE,
  CT_SOURCE_LOG_JERK,
  CT_SOURCE_ARC_LENGTH,
  CT_SOURCE_FORCE,
  CT_SOURCE_NOISE,
  CT_SOURCE_EXPONENT,
  CT_SOURCE_WANDER,
  CT_SOURCE_WANDER_HZ,
  CT_SOURCE_ONSET,
  CT_SOURCE_DENSITY,
  CT_SOURCE_IMPACT,
  CT_SOURCE_DIAMETER,
  CT_SOURCE_RIM_WAVES,
  CT_SOURCE_BEATS,
  CT_SOURCE_F0_NOW,
  CT_SOURCE_REGION_NOW,
  CT_SOURCE_FORCE_NOW,
};
enum {
  CT_REGION_BEHAVIOUR,
  CT_REGION_MORPH_TO,
  CT_REGION_MORPH,
  CT_REGION_PITCH,
  CT_REGION_HZ,
  CT_REGION_X_POWER,
  CT_REGION_Y_POWER,
  CT_REGION_MODE,
  CT_REGION_NOTES,
  CT_REGION_ROOT,
  CT_REGION_LEVEL,
  CT_REGION_SHIFT_X,
  CT_REGION_SHIFT_Y,
  CT_REGION_SIZE,
  CT_REGION_TABLE_CURVE,
  CT_REGION_SHARE_NOW,
};
enum {
  CT_REGION_LIST_X,
  CT_REGION_LIST_Y,
  CT_REGION_LIST_TABLE_X,
  CT_REGION_LIST_TABLE_Y,
  CT_REGION_LIST_TABLE_HZ
};

#define CT_FIELDS_MOST 40u /* fields of any one section; at most 64 */
#define CT_NO_OFFSET UINT16_MAX

typedef struct ct_row {
  ct_schema_row shown;
  uint8_t section, field;
  uint16_t offset; /* of the live double in its struct, or CT_NO_OFFSET */
} ct_row;

/* Whether a contact's field belongs to contacts of this kind (friction or impact). */
bool ct_contact_field_fits(uint32_t field, bool friction);

const ct_row *ct_row_at(uint32_t index);
/* The row of a section's field. */
uint32_t ct_row_of(ct_section section, uint32_t field);

/* ---- paths ---- */

#define CT_PATH_WORDS 12u
#define CT_PATH_BYTES 256u

/* A path cut into words: "bodies.bar.modes[0].hz" -> bodies, bar, modes, 0, hz. A word in a document's path
 * may itself hold dots (a preset's "bar.modes.0.hz"); then the words are joined by CT_PATH_JOIN instead of
 * dots. */
#define CT_PATH_JOIN '\x1f'

typedef struct ct_path {
  char bytes[CT_PATH_BYTES];
  const char *word[CT_PATH_WORDS];
  uint32_t count;
} ct_path;

/* What a row's pattern caught of a path: names for *, numbers for []. */
typedef struct ct_catch {
  uint32_t row;
  const char *name[2];
  uint32_t number[2];
} ct_catch;

bool ct_path_cut(ct_path *path, const char *text);
/* Puts a word in front of the index-th; false when the path is full. */
bool ct_path_insert(ct_path *path, uint32_t index, const char *word);
/* The first row that matches, also with the last two words swapped (modes.hz[3] for modes[3].hz). */
bool ct_path_match(ct_path *path, ct_catch *found);
/* True when the word is a field or part of a body, so not one of its points. */
bool ct_word_of_body(const char *word);
/* The same for a source and its regions. */
bool ct_word_of_source(const char *word);
bool ct_word_of_scene(const char *word);

/* Checks a number against a row; the error names path, value, unit and range. */
ct_result ct_row_check(const ct_row *row, const char *path, double value, ct_error *error);

#endif
