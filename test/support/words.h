/* Scenes in a few words: JSON with single quotes for double ones. Every call fails the running test when the
 * words are refused. */
#ifndef CT_TEST_WORDS_H
#define CT_TEST_WORDS_H

#include <contatto/doc.h>
#include <stdarg.h>

#define WORDS_PRINTF(at) __attribute__((format(printf, (at), (at) + 1)))

ct_doc *words_doc(const char *format, ...) WORDS_PRINTF(1);
/* At 48 kHz, with its ledger. */
ct_scene *words_scene(const char *format, ...) WORDS_PRINTF(1);
/* What is said when the words cannot be a scene, by the document or by building it; "" when they can.
 * `warned` (may be null) gets the first warning. */
const char *words_complaint(ct_error *error, char *warned, size_t room, const char *format, ...)
    WORDS_PRINTF(4);

/* A body `b` of these modes, struck at `hit` and heard at `ear` as velocity: one sample of force, 48000
 * samples a second, in SI units. What moves besides is told by one more column of the gesture, from `start`
 * until from_s and to `end` at to_s. */
typedef struct words_strike {
  const char *modes;
  double hit[2], ear[2]; /* u, v */
  const char *moves;     /* "b.modes.size", or null: all is still */
  double start, end, from_s, to_s;
  double seconds;
} words_strike;

enum { WORDS_STRIKE_SAMPLE = 480 }; /* when the force acts */

typedef struct words_sound {
  double *samples; /* free() them */
  size_t count;
  ct_ledger ledger;
} words_sound;

words_sound words_struck(const words_strike *strike);
/* A scene with its own gesture and one channel. */
words_sound words_rendered(double seconds, const char *format, ...) WORDS_PRINTF(2);

/* A number of a scene's mode. */
double words_mode(ct_scene *scene, const char *body, uint32_t mode, const char *field);
/* Whether |error| stays within 1e-12 S plus a hundred times what rounding may do. */
bool words_ledger_closes(const ct_ledger *ledger);

#endif
