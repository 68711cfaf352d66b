/* Parts of a scene: whatever has a name, a slot, and comes and goes while it sounds. What all kinds of them
 * need is done once, from one row per kind; a new kind is a new row. */
#ifndef CT_SCENE_PARTS_H
#define CT_SCENE_PARTS_H

#include "base/arena.h"
#include "document/schema.h"
#include <contatto/scene.h>

typedef enum ct_slot { CT_SLOT_FREE = 0, CT_SLOT_USED, CT_SLOT_LEAVING } ct_slot;

/* All of one kind. Slots are the set-up thread's; the rest belongs to the audio thread. */
typedef struct ct_parts {
  uint32_t capacity;
  uint8_t *slot;         /* ct_slot */
  uint16_t *order, live; /* slots in order of their names */
  uint32_t *here; /* generation of the part in a slot, 0: none; the slot itself may be set up anew already */
  void **user_data; /* the host's */
} ct_parts;

#define CT_NO_MEMORY_AT SIZE_MAX

typedef void ct_part_moves(ct_scene *scene, uint16_t slot);
typedef bool ct_part_leans(const ct_scene *scene, uint16_t slot, ct_part part, uint16_t other);

/* One kind. Places are offsets in bytes: into a part, but capacity_at into the scene's definition and
 * items_at into the scene. */
typedef struct ct_part_kind {
  size_t size, name_at, generation_at, memory_at, capacity_at, items_at;
  ct_part_moves *arrive;   /* once it is in order, before its energy is booked */
  ct_part_moves *leave;    /* starts to leave, at once or when it has faded */
  ct_part_leans *leans_on; /* whether it cannot be without another part; null: it always can */
} ct_part_kind;

extern const ct_part_kind ct_part_kinds[CT_PART_KINDS];

void ct_parts_lay(ct_scene *scene, ct_arena *arena, const ct_scene_def *def);
uint32_t ct_parts_capacity(const ct_scene_def *def); /* of all kinds */

const char *ct_part_name(const ct_scene *scene, ct_part part, uint16_t slot);
uint32_t ct_part_generation(const ct_scene *scene, ct_part part, uint16_t slot);
void *ct_part_memory(const ct_scene *scene, ct_part part, uint16_t slot); /* its piece of the pool, or null */

/* An id is the kind of a part, its slot and its generation. [setup] */
ct_id ct_part_id(const ct_scene *scene, ct_part part, uint16_t slot);
/* [setup] -1: none */
int ct_part_slot(const ct_scene *scene, ct_part part, ct_id id);
int ct_part_find(const ct_scene *scene, ct_part part, const char *name);
int ct_part_free_slot(const ct_scene *scene, ct_part part);
/* Whether any part or control of the scene has this name. [setup] */
bool ct_part_named(const ct_scene *scene, const char *name);

/* The slot of one that is there; -1: none. [audio] */
int ct_part_find_live(const ct_scene *scene, ct_part part, const char *name);
/* Into and out of the canonical order. [audio] */
void ct_part_enter(ct_scene *scene, ct_part part, uint16_t slot);
void ct_part_exit(ct_scene *scene, ct_part part, uint16_t slot);

#endif
