/* See shrink.h. */
#include "support/shrink.h"

#include "support/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the smaller trial if it fails the same way. */
static bool adopt(trial *t, trial *smaller, judge_complaint complaint) {
  judge j = judge_trial(smaller);
  bool same = j.complaint == complaint;
  if (same) {
    if (j.sample && j.sample + 1 < smaller->frames)
      smaller->frames = (uint32_t)j.sample + 1;
    trial_copy(t, smaller);
  }
  return same;
}

/* The first `words` words of a path, as a length; 0: it has fewer. */
static size_t prefix_length(const char *path, int words) {
  size_t at = 0;
  for (int i = 0; i < words; i++) {
    if (!path[at])
      return 0;
    at += strcspn(path + at, ".\x1f");
    at += path[at] != 0;
  }
  return at;
}

/* Drops all leaves that share their first words with one of them: parts, then points and modes, then
 * leaves. */
static bool drop_leaves(trial *t, int words, judge_complaint complaint) {
  bool changed = false;
  trial smaller = {0};
  for (uint32_t i = t->leaf_count; i-- > 0;) {
    if (i >= t->leaf_count)
      continue;
    size_t length = prefix_length(t->leaves[i].path, words);
    if (length == 0)
      continue;
    trial_copy(&smaller, t);
    bool *drop = calloc(t->leaf_count, sizeof *drop);
    for (uint32_t k = 0; k < t->leaf_count; k++)
      drop[k] = strncmp(t->leaves[k].path, t->leaves[i].path, length) == 0;
    trial_keep(&smaller, drop);
    free(drop);
    changed |= adopt(t, &smaller, complaint);
  }
  trial_clear(&smaller);
  return changed;
}

static bool drop_single_leaves(trial *t, judge_complaint complaint) {
  bool changed = false;
  trial smaller = {0};
  for (uint32_t i = t->leaf_count; i-- > 0;) {
    if (i >= t->leaf_count)
      continue;
    trial_copy(&smaller, t);
    memmove(&smaller.leaves[i], &smaller.leaves[i + 1], (t->leaf_count - i - 1) * sizeof *t->leaves);
    smaller.leaf_count--;
    changed |= adopt(t, &smaller, complaint);
  }
  trial_clear(&smaller);
  return changed;
}

static void remove_events(trial *t, uint32_t first, uint32_t count) {
  memmove(&t->events[first], &t->events[first + count], (t->event_count - first - count) * sizeof *t->events);
  t->event_count -= count;
}

/* Runs of events, long ones first. */
static bool drop_events(trial *t, judge_complaint complaint) {
  bool changed = false;
  trial smaller = {0};
  for (uint32_t run = t->event_count; run > 0; run /= 2)
    for (uint32_t first = 0; first < t->event_count;) {
      uint32_t count = first + run <= t->event_count ? run : t->event_count - first;
      trial_copy(&smaller, t);
      remove_events(&smaller, first, count);
      if (adopt(t, &smaller, complaint))
        changed = true;
      else
        first += count;
    }
  trial_clear(&smaller);
  return changed;
}

/* All events of one knob. */
static bool drop_knobs(trial *t, judge_complaint complaint) {
  bool changed = false;
  trial smaller = {0};
  for (uint32_t knob = 0; knob < t->knob_count; knob++) {
    trial_copy(&smaller, t);
    for (uint32_t i = smaller.event_count; i-- > 0;)
      if (smaller.events[i].knob == knob)
        remove_events(&smaller, i, 1);
    if (smaller.event_count < t->event_count)
      changed |= adopt(t, &smaller, complaint);
  }
  trial_clear(&smaller);
  return changed;
}

/* Round numbers read better. */
static bool round_numbers(trial *t, judge_complaint complaint) {
  bool changed = false;
  trial smaller = {0};
  for (uint32_t i = 0; i < t->leaf_count; i++) {
    double number = t->leaves[i].number;
    char digits[32];
    snprintf(digits, sizeof digits, "%.1g", number);
    double rounded = strtod(digits, NULL);
    if (t->leaves[i].text[0] || rounded == number)
      continue;
    trial_copy(&smaller, t);
    smaller.leaves[i].number = rounded;
    changed |= adopt(t, &smaller, complaint);
  }
  trial_clear(&smaller);
  return changed;
}

void shrink_trial(trial *t, judge_complaint complaint) {
  bool changed = true;
  for (int round = 0; round < 8 && changed; round++) {
    changed = drop_knobs(t, complaint);
    changed |= drop_events(t, complaint);
    for (int words = 2; words <= 5; words++)
      changed |= drop_leaves(t, words, complaint);
    changed |= drop_single_leaves(t, complaint);
    if (!changed)
      changed = round_numbers(t, complaint);
  }
}
