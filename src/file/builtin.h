/* The scenes that travel inside the program: the files of scenes/, byte for byte, turned into a table by the
 * build, in alphabetical order of name. Behind them are the scenes and plans of studies, which are found by
 * name but not counted; one empty row is the last. */
#ifndef CT_FILE_BUILTIN_H
#define CT_FILE_BUILTIN_H

#include <stddef.h>

struct ct_builtin_scene {
  const char *name; /* file name without .json */
  const char *json; /* UTF-8 text, zero-terminated */
  size_t length;    /* bytes of json, without the closing zero */
};

extern const struct ct_builtin_scene ct_builtin_scenes[];
extern const size_t ct_builtin_scene_count;

#endif
