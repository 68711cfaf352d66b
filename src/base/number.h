/* Numbers as text, in any locale: read correctly rounded, written in the fewest digits that read back. No
 * allocation, no call of the system; the work is bounded by the length of the text. */
#ifndef CT_BASE_NUMBER_H
#define CT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* The number a text begins with: a sign or none, digits with a point anywhere or nowhere, an exponent or
 * none. Gives the bytes it takes, 0 when there is no number. The value is the double nearest to what is
 * written, of two equally near the one whose last bit is 0; infinite when it is too large. Blanks,
 * hexadecimal digits and words are not read. [any] */
size_t ct_number_read(const char *text, size_t length, double *value);

/* A whole text, as somebody typed it: blanks in front do no harm, and "nan" and "inf" are understood, so that
 * they can be refused by their name. False when it is anything else. [any] */
bool ct_number_typed(const char *text, double *value);

enum { CT_NUMBER_ROOM = 32 }; /* bytes of a printed number, with its closing zero */

/* As %.<digits>g prints it in the C locale, correctly rounded; 1 to 17 digits. Gives the length. [any] */
size_t ct_number_print(char text[CT_NUMBER_ROOM], double value, int digits);

/* The least of 15 to 17 digits that read back as the value. [any] */
int ct_number_digits(double value);

#endif
