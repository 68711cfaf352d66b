/* What adding any part needs: a name nobody has, a free slot, a place to end at, and the announcement. Set-up
 * thread. */
#ifndef CT_SCENE_ADD_H
#define CT_SCENE_ADD_H

#include "scene/scene.h"

/* What was given is a definition, and goes over the standard values in `def`; there is room for the message,
 * and nobody has its name. Without one it gets `made`. */
ct_result ct_add_begin(ct_scene *s, ct_part part, const void *given, void *def, char made[CT_NAME_MAX],
                       ct_error *error);
/* What ct_take_rows gave; null: why there is nothing. */
ct_result ct_add_check_rows(const char *what, const void *taken, ct_error *error);
/* Points of another length than this library's, as in ct_take_rows. */
ct_result ct_add_take_points(const ct_point_def **points, uint32_t count, uint32_t stride, void **made,
                             ct_error *error);
/* The body and point that `place` or, if that is none, "body.point" `at` stands for. */
ct_result ct_add_find_spot(ct_scene *s, const char *what, const char *name, const char *at,
                           const ct_point_id *place, ct_spot *spot, ct_error *error);

/* The slot of a part by id or, if that is none, by name; -1: none. */
int ct_add_find_part(const ct_scene *s, ct_part part, const char *name, ct_id id);
/* Whether the bodies of the scene can make steps of this level. */
ct_result ct_add_check_level(const ct_scene *s, const char *what, const char *name, uint32_t finest,
                             ct_error *error);
void ct_add_announce(ct_scene *s, ct_part part, uint16_t slot, void *user_data);
/* What the host gets: the part announced last, if all went well. */
static inline ct_id ct_add_end(const ct_scene *s, ct_result result) {
  return result == CT_OK ? s->added : (ct_id){0, 0};
}
void ct_add_collect(ct_scene *s);

/* Bodies: prepare, lay out on a counting arena, place (null: no room), lay out again, fill, announce. */
ct_result ct_add_check_point(const char *body, const ct_point_def *points, uint32_t index, ct_error *error);
void ct_add_prepare_body(const ct_scene *s, ct_body *body, const char *name);
ct_body *ct_add_place_body(ct_scene *s, ct_body *counted, ct_arena *arena, ct_error *error);

#endif
