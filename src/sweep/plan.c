/* What a plan points to lives as long as the plan: a list of blocks, each behind the pointer to the next. */
#include "sweep/plan_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct block {
  struct block *next;
  double bytes[]; /* aligned for anything that is kept here */
} block;

void *ct_sweep_plan_take(ct_sweep_plan *plan, size_t count, size_t size) {
  block *new = calloc(1, sizeof *new + count *size);
  if (!new)
    return NULL;
  new->next = plan->blocks;
  plan->blocks = new;
  return new->bytes;
}

char *ct_sweep_plan_text(ct_sweep_plan *plan, const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = ct_sweep_plan_take(plan, bytes, 1);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

void ct_sweep_plan_free(ct_sweep_plan *plan) {
  if (!plan)
    return;
  for (uint32_t i = 0; i < plan->gesture_count; i++)
    free(plan->gestures[i].gesture);
  for (block *at = plan->blocks, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  free(plan->gestures);
  free(plan->inputs);
  free(plan->text);
  free(plan);
}
