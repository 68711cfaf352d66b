/* Reads until the end rather than asking for a size first, so that pipes work too. */
#include "base/grow.h"
#include "base/text.h"
#include "file/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_result cannot_read(const char *file, const char *why, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be read: %s", file, why);
}

static ct_result read_all(FILE *in, const char *file, char **text, size_t *length, ct_error *error) {
  size_t room = 0, used = 0, got = 1;
  char *all = NULL;
  bool memory = true;
  while (got && used <= CT_TEXT_FILE_MOST && (memory = ct_grow(&all, &room, used + (1 << 16), 1))) {
    got = fread(all + used, 1, room - used - 1, in);
    used += got;
  }
  if (!memory || ferror(in) || used > CT_TEXT_FILE_MOST) {
    const char *why = !memory ? "no memory" : ferror(in) ? strerror(errno) : "larger than 64 MB";
    free(all);
    return cannot_read(file, why, error);
  }
  all[used] = 0;
  *text = all;
  *length = used;
  return CT_OK;
}

static bool starts_with(const char *text, size_t length, const char *start) {
  return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static ct_result check_text(const char *file, char *text, size_t *length, ct_error *error) {
  static const char mark[] = "\xef\xbb\xbf";
  if (starts_with(text, *length, "\xff\xfe") || starts_with(text, *length, "\xfe\xff"))
    return ct_fail(error, CT_BAD_FILE, "%.200s: is UTF-16 text; wants UTF-8", file);
  const char *zero = memchr(text, 0, *length);
  if (zero)
    return ct_fail(error, CT_BAD_FILE, "%.200s: not a text file: byte %zu of %zu is zero", file,
                   (size_t)(zero - text) + 1, *length);
  if (starts_with(text, *length, mark)) {
    *length -= sizeof mark - 1;
    memmove(text, text + sizeof mark - 1, *length + 1);
  }
  return CT_OK;
}

ct_result ct_text_file_read(const char *file, char **text, size_t *length, ct_error *error) {
  FILE *in = fopen(file, "rb");
  if (!in)
    return cannot_read(file, strerror(errno), error);
  ct_result result = read_all(in, file, text, length, error);
  fclose(in);
  if (result == CT_OK && (result = check_text(file, *text, length, error)) != CT_OK) {
    free(*text);
    *text = NULL;
  }
  return result;
}
