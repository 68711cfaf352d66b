/* Table 1 of Thoret et al. 2013. Creaks and squeaks are one row there, gamma = 1 and a free pitch; they
 * differ in the pitch they have and how far a gesture bends it. What sings has gamma = 0 and a mode's pitch;
 * the rim's amplitude modulation is the singing glass's alone. Scratching and rubbing are its section 2: the
 * same noise impacts, sparse or dense. */
#include "source/behaviour.h"

#include <math.h>

static const struct {
  const char *name;
  double harmonics, gamma, beats, noise, impacts_per_m, lock, hz;
} table[CT_BEHAVIOURS] = {
    [CT_CREAKY_DOOR] = {"creaky_door", 1, 1, 0, 0, 2000, 0, 60},
    [CT_SQUEAKY_PLATE] = {"squeaky_plate", 1, 1, 0, 0, 2000, 0, 1500},
    [CT_SQUEAKY_GLASS] = {"squeaky_glass", 1, 1, 0, 0, 2000, 0, 900},
    [CT_SINGING_GLASS] = {"singing_glass", 1, 0, 1, 0, 2000, 1, 600},
    [CT_BOWED_STRING] = {"bowed_string", 1, 0, 0, 0, 2000, 1, 220},
    [CT_SCRATCHING] = {"scratching", 0, 1, 0, 1, 300, 0, 200},
    [CT_RUBBING] = {"rubbing", 0, 1, 0, 1, 30000, 0, 200},
    [CT_SILENT] = {"silent", 0, 1, 0, 0, 2000, 0, 200},
};

const char *ct_behaviour_name(ct_behaviour b) { return b < CT_BEHAVIOURS ? table[b].name : ""; }

const char *ct_signal_name(ct_signal signal) {
  static const char *const names[CT_SIGNALS] = {"speed",        "pressure",  "fluidity", "position",
                                                "acceleration", "curvature", "log_jerk", "arc_length"};
  return signal < CT_SIGNALS ? names[signal] : "";
}

const char *ct_signal_unit(ct_signal signal) {
  return signal == CT_SPEED               ? "m/s"
         : signal == CT_PATH_ACCELERATION ? "m/s^2"
         : signal == CT_PATH_CURVATURE    ? "1/m"
                                          : "";
}

ct_voice ct_behaviour_voice(ct_behaviour b) {
  ct_voice v = {{[CT_VOICE_LEVEL] = 1,
                 [CT_VOICE_HARMONICS] = table[b].harmonics,
                 [CT_VOICE_GAMMA] = table[b].gamma,
                 [CT_VOICE_BEATS] = table[b].beats,
                 [CT_VOICE_NOISE] = table[b].noise,
                 [CT_VOICE_DENSITY] = log2(table[b].impacts_per_m),
                 [CT_VOICE_LOCK] = table[b].lock,
                 [CT_VOICE_PITCH] = log2(table[b].hz)}};
  return v;
}

/* A part that only those have a say in who sound by `by`. */
static double blend_heard(const ct_voice *voices, const double *weights, uint32_t count, ct_voice_part part,
                          ct_voice_part by, double fallback) {
  double sum = 0, say = 0;
  for (uint32_t i = 0; i < count; i++) {
    double weight = weights[i] * voices[i].part[by] * voices[i].part[CT_VOICE_LEVEL];
    say += weight;
    sum += weight * voices[i].part[part];
  }
  return say > 0 ? sum / say : fallback;
}

ct_voice ct_voices_blend(const ct_voice *voices, const double *weights, uint32_t count,
                         const ct_voice *fallback) {
  ct_voice v = *fallback;
  const ct_voice_part plain[] = {CT_VOICE_LEVEL, CT_VOICE_HARMONICS, CT_VOICE_GAMMA,
                                 CT_VOICE_BEATS, CT_VOICE_NOISE,     CT_VOICE_LOCK};
  for (size_t p = 0; p < sizeof plain / sizeof plain[0]; p++) {
    v.part[plain[p]] = 0;
    for (uint32_t i = 0; i < count; i++)
      v.part[plain[p]] += weights[i] * voices[i].part[plain[p]];
  }
  v.part[CT_VOICE_PITCH] =
      blend_heard(voices, weights, count, CT_VOICE_PITCH, CT_VOICE_HARMONICS, fallback->part[CT_VOICE_PITCH]);
  v.part[CT_VOICE_DENSITY] =
      blend_heard(voices, weights, count, CT_VOICE_DENSITY, CT_VOICE_NOISE, fallback->part[CT_VOICE_DENSITY]);
  return v;
}

/* ---- notes ---- */

static double nearest_overtone(double above) {
  double n = exp2(above), low = fmax(floor(n), 1);
  return above - log2(low) <= log2(low + 1) - above ? log2(low) : log2(low + 1);
}

/* Semitones above the root that belong to a scale, as bits. */
static double nearest_semitone(ct_notes notes, double above) {
  static const uint16_t scale[] = {
      [CT_NOTES_CHROMATIC] = 0xfff,  [CT_NOTES_MAJOR] = 0xab5, [CT_NOTES_MINOR] = 0x5ad,
      [CT_NOTES_PENTATONIC] = 0x295, [CT_NOTES_BLUES] = 0x4e9, [CT_NOTES_WHOLE_TONE] = 0x555};
  double octave = floor(above), best = octave, least = INFINITY;
  for (int i = 0; i <= 12; i++) {
    double note = octave + i / 12.0;
    if ((scale[notes] >> i % 12 & 1) && fabs(above - note) < least) {
      least = fabs(above - note);
      best = note;
    }
  }
  return best;
}

double ct_notes_nearest(ct_notes notes, double root_hz, double pitch, double held) {
  double root = log2(root_hz), above = pitch - root;
  double note =
      root + (notes == CT_NOTES_OVERTONES ? nearest_overtone(above) : nearest_semitone(notes, above));
  return fabs(pitch - held) <= fabs(pitch - note) + 0.25 / 12 ? held : note;
}
