/* An action source by itself: the sum of all its harmonics up to 20 kHz, and the whole source, which is led
 * by a gesture and wanders. */
#include "base/text.h"
#include "hosts/cli/bench.h"
#include "source/action.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t steps = BENCH_BLOCK / CT_ACTION_BLOCK;

/* The sum alone, its pitch rising so slowly that nothing is computed once and kept. */
static void sum_round(const bench_source *s, bench_timing *timing) {
  ct_harmonics h;
  double hz = s->hz, phase = 0, turns[CT_ACTION_BLOCK], out[CT_ACTION_BLOCK];
  ct_harmonics_init(&h, BENCH_RATE_HZ, 1);
  for (uint32_t b = 0; b < timing->blocks; b++) {
    double start = bench_now_ns();
    for (uint32_t k = 0; k < steps; k++, hz *= 1 + 1e-7) {
      for (uint32_t i = 0; i < CT_ACTION_BLOCK; i++, phase += hz / BENCH_RATE_HZ) {
        phase -= phase > 0.5 ? 1 : 0;
        turns[i] = phase;
      }
      ct_harmonics_set_hz(&h, hz, hz * (1 + 1e-7));
      ct_harmonics_block(&h, turns, out);
    }
    bench_timing_add(timing, b, bench_now_ns() - start);
  }
}

static void source_blocks(ct_action *a, bench_timing *timing) {
  double force_n[CT_ACTION_BLOCK];
  for (uint32_t b = 0; b < timing->blocks; b++) {
    double start = bench_now_ns();
    for (uint32_t k = 0; k < steps; k++) {
      a->values.signal[CT_SPEED] = 0.1 * (1 + 1e-6 * b);
      ct_action_block(a, force_n);
    }
    bench_timing_add(timing, b, bench_now_ns() - start);
  }
}

static ct_result source_round(const bench_source *s, bench_timing *timing, ct_error *error) {
  ct_region_def region = ct_default_region_def();
  ct_source_def def = ct_default_source_def();
  region.name = def.name = "rub";
  region.behaviour = region.morph_to = CT_CREAKY_DOOR;
  region.hz = s->hz;
  region.x_power = 1;
  def.pressure = 0.5;
  def.regions = &region;
  def.region_count = 1;
  ct_action action = {.begun = false};
  ct_arena counting = {NULL, 0, 0};
  ct_action_lay(&action, &counting, &def);
  void *memory = aligned_alloc(CT_ALIGN, counting.used);
  if (!memory)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  memset(&action, 0, sizeof action);
  ct_action_lay(&action, &(ct_arena){memory, counting.used, 0}, &def);
  ct_result result = ct_action_fill(&action, &def, BENCH_RATE_HZ, 1, error);
  if (result == CT_OK)
    source_blocks(&action, timing);
  free(memory);
  return result;
}

static ct_result run_round(void *what, bench_timing *timing, ct_error *error) {
  const bench_source *s = what;
  if (s->whole)
    return source_round(s, timing, error);
  sum_round(s, timing);
  return CT_OK;
}

ct_result bench_source_run(bench_source *s, uint32_t blocks, uint32_t rounds, ct_error *error) {
  return bench_rounds(blocks, rounds, run_round, s, &s->speed, error);
}
