/* Whether a WAV file is as long as it says: libsndfile takes half a file for a whole one. */
#include "hosts/cli/modes.h"

#include <stdio.h>
#include <string.h>

static uint32_t little_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Bytes that are missing at the end of the chunk with the samples. Sizes near 4 GB are of programs that did
 * not know how long it would get. */
static long missing_bytes(FILE *file) {
  unsigned char head[12], chunk[8];
  if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "RIFF", 4) != 0 ||
      memcmp(head + 8, "WAVE", 4) != 0)
    return 0;
  while (fread(chunk, 1, sizeof chunk, file) == sizeof chunk) {
    uint32_t size = little_endian(chunk + 4);
    long start = ftell(file);
    if (memcmp(chunk, "data", 4) == 0) {
      fseek(file, 0, SEEK_END);
      long there = ftell(file) - start;
      return size < 0x7fffffff && (long)size > there ? (long)size - there : 0;
    }
    if (size > 0x7ffffff0 || fseek(file, (long)size + (size & 1), SEEK_CUR) != 0)
      return 0;
  }
  return 0;
}

long modes_missing_bytes(const char *name) {
  FILE *file = strcmp(name, "-") ? fopen(name, "rb") : NULL;
  if (!file)
    return 0;
  long missing = missing_bytes(file);
  fclose(file);
  return missing;
}
