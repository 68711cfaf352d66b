/* contatto sweep --dry-run: a plan in words. */
#include "hosts/cli/cli.h"
#include "hosts/cli/sweep.h"
#include "sweep/sweep.h"

#include <string.h>

static void tell_values(const ct_sweep_vary *v) {
  enum { SHOWN = 8 };
  if (v->with)
    printf(v->count ? "with %s: " : "as %s", v->with);
  if (!v->count && v->with)
    return;
  if (!v->count) {
    printf("%g to %g%s%s, %s", v->min, v->max, *v->unit ? " " : "", v->unit,
           v->scale == CT_LOG ? "log" : "linear");
    if (v->whole)
      printf(", whole numbers");
    if (v->steps)
      printf(", %u steps", v->steps);
    return;
  }
  for (uint32_t i = 0; i < v->count && i < SHOWN; i++) {
    printf(i ? ", " : "");
    if (v->words)
      printf("%s", v->words[i]);
    else
      printf("%g", v->numbers[i]);
    if (v->labels)
      printf(" (%s)", v->labels[i]);
  }
  if (v->count > SHOWN)
    printf(" and %u more", v->count - SHOWN);
  if (!v->words && *v->unit)
    printf(" %s", v->unit);
}

static void tell_part(const ct_sweep_plan *plan, const ct_sweep_part *part) {
  static const char *const samples[] = {"a grid", "random", "Halton"};
  printf("\n");
  if (plan->part_count > 1)
    printf("part %u%s%s: ", (unsigned)(part - plan->parts), part->name ? ", " : "",
           part->name ? part->name : "");
  if (part->scene)
    printf("scene %s, ", part->scene);
  if (part->preset)
    printf("preset %s, ", part->preset);
  printf("gesture %s, ", part->gesture);
  if (part->own_seeds)
    printf("a seed for each, ");
  printf("%llu sounds of %g s at %g Hz, %s\n", (unsigned long long)part->count, part->longest_s,
         part->rate_hz, samples[part->sample]);
  for (uint32_t i = 0; i < part->set_count; i++)
    printf("  %-24s = %s\n", part->sets[i].path, part->sets[i].text);
  for (uint32_t i = 0; i < part->vary_count; i++) {
    printf("  %-24s : ", part->vary[i].name);
    tell_values(&part->vary[i]);
    printf("\n");
  }
}

/* Files that have to lie beside the plan, on another machine too. */
static void tell_inputs(const ct_sweep_plan *plan) {
  const char *between = "\n";
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].file) {
      printf("%sreads %s\n", between, plan->inputs[i].name);
      between = "";
    }
}

int sweep_tell(const sweep_job *j) {
  static const char *const writes[] = {"WAV", "FLAC", "measures only", "what is watched only"};
  ct_error error = {.text = ""};
  ct_sweep_plan *plan = NULL;
  if (ct_sweep_plan_read(j->words[0], &plan, &error) != CT_OK)
    return cli_fail("sweep", "%s", error.text);
  const double bytes = ct_sweep_bytes(plan, 1);
  printf("%s%s%llu sounds, %s, at most %.3g %s\n", plan->title ? plan->title : "", plan->title ? ": " : "",
         (unsigned long long)plan->count, writes[plan->write], bytes < 1e9 ? bytes * 1e-6 : bytes * 1e-9,
         bytes < 1e9 ? "MB" : "GB");
  const unsigned long long shards = j->shards, own = (plan->count - j->shard) / shards + 1;
  if (shards > 1)
    printf("shard %llu of %llu: %llu of them\n", (unsigned long long)j->shard, shards, own);
  for (uint32_t i = 0; i < plan->part_count; i++)
    tell_part(plan, &plan->parts[i]);
  tell_inputs(plan);
  ct_sweep_plan_free(plan);
  return CLI_OK;
}
