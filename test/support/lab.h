/* Small scenes in a few lines. Every call fails the running test when the scene refuses it. */
#ifndef CT_TEST_LAB_H
#define CT_TEST_LAB_H

#include <contatto/scene.h>

/* Fails the running test with the error unless the result is CT_OK. */
void lab_must(ct_result result, const ct_error *error);

/* An empty scene that keeps its ledger. */
ct_scene *lab_scene(double rate_hz, double gravity_m_s2);
ct_scene *lab_scene_from(const ct_scene_def *def);

/* Bodies with one point, `at`, where every mode has gain 1. */
void lab_modal(ct_scene *scene, const char *name, const ct_mode_def *modes, uint32_t count);
void lab_mass(ct_scene *scene, const char *name, double mass_kg, double x_m, double v_m_s);
void lab_hand(ct_scene *scene, const char *name, double x_m, double v_m_s);
/* Any other modal body. */
void lab_body(ct_scene *scene, const ct_modal_def *def);
/* A string named `name` with points at these places, p0, p1, ...: at most eight. */
void lab_string(ct_scene *scene, const char *name, ct_string_def def, const double *places, uint32_t count);

/* A contact to change before it is added. */
ct_impact_def lab_law(const char *name, const char *a, const char *b, double stiffness, double exponent,
                      double damping_s_m);
void lab_touch(ct_scene *scene, ct_impact_def def);
void lab_rub(ct_scene *scene, const char *name, const char *a, const char *b, ct_friction_def def);
void lab_pickup(ct_scene *scene, const char *name, const char *at, ct_listen listen, double full_scale);

/* A knob from 0 to 1 for one parameter; it stands in the middle. */
void lab_control(ct_scene *scene, const char *name, const char *path, double from, double to, bool trigger);

/* Takes in what was added, so that it can be read; steps nothing. */
void lab_settle(ct_scene *scene);
void lab_step(ct_scene *scene, uint32_t frames);
ct_handle lab_handle(ct_scene *scene, const char *path);
double lab_get(ct_scene *scene, const char *path);
void lab_set(ct_scene *scene, const char *path, double value, double ramp_s, uint64_t at_sample);
/* Steps `frames` and keeps one state at every sample. */
void lab_record(ct_scene *scene, const char *path, double *values, uint32_t frames);

/* |error| of the ledger over S. */
double lab_ledger_error(const ct_scene *scene);
/* sqrt(sum (a - b)^2 / sum b^2) */
double lab_relative_rms(const double *a, const double *b, uint32_t count);
/* Slope of log y over log x by least squares. */
double lab_fitted_order(const double *x, const double *y, uint32_t count);

/* Speed, positive, at which a mass leaves a wall it met at `speed_m_s`: first integral of Hunt and Crossley,
 * u - ln(1 + u) = u_in - ln(1 + u_in), u = damping * velocity, root in (-1, 0). */
double lab_rebound_m_s(double speed_m_s, double damping_s_m);

#endif
