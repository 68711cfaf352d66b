/* See guide.h. A tick at a time: samples that have come by now are pushed, motion is read at every frame and
 * goes into the source as a live pen's would. */
#include "guide/guide.h"
#include "base/grow.h"
#include "base/text.h"
#include "source/behaviour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8, INPUTS = 7 };
#define FRAMES_MOST 268435456.0 /* a gigabyte a channel: an hour at 74 kHz */

static const double tail_s = 1.5;
static const double moving_m_s = 1e-3;

typedef struct session {
  const ct_guide_def *def;
  ct_guide *guide;
  ct_scene *scene;
  ct_pen *pen;
  ct_handle inputs[INPUTS], region, f0, shares[CT_REGIONS_MOST];
  size_t next;  /* sample to come */
  uint32_t was; /* region a tick ago */
  bool down;    /* the pen touches */
  size_t event_room;
} session;

static ct_result no_memory(ct_error *error) { return ct_fail(error, CT_NO_MEMORY, "guide: out of memory"); }

/* ---- set-up ---- */

static ct_result resolve(session *s, const char *source, const char *rest, ct_handle *handle,
                         ct_error *error) {
  char path[3 * CT_NAME_MAX];
  ct_format(path, sizeof path, "%s.%s", source, rest);
  return ct_scene_resolve(s->scene, path, handle, error);
}

static ct_result find_regions(session *s, const ct_source_def *source, ct_error *error) {
  ct_guide *g = s->guide;
  g->region_count = source->region_count;
  for (uint32_t i = 0; i < source->region_count; i++) {
    char rest[2 * CT_NAME_MAX];
    const ct_region_def *r = &source->regions[i];
    ct_format(g->regions[i], CT_NAME_MAX, "%s", r->name);
    g->sings[i] = r->pitch == CT_PITCH_LOCKED ||
                  (r->pitch == CT_PITCH_USUAL && ct_behaviour_voice(r->behaviour).part[CT_VOICE_LOCK] > 0.5);
    ct_format(rest, sizeof rest, "%s.share", g->regions[i]);
    CT_TRY(resolve(s, source->name, rest, &s->shares[i], error));
  }
  return CT_OK;
}

static ct_result find_source(session *s, ct_error *error) {
  static const char *const signals[INPUTS] = {"speed_m_s",     "pressure", "fluidity",  "acceleration_m_s2",
                                              "curvature_1_m", "log_jerk", "arc_length"};
  ct_source_def source;
  ct_region_def regions[CT_REGIONS_MOST];
  if (ct_doc_source_count(s->def->doc) == 0)
    return ct_fail(error, CT_BAD_SCENE, "the scene has no source for a pen to move");
  CT_TRY(ct_doc_source(s->def->doc, ct_doc_source_name(s->def->doc, 0), &source, regions, error));
  for (int i = 0; i < INPUTS; i++)
    CT_TRY(resolve(s, source.name, signals[i], &s->inputs[i], error));
  CT_TRY(resolve(s, source.name, "region", &s->region, error));
  CT_TRY(resolve(s, source.name, "f0_hz", &s->f0, error));
  return find_regions(s, &source, error);
}

static ct_result open_session(session *s, ct_error *error) {
  ct_build_def build = ct_default_build_def();
  ct_guide *g = s->guide;
  build.rate_hz = s->def->rate_hz;
  build.seed = s->def->seed;
  const char *name = s->def->scene_name;
  ct_error inner = {.text = ""};
  ct_result result = ct_doc_build(s->def->doc, &build, &s->scene, s->def->warn, s->def->warn_context, &inner);
  if (result == CT_OK)
    result = find_source(s, &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "%.100s%s%.200s", name ? name : "", name ? ": " : "", inner.text);
  if (g->whole.strokes == 0)
    return ct_fail(error, CT_BAD_VALUE,
                   "no stroke to play: wants 4 samples or more over %g s or more, the pen down and moving",
                   CT_PEN_GAP_S);
  double seconds = s->def->samples[s->def->count - 1].time_s + tail_s;
  if (seconds * build.rate_hz > FRAMES_MOST)
    return ct_fail(error, CT_BAD_VALUE,
                   "%g s of strokes at %g Hz are too much sound; wants at most %g s at this rate",
                   seconds - tail_s, build.rate_hz, floor(FRAMES_MOST / build.rate_hz - tail_s));
  g->frames = ((size_t)(seconds * build.rate_hz) / CHUNK + 1) * CHUNK;
  g->channels = ct_scene_channels(s->scene);
  g->moments = calloc(s->def->count, sizeof *g->moments);
  s->pen = ct_pen_create();
  bool there = g->moments && s->pen;
  for (uint32_t c = 0; c < g->channels && there; c++)
    there = (g->sound[c] = calloc(g->frames, sizeof *g->sound[c])) != NULL;
  return there ? CT_OK : no_memory(error);
}

/* ---- events ---- */

static ct_result note(session *s, double time_s, ct_guide_kind kind, uint32_t region, ct_error *error) {
  ct_guide *g = s->guide;
  if (!ct_grow(&g->events, &s->event_room, g->event_count + 1, sizeof *g->events))
    return no_memory(error);
  g->events[g->event_count++] = (ct_guide_event){time_s, kind, region};
  return CT_OK;
}

/* ---- playing ---- */

static ct_result push_due(session *s, double time_s, size_t *pushed, ct_error *error) {
  for (*pushed = 0; s->next < s->def->count && s->def->samples[s->next].time_s <= time_s; ++*pushed)
    CT_TRY(ct_pen_push(s->pen, &s->def->samples[s->next++], error));
  return CT_OK;
}

static double singing(const session *s) {
  double sum = 0;
  for (uint32_t i = 0; i < s->guide->region_count; i++)
    if (s->guide->sings[i])
      sum += ct_scene_get(s->scene, s->shares[i]);
  return sum;
}

static void score(session *s, const ct_motion *m, double sings, double seconds) {
  if (!(m->pressure > 0.01 && m->speed_m_s > moving_m_s) || isnan(m->log_jerk))
    return; /* not drawing, or nothing is known of its fluidity yet */
  s->guide->drawn_s += seconds;
  s->guide->fluidity += m->fluidity * seconds;
  s->guide->sung += sings * seconds;
}

/* What has changed by the end of a tick. */
static ct_result watch(session *s, const ct_motion *m, size_t pushed, ct_error *error) {
  uint32_t region = (uint32_t)ct_scene_get(s->scene, s->region);
  double sings = singing(s);
  bool down = s->next > 0 && s->def->samples[s->next - 1].pressure > 0 &&
              m->time_s - s->def->samples[s->next - 1].time_s <= CT_PEN_GAP_S;
  for (size_t i = s->next - pushed; i < s->next; i++)
    s->guide->moments[i] = (ct_guide_moment){*m, ct_scene_get(s->scene, s->f0), sings, region};
  if (down != s->down)
    CT_TRY(note(s, m->time_s, down ? CT_GUIDE_DOWN : CT_GUIDE_UP, region, error));
  if (region != s->was && m->time_s > CHUNK / s->def->rate_hz)
    CT_TRY(note(s, m->time_s, CT_GUIDE_REGION, region, error));
  s->down = down;
  s->was = region;
  score(s, m, sings, CHUNK / s->def->rate_hz);
  s->guide->latency_s = ct_pen_latency_s(s->pen) + CHUNK / s->def->rate_hz;
  return CT_OK;
}

static ct_result play_chunk(session *s, size_t at, ct_error *error) {
  double values[INPUTS][CHUNK], start = (double)at / s->def->rate_hz;
  ct_motion m = {0};
  size_t pushed;
  CT_TRY(push_due(s, start, &pushed, error));
  for (int n = 0; n < CHUNK; n++) {
    m = ct_pen_read(s->pen, start + n / s->def->rate_hz);
    const double now[INPUTS] = {m.speed_m_s,     m.pressure, m.fluidity,  m.acceleration_m_s2,
                                m.curvature_1_m, m.log_jerk, m.arc_length};
    for (int i = 0; i < INPUTS; i++)
      values[i][n] =
          isnan(now[i]) ? ct_scene_get(s->scene, s->inputs[i]) : now[i]; /* not known yet: as it was */
  }
  ct_input inputs[INPUTS];
  float *out[CT_OUTPUTS_MOST];
  for (uint32_t c = 0; c < s->guide->channels; c++)
    out[c] = s->guide->sound[c] + at;
  for (int i = 0; i < INPUTS; i++)
    inputs[i] = (ct_input){s->inputs[i], values[i]};
  ct_scene_process(s->scene,
                   &(ct_io){.frames = CHUNK, .outputs = out, .inputs = inputs, .input_count = INPUTS});
  CT_TRY(ct_scene_judge(s->scene, error));
  return watch(s, &m, pushed, error);
}

static ct_result play(session *s, ct_error *error) {
  for (size_t at = 0; at < s->guide->frames; at += CHUNK)
    CT_TRY(play_chunk(s, at, error));
  if (s->guide->drawn_s > 0) {
    s->guide->fluidity /= s->guide->drawn_s;
    s->guide->sung /= s->guide->drawn_s;
  }
  return CT_OK;
}

ct_result ct_guide_run(const ct_guide_def *def, ct_guide *guide, ct_error *error) {
  session s = {.def = def, .guide = guide};
  memset(guide, 0, sizeof *guide);
  CT_TRY(ct_stroke_describe(def->samples, def->count, NULL, &guide->whole, error));
  ct_result result = open_session(&s, error);
  if (result == CT_OK)
    result = play(&s, error);
  ct_pen_destroy(s.pen);
  ct_scene_destroy(s.scene);
  if (result != CT_OK)
    ct_guide_free(guide);
  return result;
}

void ct_guide_free(ct_guide *g) {
  for (uint32_t c = 0; c < g->channels; c++)
    free(g->sound[c]);
  free(g->moments);
  free(g->events);
  memset(g, 0, sizeof *g);
}
