/* The action source: from a gesture to a force, a block of samples at a time. No physics loop, so nothing it
 * does depends on what it feeds but the frequency of a mode it locks to. */
#ifndef CT_SOURCE_ACTION_H
#define CT_SOURCE_ACTION_H

#include "base/arena.h"
#include "source/behaviour.h"
#include "source/harmonics.h"
#include "source/impacts.h"
#include "source/map.h"
#include "source/pitch_table.h"
#include "source/wander.h"

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

#endif
