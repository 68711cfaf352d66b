#include "support/play.h"
#include "file/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

ct_doc *play_open(const char *scene, const char *preset) {
  ct_error error = {0};
  ct_doc *doc = NULL;
  must(ct_doc_load(scene, &doc, &error), &error);
  if (preset)
    must(ct_doc_apply_preset(doc, preset, &error), &error);
  return doc;
}

void play_set(ct_doc *doc, const char *path, double value) {
  ct_error error = {0};
  must(ct_doc_set_number(doc, path, value, &error), &error);
}

void play_set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  must(ct_doc_set_text(doc, path, text, &error), &error);
}

static void keep(play_sound *s, const ct_render_block *b, size_t *at) {
  for (uint32_t i = 0; i < b->frames; i++)
    for (uint32_t c = 0; c < s->channels; c++)
      s->samples[(*at)++] = (double)b->outputs[c][i];
}

static play_sound play(ct_doc *doc, ct_render_def def, uint32_t most_channels) {
  ct_error error = {0};
  ct_render *r = NULL;
  must(ct_render_open(doc, &def, &r, &error), &error);
  play_sound s = {.frames = (size_t)ct_render_frames(r), .channels = ct_render_channels(r)};
  s.channels = s.channels < most_channels ? s.channels : most_channels;
  s.rate_hz = ct_scene_rate_hz(ct_render_scene(r));
  s.samples = malloc(s.frames * s.channels * sizeof *s.samples);
  assert_non_null(s.samples);
  ct_render_block b;
  size_t at = 0;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    keep(&s, &b, &at);
  s.ledger = ct_scene_ledger(ct_render_scene(r));
  ct_render_close(r);
  ct_doc_destroy(doc);
  return s;
}

play_sound play_doc(ct_doc *doc, ct_render_def def) { return play(doc, def, UINT32_MAX); }

play_sound play_mono(ct_doc *doc, ct_render_def def) { return play(doc, def, 1); }

const double *play_from(play_sound s, double start_s) {
  assert_true(s.channels == 1 && (size_t)(start_s * s.rate_hz) < s.frames);
  return s.samples + (size_t)(start_s * s.rate_hz);
}

static size_t length(play_sound s, double start_s, double end_s) {
  assert_true((size_t)(end_s * s.rate_hz) <= s.frames);
  return (size_t)((end_s - start_s) * s.rate_hz);
}

ct_measured_peak play_strongest(play_sound s, double start_s, double end_s) {
  return ct_measure_strongest_partial(play_from(s, start_s), length(s, start_s, end_s), s.rate_hz, 40, 15000);
}

double play_band_db(play_sound s, double start_s, double end_s, double lo_hz, double hi_hz) {
  double level;
  ct_measure_bands(play_from(s, start_s), length(s, start_s, end_s), s.rate_hz, (double[]){lo_hz, hi_hz}, 1,
                   &level);
  return level;
}

double play_rms_db(play_sound s, double start_s, double end_s) {
  return ct_measure_level(play_from(s, start_s), length(s, start_s, end_s)).rms_db;
}
