/* A stage: document, scene, gesture. Building may take long and allocates, so it runs wherever the worker
 * wants; everything else is called on Pd's thread. */
#include "hosts/pd/contatto_pd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  POOL_BYTES_PER_PART = 1 << 17
}; /* a body of some sixty modes with shapes; fuller scenes are built anew */

static ct_result edit(const ctpd_recipe *r, ct_doc *doc, ct_error *error) {
  ct_result result = *r->preset ? ct_doc_apply_preset(doc, r->preset, error) : CT_OK;
  ctpd_leaves edits = {(ctpd_leaf *)r->edits, r->edit_count, CTPD_EDITS};
  if (result == CT_OK)
    result = ctpd_leaves_set(&edits, doc, error);
  return result == CT_OK && r->edit_count && *r->scene ? ct_doc_read_scans(doc, r->scene, error) : result;
}

static ct_result load(const ctpd_recipe *r, ct_doc **doc, ct_error *error) {
  if (*r->scene) {
    ct_result result = ct_doc_load(r->scene, doc, error);
    return result == CT_OK ? edit(r, *doc, error) : result;
  }
  *doc = ct_doc_create();
  return *doc ? edit(r, *doc, error) : CT_NO_MEMORY;
}

static void keep_note(void *context, const char *line) {
  ctpd_stage *stage = context;
  size_t used = strlen(stage->notes);
  snprintf(stage->notes + used, sizeof stage->notes - used, "%s%s", used ? "\n" : "", line);
}

/* ---- pickups with outlets of their own ---- */

/* "pickups.NAME.at" and the like: the name's length; 0: another leaf. */
static size_t pickup_name(const ct_leaf *leaf, const char **name) {
  static const char section[] = "pickups.";
  if (strncmp(leaf->path, section, sizeof section - 1) != 0)
    return 0;
  *name = leaf->path + sizeof section - 1;
  return strcspn(*name, ".");
}

static bool is_name(const char *name, size_t length, const char *other) {
  return strlen(other) == length && memcmp(name, other, length) == 0;
}

static bool has_pickup(const ct_doc *doc, const char *wanted) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    const char *name = NULL;
    ct_leaf leaf = ct_doc_leaf(doc, i);
    size_t length = pickup_name(&leaf, &name);
    if (length && is_name(name, length, wanted))
      return true;
  }
  return false;
}

static int channels_of(const ct_doc *doc) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++)
    if (strcmp(ct_doc_leaf(doc, i).path, "channels") == 0)
      return (int)ct_doc_leaf(doc, i).number;
  return 1;
}

static int channel_for(const ctpd_stage *stage, const ctpd_recipe *r, const char *name, size_t length) {
  for (int i = 0; i < r->bus_count; i++)
    if (stage->bus_at[i] && is_name(name, length, r->buses[i]))
      return stage->bus_at[i] + 1;
  return stage->main_channels == 1 ? 1 : 0; /* 0: panned over the first two, which must be the main ones */
}

ct_result ctpd_stage_route(const ctpd_stage *stage, const ctpd_recipe *r, ct_doc *doc, ct_error *error) {
  ct_result result = CT_OK;
  uint32_t leaves = ct_doc_leaf_count(doc);
  for (uint32_t i = 0; i < leaves && r->bus_count && result == CT_OK; i++) {
    const char *name = NULL;
    char path[CTPD_PATH];
    ct_leaf leaf = ct_doc_leaf(doc, i);
    size_t length = pickup_name(&leaf, &name);
    int channel = length ? channel_for(stage, r, name, length) : 0;
    if (!channel)
      continue;
    snprintf(path, sizeof path, "pickups.%.*s.output", (int)length, name);
    result = ct_doc_set_number(doc, path, channel, error);
  }
  return result;
}

/* A scene of parts that come by themselves has no controls: there a name without dots can only be a pickup.
 */
static ct_result make_buses(ctpd_stage *stage, const ctpd_recipe *r, ct_error *error) {
  int channels = stage->main_channels = channels_of(stage->doc);
  for (int i = 0; i < r->bus_count; i++)
    if (channels < CTPD_CHANNELS && (!*r->scene || has_pickup(stage->doc, r->buses[i])))
      stage->bus_at[i] = channels++;
  if (channels == stage->main_channels)
    return CT_OK;
  ct_result result = ct_doc_set_number(stage->doc, "channels", channels, error);
  return result == CT_OK ? ctpd_stage_route(stage, r, stage->doc, error) : result;
}

static ct_result build(ctpd_stage *stage, const ctpd_recipe *r, ct_error *error) {
  ct_build_def def = ct_default_build_def();
  def.rate_hz = r->rate_hz;
  def.seed = r->seed;
  def.ledger = r->ledger;
  def.more_bodies = def.more_contacts = def.more_pickups = r->room;
  def.more_surfaces = def.more_drives = def.more_sources = r->room;
  def.more_pool_bytes = (size_t)r->room * POOL_BYTES_PER_PART;
  ct_result result = make_buses(stage, r, error);
  if (result == CT_OK)
    result = ct_doc_build(stage->doc, &def, &stage->scene, keep_note, stage, error);
  if (result == CT_OK)
    result = ct_doc_gesture(stage->doc, &stage->gesture, error);
  if (result == CT_OK && stage->gesture.rows)
    result = ct_player_create(&stage->gesture, stage->scene, &stage->player, error);
  return result;
}

ctpd_stage *ctpd_stage_build(const ctpd_recipe *recipe, ct_error *error) {
  ctpd_stage *stage = calloc(1, sizeof *stage);
  *error = (ct_error){CT_NO_MEMORY, "out of memory"};
  if (stage && load(recipe, &stage->doc, error) == CT_OK && build(stage, recipe, error) == CT_OK)
    return stage;
  ctpd_stage_free(stage);
  return NULL;
}

void ctpd_stage_free(ctpd_stage *stage) {
  if (!stage)
    return;
  ct_player_destroy(stage->player);
  ct_scene_destroy(stage->scene);
  ct_doc_destroy(stage->doc);
  free(stage);
}

/* From its beginning, with its time 0 at that sample. */
void ctpd_stage_play(ctpd_stage *stage, uint64_t at_sample) {
  if (!stage->player)
    return;
  double last_s = stage->gesture.time_s[stage->gesture.rows - 1];
  ct_player_start(stage->player, at_sample);
  stage->play_until = at_sample + (uint64_t)(last_s * ct_scene_rate_hz(stage->scene)) + 1;
  stage->playing = true;
}
