/* Whether a data set is what it was made to be. */
#include "base/text.h"
#include "sweep/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_result refuse(const char *folder, const char *name, const char *what, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.120s/%.120s: %s", folder, name, what);
}

/* A line of SHA256SUMS: a hash, two blanks, a name. */
static ct_result check_line(const char *folder, const char *line, ct_error *error) {
  uint8_t digest[CT_SHA256_BYTES];
  char text[CT_SHA256_TEXT];
  const char *name = line + CT_SHA256_TEXT + 1;
  if (strlen(line) < CT_SHA256_TEXT + 2 || line[CT_SHA256_TEXT - 1] != ' ' || line[CT_SHA256_TEXT] != ' ')
    return refuse(folder, "SHA256SUMS", "not a list of hashes and names", error);
  CT_TRY(ct_sha256_file(ct_file_join(folder, name).text, digest, NULL, error));
  ct_sha256_print(digest, text);
  return strncmp(line, text, CT_SHA256_TEXT - 1) == 0
             ? CT_OK
             : refuse(folder, name, "is not as it was made: its hash is another", error);
}

/* What SHA256SUMS lists; line by line, since it may be long. */
typedef struct tally {
  uint64_t files, sounds;
  bool shard; /* it has rows, which are to be merged */
} tally;

static ct_result check_lines(const char *folder, FILE *in, tally *t, ct_error *error) {
  char *line = NULL;
  size_t room = 0;
  ct_result result = CT_OK;
  while (result == CT_OK && getline(&line, &room, in) > 0) {
    line[strcspn(line, "\n")] = 0;
    result = check_line(folder, line, error);
    t->files++;
    t->sounds += strstr(line, "  sounds/") != NULL;
    t->shard |= strstr(line, "  rows.bin") != NULL;
  }
  free(line);
  return result;
}

/* Lines of the table but the first; texts in it have no line ends. */
static ct_result count_rows(const char *folder, uint64_t *rows, ct_error *error) {
  FILE *in = fopen(ct_file_join(folder, "table.csv").text, "rb");
  if (!in)
    return refuse(folder, "table.csv", "cannot be read", error);
  *rows = 0;
  for (int c; (c = getc(in)) != EOF;)
    *rows += c == '\n';
  fclose(in);
  *rows -= *rows > 0;
  return CT_OK;
}

static ct_result check_counts(const char *folder, const tally *t, ct_error *error) {
  uint64_t rows = 0, promised_rows = 0, promised = 0;
  CT_TRY(ct_sweep_about_counts(folder, &promised_rows, &promised, error));
  if (t->sounds != promised)
    return ct_fail(error, CT_BAD_FILE, "%.200s: lists %llu sounds, about.json says %llu", folder,
                   (unsigned long long)t->sounds, (unsigned long long)promised);
  if (t->shard)
    return CT_OK;
  CT_TRY(count_rows(folder, &rows, error));
  return rows == promised_rows
             ? CT_OK
             : ct_fail(error, CT_BAD_FILE, "%.200s: its table has %llu rows, about.json says %llu", folder,
                       (unsigned long long)rows, (unsigned long long)promised_rows);
}

ct_result ct_sweep_check(const char *folder, uint64_t *files, uint64_t *sounds, ct_error *error) {
  tally t = {0};
  FILE *in = fopen(ct_file_join(folder, "SHA256SUMS").text, "rb");
  if (!in)
    return ct_fail(error, CT_BAD_FILE, "%.200s: is not complete, or no sweep's: it has no SHA256SUMS",
                   folder);
  ct_result result = check_lines(folder, in, &t, error);
  fclose(in);
  *files = t.files;
  *sounds = t.sounds;
  return result == CT_OK ? check_counts(folder, &t, error) : result;
}
