/* The modal bank's inner loops: four lanes at a time, compiled once for any machine and once for AVX2 + FMA;
 * the scene picks when it is made. Arrays are padded to four lanes; padding lanes hold zeros and stay zero.
 */
#ifndef CT_BODY_BANK_H
#define CT_BODY_BANK_H

#include <stdint.h>

#define CT_LANES 4u /* padding unit */
#define CT_TICK 8u  /* samples between coefficient updates, counted from sample 0 */

/* Over one step: dx = a12 v - jj x + ii a, dv = b22 v - kk x + a12 a, a the acceleration by forces; jj = w^2
 * ii and kk = w^2 a12. */
typedef struct ct_coefficients {
  double *a12, *ii, *b22, *jj, *kk;
} ct_coefficients;

typedef struct ct_losses {
  double *vv, *va, *aa;
  /* how far rounding may put the energy balance off (modal_account.c): roundings of the energy and of the
   * work, velocity per force, displacement per velocity */
  double *state, *work, *reach, *sway;
} ct_losses;

/* Rows of a port that glides: what gains aim at, by how much they go there per sample, and both over the
 * masses. */
enum { CT_AIM, CT_AIM_OVER_MASS, CT_STEP, CT_STEP_OVER_MASS, CT_GLIDE_ROWS };

/* What the loops read and write. Forces come as one push, as accelerations, as both, or not at all. */
typedef struct ct_bank {
  uint32_t lanes;
  double *x, *v;
  const ct_coefficients *rule; /* of the step made */
  const ct_coefficients *next; /* of the step predicted */
  const double *acceleration;
  const double *push_gain_over_mass;
  double push_n;
} ct_bank;

#define CT_SUMS 2u /* of each kind in one pass */

/* Sums over the modes, after the step: what each port will do if left alone, and its velocity; and where they
 * go. */
typedef struct ct_bank_sums {
  uint32_t free_count, v_count;
  const double *free_gain[CT_SUMS], *v_gain[CT_SUMS];
  double *free_to[CT_SUMS], *v_to[CT_SUMS];
} ct_bank_sums;

/* The push comes beside the bank, in a register, and so does the first free sum go: they are what everything
 * else waits for. */
typedef double ct_bank_pass(const ct_bank *bank, const ct_bank_sums *sums, double push_n);

/* A port that glides: its gains, `left` steps before what they aim at. Between two steps of the bank: how far
 * it slides, and its compliance over the next one. */
typedef struct ct_bank_glide {
  double *gain, *over_mass;
  const double *rows; /* CT_GLIDE_ROWS of them */
  uint32_t left;
  double slide_m, compliance_m_n;
} ct_bank_glide;

/* The same, where the one port whose free sum is wanted glides. */
typedef double ct_bank_glide_pass(const ct_bank *bank, const ct_bank_sums *sums, double push_n,
                                  ct_bank_glide *glide);

/* The velocities after each step go to v_m_s. */
typedef void ct_bank_coast(const ct_bank *bank, const ct_bank_sums *sums, uint32_t count,
                           double *const v_m_s[CT_SUMS]);

/* How a step is forced, as bits. */
enum { CT_PUSHED = 1, CT_ACCELERATED = 2, CT_STILL = 4, CT_FORCINGS }; /* still: no step, only sums */

typedef struct ct_bank_kernels {
  const char *name;
  /* One step, then the sums for the next, in one pass: by the sums wanted, how it is forced, and whether the
   * next step is as long as this one. */
  ct_bank_pass *pass[CT_SUMS + 1][CT_SUMS + 1][CT_FORCINGS]
                    [2]; /* By the velocities wanted and how it is forced; the next step is as long. */
  ct_bank_glide_pass *glide_pass[CT_SUMS + 1][CT_STILL];
  /* Up to CT_TICK steps by the bank's rule, which no contact touches, with the sums for the one after them:
   * by the sums wanted, one free one at most, and whether there is an acceleration. */
  ct_bank_coast *coast[2][CT_SUMS + 1][2];
  /* acceleration += force * gain_over_mass */
  void (*push)(uint32_t lanes, double *acceleration, const double *gain_over_mass, double force);
  /* over = row / mass; the padding has masses, too */
  void (*over)(uint32_t lanes, double *over, const double *row, const double *mass);
  /* sum of p * q */
  double (*dot)(uint32_t lanes, const double *p, const double *q);
  /* sum of p * q * r */
  double (*dot3)(uint32_t lanes, const double *p, const double *q,
                 const double *r); /* gain = aim - left * step, the same over the masses; sum of step * x */
  double (*glide)(uint32_t lanes, const ct_bank_glide *glide, const double *x);
  /* Where v^2 + stiffness x^2 is less than the least, v and, under a stiffness, x become 0; the sum of it all
   */
  double (*settle)(uint32_t lanes, double *x, double *v, const double *stiffness, double least);
  /* gain_i = sum_k weight_k table[k * lanes + i], four rows */
  void (*blend)(uint32_t lanes, double *out, const double *rows[4], const double weights[4]);
  /* out = matrix v, for a symmetric matrix of n rows without padding */
  void (*multiply)(uint32_t n, const double *matrix, const double *v, double *out);
} ct_bank_kernels;

static inline void ct_bank_step(const ct_bank_kernels *kernels, const ct_bank *bank,
                                const ct_bank_sums *sums) {
  uint32_t forcing = (bank->push_gain_over_mass ? CT_PUSHED : 0) | (bank->acceleration ? CT_ACCELERATED : 0);
  kernels->pass[sums->free_count][sums->v_count][forcing][bank->rule == bank->next](bank, sums, bank->push_n);
}

static inline void ct_bank_read(const ct_bank_kernels *kernels, const ct_bank *bank,
                                const ct_bank_sums *sums) {
  kernels->pass[sums->free_count][sums->v_count][CT_STILL][0](bank, sums, 0);
}

const ct_bank_kernels *ct_bank_choose(void);
/* Every set this machine can run, ending in null; for tests and benchmarks. */
const ct_bank_kernels *const *ct_bank_all(void);

#endif
