/* The modal bank's inner loops: four lanes at a time, compiled once for any machine and once for AVX2 + FMA;
 * the scene picks when it is made. Arrays are padded to eight lanes; padding lanes hold zeros and stay zero.
 */
#ifndef CT_BODY_BANK_H
#define CT_BODY_BANK_H

#include <stdint.h>

#define CT_LANES 8u /* padding unit */

typedef struct ct_coefficients {
  double *a12, *ii, *b22;
} ct_coefficients;

typedef struct ct_losses {
  double *vv, *va, *aa; /* per kg */
} ct_losses;

/* What the loops read and write; `acceleration` is null when no force acts. */
typedef struct ct_bank {
  uint32_t lanes;
  double *x, *v;
  const double *stiffness_over_mass;
  const double *acceleration;
  ct_coefficients rule; /* of the step made */
  ct_coefficients next; /* of the step predicted */
} ct_bank;

/* Sums over the modes at one port, after the step. */
typedef struct ct_bank_port {
  const double *gain;
  double x, v, dx_free;
} ct_bank_port;

typedef struct ct_bank_kernels {
  const char *name;
  /* one step, then the port sums of the next, in one pass */
  void (*step)(const ct_bank *bank, ct_bank_port *ports, uint32_t count);
  /* port sums only */
  void (*read)(const ct_bank *bank, ct_bank_port *ports, uint32_t count);
  /* acceleration += force * gain_over_mass */
  void (*push)(uint32_t lanes, double *acceleration, const double *gain_over_mass, double force);
  /* sum of p * q * r */
  double (*dot3)(uint32_t lanes, const double *p, const double *q, const double *r);
  /* gain_i = sum_k weight_k table[k * lanes + i], four rows */
  void (*blend)(uint32_t lanes, double *out, const double *rows[4], const double weights[4]);
} ct_bank_kernels;

const ct_bank_kernels *ct_bank_choose(void);
/* Every set this machine can run, ending in null; for tests and benchmarks. */
const ct_bank_kernels *const *ct_bank_all(void);

#endif
