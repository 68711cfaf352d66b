/* Random numbers for tests: shares, ranges, and values of a schema row. Same seed, same numbers. */
#ifndef CT_TEST_DRAW_H
#define CT_TEST_DRAW_H

#include "base/hash.h"
#include <contatto/schema.h>

/* Streams of neighbouring seeds have nothing in common; `purpose` makes several of one seed. */
ct_random draw_begin(uint64_t seed, uint64_t purpose);

double draw_share(ct_random *r); /* 0 .. 1 */
bool draw_chance(ct_random *r, double odds);
double draw_between(ct_random *r, double low, double high);
double draw_log(ct_random *r, double low, double high); /* 0 < low < high */
uint32_t draw_below(ct_random *r, uint32_t count);

/* How far values go from what is usual. */
typedef enum draw_temper {
  DRAW_MILD,  /* near the row's standard */
  DRAW_WIDE,  /* many decades */
  DRAW_WHOLE, /* the whole range, with its ends and the smallest numbers there are */
} draw_temper;

/* A number for a row of type number or count, always within its range. min and max stand for the row's own:
 * a control has narrower ones. */
double draw_value(ct_random *r, const ct_schema_row *row, double min, double max, draw_temper temper);
double draw_row_value(ct_random *r, const ct_schema_row *row, draw_temper temper);

/* How many words "a|b|c" has, and which of them one is; their count: none. */
uint32_t draw_choice_count(const char *choices);
uint32_t draw_choice_index(const char *choices, const char *word);
/* One of them, copied. */
void draw_choice(ct_random *r, const char *choices, char *word, size_t size);

#endif
