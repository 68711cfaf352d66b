/* Objects from words: a shape of a material, as a modal body ready to add. */
#ifndef CONTATTO_OBJECT_H
#define CONTATTO_OBJECT_H

#include "defs.h"
#include "shape.h"

CT_DECLARATIONS_BEGIN

typedef struct ct_object ct_object;

/* The lowest `count` modes below max_hz, their decays by the material's law, and tables of their shapes.
 * `found` (may be null) tells how many came and why no more. [setup] */
CT_API ct_result ct_object_create(const ct_shape_def *shape, const ct_material *material, uint32_t count,
                                  double max_hz, ct_object **object, ct_shape_found *found, ct_error *error);
CT_API void ct_object_destroy(ct_object *object); /* [setup] */

/* Hangs it up: one more mode, the first, in which it swings as a whole. [setup] */
CT_API ct_result ct_object_hang(ct_object *object, double hz, double t60_s, ct_error *error);

/* The modes it leaves out still yield where it is touched: their compliance joins its definition, so that
 * hard blows rebound alike at every sample rate. Not for membranes and drums, which have no such limit, nor
 * for lumped bodies, which have all their modes. [setup] */
CT_API ct_result ct_object_add_residual(ct_object *object, ct_error *error);

/* A definition without name and points, whose arrays live as long as the object. Points say where they are by
 * place_u and place_v. [setup] */
CT_API void ct_object_fill_modal_def(const ct_object *object, ct_modal_def *def, uint32_t size);
static inline ct_modal_def ct_object_modal_def(const ct_object *object) {
  ct_modal_def def;
  ct_object_fill_modal_def(object, &def, (uint32_t)sizeof def);
  def.point_stride = (uint32_t)sizeof(ct_point_def);
  return def;
}
CT_API const ct_shape_mode *ct_object_modes(const ct_object *object, uint32_t *count); /* [setup] */
/* What it is, as it was made; lives as long as the object. [setup] */
CT_API const ct_shape_def *ct_object_shape(const ct_object *object);

CT_DECLARATIONS_END

#endif
