/* Playing a work, and timing all of them in turns. */
#include "base/text.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>

/* ---- one work ---- */

ct_result bench_open(const bench_work *work, double rate_hz, uint32_t blocks, bench_run *run,
                     ct_error *error) {
  *run = (bench_run){
      .work = work, .rate_hz = rate_hz, .blocks = blocks, .facts = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  ct_result result = work->kind->open(run, error);
  if (result == CT_OK && run->scene)
    run->before = ct_scene_counters(run->scene);
  return result;
}

static void tell_facts(bench_run *run) {
  ct_counters now = ct_scene_counters(run->scene);
  double samples = (double)run->at * BENCH_BLOCK;
  run->facts.evaluations = (double)(now.evaluations - run->before.evaluations) / samples;
  run->facts.friction_evaluations =
      (double)(now.friction_evaluations - run->before.friction_evaluations) / samples;
  run->facts.solves = (double)(now.solves - run->before.solves) / samples;
  run->facts.most_substeps = now.most_substeps;
  run->facts.bytes = (double)ct_scene_bytes(run->scene);
}

ct_result bench_close(bench_run *run, ct_result result, ct_error *error) {
  if (result == CT_OK && run->scene) {
    tell_facts(run);
    result = ct_scene_judge(run->scene, error);
  }
  run->work->kind->close(run);
  return result;
}

__attribute__((noinline)) ct_result bench_play(bench_run *run, ct_error *error) {
  ct_result result = CT_OK;
  for (; run->at < run->blocks && result == CT_OK; run->at++)
    result = run->work->kind->block(run, error);
  return result;
}

/* ---- scenes from parts ---- */

ct_modal_def bench_modal(const char *name, const ct_mode_def *modes, uint32_t count,
                         const ct_point_def *point) {
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = point;
  def.point_count = 1;
  return def;
}

ct_scene_def bench_scene_def(const bench_run *run, uint32_t bodies, uint32_t contacts, uint32_t pickups) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = run->rate_hz;
  def.bodies = bodies;
  def.contacts = contacts;
  def.pickups = pickups;
  def.controls = def.targets = def.surfaces = def.drives = def.sources = 0;
  def.messages = 4; /* of its parameters only a few are ever set at once */
  def.pool_bytes = 0;
  return def;
}

void bench_scene_play(ct_scene *scene, uint32_t blocks) {
  float heard[BENCH_BLOCK], *outputs[] = {heard};
  for (uint32_t b = 0; b < blocks; b++)
    ct_scene_process(scene, &(ct_io){.frames = BENCH_BLOCK, .outputs = outputs});
}

ct_result bench_scene_block(bench_run *run, ct_error *error) {
  (void)error;
  bench_scene_play(run->scene, 1);
  return CT_OK;
}

void bench_scene_close(bench_run *run) { ct_scene_destroy(run->scene); }

/* ---- timing ---- */

typedef struct timing {
  uint32_t blocks;
  double *block_ns; /* shortest so far */
  double *round_ns; /* whole rounds */
} timing;

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Blocks that take less than a tenth of the mean are asleep: beside them every other one would look slow. */
static double mean_awake_ns(const timing *t, double mean_ns) {
  double sum = 0;
  uint32_t awake = 0;
  for (uint32_t i = 0; i < t->blocks; i++)
    if (t->block_ns[i] >= 0.1 * mean_ns) {
      sum += t->block_ns[i];
      awake++;
    }
  return awake ? sum / awake : mean_ns;
}

static bench_speed speed_of(const timing *t, uint32_t rounds) {
  double total = 0, slowest = 0;
  qsort(t->round_ns, rounds, sizeof *t->round_ns, rising);
  for (uint32_t i = 0; i < t->blocks; i++) {
    total += t->block_ns[i];
    slowest = fmax(slowest, t->block_ns[i]);
  }
  double samples = (double)t->blocks * BENCH_BLOCK;
  return (bench_speed){.best_ns = total / samples,
                       .median_ns = t->round_ns[rounds / 2] / samples,
                       .slowest_ns = slowest / BENCH_BLOCK,
                       .slowest_over_mean = slowest / mean_awake_ns(t, total / t->blocks)};
}

static ct_result time_round(const bench_work *work, double rate_hz, timing *t, uint32_t round,
                            bench_facts *facts, ct_error *error) {
  bench_run run;
  ct_result result = bench_open(work, rate_hz, t->blocks, &run, error);
  for (; run.at < run.blocks && result == CT_OK; run.at++) {
    double start = bench_now_ns();
    result = work->kind->block(&run, error);
    double ns = bench_now_ns() - start;
    if (round == 0 || ns < t->block_ns[run.at])
      t->block_ns[run.at] = ns;
    t->round_ns[round] += ns;
  }
  result = bench_close(&run, result, error);
  *facts = run.facts;
  return result;
}

static bool make_room(timing *t, const bench_work *work, const bench_plan *plan, uint32_t rounds) {
  double most_s = plan->quick ? (work->seconds > 0 ? 1 : 0.2) : (double)INFINITY;
  double seconds = fmin(most_s, work->seconds > 0 ? work->seconds : 1);
  t->blocks = (uint32_t)fmax(1, seconds * plan->rate_hz / BENCH_BLOCK);
  t->block_ns = calloc(t->blocks, sizeof *t->block_ns);
  t->round_ns = calloc(rounds, sizeof *t->round_ns);
  return t->block_ns && t->round_ns;
}

/* In turns, so that what else the machine does meets all of them alike. */
static ct_result time_in_turns(const bench_works *works, const bench_plan *plan, timing *timings,
                               uint32_t rounds, bench_result *results, ct_error *error) {
  cli_progress progress = cli_progress_start();
  ct_result result = CT_OK;
  for (uint32_t round = 0; round < rounds && result == CT_OK; round++)
    for (uint32_t i = 0; i < works->count && result == CT_OK; i++) {
      cli_progress_show(&progress, works->items[i].name,
                        (double)(round * works->count + i) / (rounds * works->count));
      result = time_round(&works->items[i], plan->rate_hz, &timings[i], round, &results[i].facts, error);
    }
  cli_progress_clear(&progress);
  return result;
}

static ct_result time_with(const bench_works *works, const bench_plan *plan, timing *timings,
                           bench_report *report, ct_error *error) {
  uint32_t rounds = plan->quick ? 2 : 7;
  for (uint32_t i = 0; i < works->count; i++)
    if (!make_room(&timings[i], &works->items[i], plan, rounds))
      return ct_fail(error, CT_NO_MEMORY, "no memory");
  ct_result result = time_in_turns(works, plan, timings, rounds, report->results, error);
  for (uint32_t i = 0; i < works->count && result == CT_OK; i++) {
    report->results[i].work = &works->items[i];
    report->results[i].speed = speed_of(&timings[i], rounds);
    report->results[i].old_ns = report->results[i].old_bytes = NAN;
  }
  return result;
}

ct_result bench_time_all(const bench_works *works, const bench_plan *plan, bench_report *report,
                         ct_error *error) {
  timing *timings = calloc(works->count, sizeof *timings);
  report->results = calloc(works->count, sizeof *report->results);
  report->count = works->count;
  ct_result result = timings && report->results ? time_with(works, plan, timings, report, error)
                                                : ct_fail(error, CT_NO_MEMORY, "no memory");
  for (uint32_t i = 0; i < works->count && timings; i++) {
    free(timings[i].block_ns);
    free(timings[i].round_ns);
  }
  free(timings);
  return result;
}
