/* Built-in scenes: the demo of each, and `marble` on boards of fewer modes. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REST_S 2.0 /* what a marble was set down with has died away */

typedef struct playing {
  ct_doc *doc;
  ct_render *render;
} playing;

static ct_result start(bench_run *run, double warm_s, const ct_gesture *gesture, ct_error *error) {
  playing *p = run->own;
  uint32_t warm_blocks = (uint32_t)ceil(warm_s * run->rate_hz / BENCH_BLOCK);
  ct_render_def def = {.rate_hz = run->rate_hz,
                       .seconds = (warm_blocks + run->blocks + 1) * (double)BENCH_BLOCK / run->rate_hz,
                       .seed = 1,
                       .block_frames = BENCH_BLOCK,
                       .gesture = gesture};
  ct_render_block block;
  ct_result result = ct_render_open(p->doc, &def, &p->render, error);
  if (result == CT_OK)
    run->scene = ct_render_scene(p->render);
  for (uint32_t b = 0; b < warm_blocks && result == CT_OK; b++)
    result = ct_render_next(p->render, &block, error);
  return result;
}

static ct_result load(bench_run *run, const char *scene, ct_error *error) {
  playing *p = run->own = calloc(1, sizeof *p);
  return p ? ct_doc_load(scene, &p->doc, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
}

/* The scene a work plays; null: none of the built-in ones. */
static const char *scene_of(const bench_work *work) {
  if (work->kind == &bench_demo)
    return work->name + strlen(BENCH_DEMO);
  return work->kind == &bench_marble ? "marble" : NULL;
}

static ct_result open_demo(bench_run *run, ct_error *error) {
  ct_result result = load(run, scene_of(run->work), error);
  return result == CT_OK ? start(run, 0, NULL, error) : result;
}

static ct_result block_render(bench_run *run, ct_error *error) {
  ct_render_block block;
  const playing *p = run->own;
  return ct_render_next(p->render, &block, error);
}

static void close_render(bench_run *run) {
  playing *p = run->own;
  if (p) {
    ct_render_close(p->render);
    ct_doc_destroy(p->doc);
  }
  free(p);
}

const bench_kind bench_demo = {open_demo, block_render, close_render};

/* At rest nobody throws it; rolling, its demo on a board planed so well that the marble seldom leaves it. */
static ct_result open_marble(bench_run *run, ct_error *error) {
  static const ct_gesture none;
  bool rolls = run->work->variant == BENCH_ROLLING;
  ct_result result = load(run, scene_of(run->work), error);
  const playing *p = run->own;
  if (result == CT_OK)
    result = ct_doc_set_number(p->doc, "board.modes.count", run->work->count, error);
  if (result == CT_OK && rolls)
    result = ct_doc_set_number(p->doc, "roughness", 1e-7, error);
  if (result != CT_OK)
    return result;
  return rolls ? start(run, 0, NULL, error) : start(run, REST_S, &none, error);
}

const bench_kind bench_marble = {open_marble, block_render, close_render};

ct_result bench_works_measure(bench_works *works, ct_error *error) {
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < works->count && result == CT_OK; i++) {
    bench_work *work = &works->items[i];
    ct_doc *doc = NULL;
    if (!scene_of(work))
      continue;
    result = ct_doc_load(scene_of(work), &doc, error);
    if (result == CT_OK)
      work->seconds = ct_doc_seconds(doc);
    ct_doc_destroy(doc);
  }
  return result;
}
