/* Refuses what cannot be a thing, before any formula sees it: each number against its range, then the numbers
 * against each other. Says field, value, unit and range. */
#include "body/shape.h"

#include "base/text.h"

#include <math.h>

enum {
  LENGTH = 1 << 0,
  WIDTH = 1 << 1,
  THICKNESS = 1 << 2,
  RADIUS = 1 << 3,
  INNER = 1 << 4,
  TENSION = 1 << 5,
  SURFACE_TENSION = 1 << 6,
  STIFFNESS = 1 << 7, /* of a string */
  LIQUID = 1 << 8,
  DENSITY = 1 << 9,
  YOUNG = 1 << 10,
  POISSON = 1 << 11,
  NODE_MASS = 1 << 12,
  SPRING = 1 << 13,
  FOOT = 1 << 14,
  SOLID = DENSITY | YOUNG
};

typedef struct field {
  unsigned use;
  const char *name, *unit;
  size_t offset;
  double min, max;
} field;

#define FIELD(use, name, unit, min, max)                                                                     \
  { use, #name, unit, offsetof(ct_shape_def, name), min, max }

static const field fields[] = {
    FIELD(LENGTH, size_m[0], " m", 1e-4, 1e3),
    FIELD(WIDTH, size_m[1], " m", 1e-4, 1e3),
    FIELD(THICKNESS, thickness_m, " m", 1e-6, 10.0),
    FIELD(RADIUS, radius_m, " m", 1e-6, 1e3),
    FIELD(INNER, inner_radius_m, " m", 0.0, 1e3),
    FIELD(TENSION, tension_n, " N", 1e-3, 1e6),
    FIELD(SURFACE_TENSION, tension_n_m, " N/m", 1e-2, 1e6),
    FIELD(STIFFNESS, bending_n_m2, " N m^2", 0.0, 1e3),
    FIELD(STIFFNESS, inharmonicity, "", 0.0, 1.0),
    FIELD(FOOT, foot_radius_m, " m", 0.0, 1e3),
    FIELD(FOOT, foot_thickness_m, " m", 0.0, 10.0),
    FIELD(LIQUID, fill, "", 0.0, 1.0),
    FIELD(LIQUID, liquid_density_kg_m3, " kg/m^3", 0.0, 2e4),
    FIELD(DENSITY, density_kg_m3, " kg/m^3", 1.0, 3e4),
    FIELD(YOUNG, young_pa, " Pa", 1e3, 2e12),
    FIELD(POISSON, poisson, "", -0.99, 0.4999),
    FIELD(NODE_MASS, node_mass_kg, " kg", 1e-9, 1e6),
    FIELD(SPRING, spring_n_m, " N/m", 1e-6, 1e12),
    FIELD(~0u, lowest_hz, " Hz", 0.0, 1e6),
    FIELD(~0u, wonkiness, " cents", 0.0, 100.0),
};

#define FREE (1u << CT_EDGE_FREE)
#define CLAMPED (1u << CT_EDGE_CLAMPED)
#define HINGED (1u << CT_EDGE_HINGED)
#define BEAM_EDGES ((1u << CT_EDGE_COUNT) - 1)
#define ANY ~0u /* it makes nothing of it */

/* The fields that a kind is made of, and the edges it can have. */
static const struct {
  unsigned fields, edges;
} rules[CT_SHAPE_KIND_COUNT] = {
    [CT_SHAPE_STRING] = {LENGTH | RADIUS | TENSION | STIFFNESS | DENSITY, ANY},
    [CT_SHAPE_BAR] = {LENGTH | WIDTH | THICKNESS | SOLID | POISSON, BEAM_EDGES},
    [CT_SHAPE_PLATE] = {LENGTH | WIDTH | THICKNESS | SOLID | POISSON, FREE | CLAMPED | HINGED},
    [CT_SHAPE_DISC] = {RADIUS | THICKNESS | SOLID | POISSON, FREE | CLAMPED | HINGED},
    [CT_SHAPE_MEMBRANE] = {LENGTH | WIDTH | THICKNESS | SURFACE_TENSION | DENSITY, ANY},
    [CT_SHAPE_DRUM] = {RADIUS | THICKNESS | SURFACE_TENSION | DENSITY, ANY},
    [CT_SHAPE_RING] = {LENGTH | RADIUS | THICKNESS | SOLID, ANY},
    [CT_SHAPE_GLASS] = {LENGTH | RADIUS | THICKNESS | LIQUID | SOLID, ANY},
    [CT_SHAPE_BELL] = {LENGTH | RADIUS | THICKNESS | SOLID, ANY},
    [CT_SHAPE_BOWL] = {LENGTH | RADIUS | THICKNESS | SOLID, ANY},
    [CT_SHAPE_TUBE] = {LENGTH | RADIUS | INNER | SOLID | POISSON, BEAM_EDGES},
    [CT_SHAPE_CHAIN] = {NODE_MASS | SPRING, FREE | CLAMPED},
    [CT_SHAPE_MESH] = {NODE_MASS | SPRING, FREE | CLAMPED},
    [CT_SHAPE_NETWORK] = {NODE_MASS, ANY},
    [CT_SHAPE_WINEGLASS] = {LENGTH | RADIUS | THICKNESS | FOOT | LIQUID | SOLID | POISSON, ANY},
    [CT_SHAPE_TUMBLER] = {LENGTH | RADIUS | THICKNESS | FOOT | LIQUID | SOLID | POISSON, ANY},
};

/* What is thin does not shear; lists stand for numbers that are the same everywhere. */
static unsigned fields_of(const ct_shape_def *def) {
  unsigned without = 0;
  if (def->thin && (def->kind == CT_SHAPE_BAR || def->kind == CT_SHAPE_TUBE))
    without |= POISSON;
  if (def->masses_kg && def->kind != CT_SHAPE_MESH)
    without |= NODE_MASS;
  if (def->springs_n_m && def->kind == CT_SHAPE_CHAIN)
    without |= SPRING;
  return rules[def->kind].fields & ~without;
}

static bool inside(double value, double min, double max) { return value >= min && value <= max; }

static ct_result check_ranges(const ct_shape_def *def, ct_error *error) {
  unsigned used = fields_of(def);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const field *f = &fields[i];
    double value = *(const double *)(const void *)((const char *)def + f->offset);
    if ((used & f->use || f->use == ~0u) && !inside(value, f->min, f->max))
      return ct_fail(error, CT_BAD_VALUE, "%s: %s = %g%s, must be %g to %g%s", ct_shape_kind_name(def->kind),
                     f->name, value, f->unit, f->min, f->max, f->unit);
  }
  return CT_OK;
}

/* A number that is no edge at all does no harm where the edge makes no difference. */
static bool edge_fits(ct_shape_kind kind, ct_shape_edge edge) {
  return rules[kind].edges == ANY || ((unsigned)edge < CT_EDGE_COUNT && rules[kind].edges >> edge & 1);
}

/* The size that the thickness (of a string or tube: the radius) must stay below. */
static double largest_thickness(const ct_shape_def *def) {
  ct_shape_kind kind = def->kind;
  if (kind == CT_SHAPE_STRING || kind == CT_SHAPE_TUBE || kind == CT_SHAPE_BAR)
    return def->size_m[0];
  bool flat = kind == CT_SHAPE_PLATE || kind == CT_SHAPE_MEMBRANE;
  return flat ? fmin(def->size_m[0], def->size_m[1]) : def->radius_m;
}

static ct_result check_proportions(const ct_shape_def *def, ct_error *error) {
  bool rod = def->kind == CT_SHAPE_STRING || def->kind == CT_SHAPE_TUBE;
  double thick = rod ? def->radius_m : def->thickness_m, most = largest_thickness(def);
  const char *kind = ct_shape_kind_name(def->kind);
  if (!(thick < most))
    return ct_fail(error, CT_BAD_VALUE, "%s: %s = %g m, must be below %g m for sizes like these", kind,
                   rod ? "radius_m" : "thickness_m", thick, most);
  if (def->kind == CT_SHAPE_TUBE && !(def->inner_radius_m < def->radius_m))
    return ct_fail(error, CT_BAD_VALUE, "tube: inner_radius_m = %g m, must be below radius_m = %g m",
                   def->inner_radius_m, def->radius_m);
  if (def->kind == CT_SHAPE_WINEGLASS && !(def->foot_radius_m < def->radius_m))
    return ct_fail(error, CT_BAD_VALUE, "wineglass: foot_radius_m = %g m, must be below radius_m = %g m",
                   def->foot_radius_m, def->radius_m);
  if (def->kind == CT_SHAPE_BAR && def->undercut != CT_UNDERCUT_NONE && def->edge != CT_EDGE_FREE)
    return ct_fail(error, CT_BAD_VALUE, "bar: edge = %s, but an undercut bar is free at both ends",
                   ct_shape_edge_name(def->edge));
  if (def->kind == CT_SHAPE_STRING && def->bending_n_m2 > 0.0 && def->inharmonicity > 0.0)
    return ct_fail(error, CT_BAD_VALUE,
                   "string: stiffness is given twice, as bending_n_m2 = %g and inharmonicity = %g",
                   def->bending_n_m2, def->inharmonicity);
  return CT_OK;
}

static ct_result check_count(const char *kind, const char *name, uint32_t value, uint32_t max,
                             ct_error *error) {
  if (value >= 1 && value <= max)
    return CT_OK;
  return ct_fail(error, CT_BAD_VALUE, "%s: %s = %lu, must be 1 to %lu", kind, name, (unsigned long)value,
                 (unsigned long)max);
}

static ct_result check_list(const char *kind, const char *name, const double *list, uint32_t count,
                            double min, double max, ct_error *error) {
  for (uint32_t i = 0; list && i < count; i++)
    if (!inside(list[i], min, max))
      return ct_fail(error, CT_BAD_VALUE, "%s: %s[%lu] = %g, must be %g to %g", kind, name, (unsigned long)i,
                     list[i], min, max);
  return CT_OK;
}

static ct_result check_links(const ct_shape_def *def, ct_error *error) {
  if (!def->links && def->link_count)
    return ct_fail(error, CT_BAD_ARGUMENT, "network: link_count without links");
  for (uint32_t i = 0; i < def->link_count; i++) {
    const ct_shape_link *link = &def->links[i];
    bool from = link->from < def->columns || link->from == CT_LINK_GROUND;
    bool to = link->to < def->columns || link->to == CT_LINK_GROUND;
    if (!from || !to || link->from == link->to)
      return ct_fail(error, CT_BAD_VALUE,
                     "network: link %lu must join two of %lu nodes, or one and the ground", (unsigned long)i,
                     (unsigned long)def->columns);
    if (!inside(link->spring_n_m, 0.0, 1e12))
      return ct_fail(error, CT_BAD_VALUE, "network: spring_n_m of link %lu = %g N/m, must be 0 to 1e12 N/m",
                     (unsigned long)i, link->spring_n_m);
  }
  return CT_OK;
}

static ct_result check_lattice(const ct_shape_def *def, ct_error *error) {
  const char *kind = ct_shape_kind_name(def->kind);
  bool network = def->kind == CT_SHAPE_NETWORK;
  ct_result result =
      check_count(kind, "columns", def->columns, network ? CT_SHAPE_NETWORK_MAX : CT_SHAPE_NODES_MAX, error);
  if (result == CT_OK && def->kind == CT_SHAPE_MESH)
    return check_count(kind, "rows", def->rows, CT_SHAPE_NODES_MAX, error);
  if (result == CT_OK)
    result = check_list(kind, "masses_kg", def->masses_kg, def->columns, 1e-9, 1e6, error);
  if (result == CT_OK && network)
    return check_links(def, error);
  if (result == CT_OK)
    result = check_list(kind, "springs_n_m", def->springs_n_m, def->columns + 1, 0.0, 1e12, error);
  return result;
}

ct_result ct_shape_check(const ct_shape_def *given, ct_error *error) {
  ct_shape_def whole;
  const ct_shape_def *def = ct_shape_whole(given, &whole);
  if (!def || def->cookie != CT_SHAPE_COOKIE || def->size != sizeof *def)
    return ct_fail(error, CT_BAD_ARGUMENT, "shape: the definition does not come from ct_default_shape_def");
  if ((int)def->kind <= CT_SHAPE_NONE || def->kind >= CT_SHAPE_KIND_COUNT)
    return ct_fail(error, CT_BAD_VALUE, "shape: kind = %d is none", (int)def->kind);
  if (!edge_fits(def->kind, def->edge))
    return ct_fail(error, CT_BAD_VALUE, "%s: edge = %s is not one it can have", ct_shape_kind_name(def->kind),
                   ct_shape_edge_name(def->edge));
  CT_TRY(check_ranges(def, error));
  return ct_shape_is_lumped(def->kind) ? check_lattice(def, error) : check_proportions(def, error);
}
