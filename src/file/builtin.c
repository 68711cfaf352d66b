/* The scenes that come with the library; the table is made by the build. */
#include "file/load.h"

#include <string.h>

const struct ct_builtin_scene *ct_builtin_find(const char *name) {
  const struct ct_builtin_scene *scene = ct_builtin_scenes;
  while (scene->name && strcmp(scene->name, name) != 0)
    scene++;
  return scene->name ? scene : NULL;
}

uint32_t ct_builtin_count(void) { return (uint32_t)ct_builtin_scene_count; }

const char *ct_builtin_name(uint32_t index) {
  return index < ct_builtin_scene_count ? ct_builtin_scenes[index].name : NULL;
}

const char *ct_builtin_text(const char *name, size_t *length) {
  const struct ct_builtin_scene *scene = ct_builtin_find(name);
  if (scene && length)
    *length = scene->length;
  return scene ? scene->json : NULL;
}
