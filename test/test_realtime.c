/* The audio path makes no allocation, takes no lock, prints nothing and calls no system; it leaves the host's
 * floating-point mode as it found it.
 *
 * ctest: plain (allocators and system calls are the sanitizers' own in instrumented builds)
 *
 * Two traps. The first stands in for the C library's allocators, locks, files and prints and counts what is
 * called while it is armed. The second is the kernel's: in a child that may do nothing but exit, any other
 * system call is death. Both are shown to snap before they are trusted. */
#include "support/lab.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---- the first trap
 * ------------------------------------------------------------------------------------------------------- */

static struct {
  bool armed;
  uint32_t count;
  const char *names[16]; /* of the first ones called */
} trap;

static void spring(const char *name) {
  if (!trap.armed)
    return;
  if (trap.count < sizeof trap.names / sizeof trap.names[0])
    trap.names[trap.count] = name;
  trap.count++;
}

static bool snapped(const char *name) {
  for (uint32_t i = 0; i < trap.count && i < sizeof trap.names / sizeof trap.names[0]; i++)
    if (strcmp(trap.names[i], name) == 0)
      return true;
  return false;
}

static void arm(void) {
  memset(&trap, 0, sizeof trap);
  trap.armed = true;
}

static void disarm(void) { trap.armed = false; }

/* The C library's own allocators, under the names it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc(size_t size) { return spring("malloc"), __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return spring("calloc"), __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return spring("realloc"), __libc_realloc(block, size); }
void free(void *block) { spring("free"), __libc_free(block); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  spring("posix_memalign");
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}

/* What would have been called. */
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

int pthread_mutex_lock(pthread_mutex_t *m) {
  spring("pthread_mutex_lock");
  return NEXT(int (*)(pthread_mutex_t *), "pthread_mutex_lock")(m);
}

/* Nobody in this test waits in earnest. */
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return spring("pthread_cond_wait"), (void)c, (void)m, 0;
}
int pthread_cond_signal(pthread_cond_t *c) { return spring("pthread_cond_signal"), (void)c, 0; }

int open(const char *path, int flags, ...) {
  return spring("open"), (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}
ssize_t read(int file, void *bytes, size_t n) { return spring("read"), syscall(SYS_read, file, bytes, n); }
ssize_t write(int file, const void *bytes, size_t n) {
  return spring("write"), syscall(SYS_write, file, bytes, n);
}
int clock_gettime(clockid_t clock, struct timespec *time) {
  return spring("clock_gettime"), (int)syscall(SYS_clock_gettime, clock, time);
}

FILE *fopen(const char *path, const char *mode) {
  spring("fopen");
  return NEXT(FILE * (*)(const char *, const char *), "fopen")(path, mode);
}

int puts(const char *text) { return spring("puts"), NEXT(int (*)(const char *), "puts")(text); }

int vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
  spring("vsnprintf");
  return NEXT(int (*)(char *, size_t, const char *, va_list), "vsnprintf")(text, size, format, arguments);
}

int snprintf(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  spring("snprintf");
  int length = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return length;
}

int fprintf(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  spring("fprintf");
  int length = vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  spring("printf");
  int length = vfprintf(stdout, format, arguments);
  va_end(arguments);
  return length;
}

/* ---- and that it snaps: each does on purpose what the audio path must not do
 * ------------------------------------------------------------------------------------------------------- */

/* Called through these the compiler cannot see that nothing comes of it. */
static void *(*volatile take)(size_t) = malloc;
static void *(*volatile take_zeroed)(size_t, size_t) = calloc;
static void *(*volatile take_more)(void *, size_t) = realloc;
static void (*volatile give)(void *) = free;
static int (*volatile say)(char *, size_t, const char *, ...) = snprintf;
static int (*volatile shout)(const char *, ...) = printf;
static int (*volatile tell)(FILE *, const char *, ...) = fprintf;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static char text[64];

static void do_malloc(void) { give(take(100)); }
static void do_calloc(void) { give(take_zeroed(3, 8)); }
static void do_realloc(void) { give(take_more(NULL, 100)); }
static void do_lock(void) { pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); }
static void do_wait(void) { pthread_cond_wait(&condition, &mutex); }
static void do_signal(void) { pthread_cond_signal(&condition); }
static void do_open(void) { close(open("/dev/null", O_RDONLY)); }
static void do_fopen(void) { fclose(fopen("/dev/null", "r")); }
static void do_read(void) { (void)!read(-1, text, 1); }
static void do_write(void) { (void)!write(-1, text, 1); }
static void do_clock(void) { clock_gettime(CLOCK_MONOTONIC, &(struct timespec){0}); }
static void do_printf(void) { shout("%s", ""); }
static void do_fprintf(void) { tell(stderr, "%s", ""); }
static void do_snprintf(void) { say(text, sizeof text, "%d", 1); }
static void do_puts(void) { puts("(a line printed to spring a trap)"); }
static void do_posix(void) {
  void *block = NULL;
  (void)!posix_memalign(&block, 64, 128);
  give(block);
}

static const struct {
  const char *name;
  void (*trespass)(void);
} trespasses[] = {{"malloc", do_malloc},
                  {"free", do_malloc},
                  {"calloc", do_calloc},
                  {"realloc", do_realloc},
                  {"posix_memalign", do_posix},
                  {"pthread_mutex_lock", do_lock},
                  {"pthread_cond_wait", do_wait},
                  {"pthread_cond_signal", do_signal},
                  {"open", do_open},
                  {"fopen", do_fopen},
                  {"read", do_read},
                  {"write", do_write},
                  {"clock_gettime", do_clock},
                  {"printf", do_printf},
                  {"fprintf", do_fprintf},
                  {"snprintf", do_snprintf},
                  {"vsnprintf", do_snprintf},
                  {"puts", do_puts}};

static void traps_snap(void **state) {
  (void)state;
  const size_t count = sizeof trespasses / sizeof trespasses[0];
  for (size_t i = 0; i < count; i++) {
    arm();
    trespasses[i].trespass();
    disarm();
    if (!snapped(trespasses[i].name))
      fail_msg("the trap on %s did not snap", trespasses[i].name);
    uint32_t before = trap.count;
    trespasses[i].trespass();
    assert_int_equal(trap.count, before); /* and not when disarmed */
  }
  printf("traps: all %zu snap when they should\n", count);
}

/* ---- what is played
 * ------------------------------------------------------------------------------------------------------- */

enum { BLOCK = 64 };

enum { PATHS = 21 };

typedef struct concert {
  ct_scene *scene;
  ct_handle paths[PATHS];
  ct_handle input, nan_input, strike, taps[5];
  uint32_t guests, refused;
} concert;

/* A bar with a moving point and a shape, two balls resting on it under gravity, a hand that presses it and
 * bows a string. */
static void add_bar(ct_scene *scene) {
  enum { MODES = 20, NODES = 32 };
  static ct_mode_def modes[MODES];
  static double table[MODES * NODES];
  for (int i = 0; i < MODES; i++) {
    modes[i] = (ct_mode_def){.hz = 200 + 150 * i, .t60_s = 0.4, .mass_kg = 0.2};
    for (int k = 0; k < NODES; k++)
      table[i * NODES + k] = cos(M_PI * (i + 1) * k / (NODES - 1));
  }
  ct_point_def points[] = {{.name = "here", .place_u = 0.1}, {.name = "there", .place_u = 0.7}};
  ct_modal_def def = ct_default_modal_def();
  def.name = "bar";
  def.modes = modes;
  def.mode_count = MODES;
  def.points = points;
  def.point_count = 2;
  def.shape = (ct_shape_table){.u = table, .u_count = NODES};
  lab_body(scene, &def);
}

static ct_result add_rubbing(ct_scene *scene, const char *name, const char *at, ct_error *error) {
  static const double x[] = {0.01, 0.1, 0.1, 1}, y[] = {0, 1, 0, 1};
  ct_region_def regions[2] = {ct_default_region_def(), ct_default_region_def()};
  ct_source_def def = ct_default_source_def();
  regions[0].name = "sings";
  regions[0].behaviour = regions[0].morph_to = CT_SINGING_GLASS;
  regions[1].name = "creaks";
  regions[1].morph_to = CT_RUBBING;
  regions[1].morph = 0.5;
  static const double table_x[] = {0.1, 0.3, 1}, table_hz[] = {50, 90, 400};
  regions[1].table_x = table_x;
  regions[1].table_hz = table_hz;
  regions[1].table_x_count = regions[1].table_hz_count = 3;
  regions[1].table_curve = CT_TABLE_SMOOTH;
  for (int i = 0; i < 2; i++) {
    regions[i].x = x + 2 * i;
    regions[i].y = y + 2 * i;
    regions[i].corner_count = 2;
  }
  def.name = name;
  def.at = at;
  def.pressure = 0.5;
  def.regions = regions;
  def.region_count = 2;
  return ct_added(ct_scene_add_source(scene, &def, error), error);
}

static concert open_concert(bool ledger, uint32_t substeps) {
  ct_scene_def def = ct_default_scene_def();
  def.ledger = ledger;
  def.channels = 2;
  def.gravity_m_s2 = 9.81;
  def.bodies = 8;
  def.contacts = 8;
  concert c = {.scene = lab_scene_from(&def)};
  add_bar(c.scene);
  lab_mass(c.scene, "ball", 0.01, 0.002, 0);
  lab_mass(c.scene, "ball2", 0.02, 0.001, 0);
  lab_hand(c.scene, "hand", -0.001, 0);
  ct_string_def wire = ct_default_string_def();
  wire.inharmonicity = 3e-4;
  wire.vibrato_cents = 20;
  lab_string(c.scene, "wire", wire, (double[]){0.1, 0.4}, 2);
  lab_rub(c.scene, "bow", "hand.at", "wire.p0", ct_default_friction_def());
  ct_impact_def law = lab_law("rest", "ball.at", "bar.here", 1e7, 1.5, 0.5);
  law.from_above = true;
  law.substeps = substeps;
  lab_touch(c.scene, law);
  law = lab_law("rest2", "ball2.at", "bar.there", 1e9, 1.5, 0.5);
  law.from_above = true;
  lab_touch(c.scene, law);
  lab_touch(c.scene, lab_law("press", "hand.at", "bar.here", 1e6, 2.5, 1));
  ct_error error = {0};
  if (add_rubbing(c.scene, "finger", "bar.there", &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_pickup(c.scene, "ear", "bar.there", CT_VELOCITY, 1);
  lab_pickup(c.scene, "skin", "rest", CT_FORCE, 1);
  lab_pickup(c.scene, "bone", "bar.here", CT_ACCELERATION, 100);
  lab_control(c.scene, "depth", "hand.x_m", -0.002, 0.0005, false);
  lab_control(c.scene, "tune", "bar.modes.0.hz", 100, 400, false);
  lab_control(c.scene, "throw", "ball.modes.0.v_m_s", 0, -2, true);
  lab_settle(c.scene);
  static const char *const paths[] = {"bar.modes.3.hz",    "bar.modes.4.t60_s", "bar.modes.5.mass_kg",
                                      "rest.stiffness",    "rest2.exponent",    "press.damping_s_m",
                                      "rest.gap_m",        "bar.there.place_u", "ball.at.force_n",
                                      "gravity_m_s2",      "ear.full_scale",    "skin.pan",
                                      "wire.string.hz",    "wire.string.stop",  "hand.tangential_v_m_s",
                                      "finger.speed_m_s",  "finger.exponent",   "finger.creaks.morph",
                                      "finger.creaks.x.0", "finger.sings.size", "finger.creaks.table_hz.1"};
  for (int i = 0; i < PATHS; i++)
    c.paths[i] = lab_handle(c.scene, paths[i]);
  c.input = lab_handle(c.scene, "bar.here.place_u");
  c.nan_input = lab_handle(c.scene, "depth");
  c.strike = lab_handle(c.scene, "throw");
  static const char *const taps[] = {"bar.here.v_m_s", "rest.force_n", "energy.stored_j", "ball.modes.0.x_m",
                                     "energy.error_j"};
  for (int i = 0; i < 5; i++)
    c.taps[i] = lab_handle(c.scene, taps[i]);
  return c;
}

static void move_parameters(concert *c, uint32_t block) {
  static const double low[] = {300, 0.1, 0.1, 1e6,  1.3,  0,   -1e-5, 0.2,  -0.1, 5, 0.5,
                               -1,  150, 0,   0.05, 0.02, 0.5, 0,     0.05, 0.5,  60},
                      high[] = {900, 0.8, 0.4, 1e8, 2.5, 5, 1e-5, 0.9, 0.1, 15, 2,
                                1,   400, 0.5, 0.2, 0.5, 2, 1,    0.2, 2,   300};
  uint32_t which = block % PATHS;
  ct_scene_set(c->scene, c->paths[which], block / PATHS % 2 ? low[which] : high[which], block % 3 ? -1 : 0, 0,
               NULL);
  if (block % 40 == 5)
    ct_scene_set(c->scene, c->strike, 0.7, 0, 0, NULL);
}

static void come_and_go(concert *c, uint32_t block) {
  ct_mode_def modes[3] = {{.hz = 500, .t60_s = 0.1, .mass_kg = 0.1, .v_m_s = 0.5},
                          {.hz = 1500, .t60_s = 0.1, .mass_kg = 0.1},
                          {.hz = 30000, .t60_s = 0.1, .mass_kg = 0.1}};
  ct_point_def point = {.name = "at"};
  ct_modal_def body = ct_default_modal_def();
  body.name = "guest";
  body.modes = modes;
  body.mode_count = 3;
  body.points = &point;
  body.point_count = 1;
  ct_impact_def law = lab_law("knock", "guest.at", "bar.there", 1e6, 1.5, 0.2);
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "eye";
  pickup.at = "guest.at";
  ct_error error;
  if (block % 60 == 0 && ct_added(ct_scene_add_modal(c->scene, &body, &error), &error) == CT_OK) {
    c->guests++;
    ct_added(ct_scene_add_impact(c->scene, &law, &error), &error);
    ct_added(ct_scene_add_pickup(c->scene, &pickup, &error), &error);
    if (add_rubbing(c->scene, "brush", "guest.at", &error) != CT_OK)
      c->guests = 0;
    c->refused +=
        ct_added(ct_scene_add_modal(c->scene, &body, &error), &error) != CT_OK; /* the name is taken */
  }
  if (block % 60 == 20)
    ct_scene_remove(c->scene, "guest", &error);
}

/* Everything at once; the set-up calls for sounding scenes allocate no more than the audio call does. */
static void play(concert *c, uint32_t blocks) {
  float left[BLOCK], right[BLOCK], *outputs[] = {left, right};
  double raw_left[BLOCK], raw_right[BLOCK], *raw[] = {raw_left, raw_right};
  double tapped[5][BLOCK], place[BLOCK], depth[BLOCK];
  ct_tap taps[5];
  for (int i = 0; i < 5; i++)
    taps[i] = (ct_tap){c->taps[i], tapped[i]};
  ct_input inputs[] = {{c->input, place}, {c->nan_input, depth}};
  for (uint32_t block = 0; block < blocks; block++) {
    for (uint32_t n = 0; n < BLOCK; n++) {
      place[n] = 0.5 + 0.4 * sin(0.001 * (block * BLOCK + n));
      depth[n] = n % 7 ? 0.5 + 0.5 * sin(0.0007 * (block * BLOCK + n)) : (double)NAN;
    }
    move_parameters(c, block);
    come_and_go(c, block);
    ct_io io = {.frames = block % 5 ? BLOCK : 7,
                .outputs = outputs,
                .raw = raw,
                .inputs = inputs,
                .input_count = 2,
                .taps = taps,
                .tap_count = 5};
    ct_scene_process(c->scene, &io);
  }
}

static void check_played(const concert *c, uint32_t blocks) {
  ct_counters k = ct_scene_counters(c->scene);
  assert_true(k.solves > blocks && c->guests > blocks / 100 && c->refused == c->guests);
  assert_true(k.dropped_inputs > 0 && k.most_substeps > 1 && k.dropped_modes == c->guests);
}

/* ---- nothing is called
 * ------------------------------------------------------------------------------------------------------- */

static void no_allocation_lock_or_print(void **state) {
  (void)state;
  for (int ledger = 0; ledger < 2; ledger++) {
    concert c = open_concert(ledger, ledger ? 0 : 4);
    arm();
    play(&c, 1500);
    disarm();
    check_played(&c, 1500);
    if (trap.count)
      fail_msg("%s was called in the audio path; %u forbidden calls in all", trap.names[0], trap.count);
    ct_counters k = ct_scene_counters(c.scene);
    printf(
        "1500 blocks %s ledger: %llu samples, %llu solves, up to %u substeps, %u guests: no trap snapped\n",
        ledger ? "with" : "without", (unsigned long long)k.steps, (unsigned long long)k.solves,
        k.most_substeps, c.guests);
    ct_scene_destroy(c.scene);
  }
}

/* The kernel kills this process at any system call but exit. */
static void lock_in(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    syscall(SYS_exit_group, 77);
}

/* Exit status of a child that played in the cell, and did something forbidden there if asked to. */
static int play_in_a_cell(concert *c, uint32_t blocks, bool misbehave) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    lock_in();
    play(c, blocks);
    if (misbehave)
      syscall(SYS_getppid);
    syscall(SYS_exit, c->guests > 0 && c->refused == c->guests ? 42 : 43);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static void no_system_call(void **state) {
  (void)state;
  concert c = open_concert(true, 0);
  int status = play_in_a_cell(&c, 10, true);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    printf("this kernel has no cell to play in\n");
    skip();
  }
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS); /* the trap snaps */
  status = play_in_a_cell(&c, 1500, false);
  if (WIFSIGNALED(status))
    fail_msg("a system call in the audio path: killed by signal %d", WTERMSIG(status));
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
  printf("1500 blocks in a cell where every system call but exit kills: survived; with one system call: "
         "killed\n");
  ct_scene_destroy(c.scene);
}

/* ---- the floating-point mode
 * ------------------------------------------------------------------------------------------------------- */

static void rounding_mode_is_left(void **state) {
  (void)state;
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++) {
    concert c = open_concert(true, 0);
    fesetround(modes[i]);
    play(&c, 200);
    int after = fegetround();
    double stored = ct_scene_ledger(c.scene).stored_j;
    fesetround(FE_TONEAREST);
    assert_int_equal(after, modes[i]);
    assert_true(isfinite(stored));
    ct_scene_destroy(c.scene);
  }
}

#if defined(__x86_64__)
/* Control bits (flush to zero, rounding, masks, denormals are zero), not the sticky flags any sum sets. */
enum { CONTROL_BITS = 0xffc0, FLUSH = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };

static void control_bits_are_left(void **state) {
  (void)state;
  const unsigned usual = _mm_getcsr() & CONTROL_BITS;
  const unsigned hosts[] = {usual, usual | FLUSH, usual | DENORMALS_ARE_ZERO,
                            usual | FLUSH | DENORMALS_ARE_ZERO};
  double stored[4];
  for (int i = 0; i < 4; i++) {
    concert c = open_concert(true, 0);
    _mm_setcsr(hosts[i]);
    play(&c, 300);
    unsigned after = _mm_getcsr() & CONTROL_BITS;
    _mm_setcsr(usual);
    stored[i] = ct_scene_ledger(c.scene).stored_j;
    if (after != hosts[i])
      fail_msg("the host's mode 0x%04x became 0x%04x", hosts[i], after);
    ct_scene_destroy(c.scene);
  }
  printf("stored energy after 300 blocks: %.17g J, flushing to zero %.17g J\n", stored[0], stored[3]);
  assert_true(isfinite(stored[0]) && fabs(stored[3] - stored[0]) <= 1e-9 * stored[0]);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(traps_snap),
    cmocka_unit_test(no_allocation_lock_or_print),
    cmocka_unit_test(no_system_call),
    cmocka_unit_test(rounding_mode_is_left),
#if defined(__x86_64__)
    cmocka_unit_test(control_bits_are_left),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
