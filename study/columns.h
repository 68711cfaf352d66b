/* Tables that a study prints: each column is declared once, for files and for people. */
#ifndef CT_STUDY_COLUMNS_H
#define CT_STUDY_COLUMNS_H

#include "base/text.h"
#include "study/study.h"

/* How a study's CSV looks: every number is a line. */
typedef struct study_csv {
  const char *head;  /* table,of,quantity,value or table,of,quantity,at,value */
  bool has_at;       /* the latter */
  const char *quote; /* around what a number is of; "" for none */
} study_csv;

/* Without a quantity it is not in the CSV, without a width people do not see it. A column without a heading
 * shares that of the next. */
typedef struct study_column {
  const char *quantity, *heading;
  int width, decimals; /* of the number */
  char style;          /* f or e, as of printf; '+': f with its sign */
  double factor;       /* that people see it times */
  const char *unit;    /* behind the number, "" for none */
} study_column;

#define SCALED(quantity, heading, width, decimals, factor, unit)                                             \
  { quantity, heading, width, decimals, 'f', factor, unit }
#define PLAIN(quantity, heading, width, decimals) SCALED(quantity, heading, width, decimals, 1, "")
#define SIGNED(quantity, heading, width, decimals)                                                           \
  { quantity, heading, width, decimals, '+', 1, "" }

typedef struct study_table {
  const study_csv *csv;
  const char *word;    /* its name in CSV */
  const char *title;   /* for people, above the headings */
  const char *names;   /* heading of what the rows are of, */
  int first;           /* and its width; 0: not shown */
  const char *missing; /* people see it instead of NAN; null: nan or -nan */
  const study_column *columns;
  uint32_t count;
} study_table;

#define STUDY_TABLE(csv, word, title, names, first, columns)                                                 \
  { csv, word, title, names, first, NULL, columns, sizeof(columns) / sizeof *(columns) }

/* A number inside a sentence. Without a quantity it is not in the CSV, without words people do not see it. */
typedef struct study_fact {
  const char *of, *quantity;
  const char *words; /* before the number */
  int decimals;
  char style;
  double value;
} study_fact;

/* A number as text, to say what or where another one is. */
typedef struct study_text {
  char text[32];
} study_text;
study_text study_number_text(double number);

/* For people only. */
void study_say(const ct_study_run *run, const char *format, ...) CT_PRINTF(2, 3);
/* Title and headings, for people only. */
void study_heading(const ct_study_run *run, const study_table *table);
/* One number: as CSV a line of its own, else on the line that is begun. `at` is "" where there is none. */
void study_number(const ct_study_run *run, const study_table *table, uint32_t column, const char *of,
                  const char *at, double value);
/* The same for all columns; `values` has one for each. */
void study_numbers(const ct_study_run *run, const study_table *table, const char *of, const char *at,
                   const double *values);
/* A whole line: `label`, which only people see, the numbers, and an end. */
void study_labelled_row(const ct_study_run *run, const study_table *table, const char *label, const char *of,
                        const double *values);
void study_row(const ct_study_run *run, const study_table *table, const char *of, const double *values);
/* As CSV a line per quantity of the table `word`, else one sentence that ends with `end`; null: no
 * sentence. */
void study_sentence(const ct_study_run *run, const study_csv *csv, const char *word, const study_fact *facts,
                    uint32_t count, const char *end);

#define STUDY_SENTENCE(run, csv, word, facts, end)                                                           \
  study_sentence(run, csv, word, facts, sizeof(facts) / sizeof *(facts), end)

#endif
