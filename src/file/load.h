/* Scenes by name: a built-in one, or a file. What others may call is in <contatto/file.h>. */
#ifndef CT_FILE_LOAD_H
#define CT_FILE_LOAD_H

#include "file/builtin.h"
#include "file/claims.h"
#include <contatto/file.h>

/* Null when there is none of that name. [any] */
const struct ct_builtin_scene *ct_builtin_find(const char *name);

enum { CT_FOLDER_BYTES = 1024 };

/* Where the files lie that a scene names: beside its own; "" where the program runs. [any] */
void ct_scene_folder(const char *scene, char folder[CT_FOLDER_BYTES]);

#endif
