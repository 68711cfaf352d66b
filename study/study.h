/* Studies: a paper's tables and figures made anew, from the engine. One part per paper; adding one is one
 * more row in studies.c. */
#ifndef CT_STUDY_STUDY_H
#define CT_STUDY_STUDY_H

#include <contatto/base.h>
#include <stdio.h>

struct ct_claims;

/* What a study is asked for. */
typedef struct ct_study_run {
  FILE *out;                /* its tables in words, or */
  bool csv;                 /* ... as comma-separated values */
  const char *folder;       /* figures and their numbers go here; null: none wanted */
  bool pictures;            /* false: only the numbers */
  struct ct_claims *claims; /* what it has written so far; may be null */
  const char *recording;    /* a sound file to compare with; null: what the study knows of, if it is there */
} ct_study_run;

typedef struct ct_study {
  const char *name;  /* as it is called on the command line */
  const char *paper; /* authors, title, where */
  const char *about; /* what it makes, in a line */
  ct_result (*run)(const ct_study_run *run, ct_error *error);
  bool listens; /* compares with a recording */
} ct_study;

extern const ct_study ct_studies[];
extern const uint32_t ct_study_count;

const ct_study *ct_study_find(const char *name);    /* null: there is none */
const ct_study *ct_study_nearest(const char *name); /* for "did you mean"; null: nothing alike */

#endif
