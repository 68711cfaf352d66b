/* A trial: a scene as a plain list of leaves, and what is done to it while it sounds. Small enough to be
 * drawn, run, cut down, saved and read again. */
#ifndef CT_TEST_TRIAL_H
#define CT_TEST_TRIAL_H

#include <contatto/doc.h>

#define TRIAL_PATH 160
#define TRIAL_TEXT 112

typedef struct trial_leaf {
  char path[TRIAL_PATH];
  char text[TRIAL_TEXT]; /* "" for a number */
  double number;
} trial_leaf;

/* How a change reaches the scene. */
typedef enum trial_way {
  TRIAL_SET,    /* a message, at once */
  TRIAL_RAMP,   /* a message that takes ramp_s */
  TRIAL_SMOOTH, /* a message that takes the scene's own time */
  TRIAL_INPUT,  /* an audio-rate input, which from then on says this value at every sample */
  TRIAL_REMOVE, /* the knob's path is the name of a part, which is taken out */
} trial_way;

typedef struct trial_event {
  uint32_t sample;
  uint32_t knob; /* index of its path */
  trial_way way;
  double value, ramp_s;
} trial_event;

typedef struct trial_knob {
  char path[TRIAL_PATH];
} trial_knob;

#define TRIAL_KNOBS 24 /* at most */

typedef struct trial {
  uint64_t seed; /* it was drawn from; also the scene's */
  double rate_hz;
  uint32_t frames, block_frames;
  trial_leaf *leaves;
  uint32_t leaf_count, leaf_capacity;
  trial_knob knobs[TRIAL_KNOBS];
  uint32_t knob_count;
  trial_event *events; /* by sample */
  uint32_t event_count, event_capacity;
} trial;

/* A path from its pieces, cut off where it gets too long. */
__attribute__((format(printf, 2, 3))) void trial_spell(char path[TRIAL_PATH], const char *format, ...);

void trial_clear(trial *t); /* frees and empties; a zeroed trial is an empty one */
void trial_copy(trial *to, const trial *from);

void trial_set_number(trial *t, const char *path, double number);
void trial_set_text(trial *t, const char *path, const char *text);
/* Without the leaves for which `drop` holds (by index). */
void trial_keep(trial *t, const bool *drop);
/* The leaf of a path; null: none. */
const trial_leaf *trial_find(const trial *t, const char *path);

/* The knob of that path, which it gets if it has none; UINT32_MAX when there are too many. */
uint32_t trial_knob_of(trial *t, const char *path);
void trial_add_event(trial *t, trial_event event);
void trial_sort_events(trial *t);

/* The document; null and an error when a leaf is refused. */
ct_doc *trial_doc(const trial *t, ct_error *error);
ct_result trial_build(const trial *t, ct_scene **scene, ct_error *error);
/* All leaves of a document, such as a built-in scene's. */
void trial_take_doc(trial *t, const ct_doc *doc);

/* Two files: base.json is the scene, base.storm the rest, one line per event. False: could not. */
bool trial_save(const trial *t, const char *base);
bool trial_read(trial *t, const char *base, ct_error *error);

#endif
