/* See storm.h. */
#include "support/storm.h"

#include "support/border.h"
#include "support/live.h"

#include <math.h>
#include <string.h>

#define EVENTS_MOST 600 /* of one stream */

static bool anything(const ct_schema_row *row) { return !generate_leaves_out(row); }

static bool harmless(const ct_schema_row *row) { return anything(row) && border_of_row(row) == BORDER_NONE; }

static bool starts(const ct_schema_row *row) { return anything(row) && border_of_row(row) == BORDER_START; }

/* A stream jumps one knob again and again. */
typedef struct stream {
  live_knob knob;
  uint32_t index; /* in the trial */
  double hz;
  draw_temper temper;
  bool swings; /* between two values, else anywhere */
  double swing[2];
} stream;

static double next_value(ct_random *r, const stream *s, uint32_t n) {
  if (s->swings)
    return s->swing[n % 2];
  return draw_value(r, s->knob.row, s->knob.min, s->knob.max, s->temper);
}

static trial_way draw_way(ct_random *r, const live_knob *knob) {
  uint32_t pick = draw_below(r, 10);
  if (knob->row->rate == CT_RATE_TRIGGER || pick < 5)
    return TRIAL_SET;
  return pick < 7 ? TRIAL_RAMP : pick < 8 ? TRIAL_SMOOTH : TRIAL_INPUT;
}

/* Ends, or two values anywhere in the range. */
static void draw_swing(ct_random *r, stream *s) {
  bool ends = draw_chance(r, 0.3);
  for (int i = 0; i < 2; i++)
    s->swing[i] = ends ? (i ? s->knob.max : s->knob.min)
                       : draw_value(r, s->knob.row, s->knob.min, s->knob.max, s->temper);
}

/* Between the two values at audio rate, sample by sample for a while. */
static void add_sweep(trial *t, ct_random *r, const stream *s) {
  double cycle = draw_log(r, 2, 400), low = s->swing[0], high = s->swing[1];
  uint32_t first = 1 + draw_below(r, t->frames);
  bool in_logs = s->knob.row->scale == CT_LOG && low > 0 && high > 0;
  for (uint32_t n = 0; n < EVENTS_MOST && first + n < t->frames; n++) {
    double share = 0.5 - 0.5 * cos(2 * M_PI * n / cycle);
    double value = in_logs ? exp(log(low) + share * (log(high) - log(low))) : low + share * (high - low);
    trial_add_event(t, (trial_event){first + n, s->index, TRIAL_INPUT, value, 0});
  }
}

static void add_stream(trial *t, ct_random *r, stream *s) {
  double gap = t->rate_hz / s->hz, at = draw_between(r, 0, gap < t->frames ? gap : t->frames);
  trial_way way = draw_way(r, &s->knob);
  if (way == TRIAL_INPUT && draw_chance(r, 0.3)) {
    add_sweep(t, r, s);
    return;
  }
  for (uint32_t n = 0; n < EVENTS_MOST && at < t->frames; n++) {
    trial_event e = {.sample = (uint32_t)at + 1, .knob = s->index, .way = way, .value = next_value(r, s, n)};
    e.ramp_s = way == TRIAL_RAMP ? draw_log(r, 1e-5, 2 / s->hz) : 0;
    if (way == TRIAL_INPUT && draw_chance(r, 0.02))
      e.value = draw_chance(r, 0.5)   ? (double)NAN
                : draw_chance(r, 0.5) ? 1e308
                                      : -1e308; /* dropped or clamped */
    trial_add_event(t, e);
    at += gap * draw_between(r, 0.5, 1.5);
  }
}

static void count_moved(generate_counts *counts, const live_knob *knob) {
  if (counts && knob->row_index < 1024)
    counts->moved[knob->row_index]++;
}

static void draw_streams(trial *t, ct_random *r, const ct_scene *scene, bool undriven,
                         generate_counts *counts) {
  uint32_t streams = 1 + draw_below(r, 8);
  for (uint32_t i = 0; i < streams; i++) {
    stream s = {.hz = draw_log(r, draw_chance(r, 0.7) ? 30 : 1, 500), .swings = draw_chance(r, 0.5)};
    s.temper = draw_chance(r, 0.7) ? DRAW_WHOLE : (draw_temper)draw_below(r, 3);
    const ct_schema_row *wish = i == 0 ? generate_wish(t->seed) : NULL;
    if (!(wish && live_pick_row(r, t, scene, wish, &s.knob)) &&
        !live_pick(r, t, scene, undriven ? harmless : anything, &s.knob))
      return;
    s.index = trial_knob_of(t, s.knob.path);
    if (s.index == UINT32_MAX)
      return;
    draw_swing(r, &s);
    add_stream(t, r, &s);
    count_moved(counts, &s.knob);
  }
}

/* A few parts of any kind are taken out, at any time. */
static void draw_removals(trial *t, ct_random *r) {
  static uint32_t (*const counts[])(const ct_doc *) = {ct_doc_body_count, ct_doc_contact_count,
                                                       ct_doc_drive_count, ct_doc_source_count};
  static const char *(*const names[])(const ct_doc *, uint32_t) = {ct_doc_body_name, ct_doc_contact_name,
                                                                   ct_doc_drive_name, ct_doc_source_name};
  ct_error error;
  ct_doc *doc = trial_doc(t, &error);
  for (uint32_t n = 1 + draw_below(r, 3); doc && n > 0; n--) {
    uint32_t kind = draw_below(r, 4), count = counts[kind](doc);
    uint32_t knob = count ? trial_knob_of(t, names[kind](doc, draw_below(r, count))) : UINT32_MAX;
    if (knob != UINT32_MAX)
      trial_add_event(t, (trial_event){1 + draw_below(r, t->frames), knob, TRIAL_REMOVE, 0, 0});
  }
  ct_doc_destroy(doc);
}

/* Strikes, plucks and throws before the first sample. */
static void start(trial *t, ct_random *r, const ct_scene *scene, generate_counts *counts) {
  live_knob knob;
  for (uint32_t n = draw_below(r, 4); n > 0; n--) {
    if (!live_pick(r, t, scene, starts, &knob))
      return;
    trial_event e = {.knob = trial_knob_of(t, knob.path), .way = TRIAL_SET};
    e.value = draw_row_value(r, knob.row, draw_chance(r, 0.8) ? DRAW_MILD : DRAW_WIDE);
    if (e.knob == UINT32_MAX)
      return;
    trial_add_event(t, e);
    count_moved(counts, &knob);
  }
}

bool storm_comes(uint64_t seed) {
  ct_random r = draw_begin(seed, 4);
  return draw_chance(&r, 0.65) || generate_wish(seed); /* one in five is too short to jump five times */
}

void storm_draw(trial *t, uint64_t seed, bool undriven, bool storm, generate_counts *counts) {
  ct_random r = draw_begin(seed, 3);
  ct_scene *scene = NULL;
  ct_error error;
  if (trial_build(t, &scene, &error) != CT_OK)
    return;
  start(t, &r, scene, counts);
  if (storm)
    draw_streams(t, &r, scene, undriven, counts);
  ct_random leaving = draw_begin(seed, 5);
  if (storm && draw_chance(&leaving, 0.25))
    draw_removals(t, &leaving);
  trial_sort_events(t);
  ct_scene_destroy(scene);
}
