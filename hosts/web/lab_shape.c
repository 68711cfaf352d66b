/* A body to look at: the library's mesh of it, and its places. */
#include "hosts/web/lab.h"

#include <stdlib.h>

typedef struct lab_shape {
  ct_object *object;
  ct_mesh *mesh;
  double place[6]; /* asked for last: where it is, and its normal */
} lab_shape;

lab_shape *EXPORT(lab_shape_create)(lab *l, const char *body, double rate_hz);
void EXPORT(lab_shape_destroy)(lab_shape *s);
const char *EXPORT(lab_shape_kind)(const lab_shape *s);
uint32_t EXPORT(lab_shape_vertex_count)(const lab_shape *s);
uint32_t EXPORT(lab_shape_face_count)(const lab_shape *s);
uint32_t EXPORT(lab_shape_line_count)(const lab_shape *s);
uint32_t EXPORT(lab_shape_mode_count)(const lab_shape *s);
const float *EXPORT(lab_shape_vertices)(const lab_shape *s);
const float *EXPORT(lab_shape_places)(const lab_shape *s);
const uint32_t *EXPORT(lab_shape_faces)(const lab_shape *s);
const uint32_t *EXPORT(lab_shape_lines)(const lab_shape *s);
const float *EXPORT(lab_shape_motion)(const lab_shape *s, uint32_t mode);
double EXPORT(lab_shape_mode_hz)(const lab_shape *s, uint32_t mode);
const double *EXPORT(lab_shape_place)(lab_shape *s, double u, double v);

/* Null for a body that is not a shape, with nothing in the error; null and a line when it cannot be made. */
lab_shape *lab_shape_create(lab *l, const char *body, double rate_hz) {
  lab_shape *s = calloc(1, sizeof *s);
  l->error = (ct_error){.text = ""};
  if (s && ct_doc_body_object(l->doc, body, rate_hz, &s->object, &l->error) == CT_OK && s->object &&
      ct_mesh_create(s->object, &s->mesh, &l->error) == CT_OK)
    return s;
  lab_shape_destroy(s);
  return NULL;
}

void lab_shape_destroy(lab_shape *s) {
  if (!s)
    return;
  ct_mesh_destroy(s->mesh);
  ct_object_destroy(s->object);
  free(s);
}

const char *lab_shape_kind(const lab_shape *s) { return ct_shape_kind_name(s->mesh->kind); }
uint32_t lab_shape_vertex_count(const lab_shape *s) { return s->mesh->vertex_count; }
uint32_t lab_shape_face_count(const lab_shape *s) { return s->mesh->face_count; }
uint32_t lab_shape_line_count(const lab_shape *s) { return s->mesh->line_count; }
uint32_t lab_shape_mode_count(const lab_shape *s) { return s->mesh->mode_count; }
const float *lab_shape_vertices(const lab_shape *s) { return s->mesh->vertices; }
const float *lab_shape_places(const lab_shape *s) { return s->mesh->places; }
const uint32_t *lab_shape_faces(const lab_shape *s) { return s->mesh->faces; }
const uint32_t *lab_shape_lines(const lab_shape *s) { return s->mesh->lines; }

const float *lab_shape_motion(const lab_shape *s, uint32_t mode) {
  return s->mesh->motions + 3 * (size_t)mode * s->mesh->vertex_count;
}

double lab_shape_mode_hz(const lab_shape *s, uint32_t mode) {
  return ct_object_modal_def(s->object).modes[mode].hz;
}

const double *lab_shape_place(lab_shape *s, double u, double v) {
  ct_mesh_place(ct_object_shape(s->object), u, v, s->place, s->place + 3);
  return s->place;
}
