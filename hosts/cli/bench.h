/* The parts of `contatto bench`. */
#ifndef CT_CLI_BENCH_H
#define CT_CLI_BENCH_H

#include <contatto/scene.h>

#define BENCH_BLOCK 64u
#define BENCH_RATE_HZ 48000.0

double bench_now_ns(void);

/* ---- timing: the same work several times over ---- */

/* What others on the machine do only ever adds time, and the work is the same each time, so for every block
 * the shortest time over the rounds counts. */
typedef struct bench_timing {
  uint32_t blocks, rounds;
  double *block_ns; /* shortest so far */
  double *round_ns; /* whole rounds */
  uint32_t round;
} bench_timing;

void bench_timing_add(bench_timing *timing, uint32_t block, double ns);

typedef struct bench_speed {
  double best_ns;    /* per sample: every block at its shortest */
  double median_ns;  /* per sample, of whole rounds */
  double slowest_ns; /* per sample, in the slowest block at its shortest */
} bench_speed;

/* A round times every block once. */
typedef ct_result bench_round(void *what, bench_timing *timing, ct_error *error);
ct_result bench_rounds(uint32_t blocks, uint32_t rounds, bench_round *round, void *what, bench_speed *speed,
                       ct_error *error);

/* ---- the machine ---- */

/* Most multiply-adds one core does, in 1e9 floating-point operations per second, and what with. */
double bench_peak_gflops(const char **with);
void bench_cpu_name(char *name, size_t room);

/* ---- a struck body ---- */

/* A bar of `modes` modes and a hammer. Touching: a force that swells and falls keeps the hammer on it.
 * Ringing: the hammer is far away. The plain reference is the same model as anybody would write it first. */
typedef struct bench_body {
  uint32_t modes;
  bool touching;
  bench_speed speed, reference;
  double evaluations; /* per sample */
  double solves;
  double share_of_peak;
  size_t bytes;
  double difference; /* of the two outputs, relative rms over the first block */
} bench_body;

/* Floating-point operations per mode and sample the model needs: 8 to step, 10 for what a point sees, 2 to
 * push. */
#define BENCH_OPERATIONS_RINGING 18.0
#define BENCH_OPERATIONS_TOUCHING 20.0

ct_result bench_body_run(bench_body *body, uint32_t blocks, uint32_t rounds, ct_error *error);

/* ---- a bowed string ---- */

/* A cello's D, bowed steadily, under one of the friction laws. */
typedef struct bench_string {
  ct_law law;
  bench_speed speed;
  double searches; /* evaluations of the friction law per sample */
  double pitch_hz; /* slips per second: it sings */
} bench_string;

ct_result bench_string_run(bench_string *string, uint32_t blocks, uint32_t rounds, ct_error *error);

/* ---- an action source ---- */

/* All harmonics of a pitch up to 20 kHz: their sum alone, or the whole source. */
typedef struct bench_source {
  double hz;
  bool whole;
  bench_speed speed;
} bench_source;

ct_result bench_source_run(bench_source *source, uint32_t blocks, uint32_t rounds, ct_error *error);

/* ---- the plain reference ---- */

typedef struct bench_reference {
  uint32_t modes;
  double step_s;
  double *x, *v, *a12, *ii, *a22, *stiffness, *gain, *gain_over_mass;
  double compliance; /* of both bodies */
  double hammer_x, hammer_v, hammer_kg;
  double contact_stiffness, exponent, damping_s_m;
  double compression;
} bench_reference;

bool bench_reference_init(bench_reference *reference, const ct_mode_def *modes, uint32_t count,
                          const ct_mode_def *hammer, const ct_impact_def *contact, double rate_hz);
void bench_reference_free(bench_reference *reference);
void bench_reference_ring(bench_reference *reference, double *out, uint32_t frames);
void bench_reference_touch(bench_reference *reference, const double *force_n, double *out, uint32_t frames);

#endif
