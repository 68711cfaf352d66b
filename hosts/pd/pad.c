/* [ct.pad WIDTH HEIGHT X_LOW X_HIGH Y_LOW Y_HIGH]: a plane for the mouse or a pen, anywhere on which one may
 * press and drag. Outlets: x, y (sent y first, so that x comes last), and 1 or 0 for pressed and let go. */
#include "hosts/pd/contatto_pd.h"

#include <g_canvas.h>
#include <math.h>
#include <stdio.h>

enum { DOT = 5, SMALLEST = 20, LARGEST = 2000 };

typedef struct pad {
  t_object object;
  t_glist *glist;
  int width, height;
  double low[2], high[2];
  double at[2]; /* 0 to 1, y upwards */
  t_outlet *x_out, *y_out, *press_out;
} pad;

static t_class *pad_class;
static t_widgetbehavior pad_widget;

/* ---- drawing ---- */

static void corners(pad *x, t_glist *glist, int *x1, int *y1, int *x2, int *y2) {
  int zoom = glist_getzoom(glist);
  *x1 = text_xpix(&x->object, glist);
  *y1 = text_ypix(&x->object, glist);
  *x2 = *x1 + x->width * zoom;
  *y2 = *y1 + x->height * zoom;
}

static void dot_place(pad *x, t_glist *glist, int *at_x, int *at_y) {
  int x1, y1, x2, y2;
  corners(x, glist, &x1, &y1, &x2, &y2);
  *at_x = x1 + (int)lround(x->at[0] * (x2 - x1));
  *at_y = y2 - (int)lround(x->at[1] * (y2 - y1));
}

static void draw_dot(pad *x, t_glist *glist) {
  int cx, cy, size = DOT * glist_getzoom(glist);
  if (!glist_isvisible(glist))
    return;
  dot_place(x, glist, &cx, &cy);
  sys_vgui(".x%lx.c coords %lxDOT %d %d %d %d\n", glist_getcanvas(glist), x, cx - size, cy - size, cx + size,
           cy + size);
}

static void draw(pad *x, t_glist *glist) {
  int x1, y1, x2, y2;
  corners(x, glist, &x1, &y1, &x2, &y2);
  sys_vgui(".x%lx.c create rectangle %d %d %d %d -fill #e8eef4 -outline #305070 -tags {%lxBASE %lxALL}\n",
           glist_getcanvas(glist), x1, y1, x2, y2, x, x);
  sys_vgui(".x%lx.c create oval 0 0 1 1 -fill #c04020 -outline #601000 -tags {%lxDOT %lxALL}\n",
           glist_getcanvas(glist), x, x);
  draw_dot(x, glist);
}

static void pad_getrect(t_gobj *z, t_glist *glist, int *x1, int *y1, int *x2, int *y2) {
  corners((pad *)z, glist, x1, y1, x2, y2);
}

static void pad_vis(t_gobj *z, t_glist *glist, int vis) {
  pad *x = (pad *)z;
  if (vis)
    draw(x, glist);
  else
    sys_vgui(".x%lx.c delete %lxALL\n", glist_getcanvas(glist), x);
}

static void pad_displace(t_gobj *z, t_glist *glist, int dx, int dy) {
  pad *x = (pad *)z;
  x->object.te_xpix = (short)(x->object.te_xpix + dx);
  x->object.te_ypix = (short)(x->object.te_ypix + dy);
  if (glist_isvisible(glist)) {
    pad_vis(z, glist, 0);
    pad_vis(z, glist, 1);
    canvas_fixlinesfor(glist, &x->object);
  }
}

static void pad_select(t_gobj *z, t_glist *glist, int selected) {
  sys_vgui(".x%lx.c itemconfigure %lxBASE -outline %s\n", glist_getcanvas(glist), z,
           selected ? "blue" : "#305070");
}

static void pad_delete(t_gobj *z, t_glist *glist) { canvas_deletelinesfor(glist, (t_text *)z); }

/* ---- playing ---- */

static void send(pad *x) {
  outlet_float(x->y_out, (t_float)(x->low[1] + x->at[1] * (x->high[1] - x->low[1])));
  outlet_float(x->x_out, (t_float)(x->low[0] + x->at[0] * (x->high[0] - x->low[0])));
}

static double within(double share) { return share > 0 ? fmin(share, 1) : 0; } /* not a number: 0 */

static void move_to(pad *x, double share_x, double share_y) {
  x->at[0] = within(share_x);
  x->at[1] = within(share_y);
  draw_dot(x, x->glist);
  send(x);
}

static void pad_motion(pad *x, t_floatarg dx, t_floatarg dy, t_floatarg up) {
  int zoom = glist_getzoom(x->glist);
  if (up != 0) {
    outlet_float(x->press_out, 0);
    return;
  }
  move_to(x, x->at[0] + (double)dx / (x->width * zoom), x->at[1] - (double)dy / (x->height * zoom));
}

static int pad_click(t_gobj *z, t_glist *glist, int xpix, int ypix, int shift, int alt, int dbl, int doit) {
  pad *x = (pad *)z;
  int x1, y1, x2, y2;
  (void)shift, (void)alt, (void)dbl;
  if (!doit)
    return 1;
  corners(x, glist, &x1, &y1, &x2, &y2);
  glist_grab(glist, &x->object.te_g, (t_glistmotionfn)(t_method)pad_motion, 0, xpix, ypix);
  outlet_float(x->press_out, 1);
  move_to(x, (double)(xpix - x1) / (x2 - x1), (double)(y2 - ypix) / (y2 - y1));
  return 1;
}

/* Two numbers put it there and send them; bang sends them again. */
static void pad_list(pad *x, t_symbol *s, int argc, t_atom *argv) {
  (void)s;
  if (argc != 2) {
    pd_error(x, "ct.pad: wants two numbers");
    return;
  }
  move_to(x, ((double)atom_getfloat(&argv[0]) - x->low[0]) / (x->high[0] - x->low[0]),
          ((double)atom_getfloat(&argv[1]) - x->low[1]) / (x->high[1] - x->low[1]));
}

static void pad_bang(pad *x) { send(x); }

/* ---- coming and going ---- */

static double argument(int argc, const t_atom *argv, int at, double standard) {
  double value = at < argc && argv[at].a_type == A_FLOAT ? ctpd_number(argv[at].a_w.w_float) : standard;
  return isfinite(value) ? value : standard;
}

static void read_axis(pad *x, int axis, int argc, const t_atom *argv) {
  x->low[axis] = argument(argc, argv, 2 + 2 * axis, 0);
  x->high[axis] = argument(argc, argv, 3 + 2 * axis, 1);
  if (x->low[axis] == x->high[axis])
    x->high[axis] = x->low[axis] + 1;
}

static void *pad_new(t_symbol *s, int argc, t_atom *argv) {
  pad *x = (pad *)pd_new(pad_class);
  (void)s;
  x->glist = canvas_getcurrent();
  x->width = (int)fmin(LARGEST, fmax(SMALLEST, argument(argc, argv, 0, 200)));
  x->height = (int)fmin(LARGEST, fmax(SMALLEST, argument(argc, argv, 1, 200)));
  read_axis(x, 0, argc, argv);
  read_axis(x, 1, argc, argv);
  x->at[0] = x->at[1] = 0;
  x->x_out = outlet_new(&x->object, &s_float);
  x->y_out = outlet_new(&x->object, &s_float);
  x->press_out = outlet_new(&x->object, &s_float);
  return x;
}

void ctpd_pad_setup(void) {
  pad_class = class_new(gensym("ct.pad"), (t_newmethod)(t_method)pad_new, NULL, sizeof(pad), CLASS_DEFAULT,
                        A_GIMME, 0);
  class_addbang(pad_class, pad_bang);
  class_addlist(pad_class, pad_list);
  pad_widget = (t_widgetbehavior){.w_getrectfn = pad_getrect,
                                  .w_displacefn = pad_displace,
                                  .w_selectfn = pad_select,
                                  .w_deletefn = pad_delete,
                                  .w_visfn = pad_vis,
                                  .w_clickfn = pad_click};
  class_setwidget(pad_class, &pad_widget);
}
