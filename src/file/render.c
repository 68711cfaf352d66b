/* The offline renderer. Output n is the scene at sample n, so the first block starts with the initial state.
 */
#include "file/render.h"
#include "base/grow.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_FRAMES = 256 };

struct ct_render {
  ct_scene *scene;
  ct_player *player; /* null: nothing to play */
  uint64_t frames, done;
  uint64_t origin; /* the scene's sample at which this render began */
  uint32_t block_frames, channels, tap_count;
  bool raw;
  float *outputs[CT_OUTPUTS_MOST];
  double *raws[CT_OUTPUTS_MOST];
  ct_tap *taps;
  double **tap_values;
  size_t tap_room, value_room;
};

static ct_result no_memory(ct_error *error) { return ct_fail(error, CT_NO_MEMORY, "no memory to render"); }

static ct_result make_buffers(ct_render *r, ct_error *error) {
  uint32_t n = r->block_frames;
  for (uint32_t c = 0; c < r->channels; c++) {
    r->outputs[c] = calloc(n, sizeof(float));
    r->raws[c] = calloc(n, sizeof(double));
    if (!r->outputs[c] || !r->raws[c])
      return no_memory(error);
  }
  return CT_OK;
}

static ct_result add_tap(ct_render *r, const char *path, ct_error *error) {
  ct_tap tap = {0};
  CT_TRY(ct_scene_resolve(r->scene, path, &tap.handle, error));
  if (!(tap.values = calloc(r->block_frames, sizeof(double))))
    return no_memory(error);
  r->taps[r->tap_count] = tap;
  r->tap_values[r->tap_count++] = tap.values;
  return CT_OK;
}

ct_result ct_render_tap(ct_render *r, const char *const *paths, uint32_t count, ct_error *error) {
  const size_t wanted = (size_t)r->tap_count + count;
  if (!ct_grow(&r->taps, &r->tap_room, wanted, sizeof *r->taps) ||
      !ct_grow(&r->tap_values, &r->value_room, wanted, sizeof *r->tap_values))
    return no_memory(error);
  for (uint32_t i = 0; i < count; i++)
    CT_TRY(add_tap(r, paths[i], error));
  return CT_OK;
}

/* With the name of the file in front, where it has one. */
static ct_result name_failure(const char *name, ct_result result, const ct_error *inner, ct_error *error) {
  const bool named = name && *name;
  return ct_fail(error, result, "%.100s%s%.200s", named ? name : "", named ? ": " : "", inner->text);
}

static ct_result make_player(ct_render *r, ct_doc *doc, const ct_render_def *def, ct_error *error) {
  ct_gesture demo = {0};
  ct_error inner = {.text = ""};
  ct_result result = def->gesture ? CT_OK : ct_doc_gesture(doc, &demo, &inner);
  const ct_gesture *gesture = def->gesture ? def->gesture : &demo;
  if (result == CT_OK && gesture->rows)
    result = ct_player_create(gesture, r->scene, &r->player, &inner);
  return result == CT_OK ? CT_OK : name_failure(def->gesture_name, result, &inner, error);
}

static ct_result make_scene(ct_render *r, ct_doc *doc, const ct_render_def *def, ct_error *error) {
  ct_build_def build = ct_default_build_def();
  build.rate_hz = def->rate_hz > 0 ? def->rate_hz : 48000;
  build.seed = def->seed;
  build.ledger = def->ledger;
  build.keep_start = def->again;
  ct_error inner = {.text = ""};
  ct_result result = ct_doc_build(doc, &build, &r->scene, def->warn, def->warn_context, &inner);
  if (result != CT_OK)
    return name_failure(def->scene_name, result, &inner, error);
  r->channels = ct_scene_channels(r->scene);
  double seconds = def->seconds > 0 ? def->seconds : ct_doc_seconds(doc);
  r->frames = (uint64_t)fmax(1, round(seconds * build.rate_hz));
  return CT_OK;
}

static ct_result make_parts(ct_render *r, ct_doc *doc, const ct_render_def *def, ct_error *error) {
  CT_TRY(make_scene(r, doc, def, error));
  CT_TRY(make_buffers(r, error));
  CT_TRY(ct_render_tap(r, def->taps, def->tap_count, error));
  return make_player(r, doc, def, error);
}

ct_result ct_render_open(ct_doc *doc, const ct_render_def *def, ct_render **render, ct_error *error) {
  ct_render *r = calloc(1, sizeof *r);
  if (!r)
    return no_memory(error);
  r->block_frames = def->block_frames ? def->block_frames : BLOCK_FRAMES;
  r->raw = def->raw;
  ct_result result = make_parts(r, doc, def, error);
  if (result == CT_OK)
    *render = r;
  else
    ct_render_close(r);
  return result;
}

ct_result ct_render_again(ct_render *r, ct_doc *doc, const ct_render_def *def, ct_error *error) {
  CT_TRY(ct_scene_reset(r->scene, 0, error));
  ct_scene_process(r->scene, &(ct_io){.frames = 0}); /* takes the reset in */
  ct_player_destroy(r->player);
  r->player = NULL;
  r->origin = ct_scene_sample(r->scene);
  r->done = 0;
  ct_result result = make_player(r, doc, def, error);
  if (r->player)
    ct_player_start(r->player, r->origin);
  return result;
}

void ct_render_close(ct_render *r) {
  if (!r)
    return;
  ct_player_destroy(r->player);
  ct_scene_destroy(r->scene);
  for (uint32_t c = 0; c < CT_OUTPUTS_MOST; c++) {
    free(r->outputs[c]);
    free(r->raws[c]);
  }
  for (uint32_t i = 0; i < r->tap_count; i++)
    free(r->tap_values[i]);
  free(r->tap_values);
  free(r->taps);
  free(r);
}

/* A gesture may say more in one block than the queue holds. What is due now is taken first; if what is left
 * is all of the future, one sample makes room, and nothing comes late. */
static ct_result send_gesture(ct_render *r, uint32_t *frames, ct_error *error) {
  ct_result result = ct_player_send(r->player, r->origin + r->done + *frames, error);
  if (result != CT_FULL)
    return result;
  ct_scene_process(r->scene, &(ct_io){.frames = 0});
  result = ct_player_send(r->player, r->origin + r->done + *frames, error);
  if (result != CT_FULL)
    return result;
  *frames = 1;
  return CT_OK;
}

ct_result ct_render_next(ct_render *r, ct_render_block *block, ct_error *error) {
  const uint64_t left = r->frames - r->done;
  uint32_t frames = left < r->block_frames ? (uint32_t)left : r->block_frames;
  ct_result result = CT_OK;
  if (frames && r->player)
    CT_TRY(send_gesture(r, &frames, error));
  ct_io io = {.frames = frames,
              .outputs = r->outputs,
              .raw = r->raw ? r->raws : NULL,
              .taps = r->taps,
              .tap_count = r->tap_count};
  if (frames)
    ct_scene_process(r->scene, &io);
  if (!ct_scene_finite(r->scene)) { /* what came before is sound */
    result = ct_scene_judge(r->scene, error);
    frames = (uint32_t)(ct_scene_fault(r->scene).sample - r->origin - r->done);
  }
  *block = (ct_render_block){.start = r->done,
                             .frames = frames,
                             .outputs = (const float *const *)r->outputs,
                             .raw = r->raw ? (const double *const *)r->raws : NULL,
                             .taps = (const double *const *)r->tap_values};
  r->done += frames;
  return result;
}

ct_scene *ct_render_scene(const ct_render *r) { return r->scene; }

uint64_t ct_render_frames(const ct_render *r) { return r->frames; }

uint32_t ct_render_channels(const ct_render *r) { return r->channels; }
