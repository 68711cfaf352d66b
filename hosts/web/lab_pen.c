/* A pen on the stage: samples on the page's clock become motion at every sample of sound, as ct_pen makes it,
 * and move what they are fed to until some time after the last.
 *
 * Sound is computed in bursts, ahead of time, so a frame has two times: when it is computed and when its turn
 * is. Motion is read at the second, which runs evenly: page time = scene time + offset, the smallest offset
 * seen, which is that of the frames computed furthest ahead. So every frame's samples are there when it is
 * computed, and a frame that waits longest hears the pen one burst late. Samples wait here until then. */
#include "hosts/web/lab.h"

#include <math.h>

static const double rest_s = 0.5;   /* after so long without samples motion has died away */
static const double lost_s = 0.25;  /* a clock that is off by more has stood still */
static const double creep_s = 1e-5; /* the offset grows by this at every block, in case the clocks drift */

uint32_t EXPORT(lab_pen_feed)(lab *l, uint32_t signal, uint32_t row, uint32_t object, uint32_t item,
                              uint32_t element, uint32_t generation);
void EXPORT(lab_pen_clock)(lab *l, double page_s);
uint32_t EXPORT(lab_pen_sample)(lab *l, double page_s, double x_m, double y_m, double pressure);
double EXPORT(lab_pen_latency_s)(const lab *l);

/* What a signal of the pen moves; they are numbered as in lab_pen_read. True when there is a pen to do it. */
uint32_t lab_pen_feed(lab *l, uint32_t signal, uint32_t row, uint32_t object, uint32_t item, uint32_t element,
                      uint32_t generation) {
  lab_pen *p = &l->pen;
  if (signal >= LAB_PEN_SIGNALS)
    return 0;
  if (!p->pen)
    p->pen = ct_pen_create();
  p->handles[signal] =
      (ct_handle){(uint16_t)row, (uint16_t)object, (uint16_t)item, (uint16_t)element, generation};
  return p->pen != NULL;
}

static double now_s(const lab *l) { return (double)ct_scene_sample(l->scene) / ct_scene_rate_hz(l->scene); }

/* What time it is on the page as the next block is computed. */
void lab_pen_clock(lab *l, double page_s) {
  lab_pen *p = &l->pen;
  double offset_s = page_s - now_s(l), wait_s = offset_s - p->offset_s;
  p->offset_s = wait_s < 0 || wait_s > lost_s ? offset_s : p->offset_s + creep_s;
  p->wait_s = offset_s - p->offset_s > p->wait_s ? offset_s - p->offset_s : 0.999 * p->wait_s;
}

/* False: there is no pen, or its samples come faster than they are played. */
uint32_t lab_pen_sample(lab *l, double page_s, double x_m, double y_m, double pressure) {
  lab_pen *p = &l->pen;
  if (!p->pen || p->waiting == LAB_PEN_SAMPLES)
    return 0;
  p->samples[(p->first + p->waiting++) % LAB_PEN_SAMPLES] = (ct_pen_sample){page_s, x_m, y_m, pressure};
  return 1;
}

/* From a sample's time until it is heard: motion is late, and a frame waits. */
double lab_pen_latency_s(const lab *l) {
  return l->pen.pen ? ct_pen_latency_s(l->pen.pen) + l->pen.wait_s : 0;
}

/* Samples that are refused, such as one told twice, are dropped. */
static void push_due(lab_pen *p, double page_s) {
  for (; p->waiting && !(p->samples[p->first].time_s > page_s); p->waiting--) {
    if (ct_pen_push(p->pen, &p->samples[p->first], NULL) == CT_OK)
      p->until_s = page_s + rest_s;
    p->first = (p->first + 1) % LAB_PEN_SAMPLES;
  }
}

uint32_t lab_pen_read(lab *l, uint32_t frames, ct_input inputs[LAB_PEN_SIGNALS]) {
  lab_pen *p = &l->pen;
  double page_s = now_s(l) + p->offset_s, step_s = 1 / ct_scene_rate_hz(l->scene);
  if (!p->pen || !(p->waiting || page_s < p->until_s))
    return 0;
  for (uint32_t n = 0; n < frames; n++) {
    push_due(p, page_s + n * step_s);
    ct_motion m = ct_pen_read(p->pen, page_s + n * step_s);
    const double now[LAB_PEN_SIGNALS] = {m.speed_m_s,     m.pressure, m.fluidity,  m.acceleration_m_s2,
                                         m.curvature_1_m, m.log_jerk, m.arc_length};
    for (uint32_t i = 0; i < LAB_PEN_SIGNALS; i++)
      p->values[i][n] = isnan(now[i]) ? ct_scene_get(l->scene, p->handles[i]) : now[i];
  }
  for (uint32_t i = 0; i < LAB_PEN_SIGNALS; i++)
    inputs[i] = (ct_input){p->handles[i], p->values[i]};
  return LAB_PEN_SIGNALS;
}
