/* Clicks: a click is what neither the past nor the future of the sound predicts.
 *
 * At a suspected break a linear predictor is fitted to the samples before it and another, running backwards,
 * to the samples after it. A step makes both miss by the same amount on the same side. A kink (a change of
 * slope or of pitch) makes them miss on opposite sides, and a smooth sound makes neither miss. A spike, a
 * single wrong sample, is missed by both predictors when it is left out of either's data.
 *
 * A miss is counted against 0.03 % of the local peak plus the error the same predictor typically makes on its
 * own data, which is large for noise. The predictors are fitted as if white noise of that 0.03 % were present
 * (ridge), so that they average rather than extrapolate wildly. */
#include "contatto/measure.h"

#include <math.h>
#include <string.h>

#include "measure/windows.h"

enum { order = 24, candidates_per_block = 3, max_back = 4, max_side = 600 };

static const double relative_floor = 3e-4;
static const double absolute_floor = 1e-5; /* a third of the last bit of 16, whose steps are no clicks */

typedef struct {
  double weight[order]; /* prediction = sum of weight[k] x[n - 1 - k] */
  double typical_error;
} predictor;

/* Normal equations of the covariance method. Row 0 is summed directly, all of its sums side by side; going
 * down a diagonal, only the sums' two ends change. */
static void covariance(const double *x, size_t count, double c[order + 1][order + 1]) {
  double row[order + 1] = {0.0};
  for (size_t n = order; n < count; n++)
    for (size_t j = 0; j <= order; j++)
      row[j] += x[n] * x[n - j];
  memcpy(c[0], row, sizeof row);
  for (size_t i = 1; i <= order; i++)
    for (size_t j = i; j <= order; j++)
      c[i][j] = c[i - 1][j - 1] + x[order - i] * x[order - j] - x[count - i] * x[count - j];
}

/* The sample after x[0 .. count), less its prediction. */
static double predictor_miss(const predictor *p, const double *x, size_t count, double actual) {
  double miss = actual;
  for (size_t k = 0; k < order; k++)
    miss -= p->weight[k] * x[count - 1 - k];
  return miss;
}

/* Median by bisection of the values below a growing bound: 30 halvings are plenty for a scale. */
static double median(const double *values, size_t count) {
  double low = 0.0, high = 0.0;
  for (size_t n = 0; n < count; n++)
    high = fmax(high, values[n]);
  for (int round = 0; round < 30 && high > 1.001 * low; round++) {
    const double middle = 0.5 * (low + high);
    size_t below = 0;
    for (size_t n = 0; n < count; n++)
      below += values[n] <= middle;
    *(2 * below >= count ? &high : &low) = middle;
  }
  return high;
}

/* Standard deviation of the miss on the fitted samples, from its median (1.4826 for a normal law), which a
 * second break among them does not raise. The root makes up for the freedom the fit has used. */
static double typical_error(const predictor *p, const double *x, size_t count) {
  double misses[max_side];
  memcpy(misses, x + order, (count - order) * sizeof *misses);
  for (size_t k = 0; k < order; k++) /* all misses side by side */
    for (size_t n = order; n < count; n++)
      misses[n - order] -= p->weight[k] * x[n - 1 - k];
  for (size_t n = 0; n < count - order; n++)
    misses[n] = fabs(misses[n]);
  const double rows = (double)(count - order);
  return 1.4826 * median(misses, count - order) * sqrt(rows / fmax(rows - order, 1.0));
}

/* Fits the predictor to x[0 .. count), count > 2 * order. The ridge makes the system positive definite. */
static predictor predictor_fit(const double *x, size_t count, double noise) {
  double c[order + 1][order + 1], m[order][order];
  predictor p;
  covariance(x, count, c);
  const double rows = (double)(count - order);
  for (int i = 0; i < order; i++) {
    for (int j = 0; j <= i; j++)
      m[i][j] = c[j + 1][i + 1];
    m[i][i] += rows * noise * noise + 1e-14 * c[0][0] + 1e-300;
    p.weight[i] = c[0][i + 1];
  }
  ct_signal_solve(&m[0][0], p.weight, order);
  p.typical_error = typical_error(&p, x, count);
  return p;
}

static double local_peak(const double *x, size_t count) {
  double peak = 0.0;
  for (size_t n = 0; n < count; n++)
    peak = fmax(peak, fabs(x[n]));
  return peak;
}

/* What the detector works on. Samples [side, count - side) are judged: each has a past and a future of `side`
 * samples. */
typedef struct {
  ct_windows *signal;
  const double *window; /* samples from `first` on: what the block at hand can reach */
  size_t first;
  double reversed[max_side / 2]; /* scratch, side samples */
  double residual[max_side / 2]; /* the same */
  size_t count;
  size_t side;
  double rate_hz;
  const ct_measure_interval *exempt;
  size_t exempt_count;
} detector;

/* The samples from the n-th on. */
static const double *from(const detector *d, size_t n) { return d->window + (n - d->first); }

/* One predictor's miss of one sample, and what a miss is counted against. */
typedef struct {
  double miss;
  double scale;
} surprise;

static surprise look_back(const detector *d, size_t n, double noise) {
  const double *before = from(d, n - d->side);
  const predictor p = predictor_fit(before, d->side, noise);
  return (surprise){predictor_miss(&p, before, d->side, before[d->side]), noise + p.typical_error};
}

/* The same backwards: sample n seen from the samples after it. */
static surprise look_ahead(detector *d, size_t n, double noise) {
  const double *at = from(d, n);
  for (size_t k = 0; k < d->side; k++)
    d->reversed[k] = at[d->side - k];
  const predictor p = predictor_fit(d->reversed, d->side, noise);
  return (surprise){predictor_miss(&p, d->reversed, d->side, at[0]), noise + p.typical_error};
}

/* The smaller of two misses over their scales; 0 if they do not point the same way. */
static double agreed(surprise a, surprise b) {
  return a.miss * b.miss > 0.0 ? fmin(fabs(a.miss) / a.scale, fabs(b.miss) / b.scale) : 0.0;
}

/* Strength (linear) of a break at sample n: a step just before it, or a spike on it. */
static double break_at(detector *d, size_t n) {
  const double noise = relative_floor * local_peak(from(d, n - d->side), 2 * d->side) + absolute_floor;
  const surprise past = look_back(d, n, noise);
  if (fabs(past.miss) < past.scale)
    return fabs(past.miss) / past.scale;
  surprise before_step = look_ahead(d, n - 1, noise);
  before_step.miss = -before_step.miss; /* the future looks at a step from its other side */
  return fmax(agreed(past, before_step), agreed(past, look_ahead(d, n, noise)));
}

/* |Residual| of the block [start, start + length) by a predictor fitted to it and one side before it: where
 * to look closer. */
static void block_residual(detector *d, size_t start, size_t length) {
  const double *x = from(d, start - d->side);
  const size_t count = length + d->side;
  const predictor p = predictor_fit(x, count, relative_floor * local_peak(x, count) + absolute_floor);
  for (size_t n = 0; n < length; n++)
    d->residual[n] = fabs(predictor_miss(&p, x, d->side + n, x[d->side + n]));
}

static bool is_exempt(const detector *d, double time_s) {
  for (size_t k = 0; k < d->exempt_count; k++)
    if (time_s >= d->exempt[k].start_s && time_s < d->exempt[k].end_s)
      return true;
  return false;
}

/* The strongest break at sample `last` or the few before it: a predictor may miss most only after the break.
 */
static ct_measured_click worst_near(detector *d, size_t last) {
  ct_measured_click worst = {CT_NAN, -CT_INFINITY};
  for (size_t n = last - max_back > d->side ? last - max_back : d->side; n <= last; n++) {
    const double time_s = (double)n / d->rate_hz;
    if (is_exempt(d, time_s))
      continue;
    const double strength_db = 20.0 * log10(break_at(d, n) + 1e-30);
    if (strength_db > worst.strength_db)
      worst = (ct_measured_click){time_s, strength_db};
  }
  return worst;
}

/* Of silence nothing is missed: its first candidate is as good as any. */
static ct_measured_click worst_of_silence(const detector *d, size_t start) {
  const size_t first = start - max_back > d->side ? start - max_back : d->side;
  for (size_t n = first; n <= start; n++)
    if (!is_exempt(d, (double)n / d->rate_hz))
      return (ct_measured_click){(double)n / d->rate_hz, 20.0 * log10(1e-30)};
  return (ct_measured_click){CT_NAN, -CT_INFINITY};
}

static ct_measured_click worst_in_block(detector *d, size_t start, size_t length) {
  ct_measured_click worst = {CT_NAN, -CT_INFINITY};
  if (ct_signal_is_silent(d->window, start + length + d->side - d->first))
    return worst_of_silence(d, start);
  block_residual(d, start, length);
  for (int c = 0; c < candidates_per_block; c++) {
    size_t top = 0;
    for (size_t n = 1; n < length; n++)
      if (d->residual[n] > d->residual[top])
        top = n;
    for (size_t n = top > max_back ? top - max_back : 0; n <= top; n++)
      d->residual[n] = 0.0;
    const ct_measured_click click = worst_near(d, start + top);
    if (click.strength_db > worst.strength_db)
      worst = click;
  }
  return worst;
}

/* Length of the block that starts at `start`; 0 behind the last sample that has a future. */
static size_t block_length(const detector *d, size_t start) {
  if (start + d->side + 1 > d->count)
    return 0;
  const size_t left = d->count - d->side - start;
  return left < d->side ? left : d->side;
}

size_t ct_windows_clicks(ct_windows *w, double threshold_db, const ct_measure_interval *exempt,
                         size_t exempt_count, ct_measured_click *clicks, size_t max,
                         ct_measured_click *worst) {
  detector d = {.signal = w,
                .count = w->count,
                .side = (size_t)fmin(fmax(0.0027 * w->rate_hz, 4.0 * order), 0.5 * max_side),
                .rate_hz = w->rate_hz,
                .exempt = exempt,
                .exempt_count = exempt_count};
  size_t found = 0, length;
  *worst = (ct_measured_click){CT_NAN, -CT_INFINITY};
  if (!ct_windows_valid(w))
    return 0;
  for (size_t start = d.side; (length = block_length(&d, start)) > 0; start += length) {
    /* All that the block and its candidates reach; false when it cannot be had. */
    const size_t reach = d.side + max_back;
    d.first = start > reach ? start - reach : 0;
    d.window = d.signal->at(d.signal, d.first, start + length + d.side - d.first);
    if (!(d.window != NULL))
      break;
    const ct_measured_click click = worst_in_block(&d, start, length);
    if (click.strength_db > worst->strength_db)
      *worst = click;
    if (!(click.strength_db >= threshold_db))
      continue;
    if (found < max)
      clicks[found] = click;
    found++;
  }
  return found;
}

size_t ct_measure_clicks(const double *samples, size_t count, double rate_hz, double threshold_db,
                         const ct_measure_interval *exempt, size_t exempt_count, ct_measured_click *clicks,
                         size_t max) {
  ct_measured_click worst;
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const size_t found = ct_windows_clicks(&m.windows, threshold_db, exempt, exempt_count, clicks, max, &worst);
  ct_memory_windows_free(&m);
  return found;
}

ct_measured_click ct_measure_worst_click(const double *samples, size_t count, double rate_hz,
                                         const ct_measure_interval *exempt, size_t exempt_count) {
  ct_measured_click worst = {CT_NAN, -CT_INFINITY};
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  ct_windows_clicks(&m.windows, CT_INFINITY, exempt, exempt_count, NULL, 0, &worst);
  ct_memory_windows_free(&m);
  return worst;
}
