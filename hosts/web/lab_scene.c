/* The sounding scene: built from the document, changed by handles, processed in blocks. */
#include "hosts/web/lab.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

ct_result EXPORT(lab_build)(lab *l, double rate_hz, double seed, uint32_t ledger);
uint32_t EXPORT(lab_channels)(const lab *l);
uint32_t EXPORT(lab_has_gesture)(const lab *l);

static void keep_note(void *context, const char *line) {
  lab *l = context;
  size_t used = strlen(l->notes), more = strlen(line);
  if (used + more + 2 > sizeof l->notes)
    return;
  memcpy(l->notes + used, line, more);
  l->notes[used + more] = '\n';
  l->notes[used + more + 1] = 0;
}

static ct_result make_buffers(lab *l) {
  uint32_t channels = ct_scene_channels(l->scene);
  l->outputs = calloc(channels, sizeof *l->outputs);
  l->raws = calloc(channels, sizeof *l->raws);
  if (l->outputs && l->raws)
    return CT_OK;
  const char no_memory[] = "the lab: out of memory";
  l->error.code = CT_NO_MEMORY;
  memcpy(l->error.text, no_memory, sizeof no_memory);
  return CT_NO_MEMORY;
}

ct_result lab_build(lab *l, double rate_hz, double seed, uint32_t ledger) {
  ct_build_def def = ct_default_build_def();
  def.rate_hz = rate_hz;
  def.seed = (uint64_t)seed;
  def.ledger = ledger != 0;
  ct_result result = ct_doc_build(l->doc, &def, &l->scene, keep_note, l, &l->error);
  if (result == CT_OK)
    result = make_buffers(l);
  if (result == CT_OK)
    result = ct_doc_gesture(l->doc, &l->gesture, &l->error);
  if (result == CT_OK && l->gesture.rows)
    result = ct_player_create(&l->gesture, l->scene, &l->player, &l->error);
  return result;
}

uint32_t lab_channels(const lab *l) { return ct_scene_channels(l->scene); }

uint32_t lab_has_gesture(const lab *l) { return l->player != NULL; }

/* ---- handles ---- */

ct_result EXPORT(lab_resolve)(lab *l, const char *path);
const uint16_t *EXPORT(lab_handle)(const lab *l);
ct_result EXPORT(lab_set)(lab *l, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
                          uint32_t generation, double value, double ramp_s, double at_sample);
double EXPORT(lab_get)(const lab *l, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
                       uint32_t generation);
void EXPORT(lab_settle)(lab *l);

static ct_handle handle_of(uint32_t row, uint32_t object, uint32_t item, uint32_t element,
                           uint32_t generation) {
  return (ct_handle){(uint16_t)row, (uint16_t)object, (uint16_t)item, (uint16_t)element, generation};
}

ct_result lab_resolve(lab *l, const char *path) {
  return ct_scene_resolve(l->scene, path, &l->handle, &l->error);
}

/* The five numbers of the handle resolved last. */
const uint16_t *lab_handle(const lab *l) { return &l->handle.row; }

ct_result lab_set(lab *l, uint32_t row, uint32_t object, uint32_t item, uint32_t element, uint32_t generation,
                  double value, double ramp_s, double at_sample) {
  return ct_scene_set(l->scene, handle_of(row, object, item, element, generation), value, ramp_s,
                      (uint64_t)at_sample, &l->error);
}

double lab_get(const lab *l, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
               uint32_t generation) {
  return ct_scene_get(l->scene, handle_of(row, object, item, element, generation));
}

/* What was set takes effect without a step: for the page's own copy, which never sounds. */
void lab_settle(lab *l) { ct_scene_process(l->scene, &(ct_io){.frames = 0}); }

/* ---- watching ---- */

uint32_t EXPORT(lab_columns_most)(void);
uint32_t EXPORT(lab_slow_most)(void);
void EXPORT(lab_watch)(lab *l, uint32_t column, uint32_t row, uint32_t object, uint32_t item,
                       uint32_t element, uint32_t generation);
void EXPORT(lab_watch_count)(lab *l, uint32_t count);
void EXPORT(lab_watch_slow)(lab *l, uint32_t index, uint32_t row, uint32_t object, uint32_t item,
                            uint32_t element, uint32_t generation);
void EXPORT(lab_watch_slow_count)(lab *l, uint32_t count);

uint32_t lab_columns_most(void) { return LAB_COLUMNS; }

uint32_t lab_slow_most(void) { return LAB_SLOW; }

void lab_watch(lab *l, uint32_t column, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
               uint32_t generation) {
  if (column < LAB_COLUMNS)
    l->taps[column] = (ct_tap){handle_of(row, object, item, element, generation), l->tap_values[column]};
}

/* Columns up to here have been given a handle. */
void lab_watch_count(lab *l, uint32_t count) { l->tap_count = count < LAB_COLUMNS ? count : LAB_COLUMNS; }

void lab_watch_slow(lab *l, uint32_t index, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
                    uint32_t generation) {
  if (index < LAB_SLOW)
    l->slow_handles[index] = handle_of(row, object, item, element, generation);
}

void lab_watch_slow_count(lab *l, uint32_t count) { l->slow_count = count < LAB_SLOW ? count : LAB_SLOW; }

/* ---- the gesture ---- */

void EXPORT(lab_play)(lab *l);
void EXPORT(lab_stop)(lab *l);
uint32_t EXPORT(lab_is_playing)(const lab *l);

/* From its beginning, with its time 0 at the next sample. */
void lab_play(lab *l) {
  if (!l->player)
    return;
  uint64_t now = ct_scene_sample(l->scene);
  double last_s = l->gesture.time_s[l->gesture.rows - 1];
  ct_player_start(l->player, now);
  l->play_until = now + (uint64_t)(last_s * ct_scene_rate_hz(l->scene)) + 1;
  l->playing = true;
}

void lab_stop(lab *l) { l->playing = false; }

uint32_t lab_is_playing(const lab *l) { return l->playing; }

/* ---- the block ---- */

uint32_t EXPORT(lab_frames_most)(void);
uint32_t EXPORT(lab_process)(lab *l, uint32_t frames);
float *EXPORT(lab_output)(lab *l, uint32_t channel);
float *EXPORT(lab_heard)(lab *l, uint32_t side);
double *EXPORT(lab_raw)(lab *l, uint32_t channel);
float *EXPORT(lab_column)(lab *l, uint32_t column);
float *EXPORT(lab_slow)(lab *l);
double EXPORT(lab_sample)(const lab *l);
ct_result EXPORT(lab_judge)(lab *l);

uint32_t lab_frames_most(void) { return LAB_FRAMES; }
float *lab_output(lab *l, uint32_t channel) { return l->outputs[channel]; }
double *lab_raw(lab *l, uint32_t channel) { return l->raws[channel]; }
float *lab_column(lab *l, uint32_t column) { return l->columns[column]; }
float *lab_slow(lab *l) { return l->slow; }
double lab_sample(const lab *l) { return (double)ct_scene_sample(l->scene); }

/* What fills the queue is taken at once; if it is still full, all in it is of the future. */
static ct_result send_gesture(lab *l, uint32_t frames) {
  if (!l->playing)
    return CT_OK;
  uint64_t until = ct_scene_sample(l->scene) + frames;
  ct_result result = ct_player_send(l->player, until, &l->error);
  if (result == CT_FULL) {
    lab_settle(l);
    result = ct_player_send(l->player, until, &l->error);
  }
  l->playing = result == CT_FULL || until < l->play_until;
  return result;
}

static void read_slow(lab *l) {
  for (uint32_t i = 0; i < l->slow_count; i++)
    l->slow[i] = (float)ct_scene_get(l->scene, l->slow_handles[i]);
}

static void narrow(lab *l, uint32_t first, uint32_t frames) {
  for (uint32_t c = 0; c < l->tap_count; c++)
    for (uint32_t n = first; n < first + frames; n++)
      l->columns[c][n] = (float)l->tap_values[c][n];
}

/* Two loudspeakers: the first two outputs are left and right, all others in the middle at equal power; a
 * single one is both. */
float *lab_heard(lab *l, uint32_t side) {
  uint32_t channels = ct_scene_channels(l->scene);
  return channels > LAB_CHANNELS ? l->heard[side] : l->outputs[side < channels ? side : 0];
}

static void fold(lab *l, uint32_t frames) {
  const float middle = 0.70710678f;
  uint32_t channels = ct_scene_channels(l->scene);
  for (uint32_t side = 0; side < LAB_CHANNELS && channels > LAB_CHANNELS; side++) {
    memcpy(l->heard[side], l->outputs[side], frames * sizeof(float));
    for (uint32_t c = LAB_CHANNELS; c < channels; c++)
      for (uint32_t n = 0; n < frames; n++)
        l->heard[side][n] += middle * l->outputs[c][n];
  }
}

static void process_from(lab *l, uint32_t first, uint32_t frames) {
  float *outputs[CT_OUTPUTS_MOST];
  double *raws[CT_OUTPUTS_MOST];
  for (uint32_t c = 0; c < ct_scene_channels(l->scene); c++) {
    outputs[c] = l->outputs[c] + first;
    raws[c] = l->raws[c] + first;
  }
  ct_input inputs[LAB_PEN_SIGNALS];
  uint32_t input_count = lab_pen_read(l, frames, inputs);
  for (uint32_t c = 0; c < l->tap_count; c++)
    l->taps[c].values = l->tap_values[c] + first;
  ct_scene_process(l->scene, &(ct_io){.frames = frames,
                                      .outputs = outputs,
                                      .raw = raws,
                                      .inputs = inputs,
                                      .input_count = input_count,
                                      .taps = l->taps,
                                      .tap_count = l->tap_count});
}

/* A gesture may say more in one block than the queue holds: then one sample makes room, and nothing comes
 * late. False: a gesture that cannot be played any further. */
uint32_t lab_process(lab *l, uint32_t frames) {
  uint32_t done = 0;
  frames = frames < LAB_FRAMES ? frames : LAB_FRAMES;
  read_slow(l);
  while (done < frames) {
    ct_result result = send_gesture(l, frames - done);
    if (result != CT_OK && result != CT_FULL)
      return 0;
    uint32_t now = result == CT_FULL ? 1 : frames - done;
    process_from(l, done, now);
    done += now;
  }
  narrow(l, 0, frames);
  fold(l, frames);
  return 1;
}

/* Whether the scene has kept its promises so far; lab_error says when and where it did not. */
ct_result lab_judge(lab *l) { return ct_scene_judge(l->scene, &l->error); }

/* ---- counters ---- */

uint32_t EXPORT(lab_counter_count)(void);
const char *EXPORT(lab_counter_name)(uint32_t i);
const double *EXPORT(lab_counters)(lab *l);

static const char *const counter_names[] = {"steps",
                                            "substeps",
                                            "solves",
                                            "evaluations",
                                            "most_evaluations",
                                            "most_substeps",
                                            "friction_evaluations",
                                            "most_friction_evaluations",
                                            "fallbacks",
                                            "dropped_inputs",
                                            "clamped_inputs",
                                            "dropped_messages",
                                            "dropped_modes",
                                            "late_paths",
                                            "nonfinite_samples"};

uint32_t lab_counter_count(void) { return sizeof counter_names / sizeof counter_names[0]; }

const char *lab_counter_name(uint32_t i) { return counter_names[i]; }

const double *lab_counters(lab *l) {
  ct_counters c = ct_scene_counters(l->scene);
  const double now[] = {(double)c.steps,
                        (double)c.substeps,
                        (double)c.solves,
                        (double)c.evaluations,
                        c.most_evaluations,
                        c.most_substeps,
                        (double)c.friction_evaluations,
                        c.most_friction_evaluations,
                        (double)c.fallbacks,
                        (double)c.dropped_inputs,
                        (double)c.clamped_inputs,
                        (double)c.dropped_messages,
                        c.dropped_modes,
                        (double)c.late_paths,
                        (double)c.nonfinite_samples};
  memcpy(l->counters, now, sizeof now);
  return l->counters;
}
