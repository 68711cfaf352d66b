/* Inside shapes: what shape.c asks of each family of shapes, and the beam functions the families share. */
#ifndef CT_BODY_SHAPE_H
#define CT_BODY_SHAPE_H

#include <contatto/shape.h>

#define CT_SHAPE_COOKIE 0x5a4e7061u

/* An older caller's definition with this library's standard values for what it lacks, in *whole; any other as
 * it was given. */
const ct_shape_def *ct_shape_whole(const ct_shape_def *given, ct_shape_def *whole);

/* Masses and springs: it has no sizes. */
static inline bool ct_shape_is_lumped(ct_shape_kind kind) {
  return kind == CT_SHAPE_CHAIN || kind == CT_SHAPE_MESH || kind == CT_SHAPE_NETWORK;
}

#define CT_SHAPE_NODES_MAX 4096u  /* masses of a chain, nodes of a side of a mesh */
#define CT_SHAPE_NETWORK_MAX 512u /* nodes of a network: its eigenproblem grows with their cube */
#define CT_SHAPE_ORDER_MAX 400    /* of angular orders: beyond, Bessel functions underflow */

/* The lowest `capacity` modes offered so far, sorted. Families offer modes in any order and may stop a series
 * once its frequencies exceed the limit. */
typedef struct ct_shape_list {
  ct_shape_mode *modes;
  uint32_t capacity;
  uint32_t count;
  double max_hz;
  double lowest_hz; /* of all ringing modes offered */
  bool above;       /* some mode offered was above max_hz */
  bool rigid;       /* 0 Hz modes are wanted */
  double *memory;
} ct_shape_list;

/* Above this no mode can enter any more. */
double ct_shape_list_limit(const ct_shape_list *list);
void ct_shape_list_offer(ct_shape_list *list, const ct_shape_mode *mode);
/* Offers the mode and its twin turned by a quarter wave. */
void ct_shape_list_offer_pair(ct_shape_list *list, const ct_shape_mode *mode);

/* A family of shapes. Defs have been checked. */
typedef struct ct_shape_family {
  ct_result (*modes)(const ct_shape_def *def, ct_shape_list *list);
  double (*factor)(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis, double coordinate);
  double (*mass_kg)(const ct_shape_def *def);
} ct_shape_family;

extern const ct_shape_family ct_shape_string, ct_shape_bar, ct_shape_tube;                /* shape_beam.c */
extern const ct_shape_family ct_shape_plate, ct_shape_membrane;                           /* shape_flat.c */
extern const ct_shape_family ct_shape_disc, ct_shape_drum;                                /* shape_round.c */
extern const ct_shape_family ct_shape_ring, ct_shape_glass, ct_shape_bell, ct_shape_bowl; /* shape_rim.c */
extern const ct_shape_family ct_shape_shell;                                              /* shape_shell.c */
extern const ct_shape_family ct_shape_chain, ct_shape_mesh, ct_shape_network; /* shape_lattice.c */

/* Beam functions psi on 0..1, mean square 1 (shape_beam.c). Orders: free edges count nodes (0 and 1 are
 * rigid), all others start at 1. */
typedef struct ct_beam {
  ct_shape_edge edge;
  int order;
  double root;   /* beta: psi'''' = beta^4 psi */
  double weight; /* of the part that grows towards u = 1 */
} ct_beam;

ct_beam ct_beam_make(ct_shape_edge edge, int order);
double ct_beam_value(const ct_beam *beam, double u);
double ct_beam_slope_square(const ct_beam *beam);   /* integral of psi'^2 */
double ct_beam_curvature_mean(const ct_beam *beam); /* integral of psi psi'' */
/* The beam function a mode keeps for one of its axes. */
ct_beam ct_beam_of(const ct_shape_mode *mode, int axis, ct_shape_edge edge);
void ct_beam_keep(ct_shape_mode *mode, int axis, const ct_beam *beam);

/* Bars cut out from below (shape_undercut.c); their mode shapes are in mode->table. */
ct_result ct_shape_undercut_modes(const ct_shape_def *def, ct_shape_list *list);
double ct_shape_undercut_value(const ct_shape_mode *mode, double u);
double ct_shape_undercut_share(const ct_shape_def *def); /* of the mass that is left */
size_t ct_shape_undercut_memory(const ct_shape_def *def);

/* sqrt(2) cos or sin of m turns; 1 for m = 0. */
double ct_shape_around(int m, bool turned, double turns);

/* A mode's motion across (CT_AXIS_FIRST) or along the rim, at so many turns. */
double ct_shape_round_rim(const ct_shape_mode *mode, ct_shape_axis axis, double turns);

/* Walls of a wineglass or tumbler (shape_shell.c): how wide at this share of the height. */
double ct_shape_shell_radius_m(const ct_shape_def *def, double height);
size_t ct_shape_shell_memory(const ct_shape_def *def);

size_t ct_shape_lattice_memory(const ct_shape_def *def);

#endif
