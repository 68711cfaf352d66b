/* With J the slopes of all measures, in tolerances, by relative changes of the numbers, a joint change d is
 * heard as |J d| tolerances. Along an eigenvector of J'J with the eigenvalue s^2 a change of the size 1 / s
 * is one tolerance: what can be turned far without being heard has a small s. */
#include "fit/alike.h"
#include "base/eigen.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static const double step = 0.01;          /* of a range, for slopes */
static const double reported_from = 0.15; /* combinations that can change by so much are reported */
static const double farthest = 10;        /* nothing is known beyond */

/* Relative change of a number per unit of its share. */
static double relative_slope(const ct_knob *k, double share) {
  double low = ct_knob_value(k, share - step), high = ct_knob_value(k, share + step);
  double width = fmin(share + step, 1) - fmax(share - step, 0), size = fabs(ct_knob_value(k, share));
  return (high - low) / width / fmax(size, 0.01 * fabs(k->high - k->low));
}

static void take_direction(const double *vector, double value, uint32_t n, ct_match_found *found) {
  ct_match_alike *a = &found->alike[found->alike_count];
  uint32_t largest = 0;
  a->reach = fmin(1 / sqrt(fmax(value, 1e-12)), farthest);
  if (a->reach < reported_from)
    return;
  for (uint32_t i = 0; i < n; i++)
    largest = fabs(vector[i]) > fabs(vector[largest]) ? i : largest;
  for (uint32_t i = 0; i < n; i++)
    a->weight[i] = vector[largest] < 0 ? -vector[i] : vector[i];
  found->alike_count++;
}

ct_result ct_match_find_alike(const ct_seek_def *search, ct_match_found *found, ct_error *error) {
  uint32_t n = search->numbers;
  double *slopes = malloc((size_t)search->rows * n * sizeof *slopes);
  double product[CT_SEARCH_MOST * CT_SEARCH_MOST] = {0}, vectors[CT_SEARCH_MOST * CT_SEARCH_MOST],
                                  values[CT_SEARCH_MOST];
  ct_result result = slopes ? ct_seek_slopes(search, found->shares, step, slopes, error)
                            : ct_fail(error, CT_NO_MEMORY, "no memory");
  for (uint32_t j = 0; j < n && result == CT_OK; j++) {
    double relative = relative_slope(ct_knobs_free_at(&found->knobs, j), found->shares[j]);
    for (uint32_t i = 0; i < search->rows; i++)
      slopes[(size_t)i * n + j] /= relative;
  }
  for (uint32_t i = 0; i < search->rows && result == CT_OK; i++)
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++)
        product[a * n + b] += slopes[(size_t)i * n + a] * slopes[(size_t)i * n + b];
  if (result == CT_OK && ct_eigen_symmetric(n, product, values, vectors))
    for (uint32_t done = 0; done < n; done++) { /* the least heard first */
      uint32_t least = n;
      for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]) && (least == n || values[i] < values[least]))
          least = i;
      if (least == n)
        break;
      take_direction(vectors + (size_t)least * n, values[least], n, found);
      values[least] = (double)NAN;
    }
  free(slopes);
  return result;
}
