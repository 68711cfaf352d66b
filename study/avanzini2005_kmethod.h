/* The papers' own solver: modal bodies and bristle by the bilinear transformation, the delay-free loop by the
 * K method and Newton's iteration (Avanzini, Serafin and Rocchesso 2005, section IV; the iteration as in
 * their paper of 2002, section 3.1). Constant sigma_1, no roughness. Nothing of the engine is in it.
 *
 * Misprints put right: K in section IV-A is D (2 Fs I - A)^-1 C; alpha_m takes |z|; Newton goes on while the
 * error is above the bound, not below. */
#ifndef CT_STUDY_AVANZINI2005_KMETHOD_H
#define CT_STUDY_AVANZINI2005_KMETHOD_H

#include "study/avanzini2005_rub.h"

#define KMETHOD_BOUND 1e-13 /* m/s, on |y_k+1 - y_k| */
#define KMETHOD_MOST 100    /* iterations before it is called off */

/* One mode, eqs. 11 and 12. */
typedef struct kmethod_mode {
  double a11, a12, a21, a22, b1, b2;
  double x_m, v_m_s;
} kmethod_mode;

typedef struct kmethod {
  ct_friction_def friction;
  kmethod_mode resonator[RUB_MODES];
  kmethod_mode exciter; /* one 0 Hz mode: a mass that slides */
  uint32_t modes;
  double b, k1, k2; /* eqs. 13 and 14 */
  bool delayed;     /* the bodies get the force one sample late: no loop left to solve for v */

  double push_n;                   /* external force on the exciter; set it at any time */
  double v_m_s, z_m, y_m_s, f_n;   /* relative velocity, bristle, its rate, friction at sample n */
  double applied_n, applied_was_n; /* friction that the bodies get at n and got at n - 1 */
  double pushed_n;                 /* push at n - 1 */
  uint32_t iterations;             /* of the last step */
  bool converged;
} kmethod;

/* At rest, the exciter already moving; one whose motion is imposed becomes very heavy. [any] */
void kmethod_start(kmethod *k, const rub *rub, bool delayed);
void kmethod_step(kmethod *k);
double kmethod_velocity_m_s(const kmethod *k); /* of the resonator, where it is rubbed */

#endif
