/* The end of a plan. */
#include "sweep/plan.h"
#include "sweep/watch.h"

#include <stdlib.h>

static void free_words(char **words, uint32_t count) {
  for (uint32_t i = 0; words && i < count; i++)
    free(words[i]);
  free(words);
}

static void free_vary(ct_sweep_vary *v) {
  free_words(v->words, v->count);
  free_words(v->labels, v->count);
  free(v->numbers);
  free(v->name);
  free(v->column);
  free(v->about);
  free(v->with);
}

static void free_part(ct_sweep_part *part) {
  for (uint32_t i = 0; i < part->set_count; i++) {
    free(part->sets[i].path);
    free(part->sets[i].text);
  }
  for (uint32_t i = 0; i < part->vary_count; i++)
    free_vary(&part->vary[i]);
  free(part->sets);
  free(part->vary);
  free(part->name);
  free(part->scene);
  free(part->preset);
  free(part->gesture);
}

void ct_sweep_plan_free(ct_sweep_plan *plan) {
  if (!plan)
    return;
  for (uint32_t i = 0; i < plan->part_count; i++)
    free_part(&plan->parts[i]);
  for (uint32_t i = 0; i < plan->gesture_count; i++) {
    free(plan->gestures[i].name);
    free(plan->gestures[i].gesture);
  }
  for (uint32_t i = 0; i < plan->input_count; i++) {
    free(plan->inputs[i].file);
    free(plan->inputs[i].name);
  }
  ct_sweep_watches_free(plan->watches, plan->watch_count);
  free(plan->parts);
  free(plan->gestures);
  free(plan->inputs);
  free(plan->title);
  free(plan->about);
  free(plan->licence);
  free(plan->file);
  free(plan->text);
  free(plan);
}
