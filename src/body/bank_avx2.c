/* The bank compiled for AVX2 and FMA (flags in the build file); used only where the machine has both. */
#if defined(__AVX2__) && defined(__FMA__)
#include "body/bank_kernels.h"

extern const ct_bank_kernels ct_bank_avx2;
const ct_bank_kernels ct_bank_avx2 = {"avx2",       PASS_TABLE,    GLIDE_TABLE,  COAST_TABLE,
                                      kernel_push,  kernel_over,   kernel_dot,   kernel_dot3,
                                      kernel_glide, kernel_settle, kernel_blend, kernel_multiply};
#else
typedef int ct_bank_avx2_not_built;
#endif
