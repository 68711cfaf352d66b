/* A line is `width` numbers as the hexadecimal digits of their bits, and the hash of them all. */
#include "fit/journal.h"
#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ct_journal {
  char *name;
  FILE *file;
  uint32_t width;
};

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static uint64_t check_of(const double *answer, uint32_t width) {
  uint64_t check = width;
  for (uint32_t i = 0; i < width; i++)
    check = ct_hash_at(check, bits_of(answer[i]));
  return check;
}

static ct_result cannot(const char *name, const char *what, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: %s: %.80s", name, what, strerror(errno));
}

/* The first line of a new file, or that of an old one, which has to be the same. */
static ct_result begin(ct_journal *j, uint64_t of, ct_error *error) {
  char wanted[64], line[64] = "";
  snprintf(wanted, sizeof wanted, "contatto fit 2 %016" PRIx64 " %u\n", of, j->width);
  if (fgets(line, sizeof line, j->file))
    return strcmp(line, wanted) == 0
               ? CT_OK
               : ct_fail(error, CT_BAD_ARGUMENT,
                         "%.200s: is not the state of this fit: other recordings, another "
                         "scene or other options; name another file",
                         j->name);
  rewind(j->file);
  return fputs(wanted, j->file) >= 0 && fflush(j->file) == 0 ? CT_OK
                                                             : cannot(j->name, "cannot be written", error);
}

ct_result ct_journal_open(const char *file, uint64_t of, uint32_t width, ct_journal **journal,
                          ct_error *error) {
  ct_journal *j = calloc(1, sizeof *j);
  if (!j || !(j->name = strdup(file))) {
    free(j);
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  }
  j->width = width;
  j->file = fopen(file, "r+");
  if (!j->file && errno == ENOENT)
    j->file = fopen(file, "w+");
  ct_result result = j->file ? begin(j, of, error) : cannot(file, "cannot be opened", error);
  if (result == CT_OK)
    *journal = j;
  else
    ct_journal_close(j);
  return result;
}

/* Sixteen hexadecimal digits and what ends them: nothing here depends on a locale. */
static bool read_bits(FILE *file, char end, uint64_t *bits) {
  static const char digits[] = "0123456789abcdef";
  *bits = 0;
  for (int i = 0; i < 16; i++) {
    const int read = fgetc(file);
    const char *digit = read > 0 ? strchr(digits, read) : NULL;
    if (!digit)
      return false;
    *bits = *bits << 4 | (uint64_t)(digit - digits);
  }
  return fgetc(file) == end;
}

static bool read_line(ct_journal *j, double *answer) {
  uint64_t bits, check;
  for (uint32_t i = 0; i < j->width; i++) {
    if (!read_bits(j->file, ' ', &bits))
      return false;
    memcpy(&answer[i], &bits, sizeof bits);
  }
  return read_bits(j->file, '\n', &check) && check == check_of(answer, j->width);
}

/* Whatever follows the last good line goes. */
bool ct_journal_next(ct_journal *j, double *answer) {
  if (!j)
    return false;
  long at = ftell(j->file);
  if (read_line(j, answer))
    return true;
  fseek(j->file, at, SEEK_SET);
  if (ftruncate(fileno(j->file), at) != 0)
    clearerr(j->file); /* what is added says so */
  return false;
}

ct_result ct_journal_add(ct_journal *j, const double *answers, uint32_t count, ct_error *error) {
  if (!j)
    return CT_OK;
  for (uint32_t k = 0; k < count; k++) {
    const double *answer = answers + (size_t)k * j->width;
    for (uint32_t i = 0; i < j->width; i++)
      fprintf(j->file, "%016" PRIx64 " ", bits_of(answer[i]));
    fprintf(j->file, "%016" PRIx64 "\n", check_of(answer, j->width));
  }
  return fflush(j->file) == 0 ? CT_OK : cannot(j->name, "cannot be written", error);
}

void ct_journal_close(ct_journal *j) {
  if (!j)
    return;
  if (j->file)
    fclose(j->file);
  free(j->name);
  free(j);
}
