/* A built-in name wins over a file of the same name; "./name" means the file. */
#include "file/load.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name counts as near when under half of it is wrong. */
static void nearest_names(const char *name, char *text, size_t room) {
  uint32_t best = (uint32_t)(strlen(name) + 1) / 2;
  size_t used = 0;
  *text = 0;
  for (uint32_t distance = 1; distance <= best && !used; distance++)
    for (size_t i = 0; i < ct_builtin_scene_count; i++) {
      if (used < room && ct_edit_distance(name, ct_builtin_scenes[i].name) == distance)
        used +=
            (size_t)snprintf(text + used, room - used, "%s%s", used ? " or " : "", ct_builtin_scenes[i].name);
    }
}

static ct_result unknown_scene(const char *scene, ct_error *error) {
  char names[120];
  nearest_names(scene, names, sizeof names);
  if (*names)
    return ct_fail(error, CT_BAD_PATH, "%.80s: no such scene or file; did you mean %s?", scene, names);
  return ct_fail(error, CT_BAD_PATH, "%.80s: no such scene or file; 'contatto list' shows the built-in ones",
                 scene);
}

void ct_scene_folder(const char *scene, char folder[CT_FOLDER_BYTES]) {
  const char *slash = strrchr(scene, '/');
  bool file = slash && !ct_builtin_find(scene) && (size_t)(slash - scene) < CT_FOLDER_BYTES;
  snprintf(folder, CT_FOLDER_BYTES, "%.*s", file ? (int)(slash - scene) : 0, scene);
  if (slash == scene)
    snprintf(folder, CT_FOLDER_BYTES, "/");
}

/* Null text: only the files that the document names already. */
static ct_result read_text(ct_doc *doc, const char *scene, const char *text, size_t length, ct_error *error) {
  char folder[CT_FOLDER_BYTES];
  ct_scene_folder(scene, folder);
  ct_outside outside = {.folder = folder};
  ct_result result = text ? ct_doc_read_json(doc, scene, text, length, ct_outside_bring, &outside, error)
                          : ct_doc_read_outside(doc, ct_outside_bring, &outside, error);
  ct_outside_clear(&outside);
  return result;
}

static ct_result read_into(ct_doc *doc, const char *scene, ct_error *error) {
  const struct ct_builtin_scene *builtin = ct_builtin_find(scene);
  if (builtin)
    return read_text(doc, scene, builtin->json, builtin->length, error);
  if (access(scene, F_OK) != 0 && !strchr(scene, '/'))
    return unknown_scene(scene, error);
  char *text;
  size_t length;
  CT_TRY(ct_text_file_read(scene, &text, &length, error));
  ct_result result = read_text(doc, scene, text, length, error);
  free(text);
  return result;
}

ct_result ct_doc_read_scans(ct_doc *doc, const char *scene, ct_error *error) {
  return read_text(doc, scene, NULL, 0, error);
}

ct_result ct_doc_load(const char *scene, ct_doc **doc, ct_error *error) {
  ct_doc *made = ct_doc_create();
  if (!made)
    return ct_fail(error, CT_NO_MEMORY, "%.80s: no memory for the scene", scene);
  ct_result result = read_into(made, scene, error);
  if (result == CT_OK && ct_doc_body_count(made) == 0)
    result = ct_fail(error, CT_BAD_SCENE, "%.200s: holds no bodies; a scene wants at least one", scene);
  if (result == CT_OK)
    *doc = made;
  else
    ct_doc_destroy(made);
  return result;
}
