/* Why low-pass filtering is not rolling. A profile of one band of wavelengths; the path of a ball over it;
 * and the same profile low-passed until it is as rough as that path. Where the ball changes from one bump to
 * the next its path has a corner, and corners reach far up: there the path is rougher than the floor it came
 * from, which no low-pass filter is. */
#include "base/text.h"
#include "drive/surface.h"
#include "measure/fft.h"
#include "study/figure.h"
#include "study/rath2003.h"
#include "study/rath2003_roll.h"

#include <math.h>
#include <stdlib.h>

enum { LENGTH = 1 << 15, STRETCHES = 16, COUNT = LENGTH * (STRETCHES + 1) };

static const double step_m = 1e-5, radius_m = 0.01;

typedef struct profiles {
  double heights_m[COUNT], path_m[COUNT], smooth_m[COUNT];
  double power[3][LENGTH / 2]; /* of the three, per cycle per metre */
  double complex work[LENGTH];
} profiles;

static void fill(profiles *p) {
  const ct_surface_values values = {
      .depth_m = 2e-5, .length_m = 2e-3, .width_octaves = 1, .density = 1, .beta = 2};
  ct_relief relief;
  ct_relief_make(&relief, CT_SURFACE_NOISE, &values, step_m, 4, NULL);
  for (int b = 0; b < COUNT / (int)CT_SURFACE_BLOCK; b++)
    ct_relief_fill(&relief, 0, b, p->heights_m + b * (int)CT_SURFACE_BLOCK);
}

static double rms(const double *x) {
  double mean = 0, power = 0;
  for (int i = LENGTH / 2; i < COUNT - LENGTH / 2; i++)
    mean += x[i] / (COUNT - LENGTH);
  for (int i = LENGTH / 2; i < COUNT - LENGTH / 2; i++)
    power += (x[i] - mean) * (x[i] - mean) / (COUNT - LENGTH);
  return sqrt(power);
}

/* One pole, once forwards and once backwards: no delay, 12 dB per octave. */
static void low_pass(const double *in, double pole, double *out) {
  double state = in[0];
  for (int i = 0; i < COUNT; i++)
    out[i] = state += (1 - pole) * (in[i] - state);
  for (int i = COUNT; i-- > 0;)
    out[i] = state += (1 - pole) * (out[i] - state);
}

/* The pole that leaves as much roughness as the ball does, by halving. */
static void match(profiles *p) {
  double wanted = rms(p->path_m), low = 0, high = 0.9999;
  for (int i = 0; i < 40; i++) {
    double middle = (low + high) / 2;
    low_pass(p->heights_m, middle, p->smooth_m);
    *(rms(p->smooth_m) > wanted ? &low : &high) = middle;
  }
}

/* Welch, Blackman-Harris window: side lobes 92 dB down. */
static void spectrum(profiles *p, const double *x, const double complex *twiddles, double *power) {
  for (int s = 0; s < STRETCHES; s++) {
    const double *from = x + LENGTH / 2 + s * LENGTH;
    double mean = 0;
    for (int i = 0; i < LENGTH; i++)
      mean += from[i] / LENGTH;
    for (int i = 0; i < LENGTH; i++) {
      double t = 2 * M_PI * i / LENGTH;
      p->work[i] =
          (from[i] - mean) * (0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t));
    }
    ct_fft_forward(p->work, LENGTH, twiddles);
    for (int k = 0; k < LENGTH / 2; k++)
      power[k] += 2 * (creal(p->work[k]) * creal(p->work[k]) + cimag(p->work[k]) * cimag(p->work[k])) *
                  step_m / (0.2579 * LENGTH) / STRETCHES;
  }
}

static double band_db(const double *power, double low_per_m, double high_per_m) {
  int first = (int)ceil(low_per_m * step_m * LENGTH), last = (int)ceil(high_per_m * step_m * LENGTH);
  double sum = 0;
  for (int k = first; k < last; k++)
    sum += power[k];
  return 10 * log10(sum / (last - first) + 1e-300);
}

/* Thirds of an octave from 100 cycles per metre, up to 20 000: half the grid's Nyquist and less. */
static void find_bands(const profiles *p, rath_band *band) {
  for (int b = 0; b < RATH_BANDS; b++) {
    double per_m = 100 * exp2(b / 3.0), low = per_m * exp2(-1.0 / 6), high = per_m * exp2(1.0 / 6);
    band[b] = (rath_band){per_m, band_db(p->power[0], low, high), band_db(p->power[1], low, high),
                          band_db(p->power[2], low, high)};
  }
}

static ct_result write_bands(const ct_study_run *run, const rath_band *band, ct_error *error) {
  figure_table *table;
  ct_result result =
      figure_table_begin(run, "spectra", "per_m,profile_db,rolled_db,smooth_db", &table, error);
  for (int b = 0; b < RATH_BANDS && result == CT_OK; b++) {
    double row[] = {band[b].per_m, band[b].profile_db, band[b].rolled_db, band[b].smooth_db};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static const char script[] =
    "set logscale x\nset xrange [100:20000]\nset xlabel 'cycles per metre'\nset ylabel 'dB re 1 m² per "
    "cycle per metre'\nset yrange [-230:-115]\n"
    "set key bottom left\n"
    "plot D('spectra') using (C('per_m')):(C('profile_db')) with lines lw 2 lc rgb "
    "'#7a5c2e' title 'profile', \\\n"
    "  '' using (C('per_m')):(C('rolled_db')) with lines lw 2.5 lc rgb ours title "
    "'rolled over by a ball of 1 cm', \\\n"
    "  '' using (C('per_m')):(C('smooth_db')) with lines lw 2 lc rgb verlet title "
    "'low-passed to the same rms'\n";

static ct_result find_spectra(profiles *p, const double complex *twiddles, ct_error *error) {
  fill(p);
  ct_result result = rath_roll(p->heights_m, COUNT, step_m, radius_m, p->path_m, NULL, error);
  if (result != CT_OK)
    return result;
  match(p);
  spectrum(p, p->heights_m, twiddles, p->power[0]);
  spectrum(p, p->path_m, twiddles, p->power[1]);
  spectrum(p, p->smooth_m, twiddles, p->power[2]);
  return CT_OK;
}

ct_result rath_draw_spectra(const ct_study_run *run, rath_band band[RATH_BANDS], ct_error *error) {
  profiles *p = calloc(1, sizeof *p);
  double complex *twiddles = ct_fft_make_twiddles(LENGTH);
  ct_result result = CT_NO_MEMORY;
  if (p && twiddles) {
    result = find_spectra(p, twiddles, error);
    find_bands(p, band);
  } else
    ct_fail(error, CT_NO_MEMORY, "no memory for spectra");
  free(twiddles);
  free(p);
  if (result == CT_OK && run->folder)
    result = write_bands(run, band, error);
  return result == CT_OK && run->folder ? figure_draw(run, "spectra", 1000, 480, "", script, error) : result;
}
