/* What is said when there is no room. [setup] */
#ifndef CT_SCENE_FULL_H
#define CT_SCENE_FULL_H

#include "scene/scene.h"

/* For a part that takes so many bytes of the pool: no slot is free, or the pool is too small. CT_FULL. */
ct_result ct_full_part(const ct_scene *scene, ct_part part, const char *name, size_t bytes, ct_error *error);
/* For so many messages; name may be null. CT_FULL. */
ct_result ct_full_queue(ct_scene *scene, const char *what, const char *name, uint32_t wanted,
                        ct_error *error);
/* For a control, or for its targets. CT_FULL. */
ct_result ct_full_controls(const ct_scene *scene, const char *name, uint32_t targets, ct_error *error);
/* Whether a scene can have such capacities. */
ct_result ct_full_check_def(const ct_scene_def *def, ct_error *error);

#endif
