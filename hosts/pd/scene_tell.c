/* Answers: what the scene is, what it does now, and what its bodies look like. Words go to Pd's window,
 * numbers to the last outlet. */
#include "hosts/pd/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool alive(ctpd_scene *x) {
  if (x->composed && x->dirty)
    ctpd_scene_gather(x);
  if (!x->stage)
    pd_error(x, "ct.scene~ %s: has no scene", x->name->s_name);
  return x->stage != NULL;
}

/* ---- describe ---- */

static void tell_control(ctpd_scene *x, const ct_control_info *c) {
  t_atom atoms[5];
  post("  %-16s %g to %g %s%s%s", c->name, c->min, c->max, c->unit, *c->hint ? ": " : "", c->hint);
  SETSYMBOL(&atoms[0], gensym(c->name));
  SETFLOAT(&atoms[1], (t_float)c->min);
  SETFLOAT(&atoms[2], (t_float)c->max);
  SETFLOAT(&atoms[3], (t_float)c->value);
  SETSYMBOL(&atoms[4], gensym(c->trigger ? "trigger" : c->scale == CT_LOG ? "log" : "linear"));
  outlet_anything(x->info, gensym("control"), 5, atoms);
}

static void tell_preset(ctpd_scene *x, uint32_t i) {
  const ct_doc *doc = x->stage->doc;
  t_atom atom;
  post("  preset %-16s %s", ct_doc_preset_name(doc, i), ct_doc_preset_about(doc, i));
  SETSYMBOL(&atom, gensym(ct_doc_preset_name(doc, i)));
  outlet_anything(x->info, gensym("preset"), 1, &atom);
}

/* Texts of the document are copied into symbols before anything leaves the outlet: what is connected there
 * may load another scene. */
static void describe_scene(ctpd_scene *x) {
  const ct_doc *doc = x->stage->doc;
  post("ct.scene~ %s: %s%s%s", x->name->s_name, ct_doc_title(doc), *ct_doc_about(doc) ? ". " : "",
       ct_doc_about(doc));
  const ctpd_stage *stage = x->stage;
  for (uint32_t i = 0; x->stage == stage && i < ct_doc_control_count(doc); i++) {
    ct_control_info control = ct_doc_control(doc, i);
    tell_control(x, &control);
  }
  for (uint32_t i = 0; x->stage == stage && i < ct_doc_preset_count(doc); i++)
    tell_preset(x, i);
}

typedef struct listing {
  const ctpd_scene *scene;
  const char *prefix;
  int count;
} listing;

static bool list_row(void *context, const char *path, const char *full_path, ct_handle handle,
                     const ct_schema_row *row) {
  listing *l = context;
  size_t n = strlen(l->prefix);
  if (strncmp(path, l->prefix, n) != 0 && strncmp(full_path, l->prefix, n) != 0)
    return true;
  post("  %s %g %s (%s): %s", path, ct_scene_get(l->scene->stage->scene, handle), row->unit,
       ct_rate_word(row->rate), row->words);
  return ++l->count < 1000;
}

void ctpd_scene_describe(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  (void)s;
  if (!alive(x))
    return;
  if (!argc && !x->composed) {
    describe_scene(x);
    return;
  }
  listing l = {x, argc && argv[0].a_type == A_SYMBOL ? argv[0].a_w.w_symbol->s_name : "", 0};
  post("ct.scene~ %s:", x->name->s_name);
  ct_scene_visit(x->stage->scene, list_row, &l);
  if (!l.count)
    pd_error(x, "ct.scene~ %s: describe: nothing begins with %s", x->name->s_name, l.prefix);
}

/* ---- numbers ---- */

void ctpd_scene_get(ctpd_scene *x, t_symbol *path) {
  ct_error error = {CT_OK, ""};
  ct_handle handle;
  t_atom atom;
  if (!alive(x))
    return;
  if (ct_scene_resolve(x->stage->scene, path->s_name, &handle, &error) != CT_OK) {
    pd_error(x, "ct.scene~ %s: %s", x->name->s_name, error.text);
    return;
  }
  SETFLOAT(&atom, (t_float)ct_scene_get(x->stage->scene, handle));
  outlet_anything(x->info, path, 1, &atom);
}

enum { ACCOUNT_MOST = 32 };
typedef struct account {
  const ct_scene *scene;
  t_symbol *names[ACCOUNT_MOST];
  double values[ACCOUNT_MOST];
  int count;
} account;

static bool read_account(void *context, const char *path, const char *full_path, ct_handle handle,
                         const ct_schema_row *row) {
  account *a = context;
  (void)full_path, (void)row;
  if (strncmp(path, "energy.", 7) == 0 && a->count < ACCOUNT_MOST) {
    a->names[a->count] = gensym(path);
    a->values[a->count++] = ct_scene_get(a->scene, handle);
  }
  return true;
}

/* One message per item, and at the end whether the account is kept. */
void ctpd_scene_ledger(ctpd_scene *x) {
  account a = {.count = 0};
  t_atom atom;
  if (!alive(x))
    return;
  if (!x->recipe.ledger) {
    pd_error(x, "ct.scene~ %s: keeps no account; make it with -ledger", x->name->s_name);
    return;
  }
  a.scene = x->stage->scene;
  ct_ledger ledger = ct_scene_ledger(a.scene);
  ct_scene_visit(a.scene, read_account, &a);
  for (int i = 0; i < a.count; i++) {
    SETFLOAT(&atom, (t_float)a.values[i]);
    outlet_anything(x->info, a.names[i], 1, &atom);
  }
  SETFLOAT(&atom, ct_ledger_kept(&ledger));
  outlet_anything(x->info, gensym("ledger"), 1, &atom);
}

/* The largest sample of the last block on every channel, in dB below full scale. */
void ctpd_scene_level(ctpd_scene *x) {
  t_atom atoms[CTPD_CHANNELS];
  if (!alive(x))
    return;
  int channels = (int)ct_scene_channels(x->stage->scene);
  for (int c = 0; c < channels; c++) {
    double level = ct_scene_level(x->stage->scene, (uint32_t)c);
    SETFLOAT(&atoms[c], (t_float)(20 * log10(fmax(level, 1e-10))));
  }
  outlet_anything(x->info, gensym("level"), channels, atoms);
}

/* ---- pictures: shapes into arrays ---- */

static ct_result object_of(ctpd_scene *x, t_symbol *body, ct_object **object, ct_error *error) {
  double rate_hz = x->recipe.rate_hz;
  if (!x->composed)
    return ct_doc_body_object(x->stage->doc, body->s_name, rate_hz, object, error);
  for (ctpd_part *p = ctpd_parts_first(); p; p = ctpd_parts_next(p)) {
    if (ctpd_part_group(p) != x->name || ctpd_part_name(p) != body ||
        ctpd_part_section(p) != &ctpd_sections[0])
      continue;
    ct_doc *doc = ct_doc_create();
    ct_result result = doc ? ctpd_leaves_set(ctpd_part_leaves(p), doc, error) : CT_NO_MEMORY;
    if (result == CT_OK)
      result = ct_doc_body_object(doc, body->s_name, rate_hz, object, error);
    ct_doc_destroy(doc);
    return result;
  }
  snprintf(error->text, sizeof error->text, "there is no body '%.60s'", body->s_name);
  return CT_BAD_PATH;
}

typedef struct plot {
  ct_object *object;
  const ct_shape_mode *modes;
  uint32_t mode_count;
  t_garray *array;
  t_word *words;
  int size;
  double v;
} plot;

static bool open_plot(ctpd_scene *x, t_symbol *body, t_symbol *array, plot *p) {
  ct_error error = {CT_OK, ""};
  *p = (plot){.object = NULL};
  p->array = (t_garray *)pd_findbyclass(array, garray_class);
  if (!p->array || !garray_getfloatwords(p->array, &p->size, &p->words) || p->size < 2) {
    pd_error(x, "ct.scene~ %s: there is no array %s", x->name->s_name, array->s_name);
    return false;
  }
  if (object_of(x, body, &p->object, &error) != CT_OK) {
    pd_error(x, "ct.scene~ %s: %s", x->name->s_name, error.text);
    return false;
  }
  if (!p->object) {
    pd_error(x, "ct.scene~ %s: %s has no shape to draw", x->name->s_name, body->s_name);
    return false;
  }
  p->modes = ct_object_modes(p->object, &p->mode_count);
  return true;
}

static void close_plot(plot *p) {
  garray_redraw(p->array);
  ct_object_destroy(p->object);
}

static double gain(const plot *p, uint32_t mode, int i) {
  return ct_shape_gain(ct_object_shape(p->object), &p->modes[mode], (double)i / (p->size - 1), p->v);
}

static bool has_symbol(int argc, const t_atom *argv, int at) {
  return at < argc && argv[at].a_type == A_SYMBOL;
}

/* shape BODY MODE ARRAY [V]: the mode's shape along u, at v (1: a rim). */
void ctpd_scene_shape(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  plot p;
  if (!alive(x))
    return;
  if (!has_symbol(argc, argv, 0) || !has_symbol(argc, argv, 2) || argv[1].a_type != A_FLOAT) {
    pd_error(x, "ct.scene~ %s: wants %s BODY MODE ARRAY", x->name->s_name, s->s_name);
    return;
  }
  if (!open_plot(x, argv[0].a_w.w_symbol, argv[2].a_w.w_symbol, &p))
    return;
  double mode = (double)argv[1].a_w.w_float;
  p.v = argc > 3 ? (double)atom_getfloat(&argv[3]) : 1;
  bool known = mode >= 0 && mode < p.mode_count;
  for (int i = 0; i < p.size && known; i++)
    p.words[i].w_float = (t_float)gain(&p, (uint32_t)mode, i);
  if (!known)
    pd_error(x, "ct.scene~ %s: %s has %u modes, counted from 0", x->name->s_name,
             argv[0].a_w.w_symbol->s_name, p.mode_count);
  close_plot(&p);
}

/* A mode's displacement by its path; false: the scene has no such mode (a swing comes in front of the
 * shape's). */
static double displacement(const ctpd_scene *x, t_symbol *body, uint32_t mode) {
  char path[CTPD_PATH];
  ct_handle handle;
  snprintf(path, sizeof path, "%.60s.modes.%u.x_m", body->s_name, mode);
  return ct_scene_resolve(x->stage->scene, path, &handle, NULL) == CT_OK
             ? ct_scene_get(x->stage->scene, handle)
             : 0;
}

/* deflection BODY ARRAY [FACTOR] [V]: where the body is now, along u, in metres times FACTOR. */
void ctpd_scene_deflection(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv) {
  plot p;
  if (!alive(x))
    return;
  if (!has_symbol(argc, argv, 0) || !has_symbol(argc, argv, 1)) {
    pd_error(x, "ct.scene~ %s: wants %s BODY ARRAY [FACTOR]", x->name->s_name, s->s_name);
    return;
  }
  t_symbol *body = argv[0].a_w.w_symbol;
  if (!open_plot(x, body, argv[1].a_w.w_symbol, &p))
    return;
  double factor = argc > 2 ? (double)atom_getfloat(&argv[2]) : 1;
  p.v = argc > 3 ? (double)atom_getfloat(&argv[3]) : 1;
  for (int i = 0; i < p.size; i++)
    p.words[i].w_float = 0;
  for (uint32_t m = 0; m < p.mode_count; m++) {
    double q = displacement(x, body, m) * factor;
    for (int i = 0; i < p.size && q != 0; i++)
      p.words[i].w_float += (t_float)(q * gain(&p, m, i));
  }
  close_plot(&p);
}
