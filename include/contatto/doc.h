/* A scene on paper: the leaves of a scene file, each checked against the schema as it is set, from which a
 * sounding scene is built. Leaves come from a scene's text (ct_doc_read_json) or one by one: the words on the
 * way to a leaf are joined with dots. Keys that themselves hold dots (a preset's "bar.modes.0.hz") are joined
 * by CT_DOC_JOIN instead. A document is used by one thread at a time; it keeps the shapes that were computed
 * for building, so that the next scene of it costs less. */
#ifndef CONTATTO_DOC_H
#define CONTATTO_DOC_H

#include "object.h"
#include "scene.h"
#include "schema.h"

CT_DECLARATIONS_BEGIN

#define CT_DOC_JOIN '\x1f'

/* A document holds at most so many leaves; of parts, modes, points and the like as many as a scene (scene.h),
 * and as many presets as parts of one kind. */
#define CT_LEAVES_MOST 2097152u

typedef struct ct_doc ct_doc;

CT_API ct_doc *ct_doc_create(void);   /* [setup] null: out of memory */
CT_API void ct_doc_destroy(ct_doc *); /* [setup] */

/* Set one leaf: "bodies.bar.modes[0].hz", "bar.modes.0.hz" or a control's name. Number leaves (and flags, as
 * 0 or 1) and text leaves (and choices). Order does not matter; setting a leaf again replaces it. Refused:
 * unknown path, wrong type, out of range, not a choice. [setup] */
CT_API ct_result ct_doc_set_number(ct_doc *doc, const char *path, double value, ct_error *error);
CT_API ct_result ct_doc_set_text(ct_doc *doc, const char *path, const char *text, ct_error *error);
/* true or false, as a file says it: refused where the schema does not want a flag. [setup] */
CT_API ct_result ct_doc_set_flag(ct_doc *doc, const char *path, bool value, ct_error *error);
/* From text as typed: "0.3", "true", "glass": a number where the schema wants one. [setup] */
CT_API ct_result ct_doc_set_typed(ct_doc *doc, const char *path, const char *text, ct_error *error);

/* Everything a preset sets, set: the document, from which scenes are built, then is that preset. For a scene
 * that sounds see ct_doc_send_preset. [setup] */
CT_API ct_result ct_doc_apply_preset(ct_doc *doc, const char *preset, ct_error *error);

/* ---- scenes from text ---- */

/* What a scene names outside itself, as the host brings it: all zeros when `bring` is called. What it points
 * to stays the host's, and must stay there until `bring` is called again or reading has come to its end. */
typedef struct ct_brought {
  const char *name; /* what messages call it; null: as the scene does */
  const char *text; /* its bytes, as a file would hold them */
  size_t length;
  /* Instead of text, for a scan: heights that the host has read itself, from a sound file perhaps. */
  const double *numbers;
  uint32_t count;
  double step_m; /* between two of them; 0: as the document says */
  bool metres;   /* false: no scale; the surface must say how deep it is */
} ct_brought;

/* `kind` says what for, `name` is as the scene writes it. Anything but CT_OK refuses it, with a line in
 * error->text. Kinds may be added: refuse those you do not know. */
typedef ct_result ct_bring(void *context, const char *kind, const char *name, ct_brought *brought,
                           ct_error *error);
#define CT_OUTSIDE_SCAN "scan" /* surfaces.*.file: CSV text (height_m, or x_m and height_m), or numbers */

#define CT_OUTSIDE_BODY                                                                                      \
  "body" /* bodies.*.modes.from: the text of a scene file with one body that has modes */

/* Sets every leaf of a scene file's text: JSON in UTF-8 (a byte order mark does no harm) with "contatto": 1
 * in it. `name` is what messages call it. `bring` resolves what it names outside itself; null: that stays
 * unread, and building refuses it. Numbers are rounded correctly and read with a point, whatever the locale.
 * Refused: what is not JSON, with line and column; equal keys in one object; what the schema does not know or
 * allow; more than 64 MB, 12 levels, 4 194 304 values, 65 536 items in a list. Work and memory are bounded by
 * the text's length (n log n for n keys). On failure the document is half filled: drop it. [setup] */
CT_API ct_result ct_doc_read_json(ct_doc *doc, const char *name, const char *text, size_t length,
                                  ct_bring *bring, void *context, ct_error *error);
/* What a document names outside itself, anew: after a leaf that names it was changed. [setup] */
CT_API ct_result ct_doc_read_outside(ct_doc *doc, ct_bring *bring, void *context, ct_error *error);

/* The document as a scene file's text, which reads back as it is: numbers in the fewest digits that do, with
 * a point whatever the locale. Writes at most size - 1 bytes and a zero; *length becomes what the whole text
 * has, so that a size of 0 asks for it. Refused: texts that are not UTF-8. [setup] */
CT_API ct_result ct_doc_write_json(const ct_doc *doc, char *text, size_t size, size_t *length,
                                   ct_error *error);

/* ---- reading back ---- */

typedef struct ct_leaf {
  const char *path; /* words joined by dots, or by CT_DOC_JOIN when a word holds a dot */
  const ct_schema_row *row;
  double number;    /* for choices and flags, the index */
  const char *text; /* for text and choices; null for numbers */
} ct_leaf;

/* In the order they were first set. [setup] */
CT_API uint32_t ct_doc_leaf_count(const ct_doc *doc);
CT_API void ct_doc_leaf_sized(const ct_doc *doc, uint32_t index, ct_leaf *leaf, uint32_t size);
static inline ct_leaf ct_doc_leaf(const ct_doc *doc, uint32_t index) {
  ct_leaf leaf;
  ct_doc_leaf_sized(doc, index, &leaf, (uint32_t)sizeof leaf);
  return leaf;
}

/* What people see of the scene. Texts live as long as the document and are never null. [setup] */
typedef struct ct_control_info {
  const char *name, *unit, *hint;
  double min, max, value;
  ct_scale scale;
  bool trigger;
  uint32_t target_count;
} ct_control_info;

typedef struct ct_gesture {
  uint32_t rows, columns;
  const double *time_s;        /* rows, rising */
  const char *const *paths;    /* one per column: a control or a parameter path */
  const double *const *values; /* values[column][row]; NaN: nothing happens in this row */
} ct_gesture;

CT_API const char *ct_doc_title(const ct_doc *doc);
CT_API const char *ct_doc_about(const ct_doc *doc);
CT_API double ct_doc_seconds(const ct_doc *doc);
CT_API uint32_t ct_doc_control_count(const ct_doc *doc);
CT_API void ct_doc_control_sized(const ct_doc *doc, uint32_t index, ct_control_info *info, uint32_t size);
static inline ct_control_info ct_doc_control(const ct_doc *doc, uint32_t index) {
  ct_control_info info;
  ct_doc_control_sized(doc, index, &info, (uint32_t)sizeof info);
  return info;
}
CT_API uint32_t ct_doc_preset_count(const ct_doc *doc);
CT_API const char *ct_doc_preset_name(const ct_doc *doc, uint32_t index);
CT_API const char *ct_doc_preset_title(const ct_doc *doc, uint32_t index);
CT_API const char *ct_doc_preset_about(const ct_doc *doc, uint32_t index);
/* Names of bodies, their points, and contacts: for columns of motion, pictures, completion. */
CT_API uint32_t ct_doc_body_count(const ct_doc *doc);
CT_API const char *ct_doc_body_name(const ct_doc *doc, uint32_t body);
/* The file a body's modes come from, "" when none. */
CT_API const char *ct_doc_body_file(const ct_doc *doc, uint32_t body);
CT_API uint32_t ct_doc_point_count(const ct_doc *doc, uint32_t body);
CT_API const char *ct_doc_point_name(const ct_doc *doc, uint32_t body, uint32_t point);
CT_API uint32_t ct_doc_drive_count(const ct_doc *doc);
CT_API const char *ct_doc_drive_name(const ct_doc *doc, uint32_t drive);
CT_API uint32_t ct_doc_surface_count(const ct_doc *doc);
CT_API const char *ct_doc_surface_name(const ct_doc *doc, uint32_t surface);
CT_API uint32_t ct_doc_contact_count(const ct_doc *doc);
CT_API const char *ct_doc_contact_name(const ct_doc *doc, uint32_t contact);
CT_API uint32_t ct_doc_source_count(const ct_doc *doc);
CT_API const char *ct_doc_source_name(const ct_doc *doc, uint32_t source);
/* A source as it would be added, with its map: for pictures. Texts and corners live as long as the document
 * stays as it is. [setup] */
CT_API ct_result ct_doc_source_sized(const ct_doc *doc, const char *name, ct_source_def *def, uint32_t size,
                                     ct_region_def *regions, uint32_t stride, ct_error *error);
static inline ct_result ct_doc_source(const ct_doc *doc, const char *name, ct_source_def *def,
                                      ct_region_def regions[CT_REGIONS_MOST], ct_error *error) {
  return ct_doc_source_sized(doc, name, def, (uint32_t)sizeof *def, regions, (uint32_t)sizeof *regions,
                             error);
}
/* The shape a body is, as it would be built at that rate; null in *object for a list of modes or a hand.
 * Yours to destroy. [setup] */
CT_API ct_result ct_doc_body_object(const ct_doc *doc, const char *body, double rate_hz, ct_object **object,
                                    ct_error *error);
/* The demo gesture, the applied preset's own if it has one; rows = 0 when there is none. Checked: time_s
 * there, rising, all columns as long. [setup] */
CT_API ct_result ct_doc_gesture(ct_doc *doc, ct_gesture *gesture, ct_error *error);

/* ---- scans ---- */

/* The file a surface names as its scan, "" when none; and whether it says how deep it is. [setup] */
CT_API const char *ct_doc_surface_file(const ct_doc *doc, uint32_t surface);
CT_API bool ct_doc_surface_has_depth(const ct_doc *doc, uint32_t surface);
/* Heights for a surface of the kind scan, from whoever can read its file; copied, and no leaves of the
 * document. step_m 0: as the document says. [setup] */
CT_API ct_result ct_doc_set_heights(ct_doc *doc, const char *surface, const double *heights, uint32_t count,
                                    double step_m, ct_error *error);

/* ---- building ---- */

typedef struct ct_build_def {
  uint32_t cookie, size;
  double rate_hz;
  uint64_t seed;
  bool ledger;
  /* room beyond what the document needs, for adding while sounding: goes on top of ct_scene_def.bodies ... */
  uint32_t more_bodies, more_contacts, more_pickups;
  size_t more_pool_bytes;
  uint32_t more_surfaces, more_drives;
  uint32_t more_sources;
  bool keep_start; /* ct_scene_keep_start(), for ct_scene_reset() */
} ct_build_def;

CT_API void ct_fill_build_def(ct_build_def *def, uint32_t size); /* [any] as in defs.h */
static inline ct_build_def ct_default_build_def(void) {
  ct_build_def def;
  ct_fill_build_def(&def, (uint32_t)sizeof def);
  return def;
}

/* The whole scene, or an error and nothing. What was done for the user is told through `warn` (may be null),
 * one line each. */
typedef void ct_warn(void *context, const char *line);
CT_API ct_result ct_doc_build(ct_doc *doc, const ct_build_def *def, ct_scene **scene, ct_warn *warn,
                              void *context, ct_error *error); /* [setup] */
/* The document's parts, added to a scene that is there, before or while it sounds: a document may hold one
 * contact whose bodies the scene has. The scene must have room (ct_build_def.more_bodies and its neighbours).
 * On failure parts in front of the refused one stay: a document of one part is added whole or not at all.
 * [setup] */
CT_API ct_result ct_doc_add_to(ct_doc *doc, ct_scene *scene, ct_warn *warn, void *context, ct_error *error);

/* A plan of the scene that ct_doc_build would build, for many of them: see scene.h. Scenes of one that keeps
 * its start keep theirs. [setup] */
CT_API ct_result ct_doc_plan(ct_doc *doc, const ct_build_def *def, ct_plan **plan, ct_warn *warn,
                             void *context, ct_error *error);

/* ---- presets of a scene that sounds ---- */

typedef struct ct_preset_def {
  uint32_t cookie, size;
  double ramp_s;      /* how long numbers take to arrive; negative: the scene's smoothing */
  uint64_t at_sample; /* when they set out, on the scene's clock; 0: now */
  bool starts;        /* where things start is set too: for a scene that was just built or reset */
  ct_warn *warn;      /* hears a line for all that the preset says and the scene cannot do now; may be null */
  void *context;
} ct_preset_def;

CT_API void ct_fill_preset_def(ct_preset_def *def, uint32_t size); /* [any] as in defs.h */
static inline ct_preset_def ct_default_preset_def(void) {
  ct_preset_def def;
  ct_fill_preset_def(&def, (uint32_t)sizeof def);
  return def;
}

/* A preset of the document for a scene that was built from it: all numbers and controls that can move set out
 * together, or, when one is refused or the queue has no room for all, none. Whatever other presets set and
 * this one does not goes back to what the document says; null goes back with all of it. So presets follow one
 * another, as long as none was applied to the document itself. Choices, names and whatever else a scene is
 * made of are told, not changed: build the scene with the preset. Controls win over the numbers they move, as
 * in building; trigger controls are not fired. [setup] */
CT_API ct_result ct_doc_send_preset(const ct_doc *doc, const char *preset, ct_scene *scene,
                                    const ct_preset_def *def, ct_error *error);

/* ---- playing a gesture ---- */

/* Sends a gesture's rows to a scene in time: between rows values run in straight lines (on a log scale where
 * the control or parameter has one), before its first row a column stands at that row's value; triggers fire
 * at rows whose value is not zero. */
typedef struct ct_player ct_player;
CT_API ct_result ct_player_create(const ct_gesture *gesture, ct_scene *scene, ct_player **player,
                                  ct_error *error); /* [setup] */
CT_API void ct_player_destroy(ct_player *player);   /* [setup] */
/* From the beginning, with time 0 at that sample: a new player stands at 0; a live host plays again with
 * this. What was sent stays sent. [setup] */
CT_API void ct_player_start(ct_player *player, uint64_t at_sample);
/* Queue all that is due before `until_sample`; call before processing up to it. [setup] */
CT_API ct_result ct_player_send(ct_player *player, uint64_t until_sample, ct_error *error);

CT_DECLARATIONS_END

#endif
