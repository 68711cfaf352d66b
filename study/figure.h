/* Figures of a study: numbers in FOLDER/NAME.csv, drawn from there by gnuplot, as NAME.gp says, into NAME.png
 * and NAME.svg. */
#ifndef CT_STUDY_FIGURE_H
#define CT_STUDY_FIGURE_H

#include "study/study.h"

/* A table on its way to a file; nothing is there unless it was ended well. */
typedef struct figure_table figure_table;

/* Columns are given as one text, "time_s,x_m". [setup] */
ct_result figure_table_begin(const ct_study_run *run, const char *name, const char *columns,
                             figure_table **table, ct_error *error);
ct_result figure_table_row(figure_table *table, const double *row, ct_error *error);
/* Frees, and keeps the file when `result` is CT_OK; hands on what went wrong first. [setup] */
ct_result figure_table_end(figure_table *table, ct_result result, ct_error *error);
/* Levels of a sound over time and log10 of frequency, dB re the loudest, as a table. [setup] */
ct_result figure_spectrogram(const ct_study_run *run, const char *name, const double *samples, size_t count,
                             double rate_hz, ct_error *error);

/* `head` and `script` follow one another; they find the numbers of table X as D('X') and colours as am1,
 * verlet, heun, rk4, ours, exact. [setup] */
ct_result figure_draw(const ct_study_run *run, const char *name, int width, int height, const char *head,
                      const char *script, ct_error *error);

/* FOLDER and what it lies in. [setup] */
ct_result figure_folder(const char *folder, ct_error *error);

#endif
