/* contatto fit: a rubbing or rolling scene's numbers, turned until it sounds as recorded. */
#include "base/text.h"
#include "file/sound.h"
#include "file/staged.h"
#include "hosts/cli/fit.h"
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double longest_s = 600; /* of a recording */

typedef struct job {
  /* asked for */
  const char *words[CT_FITTED_MOST];
  const char *scene, *out, *preset, *state, *plot;
  cli_list sets, free_texts, known_texts, predict;
  double seconds;
  uint64_t seed, points, jobs;
  bool calibrated, compare, json;
  /* made on the way */
  char *free_text; /* all of --free, cut at commas */
  const char *free_paths[CT_KNOBS_MOST];
  uint32_t free_count;
  ct_recorded sounds[CT_FITTED_MOST];
  ct_match_recording recordings[CT_FITTED_MOST];
  ct_claims claims;
  ct_doc *doc;
  ct_match_def def;
  ct_match_found found;
  cli_progress progress;
} job;

/* ---- asking ---- */

static int take_files(job *j) {
  uint32_t words = 0;
  ct_error error = {.text = ""};
  ct_result result = CT_OK;
  while (words < CT_FITTED_MOST && j->words[words])
    words++;
  if (!j->scene)
    return cli_misuse("fit", "which scene? wants --scene SCENE");
  if (words + j->predict.count > CT_FITTED_MOST)
    return cli_misuse("fit", "%u recordings are too many, at most %d", words + j->predict.count,
                      CT_FITTED_MOST);
  j->def.fitted = words;
  j->def.predicted = j->predict.count;
  for (uint32_t i = 0; i < words + j->predict.count; i++) {
    j->recordings[i].name = i < words ? j->words[i] : j->predict.items[i - words];
    if (result == CT_OK && strcmp(j->recordings[i].name, "-") != 0)
      result = ct_claims_read(&j->claims, j->recordings[i].name, &error);
  }
  const char *const outputs[] = {j->out, j->plot, j->state};
  for (int i = 0; i < 3 && result == CT_OK; i++)
    result = ct_claims_write(&j->claims, outputs[i], &error);
  return result == CT_OK ? CLI_OK : cli_misuse("fit", "%s", error.text);
}

/* --free may be given several times, each with several paths. */
static int take_free(job *j) {
  size_t size = 1;
  for (uint32_t i = 0; i < j->free_texts.count; i++)
    size += strlen(j->free_texts.items[i]) + 1;
  j->free_text = calloc(size, 1);
  if (!j->free_text)
    return cli_fail("fit", "no memory");
  for (uint32_t i = 0, at = 0; i < j->free_texts.count; i++)
    at += (uint32_t)ct_format(j->free_text + at, size - at, i ? ",%s" : "%s", j->free_texts.items[i]);
  char *rest = NULL;
  for (char *path = strtok_r(j->free_text, ",", &rest); path; path = strtok_r(NULL, ",", &rest)) {
    if (j->free_count == CT_KNOBS_MOST)
      return cli_misuse("fit", "--free: more than %d numbers", CT_KNOBS_MOST);
    j->free_paths[j->free_count++] = path;
  }
  return j->free_texts.count && !j->free_count ? cli_misuse("fit", "--free names nothing") : CLI_OK;
}

static int load(job *j) {
  ct_error error = {.text = ""};
  ct_result result = cli_load(j->scene, j->preset, &j->sets, &j->claims, &j->doc, &error);
  if (result != CT_OK)
    return cli_fail("fit", "%s", error.text);
  if (ct_knobs_find(j->doc, &j->def.knobs, &error) != CT_OK)
    return cli_fail("fit", "%s: %s", j->scene, error.text);
  for (uint32_t i = 0; i < j->known_texts.count; i++)
    if (ct_knobs_take_known(j->doc, j->known_texts.items[i], j->def.fitted + j->def.predicted, &j->def.knobs,
                            &error) != CT_OK)
      return cli_misuse("fit", "--known: %s", error.text);
  if (j->free_count &&
      ct_knobs_take_free(j->doc, j->free_paths, j->free_count, &j->def.knobs, &error) != CT_OK)
    return cli_misuse("fit", "--free: %s", error.text);
  return CLI_OK;
}

static int read_files(job *j) {
  ct_error error = {.text = ""};
  for (uint32_t i = 0; i < j->def.fitted + j->def.predicted; i++) {
    ct_match_recording *to = &j->recordings[i];
    if (ct_recording_read(to->name, 0, longest_s, "a rub or a roll", &j->sounds[i], &error) != CT_OK)
      return cli_fail("fit", "%s", error.text);
    to->samples = j->sounds[i].samples;
    to->count = j->sounds[i].count;
    to->rate_hz = j->sounds[i].rate_hz;
  }
  return CLI_OK;
}

/* ---- fitting ---- */

static void show_progress(void *context, double fraction) {
  job *j = context;
  char label[80];
  double left_s = cli_seconds_since(&j->progress.start) * (1 / fmax(fraction, 1e-3) - 1);
  snprintf(label, sizeof label, "fit, at most %.0f:%02.0f left", floor(left_s / 60), fmod(left_s, 60));
  cli_progress_show(&j->progress, label, fraction);
}

static int fit(job *j) {
  ct_error error = {.text = ""};
  j->def.doc = j->doc;
  j->def.scene = j->scene;
  j->def.recordings = j->recordings;
  j->def.seconds = j->seconds;
  j->def.seed = j->seed;
  j->def.most = (uint32_t)fmin((double)j->points, 1e6);
  j->def.calibrated = j->calibrated;
  j->def.compare = j->compare;
  j->def.state = j->state;
  j->def.threads = (uint32_t)fmin((double)j->jobs, 64);
  j->def.progress = show_progress;
  j->def.context = j;
  j->progress = cli_progress_start();
  ct_result result = ct_match_run(&j->def, &j->found, &error);
  cli_progress_clear(&j->progress);
  return result == CT_OK ? CLI_OK : cli_fail("fit", "%s", error.text);
}

/* ---- writing ---- */

static ct_result write_scene(job *j, ct_error *error) {
  char *text = NULL;
  ct_result result = ct_match_scene(&j->def, &j->found, 0, &text, error);
  if (result == CT_OK)
    result = ct_staged_write_text(j->out, text, error);
  free(text);
  return result;
}

/* The first recording beside the scene. */
static ct_result draw(const job *j, ct_error *error) {
  uint32_t count;
  const ct_heard_row *rows = ct_heard_rows(j->found.kind, &count);
  const char *names[CT_HEARD_MOST];
  double off[CT_HEARD_MOST], *played = NULL;
  char title[200];
  const char *slash = strrchr(j->recordings[0].name, '/');
  snprintf(title, sizeof title, "%.80s and the scene %.80s, fitted",
           slash ? slash + 1 : j->recordings[0].name, ct_doc_title(j->doc));
  for (uint32_t i = 0; i < count; i++) {
    names[i] = rows[i].name;
    off[i] = ct_heard_off(&rows[i], j->found.recorded[0].value[i], j->found.played[0].value[i]);
  }
  ct_match_picture picture = {.title = title, .measures = names, .off = off, .measure_count = count};
  picture.recorded =
      (ct_match_sound){j->sounds[0].samples + j->found.starts[0], j->found.counts[0], j->sounds[0].rate_hz};
  ct_result result =
      ct_match_play(&j->def, &j->found, 0, &played, &picture.played.count, &picture.played.rate_hz, error);
  picture.played.samples = played;
  if (result == CT_OK)
    result = ct_match_picture_draw(j->plot, &picture, error);
  free(played);
  return result;
}

static int write_all(job *j) {
  ct_error error = {.text = ""};
  ct_result result = j->out ? write_scene(j, &error) : CT_OK;
  if (result == CT_OK && j->plot)
    result = draw(j, &error);
  return result == CT_OK ? CLI_OK : cli_fail("fit", "%s", error.text);
}

static int run(job *j) {
  int code = cli_check_sets("fit", &j->sets);
  if (code == CLI_OK)
    code = take_files(j);
  if (code == CLI_OK)
    code = take_free(j);
  if (code == CLI_OK)
    code = load(j);
  if (code == CLI_OK)
    code = read_files(j);
  if (code == CLI_OK)
    code = fit(j);
  if (code == CLI_OK)
    code = write_all(j);
  if (code == CLI_OK && j->json)
    code = cli_print_json("fit", fit_tree(&j->def, &j->found));
  else if (code == CLI_OK)
    fit_print(&j->def, &j->found);
  return code;
}

static void job_free(job *j) {
  for (int i = 0; i < CT_FITTED_MOST; i++)
    free(j->sounds[i].samples);
  free(j->sets.items);
  free(j->free_texts.items);
  free(j->known_texts.items);
  free(j->predict.items);
  free(j->free_text);
  ct_claims_free(&j->claims);
  ct_doc_destroy(j->doc);
  free(j);
}

int cmd_fit(int argc, char **argv) {
  job *j = calloc(1, sizeof *j);
  if (!j)
    return cli_fail("fit", "no memory");
  j->seconds = 2;
  j->seed = 1;
  j->points = 1500;
  const cli_option options[] = {
      {"scene", 0, CLI_TEXT, &j->scene, "SCENE", "the scene that is fitted: a name or a JSON file", 0, 0},
      {"out", 'o', CLI_OUTPUT, &j->out, "FITTED.json", "the fitted scene, for 'contatto render'", 0, 0},
      {"preset", 'p', CLI_TEXT, &j->preset, "NAME", "start from this preset", 0, 0},
      {"set", 0, CLI_LIST, &j->sets, "PATH=VALUE", "start from this value; may be repeated", 0, 0},
      {"free", 0, CLI_LIST, &j->free_texts, "PATH,...",
       "find only these; +PATH,...: besides force, speed, friction, size, roughness", 0, 0},
      {"known", 0, CLI_LIST, &j->known_texts, "PATH=V,V...",
       "known values, one for each recording; may be repeated", 0, 0},
      {"predict", 0, CLI_LIST, &j->predict, "FILE",
       "compare with this recording without fitting it; its known values come last", 0, 0},
      {"compare", 0, CLI_FLAG, &j->compare, NULL, "turn nothing, only compare", 0, 0},
      {"calibrated", 0, CLI_FLAG, &j->calibrated, NULL,
       "1.0 in the recording is the scene's full scale; default: any gain", 0, 0},
      {"seconds", 's', CLI_NUMBER, &j->seconds, "S", "compare so much of each; default 2", CT_FIT_SHORTEST_S,
       20},
      {"points", 0, CLI_COUNT, &j->points, "N", "settings tried by the global search; default 1500", 0, 0},
      {"seed", 0, CLI_COUNT, &j->seed, "N", "of the search; default 1", 0, 0},
      {"jobs", 'j', CLI_COUNT, &j->jobs, "N", "threads; default: all cores. The result is the same", 0, 0},
      {"state", 0, CLI_OUTPUT, &j->state, "FILE", "keep what was tried here, and go on from it", 0, 0},
      {"plot", 0, CLI_OUTPUT, &j->plot, "FILE.png", "a report as a picture; needs gnuplot", 0, 0},
      {"json", 0, CLI_FLAG, &j->json, NULL, "as JSON", 0, 0},
  };
  const cli_command command = {
      "fit",
      "RECORDING... --scene SCENE -o FITTED.json [OPTION]...",
      "Turns the numbers of a rubbing or rolling scene until it sounds as recorded: pitch and its wander,\n"
      "harmonics, modulation, noise, level. Says how close it came, and what the sound cannot tell apart.",
      options,
      sizeof options / sizeof options[0],
      1,
      CT_FITTED_MOST};
  int code;
  if (cli_parse(&command, argc, argv, j->words, &code))
    code = run(j);
  job_free(j);
  return code;
}
