/* Staged files. Invariant: while `temporary` is not null a file of that name exists, is ours to remove, is
 * locked by `held`, and is known to ct_undo. The lock ends with the process, however that ends: a staged file
 * that nobody holds is a leftover. */
#include "file/staged.h"
#include "base/text.h"
#include "file/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct ct_staged {
  ct_undo undo; /* first, so that a pointer to it is a pointer to all */
  char *target;
  char *temporary; /* null: written directly, or kept */
  FILE *stream;
  int held;       /* a second descriptor of the temporary file; -1: none */
  mode_t mode;    /* of the file it replaces; 0: there is none */
  bool skip_sync; /* not to be brought to the disk one by one */
};

static ct_result cannot_write(const char *target, int why, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: %s", target, strerror(why));
}

/* ---- leftovers ---- */

static const char prefix[] = ".contatto-", ending[] = ".part";

static bool is_ours(const char *name) {
  size_t length = strlen(name), process, number;
  if (strncmp(name, prefix, sizeof prefix - 1) != 0)
    return false;
  name += sizeof prefix - 1;
  process = strspn(name, "0123456789");
  number = name[process] == '-' ? strspn(name + process + 1, "0123456789") : 0;
  return length < 64 && process && number && strcmp(name + process + 1 + number, ending) == 0;
}

static void remove_if_left(int folder, const char *name) {
  struct stat found;
  int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
      flock(file, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, name, 0);
  close(file);
}

static void remove_leftovers(const char *target) {
  DIR *folder = opendir(ct_file_folder(target).text);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder));)
    if (is_ours(entry->d_name))
      remove_if_left(dirfd(folder), entry->d_name);
  closedir(folder);
}

/* ---- opening ---- */

static void undo_staged(ct_undo *undo) {
  const ct_staged *s = (ct_staged *)(void *)undo;
  if (s->temporary)
    unlink(s->temporary);
}

/* A name of our own in the target's folder, so that renaming never crosses file systems. */
static char *name_beside(const char *target, unsigned attempt) {
  char name[64];
  snprintf(name, sizeof name, "%s%ld-%u%s", prefix, (long)getpid(), attempt, ending);
  return strdup(ct_file_join(ct_file_folder(target).text, name).text);
}

/* Locked and still there: somebody who looks for leftovers may have been between us and our lock. Where there
 * are no locks, nobody can take it for a leftover either. */
static bool hold(int file) {
  struct stat found;
  if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return false;
  return fstat(file, &found) == 0 && found.st_nlink > 0;
}

/* Plain open with 0666, not mkstemp, so that the umask decides who may read the result. -1: see errno. */
static int create_locked(const char *name) {
  int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 || hold(file))
    return file;
  close(file);
  errno = EEXIST;
  return -1;
}

/* Takes over the name when it succeeds. */
static int create_as(ct_staged *s, char *name) {
  ct_undo_lock();
  int file = create_locked(name), why = errno;
  if (file >= 0) {
    s->temporary = name;
    s->undo.run = undo_staged;
    ct_undo_add(&s->undo);
  }
  ct_undo_unlock();
  if (file < 0)
    return why;
  s->held = fcntl(file, F_DUPFD_CLOEXEC, 0);
  s->stream = s->held >= 0 ? fdopen(file, "w+b") : NULL;
  if (!s->stream) {
    why = errno;
    close(file);
    return why;
  }
  return s->mode && fchmod(s->held, s->mode & 07777) != 0 ? errno : 0;
}

static int create_beside(ct_staged *s) {
  enum { ATTEMPTS = 1000 };
  remove_leftovers(s->target);
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    char *name = name_beside(s->target, attempt);
    if (!name)
      return ENOMEM;
    int why = create_as(s, name);
    if (!s->temporary)
      free(name);
    if (s->temporary || why != EEXIST)
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
  s->mode = found.st_mode;
  return create_beside(s);
}

ct_result ct_staged_open(const char *target, ct_staged **staged, ct_error *error) {
  ct_staged *s = calloc(1, sizeof *s);
  if (s) {
    /* The file behind a link is replaced, not the link. */
    char *real = ct_place_resolve(target);
    s->target = real ? real : strdup(target);
  }
  if (!s || !s->target) {
    free(s);
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to write it", target);
  }
  s->held = -1;
  int why = open_stream(s);
  if (why) {
    ct_staged_drop(s);
    return cannot_write(target, why, error);
  }
  *staged = s;
  return CT_OK;
}

void ct_staged_skip_sync(ct_staged *s) { s->skip_sync = true; }

FILE *ct_staged_stream(ct_staged *s) { return s->stream; }

const char *ct_staged_name(const ct_staged *s) { return s->temporary ? s->temporary : s->target; }

/* ---- ending ---- */

/* Some file systems cannot, and say so; a full or broken disk shows here at the latest. */
static bool sync_failed(int file) { return fsync(file) != 0 && errno != EINVAL && errno != EROFS; }

static void sync_folder(const char *name) {
  int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder); /* the files are there; at worst a power cut takes the new names back */
    close(folder);
  }
}

/* Each once, when files of one folder come one after the other. */
static void sync_folders(ct_staged *const *staged, size_t count) {
  ct_file_path last = {""};
  for (size_t i = 0; i < count; i++) {
    if (!staged[i] || staged[i]->held < 0 || staged[i]->skip_sync)
      continue;
    const ct_file_path folder = ct_file_folder(staged[i]->target);
    if (strcmp(folder.text, last.text) != 0)
      sync_folder(folder.text);
    last = folder;
  }
}

ct_result ct_staged_close(ct_staged *s, ct_error *error) {
  if (!s->stream)
    return CT_OK;
  errno = 0;
  bool failed = ferror(s->stream) != 0;
  failed |= fclose(s->stream) != 0;
  s->stream = NULL;
  failed = failed || (s->held >= 0 && !s->skip_sync && sync_failed(s->held));
  return failed ? cannot_write(s->target, errno ? errno : EIO, error) : CT_OK;
}

/* Wants the lock. */
static ct_result rename_staged(ct_staged *s, ct_error *error) {
  if (!s->temporary)
    return CT_OK;
  if (rename(s->temporary, s->target) != 0)
    return cannot_write(s->target, errno, error);
  ct_undo_remove(&s->undo);
  free(s->temporary);
  s->temporary = NULL;
  return CT_OK;
}

ct_result ct_staged_keep_all(ct_staged *const *staged, size_t count, ct_error *error) {
  ct_result result = CT_OK;
  for (size_t i = 0; i < count; i++) {
    const ct_staged *s = staged[i];
    /* another program may have written to it since it was closed */
    if (s && s->temporary && !s->skip_sync && sync_failed(s->held))
      return cannot_write(s->target, errno, error);
  }
  ct_undo_lock();
  for (size_t i = 0; i < count && result == CT_OK; i++)
    result = staged[i] ? rename_staged(staged[i], error) : CT_OK;
  ct_undo_unlock();
  sync_folders(staged, count);
  return result;
}

ct_result ct_staged_keep(ct_staged *s, ct_error *error) { return ct_staged_keep_all(&s, 1, error); }

void ct_staged_drop(ct_staged *s) {
  if (!s)
    return;
  if (s->stream)
    fclose(s->stream);
  ct_undo_lock();
  if (s->temporary) {
    unlink(s->temporary);
    ct_undo_remove(&s->undo);
  }
  ct_undo_unlock();
  if (s->held >= 0)
    close(s->held);
  free(s->temporary);
  free(s->target);
  free(s);
}

ct_result ct_staged_write(const char *target, ct_staged_put *put, const void *context, ct_error *error) {
  ct_staged *staged = NULL;
  CT_TRY(ct_staged_open(target, &staged, error));
  return ct_staged_finish(staged, put(staged->stream, context, error), error);
}

ct_result ct_staged_finish(ct_staged *staged, ct_result result, ct_error *error) {
  if (result == CT_OK)
    result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  return result;
}

static ct_result put_line(FILE *out, const void *text, ct_error *error) {
  (void)error;
  fprintf(out, "%s\n", (const char *)text);
  return CT_OK;
}

ct_result ct_staged_write_text(const char *target, const char *text, ct_error *error) {
  return ct_staged_write(target, put_line, text, error);
}

/* One list under one lock. */

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static ct_undo *latest;

void ct_undo_lock(void) { pthread_mutex_lock(&guard); }

void ct_undo_unlock(void) { pthread_mutex_unlock(&guard); }

void ct_undo_add(ct_undo *undo) {
  undo->next = latest;
  latest = undo;
}

void ct_undo_remove(ct_undo *undo) {
  for (ct_undo **at = &latest; *at; at = &(*at)->next)
    if (*at == undo) {
      *at = undo->next;
      return;
    }
}

void ct_undo_all(void) {
  ct_undo_lock();
  for (ct_undo *undo = latest; undo; undo = undo->next)
    undo->run(undo);
  latest = NULL;
}
