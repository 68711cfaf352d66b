/* Sounds of the study: built-in scenes, rendered. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "study/thoret2013.h"

#include <stdlib.h>
#include <string.h>

static ct_result no_memory(ct_error *error) { return ct_fail(error, CT_NO_MEMORY, "no memory for a sound"); }

/* Held values come in over a tenth of a second. */
typedef struct hold {
  double time_s[3], values[3][3];
  const double *columns[3];
  ct_gesture gesture;
} hold;

static void make_hold(const thoret_play *p, hold *h) {
  const double times[] = {0, 0.1, p->seconds};
  memcpy(h->time_s, times, sizeof times);
  for (uint32_t i = 0; i < p->held; i++) {
    const double values[] = {p->value[i], p->value[i], p->value[i]};
    memcpy(h->values[i], values, sizeof values);
    h->columns[i] = h->values[i];
  }
  h->gesture = (ct_gesture){3, p->held, h->time_s, p->path, h->columns};
}

static ct_result collect(ct_render *r, thoret_sound *s, uint32_t taps, ct_error *error) {
  ct_render_block b = {.frames = 1};
  ct_result result = CT_OK;
  size_t frames = (size_t)ct_render_frames(r);
  s->samples = calloc(frames, sizeof(double));
  for (uint32_t t = 0; t < taps; t++)
    s->tap[t] = calloc(frames, sizeof(double));
  if (!s->samples || (taps > 0 && !s->tap[0]) || (taps > 1 && !s->tap[1]))
    return no_memory(error);
  while (b.frames && (result = ct_render_next(r, &b, error)) == CT_OK)
    for (uint32_t i = 0; i < b.frames; i++) {
      for (uint32_t t = 0; t < taps; t++)
        s->tap[t][s->count] = b.taps[t][i];
      s->samples[s->count++] = (double)b.outputs[0][i];
    }
  return result;
}

ct_result thoret_record(const thoret_play *play, thoret_sound *sound, ct_error *error) {
  hold held;
  ct_doc *doc = NULL;
  ct_render *render = NULL;
  uint32_t taps = !play->tap[0] ? 0 : play->tap[1] ? 2 : 1;
  memset(sound, 0, sizeof *sound);
  make_hold(play, &held);
  ct_render_def def = {.rate_hz = THORET_RATE,
                       .seconds = play->seconds,
                       .seed = 1,
                       .gesture = play->held ? &held.gesture : play->gesture,
                       .taps = play->tap,
                       .tap_count = taps};
  ct_result result = ct_doc_load(play->scene, &doc, error);
  if (result == CT_OK && play->preset)
    result = ct_doc_apply_preset(doc, play->preset, error);
  if (result == CT_OK)
    result = ct_render_open(doc, &def, &render, error);
  if (result == CT_OK)
    result = collect(render, sound, taps, error);
  ct_render_close(render);
  ct_doc_destroy(doc);
  if (result != CT_OK)
    thoret_sound_free(sound);
  return result;
}

void thoret_sound_free(thoret_sound *s) {
  free(s->samples);
  for (int t = 0; t < THORET_TAPS; t++)
    free(s->tap[t]);
  memset(s, 0, sizeof *s);
}
