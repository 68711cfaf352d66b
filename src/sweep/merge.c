/* Shards into one folder: rows and sounds are fetched instead of made, everything else goes as in one run. */
#include "base/text.h"
#include "sweep/folder.h"

#include <stdlib.h>
#include <string.h>

typedef struct merging {
  const ct_sweep_def *def;
  const char *const *folders;
  ct_sweep_rows *shards; /* as many as folders */
  uint32_t count;
} merging;

/* ---- the shards ---- */

static ct_result open_shard(merging *m, uint32_t i, ct_error *error) {
  CT_TRY(ct_sweep_rows_look(ct_file_join(m->folders[i], "rows.bin").text, &m->shards[i], error));
  if (!ct_sweep_folder_complete(m->folders[i]))
    return ct_fail(error, CT_BAD_FILE, "%.200s: is not complete; run its line again", m->folders[i]);
  const ct_sweep_origin *first = &m->shards[0].origin, *o = &m->shards[i].origin;
  if (strcmp(first->plan, o->plan) != 0)
    return ct_fail(error, CT_BAD_FILE, "%.120s: is of another plan than %.120s", m->folders[i],
                   m->folders[0]);
  if (strcmp(first->program, o->program) != 0 || strcmp(first->instructions, o->instructions) != 0)
    return ct_fail(error, CT_BAD_FILE,
                   "%.60s was made by %.60s, %.16s, %.60s by %.60s, %.16s: not the same bytes", m->folders[0],
                   first->program, first->instructions, m->folders[i], o->program, o->instructions);
  return first->shards == o->shards
             ? CT_OK
             : ct_fail(error, CT_BAD_FILE, "%.100s: is shard %llu of %llu, others are of %llu", m->folders[i],
                       (unsigned long long)o->shard, (unsigned long long)o->shards,
                       (unsigned long long)first->shards);
}

/* Every shard once. */
static ct_result check_set(const merging *m, ct_error *error) {
  const uint64_t shards = m->shards[0].origin.shards;
  for (uint64_t shard = 1; shard <= shards; shard++) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->count; i++)
      found += m->shards[i].origin.shard == shard;
    if (found != 1)
      return ct_fail(error, CT_BAD_FILE, "shard %llu of %llu is %s", (unsigned long long)shard,
                     (unsigned long long)shards, found ? "there more than once" : "missing");
  }
  return CT_OK;
}

static ct_result open_shards(merging *m, ct_error *error) {
  for (uint32_t i = 0; i < m->count; i++)
    CT_TRY(open_shard(m, i, error));
  return check_set(m, error);
}

/* ---- rows ---- */

static ct_result fetch_sound(const merging *m, uint32_t shard, const ct_sweep_row *row, ct_error *error) {
  char name[CT_SWEEP_NAME_MAX];
  uint8_t digest[CT_SHA256_BYTES];
  ct_file_path to;
  ct_sweep_sound_name(m->def->plan, row->index, name);
  const ct_file_path from = ct_file_join(m->folders[shard], name);
  CT_TRY(ct_sweep_prepare_file(m->def->folder, name, &to, error));
  CT_TRY(ct_sweep_copy(from.text, to.text, digest, error));
  return memcmp(digest, row->sha256, sizeof digest) == 0
             ? CT_OK
             : ct_fail(error, CT_BAD_FILE, "%.200s: is not as it was made", from.text);
}

static ct_result fetch_job(void *context, uint64_t index, const ct_sweep_rows *rows, ct_error *error) {
  const merging *m = context;
  ct_sweep_row row;
  uint32_t shard = 0;
  while (!ct_sweep_rows_has(&m->shards[shard], index))
    shard++; /* all are there */
  if (m->shards[shard].row_bytes != rows->row_bytes || !ct_sweep_rows_get(&m->shards[shard], index, &row))
    return ct_fail(error, CT_BAD_FILE, "%.150s: sound %llu is missing; run its line again", m->folders[shard],
                   (unsigned long long)index);
  if (row.bytes)
    CT_TRY(fetch_sound(m, shard, &row, error));
  return ct_sweep_rows_put(rows, &row, error);
}

/* ---- the whole ---- */

static ct_result merge_into(merging *m, ct_sweep_def *def, ct_sweep_summary *summary, ct_error *error) {
  ct_sweep_plan *plan = NULL;
  ct_sweep_origin origin = m->shards[0].origin;
  const ct_file_path file = ct_file_join(m->folders[0], "plan.json");
  ct_result result = CT_OK;
  CT_TRY(ct_sweep_plan_read(file.text, &plan, error));
  if (strcmp(plan->sha256, origin.plan) != 0)
    result =
        ct_fail(error, CT_BAD_FILE,
                "%.200s: has changed since the shard was made, or this program has other scenes", file.text);
  origin.shard = origin.shards = 1;
  def->plan = plan;
  if (result == CT_OK)
    result = ct_sweep_fill(def, &origin, fetch_job, m, summary, error);
  ct_sweep_plan_free(plan);
  return result;
}

ct_result ct_sweep_merge(const char *const *shards, uint32_t count, const char *folder,
                         ct_sweep_progress *progress, void *context, ct_sweep_summary *summary,
                         ct_error *error) {
  ct_sweep_def def = {
      .folder = folder, .jobs = 1, .shard = 1, .shards = 1, .progress = progress, .context = context};
  merging m = {.def = &def, .folders = shards, .count = count};
  m.shards = calloc(count, sizeof *m.shards);
  if (!m.shards)
    return ct_fail(error, CT_NO_MEMORY, "no memory to merge");
  for (uint32_t i = 0; i < count; i++)
    m.shards[i].file = -1;
  ct_result result = open_shards(&m, error);
  if (result == CT_OK)
    result = merge_into(&m, &def, summary, error);
  for (uint32_t i = 0; i < count; i++)
    ct_sweep_rows_close(&m.shards[i]);
  free(m.shards);
  return result;
}
