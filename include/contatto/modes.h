/* contatto/modes.h: knock on a thing, record it, get its modes.
 *
 * From recordings of one body being struck to frequency, decay, gain and phase of each of its modes: strikes
 * are found, poles guessed by ESPRIT in decimated sub-bands, then fitted to the samples by least squares, all
 * modes together. In white noise the errors are those of the Cramér-Rao bound (docs/recordings.md has the
 * numbers). Link libcontatto_modes. Everything here allocates, and works for a second or so: [setup]. */
#ifndef CONTATTO_MODES_H
#define CONTATTO_MODES_H

#include "doc.h"

#ifdef CT_MODES_BUILDING
#define CT_MODES_API CT_EXPORT
#else
#define CT_MODES_API CT_IMPORT
#endif

CT_DECLARATIONS_BEGIN

#define CT_FOUND_MOST 256    /* modes found at most, whatever is asked for */
#define CT_STRIKES_MOST 16   /* strikes looked at: the loudest ones */
#define CT_MODES_LEAST_S 0.1 /* a recording must last so long after its first strike */

/* One recording: `count` samples at rate_hz, of the body struck at a place (numbered from 0). */
typedef struct ct_recording {
  const double *samples;
  size_t count;
  double rate_hz;
  uint32_t place;
} ct_recording;

typedef struct ct_modes_def {
  uint32_t cookie, size;
  double lo_hz, hi_hz;    /* modes are looked for between these */
  uint32_t most;          /* so many at most: those with most energy */
  double false_alarms;    /* share of recordings of white noise in which a mode is seen that is none */
  double least_explained; /* refused when modes explain less of the energy over the noise than this; two
                           * thirds of the way to all of it where there are several strikes */
  /* Told from time to time how much is done, 0 .. 1; may be null. */
  void (*progress)(void *context, double fraction);
  void *context;
} ct_modes_def;

CT_MODES_API void ct_fill_modes_def(ct_modes_def *def, uint32_t size);
static inline ct_modes_def ct_default_modes_def(void) {
  ct_modes_def def;
  ct_fill_modes_def(&def, (uint32_t)sizeof def);
  return def;
}

typedef struct ct_found_mode {
  double hz, t60_s;
  double over_db;  /* its energy over the noise's in the same band and time */
  double hz_error; /* standard errors, by the Cramér-Rao bound at the noise that was found */
  double t60_error_s;
  double gain_error; /* of the gain at the strike in which it is heard best, as a share of it; in a room, of
                      * that of the direct sound */
  bool beats;        /* with another mode closer than both are wide */
  bool stands_in;    /* no line of its own: stands for a band, where `most` left no room for what is there */
  bool perhaps_room; /* rings less than twice as long as what seems to be a room */
  bool gain_guess;   /* the gain may be off by more than 2 dB: these are less than three standard errors */
} ct_found_mode;

typedef struct ct_found_strike {
  uint32_t recording, place;
  size_t start, count; /* samples of the recording it was fitted to; start: the instant of the strike */
  double energy;       /* of the modes in it */
  double explained;    /* share of the energy over the noise that the modes are */
} ct_found_strike;

/* One strike's amplitude of one mode: the mode is gain cos(w t + phase_rad) e^(-t / tau) from the strike on.
 */
typedef struct ct_found_gain {
  double gain, phase_rad;
} ct_found_gain;

typedef struct ct_found_modes {
  uint32_t mode_count, strike_count, place_count;
  const ct_found_mode *modes;     /* by rising frequency */
  const ct_found_strike *strikes; /* by recording and time */
  const ct_found_gain *gains;     /* [strike * mode_count + mode] */
  const double *place_gains;      /* [place * mode_count + mode]: mean of the strikes there, with a sign */
  double noise_db;                /* rms dB of the residual's noise, all bands together */
  double room_t60_s;              /* of what decays and is no mode; 0: nothing of the kind */
  double explained;               /* as of the strikes, all together */
} ct_found_modes;

/* Refused, each with a sentence: silence, what is too short, clipped, has no strike, or has no modes: noise,
 * in which fewer than `false_alarms` of recordings show any, or speech, of which modes explain little. */
CT_MODES_API ct_result ct_modes_find(const ct_recording *recordings, uint32_t count, const ct_modes_def *def,
                                     ct_found_modes **found, ct_error *error);
CT_MODES_API void ct_modes_free(ct_found_modes *found); /* null is fine */

/* The modes of a strike as they ring from its start on. */
CT_MODES_API void ct_modes_play(const ct_found_modes *found, uint32_t strike, double rate_hz, double *samples,
                                size_t count);

/* Log-spectral distance of two sounds in dB: root mean square of the difference of levels in 30 bands even in
 * ERB from 50 Hz to 16 kHz (or half the rate) and frames of 20 ms every 10 ms, over the first second, of
 * cells where the first sound is within 60 dB of its loudest cell; the other one's levels count from there
 * on, too. NAN if there are no such cells. */
CT_MODES_API double ct_modes_distance_db(const double *samples, const double *other, size_t count,
                                         double rate_hz);
/* The same, of cells that also stand 10 dB over the noise: their band's mean in the last tenth of the first
 * sound, if that is longer than 2 s. */
CT_MODES_API double ct_modes_distance_over_noise_db(const double *samples, const double *other, size_t count,
                                                    double rate_hz);

/* Where a body's modal masses come from. A recording has no scale, so one number is a rule of thumb: the mode
 * with most energy weighs half of the object, or ten times what struck it, or 0.05 kg. Or, for a body that is
 * to be rubbed by whatever hand: the mode that is easiest to keep ringing takes this much force per speed. */
typedef struct ct_modes_weight {
  double mass_kg;          /* of the object; 0: not given */
  double hammer_mass_kg;   /* of what struck it; 0: not given */
  double resistance_n_s_m; /* 2 m s, s the rate of decay, of the mode where it is least; 0: not given */
} ct_modes_weight;

/* What was found as a document with one body, `body`, for "modes": {"from": ...}: a point for each place, as
 * places[place_count] name them. `source` is named in the body's words, which also say where its masses come
 * from; weight may be null: nothing is known. */
CT_MODES_API ct_result ct_modes_document(const ct_found_modes *found, const char *const *places,
                                         const char *source, const ct_modes_weight *weight, ct_doc **doc,
                                         ct_error *error);

/* Adds to that document what the modes leave of the loudest strike at each place: the thump of its point,
 * which pickups may hear (ct_pickup_def.thump), at the recorded level beside the modes. The same recordings,
 * places and weight as before; each thump at most longest_s long, 0 to CT_THUMP_MOST_S, and as long as its
 * energy is. lengths_s[place_count] become what they last, 0 where nothing is left; may be null. */
CT_MODES_API ct_result ct_modes_add_thumps(const ct_found_modes *found, const ct_recording *recordings,
                                           const char *const *places, const ct_modes_weight *weight,
                                           double longest_s, double *lengths_s, ct_doc *doc, ct_error *error);

CT_DECLARATIONS_END

#endif
