/* A plan of many sounds: which scenes, what varies in them and how it is drawn, how long each sound is and
 * what is kept of it. Sound number n follows from the plan and n alone, so that any part of a plan can be
 * made anywhere, in any order. docs/sweeps.md describes the file format. */
#ifndef CT_SWEEP_PLAN_H
#define CT_SWEEP_PLAN_H

#include "file/place.h"
#include "file/sha256.h"
#include <contatto/doc.h>

#include <jansson.h>

enum { CT_SWEEP_VARY_MOST = 64, CT_SWEEP_PARTS_MOST = 256, CT_SWEEP_WATCHES_MOST = 32 };
#define CT_SWEEP_SOUNDS_MOST 100000000u

typedef enum ct_sweep_sample { CT_SWEEP_GRID, CT_SWEEP_RANDOM, CT_SWEEP_HALTON } ct_sweep_sample;
/* WATCHED: neither sounds nor measures of them, only what is watched. */
typedef enum ct_sweep_write {
  CT_SWEEP_WAV,
  CT_SWEEP_FLAC,
  CT_SWEEP_MEASURES,
  CT_SWEEP_WATCHED
} ct_sweep_write;

/* What a varied name stands for. */
typedef enum ct_sweep_target {
  CT_SWEEP_PATH,         /* a control, or a parameter of the scene */
  CT_SWEEP_SCENE,        /* "scene": which one */
  CT_SWEEP_PRESET,       /* "preset" */
  CT_SWEEP_GESTURE,      /* "gesture": which one */
  CT_SWEEP_GESTURE_CELL, /* "gesture.COLUMN" or "gesture.COLUMN.ROW" */
  CT_SWEEP_SEED,         /* "seed" */
} ct_sweep_target;

#define CT_SWEEP_ALL_ROWS UINT32_MAX

/* One thing that varies: a list of numbers or of words, or a range. */
typedef struct ct_sweep_vary {
  char *name;
  ct_sweep_target target;
  char *column;   /* of the gesture */
  uint32_t row;   /* of that column */
  uint32_t count; /* of values; 0: a range */
  double *numbers;
  char **words;  /* instead of numbers */
  char **labels; /* beside either; null: none */
  bool has_min, has_max, has_scale;
  double min, max;
  ct_scale scale;
  bool whole;     /* only whole numbers */
  uint32_t steps; /* of a range in a grid; 0: not given */
  char unit[CT_NAME_MAX];
  char *about; /* what the schema or the control says it is */
  char *with;  /* name of what it goes with: its values are taken in step with those; null: by itself */
  uint32_t with_item; /* the same in the part's list */
} ct_sweep_vary;

/* A number or text that is the same in all sounds of a part. */
typedef struct ct_sweep_set {
  char *path, *text; /* text: as typed */
} ct_sweep_set;

typedef struct ct_sweep_gesture {
  char *name;
  ct_gesture *gesture; /* null: the scene's own */
} ct_sweep_gesture;

typedef struct ct_sweep_part {
  char *name;
  char *scene, *preset; /* preset null: the scene as it is */
  char *gesture;        /* a name of plan.gestures */
  double seconds;       /* 0: as the scene says */
  double rate_hz;
  uint64_t seed;
  bool own_seeds; /* every sound has its own, made from `seed` */
  ct_sweep_sample sample;
  uint64_t first, count; /* sounds */
  ct_sweep_set *sets;
  uint32_t set_count;
  ct_sweep_vary *vary;
  uint32_t vary_count;
  double longest_s; /* of its sounds; known once it is checked */
  uint32_t channels;
} ct_sweep_part;

/* What the plan reads. */
typedef struct ct_sweep_input {
  char *file; /* as the program opens it; null: a built-in scene */
  char *name; /* from the plan's folder on; or the scene's */
  char sha256[CT_SHA256_TEXT];
} ct_sweep_input;

typedef struct ct_sweep_watch ct_sweep_watch; /* maker.h */

typedef struct ct_sweep_plan {
  char *file, *text;
  size_t length;
  char *title, *about, *licence;
  ct_sweep_write write;
  uint32_t left_out; /* groups of measures: ct_report_def */
  ct_sweep_part *parts;
  uint32_t part_count;
  uint64_t count; /* sounds */
  ct_sweep_gesture *gestures;
  uint32_t gesture_count;
  size_t gesture_room;
  ct_sweep_watch *watches; /* states of the scene that are measured */
  uint32_t watch_count;
  ct_sweep_input *inputs;
  uint32_t input_count;
  size_t input_room;
  char sha256[CT_SHA256_TEXT]; /* of the plan's text and of all inputs */
  void *blocks;                /* memory of what is above: plan.c */
} ct_sweep_plan;

/* Reads a plan, a file or a built-in one by its name, finds every path in its scenes and fills in what the
 * plan is silent about. Nothing is written. [setup] */
ct_result ct_sweep_plan_read(const char *file, ct_sweep_plan **plan, ct_error *error);
void ct_sweep_plan_free(ct_sweep_plan *plan); /* null is fine */

/* [any] */
static inline bool ct_sweep_writes_sounds(const ct_sweep_plan *plan) {
  return plan->write == CT_SWEEP_WAV || plan->write == CT_SWEEP_FLAC;
}

/* ---- one sound of it ---- */

typedef struct ct_sweep_point {
  const ct_sweep_part *part;
  uint64_t index;
  const char *scene, *preset, *gesture; /* preset "": none */
  uint64_t seed;
  double number[CT_SWEEP_VARY_MOST];     /* of what varies; of words, which one */
  const char *word[CT_SWEEP_VARY_MOST];  /* null: a number */
  const char *label[CT_SWEEP_VARY_MOST]; /* null: none */
} ct_sweep_point;

void ct_sweep_point_at(const ct_sweep_plan *plan, uint64_t index, ct_sweep_point *point); /* [any] */

/* Which of what varies in a part has that name; its vary_count when none has. [any] */
uint32_t ct_sweep_find_vary(const ct_sweep_part *part, const char *name);
/* The gesture of that name; null when there is none. [any] */
const ct_sweep_gesture *ct_sweep_find_gesture(const ct_sweep_plan *plan, const char *name);

/* ---- numbers between 0 and 1 ---- */

/* Never 0 or 1. `dimension` counts what varies. [any] */
double ct_sweep_random(uint64_t seed, uint32_t dimension, uint64_t index);
/* Point `index` of a scrambled Halton sequence; at most CT_SWEEP_VARY_MOST dimensions. [any] */
double ct_sweep_halton(uint64_t seed, uint32_t dimension, uint64_t index);

/* ---- how a plan is read: its text, then its names in the scenes ---- */

/* plan.c: zeros that live as long as the plan, for a pointer to any array; and a copy of a text. */
ct_result ct_sweep_plan_take(ct_sweep_plan *plan, size_t count, size_t size, void *items, ct_error *error);
ct_result ct_sweep_plan_text(ct_sweep_plan *plan, const char *text, char **copy, ct_error *error);

/* plan_read.c: adds a gesture by name, "demo", "none", one of the plan's or a file; fine when it is there. */
ct_result ct_sweep_want_gesture(ct_sweep_plan *plan, const char *name, ct_error *error);

/* plan.c: what the sounds are made from, wherever the files lie. */
void ct_sweep_hash_plan(ct_sweep_plan *plan);
/* A name in the plan as a file to open: beside the plan, unless it is a built-in scene. */
ct_file_path ct_sweep_file_of(const ct_sweep_plan *plan, const char *name);
/* Notes a file that was read, with its hash; twice is fine. Refused when it lies outside of the plan's
 * folder: a data set has copies of what it was made from. */
ct_result ct_sweep_note_input(ct_sweep_plan *plan, const char *file, ct_error *error);
ct_result ct_sweep_note_builtin(ct_sweep_plan *plan, const char *scene, const char *text, size_t length,
                                ct_error *error);

/* plan_check.c: every name of a part in every scene and preset it has. */
ct_result ct_sweep_check_part(ct_sweep_plan *plan, ct_sweep_part *part, ct_error *error);

/* The scene with its preset ("" for none) and what the part sets. */
ct_result ct_sweep_open_scene(const ct_sweep_plan *plan, const ct_sweep_part *part, const char *scene,
                              const char *preset, ct_doc **doc, ct_error *error);
/* Sets what varies in a document; what is no path is left alone. */
ct_result ct_sweep_set_path(ct_doc *doc, const ct_sweep_vary *vary, double number, const char *word,
                            ct_error *error);
/* Whether a path names another file, which then has to be read. */
bool ct_sweep_names_file(const char *path);

/* Gestures of a plan: copies in one block of memory. */

/* free() it; null without memory. [setup] */
ct_gesture *ct_sweep_gesture_copy(const ct_gesture *gesture);
/* An object {"time_s": [...], "COLUMN": [...]}; `where` begins messages. [setup] */
ct_result ct_sweep_gesture_read(const json_t *object, const char *where, ct_gesture **gesture,
                                ct_error *error);
/* Sets a copy's cells: the column's row, or all rows that say something. False: there is none. [any] */
bool ct_sweep_gesture_set(ct_gesture *copy, const char *column, uint32_t row, double value);
/* The column of that name; `columns` when there is none. [any] */
uint32_t ct_sweep_gesture_column(const ct_gesture *gesture, const char *column);

#endif
