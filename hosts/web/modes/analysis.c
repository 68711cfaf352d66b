/* What the page's worker calls: samples of one recording in, its modes and a body out. As in lab.h nothing is
 * computed here. The module imports one function, by which it says how far it is. */
#include <contatto/modes.h>
#include <math.h>
#include <stdlib.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("page"), import_name(#name)))
#else
#define EXPORT(name) name
#define IMPORT(name)
#endif

/* Of what a finger rubs with some newtons, as thing.json does. */
static const double easy_n_s_m = 0.6;

enum { FIELDS = 7 }; /* of a mode, see analysis_mode */

typedef struct analysis {
  double *samples;
  size_t count;
  double rate_hz;
  ct_found_modes *found;
  double mode[FIELDS];
  ct_error error;
} analysis;

IMPORT(progress) void page_progress(double fraction);

void *EXPORT(analysis_reserve)(size_t bytes);
analysis *EXPORT(analysis_create)(size_t count, double rate_hz);
double *EXPORT(analysis_samples)(analysis *a);
ct_result EXPORT(analysis_find)(analysis *a);
const char *EXPORT(analysis_error)(const analysis *a);
uint32_t EXPORT(analysis_mode_count)(const analysis *a);
const double *EXPORT(analysis_mode)(analysis *a, uint32_t i);
double EXPORT(analysis_start)(const analysis *a);
double EXPORT(analysis_explained)(const analysis *a);
char *EXPORT(analysis_body)(analysis *a, const char *source);

void *analysis_reserve(size_t bytes) { return malloc(bytes); }

/* Room for the samples; null without memory. */
analysis *analysis_create(size_t count, double rate_hz) {
  analysis *a = calloc(1, sizeof *a);
  if (a && (a->samples = calloc(count + 1, sizeof *a->samples))) {
    a->count = count;
    a->rate_hz = rate_hz;
    return a;
  }
  free(a);
  return NULL;
}

double *analysis_samples(analysis *a) { return a->samples; }

static void tell(void *context, double fraction) {
  (void)context;
  page_progress(fraction);
}

ct_result analysis_find(analysis *a) {
  ct_recording recording = {.samples = a->samples, .count = a->count, .rate_hz = a->rate_hz};
  ct_modes_def def = ct_default_modes_def();
  def.progress = tell;
  return ct_modes_find(&recording, 1, &def, &a->found, &a->error);
}

const char *analysis_error(const analysis *a) { return a->error.text; }

uint32_t analysis_mode_count(const analysis *a) { return a->found->mode_count; }

/* Frequency, decay, level in dB of full scale at the first strike, dB over the noise, whether it stands for
 * its band, whether it may be the room's, whether its gain is a guess. */
const double *analysis_mode(analysis *a, uint32_t i) {
  const ct_found_mode *m = &a->found->modes[i];
  const double told[FIELDS] = {m->hz,        m->t60_s,     20 * log10(a->found->gains[i].gain + 1e-12),
                               m->over_db,   m->stands_in, m->perhaps_room,
                               m->gain_guess};
  for (int k = 0; k < FIELDS; k++)
    a->mode[k] = told[k];
  return a->mode;
}

/* The first sample of the loudest strike. */
double analysis_start(const analysis *a) {
  const ct_found_modes *f = a->found;
  uint32_t best = 0;
  for (uint32_t g = 1; g < f->strike_count; g++)
    best = f->strikes[g].energy > f->strikes[best].energy ? g : best;
  return (double)f->strikes[best].start;
}

double analysis_explained(const analysis *a) { return a->found->explained; }

/* The body as a file, as the program writes it; null: analysis_error says why. */
char *analysis_body(analysis *a, const char *source) {
  static const char *const places[] = {"hit"};
  const ct_modes_weight weight = {.resistance_n_s_m = easy_n_s_m};
  ct_doc *doc = NULL;
  char *text = NULL;
  size_t length = 0;
  if (ct_modes_document(a->found, places, source, &weight, &doc, &a->error) == CT_OK &&
      ct_doc_write_json(doc, NULL, 0, &length, &a->error) == CT_OK && (text = malloc(length + 1)) &&
      ct_doc_write_json(doc, text, length + 1, &length, &a->error) != CT_OK) {
    free(text);
    text = NULL;
  }
  ct_doc_destroy(doc);
  return text;
}
