/* Rows by pwrite, each with a checksum in front. */
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
  uint64_t row_bytes;
  ct_sweep_origin origin;
  uint64_t check;
} header;

_Static_assert(sizeof(header) <= HEADER_BYTES, "the header has its room");

uint32_t ct_sweep_cell_count(const ct_sweep_plan *plan) {
  return 1 + (plan->write == CT_SWEEP_WATCHED ? 0 : ct_report_column_count()) +
         ct_sweep_watch_column_count(plan);
}

static size_t row_bytes(uint32_t cells) { return offsetof(ct_sweep_row, cells) + cells * sizeof(double); }

static ct_result cannot(const ct_sweep_rows *r, const char *what, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be %s: %s", r->name.text, what, strerror(errno));
}

/* Never 0. */
static uint64_t check_of(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  sum = ct_hash(sum);
  return sum ? sum : 1;
}

static uint64_t row_check(const ct_sweep_rows *r, const ct_sweep_row *row) {
  return check_of(&row->index, r->row_bytes - offsetof(ct_sweep_row, index));
}

/* ---- opening ---- */

static header header_of(const ct_sweep_rows *r) {
  header h;
  memset(&h, 0, sizeof h);
  memcpy(h.magic, magic, sizeof magic);
  h.byte_order = byte_order;
  h.row_bytes = r->row_bytes;
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

static ct_result start(const ct_sweep_rows *r, ct_error *error) {
  header there, h = header_of(r);
  if (flock(r->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return ct_fail(error, CT_BAD_FILE, "%.200s: another contatto is at work on it", r->name.text);
  if (read_header(r, &there))
    return ct_sweep_origin_compare(r->name.text, &there.origin, &r->origin, error);
  if (ftruncate(r->file, 0) != 0 || ftruncate(r->file, HEADER_BYTES) != 0 ||
      pwrite(r->file, &h, sizeof h, 0) != (ssize_t)sizeof h)
    return cannot(r, "written", error);
  return CT_OK;
}

ct_result ct_sweep_rows_open(const char *file, const ct_sweep_origin *origin, uint32_t cells,
                             ct_sweep_rows *r, ct_error *error) {
  *r = (ct_sweep_rows){.name = ct_file_join("", file), .row_bytes = row_bytes(cells)};
  r->origin = *origin;
  r->file = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const ct_result result = r->file < 0 ? cannot(r, "opened", error) : start(r, error);
  if (result != CT_OK)
    ct_sweep_rows_close(r);
  return result;
}

ct_result ct_sweep_rows_look(const char *file, ct_sweep_rows *r, ct_error *error) {
  header h;
  *r = (ct_sweep_rows){.name = ct_file_join("", file), .file = open(file, O_RDONLY | O_CLOEXEC)};
  if (r->file < 0)
    return cannot(r, "opened", error);
  if (!read_header(r, &h) || h.byte_order != byte_order || h.row_bytes < row_bytes(1) ||
      h.row_bytes > sizeof(ct_sweep_row)) {
    ct_sweep_rows_close(r);
    return ct_fail(error, CT_BAD_FILE, "%.200s: not rows of a sweep by this program", file);
  }
  r->origin = h.origin;
  r->row_bytes = h.row_bytes;
  return CT_OK;
}

void ct_sweep_rows_close(ct_sweep_rows *r) {
  if (r->file >= 0)
    close(r->file);
  r->file = -1;
}

/* ---- places ---- */

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
  return (off_t)(HEADER_BYTES + index / r->origin.shards * r->row_bytes);
}

/* ---- rows ---- */

ct_result ct_sweep_rows_put(const ct_sweep_rows *r, ct_sweep_row *row, ct_error *error) {
  const size_t cells = (r->row_bytes - offsetof(ct_sweep_row, cells)) / sizeof(double);
  for (size_t i = 0; i < cells; i++)
    row->cells[i] = isnan(row->cells[i]) ? (double)NAN : row->cells[i]; /* of all NaNs one */
  row->check = row_check(r, row);
  const ssize_t done = pwrite(r->file, row, r->row_bytes, place_of(r, row->index));
  return done == (ssize_t)r->row_bytes ? CT_OK : cannot(r, "written", error);
}

bool ct_sweep_rows_get(const ct_sweep_rows *r, uint64_t index, ct_sweep_row *row) {
  return ct_sweep_rows_has(r, index) &&
         pread(r->file, row, r->row_bytes, place_of(r, index)) == (ssize_t)r->row_bytes &&
         row->check == row_check(r, row) && row->index == index;
}

ct_result ct_sweep_rows_sync(const ct_sweep_rows *r, ct_error *error) {
  return fsync(r->file) != 0 && errno != EINVAL && errno != EROFS ? cannot(r, "written", error) : CT_OK;
}
