/* The parts of `contatto bench`. A work is one row of a table: a name, how it is built, how 64 samples of it
 * are played. Works are timed in turns, each a few times over. */
#ifndef CT_CLI_BENCH_H
#define CT_CLI_BENCH_H

#include "hosts/cli/cli.h"
#include <contatto/scene.h>

#define BENCH_BLOCK 64u
#define BENCH_NAME_MAX 48
#define BENCH_DEMO "scene-" /* the names of works that play a built-in scene's demo begin so */

/* ---- works ---- */

typedef struct bench_work bench_work;

/* What playing it told, beside the time. Not a number: does not apply to this work. */
typedef struct bench_facts {
  double evaluations;          /* of contact laws by the solver, per sample */
  double friction_evaluations; /* of friction's rate law inside them, per sample */
  double solves;               /* per sample */
  double most_substeps;        /* in one sample */
  double bytes;                /* of the whole scene */
  double difference;           /* from the plain reference, relative rms over the first block */
  double slips_per_s;          /* of a bowed string */
} bench_facts;

/* One work being played. */
typedef struct bench_run {
  const bench_work *work;
  double rate_hz;
  uint32_t blocks, at; /* to be played, played */
  ct_scene *scene;     /* null: the work has none */
  ct_counters before;  /* when the first block began */
  bench_facts facts;
  void *own; /* of the kind */
} bench_run;

typedef struct bench_kind {
  /* Builds it and plays what is not to be timed. close is called after a failure too. */
  ct_result (*open)(bench_run *run, ct_error *error);
  ct_result (*block)(bench_run *run, ct_error *error); /* BENCH_BLOCK samples */
  void (*close)(bench_run *run);
} bench_kind;

extern const bench_kind bench_struck, bench_plain, bench_friction, bench_string, bench_bodies, bench_masses,
    bench_marble, bench_demo, bench_source;

struct bench_work {
  char name[BENCH_NAME_MAX];
  const char *about;
  const bench_kind *kind;
  uint32_t count;    /* modes, bodies or masses */
  uint32_t variant;  /* one of the words below */
  double hz;         /* pitch of a source */
  double sdt_ns;     /* the Sound Design Toolkit on a 2.3 GHz Xeon; 0: not known */
  double operations; /* floating-point operations per sample that the model needs; 0: not counted */
  double seconds;    /* how long it is played; 0: a short while */
};

/* Variants: struck and plain; friction; bodies; marble; source; string. */
enum { BENCH_TOUCHING, BENCH_RINGING };
enum { BENCH_SMOOTH, BENCH_ROUGH };
enum { BENCH_SOUNDING, BENCH_SILENT };
enum { BENCH_RESTING, BENCH_ROLLING };
enum { BENCH_SUM, BENCH_WHOLE };
enum { BENCH_BRISTLES, BENCH_THERMAL };

typedef struct bench_works {
  bench_work *items;
  uint32_t count;
} bench_works;

/* All there are, those of the table and one per built-in scene; free() the items. */
bool bench_works_list(bench_works *works);
/* Keeps the works that match one of the patterns, as the shell matches file names; all without a pattern. A
 * pattern that matches nothing is an error. */
ct_result bench_works_choose(bench_works *works, const char *const *patterns, uint32_t count,
                             ct_error *error);
/* Fills `seconds` of those that play a built-in scene. */
ct_result bench_works_measure(bench_works *works, ct_error *error);

/* ---- playing ---- */

ct_result bench_open(const bench_work *work, double rate_hz, uint32_t blocks, bench_run *run,
                     ct_error *error);
/* Ends it, and fills the facts that its scene tells; fails when the scene is not as it should be. */
ct_result bench_close(bench_run *run, ct_result result, ct_error *error);
/* All blocks, untimed. Nothing else runs inside: tools/instructions counts in here. */
ct_result bench_play(bench_run *run, ct_error *error);

/* Scenes from parts, for the kinds: bodies with one point each, and a first output that nobody keeps. */
ct_modal_def bench_modal(const char *name, const ct_mode_def *modes, uint32_t count,
                         const ct_point_def *point);
/* Room for these parts and nothing else; the caller says what they take in pool_bytes. */
ct_scene_def bench_scene_def(const bench_run *run, uint32_t bodies, uint32_t contacts, uint32_t pickups);
ct_result bench_scene_block(bench_run *run, ct_error *error);
void bench_scene_close(bench_run *run);
void bench_scene_play(ct_scene *scene, uint32_t blocks);

/* ---- timing ---- */

/* What others on the machine do only ever adds time, and the work is the same each time, so for every block
 * the shortest time over the rounds counts. */
typedef struct bench_speed {
  double best_ns;           /* per sample: every block at its shortest */
  double median_ns;         /* per sample, of whole rounds */
  double slowest_ns;        /* per sample, in the slowest block at its shortest */
  double slowest_over_mean; /* that over the mean of the blocks in which something happens */
} bench_speed;

typedef struct bench_result {
  const bench_work *work;
  bench_speed speed;
  bench_facts facts;
  double old_ns, old_bytes; /* of --compare; not a number: not there */
} bench_result;

typedef struct bench_report {
  char cpu[128];
  const char *instruction_set, *peak_with;
  double peak_gflops, rate_hz;
  bool quick;
  bench_result *results;
  uint32_t count;
  /* of --compare */
  bool compared;
  char old_words[256];  /* version, processor, instruction set and rate of the old numbers */
  const char *old_name; /* its file */
  bool elsewhere;       /* processor, instruction set, rate or length of the runs differ */
  json_t *old_only;     /* names of works that were not timed now */
} bench_report;

typedef struct bench_plan {
  double rate_hz;
  bool quick;
} bench_plan;

ct_result bench_time_all(const bench_works *works, const bench_plan *plan, bench_report *report,
                         ct_error *error);

/* ---- the machine ---- */

double bench_now_ns(void);
/* Most multiply-adds one core does, in 1e9 floating-point operations per second, and what with. */
double bench_peak_gflops(const char **with);
void bench_cpu_name(char *name, size_t room);
/* From now on the engine sees a processor without AVX2. */
void bench_be_portable(void);
const char *bench_instruction_set(void);

/* ---- results ---- */

/* More than this counts as grown, or shrunk. */
#define BENCH_GROWN 1.10

void bench_print(const bench_report *report);
void bench_print_comparison(const bench_report *report);
json_t *bench_json(const bench_report *report);
/* Reads what bench_json wrote and fills the old numbers. `tree` lives as long as the report. */
ct_result bench_compare(bench_report *report, const char *file, const json_t *tree, ct_error *error);
ct_result bench_read(const char *file, json_t **tree, ct_error *error);
ct_result bench_plot(const bench_report *report, const char *png, ct_error *error);

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
