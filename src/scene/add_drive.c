/* Adding surfaces and drives. */
#include "base/fractal.h"
#include "base/sized.h"
#include "base/text.h"
#include "scene/add.h"

#include <math.h>
#include <string.h>

/* ---- surfaces ---- */

enum { FEWEST_HEIGHTS = 8 };

/* A gap in a scan would be heard as a blow that nobody dealt. */
static ct_result check_scan(const ct_surface_def *def, ct_error *error) {
  if (!def->heights || def->height_count < FEWEST_HEIGHTS)
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': a scan wants at least %u heights; there are %u",
                   def->name, (uint32_t)FEWEST_HEIGHTS, def->heights ? def->height_count : 0);
  if (def->height_count > CT_HEIGHTS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': %u heights are too many; at most %u", def->name,
                   def->height_count, CT_HEIGHTS_MOST);
  for (uint32_t i = 0; i < def->height_count; i++)
    if (!(fabs(def->heights[i]) <= 1000))
      return ct_fail(error, CT_BAD_VALUE,
                     "surface '%s': height %u is missing or not a number between -1000 and 1000 m", def->name,
                     i);
  return CT_OK;
}

/* What the grid cannot hold would be another surface, or none: a wave, or a piece with its joint, is made of
 * so many steps at least. */
static ct_result check_grid(const ct_surface_def *def, ct_error *error) {
  bool pieces = def->kind >= CT_SURFACE_TILES && def->kind <= CT_SURFACE_RAILS;
  double fewest = def->kind == CT_SURFACE_SINE ? 1 / CT_SURFACE_EDGE : pieces ? 32 : 0;
  if (def->length_m >= fewest * def->grid_m)
    return CT_OK;
  return ct_fail(error, CT_BAD_VALUE,
                 "%s.length_m: %g m is too short for a grid of %g m; wants at least %g m", def->name,
                 def->length_m, def->grid_m, fewest * def->grid_m);
}

size_t ct_surface_pool_bytes(const ct_surface_def *given) {
  ct_surface_def def = ct_default_surface_def();
  ct_arena counting = {NULL, 0, 0};
  ct_scan scan;
  if (ct_take_def(&def, given) && def.kind == CT_SURFACE_SCAN)
    ct_scan_lay(&scan, &counting, def.height_count);
  return counting.used;
}

/* Heights about their mean, of rms 1; as measured when no depth is given. */
static void take_scan(ct_surface *s, const ct_surface_def *def, ct_arena *arena) {
  double mean = 0, power = 0;
  ct_scan_lay(&s->scan, arena, def->height_count);
  for (uint32_t i = 0; i < def->height_count; i++)
    mean += def->heights[i] / def->height_count;
  for (uint32_t i = 0; i < def->height_count; i++)
    power += (def->heights[i] - mean) * (def->heights[i] - mean) / def->height_count;
  double rms = sqrt(power);
  ct_scan_fill(&s->scan, def->heights, def->height_count, def->step_m, mean, rms);
  if (def->depth_m == 0)
    s->values.depth_m = rms;
}

static ct_result add_surface(ct_scene *s, const ct_surface_def *given, ct_error *error) {
  ct_surface_def def = ct_default_surface_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_SURFACE, given, &def, made, error));
  CT_TRY(ct_def_check(CT_DEF_SURFACE, def.name, &def, error));
  CT_TRY(check_grid(&def, error));
  CT_TRY(def.kind == CT_SURFACE_SCAN ? check_scan(&def, error) : CT_OK);
  int slot = ct_part_free_slot(s, CT_PART_SURFACE);
  size_t bytes = ct_surface_pool_bytes(&def);
  void *memory = slot >= 0 && bytes ? ct_pool_take(&s->pool, bytes) : NULL;
  if (slot < 0 || (bytes && !memory))
    return ct_full_part(s, CT_PART_SURFACE, def.name, bytes, error);
  ct_surface *surface = &s->surfaces[slot];
  uint32_t generation = surface->generation + 1;
  memset(surface, 0, sizeof *surface);
  surface->generation = generation;
  surface->memory = memory;
  ct_put_name(surface->name, def.name);
  surface->kind = def.kind;
  surface->grid_m = def.grid_m;
  surface->seed =
      s->def.seed + def.seed; /* two surfaces of one seed are the same, whatever they are called */
  ct_def_start(CT_DEF_SURFACE, &def, surface);
  if (bytes)
    take_scan(surface, &def, &(ct_arena){memory, bytes, 0});
  surface->given = surface->values;
  ct_add_announce(s, CT_PART_SURFACE, (uint16_t)slot, def.user_data);
  return CT_OK;
}

ct_id ct_scene_add_surface(ct_scene *s, const ct_surface_def *given, ct_error *error) {
  return ct_add_end(s, add_surface(s, given, error));
}

/* ---- drives ---- */

static ct_result check_drive(const ct_drive_def *def, ct_error *error) {
  CT_TRY(ct_def_check(CT_DEF_DRIVE, def->name, def, error));
  if (def->kind == CT_SCRAPE && def->free)
    return ct_fail(error, CT_BAD_SCENE,
                   "drive '%s': what scrapes is moved by others; only what rolls is free", def->name);
  if (def->high_m < def->low_m)
    return ct_fail(error, CT_BAD_VALUE, "%s.high_m: %g m lies below low_m, %g m", def->name, def->high_m,
                   def->low_m);
  return CT_OK;
}

static ct_result find_spot(ct_scene *s, const ct_drive_def *def, const char *at, const ct_point_id *place,
                           ct_spot *spot, ct_error *error) {
  bool none = (!at || !*at) && ct_id_is_none(place->body);
  return none ? CT_OK : ct_add_find_spot(s, "drive", def->name, at, place, spot, error);
}

static ct_result find_contact(ct_scene *s, const ct_drive_def *def, ct_drive *d, ct_error *error) {
  int contact = ct_add_find_part(s, CT_PART_CONTACT, def->contact, def->contact_id),
      surface = ct_add_find_part(s, CT_PART_SURFACE, def->surface, def->surface_id);
  if (contact < 0 || s->contacts[contact].kind != &ct_impact_kind)
    return ct_fail(error, CT_BAD_PATH,
                   "drive '%s': contact wants an impact contact; there is none called '%.48s'", def->name,
                   def->contact ? def->contact : "");
  if (surface < 0)
    return ct_fail(error, CT_BAD_PATH, "drive '%s': there is no surface called '%.48s'", def->name,
                   def->surface ? def->surface : "");
  d->contact = &s->contacts[contact];
  d->surface = &s->surfaces[surface];
  return CT_OK;
}

/* A free one wants a mass, and a travelling point wants a shape. */
static ct_result check_parts(const ct_drive_def *def, const ct_drive *d, ct_error *error) {
  const ct_body *plane = d->plane.body;
  if (def->free && !(ct_drive_given_kg(d) > 0))
    return ct_fail(error, CT_BAD_SCENE,
                   "drive '%s': what moves freely has a mass; give mass_kg, or a body with a 0 Hz mode",
                   def->name);
  if (def->free && d->leader.body)
    return ct_fail(error, CT_BAD_SCENE, "drive '%s': free, or following '%s', not both", def->name,
                   d->leader.body->name);
  if (plane && (plane->kind != &ct_modal_kind || !plane->as.modal.table))
    return ct_fail(error, CT_BAD_SCENE, "drive '%s': travels wants a point of a shape; '%s.%s' is none",
                   def->name, plane->name, plane->points[d->plane.point].name);
  return CT_OK;
}

/* Two free ways are the axes of a plane; with those that bodies lead, a contact has room for so many. */
static ct_result check_ways(const ct_scene *s, const ct_drive *d, ct_error *error) {
  uint32_t axes = 0, ways = 0, leaving = 0;
  bool started = ct_scene_sample(s) > 0; /* from then on, one that leaves takes its time */
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].capacity; i++) {
    const ct_drive *other = &s->drives[i];
    bool leaves = s->parts[CT_PART_DRIVE].slot[i] == CT_SLOT_LEAVING;
    if (other->contact != d->contact || s->parts[CT_PART_DRIVE].slot[i] == CT_SLOT_FREE ||
        (leaves && !started))
      continue;
    axes += other->free;
    ways += other->free || other->led;
    leaving += leaves;
  }
  bool axes_full = d->free && axes == 2, ways_full = (d->free || d->led) && ways == CT_WAYS;
  if ((axes_full || ways_full) && leaving)
    return ct_fail(error, CT_FULL,
                   "drive '%s': one that moves '%s' is still leaving; process some samples first", d->name,
                   d->contact->name);
  if (axes_full)
    return ct_fail(error, CT_BAD_SCENE,
                   "drive '%s': two free drives move '%s' already; wants at most two axes", d->name,
                   d->contact->name);
  if (ways_full)
    return ct_fail(error, CT_BAD_SCENE,
                   "drive '%s': %u drives that are free or led by bodies move '%s' already; wants at most %u",
                   d->name, ways, d->contact->name, CT_WAYS);
  return CT_OK;
}

static ct_result find_parts(ct_scene *s, const ct_drive_def *def, ct_drive *d, ct_error *error) {
  CT_TRY(find_contact(s, def, d, error));
  CT_TRY(find_spot(s, def, def->follows, &def->follows_id, &d->leader, error));
  d->led = !d->free && d->leader.body && !d->leader.body->kind->rigid;
  CT_TRY(check_ways(s, d, error));
  CT_TRY(find_spot(s, def, def->travels, &def->travels_id, &d->plane, error));
  CT_TRY(find_spot(s, def, def->rim, &def->rim_id, &d->rim, error));
  if (d->free)
    CT_TRY(ct_add_check_level(s, "drive", def->name, ct_impact_finest(CT_END_QUALITY, 0), error));
  return check_parts(def, d, error);
}

static const ct_drive_kind *kind_of(const ct_drive_def *def) {
  return def->kind == CT_ROLL ? &ct_roll_kind : &ct_scrape_kind;
}

static void fill_drive(ct_drive *d, const ct_drive_def *def) {
  d->kind = kind_of(def);
  ct_put_name(d->name, def->name);
  d->free = def->free;
  d->values = *def;
  d->values.name = d->values.contact = d->values.surface = NULL; /* the host's memory */
  d->values.rim = d->values.follows = d->values.travels = NULL;
  d->x_m = def->x_m;
  d->v_m_s = def->free ? def->v_m_s : def->speed_m_s;
  d->travel_m = def->travel_m;
  d->plane_axis = def->travel_axis ? 1 : 0;
}

size_t ct_drive_pool_bytes(const ct_drive_def *given, double grid_m) {
  ct_drive_def def = ct_default_drive_def();
  ct_arena counting = {NULL, 0, 0};
  ct_drive scratch;
  memset(&scratch, 0, sizeof scratch);
  if (!ct_take_def(&def, given))
    return 0;
  scratch.kind = kind_of(&def);
  ct_drive_lay(&scratch, &counting, ct_drive_reach(def.radius_m, grid_m));
  return counting.used;
}

static ct_result add_drive(ct_scene *s, const ct_drive_def *given, ct_error *error) {
  ct_drive_def def = ct_default_drive_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_DRIVE, given, &def, made, error));
  CT_TRY(check_drive(&def, error));
  ct_drive built;
  memset(&built, 0, sizeof built);
  fill_drive(&built, &def);
  CT_TRY(find_parts(s, &def, &built, error));
  int slot = ct_part_free_slot(s, CT_PART_DRIVE);
  size_t bytes = ct_drive_pool_bytes(&def, built.surface->grid_m);
  built.memory = slot >= 0 ? ct_pool_take(&s->pool, bytes) : NULL;
  if (!built.memory)
    return ct_full_part(s, CT_PART_DRIVE, def.name, bytes, error);
  ct_arena arena = {built.memory, bytes, 0};
  built.generation = s->drives[slot].generation + 1;
  ct_drive_lay(&built, &arena, ct_drive_reach(def.radius_m, built.surface->grid_m));
  if (built.kind->turns)
    ct_round_fill(&built.round, ct_fractal_seed(s->def.seed, def.name), def.facets);
  s->drives[slot] = built;
  ct_drive_fill_way(&s->drives[slot], s->step_s);
  ct_drive_start(&s->drives[slot], &built.surface->given, s->step_s);
  ct_add_announce(s, CT_PART_DRIVE, (uint16_t)slot, def.user_data);
  return CT_OK;
}

ct_id ct_scene_add_drive(ct_scene *s, const ct_drive_def *given, ct_error *error) {
  return ct_add_end(s, add_drive(s, given, error));
}
