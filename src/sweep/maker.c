/* Sounds one after the other. */
#include "sweep/maker.h"
#include "base/grow.h"
#include "base/text.h"
#include "file/load.h"
#include "file/wav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 16 };

/* A document with all that does not vary in it set. */
typedef struct kept {
  const ct_sweep_part *part;
  const char *scene, *preset;        /* the plan's own texts */
  ct_doc *doc;                       /* null: a free place */
  double number[CT_SWEEP_VARY_MOST]; /* what its leaves are now; NAN: not set yet */
  ct_render *render;                 /* of the document as it is now; null: none */
  uint64_t seed;                     /* it was built with */
  uint32_t warnings;
  uint64_t used; /* when */
} kept;

struct ct_sweep_maker {
  const ct_sweep_plan *plan;
  kept kept[KEPT_MOST];
  uint64_t clock, built, reused;
  ct_gesture *gesture; /* the last one, with its cells set */
  double *samples;
  size_t room;
  double *watched[CT_SWEEP_WATCHES_MOST]; /* a list for each of the plan's watches */
  size_t watched_room[CT_SWEEP_WATCHES_MOST];
};

ct_sweep_maker *ct_sweep_maker_create(const ct_sweep_plan *plan) {
  ct_sweep_maker *m = calloc(1, sizeof *m);
  if (m)
    m->plan = plan;
  return m;
}

static void clear(kept *k) {
  ct_render_close(k->render);
  ct_doc_destroy(k->doc);
  *k = (kept){0};
}

void ct_sweep_maker_destroy(ct_sweep_maker *m) {
  if (!m)
    return;
  for (int i = 0; i < KEPT_MOST; i++)
    clear(&m->kept[i]);
  free(m->gesture);
  free(m->samples);
  for (uint32_t i = 0; i < m->plan->watch_count; i++)
    free(m->watched[i]);
  free(m);
}

void ct_sweep_maker_counts(const ct_sweep_maker *m, uint64_t *built, uint64_t *reused) {
  *built = m->built;
  *reused = m->reused;
}

/* ---- documents ---- */
static ct_result want_kept(ct_sweep_maker *m, const ct_sweep_point *p, kept **found, ct_error *error) {
  kept *oldest = &m->kept[0];
  for (int i = 0; i < KEPT_MOST; i++) {
    kept *k = &m->kept[i];
    if (k->doc && k->part == p->part && strcmp(k->scene, p->scene) == 0 &&
        strcmp(k->preset, p->preset) == 0) {
      k->used = ++m->clock;
      *found = k;
      return CT_OK;
    }
    oldest = k->used < oldest->used ? k : oldest;
  }
  clear(oldest);
  ct_result result = ct_sweep_open_scene(m->plan, p->part, p->scene, p->preset, &oldest->doc, error);
  oldest->part = p->part;
  oldest->scene = p->scene;
  oldest->preset = p->preset;
  oldest->used = ++m->clock;
  for (int i = 0; i < CT_SWEEP_VARY_MOST; i++)
    oldest->number[i] = (double)NAN;
  *found = oldest;
  return result;
}

/* Sets what is not as the point wants it; a render of another document is worth nothing. */
static ct_result set_paths(ct_sweep_maker *m, kept *k, const ct_sweep_point *p, ct_error *error) {
  bool files = false;
  for (uint32_t i = 0; i < p->part->vary_count; i++) {
    const ct_sweep_vary *v = &p->part->vary[i];
    if (v->target != CT_SWEEP_PATH || k->number[i] == p->number[i])
      continue;
    ct_render_close(k->render);
    k->render = NULL;
    k->number[i] = (double)NAN;
    CT_TRY(ct_sweep_set_path(k->doc, v, p->number[i], p->word[i], error));
    k->number[i] = p->number[i];
    files |= ct_sweep_names_file(v->name);
  }
  return files ? ct_doc_read_scans(k->doc, ct_sweep_file_of(m->plan, p->scene).text, error) : CT_OK;
}

/* ---- gestures ---- */

static bool varies_gesture(const ct_sweep_part *part) {
  for (uint32_t i = 0; i < part->vary_count; i++)
    if (part->vary[i].target == CT_SWEEP_GESTURE || part->vary[i].target == CT_SWEEP_GESTURE_CELL)
      return true;
  return false;
}

/* Null in *gesture: the scene's own. A copy where cells of it vary. */
static ct_result choose_gesture(ct_sweep_maker *m, kept *k, const ct_sweep_point *p,
                                const ct_gesture **gesture, ct_error *error) {
  ct_gesture demo = {0};
  const ct_gesture *base = ct_sweep_find_gesture(m->plan, p->gesture)->gesture;
  *gesture = base;
  free(m->gesture);
  m->gesture = NULL;
  for (uint32_t i = 0; i < p->part->vary_count; i++) {
    const ct_sweep_vary *v = &p->part->vary[i];
    if (v->target != CT_SWEEP_GESTURE_CELL)
      continue;
    if (!base)
      CT_TRY(ct_doc_gesture(k->doc, &demo, error));
    base = base ? base : &demo;
    if (!m->gesture && !(m->gesture = ct_sweep_gesture_copy(base)))
      return ct_fail(error, CT_NO_MEMORY, "no memory for a gesture");
    ct_sweep_gesture_set(m->gesture, v->column, v->row, p->number[i]);
    *gesture = m->gesture;
  }
  return CT_OK;
}

/* ---- the sound ---- */

static void count_warning(void *context, const char *line) {
  (void)line;
  ++*(uint32_t *)context;
}

static ct_result open_render(ct_sweep_maker *m, kept *k, const ct_sweep_point *p, ct_error *error) {
  const ct_gesture *gesture;
  CT_TRY(choose_gesture(m, k, p, &gesture, error));
  const ct_render_def def = {.rate_hz = p->part->rate_hz,
                             .seconds = p->part->seconds,
                             .seed = p->seed,
                             .gesture = gesture,
                             .again = varies_gesture(p->part),
                             .warn = count_warning,
                             .warn_context = &k->warnings};
  if (k->render && k->seed == p->seed) {
    m->reused++;
    return ct_render_again(k->render, k->doc, &def, error);
  }
  ct_render_close(k->render);
  k->render = NULL;
  k->seed = p->seed;
  k->warnings = 0;
  m->built++;
  CT_TRY(ct_render_open(k->doc, &def, &k->render, error));
  return ct_sweep_watches_tap(m->plan, k->render, error);
}

static bool make_room(ct_sweep_maker *m, size_t frames, uint32_t channels) {
  bool made = ct_grow(&m->samples, &m->room, frames * channels, sizeof *m->samples);
  for (uint32_t i = 0; made && i < m->plan->watch_count; i++)
    made = ct_grow(&m->watched[i], &m->watched_room[i], frames, sizeof *m->watched[i]);
  return made;
}

/* As a file would give them back. */
static void take_block(const ct_sweep_maker *m, const ct_render_block *b, uint32_t channels) {
  const bool flac = m->plan->write == CT_SWEEP_FLAC;
  for (uint32_t n = 0; n < b->frames; n++)
    for (uint32_t c = 0; c < channels; c++) {
      const double sample = (double)b->outputs[c][n];
      m->samples[(b->start + n) * channels + c] = flac ? ct_flac_rounded(sample) : sample;
    }
  for (uint32_t i = 0; i < m->plan->watch_count; i++)
    memcpy(m->watched[i] + b->start, b->taps[i], b->frames * sizeof(double));
}

static ct_result play(ct_sweep_maker *m, ct_render *render, ct_sweep_made *made, ct_error *error) {
  ct_render_block block = {.frames = 1};
  made->frames = (size_t)ct_render_frames(render);
  made->channels = ct_render_channels(render);
  made->rate_hz = ct_scene_rate_hz(ct_render_scene(render));
  if (!make_room(m, made->frames, made->channels))
    return ct_fail(error, CT_NO_MEMORY, "no memory for a sound of %g s",
                   (double)made->frames / made->rate_hz);
  made->samples = m->samples;
  made->watched = (const double *const *)m->watched;
  while (block.frames) {
    CT_TRY(ct_render_next(render, &block, error));
    take_block(m, &block, made->channels);
  }
  return ct_scene_judge(ct_render_scene(render), error);
}

static ct_result make_sound(ct_sweep_maker *m, kept *k, const ct_sweep_point *p, ct_sweep_made *made,
                            ct_error *error) {
  CT_TRY(set_paths(m, k, p, error));
  CT_TRY(open_render(m, k, p, error));
  return play(m, k->render, made, error);
}

ct_result ct_sweep_make(ct_sweep_maker *m, const ct_sweep_point *p, ct_sweep_made *made, ct_error *error) {
  kept *k = NULL;
  ct_error inner = {.text = ""};
  *made = (ct_sweep_made){.failed = ""};
  ct_result result = want_kept(m, p, &k, &inner);
  if (result == CT_OK)
    result = make_sound(m, k, p, made, &inner);
  made->warnings = k->warnings;
  if (result != CT_OK || !varies_gesture(p->part)) {
    ct_render_close(k->render);
    k->render = NULL;
  }
  if (result == CT_NO_MEMORY || result == CT_BAD_FILE)
    return ct_fail(error, result, "%s", inner.text);
  if (result != CT_OK)
    ct_format(made->failed, sizeof made->failed, "%s", *inner.text ? inner.text : "it failed");
  return CT_OK;
}
