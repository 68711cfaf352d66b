/* First what of the recordings is compared, then which knobs are heard at all, then the search, then what the
 * sound cannot tell apart. */
#include "fit/fit.h"
#include "base/eigen.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/text.h"
#include "file/crew.h"
#include "file/json.h"
#include "fit/journal.h"
#include "measure/signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 32 }; /* sounds played before they are kept */

static const double least_tuning_cents = 300; /* by the whole range of a knob that tunes */

typedef struct run {
  const ct_match_def *def;
  ct_match_found *found;
  ct_players *players;
  ct_journal *journal;
  const ct_heard_row *rows;
  uint32_t row_count;
  uint32_t from, recordings; /* those that are played now */
  const double *points;
  uint32_t numbers;
  double *answers; /* to the points played last, row_count for each recording */
  size_t room;     /* numbers */
  uint32_t first;  /* of a chunk */
  uint32_t played, planned;
  uint32_t tuner;     /* which of the numbers tunes; none beyond them */
  double tuner_cents; /* by its whole range */
} run;

/* ---- asking ---- */

static ct_result play_one(void *context, uint32_t index, ct_error *error) {
  run *r = context;
  uint32_t at = r->first + index, point = at / r->recordings, recording = r->from + at % r->recordings;
  double *answer = r->answers + (size_t)at * r->row_count, *samples = NULL;
  size_t count = 0;
  ct_heard heard;
  ct_result result = ct_players_play(r->players, &r->found->knobs, r->points + (size_t)point * r->numbers,
                                     recording, r->found->kind, r->found->seconds, &samples, &count, error);
  bool sounds = samples && ct_heard_measure(r->found->kind, samples, count, CT_PLAY_RATE_HZ, &heard);
  for (uint32_t i = 0; i < r->row_count; i++)
    answer[i] = sounds ? heard.value[i] : CT_NAN;
  free(samples);
  return result;
}

/* What is heard at `count` points with every recording's known values: from the journal, as far as it goes.
 */
static ct_result play_all(run *r, const double *points, uint32_t count, ct_error *error) {
  uint32_t all = count * r->recordings, done = 0;
  if (!ct_grow(&r->answers, &r->room, (size_t)all * r->row_count, sizeof *r->answers))
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  r->points = points;
  while (done < all && ct_journal_next(r->journal, r->answers + (size_t)done * r->row_count))
    done++;
  r->played += done;
  while (done < all) {
    uint32_t chunk = all - done < CHUNK ? all - done : CHUNK;
    r->first = done;
    CT_TRY(ct_crew_run(r->def->threads, chunk, play_one, r, error));
    CT_TRY(ct_journal_add(r->journal, r->answers + (size_t)done * r->row_count, chunk, error));
    done += chunk;
    r->played += chunk;
    if (r->def->progress)
      r->def->progress(r->def->context, fmin((double)r->played / r->planned, 0.99));
  }
  return CT_OK;
}

/* Recordings over the scene in dB: the mean over those fitted, since nobody knows how a microphone was set.
 */
static double gain_db(const run *r, const double *answers) {
  uint32_t level = ct_heard_level(r->found->kind), count = 0;
  double sum = 0;
  for (uint32_t i = r->from; i < r->from + r->recordings && i < r->def->fitted && !r->def->calibrated; i++) {
    double difference =
        r->found->recorded[i].value[level] - answers[(size_t)(i - r->from) * r->row_count + level];
    sum += isfinite(difference) ? difference : 0;
    count += isfinite(difference) ? 1 : 0;
  }
  return count ? sum / count : 0;
}

/* One point's answers to every recording that is played. */
static void take_residuals(const run *r, const double *answers, double *residuals) {
  uint32_t level = ct_heard_level(r->found->kind);
  double gain = gain_db(r, answers);
  for (uint32_t i = 0; i < r->recordings * r->row_count; i++) {
    uint32_t row = i % r->row_count;
    residuals[i] = ct_heard_off(&r->rows[row], r->found->recorded[r->from + i / r->row_count].value[row],
                                answers[i] + (row == level ? gain : 0));
  }
}

static ct_result ask(void *context, const double *points, uint32_t count, double *residuals,
                     ct_error *error) {
  run *r = context;
  uint32_t width = r->recordings * r->row_count;
  CT_TRY(play_all(r, points, count, error));
  for (uint32_t p = 0; p < count; p++)
    take_residuals(r, r->answers + (size_t)p * width, residuals + (size_t)p * width);
  return CT_OK;
}

/* ---- a quick look ---- */

/* Moves the knob that tunes until the pitch is the recorded one, and puts what is left, where its range ends,
 * in place of the difference in pitch. */
static void tune(const run *r, double *point, double *residuals) {
  uint32_t pitch = ct_heard_pitch();
  double tolerance = r->rows[pitch].tolerance, *share = &point[r->tuner], before = *share;
  *share = fmin(fmax(before - residuals[pitch] * tolerance / r->tuner_cents, 0), 1);
  residuals[pitch] += (*share - before) * r->tuner_cents / tolerance;
}

/* Only the middle recording is played, and the pitch is taken as tuned: a first point is judged by how it
 * sounds, not by how near its size happens to be. */
static ct_result look(void *context, double *points, uint32_t count, double *costs, ct_error *error) {
  run *r = context;
  uint32_t all = r->recordings;
  double residuals[CT_HEARD_MOST];
  r->from = all / 2;
  r->recordings = 1;
  CT_TRY(play_all(r, points, count, error));
  for (uint32_t p = 0; p < count; p++) {
    const double *answer = r->answers + (size_t)p * r->row_count;
    take_residuals(r, answer, residuals);
    if (r->tuner < r->numbers && isfinite(answer[ct_heard_pitch()]))
      tune(r, points + (size_t)p * r->numbers, residuals);
    costs[p] = ct_seek_cost(residuals, r->row_count);
  }
  r->from = 0;
  r->recordings = all;
  return CT_OK;
}

/* ---- before ---- */

/* Where the recordings sound, and for how long all of them do. */
static ct_result choose_excerpts(run *r, ct_error *error) {
  r->found->seconds = r->def->seconds;
  for (uint32_t i = 0; i < r->def->fitted + r->def->predicted; i++) {
    const ct_match_recording *rec = &r->def->recordings[i];
    if (ct_signal_is_silent(rec->samples, rec->count))
      return ct_fail(error, CT_BAD_VALUE, "%.100s: is silent", rec->name);
    ct_play_excerpt(r->found->kind, rec->samples, rec->count, rec->rate_hz, r->def->seconds,
                    &r->found->starts[i], &r->found->counts[i]);
    double seconds = (double)r->found->counts[i] / rec->rate_hz;
    if (seconds < CT_FIT_SHORTEST_S)
      return ct_fail(error, CT_BAD_VALUE, "%.100s: sounds for %g s; wants at least %g s", rec->name,
                     round(1000 * seconds) / 1000, CT_FIT_SHORTEST_S);
    r->found->seconds = fmin(r->found->seconds, seconds);
  }
  return CT_OK;
}

/* Recordings that all have a pitch are compared by the measures of tones, any others by those of noises. */
static ct_result hear_recordings(run *r, ct_error *error) {
  uint32_t all = r->def->fitted + r->def->predicted;
  r->found->kind = CT_HEARD_TONE;
  CT_TRY(choose_excerpts(r, error));
  for (uint32_t i = 0; i < all && r->def->knobs.friction && !r->found->without_pitch; i++)
    if (!ct_heard_is_tone(r->def->recordings[i].samples + r->found->starts[i], r->found->counts[i],
                          r->def->recordings[i].rate_hz))
      r->found->without_pitch = r->def->recordings[i].name;
  bool tones = r->def->knobs.friction && !r->found->without_pitch;
  r->found->kind = tones ? CT_HEARD_TONE : CT_HEARD_NOISE;
  r->rows = ct_heard_rows(r->found->kind, &r->row_count);
  CT_TRY(choose_excerpts(r, error));
  for (uint32_t i = 0; i < all; i++) {
    const ct_match_recording *rec = &r->def->recordings[i];
    ct_play_excerpt(r->found->kind, rec->samples, rec->count, rec->rate_hz, r->found->seconds,
                    &r->found->starts[i], &r->found->counts[i]);
    if (!ct_heard_measure(r->found->kind, rec->samples + r->found->starts[i], r->found->counts[i],
                          rec->rate_hz, &r->found->recorded[i]))
      return ct_fail(error, CT_BAD_VALUE, "%.100s: is silent", rec->name);
  }
  return CT_OK;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
  for (size_t i = 0; i < count;
       i++) /* of numbers that are all set, which the analyzer does not see byte by byte */
    hash = ct_hash_at(hash, ((const unsigned char *)bytes)[i]); // NOLINT(clang-analyzer-core.CallAndMessage)
  return hash;
}

/* Everything that answers depend on. */
static uint64_t hash_of(const run *r, const char *text) {
  uint64_t hash = hash_bytes(1, text, strlen(text));
  uint64_t settings[] = {r->def->seed, r->def->most, r->def->calibrated, r->def->fitted, r->def->predicted};
  hash = hash_bytes(hash, settings, sizeof settings);
  hash = hash_bytes(hash, &r->found->seconds, sizeof r->found->seconds);
  hash =
      hash_bytes(hash, r->found->recorded, (r->def->fitted + r->def->predicted) * sizeof *r->found->recorded);
  for (uint32_t i = 0; i < r->def->knobs.count; i++) {
    const ct_knob *k = &r->def->knobs.items[i];
    double numbers[] = {k->role, k->low, k->high, k->start};
    hash = hash_bytes(hash, k->path, strlen(k->path));
    hash = hash_bytes(hash, numbers, sizeof numbers);
    hash = hash_bytes(hash, k->known, sizeof k->known);
  }
  return hash;
}

static void start_shares(const ct_knobs *knobs, double *shares) {
  for (uint32_t i = 0; i < ct_knobs_free_count(knobs); i++) {
    const ct_knob *k = ct_knobs_free_at(knobs, i);
    shares[i] = ct_knob_share(k, k->start);
  }
}

/* Cents per share between two answers; NAN where one has no pitch. */
static double pitch_slope(const double *from, const double *to, double by) {
  return ct_measure_cents(to[ct_heard_pitch()], from[ct_heard_pitch()]) / by;
}

/* The knob that tunes: the pitch follows it most, and to both sides alike. The answers are the start's, and
 * for each number those half way up and half way down. Returns its number, or `n`. */
static uint32_t find_tuner(run *r, const double *points, uint32_t n) {
  uint32_t found = n, width = r->recordings * r->row_count;
  r->tuner_cents = 0;
  for (uint32_t i = 0; i < n && r->found->kind == CT_HEARD_TONE; i++)
    for (uint32_t k = 0; k < r->recordings; k++) {
      const double *middle = r->answers + (size_t)k * r->row_count,
                   *high = middle + (size_t)(2 * i + 1) * width, *low = high + width;
      double up = pitch_slope(middle, high, points[(size_t)(2 * i + 1) * n + i] - points[i]),
             down = pitch_slope(low, middle, points[i] - points[(size_t)(2 * i + 2) * n + i]);
      bool alike = up * down > 0 && fabs(up) < 1.25 * fabs(down) && fabs(down) < 1.25 * fabs(up);
      if (!alike || fabs(up + down) / 2 < fmax(fabs(r->tuner_cents), least_tuning_cents))
        continue;
      r->tuner_cents = (up + down) / 2;
      found = i;
    }
  return found;
}

/* `points` has room for 2 n + 1. */
static ct_result try_knobs(run *r, double *points, uint32_t n, ct_error *error) {
  uint32_t width = r->recordings * r->row_count, count = 2 * n + 1;
  double start[CT_KNOBS_MOST];
  start_shares(&r->found->knobs, start);
  r->numbers = n;
  for (uint32_t i = 0; i < count; i++) {
    double *x = points + (size_t)i * n;
    memcpy(x, start, n * sizeof *x);
    if (i)
      x[(i - 1) / 2] += i % 2 ? 0.5 * (1 - x[(i - 1) / 2]) : -0.5 * x[(i - 1) / 2];
  }
  CT_TRY(play_all(r, points, count, error));
  uint32_t tuner = find_tuner(r, points, n), heard = 0;
  r->tuner = CT_KNOBS_MOST;
  for (uint32_t i = 0, knob = 0; i < n; i++, knob++) {
    const double *up = r->answers + (size_t)(2 * i + 1) * width, *down = up + width;
    while (r->found->knobs.items[knob].role != CT_KNOB_FREE)
      knob++;
    r->tuner = i == tuner ? heard : r->tuner;
    r->found->unheard[knob] = memcmp(r->answers, up, width * sizeof *up) == 0 &&
                              memcmp(r->answers, down, width * sizeof *down) == 0;
    heard += r->found->unheard[knob] ? 0 : 1;
  }
  for (uint32_t i = 0; i < r->found->knobs.count; i++)
    if (r->found->unheard[i])
      r->found->knobs.items[i].role = CT_KNOB_HELD;
  return CT_OK;
}

/* A knob that changes nothing to either side, not by a bit, is held where it is. */
static ct_result hold_unheard(run *r, ct_error *error) {
  uint32_t n = ct_knobs_free_count(&r->found->knobs);
  double *points = calloc((size_t)(2 * n + 1) * (n + 1), sizeof *points);
  ct_result result = points ? try_knobs(r, points, n, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  free(points);
  return result;
}

/* ---- what the sound cannot tell apart ---- */

static const double slope_step = 0.01;    /* of a range, for slopes */
static const double reported_from = 0.15; /* combinations that can change by so much are reported */
static const double farthest = 10;        /* nothing is known beyond */

/* Relative change of a number per unit of its share. */
static double relative_slope(const ct_knob *k, double share) {
  double low = ct_knob_value(k, share - slope_step), high = ct_knob_value(k, share + slope_step);
  double width = fmin(share + slope_step, 1) - fmax(share - slope_step, 0),
         size = fabs(ct_knob_value(k, share));
  return (high - low) / width / fmax(size, 0.01 * fabs(k->high - k->low));
}

static void take_direction(const double *vector, double value, uint32_t n, ct_match_found *found) {
  ct_match_alike *a = &found->alike[found->alike_count];
  uint32_t largest = 0;
  a->reach = fmin(1 / sqrt(fmax(value, 1e-12)), farthest);
  if (a->reach < reported_from)
    return;
  for (uint32_t i = 0; i < n; i++)
    largest = fabs(vector[i]) > fabs(vector[largest]) ? i : largest;
  for (uint32_t i = 0; i < n; i++)
    a->weight[i] = vector[largest] < 0 ? -vector[i] : vector[i];
  found->alike_count++;
}

/* With J the slopes of all measures, in tolerances, by relative changes of the numbers, a joint change d is
 * heard as |J d| tolerances. Along an eigenvector of J'J with the eigenvalue s^2 a change of the size 1 / s
 * is one tolerance: what can be turned far without being heard has a small s. */
ct_result ct_match_find_alike(const ct_seek_def *search, ct_match_found *found, ct_error *error) {
  uint32_t n = search->numbers;
  double *slopes = malloc((size_t)search->rows * n * sizeof *slopes);
  double product[CT_SEARCH_MOST * CT_SEARCH_MOST] = {0}, vectors[CT_SEARCH_MOST * CT_SEARCH_MOST],
                                  values[CT_SEARCH_MOST];
  ct_result result = slopes ? ct_seek_slopes(search, found->shares, slope_step, slopes, error)
                            : ct_fail(error, CT_NO_MEMORY, "no memory");
  for (uint32_t j = 0; j < n && result == CT_OK; j++) {
    double relative = relative_slope(ct_knobs_free_at(&found->knobs, j), found->shares[j]);
    for (uint32_t i = 0; i < search->rows; i++)
      slopes[(size_t)i * n + j] /= relative;
  }
  for (uint32_t i = 0; i < search->rows && result == CT_OK; i++)
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++)
        product[a * n + b] += slopes[(size_t)i * n + a] * slopes[(size_t)i * n + b];
  if (result == CT_OK && ct_eigen_symmetric(n, product, values, vectors))
    for (uint32_t done = 0; done < n; done++) { /* the least heard first */
      uint32_t least = n;
      for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]) && (least == n || values[i] < values[least]))
          least = i;
      if (least == n)
        break;
      take_direction(vectors + (size_t)least * n, values[least], n, found);
      values[least] = (double)NAN;
    }
  free(slopes);
  return result;
}

/* ---- after ---- */

/* Everything once more at the end, those to be predicted with it. */
static ct_result compare(run *r, ct_error *error) {
  r->recordings = r->def->fitted + r->def->predicted;
  CT_TRY(play_all(r, r->found->shares, 1, error));
  r->found->gain_db = gain_db(r, r->answers);
  for (uint32_t i = 0; i < r->recordings; i++) {
    memcpy(r->found->played[i].value, r->answers + (size_t)i * r->row_count,
           r->row_count * sizeof *r->answers);
    r->found->played[i].value[ct_heard_level(r->found->kind)] += r->found->gain_db;
  }
  return CT_OK;
}

static ct_result search(run *r, ct_error *error) {
  double start[CT_SEARCH_MOST];
  ct_seek_found best = {0};
  ct_seek_def def = {.numbers = r->numbers,
                     .rows = r->recordings * r->row_count,
                     .start = start,
                     .seed = r->def->seed,
                     .most = r->def->most,
                     .ask = ask,
                     .look = look,
                     .context = r};
  start_shares(&r->found->knobs, start);
  ct_result result = ct_seek_run(&def, &best, error);
  memcpy(r->found->shares, best.best, sizeof best.best);
  r->found->cost = best.cost;
  r->found->points = best.asked;
  free(best.residuals);
  return result == CT_OK ? ct_match_find_alike(&def, r->found, error) : result;
}

static ct_result go(run *r, ct_error *error) {
  if (r->def->compare) {
    for (uint32_t i = 0; i < r->found->knobs.count; i++)
      if (r->found->knobs.items[i].role == CT_KNOB_FREE)
        r->found->knobs.items[i].role = CT_KNOB_HELD;
    return compare(r, error);
  }
  CT_TRY(hold_unheard(r, error));
  r->numbers = ct_knobs_free_count(&r->found->knobs);
  if (r->numbers == 0)
    return ct_fail(error, CT_BAD_ARGUMENT,
                   "nothing that may be turned changes the sound; wants other --free");
  if (r->numbers > CT_SEARCH_MOST)
    return ct_fail(error, CT_BAD_ARGUMENT, "%u numbers to turn, at most %d; choose some with --free",
                   r->numbers, CT_SEARCH_MOST);
  CT_TRY(search(r, error));
  return compare(r, error);
}

ct_result ct_match_run(const ct_match_def *def, ct_match_found *found, ct_error *error) {
  *found = (ct_match_found){.knobs = def->knobs};
  run r = {.def = def, .found = found, .recordings = def->fitted};
  CT_TRY(hear_recordings(&r, error));
  r.planned = ct_seek_plan(ct_knobs_free_count(&def->knobs), def->most) * def->fitted;
  CT_TRY(ct_players_create(def->doc, def->scene, &r.players, error));
  ct_result result = CT_OK;
  if (def->state)
    result =
        ct_journal_open(def->state, hash_of(&r, ct_players_text(r.players)), r.row_count, &r.journal, error);
  if (result == CT_OK)
    result = go(&r, error);
  free(r.answers);
  ct_journal_close(r.journal);
  ct_players_destroy(r.players);
  return result;
}

ct_result ct_match_play(const ct_match_def *def, const ct_match_found *found, uint32_t index,
                        double **samples, size_t *count, double *rate_hz, ct_error *error) {
  ct_players *players = NULL;
  *samples = NULL;
  CT_TRY(ct_players_create(def->doc, def->scene, &players, error));
  ct_result result = ct_players_play(players, &found->knobs, found->shares, index, found->kind,
                                     found->seconds, samples, count, error);
  ct_players_destroy(players);
  *rate_hz = CT_PLAY_RATE_HZ;
  for (size_t n = 0; *samples && n < *count; n++)
    (*samples)[n] *= pow(10, found->gain_db / 20);
  return result == CT_OK && !*samples ? ct_fail(error, CT_BAD_SCENE, "the scene cannot be played") : result;
}

/* ---- the fitted scene ---- */

/* Triggers are fired by the gesture; everything else stands as the controls say. */
static json_t *gesture_tree(const ct_match_found *found, uint32_t index) {
  json_t *tree = json_pack("{s:[f]}", "time_s", CT_KNOB_FIRED_S);
  for (uint32_t i = 0, free_at = 0; i < found->knobs.count; i++) {
    const ct_knob *k = &found->knobs.items[i];
    double value = ct_knob_stands_at(k, found->shares, &free_at, index);
    if (k->trigger)
      json_object_set_new(tree, k->name, json_pack("[f]", value));
  }
  if (json_object_size(tree) > 1)
    return tree;
  json_decref(tree);
  return NULL;
}

/* The document with its knobs where they were found, as loud as the recording, without the demo and the
 * presets, which would turn them again. */
ct_result ct_match_scene(const ct_match_def *def, const ct_match_found *found, uint32_t index, char **text,
                         ct_error *error) {
  CT_TRY(ct_knobs_set(&found->knobs, found->shares, index, def->doc, error));
  json_t *tree = ct_doc_to_json(def->doc), *gesture = gesture_tree(found, index);
  *text = NULL;
  if (tree) {
    /* As loud as recorded: full scales of all pickups, stated or not. */
    const char *name;
    json_t *pickup;
    json_object_foreach(json_object_get(tree, "pickups"), name, pickup) {
      json_t *now = json_object_get(pickup, "full_scale");
      double full_scale = now ? json_number_value(now) : 1;
      json_object_set_new(pickup, "full_scale", json_real(full_scale * pow(10, -found->gain_db / 20)));
    }
    json_object_del(tree, "presets");
    json_object_del(tree, "gesture");
    json_object_set_new(tree, "seconds", json_real(found->seconds + CT_FIT_WARM_S));
    if (gesture)
      json_object_set(tree, "gesture", gesture);
    *text = ct_json_print(tree);
  }
  json_decref(gesture);
  json_decref(tree);
  return *text ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
}
