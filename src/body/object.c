/* A shape of a material as a modal body: modes, decays, and each factor of the mode shapes sampled finely
 * enough that cubic interpolation between samples errs by less than 1e-4 of the largest gain (error of a
 * wave: (k h)^4 3/128). */
#include "base/sized.h"
#include "base/text.h"
#include "body/shape.h"
#include <contatto/object.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_object {
  ct_shape_def shape;
  ct_material material;
  uint32_t count;
  ct_shape_mode *modes;
  ct_mode_def *defs;
  double *memory;       /* chains and networks keep their mode shapes here */
  ct_shape_link *links; /* a network's own copy */
  double *u, *v, *along;
  uint32_t u_count, v_count;
  double residual_m_n, residual_n_s_m;
  uint32_t hung; /* 1 when it hangs: defs and tables then have one row more than modes, the first */
};

static bool rimmed(ct_shape_kind kind) { return ct_shape_axis_wraps(kind, CT_AXIS_FIRST); }

/* Samples along one axis: 24 per half wave of the highest mode; at the nodes themselves for lumped bodies,
 * which are straight lines between. */
static uint32_t samples(const ct_object *o, ct_shape_axis axis) {
  if (ct_shape_is_lumped(o->shape.kind)) {
    uint32_t nodes = axis == CT_AXIS_FIRST ? o->shape.columns : o->shape.rows;
    return nodes < 4 ? 4 : nodes;
  }
  uint32_t highest = 1;
  for (uint32_t i = 0; i < o->count; i++) {
    uint32_t order = (uint32_t)(o->modes[i].m > o->modes[i].n ? o->modes[i].m : o->modes[i].n);
    highest = order > highest ? order : highest;
  }
  uint32_t count = 24 * (highest + 2) * (ct_shape_axis_wraps(o->shape.kind, axis) ? 2 : 1);
  return count < 64 ? 64 : count > 8192 ? 8192 : count;
}

static double *tabulate(const ct_object *o, ct_shape_axis axis, uint32_t count) {
  double *table = malloc((size_t)count * o->count * sizeof *table);
  double last = ct_shape_axis_wraps(o->shape.kind, axis) ? count : count - 1;
  for (uint32_t i = 0; table && i < o->count; i++)
    for (uint32_t k = 0; k < count; k++)
      table[(size_t)i * count + k] = ct_shape_factor(&o->shape, &o->modes[i], axis, k / last);
  return table;
}

static bool two_sided(ct_shape_kind kind) {
  return kind != CT_SHAPE_STRING && kind != CT_SHAPE_BAR && kind != CT_SHAPE_TUBE && kind != CT_SHAPE_CHAIN &&
         kind != CT_SHAPE_RING && kind != CT_SHAPE_NETWORK;
}

static bool make_tables(ct_object *o) {
  bool flat = two_sided(o->shape.kind), rim = rimmed(o->shape.kind);
  o->u_count = samples(o, CT_AXIS_FIRST);
  o->u = tabulate(o, CT_AXIS_FIRST, o->u_count);
  if (rim)
    o->along = tabulate(o, CT_AXIS_ALONG, o->u_count);
  if (flat) {
    o->v_count = samples(o, CT_AXIS_SECOND);
    o->v = tabulate(o, CT_AXIS_SECOND, o->v_count);
  }
  return o->u && (!rim || o->along) && (!flat || o->v);
}

static ct_result out_of_memory(ct_object *o, ct_error *error) {
  ct_object_destroy(o);
  return ct_fail(error, CT_NO_MEMORY, "object: out of memory");
}

static bool keep_shape(ct_object *o, const ct_shape_def *shape) {
  o->shape = *shape;
  if (!shape->link_count || !shape->links)
    return true;
  o->links = malloc(shape->link_count * sizeof *o->links);
  if (o->links)
    memcpy(o->links, shape->links, shape->link_count * sizeof *o->links);
  o->shape.links = o->links;
  return o->links != NULL;
}

ct_result ct_object_create(const ct_shape_def *given, const ct_material *material, uint32_t count,
                           double max_hz, ct_object **object, ct_shape_found *found, ct_error *error) {
  ct_shape_def whole;
  const ct_shape_def *shape = ct_shape_whole(given, &whole);
  ct_shape_found own;
  found = found ? found : &own;
  if (!shape || !material || !object || count == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "object: a null pointer, or no modes asked for");
  ct_object *o = calloc(1, sizeof *o);
  if (!o || !keep_shape(o, shape))
    return out_of_memory(o, error);
  o->material = *material;
  size_t memory = ct_shape_memory_count(shape);
  o->modes = calloc(count, sizeof *o->modes);
  o->defs = calloc(count, sizeof *o->defs);
  o->memory = calloc(memory ? memory : 1, sizeof *o->memory);
  if (!o->modes || !o->defs || !o->memory)
    return out_of_memory(o, error);
  ct_result result = ct_shape_modes(&o->shape, o->modes, count, max_hz, o->memory, memory, found, error);
  if (result == CT_OK && found->count == 0)
    result = ct_fail(error, CT_BAD_SCENE,
                     "a %s of this size has its lowest mode at %g Hz, above %g Hz: nothing to hear",
                     ct_shape_kind_name(shape->kind), found->lowest_hz, max_hz);
  if (result != CT_OK) {
    ct_object_destroy(o);
    return result;
  }
  o->count = found->count;
  /* 0 Hz modes of a free body do not ring: no decay. */
  for (uint32_t i = 0; i < o->count; i++) {
    double hz = o->modes[i].hz;
    o->defs[i] = (ct_mode_def){
        .hz = hz, .t60_s = hz > 0 ? ct_material_t60_s(&o->material, hz) : 0, .mass_kg = o->modes[i].mass_kg};
  }
  if (!make_tables(o))
    return out_of_memory(o, error);
  *object = o;
  return CT_OK;
}

void ct_object_destroy(ct_object *o) {
  if (!o)
    return;
  free(o->modes);
  free(o->defs);
  free(o->memory);
  free(o->links);
  free(o->u);
  free(o->v);
  free(o->along);
  free(o);
}

/* A row of ones in front of a table; null stays null, and failing frees nothing. */
static bool put_ones_first(double **table, uint32_t count, uint32_t rows) {
  if (!*table)
    return true;
  double *longer = realloc(*table, (size_t)count * (rows + 1) * sizeof *longer);
  if (!longer)
    return false;
  memmove(longer + count, longer, (size_t)count * rows * sizeof *longer);
  for (uint32_t i = 0; i < count; i++)
    longer[i] = 1;
  *table = longer;
  return true;
}

ct_result ct_object_hang(ct_object *o, double hz, double t60_s, ct_error *error) {
  if (!o || o->hung)
    return ct_fail(error, CT_BAD_ARGUMENT, "object: nothing to hang, or hung already");
  ct_mode_def *defs = realloc(o->defs, (o->count + 1) * sizeof *defs);
  if (defs)
    o->defs = defs;
  if (!defs || !put_ones_first(&o->u, o->u_count, o->count) || !put_ones_first(&o->v, o->v_count, o->count) ||
      !put_ones_first(&o->along, o->u_count, o->count))
    return ct_fail(error, CT_NO_MEMORY, "object: out of memory");
  memmove(defs + 1, defs, o->count * sizeof *defs);
  defs[0] = (ct_mode_def){.hz = hz, .t60_s = t60_s, .mass_kg = ct_shape_mass_kg(&o->shape)};
  o->hung = 1;
  return CT_OK;
}

/* A plate's cut modes answer a slow force with C_r = (2 / pi) Y / w_cut and a fast one as an infinite plate,
 * with the velocity Y f: a dashpot 1 / Y. So R C_r = 2 / (pi w_cut), which is taken for every shape. */
ct_result ct_object_add_residual(ct_object *o, ct_error *error) {
  double cut_hz = 0;
  if (!o)
    return ct_fail(error, CT_BAD_ARGUMENT, "object: a null pointer");
  ct_result result = ct_shape_residual(&o->shape, o->count, &o->residual_m_n, &cut_hz, error);
  o->residual_n_s_m = o->residual_m_n > 0 ? 1 / (M_PI * M_PI * cut_hz * o->residual_m_n) : 0;
  return result;
}

static ct_making making_of(const ct_object *o) {
  ct_shape_kind kind = o->shape.kind;
  bool drum = kind == CT_SHAPE_MEMBRANE || kind == CT_SHAPE_DRUM, string = kind == CT_SHAPE_STRING;
  return (ct_making){.size = ct_shape_is_lumped(kind) ? 0 : 1,
                     .density_kg_m3 = o->material.density_kg_m3,
                     .young_pa = o->material.young_pa,
                     .damping_global = o->material.global_damping,
                     .damping_relative = o->material.relative_damping,
                     .material_at = ct_material_place_along(&o->material),
                     .size_power = string ? 2
                                   : drum ? 1.5
                                          : 1,
                     .elastic = !drum && !string,
                     .first_mode = o->hung,
                     .wonkiness = o->shape.wonkiness,
                     .paired = rimmed(kind)};
}

void ct_object_fill_modal_def(const ct_object *o, ct_modal_def *to, uint32_t size) {
  ct_modal_def def = ct_default_modal_def();
  def.modes = o->defs;
  def.mode_count = o->count + o->hung;
  def.shape = (ct_shape_table){.u = o->u,
                               .u_count = o->u_count,
                               .u_periodic = ct_shape_axis_wraps(o->shape.kind, CT_AXIS_FIRST),
                               .along = o->along,
                               .v = o->v,
                               .v_count = o->v_count,
                               .v_periodic = ct_shape_axis_wraps(o->shape.kind, CT_AXIS_SECOND)};
  def.making = making_of(o);
  def.residual_m_n = o->residual_m_n;
  def.residual_n_s_m = o->residual_n_s_m;
  def.size = size;
  ct_give_bytes(to, size, &def, sizeof def);
}

const ct_shape_mode *ct_object_modes(const ct_object *o, uint32_t *count) {
  *count = o->count;
  return o->modes;
}

const ct_shape_def *ct_object_shape(const ct_object *o) { return &o->shape; }
