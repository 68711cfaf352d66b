/* Pictures drawn by gnuplot, as PNG files that appear when they are complete. */
#ifndef CT_PICTURE_GNUPLOT_H
#define CT_PICTURE_GNUPLOT_H

#include <contatto/base.h>
#include <stdio.h>

/* Runs it with that standard input and one option. Its exit status; -1 when it cannot be started. [setup] */
int ct_gnuplot_run(int input, const char *option);

/* Text as gnuplot takes it, whatever it holds. [setup] */
void ct_gnuplot_quote(FILE *script, const char *text);

/* Writes the script and its numbers; `png` is what the script must name as its output. */
typedef ct_result ct_gnuplot_write(FILE *script, const char *png, const void *context, ct_error *error);

/* [setup] */
ct_result ct_gnuplot_draw(const char *png, ct_gnuplot_write *write, const void *context, ct_error *error);

#endif
