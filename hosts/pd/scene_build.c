/* Getting stages: built on the worker's thread, or at once where nobody waits for the next block, and then
 * taken over with a fade. What was set by path is set again, so that inlets and sliders keep their meaning.
 */
#include "hosts/pd/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FADE_MS = 30, POLL_MS = 5 };

/* Pd holds its lock while it keeps time; a batch run, and reading the first patch, do not. */
static bool nobody_waits(void) {
#if PDTHREADS
  return !pd_this->pd_islocked;
#else
  return false;
#endif
}

/* ---- values kept for the next build ---- */

static ctpd_value *find_value(ctpd_scene *x, t_symbol *path) {
  for (int i = 0; i < x->value_count; i++)
    if (x->values[i].path == path && !x->values[i].trigger)
      return &x->values[i];
  if (x->value_count == x->value_room) {
    int room = x->value_room ? 2 * x->value_room : 16;
    ctpd_value *values = room <= CTPD_PARAMETERS ? realloc(x->values, (size_t)room * sizeof *values) : NULL;
    if (!values)
      return NULL;
    x->values = values;
    x->value_room = room;
  }
  return &x->values[x->value_count++];
}

/* Triggers have happened once the scene has begun; before, they are still to come. */
void ctpd_scene_keep(ctpd_scene *x, t_symbol *path, double value, double ramp_s, bool trigger) {
  if (trigger && !x->job && x->stage && ct_scene_sample(x->stage->scene) > 0)
    return;
  ctpd_value *v = find_value(x, trigger ? NULL : path);
  if (v)
    *v = (ctpd_value){path, value, ramp_s, trigger};
}

static void set_values(ctpd_scene *x, bool triggers) {
  for (int i = 0; i < x->value_count; i++) {
    const ctpd_value *v = &x->values[i];
    ct_handle handle;
    if ((!v->trigger || triggers) &&
        ct_scene_resolve(x->stage->scene, v->path->s_name, &handle, NULL) == CT_OK)
      (void)ct_scene_set(x->stage->scene, handle, v->value, v->ramp_s, 0, NULL);
  }
  int kept = 0;
  for (int i = 0; i < x->value_count; i++)
    if (!x->values[i].trigger)
      x->values[kept++] = x->values[i];
  x->value_count = kept;
}

/* ---- taking over ---- */

/* The stage has a channel for it. */
static bool is_bus(const ctpd_scene *x, const ctpd_port *port) {
  return port->bus >= 0 && x->stage->bus_at[port->bus] > 0;
}

static void resolve_ports(ctpd_scene *x, ctpd_port *ports, int count, const char *what) {
  for (int i = 0; i < count; i++) {
    ct_error error = {CT_OK, ""};
    ctpd_port *port = &ports[i];
    port->known = x->stage && !is_bus(x, port) &&
                  ct_scene_resolve(x->stage->scene, port->path->s_name, &port->handle, &error) == CT_OK;
    if (!port->known && x->stage && what && !is_bus(x, port))
      pd_error(x, "ct.scene~ %s: %s: %s", what, port->path->s_name, error.text);
  }
}

void ctpd_scene_resolve(ctpd_scene *x, const char *what) {
  resolve_ports(x, x->inputs, x->input_count, what);
  resolve_ports(x, x->taps, x->tap_count, what);
}

/* What could not be built is not asked for again: the scene that sounds is the one that is meant. */
static void refuse(ctpd_scene *x, const ct_error *error) {
  pd_error(x, "ct.scene~ %s: %s", x->name->s_name, error->text);
  if (!x->stage)
    return;
  double rate_hz = x->recipe.rate_hz;
  x->recipe = x->good;
  x->recipe.rate_hz = rate_hz;
  x->name = x->good_name;
  x->composed = x->good_composed;
}

/* Null: the old one stays. A scene that has not begun needs no fade, nor does one that Pd does not ask. */
static void take_over(ctpd_scene *x, ctpd_stage *stage, bool triggers) {
  bool fade = x->stage && ctpd_scene_sounds(x) && ct_scene_sample(x->stage->scene) > 0;
  if (stage->notes[0])
    post("ct.scene~ %s: %s", x->name->s_name, stage->notes);
  if (fade) {
    x->old = x->stage;
    x->faded = false;
    x->fade_frames = x->fade_left = (uint32_t)(x->recipe.rate_hz * FADE_MS / 1000) + 1;
  } else
    ctpd_stage_discard(x->stage);
  x->stage = stage;
  x->good = x->recipe;
  x->good_name = x->name;
  x->good_composed = x->composed;
  ctpd_scene_forget(x);
  if (x->composed)
    ctpd_scene_gather(x);
  set_values(x, triggers);
  ctpd_scene_resolve(x, x->composed ? NULL : x->name->s_name);
}

static void offer(ctpd_scene *x, ctpd_stage *stage) {
  if (x->old && !x->faded && ctpd_scene_sounds(x)) { /* one fade at a time */
    ctpd_stage_discard(x->next);
    x->next = stage;
    return;
  }
  ctpd_stage_discard(x->old);
  x->old = NULL;
  take_over(x, stage, true);
}

/* At the same logical time as the message where nobody waits; else when it is ready. */
void ctpd_scene_rebuild(ctpd_scene *x, bool wait) {
  ct_error error = {CT_OK, ""};
  if (x->job)
    ctpd_job_drop(x->job);
  x->job = NULL;
  if (!wait && !nobody_waits() && ctpd_scene_sounds(x) && (x->job = ctpd_job_start(&x->recipe))) {
    clock_delay(x->clock, POLL_MS);
    return;
  }
  bool again = wait && x->stage && x->stage->playing && ct_scene_sample(x->stage->scene) == 0;
  bool begun = x->stage && ct_scene_sample(x->stage->scene) > 0;
  ctpd_stage *stage = ctpd_stage_build(&x->recipe, &error);
  if (!stage) {
    refuse(x, &error);
    return;
  }
  if (!wait) {
    offer(x, stage);
    return;
  }
  take_over(x, stage, !begun); /* the rate is another one: what was played so far cannot go on */
  ctpd_stage_discard(x->old);
  x->old = NULL;
  if (again)
    ctpd_stage_play(x->stage, 0);
}

static void poll_job(ctpd_scene *x) {
  ctpd_stage *stage = NULL;
  ct_error error = {CT_OK, ""};
  if (!ctpd_job_take(x->job, &stage, &error)) {
    clock_delay(x->clock, POLL_MS);
    return;
  }
  x->job = NULL;
  if (!stage)
    refuse(x, &error);
  else
    offer(x, stage);
}

void ctpd_scene_poll(ctpd_scene *x) {
  if (x->old && (x->faded || !ctpd_scene_sounds(x))) {
    ctpd_stage_discard(x->old);
    x->old = NULL;
    ctpd_stage *next = x->next;
    x->next = NULL;
    if (next)
      take_over(x, next, true);
  }
  if (x->job)
    poll_job(x);
  if (x->composed) {
    ctpd_scene_gather(x);
    ctpd_scene_check_empty(x);
  }
}

/* ---- names ---- */

static bool is_file(const char *name) { return access(name, R_OK) == 0; }

bool ctpd_scene_find(ctpd_scene *x, t_symbol *name) {
  char folder[MAXPDSTRING], *file;
  char *path = x->recipe.scene;
  if (ct_builtin_text(name->s_name, NULL)) {
    snprintf(path, MAXPDSTRING, "%s", name->s_name);
    return true;
  }
  int fd = canvas_open(x->canvas, name->s_name, "", folder, &file, MAXPDSTRING, 1);
  if (fd < 0)
    fd = canvas_open(x->canvas, name->s_name, ".json", folder, &file, MAXPDSTRING, 1);
  if (fd < 0)
    return false;
  sys_close(fd);
  int length = sys_isabsolutepath(folder) ? snprintf(path, MAXPDSTRING, "%s/%s", folder, file)
                                          : snprintf(path, MAXPDSTRING, "./%s/%s", folder, file);
  return length < MAXPDSTRING && is_file(path);
}

/* Inlets keep their names, and what comes after this message belongs to the new scene. */
void ctpd_scene_load(ctpd_scene *x, t_symbol *name) {
  if (!ctpd_scene_find(x, name)) {
    pd_error(x, "ct.scene~ %s: load %s: there is no built-in scene and no file of that name", x->name->s_name,
             name->s_name);
    return;
  }
  x->name = name;
  x->composed = false;
  x->recipe.preset[0] = 0;
  x->recipe.edit_count = 0;
  x->recipe.room = 0;
  x->value_count = 0;
  ctpd_scene_rebuild(x, false);
}
