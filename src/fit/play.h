/* A scene played with its knobs at given places, and what of a sound is compared. */
#ifndef CT_FIT_PLAY_H
#define CT_FIT_PLAY_H

#include "fit/heard.h"
#include "fit/knob.h"

#define CT_PLAY_RATE_HZ 48000.0

/* Copies of a document, one for each thread that plays. */
typedef struct ct_players ct_players;

/* [setup] */
ct_result ct_players_create(const ct_doc *doc, const char *scene, ct_players **players, ct_error *error);
const char *ct_players_text(const ct_players *players); /* the document's. [any] */
void ct_players_destroy(ct_players *players);           /* null is fine */

/* The part of a recording that is compared: of a tone the middle of where it sounds, of a noise from where it
 * begins. Count 0: there is no sound. [setup] */
void ct_play_excerpt(ct_heard_kind kind, const double *samples, size_t count, double rate_hz, double seconds,
                     size_t *start, size_t *length);

/* The scene with its knobs there, the part that is compared; free() it. Null without an error: it cannot be
 * played with these numbers. From several threads at once. [setup] */
ct_result ct_players_play(ct_players *players, const ct_knobs *knobs, const double *shares,
                          uint32_t recording, ct_heard_kind kind, double seconds, double **samples,
                          size_t *count, ct_error *error);

#endif
