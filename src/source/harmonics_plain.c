/* The harmonic sum for any machine, and the choice between the two. */
#define LANES 2
#include "source/harmonics_kernel.h"

#if defined(__x86_64__) && !defined(CT_NO_AVX2)
extern ct_harmonics_kernel *const ct_harmonics_avx2;

static bool wide(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

ct_harmonics_kernel *ct_harmonics_kernel_at(uint32_t index) {
  if (!wide())
    index++;
  return index == 0 ? ct_harmonics_avx2 : index == 1 ? kernel_block : NULL;
}
#else
ct_harmonics_kernel *ct_harmonics_kernel_at(uint32_t index) { return index == 0 ? kernel_block : NULL; }
#endif
