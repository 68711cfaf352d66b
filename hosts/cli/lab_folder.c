/* Finding the page's folder, and files in it. */
#include "base/text.h"
#include "hosts/cli/lab.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool holds_page(const char *folder) {
  char path[3 * PATH_MAX];
  snprintf(path, sizeof path, "%s/index.html", folder);
  return access(path, R_OK) == 0;
}

/* The folder this program lies in, without the closing slash. */
static bool own_folder(char folder[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  if (length <= 0)
    return false;
  folder[length] = 0;
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  return slash != NULL;
}

char *lab_folder_find(ct_error *error) {
  static const char *const places[] = {"lab", "../share/contatto/lab"};
  const char *told = getenv("CONTATTO_LAB");
  char own[PATH_MAX], path[2 * PATH_MAX];
  if (told && holds_page(told))
    return realpath(told, NULL);
  if (told)
    return ct_fail(error, CT_BAD_FILE, "CONTATTO_LAB: %.200s holds no index.html", told), NULL;
  for (size_t i = 0; own_folder(own) && i < sizeof places / sizeof places[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", own, places[i]);
    if (holds_page(path))
      return realpath(path, NULL);
  }
  ct_fail(error, CT_BAD_FILE,
          "the page is not there; './run --build-only' makes it, or says what it is missing for that");
  return NULL;
}

/* Resolving the whole name first means that no way of writing "..", and no symbolic link, leads out. */
char *lab_file_find(const char *folder, const char *url) {
  char path[PATH_MAX];
  size_t length = strlen(url), root = strlen(folder);
  if (url[0] != '/' || root + length + sizeof "index.html" > sizeof path)
    return NULL;
  snprintf(path, sizeof path, "%s%s%s", folder, url, url[length - 1] == '/' ? "index.html" : "");
  char *real = realpath(path, NULL);
  struct stat about;
  if (real && strncmp(real, folder, root) == 0 && real[root] == '/' && stat(real, &about) == 0 &&
      S_ISREG(about.st_mode))
    return real;
  free(real);
  return NULL;
}

const char *lab_file_type(const char *path) {
  static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".css", "text/css; charset=utf-8"},
                                         {".wasm", "application/wasm"},
                                         {".json", "application/json"},
                                         {".svg", "image/svg+xml"},
                                         {".png", "image/png"},
                                         {".woff2", "font/woff2"},
                                         {".gz", "application/gzip"},
                                         {".webmanifest", "application/manifest+json"}};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof types / sizeof types[0]; i++)
    if (strcmp(ending, types[i][0]) == 0)
      return types[i][1];
  return "text/plain; charset=utf-8";
}
