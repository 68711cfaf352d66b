/* Filling a sweep's folder: every row that is not there is made by one of the jobs. */
#define _GNU_SOURCE /* syncfs */
#include "base/text.h"
#include "file/crew.h"
#include "file/wav.h"
#include "measure/report.h"
#include "sweep/folder.h"
#include "sweep/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- all rows ---- */

typedef struct filling {
  const ct_sweep_def *def;
  ct_sweep_rows rows;
  ct_sweep_job *job;
  void *context;
  pthread_mutex_t lock; /* holds what follows */
  uint64_t done, before, count;
} filling;

/* Sounds are not brought to the disk one by one: after a power cut a row may know of a file that is not
 * whole. */
static bool is_whole(const filling *f, uint64_t index) {
  char name[CT_SWEEP_NAME_MAX];
  uint8_t digest[CT_SHA256_BYTES];
  ct_sweep_row row;
  if (!ct_sweep_rows_get(&f->rows, index, &row))
    return false;
  ct_sweep_sound_name(f->def->plan, index, name);
  return !row.bytes ||
         (ct_sha256_file(ct_file_join(f->def->folder, name).text, digest, NULL, NULL) == CT_OK &&
          memcmp(digest, row.sha256, sizeof digest) == 0);
}

static ct_result fill_row(void *context, uint32_t place, ct_error *error) {
  filling *f = context;
  const uint64_t index = ct_sweep_rows_index(&f->rows, place);
  const bool whole = is_whole(f, index);
  if (!whole)
    CT_TRY(f->job(f->context, index, &f->rows, error));
  pthread_mutex_lock(&f->lock);
  f->done++;
  f->before += whole;
  if (f->def->progress)
    f->def->progress(f->def->context, f->done, f->before, f->count);
  pthread_mutex_unlock(&f->lock);
  return CT_OK;
}

/* Everything to the disk, before anything says that it is there. */
static ct_result sync_all(const filling *f, ct_error *error) {
  const int folder = open(f->def->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool failed = folder >= 0 && syncfs(folder) != 0;
  const int why = errno;
  if (folder >= 0)
    close(folder);
  return failed ? ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: %s", f->def->folder, strerror(why))
                : ct_sweep_rows_sync(&f->rows, error);
}

static ct_result fill_rows(filling *f, ct_sweep_summary *summary, ct_error *error) {
  ct_sweep_row row;
  f->count = ct_sweep_rows_count(&f->rows);
  pthread_mutex_init(&f->lock, NULL);
  ct_result result = ct_crew_run(f->def->jobs, (uint32_t)f->count, fill_row, f, error);
  pthread_mutex_destroy(&f->lock);
  summary->made = f->done - f->before;
  summary->count = f->count;
  if (result == CT_OK)
    result = sync_all(f, error);
  for (uint64_t place = 0; place < f->count; place++)
    summary->failed += ct_sweep_rows_get(&f->rows, ct_sweep_rows_index(&f->rows, place), &row) && *row.failed;
  return result;
}

ct_result ct_sweep_fill(const ct_sweep_def *def, const ct_sweep_origin *origin, ct_sweep_job *job,
                        void *context, ct_sweep_summary *summary, ct_error *error) {
  filling f = {.def = def, .rows = {.file = -1}, .job = job, .context = context};
  const ct_file_path file = ct_file_join(def->folder, "rows.bin");
  ct_result result;
  CT_TRY(ct_sweep_folder_check(def, error));
  if (ct_sweep_folder_complete(def->folder))
    result = ct_sweep_about_compare(def->folder, origin, summary, error);
  else {
    CT_TRY(ct_sweep_folder_make(def, error));
    CT_TRY(ct_sweep_rows_open(file.text, origin, ct_sweep_cell_count(def->plan), &f.rows, error));
    result = fill_rows(&f, summary, error);
    if (result == CT_OK)
      result = ct_sweep_finish(def, &f.rows, summary, error);
  }
  if (result == CT_OK && def->shards == 1)
    unlink(file.text); /* its rows are in the table; a shard keeps them, to be merged */
  ct_sweep_rows_close(&f.rows);
  return result;
}

/* ---- making sounds ---- */

/* Makers, one for each thread that is at work. */
typedef struct making {
  const ct_sweep_def *def;
  ct_crew_shelf makers;
  double *cells; /* of all sounds, where there is no folder */
} making;

static ct_sweep_maker *take_maker(making *m) {
  ct_sweep_maker *maker = ct_crew_take(&m->makers);
  return maker ? maker : ct_sweep_maker_create(m->def->plan);
}

static ct_result write_sound(const ct_sweep_def *def, const ct_sweep_made *made, ct_sweep_row *row,
                             ct_error *error) {
  char name[CT_SWEEP_NAME_MAX];
  ct_file_path file;
  ct_sweep_sound_name(def->plan, row->index, name);
  if (!*name)
    return CT_OK;
  CT_TRY(ct_sweep_prepare_file(def->folder, name, &file, error));
  ct_wav *wav = NULL;
  CT_TRY(ct_wav_open(file.text, made->rate_hz, made->channels, false, made->frames, &wav, error));
  ct_staged_skip_sync(ct_wav_staged(wav)); /* ct_sweep_fill sees to it */
  CT_TRY(ct_wav_finish(wav, ct_wav_write_woven(wav, made->samples, made->frames, error), error));
  return ct_sha256_file(file.text, row->sha256, &row->bytes, error);
}

/* As `contatto measure` does on the file. */
static bool measure_sound(const ct_sweep_plan *plan, const ct_sweep_made *made, double *cells) {
  const size_t channels = made->channels;
  ct_report *report = calloc(1, sizeof *report);
  double *mono = calloc(made->frames, sizeof *mono);
  ct_memory_windows all = ct_memory_windows_of(made->samples, made->frames, channels, made->rate_hz);
  ct_memory_windows mean = ct_memory_windows_of(mono, made->frames, 1, made->rate_hz);
  bool good = report && mono;
  for (size_t n = 0; good && n < made->frames; n++) {
    double sum = 0;
    for (size_t c = 0; c < channels; c++)
      sum += made->samples[n * channels + c];
    mono[n] = sum / (double)channels;
  }
  if (good) {
    ct_report_begin(report, &all.windows);
    good = ct_report_finish(report, &(ct_report_def){.left_out = plan->left_out}, &mean.windows);
  }
  for (uint32_t i = 0; good && i < ct_report_column_count(); i++)
    cells[i] = ct_report_cell(report, i);
  free(mono);
  free(report);
  return good;
}

static ct_result make_and_measure(const ct_sweep_plan *plan, ct_sweep_maker *maker, uint64_t index,
                                  ct_sweep_made *made, double *cells, ct_error *error) {
  const bool sound = plan->write != CT_SWEEP_WATCHED;
  ct_sweep_point point;
  ct_sweep_point_at(plan, index, &point);
  CT_TRY(ct_sweep_make(maker, &point, made, error));
  for (uint32_t i = 0; i < ct_sweep_cell_count(plan); i++)
    cells[i] = i ? CT_NAN : made->warnings;
  if (*made->failed)
    return CT_OK;
  return (!sound || measure_sound(plan, made, cells + 1)) &&
                 ct_sweep_watches_measure(plan, &point, made,
                                          cells + 1 + (sound ? ct_report_column_count() : 0))
             ? CT_OK
             : ct_fail(error, CT_NO_MEMORY, "no memory to measure");
}

static ct_result make_row(const ct_sweep_def *def, ct_sweep_maker *maker, uint64_t index,
                          const ct_sweep_rows *rows, ct_error *error) {
  ct_sweep_made made;
  ct_sweep_row row = {.index = index};
  CT_TRY(make_and_measure(def->plan, maker, index, &made, row.cells, error));
  if (!*made.failed)
    CT_TRY(write_sound(def, &made, &row, error));
  ct_format(row.failed, sizeof row.failed, "%s", made.failed);
  return ct_sweep_rows_put(rows, &row, error);
}

static ct_result make_job(void *context, uint64_t index, const ct_sweep_rows *rows, ct_error *error) {
  making *m = context;
  ct_sweep_maker *maker = take_maker(m);
  if (!maker)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the sweep");
  const ct_result result = make_row(m->def, maker, index, rows, error);
  ct_crew_give(&m->makers, maker);
  return result;
}

static void end_makers(making *m, ct_sweep_summary *summary) {
  for (ct_sweep_maker *maker; (maker = ct_crew_take(&m->makers));) {
    uint64_t built, reused;
    ct_sweep_maker_counts(maker, &built, &reused);
    summary->built += built;
    summary->reused += reused;
    ct_sweep_maker_destroy(maker);
  }
  pthread_mutex_destroy(&m->makers.lock);
}

ct_result ct_sweep_run(const ct_sweep_def *def, ct_sweep_summary *summary, ct_error *error) {
  making m = {.def = def};
  ct_sweep_origin origin;
  memset(&origin, 0, sizeof origin); /* it is hashed as it lies */
  ct_format(origin.plan, sizeof origin.plan, "%s", def->plan->sha256);
  ct_format(origin.program, sizeof origin.program, "%s", def->program);
  ct_format(origin.instructions, sizeof origin.instructions, "%s", def->instructions);
  origin.shard = def->shard;
  origin.shards = def->shards;
  origin.count = def->plan->count;
  pthread_mutex_init(&m.makers.lock, NULL);
  ct_result result = ct_sweep_fill(def, &origin, make_job, &m, summary, error);
  end_makers(&m, summary);
  return result;
}

/* ---- measures alone ---- */

static ct_result measure_job(void *context, uint32_t index, ct_error *error) {
  making *m = context;
  const ct_sweep_plan *plan = m->def->plan;
  ct_sweep_maker *maker = take_maker(m);
  ct_sweep_made made;
  if (!maker)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the sweep");
  ct_result result = make_and_measure(plan, maker, index, &made,
                                      m->cells + (size_t)index * ct_sweep_cell_count(plan), error);
  if (result == CT_OK && *made.failed)
    result = ct_fail(error, CT_BAD_SCENE, "sound %u: %.280s", index, made.failed);
  ct_crew_give(&m->makers, maker);
  return result;
}

ct_result ct_sweep_measure(const ct_sweep_plan *plan, double *cells, ct_error *error) {
  making m = {.def = &(ct_sweep_def){.plan = plan}};
  m.cells = cells;
  ct_sweep_summary summary = {0};
  pthread_mutex_init(&m.makers.lock, NULL);
  ct_result result = ct_crew_run(0, (uint32_t)plan->count, measure_job, &m, error);
  end_makers(&m, &summary);
  return result;
}
