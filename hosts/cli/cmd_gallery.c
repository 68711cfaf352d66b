/* contatto gallery: every built-in scene to a WAV file with a picture beside it, and a table of what came
 * out. */
#include "base/text.h"
#include "file/load.h"
#include "picture/picture.h"
#include "file/render.h"
#include "file/wav.h"
#include "hosts/cli/cli.h"
#include <contatto/measure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gallery {
  const char *folder;
  bool presets_too, pictures;
  uint32_t done, total;
  cli_progress progress;
  cli_warnings warnings;
} gallery;

/* One sound on its way. */
typedef struct piece {
  const char *scene, *preset; /* preset null: the scene as it is */
  char label[2 * CT_NAME_MAX];
  double *woven, *mono;
  size_t frames;
  uint32_t channels;
  double rate_hz, took_s;
  ct_ledger ledger;
} piece;

/* ---- names ---- */

static char *name_in(const gallery *g, const piece *p, const char *ending) {
  size_t room = strlen(g->folder) + sizeof p->label + 8;
  char *name = malloc(room);
  if (name)
    snprintf(name, room, "%s/%s%s", g->folder, p->label, ending);
  return name;
}

static void label(piece *p) {
  snprintf(p->label, sizeof p->label, "%s%s%s", p->scene, p->preset ? "-" : "", p->preset ? p->preset : "");
}

/* ---- one piece ---- */

static ct_result make_room(piece *p, const ct_render *r, ct_error *error) {
  p->frames = (size_t)ct_render_frames(r);
  p->channels = ct_render_channels(r);
  p->rate_hz = ct_scene_rate_hz(ct_render_scene(r));
  p->woven = calloc(p->frames * p->channels, sizeof *p->woven);
  p->mono = calloc(p->frames, sizeof *p->mono);
  return p->woven && p->mono ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory for %.48s", p->label);
}

static void take_block(piece *p, const ct_render_block *b) {
  for (uint32_t n = 0; n < b->frames; n++)
    for (uint32_t c = 0; c < p->channels; c++) {
      double sample = (double)b->outputs[c][n];
      p->woven[(b->start + n) * p->channels + c] = sample;
      p->mono[b->start + n] += sample / p->channels;
    }
}

static ct_result play(gallery *g, piece *p, ct_render *r, ct_wav *wav, ct_error *error) {
  ct_render_block block = {.frames = 1};
  ct_result result = CT_OK;
  while (result == CT_OK && block.frames) {
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    result = ct_render_next(r, &block, error);
    p->took_s += cli_seconds_since(&start);
    if (result == CT_OK)
      result = ct_wav_write(wav, block.outputs, block.frames, error);
    if (result == CT_OK)
      take_block(p, &block);
    double part = (double)block.start / (double)p->frames;
    cli_progress_show(&g->progress, p->label, (g->done + 0.8 * part) / g->total);
  }
  p->ledger = ct_scene_ledger(ct_render_scene(r));
  return result == CT_OK ? ct_scene_judge(ct_render_scene(r), error) : result;
}

static ct_result render_to(gallery *g, piece *p, ct_render *r, const char *file, ct_error *error) {
  ct_wav *wav = NULL;
  ct_result result = make_room(p, r, error);
  if (result == CT_OK)
    result = ct_wav_open(file, p->rate_hz, p->channels, false, p->frames, &wav, error);
  if (result == CT_OK)
    result = play(g, p, r, wav, error);
  return ct_wav_finish(wav, result, error);
}

static ct_result render_piece(gallery *g, piece *p, ct_doc *doc, ct_error *error) {
  ct_render_def def = {.seed = 1, .ledger = true, .warn = cli_warn, .warn_context = &g->warnings};
  ct_render *r = NULL;
  char *file = name_in(g, p, ".wav");
  ct_result result = file ? ct_render_open(doc, &def, &r, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  if (result == CT_OK)
    result = render_to(g, p, r, file, error);
  ct_render_close(r);
  free(file);
  return result;
}

static ct_result draw(const gallery *g, const piece *p, const ct_doc *doc, ct_error *error) {
  char title[CT_TEXT_MAX];
  snprintf(title, sizeof title, "%s%s%s", ct_doc_title(doc), p->preset ? ": " : "",
           p->preset ? p->preset : "");
  char *file = name_in(g, p, ".png");
  if (!file)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  ct_result result = ct_picture_draw(file, title, p->mono, p->frames, p->rate_hz, error);
  free(file);
  return result;
}

static void show_row(const piece *p) {
  ct_measured_loudness loud = ct_measure_loudness(p->woven, p->frames, p->channels, p->rate_hz);
  ct_measured_peak pitch =
      ct_measure_strongest_partial(p->mono, p->frames, p->rate_hz, 20, fmin(20000, p->rate_hz / 2));
  double closing = p->ledger.scale_j > 0 ? fabs(p->ledger.error_j) / p->ledger.scale_j : 0;
  double seconds = (double)p->frames / p->rate_hz;
  printf("%-10s %-12s %7.1f %9.1f %10.2f %11.1e %8.2f %10.0f\n", p->scene, p->preset ? p->preset : "-",
         loud.integrated_lufs, loud.true_peak_db, pitch.hz, closing, seconds, seconds / p->took_s);
  fflush(stdout);
}

/* ---- all of them ---- */

static ct_result do_piece(gallery *g, const char *scene, const char *preset, ct_error *error) {
  piece p = {.scene = scene, .preset = preset};
  ct_doc *doc = NULL;
  label(&p);
  ct_result result = ct_doc_load(scene, &doc, error);
  if (result == CT_OK && preset)
    result = ct_doc_apply_preset(doc, preset, error);
  if (result == CT_OK)
    result = render_piece(g, &p, doc, error);
  if (result == CT_NOT_FINITE || result == CT_BROKEN) {
    ct_error said = *error;
    ct_fail(error, result, "%s: %.200s", p.label, said.text);
  }
  if (result == CT_OK && g->pictures)
    result = draw(g, &p, doc, error);
  cli_progress_clear(&g->progress);
  if (result == CT_OK)
    show_row(&p);
  free(p.woven);
  free(p.mono);
  ct_doc_destroy(doc);
  g->done++;
  return result;
}

static uint32_t presets_of(const gallery *g, const ct_doc *doc) {
  return g->presets_too ? ct_doc_preset_count(doc) : 0;
}

static ct_result do_scene(gallery *g, const char *scene, ct_error *error) {
  ct_doc *names;
  ct_result result = ct_doc_load(scene, &names, error);
  if (result != CT_OK)
    return result;
  result = do_piece(g, scene, NULL, error);
  for (uint32_t i = 0; i < presets_of(g, names) && result == CT_OK; i++)
    result = do_piece(g, scene, ct_doc_preset_name(names, i), error);
  ct_doc_destroy(names);
  return result;
}

/* Counts a piece and claims its files: none may lead to another one's. */
static ct_result announce_piece(gallery *g, const char *scene, const char *preset, ct_claims *claims,
                                ct_error *error) {
  static const char *const endings[] = {".wav", ".png"};
  piece p = {.scene = scene, .preset = preset};
  ct_result result = CT_OK;
  label(&p);
  g->total++;
  for (int i = 0; i < 2 && result == CT_OK; i++) {
    char *file = name_in(g, &p, endings[i]);
    result = file ? ct_claims_write(claims, file, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
    free(file);
  }
  return result;
}

static ct_result announce_scene(gallery *g, const char *scene, ct_claims *claims, ct_error *error) {
  ct_doc *doc;
  ct_result result = ct_doc_load(scene, &doc, error);
  if (result != CT_OK)
    return result;
  result = announce_piece(g, scene, NULL, claims, error);
  for (uint32_t i = 0; i < presets_of(g, doc) && result == CT_OK; i++)
    result = announce_piece(g, scene, ct_doc_preset_name(doc, i), claims, error);
  ct_doc_destroy(doc);
  return result;
}

static ct_result announce_all(gallery *g, ct_error *error) {
  ct_claims claims = {0};
  ct_result result = CT_OK;
  for (size_t i = 0; i < ct_builtin_scene_count && result == CT_OK; i++)
    result = announce_scene(g, ct_builtin_scenes[i].name, &claims, error);
  ct_claims_free(&claims);
  return result;
}

static ct_result do_all(gallery *g, ct_error *error) {
  ct_result result = ct_place_make_folders(g->folder, error);
  if (result == CT_OK)
    result = announce_all(g, error);
  if (result != CT_OK)
    return result;
  g->pictures = ct_picture_possible();
  if (!g->pictures)
    cli_warn(&g->warnings, "no pictures: gnuplot is not installed");
  printf("%-10s %-12s %7s %9s %10s %11s %8s %10s\n", "scene", "preset", "LUFS", "peak dB", "pitch Hz",
         "energy err", "seconds", "x real time");
  for (size_t i = 0; i < ct_builtin_scene_count && result == CT_OK; i++)
    result = do_scene(g, ct_builtin_scenes[i].name, error);
  return result;
}

int cmd_gallery(int argc, char **argv) {
  gallery g = {.folder = "out", .progress = cli_progress_start()};
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &g.folder, "DIR", "where the files go; default: out", 0, 0},
      {"preset-all", 0, CLI_FLAG, &g.presets_too, NULL, "every preset of every scene as well", 0, 0},
  };
  const cli_command command = {
      "gallery",
      "[--out DIR] [--preset-all]",
      "Renders every built-in scene to DIR/NAME.wav with a picture DIR/NAME.png, and prints loudness, true "
      "peak, strongest\n"
      "partial, the energy account's closing error, and the speed (with the account kept, which costs time).",
      options,
      2,
      0,
      0};
  ct_error error = {.text = ""};
  int code;
  if (!cli_parse(&command, argc, argv, NULL, &code))
    return code;
  if (do_all(&g, &error) == CT_OK) {
    printf("%u sounds in %s/\n", g.done, g.folder);
    return CLI_OK;
  }
  cli_progress_clear(&g.progress);
  return cli_fail("gallery", "%s", error.text);
}
