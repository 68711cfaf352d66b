/* Measures by contatto/measure.h, put together as Table I speaks of them. */
#include "study/avanzini2005_heard.h"
#include "base/text.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>

const char *const heard_names[HEARD_MEASURES] = {"loudness_lufs", "roughness",   "noise_db", "centroid_hz",
                                                 "bandwidth_hz",  "attack_s",    "pitch_hz", "mode",
                                                 "lock_s",        "timbre_oct_s"};

static const double lowest_hz = 40, highest_hz = 20000, frame_s = 0.04, hop_s = 0.025;

enum { FRAMES = 1024 };

static int mode_near(const rub *r, double hz) {
  for (uint32_t i = 0; i < r->mode_count; i++)
    if (fabs(hz / r->modes[i].hz - 1) < 0.04)
      return (int)i + 1;
  return 0;
}

/* First time the level gets there. */
static double reached_s(const ct_measured_level_frame *frames, size_t count, double level_db) {
  for (size_t i = 0; i < count; i++)
    if (frames[i].rms_db >= level_db)
      return frames[i].time_s;
  return NAN;
}

static double attack_s(const double *v, size_t count, double rate_hz, double end_db) {
  ct_measured_level_frame frames[FRAMES];
  size_t made = ct_measure_level_track(v, count, rate_hz, 0.005, 0.001, frames, FRAMES);
  made = made < FRAMES ? made : FRAMES;
  return reached_s(frames, made, end_db - 3) - reached_s(frames, made, end_db - 20);
}

/* Hann's window: a tone cut off sharply has the spectrum of that cut. */
static void fade(const double *v, size_t count, double *faded) {
  for (size_t i = 0; i < count; i++)
    faded[i] = v[i] * (0.5 - 0.5 * cos(2 * M_PI * ((double)i + 0.5) / (double)count));
}

/* Power at one frequency, broad enough in a frame for a mode that friction pulls. */
static double power_at(const double *faded, size_t count, double radians) {
  double re = 0, im = 0;
  for (size_t i = 0; i < count; i++) {
    re += faded[i] * cos(radians * (double)i);
    im += faded[i] * sin(radians * (double)i);
  }
  return re * re + im * im;
}

/* Share of one mode in the power of all. */
static double mode_share(const rub *r, const double *faded, size_t count, int mode) {
  double sum = 0, own = 0;
  for (uint32_t i = 0; i < r->mode_count; i++) {
    double power = power_at(faded, count, 2 * M_PI * r->modes[i].hz / r->rate_hz);
    sum += power;
    own += (int)i + 1 == mode ? power : 0;
  }
  return sum > 0 ? own / sum : 0;
}

/* Frame by frame: until when the mode that wins shares with others, and how far the centroid wanders. */
static void follow(const rub *r, const double *v, size_t count, double end_db, double *faded, heard *h) {
  size_t frame = (size_t)(frame_s * r->rate_hz), hop = (size_t)(hop_s * r->rate_hz);
  double shared = 0, walked = 0, last = NAN, audible = 0;
  for (size_t at = 0; at + frame <= count; at += hop) {
    if (!(ct_measure_level(v + at, frame).rms_db > end_db - 40))
      continue;
    fade(v + at, frame, faded);
    double centroid = ct_measure_spectrum(faded, frame, r->rate_hz, lowest_hz, highest_hz).centroid_hz;
    if (mode_share(r, faded, frame, (int)h->of[HEARD_MODE]) < 0.9)
      shared = (double)(at + frame) / r->rate_hz;
    if (isfinite(last)) {
      walked += fabs(log2(centroid / last));
      audible += hop_s;
    }
    last = centroid;
  }
  h->of[HEARD_LOCK] = shared;
  h->of[HEARD_TIMBRE] = audible > 0 ? walked / audible : (double)NAN;
}

/* Of the last half. */
static void measure_end(const rub *r, const double *end, size_t count, double *faded, heard *h) {
  fade(end, count, faded);
  ct_measured_spectrum spectrum = ct_measure_spectrum(faded, count, r->rate_hz, lowest_hz, highest_hz);
  double pitch = ct_measure_pitch(end, count, r->rate_hz, lowest_hz, highest_hz / 4).hz;
  h->of[HEARD_ROUGHNESS] = ct_measure_roughness(end, count, r->rate_hz);
  h->of[HEARD_NOISE] = isfinite(pitch) ? -ct_measure_harmonicity(end, count, r->rate_hz, pitch).hnr_db : 0;
  h->of[HEARD_CENTROID] = spectrum.centroid_hz;
  h->of[HEARD_BANDWIDTH] = spectrum.spread_hz;
  h->of[HEARD_PITCH] = ct_measure_strongest_partial(end, count, r->rate_hz, lowest_hz, highest_hz).hz;
  h->of[HEARD_MODE] = mode_near(r, h->of[HEARD_PITCH]);
}

ct_result heard_measure_trace(const rub *r, const rub_trace *t, heard *h, ct_error *error) {
  size_t half = t->count / 2, rest = t->count - half;
  const double *v = t->v_m_s;
  double end_db = ct_measure_level(v + half, rest).rms_db, *faded = malloc(rest * sizeof *faded);
  if (!faded)
    return ct_fail(error, CT_NO_MEMORY, "no memory for measuring");
  h->sounds = end_db > -50;
  for (int i = 0; i < HEARD_MEASURES; i++)
    h->of[i] = NAN;
  h->of[HEARD_LOUDNESS] = ct_measure_loudness(v, t->count, 1, r->rate_hz).momentary_max_lufs;
  if (h->sounds) {
    h->of[HEARD_ATTACK] = attack_s(v, t->count, r->rate_hz, end_db);
    measure_end(r, v + half, rest, faded, h);
    follow(r, v, t->count, end_db, faded, h);
  }
  free(faded);
  return CT_OK;
}
