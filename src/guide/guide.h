/* Strokes played through a scene as they would be live: the pen's descriptors move the first source of the
 * scene, whose map decides what they sound like; and everything a study wants to know about it. */
#ifndef CT_GUIDE_GUIDE_H
#define CT_GUIDE_GUIDE_H

#include <contatto/doc.h>
#include <contatto/pen.h>

typedef struct ct_guide_def {
  ct_doc *doc;
  const char *scene_name; /* what messages call it; may be null */
  const ct_pen_sample *samples;
  size_t count;
  double rate_hz;
  uint64_t seed;
  ct_warn *warn;
  void *warn_context;
} ct_guide_def;

/* What was known when a sample came. */
typedef struct ct_guide_moment {
  ct_motion motion; /* as the source got it */
  double f0_hz, sings;
  uint32_t region;
} ct_guide_moment;

typedef enum ct_guide_kind { CT_GUIDE_DOWN, CT_GUIDE_UP, CT_GUIDE_REGION } ct_guide_kind;

typedef struct ct_guide_event {
  double time_s;
  ct_guide_kind kind;
  uint32_t region; /* entered */
} ct_guide_event;

typedef struct ct_guide {
  float *sound[CT_OUTPUTS_MOST];
  size_t frames;
  uint32_t channels;
  ct_guide_moment *moments; /* one per sample */
  ct_guide_event *events;
  size_t event_count;
  char regions[CT_REGIONS_MOST][CT_NAME_MAX];
  bool sings[CT_REGIONS_MOST]; /* the region's pitch is a mode's */
  uint32_t region_count;
  ct_stroke_scores whole; /* the strokes as a whole */
  double drawn_s;         /* touching and moving */
  double fluidity;        /* mean over that, as heard */
  double sung;            /* share of it that sang */
  double latency_s;       /* pen to sound */
} ct_guide;

/* [setup] */
ct_result ct_guide_run(const ct_guide_def *def, ct_guide *guide, ct_error *error);
void ct_guide_free(ct_guide *guide);

/* Pen strokes as tables: time_s, x_m and y_m (or x_mm and y_mm), and pressure from 0 (not touching) to 1. */

/* Times start at 0 with the first sample. Without a pressure column, or with one of nothing but 0, the pen
 * presses with 0.5 all the time. Refused, by file and line: times that do not rise, recordings of more than
 * an hour, missing numbers, places beyond 10 m, a pressure outside 0 .. 1, other columns. free() the samples.
 * [setup] */
ct_result ct_strokes_read(const char *file, ct_pen_sample **samples, size_t *count, ct_error *error);

/* [setup] */
ct_result ct_strokes_write(const char *file, const ct_pen_sample *samples, size_t count, ct_error *error);

#endif
