/* The energy account: stored = start + force + motion + parameter + noise - lost in bodies - lost in contacts
 * + error. Losses come from the bodies' own closed forms, not from this balance, so the error is a real
 * check.
 *
 * How large may rounding make it? Each step has its balances: of a mode, of a filter, of a contact's law, of
 * a solve. Each is a sum of products that would be zero, and each product is off by at most as many roundings
 * u = 2^-53 as it has operations. So with every step the account grows uncertain by at most u times the sum
 * of the sizes of all terms, each as often as it was rounded. That sum is gross_j, added up by those who make
 * the terms (modal_account.c, string.c, impact.c, friction.c, step.c, drives.c). Only what rounding can do is
 * in it, never what a solver left or a coefficient is wrong by: a mistake must show. */
#include "base/sized.h"
#include "scene/scene.h"

#include <math.h>

double ct_stored_j(const ct_scene *s) {
  double sum = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++)
    sum += ct_live_body(s, i)->kind->stored_j(ct_live_body(s, i));
  for (uint16_t i = 0; i < s->joined_count; i++)
    sum += s->joined[i]->stored_j;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    sum += ct_live_drive(s, i)->free ? ct_way_kinetic_j(&ct_live_drive(s, i)->way.as.way) : 0;
  return sum;
}

/* Books what a change made of the stored energy since `before_j`. */
void ct_book_jump(ct_scene *s, ct_sum *column, double before_j) {
  if (!s->def.ledger)
    return;
  double now = ct_stored_j(s);
  ct_sum_add(column, now - before_j);
  ct_sum_add(&s->account.work, fabs(now - before_j));
  s->account.gross_j += 8 * (fabs(now) + fabs(before_j)); /* both are sums of products */
  s->account.stored_j = now;
}

/* The same before the first sample: what the scene starts with. */
void ct_book_start(ct_scene *s, double before_j) {
  if (!s->def.ledger)
    return;
  s->account.stored_j = ct_stored_j(s);
  s->account.start_j += s->account.stored_j - before_j;
  s->account.largest_j = fmax(s->account.largest_j, s->account.stored_j);
}

void ct_account_step(ct_scene *s) {
  s->account.stored_j = ct_stored_j(s);
  s->account.largest_j = fmax(s->account.largest_j, s->account.stored_j);
}

void ct_scene_ledger_sized(const ct_scene *s, ct_ledger *to, uint32_t size) {
  const ct_account *a = &s->account;
  ct_ledger l = {
      .stored_j = a->stored_j,
      .force_j = ct_sum_value(&a->force),
      .motion_j = ct_sum_value(&a->motion),
      .parameter_j = ct_sum_value(&a->parameter),
      .noise_j = ct_sum_value(&a->noise),
      .lost_bodies_j = ct_sum_value(&a->bodies),
      .lost_contacts_j = ct_sum_value(&a->contacts),
      .scale_j = a->largest_j + ct_sum_value(&a->work),
      .rounding_j = 0x1p-53 * a->gross_j,
  };
  ct_sum error = {a->stored_j, 0};
  const double terms[] = {-a->start_j, -l.force_j,      -l.motion_j,      -l.parameter_j,
                          -l.noise_j,  l.lost_bodies_j, l.lost_contacts_j};
  for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
    ct_sum_add(&error, terms[i]);
  l.error_j = ct_sum_value(&error);
  /* A step that went wrong makes huge terms, and they are no excuse for it: rounding is bounded by all that
   * moved, too. But forces from outside that hold one another (1e6 N against 1e6 N) or are held by a contact
   * move next to nothing, and their own rounding is all that does; so what each of them would have done alone
   * counts as well: no solver has a part in that. What is smaller than any sound is not judged: squares of it
   * leave a double's range. */
  double moved_j = l.scale_j + a->alone_j;
  l.allowance_j = 1e-12 * l.scale_j + fmin(l.rounding_j, 1e-3 * moved_j) + 1e-50;
  ct_give_bytes(to, size, &l, sizeof l);
}
