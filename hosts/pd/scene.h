/* The object [ct.scene~], for the files that make it up: scene.c creates it and takes messages, scene_build.c
 * gets stages, scene_parts.c takes in parts, scene_dsp.c sounds, scene_tell.c answers, scene_panel.c draws.
 */
#ifndef CONTATTO_PD_SCENE_H
#define CONTATTO_PD_SCENE_H

#include "hosts/pd/contatto_pd.h"

/* A signal inlet or outlet with the path it stands for. */
typedef struct ctpd_port {
  t_symbol *path;
  ct_handle handle;
  bool known; /* the scene of now has it */
  int bus;    /* of an outlet that is a pickup: its place among the recipe's buses; -1: a state */
  double *values;
  t_sample *vector; /* Pd's, for the block */
} ctpd_port;

/* A value that was set, for the next build. */
typedef struct ctpd_value {
  t_symbol *path;
  double value, ramp_s;
  bool trigger;
} ctpd_value;

/* A part that the scene has, or waits to have. */
typedef struct ctpd_member {
  uint32_t serial;
  const ctpd_section *section;
  t_symbol *name;
  bool added, told;
} ctpd_member;

struct ctpd_scene {
  t_object object;
  t_canvas *canvas;
  t_symbol *name; /* as given; parts of that name belong to it when it is composed */
  bool composed;
  ctpd_recipe recipe;
  ctpd_recipe
      good; /* of the scene that sounds, for when another one cannot be built; and what belongs to it: */
  t_symbol *good_name;
  bool good_composed;
  t_clock *clock;
  t_outlet *info;
  ctpd_scene *next_scene;
  t_symbol *panel; /* what its panel sends to */

  ctpd_stage *stage; /* null: dead, until something is loaded */
  ctpd_stage *old;   /* fades out */
  ctpd_stage *next;  /* waits until that is over */
  ctpd_job *job;
  uint32_t fade_left, fade_frames;
  bool faded; /* old can go */

  bool dirty; /* parts have come or gone */
  int tries;  /* left for parts that wait */
  bool told_empty;
  ctpd_member *members;
  int member_count, member_room;

  ctpd_value *values;
  int value_count, value_room;

  ctpd_port inputs[CTPD_SIGNALS], taps[CTPD_SIGNALS];
  int input_count, tap_count;
  int channels;
  t_sample *vectors[CTPD_CHANNELS];
  float *buffers[2 * CTPD_CHANNELS]; /* of the scene that sounds, of the one that fades */
  int block;                         /* frames of Pd's block */
  double block_end;                  /* logical time up to which it has sounded */
  double period_ms;                  /* between two blocks; 0: not yet sounding */
};

/* scene_build.c */
void ctpd_scene_resolve(ctpd_scene *x, const char *what); /* what: for posts; null: silently */
void ctpd_scene_rebuild(ctpd_scene *x, bool wait);        /* from the recipe; wait: on this thread, now */
void ctpd_scene_load(ctpd_scene *x, t_symbol *name);
void ctpd_scene_poll(ctpd_scene *x); /* the clock's call */
bool ctpd_scene_is_running(const ctpd_scene *x);
void ctpd_scene_keep(ctpd_scene *x, t_symbol *path, double value, double ramp_s, bool trigger);
bool ctpd_scene_find(ctpd_scene *x, t_symbol *name); /* a built-in scene or a file into the recipe */

/* scene_parts.c */
void ctpd_scene_gather(ctpd_scene *x);
void ctpd_scene_check_empty(ctpd_scene *x); /* says so once */
void ctpd_scene_forget(ctpd_scene *x);      /* a new stage has no parts yet */

/* scene_dsp.c */
void ctpd_scene_dsp(ctpd_scene *x, t_signal **sp);
uint64_t ctpd_scene_now(const ctpd_scene *x); /* the sample of the message that is being handled */
bool ctpd_scene_sounds(const ctpd_scene *x);  /* Pd asks it for blocks */

/* scene_tell.c */
void ctpd_scene_describe(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv);
void ctpd_scene_ledger(ctpd_scene *x);
void ctpd_scene_level(ctpd_scene *x);
void ctpd_scene_get(ctpd_scene *x, t_symbol *path);
void ctpd_scene_shape(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv);
void ctpd_scene_deflection(ctpd_scene *x, t_symbol *s, int argc, t_atom *argv);

/* scene_panel.c */
void ctpd_scene_panel(ctpd_scene *x);

#endif
