/* contatto bench: nanoseconds per sample of every built-in scene, of struck bodies of growing size, of a
 * marble at rest and rolling, of a bowed string, and of action sources. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "hosts/cli/bench.h"
#include "hosts/cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { SIZES = 5, LAWS = 2, MARBLES = 3, PITCHES = 3 };
static const uint32_t sizes[SIZES] = {3, 8, 32, 128, 512};
static const double pitches_hz[PITCHES] = {1, 50, 1000};
/* The Sound Design Toolkit, touching, on a 2.3 GHz Xeon: for orientation. */
static const double sdt_ns[SIZES] = {140, 414, 1323, 2862, 19883}, sdt_rolling_ns = 168; /* three modes */

typedef struct bench_scene {
  bench_speed speed;
  double evaluations, touching, most_substeps; /* touching: share of the samples */
  size_t bytes;
} bench_scene;

/* `marble` on a board of fewer modes: at rest, and its demo on a board planed so well that the marble seldom
 * leaves it. */
typedef struct bench_marble {
  uint32_t modes;
  bool rolls;
  bench_scene scene;
} bench_marble;

typedef struct bench {
  bool quick, json;
  char cpu[128];
  double peak_gflops;
  const char *peak_with;
  bench_scene *scenes;              /* one per built-in */
  bench_body bodies[2][SIZES];      /* touching, ringing */
  bench_marble marbles[2][MARBLES]; /* at rest, rolling */
  bench_string strings[LAWS];
  bench_source sources[2][PITCHES]; /* the sum alone, the whole source */
} bench;

/* ---- scenes ---- */

/* A document to be played for so long, over and over. */
typedef struct playing {
  ct_doc *doc;
  double seconds;
  const ct_gesture *gesture; /* null: its own */
  double warm_s;             /* played before it counts */
  bench_scene *out;
} playing;

static ct_result warm_up(const playing *p, ct_render *r, ct_counters *before, ct_error *error) {
  ct_render_block block = {.frames = 1};
  ct_result result = CT_OK;
  for (double left = p->warm_s * BENCH_RATE_HZ; left > 0 && result == CT_OK; left -= BENCH_BLOCK)
    result = ct_render_next(r, &block, error);
  *before = ct_scene_counters(ct_render_scene(r));
  return result;
}

static ct_result scene_round(void *what, bench_timing *timing, ct_error *error) {
  const playing *p = what;
  bench_scene *out = p->out;
  ct_render_def def = {.rate_hz = BENCH_RATE_HZ,
                       .seconds = p->warm_s + p->seconds,
                       .seed = 1,
                       .block_frames = BENCH_BLOCK,
                       .gesture = p->gesture};
  ct_render_block block = {.frames = 1};
  ct_counters before = {0};
  ct_render *r = NULL;
  ct_result result = ct_render_open(p->doc, &def, &r, error);
  if (result == CT_OK)
    result = warm_up(p, r, &before, error);
  for (uint32_t b = 0; result == CT_OK && b < timing->blocks; b++) {
    double start = bench_now_ns();
    result = ct_render_next(r, &block, error);
    bench_timing_add(timing, b, bench_now_ns() - start);
  }
  if (result == CT_OK) {
    ct_counters c = ct_scene_counters(ct_render_scene(r));
    double steps = (double)(c.steps - before.steps);
    out->evaluations = (double)(c.evaluations - before.evaluations) / steps;
    out->touching = (double)(c.solves - before.solves) / steps;
    out->most_substeps = c.most_substeps;
    out->bytes = ct_scene_bytes(ct_render_scene(r));
  }
  ct_render_close(r);
  return result;
}

static ct_result run_doc(const bench *b, ct_doc *doc, bench_scene *out, ct_error *error) {
  double seconds = b->quick ? fmin(1, ct_doc_seconds(doc)) : ct_doc_seconds(doc);
  uint32_t blocks = (uint32_t)fmax(1, seconds * BENCH_RATE_HZ / BENCH_BLOCK);
  playing p = {.doc = doc, .seconds = seconds, .out = out};
  return bench_rounds(blocks, b->quick ? 2 : 5, scene_round, &p, &out->speed, error);
}

static ct_result run_scene(const bench *b, const char *name, bench_scene *out, ct_error *error) {
  ct_doc *doc = NULL;
  ct_result result = ct_doc_load(name, &doc, error);
  if (result == CT_OK)
    result = run_doc(b, doc, out, error);
  ct_doc_destroy(doc);
  return result;
}

/* At rest: nobody throws it, and what it was set down with has died away. */
static ct_result run_resting(const bench *b, ct_doc *doc, bench_scene *out, ct_error *error) {
  static const ct_gesture none;
  playing p = {.doc = doc, .seconds = 1, .gesture = &none, .warm_s = 2, .out = out};
  return bench_rounds((uint32_t)(BENCH_RATE_HZ / BENCH_BLOCK), b->quick ? 2 : 5, scene_round, &p, &out->speed,
                      error);
}

static ct_result run_marble(const bench *b, bench_marble *m, ct_error *error) {
  ct_doc *doc = NULL;
  ct_result result = ct_doc_load("marble", &doc, error);
  if (result == CT_OK)
    result = ct_doc_set_number(doc, "board.modes.count", m->modes, error);
  if (result == CT_OK && m->rolls)
    result = ct_doc_set_number(doc, "roughness", 1e-7, error);
  if (result == CT_OK)
    result = m->rolls ? run_doc(b, doc, &m->scene, error) : run_resting(b, doc, &m->scene, error);
  ct_doc_destroy(doc);
  return result;
}

/* ---- bodies ---- */

static ct_result run_body(const bench *b, bench_body *body, ct_error *error) {
  uint32_t blocks = b->quick ? 150 : 750, rounds = b->quick ? 3 : 9;
  ct_result result = bench_body_run(body, blocks, rounds, error);
  double operations = body->modes * (body->touching ? BENCH_OPERATIONS_TOUCHING : BENCH_OPERATIONS_RINGING);
  body->share_of_peak = operations / body->speed.best_ns / b->peak_gflops;
  return result;
}

static ct_result run_all(bench *b, ct_error *error) {
  cli_progress progress = cli_progress_start();
  ct_result result = CT_OK;
  double total = (double)ct_builtin_scene_count + 2 * SIZES + 2 * MARBLES + LAWS + 2 * PITCHES, done = 0;
  for (size_t i = 0; i < ct_builtin_scene_count && result == CT_OK; i++) {
    cli_progress_show(&progress, ct_builtin_scenes[i].name, done++ / total);
    result = run_scene(b, ct_builtin_scenes[i].name, &b->scenes[i], error);
  }
  for (uint32_t k = 0; k < 2 * SIZES && result == CT_OK; k++) {
    cli_progress_show(&progress, "struck body", done++ / total);
    bench_body *body = &b->bodies[k / SIZES][k % SIZES];
    *body = (bench_body){.modes = sizes[k % SIZES], .touching = k < SIZES};
    result = run_body(b, body, error);
  }
  for (uint32_t k = 0; k < 2 * MARBLES && result == CT_OK; k++) {
    cli_progress_show(&progress, "marble", done++ / total);
    bench_marble *marble = &b->marbles[k / MARBLES][k % MARBLES];
    *marble = (bench_marble){.modes = sizes[k % MARBLES], .rolls = k >= MARBLES};
    result = run_marble(b, marble, error);
  }
  for (uint32_t k = 0; k < LAWS && result == CT_OK; k++) {
    cli_progress_show(&progress, "bowed string", done++ / total);
    b->strings[k].law = k ? CT_THERMAL : CT_ELASTO_PLASTIC;
    result = bench_string_run(&b->strings[k], b->quick ? 400 : 1500, b->quick ? 3 : 9, error);
  }
  for (uint32_t k = 0; k < 2 * PITCHES && result == CT_OK; k++) {
    cli_progress_show(&progress, "action source", done++ / total);
    bench_source *source = &b->sources[k / PITCHES][k % PITCHES];
    *source = (bench_source){.hz = pitches_hz[k % PITCHES], .whole = k >= PITCHES};
    result = bench_source_run(source, b->quick ? 400 : 1500, b->quick ? 3 : 9, error);
  }
  cli_progress_clear(&progress);
  return result;
}

/* ---- as a table ---- */

static void show_scenes(const bench *b) {
  printf("\ndemo of each scene     best ns  median ns  slowest block  x real time  evaluations  substeps    "
         "memory\n");
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    const bench_scene *s = &b->scenes[i];
    printf("  %-18s %9.1f  %9.1f  %13.1f  %11.0f  %11.2f  %8.0f  %5.0f kB\n", ct_builtin_scenes[i].name,
           s->speed.best_ns, s->speed.median_ns, s->speed.slowest_ns, 1e9 / BENCH_RATE_HZ / s->speed.best_ns,
           s->evaluations, s->most_substeps, (double)s->bytes / 1024);
  }
}

static void show_bodies(const bench *b, int ringing) {
  printf("\n%s  best ns  median ns  slowest block  plain C ns  faster by  of peak  evaluations    memory%s\n",
         ringing ? "ringing, modes " : "touching, modes", ringing ? "" : "    SDT ns");
  for (int i = 0; i < SIZES; i++) {
    const bench_body *d = &b->bodies[ringing][i];
    printf("  %13u  %7.1f  %9.1f  %13.1f  %10.1f  %9.1f  %5.0f %%  %11.2f  %5.0f kB", d->modes,
           d->speed.best_ns, d->speed.median_ns, d->speed.slowest_ns, d->reference.best_ns,
           d->reference.best_ns / d->speed.best_ns, 100 * d->share_of_peak, d->evaluations,
           (double)d->bytes / 1024);
    if (ringing)
      puts("");
    else
      printf("  %8.0f\n", sdt_ns[i]);
  }
}

static void show_marbles(const bench *b, int rolling) {
  printf("\n%s, modes  best ns  median ns  slowest block  of a core  evaluations  touching   SDT ns\n",
         rolling ? "rolling marble" : "resting marble");
  for (int i = 0; i < MARBLES; i++) {
    const bench_scene *s = &b->marbles[rolling][i].scene;
    printf("  %18u %9.1f  %9.1f  %13.1f  %7.2f %%  %11.2f  %6.0f %%", b->marbles[rolling][i].modes,
           s->speed.best_ns, s->speed.median_ns, s->speed.slowest_ns,
           100 * s->speed.best_ns * BENCH_RATE_HZ / 1e9, s->evaluations, 100 * s->touching);
    if (i == 0)
      printf("  %7.0f", sdt_rolling_ns);
    puts("");
  }
}

static const char *law_name(ct_law law) { return law == CT_THERMAL ? "thermal" : "elasto_plastic"; }

static void show_strings(const bench *b) {
  printf("\nbowed string, law      best ns  median ns  slowest block  of a core  evaluations  slips/s\n");
  for (int i = 0; i < LAWS; i++) {
    const bench_string *s = &b->strings[i];
    printf("  %-18s %9.1f  %9.1f  %13.1f  %7.2f %%  %11.2f  %7.1f\n", law_name(s->law), s->speed.best_ns,
           s->speed.median_ns, s->speed.slowest_ns, 100 * s->speed.best_ns * BENCH_RATE_HZ / 1e9, s->searches,
           s->pitch_hz);
  }
}

static void show_sources(const bench *b) {
  printf("\nall harmonics to 20 kHz   sum: best ns  median ns  slowest block   whole source: best ns  median "
         "ns\n");
  for (int i = 0; i < PITCHES; i++) {
    const bench_speed *sum = &b->sources[0][i].speed, *whole = &b->sources[1][i].speed;
    printf("  %5.0f of %4.0f Hz          %9.1f  %9.1f  %13.1f  %22.1f  %9.1f\n", 20000 / pitches_hz[i],
           pitches_hz[i], sum->best_ns, sum->median_ns, sum->slowest_ns, whole->best_ns, whole->median_ns);
  }
}

static double most_different(const bench *b) {
  double most = 0;
  for (int k = 0; k < 2 * SIZES; k++)
    most = fmax(most, b->bodies[k / SIZES][k % SIZES].difference);
  return most;
}

static void show(const bench *b) {
  printf("%s\nmultiply-add peak of one core: %.1f GFLOP/s (%s)\n", b->cpu, b->peak_gflops, b->peak_with);
  puts("ns per sample at 48 kHz; best: every 64-sample block at its shortest over the runs, and the slowest "
       "of "
       "these; median: of whole runs");
  show_scenes(b);
  show_bodies(b, 0);
  show_bodies(b, 1);
  show_marbles(b, 0);
  show_marbles(b, 1);
  show_strings(b);
  show_sources(b);
  printf("\ntouching: one step per sample, a force keeps the hammer on the body; evaluations of the contact "
         "law per sample\n"
         "of peak: %g operations per mode ringing, %g touching, against the multiply-add peak\n"
         "plain C: the same model written plainly, same compiler and flags; outputs differ by %.0e at most\n"
         "SDT: Sound Design Toolkit on a 2.3 GHz Xeon, for orientation only\n",
         BENCH_OPERATIONS_RINGING, BENCH_OPERATIONS_TOUCHING, most_different(b));
}

/* ---- as JSON ---- */

static json_t *speed_json(const bench_speed *s) {
  return json_pack("{s:f, s:f, s:f}", "best_ns", s->best_ns, "median_ns", s->median_ns, "slowest_block_ns",
                   s->slowest_ns);
}

static json_t *scene_json(const char *name, const bench_scene *s) {
  return json_pack("{s:s, s:o, s:f, s:f, s:I}", "scene", name, "speed", speed_json(&s->speed),
                   "evaluations_per_sample", s->evaluations, "most_substeps", s->most_substeps, "bytes",
                   (json_int_t)s->bytes);
}

static json_t *body_json(const bench_body *d) {
  return json_pack("{s:i, s:s, s:o, s:o, s:f, s:f, s:f, s:f, s:I}", "modes", (int)d->modes, "state",
                   d->touching ? "touching" : "ringing", "speed", speed_json(&d->speed), "plain",
                   speed_json(&d->reference), "evaluations_per_sample", d->evaluations, "solves_per_sample",
                   d->solves, "share_of_peak", d->share_of_peak, "difference_from_plain", d->difference,
                   "bytes", (json_int_t)d->bytes);
}

static json_t *string_json(const bench_string *s) {
  return json_pack("{s:s, s:o, s:f, s:f, s:f}", "law", law_name(s->law), "speed", speed_json(&s->speed),
                   "share_of_core", s->speed.best_ns * BENCH_RATE_HZ / 1e9, "friction_evaluations_per_sample",
                   s->searches, "slips_per_second", s->pitch_hz);
}

static json_t *marble_json(const bench_marble *m) {
  return json_pack("{s:i, s:s, s:o, s:f, s:f}", "modes", (int)m->modes, "state",
                   m->rolls ? "rolling" : "at rest", "speed", speed_json(&m->scene.speed),
                   "evaluations_per_sample", m->scene.evaluations, "touching_share", m->scene.touching);
}

static json_t *source_json(const bench_source *s) {
  return json_pack("{s:f, s:f, s:s, s:o}", "f0_hz", s->hz, "harmonics", 20000 / s->hz, "part",
                   s->whole ? "whole" : "sum", "speed", speed_json(&s->speed));
}

static json_t *as_json(const bench *b) {
  json_t *scenes = json_array(), *bodies = json_array(), *strings = json_array(), *marbles = json_array();
  json_t *sources = json_array();
  for (int k = 0; k < 2 * MARBLES; k++)
    json_array_append_new(marbles, marble_json(&b->marbles[k / MARBLES][k % MARBLES]));
  for (int k = 0; k < 2 * PITCHES; k++)
    json_array_append_new(sources, source_json(&b->sources[k / PITCHES][k % PITCHES]));
  for (int k = 0; k < LAWS; k++)
    json_array_append_new(strings, string_json(&b->strings[k]));
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    json_array_append_new(scenes, scene_json(ct_builtin_scenes[i].name, &b->scenes[i]));
  for (int k = 0; k < 2 * SIZES; k++)
    json_array_append_new(bodies, body_json(&b->bodies[k / SIZES][k % SIZES]));
  return json_pack("{s:s, s:s, s:f, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "version", CT_VERSION, "cpu", b->cpu,
                   "peak_gflops", b->peak_gflops, "peak_with", b->peak_with, "rate_hz", BENCH_RATE_HZ,
                   "scenes", scenes, "bodies", bodies, "marbles", marbles, "bowed_strings", strings,
                   "sources", sources);
}

int cmd_bench(int argc, char **argv) {
  bench b = {0};
  const cli_option options[] = {
      {"json", 0, CLI_FLAG, &b.json, NULL, "as JSON", 0, 0},
      {"quick", 0, CLI_FLAG, &b.quick, NULL, "shorter runs, fewer of them", 0, 0},
  };
  const cli_command command = {"bench",
                               "[--json] [--quick]",
                               "Times every built-in scene's demo, struck bodies of 3 to 512 modes beside "
                               "plain C, a marble at rest and rolling, a bowed string, and action sources.",
                               options,
                               2,
                               0,
                               0};
  ct_error error = {.text = ""};
  int code;
  if (!cli_parse(&command, argc, argv, NULL, &code))
    return code;
  b.scenes = calloc(ct_builtin_scene_count + 1, sizeof *b.scenes);
  if (!b.scenes)
    return cli_fail("bench", "no memory");
  bench_cpu_name(b.cpu, sizeof b.cpu);
  b.peak_gflops = bench_peak_gflops(&b.peak_with);
  if (run_all(&b, &error) != CT_OK)
    code = cli_fail("bench", "%s", error.text);
  else if (b.json)
    code = cli_print_json("bench", as_json(&b));
  else
    show(&b);
  free(b.scenes);
  return code;
}
