/* An action source by itself: the sum of all its harmonics up to 20 kHz, and the whole source, which is led
 * by a gesture and wanders. */
#include "base/text.h"
#include "hosts/cli/bench.h"
#include "source/action.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t steps = BENCH_BLOCK / CT_ACTION_BLOCK;

typedef struct playing {
  ct_harmonics sum;
  double hz, phase;
  ct_action action;
  void *memory;
} playing;

/* The sum alone, its pitch rising so slowly that nothing is computed once and kept. */
static void play_sum(playing *p, double rate_hz) {
  double turns[CT_ACTION_BLOCK], out[CT_ACTION_BLOCK];
  for (uint32_t k = 0; k < steps; k++, p->hz *= 1 + 1e-7) {
    for (uint32_t i = 0; i < CT_ACTION_BLOCK; i++, p->phase += p->hz / rate_hz) {
      p->phase -= p->phase > 0.5 ? 1 : 0;
      turns[i] = p->phase;
    }
    ct_harmonics_set_hz(&p->sum, p->hz, p->hz * (1 + 1e-7));
    ct_harmonics_block(&p->sum, turns, out);
  }
}

static void play_source(ct_action *a, uint32_t at) {
  double force_n[CT_ACTION_BLOCK];
  for (uint32_t k = 0; k < steps; k++) {
    a->signal[CT_SPEED] = 0.1 * (1 + 1e-6 * at);
    ct_action_block(a, force_n);
  }
}

static ct_result build_source(playing *p, const bench_run *run, ct_error *error) {
  ct_region_def region = ct_default_region_def();
  ct_source_def def = ct_default_source_def();
  region.name = def.name = "rub";
  region.behaviour = region.morph_to = CT_CREAKY_DOOR;
  region.hz = run->work->hz;
  region.x_power = 1;
  def.pressure = 0.5;
  def.regions = &region;
  def.region_count = 1;
  ct_arena counting = {NULL, 0, 0};
  ct_action_lay(&p->action, &counting, &def);
  p->memory = aligned_alloc(CT_ALIGN, counting.used);
  if (!p->memory)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  memset(&p->action, 0, sizeof p->action);
  ct_action_lay(&p->action, &(ct_arena){p->memory, counting.used, 0}, &def);
  return ct_action_fill(&p->action, &def, run->rate_hz, 1, error);
}

static ct_result open_source(bench_run *run, ct_error *error) {
  playing *p = run->own = calloc(1, sizeof *p);
  if (!p)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  p->hz = run->work->hz;
  ct_harmonics_init(&p->sum, run->rate_hz, 1);
  return run->work->variant == BENCH_WHOLE ? build_source(p, run, error) : CT_OK;
}

static ct_result block_source(bench_run *run, ct_error *error) {
  playing *p = run->own;
  (void)error;
  if (run->work->variant == BENCH_WHOLE)
    play_source(&p->action, run->at);
  else
    play_sum(p, run->rate_hz);
  return CT_OK;
}

static void close_source(bench_run *run) {
  playing *p = run->own;
  if (p)
    free(p->memory);
  free(p);
}

const bench_kind bench_source = {open_source, block_source, close_source};
