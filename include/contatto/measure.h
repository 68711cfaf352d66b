/* contatto/measure.h: what an ear would notice, as numbers.
 *
 * Pure functions from a signal to numbers: no state, no files. Link libcontatto_measure and libm. They
 * allocate scratch memory, so call them from any thread except the audio thread; that is what the tag [setup]
 * means throughout this header.
 *
 * A signal is `samples`, `count` of them, at `rate_hz`; 1.0 is full scale. Every function accepts any input:
 * an empty signal, silence, NaN or infinite samples (read as 0), a rate that is not positive. What cannot be
 * measured is NAN in the result (-INFINITY where the honest answer is "no energy"), and a list of length 0.
 *
 * List functions write at most `max` entries and return how many there are, so `f(..., NULL, 0)` asks for the
 * size.
 *
 * Levels in dB, two conventions, always named:
 *   rms dB        20 log10(rms): a full-scale sine reads -3.01
 *   amplitude dB  20 log10(amplitude of the sine): a full-scale sine reads 0
 *
 * Definitions, tested accuracy and limits of each measure are in docs/measure.md.
 */
#ifndef CONTATTO_MEASURE_H
#define CONTATTO_MEASURE_H

#include "base.h"

#ifdef CT_MEASURE_BUILDING
#define CT_MEASURE_API CT_EXPORT
#else
#define CT_MEASURE_API CT_IMPORT
#endif

CT_DECLARATIONS_BEGIN

/* Interval from reference_hz up to hz, in cents. [any] */
CT_MEASURE_API double ct_measure_cents(double hz, double reference_hz);

/* ---- pitch ---- */

typedef struct ct_measured_pitch {
  double hz;      /* fundamental; NAN when there is none in the search range */
  double clarity; /* 0 noise .. 1 perfectly periodic */
} ct_measured_pitch;

/* The fundamental of a steady or decaying tone, between lo_hz and hi_hz. The fundamental itself may be
 * missing from the spectrum. Better than 0.1 cent for 0.2 s of a harmonic tone. Only the first two seconds of
 * the active part are looked at. An inharmonic sound gets the partial that dominates it, if one does. [setup]
 */
CT_MEASURE_API ct_measured_pitch ct_measure_pitch(const double *samples, size_t count, double rate_hz,
                                                  double lo_hz, double hi_hz);

typedef struct ct_measured_pitch_frame {
  double time_s; /* middle of the window */
  double hz;     /* NAN where clarity is below 0.5 or the frame is silent */
  double clarity;
  double level_db; /* rms dB of the frame */
} ct_measured_pitch_frame;

/* The fundamental over time, one frame every hop_s from windows of window_s; the first window starts at time
 * 0. Take window_s >= 3 / lo_hz. [setup] */
CT_MEASURE_API size_t ct_measure_pitch_track(const double *samples, size_t count, double rate_hz,
                                             double window_s, double hop_s, double lo_hz, double hi_hz,
                                             ct_measured_pitch_frame *frames, size_t max);

/* ---- partials ---- */

typedef struct ct_measured_peak {
  double hz;
  double level_db; /* amplitude dB, averaged over the signal by the analysis window */
} ct_measured_peak;

/* The strongest sinusoid between lo_hz and hi_hz, steady or decaying: better than 0.05 cent for 0.5 s of a
 * steady sine. [setup] */
CT_MEASURE_API ct_measured_peak ct_measure_strongest_partial(const double *samples, size_t count,
                                                             double rate_hz, double lo_hz, double hi_hz);

/* All spectral peaks at or above floor_db (amplitude dB), by rising frequency. Partials closer than 8 /
 * duration merge; the window's own side lobes lie 92 dB below a peak. [setup] */
CT_MEASURE_API size_t ct_measure_peaks(const double *samples, size_t count, double rate_hz, double floor_db,
                                       ct_measured_peak *peaks, size_t max);

/* ---- level and loudness ---- */

typedef struct ct_measured_level {
  double rms_db;  /* rms dB; -INFINITY for silence */
  double peak_db; /* largest |sample| in dB */
  double mean;    /* DC offset, linear */
} ct_measured_level;

/* [setup] */
CT_MEASURE_API ct_measured_level ct_measure_level(const double *samples, size_t count);

typedef struct ct_measured_level_frame {
  double time_s; /* middle of the window */
  double rms_db;
  double peak_db;
} ct_measured_level_frame;

/* Level over time; a last, shorter window is dropped. [setup] */
CT_MEASURE_API size_t ct_measure_level_track(const double *samples, size_t count, double rate_hz,
                                             double window_s, double hop_s, ct_measured_level_frame *frames,
                                             size_t max);

typedef struct ct_measured_loudness {
  double integrated_lufs;     /* gated; -INFINITY if nothing passes the -70 LUFS gate, NAN under 0.4 s */
  double momentary_max_lufs;  /* 0.4 s window; NAN under 0.4 s */
  double short_term_max_lufs; /* 3 s window; NAN under 3 s */
  double true_peak_db;        /* dBTP, all channels */
} ct_measured_loudness;

/* ITU-R BS.1770-4 of `frames` frames of `channels` interleaved samples, any sample rate. Channels: 1 mono, 2
 * L R, 3 L R C, 4 L R Ls Rs, 5 L R C Ls Rs, 6 L R C LFE Ls Rs; beyond that every channel counts once. [setup]
 */
CT_MEASURE_API ct_measured_loudness ct_measure_loudness(const double *interleaved, size_t frames,
                                                        size_t channels, double rate_hz);

/* ---- decay ---- */

typedef struct ct_measured_decay {
  double hz;        /* the mode's frequency as found near the nominal one */
  double t60_s;     /* time to fall by 60 dB; NAN if it does not fall */
  double level_db;  /* amplitude dB at the onset */
  double range_db;  /* span of decay the fit rests on: under 10 dB, be careful */
  double misfit_db; /* rms distance of the envelope from the line: over 1 dB, not one exponential */
} ct_measured_decay;

/* Decay of the mode near mode_hz, after its loudest moment. t60 0.02 .. 30 s within 1 %, also with another
 * mode 50 Hz away if the decay is slow enough to tell them apart (t60 over about 0.2 s). [setup] */
CT_MEASURE_API ct_measured_decay ct_measure_decay(const double *samples, size_t count, double rate_hz,
                                                  double mode_hz);

/* The same for each of `modes` nominal frequencies. [setup] */
CT_MEASURE_API void ct_measure_decays(const double *samples, size_t count, double rate_hz,
                                      const double *mode_hz, size_t modes, ct_measured_decay *decays);

typedef struct ct_measured_mode {
  ct_measured_peak peak;   /* the line in the spectrum */
  ct_measured_decay decay; /* and how it falls; NAN where it does not */
} ct_measured_mode;

/* The strongest modes between lo_hz and hi_hz, down to 60 dB under the first, the strongest first. Each is
 * there once: lines that lie on the skirt of a mode already found, or whose decay turns out to be that
 * mode's, or that have no decay and stand beside one that has, are left out. Returns how many, at most max.
 * [setup] */
CT_MEASURE_API size_t ct_measure_modes(const double *samples, size_t count, double rate_hz, double lo_hz,
                                       double hi_hz, ct_measured_mode *modes, size_t max);

/* ---- spectrum ---- */

typedef struct ct_measured_spectrum {
  double centroid_hz; /* power-weighted mean frequency */
  double spread_hz;   /* power-weighted standard deviation about it: the bandwidth */
  double rolloff_hz;  /* 85 % of the power lies below */
} ct_measured_spectrum;

/* Shape of the power spectrum between lo_hz and hi_hz (0 and INFINITY for all of it). [setup] */
CT_MEASURE_API ct_measured_spectrum ct_measure_spectrum(const double *samples, size_t count, double rate_hz,
                                                        double lo_hz, double hi_hz);

/* Rms dB within each of `bands` bands, band i from edges_hz[i] to edges_hz[i + 1]. [setup] */
CT_MEASURE_API void ct_measure_bands(const double *samples, size_t count, double rate_hz,
                                     const double *edges_hz, size_t bands, double *level_db);

/* Edges of IEC 61260-1 base-ten fractional-octave bands (per_octave 1 or 3) whose midbands lie in lo_hz ..
 * hi_hz, nominal values such as 31.5 or 20000 included. Returns the number of edges, one more than of bands;
 * 0 when there is no band. [any] */
CT_MEASURE_API size_t ct_measure_octave_edges(int per_octave, double lo_hz, double hi_hz, double *edges_hz,
                                              size_t max);

/* Roughness after Vassilakis (2001), summed over pairs of spectral peaks in frames of 0.5 s. [setup] */
CT_MEASURE_API double ct_measure_roughness(const double *samples, size_t count, double rate_hz);

typedef struct ct_measured_harmonicity {
  double fraction; /* 0..1 of the power that lies on harmonics of the fundamental */
  double hnr_db;   /* the same as harmonics-to-rest ratio */
} ct_measured_harmonicity;

/* Power on the harmonics of f0_hz, less what a flat floor would put there by chance. [setup] */
CT_MEASURE_API ct_measured_harmonicity ct_measure_harmonicity(const double *samples, size_t count,
                                                              double rate_hz, double f0_hz);

/* ---- events in time ---- */

typedef struct ct_measured_modulation {
  double rate_hz; /* NAN when the envelope is steady */
  double depth;   /* (max - min) / (max + min) of the periodic envelope: m of 1 + m cos */
} ct_measured_modulation;

/* Strongest amplitude modulation with a rate between lo_hz and hi_hz; an exponential decay is taken out
 * first. [setup] */
CT_MEASURE_API ct_measured_modulation ct_measure_modulation(const double *samples, size_t count,
                                                            double rate_hz, double lo_hz, double hi_hz);

typedef struct ct_measured_onset {
  double time_s;
  double strength_db; /* rise of the short-time level */
} ct_measured_onset;

/* Attacks, by time; impacts to 2 ms. [setup] */
CT_MEASURE_API size_t ct_measure_onsets(const double *samples, size_t count, double rate_hz,
                                        ct_measured_onset *onsets, size_t max);

/* A stretch of time, start included, end not. */
typedef struct ct_measure_interval {
  double start_s;
  double end_s;
} ct_measure_interval;

typedef struct ct_measured_click {
  double time_s;
  double strength_db; /* how far the discontinuity stands above what the surrounding sound explains */
} ct_measured_click;

/* A click is a strength above this. Smooth sounds stay well below it: see docs/measure.md for the margins. */
#define CT_MEASURE_CLICK_DB 18.0

/* Discontinuities stronger than threshold_db outside the `exempt_count` intervals of `exempt` (impacts are
 * sudden by nature: exempt them), by time. [setup] */
CT_MEASURE_API size_t ct_measure_clicks(const double *samples, size_t count, double rate_hz,
                                        double threshold_db, const ct_measure_interval *exempt,
                                        size_t exempt_count, ct_measured_click *clicks, size_t max);

/* The strongest candidate, whatever its strength; strength_db is -INFINITY if there is none. [setup] */
CT_MEASURE_API ct_measured_click ct_measure_worst_click(const double *samples, size_t count, double rate_hz,
                                                        const ct_measure_interval *exempt,
                                                        size_t exempt_count);

CT_DECLARATIONS_END

#endif
