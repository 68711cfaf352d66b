/* Shapes: from sizes in metres to frequencies in hertz, modal masses in kilograms, and mode shapes, so that a
 * point on a body is a place.
 *
 * Normalisation, the same for every shape: the mode shapes phi_i are orthonormal over the body's mass,
 *
 *     (1/M) integral phi_i phi_j dM = delta_ij
 *
 * so the modal mass of every mode is the mass M that moves: the whole body, more where the motion seen by phi
 * drags other motion along (the tangential motion of a rim, the liquid in a glass). Kinetic energy is sum
 * mass_kg qdot_i^2 / 2 with displacement sum phi_i q_i, and a force f at a place adds phi_i f to mode i.
 *
 * Places are dimensionless:
 *
 *   - string, bar, tube, chain: u 0..1 along the length (chain: first to last mass, straight lines between)
 *   - plate, membrane, mesh: u, v 0..1 along the two sides (mesh: first to last node, straight lines between)
 *   - disc, drum: u radius 0..1, v angle in turns
 *   - ring, glass, wineglass, tumbler, bell, bowl: u angle in turns, v height 0 (foot, crown) .. 1 (rim,
 * mouth); a ring has none
 *   - network: u 0..1 over the node numbers
 *
 * Lengths are clamped to 0..1, angles wrap. A mode shape is a product of two factors, one per coordinate,
 *
 *     ct_shape_gain(u, v) = ct_shape_factor(CT_AXIS_FIRST, u) * ct_shape_factor(CT_AXIS_SECOND, v)
 *
 * which is what lets a moving point read two small tables instead of solving Bessel functions.
 *
 * docs/models/shapes.md has the equations, their sources and their limits. Nothing here allocates or
 * keeps state. */
#ifndef CONTATTO_SHAPE_H
#define CONTATTO_SHAPE_H

#include "base.h"
#include "material.h"

CT_DECLARATIONS_BEGIN

/* Behind each kind, the fields of ct_shape_def it reads; all but the lumped ones also read the material. */
typedef enum ct_shape_kind {
  CT_SHAPE_NONE,
  CT_SHAPE_STRING,   /* size_m[0] length; radius_m; tension_n; bending_n_m2 or inharmonicity */
  CT_SHAPE_BAR,      /* size_m[0] length, size_m[1] width; thickness_m; any edge; undercut where it is free */
  CT_SHAPE_PLATE,    /* size_m sides; thickness_m; edge hinged (exact), clamped or free (approximate) */
  CT_SHAPE_DISC,     /* radius_m; thickness_m; edge clamped, hinged or free */
  CT_SHAPE_MEMBRANE, /* size_m sides; thickness_m; tension_n_m */
  CT_SHAPE_DRUM,     /* radius_m; thickness_m; tension_n_m */
  CT_SHAPE_RING,     /* radius_m to the middle of the wall; thickness_m radial; size_m[0] width */
  CT_SHAPE_GLASS,    /* radius_m; size_m[0] height; thickness_m of the wall; fill, liquid_density_kg_m3 */
  CT_SHAPE_BELL,     /* radius_m at the mouth; size_m[0] height; thickness_m of the sound bow */
  CT_SHAPE_BOWL,     /* radius_m at the rim; size_m[0] height; thickness_m of the wall */
  CT_SHAPE_TUBE,     /* size_m[0] length; radius_m outer, inner_radius_m (0: a solid rod); any edge */
  CT_SHAPE_CHAIN,    /* columns masses in a row; masses and springs or lists; edge clamped (walls) or free */
  CT_SHAPE_MESH,     /* columns x rows equal masses and springs; edge clamped (walls) or free */
  CT_SHAPE_NETWORK,  /* columns nodes, joined by a list of links, some of them to the ground */
  CT_SHAPE_WINEGLASS, /* radius_m and thickness_m at the rim; size_m[0] height of the bowl; fill, as above */
  CT_SHAPE_TUMBLER,   /* radius_m and thickness_m at the rim; size_m[0] height; fill, as above */
  CT_SHAPE_KIND_COUNT
} ct_shape_kind;

typedef enum ct_shape_edge {
  CT_EDGE_FREE,
  CT_EDGE_CLAMPED,
  CT_EDGE_HINGED,
  CT_EDGE_CANTILEVER, /* clamped at u = 0, free at u = 1 */
  CT_EDGE_COUNT
} ct_shape_edge;

/* A bar cut out from below, in the middle, as makers tune it. */
typedef enum ct_undercut {
  CT_UNDERCUT_NONE,
  CT_UNDERCUT_MARIMBA,   /* partials 1 : 4 : 10 */
  CT_UNDERCUT_XYLOPHONE, /* 1 : 3 : 6 */
  CT_UNDERCUT_COUNT
} ct_undercut;

#define CT_LINK_GROUND UINT32_MAX

/* A spring of a network, between node `from` and node `to`, or CT_LINK_GROUND for the fixed world. */
typedef struct ct_shape_link {
  uint32_t from;
  uint32_t to;
  double spring_n_m;
} ct_shape_link;

/* What a thing is. Start from ct_default_shape_def(kind): a plausible everyday thing of that kind. */
typedef struct ct_shape_def {
  uint32_t cookie; /* set by ct_default_shape_def: a def that was not started from it is refused */
  uint32_t size;   /* sizeof(ct_shape_def) of the caller */
  ct_shape_kind kind;
  ct_shape_edge edge;
  double size_m[2];
  double thickness_m;
  double radius_m;
  double inner_radius_m;
  double tension_n;            /* string */
  double tension_n_m;          /* membrane and drum: force per length of edge */
  double bending_n_m2;         /* string: EI; 0 for none. Give this or inharmonicity, not both */
  double inharmonicity;        /* string: B of f_n = n f0 sqrt(1 + B n^2) */
  double fill;                 /* glass: height of the liquid as a share of the bowl's, 0..1 */
  double liquid_density_kg_m3; /* glass */
  double density_kg_m3;
  double young_pa;
  double poisson;
  double lowest_hz; /* > 0: all frequencies are scaled so that the lowest ringing one is this; masses stay */
  bool with_rigid_modes;      /* a body held by nothing also drifts and tumbles: its 0 Hz modes come first */
  uint32_t columns;           /* chain: masses; mesh: nodes along u; network: nodes */
  uint32_t rows;              /* mesh: nodes along v */
  double node_mass_kg;        /* chain, mesh, network: every node's, unless a list is given */
  double spring_n_m;          /* chain, mesh: every spring's, unless a list is given */
  const double *masses_kg;    /* chain, network: `columns` masses, or NULL */
  const double *springs_n_m;  /* chain: columns + 1 springs, the first and the last to the walls, or NULL */
  const ct_shape_link *links; /* network */
  uint32_t link_count;
  ct_undercut undercut;    /* bar */
  bool thin;               /* bar, tube: as if thin, without shear and rotary inertia */
  double foot_radius_m;    /* wineglass, tumbler: of the wall where stem or base hold it; 0: as usual */
  double foot_thickness_m; /* of the wall there; 0: as usual */
  double wonkiness;        /* rims: not quite round, the two modes of every pair are so many cents apart */
} ct_shape_def;

/* One mode. hz and mass_kg are for everybody; the rest is what the factors are computed from. `table` points
 * into the memory given to ct_shape_modes (chain and network), else NULL. */
typedef struct ct_shape_mode {
  double hz;
  double mass_kg;
  int16_t m;       /* order along the first coordinate, or nodal diameters */
  int16_t n;       /* order along the second coordinate, or nodal circles */
  uint16_t turned; /* of a degenerate pair: 0 the cosine, 1 the sine */
  double root[2];
  double weight[2];
  const double *table;
  uint32_t table_count;
} ct_shape_mode;

/* Why no more modes came. */
typedef enum ct_shape_end {
  CT_SHAPE_END_ASKED,  /* as many as were asked for */
  CT_SHAPE_END_MAX_HZ, /* the next one is above max_hz */
  CT_SHAPE_END_NO_MORE /* the body has no more: a chain has as many as masses, a bell as its table */
} ct_shape_end;

typedef struct ct_shape_found {
  uint32_t count;
  ct_shape_end end;
  double lowest_hz; /* of the ringing modes, even when it is above max_hz */
  char note[160];   /* "" if all came that were asked for, else one line: how many, and why no more */
} ct_shape_found;

typedef enum ct_shape_axis {
  CT_AXIS_FIRST = 0,
  CT_AXIS_SECOND = 1,
  CT_AXIS_ALONG = 2 /* ring, glass, bell, bowl: in place of CT_AXIS_FIRST, the motion along the rim (for a
                       rubbing finger) */
} ct_shape_axis;

/* [any] */
CT_API void ct_fill_shape_def(ct_shape_kind kind, ct_shape_def *def, uint32_t size);
static inline ct_shape_def ct_default_shape_def(ct_shape_kind kind) {
  ct_shape_def def;
  ct_fill_shape_def(kind, &def, (uint32_t)sizeof def);
  return def;
}

/* [any] Makes it of that material: density, Young's modulus, Poisson's ratio. */
CT_API void ct_shape_set_material(ct_shape_def *def, const ct_material *material);

/* [any] "bar" and back; "none", and CT_SHAPE_NONE or CT_EDGE_COUNT, for what is not one. */
CT_API const char *ct_shape_kind_name(ct_shape_kind kind);
CT_API ct_shape_kind ct_shape_kind_find(const char *name);
CT_API const char *ct_shape_edge_name(ct_shape_edge edge);
CT_API ct_shape_edge ct_shape_edge_find(const char *name);

/* [setup] Whether the def can be a thing: CT_OK; CT_BAD_ARGUMENT for a def that did not come from its default
 * function; CT_BAD_VALUE with field, value, unit and range in *error (may be NULL). */
CT_API ct_result ct_shape_check(const ct_shape_def *def, ct_error *error);

/* [setup] How many doubles of memory ct_shape_modes wants: 0 except for chains, networks and undercut bars,
 * whose mode shapes live in it: it must outlive the modes. */
CT_API size_t ct_shape_memory_count(const ct_shape_def *def);

/* [setup] The lowest `capacity` modes up to max_hz, sorted by frequency; degenerate pairs as cosine then
 * sine. On success *found tells how many came, and why no more; on failure (as ct_shape_check, or
 * CT_NO_MEMORY) its count is 0. */
CT_API ct_result ct_shape_modes(const ct_shape_def *def, ct_shape_mode *modes, uint32_t capacity,
                                double max_hz, double *memory, size_t memory_count, ct_shape_found *found,
                                ct_error *error);

/* [setup] Compliance, m/N, of all modes but the lowest `count`, at a place where they are of mean size: the
 * sum of 1 / (mass w^2). *cut_hz is where they begin. 0 where there is none or no limit. */
CT_API ct_result ct_shape_residual(const ct_shape_def *def, uint32_t count, double *compliance_m_n,
                                   double *cut_hz, ct_error *error);

/* [any] The mass of the body itself, without what it drags along. */
CT_API double ct_shape_mass_kg(const ct_shape_def *def);

/* [any] Whether the coordinate is an angle and wraps round; else it is clamped to 0..1. */
CT_API bool ct_shape_axis_wraps(ct_shape_kind kind, ct_shape_axis axis);

/* [any, but not cheap: tabulate it] One factor of a mode shape. */
CT_API double ct_shape_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                              double coordinate);

/* [any, but not cheap] The mode shape at a place. */
CT_API double ct_shape_gain(const ct_shape_def *def, const ct_shape_mode *mode, double u, double v);

CT_DECLARATIONS_END

#endif
