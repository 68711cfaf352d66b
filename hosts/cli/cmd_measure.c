/* contatto measure: what an ear would notice in a sound file, as a table or as JSON. Loudness, true peak and
 * sample peak see the channels as they are; everything else listens to their mean. */
#include "hosts/cli/cli.h"

#include <contatto/measure.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_MOST = 64, MODES_FOUND = 8, EVENTS_MOST = 1000, BANDS_MOST = 12, VALUES = 27 };

/* One number of the report: its JSON key, its words, what the file says. */
typedef struct value {
  const char *key, *words, *unit;
  int decimals;
  double number;
} value;

typedef struct job {
  /* asked for */
  const char *file, *band;
  cli_list mode_texts;
  bool json;
  double lo_hz, hi_hz;
  /* the sound */
  double *interleaved, *mono;
  size_t frames, channels, bad_samples;
  double rate_hz;
  /* the answers */
  value values[VALUES];
  size_t value_count;
  double mode_hz[MODES_MOST];
  ct_measured_decay decays[MODES_MOST];
  size_t modes;
  double edges_hz[BANDS_MOST + 1], band_db[BANDS_MOST];
  size_t bands;
  ct_measured_onset onsets[EVENTS_MOST];
  ct_measured_click clicks[EVENTS_MOST];
  size_t onset_count, click_count;
} job;

/* ---- asking */

static bool number_of(const char *text, char end_mark, const char **rest, double *number) {
  char *end;
  *number = strtod(text, &end);
  *rest = end + 1;
  return end != text && *end == end_mark && isfinite(*number) && *number > 0.0;
}

static int take_band(job *j) {
  const char *rest;
  if (j->band && (!number_of(j->band, ':', &rest, &j->lo_hz) || !number_of(rest, 0, &rest, &j->hi_hz) ||
                  j->hi_hz <= j->lo_hz))
    return cli_misuse("measure", "--band: '%.80s' wants LO:HI in Hz, such as 200:2000", j->band);
  return CLI_OK;
}

static int take_modes(job *j) {
  const char *rest;
  if (j->mode_texts.count > MODES_MOST)
    return cli_misuse("measure", "--mode: %u are too many, at most %d", j->mode_texts.count, MODES_MOST);
  for (uint32_t i = 0; i < j->mode_texts.count; i++)
    if (!number_of(j->mode_texts.items[i], 0, &rest, &j->mode_hz[i]))
      return cli_misuse("measure", "--mode: '%.80s' wants a frequency in Hz", j->mode_texts.items[i]);
  j->modes = j->mode_texts.count;
  return CLI_OK;
}

/* ---- reading */

static void mix_down(job *j) {
  for (size_t n = 0; n < j->frames; n++) {
    double sum = 0.0;
    for (size_t c = 0; c < j->channels; c++) {
      const double x = j->interleaved[n * j->channels + c];
      j->bad_samples += isfinite(x) ? 0 : 1;
      sum += isfinite(x) ? x : 0.0;
    }
    j->mono[n] = sum / (double)j->channels;
  }
}

static int read_frames(job *j, SNDFILE *file, const SF_INFO *info) {
  if (info->frames <= 0)
    return cli_fail("measure", "%s: holds no samples, wants at least one", j->file);
  if (info->frames > (sf_count_t)(SIZE_MAX / sizeof(double) / 64 / (size_t)info->channels))
    return cli_fail("measure", "%s: too long to hold in memory", j->file);
  j->frames = (size_t)info->frames;
  j->channels = (size_t)info->channels;
  j->rate_hz = info->samplerate;
  j->interleaved = malloc(j->frames * j->channels * sizeof *j->interleaved);
  j->mono = malloc(j->frames * sizeof *j->mono);
  if (!j->interleaved || !j->mono)
    return cli_fail("measure", "%s: too long to hold in memory", j->file);
  if (sf_readf_double(file, j->interleaved, info->frames) != info->frames)
    return cli_fail("measure", "%s: ends early, its header promises %lld frames", j->file,
                    (long long)info->frames);
  mix_down(j);
  return CLI_OK;
}

static int read_sound(job *j) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(j->file, SFM_READ, &info);
  if (!file) {
    const char *reason = sf_strerror(NULL), *prefix = "System error : ";
    const size_t skip = strncmp(reason, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
    return cli_fail("measure", "%s: %.*s; wants a WAV file, or another sound file", j->file,
                    (int)strcspn(reason + skip, ".\n"), reason + skip);
  }
  const int code = read_frames(j, file, &info);
  sf_close(file);
  return code;
}

/* ---- measuring */

static void note(job *j, const char *key, const char *words, double number, const char *unit, int decimals) {
  if (j->value_count < VALUES)
    j->values[j->value_count++] = (value){key, words, unit, decimals, number};
}

static void measure_level(job *j) {
  const ct_measured_level all = ct_measure_level(j->interleaved, j->frames * j->channels);
  const ct_measured_loudness loudness =
      ct_measure_loudness(j->interleaved, j->frames, j->channels, j->rate_hz);
  note(j, "duration_s", "duration", (double)j->frames / j->rate_hz, "s", 4);
  note(j, "rate_hz", "sample rate", j->rate_hz, "Hz", 0);
  note(j, "channels", "channels", (double)j->channels, "", 0);
  note(j, "bad_samples", "samples that are no number", (double)j->bad_samples, "", 0);
  note(j, "rms_db", "level (rms)", all.rms_db, "dB", 2);
  note(j, "peak_db", "sample peak", all.peak_db, "dB", 2);
  note(j, "mean", "DC offset", all.mean, "", 7);
  note(j, "integrated_lufs", "loudness", loudness.integrated_lufs, "LUFS", 2);
  note(j, "momentary_max_lufs", "loudest 0.4 s", loudness.momentary_max_lufs, "LUFS", 2);
  note(j, "short_term_max_lufs", "loudest 3 s", loudness.short_term_max_lufs, "LUFS", 2);
  note(j, "true_peak_db", "true peak", loudness.true_peak_db, "dBTP", 2);
}

static void measure_tone(job *j) {
  const double pitch_lo_hz = j->band ? j->lo_hz : 30.0, pitch_hi_hz = j->band ? j->hi_hz : 5000.0;
  const ct_measured_pitch pitch = ct_measure_pitch(j->mono, j->frames, j->rate_hz, pitch_lo_hz, pitch_hi_hz);
  const ct_measured_peak top =
      ct_measure_strongest_partial(j->mono, j->frames, j->rate_hz, j->lo_hz, j->hi_hz);
  const ct_measured_harmonicity harmonic = ct_measure_harmonicity(j->mono, j->frames, j->rate_hz, pitch.hz);
  note(j, "pitch_hz", "pitch", pitch.hz, "Hz", 4);
  note(j, "clarity", "clarity of pitch", pitch.clarity, "", 4);
  note(j, "strongest_hz", "strongest partial", top.hz, "Hz", 4);
  note(j, "strongest_db", "its amplitude", top.level_db, "dB", 2);
  note(j, "harmonic_fraction", "power on harmonics", harmonic.fraction, "", 4);
  note(j, "hnr_db", "harmonics to rest", harmonic.hnr_db, "dB", 2);
}

static void measure_colour(job *j) {
  double level_db;
  const double edges_hz[2] = {j->lo_hz, j->hi_hz};
  const ct_measured_spectrum shape = ct_measure_spectrum(j->mono, j->frames, j->rate_hz, j->lo_hz, j->hi_hz);
  const ct_measured_modulation modulation = ct_measure_modulation(j->mono, j->frames, j->rate_hz, 1.0, 100.0);
  ct_measure_bands(j->mono, j->frames, j->rate_hz, edges_hz, 1, &level_db);
  note(j, "band_db", "level in the band", level_db, "dB", 2);
  note(j, "centroid_hz", "spectral centroid", shape.centroid_hz, "Hz", 1);
  note(j, "spread_hz", "spectral bandwidth", shape.spread_hz, "Hz", 1);
  note(j, "rolloff_hz", "85 % of power below", shape.rolloff_hz, "Hz", 1);
  note(j, "roughness", "roughness", ct_measure_roughness(j->mono, j->frames, j->rate_hz), "", 4);
  note(j, "modulation_hz", "modulation rate", modulation.rate_hz, "Hz", 3);
  note(j, "modulation_depth", "modulation depth", modulation.depth, "", 4);
}

static void measure_events(job *j) {
  const ct_measured_click worst = ct_measure_worst_click(j->mono, j->frames, j->rate_hz, NULL, 0);
  j->onset_count = ct_measure_onsets(j->mono, j->frames, j->rate_hz, j->onsets, EVENTS_MOST);
  j->click_count =
      ct_measure_clicks(j->mono, j->frames, j->rate_hz, CT_MEASURE_CLICK_DB, NULL, 0, j->clicks, EVENTS_MOST);
  note(j, "onset_count", "onsets", (double)j->onset_count, "", 0);
  note(j, "click_count", "clicks", (double)j->click_count, "", 0);
  note(j, "worst_click_db", "strongest candidate click", worst.strength_db, "dB", 1);
}

/* Without --mode: the strongest in the band. */
static void find_modes(job *j) {
  ct_measured_mode modes[MODES_FOUND];
  j->modes = ct_measure_modes(j->mono, j->frames, j->rate_hz, j->lo_hz, j->hi_hz, modes, MODES_FOUND);
  for (size_t i = 0; i < j->modes; i++) {
    j->mode_hz[i] = modes[i].peak.hz;
    j->decays[i] = modes[i].decay;
  }
}

static void measure_lists(job *j) {
  if (j->modes)
    ct_measure_decays(j->mono, j->frames, j->rate_hz, j->mode_hz, j->modes, j->decays);
  else
    find_modes(j);
  const double top_hz = fmin(16000.0, j->rate_hz / 2.0 / sqrt(2.0));
  const size_t edges = ct_measure_octave_edges(1, 31.5, top_hz, j->edges_hz, BANDS_MOST + 1);
  j->bands = edges ? edges - 1 : 0;
  ct_measure_bands(j->mono, j->frames, j->rate_hz, j->edges_hz, j->bands, j->band_db);
}

/* ---- telling */

static json_t *number_or_null(double number) { return isfinite(number) ? json_real(number) : json_null(); }

static json_t *value_tree(const value *v) {
  return v->decimals == 0 && isfinite(v->number) ? json_integer((json_int_t)v->number)
                                                 : number_or_null(v->number);
}

static json_t *mode_tree(double asked_hz, const ct_measured_decay *d) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "asked_hz", number_or_null(asked_hz), "hz",
                   number_or_null(d->hz), "t60_s", number_or_null(d->t60_s), "level_db",
                   number_or_null(d->level_db), "range_db", number_or_null(d->range_db), "misfit_db",
                   number_or_null(d->misfit_db));
}

static json_t *lists_tree(const job *j, json_t *tree) {
  json_t *modes = json_array(), *bands = json_array(), *onsets = json_array(), *clicks = json_array();
  for (size_t i = 0; i < j->modes; i++)
    json_array_append_new(modes, mode_tree(j->mode_hz[i], &j->decays[i]));
  for (size_t i = 0; i < j->bands; i++)
    json_array_append_new(bands, json_pack("{s:f, s:f, s:o}", "lo_hz", j->edges_hz[i], "hi_hz",
                                           j->edges_hz[i + 1], "level_db", number_or_null(j->band_db[i])));
  for (size_t i = 0; i < j->onset_count && i < EVENTS_MOST; i++)
    json_array_append_new(onsets, json_pack("{s:f, s:f}", "time_s", j->onsets[i].time_s, "strength_db",
                                            j->onsets[i].strength_db));
  for (size_t i = 0; i < j->click_count && i < EVENTS_MOST; i++)
    json_array_append_new(clicks, json_pack("{s:f, s:f}", "time_s", j->clicks[i].time_s, "strength_db",
                                            j->clicks[i].strength_db));
  json_object_set_new(tree, "modes", modes);
  json_object_set_new(tree, "bands", bands);
  json_object_set_new(tree, "onsets", onsets);
  json_object_set_new(tree, "clicks", clicks);
  return tree;
}

static int print_json(const job *j) {
  json_t *tree = json_object();
  if (!tree)
    return cli_fail("measure", "no memory to print");
  json_t *name = json_string(j->file);
  json_object_set_new(tree, "file", name ? name : json_string("(not UTF-8)"));
  for (size_t i = 0; i < j->value_count; i++)
    json_object_set_new(tree, j->values[i].key, value_tree(&j->values[i]));
  return cli_print_json("measure", lists_tree(j, tree));
}

static void print_number(double number, int width, int decimals) {
  if (isnan(number))
    printf("%*s", width, "-");
  else
    printf("%*.*f", width, decimals, number);
}

static void print_modes(const job *j) {
  if (j->modes)
    printf("\n%12s %10s %12s %10s %10s\n", "mode Hz", "t60 s", "onset dB", "range dB", "misfit dB");
  for (size_t i = 0; i < j->modes; i++) {
    const ct_measured_decay *d = &j->decays[i];
    print_number(isfinite(d->hz) ? d->hz : j->mode_hz[i], 12, 3);
    print_number(d->t60_s, 11, 4);
    print_number(d->level_db, 13, 2);
    print_number(d->range_db, 11, 1);
    print_number(d->misfit_db, 11, 3);
    putchar('\n');
  }
}

static void print_events(const job *j) {
  enum { SHOWN = 20 };
  if (j->onset_count)
    printf("\n%12s %10s\n", "onset s", "rise dB");
  for (size_t i = 0; i < j->onset_count && i < SHOWN; i++)
    printf("%12.4f %10.1f\n", j->onsets[i].time_s, j->onsets[i].strength_db);
  if (j->onset_count > SHOWN)
    printf("%12s and %zu more\n", "", j->onset_count - SHOWN);
  if (j->click_count)
    printf("\n%12s %10s   (a click from %.0f dB on)\n", "click s", "dB", CT_MEASURE_CLICK_DB);
  for (size_t i = 0; i < j->click_count && i < SHOWN; i++)
    printf("%12.5f %10.1f\n", j->clicks[i].time_s, j->clicks[i].strength_db);
  if (j->click_count > SHOWN)
    printf("%12s and %zu more\n", "", j->click_count - SHOWN);
}

static int print_table(const job *j) {
  printf("%s\n\n", j->file);
  for (size_t i = 0; i < j->value_count; i++) {
    const value *v = &j->values[i];
    printf("%-28s", v->words);
    print_number(v->number, 14, v->decimals);
    printf("%s%s\n", *v->unit ? " " : "", v->unit);
  }
  print_modes(j);
  printf("\n%12s %10s\n", "octave Hz", "rms dB");
  for (size_t i = 0; i < j->bands; i++)
    printf("%12.0f %10.2f\n", sqrt(j->edges_hz[i] * j->edges_hz[i + 1]), j->band_db[i]);
  print_events(j);
  return CLI_OK;
}

static int measure_file(job *j) {
  int code = take_band(j);
  if (code == CLI_OK)
    code = take_modes(j);
  if (code == CLI_OK)
    code = read_sound(j);
  if (code != CLI_OK)
    return code;
  j->hi_hz = fmin(j->hi_hz, 0.5 * j->rate_hz);
  if (j->lo_hz >= j->hi_hz)
    return cli_fail("measure", "--band: %g Hz is above the file's %g Hz", j->lo_hz, j->hi_hz);
  measure_level(j);
  measure_tone(j);
  measure_colour(j);
  measure_events(j);
  measure_lists(j);
  code = j->json ? print_json(j) : print_table(j);
  if (code == CLI_OK && j->bad_samples)
    code =
        cli_fail("measure", "%s: %zu samples are not finite and were measured as 0", j->file, j->bad_samples);
  return code;
}

int cmd_measure(int argc, char **argv) {
  job *j = calloc(1, sizeof *j);
  if (!j)
    return cli_fail("measure", "no memory");
  j->lo_hz = 20.0;
  j->hi_hz = 20000.0;
  const cli_option options[] = {
      {"json", 0, CLI_FLAG, &j->json, NULL, "print JSON, numbers that do not exist as null", 0, 0},
      {"band", 0, CLI_TEXT, &j->band, "LO:HI",
       "look at this band of frequencies only, in Hz; default 20:20000", 0, 0},
      {"mode", 0, CLI_LIST, &j->mode_texts, "HZ",
       "decay of the mode near HZ; may be repeated; default: the strongest", 0, 0},
  };
  const cli_command command = {
      "measure",
      "FILE.wav [--json] [--band LO:HI] [--mode HZ]...",
      "Measures pitch, level, loudness, spectrum, decays, onsets and clicks of a sound file.",
      options,
      sizeof options / sizeof options[0],
      1,
      1};
  int code;
  if (cli_parse(&command, argc, argv, &j->file, &code))
    code = measure_file(j);
  free(j->mode_texts.items);
  free(j->interleaved);
  free(j->mono);
  free(j);
  return code;
}
