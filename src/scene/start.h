/* The start of a scene, kept: an image of its memory before the first sample. See start.c. */
#ifndef CT_SCENE_START_H
#define CT_SCENE_START_H

#include "scene/scene.h"

struct ct_start {
  unsigned char *image; /* of the scene's block */
  void *owned;          /* that image lies in */
  /* set-up thread */
  uint32_t changes;      /* parts, controls and followers added or removed since */
  uint32_t resets_asked; /* how often it was asked to start again */
  /* audio thread */
  _Atomic uint32_t resets_done;
  bool waiting;    /* what is behind it in the queue stays there until the scene has started again */
  uint64_t origin; /* the clock at the scene's sample 0 */
  uint64_t fade_end, fade_length; /* until then all outputs fade; length 0: they do not */
};

/* [setup] Why parts cannot come or go now: a reset is under way. */
ct_result ct_start_check(const ct_scene *scene, const char *what, ct_error *error);
static inline void ct_start_note_change(ct_scene *s) {
  if (s->start)
    s->start->changes++;
}

/* [audio] */
void ct_start_again(ct_scene *scene); /* from the image, at the sample at hand */
/* How far the fade is when sample n of the scene is heard, 1 to 0. */
double ct_start_fade(const ct_start *start, uint64_t sample);
static inline bool ct_start_waits(const ct_scene *s) { return s->start && s->start->waiting; }
static inline bool ct_start_fades(const ct_scene *s) { return s->start && s->start->fade_length; }
static inline uint64_t ct_start_origin(const ct_scene *s) { return s->start ? s->start->origin : 0; }

#endif
