/* What sounds: Pd's blocks through the scene, cut into pieces of at most CTPD_FRAMES. The samples do not
 * depend on how Pd cuts its time.
 *
 * Pd's logical time stands at the end of the block while that block is made, and messages of the next one
 * come before it with times in between. So a message lies as many samples into the next block as its time is
 * behind the end of the last one. */
#include "hosts/pd/scene.h"

#include <math.h>
#include <string.h>

bool ctpd_scene_sounds(const ctpd_scene *x) {
  return x->period_ms > 0 && pd_getdspstate() && clock_gettimesince(x->block_end) < 2 * x->period_ms;
}

uint64_t ctpd_scene_now(const ctpd_scene *x) {
  uint64_t sample = ct_scene_sample(x->stage->scene);
  if (!ctpd_scene_sounds(x))
    return sample;
  double frames = clock_gettimesince(x->block_end) * x->recipe.rate_hz / 1000;
  return sample + (uint64_t)fmax(0, frames + 0.5);
}

/* ---- one stage ---- */

/* What fills the queue is taken at once; if it is still full, all in it is of the future. */
static ct_result send_gesture(ctpd_stage *stage, uint32_t frames) {
  if (!stage->playing)
    return CT_OK;
  uint64_t until = ct_scene_sample(stage->scene) + frames;
  ct_result result = ct_player_send(stage->player, until, NULL);
  if (result == CT_FULL) {
    ct_scene_process(stage->scene, &(ct_io){.frames = 0});
    result = ct_player_send(stage->player, until, NULL);
  }
  stage->playing = result == CT_FULL || (result == CT_OK && until < stage->play_until);
  return result;
}

/* A gesture may say more within a piece than the queue holds: then one sample makes room. */
static void run(ctpd_stage *stage, const ct_io *io) {
  ct_input inputs[CTPD_SIGNALS];
  ct_tap taps[CTPD_SIGNALS];
  float *outputs[CTPD_CHANNELS];
  for (uint32_t done = 0, now; done < io->frames; done += now) {
    now = send_gesture(stage, io->frames - done) == CT_FULL ? 1 : io->frames - done;
    for (uint32_t i = 0; i < io->input_count; i++)
      inputs[i] = (ct_input){io->inputs[i].handle, io->inputs[i].values + done};
    for (uint32_t i = 0; i < io->tap_count; i++)
      taps[i] = (ct_tap){io->taps[i].handle, io->taps[i].values + done};
    for (uint32_t c = 0; c < ct_scene_channels(stage->scene); c++)
      outputs[c] = io->outputs[c] + done;
    ct_scene_process(stage->scene, &(ct_io){.frames = now,
                                            .outputs = outputs,
                                            .inputs = inputs,
                                            .input_count = io->input_count,
                                            .taps = taps,
                                            .tap_count = io->tap_count});
  }
}

/* One channel of the scene for one outlet: two in one are their mean, one for two is both, none is silence.
 */
static float channel(const ctpd_scene *x, const ctpd_stage *stage, float *const *buffers, int c, uint32_t n) {
  if (stage->main_channels == 1)
    return c < 2 ? buffers[0][n] : 0;
  if (x->channels == 1)
    return (buffers[0][n] + buffers[1][n]) / 2;
  return c < stage->main_channels ? buffers[c][n] : 0;
}

/* ---- pieces ---- */

/* An inlet that nobody has touched brings what it was made with, which is not a number. */
static uint32_t read_inputs(ctpd_scene *x, uint32_t from, uint32_t frames, ct_input *inputs) {
  uint32_t count = 0;
  for (int i = 0; i < x->input_count; i++) {
    ctpd_port *port = &x->inputs[i];
    if (!port->known || isnan((double)port->vector[from]))
      continue;
    for (uint32_t n = 0; n < frames; n++)
      port->values[n] = (double)port->vector[from + n];
    inputs[count++] = (ct_input){port->handle, port->values};
  }
  return count;
}

static uint32_t list_taps(ctpd_scene *x, ct_tap *taps) {
  uint32_t count = 0;
  for (int i = 0; i < x->tap_count; i++)
    if (x->taps[i].known)
      taps[count++] = (ct_tap){x->taps[i].handle, x->taps[i].values};
  return count;
}

static void write_taps(const ctpd_scene *x, uint32_t from, uint32_t frames) {
  for (int i = 0; i < x->tap_count; i++) {
    const ctpd_port *port = &x->taps[i];
    int bus = port->bus < 0 ? 0 : x->stage->bus_at[port->bus];
    for (uint32_t n = 0; n < frames; n++)
      port->vector[from + n] = bus           ? (t_sample)x->buffers[bus][n]
                               : port->known ? (t_sample)port->values[n]
                                             : 0;
  }
}

static void write_silence(const ctpd_scene *x, uint32_t from, uint32_t frames) {
  for (int c = 0; c < x->channels; c++)
    memset(x->vectors[c] + from, 0, frames * sizeof(t_sample));
  for (int i = 0; i < x->tap_count; i++)
    memset(x->taps[i].vector + from, 0, frames * sizeof(t_sample));
}

static void write_sound(const ctpd_scene *x, uint32_t from, uint32_t frames) {
  for (int c = 0; c < x->channels; c++)
    for (uint32_t n = 0; n < frames; n++)
      x->vectors[c][from + n] = (t_sample)channel(x, x->stage, x->buffers, c, n);
}

/* The old scene goes on, with nobody's hand on it, while the new one comes up. */
static void write_fade(ctpd_scene *x, uint32_t from, uint32_t frames) {
  run(x->old, &(ct_io){.frames = frames, .outputs = x->buffers + CTPD_CHANNELS});
  for (uint32_t n = 0; n < frames; n++) {
    float left = (float)(x->fade_left > n ? x->fade_left - n : 0) / (float)x->fade_frames;
    for (int c = 0; c < x->channels; c++)
      x->vectors[c][from + n] = (t_sample)(channel(x, x->stage, x->buffers, c, n) * (1 - left) +
                                           channel(x, x->old, x->buffers + CTPD_CHANNELS, c, n) * left);
  }
  x->fade_left -= x->fade_left < frames ? x->fade_left : frames;
  if (!x->fade_left) {
    x->faded = true;
    clock_delay(x->clock, 0);
  }
}

/* Inputs are read before outputs are written: Pd may give both the same vector. */
static void piece(ctpd_scene *x, uint32_t from, uint32_t frames) {
  ct_input inputs[CTPD_SIGNALS];
  ct_tap taps[CTPD_SIGNALS];
  if (!x->stage) {
    write_silence(x, from, frames);
    return;
  }
  uint32_t input_count = read_inputs(x, from, frames, inputs);
  uint32_t tap_count = list_taps(x, taps);
  run(x->stage, &(ct_io){.frames = frames,
                         .outputs = x->buffers,
                         .inputs = inputs,
                         .input_count = input_count,
                         .taps = taps,
                         .tap_count = tap_count});
  if (x->old && !x->faded)
    write_fade(x, from, frames);
  else
    write_sound(x, from, frames);
  write_taps(x, from, frames);
}

static t_int *perform(t_int *w) {
  ctpd_scene *x = (ctpd_scene *)w[1];
  uint32_t frames = (uint32_t)x->block;
  for (uint32_t done = 0; done < frames; done += CTPD_FRAMES)
    piece(x, done, frames - done < CTPD_FRAMES ? frames - done : CTPD_FRAMES);
  x->block_end = clock_getlogicaltime();
  return w + 2;
}

/* ---- Pd's graph ---- */

/* Where the scene begins or goes on: blocks end on multiples of Pd's own tick. */
static double last_tick(void) {
  double since_ms = clock_gettimesince(0), tick_ms = sys_getblksize() * 1000. / (double)sys_getsr();
  double part_ms = since_ms - tick_ms * floor(since_ms / tick_ms + 1e-6);
  return clock_getsystimeafter(-fmax(0, part_ms));
}

void ctpd_scene_dsp(ctpd_scene *x, t_signal **sp) {
  int at = 0;
  bool sounding = ctpd_scene_sounds(x);
  for (int i = 0; i < x->input_count; i++)
    x->inputs[i].vector = sp[at++]->s_vec;
  double rate_hz = (double)sp[at]->s_sr;
  x->block = sp[at]->s_n;
  for (int c = 0; c < x->channels; c++)
    x->vectors[c] = sp[at++]->s_vec;
  for (int i = 0; i < x->tap_count; i++)
    x->taps[i].vector = sp[at++]->s_vec;
  x->period_ms = fmax(x->block * 1000. / rate_hz, sys_getblksize() * 1000. / (double)sys_getsr());
  if (!sounding)
    x->block_end = last_tick();
  if (rate_hz != x->recipe.rate_hz) {
    x->recipe.rate_hz = rate_hz;
    ctpd_scene_rebuild(x, true);
  }
  dsp_add(perform, 1, x);
}
