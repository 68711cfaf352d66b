/* Tables that a study prints: each column is declared once, for files and for people. */
#ifndef CT_STUDY_COLUMNS_H
#define CT_STUDY_COLUMNS_H

#include "study/study.h"

/* Without a quantity it is not in the CSV, without a width people do not see it. A column without a heading
 * shares that of the next. */
typedef struct study_column {
  const char *quantity, *heading;
  int width, decimals; /* of the number */
  double factor;       /* that people see it times */
  const char *unit;    /* behind the number, "" for none */
} study_column;

#define PLAIN(quantity, heading, width, decimals)                                                            \
  { quantity, heading, width, decimals, 1, "" }

typedef struct study_table {
  const char *word;    /* its name in CSV */
  const char *between; /* quantity and number, in CSV: "," */
  const char *quote;   /* around what a row is of, in CSV; "" for none */
  const char *title;   /* for people, above the headings */
  const char *names;   /* heading of what the rows are of, */
  int first;           /* and its width; 0: not shown */
  const study_column *columns;
  uint32_t count;
} study_table;

#define STUDY_TABLE(word, between, quote, title, names, first, columns)                                      \
  { word, between, quote, title, names, first, columns, sizeof(columns) / sizeof *(columns) }

/* A number inside a sentence. Without a quantity it is not in the CSV, without words people do not see it. */
typedef struct study_fact {
  const char *of, *quantity;
  const char *words; /* before the number */
  int decimals;
  double value;
} study_fact;

/* Nothing as CSV. */
void study_heading(const ct_study_run *run, const study_table *table);
/* As CSV a line per quantity, else one line of numbers; `values` has one for each column. */
void study_row(const ct_study_run *run, const study_table *table, const char *of, const double *values);
/* As CSV a line per quantity of the table `word`, else one sentence that ends with `end`. */
void study_sentence(const ct_study_run *run, const char *word, const study_fact *facts, uint32_t count,
                    const char *end);

#define STUDY_SENTENCE(run, word, facts, end)                                                                \
  study_sentence(run, word, facts, sizeof(facts) / sizeof *(facts), end)

#endif
