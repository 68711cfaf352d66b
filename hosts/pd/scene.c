/* [ct.scene~ SCENE control... -out path... -preset NAME -set PATH VALUE -seed N -ledger]: creation and
 * messages. */
#include "hosts/pd/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 16 }; /* for parts that come by themselves, at first */

static t_class *scene_class;
static ctpd_scene *first_scene;

void ctpd_scenes_wake(t_symbol *group) {
  for (ctpd_scene *x = first_scene; x; x = x->next_scene)
    if (x->composed && x->name == group) {
      x->dirty = true;
      clock_delay(x->clock, 0);
    }
}

void ctpd_scenes_send(t_symbol *group, t_symbol *selector, int argc, t_atom *argv) {
  for (ctpd_scene *x = first_scene; x; x = x->next_scene)
    if (x->composed && x->name == group)
      pd_typedmess(&x->object.ob_pd, selector, argc, argv);
}

/* ---- values by path ---- */

static bool has_scene(ctpd_scene *x) {
  if (x->dirty && x->composed)
    ctpd_scene_gather(x);
  if (!x->stage)
    pd_error(x, "ct.scene~ %s: has no scene", x->name->s_name);
  return x->stage != NULL;
}

static bool is_trigger(const ctpd_scene *x, ct_handle handle, const char *path) {
  if (ct_schema_row_at(handle.row)->rate == CT_RATE_TRIGGER)
    return true;
  for (uint32_t i = 0; i < ct_doc_control_count(x->stage->doc); i++) {
    ct_control_info control = ct_doc_control(x->stage->doc, i);
    if (control.trigger && strcmp(control.name, path) == 0)
      return true;
  }
  return false;
}

/* What fills the queue and is due is taken first. */
static ct_result set_all(ctpd_scene *x, const ct_change *changes, uint32_t count, ct_error *error) {
  uint64_t at = ctpd_scene_now(x);
  ct_result result = ct_scene_set_many(x->stage->scene, changes, count, at, error);
  if (result == CT_FULL) {
    ct_scene_process(x->stage->scene, &(ct_io){.frames = 0});
    result = ct_scene_set_many(x->stage->scene, changes, count, at, error);
  }
  return result;
}

static void complain(ctpd_scene *x, const ct_error *error) {
  pd_error(x, "ct.scene~ %s: %s", x->name->s_name, error->text);
}

/* While another scene is being built, what the old one does not know may be meant for the new one. */
static void set_one(ctpd_scene *x, t_symbol *path, double value, double ramp_s) {
  ct_error error = {CT_OK, ""};
  ct_change change = {.value = value, .ramp_s = ramp_s};
  ct_result result = ct_scene_resolve(x->stage->scene, path->s_name, &change.handle, &error);
  bool trigger = result == CT_OK && is_trigger(x, change.handle, path->s_name);
  if (result == CT_OK)
    result = set_all(x, &change, 1, &error);
  if (result == CT_OK || x->job)
    ctpd_scene_keep(x, path, value, ramp_s, trigger);
  if (result != CT_OK && !x->job)
    complain(x, &error);
}

/* PATH VALUE [RAMP_MS] */
static void set_path(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  if (!has_scene(x))
    return;
  if (argc < 1 || argc > 2 || argv[0].a_type != A_FLOAT || (argc == 2 && argv[1].a_type != A_FLOAT)) {
    pd_error(x, "ct.scene~ %s: %s: wants a number, and perhaps a time in ms to arrive", x->name->s_name,
             s->s_name);
    return;
  }
  double ramp_s = argc == 2 ? fmax(0, ctpd_number(argv[1].a_w.w_float) / 1000) : -1;
  set_one(x, s, ctpd_number(argv[0].a_w.w_float), ramp_s);
}

/* set PATH VALUE PATH VALUE ...: together, or, when one is refused, none. */
static void set_together(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  ct_change changes[CTPD_SIGNALS];
  ct_error error = {CT_OK, ""};
  uint32_t count = 0;
  (void)s;
  if (!has_scene(x))
    return;
  ct_result result = CT_OK;
  for (int i = 0; i + 1 < argc && count < CTPD_SIGNALS && result == CT_OK; i += 2) {
    if (argv[i].a_type != A_SYMBOL || argv[i + 1].a_type != A_FLOAT)
      break;
    ct_change *change = &changes[count++];
    *change = (ct_change){.value = ctpd_number(argv[i + 1].a_w.w_float), .ramp_s = -1};
    result = ct_scene_resolve(x->stage->scene, argv[i].a_w.w_symbol->s_name, &change->handle, &error);
  }
  if (result == CT_OK && (int)(2 * count) != argc) {
    snprintf(error.text, sizeof error.text, "set: wants paths and numbers in turn, at most %d of each",
             CTPD_SIGNALS);
    result = CT_BAD_ARGUMENT;
  }
  if (result == CT_OK && count)
    result = set_all(x, changes, count, &error);
  for (uint32_t i = 0; i < count && result == CT_OK; i++) {
    t_symbol *path = argv[2 * i].a_w.w_symbol;
    ctpd_scene_keep(x, path, changes[i].value, -1, is_trigger(x, changes[i].handle, path->s_name));
  }
  if (result != CT_OK)
    complain(x, &error);
}

/* ---- building again ---- */

static void preset(ctpd_scene *x, t_symbol *name) {
  snprintf(x->recipe.preset, sizeof x->recipe.preset, "%s", name->s_name);
  x->value_count = 0;
  ctpd_scene_rebuild(x, false);
}

static void reset(ctpd_scene *x) {
  x->value_count = 0;
  ctpd_scene_rebuild(x, false);
}

/* A leaf for the recipe; one of the same path is replaced. */
static bool add_edit(ctpd_scene *x, const t_atom *path, const t_atom *value) {
  ct_error error = {CT_OK, ""};
  ctpd_leaves one = {NULL, 0, 0};
  int at = 0;
  if (path->a_type != A_SYMBOL || ctpd_leaves_add(&one, path->a_w.w_symbol->s_name, value, &error) != CT_OK)
    return false;
  while (at < x->recipe.edit_count && strcmp(x->recipe.edits[at].path, one.items[0].path) != 0)
    at++;
  bool fits = at < CTPD_EDITS;
  if (fits)
    x->recipe.edits[at] = one.items[0];
  if (fits && at == x->recipe.edit_count)
    x->recipe.edit_count++;
  ctpd_leaves_free(&one);
  return fits;
}

/* build PATH VALUE ...: what is fixed while sounding. What is refused is not asked for again. */
static void build_with(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  int before = x->recipe.edit_count;
  (void)s;
  for (int i = 0; i + 1 < argc; i += 2)
    if (!add_edit(x, &argv[i], &argv[i + 1])) {
      pd_error(x, "ct.scene~ %s: build: wants paths and values in turn, at most %d", x->name->s_name,
               CTPD_EDITS);
      x->recipe.edit_count = before;
      return;
    }
  ctpd_scene_rebuild(x, false);
}

static void scene_demo(ctpd_scene *x) {
  if (!has_scene(x))
    return;
  if (!x->stage->player)
    pd_error(x, "ct.scene~ %s: has no gesture to show", x->name->s_name);
  ctpd_stage_play(x->stage, ctpd_scene_now(x));
}

static void stop(ctpd_scene *x) {
  if (has_scene(x))
    x->stage->playing = false;
}

/* ---- what a message means ---- */

/* A verb alone, with a name behind it, or with whatever it reads itself. */
static const struct {
  const char *word;
  void (*alone)(ctpd_scene *);
  void (*named)(ctpd_scene *, t_symbol *);
  void (*any)(ctpd_scene *, t_symbol *, int, t_atom *);
} verbs[] = {{"demo", scene_demo, NULL, NULL},
             {"stop", stop, NULL, NULL},
             {"reset", reset, NULL, NULL},
             {"level", ctpd_scene_level, NULL, NULL},
             {"ledger", ctpd_scene_ledger, NULL, NULL},
             {"panel", ctpd_scene_panel, NULL, NULL},
             {"load", NULL, ctpd_scene_load, NULL},
             {"preset", NULL, preset, NULL},
             {"get", NULL, ctpd_scene_get, NULL},
             {"set", NULL, NULL, set_together},
             {"build", NULL, NULL, build_with},
             {"describe", NULL, NULL, ctpd_scene_describe},
             {"shape", NULL, NULL, ctpd_scene_shape},
             {"deflection", NULL, NULL, ctpd_scene_deflection}};

/* A scene's controls may have any name: with a number behind it, a verb is a control. */
static void scene_anything(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  size_t i = 0, count = sizeof verbs / sizeof verbs[0];
  while (i < count && strcmp(verbs[i].word, s->s_name) != 0)
    i++;
  if (i == count || (argc && argv[0].a_type == A_FLOAT))
    set_path(x, s, argc, argv);
  else if (verbs[i].alone)
    verbs[i].alone(x);
  else if (verbs[i].any)
    verbs[i].any(x, s, argc, argv);
  else if (argc == 1 && argv[0].a_type == A_SYMBOL)
    verbs[i].named(x, argv[0].a_w.w_symbol);
  else
    pd_error(x, "ct.scene~ %s: %s: wants a name behind it", x->name->s_name, s->s_name);
}

/* ---- creation ---- */

/* "-out" and its like end a list of words. */
static bool is_flag(const t_atom *a) {
  return a->a_type == A_SYMBOL && a->a_w.w_symbol->s_name[0] == '-' && a->a_w.w_symbol->s_name[1];
}

static bool is_word(const t_atom *a, const char *word) {
  return a->a_type == A_SYMBOL && strcmp(a->a_w.w_symbol->s_name, word) == 0;
}

static int read_ports(ctpd_scene *x, ctpd_port *ports, int *count, int argc, const t_atom *argv) {
  int at = 0;
  for (; at < argc && !is_flag(&argv[at]); at++) {
    if (argv[at].a_type != A_SYMBOL || *count == CTPD_SIGNALS)
      pd_error(x, "ct.scene~ %s: wants at most %d names of controls or paths", x->name->s_name, CTPD_SIGNALS);
    else
      ports[(*count)++].path = argv[at].a_w.w_symbol;
  }
  return at;
}

/* Returns how many atoms it took. */
static int read_flag(ctpd_scene *x, int argc, const t_atom *argv) {
  const t_atom *value = argc > 1 ? &argv[1] : NULL;
  if (is_word(argv, "-out"))
    return 1 + read_ports(x, x->taps, &x->tap_count, argc - 1, argv + 1);
  if (is_word(argv, "-ledger")) {
    x->recipe.ledger = true;
    return 1;
  }
  if (is_word(argv, "-preset") && value && value->a_type == A_SYMBOL) {
    snprintf(x->recipe.preset, sizeof x->recipe.preset, "%s", value->a_w.w_symbol->s_name);
    return 2;
  }
  if (is_word(argv, "-seed") && value && value->a_type == A_FLOAT) {
    x->recipe.seed = (uint64_t)fmax(0, (double)value->a_w.w_float);
    return 2;
  }
  if (is_word(argv, "-set") && argc > 2 && add_edit(x, value, &argv[2]))
    return 3;
  char text[80];
  atom_string(argv, text, sizeof text);
  pd_error(x, "ct.scene~ %s: %s: wants -out PATH..., -preset NAME, -set PATH VALUE, -seed N or -ledger",
           x->name->s_name, text);
  int at = 1;
  while (at < argc && !is_flag(&argv[at]))
    at++;
  return at;
}

static void read_arguments(ctpd_scene *x, int argc, const t_atom *argv) {
  int at = 0;
  if (argc && argv[0].a_type == A_SYMBOL && !is_flag(&argv[0]))
    x->name = argv[at++].a_w.w_symbol;
  at += read_ports(x, x->inputs, &x->input_count, argc - at, argv + at);
  while (at < argc)
    at += read_flag(x, argc - at, argv + at);
}

/* Neither built-in nor a file: the name under which parts are declared. */
static void find_buses(ctpd_scene *x) {
  for (int i = 0; i < x->input_count; i++)
    x->inputs[i].bus = -1;
  for (int i = 0; i < x->tap_count; i++) {
    bool may_be = !strchr(x->taps[i].path->s_name, '.');
    x->taps[i].bus = may_be ? x->recipe.bus_count : -1;
    if (may_be)
      x->recipe.buses[x->recipe.bus_count++] = x->taps[i].path->s_name;
  }
}

static void find_scene(ctpd_scene *x) {
  if (x->name == &s_ || ctpd_scene_find(x, x->name))
    return;
  x->recipe.scene[0] = 0;
  x->recipe.room = ROOM;
  x->composed = x->dirty = true;
}

static bool make_buffers(ctpd_scene *x) {
  bool made = true;
  for (int c = 0; c < 2 * CTPD_CHANNELS; c++)
    made = (x->buffers[c] = calloc(CTPD_FRAMES, sizeof(float))) && made;
  for (int i = 0; i < x->input_count; i++)
    made = (x->inputs[i].values = calloc(CTPD_FRAMES, sizeof(double))) && made;
  for (int i = 0; i < x->tap_count; i++)
    made = (x->taps[i].values = calloc(CTPD_FRAMES, sizeof(double))) && made;
  return made;
}

/* An inlet that nobody touches brings what is not a number, and its control is left alone. */
static void make_ports(ctpd_scene *x) {
  for (int i = 0; i < x->input_count; i++)
    signalinlet_new(&x->object, (t_float)NAN);
  for (int i = 0; i < x->channels + x->tap_count; i++)
    outlet_new(&x->object, &s_signal);
  x->info = outlet_new(&x->object, &s_anything);
}

static void bind(ctpd_scene *x) {
  char text[40];
  static unsigned count;
  snprintf(text, sizeof text, "ct.scene~-%u", ++count);
  x->panel = gensym(text);
  pd_bind(&x->object.ob_pd, x->panel);
  x->next_scene = first_scene;
  first_scene = x;
}

static void scene_free(ctpd_scene *x) {
  ctpd_scene **at = &first_scene;
  while (*at && *at != x)
    at = &(*at)->next_scene;
  if (*at)
    *at = x->next_scene;
  if (x->panel)
    pd_unbind(&x->object.ob_pd, x->panel);
  if (x->job)
    ctpd_job_drop(x->job);
  if (x->clock)
    clock_free(x->clock);
  ctpd_stage_discard(x->stage);
  ctpd_stage_discard(x->old);
  ctpd_stage_discard(x->next);
  for (int c = 0; c < 2 * CTPD_CHANNELS; c++)
    free(x->buffers[c]);
  for (int i = 0; i < CTPD_SIGNALS; i++) {
    free(x->inputs[i].values);
    free(x->taps[i].values);
  }
  free(x->members);
  free(x->values);
}

static void *scene_new(t_symbol *s, int argc, t_atom *argv) {
  ctpd_scene *x = (ctpd_scene *)pd_new(scene_class);
  t_object object = x->object;
  (void)s;
  memset(x, 0, sizeof *x);
  x->object = object;
  x->name = &s_;
  x->canvas = canvas_getcurrent();
  x->recipe.rate_hz = sys_getsr() > 0 ? (double)sys_getsr() : 48000;
  x->recipe.seed = 1;
  x->channels = 1;
  x->clock = clock_new(x, (t_method)ctpd_scene_poll);
  read_arguments(x, argc, argv);
  bind(x);
  find_buses(x);
  find_scene(x);
  if (!make_buffers(x)) {
    pd_free(&x->object.ob_pd);
    return NULL;
  }
  if (x->name == &s_)
    pd_error(x,
             "ct.scene~: wants a scene: a built-in one, a file, or the name that parts are declared under");
  else
    ctpd_scene_rebuild(x, true);
  if (x->stage)
    x->channels = x->stage->main_channels;
  make_ports(x);
  if (x->composed)
    clock_delay(x->clock, 0);
  return x;
}

void ctpd_scene_setup(void) {
  scene_class = class_new(gensym("ct.scene~"), (t_newmethod)(t_method)scene_new, (t_method)scene_free,
                          sizeof(ctpd_scene), CLASS_DEFAULT, A_GIMME, 0);
  class_addmethod(scene_class, (t_method)ctpd_scene_dsp, gensym("dsp"), A_CANT, 0);
  class_addanything(scene_class, scene_anything);
  class_addbang(scene_class, scene_demo);
}
