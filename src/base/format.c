/* A small printf for one-line texts: %s %.Ns %d %u (with l, ll, z) %g %c %%. The core stays free of stdio, so
 * that it needs nothing from its host (a WebAssembly module of it has no imports) and no locale can change a
 * decimal point. */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct sink {
  char *text;
  size_t size, used; /* used counts what would have been written, as snprintf does */
} sink;

static void put_char(sink *s, char c) {
  if (s->used + 1 < s->size)
    s->text[s->used] = c;
  s->used++;
}

static void put_text(sink *s, const char *text, size_t most) {
  for (size_t i = 0; i < most && text[i]; i++)
    put_char(s, text[i]);
}

static void put_unsigned(sink *s, uint64_t value) {
  char digits[24];
  int count = 0;
  do
    digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  while (count)
    put_char(s, digits[--count]);
}

static void put_signed(sink *s, int64_t value) {
  if (value < 0)
    put_char(s, '-');
  put_unsigned(s, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Six significant digits as an integer, and the power of ten of the first. */
static uint32_t six_digits(double value, int *exponent) {
  int e = (int)floor(log10(value));
  /* in two steps, so that neither factor leaves the range of a double */
  double scaled = e > -290 ? value / pow(10, e - 5) : value * 1e300 / pow(10, e - 5 + 300);
  uint32_t digits = (uint32_t)floor(scaled + 0.5);
  if (digits >= 1000000) {
    digits /= 10;
    e++;
  } else if (digits < 100000) {
    digits = (uint32_t)floor(scaled * 10 + 0.5);
    e--;
  }
  *exponent = e;
  return digits;
}

/* As %g: plain between 1e-4 and 1e6, else with an exponent; no trailing zeros. */
static void put_number(sink *s, double value) {
  if (value < 0 || (value == 0 && signbit(value)))
    put_char(s, '-');
  value = fabs(value);
  if (!isfinite(value) || value == 0) {
    put_text(s, isnan(value) ? "nan" : value == 0 ? "0" : "inf", 3);
    return;
  }
  int exponent, first = 0;
  uint32_t digits = six_digits(value, &exponent);
  char d[6];
  for (int i = 5; i >= 0; i--, digits /= 10)
    d[i] = (char)('0' + digits % 10);
  int last = 5;
  while (last > 0 && d[last] == '0')
    last--;
  bool scientific = exponent < -4 || exponent >= 6;
  int before = scientific ? 1 : exponent + 1; /* digits before the point */
  if (before <= 0) {
    put_text(s, "0.", 2);
    for (int i = before; i < 0; i++)
      put_char(s, '0');
  }
  for (; first <= last || first < before; first++) {
    if (first == before && before > 0)
      put_char(s, '.');
    put_char(s, first <= 5 ? d[first] : '0');
  }
  if (!scientific)
    return;
  put_text(s, exponent < 0 ? "e-" : "e+", 2);
  if (exponent > -10 && exponent < 10)
    put_char(s, '0');
  put_unsigned(s, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static size_t precision(const char **format) {
  if (**format != '.')
    return SIZE_MAX;
  size_t most = 0;
  for ((*format)++; **format >= '0' && **format <= '9'; (*format)++)
    most = most * 10 + (size_t)(**format - '0');
  return most;
}

size_t ct_format_list(char *text, size_t size, const char *format, va_list arguments) {
  sink s = {text, size, 0};
  for (; *format; format++) {
    if (*format != '%') {
      put_char(&s, *format);
      continue;
    }
    format++;
    size_t most = precision(&format);
    size_t longs = strspn(format, "l"); /* %lu, %llu; %zu is as wide as a pointer */
    format += longs;
    bool sized = *format == 'z';
    format += sized;
    switch (*format) {
    case 's':
      put_text(&s, va_arg(arguments, const char *), most);
      break;
    case 'd':
      put_signed(&s, longs > 1    ? va_arg(arguments, long long)
                     : longs == 1 ? va_arg(arguments, long)
                                  : va_arg(arguments, int));
      break;
    case 'u':
      put_unsigned(&s, sized        ? va_arg(arguments, size_t)
                       : longs > 1  ? va_arg(arguments, unsigned long long)
                       : longs == 1 ? va_arg(arguments, unsigned long)
                                    : va_arg(arguments, unsigned));
      break;
    case 'g':
      put_number(&s, va_arg(arguments, double));
      break;
    case 'c':
      put_char(&s, (char)va_arg(arguments, int));
      break;
    default:
      put_char(&s, *format);
      break;
    }
  }
  if (size)
    text[s.used < size ? s.used : size - 1] = 0;
  return s.used;
}

size_t ct_format(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t used = ct_format_list(text, size, format, arguments);
  va_end(arguments);
  return used;
}
