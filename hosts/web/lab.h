/* What the page calls: one scene on paper and, once built, sounding. Nothing here computes anything: every
 * call hands its arguments to the library and keeps what the page will read. All of it lives in the module's
 * own memory, and nothing outside it (no import, no global), so a copy of that memory is a copy of the lab:
 * the page builds aside and gives the audio thread the finished bytes. */
#ifndef CT_WEB_LAB_H
#define CT_WEB_LAB_H

#include <contatto/contatto.h>

enum { LAB_FRAMES = 128, LAB_COLUMNS = 64, LAB_SLOW = 512, LAB_CHANNELS = 2, LAB_NOTES = 1024 };
enum { LAB_PEN_SIGNALS = 7, LAB_PEN_SAMPLES = 256 };

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#else
#define EXPORT(name) name
#endif

/* See lab_pen.c. */
typedef struct lab_pen {
  ct_pen *pen; /* null: the scene wants none */
  ct_handle handles[LAB_PEN_SIGNALS];
  double values[LAB_PEN_SIGNALS][LAB_FRAMES];
  ct_pen_sample samples[LAB_PEN_SAMPLES]; /* that wait for their time */
  uint32_t first, waiting;
  double offset_s, wait_s; /* from the scene's clock to the page's; longest wait of a frame lately */
  double until_s;          /* when it will have come to rest, on the page's clock */
} lab_pen;

typedef struct lab {
  ct_doc *doc;
  ct_scene *scene;
  ct_player *player; /* null: the scene has no gesture */
  ct_gesture gesture;
  bool playing;
  uint64_t play_until;
  ct_error error;
  char notes[LAB_NOTES]; /* what was done for the user while building, a line each */
  ct_handle handle;
  ct_control_info control;
  double counters[16];
  /* one block */
  float (*outputs)[LAB_FRAMES]; /* a row per channel of the scene */
  double (*raws)[LAB_FRAMES];
  float heard[LAB_CHANNELS][LAB_FRAMES]; /* what a scene of more than two channels sounds like on two */
  ct_tap taps[LAB_COLUMNS];
  uint32_t tap_count;
  double tap_values[LAB_COLUMNS][LAB_FRAMES];
  float columns[LAB_COLUMNS][LAB_FRAMES]; /* the taps as the page keeps them */
  ct_handle slow_handles[LAB_SLOW];       /* read once per block */
  uint32_t slow_count;
  float slow[LAB_SLOW];
  lab_pen pen;
} lab;

/* The pen over the next frames, as inputs of the scene; how many there are, 0 while it rests. */
uint32_t lab_pen_read(lab *l, uint32_t frames, ct_input inputs[LAB_PEN_SIGNALS]);

#endif
