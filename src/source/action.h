/* The action source: from a gesture to a force, a block of samples at a time. No physics loop, so nothing it
 * does depends on what it feeds but the frequency of a mode it locks to. */
#ifndef CT_SOURCE_ACTION_H
#define CT_SOURCE_ACTION_H

#include "base/arena.h"
#include "base/hash.h"
#include "source/behaviour.h"
#include "source/harmonics.h"
#include "source/map.h"

/* ---- wandering pitch ---- */

/* eps of the action's pitch: slow noise that cannot be predicted, of rms 1 and never beyond this. */
#define CT_WANDER_MOST 2.5017 /* sqrt(3 * 315 / 151) */

typedef struct ct_wander {
  ct_random random;
  double at;       /* 0 .. 1 between the middle two of the numbers */
  double value[4]; /* random numbers, evenly spaced */
} ct_wander;

void ct_wander_init(ct_wander *w, uint64_t seed);

/* [audio] Walks on by `seconds` and reads; less than 0.1 % of its power lies above `hz`. */
double ct_wander_next(ct_wander *w, double hz, double seconds);

/* ---- noise impacts ---- */

/* Noise impacts: small blows at random times, from a few that can be told apart (scratching) to so many that
 * they make a hiss (rubbing). */
#define CT_IMPACTS_PER_SAMPLE 8u /* at most */

typedef struct ct_impacts {
  ct_random random;
  double step_s, length_s; /* of a sample, of a blow */
  double left;             /* until the next blow, in mean distances */
  double decay;            /* of a blow, per sample */
  double now, swelling;    /* exp(-t/length) and t exp(-t/length), summed over the blows */
} ct_impacts;

/* ---- pitch_table.c ---- */

/* Phi as a table: the fundamental at places along one axis of the map or both, and a curve between them. */
typedef struct ct_pitch_table {
  uint32_t count[2]; /* places along each axis; 0: the pitch does not depend on it */
  ct_table_curve curve;
  double *place[2];  /* 0 .. 1 along the axes, rising */
  double *hz;        /* a row along the first axis for every place on the second; may move */
  uint32_t hz_count; /* 0: there is no table */
} ct_pitch_table;

/* [setup] Refused, with source and region: places that do not rise or are not on the plane, a single one, a
 * number of values that is not one for each. */
ct_result ct_pitch_table_check(const ct_source_def *source, const ct_region_def *region, ct_error *error);

/* [setup] Room for it; with an arena that only counts, how much. Then its numbers. */
void ct_pitch_table_lay(ct_pitch_table *table, ct_arena *arena, const ct_region_def *region);
void ct_pitch_table_fill(ct_pitch_table *table, const ct_axis_def axis[2], const ct_region_def *region);

/* [audio] log2 of the fundamental at a place of the map; beyond the first and last places those count. */
double ct_pitch_table_read(const ct_pitch_table *table, const double place[2]);

/* ---- action.c ---- */

#define CT_ACTION_BLOCK CT_HARMONIC_BLOCK

typedef struct ct_region {
  char name[CT_NAME_MAX];
  double hz, x_power, y_power, level, morph; /* may move */
  double corner[2][CT_CORNERS_MOST];         /* along the axes; may move, */
  double size, shift_x, shift_y;             /* and so may these */
  bool drawn;                                /* its outline is as these numbers say */
  uint32_t corner_count;
  ct_pitch_table table;
  ct_voice ends[2]; /* of the behaviour, and of the one it morphs to */
  ct_pitch_kind pitch;
  ct_notes notes;
  double root_hz;
  uint32_t mode;
  const double *locked_hz; /* the mode it locks to, over locked_times; null: its own hz */
  double locked_times;
  double share; /* of it in the sound now */
  double note;  /* that sounds now, log2 Hz; NAN: none */
} ct_region;

typedef struct ct_action {
  ct_source_def values;      /* the definition, without its names: the schema moves its numbers */
  double signal[CT_SIGNALS]; /* the gesture's, by ct_signal */
  double block_s;            /* length of a block */
  double rim_waves;
  ct_map map;
  ct_region *regions;
  double placed[2];     /* signals last looked up on the map, */
  double placed_at[2];  /* and where they are on its axes */
  bool redrawn;         /* the map has changed since */
  ct_voice from, voice; /* before the last crossing; now */
  double crossed_s;     /* time since then */
  ct_harmonics harmonics;
  ct_wander wander;
  ct_impacts impacts;
  double phase, rim;                     /* turns */
  double hz, tone_n, beat, noise, per_s; /* at the end of the last block */
  bool begun;
} ct_action;

/* [setup] Room for the regions; with an arena that only counts, how much. */
void ct_action_lay(ct_action *a, ct_arena *arena, const ct_source_def *def);
/* [setup] From a definition whose numbers are in range. Locked pitches are the regions' own until locked_hz
 * is given. */
ct_result ct_action_fill(ct_action *a, const ct_source_def *def, double rate_hz, uint64_t seed,
                         ct_error *error);

/* [audio] A number of a region was set: its outline follows with the next block. */
static inline void ct_action_region_changed(ct_action *a, uint32_t region) {
  a->regions[region].drawn = false;
  a->redrawn = true;
}

/* [audio] The next block of force, in newtons. */
void ct_action_block(ct_action *a, double force_n[CT_ACTION_BLOCK]);

/* [audio] Time a crossing takes: behaviours fade into each other over this. */
#define CT_ACTION_CROSSING_S 0.004

/* A source of a scene. */

/* An action that pushes a point. It computes a block at every tick and hands it out sample by sample. */
typedef struct ct_source {
  char name[CT_NAME_MAX];
  uint32_t generation;
  uint16_t body, point;
  ct_direction direction;
  ct_action action;
  double block_n[CT_ACTION_BLOCK];
  double push_n, region;  /* now, to be read */
  double fade, fade_step; /* to 0 when it is removed */
  void *memory;           /* its piece of the pool */
} ct_source;

#endif
