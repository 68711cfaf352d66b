/* What a behaviour is, as numbers between which one can walk, and its pitch. */
#ifndef CT_SOURCE_BEHAVIOUR_H
#define CT_SOURCE_BEHAVIOUR_H

#include <contatto/source.h>

/* Everything the synthesis needs to know. Pitch and density are logarithms to base 2. */
typedef enum ct_voice_part {
  CT_VOICE_LEVEL,
  CT_VOICE_HARMONICS, /* share of the harmonic sum */
  CT_VOICE_GAMMA,     /* the paper's state parameter: how much the pitch wanders */
  CT_VOICE_BEATS,     /* depth of a rim's amplitude modulation */
  CT_VOICE_NOISE,     /* share of noise impacts */
  CT_VOICE_DENSITY,   /* log2 of impacts per metre */
  CT_VOICE_LOCK,      /* how far the pitch is a mode's */
  CT_VOICE_PITCH,     /* log2 of f0 in Hz */
  CT_VOICE_PARTS
} ct_voice_part;

typedef struct ct_voice {
  double part[CT_VOICE_PARTS];
} ct_voice;

/* [any] Table 1; its pitch is the behaviour's own, its level 1. */
ct_voice ct_behaviour_voice(ct_behaviour behaviour);

/* [any] sum of weight * voice. What does not sound has no say in the pitch, nor what does not hiss in the
 * density; when nobody has, those of `fallback` stay. Weights sum to 1. */
ct_voice ct_voices_blend(const ct_voice *voices, const double *weights, uint32_t count,
                         const ct_voice *fallback);

/* [any] The note nearest to a pitch (log2 Hz). `held` is the note that sounds, or NAN: it is kept until
 * another one is nearer by a quarter of a semitone. */
double ct_notes_nearest(ct_notes notes, double root_hz, double pitch, double held);

#endif
