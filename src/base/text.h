/* One-line errors and small text work. Set-up only. */
#ifndef CT_BASE_TEXT_H
#define CT_BASE_TEXT_H

#include <contatto/base.h>

#include <stdarg.h>

#if defined(__GNUC__)
#define CT_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define CT_PRINTF(at, first)
#endif

/* Writes at most size - 1 bytes and a zero; returns the length the whole text has. */
size_t ct_format(char *text, size_t size, const char *format, ...) CT_PRINTF(3, 4);
size_t ct_format_list(char *text, size_t size, const char *format, va_list arguments) CT_PRINTF(3, 0);

/* Fills `error` (may be null) and returns `code`, so that a failing call ends in `return ct_fail(...)`. */
ct_result ct_fail(ct_error *error, ct_result code, const char *format, ...) CT_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* which looks at one file at a time, and would take it for a success */
#define ct_fail(error, code, ...) (ct_fail(error, code, __VA_ARGS__), (code))
#endif

/* Goes on after a success and returns a failure to the caller: for functions that have nothing to give back.
 */
#define CT_TRY(call)                                                                                         \
  do {                                                                                                       \
    const ct_result tried_ = (call);                                                                         \
    if (tried_ != CT_OK)                                                                                     \
      return tried_;                                                                                         \
  } while (0)

/* Copies a name into a fixed field. False when it is empty, too long, or has characters a path cannot carry.
 */
bool ct_copy_name(char field[CT_NAME_MAX], const char *name);

/* The same of one that is known to fit. */
void ct_put_name(char field[CT_NAME_MAX], const char *name);

bool ct_ends_with(const char *text, const char *end);

/* Edits (insert, drop, replace) that turn a into b: for "did you mean". */
uint32_t ct_edit_distance(const char *a, const char *b);

/* Index of the word in a "one|two|three" list, or -1. */
int ct_choice_index(const char *choices, const char *word);
/* Copies the index-th word. */
void ct_choice_word(const char *choices, int index, char *word, size_t size);

/* True and the number when the whole text is a non-negative integer below 65536. */
bool ct_parse_index(const char *text, uint32_t *index);

/* What gestures, strokes and scans have in common as text: lines of cells between commas. */

/* Refused, with what would be right: other marks between cells, and carriage returns alone between lines.
 * [setup] */
ct_result ct_csv_check(const char *file, const char *text, size_t length, ct_error *error);

#endif
