/* Pure Data's side of contatto. [ct.scene~] owns a stage: a document, the scene built from it, and its demo
 * gesture. It is the only object with signals and the only one that steps. [ct.body], [ct.contact] and their
 * like keep words; the scene of the same name takes them in.
 *
 * Pd runs messages and audio on one thread. Building a scene belongs to another one (worker.c), and what was
 * built takes over at a clock's call, with a fade. Nothing here knows a parameter by its name: words are
 * looked up in the schema, in the scene's controls and in the scene itself. */
#ifndef CONTATTO_PD_H
#define CONTATTO_PD_H

#include <contatto/contatto.h>
#include <contatto/file.h>
#include <m_pd.h>

enum {
  CTPD_FRAMES = 64, /* of one call of ct_scene_process: Pd's own block */
  CTPD_CHANNELS = CT_OUTPUTS_MOST,
  CTPD_SIGNALS = 64,     /* most inlets, and most outlets, with names */
  CTPD_EDITS = 64,       /* most leaves changed before building */
  CTPD_PATH = 256,       /* bytes of a path */
  CTPD_PARAMETERS = 4096 /* most values kept for the next build */
};

/* ---- number.c, words.c: from atoms to the schema ---- */

double ctpd_number(t_float given); /* the shortest decimal that makes this float */

/* Where a part belongs in a document, and what Pd calls it: "bodies", "body". */
typedef struct ctpd_section {
  const char *key, *word;
} ctpd_section;

extern const ctpd_section ctpd_sections[];
extern const int ctpd_section_count;

/* One leaf of a document: a number, or text where there is one. */
typedef struct ctpd_leaf {
  char path[CTPD_PATH];
  double number;
  t_symbol *text;
} ctpd_leaf;

typedef struct ctpd_leaves {
  ctpd_leaf *items;
  int count, room;
} ctpd_leaves;

ct_result ctpd_leaves_add(ctpd_leaves *leaves, const char *path, const t_atom *value, ct_error *error);
void ctpd_leaves_free(ctpd_leaves *leaves);
ct_result ctpd_leaves_set(const ctpd_leaves *leaves, ct_doc *doc, ct_error *error);

/* "NAME word... key value...": the leaves of one part, as the schema understands them. */
ct_result ctpd_read_part(const ctpd_section *section, int argc, const t_atom *argv, ctpd_leaves *leaves,
                         ct_error *error);

/* ---- stage.c ---- */

/* How a stage is built: by which name, with what changed. Copied whole for the worker. */
typedef struct ctpd_recipe {
  char scene[MAXPDSTRING]; /* a built-in name or a file; "": parts come by themselves */
  char preset[CT_NAME_MAX];
  ctpd_leaf edits[CTPD_EDITS];
  int edit_count;
  double rate_hz;
  uint64_t seed;
  bool ledger;
  uint32_t room;                   /* for how many parts that come by themselves */
  const char *buses[CTPD_SIGNALS]; /* names that may be pickups with outlets of their own; texts of symbols */
  int bus_count;
} ctpd_recipe;

typedef struct ctpd_stage {
  ct_doc *doc; /* lives as long as its gesture is played */
  ct_scene *scene;
  ct_player *player; /* null: no gesture */
  ct_gesture gesture;
  bool playing;
  uint64_t play_until;
  int main_channels;        /* those before the pickups with outlets of their own */
  int bus_at[CTPD_SIGNALS]; /* channel of each of the recipe's buses; 0: it is none, since the main ones come
                               first */
  char notes[1024];         /* what was done for the user while building */
} ctpd_stage;

/* May run on any thread. Null: error->text says why. */
ctpd_stage *ctpd_stage_build(const ctpd_recipe *recipe, ct_error *error);
void ctpd_stage_free(ctpd_stage *stage);
/* Sends a document's pickups where the stage has them: to channels of their own, or to the first one. */
ct_result ctpd_stage_route(const ctpd_stage *stage, const ctpd_recipe *recipe, ct_doc *doc, ct_error *error);
void ctpd_stage_play(ctpd_stage *stage, uint64_t at_sample);

/* ---- worker.c ---- */

typedef struct ctpd_job ctpd_job;

/* Starts building; null: no thread or no memory. */
ctpd_job *ctpd_job_start(const ctpd_recipe *recipe);
/* Whether it has come to its end: then *stage or, where that is null, *error. The job is gone. */
bool ctpd_job_take(ctpd_job *job, ctpd_stage **stage, ct_error *error);
void ctpd_job_drop(ctpd_job *job);          /* nobody wants it any more */
void ctpd_stage_discard(ctpd_stage *stage); /* freed on the worker's thread */

/* ---- the objects ---- */

typedef struct ctpd_scene ctpd_scene;
typedef struct ctpd_part ctpd_part;

void ctpd_scene_setup(void);
void ctpd_parts_setup(void);
void ctpd_pad_setup(void);

/* parts.c: what is declared under a name. */
ctpd_part *ctpd_parts_first(void);
ctpd_part *ctpd_parts_next(const ctpd_part *part);
t_symbol *ctpd_part_group(const ctpd_part *part);
const ctpd_section *ctpd_part_section(const ctpd_part *part);
t_symbol *ctpd_part_name(const ctpd_part *part);
uint32_t ctpd_part_serial(const ctpd_part *part); /* tells a part from a later one of the same name */
const ctpd_leaves *ctpd_part_leaves(const ctpd_part *part);
t_pd *ctpd_part_object(ctpd_part *part);

/* scene.c: every scene of that name looks for parts again. */
void ctpd_scenes_wake(t_symbol *group);
/* A message to all of them. */
void ctpd_scenes_send(t_symbol *group, t_symbol *selector, int argc, t_atom *argv);

#endif
