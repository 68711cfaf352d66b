/* The version, and results as words. */
#include <contatto/base.h>

const char *ct_version(void) { return CT_VERSION; }

const char *ct_result_text(ct_result result) {
  static const char *const words[] = {[CT_OK] = "ok",
                                      [CT_BAD_ARGUMENT] = "bad argument",
                                      [CT_BAD_PATH] = "no such path",
                                      [CT_BAD_VALUE] = "bad value",
                                      [CT_BAD_SCENE] = "parts that do not fit",
                                      [CT_FULL] = "no room left",
                                      [CT_NO_MEMORY] = "out of memory",
                                      [CT_BAD_FILE] = "file trouble",
                                      [CT_NOT_FINITE] = "not finite",
                                      [CT_BROKEN] = "energy account broken"};
  return (size_t)result < sizeof words / sizeof words[0] ? words[result] : "unknown result";
}
