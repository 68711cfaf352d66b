/* Strings and numbers of JSON (RFC 8259): what is good, and what a string says. */
#include "base/number.h"
#include "document/json.h"

#include <math.h>
#include <string.h>

/* ---- bytes ---- */

static int byte_at(const ct_json_text *text, uint32_t at) {
  return at < text->length ? (unsigned char)text->bytes[at] : -1;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }

static int hex_of(int c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits; -1 when they are not that. */
static int32_t four_digits(const char *bytes, uint32_t room) {
  int32_t value = 0;
  if (room < 4)
    return -1;
  for (int i = 0; i < 4; i++) {
    int digit = hex_of((unsigned char)bytes[i]);
    if (digit < 0)
      return -1;
    value = 16 * value + digit;
  }
  return value;
}

static bool is_first_half(int32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
static bool is_second_half(int32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

/* ---- UTF-8 ---- */

/* Bytes of the character that begins here; 0 when it is not UTF-8: cut off, longer than it need be, half of a
 * surrogate pair, or beyond the last character there is. */
static uint32_t character_bytes(const ct_json_text *text, uint32_t at) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  int c = byte_at(text, at);
  if (c < 0x80)
    return c >= 0;
  uint32_t bytes = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2, value = (uint32_t)c & (0x7fu >> bytes);
  if (c < 0xc0 || c > 0xf7)
    return 0;
  for (uint32_t i = 1; i < bytes; i++) {
    int next = byte_at(text, at + i);
    if (next < 0 || (next & 0xc0) != 0x80)
      return 0;
    value = value << 6 | ((uint32_t)next & 0x3f);
  }
  bool half = is_first_half((int32_t)value) || is_second_half((int32_t)value);
  return value < least[bytes] || half || value > 0x10ffff ? 0 : bytes;
}

bool ct_json_is_utf8(const char *bytes, size_t length) {
  ct_json_text text = {"", bytes, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX};
  uint32_t at = 0, step = 1;
  for (; at < text.length && step; at += step)
    step = character_bytes(&text, at);
  return at == length;
}

/* ---- is it good? ---- */

/* `at` is behind "\u". */
static const char *check_units(const ct_json_text *text, uint32_t *at) {
  int32_t unit = four_digits(text->bytes + *at, text->length - *at);
  if (unit < 0)
    return "\\u wants four hexadecimal digits";
  if (unit == 0)
    return "\\u0000 cannot be in a text";
  if (is_second_half(unit))
    return "half of a surrogate pair; wants \\ud800 to \\udbff before it";
  *at += 4;
  if (!is_first_half(unit))
    return NULL;
  bool another = byte_at(text, *at) == '\\' && byte_at(text, *at + 1) == 'u';
  if (!another || !is_second_half(four_digits(text->bytes + *at + 2, text->length - *at - 2)))
    return "half of a surrogate pair; wants \\udc00 to \\udfff after it";
  *at += 6;
  return NULL;
}

/* `at` is the backslash. */
static const char *check_escape(const ct_json_text *text, uint32_t *at) {
  int c = byte_at(text, *at + 1);
  if (c == 'u') {
    *at += 2;
    return check_units(text, at);
  }
  if (c <= 0 || !strchr("\"\\/bfnrt", c))
    return "no escape; wants \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four digits";
  *at += 2;
  return NULL;
}

static const char *check_letter(const ct_json_text *text, uint32_t *at) {
  int c = byte_at(text, *at);
  if (c == '\\')
    return check_escape(text, at);
  if (c == '\n' || c == '\r')
    return "a line ends within a text; wants '\"' before that, or \\n";
  if (c >= 0 && c < ' ')
    return "a control character in a text; wants \\u and four digits";
  uint32_t bytes = character_bytes(text, *at);
  *at += bytes;
  return bytes ? NULL : "not UTF-8";
}

const char *ct_json_check_string(const ct_json_text *text, uint32_t *at) {
  for (++*at; byte_at(text, *at) != '"';) {
    if (*at >= text->length)
      return "a text that does not end; wants '\"'";
    const char *what = check_letter(text, at);
    if (what)
      return what;
  }
  ++*at;
  return NULL;
}

static uint32_t skip_digits(const ct_json_text *text, uint32_t at) {
  while (is_digit(byte_at(text, at)))
    at++;
  return at;
}

/* Behind a number's last digit; 0 when it is not written as JSON wants it. */
static uint32_t number_end(const ct_json_text *text, uint32_t at) {
  at += byte_at(text, at) == '-';
  uint32_t end = byte_at(text, at) == '0' ? at + 1 : skip_digits(text, at);
  if (end == at || is_digit(byte_at(text, end)))
    return 0;
  if (byte_at(text, end) == '.') {
    at = end + 1;
    end = skip_digits(text, at);
    if (end == at)
      return 0;
  }
  if (byte_at(text, end) == 'e' || byte_at(text, end) == 'E') {
    at = end + 1;
    at += byte_at(text, at) == '-' || byte_at(text, at) == '+';
    end = skip_digits(text, at);
    if (end == at)
      return 0;
  }
  return end;
}

const char *ct_json_check_number(const ct_json_text *text, uint32_t *at) {
  double value = 0;
  uint32_t end = number_end(text, *at);
  if (!end)
    return "not a number as JSON writes it; wants one such as 0.5, -3 or 1e-6";
  ct_number_read(text->bytes + *at, end - *at, &value);
  if (!isfinite(value))
    return "a number too large; wants at most 1.797e308";
  *at = end;
  return NULL;
}

/* ---- what does it say? ---- */

uint32_t ct_json_skip_blanks(const ct_json_text *text, uint32_t at) {
  while (at < text->length && text->bytes[at] && strchr(" \t\r\n", text->bytes[at]))
    at++;
  return at;
}

uint32_t ct_json_skip_string(const ct_json_text *text, uint32_t at) {
  for (at++; text->bytes[at] != '"'; at++)
    at += text->bytes[at] == '\\';
  return at + 1;
}

ct_json_letters ct_json_letters_of(const ct_json_text *text, uint32_t at) {
  return (ct_json_letters){.at = text->bytes + at + 1};
}

/* The character as UTF-8, to be handed out byte by byte. */
static void make_ready(ct_json_letters *l, uint32_t character) {
  l->first = 0;
  l->waiting = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (uint32_t i = l->waiting; i--; character >>= 6)
    l->ready[i] = (unsigned char)(i ? 0x80 | (character & 0x3f) : marks[l->waiting] | character);
}

static void resolve(ct_json_letters *l) {
  static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  char c = l->at[1];
  if (c != 'u') {
    make_ready(l, (unsigned char)meant[strchr(names, c) - names]);
    l->at += 2;
    return;
  }
  int32_t unit = four_digits(l->at + 2, 4);
  l->at += 6;
  if (is_first_half(unit)) {
    unit = 0x10000 + (unit - 0xd800) * 0x400 + four_digits(l->at + 2, 4) - 0xdc00;
    l->at += 6;
  }
  make_ready(l, (uint32_t)unit);
}

int ct_json_letter(ct_json_letters *l) {
  if (!l->waiting) {
    if (*l->at == '"')
      return -1;
    if (*l->at != '\\')
      return (unsigned char)*l->at++;
    resolve(l);
  }
  l->waiting--;
  return l->ready[l->first++];
}
