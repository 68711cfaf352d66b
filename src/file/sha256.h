/* SHA-256 (FIPS 180-4), so that a data set can be checked with any tool that knows it. */
#ifndef CT_FILE_SHA256_H
#define CT_FILE_SHA256_H

#include <contatto/base.h>

enum { CT_SHA256_BYTES = 32, CT_SHA256_TEXT = 65 };

typedef struct ct_sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  uint8_t block[64];
} ct_sha256;

ct_sha256 ct_sha256_start(void);                                                        /* [any] */
void ct_sha256_add(ct_sha256 *hash, const void *bytes, size_t count);                   /* [any] */
void ct_sha256_end(ct_sha256 *hash, uint8_t digest[CT_SHA256_BYTES]);                   /* [any] */
void ct_sha256_print(const uint8_t digest[CT_SHA256_BYTES], char text[CT_SHA256_TEXT]); /* [any] */

/* Of a whole file; `bytes` (may be null) becomes its length. [setup] */
ct_result ct_sha256_file(const char *file, uint8_t digest[CT_SHA256_BYTES], uint64_t *bytes, ct_error *error);

#endif
