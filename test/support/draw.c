/* See draw.h. */
#include "support/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ct_random adds the same number at every draw, so a seed that is only scaled would give its neighbour's
 * stream, one draw late: the state is drawn itself. */
ct_random draw_begin(uint64_t seed, uint64_t purpose) {
  ct_random r = {seed}, q = {purpose ^ 0x5851f42d4c957f2du};
  return (ct_random){ct_random_bits(&r) ^ ct_random_bits(&q)};
}

double draw_share(ct_random *r) { return ct_random_share(r); }

bool draw_chance(ct_random *r, double odds) { return ct_random_share(r) < odds; }

double draw_between(ct_random *r, double low, double high) { return low + (high - low) * ct_random_share(r); }

double draw_log(ct_random *r, double low, double high) {
  return low * exp(ct_random_share(r) * log(high / low));
}

uint32_t draw_below(ct_random *r, uint32_t count) { return (uint32_t)(ct_random_share(r) * count); }

static double within(double value, double min, double max) {
  return value < min ? min : value > max ? max : value;
}

static double largest(double min, double max) { return fmax(fabs(min), fabs(max)); }

/* Either sign, `decades` of magnitude up to the larger end. */
static double draw_magnitude(ct_random *r, double min, double max, double from, double to) {
  double size = largest(min, max) * pow(10, draw_between(r, from, to));
  return min < 0 && (max <= 0 || draw_chance(r, 0.5)) ? -size : size;
}

static double draw_mild(ct_random *r, const ct_schema_row *row, double min, double max) {
  if (row->scale == CT_LOG) {
    if (row->standard > 0)
      return row->standard * pow(10, draw_between(r, -1.2, 1.2));
    double low = min > 0 ? min : max * 1e-9;
    return low * pow(max / low, draw_between(r, 0.3, 0.7));
  }
  if (largest(min, max) <= 20)
    return draw_between(r, min, max);
  if (row->standard != 0)
    return row->standard * pow(10, draw_between(r, -0.7, 0.7));
  return draw_magnitude(r, min, max, -8, -3);
}

static double draw_wide(ct_random *r, const ct_schema_row *row, double min, double max) {
  if (row->scale == CT_LOG)
    return draw_log(r, fmax(min, max * 1e-15), max);
  return draw_chance(r, 0.5) ? draw_between(r, min, max) : draw_magnitude(r, min, max, -9, 0);
}

/* Ends, nothing at all, the smallest number above and below it, and everything between. */
static double draw_whole(ct_random *r, const ct_schema_row *row, double min, double max) {
  switch (draw_below(r, 12)) {
  case 0:
    return min;
  case 1:
    return max;
  case 2:
    return draw_chance(r, 0.5) ? 5e-324 : -5e-324;
  case 3:
    return 0;
  case 4:
    return draw_magnitude(r, min, max, -300, 0);
  case 5:
    return draw_mild(r, row, min, max);
  default:
    return draw_wide(r, row, min, max);
  }
}

/* Small ones, powers of two, now and then an end. */
static double draw_count(ct_random *r, double min, double max) {
  double value = draw_chance(r, 0.3)   ? min + draw_below(r, 3)
                 : draw_chance(r, 0.5) ? (double)(1u << draw_below(r, 6))
                                       : draw_below(r, 24);
  return within(value, min, max);
}

double draw_value(ct_random *r, const ct_schema_row *row, double min, double max, draw_temper temper) {
  if (row->type == CT_TYPE_COUNT)
    return draw_count(r, min, max);
  double value = temper == DRAW_MILD   ? draw_mild(r, row, min, max)
                 : temper == DRAW_WIDE ? draw_wide(r, row, min, max)
                                       : draw_whole(r, row, min, max);
  return within(value, min, max);
}

double draw_row_value(ct_random *r, const ct_schema_row *row, draw_temper temper) {
  return draw_value(r, row, row->min, row->max, temper);
}

uint32_t draw_choice_count(const char *choices) {
  uint32_t count = 1;
  for (const char *at = choices; *at; at++)
    count += *at == '|';
  return count;
}

uint32_t draw_choice_index(const char *choices, const char *word) {
  uint32_t index = 0;
  for (; choices; index++) {
    size_t length = strcspn(choices, "|");
    if (strlen(word) == length && memcmp(choices, word, length) == 0)
      return index;
    choices = choices[length] ? choices + length + 1 : NULL;
  }
  return index;
}

void draw_choice(ct_random *r, const char *choices, char *word, size_t size) {
  for (uint32_t skip = draw_below(r, draw_choice_count(choices)); skip; skip--)
    choices = strchr(choices, '|') + 1;
  snprintf(word, size, "%.*s", (int)strcspn(choices, "|"), choices);
}
