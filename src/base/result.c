/* The version, and results as words. */
#include <contatto/base.h>

const char *ct_version(void) { return CT_VERSION; }

const char *ct_result_text(ct_result result) {
  switch (result) {
  case CT_OK:
    return "ok";
  case CT_BAD_ARGUMENT:
    return "bad argument";
  case CT_BAD_PATH:
    return "no such path";
  case CT_BAD_VALUE:
    return "bad value";
  case CT_BAD_SCENE:
    return "parts that do not fit";
  case CT_FULL:
    return "no room left";
  case CT_NO_MEMORY:
    return "out of memory";
  case CT_BAD_FILE:
    return "file trouble";
  case CT_NOT_FINITE:
    return "not finite";
  case CT_BROKEN:
    return "energy account broken";
  }
  return "unknown result";
}
