/* The scene: owns bodies, contacts, pickups and controls, and is the only thing that owns time. */
#ifndef CONTATTO_SCENE_H
#define CONTATTO_SCENE_H

#include "defs.h"
#include "source.h"

CT_DECLARATIONS_BEGIN

typedef struct ct_scene ct_scene;

/* What a scene can have at most. What is beyond it, or beyond the scene's own capacities, is refused with a
 * line that says which one it is, how large, and how much is wanted. */
#define CT_OUTPUTS_MOST 64u       /* channels: ct_scene_def.channels, ct_pickup_def.output */
#define CT_PARTS_MOST 1024u       /* of each kind of part, controls, strikes */
#define CT_TARGETS_MOST 16384u    /* of all controls */
#define CT_MODES_MOST 65000u      /* of a body */
#define CT_POINTS_MOST 1000u      /* of a body */
#define CT_STRING_POINTS_MOST 64u /* of a string */
#define CT_HEIGHTS_MOST 10000000u /* of a scanned surface */
#define CT_MESSAGES_MOST 1048576u /* ct_scene_def.messages */
#define CT_SUBSTEPS_MOST 1024u    /* of a sample: ct_scene_def.substeps */

/* Room and constants of a scene. Adding and removing later fills and frees slots within this room. */
typedef struct ct_scene_def {
  uint32_t cookie, size;
  double rate_hz;
  double gravity_m_s2; /* pulls 0 Hz modes towards negative x */
  double smoothing_s;  /* how long a parameter takes to arrive when no time is given */
  uint64_t seed;
  uint32_t channels; /* outputs, 1 to CT_OUTPUTS_MOST: see ct_pickup_def.output */
  uint32_t bodies, contacts, pickups, controls, targets; /* capacities */
  size_t pool_bytes;         /* room for what parts keep: the sum of their ct_..._pool_bytes */
  uint32_t messages;         /* queue length */
  bool ledger;               /* keep the energy account (costs about as much again as stepping) */
  uint32_t surfaces, drives; /* capacities */
  uint32_t sources;          /* capacity */
  uint32_t substeps; /* capacity: so many of a sample a contact may take, a power of two from 1 to 1024 */
  bool at_rest;      /* modal bodies start where the forces on them hold them still, see ct_scene_process */
  uint32_t strikes;  /* capacity: strikes from outside that last at the same time; more are cut short */
} ct_scene_def;

CT_API void ct_fill_scene_def(ct_scene_def *def, uint32_t size); /* [any] as in defs.h */
static inline ct_scene_def ct_default_scene_def(void) {
  ct_scene_def def;
  ct_fill_scene_def(&def, (uint32_t)sizeof def);
  return def;
}

/* Size query, then init in caller memory aligned to 64 bytes; or create, which does both with malloc. */
CT_API ct_result ct_scene_size(const ct_scene_def *def, size_t *bytes, ct_error *error); /* [setup] */
CT_API ct_result ct_scene_init(void *memory, size_t bytes, const ct_scene_def *def, ct_scene **scene,
                               ct_error *error);                                              /* [setup] */
CT_API ct_result ct_scene_create(const ct_scene_def *def, ct_scene **scene, ct_error *error); /* [setup] */
CT_API void ct_scene_destroy(ct_scene *scene);                                                /* [setup] */

/* Pool bytes one body takes, for filling pool_bytes; 0: the definition would be refused. A modal body takes
 * more in a scene that keeps the ledger, and where contacts may take many substeps. Impacts and pickups take
 * none. [setup] */
CT_API size_t ct_modal_pool_bytes(const ct_modal_def *def, const ct_scene_def *scene);
CT_API size_t ct_string_pool_bytes(const ct_string_def *def, double rate_hz);
CT_API size_t ct_hand_pool_bytes(void);
CT_API size_t ct_friction_pool_bytes(void); /* of a friction contact */

/* The same for surfaces (a scan takes room) and drives. A drive wants the grid of its surface. [setup] */
CT_API size_t ct_surface_pool_bytes(const ct_surface_def *def);
CT_API size_t ct_drive_pool_bytes(const ct_drive_def *def, double grid_m);
CT_API size_t ct_source_pool_bytes(const ct_source_def *def);

/* Add and remove, before or while sounding. What fails changes nothing and returns none; `error`, which may
 * be null, says why. Removing a body removes its contacts and drives and fades its sources and pickups; a
 * surface that a drive runs over is not removed. What is removed while it presses, rubs or rolls lets go
 * within the scene's smoothing time, without a click, and has its room until then; handles and ids to it are
 * dead at once. Controls stay for good, and are reached by name. */
CT_API ct_id ct_scene_add_modal(ct_scene *scene, const ct_modal_def *def, ct_error *error);   /* [setup] */
CT_API ct_id ct_scene_add_hand(ct_scene *scene, const ct_hand_def *def, ct_error *error);     /* [setup] */
CT_API ct_id ct_scene_add_string(ct_scene *scene, const ct_string_def *def, ct_error *error); /* [setup] */
CT_API ct_id ct_scene_add_impact(ct_scene *scene, const ct_impact_def *def, ct_error *error); /* [setup] */
CT_API ct_id ct_scene_add_friction(ct_scene *scene, const ct_friction_def *def,
                                   ct_error *error);                                            /* [setup] */
CT_API ct_id ct_scene_add_surface(ct_scene *scene, const ct_surface_def *def, ct_error *error); /* [setup] */
CT_API ct_id ct_scene_add_drive(ct_scene *scene, const ct_drive_def *def, ct_error *error);     /* [setup] */
CT_API ct_id ct_scene_add_source(ct_scene *scene, const ct_source_def *def, ct_error *error);   /* [setup] */
CT_API ct_id ct_scene_add_pickup(ct_scene *scene, const ct_pickup_def *def, ct_error *error);   /* [setup] */
CT_API ct_result ct_scene_add_control(ct_scene *scene, const ct_control_def *def,
                                      ct_error *error);                               /* [setup] */
CT_API ct_result ct_scene_remove(ct_scene *scene, const char *name, ct_error *error); /* [setup] */
CT_API ct_result ct_scene_remove_id(ct_scene *scene, ct_id id, ct_error *error);      /* [setup] */

/* Parts by id. Of one that was removed there is nothing: none, an empty name, null. [setup] */
CT_API ct_id ct_scene_find(const ct_scene *scene, const char *name);
CT_API bool ct_scene_has(const ct_scene *scene, ct_id id);
CT_API const char *ct_scene_name(const ct_scene *scene, ct_id id);
CT_API void *ct_scene_user_data(const ct_scene *scene, ct_id id); /* as it was given or set */
CT_API ct_result ct_scene_set_user_data(ct_scene *scene, ct_id id, void *user_data, ct_error *error);

/* A point carried along by another one's sideways motion (a finger round a rim): its place_u moves by one for
 * every metres_per_place that the leader moves. The work of it is imposed motion. 0 metres lets go. [setup]
 */
CT_API ct_result ct_scene_follow(ct_scene *scene, const char *follower, const char *leader,
                                 double metres_per_place, ct_error *error);
CT_API ct_result ct_scene_follow_id(ct_scene *scene, ct_point_id follower, ct_point_id leader,
                                    double metres_per_place, ct_error *error);

/* Partial n = 1, 2, ... of a string as its filters make it; *hz 0 when it is not below half the rate. A
 * string that was added is there once ct_scene_process has taken it in. [audio] */
CT_API ct_result ct_scene_string_partial(const ct_scene *scene, const char *body, uint32_t n, double *hz,
                                         double *t60_s, ct_error *error);

/* A parameter, a control or a readable state, resolved once from its path: "bar.modes.0.hz", "hardness",
 * "bar.tip.v_m_s", "strike.force_n", "energy.stored_j". Names come first; "bodies.bar.modes[0].hz" works too.
 */
typedef struct ct_handle {
  uint16_t row, object, item, element;
  uint32_t generation; /* of what has that place: a handle to what was removed does nothing and reads 0 */
} ct_handle;

CT_API ct_result ct_scene_resolve(const ct_scene *scene, const char *path, ct_handle *handle,
                                  ct_error *error); /* [setup] */
/* The same within a part: "modes.0.hz", "points.#0.x_m", "force_n". [setup] */
CT_API ct_result ct_scene_resolve_in(const ct_scene *scene, ct_id part, const char *path, ct_handle *handle,
                                     ct_error *error);

/* Every number of the scene that has a handle: the scene's own, its parts' (bodies, contacts, surfaces,
 * drives, sources, pickups, each kind in order of names), its controls, the energy account. `path` is the
 * short way to write it ("bar.hit.x_m"), `full_path` the long one ("bodies.bar.points.hit.x_m"); both live
 * during the call. Stops when `visit` returns false. [setup] */
struct ct_schema_row;
typedef bool ct_visit(void *context, const char *path, const char *full_path, ct_handle handle,
                      const struct ct_schema_row *row);
CT_API void ct_scene_visit(const ct_scene *scene, ct_visit *visit, void *context);

/* Queue a change: `at_sample` is the absolute sample it starts at (0: now), `ramp_s` how long it takes
 * (negative: the scene's smoothing). Refused with path, value, unit and range when out of range. */
CT_API ct_result ct_scene_set(ct_scene *scene, ct_handle handle, double value, double ramp_s,
                              uint64_t at_sample, ct_error *error); /* [setup] */
typedef struct ct_change {
  ct_handle handle;
  double value;
  double ramp_s; /* negative: the scene's smoothing */
} ct_change;

/* Several changes that belong together: all of them begin at the same sample, or, when one is refused or the
 * queue has no room for all, none. [setup] */
CT_API ct_result ct_scene_set_many(ct_scene *scene, const ct_change *changes, uint32_t count,
                                   uint64_t at_sample, ct_error *error);
/* The same from a path, now. [setup] */
CT_API ct_result ct_scene_set_path(ct_scene *scene, const char *path, double value, ct_error *error);

/* Starting again. A scene that is to do so keeps its start, an image of all of it: a second ct_scene_bytes,
 * until ct_scene_destroy. Before the first sample, once all parts are there, and not while it is processed.
 * [setup] */
CT_API ct_result ct_scene_keep_start(ct_scene *scene, ct_error *error);
/* Back to that start: what sounds fades over fade_s (negative: the scene's smoothing; 0: at once), then all
 * numbers and states are as they were, changes under way are dropped, and the samples that follow are those
 * that followed the start. The clock (ct_scene_sample) and the counters go on; the energy account begins
 * anew, and a fault is gone. What is set after this call comes into effect after the reset. Refused: when
 * parts came or went since the start was kept; while it is under way, parts neither come nor go. [setup]; on
 * the audio thread it takes about as long as copying ct_scene_bytes. */
CT_API ct_result ct_scene_reset(ct_scene *scene, double fade_s, ct_error *error);

/* A scene to be had many times: voices of an instrument, objects of a game. A plan is an image of its start;
 * a copy costs as much as copying ct_plan_bytes, takes no part of the building, and sounds as the scene it
 * was made from, bit for bit, with the same names, ids, handles, user data and seed. */
typedef struct ct_plan ct_plan;
/* From two scenes that were made in the same way (the same definitions, in the same order), before their
 * first sample and not while they are processed: where they differ is what depends on their place in memory.
 * They stay yours, and are not needed any more. ct_doc_plan() does all of it from a document. [setup] */
CT_API ct_result ct_plan_create(ct_scene *one, ct_scene *other, ct_plan **plan, ct_error *error);
CT_API void ct_plan_destroy(ct_plan *plan);       /* [setup] copies do not need it any more */
CT_API size_t ct_plan_bytes(const ct_plan *plan); /* [any] of a copy */
/* A copy, with malloc; or in the caller's memory, aligned to 64 bytes. Several threads may copy at once.
 * [setup] */
CT_API ct_result ct_plan_scene(const ct_plan *plan, ct_scene **scene, ct_error *error);
CT_API ct_result ct_plan_init(const ct_plan *plan, void *memory, size_t bytes, ct_scene **scene,
                              ct_error *error);

/* A signal that sets a parameter at every sample (an external force, a hand's speed, a point's place). */
typedef struct ct_input {
  ct_handle handle;
  const double *values;
} ct_input;

/* A state or parameter written out at every sample. */
typedef struct ct_tap {
  ct_handle handle;
  double *values;
} ct_tap;

/* A change within the block, for hosts whose own events come with the audio call (plugins, games). */
typedef struct ct_event {
  uint32_t frame; /* of this block, rising: one that is out of order comes with the one before it */
  ct_handle handle;
  double value;  /* taken to the range when out of it, as inputs are */
  double ramp_s; /* negative: the scene's smoothing */
} ct_event;

typedef struct ct_io {
  uint32_t frames;
  float *const *outputs; /* one buffer per channel; null: not wanted */
  double *const *raw;    /* the same in SI units, without full scale and DC blocker; null: not wanted */
  const ct_input *inputs;
  uint32_t input_count;
  const ct_tap *taps;
  uint32_t tap_count;
  const ct_event *events; /* in this order where frames are equal, behind queued changes of the same sample */
  uint32_t event_count;
} ct_io;

/* Frame n holds the state at sample n; then the scene steps to n + 1. With frames = 0 only the queue is
 * emptied; before the first sample everybody then takes their place: drives on their surfaces and, in a scene
 * that starts at_rest, bodies. */
CT_API void ct_scene_process_sized(ct_scene *scene, const ct_io *io, uint32_t size); /* [audio] */
static inline void ct_scene_process(ct_scene *scene, const ct_io *io) {
  ct_scene_process_sized(scene, io, (uint32_t)sizeof *io);
}

CT_API double ct_scene_get(const ct_scene *scene, ct_handle handle); /* [audio] */
/* As the last ct_scene_process left it; these may be called from any thread while another one processes.
 * [any] */
CT_API uint64_t ct_scene_sample(const ct_scene *scene); /* how many samples have been made */
/* False: all is silent and at rest, and stays so until something is set, added or brought by an event or
 * input; until then there is no need to process. */
CT_API bool ct_scene_is_sounding(const ct_scene *scene);
/* The largest sample of that block on one channel, 1: full scale. */
CT_API double ct_scene_level(const ct_scene *scene, uint32_t channel);
/* The force in a contact at its end, by the handle of any number of the contact; 0 when it is gone. */
CT_API double ct_scene_contact_force_n(const ct_scene *scene, ct_handle contact);

CT_API double ct_scene_rate_hz(const ct_scene *scene);    /* [any] */
CT_API uint32_t ct_scene_channels(const ct_scene *scene); /* [any] */
CT_API size_t ct_scene_bytes(const ct_scene *scene);      /* [any] all the memory it has */

/* The energy account since the start, joules. stored = stored at start + force + motion + parameter + noise
 * - lost in bodies - lost in contacts + error. */
typedef struct ct_ledger {
  double stored_j;
  double force_j;     /* work of external forces, gravity and strikes */
  double motion_j;    /* work of hands, moving points and moving gaps */
  double parameter_j; /* brought or taken by parameter changes, adding and removing */
  double noise_j;     /* work of roughness as an added force; passive roughness only loses */
  double lost_bodies_j;
  double lost_contacts_j;
  double error_j; /* what is left over: rounding */
  double scale_j; /* S: largest stored energy so far plus all work, in absolute value */
  /* The most that rounding can have done so far: 2^-53 of the sizes of all terms of all balances, each as
   * often as it was rounded. It grows with every step: 1e-10 of a mode's energy in some seconds, for ever
   * when it has no loss. */
  double rounding_j;
  double allowance_j; /* the most that error_j may be: 1e-12 S + rounding; see docs/models/ledger.md */
} ct_ledger;

CT_API void ct_scene_ledger_sized(const ct_scene *scene, ct_ledger *ledger, uint32_t size); /* [audio] */
static inline ct_ledger ct_scene_ledger(const ct_scene *scene) {
  ct_ledger ledger;
  ct_scene_ledger_sized(scene, &ledger, (uint32_t)sizeof ledger);
  return ledger;
}

/* Whether the account is kept: |error| within its allowance. Anything that is not finite is not. [any] */
CT_API bool ct_ledger_kept(const ct_ledger *ledger);

/* Work done and refused since the start. */
typedef struct ct_counters {
  uint64_t steps, substeps, solves, evaluations;
  uint32_t most_evaluations;          /* in one solve */
  uint32_t most_substeps;             /* in one sample */
  uint64_t friction_evaluations;      /* of friction's rate law */
  uint32_t most_friction_evaluations; /* in one search of one contact */
  uint64_t fallbacks;                 /* solves ended by the linear step */
  uint64_t dropped_inputs;            /* not finite */
  uint64_t clamped_inputs;            /* out of range, taken at its end */
  uint64_t dropped_messages; /* changes of parts that are gone, after a fault, or beyond the room for ramps */
  uint32_t dropped_modes;    /* at or above Nyquist */
  uint64_t late_paths;       /* samples at which a drive ran out of the path it knew */
  uint64_t nonfinite_samples; /* written as 0 since the scene stopped being finite */
  uint64_t group_steps;       /* steps of groups of parts: those that sleep make none */
  uint64_t stretches;         /* runs of samples in which nothing but the physics moves anything */
  uint64_t late_events;       /* out of order, or beyond their block: carried out later than told */
  uint64_t
      dropped_events;     /* of parts that are gone, not finite, of what can only be read, or after a fault */
  uint64_t late_messages; /* queued changes that began later than told */
} ct_counters;

CT_API void ct_scene_counters_sized(const ct_scene *scene, ct_counters *counters,
                                    uint32_t size); /* [audio] */
static inline ct_counters ct_scene_counters(const ct_scene *scene) {
  ct_counters counters;
  ct_scene_counters_sized(scene, &counters, (uint32_t)sizeof counters);
  return counters;
}

/* Whether all numbers were finite so far: every sample written, and on every tick of 8 samples every part's
 * state. From the first that is not, the scene stands still and writes silence; time and the queue go on,
 * changes of parameters are dropped. To go on, build the scene again. [audio] */
CT_API bool ct_scene_finite(const ct_scene *scene);

/* The first number that was not finite: when, and in which part. */
typedef struct ct_fault {
  bool found;
  uint64_t sample;
  const char *kind; /* "body", "contact", "drive", "source", "pickup" */
  char name[CT_NAME_MAX];
} ct_fault;

CT_API void ct_scene_fault_sized(const ct_scene *scene, ct_fault *fault, uint32_t size); /* [audio] */
static inline ct_fault ct_scene_fault(const ct_scene *scene) {
  ct_fault fault;
  ct_scene_fault_sized(scene, &fault, (uint32_t)sizeof fault);
  return fault;
}

/* Both promises at once: CT_OK; CT_NOT_FINITE with when and where; or, where an account is kept, CT_BROKEN
 * with by how much. [audio] */
CT_API ct_result ct_scene_judge(const ct_scene *scene, ct_error *error);

/* The promise: no solve takes more evaluations, no sample more substeps, than this. [setup] */
typedef struct ct_bound {
  uint32_t evaluations_per_solve, substeps_per_sample;
} ct_bound;
CT_API void ct_scene_bound_sized(const ct_scene *scene, ct_bound *bound, uint32_t size); /* [setup] */
static inline ct_bound ct_scene_bound(const ct_scene *scene) {
  ct_bound bound;
  ct_scene_bound_sized(scene, &bound, (uint32_t)sizeof bound);
  return bound;
}

CT_DECLARATIONS_END

#endif
