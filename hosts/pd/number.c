/* Pd's numbers have seven digits: what was typed as 0.1 arrives as 0.100000001490116. A range that ends at
 * 0.1 would refuse it, so a number from a message is read as the shortest decimal that makes the same float.
 */
#include "hosts/pd/contatto_pd.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS_MOST = 9 }; /* of a decimal that tells any two floats apart */

/* digits * 10^power, rounded once wherever both are exact in a double. */
static double scaled(double digits, int power) {
  if (power < -22 || power > 22)
    return digits * pow(10, power);
  double factor = pow(10, abs(power));
  return power < 0 ? digits / factor : digits * factor;
}

/* `text` is what "%.*e" wrote: the character between the digits follows the locale, and is not looked at. */
static double read_decimal(const char *text) {
  double digits = 0;
  int after_point = 0;
  bool seen_point = false, negative = *text == '-';
  for (text += negative; *text && *text != 'e'; text++) {
    if (!isdigit((unsigned char)*text)) {
      seen_point = true;
      continue;
    }
    digits = digits * 10 + (*text - '0');
    after_point += seen_point;
  }
  int power = *text == 'e' ? (int)strtol(text + 1, NULL, 10) : 0;
  double value = scaled(digits, power - after_point);
  return negative ? -value : value;
}

double ctpd_number(t_float given) {
  if (sizeof given > sizeof(float) || !isfinite((double)given))
    return (double)given;
  for (int digits = 6; digits <= DIGITS_MOST; digits++) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, (double)given);
    double value = read_decimal(text);
    if ((t_float)value == given)
      return value;
  }
  return (double)given;
}
