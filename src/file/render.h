/* The offline renderer: builds a document's scene, plays its gesture and hands out blocks until the time is
 * up. Every host that does not run in real time, and every test that listens, goes through here. */
#ifndef CT_FILE_RENDER_H
#define CT_FILE_RENDER_H

#include <contatto/doc.h>

typedef struct ct_render_def {
  double rate_hz; /* 0: 48000 */
  double seconds; /* 0: the scene's own */
  uint64_t seed;
  bool ledger;               /* keep the energy account */
  bool raw;                  /* SI units wanted beside the outputs */
  uint32_t block_frames;     /* most per block; 0: 256 */
  const ct_gesture *gesture; /* null: the document's demo */
  const char *gesture_name;  /* what messages call it; may be null */
  const char *scene_name;    /* the same for the document */
  const char *const *taps;   /* paths to be read at every sample */
  uint32_t tap_count;
  bool again;    /* ct_render_again will be called: the scene keeps its start */
  ct_warn *warn; /* may be null */
  void *warn_context;
} ct_render_def;

typedef struct ct_render ct_render;

/* [setup] */
ct_result ct_render_open(ct_doc *doc, const ct_render_def *def, ct_render **render, ct_error *error);
void ct_render_close(ct_render *render); /* null is fine */

/* What the last call to ct_render_next made; valid until the next one. */
typedef struct ct_render_block {
  uint64_t start;              /* first sample */
  uint32_t frames;             /* 0: the end */
  const float *const *outputs; /* one per channel */
  const double *const *raw;    /* one per channel, when wanted */
  const double *const *taps;   /* one per tap */
} ct_render_block;

/* CT_NOT_FINITE: the scene stopped being finite; the block ends before that sample. [setup] */
ct_result ct_render_next(ct_render *render, ct_render_block *block, ct_error *error);

/* From the start, with another gesture (def's; all else stays as it was opened): the samples are those of a
 * new render, without building the scene again. [setup] */
ct_result ct_render_again(ct_render *render, ct_doc *doc, const ct_render_def *def, ct_error *error);

/* More paths to be read at every sample, behind those there are; before the first block. [setup] */
ct_result ct_render_tap(ct_render *render, const char *const *paths, uint32_t count, ct_error *error);

ct_scene *ct_render_scene(const ct_render *render);
uint64_t ct_render_frames(const ct_render *render); /* in all */
uint32_t ct_render_channels(const ct_render *render);

#endif
