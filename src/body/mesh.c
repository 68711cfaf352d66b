/* Every surface here is a grid of rows and columns, some of them closed to a ring:
 *
 *   bar, tube               stations along the length  x  a section, closed
 *   plate, membrane, mesh   along  x  across
 *   disc, drum              radii  x  angles, closed
 *   ring                    angles, closed  x  a section, closed
 *   glass, bell, bowl       angles, closed  x  heights
 *   wineglass, tumbler      angles, closed  x  the foot, the stem or base, then the wall
 *   string, chain           stations, as lines;  network: nodes on a circle, its springs as lines
 *
 * Motion is along the normal (z of what is flat or long, outward of what has a rim), and for rims also along
 * the rim, with the gains of the object's own tables, which are those a contact would meet. */
#include <contatto/mesh.h>

#include "base/text.h"
#include "body/shape.h"

#include <math.h>
#include <stdlib.h>

enum {
  STATIONS = 65,
  CAPS = 4,
  CAP = CAPS / 2,
  SIDE = 29,
  RADII = 15,
  ANGLES = 96,
  HEIGHTS = 21,
  BELOW = 8, /* columns of a wineglass or tumbler under its wall */
  WALL = 18,
  TUBE_SIDES = 20
};

static const double lumped_m = 0.3; /* what has no size is drawn so wide */

typedef struct grid {
  uint32_t rows, columns;
  bool rows_close, columns_close;
  bool lines;   /* drawn as a line from row to row */
  bool corners; /* a rectangular section, whose corners are there twice: edges are sharp */
  bool capped;  /* two more rows at either end: the end of the last station once more, and its middle */
  bool inward;  /* rows and columns run the other way round */
} grid;

/* ---- places ---- */

static double length_of(const ct_shape_def *s, int side) {
  return ct_shape_is_lumped(s->kind) ? lumped_m : s->size_m[side];
}

/* Profiles, radius over the largest one at height v: drawn to please, the modes do not depend on them. */
static double profile(ct_shape_kind kind, double v) {
  double from_rim = 1 - v;
  switch (kind) {
  case CT_SHAPE_GLASS:
    return sqrt(1 - pow(from_rim, 4));
  case CT_SHAPE_BELL:
    return 0.52 * sqrt(1 - pow(from_rim, 6)) + 0.48 * pow(v, 3.5);
  case CT_SHAPE_BOWL:
    return sqrt(1 - from_rim * from_rim);
  default:
    return 1;
  }
}

static bool is_shell(ct_shape_kind kind) { return kind == CT_SHAPE_WINEGLASS || kind == CT_SHAPE_TUMBLER; }

/* What holds the wall, from the middle of its underside outward and up: foot and stem, or a base. It stands
 * still. Radius and height over the rim's radius; `held` is the wall's radius where it is held. Heights are
 * from the ground up, or, where negative, from the wall down. */
static void below(const ct_shape_def *s, uint32_t column, double at[2]) {
  double rim = s->radius_m, held = ct_shape_shell_radius_m(s, 0), stem = 0.6 * held / rim;
  const double wine[BELOW][2] = {{0, 0},      {0.92, 0},   {0.92, 0.02},  {0.5, 0.08},
                                 {0.2, 0.22}, {stem, 0.6}, {stem, -0.35}, {0.75 * held / rim, -0.1}};
  const double base[BELOW][2] = {{0, 0},
                                 {0.5 * held / rim, 0},
                                 {0.93 * held / rim, 0},
                                 {0.97 * held / rim, 0.01},
                                 {0.99 * held / rim, 0.03},
                                 {held / rim, 0.06},
                                 {held / rim, -0.1},
                                 {held / rim, -0.05}};
  const double *of = s->kind == CT_SHAPE_WINEGLASS ? wine[column] : base[column];
  double ground = s->kind == CT_SHAPE_WINEGLASS ? -0.95 * s->size_m[0] : -0.2 * rim;
  at[0] = of[0] * rim;
  at[1] = of[1] < 0 ? of[1] * rim : ground + of[1] * rim;
}

static double height(const ct_shape_def *s, double v) {
  if (s->kind == CT_SHAPE_RING)
    return 0;
  return s->kind == CT_SHAPE_BELL ? (1 - v) * s->size_m[0] : v * s->size_m[0];
}

static void set3(double to[3], double x, double y, double z) {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

static void place_round(const ct_shape_def *s, double u, double v, double at[3], double normal[3]) {
  double angle = 2 * M_PI * u,
         radius = is_shell(s->kind) ? ct_shape_shell_radius_m(s, v) : s->radius_m * profile(s->kind, v);
  set3(at, radius * cos(angle), radius * sin(angle), height(s, v));
  set3(normal, cos(angle), sin(angle), 0);
}

static void place_on_circle(double radius_m, double turns, double at[3]) {
  double angle = 2 * M_PI * turns;
  set3(at, radius_m * cos(angle), radius_m * sin(angle), 0);
}

static double clamp(double x) { return fmin(fmax(x, 0), 1); }

void ct_mesh_place(const ct_shape_def *given, double u, double v, double at[3], double normal[3]) {
  ct_shape_def whole;
  const ct_shape_def *s = ct_shape_whole(given, &whole);
  u = ct_shape_axis_wraps(s->kind, CT_AXIS_FIRST) ? u : clamp(u);
  v = ct_shape_axis_wraps(s->kind, CT_AXIS_SECOND) ? v : clamp(v);
  set3(normal, 0, 0, 1);
  switch (s->kind) {
  case CT_SHAPE_BAR:
    set3(at, (u - 0.5) * s->size_m[0], (v - 0.5) * s->size_m[1], s->thickness_m / 2);
    return;
  case CT_SHAPE_TUBE:
    set3(at, (u - 0.5) * s->size_m[0], 0, s->radius_m);
    return;
  case CT_SHAPE_STRING:
  case CT_SHAPE_CHAIN:
    set3(at, (u - 0.5) * length_of(s, 0), 0, 0);
    return;
  case CT_SHAPE_NETWORK:
    place_on_circle(lumped_m / 2, s->columns > 1 ? u * (s->columns - 1) / s->columns : 0, at);
    return;
  case CT_SHAPE_DISC:
  case CT_SHAPE_DRUM:
    place_on_circle(s->radius_m * u, v, at);
    return;
  case CT_SHAPE_RING:
  case CT_SHAPE_GLASS:
  case CT_SHAPE_BELL:
  case CT_SHAPE_BOWL:
  case CT_SHAPE_WINEGLASS:
  case CT_SHAPE_TUMBLER:
    place_round(s, u, v, at, normal);
    return;
  default:
    set3(at, (u - 0.5) * length_of(s, 0), (v - 0.5) * length_of(s, 1), 0);
  }
}

/* ---- the grid ---- */

static uint32_t nodes(uint32_t count, uint32_t most) { return count < 2 ? 2 : count > most ? most : count; }

static grid grid_of(const ct_shape_def *s) {
  switch (s->kind) {
  case CT_SHAPE_BAR:
    return (grid){
        .rows = STATIONS + CAPS, .columns = 8, .columns_close = true, .corners = true, .capped = true};
  case CT_SHAPE_TUBE:
    return (grid){.rows = STATIONS + CAPS, .columns = TUBE_SIDES, .columns_close = true, .capped = true};
  case CT_SHAPE_STRING:
    return (grid){.rows = 2 * STATIONS, .columns = 1, .lines = true};
  case CT_SHAPE_CHAIN:
  case CT_SHAPE_NETWORK:
    return (grid){.rows = s->columns, .columns = 1, .lines = true};
  case CT_SHAPE_DISC:
  case CT_SHAPE_DRUM:
    return (grid){.rows = RADII, .columns = ANGLES, .columns_close = true};
  case CT_SHAPE_RING:
    return (grid){.rows = ANGLES, .columns = 8, .rows_close = true, .columns_close = true, .corners = true};
  case CT_SHAPE_GLASS:
  case CT_SHAPE_BELL:
  case CT_SHAPE_BOWL:
    return (grid){.rows = ANGLES, .columns = HEIGHTS, .rows_close = true, .inward = s->kind == CT_SHAPE_BELL};
  case CT_SHAPE_WINEGLASS:
  case CT_SHAPE_TUMBLER:
    return (grid){.rows = ANGLES, .columns = BELOW + WALL, .rows_close = true};
  case CT_SHAPE_MESH:
    return (grid){.rows = nodes(s->columns, SIDE), .columns = nodes(s->rows, SIDE)};
  default:
    return (grid){.rows = SIDE, .columns = SIDE};
  }
}

static double share(uint32_t i, uint32_t count, bool closes) {
  return count < 2 ? 0 : (double)i / (closes ? count : count - 1);
}

/* Along the length, 0 to 1, and how wide the section is there: down to the hole at the outer end of a cap. */
static double station(const ct_shape_def *s, uint32_t row, double *wide) {
  bool outer = row == 0 || row == STATIONS + CAPS - 1;
  double hole = s->kind == CT_SHAPE_TUBE ? s->inner_radius_m / s->radius_m : 0;
  *wide = outer ? hole : 1;
  return clamp(((double)row - CAP) / (STATIONS - 1));
}

/* Corner of a rectangular section, each twice: across and up, in shares of its sides. */
static void corner(uint32_t column, double *across, double *up) {
  static const double ways[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
  uint32_t k = ((column + 1) / 2) % 4;
  *across = ways[k][0] / 2;
  *up = ways[k][1] / 2;
}

static void vertex_of_bar(const ct_shape_def *s, uint32_t row, uint32_t column, double place[2],
                          double at[3]) {
  double across, up, wide;
  corner(column, &across, &up);
  place[0] = station(s, row, &wide);
  place[1] = across * wide + 0.5;
  set3(at, (place[0] - 0.5) * s->size_m[0], across * wide * s->size_m[1], up * wide * s->thickness_m);
}

static void vertex_of_tube(const ct_shape_def *s, uint32_t row, uint32_t column, double place[2],
                           double at[3]) {
  double angle = 2 * M_PI * column / TUBE_SIDES, wide;
  place[0] = station(s, row, &wide);
  place[1] = 0.5;
  set3(at, (place[0] - 0.5) * s->size_m[0], wide * s->radius_m * sin(angle), wide * s->radius_m * cos(angle));
}

static void vertex_of_ring(const ct_shape_def *s, uint32_t row, uint32_t column, double place[2],
                           double at[3]) {
  double across, up, normal[3];
  corner(column, &across, &up);
  place[0] = (double)row / ANGLES;
  place[1] = 1;
  place_round(s, place[0], 1, at, normal);
  for (int i = 0; i < 2; i++)
    at[i] += normal[i] * up * s->thickness_m;
  at[2] += across * s->size_m[0];
}

static void vertex_of_shell(const ct_shape_def *s, uint32_t row, uint32_t column, double place[2],
                            double at[3]) {
  double normal[3], under[2], along = column < BELOW ? 0 : (double)(column - BELOW) / (WALL - 1);
  place[0] = (double)row / ANGLES;
  place[1] = along * along;
  place_round(s, place[0], place[1], at, normal);
  if (column >= BELOW)
    return;
  below(s, column, under);
  set3(at, normal[0] * under[0], normal[1] * under[0], under[1]);
}

/* The rest lies where its place is. Heights crowd towards the closed end, where the wall turns. */
static void vertex_at(const ct_shape_def *s, const grid *g, uint32_t row, uint32_t column, double place[2],
                      double at[3]) {
  double normal[3], v = share(column, g->columns, g->columns_close);
  if (s->kind == CT_SHAPE_BAR)
    vertex_of_bar(s, row, column, place, at);
  else if (s->kind == CT_SHAPE_TUBE)
    vertex_of_tube(s, row, column, place, at);
  else if (s->kind == CT_SHAPE_RING)
    vertex_of_ring(s, row, column, place, at);
  else if (is_shell(s->kind))
    vertex_of_shell(s, row, column, place, at);
  else {
    place[0] = share(row, g->rows, g->rows_close);
    place[1] = g->columns < 2 ? 0.5 : g->rows_close ? v * v : v;
    ct_mesh_place(s, place[0], place[1], at, normal);
  }
}

/* ---- motion ---- */

/* Between two samples of a table, in a straight line. */
static double read_row(const double *row, uint32_t count, bool closes, double place) {
  place = closes ? place - floor(place) : clamp(place);
  double at = place * (closes ? count : count - 1);
  uint32_t low = (uint32_t)at;
  low = low < count - 1 ? low : count - 1;
  uint32_t high = low + 1 < count ? low + 1 : closes ? 0 : low;
  return row[low] + (at - low) * (row[high] - row[low]);
}

static void motion_at(const ct_shape_def *s, const ct_shape_table *t, uint32_t mode, const double place[2],
                      float to[3]) {
  double at[3], normal[3], rim = 0, across = 1;
  size_t row = (size_t)mode * t->u_count;
  ct_mesh_place(s, place[0], place[1], at, normal);
  if (t->v)
    across = read_row(t->v + (size_t)mode * t->v_count, t->v_count, t->v_periodic, place[1]);
  double out = across * read_row(t->u + row, t->u_count, t->u_periodic, place[0]);
  if (t->along)
    rim = across * read_row(t->along + row, t->u_count, t->u_periodic, place[0]);
  to[0] = (float)(normal[0] * out - normal[1] * rim);
  to[1] = (float)(normal[1] * out + normal[0] * rim);
  to[2] = (float)(normal[2] * out);
}

/* ---- faces and lines ---- */

static void add_face(ct_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *face = m->faces + 3 * (size_t)m->face_count++;
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

static void add_line(ct_mesh *m, uint32_t a, uint32_t b) {
  uint32_t *line = m->lines + 2 * (size_t)m->line_count++;
  line[0] = a;
  line[1] = b;
}

static void join_quad(ct_mesh *m, const grid *g, uint32_t row, uint32_t column) {
  uint32_t row2 = (row + 1) % g->rows, column2 = (column + 1) % g->columns;
  uint32_t a = row * g->columns + column, b = row2 * g->columns + column;
  uint32_t c = row2 * g->columns + column2, d = row * g->columns + column2;
  add_face(m, a, g->inward ? c : b, g->inward ? b : c);
  add_face(m, a, g->inward ? d : c, g->inward ? c : d);
}

/* Between doubled corners, and between the last station and its double, there is nothing. */
static void join_grid(ct_mesh *m, const grid *g) {
  uint32_t rows = g->rows_close ? g->rows : g->rows - 1;
  uint32_t columns = g->columns_close ? g->columns : g->columns - 1;
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t column = 0; column < columns; column++)
      if (!(g->capped && (row == 1 || row == g->rows - 3)) && !(g->corners && column % 2 == 1))
        join_quad(m, g, row, column);
}

static void join_lines(ct_mesh *m, const ct_shape_def *s, const grid *g) {
  if (s->kind != CT_SHAPE_NETWORK) {
    for (uint32_t row = 0; row + 1 < g->rows; row++)
      add_line(m, row, row + 1);
    return;
  }
  for (uint32_t i = 0; i < s->link_count; i++)
    if (s->links[i].to != CT_LINK_GROUND)
      add_line(m, s->links[i].from, s->links[i].to);
}

/* ---- all of it ---- */

static bool make_room(ct_mesh *m, const ct_shape_def *s, const grid *g) {
  size_t quads = (size_t)g->rows * g->columns, lines = g->rows + (size_t)s->link_count;
  m->vertices = calloc(3 * (size_t)m->vertex_count, sizeof(float));
  m->places = calloc(2 * (size_t)m->vertex_count, sizeof(float));
  m->faces = calloc(g->lines ? 1 : 6 * quads, sizeof(uint32_t));
  m->lines = calloc(g->lines ? 2 * lines : 1, sizeof(uint32_t));
  m->motions = calloc(3 * (size_t)m->vertex_count * m->mode_count, sizeof(float));
  return m->vertices && m->places && m->faces && m->lines && m->motions;
}

static void fill_vertex(ct_mesh *m, const ct_shape_def *s, const ct_shape_table *t, const grid *g,
                        uint32_t i) {
  double place[2], at[3];
  vertex_at(s, g, i / g->columns, i % g->columns, place, at);
  for (int k = 0; k < 3; k++)
    m->vertices[3 * (size_t)i + (size_t)k] = (float)at[k];
  for (int k = 0; k < 2; k++)
    m->places[2 * (size_t)i + (size_t)k] = (float)place[k];
  for (uint32_t mode = 0; mode < m->mode_count; mode++)
    motion_at(s, t, mode, place, m->motions + 3 * ((size_t)mode * m->vertex_count + i));
}

ct_result ct_mesh_create(const ct_object *object, ct_mesh **mesh, ct_error *error) {
  if (!object || !mesh)
    return ct_fail(error, CT_BAD_ARGUMENT, "mesh: a null pointer");
  const ct_shape_def *s = ct_object_shape(object);
  ct_modal_def def = ct_object_modal_def(object);
  grid g = grid_of(s);
  ct_mesh *m = calloc(1, sizeof *m);
  if (m)
    *m = (ct_mesh){.kind = s->kind, .vertex_count = g.rows * g.columns, .mode_count = def.mode_count};
  if (!m || !make_room(m, s, &g)) {
    ct_mesh_destroy(m);
    return ct_fail(error, CT_NO_MEMORY, "mesh: out of memory");
  }
  for (uint32_t i = 0; i < m->vertex_count; i++)
    fill_vertex(m, s, &def.shape, &g, i);
  if (g.lines)
    join_lines(m, s, &g);
  else
    join_grid(m, &g);
  *mesh = m;
  return CT_OK;
}

void ct_mesh_destroy(ct_mesh *m) {
  if (!m)
    return;
  free(m->vertices);
  free(m->places);
  free(m->faces);
  free(m->lines);
  free(m->motions);
  free(m);
}
