/* Decimal to binary and back, exactly.
 *
 * Reading. The digits are D, a whole number, and the value is D 10^E = (U / V) 2^E with U = D, V = 5^-E or
 * U = D 5^E, V = 1. Both are whole numbers, so the division can be carried out bit by bit: as many bits as
 * the double has, one more to round by, and the remainder tells whether anything follows.
 *
 * How many digits are needed? What decides the rounding is which side of a boundary the value lies on; a
 * boundary is a double or lies half-way between two, so it is k 2^-1075 with k < 2^54 or a whole number, and
 * has at most 767 digits (the most have those next to 2^-1022: 2^-1075 = 5^1075 10^-1075, whose product with
 * k has 767). Cut off after 768 digits, a value therefore stays on its side; that something was cut off
 * counts as a remainder.
 *
 * How large do U and V get? Values from 10^310 on are infinite and those below 10^-330 are zero, whatever
 * their digits. For E >= 0 that leaves U < 10^310, 1030 bits; for E < 0 with 768 digits -E <= 330 + 768 =
 * 1098: 5^1098 has 2550 bits, and D < 10^768 has 2552. Doubled in the division: 2553 of the 2688 there are.
 *
 * Short numbers need none of it: where D < 2^53 and 10^|E| is a double (|E| <= 22), one multiplication or
 * division of two exact numbers rounds once (Clinger 1990). */
#include "base/number.h"
#include "base/big.h"

#include <math.h>
#include <string.h>

enum { DIGITS_MOST = 768, POINT_MOST = 310, POINT_LEAST = -330 };

typedef struct decimal {
  unsigned char digits[DIGITS_MOST]; /* neither the first nor the last is 0 */
  uint32_t count;
  int64_t point; /* the value is 0.digits * 10^point */
  bool more;     /* something that is not 0 was cut off */
} decimal;

/* ---- the text ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Zeros wait until a digit follows them. */
typedef struct digit_sink {
  decimal *to;
  uint64_t zeros;
} digit_sink;

static void keep_digit(digit_sink *sink, char c) {
  decimal *d = sink->to;
  if (c == '0') {
    sink->zeros += d->count > 0;
    return;
  }
  for (; sink->zeros && d->count < DIGITS_MOST; sink->zeros--)
    d->digits[d->count++] = 0;
  sink->zeros = 0;
  if (d->count < DIGITS_MOST)
    d->digits[d->count++] = (unsigned char)(c - '0');
  else
    d->more = true;
}

/* Digits with at most one point; gives the bytes they take, 0 when there is no digit. */
static size_t read_digits(const char *text, size_t length, decimal *d) {
  digit_sink sink = {.to = d};
  size_t at = 0, digits = 0;
  bool pointed = false;
  for (; at < length && (is_digit(text[at]) || (text[at] == '.' && !pointed)); at++) {
    if (text[at] == '.') {
      pointed = true;
      continue;
    }
    digits++;
    bool leading = d->count == 0 && text[at] == '0';
    d->point += pointed ? -(int64_t)leading : !leading;
    keep_digit(&sink, text[at]);
  }
  return digits ? at : 0;
}

/* "e-12"; 0 bytes when what is there is not an exponent. Far beyond any double it stays where it is. */
static size_t read_exponent(const char *text, size_t length, int64_t *exponent) {
  size_t at = 1;
  if (length < 2 || (text[0] != 'e' && text[0] != 'E'))
    return 0;
  bool negative = text[at] == '-';
  at += negative || text[at] == '+';
  if (at == length || !is_digit(text[at]))
    return 0;
  int64_t value = 0;
  for (; at < length && is_digit(text[at]); at++)
    if (value < INT64_MAX / 100)
      value = 10 * value + (text[at] - '0');
  *exponent = negative ? -value : value;
  return at;
}

/* ---- to binary ---- */

/* Clinger's case; false when it is not that. */
static bool read_short(const decimal *d, double *value) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int64_t power = d->point - d->count;
  uint64_t whole = 0;
  if (d->count > 16 || power < -22 || power > 22)
    return false;
  for (uint32_t i = 0; i < d->count; i++)
    whole = 10 * whole + d->digits[i];
  if (whole >> 53)
    return false;
  *value = power < 0 ? (double)whole / tens[-power] : (double)whole * tens[power];
  return true;
}

/* Both with as many bits, and 1 <= u / v < 2 after it; gives the power of two that was taken out. */
static int align(ct_big *u, ct_big *v) {
  int power = (int)ct_big_bits(u) - (int)ct_big_bits(v);
  ct_big_shift(power < 0 ? u : v, (uint32_t)(power < 0 ? -power : power));
  if (ct_big_compare(u, v) < 0) {
    ct_big_shift(u, 1);
    power--;
  }
  return power;
}

/* The next bit of u / v, where u < 2 v. */
static uint64_t next_bit(ct_big *u, const ct_big *v) {
  bool one = ct_big_compare(u, v) >= 0;
  if (one)
    ct_big_take(u, v);
  ct_big_shift(u, 1);
  return one;
}

/* u / v in [1, 2) times 2^exponent: 53 bits, below 2^-1022 fewer, rounded to even. The bit that stands for
 * 2^exponent adds one to the exponent's field, and so does a carry: both come out right by themselves. */
static double round_off(ct_big *u, const ct_big *v, int exponent, bool more) {
  enum { SIGNIFICANT = 53, LEAST = -1074, NORMAL = -1022, GREATEST = 1023 };
  if (exponent > GREATEST)
    return (double)INFINITY;
  if (exponent < LEAST - 1)
    return 0;
  int bits = exponent < NORMAL ? exponent - LEAST + 1 : SIGNIFICANT;
  uint64_t mantissa = 0;
  for (int i = 0; i < bits; i++)
    mantissa = 2 * mantissa + next_bit(u, v);
  bool half = next_bit(u, v), above = u->count || more;
  mantissa += half && (above || mantissa & 1);
  uint64_t field = exponent < NORMAL ? 0 : (uint64_t)(exponent - NORMAL);
  uint64_t pattern = (field << (SIGNIFICANT - 1)) + mantissa;
  double value;
  memcpy(&value, &pattern, sizeof value);
  return value;
}

static double read_long(const decimal *d) {
  ct_big u, v;
  int power = (int)d->point - (int)d->count;
  ct_big_set(&u, 0);
  for (uint32_t i = 0; i < d->count;) {
    uint32_t chunk = 0, scale = 1;
    for (; i < d->count && scale < 1000000000; i++, scale *= 10)
      chunk = 10 * chunk + d->digits[i];
    ct_big_scale(&u, scale, chunk);
  }
  ct_big_set(&v, 1);
  ct_big_scale_5(power < 0 ? &v : &u, (uint32_t)(power < 0 ? -power : power));
  int exponent = power + align(&u, &v);
  return round_off(&u, &v, exponent, d->more);
}

static double to_double(const decimal *d) {
  double value = 0;
  if (d->count == 0 || d->point < POINT_LEAST)
    return 0;
  if (d->point > POINT_MOST)
    return (double)INFINITY;
  return read_short(d, &value) ? value : read_long(d);
}

size_t ct_number_read(const char *text, size_t length, double *value) {
  decimal d;
  d.count = 0;
  d.point = 0;
  d.more = false;
  size_t sign = length && (*text == '-' || *text == '+');
  size_t at = sign + read_digits(text + sign, length - sign, &d);
  int64_t exponent = 0;
  if (at == sign)
    return 0;
  at += read_exponent(text + at, length - at, &exponent);
  d.point += exponent;
  *value = to_double(&d);
  if (*text == '-')
    *value = -*value;
  return at;
}

/* ---- as typed ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_word(const char *text, const char *word) {
  for (; *word; word++, text++)
    if (lower(*text) != *word)
      return false;
  return *text == 0;
}

bool ct_number_typed(const char *text, double *value) {
  text += strspn(text, " \t\r\n");
  size_t length = strlen(text), used = ct_number_read(text, length, value);
  if (used)
    return used == length;
  const char *word = text + (*text == '-' || *text == '+');
  *value = is_word(word, "nan") ? (double)NAN : *text == '-' ? -(double)INFINITY : (double)INFINITY;
  return isnan(*value) || is_word(word, "inf") || is_word(word, "infinity");
}

/* ---- to decimal ----
 *
 * Below 2^63 a value is a whole number of 64 bits and a fraction F / 2^s, which times 10^9 is its next nine
 * digits and another fraction. Above, the value is m 2^e; with a power of ten taken out, 1 <= U / V < 10,
 * each digit is U / V rounded down, and ten times the rest is the next U. That power is estimated from the
 * value's logarithm and put right by comparing. U = m 2^e has 1024 bits at most, the fraction 1126. */

static void scale_large(double value, ct_big *u, ct_big *v, int *exponent) {
  int e2, e10 = (int)floor(log10(value));
  double fraction = frexp(value, &e2);
  ct_big_set(u, (uint64_t)ldexp(fraction, 53));
  ct_big_set(v, 1);
  ct_big_scale_5(v, (uint32_t)e10);
  int shift = e2 - 53 - e10;
  ct_big_shift(shift < 0 ? v : u, (uint32_t)(shift < 0 ? -shift : shift));
  if (ct_big_compare(u, v) < 0) {
    ct_big_scale(u, 10, 0);
    e10--;
  }
  ct_big ten = *v;
  ct_big_scale(&ten, 10, 0);
  if (ct_big_compare(u, &ten) >= 0) {
    *v = ten;
    e10++;
  }
  *exponent = e10;
}

static char next_digit(ct_big *u, const ct_big *v) {
  char digit = '0';
  for (; ct_big_compare(u, v) >= 0; digit++)
    ct_big_take(u, v);
  ct_big_scale(u, 10, 0);
  return digit;
}

/* One more in the last place; all nines become 1 and zeros. */
static void round_up(char *digits, int count, int *exponent) {
  int i = count - 1;
  for (; i >= 0 && digits[i] == '9'; i--)
    digits[i] = '0';
  if (i >= 0)
    digits[i]++;
  else {
    digits[0] = '1';
    ++*exponent;
  }
}

static void find_large(double value, char *digits, int count, int *exponent) {
  ct_big u, v;
  scale_large(value, &u, &v, exponent);
  for (int i = 0; i < count; i++)
    digits[i] = next_digit(&u, &v);
  ct_big_scale(&v, 5, 0); /* u is ten times the rest, so half of v is five of it */
  int half = ct_big_compare(&u, &v);
  if (half > 0 || (half == 0 && (digits[count - 1] - '0') % 2))
    round_up(digits, count, exponent);
}

/* Digits as they come, without zeros in front. */
typedef struct digit_row {
  char digits[48];
  int count, exponent; /* the power of ten of the first */
} digit_row;

static void append(digit_row *row, uint64_t value, int digits) {
  char text[20];
  for (int i = digits; i--; value /= 10)
    text[i] = (char)('0' + value % 10);
  for (int i = 0; i < digits; i++) {
    if (row->count || text[i] != '0')
      row->digits[row->count++] = text[i];
    else
      row->exponent--;
  }
}

/* A number's whole part and its fraction, with the binary point below the word at `point`. */
static uint64_t split(double value, ct_big *fraction, uint32_t *point) {
  enum { SIGNIFICANT = 53 };
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), SIGNIFICANT);
  int below = SIGNIFICANT - exponent; /* bits of the fraction */
  ct_big_set(fraction, 0);
  *point = 0;
  if (below <= 0)
    return mantissa << -below;
  uint64_t whole = below < 64 ? mantissa >> below : 0;
  *point = ((uint32_t)below + 31) / 32;
  ct_big_set(fraction, below < 64 ? mantissa - (whole << below) : mantissa);
  ct_big_shift(fraction, 32 * *point - (uint32_t)below);
  return whole;
}

static void find_small(double value, char *digits, int count, int *exponent) {
  enum { WHOLE_DIGITS = 19, CHUNK_DIGITS = 9, CHUNK = 1000000000 };
  ct_big fraction;
  uint32_t point;
  digit_row row = {.count = 0, .exponent = WHOLE_DIGITS - 1};
  append(&row, split(value, &fraction, &point), WHOLE_DIGITS);
  while (row.count <= count) {
    ct_big_scale(&fraction, CHUNK, 0);
    append(&row, ct_big_cut(&fraction, point), CHUNK_DIGITS);
  }
  bool more = fraction.count > 0;
  for (int i = count + 1; i < row.count; i++)
    more |= row.digits[i] != '0';
  memcpy(digits, row.digits, (size_t)count);
  *exponent = row.exponent;
  char next = row.digits[count];
  if (next > '5' || (next == '5' && (more || (digits[count - 1] - '0') % 2)))
    round_up(digits, count, exponent);
}

/* Digits of a positive number, and the power of ten of the first. */
static void find_digits(double value, char *digits, int count, int *exponent) {
  if (value < 0x1p63)
    find_small(value, digits, count, exponent);
  else
    find_large(value, digits, count, exponent);
}

static size_t put_exponent(char *text, size_t at, int exponent) {
  int size = exponent < 0 ? -exponent : exponent;
  text[at++] = 'e';
  text[at++] = exponent < 0 ? '-' : '+';
  if (size >= 100)
    text[at++] = (char)('0' + size / 100);
  text[at++] = (char)('0' + size / 10 % 10);
  text[at++] = (char)('0' + size % 10);
  return at;
}

/* `shown` is how many digits are left without the zeros behind. */
static size_t put_digits(char *text, size_t at, const char *digits, int shown, int exponent,
                         bool scientific) {
  int before = scientific ? 1 : exponent + 1; /* the point */
  if (before <= 0) {
    text[at++] = '0';
    text[at++] = '.';
  }
  for (int i = before < 0 ? before : 0; i < shown || i < before; i++) {
    if (i == before && i > 0)
      text[at++] = '.';
    text[at++] = i < 0 || i >= shown ? '0' : digits[i];
  }
  return scientific ? put_exponent(text, at, exponent) : at;
}

size_t ct_number_print(char text[CT_NUMBER_ROOM], double value, int digits) {
  char found[17] = "0";
  int exponent = 0, shown = 1, count = digits < 1 ? 1 : digits > 17 ? 17 : digits;
  size_t at = 0;
  if (signbit(value))
    text[at++] = '-';
  if (!isfinite(value)) {
    memcpy(text + at, isnan(value) ? "nan" : "inf", 4);
    return at + 3;
  }
  if (value != 0) {
    find_digits(fabs(value), found, count, &exponent);
    for (shown = count; shown > 1 && found[shown - 1] == '0';)
      shown--;
  }
  at = put_digits(text, at, found, shown, exponent, exponent < -4 || exponent >= count);
  text[at] = 0;
  return at;
}

int ct_number_digits(double value) {
  int digits = 15;
  for (; digits < 17; digits++) {
    char text[CT_NUMBER_ROOM];
    double again = 0;
    ct_number_read(text, ct_number_print(text, value, digits), &again);
    if (again == value)
      break;
  }
  return digits;
}
