/* The bank for any machine, and the choice between the sets. */
#include "body/bank_kernels.h"

static const ct_bank_kernels plain = {"plain",      PASS_TABLE,    GLIDE_TABLE,  COAST_TABLE,
                                      kernel_push,  kernel_over,   kernel_dot,   kernel_dot3,
                                      kernel_glide, kernel_settle, kernel_blend, kernel_multiply};

#if defined(__x86_64__) && !defined(CT_NO_AVX2)
extern const ct_bank_kernels ct_bank_avx2;
static const ct_bank_kernels *const with_avx2[] = {&ct_bank_avx2, &plain, NULL};
static const ct_bank_kernels *const without[] = {&plain, NULL};

const ct_bank_kernels *const *ct_bank_all(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? with_avx2 : without;
}
#else
static const ct_bank_kernels *const only[] = {&plain, NULL};

const ct_bank_kernels *const *ct_bank_all(void) { return only; }
#endif

const ct_bank_kernels *ct_bank_choose(void) { return ct_bank_all()[0]; }
