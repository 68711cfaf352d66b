/* Fitting a scene to recordings: its numbers are turned until what is heard of it is what is heard of them.
 */
#ifndef CT_FIT_FIT_H
#define CT_FIT_FIT_H

#include "fit/heard.h"
#include "fit/knob.h"
#include "fit/search.h"

#define CT_FIT_SHORTEST_S 0.3 /* of a recording */
#define CT_FIT_WARM_S 0.5     /* of a rub, before it is steady: not compared */

typedef struct ct_match_recording {
  const double *samples; /* mono */
  size_t count;
  double rate_hz;
  const char *name; /* for messages */
} ct_match_recording;

typedef struct ct_match_def {
  ct_doc *doc;       /* the scene as loaded, with preset and edits */
  const char *scene; /* as it was loaded, for the files it names */
  ct_knobs knobs;
  const ct_match_recording *recordings;
  uint32_t fitted, predicted; /* the first ones are fitted, those behind them only compared */
  double seconds;             /* of sound that is compared, at most */
  uint64_t seed;              /* of the search */
  uint32_t most;              /* points of the global search */
  bool compare;               /* nothing is turned: only compared */
  bool calibrated;            /* recordings are as loud as the scene is */
  const char *state;          /* file to go on from; may be null */
  uint32_t threads;           /* 0: all cores */
  void (*progress)(void *context, double fraction); /* may be null */
  void *context;
} ct_match_def;

/* Numbers turned together that the sound cannot tell apart: by `reach` times weight[i], relative to what each
 * is, they stay within one tolerance. */
typedef struct ct_match_alike {
  double weight[CT_SEARCH_MOST]; /* of a length of 1, the largest of them positive */
  double reach;
} ct_match_alike;

typedef struct ct_match_found {
  ct_heard_kind kind;
  const char *without_pitch;   /* the first recording that has none, of a scene with friction; else null */
  ct_knobs knobs;              /* as given, but what nothing depends on is held */
  bool unheard[CT_KNOBS_MOST]; /* those */
  double shares[CT_SEARCH_MOST];
  ct_heard recorded[CT_FITTED_MOST], played[CT_FITTED_MOST]; /* levels with the gain */
  size_t starts[CT_FITTED_MOST], counts[CT_FITTED_MOST];     /* what of the recordings was compared */
  double seconds;
  double gain_db;  /* of the recordings against the scene */
  uint32_t points; /* asked for */
  double cost;     /* of the search */
  ct_match_alike alike[CT_SEARCH_MOST];
  uint32_t alike_count;
} ct_match_found;

/* [setup] */
ct_result ct_match_run(const ct_match_def *def, ct_match_found *found, ct_error *error);

/* The sound that was compared with recording `index`, at the scene's rate; free() it. [setup] */
ct_result ct_match_play(const ct_match_def *def, const ct_match_found *found, uint32_t index,
                        double **samples, size_t *count, double *rate_hz, ct_error *error);

/* The fitted scene as the text of a scene file, standing as in recording `index`; free() it. [setup] */
ct_result ct_match_scene(const ct_match_def *def, const ct_match_found *found, uint32_t index, char **text,
                         ct_error *error);

/* A scene played with its knobs at given places, and what of a sound is compared. */

#define CT_PLAY_RATE_HZ 48000.0

/* Copies of a document, one for each thread that plays. */
typedef struct ct_players ct_players;

/* [setup] */
ct_result ct_players_create(const ct_doc *doc, const char *scene, ct_players **players, ct_error *error);
const char *ct_players_text(const ct_players *players); /* the document's. [any] */
void ct_players_destroy(ct_players *players);           /* null is fine */

/* The part of a recording that is compared: of a tone the middle of where it sounds, of a noise from where it
 * begins. Count 0: there is no sound. [setup] */
void ct_play_excerpt(ct_heard_kind kind, const double *samples, size_t count, double rate_hz, double seconds,
                     size_t *start, size_t *length);

/* The scene with its knobs there, the part that is compared; free() it. Null without an error: it cannot be
 * played with these numbers. From several threads at once. [setup] */
ct_result ct_players_play(ct_players *players, const ct_knobs *knobs, const double *shares,
                          uint32_t recording, ct_heard_kind kind, double seconds, double **samples,
                          size_t *count, ct_error *error);

/* What the sound cannot tell apart at the end of a search, into `alike` of what was found. [setup] */
ct_result ct_match_find_alike(const ct_seek_def *search, ct_match_found *found, ct_error *error);

#endif
