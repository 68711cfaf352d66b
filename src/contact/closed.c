/* One impact in closed form. With u = mu v the first integral of m v' = -k x^alpha (1 + u) is
 *
 *   V(x) / m + [u - ln(1 + u)] / mu^2 = constant,   V(x) = k x^p / p,   p = alpha + 1
 *
 * (eqs. 3, 4 and 6 of Papetti, Avanzini and Rocchesso 2009). Written down like that it cancels for small u
 * and near both ends of the contact, and divides by mu. Here everything is a sum of positive terms in v
 * itself, so that mu = 0 and mu v = 1000 need no cases of their own. */
#include <contatto/impact.h>

#include <math.h>

#define SERIES_BELOW 0.1
#define SERIES_TERMS 18

/* (u - ln(1 + u)) / u^2 = 1/2 - u/3 + u^2/4 - ... */
static double log_defect(double u) {
  if (fabs(u) >= SERIES_BELOW)
    return (u - log1p(u)) / (u * u);
  double sum = 0;
  for (int k = SERIES_TERMS; k-- > 0;)
    sum = 1.0 / (k + 2) - u * sum;
  return sum;
}

/* (exp(-y) - 1 + y) / y^2 = 1/2 - y/6 + y^2/24 - ... */
static double exp_defect(double y) {
  if (fabs(y) >= SERIES_BELOW)
    return (expm1(-y) + y) / (y * y);
  double sum = 0;
  for (int k = SERIES_TERMS; k-- > 0;)
    sum = (1 - y * sum) / (k + 2);
  return sum / (1 - y * 0);
}
