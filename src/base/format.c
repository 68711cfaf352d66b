/* A small printf for one-line texts: %s %.Ns %d %u (with l, ll, z) %g %c %%. The core stays free of stdio, so
 * that it needs nothing from its host (a WebAssembly module of it has no imports) and no locale can change a
 * decimal point. */
#include "base/number.h"
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

/* As %g. */
static void put_number(sink *s, double value) {
  char text[CT_NUMBER_ROOM];
  ct_number_print(text, isnan(value) ? fabs(value) : value, 6);
  put_text(s, text, sizeof text);
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
