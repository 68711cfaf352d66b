/* Staged files. Invariant: while `temporary` is not null a file of that name exists and is ours to remove. */
#include "file/staged.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ct_staged {
  char *target;
  char *temporary; /* null: written directly */
  FILE *stream;
};

static ct_result cannot_write(const char *target, int why, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: %s", target, strerror(why));
}

/* A name of our own in the target's folder, so that renaming never crosses file systems. */
static char *name_beside(const char *target, unsigned attempt) {
  enum { OURS = 64 };
  const char *slash = strrchr(target, '/');
  int folder = slash ? (int)(slash - target) + 1 : 0;
  char *name = malloc((size_t)folder + OURS);
  if (name)
    snprintf(name, (size_t)folder + OURS, "%.*s.contatto-%ld-%u.part", folder, target, (long)getpid(),
             attempt);
  return name;
}

/* Plain open with 0666, not mkstemp, so that the umask decides who may read the result. */
static int create_beside(ct_staged *s) {
  enum { ATTEMPTS = 1000 };
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    char *name = name_beside(s->target, attempt);
    if (!name)
      return ENOMEM;
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int why = errno;
    if (file >= 0) {
      s->temporary = name;
      s->stream = fdopen(file, "w+b");
      return s->stream ? 0 : errno;
    }
    free(name);
    if (why != EEXIST)
      return why;
  }
  return EEXIST;
}

static int open_directly(ct_staged *s) {
  int file = open(s->target, O_RDWR | O_CLOEXEC);
  if (file < 0 && errno != EISDIR)
    file = open(s->target, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return errno;
  s->stream = fdopen(file, "r+b");
  if (!s->stream)
    s->stream = fdopen(file, "wb");
  return s->stream ? 0 : errno;
}

/* What is there already decides: nothing or a plain file is replaced in the end, anything else is opened. */
static int open_stream(ct_staged *s) {
  struct stat found;
  if (stat(s->target, &found) != 0)
    return errno == ENOENT ? create_beside(s) : errno;
  if (!S_ISREG(found.st_mode))
    return open_directly(s);
  if (access(s->target, W_OK) != 0)
    return errno;
  return create_beside(s);
}

/* The file behind a link is replaced, not the link. */
static char *resolve(const char *target) {
  char *real = realpath(target, NULL);
  return real ? real : strdup(target);
}

ct_result ct_staged_open(const char *target, ct_staged **staged, ct_error *error) {
  ct_staged *s = calloc(1, sizeof *s);
  if (s)
    s->target = resolve(target);
  if (!s || !s->target) {
    free(s);
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to write it", target);
  }
  int why = open_stream(s);
  if (why) {
    ct_staged_drop(s);
    return cannot_write(target, why, error);
  }
  *staged = s;
  return CT_OK;
}

FILE *ct_staged_stream(ct_staged *s) { return s->stream; }

const char *ct_staged_name(const ct_staged *s) { return s->temporary ? s->temporary : s->target; }

ct_result ct_staged_close(ct_staged *s, ct_error *error) {
  if (!s->stream)
    return CT_OK;
  errno = 0;
  bool failed = ferror(s->stream) != 0;
  failed |= fclose(s->stream) != 0;
  s->stream = NULL;
  return failed ? cannot_write(s->target, errno ? errno : EIO, error) : CT_OK;
}

ct_result ct_staged_keep(ct_staged *s, ct_error *error) {
  if (!s->temporary)
    return CT_OK;
  if (rename(s->temporary, s->target) != 0)
    return cannot_write(s->target, errno, error);
  free(s->temporary);
  s->temporary = NULL;
  return CT_OK;
}

void ct_staged_drop(ct_staged *s) {
  if (!s)
    return;
  if (s->stream)
    fclose(s->stream);
  if (s->temporary)
    unlink(s->temporary);
  free(s->temporary);
  free(s->target);
  free(s);
}
