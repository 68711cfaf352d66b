/* The step response of one mode, and how much it loses on the way. Set-up and ticks only. */
#ifndef CT_BODY_RESPONSE_H
#define CT_BODY_RESPONSE_H

/* a12: x after a step h from x = 0, v = 1. ii: integral of a12 over the step. b22: change of v over it from v
 * = 1. b22 is a22 - 1, because a22 itself is so near 1 at short steps that its rounding, the same at every
 * step, would be a gain or loss of its own: 1e-12 of the energy after ten thousand substeps. */
typedef struct ct_response {
  double a12, ii, b22;
} ct_response;

ct_response ct_response_exact(double w, double g, double h);
ct_response ct_response_bilinear(double w, double g, double h);

/* Loss over a step per kg: g (v^2 vv + 2 v a va + a^2 aa), a the acceleration at the start without damping.
 */
typedef struct ct_response_loss {
  double vv, va, aa;
} ct_response_loss;

ct_response_loss ct_response_loss_exact(double w, double g, double h);
ct_response_loss ct_response_loss_bilinear(double w, double g, double h);

#define CT_SHORTEST_T60_S 1e-9
double ct_damping_from_t60(double t60_s); /* g = 2 ln(1000) / t60, 0 for t60 = 0; never shorter than that */

#endif
