/* Taking in parts. What was declared under the scene's name is added to the scene while it sounds, and
 * removed with its object. Parts may be declared in any order: one that leans on another waits for it, and
 * waits again when that goes. A shape's modes are computed here, on Pd's thread, in the message that made the
 * object: Pd itself sorts its whole graph anew then. */
#include "hosts/pd/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN_MS = 20, TRIES = 50 };

static ctpd_member *find_member(ctpd_scene *x, uint32_t serial) {
  for (int i = 0; i < x->member_count; i++)
    if (x->members[i].serial == serial)
      return &x->members[i];
  return NULL;
}

static ctpd_part *find_part(const ctpd_scene *x, uint32_t serial) {
  for (ctpd_part *p = ctpd_parts_first(); p; p = ctpd_parts_next(p))
    if (ctpd_part_serial(p) == serial && ctpd_part_group(p) == x->name)
      return p;
  return NULL;
}

static void note_part(ctpd_scene *x, const ctpd_part *p) {
  if (x->member_count == x->member_room) {
    int room = x->member_room ? 2 * x->member_room : 16;
    ctpd_member *members = realloc(x->members, (size_t)room * sizeof *members);
    if (!members)
      return;
    x->members = members;
    x->member_room = room;
  }
  x->members[x->member_count++] =
      (ctpd_member){ctpd_part_serial(p), ctpd_part_section(p), ctpd_part_name(p), false, false};
}

void ctpd_scene_forget(ctpd_scene *x) {
  for (int i = 0; i < x->member_count; i++)
    x->members[i].added = false;
}

/* ---- is it there? ---- */

static bool is_there(const ctpd_scene *x, const ctpd_member *m) {
  return !ct_id_is_none(ct_scene_find(x->stage->scene, m->name->s_name));
}

/* ---- going ---- */

static bool remove_gone(ctpd_scene *x) {
  int kept = 0;
  bool removed = false;
  for (int i = 0; i < x->member_count; i++) {
    ctpd_member *m = &x->members[i];
    if (find_part(x, m->serial)) {
      x->members[kept++] = *m;
      continue;
    }
    ct_error error = {CT_OK, ""};
    ct_result result =
        m->added && is_there(x, m) ? ct_scene_remove(x->stage->scene, m->name->s_name, &error) : CT_OK;
    removed = removed || (m->added && result == CT_OK);
    if (result == CT_OK || result == CT_BAD_PATH)
      continue;
    x->members[kept++] = *m; /* a surface under a drive, or a full queue: later */
    x->tries = x->tries ? x->tries : TRIES;
  }
  x->member_count = kept;
  return removed;
}

/* ---- coming ---- */

static ct_result add(ctpd_scene *x, const ctpd_part *p, ct_error *error) {
  ct_doc *doc = ct_doc_create();
  ct_result result = doc ? ctpd_leaves_set(ctpd_part_leaves(p), doc, error) : CT_NO_MEMORY;
  if (result == CT_OK)
    result = ctpd_stage_route(x->stage, &x->recipe, doc, error);
  if (result == CT_OK)
    result = ct_doc_add_to(doc, x->stage->scene, NULL, NULL, error);
  ct_doc_destroy(doc);
  return result;
}

/* Says why it waits, once it has waited as long as others may take to come. */
static void tell(ctpd_scene *x, ctpd_member *m, ctpd_part *p, const ct_error *error) {
  if (m->told || x->tries > 1)
    return;
  m->told = true;
  pd_error(ctpd_part_object(p), "ct.%s %s %s: %s", m->section->word, x->name->s_name, m->name->s_name,
           error->text);
}

/* One round over all that is not there yet; false: the scene has no room. */
static bool add_round(ctpd_scene *x, int *added, int *waiting) {
  *added = *waiting = 0;
  for (int s = 0; s < ctpd_section_count; s++)
    for (int i = 0; i < x->member_count; i++) {
      ctpd_member *m = &x->members[i];
      ctpd_part *p = m->section == &ctpd_sections[s] && !m->added ? find_part(x, m->serial) : NULL;
      ct_error error = {CT_OK, ""};
      if (!p)
        continue;
      ct_result result = add(x, p, &error);
      if (result == CT_FULL)
        return false;
      m->added = result == CT_OK;
      *(m->added ? added : waiting) += 1;
      if (!m->added)
        tell(x, m, p, &error);
    }
  return true;
}

static int add_all(ctpd_scene *x, bool *full) {
  int added = 1, waiting = 0;
  *full = false;
  while (added && !*full) {
    *full = !add_round(x, &added, &waiting);
    ct_scene_process(x->stage->scene, &(ct_io){.frames = 0}); /* what was added takes its place */
  }
  return waiting;
}

/* ---- all of it ---- */

static void note_new(ctpd_scene *x) {
  for (ctpd_part *p = ctpd_parts_first(); p; p = ctpd_parts_next(p))
    if (ctpd_part_group(p) == x->name && !find_member(x, ctpd_part_serial(p)))
      note_part(x, p);
}

/* A fuller scene: built anew with twice the room, on this thread when it has not begun. */
static void grow(ctpd_scene *x) {
  x->recipe.room *= 2;
  post("ct.scene~ %s: more parts than it had room for; built anew with room for %u", x->name->s_name,
       x->recipe.room);
  ctpd_scene_rebuild(x, ct_scene_sample(x->stage->scene) == 0);
}

void ctpd_scene_gather(ctpd_scene *x) {
  bool full = false;
  if (!x->stage || x->job)
    return;
  if (x->dirty)
    x->tries = TRIES;
  x->dirty = false;
  note_new(x);
  if (remove_gone(x)) {
    ct_scene_process(x->stage->scene, &(ct_io){.frames = 0});
    for (int i = 0; i < x->member_count; i++) /* what leaned on it went with it */
      x->members[i].added = x->members[i].added && is_there(x, &x->members[i]);
  }
  int waiting = add_all(x, &full);
  if (full && x->recipe.room < 1024) {
    grow(x);
    return;
  }
  ctpd_scene_resolve(x, NULL);
  if (waiting && --x->tries > 0)
    clock_delay(x->clock, AGAIN_MS);
}

void ctpd_scene_check_empty(ctpd_scene *x) {
  if (!x->stage || x->member_count || x->told_empty)
    return;
  x->told_empty = true;
  pd_error(x, "ct.scene~ %s: no built-in scene, no file, and no parts declared under that name",
           x->name->s_name);
}
