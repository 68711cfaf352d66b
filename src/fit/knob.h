/* The numbers of a scene that fitting may turn, found by walking its document: controls, and numbers that no
 * control moves. A control stands in front of the numbers it moves, since it would overrule them. */
#ifndef CT_FIT_KNOB_H
#define CT_FIT_KNOB_H

#include <contatto/doc.h>

enum { CT_KNOBS_MOST = 64, CT_KNOB_BYTES = 256, CT_FITTED_MOST = 16 /* recordings */ };

typedef enum ct_knob_role {
  CT_KNOB_FREE,  /* to be found */
  CT_KNOB_KNOWN, /* given for every recording */
  CT_KNOB_HELD   /* the demo moves it, nobody has freed it: stands still */
} ct_knob_role;

/* How its range is walked by a share from 0 to 1. */
typedef enum ct_knob_scale {
  CT_KNOB_LINE,
  CT_KNOB_LOG,
  CT_KNOB_SQUARE /* by the square: finer near 0 */
} ct_knob_scale;

typedef struct ct_knob {
  char path[CT_KNOB_BYTES]; /* the leaf that is set: "controls.push.value" */
  char name[CT_KNOB_BYTES]; /* what people call it: "push" */
  const char *unit;         /* lives as long as the document */
  ct_knob_role role;
  ct_knob_scale scale;
  double low, high, start;
  bool trigger; /* fired once, at CT_KNOB_FIRED_S */
  double known[CT_FITTED_MOST];
} ct_knob;

#define CT_KNOB_FIRED_S 0.05

typedef struct ct_knobs {
  ct_knob items[CT_KNOBS_MOST];
  uint32_t count;
  bool friction, rolling; /* what the scene has */
} ct_knobs;

/* The knobs that are free when nobody says which, and those held. Refused: a scene with neither friction nor
 * rolling. [setup] */
ct_result ct_knobs_find(ct_doc *doc, ct_knobs *knobs, ct_error *error);
/* Only these are free, all others held; where every path begins with +, besides those that are. [setup] */
ct_result ct_knobs_take_free(const ct_doc *doc, const char *const *paths, uint32_t count, ct_knobs *knobs,
                             ct_error *error);
/* "PATH=V1,V2,...", a value for each of `count` recordings. [setup] */
ct_result ct_knobs_take_known(const ct_doc *doc, const char *text, uint32_t count, ct_knobs *knobs,
                              ct_error *error);

double ct_knob_value(const ct_knob *knob, double share); /* [any] */
double ct_knob_share(const ct_knob *knob, double value); /* [any] cut to 0 .. 1 */

/* Where it stands in a recording; *free_at counts the free ones, in turn. [any] */
double ct_knob_stands_at(const ct_knob *knob, const double *shares, uint32_t *free_at, uint32_t recording);
/* All of them put into a document: free ones by their share, in turn. [setup] */
ct_result ct_knobs_set(const ct_knobs *knobs, const double *shares, uint32_t recording, ct_doc *doc,
                       ct_error *error);
uint32_t ct_knobs_free_count(const ct_knobs *knobs);                    /* [any] */
const ct_knob *ct_knobs_free_at(const ct_knobs *knobs, uint32_t index); /* [any] */

#endif
