/* From a document's words to an object: shape, sizes and material. What is not said stays as the shape's
 * everyday thing and the named material have it. */
#include "base/text.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ct_result ct_node_list_of(const ct_node *node, const char *name, const char *what, const ct_column **list,
                          ct_error *error) {
  *list = ct_node_column(node, name);
  for (uint32_t i = 0; *list && i < (*list)->count; i++)
    if (isnan((*list)->values[i]))
      return ct_fail(error, CT_BAD_SCENE, "%s%s.%u: missing between others", what, name, i);
  return CT_OK;
}

static ct_result take_size_list(const ct_node *node, ct_shape_def *shape, ct_error *error) {
  const ct_column *sizes;
  CT_TRY(ct_node_list_of(node, "size_m", "modes.", &sizes, error));
  if (!sizes)
    return CT_OK;
  if (sizes->count > 2)
    return ct_fail(error, CT_BAD_SCENE,
                   "modes.size_m: %u sizes; wants one or two (thickness_m and radius_m have names)",
                   sizes->count);
  memcpy(shape->size_m, sizes->values, sizes->count * sizeof(double));
  return CT_OK;
}

static ct_result wrong_length(const char *name, uint32_t given, uint32_t wanted, ct_error *error) {
  return ct_fail(error, CT_BAD_SCENE, "modes.%s: %u values; wants %u", name, given, wanted);
}

/* Lists of a chain or network; `links` is the caller's to free. */
static ct_result take_lumps(const ct_node *node, ct_shape_def *shape, ct_shape_link **links,
                            ct_error *error) {
  static const char *const names[] = {"masses_kg", "springs_n_m", "links_from", "links_to", "links_n_m"};
  const ct_column *lists[5];
  for (int i = 0; i < 5; i++)
    CT_TRY(ct_node_list_of(node, names[i], "modes.", &lists[i], error));
  if (lists[0] && !ct_node_has(node, CT_SHAPE_FIELD_COLUMNS))
    shape->columns = lists[0]->count;
  if (lists[0] && lists[0]->count != shape->columns)
    return wrong_length(names[0], lists[0]->count, shape->columns, error);
  if (lists[1] && lists[1]->count != shape->columns + 1)
    return wrong_length(names[1], lists[1]->count, shape->columns + 1, error);
  shape->masses_kg = lists[0] ? lists[0]->values : NULL;
  shape->springs_n_m = lists[1] ? lists[1]->values : NULL;
  if (!lists[2])
    return CT_OK;
  if (!lists[3] || !lists[4] || lists[3]->count != lists[2]->count || lists[4]->count != lists[2]->count)
    return ct_fail(error, CT_BAD_SCENE,
                   "modes.links_from, links_to and links_n_m want one value per spring each");
  *links = calloc(lists[2]->count, sizeof **links);
  if (!*links)
    return ct_fail(error, CT_NO_MEMORY, "shape: out of memory");
  for (uint32_t i = 0; i < lists[2]->count; i++) {
    double to = lists[3]->values[i];
    (*links)[i] = (ct_shape_link){(uint32_t)lists[2]->values[i], to < 0 ? CT_LINK_GROUND : (uint32_t)to,
                                  lists[4]->values[i]};
  }
  shape->links = *links;
  shape->link_count = lists[2]->count;
  return CT_OK;
}

/* What the everyday thing is made of, known by its elastic constants; lumps of mass are damped like steel. */
static const ct_material *everyday_material(const ct_shape_def *shape) {
  for (uint32_t i = 0; i < ct_material_count(); i++)
    if (ct_material_at(i)->young_pa == shape->young_pa && ct_material_at(i)->poisson == shape->poisson)
      return ct_material_at(i);
  return ct_material_find("steel");
}

/* The named material, or the shape's own; single numbers on top. */
static ct_result take_material(const ct_node *node, ct_shape_def *shape, ct_material *material,
                               ct_error *error) {
  const char *name = ct_node_text(node, CT_SHAPE_FIELD_MATERIAL);
  bool named = ct_node_has(node, CT_SHAPE_FIELD_MATERIAL),
       walked = ct_node_has(node, CT_SHAPE_FIELD_MATERIAL_AT);
  const ct_material *found = named ? ct_material_look_up(name, error) : everyday_material(shape);
  if (!found)
    return CT_BAD_VALUE;
  *material = walked ? ct_material_along(ct_node_number(node, CT_SHAPE_FIELD_MATERIAL_AT)) : *found;
  if (!named && !walked)
    material->density_kg_m3 = shape->density_kg_m3;
  ct_node_give(node, CT_DEF_MATERIAL, material);
  ct_shape_set_material(shape, material);
  return CT_OK;
}

static ct_result describe(const ct_node *node, ct_shape_def *shape, ct_material *material,
                          ct_shape_link **links, ct_error *error) {
  *shape = ct_default_shape_def((ct_shape_kind)ct_node_number(node, CT_SHAPE_FIELD_KIND));
  if (shape->kind == CT_SHAPE_NONE)
    return ct_fail(error, CT_BAD_SCENE, "modes: wants a shape or a list of modes");
  ct_node_give(node, CT_DEF_SHAPE, shape);
  CT_TRY(take_size_list(node, shape, error));
  CT_TRY(take_lumps(node, shape, links, error));
  CT_TRY(take_material(node, shape, material, error));
  /* Every length by one factor, so that `size` in a file and moved while sounding are the same thing. */
  double size = ct_node_number(node, CT_SHAPE_FIELD_SIZE);
  shape->size_m[0] *= size;
  shape->size_m[1] *= size;
  shape->thickness_m *= size;
  shape->radius_m *= size;
  shape->inner_radius_m *= size;
  shape->foot_radius_m *= size;
  shape->foot_thickness_m *= size;
  return CT_OK;
}

/* The object a shape node describes; `note` says what it could not give ("" when all is well). */
static ct_result make_object(const ct_node *node, double max_hz, ct_object **object, char *note,
                             size_t note_size, ct_error *error) {
  ct_shape_def shape;
  ct_material material;
  ct_shape_link *links = NULL;
  ct_shape_found found;
  uint32_t count = (uint32_t)ct_node_number(node, CT_SHAPE_FIELD_COUNT);
  ct_result result = describe(node, &shape, &material, &links, error);
  if (result == CT_OK)
    result = ct_object_create(&shape, &material, count, max_hz * 0.999, object, &found, error);
  bool wanted = ct_node_number(node, CT_SHAPE_FIELD_RESIDUAL) != 0;
  if (result == CT_OK && wanted)
    result = ct_object_add_residual(*object, error);
  free(links);
  double hung = ct_node_number(node, CT_SHAPE_FIELD_HUNG_HZ);
  if (result == CT_OK) {
    ct_format(note, note_size, "%s", found.end == CT_SHAPE_END_MAX_HZ ? found.note : "");
    if (wanted && ct_object_modal_def(*object).residual_m_n == 0)
      ct_format(note, note_size, "residual: none is known of a %s; it yields by its modes only",
                ct_shape_kind_name(shape.kind));
    if (hung > 0)
      result = ct_object_hang(*object, hung, ct_node_number(node, CT_SHAPE_FIELD_HUNG_T60), error);
  }
  if (result != CT_OK) {
    ct_object_destroy(*object);
    *object = NULL;
  }
  return result;
}

const ct_node *ct_node_shape(const ct_node *body) {
  const ct_node_list *shape = &body->kids[CT_KIDS_SHAPE];
  return shape->count && !ct_node_has(shape->items[0], CT_SHAPE_FIELD_FROM) ? shape->items[0] : NULL;
}

void ct_doc_forget_object(ct_node *shape) {
  if (shape->kept)
    ct_object_destroy(shape->kept->object);
  free(shape->kept);
  shape->kept = NULL;
}

ct_result ct_doc_keep_object(ct_node *shape, double max_hz, const ct_kept_object **kept, ct_error *error) {
  if (shape->kept && shape->kept->max_hz != max_hz)
    ct_doc_forget_object(shape);
  ct_result result = CT_OK;
  if (!shape->kept) {
    if (!(shape->kept = calloc(1, sizeof *shape->kept)))
      return ct_fail(error, CT_NO_MEMORY, "out of memory");
    shape->kept->max_hz = max_hz;
    result =
        make_object(shape, max_hz, &shape->kept->object, shape->kept->note, sizeof shape->kept->note, error);
    if (result != CT_OK)
      ct_doc_forget_object(shape);
  }
  *kept = shape->kept;
  return result;
}

ct_result ct_doc_body_object(const ct_doc *doc, const char *body, double rate_hz, ct_object **object,
                             ct_error *error) {
  if (!doc || !body || !object)
    return ct_fail(error, CT_BAD_ARGUMENT, "body: a null pointer");
  const ct_node *node = ct_node_named(&doc->root->kids[CT_KIDS_BODIES], body);
  if (!node)
    return ct_fail(error, CT_BAD_PATH, "there is no body called '%.48s' in this scene", body);
  *object = NULL;
  const ct_node *shape = ct_node_shape(node);
  char note[160];
  return shape ? make_object(shape, rate_hz / 2, object, note, sizeof note, error) : CT_OK;
}
