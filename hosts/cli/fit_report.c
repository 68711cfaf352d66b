/* The report on a fit: the numbers found, every measure of every recording beside the scene's, what could not
 * be matched, and what the sound cannot tell apart. */
#include "base/text.h"
#include "hosts/cli/fit.h"

#include <math.h>
#include <string.h>

static const double least_part = 0.2; /* of the largest: smaller ones are not named */

static const char *difference_unit(const ct_heard_row *row) {
  switch (row->scale) {
  case CT_HEARD_CENTS:
  case CT_HEARD_SPAN:
    return "cents";
  case CT_HEARD_RATE:
    return "%";
  case CT_HEARD_COUNT:
    return "per s";
  default:
    return "dB";
  }
}

static double shown_difference(const ct_heard_row *row, double recorded, double played) {
  return ct_heard_difference(row, recorded, played) * (row->scale == CT_HEARD_RATE ? 100 : 1);
}

static bool met(const ct_heard_row *row, double recorded, double played) {
  return fabs(ct_heard_off(row, recorded, played)) <= 1;
}

static void print_value(double value) {
  if (isnan(value))
    printf("%12s", "none");
  else
    printf("%12.3f", value);
}

static void print_row(const ct_heard_row *row, double recorded, double played) {
  double difference = shown_difference(row, recorded, played);
  printf("  %-24s", row->name);
  print_value(recorded);
  print_value(played);
  printf(" %-6s", row->unit);
  if (isnan(recorded))
    printf("%22s\n", "not in the recording");
  else if (isnan(difference))
    printf("%22s\n", "not in the scene");
  else
    printf("%+12.3f %-6s%s\n", difference, difference_unit(row), met(row, recorded, played) ? "" : "  off");
}

static void print_recording(const ct_match_def *def, const ct_match_found *found, uint32_t i) {
  uint32_t count;
  const ct_heard_row *rows = ct_heard_rows(found->kind, &count);
  printf("\n%s%s", def->recordings[i].name, i < def->fitted ? "" : " (predicted)");
  for (uint32_t k = 0; k < found->knobs.count; k++)
    if (found->knobs.items[k].role == CT_KNOB_KNOWN)
      printf(", %s %g", found->knobs.items[k].name, found->knobs.items[k].known[i]);
  printf("\n  %-24s%12s%12s %-6s%12s\n", "", "recorded", "scene", "", "difference");
  for (uint32_t r = 0; r < count; r++)
    print_row(&rows[r], found->recorded[i].value[r], found->played[i].value[r]);
}

/* "push up with pressure down 0.4 times as much" */
static void put_combination(const ct_match_found *found, const ct_match_alike *a, char *text, size_t size) {
  uint32_t n = ct_knobs_free_count(&found->knobs), first = 0;
  for (uint32_t i = 0; i < n; i++)
    first = fabs(a->weight[i]) > fabs(a->weight[first]) ? i : first;
  size_t at = (size_t)snprintf(text, size, "%s up", ct_knobs_free_at(&found->knobs, first)->name);
  for (uint32_t i = 0; i < n && at < size; i++)
    if (i != first && fabs(a->weight[i]) > least_part * a->weight[first])
      at += (size_t)snprintf(text + at, size - at, ", %s %s %.2g times as much",
                             ct_knobs_free_at(&found->knobs, i)->name, a->weight[i] < 0 ? "down" : "up",
                             fabs(a->weight[i] / a->weight[first]));
}

static double reach_of_first(const ct_match_found *found, const ct_match_alike *a) {
  double most = 0;
  for (uint32_t i = 0; i < ct_knobs_free_count(&found->knobs); i++)
    most = fmax(most, fabs(a->weight[i]));
  return most * a->reach;
}

static void print_alike(const ct_match_found *found) {
  char text[1000];
  if (!ct_knobs_free_count(&found->knobs))
    return; /* nothing was turned */
  if (!found->alike_count)
    puts("\nEvery number is heard by itself: none can be turned by 15 % unheard.");
  else
    puts("\nWhat the sound cannot tell apart, and how far it can be turned within one tolerance:");
  for (uint32_t i = 0; i < found->alike_count; i++) {
    double reach = reach_of_first(found, &found->alike[i]);
    put_combination(found, &found->alike[i], text, sizeof text);
    if (reach < 1)
      printf("  %s: by %.0f %%\n", text, 100 * reach);
    else
      printf("  %s: as far as it goes\n", text);
  }
}

static void print_missed(const ct_match_def *def, const ct_match_found *found) {
  uint32_t count, missed = 0;
  const ct_heard_row *rows = ct_heard_rows(found->kind, &count);
  for (uint32_t i = 0; i < def->fitted + def->predicted; i++)
    for (uint32_t r = 0; r < count; r++) {
      if (met(&rows[r], found->recorded[i].value[r], found->played[i].value[r]))
        continue;
      printf("%s%s of %s", missed++ ? ", " : "\nNot matched: ", rows[r].name, def->recordings[i].name);
    }
  puts(missed ? "." : "\nEvery measure is matched: within 3 cents, 1 dB, 5 % of rates.");
}

void fit_print(const ct_match_def *def, const ct_match_found *found) {
  printf("%-28s%14s\n", "number", "found");
  for (uint32_t i = 0; i < ct_knobs_free_count(&found->knobs); i++) {
    const ct_knob *k = ct_knobs_free_at(&found->knobs, i);
    printf("%-28s%14.6g %s\n", k->name, ct_knob_value(k, found->shares[i]), k->unit);
  }
  for (uint32_t i = 0; i < found->knobs.count; i++)
    if (found->knobs.items[i].role == CT_KNOB_HELD)
      printf("%-28s%14.6g %s (%s)\n", found->knobs.items[i].name, found->knobs.items[i].start,
             found->knobs.items[i].unit, found->unheard[i] ? "nothing depends on it" : "held");
  if (found->without_pitch)
    printf("\n%s has no clear pitch: compared is what noises have, and not harmonics.\n",
           found->without_pitch);
  for (uint32_t i = 0; i < def->fitted + def->predicted; i++)
    print_recording(def, found, i);
  print_missed(def, found);
  print_alike(found);
}

/* ---- JSON ---- */

static json_t *number_or_null(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *recording_tree(const ct_match_def *def, const ct_match_found *found, uint32_t i) {
  uint32_t count;
  const ct_heard_row *rows = ct_heard_rows(found->kind, &count);
  json_t *measures = json_array(), *known = json_object();
  for (uint32_t k = 0; k < found->knobs.count; k++)
    if (found->knobs.items[k].role == CT_KNOB_KNOWN)
      json_object_set_new(known, found->knobs.items[k].name, json_real(found->knobs.items[k].known[i]));
  for (uint32_t r = 0; r < count; r++) {
    double recorded = found->recorded[i].value[r], played = found->played[i].value[r];
    json_array_append_new(measures,
                          json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:b}", "name", rows[r].name, "unit",
                                    rows[r].unit, "recorded", number_or_null(recorded), "scene",
                                    number_or_null(played), "difference",
                                    number_or_null(shown_difference(&rows[r], recorded, played)),
                                    "difference_unit", difference_unit(&rows[r]), "tolerances",
                                    number_or_null(ct_heard_off(&rows[r], recorded, played)), "met",
                                    met(&rows[r], recorded, played)));
  }
  return json_pack("{s:s, s:b, s:o, s:o}", "file", def->recordings[i].name, "predicted", i >= def->fitted,
                   "known", known, "measures", measures);
}

static json_t *alike_tree(const ct_match_found *found) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < found->alike_count; i++) {
    char text[1000];
    json_t *weights = json_object();
    put_combination(found, &found->alike[i], text, sizeof text);
    for (uint32_t k = 0; k < ct_knobs_free_count(&found->knobs); k++)
      json_object_set_new(weights, ct_knobs_free_at(&found->knobs, k)->name,
                          json_real(found->alike[i].weight[k]));
    json_array_append_new(list, json_pack("{s:s, s:f, s:o}", "words", text, "reach",
                                          reach_of_first(found, &found->alike[i]), "weights", weights));
  }
  return list;
}

json_t *fit_tree(const ct_match_def *def, const ct_match_found *found) {
  json_t *numbers = json_object(), *unheard = json_array(), *recordings = json_array();
  for (uint32_t i = 0; i < ct_knobs_free_count(&found->knobs); i++) {
    const ct_knob *k = ct_knobs_free_at(&found->knobs, i);
    json_object_set_new(numbers, k->name, json_real(ct_knob_value(k, found->shares[i])));
  }
  for (uint32_t i = 0; i < found->knobs.count; i++)
    if (found->unheard[i])
      json_array_append_new(unheard, json_string(found->knobs.items[i].name));
  for (uint32_t i = 0; i < def->fitted + def->predicted; i++)
    json_array_append_new(recordings, recording_tree(def, found, i));
  return json_pack("{s:s, s:s?, s:o, s:o, s:o, s:o, s:f, s:f, s:i}", "measures",
                   found->kind == CT_HEARD_TONE ? "tone" : "noise", "without_pitch", found->without_pitch,
                   "found", numbers, "unheard", unheard, "recordings", recordings, "alike", alike_tree(found),
                   "gain_db", found->gain_db, "seconds", found->seconds, "points", (int)found->points);
}
