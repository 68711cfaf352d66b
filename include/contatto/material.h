/* Materials: what a thing is made of, as elastic constants and a two-number damping law.
 *
 * Every mode of a body decays as exp(-alpha t). The law is that of Aramaki, Besson, Kronland-Martinet and
 * Ystad (2011), cited by Thoret et al. (2013): the logarithm of alpha is a straight line over frequency,
 *
 *     alpha(f) = exp(global_damping + relative_damping * E(f)),      t60(f) = ln(1000) / alpha(f)
 *
 * with E(f) = 21.4 log10(1 + f / 228.8 Hz), the ERB rate, in place of f, so that both numbers work over the
 * whole audible range (docs/models/materials.md says why). `global_damping` is how fast everything dies,
 * `relative_damping` how much faster the high partials die than the low ones. The two numbers span a plane;
 * the names are places on it.
 *
 * Nothing here allocates or keeps state; every function is pure. */
#ifndef CONTATTO_MATERIAL_H
#define CONTATTO_MATERIAL_H

#include "base.h"

CT_DECLARATIONS_BEGIN

typedef struct ct_material {
  const char *name;        /* static text; "" for a material made by mixing or by hand */
  double density_kg_m3;    /* > 0 */
  double young_pa;         /* Young's modulus, > 0 */
  double poisson;          /* Poisson's ratio, -1 < nu < 0.5 */
  double global_damping;   /* ln of alpha in 1/s at 0 Hz: -3 rings for minutes, 6 is dead in milliseconds */
  double relative_damping; /* growth of ln alpha per ERB: 0 all partials alike, 0.11 a constant loss factor */
} ct_material;

/* [any] How many named materials there are, and one of them by number; NULL beyond the last. */
CT_API uint32_t ct_material_count(void);
CT_API const ct_material *ct_material_at(uint32_t index);

/* [any] The material of that name (case does not matter); NULL if there is none. */
CT_API const ct_material *ct_material_find(const char *name);

/* [setup] Like ct_material_find; if there is none, *error (may be NULL) says so and suggests the nearest
 * known names by edit distance. */
CT_API const ct_material *ct_material_look_up(const char *name, ct_error *error);

/* [any] Amplitude decay rate and 60 dB decay time of a mode at that frequency. Negative frequencies count as
 * 0. */
CT_API double ct_material_decay_rate_per_s(const ct_material *material, double hz);
CT_API double ct_material_t60_s(const ct_material *material, double hz);

/* [setup] The two damping numbers that give t60_low_s at low_hz and t60_high_s at high_hz; the rest of
 * *material stays. CT_BAD_VALUE, and nothing changed, if a time is not positive or high_hz is not above
 * low_hz. */
CT_API ct_result ct_material_set_t60_s(ct_material *material, double low_hz, double t60_low_s, double high_hz,
                                       double t60_high_s);

/* [any] A material between two: position 0 gives a, 1 gives b, outside is clamped. Density and Young's
 * modulus run geometrically (so that pitch moves evenly), Poisson's ratio and the damping numbers linearly.
 */
CT_API ct_material ct_material_mix(const ct_material *a, const ct_material *b, double position);

/* [any] The named material nearest to a place on the damping plane, and (if not NULL) how far away it is. One
 * unit of distance is a factor e of decay rate at low (200 Hz) or at high (5 kHz) frequency. */
CT_API const ct_material *ct_material_nearest(double global_damping, double relative_damping,
                                              double *distance);

/* [any] The material at a place on the damping plane: these two damping numbers, and elastic constants
 * blended from the named materials around it (weights 1/distance^2, geometric); on a name's own place,
 * exactly that material. */
CT_API ct_material ct_material_on_plane(double global_damping, double relative_damping);

/* [any] A walk through the materials from dull to ringing: 0 rubber, 1 plastic, 2 wood, 3 stone, 4 ceramic, 5
 * glass, 6 brass, 7 steel; between two numbers, the mixture of the two. Outside is clamped. */
#define CT_MATERIAL_WALK 8u
CT_API ct_material ct_material_along(double place);
CT_API double ct_material_place_along(const ct_material *material); /* where the walk passes it, by damping */
CT_API const char *ct_material_along_name(uint32_t stop);           /* null beyond the last */

/* [setup] Whether the numbers can be a material: CT_OK, or CT_BAD_VALUE with field, value, unit and range in
 * *error. */
CT_API ct_result ct_material_check(const ct_material *material, ct_error *error);

CT_DECLARATIONS_END

#endif
