/* The page as a folder of files: it asks for nothing that a plain web server does not give. */
#include "base/text.h"
#include "hosts/cli/lab.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ct_result cannot(const char *path, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.250s: %s", path, strerror(errno));
}

static bool copy_bytes(FILE *in, FILE *out) {
  char bytes[65536];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0)
    if (fwrite(bytes, 1, count, out) != count)
      return false;
  return !ferror(in);
}

static ct_result copy_file(const char *from, const char *to, ct_error *error) {
  FILE *in = fopen(from, "rb");
  if (!in)
    return cannot(from, error);
  FILE *out = fopen(to, "wb");
  ct_result result = out ? CT_OK : cannot(to, error);
  if (out && !copy_bytes(in, out))
    result = cannot(to, error);
  if (out && fclose(out) != 0 && result == CT_OK)
    result = cannot(to, error);
  fclose(in);
  return result;
}

static ct_result copy_entry(const char *from, const char *to, const char *name, ct_error *error) {
  char source[PATH_MAX], target[PATH_MAX];
  struct stat about;
  if (snprintf(source, sizeof source, "%s/%s", from, name) >= (int)sizeof source ||
      snprintf(target, sizeof target, "%s/%s", to, name) >= (int)sizeof target)
    return ct_fail(error, CT_BAD_FILE, "%.200s: the name is too long", name);
  if (stat(source, &about) != 0)
    return cannot(source, error);
  return S_ISDIR(about.st_mode) ? lab_export(source, target, error) : copy_file(source, target, error);
}

ct_result lab_export(const char *folder, const char *to, ct_error *error) {
  if (mkdir(to, 0777) != 0 && errno != EEXIST)
    return cannot(to, error);
  DIR *entries = opendir(folder);
  if (!entries)
    return cannot(folder, error);
  ct_result result = CT_OK;
  for (struct dirent *entry; result == CT_OK && (entry = readdir(entries));)
    if (entry->d_name[0] != '.')
      result = copy_entry(folder, to, entry->d_name, error);
  closedir(entries);
  return result;
}
