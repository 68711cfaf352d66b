/* Shapes: names, defaults, and the way from a definition to its sorted modes. The physics is in the families
 * (shape_beam.c, shape_flat.c, shape_round.c, shape_rim.c, shape_shell.c, shape_lattice.c); what cannot be is
 * refused in shape_check.c. */
#include "base/sized.h"
#include "body/shape.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { RIM = 1, ROUND = 2 }; /* the first or the second coordinate is an angle */

/* A kind, and an everyday thing of it: the sizes that differ from the others', and its material. */
typedef struct kind_entry {
  const char *name;
  const ct_shape_family *family;
  int angles;
  ct_shape_edge edge;
  double length_m, width_m, thickness_m, radius_m;
  const char *material;
} kind_entry;

#define KIND(id, name, family, angles, edge, ...)                                                            \
  [CT_SHAPE_##id] = {name, &ct_shape_##family, angles, CT_EDGE_##edge, __VA_ARGS__}

static const kind_entry kinds[CT_SHAPE_KIND_COUNT] = {
    [CT_SHAPE_NONE] = {"none", NULL, 0, CT_EDGE_FREE, 0, 0, 0, 0, NULL},
    KIND(STRING, "string", string, 0, HINGED, 0.69, 0, 0, 4.4e-4, "steel"), /* cello D, wound: see below */
    KIND(BAR, "bar", bar, 0, FREE, 0.3, 0.03, 0.006, 0, "steel"),           /* chime bar */
    KIND(PLATE, "plate", plate, 0, HINGED, 0.3, 0.2, 0.003, 0, "glass"),    /* small window */
    KIND(DISC, "disc", disc, ROUND, FREE, 0, 0, 0.002, 0.1, "steel"),       /* lid */
    KIND(MEMBRANE, "membrane", membrane, 0, HINGED, 0.4, 0.3, 1.9e-4, 0, "plastic"),
    KIND(DRUM, "drum", drum, ROUND, HINGED, 0, 0, 1.9e-4, 0.165, "plastic"), /* 13 inch tom head */
    KIND(RING, "ring", ring, RIM, FREE, 0.01, 0, 0.005, 0.1, "steel"),
    KIND(GLASS, "glass", glass, RIM, CANTILEVER, 0.09, 0, 0.00105, 0.035, "glass"),
    KIND(BELL, "bell", bell, RIM, CANTILEVER, 0.75, 0, 0.077, 0.5, "bronze"), /* church bell of half a ton */
    KIND(BOWL, "bowl", bowl, RIM, CANTILEVER, 0.09, 0, 0.003, 0.09, "bronze"),
    KIND(TUBE, "tube", tube, 0, FREE, 0.8, 0, 0, 0.016, "brass"), /* wind chime */
    KIND(CHAIN, "chain", chain, 0, CLAMPED, 0, 0, 0, 0, "steel"),
    KIND(MESH, "mesh", mesh, 0, CLAMPED, 0, 0, 0, 0, "steel"),
    KIND(NETWORK, "network", network, 0, FREE, 0, 0, 0, 0, "steel"),
    KIND(WINEGLASS, "wineglass", shell, RIM, CANTILEVER, 0.095, 0, 0.0009, 0.036, "glass"),
    KIND(TUMBLER, "tumbler", shell, RIM, CANTILEVER, 0.115, 0, 0.0016, 0.038, "glass"),
};

static bool is_rim(ct_shape_kind kind) { return kinds[kind].angles & RIM; }

static const char *const edge_names[CT_EDGE_COUNT] = {"free", "clamped", "hinged", "cantilever"};

const char *ct_shape_kind_name(ct_shape_kind kind) {
  return (int)kind >= 0 && kind < CT_SHAPE_KIND_COUNT ? kinds[kind].name : "none";
}

ct_shape_kind ct_shape_kind_find(const char *name) {
  for (int kind = 1; name && kind < CT_SHAPE_KIND_COUNT; kind++)
    if (strcmp(name, kinds[kind].name) == 0)
      return (ct_shape_kind)kind;
  return CT_SHAPE_NONE;
}

const char *ct_shape_edge_name(ct_shape_edge edge) {
  return (int)edge >= 0 && edge < CT_EDGE_COUNT ? edge_names[edge] : "none";
}

ct_shape_edge ct_shape_edge_find(const char *name) {
  for (int edge = 0; name && edge < CT_EDGE_COUNT; edge++)
    if (strcmp(name, edge_names[edge]) == 0)
      return (ct_shape_edge)edge;
  return CT_EDGE_COUNT;
}

void ct_shape_set_material(ct_shape_def *def, const ct_material *material) {
  def->density_kg_m3 = material->density_kg_m3;
  def->young_pa = material->young_pa;
  def->poisson = material->poisson;
}

void ct_fill_shape_def(ct_shape_kind kind, ct_shape_def *to, uint32_t size) {
  bool known = (int)kind > CT_SHAPE_NONE && kind < CT_SHAPE_KIND_COUNT;
  const kind_entry *thing = &kinds[known ? kind : CT_SHAPE_NONE];
  ct_shape_def def = {.cookie = CT_SHAPE_COOKIE,
                      .size = size,
                      .kind = known ? kind : CT_SHAPE_NONE,
                      .edge = thing->edge,
                      .size_m = {thing->length_m, thing->width_m},
                      .thickness_m = thing->thickness_m,
                      .radius_m = thing->radius_m};
  def.tension_n = 102.6;
  def.tension_n_m = 2500.0;
  def.liquid_density_kg_m3 = 1000.0;
  def.columns = def.rows = 8;
  def.node_mass_kg = 0.01;
  def.spring_n_m = 1e5;
  if (thing->material)
    ct_shape_set_material(&def, ct_material_find(thing->material));
  if (kind == CT_SHAPE_STRING)
    def.density_kg_m3 = 4110.0; /* gut wound with metal, over its whole section */
  if (kind == CT_SHAPE_TUBE)
    def.inner_radius_m = 0.0145;
  ct_give_bytes(to, size, &def, sizeof def);
}

const ct_shape_def *ct_shape_whole(const ct_shape_def *given, ct_shape_def *whole) {
  if (!given || given->cookie != CT_SHAPE_COOKIE || given->size == sizeof *given)
    return given;
  *whole = ct_default_shape_def(given->size < sizeof(ct_def_head) + sizeof given->kind ? CT_SHAPE_NONE
                                                                                       : given->kind);
  return ct_take_def(whole, given) ? whole : given;
}

double ct_shape_list_limit(const ct_shape_list *list) {
  if (list->count == 0 || list->count < list->capacity)
    return list->max_hz;
  return fmin(list->max_hz, list->modes[list->count - 1].hz);
}

/* Insertion after its equals, so that pairs stay in order; the highest falls off the end. */
void ct_shape_list_offer(ct_shape_list *list, const ct_shape_mode *mode) {
  if (mode->hz == 0.0 && !list->rigid)
    return;
  if (mode->hz > 0.0)
    list->lowest_hz = fmin(list->lowest_hz, mode->hz);
  if (mode->hz > list->max_hz) {
    list->above = true;
    return;
  }
  uint32_t at = list->count;
  while (at > 0 && list->modes[at - 1].hz > mode->hz)
    at--;
  if (at >= list->capacity)
    return;
  uint32_t kept = list->count < list->capacity ? list->count : list->capacity - 1;
  memmove(list->modes + at + 1, list->modes + at, (kept - at) * sizeof *mode);
  list->modes[at] = *mode;
  list->count = kept + 1;
}

void ct_shape_list_offer_pair(ct_shape_list *list, const ct_shape_mode *mode) {
  ct_shape_mode twin = *mode;
  ct_shape_list_offer(list, &twin);
  twin.turned = 1;
  if (mode->m > 0)
    ct_shape_list_offer(list, &twin);
}

size_t ct_shape_memory_count(const ct_shape_def *given) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  return ct_shape_lattice_memory(def) + ct_shape_undercut_memory(def) + ct_shape_shell_memory(def);
}

/* How much the frequencies must be scaled to put the lowest one where it is wanted; 1 if nothing rings. The
 * list is a copy, narrowed to one mode. */
static ct_result find_scale(const ct_shape_def *def, ct_shape_list list, double *scale) {
  ct_shape_mode lowest = {.hz = def->lowest_hz};
  list.modes = &lowest;
  list.capacity = 1;
  list.max_hz = HUGE_VAL;
  list.rigid = false;
  *scale = 1.0;
  if (def->lowest_hz == 0.0)
    return CT_OK;
  ct_result result = kinds[def->kind].family->modes(def, &list);
  *scale = def->lowest_hz / lowest.hz;
  return result;
}

static void note_found(const ct_shape_list *list, double max_hz, ct_shape_found *found) {
  unsigned long count = found->count, asked = list->capacity;
  ct_error line = {CT_OK, ""};
  found->end = count == asked ? CT_SHAPE_END_ASKED : list->above ? CT_SHAPE_END_MAX_HZ : CT_SHAPE_END_NO_MORE;
  if (found->end == CT_SHAPE_END_MAX_HZ && count == 0)
    ct_fail(&line, CT_OK, "no mode lies below %g Hz; the lowest is at %g Hz", max_hz, found->lowest_hz);
  else if (found->end == CT_SHAPE_END_MAX_HZ)
    ct_fail(&line, CT_OK, "%lu modes were asked for; %lu lie below %g Hz", asked, count, max_hz);
  else if (found->end == CT_SHAPE_END_NO_MORE)
    ct_fail(&line, CT_OK, "%lu modes were asked for; the body has %lu", asked, count);
  memcpy(found->note, line.text, sizeof found->note - 1);
}

static ct_result check_room(const ct_shape_def *def, const ct_shape_mode *modes, uint32_t capacity,
                            double max_hz, const double *memory, size_t memory_count, ct_error *error) {
  size_t need = ct_shape_memory_count(def);
  if (!modes || capacity == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "shape: no room for modes");
  if (!(max_hz > 0.0))
    return ct_fail(error, CT_BAD_VALUE, "shape: max_hz = %g Hz, must be above 0 Hz", max_hz);
  if (need && (!memory || memory_count < need))
    return ct_fail(error, CT_NO_MEMORY, "%s: needs memory for %lu numbers, got %lu",
                   ct_shape_kind_name(def->kind), (unsigned long)need,
                   memory ? (unsigned long)memory_count : 0ul);
  return CT_OK;
}

/* A rim with a thicker place at u = 0: a small mass there slows the mode whose antinode it is, the cosine,
 * and moves with the sine only along the rim, 1/m^2 as much. By Rayleigh's principle, -dw/w = dm g^2 / 2 m_i,
 * so the pair splits by (m^2 - 1)/(m^2 + 1) of the same share for every m: all alike but for the lowest. The
 * parameter is the split itself, the same for all, and the middle of a pair stays where it was. */
static double split(const ct_shape_def *def, bool turned) {
  return is_rim(def->kind) && def->wonkiness > 0.0 ? exp2((turned ? 1.0 : -1.0) * def->wonkiness / 2400.0)
                                                   : 1.0;
}

ct_result ct_shape_modes(const ct_shape_def *given, ct_shape_mode *modes, uint32_t capacity, double max_hz,
                         double *memory, size_t memory_count, ct_shape_found *found, ct_error *error) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  memset(found, 0, sizeof *found);
  ct_result result = ct_shape_check(def, error);
  if (result == CT_OK)
    result = check_room(def, modes, capacity, max_hz, memory, memory_count, error);
  if (result != CT_OK)
    return result;
  double scale;
  ct_shape_list list = {.modes = modes,
                        .capacity = capacity,
                        .lowest_hz = HUGE_VAL,
                        .rigid = def->with_rigid_modes,
                        .memory = memory};
  result = find_scale(def, list, &scale);
  list.max_hz = max_hz / scale;
  if (result == CT_OK)
    result = kinds[def->kind].family->modes(def, &list);
  if (result != CT_OK)
    return ct_fail(error, result, "%s: its eigenvalues could not be found", ct_shape_kind_name(def->kind));
  for (uint32_t i = 0; i < list.count; i++)
    modes[i].hz *= scale * split(def, modes[i].turned);
  found->count = list.count;
  found->lowest_hz = isinf(list.lowest_hz) ? 0.0 : list.lowest_hz * scale;
  note_found(&list, max_hz, found);
  return CT_OK;
}

double ct_shape_mass_kg(const ct_shape_def *given) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  const ct_shape_family *family = kinds[def->kind].family;
  return family ? family->mass_kg(def) : 0.0;
}

bool ct_shape_axis_wraps(ct_shape_kind kind, ct_shape_axis axis) {
  return kinds[kind].angles & (axis == CT_AXIS_SECOND ? ROUND : RIM);
}

double ct_shape_factor(const ct_shape_def *given, const ct_shape_mode *mode, ct_shape_axis axis,
                       double coordinate) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  if (axis == CT_AXIS_ALONG && !is_rim(def->kind))
    return 0.0;
  double place = ct_shape_axis_wraps(def->kind, axis) ? coordinate : fmin(fmax(coordinate, 0.0), 1.0);
  return kinds[def->kind].family->factor(def, mode, axis, place);
}

double ct_shape_gain(const ct_shape_def *given, const ct_shape_mode *mode, double u, double v) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  return ct_shape_factor(def, mode, CT_AXIS_FIRST, u) * ct_shape_factor(def, mode, CT_AXIS_SECOND, v);
}
