/* The folder of a sweep. */
#include "sweep/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "file/load.h"
#include "measure/report.h"
#include "sweep/maker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- names ---- */

void ct_sweep_sound_name(const ct_sweep_plan *plan, uint64_t index, char name[CT_SWEEP_NAME_MAX]) {
  static const char *const endings[] = {"wav", "flac"};
  *name = 0;
  if (ct_sweep_writes_sounds(plan))
    snprintf(name, CT_SWEEP_NAME_MAX, "sounds/%03llu/%06llu.%s", (unsigned long long)(index / 1000),
             (unsigned long long)index, endings[plan->write]);
}

/* ---- what is there ---- */

static bool is_there(const char *folder, const char *name) {
  return access(ct_file_join(folder, name).text, F_OK) == 0;
}

bool ct_sweep_folder_complete(const char *folder) { return is_there(folder, "SHA256SUMS"); }

/* Leftovers of a run that was killed do not count. */
static bool is_empty(const char *folder) {
  DIR *open_folder = opendir(folder);
  bool empty = true;
  for (struct dirent *entry; open_folder && (entry = readdir(open_folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
        strncmp(entry->d_name, ".contatto-", strlen(".contatto-")) != 0)
      empty = false;
  if (open_folder)
    closedir(open_folder);
  return empty;
}

static ct_result compare_plan(const ct_sweep_def *def, ct_error *error) {
  char *text = NULL;
  size_t length = 0;
  CT_TRY(ct_text_file_read(ct_file_join(def->folder, "plan.json").text, &text, &length, error));
  const bool same = length == def->plan->length && memcmp(text, def->plan->text, length) == 0;
  free(text);
  return same ? CT_OK
              : ct_fail(error, CT_BAD_FILE, "%.200s: holds another plan's sounds; wants a folder of its own",
                        def->folder);
}

/* ---- room ---- */

double ct_sweep_bytes(const ct_sweep_plan *plan, uint64_t shards) {
  const double bytes_per_sample = plan->write == CT_SWEEP_FLAC ? 3.1 : 4;
  const double row_bytes = 5.0 * ct_sweep_cell_count(plan) * sizeof(double), header_bytes = 8192;
  double bytes = 0;
  for (uint32_t i = 0; i < plan->part_count; i++) {
    const ct_sweep_part *part = &plan->parts[i];
    const double samples = part->longest_s * part->rate_hz * part->channels;
    const double sound = ct_sweep_writes_sounds(plan) ? samples * bytes_per_sample + header_bytes : 0;
    bytes += (double)part->count * (sound + row_bytes);
  }
  return bytes / (double)shards;
}

/* Of the disk with the folder, or with the nearest one above that is there. */
static bool find_room(const char *folder, double *bytes) {
  struct statvfs found;
  ct_file_path path = ct_file_join("", folder);
  while (statvfs(path.text, &found) != 0) {
    const ct_file_path above = ct_file_folder(path.text);
    if (strcmp(above.text, path.text) == 0)
      return false;
    path = above;
  }
  *bytes = (double)found.f_bavail * (double)found.f_frsize;
  return true;
}

static ct_result check_room(const ct_sweep_def *def, ct_error *error) {
  double room = 0;
  const double wanted = ct_sweep_bytes(def->plan, def->shards);
  if (is_there(def->folder, "rows.bin") || !find_room(def->folder, &room) || wanted < room)
    return CT_OK; /* what was begun had room */
  return ct_fail(error, CT_BAD_FILE,
                 "%.120s: no room for %llu sounds: they may take %.3g GB, the disk has %.3g GB", def->folder,
                 (unsigned long long)(def->plan->count / def->shards), wanted * 1e-9, room * 1e-9);
}

ct_result ct_sweep_folder_check(const ct_sweep_def *def, ct_error *error) {
  struct stat found;
  if (stat(def->folder, &found) == 0) {
    if (!S_ISDIR(found.st_mode))
      return ct_fail(error, CT_BAD_FILE, "%.200s: is a file; wants a folder", def->folder);
    if (is_there(def->folder, "plan.json"))
      CT_TRY(compare_plan(def, error));
    else if (!is_empty(def->folder))
      return ct_fail(error, CT_BAD_FILE, "%.200s: holds other files; wants a new folder, or an empty one",
                     def->folder);
  }
  return check_room(def, error);
}

/* ---- writing ---- */

ct_result ct_sweep_copy(const char *from, const char *to, uint8_t digest[CT_SHA256_BYTES], ct_error *error) {
  char chunk[1 << 14];
  size_t got;
  ct_staged *staged = NULL;
  FILE *in = fopen(from, "rb");
  if (!in)
    return ct_fail(error, CT_BAD_FILE, "%.200s: %s", from, strerror(errno));
  ct_sha256 hash = ct_sha256_start();
  ct_result result = ct_staged_open(to, &staged, error);
  if (result == CT_OK)
    ct_staged_skip_sync(staged); /* ct_sweep_fill sees to it */
  while (result == CT_OK && (got = fread(chunk, 1, sizeof chunk, in)) > 0) {
    ct_sha256_add(&hash, chunk, got);
    fwrite(chunk, 1, got, ct_staged_stream(staged));
  }
  if (result == CT_OK && ferror(in))
    result = ct_fail(error, CT_BAD_FILE, "%.200s: cannot be read", from);
  fclose(in);
  ct_sha256_end(&hash, digest);
  return ct_staged_finish(staged, result, error);
}

static ct_result put_plan(FILE *out, const void *plan, ct_error *error) {
  const ct_sweep_plan *p = plan;
  (void)error;
  fwrite(p->text, 1, p->length, out);
  return CT_OK;
}

ct_result ct_sweep_prepare_file(const char *folder, const char *name, ct_file_path *file, ct_error *error) {
  *file = ct_file_join(folder, name);
  return ct_place_make_folders(ct_file_folder(file->text).text, error);
}

/* The scenes and gestures that the plan names, where it will look for them. */
static ct_result copy_input(const ct_sweep_def *def, const ct_sweep_input *input, ct_error *error) {
  uint8_t digest[CT_SHA256_BYTES];
  char text[CT_SHA256_TEXT];
  ct_file_path to;
  CT_TRY(ct_sweep_prepare_file(def->folder, input->name, &to, error));
  CT_TRY(ct_sweep_copy(input->file, to.text, digest, error));
  ct_sha256_print(digest, text);
  return strcmp(text, input->sha256) == 0
             ? CT_OK
             : ct_fail(error, CT_BAD_FILE, "%.200s: has changed since the plan was read", input->file);
}

/* The plan first: with it, the folder is a sweep's, and a run that is killed here goes on. */
ct_result ct_sweep_folder_make(const ct_sweep_def *def, ct_error *error) {
  const ct_sweep_plan *plan = def->plan;
  CT_TRY(ct_place_make_folders(def->folder, error));
  if (!is_there(def->folder, "plan.json"))
    CT_TRY(ct_staged_write(ct_file_join(def->folder, "plan.json").text, put_plan, plan, error));
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].file && !is_there(def->folder, plan->inputs[i].name))
      CT_TRY(copy_input(def, &plan->inputs[i], error));
  return CT_OK;
}

/* Rows by pwrite, each with a checksum in front. */

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
