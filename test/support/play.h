/* Built-in scenes played and heard. Every call fails the running test when something is refused. */
#ifndef CT_TEST_PLAY_H
#define CT_TEST_PLAY_H

#include "file/render.h"
#include <contatto/measure.h>

/* `preset` may be null. */
ct_doc *play_open(const char *scene, const char *preset);
void play_set(ct_doc *doc, const char *path, double value);
void play_set_text(ct_doc *doc, const char *path, const char *text);

typedef struct play_sound {
  double *samples; /* interleaved; free() them */
  size_t frames;
  uint32_t channels;
  double rate_hz;
  ct_ledger ledger; /* when it was asked for */
} play_sound;

/* Plays the document as `def` says, and frees it. */
play_sound play_doc(ct_doc *doc, ct_render_def def);
/* The same, and only the first channel is kept. */
play_sound play_mono(ct_doc *doc, ct_render_def def);

/* A stretch of a sound with one channel: its strongest partial, the level of a band, and of all. */
const double *play_from(play_sound s, double start_s);
ct_measured_peak play_strongest(play_sound s, double start_s, double end_s);
double play_band_db(play_sound s, double start_s, double end_s, double lo_hz, double hi_hz);
double play_rms_db(play_sound s, double start_s, double end_s);

#endif
