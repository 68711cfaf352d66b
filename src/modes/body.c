/* From modes to a body. A strike of momentum J at a point with gain phi leaves mode i with the velocity
 * J phi / m_i there; so what was recorded, taken as a velocity, tells m_i but for one common factor:
 *
 *   m_i = m_strongest a_strongest / a_i
 *
 * (the body's frequency is that without damping, w0^2 = w^2 + s^2), with a the gain at the place where the
 * mode is heard best, and the strongest mode the one with most energy; what is louder than that for a moment
 * is the blow, and gets its mass. There phi is 1, elsewhere the ratio of gains. The common factor is a rule
 * of thumb, and the body says which. */
#include "base/text.h"
#include "modes/body.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
/* Half of a bar that swings freely, or of a string, takes part in one mode; plates and glasses less. */
static const double object_share = 0.5;
/* A hammer is a tenth of what it strikes, or it stays on it for longer than a click. */
static const double hammer_times = 10;
static const double usual_kg = 0.05; /* the schema's standard */

/* The place where mode i is loudest; its gain there. */
static double loudest(const ct_found_modes *f, uint32_t i) {
  double most = 0;
  for (uint32_t p = 0; p < f->place_count; p++)
    most = fmax(most, fabs(f->place_gains[(size_t)p * f->mode_count + i]));
  return most;
}

/* The mode with most energy, whose gain is the measure of the others'. */
static double strongest_gain(const ct_found_modes *f) {
  double most = 1e-30, most_energy = 0;
  for (uint32_t i = 0; i < f->mode_count; i++) {
    double energy = loudest(f, i) * loudest(f, i) * f->modes[i].t60_s;
    if (energy > most_energy && !f->modes[i].stands_in) {
      most_energy = energy;
      most = loudest(f, i);
    }
  }
  return most;
}

/* Of mode i, when the strongest is 1. */
static double relative_mass(const ct_found_modes *f, uint32_t i, double strongest) {
  return fmax(1, strongest / fmax(loudest(f, i), 1e-12 * strongest));
}

/* A force F on a mode at its resonance moves it at F / (2 m s), s its rate of decay: the least 2 m s of all,
 * when the strongest mode weighs 1 kg. */
static double least_resistance(const ct_found_modes *f, double strongest) {
  double least = INFINITY;
  for (uint32_t i = 0; i < f->mode_count; i++)
    if (!f->modes[i].stands_in)
      least = fmin(least, 2 * relative_mass(f, i, strongest) * log(1000) / f->modes[i].t60_s);
  return least;
}

/* How heavy the strongest mode is taken to be, and the sentence that says why. */
static double strongest_mass_kg(const ct_found_modes *f, const ct_modes_weight *w, char *about, size_t room) {
  double resistance = least_resistance(f, strongest_gain(f));
  if (w->resistance_n_s_m > 0 && isfinite(resistance)) {
    ct_format(about, room, "the mode that rings most freely resists %g N s/m: a guess, easy to rub",
              w->resistance_n_s_m);
    return w->resistance_n_s_m / resistance;
  }
  if (w->mass_kg > 0) {
    ct_format(about, room, "the strongest mode moves half of the object's %g kg: a rule, no measurement",
              w->mass_kg);
    return object_share * w->mass_kg;
  }
  if (w->hammer_mass_kg > 0) {
    ct_format(about, room, "the strongest mode weighs ten times the hammer's %g kg: a guess",
              w->hammer_mass_kg);
    return hammer_times * w->hammer_mass_kg;
  }
  ct_format(about, room, "the strongest mode weighs %g kg: a guess, since no mass was given", usual_kg);
  return usual_kg;
}

double ct_modes_impulse_n_s(const ct_found_modes *f, const ct_modes_weight *given) {
  const ct_modes_weight weight = given ? *given : (ct_modes_weight){0, 0, 0};
  char about[160];
  return strongest_mass_kg(f, &weight, about, sizeof about) * strongest_gain(f);
}

double ct_modes_struck_gain(const ct_found_modes *f, uint32_t place, uint32_t mode) {
  double most = strongest_gain(f), best = loudest(f, mode),
         phi = best > 0 ? f->place_gains[(size_t)place * f->mode_count + mode] / best : 0;
  return phi * phi * most / relative_mass(f, mode, most);
}

static ct_result set_mode(ct_doc *doc, const ct_found_modes *f, uint32_t i, double mass_kg, ct_error *error) {
  const ct_found_mode *m = &f->modes[i];
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"hz", hypot(m->hz, log(1000) / (2 * pi * m->t60_s))},
                 {"t60_s", fmin(m->t60_s, 1000)},
                 {"mass_kg", fmin(fmax(mass_kg, 1e-12), 1e6)},
                 {"phase_rad", fmin(fmax(f->gains[i].phase_rad, -3.1416), 3.1416)},
                 {"over_db", m->over_db}};
  char path[80];
  ct_result result = CT_OK;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && result == CT_OK; k++) {
    ct_format(path, sizeof path, "bodies.body.modes[%u].%s", i, numbers[k].name);
    result = ct_doc_set_number(doc, path, numbers[k].value, error);
  }
  const struct {
    const char *name;
    bool is_set;
  } flags[] = {{"perhaps_room", m->perhaps_room}, {"gain_guess", m->gain_guess}};
  for (size_t k = 0; k < sizeof flags / sizeof *flags && result == CT_OK; k++)
    if (flags[k].is_set) {
      ct_format(path, sizeof path, "bodies.body.modes[%u].%s", i, flags[k].name);
      result = ct_doc_set_flag(doc, path, true, error);
    }
  return result;
}

static ct_result set_point(ct_doc *doc, const ct_found_modes *f, uint32_t place, const char *name,
                           ct_error *error) {
  static const char *const directions[] = {"normal", "tangential"};
  ct_result result = CT_OK;
  for (int d = 0; d < 2; d++)
    for (uint32_t i = 0; i < f->mode_count && result == CT_OK; i++) {
      char path[160];
      double most = loudest(f, i);
      ct_format(path, sizeof path, "bodies.body.points.%s.%s[%u]", name, directions[d], i);
      double gain = most > 0 ? f->place_gains[(size_t)place * f->mode_count + i] / most : 0;
      result = ct_doc_set_number(doc, path, gain, error);
    }
  return result;
}

static ct_result fill(ct_doc *doc, const ct_found_modes *f, const char *const *places, const char *source,
                      const ct_modes_weight *weight, ct_error *error) {
  char masses[160], about[400];
  double strongest_kg = strongest_mass_kg(f, weight, masses, sizeof masses), most = strongest_gain(f);
  ct_format(about, sizeof about, "%u modes from %.160s; masses: %s", f->mode_count, source, masses);
  ct_result result = ct_doc_set_number(doc, "contatto", 1, error);
  if (result == CT_OK)
    result = ct_doc_set_text(doc, "bodies.body.about", about, error);
  for (uint32_t i = 0; i < f->mode_count && result == CT_OK; i++)
    result = set_mode(doc, f, i, strongest_kg * relative_mass(f, i, most), error);
  for (uint32_t p = 0; p < f->place_count && result == CT_OK; p++)
    result = set_point(doc, f, p, places[p], error);
  return result;
}

ct_result ct_modes_document(const ct_found_modes *f, const char *const *places, const char *source,
                            const ct_modes_weight *given, ct_doc **made, ct_error *error) {
  const ct_modes_weight weight = given ? *given : (ct_modes_weight){0, 0, 0};
  ct_doc *doc = ct_doc_create();
  if (!doc)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the body");
  ct_result result = fill(doc, f, places, source, &weight, error);
  if (result == CT_OK)
    *made = doc;
  else
    ct_doc_destroy(doc);
  return result;
}
