/* Every kind of parameter, described once. Hosts, the command line, scene files and the reference page in
 * docs/ walk this table; nobody else lists parameters. */
#ifndef CONTATTO_SCHEMA_H
#define CONTATTO_SCHEMA_H

#include "defs.h"

CT_DECLARATIONS_BEGIN

typedef enum ct_rate {
  CT_RATE_FIXED = 0, /* set before the scene is built */
  CT_RATE_TICK,      /* moves while sounding, coefficients follow on ticks */
  CT_RATE_AUDIO,     /* moves at every sample */
  CT_RATE_TRIGGER,   /* acts at once when set */
  CT_RATE_STATE,     /* read only: what the scene is doing */
} ct_rate;

typedef enum ct_type {
  CT_TYPE_NUMBER = 0,
  CT_TYPE_COUNT,
  CT_TYPE_CHOICE,
  CT_TYPE_TEXT,
  CT_TYPE_FLAG,
  CT_TYPE_ANY /* a number or text, as what it stands for wants */
} ct_type;

typedef struct ct_schema_row {
  const char *path;   /* "bodies.*.modes[].hz": * a name, [] a number */
  const char *words;  /* what it is */
  const char *symbol; /* the papers' letter */
  const char *unit;
  ct_type type;
  double min, max, standard; /* standard: the value when none is given */
  ct_scale scale;
  ct_rate rate;
  const char *choices; /* "exact|bilinear" for CT_TYPE_CHOICE */
  const char *effect;  /* what it does to the sound */
} ct_schema_row;

CT_API uint32_t ct_schema_count(void);                        /* [any] */
CT_API const ct_schema_row *ct_schema_row_at(uint32_t index); /* [any] null beyond the end */
CT_API const char *ct_rate_word(ct_rate rate);                /* [any] */
CT_API const char *ct_type_word(ct_type type);                /* [any] */

CT_DECLARATIONS_END

#endif
