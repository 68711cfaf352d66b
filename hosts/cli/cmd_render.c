/* contatto render: a scene to sound, motion and energy. Files appear all together at the end, or not at all;
 * but when the scene stops being finite or its energy account is broken, the tables are kept: they show how
 * it came to that. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "file/table.h"
#include "file/wav.h"
#include "hosts/cli/cli.h"
#include "hosts/cli/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  /* asked for */
  const char *scene, *out, *preset, *gesture_file, *motion_file, *energy_file;
  double seconds, rate_hz;
  uint64_t seed;
  bool raw, strict, ledger;
  cli_list sets, motion_of;
  /* made on the way */
  cli_warnings warnings;
  ct_claims claims;
  ct_doc *doc;
  ct_gesture *gesture;
  ct_render *render;
  cli_columns columns; /* motion first, then energy */
  uint32_t motion_count;
  ct_wav *wav;
  ct_table *motion, *energy;
  double *row;
  ct_result verdict; /* CT_OK, or how the scene broke its promise */
} job;

/* ---- the scene ---- */

static ct_result load(job *j, ct_error *error) {
  ct_result result = ct_claims_read(&j->claims, j->gesture_file, error);
  if (result == CT_OK)
    result = cli_load(j->scene, j->preset, &j->sets, &j->claims, &j->doc, error);
  if (result == CT_OK && j->gesture_file)
    result = ct_gesture_read(j->gesture_file, &j->gesture, error);
  return result;
}

/* No output is another output, or an input. */
static ct_result claim_outputs(job *j, ct_error *error) {
  ct_result result = ct_claims_write(&j->claims, j->out, error);
  if (result == CT_OK)
    result = ct_claims_write(&j->claims, j->motion_file, error);
  return result == CT_OK ? ct_claims_write(&j->claims, j->energy_file, error) : result;
}

static ct_result open_render(job *j, ct_error *error) {
  j->warnings.strict = j->strict;
  ct_render_def def = {.rate_hz = j->rate_hz,
                       .seconds = j->seconds,
                       .seed = j->seed,
                       .ledger = j->ledger || j->energy_file,
                       .raw = j->raw,
                       .gesture = j->gesture,
                       .gesture_name = j->gesture_file,
                       .scene_name = j->scene,
                       .warn = cli_warn,
                       .warn_context = &j->warnings};
  return ct_render_open(j->doc, &def, &j->render, error);
}

/* What there is to read is known once the scene is built. */
static ct_result choose_columns(job *j, ct_error *error) {
  const ct_scene *scene = ct_render_scene(j->render);
  ct_result result = CT_OK;
  if (j->motion_file)
    result = cli_columns_add_motion(&j->columns, scene, &j->motion_of, error);
  j->motion_count = j->columns.count;
  if (result == CT_OK && j->energy_file)
    result = cli_columns_add_energy(&j->columns, error);
  if (result == CT_OK && !(j->row = calloc((size_t)j->columns.count + 1, sizeof *j->row)))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for the tables");
  return result == CT_OK ? ct_render_tap(j->render, j->columns.paths, j->columns.count, error) : result;
}

static ct_result check_warnings(const job *j, ct_error *error) {
  if (!j->strict || !j->warnings.count)
    return CT_OK;
  return ct_fail(error, CT_BAD_SCENE, "%.280s (--strict)", j->warnings.first);
}

/* ---- the files ---- */

static ct_result open_table(const char *file, const cli_columns *columns, uint32_t from, uint32_t to,
                            ct_table **table, ct_error *error) {
  if (!file)
    return CT_OK;
  const char **names = calloc((size_t)(to - from) + 1, sizeof *names);
  if (!names)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the tables");
  names[0] = "time_s";
  for (uint32_t i = from; i < to; i++)
    names[1 + i - from] = columns->names[i];
  ct_result result = ct_table_open(file, names, to - from + 1, table, error);
  free(names);
  return result;
}

static ct_result open_files(job *j, ct_error *error) {
  ct_result result = CT_OK;
  if (j->out)
    result = ct_wav_open(j->out, ct_scene_rate_hz(ct_render_scene(j->render)), ct_render_channels(j->render),
                         j->raw, ct_render_frames(j->render), &j->wav, error);
  if (result == CT_OK)
    result = open_table(j->motion_file, &j->columns, 0, j->motion_count, &j->motion, error);
  if (result == CT_OK)
    result = open_table(j->energy_file, &j->columns, j->motion_count, j->columns.count, &j->energy, error);
  return result;
}

static ct_result write_rows(job *j, ct_table *table, const ct_render_block *b, uint32_t from, uint32_t to,
                            ct_error *error) {
  ct_result result = CT_OK;
  double rate_hz = ct_scene_rate_hz(ct_render_scene(j->render));
  for (uint32_t n = 0; table && n < b->frames && result == CT_OK; n++) {
    j->row[0] = (double)(b->start + n) / rate_hz;
    for (uint32_t i = from; i < to; i++)
      j->row[1 + i - from] = b->taps[i][n];
    result = ct_table_write(table, j->row, error);
  }
  return result;
}

static ct_result write_block(job *j, const ct_render_block *b, ct_error *error) {
  ct_result result = CT_OK;
  if (j->wav)
    result = j->raw ? ct_wav_write_wide(j->wav, b->raw, b->frames, error)
                    : ct_wav_write(j->wav, b->outputs, b->frames, error);
  if (result == CT_OK)
    result = write_rows(j, j->motion, b, 0, j->motion_count, error);
  if (result == CT_OK)
    result = write_rows(j, j->energy, b, j->motion_count, j->columns.count, error);
  return result;
}

/* A scene that broke its promise leaves no sound. */
static void judge(job *j, ct_error *error) {
  j->verdict = ct_scene_judge(ct_render_scene(j->render), error);
  if (j->verdict == CT_OK)
    return;
  ct_wav_drop(j->wav);
  j->wav = NULL;
}

/* First everything is complete, then everything takes its place. */
static ct_result keep_files(job *j, ct_error *error) {
  ct_result result = j->wav ? ct_wav_close(j->wav, error) : CT_OK;
  if (result == CT_OK && j->motion)
    result = ct_table_close(j->motion, error);
  if (result == CT_OK && j->energy)
    result = ct_table_close(j->energy, error);
  ct_staged *const files[] = {ct_wav_staged(j->wav), ct_table_staged(j->motion), ct_table_staged(j->energy)};
  return result == CT_OK ? ct_staged_keep_all(files, sizeof files / sizeof files[0], error) : result;
}

/* ---- the run ---- */

static ct_result play(job *j, ct_error *error) {
  cli_progress progress = cli_progress_start();
  ct_render_block block = {.frames = 1};
  ct_result result = CT_OK;
  while (result == CT_OK && block.frames) {
    result = ct_render_next(j->render, &block, error);
    bool finite = result != CT_NOT_FINITE;
    if (result == CT_OK || !finite)
      result = write_block(j, &block, error);
    if (!finite)
      break;
    cli_progress_show(&progress, j->scene, (double)block.start / (double)ct_render_frames(j->render));
  }
  cli_progress_clear(&progress);
  return result;
}

/* What went wrong without stopping the sound. */
static void warn_of_losses(job *j) {
  ct_counters counters = ct_scene_counters(ct_render_scene(j->render));
  char line[CT_TEXT_MAX];
  if (counters.dropped_messages == 0)
    return;
  snprintf(line, sizeof line,
           "%llu changes were dropped: the gesture moves more at once than the scene has room for",
           (unsigned long long)counters.dropped_messages);
  cli_warn(&j->warnings, line);
}

static ct_result work(job *j, ct_error *error) {
  ct_result result = load(j, error);
  if (result == CT_OK)
    result = open_render(j, error);
  if (result == CT_OK)
    result = choose_columns(j, error);
  if (result == CT_OK)
    result = check_warnings(j, error);
  if (result == CT_OK)
    result = open_files(j, error);
  if (result == CT_OK)
    result = play(j, error);
  if (result == CT_OK) {
    warn_of_losses(j);
    result = check_warnings(j, error);
  }
  if (result == CT_OK)
    judge(j, error);
  return result == CT_OK ? keep_files(j, error) : result;
}

static void show_ledger(const job *j) {
  ct_ledger l = ct_scene_ledger(ct_render_scene(j->render));
  char share[48] = "";
  if (isfinite(l.error_j) && isfinite(l.scale_j))
    snprintf(share, sizeof share, " (%.2g of all that moved)",
             l.scale_j > 0 ? fabs(l.error_j) / l.scale_j : 0);
  printf("energy, J\n  stored now        %.9g\n  work of forces    %.9g\n  work of motion    %.9g\n"
         "  parameter changes %.9g\n  noise             %.9g\n  lost in bodies    %.9g\n  lost in contacts  "
         "%.9g\n"
         "  closing error     %.3g%s\n  rounding allows   %.3g\n  account           %s\n",
         l.stored_j, l.force_j, l.motion_j, l.parameter_j, l.noise_j, l.lost_bodies_j, l.lost_contacts_j,
         l.error_j, share, l.allowance_j, ct_ledger_kept(&l) ? "kept" : "broken");
}

static void clean_up(job *j) {
  ct_wav_drop(j->wav);
  ct_table_drop(j->motion);
  ct_table_drop(j->energy);
  ct_render_close(j->render);
  ct_gesture_free(j->gesture);
  ct_doc_destroy(j->doc);
  ct_claims_free(&j->claims);
  cli_columns_free(&j->columns);
  free(j->row);
  free(j->sets.items);
  free(j->motion_of.items);
}

static int check(job *j) {
  ct_error error = {.text = ""};
  if (!j->out && !j->motion_file && !j->energy_file && !j->ledger)
    return cli_misuse("render", "nothing to write: wants -o FILE.wav, --motion, --energy or --ledger");
  if (j->motion_of.count && !j->motion_file)
    return cli_misuse("render", "--motion-of chooses columns of --motion FILE, which is missing");
  if (claim_outputs(j, &error) != CT_OK)
    return cli_misuse("render", "%s", error.text);
  return cli_check_sets("render", &j->sets);
}

static bool parse(job *j, int argc, char **argv, int *code) {
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &j->out, "FILE.wav", "where the sound goes: 32-bit float, 1.0 is full scale",
       0, 0},
      {"seconds", 's', CLI_NUMBER, &j->seconds, "S", "how long; default: as the scene says", 1e-6, 86400},
      {"rate", 'r', CLI_NUMBER, &j->rate_hz, "HZ", "samples per second; default 48000", 8000, 384000},
      {"preset", 'p', CLI_TEXT, &j->preset, "NAME", "one of the scene's presets", 0, 0},
      {"set", 0, CLI_LIST, &j->sets, "PATH=VALUE", "change a control or parameter; may be repeated", 0, 0},
      {"gesture", 'g', CLI_TEXT, &j->gesture_file, "FILE.csv",
       "play this: time_s and a column per control or path", 0, 0},
      {"motion", 0, CLI_OUTPUT, &j->motion_file, "FILE",
       "the state of all parts at every sample (.csv or .npy)", 0, 0},
      {"motion-of", 0, CLI_LIST, &j->motion_of, "PATTERN",
       "only columns whose path matches: 'rub.*', '*.x_m'; may be repeated", 0, 0},
      {"energy", 0, CLI_OUTPUT, &j->energy_file, "FILE", "the energy account (.csv or .npy)", 0, 0},
      {"seed", 0, CLI_COUNT, &j->seed, "N", "for everything random; default 1", 0, 0},
      {"raw", 0, CLI_FLAG, &j->raw, NULL, "64-bit float in SI units: no full scale, no DC blocker", 0, 0},
      {"strict", 0, CLI_FLAG, &j->strict, NULL, "a warning is an error", 0, 0},
      {"ledger", 0, CLI_FLAG, &j->ledger, NULL,
       "print the energy account at the end, and whether it was kept", 0, 0},
  };
  const cli_command command = {"render",
                               "SCENE -o FILE.wav [OPTION]...",
                               "Renders SCENE, a built-in name (see 'contatto list') or a JSON file, playing "
                               "its demo gesture unless another is given.",
                               options,
                               sizeof options / sizeof options[0],
                               1,
                               1};
  return cli_parse(&command, argc, argv, &j->scene, code);
}

int cmd_render(int argc, char **argv) {
  job j = {.rate_hz = 48000, .seed = 1};
  ct_error error = {.text = ""};
  int code;
  if (parse(&j, argc, argv, &code) && (code = check(&j)) == CLI_OK) {
    ct_result result = work(&j, &error);
    if (result != CT_OK)
      code = cli_fail("render", "%s", error.text);
    else if (j.ledger)
      show_ledger(&j);
    if (result == CT_OK && j.verdict != CT_OK)
      code =
          cli_fail("render", "%.100s: %.200s%s", j.scene, error.text, j.out ? "; no sound was written" : "");
  }
  clean_up(&j);
  return code;
}
