/* Measures of a steady tone or noise from frames of 85 ms: cheap enough to be taken thousands of times.
 *
 * Tones. The frequency of a frame's strongest harmonic follows from how far its phase has turned since the
 * frame before, which has no bias of interpolation; divided by its number it is the frame's fundamental.
 * Power within 4 bins of a multiple of it, the main lobe of the window, is the harmonic's. What lies between
 * the lobes is noise.
 *
 * Noises. Levels of octaves against the whole, how the level falls from the first to the second half, and how
 * often something begins.
 *
 * Modulation is that of blocks of 5 ms, in both: of a tone what repeats (below), of a noise the strongest
 * partial of its envelope. */
#include "fit/heard.h"
#include "measure/fft.h"
#include "measure/signal.h"
#include "measure/windows.h"

#include <stdlib.h>
#include <string.h>

enum { HARMONICS = 5, OCTAVES = 7, THIRDS = 22, FRAMES_MOST = 512, LOBE = 4 };

static const double frame_s = 0.0853; /* 4096 samples at 48 kHz */
static const double block_s = 0.005;  /* of the envelope */
static const double fastest_hz = 20;  /* modulation that is looked for */
static const double lowest_hz = 90;   /* of a pitch: below, the lobes of harmonics meet */
static const double thirds_from_hz = 100;
static const double highest_hz = 6000;                   /* of a pitch */
static const double band_lo_hz = 40, band_hi_hz = 16000; /* what of the spectrum counts */

enum {
  TONE_PITCH,
  TONE_WANDER,
  TONE_HARMONIC_2,
  TONE_RATE = TONE_HARMONIC_2 + HARMONICS - 1,
  TONE_DEPTH,
  TONE_NOISE,
  TONE_LEVEL,
  TONE_REGIMES,
  TONE_ROWS
};

static const ct_heard_row tone_rows[TONE_ROWS] = {
    {"pitch", "Hz", CT_HEARD_CENTS, 3, 0},
    {"pitch wander", "cents", CT_HEARD_SPAN, 1, 0},
    {"harmonic 2", "dB", CT_HEARD_DB, 1, -70},
    {"harmonic 3", "dB", CT_HEARD_DB, 1, -70},
    {"harmonic 4", "dB", CT_HEARD_DB, 1, -70},
    {"harmonic 5", "dB", CT_HEARD_DB, 1, -70},
    {"modulation rate", "Hz", CT_HEARD_RATE, 0.05, 0},
    {"modulation depth", "", CT_HEARD_SHARE, 1, 0.05},
    {"noise share", "dB", CT_HEARD_DB, 1, -90},
    {"level", "dB", CT_HEARD_DB, 1, -120},
    {"regime changes", "per s", CT_HEARD_COUNT, 0.25, 0},
};

enum {
  NOISE_OCTAVE_1,
  NOISE_FALL = NOISE_OCTAVE_1 + OCTAVES,
  NOISE_RATE,
  NOISE_DEPTH,
  NOISE_LEVEL,
  NOISE_EVENTS,
  NOISE_ROWS
};

static const ct_heard_row noise_rows[NOISE_ROWS] = {
    {"octave at 125 Hz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 250 Hz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 500 Hz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 1 kHz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 2 kHz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 4 kHz", "dB", CT_HEARD_DB, 1, -30},
    {"octave at 8 kHz", "dB", CT_HEARD_DB, 1, -30},
    {"second half over first", "dB", CT_HEARD_DB, 1, -60},
    {"modulation rate", "Hz", CT_HEARD_RATE, 0.05, 0},
    {"modulation depth", "", CT_HEARD_SHARE, 1, 0.1},
    {"level", "dB", CT_HEARD_DB, 1, -120},
    {"events", "per s", CT_HEARD_COUNT, 1, 0},
};

const ct_heard_row *ct_heard_rows(ct_heard_kind kind, uint32_t *count) {
  *count = kind == CT_HEARD_TONE ? TONE_ROWS : NOISE_ROWS;
  return kind == CT_HEARD_TONE ? tone_rows : noise_rows;
}

uint32_t ct_heard_level(ct_heard_kind kind) { return kind == CT_HEARD_TONE ? TONE_LEVEL : NOISE_LEVEL; }

uint32_t ct_heard_pitch(void) { return TONE_PITCH; }

/* ---- comparing ---- */

double ct_heard_difference(const ct_heard_row *row, double recorded, double played) {
  double a = fmax(recorded, row->least), b = fmax(played, row->least);
  if (isnan(recorded) || isnan(played))
    return CT_NAN;
  switch (row->scale) {
  case CT_HEARD_CENTS:
    return ct_measure_cents(b, a);
  case CT_HEARD_SHARE:
    return 20 * log10(b / a);
  case CT_HEARD_RATE:
    return b / a - 1;
  default:
    return b - a;
  }
}

double ct_heard_off(const ct_heard_row *row, double recorded, double played) {
  if (isnan(recorded))
    return 0;
  double difference = ct_heard_difference(row, recorded, played);
  bool grows = row->scale == CT_HEARD_SPAN || row->scale == CT_HEARD_COUNT;
  return isnan(difference) ? CT_HEARD_FAR : difference / (row->tolerance + (grows ? 0.05 * recorded : 0));
}

/* ---- frames ---- */

/* Power spectra of frames that overlap by half, and where the phase of any bin has turned to. */
typedef struct frames {
  size_t size, hop, count, bins;
  double bin_hz, rate_hz;
  double complex *spectra; /* count * bins */
  double *mean;            /* power, over all frames */
} frames;

/* Two real frames went through one transform of a + i b: A is the part of X that is even under conjugation,
 * B the odd one. */
static void take_spectra(frames *f, size_t i, const double complex *x) {
  for (size_t k = 0; k < f->bins; k++) {
    double complex mirror = conj(x[k ? f->size - k : 0]), a = 0.5 * (x[k] + mirror),
                   b = 0.5 * (x[k] - mirror);
    f->spectra[i * f->bins + k] = a;
    f->mean[k] += ct_complex_power(a) / (double)f->count;
    if (i + 1 < f->count) {
      f->spectra[(i + 1) * f->bins + k] = ct_complex(cimag(b), -creal(b));
      f->mean[k] += ct_complex_power(b) / (double)f->count;
    }
  }
}

static bool frames_make(const double *samples, size_t count, double rate_hz, frames *f) {
  *f = (frames){.size = ct_fft_size((size_t)(frame_s * rate_hz * 0.75)), .rate_hz = rate_hz};
  f->hop = f->size / 2;
  f->bins = f->size / 2;
  f->bin_hz = rate_hz / (double)f->size;
  f->count = count < f->size ? 0 : (count - f->size) / f->hop + 1;
  f->count = f->count < FRAMES_MOST ? f->count : FRAMES_MOST;
  f->spectra = malloc((f->count + 1) * f->bins * sizeof *f->spectra);
  f->mean = calloc(f->bins, sizeof *f->mean);
  double *window = ct_signal_make_window(f->size);
  double complex *x = malloc(f->size * sizeof *x), *twiddles = ct_fft_make_twiddles(f->size);
  bool good = f->spectra && f->mean && window && x && twiddles && f->count;
  for (size_t i = 0; good && i < f->count; i += 2) {
    bool two = i + 1 < f->count;
    for (size_t n = 0; n < f->size; n++)
      x[n] = ct_complex(samples[i * f->hop + n] * window[n],
                        two ? samples[(i + 1) * f->hop + n] * window[n] : 0);
    ct_fft_forward(x, f->size, twiddles);
    take_spectra(f, i, x);
  }
  free(window);
  free(x);
  free(twiddles);
  return good;
}

static double power_at(const frames *f, size_t frame, size_t bin) {
  return ct_complex_power(f->spectra[frame * f->bins + bin]);
}

static size_t bin_of(const frames *f, double hz) {
  return (size_t)fmin(fmax(hz / f->bin_hz + 0.5, 1), (double)f->bins - 1);
}

static size_t strongest_bin(const frames *f, size_t frame, double lo_hz, double hi_hz) {
  size_t best = bin_of(f, lo_hz), last = bin_of(f, hi_hz);
  for (size_t k = best; k <= last; k++)
    best = power_at(f, frame, k) > power_at(f, frame, best) ? k : best;
  return best;
}

/* Frequency at a peak: the phase has turned by whole turns and a part between this frame and the next; the
 * bin says how many, within half a turn per hop of two bins. */
static double peak_hz(const frames *f, size_t frame, size_t bin) {
  size_t other = frame + 1 < f->count ? frame + 1 : frame - 1;
  size_t first = frame < other ? frame : other;
  double turned = carg(f->spectra[(first + 1) * f->bins + bin] * conj(f->spectra[first * f->bins + bin]));
  double per_hop = (double)f->hop / f->rate_hz, expected = (double)bin * f->bin_hz * per_hop;
  double low = power_at(f, frame, bin - 1), high = power_at(f, frame, bin + 1), mid = power_at(f, frame, bin);
  double bend = log(low + 1e-300) - 2 * log(mid + 1e-300) + log(high + 1e-300);
  double shift = bend < 0 ? 0.5 * (log(low + 1e-300) - log(high + 1e-300)) / bend : 0;
  expected += fmin(fmax(shift, -0.5), 0.5) * f->bin_hz * per_hop;
  double part = turned / CT_TWO_PI;
  return (part + round(expected - part)) / per_hop;
}

static double lobe_power(const frames *f, size_t frame, double hz) {
  size_t middle = bin_of(f, hz), from = middle > LOBE ? middle - LOBE : 1;
  double sum = 0;
  for (size_t k = from; k <= middle + LOBE && k < f->bins; k++)
    sum += power_at(f, frame, k);
  return sum;
}

static double median(double *values, size_t count) {
  ct_signal_sort(values, count);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* ---- tones ---- */

/* The pitch that most of three places agree on. */
static double coarse_pitch(const double *samples, size_t count, double rate_hz) {
  size_t length = (size_t)(frame_s * rate_hz), found = 0;
  double hz[3];
  length = length < count ? length : count;
  for (size_t i = 0; i < 3; i++) {
    ct_measured_pitch p =
        ct_measure_pitch(samples + i * (count - length) / 2, length, rate_hz, lowest_hz, highest_hz);
    if (p.hz > 0 && p.clarity > 0.8)
      hz[found++] = p.hz;
  }
  return found ? median(hz, found) : CT_NAN;
}

/* One frame's fundamental, and what of its power lies on the first harmonics. */
static double frame_pitch(const frames *f, size_t frame, double coarse_hz, double *share) {
  double best = 0, on = 0, all = 0, hz = coarse_hz;
  for (int h = 1; h <= HARMONICS && h * coarse_hz < 0.45 * f->rate_hz; h++) {
    size_t bin = strongest_bin(f, frame, 0.95 * h * coarse_hz, 1.05 * h * coarse_hz);
    on += lobe_power(f, frame, (double)bin * f->bin_hz);
    if (power_at(f, frame, bin) > best) {
      best = power_at(f, frame, bin);
      hz = peak_hz(f, frame, bin) / h;
    }
  }
  for (size_t k = bin_of(f, band_lo_hz); k < f->bins; k++)
    all += power_at(f, frame, k);
  *share = all > 0 ? on / all : 0;
  return hz;
}

/* Changes of the strongest partial by more than a semitone, between runs of at least three frames. */
static double regime_changes(const frames *f) {
  double now = 0, next = 0;
  uint32_t run = 0, changes = 0;
  for (size_t i = 0; i < f->count; i++) {
    double hz = (double)strongest_bin(f, i, band_lo_hz, band_hi_hz) * f->bin_hz;
    bool same = run && fabs(ct_measure_cents(hz, next)) < 100 + 1200 * 1.5 * f->bin_hz / hz;
    run = same ? run + 1 : 1;
    next = same ? next : hz;
    if (run < 3)
      continue;
    changes += now > 0 && fabs(ct_measure_cents(next, now)) > 100 + 1200 * 1.5 * f->bin_hz / next;
    now = next;
  }
  return (double)changes;
}

/* What lies between the lobes of harmonics in each third of an octave, scaled up to all of its bins, against
 * the whole; the mean of these levels. A sum of powers would be what one or two modes happen to do that noise
 * has set ringing: over a second it varies by 2 dB, the mean of levels by some tenths. */
static double noise_share_db(const frames *f, const double *hz) {
  double between[THIRDS] = {0}, all = 0, sum = 0;
  size_t inside[THIRDS] = {0}, bins[THIRDS] = {0}, bands = 0;
  size_t first = bin_of(f, thirds_from_hz), last = bin_of(f, fmin(band_hi_hz, 0.45 * f->rate_hz));
  for (size_t i = 0; i < f->count; i++) {
    double spacing = (hz[i] > 0 ? hz[i] : 1e9) / f->bin_hz, reach = fmin(LOBE + 1.5, 0.4 * spacing);
    for (size_t k = first; k <= last; k++) {
      size_t band = (size_t)(3 * log2((double)k / (double)first));
      double nearest = fmax(round((double)k / spacing), 1) * spacing;
      if (band >= THIRDS)
        break;
      all += power_at(f, i, k);
      bins[band]++;
      if (fabs((double)k - nearest) <= reach)
        continue;
      between[band] += power_at(f, i, k);
      inside[band]++;
    }
  }
  for (size_t b = 0; b < THIRDS && all > 0; b++)
    if (inside[b]) {
      double share = between[b] * (double)bins[b] / ((double)inside[b] * all);
      sum += fmax(ct_signal_power_db(share), -100);
      bands++;
    }
  return bands ? sum / (double)bands : -100;
}

static void hear_pitch(const frames *f, double coarse_hz, ct_heard *heard, double *hz) {
  double found[FRAMES_MOST], power[HARMONICS] = {0}, share, spread = 0;
  size_t count = 0;
  for (size_t i = 0; i < f->count; i++) {
    double one = frame_pitch(f, i, coarse_hz, &share);
    hz[i] = share > 0.5 ? one : 0;
    if (share <= 0.5)
      continue;
    found[count++] = one;
    for (int h = 0; h < HARMONICS; h++)
      power[h] += lobe_power(f, i, (h + 1) * one);
  }
  if (!count)
    return;
  double middle = median(found, count);
  for (size_t i = 0; i < count; i++)
    spread += pow(ct_measure_cents(found[i], middle), 2) / (double)count;
  heard->value[TONE_PITCH] = middle;
  heard->value[TONE_WANDER] = sqrt(spread);
  for (int h = 1; h < HARMONICS; h++)
    heard->value[TONE_HARMONIC_2 + h - 1] = ct_signal_power_db(power[h] / power[0]);
}

/* ---- both ---- */

/* A rate counts where the modulation is at least so deep: it can be told from chance. */
static void hear_modulation(ct_heard_kind kind, const double *samples, size_t count, double rate_hz,
                            double least, double *rate, double *depth) {
  size_t block = (size_t)(block_s * rate_hz), blocks = count / block;
  double seconds = (double)count / rate_hz, *envelope = malloc((blocks + 1) * sizeof *envelope);
  ct_measured_modulation found = {CT_NAN, 0};
  for (size_t i = 0; envelope && i < blocks; i++)
    envelope[i] = sqrt(ct_signal_power(samples + i * block, block));
  if (envelope && kind == CT_HEARD_TONE)
    found = ct_pulse_measure(envelope, blocks, 1 / block_s, fastest_hz);
  else if (envelope)
    found = ct_envelope_modulation(envelope, blocks, 1 / block_s, fmax(2 / seconds, 0.5), fastest_hz);
  free(envelope);
  *depth = isfinite(found.depth) ? found.depth : 0;
  *rate = *depth >= least ? found.rate_hz : CT_NAN;
}

static void hear_tone(const frames *f, const double *samples, size_t count, double rate_hz, ct_heard *heard) {
  double hz[FRAMES_MOST] = {0}, coarse_hz = coarse_pitch(samples, count, rate_hz);
  if (isfinite(coarse_hz) && f->count > 1)
    hear_pitch(f, coarse_hz, heard, hz);
  heard->value[TONE_NOISE] = noise_share_db(f, hz);
  heard->value[TONE_REGIMES] = regime_changes(f) * rate_hz / (double)count;
  hear_modulation(CT_HEARD_TONE, samples, count, rate_hz, 0.05, &heard->value[TONE_RATE],
                  &heard->value[TONE_DEPTH]);
}

static void hear_noise(const frames *f, const double *samples, size_t count, double rate_hz,
                       ct_heard *heard) {
  double all = 0, first = ct_signal_power(samples, count / 2);
  for (size_t k = bin_of(f, band_lo_hz); k < f->bins; k++)
    all += f->mean[k];
  for (int i = 0; i < OCTAVES; i++) {
    double middle = 125 * pow(2, i), sum = 0;
    for (size_t k = bin_of(f, middle / sqrt(2)); k < bin_of(f, middle * sqrt(2)); k++)
      sum += f->mean[k];
    heard->value[NOISE_OCTAVE_1 + i] = ct_signal_power_db(sum / all);
  }
  heard->value[NOISE_FALL] =
      ct_signal_power_db(ct_signal_power(samples + count / 2, count / 2) / fmax(first, 1e-300));
  heard->value[NOISE_EVENTS] =
      (double)ct_measure_onsets(samples, count, rate_hz, NULL, 0) * rate_hz / (double)count;
  hear_modulation(CT_HEARD_NOISE, samples, count, rate_hz, 0.3, &heard->value[NOISE_RATE],
                  &heard->value[NOISE_DEPTH]);
}

bool ct_heard_measure(ct_heard_kind kind, const double *samples, size_t count, double rate_hz,
                      ct_heard *heard) {
  frames f = {0};
  for (int i = 0; i < CT_HEARD_MOST; i++)
    heard->value[i] = CT_NAN;
  double level_db = ct_signal_power_db(ct_signal_power(samples, count));
  bool good = level_db > -120 && frames_make(samples, count, rate_hz, &f);
  if (good && kind == CT_HEARD_TONE)
    hear_tone(&f, samples, count, rate_hz, heard);
  else if (good)
    hear_noise(&f, samples, count, rate_hz, heard);
  heard->value[ct_heard_level(kind)] = good ? level_db : CT_NAN;
  free(f.spectra);
  free(f.mean);
  return good;
}

bool ct_heard_is_tone(const double *samples, size_t count, double rate_hz) {
  ct_heard heard;
  return ct_heard_measure(CT_HEARD_TONE, samples, count, rate_hz, &heard) &&
         isfinite(heard.value[TONE_PITCH]) && heard.value[TONE_NOISE] < -20; /* white noise alone: -17.4 */
}

/* A finger that goes round a glass passes loud and soft places: the envelope repeats, and two to four
 * repetitions are all that two seconds hold. A peak of their spectrum is off by up to 5 %, by where in a
 * period the sound begins, and leaps by an octave where the second harmonic of the pulsation outgrows the
 * first. So a line and four harmonics of a rate are fitted by least squares, which is exact for whatever
 * repeats, and the rate is the one that explains most of the envelope. Every fraction of a rate explains as
 * much: of rates that explain nearly the most, the highest is taken. */

enum { PULSE_HARMONICS = 4, TERMS = 2 + 2 * PULSE_HARMONICS, RATES_MOST = 4096 };

static const double nearly = 0.85;  /* of what the best rate explains */
static const double spacing = 0.15; /* of rates that are tried, in periods within the envelope */
static const double least = 1e-6;   /* of the envelope's power: weaker is no pulsation */

/* How much of the envelope's power a line and the harmonics of one rate explain. */
static double explain(const double *envelope, size_t count, double omega, double *terms) {
  double m[TERMS * TERMS] = {0}, sums[TERMS], row[TERMS], explained = 0;
  double turn_c = cos(omega), turn_s = sin(omega), c = 1, s = 0;
  memset(terms, 0, TERMS * sizeof *terms);
  for (size_t n = 0; n < count; n++) {
    double high_c = c, high_s = s, next = c * turn_c - s * turn_s;
    row[0] = 1;
    row[1] = (2.0 * (double)n + 1) / (double)count - 1;
    for (int h = 1; h <= PULSE_HARMONICS; h++) {
      row[2 * h] = high_c;
      row[2 * h + 1] = high_s;
      double higher = high_c * c - high_s * s;
      high_s = high_c * s + high_s * c;
      high_c = higher;
    }
    s = c * turn_s + s * turn_c;
    c = next;
    for (int i = 0; i < TERMS; i++) {
      terms[i] += row[i] * envelope[n];
      for (int j = 0; j <= i; j++)
        m[i * TERMS + j] += row[i] * row[j];
    }
  }
  for (int i = 0; i < TERMS; i++) /* where a period is as long as the envelope, or harmonics fold */
    m[i * TERMS + i] += 1e-6 * (double)count;
  memcpy(sums, terms, sizeof sums);
  ct_signal_solve(m, terms, TERMS);
  for (int i = 0; i < TERMS; i++)
    explained += terms[i] * sums[i];
  return explained;
}

/* Makes the mean 0, in units of what it was, and returns the power about the straight line through it; `line`
 * is what that line explains. */
static double flatten(double *envelope, size_t count, double *line) {
  double mean = 0, along = 0, length = 0, power = 0;
  for (size_t n = 0; n < count; n++)
    mean += envelope[n] / (double)count;
  for (size_t n = 0; n < count; n++) {
    double u = (2.0 * (double)n + 1) / (double)count - 1;
    envelope[n] = mean > 0 ? envelope[n] / mean - 1 : 0;
    along += u * envelope[n];
    length += u * u;
    power += envelope[n] * envelope[n];
  }
  *line = along * along / length;
  return power - *line;
}

/* The top between two rates, by golden sections. */
static double climb(const double *envelope, size_t count, double low, double high, double *terms) {
  for (int i = 0; i < 20; i++) {
    double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    if (explain(envelope, count, a, terms) > explain(envelope, count, b, terms))
      high = b;
    else
      low = a;
  }
  return 0.5 * (low + high);
}

ct_measured_modulation ct_pulse_measure(double *envelope, size_t count, double rate_hz, double hi_hz) {
  double explained[RATES_MOST], terms[TERMS], line, most = 0;
  double step = CT_TWO_PI * spacing / (double)count, lowest = CT_TWO_PI * 2 / (double)count - step;
  size_t rates = (size_t)fmax((CT_TWO_PI * hi_hz / rate_hz - lowest) / step, 0), best = 0;
  rates = rates < RATES_MOST ? rates : RATES_MOST;
  if (count < 2 * TERMS || rates < 3 || !(flatten(envelope, count, &line) > least * (double)count))
    return (ct_measured_modulation){CT_NAN, 0};
  for (size_t i = 0; i < rates; i++)
    explained[i] = explain(envelope, count, lowest + (double)i * step, terms) - line;
  for (size_t i = 1; i + 1 < rates; i++)
    if (explained[i] >= explained[i - 1] && explained[i] >= explained[i + 1])
      most = fmax(most, explained[i]);
  for (size_t i = 1; i + 1 < rates; i++)
    if (explained[i] >= explained[i - 1] && explained[i] >= explained[i + 1] && explained[i] >= nearly * most)
      best = i;
  if (!best)
    return (ct_measured_modulation){CT_NAN, 0};
  double omega = lowest + (double)best * step;
  omega = climb(envelope, count, omega - step, omega + step, terms);
  explain(envelope, count, omega, terms);
  return (ct_measured_modulation){omega * rate_hz / CT_TWO_PI,
                                  ct_envelope_depth(1 + terms[0], terms + 2, PULSE_HARMONICS)};
}
