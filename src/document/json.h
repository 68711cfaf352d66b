/* JSON as a scene file's text. One pass looks whether the text is JSON and holds a scene, a second one sets
 * leaves: what is wrong with a text is said before anything of the scene, and the second pass need not look
 * again. Neither makes a tree. */
#ifndef CT_DOCUMENT_JSON_H
#define CT_DOCUMENT_JSON_H

#include <contatto/base.h>

enum {
  CT_JSON_DEPTH = 12,           /* objects and lists within one another */
  CT_JSON_VALUES_MOST = 1 << 22 /* in one text; a document holds fewer still */
};
#define CT_JSON_BYTES_MOST (64u << 20)

typedef struct ct_json_text {
  const char *name; /* what messages call it */
  const char *bytes;
  uint32_t length;
} ct_json_text;

/* Where things begin: after blanks, and after a value or a key that is known to be good. */
uint32_t ct_json_skip_blanks(const ct_json_text *text, uint32_t at);
uint32_t ct_json_skip_string(const ct_json_text *text, uint32_t at); /* from one quote to behind the other */

/* A good string's letters one byte after the other, with escapes resolved: -1 at its end. */
typedef struct ct_json_letters {
  const char *at;          /* the next byte of the text */
  unsigned char ready[4];  /* of an escape */
  uint32_t first, waiting; /* which of them are still to come */
} ct_json_letters;

ct_json_letters ct_json_letters_of(const ct_json_text *text, uint32_t at); /* `at` is its first quote */
int ct_json_letter(ct_json_letters *letters);

/* One string of the text, with escapes: does it end behind its other quote? Moves `at` there, or to where the
 * fault is, and says what it is; null when all is well. */
const char *ct_json_check_string(const ct_json_text *text, uint32_t *at);
/* The same of a number. */
const char *ct_json_check_number(const ct_json_text *text, uint32_t *at);

/* False when a byte of it does not belong to a character. */
bool ct_json_is_utf8(const char *bytes, size_t length);

/* The whole text. Refused with line and column: what is not JSON; numbers too large for a double, \u0000,
 * equal keys in one object; more depth than CT_JSON_DEPTH. `version` is where the value of the outermost
 * "contatto" begins, 0 when there is none. Takes four bytes of memory per key of the objects that are open at
 * once, for the time of the call. */
ct_result ct_json_check(const ct_json_text *text, uint32_t *version, ct_error *error);

#endif
