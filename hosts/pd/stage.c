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

static ct_result build(ctpd_stage *stage, const ctpd_recipe *r, ct_error *error) {
  ct_build_def def = ct_default_build_def();
  def.rate_hz = r->rate_hz;
  def.seed = r->seed;
  def.ledger = r->ledger;
  def.more_bodies = def.more_contacts = def.more_pickups = r->room;
  def.more_surfaces = def.more_drives = def.more_sources = r->room;
  def.more_pool_bytes = (size_t)r->room * POOL_BYTES_PER_PART;
  ct_result result = ct_doc_build(stage->doc, &def, &stage->scene, keep_note, stage, error);
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
