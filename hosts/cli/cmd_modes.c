/* contatto modes: recordings of a struck thing to a body that scenes can use, with a report. */
#include "base/number.h"
#include "base/text.h"
#include "file/json.h"
#include "file/sound.h"
#include "file/staged.h"
#include "file/wav.h"
#include "hosts/cli/cli.h"
#include "picture/picture.h"
#include <contatto/modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = CT_STRIKES_MOST };

static const double residual_s = 0.5; /* of a strike: what is left later is noise */
static const double longest_s = 120;  /* of a recording */

typedef struct job {
  /* asked for */
  const char *words[FILES_MOST];
  cli_list place_texts;
  const char *out, *plot, *residual, *wav, *band;
  uint64_t most;
  double mass_kg, hammer_mass_kg, thump_s;
  bool json;
  /* made on the way */
  ct_recording recordings[FILES_MOST];
  double *samples[FILES_MOST];
  const char *files[FILES_MOST];
  char *places[FILES_MOST];
  uint32_t file_count, place_count;
  ct_claims claims;
  ct_modes_def def;
  ct_found_modes *found;
  ct_doc *doc;
  cli_progress progress;
  double distance_db, over_noise_db;
  double thumps_s[FILES_MOST]; /* of each place */
} job;

/* ---- asking ---- */

static bool frequency(const char *text, char end_mark, const char **rest, double *number) {
  size_t used = ct_number_read(text, strlen(text), number);
  *rest = text + used + 1;
  return used && text[used] == end_mark && isfinite(*number) && *number > 0;
}

static int take_band(job *j) {
  const char *rest;
  if (j->band && (!frequency(j->band, ':', &rest, &j->def.lo_hz) ||
                  !frequency(rest, 0, &rest, &j->def.hi_hz) || j->def.hi_hz <= j->def.lo_hz))
    return cli_misuse("modes", "--band: '%.80s' wants LO:HI in Hz, such as 200:8000", j->band);
  return CLI_OK;
}

/* The number of a place, by its name. */
static uint32_t place_named(job *j, const char *name, size_t length) {
  for (uint32_t i = 0; i < j->place_count; i++)
    if (strlen(j->places[i]) == length && strncmp(j->places[i], name, length) == 0)
      return i;
  j->places[j->place_count] = strndup(name, length);
  return j->place_count++;
}

static int take_files(job *j, uint32_t words) {
  if (words + j->place_texts.count == 0)
    return cli_misuse("modes", "wants a recording");
  if (words + j->place_texts.count > FILES_MOST)
    return cli_misuse("modes", "%u recordings are too many, at most %d", words + j->place_texts.count,
                      FILES_MOST);
  for (uint32_t i = 0; i < words; i++) {
    j->recordings[j->file_count].place = place_named(j, "hit", 3);
    j->files[j->file_count++] = j->words[i];
  }
  for (uint32_t i = 0; i < j->place_texts.count; i++) {
    const char *text = j->place_texts.items[i], *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1] || equals - text >= CT_NAME_MAX)
      return cli_misuse("modes", "--place: '%.80s' wants NAME=FILE, such as rim=knock.wav", text);
    j->recordings[j->file_count].place = place_named(j, text, (size_t)(equals - text));
    j->files[j->file_count++] = equals + 1;
  }
  for (uint32_t i = 0; i < j->place_count; i++)
    if (!j->places[i])
      return cli_fail("modes", "no memory");
  return CLI_OK;
}

static int claim(job *j) {
  ct_error error = {.text = ""};
  ct_result result = CT_OK;
  const char *const outputs[] = {j->out, j->plot, j->residual, j->wav};
  for (uint32_t i = 0; i < j->file_count && result == CT_OK; i++)
    result = strcmp(j->files[i], "-") ? ct_claims_read(&j->claims, j->files[i], &error) : CT_OK;
  for (int i = 0; i < 4 && result == CT_OK; i++)
    result = ct_claims_write(&j->claims, outputs[i], &error);
  return result == CT_OK ? CLI_OK : cli_fail("modes", "%s", error.text);
}

/* ---- reading ---- */

static int read_files(job *j) {
  ct_error error = {.text = ""};
  for (uint32_t i = 0; i < j->file_count; i++) {
    ct_recorded r;
    if (ct_recording_read(j->files[i], 0, longest_s, "a strike or a few", &r, &error) != CT_OK)
      return cli_fail("modes", "%s", error.text);
    j->recordings[i].samples = j->samples[i] = r.samples;
    j->recordings[i].count = r.count;
    j->recordings[i].rate_hz = r.rate_hz;
  }
  return CLI_OK;
}

/* ---- analysing ---- */

static void show_progress(void *context, double fraction) {
  job *j = context;
  cli_progress_show(&j->progress, "modes", fraction);
}

/* The strike that the report shows: the loudest. */
static uint32_t shown_strike(const ct_found_modes *f) {
  uint32_t best = 0;
  for (uint32_t g = 1; g < f->strike_count; g++)
    best = f->strikes[g].energy > f->strikes[best].energy ? g : best;
  return best;
}

static const double *strike_samples(const job *j, uint32_t strike) {
  const ct_found_strike *s = &j->found->strikes[strike];
  return j->samples[s->recording] + s->start;
}

static int analyse(job *j) {
  ct_error error = {.text = ""};
  j->progress = cli_progress_start();
  j->def.most = (uint32_t)j->most;
  j->def.progress = show_progress;
  j->def.context = j;
  ct_result result = ct_modes_find(j->recordings, j->file_count, &j->def, &j->found, &error);
  cli_progress_clear(&j->progress);
  if (result != CT_OK)
    return cli_fail("modes", "%s%s%s", j->file_count == 1 ? j->files[0] : "", j->file_count == 1 ? ": " : "",
                    error.text);
  uint32_t strike = shown_strike(j->found);
  const ct_found_strike *s = &j->found->strikes[strike];
  double rate_hz = j->recordings[s->recording].rate_hz, *again = malloc(s->count * sizeof *again);
  if (!again)
    return cli_fail("modes", "no memory");
  ct_modes_play(j->found, strike, rate_hz, again, s->count);
  j->distance_db = ct_modes_distance_db(strike_samples(j, strike), again, s->count, rate_hz);
  j->over_noise_db = ct_modes_distance_over_noise_db(strike_samples(j, strike), again, s->count, rate_hz);
  free(again);
  return CLI_OK;
}

/* ---- writing ---- */

static const char *plain_name(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

static ct_result write_doc(const job *j, ct_error *error) {
  char *text;
  CT_TRY(ct_doc_to_text(j->doc, &text, error));
  text[strlen(text) - 1] = 0; /* its last line's end, which ct_staged_write_text writes */
  ct_result result = ct_staged_write_text(j->out, text, error);
  free(text);
  return result;
}

static ct_result write_body(job *j, ct_error *error) {
  ct_modes_weight weight = {j->mass_kg, j->hammer_mass_kg, 0};
  ct_result result = ct_modes_document(j->found, (const char *const *)j->places, plain_name(j->files[0]),
                                       &weight, &j->doc, error);
  if (result == CT_OK)
    result = ct_modes_add_thumps(j->found, j->recordings, (const char *const *)j->places, &weight, j->thump_s,
                                 j->thumps_s, j->doc, error);
  return result == CT_OK ? write_doc(j, error) : result;
}

static ct_result write_sound(const char *file, const double *samples, size_t count, double rate_hz,
                             ct_error *error) {
  ct_wav *wav = NULL;
  CT_TRY(ct_wav_open(file, rate_hz, 1, false, count, &wav, error));
  return ct_wav_finish(wav, ct_wav_write_woven(wav, samples, count, error), error);
}

/* The modes as sound, and what they leave of the recording. */
static ct_result write_sounds(const job *j, ct_error *error) {
  uint32_t strike = shown_strike(j->found);
  const ct_found_strike *s = &j->found->strikes[strike];
  double rate_hz = j->recordings[s->recording].rate_hz, *again = malloc(s->count * sizeof *again);
  if (!again)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  ct_modes_play(j->found, strike, rate_hz, again, s->count);
  ct_result result = j->wav ? write_sound(j->wav, again, s->count, rate_hz, error) : CT_OK;
  size_t length = (size_t)fmin((double)s->count, residual_s * rate_hz);
  for (size_t n = 0; n < length; n++)
    again[n] = (strike_samples(j, strike)[n] - again[n]) * fmin(1, 5 - 5 * (double)n / (double)length);
  if (result == CT_OK && j->residual)
    result = write_sound(j->residual, again, length, rate_hz, error);
  free(again);
  return result;
}

static ct_result draw(const job *j, ct_error *error) {
  uint32_t strike = shown_strike(j->found);
  const ct_found_strike *s = &j->found->strikes[strike];
  ct_found_picture picture = {
      plain_name(j->files[s->recording]),  j->found,      strike, strike_samples(j, strike),
      j->recordings[s->recording].rate_hz, j->distance_db};
  return ct_found_picture_draw(j->plot, &picture, error);
}

static int write_all(job *j) {
  ct_error error = {.text = ""};
  ct_result result = j->out ? write_body(j, &error) : CT_OK;
  if (result == CT_OK && (j->wav || j->residual))
    result = write_sounds(j, &error);
  if (result == CT_OK && j->plot)
    result = draw(j, &error);
  return result == CT_OK ? CLI_OK : cli_fail("modes", "%s", error.text);
}

/* ---- telling ---- */

static json_t *mode_tree(const job *j, uint32_t i) {
  const ct_found_mode *m = &j->found->modes[i];
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b}", "hz", m->hz, "t60_s",
                   m->t60_s, "gain", j->found->gains[i].gain, "phase_rad", j->found->gains[i].phase_rad,
                   "over_db", m->over_db, "hz_error", m->hz_error, "t60_error_s", m->t60_error_s,
                   "gain_error", m->gain_error, "beats", m->beats, "stands_in", m->stands_in, "perhaps_room",
                   m->perhaps_room, "gain_guess", m->gain_guess);
}

static int print_json(const job *j) {
  const ct_found_modes *f = j->found;
  json_t *modes = json_array(), *strikes = json_array();
  for (uint32_t i = 0; i < f->mode_count; i++)
    json_array_append_new(modes, mode_tree(j, i));
  for (uint32_t g = 0; g < f->strike_count; g++) {
    const ct_found_strike *s = &f->strikes[g];
    double rate_hz = j->recordings[s->recording].rate_hz;
    json_array_append_new(strikes,
                          json_pack("{s:s, s:s, s:f, s:f, s:f}", "file", j->files[s->recording], "place",
                                    j->places[s->place], "time_s", (double)s->start / rate_hz, "length_s",
                                    (double)s->count / rate_hz, "explained", s->explained));
  }
  return cli_print_json("modes", json_pack("{s:o, s:o, s:f, s:f, s:f, s:f, s:f}", "modes", modes, "strikes",
                                           strikes, "explained", f->explained, "noise_db", f->noise_db,
                                           "room_t60_s", f->room_t60_s, "distance_db", j->distance_db,
                                           "distance_over_noise_db", j->over_noise_db));
}

static int print_table(const job *j) {
  const ct_found_modes *f = j->found;
  for (uint32_t g = 0; g < f->strike_count; g++) {
    const ct_found_strike *s = &f->strikes[g];
    printf("strike at %.4f s in %s, at '%s'\n", (double)s->start / j->recordings[s->recording].rate_hz,
           j->files[s->recording], j->places[s->place]);
  }
  printf("\n%12s %9s %10s %10s %9s\n", "mode Hz", "+- Hz", "t60 s", "gain", "over dB");
  for (uint32_t i = 0; i < f->mode_count; i++) {
    const ct_found_mode *m = &f->modes[i];
    printf("%12.3f %9.4f %10.4f %10.6f %9.1f%s%s%s%s\n", m->hz, m->hz_error, m->t60_s,
           j->found->gains[i].gain, m->over_db, m->beats ? "  beats" : "",
           m->stands_in ? "  stands for its band" : "", m->perhaps_room ? "  perhaps the room's" : "",
           m->gain_guess ? "  gain: a guess" : "");
  }
  printf("\n%-38s %8.1f %%\n", "energy that modes explain", 100 * f->explained);
  printf("%-38s %8.1f dB\n", "noise (rms)", f->noise_db);
  if (f->room_t60_s > 0)
    printf("%-38s %8.2f s\n", "what decays and is no mode, t60", f->room_t60_s);
  printf("%-38s %8.2f dB\n", "log-spectral distance", j->distance_db);
  printf("%-38s %8.2f dB\n", "the same, of cells over the noise", j->over_noise_db);
  for (uint32_t i = 0; i < j->place_count; i++)
    if (j->thumps_s[i] > 0)
      printf("%-38s %8.1f ms at '%s'\n", "thump: what the modes leave, kept", 1000 * j->thumps_s[i],
             j->places[i]);
  return CLI_OK;
}

/* ---- the command ---- */

static int run(job *j) {
  uint32_t words = 0;
  while (words < FILES_MOST && j->words[words])
    words++;
  int code = take_band(j);
  if (code == CLI_OK && j->mass_kg > 0 && j->hammer_mass_kg > 0)
    code = cli_misuse("modes", "--mass and --hammer-mass say the same thing; give one");
  if (code == CLI_OK)
    code = take_files(j, words);
  if (code == CLI_OK)
    code = claim(j);
  if (code == CLI_OK)
    code = read_files(j);
  if (code == CLI_OK)
    code = analyse(j);
  if (code == CLI_OK)
    code = write_all(j);
  if (code == CLI_OK)
    code = j->json ? print_json(j) : print_table(j);
  return code;
}

static void job_free(job *j) {
  for (int i = 0; i < FILES_MOST; i++) {
    free(j->samples[i]);
    free(j->places[i]);
  }
  free(j->place_texts.items);
  ct_claims_free(&j->claims);
  ct_modes_free(j->found);
  ct_doc_destroy(j->doc);
  free(j);
}

int cmd_modes(int argc, char **argv) {
  job *j = calloc(1, sizeof *j);
  if (!j)
    return cli_fail("modes", "no memory");
  j->def = ct_default_modes_def();
  j->most = j->def.most;
  j->thump_s = CT_THUMP_MOST_S;
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &j->out, "BODY.json", "the body, for \"modes\": {\"from\": \"BODY.json\"}", 0,
       0},
      {"modes", 'n', CLI_COUNT, &j->most, "N", "at most so many modes; default 40", 1, CT_FOUND_MOST},
      {"band", 0, CLI_TEXT, &j->band, "LO:HI", "look for modes in this band only, in Hz; default 30:16000", 0,
       0},
      {"place", 0, CLI_LIST, &j->place_texts, "NAME=FILE",
       "a recording of the thing struck at that place, which becomes a point; may be repeated", 0, 0},
      {"mass", 0, CLI_NUMBER, &j->mass_kg, "KG", "the object's mass", 1e-6, 1e6},
      {"hammer-mass", 0, CLI_NUMBER, &j->hammer_mass_kg, "KG", "the mass of what struck it", 1e-6, 1e6},
      {"plot", 0, CLI_OUTPUT, &j->plot, "FILE.png", "a report: spectrograms, spectrum, decays", 0, 0},
      {"wav", 0, CLI_OUTPUT, &j->wav, "FILE.wav", "the loudest strike again, from its modes", 0, 0},
      {"residual", 0, CLI_OUTPUT, &j->residual, "FILE.wav", "what the modes leave of it, as a sound", 0, 0},
      {"thump", 0, CLI_NUMBER, &j->thump_s, "S",
       "keep what the modes leave in the body, at most so long, for pickups to hear; default 0.1, 0: none", 0,
       CT_THUMP_MOST_S},
      {"json", 0, CLI_FLAG, &j->json, NULL, "print JSON", 0, 0},
  };
  const cli_command command = {
      "modes",
      "RECORDING... [-o BODY.json] [--modes N] [--band LO:HI] [--plot FILE.png]",
      "Finds the modes of a struck thing in recordings of it, and makes a body of them.",
      options,
      sizeof options / sizeof options[0],
      0,
      FILES_MOST};
  int code;
  if (cli_parse(&command, argc, argv, j->words, &code))
    code = run(j);
  job_free(j);
  return code;
}
