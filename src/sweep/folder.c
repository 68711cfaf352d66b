/* The folder of a sweep. */
#include "sweep/folder.h"
#include "base/text.h"
#include "file/text_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
  if (result == CT_OK)
    result = ct_staged_close(staged, error);
  if (result == CT_OK)
    result = ct_staged_keep(staged, error);
  ct_staged_drop(staged);
  ct_sha256_end(&hash, digest);
  return result;
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
