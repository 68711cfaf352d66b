/* The action source, eqs 2 to 5 of Thoret et al. 2013:
 *
 *   e(t) = sum_k AM_k(t) sin(Omega_k),  Omega_k' = 2 pi k f0,  f0 = (1 + gamma eps) Phi
 *   AM_k = k^-a,  singing glass: k^-a sin(2 pi integral v / (pi D) dt)
 *
 * Per block: the gesture's place on the map says which voice is wanted (behaviour, Phi); a crossing fades
 * from the old one. Pitch and amplitudes run in straight lines over the block, phases are integrated exactly,
 * so nothing ever jumps.
 *
 * The rim's modulation is signed: sin has one period a turn as printed, hence two pulses of loudness; a rim
 * in its mode (n, 0) turns under a resting ear n times as fast and gives 2n. */
#include "source/action.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static const double reference_m_s = 0.1; /* where noise_n is the rms of the noise impacts */

/* ---- wandering pitch ---- */

/* Random numbers at an even rate R, blurred by the cubic B-spline. Its power spectrum is sinc(f/R)^8: at
 * R = 1.6 hz less than 0.1 % of it lies above hz. Blurring makes weighted means, so the numbers' own bound is
 * kept, and the pitch cannot run through zero. */
static const double per_hz = 1.6;
/* Mean square of the spline's weights over its phase is 151/315, that of the numbers 1/3. */
static const double scale = 2.501655081; /* sqrt(3 * 315 / 151) */

void ct_wander_init(ct_wander *w, uint64_t seed) {
  w->random.state = seed;
  w->at = ct_random_share(&w->random);
  for (int i = 0; i < 4; i++)
    w->value[i] = ct_random_even(&w->random);
}

double ct_wander_next(ct_wander *w, double hz, double seconds) {
  w->at += fmin(per_hz * hz * seconds, 4); /* after four shifts nothing of the past is left */
  for (; w->at >= 1; w->at -= 1) {
    for (int i = 0; i < 3; i++)
      w->value[i] = w->value[i + 1];
    w->value[3] = ct_random_even(&w->random);
  }
  double t = w->at, u = 1 - t;
  double blurred = u * u * u * w->value[0] + (4 + t * t * (3 * t - 6)) * w->value[1] +
                   (4 + u * u * (3 * u - 6)) * w->value[2] + t * t * t * w->value[3];
  return scale * blurred / 6;
}

/* ---- noise impacts ---- */

/* A Poisson process: times between blows are exponential, counted in mean distances so that the density may
 * change at any time. A blow has the shape t/T^2 exp(-t/T) and falls between samples, exactly: the two states
 * sum exp(-t/T) and t exp(-t/T) over all blows, and a new one enters with its own age. Signs and sizes are
 * even random numbers of variance 1, so (Campbell) the mean square is per_s integral of the shape squared,
 * per_s / 4 T. */
static void set_impact_length(ct_impacts *m, double length_s) {
  if (length_s == m->length_s)
    return;
  m->length_s = length_s;
  m->decay = exp(-m->step_s / length_s);
}

static void start_impacts(ct_impacts *m, double rate_hz, double length_s, uint64_t seed) {
  *m = (ct_impacts){.random = {seed}, .step_s = 1 / rate_hz};
  m->left = -log(ct_random_share(&m->random));
  set_impact_length(m, length_s);
}

/* The next sample, at so many blows a second. */
static double next_impacts(ct_impacts *m, double per_s) {
  m->swelling = (m->swelling + m->step_s * m->now) * m->decay;
  m->now *= m->decay;
  if (fabs(m->now) + fabs(m->swelling) < 1e-60) /* no denormal numbers */
    m->now = m->swelling = 0;
  m->left -= per_s * m->step_s;
  for (uint32_t i = 0; m->left < 0 && i < CT_IMPACTS_PER_SAMPLE; i++) {
    double age_s = fmin(-m->left / per_s, m->step_s);
    double size = sqrt(3) * ct_random_even(&m->random), left = exp(-age_s / m->length_s);
    m->now += size * left;
    m->swelling += size * age_s * left;
    m->left -= log(ct_random_share(&m->random));
  }
  m->left = fmax(m->left, 0);
  return m->swelling / (m->length_s * m->length_s);
}

/* ---- set-up ---- */

void ct_action_lay(ct_action *a, ct_arena *arena, const ct_source_def *def) {
  a->regions = ct_arena_take(arena, def->region_count, sizeof *a->regions);
  a->map.outlines = ct_arena_take(arena, def->region_count, sizeof *a->map.outlines);
  for (uint32_t i = 0; i < def->region_count; i++) {
    ct_pitch_table table;
    ct_pitch_table_lay(&table, arena, &def->regions[i]);
    if (a->regions)
      a->regions[i].table = table;
  }
}

static void fill_values(ct_action *a, const ct_source_def *def) {
  const double signal[CT_SIGNALS] = {[CT_SPEED] = def->speed_m_s,
                                     [CT_PRESSURE] = def->pressure,
                                     [CT_FLUIDITY] = def->fluidity,
                                     [CT_POSITION] = def->position,
                                     [CT_PATH_ACCELERATION] = def->acceleration_m_s2,
                                     [CT_PATH_CURVATURE] = def->curvature_1_m,
                                     [CT_LOG_JERK] = def->log_jerk,
                                     [CT_ARC_LENGTH] = def->arc_length};
  memcpy(a->signal, signal, sizeof signal);
  a->values = *def;
  a->values.name = a->values.at = NULL; /* the host's memory */
  a->values.regions = NULL;
}

static void fill_region(ct_region *r, const ct_axis_def axis[2], const ct_region_def *def) {
  ct_copy_name(r->name, def->name);
  r->corner_count = def->corner_count;
  for (uint32_t i = 0; i < def->corner_count; i++) {
    r->corner[0][i] = def->x[i];
    r->corner[1][i] = def->y[i];
  }
  r->size = def->size;
  r->shift_x = def->shift_x;
  r->shift_y = def->shift_y;
  r->drawn = true;
  ct_pitch_table_fill(&r->table, axis, def);
  r->hz = def->hz;
  r->x_power = def->x_power;
  r->y_power = def->y_power;
  r->level = def->level;
  r->morph = def->morph;
  r->ends[0] = ct_behaviour_voice(def->behaviour);
  r->ends[1] = ct_behaviour_voice(def->morph_to);
  r->pitch = def->pitch;
  r->notes = def->notes;
  r->root_hz = def->root_hz;
  r->mode = def->mode;
  r->note = NAN;
  r->locked_times = 1;
}

ct_result ct_action_fill(ct_action *a, const ct_source_def *def, double rate_hz, uint64_t seed,
                         ct_error *error) {
  a->map.axis[0] = def->x;
  a->map.axis[1] = def->y;
  a->map.boundary = def->boundary;
  a->map.width = def->width;
  a->map.region_count = a->map.now = def->region_count;
  CT_TRY(ct_map_fill(&a->map, def->regions, def->name, error));
  for (uint32_t i = 0; i < def->region_count; i++)
    fill_region(&a->regions[i], a->map.axis, &def->regions[i]);
  fill_values(a, def);
  a->block_s = CT_ACTION_BLOCK / rate_hz;
  a->rim_waves = def->physical_beats ? def->rim_waves : 1;
  a->crossed_s = INFINITY;
  a->voice = ct_behaviour_voice(CT_SILENT);
  ct_harmonics_init(&a->harmonics, rate_hz, def->exponent);
  ct_wander_init(&a->wander, seed);
  start_impacts(&a->impacts, rate_hz, def->impact_s, ~seed);
  return CT_OK;
}

/* ---- the voice ---- */

/* What an axis reads: of a speed its size, since it may go to and fro. */
static double signal_on(const ct_action *a, int axis) {
  ct_signal which = a->map.axis[axis].signal;
  double value = a->signal[which];
  return which == CT_SPEED ? fabs(value) : value;
}

/* log2 of a signal over the middle of its axis; a standstill is a thousandth of it, not nothing. On an axis
 * through 0 there is no such law, and the pitch stays. */
static double above_middle(const ct_action *a, int axis) {
  double middle = a->map.middle[axis];
  return middle != 0 ? log2(fmax(signal_on(a, axis) / middle, 1e-3)) : 0;
}

/* Phi in the middle of the plane is hz, or the table's own, or the behaviour's. */
static double table_pitch(const ct_action *a, const ct_region *r) {
  double pitch = ct_pitch_table_read(&r->table, a->placed_at);
  if (r->hz > 0)
    pitch += log2(r->hz) - ct_pitch_table_read(&r->table, (double[2]){0.5, 0.5});
  return pitch;
}

static double free_pitch(const ct_action *a, const ct_region *r, double own) {
  double pitch = r->table.hz_count ? table_pitch(a, r) : r->hz > 0 ? log2(r->hz) : own;
  if (r->x_power != 0)
    pitch += r->x_power * above_middle(a, 0);
  if (r->y_power != 0)
    pitch += r->y_power * above_middle(a, 1);
  return pitch;
}

static double region_pitch(const ct_action *a, const ct_region *r, const ct_voice *voice) {
  double lock = r->pitch == CT_PITCH_USUAL ? voice->part[CT_VOICE_LOCK] : r->pitch == CT_PITCH_LOCKED;
  double own = voice->part[CT_VOICE_PITCH];
  double locked =
      lock > 0 ? (r->locked_hz && *r->locked_hz > 0 ? log2(r->locked_times * *r->locked_hz) : own) : 0;
  double pitch = lock < 1 ? free_pitch(a, r, own) : 0;
  return r->pitch == CT_PITCH_SCALE ? ct_notes_nearest(r->notes, r->root_hz, pitch, r->note)
                                    : lock * locked + (1 - lock) * pitch;
}

/* What a region wants now. True when it has gone to another note. */
static bool region_voice(const ct_action *a, ct_region *r, ct_voice *voice) {
  *voice = ct_voices_blend(r->ends, (double[2]){1 - r->morph, r->morph}, 2, &r->ends[0]);
  double pitch = region_pitch(a, r, voice);
  bool moved = r->pitch == CT_PITCH_SCALE && r->note != pitch && !isnan(r->note);
  r->note = pitch;
  voice->part[CT_VOICE_PITCH] = pitch;
  voice->part[CT_VOICE_LEVEL] = r->level;
  return moved;
}

static double smooth(double t) { return t >= 1 ? 1 : t * t * (3 - 2 * t); }

static void redraw(ct_action *a) {
  for (uint32_t i = 0; i < a->map.region_count; i++) {
    ct_region *r = &a->regions[i];
    if (r->drawn)
      continue;
    ct_outline_fill(&a->map.outlines[i], a->map.axis, r->corner[0], r->corner[1], r->corner_count);
    ct_outline_move(&a->map.outlines[i], r->size, r->shift_x, r->shift_y);
    r->drawn = true;
  }
  a->redrawn = false;
}

/* Where the gesture is on the map, when it or the map has moved. True when a boundary was crossed. */
static bool look_up(ct_action *a) {
  for (int k = 0; k < 2; k++) {
    a->placed[k] = signal_on(a, k);
    a->placed_at[k] = ct_axis_place(&a->map.axis[k], a->placed[k]);
  }
  double weights[CT_REGIONS_MOST];
  bool crossed = ct_map_weigh(&a->map, a->placed_at, weights);
  for (uint32_t i = 0; i < a->map.region_count; i++)
    a->regions[i].share = weights[i];
  return crossed;
}

static void choose_voice(ct_action *a) {
  ct_voice voices[CT_REGIONS_MOST], wanted;
  double shares[CT_REGIONS_MOST] = {0};
  uint32_t heard = 0;
  voices[0] = a->voice;
  bool moved = signal_on(a, 0) != a->placed[0] || signal_on(a, 1) != a->placed[1] || !a->begun || a->redrawn;
  if (a->redrawn)
    redraw(a);
  bool crossed = moved && look_up(a);
  for (uint32_t i = 0; i < a->map.region_count; i++)
    if (a->regions[i].share > 0) {
      crossed |= region_voice(a, &a->regions[i], &voices[heard]);
      shares[heard++] = a->regions[i].share;
    }
  wanted = ct_voices_blend(voices, shares, heard, &a->voice);
  if (crossed) {
    a->from = a->voice;
    a->crossed_s = 0;
  }
  a->crossed_s += a->block_s;
  double t = smooth(a->crossed_s / CT_ACTION_CROSSING_S);
  a->voice =
      t < 1 ? ct_voices_blend((ct_voice[2]){a->from, wanted}, (double[2]){1 - t, t}, 2, &wanted) : wanted;
}

/* ---- the sound ---- */

/* How strongly the gesture acts: as its pressure, and from rest as the square of its speed. */
static double effort(const ct_action *a) {
  double square = a->signal[CT_SPEED] * a->signal[CT_SPEED];
  return a->signal[CT_PRESSURE] * square / (square + a->values.onset_m_s * a->values.onset_m_s);
}

static double next_hz(ct_action *a) {
  double eps = a->values.wander * ct_wander_next(&a->wander, a->values.wander_hz, a->block_s);
  double hz = exp2(a->voice.part[CT_VOICE_PITCH]) * (1 + a->voice.part[CT_VOICE_GAMMA] * eps);
  return fmin(fmax(hz, CT_HARMONIC_HZ_MIN), CT_HARMONIC_HZ_MAX);
}

static double next_beat(ct_action *a) {
  double depth = a->voice.part[CT_VOICE_BEATS];
  a->rim += a->rim_waves * a->signal[CT_SPEED] / (M_PI * a->values.diameter_m) * a->block_s;
  a->rim -= floor(a->rim);
  return depth > 0 ? 1 - depth + depth * sin(2 * M_PI * a->rim) : 1;
}

/* With f0 in a straight line from f to f', the phase after the i-th of B samples has grown by
 * h (f i + (f' - f) i^2 / 2B). */
static void walk_phase(ct_action *a, double hz, double turns[CT_ACTION_BLOCK]) {
  double step_s = a->block_s / CT_ACTION_BLOCK, bend = (hz - a->hz) / (2.0 * CT_ACTION_BLOCK);
  for (uint32_t i = 0; i < CT_ACTION_BLOCK; i++) {
    double t = a->phase + step_s * i * (a->hz + bend * i);
    turns[i] = t - floor(t + 0.5);
  }
  a->phase += step_s * CT_ACTION_BLOCK * (a->hz + bend * CT_ACTION_BLOCK);
  a->phase -= floor(a->phase + 0.5);
}

static void add_tone(ct_action *a, double hz, double tone_n, double beat, double force_n[CT_ACTION_BLOCK]) {
  double turns[CT_ACTION_BLOCK], wave[CT_ACTION_BLOCK];
  walk_phase(a, hz, turns);
  if (tone_n == 0 && a->tone_n == 0)
    return;
  ct_harmonics_set_hz(&a->harmonics, a->hz, hz);
  ct_harmonics_block(&a->harmonics, turns, wave);
  for (uint32_t i = 0; i < CT_ACTION_BLOCK; i++) {
    double t = (double)i / CT_ACTION_BLOCK;
    force_n[i] += (a->tone_n + t * (tone_n - a->tone_n)) * (a->beat + t * (beat - a->beat)) * wave[i];
  }
}

static void add_noise(ct_action *a, double noise, double per_s, double force_n[CT_ACTION_BLOCK]) {
  if (noise == 0 && a->noise == 0)
    return;
  for (uint32_t i = 0; i < CT_ACTION_BLOCK; i++) {
    double t = (double)i / CT_ACTION_BLOCK;
    force_n[i] +=
        (a->noise + t * (noise - a->noise)) * next_impacts(&a->impacts, a->per_s + t * (per_s - a->per_s));
  }
}

void ct_action_block(ct_action *a, double force_n[CT_ACTION_BLOCK]) {
  const ct_source_def *v = &a->values;
  const double *part = a->voice.part;
  choose_voice(a);
  if (v->exponent != a->harmonics.exponent)
    ct_harmonics_set_exponent(&a->harmonics, v->exponent);
  set_impact_length(&a->impacts, v->impact_s);
  double strength = effort(a) * part[CT_VOICE_LEVEL], noise = strength * part[CT_VOICE_NOISE] * v->noise_n;
  double tone_n = strength * part[CT_VOICE_HARMONICS] * v->force_n, hz = next_hz(a), beat = next_beat(a);
  double per_m = noise > 0 ? v->density * exp2(part[CT_VOICE_DENSITY]) : 0;
  double per_s = noise > 0 ? per_m * fabs(a->signal[CT_SPEED]) : a->per_s;
  if (noise > 0) /* shot noise of rms 1 at the reference speed: see below */
    noise *= sqrt(4 * v->impact_s / (per_m * reference_m_s));
  if (!a->begun) {
    a->begun = true;
    a->hz = hz;
    a->beat = beat;
    a->per_s = per_s;
  }
  memset(force_n, 0, CT_ACTION_BLOCK * sizeof force_n[0]);
  add_tone(a, hz, tone_n, beat, force_n);
  add_noise(a, noise, per_s, force_n);
  a->hz = hz;
  a->tone_n = tone_n;
  a->beat = beat;
  a->noise = noise;
  a->per_s = per_s;
}
