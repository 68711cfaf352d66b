/* The inside of a scene. Slots are filled by the set-up thread and read by the audio thread only after the
 * message that announces them; the canonical orders, islands and everything that moves belong to the audio
 * thread. After the announcement the set-up thread reads only what never moves: names, kinds, tables, and
 * what was given. What depends on numbers as they are now is taken up by the audio thread when a part
 * arrives. */
#ifndef CT_SCENE_SCENE_H
#define CT_SCENE_SCENE_H

#include "base/arena.h"
#include "base/queue.h"
#include "base/sum.h"
#include "body/pickup.h"
#include "contact/solve.h"
#include "document/schema.h"
#include "drive/drive.h"
#include "source/action.h"
#include <contatto/scene.h>

/* Parts of a scene: whatever has a name, a slot, and comes and goes while it sounds. What all kinds of them
 * need is done once, from one row per kind; a new kind is a new row. */

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

typedef struct ct_target {
  ct_handle handle;
  double from, to;
  ct_scale scale;
} ct_target;

typedef struct ct_control {
  char name[CT_NAME_MAX];
  bool live, trigger;
  double min, max, value;
  ct_scale scale;
  uint16_t first, count; /* its targets */
  bool audio_rate;       /* some target moves at audio rate */
} ct_control;

/* A parameter on its way. */
typedef struct ct_ramp {
  ct_handle handle;
  bool log, gentle; /* gentle: starts and ends at rest, unlike a gesture's straight line */
  bool reciprocal;  /* a decay to or from 0, which stands for none at all: 1 / value runs straight */
  double from, to;
  uint64_t start, length;
} ct_ramp;

typedef enum ct_message_kind {
  CT_MESSAGE_SET,
  CT_MESSAGE_ADD,
  CT_MESSAGE_REMOVE,
  CT_MESSAGE_RESET,  /* start again once the sound has faded over `ramp` */
  CT_MESSAGE_FOLLOW, /* handle: follower's body and point; value: metres per place; leader in `ramp` */
} ct_message_kind;

typedef struct ct_message {
  ct_handle handle; /* or the slot in handle.object */
  uint8_t kind;     /* ct_message_kind */
  uint8_t part;     /* ct_part that comes or goes */
  bool unhurried;   /* no time was asked for: the scene's smoothing, and none before the first sample */
  double value;
  uint64_t at_sample;
  uint64_t ramp; /* samples */
} ct_message;

/* A message, and when it is due. */
typedef struct ct_waiting {
  uint64_t due, arrival;
  ct_message message;
} ct_waiting;

/* A slot the audio thread is done with. */
typedef struct ct_returned {
  ct_part part;
  uint16_t slot;
} ct_returned;

/* Contacts that share compliant bodies, and those bodies; both in canonical order. */
typedef struct ct_island {
  uint16_t first_contact, contact_count, first_body, body_count;
} ct_island;

/* Parts that act on one another from sample to sample (group.c): it runs a whole stretch before the next one
 * begins, and sleeps while nothing in it moves (sleep.c). Each range is in canonical order. */
typedef struct ct_group {
  uint16_t first_island, island_count; /* in islands */
  uint16_t first_body, body_count;     /* in group_bodies: all, hands included */
  uint16_t first_other, other_count;   /* in group_others: bodies that no island steps */
  uint16_t first_drive, drive_count;   /* in group_drives */
  uint16_t first_pickup, pickup_count; /* in group_pickups */
  bool has_source;                     /* one pushes one of its bodies */
  bool slid;                           /* some port slides in this sample */
  bool has_thump;                      /* one of its bodies has one */
  bool leading;                        /* hands, or carried points: something moves from sample to sample */
  bool asleep;
  uint16_t still_ticks; /* that nothing has moved */
} ct_group;

/* A number that moves at every sample and does not end a stretch: see stream.c. */
typedef enum ct_stream_kind {
  CT_STREAM_NUMBER, /* read afresh at every sample */
  CT_STREAM_FORCE,
  CT_STREAM_POINT_PLACE,
  CT_STREAM_HAND_PLACE,
  CT_STREAM_GAP,
  CT_STREAM_PULL,  /* of what rolls freely: its push, the fall of its way */
  CT_STREAM_SPEED, /* of a drive that is imposed: told when its next samples are planned */
} ct_stream_kind;

typedef struct ct_stream {
  const double *values; /* the host's, of a block; null: a ramp's */
  const ct_ramp *ramp;
  double min, max;     /* the host's values are kept within */
  ct_control *control; /* what is told, if it is not the number itself, */
  const ct_target *target;
  bool first; /* of those that the same input or ramp tells */
  ct_stream_kind kind;
  double *number;
  ct_body *body; /* that it belongs to */
  ct_point *point;
  ct_port *port; /* that the force pushes, */
  int direction;
  double *pending_m;
  ct_contact *contact;
  ct_drive *drive;
} ct_stream;

#define CT_STREAMS 24u /* more of them end it */
typedef struct ct_streams {
  uint64_t start; /* first sample of the stretch */
  uint32_t frame; /* of the host's block, where that is */
  bool found;     /* and no message has come since that could change who streams */
  bool fit;       /* all that moves at every sample is here */
  bool moves_points;
  uint32_t count;
  ct_stream at[CT_STREAMS];
} ct_streams;

/* Taps that are read while their group runs, so that they do not end a stretch. */
#define CT_TAPS 64u /* more of them do */
typedef struct ct_taps {
  const ct_tap *tap;
  uint32_t count, frame; /* frame: of the host's block, where the stretch begins */
  uint16_t group[CT_TAPS];
} ct_taps;

typedef struct ct_account {
  ct_sum force, motion, parameter, noise, bodies, contacts, work;
  double start_j, stored_j, largest_j;
  double gross_j; /* sizes of all terms of all balances so far, each as often as it was rounded */
  double alone_j; /* what each force from outside would have done alone, step by step */
} ct_account;

/* Written by the audio thread, read by any (process.c). */
typedef struct ct_shown_contact {
  _Atomic double force_n;
  _Atomic uint32_t generation; /* of the contact that has the slot; 0: none */
} ct_shown_contact;

typedef struct ct_shown_level {
  float loudest; /* sample of this block, 1: full scale */
  _Atomic float level;
} ct_shown_level;

typedef struct ct_status {
  _Atomic uint64_t sample;
  ct_shown_level *levels; /* a channel each */
  _Atomic bool sounding;
  ct_shown_contact *contacts;
} ct_status;

/* From outside the scene, under way. */
typedef struct ct_strike {
  uint16_t body, point;
  double impulse_n_s;
  double samples, gone; /* it lasts, and has lasted */
} ct_strike;

/* What stands still at the ends of ways that have no rim. */
typedef struct ct_wall {
  ct_body body;
  ct_point point;
  ct_port port[CT_DIRECTIONS];
} ct_wall;

typedef struct ct_start ct_start; /* below */

struct ct_scene {
  ct_scene_def def;
  double step_s;
  uint64_t sample;
  void *owned;     /* memory to free, when created */
  ct_start *start; /* kept; null: it cannot start again */
  size_t bytes;    /* that it lives in */

  ct_body *bodies;
  ct_contact *contacts;
  ct_surface *surfaces;
  ct_drive *drives;
  ct_source *sources;
  ct_pickup *pickups;
  ct_control *controls;
  ct_target *targets;
  uint16_t target_count, control_count;

  /* set-up thread */
  ct_pool pool;
  ct_id added; /* last */

  ct_queue inbox, outbox;

  ct_parts parts[CT_PART_KINDS];
  bool *contact_leaving; /* pushes no more, but its slot is listened to */
  ct_contact **joined;   /* those that take part, in canonical order; then the ends of drives' ways */
  ct_island *islands;
  ct_contact **island_contacts;
  ct_body **island_bodies;
  uint16_t *parent; /* union-find scratch */
  ct_group *groups;
  ct_body **group_bodies, **group_others;
  ct_drive **group_drives;
  ct_pickup **group_pickups;
  uint16_t *awake;   /* groups that step */
  ct_pickup **heard; /* all but silent ones of groups that sleep, unless they fade */
  uint16_t joined_count, island_count, group_count, awake_count, heard_count;
  bool groups_stale; /* who belongs together must be found anew */
  bool awake_stale;  /* a group fell asleep or woke */
  ct_wall *wall;     /* null where there can be no drives */
  ct_solver solver;

  uint16_t leaving;   /* bodies, sources and pickups on their way out */
  uint16_t followers; /* points carried along by others, or by drives */
  uint16_t thumps;    /* bodies that have them */
  uint16_t strike_count;
  bool placed;           /* before the first sample, everybody stands where the numbers say */
  bool dirty;            /* something was set, added or removed since the last sample */
  bool changed;          /* some body or contact has to take over new numbers */
  bool ramps_changed;    /* one has come, gone, or moved in the list, since streams were found */
  uint64_t change_count; /* how often something was set */

  ct_waiting *waiting; /* a heap, the first due on top */
  uint32_t waiting_count, waiting_capacity;
  uint64_t arrivals;
  ct_ramp *ramps;
  uint32_t ramp_count, ramp_capacity;

  ct_strike *strikes; /* under way */

  const ct_taps *taps;       /* null: none are read while groups run */
  const ct_streams *streams; /* null: no number moves while groups run */
  double gravity_taken;      /* by the bodies, m/s^2 */
  double dc_pole;
  ct_account account;
  ct_counters counters;
  ct_fault fault; /* the first; found: the scene stands still */
  ct_status status;
};

/* The i-th live one, in canonical order. */
static inline ct_body *ct_live_body(const ct_scene *s, uint16_t i) {
  return &s->bodies[s->parts[CT_PART_BODY].order[i]];
}
static inline ct_contact *ct_live_contact(const ct_scene *s, uint16_t i) {
  return &s->contacts[s->parts[CT_PART_CONTACT].order[i]];
}
static inline ct_drive *ct_live_drive(const ct_scene *s, uint16_t i) {
  return &s->drives[s->parts[CT_PART_DRIVE].order[i]];
}
static inline ct_source *ct_live_source(const ct_scene *s, uint16_t i) {
  return &s->sources[s->parts[CT_PART_SOURCE].order[i]];
}
static inline ct_pickup *ct_live_pickup(const ct_scene *s, uint16_t i) {
  return &s->pickups[s->parts[CT_PART_PICKUP].order[i]];
}

/* group.c [audio] */
void ct_contacts_gather(ct_scene *scene); /* those that take part, after one has come or gone */
/* Who belongs together, and who of them is awake: before anything looks at groups. */
void ct_groups_find(ct_scene *scene);
void ct_groups_list_awake(ct_scene *scene);
static inline void ct_groups_refresh(ct_scene *s) {
  if (s->groups_stale)
    ct_groups_find(s);
  if (s->awake_stale)
    ct_groups_list_awake(s);
}
static inline ct_group *ct_awake_group(const ct_scene *s, uint16_t i) { return &s->groups[s->awake[i]]; }
/* Its contacts: those of its islands, which lie side by side. */
static inline ct_contact *const *ct_group_contacts(const ct_scene *s, const ct_group *g, uint16_t *count) {
  const ct_island *first = &s->islands[g->first_island], *last = first + g->island_count - 1;
  *count = g->island_count ? (uint16_t)(last->first_contact + last->contact_count - first->first_contact) : 0;
  return s->island_contacts + (*count ? first->first_contact : 0);
}
/* process.c [audio] */
void ct_status_show_contact(ct_scene *scene, uint16_t slot, uint32_t generation); /* 0: none */

/* Where a stretch must end because of the next event. */
static inline uint32_t ct_events_next(const ct_io *io, uint32_t next) {
  return next < io->event_count && io->events[next].frame < io->frames ? io->events[next].frame : io->frames;
}
/* Samples of a ramp; less than nothing: the scene's smoothing. */
static inline uint64_t ct_ramp_samples(const ct_scene *s, double ramp_s) {
  double seconds = ramp_s < 0 ? s->def.smoothing_s : ramp_s < 1e6 ? ramp_s : 1e6;
  return (uint64_t)(seconds * s->def.rate_hz + 0.5);
}

/* sleep.c [audio] */
void ct_sleep_look(ct_scene *scene); /* on ticks, once bodies have been looked at */
void ct_wake_group(ct_scene *scene, ct_group *group);
void ct_wake_body(ct_scene *scene, ct_body *body); /* and all of its group */
void ct_wake_contact(ct_scene *scene, const ct_contact *contact);
void ct_wake_all(ct_scene *scene);
/* stream.c [audio]: what moves from sample to sample, for a stretch that begins now; false: something does
 * that ends it. */
bool ct_streams_begin(ct_scene *scene, const ct_io *io, uint32_t frame, ct_streams *streams);
void ct_streams_take(ct_scene *scene, ct_group *group, uint32_t n); /* a group's, at sample n of it */
/* How fast a drive goes in so many samples from `from` on; false: it is not told. */
bool ct_streams_tell(ct_scene *scene, ct_drive *drive, uint32_t from, uint32_t count);
/* process.c [audio]: taps of a group at sample n of the stretch. */
void ct_taps_read(ct_scene *scene, const ct_group *group, uint32_t n);
/* flight.c [audio]: whether no contact of a group can touch for so long; then it goes through the samples
 * that follow, from number `first` of the stretch, the first of which has begun. */
bool ct_group_flies(const ct_scene *scene, const ct_group *group, uint32_t samples);
void ct_group_fly(ct_scene *scene, ct_group *group, uint32_t first, uint32_t samples);
/* step.c [audio]: up to CT_TICK samples, the first of which has begun; before each step, pickups listen */
void ct_scene_run(ct_scene *scene, uint32_t samples);
void ct_group_end_slides(ct_scene *scene, ct_group *group); /* no port slides any more */

/* start.c [setup] */
void ct_start_drop(ct_scene *scene);

/* agenda.c [audio] */
void ct_agenda_run(ct_scene *scene);
static inline bool ct_agenda_idle(ct_scene *scene) {
  return (!scene->waiting_count || scene->waiting[0].due > scene->sample) && !ct_queue_peek(&scene->inbox);
}

/* drives.c [audio] */
/* Drives plan some of the samples from number `from` of the stretch on, and say how many. Those are
 * stepped, */
uint32_t ct_drives_begin(ct_scene *scene, uint32_t from, uint32_t samples);
/* and have been gone. */
void ct_drives_end(ct_scene *scene, uint32_t samples);
void ct_drives_travel(ct_scene *scene);
/* The ends of its way, where it may run into one, join; those that are far part. */
void ct_drive_meet_ends(ct_scene *scene, ct_drive *drive);
void ct_drive_part_ends(ct_scene *scene, ct_drive *drive);
/* Does a contact touch this port? Islands have been found. */
bool ct_port_touched(const ct_scene *scene, const ct_end *end);
/* Before the first sample: everybody stands where the parameters say. */
void ct_drives_start(ct_scene *scene);

/* strike.c [audio] */
/* All of them, or within a stretch, where no strike is under way, those of a group. */
void ct_sources_feed(ct_scene *scene, const ct_group *group, uint64_t sample);
void ct_source_silence(ct_scene *scene, uint16_t slot);

/* strike.c [audio]: from outside, on a point of a modal body; within ct_sources_feed they go on */
void ct_strike_begin(ct_scene *scene, uint16_t body, uint16_t point, double impulse_n_s);
void ct_strikes_forget(ct_scene *scene, uint16_t body); /* which leaves */

/* thump.c [audio] */
void ct_thumps_feed(ct_scene *scene, const ct_group *group, uint64_t sample); /* when it has been stepped */
void ct_thumps_hear_asleep(ct_scene *scene, uint32_t samples);                /* before they are stepped */
void ct_thump_give(ct_body *body, uint16_t point, double impulse_n_s);        /* in the sample at hand */

/* param.c [audio] */
void ct_params_begin_sample(ct_scene *scene);
/* What has changed is taken over by bodies and contacts. */
void ct_params_refresh(ct_scene *scene);

/* rest.c: before the first sample, modal bodies where the forces on them hold them still. */
void ct_scene_rest(ct_scene *scene);

/* carry.c [audio] */
void ct_bodies_begin_sample(ct_scene *scene);
void ct_leaders_begin_sample(ct_scene *scene, ct_group *group); /* where nothing else has to */
static inline void ct_scene_lead(ct_scene *s) {
  for (uint16_t i = 0; i < s->awake_count; i++)
    if (ct_awake_group(s, i)->leading)
      ct_leaders_begin_sample(s, ct_awake_group(s, i));
}
void ct_param_apply(ct_scene *scene, ct_handle handle, double value);
ct_body *ct_param_body(const ct_scene *scene, ct_handle handle); /* it belongs to; null: none */
double *ct_param_number(const ct_scene *scene,
                        ct_handle handle); /* where it is kept; null: it is not a number */
/* Of a contact: its law reads it at every step, and need not be told when it changes. */
bool ct_param_is_read_afresh(const ct_scene *scene, const ct_row *row, ct_handle handle);
double ct_ramp_value(const ct_ramp *ramp, uint64_t sample);
double ct_param_read(const ct_scene *scene, ct_handle handle);
bool ct_param_live(const ct_scene *scene, ct_handle handle);
void ct_param_start(ct_scene *scene, const ct_message *message);
static inline bool ct_at_tick(const ct_scene *scene) { return scene->sample % CT_TICK == 0; }
/* Between ticks, with nothing under way, the last step has left everything ready; only hands and carried
 * points go on. */
static inline bool ct_params_under_way(const ct_scene *s) { return s->ramp_count || s->dirty; }
static inline bool ct_params_idle(const ct_scene *s) { return !ct_at_tick(s) && !ct_params_under_way(s); }

/* roster.c [audio]: what the rows of parts.c have */
ct_part_moves ct_body_arrive, ct_body_leave, ct_contact_arrive, ct_contact_leave, ct_surface_arrive,
    ct_surface_leave, ct_drive_arrive, ct_drive_leave, ct_source_arrive, ct_source_leave, ct_pickup_arrive,
    ct_pickup_leave;
void ct_contact_part(ct_scene *scene, uint16_t slot); /* nothing holds it any more */
void ct_drive_part(ct_scene *scene, uint16_t slot);
void ct_roster_apply(ct_scene *scene, const ct_message *message);
void ct_roster_sweep(ct_scene *scene);

/* release.c [audio]: false: it has nothing to let go, and may leave at once */
bool ct_contact_lets_go(ct_scene *scene, ct_contact *contact);
bool ct_drive_lets_go(ct_scene *scene, ct_drive *drive);
void ct_release_go_on(ct_scene *scene); /* after every sample while anything leaves */

/* ledger.c [audio] */
double ct_stored_j(const ct_scene *scene);
/* For ct_book_jump and ct_book_start; nothing where no account is kept. */
static inline double ct_stored_before(const ct_scene *s) { return s->def.ledger ? ct_stored_j(s) : 0; }
void ct_book_jump(ct_scene *scene, ct_sum *column, double before_j);
void ct_book_start(ct_scene *scene, double before_j);
void ct_account_step(ct_scene *scene);

/* fault.c [audio] */
void ct_fault_look(ct_scene *scene, bool bodies_finite); /* on ticks */
void ct_fault_heard(ct_scene *scene, uint64_t sample);   /* what was to be written is no number */
void ct_fault_run(ct_scene *scene, uint32_t samples);    /* instead of ct_scene_run, once there was one */

/* pickup.c [audio] */
const double *ct_pickup_reads(const ct_scene *scene, const ct_pickup *pickup); /* see ct_pickup.reads */
/* Sample by sample they listen, up to CT_TICK of them; then what they heard is written. */
double ct_pickup_listen(const ct_scene *scene, ct_pickup *pickup, uint64_t sample);
static inline void ct_pickup_hear(const ct_scene *s, ct_pickup *p, uint32_t at, uint64_t sample) {
  p->si[at] = p->reads && !p->fresh ? *p->reads : ct_pickup_listen(s, p, sample);
}
static inline void ct_pickups_listen(ct_scene *s, const ct_group *g, uint32_t at, uint64_t sample) {
  ct_pickup *const *first = s->group_pickups + g->first_pickup, *const *end = first + g->pickup_count;
  for (; first < end; first++)
    ct_pickup_hear(s, *first, at, sample);
}
void ct_pickups_write(ct_scene *scene, const ct_io *io, uint32_t first_frame, uint32_t count);

/* remove.c: reads only what never moves */
ct_part_leans ct_contact_leans_on, ct_drive_leans_on, ct_source_leans_on, ct_pickup_leans_on;

/* param.c */
ct_result ct_control_check(const ct_control *control, const char *path, double value, ct_error *error);
double ct_control_target_value(const ct_control *control, const ct_target *target, double value);

/* lookup.c [setup]: names to slots */
int ct_find_control(const ct_scene *scene, const char *name);
int ct_find_point(const ct_body *body, const char *name);

/* The start of a scene, kept: an image of its memory before the first sample. See start.c. */

struct ct_start {
  unsigned char *image; /* of the scene's block */
  void *owned;          /* that image lies in */
  /* set-up thread */
  uint32_t changes;      /* parts, controls and followers added or removed since */
  uint32_t resets_asked; /* how often it was asked to start again */
  /* audio thread */
  _Atomic uint32_t resets_done;
  bool waiting;    /* what is behind it in the queue stays there until the scene has started again */
  uint64_t origin; /* the clock at the scene's sample 0 */
  uint64_t fade_end, fade_length; /* until then all outputs fade; length 0: they do not */
};

/* [setup] Why parts cannot come or go now: a reset is under way. */
ct_result ct_start_check(const ct_scene *scene, const char *what, ct_error *error);
static inline void ct_start_note_change(ct_scene *s) {
  if (s->start)
    s->start->changes++;
}

/* [audio] */
void ct_start_again(ct_scene *scene); /* from the image, at the sample at hand */
/* How far the fade is when sample n of the scene is heard, 1 to 0. */
double ct_start_fade(const ct_start *start, uint64_t sample);
static inline bool ct_start_waits(const ct_scene *s) { return s->start && s->start->waiting; }
static inline bool ct_start_fades(const ct_scene *s) { return s->start && s->start->fade_length; }
static inline uint64_t ct_start_origin(const ct_scene *s) { return s->start ? s->start->origin : 0; }

/* What is said when there is no room. [setup] */

/* For a part that takes so many bytes of the pool: no slot is free, or the pool is too small. CT_FULL. */
ct_result ct_full_part(const ct_scene *scene, ct_part part, const char *name, size_t bytes, ct_error *error);
/* For so many messages; name may be null. CT_FULL. */
ct_result ct_full_queue(ct_scene *scene, const char *what, const char *name, uint32_t wanted,
                        ct_error *error);
/* For a control, or for its targets. CT_FULL. */
ct_result ct_full_controls(const ct_scene *scene, const char *name, uint32_t targets, ct_error *error);
/* Whether a scene can have such capacities. */
ct_result ct_full_check_def(const ct_scene_def *def, ct_error *error);

#endif
