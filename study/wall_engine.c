/* A mass on a wall as a scene: what the engine itself does, read sample by sample. */
#include "study/wall.h"

static ct_scene_def small_scene(const wall *w) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = 1 / w->step_s;
  def.gravity_m_s2 = w->gravity_m_s2;
  def.bodies = 2;
  def.contacts = def.pickups = def.controls = def.targets = 1;
  def.pool_bytes = 1 << 14;
  def.ledger = true;
  return def;
}

/* Gravity pulls towards negative x, so the mass stands above the wall: its place is -compression. */
static ct_result add_ball(ct_scene *scene, const wall *w, double x_m, ct_error *error) {
  ct_mode_def mode = {.mass_kg = w->impact.mass_kg, .x_m = -x_m, .v_m_s = -w->impact.speed_m_s};
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = "ball";
  def.modes = &mode;
  def.mode_count = 1;
  def.points = &point;
  def.point_count = 1;
  return ct_added(ct_scene_add_modal(scene, &def, error), error);
}

static ct_result add_wall(ct_scene *scene, ct_error *error) {
  ct_hand_def def = ct_default_hand_def();
  def.name = "wall";
  return ct_added(ct_scene_add_hand(scene, &def, error), error);
}

static ct_result add_touch(ct_scene *scene, const wall *w, ct_quality quality, ct_error *error) {
  ct_impact_def def = ct_default_impact_def();
  def.name = "touch";
  def.a = "ball.at";
  def.b = "wall.at";
  def.from_above = true;
  def.stiffness = w->impact.stiffness;
  def.exponent = w->impact.exponent;
  def.damping_s_m = w->impact.damping_s_m;
  def.quality = quality;
  return ct_added(ct_scene_add_impact(scene, &def, error), error);
}

static ct_result build(const wall *w, const wall_run_def *run, ct_scene **scene, ct_error *error) {
  ct_scene_def def = small_scene(w);
  ct_result result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = add_ball(*scene, w, run->x_m, error);
  if (result == CT_OK)
    result = add_wall(*scene, error);
  if (result == CT_OK)
    result = add_touch(*scene, w, run->quality, error);
  if (result == CT_OK)
    ct_scene_process(*scene, &(ct_io){.frames = 0});
  return result;
}

typedef struct reader {
  ct_handle x, v, compression, force, stored;
} reader;

static ct_result find(const ct_scene *scene, reader *r, ct_error *error) {
  const struct {
    const char *path;
    ct_handle *handle;
  } wanted[] = {{"ball.at.x_m", &r->x},
                {"ball.at.v_m_s", &r->v},
                {"touch.compression_m", &r->compression},
                {"touch.force_n", &r->force},
                {"touch.stored_j", &r->stored}};
  ct_result result = CT_OK;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && result == CT_OK; i++)
    result = ct_scene_resolve(scene, wanted[i].path, wanted[i].handle, error);
  return result;
}

static wall_state read_state(const ct_scene *scene, const reader *r, const wall *w) {
  double compression = ct_scene_get(scene, r->compression);
  return (wall_state){compression > 0 ? compression : -ct_scene_get(scene, r->x), -ct_scene_get(scene, r->v),
                      w->impact.mass_kg * w->gravity_m_s2 - ct_scene_get(scene, r->force)};
}

static double read_energy_j(const ct_scene *scene, const reader *r, const wall *w) {
  double v = ct_scene_get(scene, r->v);
  return ct_scene_get(scene, r->stored) + 0.5 * w->impact.mass_kg * v * v;
}

/* A contact shorter than a sample shows only by its force. */
static void play(ct_scene *scene, const reader *r, const wall *w, const wall_run_def *def, wall_trace *t) {
  bool touched = false;
  wall_trace_add(t, read_state(scene, r, w), read_energy_j(scene, r, w));
  for (uint32_t n = 0; n < def->samples; n++) {
    ct_scene_process(scene, &(ct_io){.frames = 1});
    wall_state now = read_state(scene, r, w);
    wall_trace_add(t, now, read_energy_j(scene, r, w));
    touched |= ct_scene_get(scene, r->force) > 0;
    if (def->once && touched && ct_scene_get(scene, r->compression) <= 0)
      return;
  }
}

ct_result wall_run_engine(const wall *w, const wall_run_def *def, wall_trace *t, ct_error *error) {
  ct_scene *scene = NULL;
  reader r;
  ct_result result = build(w, def, &scene, error);
  if (result == CT_OK)
    result = find(scene, &r, error);
  if (result == CT_OK)
    result = wall_trace_make(t, def->samples + 1, error);
  if (result == CT_OK) {
    play(scene, &r, w, def, t);
    result = ct_scene_judge(scene, error);
  }
  ct_scene_destroy(scene);
  return result;
}
