/* Records by pwrite, each with a checksum in front. */
#include "sweep/rows.h"
#include "base/hash.h"
#include "base/text.h"
#include "measure/report.h"
#include "sweep/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_BYTES = 512 };
static const char magic[8] = "ctsweep1";
static const double byte_order = 1.5; /* differs where numbers are kept otherwise */

/* The file's beginning. */
typedef struct header {
  char magic[8];
  double byte_order;
  uint64_t record_bytes;
  ct_sweep_origin origin;
  uint64_t check;
} header;

_Static_assert(sizeof(header) <= HEADER_BYTES, "the header has its room");

/* The beginning of a record; its cells follow. */
typedef struct record {
  uint64_t check, index, bytes;
  uint8_t sha256[CT_SHA256_BYTES];
  char failed[CT_SWEEP_WHY_MAX];
} record;

struct ct_sweep_rows {
  int file;
  char *name;
  size_t record_bytes;
  ct_sweep_origin origin;
};

uint32_t ct_sweep_cell_count(const ct_sweep_plan *plan) {
  return 1 + (plan->write == CT_SWEEP_WATCHED ? 0 : ct_report_column_count()) +
         ct_sweep_watch_column_count(plan);
}

static size_t record_bytes(uint32_t cells) { return sizeof(record) + cells * sizeof(double); }

uint32_t ct_sweep_rows_cells(const ct_sweep_rows *r) {
  return (uint32_t)((r->record_bytes - sizeof(record)) / sizeof(double));
}

static ct_result cannot(const ct_sweep_rows *r, const char *what, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be %s: %s", r->name, what, strerror(errno));
}

/* Never 0: a hole in the file is no record. */
static uint64_t check_of(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  sum = ct_hash(sum);
  return sum ? sum : 1;
}

static uint64_t record_check(const char *block, size_t bytes) {
  return check_of(block + sizeof(uint64_t), bytes - sizeof(uint64_t));
}

/* ---- opening ---- */

static header header_of(const ct_sweep_rows *r) {
  header h;
  memset(&h, 0, sizeof h);
  memcpy(h.magic, magic, sizeof magic);
  h.byte_order = byte_order;
  h.record_bytes = r->record_bytes;
  h.origin = r->origin;
  h.check = check_of(&h, offsetof(header, check));
  return h;
}

/* False: it is not there, or not whole. */
static bool read_header(const ct_sweep_rows *r, header *h) {
  return pread(r->file, h, sizeof *h, 0) == (ssize_t)sizeof *h &&
         memcmp(h->magic, magic, sizeof magic) == 0 && h->check == check_of(h, offsetof(header, check));
}

static ct_result refuse(const char *name, const char *what, const char *there, const char *wanted,
                        ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.100s: was made with %s %.70s, not %.70s", name, what, there, wanted);
}

ct_result ct_sweep_origin_compare(const char *name, const ct_sweep_origin *there, const ct_sweep_origin *o,
                                  ct_error *error) {
  char a[48], b[48];
  snprintf(a, sizeof a, "%llu/%llu", (unsigned long long)there->shard, (unsigned long long)there->shards);
  snprintf(b, sizeof b, "%llu/%llu", (unsigned long long)o->shard, (unsigned long long)o->shards);
  if (strcmp(there->plan, o->plan) != 0)
    return ct_fail(error, CT_BAD_FILE,
                   "%.150s: was made from another plan, or from scenes that have changed since", name);
  if (strcmp(a, b) != 0)
    return refuse(name, "shard", a, b, error);
  if (strcmp(there->instructions, o->instructions) != 0)
    return refuse(name, "the instructions", there->instructions, o->instructions, error);
  return strcmp(there->program, o->program) != 0
             ? refuse(name, "the program", there->program, o->program, error)
             : CT_OK;
}

static ct_result start(ct_sweep_rows *r, ct_error *error) {
  header there, h = header_of(r);
  if (flock(r->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return ct_fail(error, CT_BAD_FILE, "%.200s: another contatto is at work on it", r->name);
  if (read_header(r, &there))
    return ct_sweep_origin_compare(r->name, &there.origin, &r->origin, error);
  if (ftruncate(r->file, 0) != 0 || ftruncate(r->file, HEADER_BYTES) != 0 ||
      pwrite(r->file, &h, sizeof h, 0) != (ssize_t)sizeof h)
    return cannot(r, "written", error);
  return CT_OK;
}

static ct_sweep_rows *allocate(const char *file) {
  ct_sweep_rows *r = calloc(1, sizeof *r);
  if (r && !(r->name = strdup(file))) {
    free(r);
    return NULL;
  }
  return r;
}

ct_result ct_sweep_rows_open(const char *file, const ct_sweep_origin *origin, uint32_t cells,
                             ct_sweep_rows **rows, ct_error *error) {
  ct_sweep_rows *r = allocate(file);
  if (!r)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the rows");
  r->origin = *origin;
  r->record_bytes = record_bytes(cells);
  r->file = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ct_result result = r->file < 0 ? cannot(r, "opened", error) : start(r, error);
  if (result == CT_OK)
    *rows = r;
  else
    ct_sweep_rows_close(r);
  return result;
}

ct_result ct_sweep_rows_look(const char *file, ct_sweep_rows **rows, ct_error *error) {
  header h;
  ct_sweep_rows *r = allocate(file);
  if (!r)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the rows");
  r->file = open(file, O_RDONLY | O_CLOEXEC);
  ct_result result = r->file < 0 ? cannot(r, "opened", error) : CT_OK;
  if (result == CT_OK &&
      (!read_header(r, &h) || h.byte_order != byte_order || h.record_bytes < record_bytes(1)))
    result = ct_fail(error, CT_BAD_FILE, "%.200s: not rows of a sweep by this program", file);
  if (result == CT_OK) {
    r->origin = h.origin;
    r->record_bytes = h.record_bytes;
    *rows = r;
  } else
    ct_sweep_rows_close(r);
  return result;
}

void ct_sweep_rows_close(ct_sweep_rows *r) {
  if (!r)
    return;
  if (r->file >= 0)
    close(r->file);
  free(r->name);
  free(r);
}

/* ---- places ---- */

const ct_sweep_origin *ct_sweep_rows_origin(const ct_sweep_rows *r) { return &r->origin; }

/* Shard i of n has every n-th sound from the i-th on. */
uint64_t ct_sweep_rows_count(const ct_sweep_rows *r) {
  const ct_sweep_origin *o = &r->origin;
  return o->count >= o->shard ? (o->count - o->shard) / o->shards + 1 : 0;
}

uint64_t ct_sweep_rows_index(const ct_sweep_rows *r, uint64_t place) {
  return place * r->origin.shards + r->origin.shard - 1;
}

bool ct_sweep_rows_has(const ct_sweep_rows *r, uint64_t index) {
  return index < r->origin.count && index % r->origin.shards == r->origin.shard - 1;
}

static off_t place_of(const ct_sweep_rows *r, uint64_t index) {
  return (off_t)(HEADER_BYTES + index / r->origin.shards * r->record_bytes);
}

/* ---- rows ---- */

ct_result ct_sweep_rows_put(ct_sweep_rows *r, const ct_sweep_row *row, ct_error *error) {
  char *block = calloc(1, r->record_bytes);
  record *to = (record *)(void *)block;
  if (!block)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a row");
  to->index = row->index;
  to->bytes = row->bytes;
  memcpy(to->sha256, row->sha256, sizeof to->sha256);
  ct_format(to->failed, sizeof to->failed, "%s", row->failed);
  double *cells = (double *)(void *)(block + sizeof *to);
  for (uint32_t i = 0; i < ct_sweep_rows_cells(r); i++)
    cells[i] = isnan(row->cells[i]) ? (double)NAN : row->cells[i]; /* of all NaNs one */
  to->check = record_check(block, r->record_bytes);
  const ssize_t done = pwrite(r->file, block, r->record_bytes, place_of(r, row->index));
  free(block);
  return done == (ssize_t)r->record_bytes ? CT_OK : cannot(r, "written", error);
}

bool ct_sweep_rows_get(const ct_sweep_rows *r, uint64_t index, ct_sweep_row *row, double *cells) {
  char *block = malloc(r->record_bytes);
  const record *from = (const record *)(const void *)block;
  bool whole = block && ct_sweep_rows_has(r, index) &&
               pread(r->file, block, r->record_bytes, place_of(r, index)) == (ssize_t)r->record_bytes &&
               from->check == record_check(block, r->record_bytes) && from->index == index;
  if (whole) {
    *row = (ct_sweep_row){.index = index, .bytes = from->bytes, .cells = cells};
    memcpy(row->sha256, from->sha256, sizeof row->sha256);
    memcpy(row->failed, from->failed, sizeof row->failed);
    memcpy(cells, block + sizeof *from, r->record_bytes - sizeof *from);
  }
  free(block);
  return whole;
}

ct_result ct_sweep_rows_sync(ct_sweep_rows *r, ct_error *error) {
  return fsync(r->file) != 0 && errno != EINVAL && errno != EROFS ? cannot(r, "written", error) : CT_OK;
}
