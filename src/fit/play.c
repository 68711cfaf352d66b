/* Every thread takes a copy of the document that nobody else uses; all knobs are set every time, so it does
 * not matter which. */
#include "base/text.h"
#include "file/crew.h"
#include "file/json.h"
#include "file/render.h"
#include "fit/fit.h"
#include "measure/signal.h"
#include <contatto/file.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_players {
  char *text, *scene;
  ct_crew_shelf idle; /* documents */
};

ct_result ct_players_create(const ct_doc *doc, const char *scene, ct_players **players, ct_error *error) {
  ct_players *p = calloc(1, sizeof *p);
  if (!p || !(p->scene = strdup(scene))) {
    free(p);
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  }
  pthread_mutex_init(&p->idle.lock, NULL);
  const ct_result result = ct_doc_to_text(doc, &p->text, error);
  if (result == CT_OK)
    *players = p;
  else
    ct_players_destroy(p);
  return result;
}

const char *ct_players_text(const ct_players *p) { return p->text; }

void ct_players_destroy(ct_players *p) {
  if (!p)
    return;
  for (ct_doc *doc; (doc = ct_crew_take(&p->idle));)
    ct_doc_destroy(doc);
  pthread_mutex_destroy(&p->idle.lock);
  free(p->text);
  free(p->scene);
  free(p);
}

static ct_result take(ct_players *p, ct_doc **doc, ct_error *error) {
  if ((*doc = ct_crew_take(&p->idle)))
    return CT_OK;
  if (!(*doc = ct_doc_create()))
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  CT_TRY(ct_doc_read_json(*doc, p->scene, p->text, strlen(p->text), NULL, NULL, error));
  return ct_doc_read_scans(*doc, p->scene, error);
}

/* ---- what is compared ---- */

/* Where it sounds: from the first 10 ms that are less than 30 dB under the loudest to the last. */
static void find_sound(const double *samples, size_t count, double rate_hz, size_t *from, size_t *to) {
  size_t block = (size_t)(0.01 * rate_hz);
  double loudest = 0;
  for (size_t n = 0; n + block <= count; n += block)
    loudest = fmax(loudest, ct_signal_power(samples + n, block));
  for (*from = 0; *from + block <= count && ct_signal_power(samples + *from, block) < 1e-3 * loudest;)
    *from += block;
  for (*to = count; *to >= block && ct_signal_power(samples + *to - block, block) < 1e-3 * loudest;)
    *to -= block;
}

void ct_play_excerpt(ct_heard_kind kind, const double *samples, size_t count, double rate_hz, double seconds,
                     size_t *start, size_t *length) {
  size_t wanted = (size_t)(seconds * rate_hz), from, to;
  find_sound(samples, count, rate_hz, &from, &to);
  bool silent = ct_signal_is_silent(samples, count) || to <= from;
  if (kind == CT_HEARD_NOISE)
    to = count;
  *length = silent ? 0 : to - from < wanted ? to - from : wanted;
  *start = kind == CT_HEARD_TONE && !silent ? from + (to - from - *length) / 2 : from;
}

/* ---- playing ---- */

/* All triggers fire once; what else the demo would move stands still. */
static ct_result render(ct_doc *doc, const ct_knobs *knobs, const double *shares, uint32_t recording,
                        double seconds, double *mix, size_t count, ct_error *error) {
  const char *paths[CT_KNOBS_MOST];
  double values[CT_KNOBS_MOST], fired_s = CT_KNOB_FIRED_S;
  const double *columns[CT_KNOBS_MOST];
  ct_gesture gesture = {.time_s = &fired_s, .paths = paths, .values = columns};
  for (uint32_t i = 0, free_at = 0; i < knobs->count; i++) {
    const ct_knob *k = &knobs->items[i];
    double value = ct_knob_stands_at(k, shares, &free_at, recording);
    if (!k->trigger)
      continue;
    values[gesture.columns] = value;
    columns[gesture.columns] = &values[gesture.columns];
    paths[gesture.columns++] = k->name;
  }
  gesture.rows = gesture.columns ? 1 : 0;
  ct_render *r = NULL;
  ct_render_def def = {.rate_hz = CT_PLAY_RATE_HZ, .seconds = seconds, .seed = 1, .gesture = &gesture};
  ct_result result = ct_render_open(doc, &def, &r, error);
  ct_render_block block = {.frames = 1};
  while (result == CT_OK && block.frames) {
    result = ct_render_next(r, &block, error);
    for (uint32_t n = 0; n < block.frames && block.start + n < count; n++) {
      float sum = 0;
      for (uint32_t c = 0; c < ct_render_channels(r); c++)
        sum += block.outputs[c][n] / (float)ct_render_channels(r);
      mix[block.start + n] = (double)sum;
    }
  }
  ct_render_close(r);
  return result;
}

ct_result ct_players_play(ct_players *players, const ct_knobs *knobs, const double *shares,
                          uint32_t recording, ct_heard_kind kind, double seconds, double **samples,
                          size_t *count, ct_error *error) {
  double extra_s = kind == CT_HEARD_TONE ? CT_FIT_WARM_S : 0.3;
  size_t all = (size_t)((seconds + extra_s) * CT_PLAY_RATE_HZ), start = 0;
  double *mix = calloc(all, sizeof *mix);
  ct_doc *doc = NULL;
  *samples = NULL;
  ct_result result = mix ? take(players, &doc, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  ct_error refused = {.text = ""};
  bool played = result == CT_OK && ct_knobs_set(knobs, shares, recording, doc, &refused) == CT_OK &&
                render(doc, knobs, shares, recording, seconds + extra_s, mix, all, &refused) == CT_OK;
  *count = (size_t)(seconds * CT_PLAY_RATE_HZ);
  if (played && kind == CT_HEARD_TONE)
    start = all - *count;
  else if (played)
    ct_play_excerpt(kind, mix, all, CT_PLAY_RATE_HZ, seconds, &start, count);
  if (played && *count) {
    memmove(mix, mix + start, *count * sizeof *mix);
    *samples = mix;
  } else
    free(mix);
  if (doc && result == CT_OK)
    ct_crew_give(&players->idle, doc);
  else
    ct_doc_destroy(doc);
  return result;
}
