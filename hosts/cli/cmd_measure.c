/* contatto measure: what an ear would notice in a sound file, as a table or as JSON. Loudness, true peak and
 * sample peak see the channels as they are; everything else listens to their mean. The file is read in
 * windows, a few times over, so that its length does not matter to memory. */
#include "base/number.h"
#include "file/sound.h"
#include "hosts/cli/cli.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_MOST = 64, MODES_FOUND = 8, EVENTS_MOST = 1000, BANDS_MOST = 12, VALUES = 29, CHUNK = 4096 };
enum { EXCERPT_MOST = 1 << 22 }; /* samples: 87 s at 48 kHz */

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
  ct_sound *sound;
  double rate_hz;
  double *excerpt; /* of the channels' mean */
  size_t excerpt_start, excerpt_count;
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
  size_t used = ct_number_read(text, strlen(text), number);
  *rest = text + used + 1;
  return used && text[used] == end_mark && isfinite(*number) && *number > 0.0;
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

/* Decays and modulation want their part of the sound in memory: all of it, or, of a longer one, what lies
 * around its loudest sample, most of it after that. */
static size_t excerpt_start(ct_windows *mono, size_t count) {
  size_t loudest = 0;
  double peak = 0.0;
  for (size_t start = 0; count < mono->count && start < mono->count; start += CHUNK) {
    const size_t length = mono->count - start < CHUNK ? mono->count - start : CHUNK;
    const double *x = mono->at(mono, start, length);
    for (size_t n = 0; x && n < length; n++)
      if (fabs(x[n]) > peak) {
        peak = fabs(x[n]);
        loudest = start + n;
      }
  }
  const size_t start = loudest > count / 8 ? loudest - count / 8 : 0;
  return start < mono->count - count ? start : mono->count - count;
}

static int take_excerpt(job *j) {
  ct_windows *mono = ct_sound_mono(j->sound);
  j->excerpt_count = mono->count < EXCERPT_MOST ? mono->count : EXCERPT_MOST;
  j->excerpt_start = excerpt_start(mono, j->excerpt_count);
  j->excerpt = malloc(j->excerpt_count * sizeof *j->excerpt);
  if (!j->excerpt)
    return cli_fail("measure", "%s: no memory to measure it", j->file);
  for (size_t at = 0; at < j->excerpt_count; at += CHUNK) {
    const size_t length = j->excerpt_count - at < CHUNK ? j->excerpt_count - at : CHUNK;
    const double *x = mono->at(mono, j->excerpt_start + at, length);
    if (!x)
      break; /* the end tells why */
    memcpy(j->excerpt + at, x, length * sizeof *x);
  }
  return CLI_OK;
}

/* ---- measuring */

static void note(job *j, const char *key, const char *words, double number, const char *unit, int decimals) {
  if (j->value_count < VALUES)
    j->values[j->value_count++] = (value){key, words, unit, decimals, number};
}

static void measure_level(job *j) {
  ct_windows *channels = ct_sound_all(j->sound);
  const ct_measured_level all = ct_windows_level(channels);
  const ct_measured_loudness loudness = ct_windows_loudness(channels);
  const size_t bad = ct_sound_bad_samples(j->sound);
  note(j, "duration_s", "duration", (double)channels->count / j->rate_hz, "s", 4);
  note(j, "rate_hz", "sample rate", j->rate_hz, "Hz", 0);
  note(j, "channels", "channels", (double)channels->channels, "", 0);
  note(j, "bad_samples", "samples that are no number", (double)bad, "", 0);
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
  ct_windows *mono = ct_sound_mono(j->sound);
  const ct_measured_pitch pitch = ct_windows_pitch(mono, pitch_lo_hz, pitch_hi_hz);
  const ct_measured_peak top = ct_windows_strongest_partial(mono, j->lo_hz, j->hi_hz);
  const ct_measured_harmonicity harmonic = ct_windows_harmonicity(mono, pitch.hz);
  note(j, "pitch_hz", "pitch", pitch.hz, "Hz", 4);
  note(j, "clarity", "clarity of pitch", pitch.clarity, "", 4);
  note(j, "strongest_hz", "strongest partial", top.hz, "Hz", 4);
  note(j, "strongest_db", "its amplitude", top.level_db, "dB", 2);
  note(j, "harmonic_fraction", "power on harmonics", harmonic.fraction, "", 4);
  note(j, "hnr_db", "harmonics to rest", harmonic.hnr_db, "dB", 2);
}

static void measure_octaves(job *j, const ct_power_spectrum *spectrum) {
  const double top_hz = fmin(16000.0, j->rate_hz / 2.0 / sqrt(2.0));
  const size_t edges = ct_measure_octave_edges(1, 31.5, top_hz, j->edges_hz, BANDS_MOST + 1);
  j->bands = edges ? edges - 1 : 0;
  ct_power_spectrum_bands(spectrum, j->edges_hz, j->bands, j->band_db);
}

static void measure_colour(job *j) {
  double level_db;
  const double edges_hz[2] = {j->lo_hz, j->hi_hz};
  ct_windows *mono = ct_sound_mono(j->sound);
  ct_power_spectrum spectrum = ct_windows_spectrum(mono);
  const ct_measured_spectrum shape = ct_power_spectrum_shape(&spectrum, j->lo_hz, j->hi_hz);
  const ct_measured_modulation modulation =
      ct_measure_modulation(j->excerpt, j->excerpt_count, j->rate_hz, 1.0, 100.0);
  ct_power_spectrum_bands(&spectrum, edges_hz, 1, &level_db);
  measure_octaves(j, &spectrum);
  free(spectrum.power);
  note(j, "band_db", "level in the band", level_db, "dB", 2);
  note(j, "centroid_hz", "spectral centroid", shape.centroid_hz, "Hz", 1);
  note(j, "spread_hz", "spectral bandwidth", shape.spread_hz, "Hz", 1);
  note(j, "rolloff_hz", "85 % of power below", shape.rolloff_hz, "Hz", 1);
  note(j, "roughness", "roughness", ct_windows_roughness(mono), "", 4);
  note(j, "modulation_hz", "modulation rate", modulation.rate_hz, "Hz", 3);
  note(j, "modulation_depth", "modulation depth", modulation.depth, "", 4);
}

static void measure_events(job *j) {
  ct_windows *mono = ct_sound_mono(j->sound);
  ct_measured_click worst;
  j->onset_count = ct_windows_onsets(mono, j->onsets, EVENTS_MOST);
  j->click_count = ct_windows_clicks(mono, CT_MEASURE_CLICK_DB, NULL, 0, j->clicks, EVENTS_MOST, &worst);
  note(j, "onset_count", "onsets", (double)j->onset_count, "", 0);
  note(j, "click_count", "clicks", (double)j->click_count, "", 0);
  note(j, "worst_click_db", "strongest candidate click", worst.strength_db, "dB", 1);
}

/* Without --mode: the strongest in the band. */
static void find_modes(job *j) {
  ct_measured_mode modes[MODES_FOUND];
  j->modes =
      ct_measure_modes(j->excerpt, j->excerpt_count, j->rate_hz, j->lo_hz, j->hi_hz, modes, MODES_FOUND);
  for (size_t i = 0; i < j->modes; i++) {
    j->mode_hz[i] = modes[i].peak.hz;
    j->decays[i] = modes[i].decay;
  }
}

static void measure_modes(job *j) {
  if (j->modes)
    ct_measure_decays(j->excerpt, j->excerpt_count, j->rate_hz, j->mode_hz, j->modes, j->decays);
  else
    find_modes(j);
}

static bool is_shortened(const job *j) { return j->excerpt_count < ct_sound_mono(j->sound)->count; }

static void note_excerpt(job *j) {
  note(j, "excerpt_start_s", "decays, modulation: from", (double)j->excerpt_start / j->rate_hz, "s", 4);
  note(j, "excerpt_s", "and for", (double)j->excerpt_count / j->rate_hz, "s", 4);
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
    if (strncmp(v->key, "excerpt", 7) == 0 && !is_shortened(j))
      continue; /* all of it goes without saying */
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

/* The first pass looks at everything: a file that ends early is refused before the long ones. */
static int open_sound(job *j) {
  ct_error error = {.text = ""};
  if (ct_sound_open(j->file, &j->sound, &error) != CT_OK)
    return cli_fail("measure", "%s", error.text);
  j->rate_hz = ct_sound_mono(j->sound)->rate_hz;
  j->hi_hz = fmin(j->hi_hz, 0.5 * j->rate_hz);
  if (j->lo_hz >= j->hi_hz)
    return cli_fail("measure", "--band: %g Hz is above the file's %g Hz", j->lo_hz, j->hi_hz);
  measure_level(j);
  if (ct_sound_check(j->sound, &error) != CT_OK)
    return cli_fail("measure", "%s", error.text);
  return take_excerpt(j);
}

static int measure_file(job *j) {
  ct_error error = {.text = ""};
  int code = take_band(j);
  if (code == CLI_OK)
    code = take_modes(j);
  if (code == CLI_OK)
    code = open_sound(j);
  if (code != CLI_OK)
    return code;
  measure_tone(j);
  measure_colour(j);
  measure_events(j);
  measure_modes(j);
  note_excerpt(j);
  if (ct_sound_check(j->sound, &error) != CT_OK)
    return cli_fail("measure", "%s", error.text);
  code = j->json ? print_json(j) : print_table(j);
  const size_t bad = ct_sound_bad_samples(j->sound);
  if (code == CLI_OK && bad)
    code = cli_fail("measure", "%s: %zu samples are not finite and were measured as 0", j->file, bad);
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
  ct_sound_close(j->sound);
  free(j->excerpt);
  free(j);
  return code;
}
