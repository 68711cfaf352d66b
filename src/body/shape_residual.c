/* What a shape's modes beyond the first so many yield together, as springs: sum of 1 / (mass w^2) at a place
 * where their shapes are of mean size. The next few hundred are summed one by one. Of the rest only their
 * number is needed: N(w) modes below w grow as w^p, p = 1 on plates, 1/2 on bars, so beyond the last one
 * summed, at w_N,
 *
 *   integral of dN / (M w^2) = p / (2 - p) N / (M w_N^2),   dN = p N w^(p-1) / w_N^p dw
 *
 * Membranes have p = 2: their compliance has no limit (a point sinks into them), and none is given. */
#include "base/special.h"
#include "base/text.h"
#include "body/body.h"
#include "body/shape.h"

#include <math.h>
#include <stdlib.h>

/* Of the others there is no limit, or all modes are there, or a table says nothing about the rest. */
static bool has_residual(const ct_shape_def *def) {
  ct_shape_kind kind = def->kind;
  return kind == CT_SHAPE_TUBE || kind == CT_SHAPE_PLATE || kind == CT_SHAPE_DISC || kind == CT_SHAPE_RING ||
         kind == CT_SHAPE_GLASS || (kind == CT_SHAPE_BAR && def->undercut == CT_UNDERCUT_NONE);
}

/* A mode slower than the slowest that a body swings is none: rigid ones have no spring. */
static double spring_m_n(const ct_shape_mode *mode) {
  double w = 2 * CT_PI * mode->hz;
  return w < CT_LEAST_RAD_S ? 0 : 1 / (mode->mass_kg * w * w);
}

ct_result ct_shape_residual(const ct_shape_def *given, uint32_t count, double *compliance_m_n, double *cut_hz,
                            ct_error *error) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  *compliance_m_n = *cut_hz = 0;
  ct_result result = ct_shape_check(def, error);
  if (result != CT_OK || !has_residual(def))
    return result;
  uint32_t more = count + 512;
  ct_shape_mode *modes = calloc(more, sizeof *modes);
  ct_shape_found found;
  if (!modes)
    return ct_fail(error, CT_NO_MEMORY, "shape: out of memory");
  result = ct_shape_modes(def, modes, more, HUGE_VAL, NULL, 0, &found, error);
  for (uint32_t i = count; result == CT_OK && i < found.count; i++) {
    double spring = spring_m_n(&modes[i]);
    *compliance_m_n += spring;
    if (spring > 0 && *cut_hz == 0)
      *cut_hz = modes[i].hz;
  }
  if (*cut_hz > 0 && found.count == more) {
    uint32_t half = more / 2;
    double p = log((double)more / half) / log(modes[more - 1].hz / modes[half - 1].hz);
    *compliance_m_n += p < 1.9 ? p / (2 - p) * more * spring_m_n(&modes[more - 1]) : 0;
  }
  free(modes);
  return result;
}
