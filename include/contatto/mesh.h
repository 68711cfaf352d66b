/* An object to look at: its surface as triangles or lines, where on the body every vertex is, and how far
 * each mode moves it. A picture of the body is
 *
 *     vertex + sum over modes of motion_i q_i      (q_i: the mode's displacement, "bar.modes.3.x_m")
 *
 * Metres; z is up; the middle of the body lies over x = y = 0. Chains, meshes and networks have no size of
 * their own and are drawn 0.3 m across. */
#ifndef CONTATTO_MESH_H
#define CONTATTO_MESH_H

#include "object.h"

CT_DECLARATIONS_BEGIN

typedef struct ct_mesh {
  ct_shape_kind kind;
  uint32_t vertex_count, face_count, line_count, mode_count;
  float *vertices; /* x, y, z each */
  float *places;   /* u, v each: what place_u and place_v of a point there would be */
  uint32_t *faces; /* three vertices each, counter-clockwise from outside */
  uint32_t *lines; /* two vertices each; for bodies that are thin: strings, chains, networks */
  float *motions;  /* mode by mode: x, y, z of every vertex, metres per metre of modal displacement */
} ct_mesh;

CT_API ct_result ct_mesh_create(const ct_object *object, ct_mesh **mesh, ct_error *error); /* [setup] */
CT_API void ct_mesh_destroy(ct_mesh *mesh); /* [setup] null is fine */

/* Where a place on the body is, at rest, and which way its normal motion goes. [any] */
CT_API void ct_mesh_place(const ct_shape_def *shape, double u, double v, double at_m[3], double normal[3]);

CT_DECLARATIONS_END

#endif
