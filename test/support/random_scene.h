/* Hostile random scenes: any bodies, any contacts, seven decades of everything. Same seed, same scene. */
#ifndef CT_TEST_RANDOM_SCENE_H
#define CT_TEST_RANDOM_SCENE_H

#include <contatto/scene.h>

typedef struct random_state {
  uint64_t state;
} random_state;

double random_unit(random_state *r); /* 0 .. 1 */
double random_between(random_state *r, double low, double high);
double random_log(random_state *r, double low, double high);
uint32_t random_below(random_state *r, uint32_t count);

#define RANDOM_BODIES 8
#define RANDOM_MODES 64
#define RANDOM_POINTS 4
#define RANDOM_CONTACTS 12

/* A scene on paper, so that it can be built in any order. */
typedef struct random_scene {
  double rate_hz;
  uint32_t body_count, contact_count;
  struct random_body {
    char name[16];
    bool hand;
    ct_mode_def modes[RANDOM_MODES];
    uint32_t mode_count, point_count;
    double gains[RANDOM_POINTS][RANDOM_MODES];
    char point_names[RANDOM_POINTS][16];
    ct_integrator integrator;
  } bodies[RANDOM_BODIES];
  struct random_contact {
    char name[16], a[40], b[40];
    ct_impact_def def;
  } contacts[RANDOM_CONTACTS];
  double least_mass_kg, most_stiffness;
} random_scene;

typedef struct random_limits {
  double mass_low, mass_high, stiffness_low, stiffness_high;
} random_limits;

void random_scene_make(random_scene *scene, uint64_t seed, random_limits limits);

/* Builds it; `order` shuffles bodies and contacts and swaps ends (0: as made). Fails the test on any error.
 */
ct_scene *random_scene_build(const random_scene *scene, uint64_t order, bool ledger);

/* Another point than `a`, the first there is; false: there is none. */
bool random_other_end(const random_scene *s, const char *a, char *end, size_t size);

#endif
