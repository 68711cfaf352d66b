/* The harmonic sum compiled for AVX2 and FMA (flags in the build file); used only where the machine has both.
 */
#if defined(__AVX2__) && defined(__FMA__)
#define LANES 4
#include "source/harmonics_kernel.h"

extern ct_harmonics_kernel *const ct_harmonics_avx2;
ct_harmonics_kernel *const ct_harmonics_avx2 = kernel_block;
#else
typedef int ct_harmonics_avx2_not_built;
#endif
