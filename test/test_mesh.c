/* Meshes: every vertex lies on the body, and moves with each mode as a contact at its place would be moved.
 */
#include <contatto/mesh.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const ct_shape_link links[] = {
    {0, 1, 1e5}, {1, 2, 2e5}, {2, 3, 1e5}, {3, 0, 1e5}, {0, CT_LINK_GROUND, 1e4}};

static ct_object *object_of(ct_shape_kind kind) {
  ct_shape_def def = ct_default_shape_def(kind);
  if (kind == CT_SHAPE_NETWORK) {
    def.columns = 4;
    def.links = links;
    def.link_count = 5;
  }
  ct_object *object;
  ct_error error;
  if (ct_object_create(&def, ct_material_find("steel"), 9, 20000, &object, NULL, &error) != CT_OK)
    fail_msg("%s: %s", ct_shape_kind_name(kind), error.text);
  return object;
}

static ct_mesh *mesh_of(const ct_object *object) {
  ct_mesh *mesh;
  assert_int_equal(ct_mesh_create(object, &mesh, NULL), CT_OK);
  return mesh;
}

static void for_every_kind(void (*look)(const ct_object *, const ct_mesh *)) {
  for (int kind = CT_SHAPE_NONE + 1; kind < CT_SHAPE_KIND_COUNT; kind++) {
    ct_object *object = object_of((ct_shape_kind)kind);
    ct_mesh *mesh = mesh_of(object);
    look(object, mesh);
    ct_mesh_destroy(mesh);
    ct_object_destroy(object);
  }
}

static bool rimmed(ct_shape_kind kind) { return ct_shape_axis_wraps(kind, CT_AXIS_FIRST); }

/* ---- what it is made of ---- */

static void whole(const ct_object *object, const ct_mesh *m) {
  (void)object;
  assert_true(m->vertex_count >= 4 && m->vertex_count < 2500 && m->mode_count > 0);
  assert_true((m->face_count > 0) != (m->line_count > 0));
  for (uint32_t i = 0; i < 3 * m->face_count; i++)
    assert_true(m->faces[i] < m->vertex_count);
  for (uint32_t i = 0; i < 2 * m->line_count; i++)
    assert_true(m->lines[i] < m->vertex_count);
  for (uint32_t i = 0; i < 2 * m->vertex_count; i++)
    assert_true(m->places[i] >= 0 && m->places[i] <= 1);
  for (uint32_t i = 0; i < 3 * m->vertex_count * m->mode_count; i++)
    assert_true(isfinite(m->motions[i]));
}

static void every_kind_makes_a_whole_mesh(void **state) {
  (void)state;
  for_every_kind(whole);
}

/* ---- motion: ct_shape_gain along the normal, the rim's own factor along the rim ---- */

static void moves(const ct_object *object, const ct_mesh *m) {
  const ct_shape_def *shape = ct_object_shape(object);
  uint32_t count;
  const ct_shape_mode *modes = ct_object_modes(object, &count);
  assert_int_equal(count, m->mode_count);
  bool lumped = m->kind == CT_SHAPE_CHAIN || m->kind == CT_SHAPE_MESH || m->kind == CT_SHAPE_NETWORK;
  for (uint32_t mode = 0; mode < count; mode++)
    for (uint32_t i = 0; i < m->vertex_count; i += 7) {
      double u = (double)m->places[2 * i], v = (double)m->places[2 * i + 1], at[3], normal[3];
      const float *moved = m->motions + 3 * (mode * m->vertex_count + i);
      ct_mesh_place(shape, u, v, at, normal);
      double out = 0;
      for (int k = 0; k < 3; k++)
        out += normal[k] * (double)moved[k];
      double room =
          lumped ? 1e-5 : 0.01; /* tables are read in straight lines: (k h)^2 / 8 with 24 per half wave */
      if (fabs(out - ct_shape_gain(shape, &modes[mode], u, v)) > room)
        fail_msg("%s, mode %u at (%g, %g): %g instead of %g", ct_shape_kind_name(m->kind), mode, u, v, out,
                 ct_shape_gain(shape, &modes[mode], u, v));
      double along = normal[0] * (double)moved[1] - normal[1] * (double)moved[0];
      double wanted = rimmed(m->kind) ? ct_shape_factor(shape, &modes[mode], CT_AXIS_ALONG, u) *
                                            ct_shape_factor(shape, &modes[mode], CT_AXIS_SECOND, v)
                                      : 0;
      if (fabs(along - wanted) > room)
        fail_msg("%s, mode %u at (%g, %g): %g along the rim instead of %g", ct_shape_kind_name(m->kind), mode,
                 u, v, along, wanted);
    }
}

static void vertices_move_as_contacts_would(void **state) {
  (void)state;
  for_every_kind(moves);
}

/* A body that hangs swings as one: its first mode moves every vertex by the same. */
static void what_hangs_swings_as_a_whole(void **state) {
  (void)state;
  ct_object *object = object_of(CT_SHAPE_TUBE);
  assert_int_equal(ct_object_hang(object, 0.8, 3, NULL), CT_OK);
  ct_mesh *m = mesh_of(object);
  assert_int_equal(m->mode_count, 10);
  for (uint32_t i = 0; i < m->vertex_count; i++)
    assert_true(m->motions[3 * i] == 0 && m->motions[3 * i + 1] == 0 && m->motions[3 * i + 2] == 1);
  ct_mesh_destroy(m);
  ct_object_destroy(object);
}

/* ---- surface ---- */

static double volume(const ct_mesh *m) {
  double sum = 0;
  for (uint32_t f = 0; f < m->face_count; f++) {
    double p[3][3];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++)
        p[k][i] = (double)m->vertices[3 * m->faces[3 * f + (uint32_t)k] + (uint32_t)i];
    sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
           p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }
  return sum / 6;
}

static double volume_of(ct_shape_kind kind, ct_shape_def *shape) {
  ct_object *object = object_of(kind);
  ct_mesh *m = mesh_of(object);
  double v = volume(m);
  *shape = *ct_object_shape(object);
  ct_mesh_destroy(m);
  ct_object_destroy(object);
  return v;
}

/* Gauss: the flux of position through a closed surface, seen from outside, is three times what it holds. A
 * polygon of n corners holds sin(2 pi / n) / (2 pi / n) of its circle. */
static void closed_bodies_hold_their_volume(void **state) {
  (void)state;
  ct_shape_def s;
  double bar = volume_of(CT_SHAPE_BAR, &s);
  assert_true(fabs(bar / (s.size_m[0] * s.size_m[1] * s.thickness_m) - 1) < 1e-5);
  double ring = volume_of(CT_SHAPE_RING, &s), turn = 2 * M_PI / 96;
  assert_true(fabs(ring / (2 * M_PI * s.radius_m * s.thickness_m * s.size_m[0]) - sin(turn) / turn) < 1e-5);
}

static void seen_from_outside(const ct_object *object, const ct_mesh *m) {
  if (m->kind == CT_SHAPE_BAR || m->kind == CT_SHAPE_TUBE || m->kind == CT_SHAPE_RING)
    return;
  for (uint32_t f = 0; f < m->face_count; f++) {
    const uint32_t *face = m->faces + 3 * f;
    const float *a = m->vertices + 3 * face[0], *b = m->vertices + 3 * face[1],
                *c = m->vertices + 3 * face[2];
    double p[3], q[3], at[3], normal[3];
    for (int k = 0; k < 3; k++) {
      p[k] = (double)(b[k] - a[k]);
      q[k] = (double)(c[k] - a[k]);
    }
    ct_mesh_place(ct_object_shape(object), (double)m->places[2 * face[0]], (double)m->places[2 * face[0] + 1],
                  at, normal);
    double facing = normal[0] * (p[1] * q[2] - p[2] * q[1]) + normal[1] * (p[2] * q[0] - p[0] * q[2]) +
                    normal[2] * (p[0] * q[1] - p[1] * q[0]);
    assert_true(facing > -1e-12);
  }
}

static void faces_look_outward(void **state) {
  (void)state;
  for_every_kind(seen_from_outside);
}

/* A network's springs are its lines; the one to the ground is not drawn. */
static void a_network_shows_its_springs(void **state) {
  (void)state;
  ct_object *object = object_of(CT_SHAPE_NETWORK);
  ct_mesh *m = mesh_of(object);
  const uint32_t wanted[] = {0, 1, 1, 2, 2, 3, 3, 0};
  assert_int_equal(m->line_count, 4);
  assert_memory_equal(m->lines, wanted, sizeof wanted);
  ct_mesh_destroy(m);
  ct_object_destroy(object);
}

static void places_are_clamped_and_wrap(void **state) {
  (void)state;
  ct_shape_def bar = ct_default_shape_def(CT_SHAPE_BAR), glass = ct_default_shape_def(CT_SHAPE_GLASS);
  double at[3], again[3], normal[3];
  ct_mesh_place(&bar, 1.7, 0.5, at, normal);
  assert_true(at[0] == bar.size_m[0] / 2);
  ct_mesh_place(&glass, 0.25, 1, at, normal);
  ct_mesh_place(&glass, 3.25, 1, again, normal);
  assert_true(fabs(at[1] - glass.radius_m) < 1e-12 && fabs(at[2] - glass.size_m[0]) < 1e-12);
  assert_true(fabs(at[0] - again[0]) < 1e-12 && fabs(at[1] - again[1]) < 1e-12);
}

/* Along its silhouette, from the ground up: radius and height of the vertices at one angle. */
static uint32_t silhouette(const ct_mesh *m, double outline[32][2]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->vertex_count && m->places[2 * i] == 0.0f; i++, count++) {
    assert_true(count < 32);
    outline[count][0] = hypot((double)m->vertices[3 * i], (double)m->vertices[3 * i + 1]);
    outline[count][1] = (double)m->vertices[3 * i + 2];
  }
  return count;
}

/* A wineglass stands on a foot nearly as wide as its rim, and a stem a tenth as wide carries an egg whose
 * belly is wider than its rim; a tumbler is straight, on a base. What is below the wall does not move. */
static void glasses_have_their_silhouette(void **state) {
  (void)state;
  const ct_shape_kind kinds[] = {CT_SHAPE_WINEGLASS, CT_SHAPE_TUMBLER};
  for (int k = 0; k < 2; k++) {
    ct_object *object = object_of(kinds[k]);
    ct_mesh *m = mesh_of(object);
    const ct_shape_def *s = ct_object_shape(object);
    double line[32][2] = {{0}}, narrowest = 1, widest = 0, belly = 0;
    uint32_t count = silhouette(m, line), angles = m->vertex_count / count;
    assert_true(line[0][0] == 0 && line[0][1] < 0);
    for (uint32_t i = 1; i < count; i++) {
      assert_true(line[i][1] >= line[i - 1][1]);
      if (line[i][1] < 0)
        narrowest = fmin(narrowest, line[i][0]), widest = fmax(widest, line[i][0]);
      else
        belly = fmax(belly, line[i][0]);
    }
    assert_true(fabs(line[count - 1][0] - s->radius_m) < 1e-6 &&
                fabs(line[count - 1][1] - s->size_m[0]) < 1e-6);
    if (kinds[k] == CT_SHAPE_WINEGLASS)
      assert_true(narrowest < 0.1 * s->radius_m && widest > 0.85 * s->radius_m && belly > 1.02 * s->radius_m);
    else
      assert_true(widest < s->radius_m && belly < s->radius_m * 1.0001);
    for (uint32_t mode = 0; mode < m->mode_count; mode++)
      for (uint32_t i = 0; i < angles * count; i++)
        if (m->vertices[3 * i + 2] < 0.0f)
          for (uint32_t c = 0; c < 3; c++)
            assert_true(fabs((double)m->motions[3 * ((size_t)mode * m->vertex_count + i) + c]) < 1e-6);
    ct_mesh_destroy(m);
    ct_object_destroy(object);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_makes_a_whole_mesh),
      cmocka_unit_test(vertices_move_as_contacts_would),
      cmocka_unit_test(what_hangs_swings_as_a_whole),
      cmocka_unit_test(closed_bodies_hold_their_volume),
      cmocka_unit_test(faces_look_outward),
      cmocka_unit_test(a_network_shows_its_springs),
      cmocka_unit_test(places_are_clamped_and_wrap),
      cmocka_unit_test(glasses_have_their_silhouette),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
