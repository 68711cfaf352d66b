/* The schema's inside: which part of a scene a row belongs to, and where its live number is kept. */
#ifndef CT_DOCUMENT_SCHEMA_H
#define CT_DOCUMENT_SCHEMA_H

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
  CT_IN_GAINS, /* arrays of a point, a number per mode */
  CT_IN_THUMP, /* the array of a point that is a sound */
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

/* What has a name, and comes and goes while a scene sounds. */
typedef enum ct_part {
  CT_PART_BODY,
  CT_PART_CONTACT,
  CT_PART_SURFACE,
  CT_PART_DRIVE,
  CT_PART_SOURCE,
  CT_PART_PICKUP,
  CT_PART_KINDS
} ct_part;

/* Lists of the root: parts by their kind, then what is no part. */
enum {
  CT_KIDS_BODIES = CT_PART_BODY,
  CT_KIDS_CONTACTS = CT_PART_CONTACT,
  CT_KIDS_SURFACES = CT_PART_SURFACE,
  CT_KIDS_DRIVES = CT_PART_DRIVE,
  CT_KIDS_SOURCES = CT_PART_SOURCE,
  CT_KIDS_PICKUPS = CT_PART_PICKUP,
  CT_KIDS_CONTROLS = CT_PART_KINDS,
  CT_KIDS_PRESETS,
  CT_KIDS_KINDS
};
enum { CT_KIDS_MODES = 0, CT_KIDS_POINTS = 1, CT_KIDS_SHAPE = 2, CT_KIDS_STRING = 3 }; /* of a body */
enum { CT_KIDS_TARGETS = 0, CT_KIDS_SETS = 0 }; /* of a control, of a preset */
enum { CT_KIDS_REGIONS = 0 };                   /* of a source */

/* Where a document keeps the values of a section. */
typedef struct ct_section_place {
  uint8_t list;                                             /* of the root; CT_KIDS_KINDS: the root itself */
  enum { CT_ITSELF, CT_ONLY, CT_NUMBERED, CT_NAMED } child; /* which of that part's nodes has them */
  uint8_t kids;                                             /* ... in this list of the part's */
  uint32_t most;                                            /* numbers go up to here; 0: there are none */
  const char *what;                                         /* is counted by them */
} ct_section_place;

extern const ct_section_place ct_section_places[]; /* by ct_section */

const char *ct_part_word(ct_part part);    /* "body" */
const char *ct_part_section(ct_part part); /* "bodies" */
/* Which kind a section speaks of; CT_PART_KINDS: none. */
ct_part ct_part_of(ct_section section);
/* "body, contact, pickup", for messages. */
void ct_part_list_kinds(char *text, size_t size);

/* Rows that code asks for by name; all others are only walked. */
typedef enum ct_field {
  CT_UNNAMED,
  CT_SCENE_TITLE,
  CT_SCENE_ABOUT,
  CT_SCENE_SECONDS,
  CT_BODY_KIND,
  CT_BODY_X,
  CT_BODY_TANGENTIAL_X,
  CT_MODE_T60,
  CT_MODE_MASS,
  CT_MODE_LEV,
  CT_MODE_X,
  CT_MODE_V,
  CT_SHAPE_FIELD_KIND,
  CT_SHAPE_FIELD_FROM,
  CT_SHAPE_FIELD_MATERIAL,
  CT_SHAPE_FIELD_COUNT,
  CT_SHAPE_FIELD_RESIDUAL,
  CT_SHAPE_FIELD_COLUMNS,
  CT_SHAPE_FIELD_HUNG_HZ,
  CT_SHAPE_FIELD_HUNG_T60,
  CT_SHAPE_FIELD_SIZE,
  CT_SHAPE_FIELD_MATERIAL_AT,
  CT_STRING_HZ,
  CT_STRING_IMPEDANCE,
  CT_STRING_INHARMONICITY,
  CT_STRING_T60,
  CT_STRING_Q,
  CT_POINT_PLACE_U,
  CT_POINT_PLACE_V,
  CT_POINT_FORCE,
  CT_POINT_TANGENTIAL_FORCE,
  CT_POINT_X,
  CT_POINT_TANGENTIAL_X,
  CT_POINT_TANGENTIAL_V,
  CT_POINT_PULL,
  CT_POINT_PLUCK,
  CT_POINT_STRIKE,
  CT_POINT_STRIKE_SPEED,
  CT_POINT_STRIKE_STIFFNESS,
  CT_POINT_FOLLOWS,
  CT_POINT_FOLLOW_M,
  CT_GAINS_TANGENTIAL,
  CT_POINT_THUMP_HZ,
  CT_CONTACT_KIND,
  CT_CONTACT_A,
  CT_CONTACT_B,
  CT_CONTACT_STIFFNESS,
  CT_CONTACT_EXPONENT,
  CT_CONTACT_DAMPING,
  CT_CONTACT_LAMBDA,
  CT_CONTACT_GAP,
  CT_CONTACT_TIME,
  CT_CONTACT_QUALITY,
  CT_CONTACT_SUBSTEPS,
  CT_SURFACE_FIELD_DEPTH,
  CT_SURFACE_FIELD_FILE,
  CT_SURFACE_FIELD_STEP,
  CT_DRIVE_MOTION,
  CT_DRIVE_SPEED,
  CT_DRIVE_THROW,
  CT_DRIVE_PLACE,
  CT_PICKUP_THUMP,
  CT_CONTROL_UNIT,
  CT_CONTROL_MIN,
  CT_CONTROL_MAX,
  CT_CONTROL_VALUE,
  CT_CONTROL_TRIGGER,
  CT_PRESET_TITLE,
  CT_PRESET_ABOUT,
  CT_SOURCE_WIDTH,
  CT_REGION_MORPH_TO,
  CT_REGION_LIST_X,
  CT_REGION_LIST_Y,
  CT_REGION_LIST_TABLE_HZ,
} ct_field;

/* Definitions that numbers are given in. */
typedef enum ct_def_kind {
  CT_NO_DEF,
  CT_DEF_SCENE,
  CT_DEF_MODAL,
  CT_DEF_MODE,
  CT_DEF_POINT,
  CT_DEF_SHAPE,
  CT_DEF_MATERIAL,
  CT_DEF_HAND,
  CT_DEF_STRING,
  CT_DEF_IMPACT,
  CT_DEF_FRICTION,
  CT_DEF_SURFACE,
  CT_DEF_DRIVE,
  CT_DEF_SOURCE,
  CT_DEF_REGION,
  CT_DEF_PICKUP,
  CT_DEF_CONTROL,
  CT_DEF_TARGET,
} ct_def_kind;

#define CT_THUMP_HZ_MOST 384000u
#define CT_THUMP_MOST ((uint32_t)(CT_THUMP_MOST_S * CT_THUMP_HZ_MOST) + 1) /* samples of a point */
#define CT_FIELDS_MOST 48u /* rows that a node of a document has slots for; at most 64 */

/* `def` alone says to whom a row belongs: a state of friction, another way to say a number of an impact. */
typedef struct ct_row {
  ct_schema_row shown;
  uint8_t section, field; /* a ct_section, a ct_field */
  uint8_t def;            /* a ct_def_kind, */
  uint8_t bytes;          /* of its field there: a double or text, a count or choice, a flag; 0: has none */
  uint16_t at;            /* offset of that field */
  bool live;              /* a double somewhere in the scene is the number while it sounds, */
  uint16_t offset;        /* at this offset in its struct */
} ct_row;

/* Whether contacts of this kind (friction or impact) have the row. */
bool ct_row_fits_contact(const ct_row *row, bool friction);

const ct_row *ct_row_at(uint32_t index);
uint32_t ct_row_of(ct_field field);
/* Where a document's node keeps the row's value: counted from the first row of its section. */
uint32_t ct_row_slot(uint32_t index);

/* ---- definitions, row by row ---- */

/* Puts a row's number into its field of a definition, as what that is. */
void ct_row_put(const ct_row *row, void *def, double value);
/* Every number as it stands when nobody says otherwise. */
void ct_def_standard(ct_def_kind kind, void *def);
/* Every number within what its row allows, and every choice one that there is; `who` begins the path in the
 * message. A standard value outside of the range stands for not given. */
ct_result ct_def_check(ct_def_kind kind, const char *who, const void *def, ct_error *error);
/* One number that is not in a definition. */
ct_result ct_field_check(ct_field field, const char *who, double value, ct_error *error);
/* Numbers that move take their values from the definition; `live` is the struct their offsets count from. */
void ct_def_start(ct_def_kind kind, const void *def, void *live);

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
/* For people: dots, whatever the words are joined by. */
void ct_path_show_dots(char *text);

/* "bar.modes.0.hz" -> bodies.bar.modes.0.hz, "bar.hit.x_m" -> bodies.bar.points.hit.x_m, "hardness" ->
 * controls.hardness.value: what the first word names is known. False for neither a part nor a control, or
 * when the path is full. */
bool ct_path_spell_out(ct_path *path, ct_part part, bool control);
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
