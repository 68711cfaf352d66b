/* See judge.h. */
#include "support/judge.h"

#include "support/live.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *judge_word(judge_complaint complaint) {
  static const char *const words[] = {
      "fine",        "refused",         "not finite",      "account open",     "parameter works",
      "noise works", "loss given back", "force of nobody", "motion of nobody", "gain"};
  return words[complaint];
}

__attribute__((format(printf, 3, 4))) static bool complain(judge *j, judge_complaint complaint,
                                                           const char *format, ...) {
  if (j->complaint != JUDGE_FINE)
    return false;
  va_list list;
  va_start(list, format);
  j->complaint = complaint;
  j->sample = j->scene ? ct_scene_sample(j->scene) : 0;
  vsnprintf(j->text, sizeof j->text, format, list);
  va_end(list);
  return false;
}

/* What rounding alone may do, by the scene's own word, but where nothing pushes from outside never more than
 * 1e-3 of all that moved: a leap of the account must not be its own excuse. Modes below 1e-30 m/s are put to
 * rest, so what is left of 1e-50 J is nothing. */
static double allowance_j(const judge *j, const ct_ledger *l) {
  bool pushed = j->border.force || j->border.gravity;
  return (pushed ? l->allowance_j : fmin(l->allowance_j, 1e-3 * l->scale_j)) + 1e-50;
}

/* ---- weights: gravity's work is what the heights of free masses say ---- */

static bool watch_mode(judge *j, const char *body, uint32_t mode) {
  char path[TRIAL_PATH];
  ct_handle hz, x, mass;
  ct_error error;
  trial_spell(path, "%s.modes.%u.hz", body, mode);
  if (ct_scene_resolve(j->scene, path, &hz, &error) != CT_OK)
    return false;
  if (2 * M_PI * ct_scene_get(j->scene, hz) >= 1e-3) /* else it counts as a free mass */
    return true;
  trial_spell(path, "%s.modes.%u.x_m", body, mode);
  ct_scene_resolve(j->scene, path, &x, &error);
  trial_spell(path, "%s.modes.%u.mass_kg", body, mode);
  ct_scene_resolve(j->scene, path, &mass, &error);
  if (j->weights == JUDGE_WEIGHTS) {
    j->weighed = false;
    return true;
  }
  j->height[j->weights] = x;
  j->mass[j->weights++] = mass;
  return true;
}

static double height_j(const judge *j) {
  double sum = 0;
  for (uint32_t i = 0; i < j->weights; i++)
    sum += ct_scene_get(j->scene, j->mass[i]) * j->gravity_m_s2 * ct_scene_get(j->scene, j->height[i]);
  return sum;
}

static void watch_weights(judge *j, const trial *t) {
  const trial_leaf *gravity = trial_find(t, "gravity_m_s2");
  ct_error error;
  ct_doc *doc = trial_doc(t, &error);
  j->weighed = !j->border.removes;
  j->gravity_m_s2 = gravity ? gravity->number : 0;
  for (uint32_t i = 0; doc && i < ct_doc_body_count(doc); i++)
    for (uint32_t mode = 0; watch_mode(j, ct_doc_body_name(doc, i), mode); mode++)
      ;
  ct_doc_destroy(doc);
}

void judge_open(judge *j, const trial *t, ct_scene *scene) {
  memset(j, 0, sizeof *j);
  j->scene = scene;
  j->border = border_of(t, scene);
  j->start_j = ct_scene_ledger(scene).stored_j;
  if (j->border.gravity && !j->border.mass_moves)
    watch_weights(j, t);
}

/* ---- looking ---- */

/* A hand that puts a body 1e20 m into a stiff contact brings 1e66 J, and its sound has no room in a float:
 * then the scene stops and says so, as it should. With less energy than this every sound has room in a float.
 */
static const double too_loud_j = 1e40;

static bool look_finite(judge *j, const ct_ledger *l) {
  ct_fault fault = ct_scene_fault(j->scene);
  if (fault.found && !(strcmp(fault.kind, "pickup") == 0 && l->scale_j > too_loud_j))
    return complain(j, JUDGE_NOT_FINITE, "%s '%s' at sample %llu", fault.kind, fault.name,
                    (unsigned long long)fault.sample);
  const double columns[] = {l->stored_j, l->force_j,       l->motion_j,        l->parameter_j,
                            l->noise_j,  l->lost_bodies_j, l->lost_contacts_j, l->error_j,
                            l->scale_j,  l->allowance_j};
  static const char *const names[] = {"stored",      "force",         "motion", "parameter", "noise",
                                      "lost bodies", "lost contacts", "error",  "scale",     "allowance"};
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    if (!isfinite(columns[i]))
      return complain(j, JUDGE_NOT_FINITE, "%s is %g J", names[i], columns[i]);
  return true;
}

/* The account closes, and neither parameters nor roughness have a column of their own in it. */
static bool look_closed(judge *j, const ct_ledger *l) {
  double allowed = allowance_j(j, l);
  if (allowed > 0)
    j->worst_error = fmax(j->worst_error, fabs(l->error_j) / allowed);
  if (fabs(l->error_j) > allowed)
    return complain(j, JUDGE_ACCOUNT_OPEN,
                    "error %.3g J, allowed %.3g, S %.3g, stored %.3g, force %.3g, motion %.3g, lost %.3g and "
                    "%.3g",
                    l->error_j, allowed, l->scale_j, l->stored_j, l->force_j, l->motion_j, l->lost_bodies_j,
                    l->lost_contacts_j);
  if (l->parameter_j > allowed || (l->parameter_j < -allowed && !j->border.removes))
    return complain(j, JUDGE_PARAMETER, "parameters did %.3g J, allowed %.3g J, stored %.3g J",
                    l->parameter_j, allowed, l->stored_j);
  if (!j->border.noise && l->noise_j != 0)
    return complain(j, JUDGE_NOISE, "roughness did %.3g J, stored %.3g J", l->noise_j, l->stored_j);
  return true;
}

static bool look_losses(judge *j, const ct_ledger *l) {
  double allowed = allowance_j(j, l);
  if (l->lost_bodies_j < j->most_lost_bodies_j - allowed)
    return complain(j, JUDGE_LOSS_BACK, "bodies had lost %.17g J, now %.17g J, S %.3g J",
                    j->most_lost_bodies_j, l->lost_bodies_j, l->scale_j);
  if (l->lost_contacts_j < j->most_lost_contacts_j - allowed)
    return complain(j, JUDGE_LOSS_BACK, "contacts had lost %.17g J, now %.17g J, S %.3g J",
                    j->most_lost_contacts_j, l->lost_contacts_j, l->scale_j);
  j->most_lost_bodies_j = fmax(j->most_lost_bodies_j, l->lost_bodies_j);
  j->most_lost_contacts_j = fmax(j->most_lost_contacts_j, l->lost_contacts_j);
  return true;
}

/* The most that may come out of nothing: 1e-9 of what was put in, and rounding. */
static double gain_allowed_j(const judge *j, const ct_ledger *l) {
  double put_in = fmax(j->first.stored_j, j->start_j);
  return 1e-9 * put_in + fmin(allowance_j(j, l), 1e-6 * (put_in + fabs(l->force_j)) + 1e-50);
}

static bool look_nobody(judge *j, const ct_ledger *l) {
  double allowed = gain_allowed_j(j, l), force = l->force_j - j->first.force_j,
         motion = l->motion_j - j->first.motion_j;
  if (!j->border.motion && fabs(motion) > allowed)
    return complain(j, JUDGE_MOTION, "motion did %.3g J though nobody moves anything, stored %.3g J at first",
                    motion, j->first.stored_j);
  if (!j->border.force && !j->border.gravity && fabs(force) > allowed)
    return complain(j, JUDGE_FORCE, "forces did %.3g J though nobody pushes, stored %.3g J at first", force,
                    j->first.stored_j);
  double fallen = j->first_height_j - height_j(j);
  double height_allowed = allowed + 1e-9 * (fabs(fallen) + fabs(j->first_height_j));
  if (!j->border.force && j->border.gravity && j->weighed && fabs(force - fallen) > height_allowed)
    return complain(j, JUDGE_FORCE, "forces did %.6g J, gravity did %.6g J, stored %.3g J", force, fallen,
                    l->stored_j);
  if (j->border.force || j->border.motion)
    return true;
  double kept = l->stored_j - force;
  if (allowed > 0)
    j->worst_gain = fmax(j->worst_gain, (kept - j->least_j) / allowed);
  if (kept - j->least_j > allowed)
    return complain(j, JUDGE_GAIN, "%.17g J, was %.17g J, put in %.3g J", kept, j->least_j,
                    j->first.stored_j);
  j->least_j = fmin(j->least_j, kept);
  return true;
}

static void begin(judge *j, const ct_ledger *l) {
  j->begun = true;
  j->first = *l;
  j->least_j = l->stored_j;
  j->first_height_j = height_j(j);
}

bool judge_look(judge *j) {
  if (j->complaint != JUDGE_FINE)
    return false;
  ct_ledger l = ct_scene_ledger(j->scene);
  if (!look_finite(j, &l) || !look_closed(j, &l))
    return false;
  if (!j->begun)
    begin(j, &l);
  return j->border.noise || (look_losses(j, &l) && look_nobody(j, &l));
}

bool judge_hear(judge *j, const float *samples, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!isfinite(samples[i]))
      return complain(j, JUDGE_NOT_FINITE, "a sample is %g", (double)samples[i]);
  return true;
}

/* ---- playing ---- */

#define MOST_FRAMES 64
#define MOST_EVALUATIONS 1000000 /* of contact laws: a trial that needs more of them ends early */

/* An input says its last value until it gets another. */
typedef struct inputs {
  ct_input input[TRIAL_KNOBS];
  double values[TRIAL_KNOBS][MOST_FRAMES], now[TRIAL_KNOBS];
  uint32_t knob[TRIAL_KNOBS], count;
} inputs;

static uint32_t input_of(inputs *in, uint32_t knob, ct_handle handle, const ct_scene *scene) {
  for (uint32_t i = 0; i < in->count; i++)
    if (in->knob[i] == knob)
      return i;
  in->knob[in->count] = knob;
  in->now[in->count] = ct_scene_get(scene, handle);
  in->input[in->count] = (ct_input){handle, in->values[in->count]};
  return in->count++;
}

typedef struct player {
  const trial *t;
  ct_scene *scene;
  ct_handle handle[TRIAL_KNOBS];
  bool known[TRIAL_KNOBS];
  inputs in;
  uint32_t next; /* event */
} player;

static void send(player *p, const trial_event *e) {
  ct_error error;
  double ramp = e->way == TRIAL_SET ? 0 : e->way == TRIAL_RAMP ? e->ramp_s : -1;
  ct_scene_set(p->scene, p->handle[e->knob], e->value, ramp, e->sample,
               &error); /* refused: nothing happens */
}

/* Messages and inputs of the next samples. */
static void prepare(player *p, uint32_t from, uint32_t count) {
  uint32_t filled[TRIAL_KNOBS] = {0};
  for (; p->next < p->t->event_count && p->t->events[p->next].sample < from + count; p->next++) {
    const trial_event *e = &p->t->events[p->next];
    if (e->way == TRIAL_REMOVE)
      ct_scene_remove(p->scene, p->t->knobs[e->knob].path, NULL); /* once; what leaned on it has gone */
    if (!p->known[e->knob])
      continue;
    if (e->way != TRIAL_INPUT) {
      send(p, e);
      continue;
    }
    uint32_t i = input_of(&p->in, e->knob, p->handle[e->knob], p->scene);
    for (; filled[i] < e->sample - from; filled[i]++)
      p->in.values[i][filled[i]] = p->in.now[i];
    p->in.now[i] = e->value;
  }
  for (uint32_t i = 0; i < p->in.count; i++)
    for (; filled[i] < count; filled[i]++)
      p->in.values[i][filled[i]] = p->in.now[i];
}

static void find_handles(player *p) {
  ct_error error;
  for (uint32_t i = 0; i < p->t->knob_count; i++)
    p->known[i] = ct_scene_resolve(p->scene, p->t->knobs[i].path, &p->handle[i], &error) == CT_OK;
}

static void play(const trial *t, ct_scene *scene, ct_player *gesture, judge *j) {
  static _Thread_local player p;
  float sound[CT_OUTPUTS_MOST][MOST_FRAMES], *outputs[CT_OUTPUTS_MOST];
  ct_error error;
  memset(&p, 0, sizeof p);
  for (uint32_t c = 0; c < CT_OUTPUTS_MOST; c++)
    outputs[c] = sound[c];
  p.t = t;
  p.scene = scene;
  find_handles(&p);
  bool good = true;
  for (uint32_t at = 0, count; at < t->frames && good; at += count) {
    count = at == 0 ? 1 : t->block_frames < MOST_FRAMES ? t->block_frames : MOST_FRAMES;
    if (gesture)
      ct_player_send(gesture, at + count, &error);
    prepare(&p, at, count);
    ct_scene_process(
        scene,
        &(ct_io){.frames = count, .outputs = outputs, .inputs = p.in.input, .input_count = p.in.count});
    good = judge_look(j);
    for (uint32_t c = 0; c < ct_scene_channels(scene); c++)
      good = good && judge_hear(j, sound[c], count);
    good = good && ct_scene_counters(scene).evaluations < MOST_EVALUATIONS;
  }
}

judge judge_trial(const trial *t) {
  judge j = {0};
  ct_error error;
  ct_scene *scene = NULL;
  ct_player *demo = NULL;
  ct_gesture gesture = {0};
  ct_doc *doc = trial_doc(t, &error);
  ct_result result = trial_build(t, &scene, &error);
  if (!doc || result != CT_OK) {
    complain(&j, JUDGE_REFUSED, "%s", error.text);
    ct_doc_destroy(doc);
    return j;
  }
  if (ct_doc_gesture(doc, &gesture, &error) == CT_OK && gesture.rows)
    ct_player_create(&gesture, scene, &demo, &error);
  judge_open(&j, t, scene);
  play(t, scene, demo, &j);
  j.counters = ct_scene_counters(scene);
  j.last = ct_scene_ledger(scene);
  j.scene = NULL;
  if (demo)
    ct_player_destroy(demo);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
  return j;
}
