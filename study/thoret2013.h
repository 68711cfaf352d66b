/* Thoret, Aramaki, Gondre, Kronland-Martinet and Ystad (2013): its parts. Each fills in its numbers; those of
 * figures are written and drawn when a folder is given. */
#ifndef CT_STUDY_THORET2013_H
#define CT_STUDY_THORET2013_H

#include "study/study.h"
#include <contatto/doc.h>
#include <contatto/measure.h>

extern const struct study_csv thoret_csv;

ct_result thoret2013_run(const ct_study_run *run, ct_error *error);

/* ---- sounds ---- */

enum { THORET_TAPS = 2, THORET_RATE = 48000 };

/* A scene to be played: its demo, unless values are held or another gesture is given. */
typedef struct thoret_play {
  const char *scene, *preset;
  const char *path[3]; /* held at these values, from a tenth of a second on */
  double value[3];
  uint32_t held;
  const ct_gesture *gesture; /* or played by this; may be null */
  const char *tap[THORET_TAPS];
  double seconds; /* 0: as the scene says */
} thoret_play;

typedef struct thoret_sound {
  double *samples, *tap[THORET_TAPS];
  size_t count;
} thoret_sound;

ct_result thoret_record(const thoret_play *play, thoret_sound *sound, ct_error *error);
void thoret_sound_free(thoret_sound *sound);

/* ---- figure 3: the conveyor belt ---- */

typedef struct thoret_belt {
  double period_s, slip_share; /* of the period spent sliding */
  double level_db[10];         /* of the mass's harmonics, re the first */
  double saw_db[10];           /* of eq. 1's */
} thoret_belt;

ct_result thoret_draw_belt(const ct_study_run *run, thoret_belt *belt, ct_error *error);

/* ---- figures 4 to 6: spectrograms; and 7: the plane ---- */

ct_result thoret_draw_spectra(const ct_study_run *run, ct_error *error);
ct_result thoret_draw_plane(const ct_study_run *run, ct_error *error);

/* ---- inharmonicity ---- */

/* gamma_n = f_n / (n f0) - 1 over the partials n found in all frames, and its regression on n. */
typedef struct thoret_harmonic {
  const char *name;
  uint32_t frames, partials;
  double f0_low_hz, f0_high_hz;
  double slope, slope_error; /* per n; two standard errors */
  double rms;
} thoret_harmonic;

enum { THORET_HARMONICS = 8 };

ct_result thoret_find_harmonics(const ct_study_run *run, thoret_harmonic found[THORET_HARMONICS],
                                ct_error *error);
/* The analysis itself, of any sound. */
ct_result thoret_analyse(const double *samples, size_t count, double rate_hz, double lo_hz, double hi_hz,
                         thoret_harmonic *found, ct_error *error);

/* ---- recorded squeaks beside ours ---- */

enum { THORET_REGIMES = 256, THORET_FRAMES = 4000 };

/* What a sound does for a while. */
typedef enum thoret_kind { THORET_SILENT, THORET_NOISY, THORET_SQUEAKS, THORET_SINGS } thoret_kind;

typedef struct thoret_regime {
  double from_s, to_s;
  thoret_kind kind;
  double hz, spread; /* geometric mean of the pitch, rms of its relative deviation; NAN without pitch */
} thoret_regime;

/* The pitch of a sound over time, and what follows from it. */
typedef struct thoret_heard {
  ct_measured_pitch_frame frames[THORET_FRAMES];
  size_t frame_count;
  double loudest_db; /* of the frames */
  thoret_regime regimes[THORET_REGIMES];
  uint32_t regime_count;
  double seconds;
  double f0_low_hz, f0_middle_hz,
      f0_high_hz;        /* a twentieth of the pitches lie below, half, a twentieth above */
  double pitched, sings; /* shares of the time that is not silent */
  double changes_per_s;  /* from one regime to another, of that time */
  thoret_harmonic harmonic;
} thoret_heard;

/* Any sound. */
ct_result thoret_hear(const double *samples, size_t count, double rate_hz, thoret_heard *heard,
                      ct_error *error);
/* Whether frame i has a pitch and is not silent. */
bool thoret_pitched(const thoret_heard *heard, size_t i);

/* Recordings, and our five sounds beside them. */
typedef struct thoret_squeaks thoret_squeaks;

/* run->recording, or those that are known and installed, perhaps none; free them whatever is returned. */
ct_result thoret_squeaks_read(const ct_study_run *run, thoret_squeaks **squeaks, ct_error *error);
void thoret_squeaks_free(thoret_squeaks *squeaks); /* null is fine */
/* Draws and prints, if there is any recording. */
ct_result thoret_squeaks_compare(const ct_study_run *run, thoret_squeaks *squeaks, ct_error *error);

/* ---- two glasses ---- */

typedef struct thoret_glass {
  double hz, cents;              /* strongest partial, against the mode */
  double pulses_hz, expected_hz; /* amplitude modulation */
  double attack_s;               /* from the start to 3 dB under the end */
  double second_db;              /* next partial, re the strongest */
} thoret_glass;

enum { THORET_PHYSICAL, THORET_PRINTED, THORET_REAL, THORET_GLASSES };

extern const char *const thoret_glass_names[THORET_GLASSES];

ct_result thoret_compare_glasses(const ct_study_run *run, thoret_glass glass[THORET_GLASSES],
                                 ct_error *error);

#endif
