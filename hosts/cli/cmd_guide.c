/* contatto guide: pen strokes to a sound that squeaks below the chosen fluidity and sings above it, with
 * scores and a log. Files appear all together at the end, or not at all. */
#include "base/text.h"
#include "file/load.h"
#include "file/staged.h"
#include "file/wav.h"
#include "guide/guide.h"
#include "hosts/cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  /* asked for */
  const char *strokes, *out, *log_file, *scene, *participant, *example;
  uint64_t level, seed;
  double rate_hz, pen_hz;
  cli_list sets;
  bool json;
  /* made on the way */
  ct_doc *doc;
  ct_pen_sample *samples;
  size_t count;
  ct_claims claims;
  ct_guide guide;
  ct_wav *wav;
  ct_staged *log;
  cli_warnings warnings;
} job;

/* ---- examples ---- */

static int write_example(const job *j) {
  ct_error error = {.text = ""};
  for (int e = 0; e < CT_EXAMPLES; e++) {
    if (strcmp(j->example, ct_example_name((ct_example)e)) != 0)
      continue;
    size_t count = ct_example_stroke((ct_example)e, j->pen_hz, NULL, 0);
    ct_pen_sample *samples = calloc(count, sizeof *samples);
    if (!samples)
      return cli_fail("guide", "no memory");
    ct_example_stroke((ct_example)e, j->pen_hz, samples, count);
    ct_result result = ct_strokes_write(j->out, samples, count, &error);
    free(samples);
    return result == CT_OK ? CLI_OK : cli_fail("guide", "%s", error.text);
  }
  return cli_misuse("guide", "--example: '%.40s' is not known, wants smooth, jerky or word", j->example);
}

/* ---- the log ---- */

static void level_preset(const job *j, char *preset, size_t room) {
  ct_format(preset, room, "level_%u", (unsigned)j->level);
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static void put(json_t *object, const char *key, double value) {
  json_object_set_new(object, key, number(value));
}

static json_t *scores_json(const job *j) {
  const ct_guide *g = &j->guide;
  json_t *s = json_object();
  put(s, "score", 100 * g->sung);
  put(s, "sung", g->sung);
  put(s, "fluidity_heard", g->fluidity);
  put(s, "fluidity", g->whole.fluidity);
  put(s, "log_jerk", g->whole.log_jerk);
  put(s, "arc_length", g->whole.arc_length);
  put(s, "duration_s", g->whole.duration_s);
  put(s, "drawn_s", g->drawn_s);
  put(s, "length_m", g->whole.length_m);
  put(s, "speed_m_s", g->whole.speed_m_s);
  json_object_set_new(s, "strokes", json_integer(g->whole.strokes));
  return s;
}

static json_t *sample_json(const job *j, size_t i) {
  const ct_guide_moment *m = &j->guide.moments[i];
  json_t *o = json_object();
  put(o, "time_s", j->samples[i].time_s);
  put(o, "x_m", j->samples[i].x_m);
  put(o, "y_m", j->samples[i].y_m);
  put(o, "pressure", j->samples[i].pressure);
  put(o, "speed_m_s", m->motion.speed_m_s);
  put(o, "acceleration_m_s2", m->motion.acceleration_m_s2);
  put(o, "curvature_1_m", m->motion.curvature_1_m);
  put(o, "log_jerk", m->motion.log_jerk);
  put(o, "arc_length", m->motion.arc_length);
  put(o, "fluidity", m->motion.fluidity);
  put(o, "f0_hz", m->f0_hz);
  put(o, "sings", m->sings);
  json_object_set_new(o, "region", json_string(j->guide.regions[m->region]));
  return o;
}

static json_t *event_json(const job *j, const ct_guide_event *e) {
  static const char *const kinds[] = {"pen_down", "pen_up", "region"};
  json_t *o = json_object();
  put(o, "time_s", e->time_s);
  json_object_set_new(o, "event", json_string(kinds[e->kind]));
  json_object_set_new(o, "region", json_string(j->guide.regions[e->region]));
  return o;
}

/* What the level meant: "fair: sings from a fluidity of 0.5 on". */
static const char *level_words(const job *j) {
  char preset[16];
  level_preset(j, preset, sizeof preset);
  for (uint32_t i = 0; i < ct_doc_preset_count(j->doc); i++)
    if (strcmp(ct_doc_preset_name(j->doc, i), preset) == 0)
      return ct_doc_preset_about(j->doc, i);
  return "";
}

static json_t *sets_json(const job *j) {
  json_t *sets = json_array();
  for (size_t i = 0; i < j->sets.count; i++)
    json_array_append_new(sets, json_string(j->sets.items[i]));
  return sets;
}

static json_t *summary_json(const job *j) {
  return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:o, s:I, s:f, s:f, s:o}", "contatto", CT_VERSION,
                   "strokes_file", j->strokes, "participant", j->participant, "scene", j->scene, "level",
                   (json_int_t)j->level, "level_about", level_words(j), "set", sets_json(j), "seed",
                   (json_int_t)j->seed, "rate_hz", j->rate_hz, "latency_s", j->guide.latency_s, "scores",
                   scores_json(j));
}

static json_t *log_json(const job *j) {
  json_t *log = summary_json(j), *samples = json_array(), *events = json_array();
  for (size_t i = 0; i < j->guide.event_count; i++)
    json_array_append_new(events, event_json(j, &j->guide.events[i]));
  for (size_t i = 0; i < j->count; i++)
    json_array_append_new(samples, sample_json(j, i));
  json_object_set_new(log, "events", events);
  json_object_set_new(log, "samples", samples);
  return log;
}

static ct_result write_log(job *j, ct_error *error) {
  if (!j->log_file)
    return CT_OK;
  ct_result result = ct_staged_open(j->log_file, &j->log, error);
  if (result != CT_OK)
    return result;
  json_t *log = log_json(j);
  if (!log || json_dumpf(log, ct_staged_stream(j->log), JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0)
    result = ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written", j->log_file);
  json_decref(log);
  return result == CT_OK ? ct_staged_close(j->log, error) : result;
}

/* ---- the sound ---- */

static ct_result write_sound(job *j, ct_error *error) {
  const ct_guide *g = &j->guide;
  if (!j->out)
    return CT_OK;
  ct_result result = ct_wav_open(j->out, j->rate_hz, g->channels, false, g->frames, &j->wav, error);
  if (result == CT_OK)
    result = ct_wav_write(j->wav, (const float *const *)g->sound, (uint32_t)g->frames, error);
  return result == CT_OK ? ct_wav_close(j->wav, error) : result;
}

static ct_result keep_files(job *j, ct_error *error) {
  return ct_staged_keep_all((ct_staged *const[]){ct_wav_staged(j->wav), j->log}, 2, error);
}

/* ---- the run ---- */

/* No output is the other output, or an input. */
static ct_result claim_outputs(job *j, ct_error *error) {
  ct_result result = ct_claims_write(&j->claims, j->out, error);
  return result == CT_OK ? ct_claims_write(&j->claims, j->log_file, error) : result;
}

static ct_result work(job *j, ct_error *error) {
  char preset[16];
  level_preset(j, preset, sizeof preset);
  ct_result result = ct_claims_read(&j->claims, j->strokes, error);
  if (result == CT_OK)
    result = ct_strokes_read(j->strokes, &j->samples, &j->count, error);
  if (result == CT_OK)
    result = cli_load(j->scene, preset, &j->sets, &j->claims, &j->doc, error);
  ct_guide_def def = {.doc = j->doc,
                      .scene_name = j->scene,
                      .samples = j->samples,
                      .count = j->count,
                      .rate_hz = j->rate_hz,
                      .seed = j->seed,
                      .warn = cli_warn,
                      .warn_context = &j->warnings};
  if (result == CT_OK)
    result = ct_guide_run(&def, &j->guide, error);
  if (result == CT_OK)
    result = write_sound(j, error);
  if (result == CT_OK)
    result = write_log(j, error);
  return result == CT_OK ? keep_files(j, error) : result;
}

static void show(const job *j) {
  const ct_guide *g = &j->guide;
  printf("%s: %zu samples, %u stroke%s, %.3g s, %.3g mm\n\n", j->strokes, j->count, g->whole.strokes,
         g->whole.strokes == 1 ? "" : "s", g->whole.duration_s, 1000 * g->whole.length_m);
  printf("  level                   %u\n", (unsigned)j->level);
  printf("  score                   %.1f of 100: how much of the drawing sang\n", 100 * g->sung);
  printf("  fluidity                %.3f while drawing, %.3f for whole strokes\n", g->fluidity,
         g->whole.fluidity);
  printf("  log dimensionless jerk  %.2f\n", g->whole.log_jerk);
  printf("  spectral arc length     %.2f\n", g->whole.arc_length);
  printf("  pen to sound            %.1f ms\n", 1000 * g->latency_s);
}

static void clean_up(job *j) {
  ct_wav_drop(j->wav);
  ct_staged_drop(j->log);
  ct_guide_free(&j->guide);
  ct_doc_destroy(j->doc);
  ct_claims_free(&j->claims);
  free(j->samples);
  free(j->sets.items);
}

static int check(job *j) {
  ct_error error = {.text = ""};
  if (j->example && (j->strokes || !j->out || j->scene || j->log_file))
    return cli_misuse("guide",
                      "--example NAME writes strokes: wants -o FILE.csv, no STROKES.csv, --scene or --log");
  if (!j->scene)
    j->scene = "guide";
  if (!j->example && !j->strokes)
    return cli_misuse("guide", "wants STROKES.csv, or --example NAME to make one");
  if (j->level < 1 || j->level > 5)
    return cli_misuse("guide", "--level: %u is out of range, wants 1 (easy) to 5 (hard)", (unsigned)j->level);
  if (claim_outputs(j, &error) != CT_OK)
    return cli_misuse("guide", "%s", error.text);
  return cli_check_sets("guide", &j->sets);
}

static bool parse(job *j, int argc, char **argv, int *code) {
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &j->out, "FILE.wav", "where the sound goes", 0, 0},
      {"level", 'l', CLI_COUNT, &j->level, "L", "how fluid is fluid enough: 1 (easy) to 5 (hard); default 3",
       0, 0},
      {"log", 0, CLI_OUTPUT, &j->log_file, "FILE.json",
       "samples, descriptors, events, scores, level, seed and participant", 0, 0},
      {"participant", 0, CLI_TEXT, &j->participant, "CODE", "kept in the log", 0, 0},
      {"scene", 0, CLI_TEXT, &j->scene, "SCENE",
       "another scene with presets level_1 to level_5; its first source is played", 0, 0},
      {"set", 0, CLI_LIST, &j->sets, "PATH=VALUE", "change a control or parameter; may be repeated", 0, 0},
      {"rate", 'r', CLI_NUMBER, &j->rate_hz, "HZ", "samples of sound per second; default 48000", 8000,
       384000},
      {"seed", 0, CLI_COUNT, &j->seed, "N", "for everything random; default 1", 0, 0},
      {"example", 0, CLI_TEXT, &j->example, "NAME",
       "write strokes to FILE.csv instead: smooth, jerky or word", 0, 0},
      {"pen-rate", 0, CLI_NUMBER, &j->pen_hz, "HZ", "of the example; default 120", 20, 1000},
      {"json", 0, CLI_FLAG, &j->json, NULL, "scores as JSON", 0, 0},
  };
  const cli_command command = {
      "guide",
      "STROKES.csv -o FILE.wav [OPTION]...",
      "Plays pen strokes (time_s, x_m, y_m or x_mm, y_mm, and pressure 0 to 1) as they "
      "would sound live:\nsqueaking below the level's fluidity, singing above; prints "
      "scores.",
      options,
      sizeof options / sizeof options[0],
      0,
      1};
  return cli_parse(&command, argc, argv, &j->strokes, code);
}

int cmd_guide(int argc, char **argv) {
  job j = {.rate_hz = 48000, .pen_hz = 120, .seed = 1, .level = 3, .participant = ""};
  ct_error error = {.text = ""};
  int code;
  if (parse(&j, argc, argv, &code) && (code = check(&j)) == CLI_OK) {
    if (j.example)
      code = write_example(&j);
    else if (work(&j, &error) != CT_OK)
      code = cli_fail("guide", "%s", error.text);
    else if (j.json)
      code = cli_print_json("guide", summary_json(&j));
    else
      show(&j);
  }
  clean_up(&j);
  return code;
}
