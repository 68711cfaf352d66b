/* How the rows of the schema are written. */
#ifndef CT_SCENE_SCHEMA_ROWS_H
#define CT_SCENE_SCHEMA_ROWS_H

#include "scene/schema.h"

#include <stddef.h>

#define NOWHERE CT_NO_OFFSET
#define IN(type, member) ((uint16_t)offsetof(type, member))

#define TEXT(path, words, section, field, effect)                                                            \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_TEXT, 0, 0, 0, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, section, field,    \
        NOWHERE                                                                                              \
  }
#define CHOICE(path, words, choices, standard, section, field, effect)                                       \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_CHOICE, 0, 0, standard, CT_LINEAR, CT_RATE_FIXED, choices, effect},        \
        section, field, NOWHERE                                                                              \
  }
#define COUNT(path, words, min, max, standard, section, field, effect)                                       \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_COUNT, min, max, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect},        \
        section, field, NOWHERE                                                                              \
  }
#define FLAG(path, words, standard, section, field, effect)                                                  \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_FLAG, 0, 1, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, section,    \
        field, NOWHERE                                                                                       \
  }
#define NUMBER(path, words, symbol, unit, min, max, standard, scale, rate, section, field, offset, effect)   \
  {                                                                                                          \
    {path, words, symbol, unit, CT_TYPE_NUMBER, min, max, standard, scale, rate, NULL, effect}, section,     \
        field, offset                                                                                        \
  }
#define STATE(path, words, symbol, unit, section, field, offset)                                             \
  {                                                                                                          \
    {path,  words, symbol,    unit,          CT_TYPE_NUMBER, -1e300,                                         \
     1e300, 0,     CT_LINEAR, CT_RATE_STATE, NULL,           "read only"},                                   \
        section, field, offset                                                                               \
  }

/* Rows of sources and their regions, after all others. */
extern const ct_row ct_source_rows[];
extern const uint32_t ct_source_row_count;

#endif
