/* A window of sliders, one per control of the scene, made as any patch is: from atoms. Each slider's number
 * goes through a message box to the object, so the window can be opened and learnt from like the rest. */
#include "hosts/pd/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROW_HEIGHT = 34, TOP = 40, SLIDER_WIDTH = 200, CHARACTERS = 6 };

/* ---- one row: slider, number, message, name, what it does ---- */

/* Unicode goes through as it is; what ends a message does not. */
static void add_words(t_binbuf *b, const char *words) {
  char text[200];
  size_t n = 0;
  for (; *words && n + 4 < sizeof text; words++) {
    if (strchr(",;$\\", *words)) {
      text[n++] = ' '; /* by itself it is shown as it is */
      text[n++] = '\\';
    }
    text[n++] = *words;
  }
  text[n] = 0;
  t_binbuf *parsed = binbuf_new();
  binbuf_text(parsed, text, n);
  binbuf_add(b, binbuf_getnatom(parsed), binbuf_getvec(parsed));
  binbuf_free(parsed);
}

static double on_slider(const ct_control_info *c) {
  double share = c->max > c->min ? (c->value - c->min) / (c->max - c->min) : 0;
  if (c->scale == CT_LOG && c->min > 0)
    share = log(fmax(c->value, c->min) / c->min) / log(c->max / c->min);
  return fmin(1, fmax(0, share)) * (SLIDER_WIDTH - 1) * 100;
}

static void add_slider(t_binbuf *b, int y, const ct_control_info *c) {
  t_symbol *none = gensym("empty");
  bool logarithmic = c->scale == CT_LOG && c->min > 0;
  binbuf_addv(b, "ssiisiiffiisssiiiisssfi;", gensym("#X"), gensym("obj"), 20, y, gensym("hsl"), SLIDER_WIDTH,
              18, c->min, c->max, (int)logarithmic, 1, none, none, none, -2, -8, 0, 10, gensym("#fcfcfc"),
              gensym("#000000"), gensym("#000000"), on_slider(c), 1);
}

/* Where the number of row i listens. */
static t_symbol *number_name(const ctpd_scene *x, int i) {
  char text[60];
  snprintf(text, sizeof text, "%s-number-%d", x->panel->s_name, i);
  return gensym(text);
}

/* A control as it stands now; Pd's thread is the one that sounds. */
static ct_control_info control_now(const ctpd_scene *x, int i) {
  ct_control_info control = ct_doc_control(x->stage->doc, (uint32_t)i);
  ct_handle handle;
  if (ct_scene_resolve(x->stage->scene, control.name, &handle, NULL) == CT_OK)
    control.value = ct_scene_get(x->stage->scene, handle);
  return control;
}

/* Objects 5 i + 1 .. 5 i + 5: slider, number, message, send, words. */
static void add_row(t_binbuf *b, const ctpd_scene *x, int i, const ct_control_info *c) {
  int y = TOP + i * ROW_HEIGHT;
  char words[200];
  t_atom value;
  SETSYMBOL(&value, gensym("$1")); /* as a file has it */
  add_slider(b, y, c);
  binbuf_addv(b, "ssiiiiiisss;", gensym("#X"), gensym("floatatom"), 230, y, CHARACTERS, 0, 0, 0, gensym("-"),
              number_name(x, i), gensym("-"));
  binbuf_addv(b, "ssiis", gensym("#X"), gensym("msg"), 290, y, gensym(c->name));
  binbuf_add(b, 1, &value);
  binbuf_addsemi(b);
  binbuf_addv(b, "ssiiss;", gensym("#X"), gensym("obj"), 430, y, gensym("s"), x->panel);
  snprintf(words, sizeof words, "%s%s%.120s", c->unit, *c->unit ? ": " : "", c->hint);
  binbuf_addv(b, "ssii", gensym("#X"), gensym("text"), 550, y);
  add_words(b, *words ? words : c->name);
  binbuf_addsemi(b);
}

static void connect_row(t_binbuf *b, int i) {
  for (int k = 1; k <= 3; k++)
    binbuf_addv(b, "ssiiii;", gensym("#X"), gensym("connect"), 5 * i + k, 0, 5 * i + k + 1, 0);
}

static void fill(t_binbuf *b, const ctpd_scene *x) {
  int count = (int)ct_doc_control_count(x->stage->doc);
  binbuf_addv(b, "ssiiiii;", gensym("#N"), gensym("canvas"), 100, 100, 980, TOP + count * ROW_HEIGHT + 20,
              12);
  binbuf_addv(b, "ssii", gensym("#X"), gensym("text"), 18, 10);
  add_words(b, *ct_doc_title(x->stage->doc) ? ct_doc_title(x->stage->doc) : x->name->s_name);
  binbuf_addsemi(b);
  for (int i = 0; i < count; i++) {
    ct_control_info control = control_now(x, i);
    add_row(b, x, i, &control);
  }
  for (int i = 0; i < count; i++)
    connect_row(b, i);
}

/* As Pd opens a file: #N makes canvases meanwhile, #X is the newest of them, which is shown as it leaves. */
static void open_window(t_binbuf *b) {
  struct _class **maker = s__N.s_thing, **newest = s__X.s_thing, **top = NULL;
  s__N.s_thing = &pd_canvasmaker;
  s__X.s_thing = NULL;
  binbuf_eval(b, NULL, 0, NULL);
  while (s__X.s_thing && s__X.s_thing != top) {
    top = s__X.s_thing;
    pd_vmess(top, gensym("pop"), "i", 1);
  }
  s__N.s_thing = maker;
  s__X.s_thing = newest;
}

/* Numbers show what sliders stand at, and send nothing. */
static void set_numbers(const ctpd_scene *x) {
  int count = (int)ct_doc_control_count(x->stage->doc);
  for (int i = 0; i < count; i++)
    if (number_name(x, i)->s_thing)
      pd_vmess(number_name(x, i)->s_thing, gensym("set"), "f", control_now(x, i).value);
}

void ctpd_scene_panel(ctpd_scene *x) {
  if (!x->stage)
    return;
  if (!ct_doc_control_count(x->stage->doc)) {
    pd_error(x, "ct.scene~ %s: has no controls; describe lists its parameters", x->name->s_name);
    return;
  }
  t_binbuf *b = binbuf_new();
  char title[80];
  fill(b, x);
  snprintf(title, sizeof title, "%.60s panel", x->name->s_name);
  glob_setfilename(NULL, gensym(title), canvas_getdir(x->canvas));
  open_window(b);
  glob_setfilename(NULL, &s_, &s_);
  set_numbers(x);
  binbuf_free(b);
}
