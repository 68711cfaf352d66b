/* See action_lab.h. */
#include "support/action_lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

void action_lab_prepare(action_lab *lab, ct_behaviour behaviour) {
  memset(lab, 0, sizeof *lab);
  for (uint32_t i = 0; i < CT_REGIONS_MOST; i++) {
    lab->regions[i] = ct_default_region_def();
    lab->regions[i].name = "region";
    lab->regions[i].behaviour = lab->regions[i].morph_to = behaviour;
  }
  lab->def = ct_default_source_def();
  lab->def.name = "rub";
  lab->def.speed_m_s = 0.1;
  lab->def.pressure = 0.5;
  lab->def.wander_hz = 20;
  lab->def.regions = lab->regions;
  lab->def.region_count = 1;
}

static ct_result make(action_lab *lab, double rate_hz, ct_error *error) {
  ct_arena counting = {NULL, 0, 0};
  ct_action_lay(&lab->action, &counting, &lab->def);
  lab->memory = aligned_alloc(CT_ALIGN, counting.used);
  ct_arena arena = {lab->memory, counting.used, 0};
  memset(&lab->action, 0, sizeof lab->action);
  ct_action_lay(&lab->action, &arena, &lab->def);
  return ct_action_fill(&lab->action, &lab->def, rate_hz, 1, error);
}

void action_lab_make(action_lab *lab, double rate_hz) {
  ct_error error;
  if (make(lab, rate_hz, &error) != CT_OK)
    fail_msg("%s", error.text);
}

const char *action_lab_refusal(action_lab *lab, ct_error *error) {
  ct_result result = make(lab, 48000, error);
  action_lab_free(lab);
  return result == CT_OK ? "" : error->text;
}

void action_lab_play(action_lab *lab, double *force_n, size_t count) {
  for (size_t i = 0; i + CT_ACTION_BLOCK <= count; i += CT_ACTION_BLOCK)
    ct_action_block(&lab->action, force_n + i);
}

void action_lab_free(action_lab *lab) {
  free(lab->memory);
  lab->memory = NULL;
}
