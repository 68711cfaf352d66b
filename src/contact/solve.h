/* Solves d = d_free - C f(d) for the contacts of one island over one substep. */
#ifndef CT_CONTACT_SOLVE_H
#define CT_CONTACT_SOLVE_H

#include "contact/contact.h"

#define CT_PASSES 4u          /* so a set takes less than two of them, and a solve has at most two sets */
#define CT_FRICTION_PASSES 8u /* of a set with friction: choose every lambda, solve, choose again */

/* C between two contacts, and the level and revisions of bodies it is for. */
typedef struct ct_kept_compliance {
  uint64_t key;
  double m_n;
} ct_kept_compliance;

/* Room for n contacts, laid out once. */
typedef struct ct_solver {
  uint32_t capacity;
  const ct_bank_kernels *kernels;
  double *compliance;       /* n x n */
  double *matrix;           /* n x n, factored in place */
  ct_kept_compliance *kept; /* n x n by the contacts' numbers; none for one contact */
  double *force, *slope, *stored, *residual, *root, *step, *push, *d, *q, *trial, *near;
  double *direction, *scaled, *image; /* of conjugate gradients */
  double *pushed;                     /* C f */
  ct_contact **active;
  /* The set whose compliance is still there; its level and revisions. */
  ct_contact **known;
  uint32_t known_count, known_level;
  uint64_t known_revision;
  uint32_t evaluations;              /* of the last solve */
  uint32_t most;                     /* where the running pass must end */
  uint32_t searches, longest_search; /* evaluations of friction's Lambda: all, and the most of one search */
  bool fell_back;
  bool keeps_account; /* somebody reads this: */
  double rounding;    /* sum |f_i C_ij f_j| of the last solve */
} ct_solver;

bool ct_solver_lay(ct_solver *solver, ct_arena *arena, uint32_t contacts);

/* Contacts were joined or parted: what is known of a set may be another's. */
void ct_solver_forget(ct_solver *solver);

/* Fills compliance from the bodies, solves, and leaves d_m, now_n, lost_j and the new state in each contact.
 */
void ct_solve(ct_solver *solver, ct_contact *const *contacts, uint32_t count, uint32_t level,
              ct_effort *effort);

/* Solves d + C f(d) = free_m for the contacts' laws, C given in `compliance`, from forces now_n; leaves d and
 * force in the solver. False: not within the evaluations of a pass. */
bool ct_solve_laws(ct_solver *solver, ct_contact *const *contacts, uint32_t count);

#endif
