/* contatto measure: what an ear would notice in a sound file, as a table or as JSON. Loudness, true peak and
 * sample peak see the channels as they are; everything else listens to their mean. What is measured is listed
 * in measure/report.c; here it is asked for and printed. */
#include "base/number.h"
#include "file/sound.h"
#include "hosts/cli/cli.h"
#include "measure/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  /* asked for */
  const char *file, *band;
  cli_list mode_texts;
  bool json;
  double lo_hz, hi_hz, mode_hz[CT_REPORT_MODES_MOST];
  /* the sound, and the answers */
  ct_sound *sound;
  ct_report report;
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
  if (j->mode_texts.count > CT_REPORT_MODES_MOST)
    return cli_misuse("measure", "--mode: %u are too many, at most %d", j->mode_texts.count,
                      CT_REPORT_MODES_MOST);
  for (uint32_t i = 0; i < j->mode_texts.count; i++)
    if (!number_of(j->mode_texts.items[i], 0, &rest, &j->mode_hz[i]))
      return cli_misuse("measure", "--mode: '%.80s' wants a frequency in Hz", j->mode_texts.items[i]);
  return CLI_OK;
}

/* ---- telling */

static json_t *number_or_null(double number) { return isfinite(number) ? json_real(number) : json_null(); }

static json_t *value_tree(const ct_report_row *row, double number) {
  return row->decimals == 0 && isfinite(number) ? json_integer((json_int_t)number) : number_or_null(number);
}

static json_t *mode_tree(double asked_hz, const ct_measured_decay *d) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "asked_hz", number_or_null(asked_hz), "hz",
                   number_or_null(d->hz), "t60_s", number_or_null(d->t60_s), "level_db",
                   number_or_null(d->level_db), "range_db", number_or_null(d->range_db), "misfit_db",
                   number_or_null(d->misfit_db));
}

static json_t *lists_tree(const ct_report *r, json_t *tree) {
  json_t *modes = json_array(), *bands = json_array(), *onsets = json_array(), *clicks = json_array();
  for (size_t i = 0; i < r->mode_count; i++)
    json_array_append_new(modes, mode_tree(r->mode_hz[i], &r->decays[i]));
  for (size_t i = 0; i < r->band_count; i++)
    json_array_append_new(bands, json_pack("{s:f, s:f, s:o}", "lo_hz", r->edges_hz[i], "hi_hz",
                                           r->edges_hz[i + 1], "level_db", number_or_null(r->band_db[i])));
  for (size_t i = 0; i < r->onset_count && i < CT_REPORT_EVENTS_MOST; i++)
    json_array_append_new(onsets, json_pack("{s:f, s:f}", "time_s", r->onsets[i].time_s, "strength_db",
                                            r->onsets[i].strength_db));
  for (size_t i = 0; i < r->click_count && i < CT_REPORT_EVENTS_MOST; i++)
    json_array_append_new(clicks, json_pack("{s:f, s:f}", "time_s", r->clicks[i].time_s, "strength_db",
                                            r->clicks[i].strength_db));
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
  for (int i = 0; i < CT_REPORT_VALUES; i++)
    json_object_set_new(tree, ct_report_rows[i].key, value_tree(&ct_report_rows[i], j->report.values[i]));
  return cli_print_json("measure", lists_tree(&j->report, tree));
}

static void print_number(double number, int width, int decimals) {
  if (isnan(number))
    printf("%*s", width, "-");
  else
    printf("%*.*f", width, decimals, number);
}

static void print_modes(const ct_report *r) {
  if (r->mode_count)
    printf("\n%12s %10s %12s %10s %10s\n", "mode Hz", "t60 s", "onset dB", "range dB", "misfit dB");
  for (size_t i = 0; i < r->mode_count; i++) {
    const ct_measured_decay *d = &r->decays[i];
    print_number(isfinite(d->hz) ? d->hz : r->mode_hz[i], 12, 3);
    print_number(d->t60_s, 11, 4);
    print_number(d->level_db, 13, 2);
    print_number(d->range_db, 11, 1);
    print_number(d->misfit_db, 11, 3);
    putchar('\n');
  }
}

static void print_events(const ct_report *r) {
  enum { SHOWN = 20 };
  if (r->onset_count)
    printf("\n%12s %10s\n", "onset s", "rise dB");
  for (size_t i = 0; i < r->onset_count && i < SHOWN; i++)
    printf("%12.4f %10.1f\n", r->onsets[i].time_s, r->onsets[i].strength_db);
  if (r->onset_count > SHOWN)
    printf("%12s and %zu more\n", "", r->onset_count - SHOWN);
  if (r->click_count)
    printf("\n%12s %10s   (a click from %.0f dB on)\n", "click s", "dB", CT_MEASURE_CLICK_DB);
  for (size_t i = 0; i < r->click_count && i < SHOWN; i++)
    printf("%12.5f %10.1f\n", r->clicks[i].time_s, r->clicks[i].strength_db);
  if (r->click_count > SHOWN)
    printf("%12s and %zu more\n", "", r->click_count - SHOWN);
}

static int print_table(const job *j) {
  const ct_report *r = &j->report;
  const bool shortened = r->values[CT_REPORT_EXCERPT_S] < r->values[CT_REPORT_DURATION_S];
  printf("%s\n\n", j->file);
  for (int i = 0; i < CT_REPORT_VALUES; i++) {
    if ((i == CT_REPORT_EXCERPT_START_S || i == CT_REPORT_EXCERPT_S) && !shortened)
      continue; /* all of it goes without saying */
    printf("%-28s", ct_report_rows[i].words);
    print_number(r->values[i], 14, ct_report_rows[i].decimals);
    printf("%s%s\n", *ct_report_rows[i].unit ? " " : "", ct_report_rows[i].unit);
  }
  print_modes(r);
  printf("\n%12s %10s\n", "octave Hz", "rms dB");
  for (size_t i = 0; i < r->band_count; i++)
    printf("%12.0f %10.2f\n", sqrt(r->edges_hz[i] * r->edges_hz[i + 1]), r->band_db[i]);
  print_events(r);
  return CLI_OK;
}

/* The first pass looks at everything: a file that ends early is refused before the long ones. */
static int open_sound(job *j) {
  ct_error error = {.text = ""};
  if (ct_sound_open(j->file, &j->sound, &error) != CT_OK)
    return cli_fail("measure", "%s", error.text);
  const double most_hz = 0.5 * ct_sound_mono(j->sound)->rate_hz;
  if (j->lo_hz >= most_hz)
    return cli_fail("measure", "--band: %g Hz is above the file's %g Hz", j->lo_hz, most_hz);
  ct_report_begin(&j->report, ct_sound_all(j->sound));
  ct_report_note_bad(&j->report, ct_sound_bad_samples(j->sound));
  return ct_sound_check(j->sound, &error) == CT_OK ? CLI_OK : cli_fail("measure", "%s", error.text);
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
  const ct_report_def def = {.lo_hz = j->lo_hz,
                             .hi_hz = j->band ? j->hi_hz : 0,
                             .mode_hz = j->mode_hz,
                             .mode_count = j->mode_texts.count};
  if (!ct_report_finish(&j->report, &def, ct_sound_mono(j->sound)))
    return cli_fail("measure", "%s: no memory to measure it", j->file);
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
  free(j);
  return code;
}
