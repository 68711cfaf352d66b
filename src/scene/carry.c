/* Bodies at the beginning of a sample: points that others carry along, points under way, hands. */
#include "scene/scene.h"

static void carry_followers(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++) {
    ct_body *b = ct_live_body(s, i);
    for (uint16_t p = 0; p < b->point_count; p++) {
      ct_point *point = &b->points[p];
      if (!point->leader || (b->asleep && point->leader->asleep))
        continue;
      double gone_m = ct_port_x_m(point->leader, point->leader_port) - point->follow_x_m;
      ct_point_carry(b, point, 0, point->follow_from + gone_m / point->follow_m, s->sample == 0);
      if (b->moved)
        ct_wake_body(s, b);
    }
  }
}

static void begin_body(ct_scene *s, ct_group *g, ct_body *b) {
  b->kind->begin(b);
  s->dirty |= b->moved; /* a point still under way */
  g->slid |= b->slid;
  g->leading |= b->kind->rigid || b->gliding || b->moved;
  b->kind->predict(b, 0);
}

/* Finite: all of it. */
static bool begin_group(ct_scene *s, ct_group *g) {
  bool finite = true;
  g->leading = false;
  for (uint16_t i = 0; i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    if (ct_at_tick(s))
      finite &= b->kind->on_tick(b);
    begin_body(s, g, b);
  }
  return finite;
}

void ct_bodies_begin_sample(ct_scene *s) {
  if (s->followers && ct_at_tick(s)) {
    carry_followers(s);
    ct_drives_travel(s);
  }
  bool finite = true;
  ct_groups_refresh(s);
  for (uint16_t i = 0; i < s->awake_count; i++)
    finite &= begin_group(s, ct_awake_group(s, i));
  if (!ct_at_tick(s))
    return;
  ct_fault_look(s, finite);
  if (!s->fault.found)
    ct_sleep_look(s);
}

void ct_leaders_begin_sample(ct_scene *s, ct_group *g) {
  g->leading = false;
  for (uint16_t i = 0; i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    if (b->kind->rigid || b->gliding || b->moved)
      begin_body(s, g, b);
  }
}
