/* The files of one run: what it reads and what it will write. An output that is also an input, or another
 * output, is refused before anything is written, however it is spelled or linked. */
#ifndef CT_FILE_CLAIMS_H
#define CT_FILE_CLAIMS_H

#include "file/place.h"
#include <contatto/doc.h>

typedef struct ct_claim {
  ct_place place;
  char *name;
  bool output;
} ct_claim;

/* Starts as zeros. */
typedef struct ct_claims {
  ct_claim *items;
  size_t count, room;
} ct_claims;

/* Null names are fine: nothing is claimed. [setup] */
ct_result ct_claims_read(ct_claims *claims, const char *file, ct_error *error);
ct_result ct_claims_write(ct_claims *claims, const char *file, ct_error *error);
/* The files that loading a scene reads: its own and its scans. [setup] */
ct_result ct_doc_claim_files(const ct_doc *doc, const char *scene, ct_claims *claims, ct_error *error);
void ct_claims_free(ct_claims *claims);

#endif
