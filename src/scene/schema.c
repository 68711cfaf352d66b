/* The one table of parameters. A new kind of parameter is one row here and one field in its section's list.
 */
#include "scene/schema.h"
#include "scene/scene.h"

#include <stddef.h>

#define NOWHERE CT_NO_OFFSET
#define IN(type, member) ((uint16_t)offsetof(type, member))

#define TEXT(path, words, section, field, effect)                                                            \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_TEXT, 0, 0, 0, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, section, field,    \
        NOWHERE                                                                                              \
  }
#define CHOICE(path, words, choices, standard, section, field, effect)                                       \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_CHOICE, 0, 0, standard, CT_LINEAR, CT_RATE_FIXED, choices, effect},        \
        section, field, NOWHERE                                                                              \
  }
#define COUNT(path, words, min, max, standard, section, field, effect)                                       \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_COUNT, min, max, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect},        \
        section, field, NOWHERE                                                                              \
  }
#define FLAG(path, words, standard, section, field, effect)                                                  \
  {                                                                                                          \
    {path, words, "", "", CT_TYPE_FLAG, 0, 1, standard, CT_LINEAR, CT_RATE_FIXED, NULL, effect}, section,    \
        field, NOWHERE                                                                                       \
  }
#define NUMBER(path, words, symbol, unit, min, max, standard, scale, rate, section, field, offset, effect)   \
  {                                                                                                          \
    {path, words, symbol, unit, CT_TYPE_NUMBER, min, max, standard, scale, rate, NULL, effect}, section,     \
        field, offset                                                                                        \
  }
#define STATE(path, words, symbol, unit, section, field, offset)                                             \
  {                                                                                                          \
    {path,  words, symbol,    unit,          CT_TYPE_NUMBER, -1e300,                                         \
     1e300, 0,     CT_LINEAR, CT_RATE_STATE, NULL,           "read only"},                                   \
        section, field, offset                                                                               \
  }

static const ct_row rows[] = {
    COUNT("contatto", "version of the scene format", 1, 1, 1, CT_IN_SCENE, CT_SCENE_VERSION, "none"),
    TEXT("title", "name to show", CT_IN_SCENE, CT_SCENE_TITLE, "none"),
    TEXT("about", "what the scene is", CT_IN_SCENE, CT_SCENE_ABOUT, "none"),
    NUMBER("seconds", "length of the demo", "", "s", 0.01, 3600, 4, CT_LOG, CT_RATE_FIXED, CT_IN_SCENE,
           CT_SCENE_SECONDS, NOWHERE, "how long it is rendered"),
    COUNT("channels", "outputs", 1, 2, 1, CT_IN_SCENE, CT_SCENE_CHANNELS, "mono or stereo"),
    NUMBER("gravity_m_s2", "pull on free masses towards negative x", "g", "m/s^2", 0, 100, 0, CT_LINEAR,
           CT_RATE_TICK, CT_IN_SCENE, CT_SCENE_GRAVITY, IN(ct_scene, def.gravity_m_s2),
           "faster falls, denser bounces"),
    NUMBER("smoothing_s", "time a parameter takes to arrive", "", "s", 0.001, 10, 0.03, CT_LOG, CT_RATE_FIXED,
           CT_IN_SCENE, CT_SCENE_SMOOTHING, NOWHERE, "slower, softer changes"),

    CHOICE("bodies.*.kind", "what moves", "modal|hand|wall", 0, CT_IN_BODY, CT_BODY_KIND, "what the body is"),
    TEXT("bodies.*.about", "what the body stands for", CT_IN_BODY, CT_BODY_ABOUT, "none"),
    CHOICE("bodies.*.integrator", "how modes are stepped", "exact|bilinear", 0, CT_IN_BODY,
           CT_BODY_INTEGRATOR, "bilinear lowers high modes as the papers do"),
    NUMBER("bodies.*.x_m", "imposed position of a hand", "x", "m", -1000, 1000, 0, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_BODY, CT_BODY_X, IN(ct_hand, x_m[CT_NORMAL]), "presses and lets go"),
    NUMBER("bodies.*.v_m_s", "imposed velocity of a hand", "v", "m/s", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_AUDIO, CT_IN_BODY, CT_BODY_V, IN(ct_hand, v_m_s[CT_NORMAL]), "presses faster"),
    NUMBER("bodies.*.tangential_x_m", "imposed sideways position of a hand", "x", "m", -1000, 1000, 0,
           CT_LINEAR, CT_RATE_AUDIO, CT_IN_BODY, CT_BODY_TANGENTIAL_X, IN(ct_hand, x_m[CT_TANGENTIAL]),
           "rubs to and fro"),
    NUMBER("bodies.*.tangential_v_m_s", "imposed sideways velocity of a hand", "v", "m/s", -1000, 1000, 0,
           CT_LINEAR, CT_RATE_AUDIO, CT_IN_BODY, CT_BODY_TANGENTIAL_V, IN(ct_hand, v_m_s[CT_TANGENTIAL]),
           "rubs faster"),

    NUMBER("bodies.*.modes[].hz", "frequency of the mode", "f", "Hz", 0, 200000, 440, CT_LOG, CT_RATE_TICK,
           CT_IN_MODE, CT_MODE_HZ, IN(ct_mode_def, hz), "pitch of this partial; 0: a free mass"),
    NUMBER("bodies.*.modes[].t60_s", "time to fall by 60 dB", "t60", "s", 0, 1000, 1, CT_LOG, CT_RATE_TICK,
           CT_IN_MODE, CT_MODE_T60, IN(ct_mode_def, t60_s), "how long this partial rings; 0: no loss"),
    NUMBER("bodies.*.modes[].mass_kg", "modal mass", "m", "kg", 1e-12, 1e6, 0.05, CT_LOG, CT_RATE_TICK,
           CT_IN_MODE, CT_MODE_MASS, IN(ct_mode_def, mass_kg), "heavier: quieter partial, harder to move"),
    NUMBER("bodies.*.modes[].lev", "modal gain as lev = 1 / mass_kg", "1/m", "1/kg", 1e-6, 1e12, 20, CT_LOG,
           CT_RATE_FIXED, CT_IN_MODE, CT_MODE_LEV, NOWHERE, "another way to say mass_kg"),
    NUMBER("bodies.*.modes[].x_m", "displacement of the mode", "x", "m", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_TRIGGER, CT_IN_MODE, CT_MODE_X, NOWHERE, "where it starts; setting it plucks"),
    NUMBER("bodies.*.modes[].v_m_s", "velocity of the mode", "v", "m/s", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_TRIGGER, CT_IN_MODE, CT_MODE_V, NOWHERE, "how fast it starts; setting it throws"),

    CHOICE("bodies.*.modes.shape", "what the body is, instead of a list of modes",
           "none|string|bar|plate|disc|membrane|drum|ring|glass|bell|bowl|tube|chain|mesh|network", 0,
           CT_IN_SHAPE, CT_SHAPE_FIELD_KIND, "which partials it has"),
    CHOICE("bodies.*.modes.edge", "how it is held; not given: as usual for the shape",
           "free|clamped|hinged|cantilever", 0, CT_IN_SHAPE, CT_SHAPE_FIELD_EDGE, "which partials it has"),
    TEXT("bodies.*.modes.material", "what it is made of", CT_IN_SHAPE, CT_SHAPE_FIELD_MATERIAL,
         "pitch, and how long each partial rings"),
    COUNT("bodies.*.modes.count", "how many modes", 1, 4096, 24, CT_IN_SHAPE, CT_SHAPE_FIELD_COUNT,
          "richness"),
    NUMBER("bodies.*.modes.size_m[]", "length and width, or height; not given: an everyday thing", "", "m",
           1e-4, 1000, 0, CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_SIZE, NOWHERE, "larger: lower"),
    NUMBER("bodies.*.modes.thickness_m", "thickness; not given: as usual for the shape", "h", "m", 1e-6, 10,
           0, CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_THICKNESS, NOWHERE,
           "thicker: higher, heavier"),
    NUMBER("bodies.*.modes.radius_m", "radius; not given: as usual for the shape", "r", "m", 1e-5, 1000, 0,
           CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_RADIUS, NOWHERE, "larger: lower"),
    NUMBER("bodies.*.modes.inner_radius_m", "inner radius of a tube", "", "m", 0, 1000, 0, CT_LINEAR,
           CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_INNER_RADIUS, NOWHERE, "thinner wall: lighter"),
    NUMBER("bodies.*.modes.tension_n", "tension of a string; not given: as usual", "T", "N", 1e-3, 1e6, 0,
           CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_TENSION, NOWHERE, "tighter: higher"),
    NUMBER("bodies.*.modes.tension_n_m", "tension of a membrane or drum; not given: as usual", "", "N/m",
           1e-3, 1e7, 0, CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_EDGE_TENSION, NOWHERE,
           "tighter: higher"),
    NUMBER("bodies.*.modes.bending_n_m2", "bending stiffness of a string, EI", "EI", "N m^2", 0, 1e6, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_BENDING, NOWHERE, "stretches the partials"),
    NUMBER("bodies.*.modes.inharmonicity", "stiffness of a string as B of n f0 sqrt(1 + B n^2)", "B", "", 0,
           1, 0, CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_INHARMONICITY, NOWHERE,
           "stretches the partials"),
    NUMBER("bodies.*.modes.fill", "liquid in a glass, share of its height", "", "", 0, 1, 0, CT_LINEAR,
           CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_FILL, NOWHERE, "fuller: lower"),
    NUMBER("bodies.*.modes.lowest_hz", "tuning: frequency of the lowest ringing mode; 0: as the sizes give",
           "", "Hz", 0, 20000, 0, CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_LOWEST_HZ, NOWHERE,
           "pitch"),
    FLAG("bodies.*.modes.rigid", "0 Hz modes of a free body come first", 0, CT_IN_SHAPE, CT_SHAPE_FIELD_RIGID,
         "it flies when struck"),
    COUNT("bodies.*.modes.columns", "masses of a chain, nodes along a mesh", 1, 4096, 8, CT_IN_SHAPE,
          CT_SHAPE_FIELD_COLUMNS, "richness"),
    COUNT("bodies.*.modes.rows", "nodes across a mesh", 1, 4096, 8, CT_IN_SHAPE, CT_SHAPE_FIELD_ROWS,
          "richness"),
    NUMBER("bodies.*.modes.node_mass_kg", "mass of each node; not given: as usual", "m", "kg", 1e-9, 1e6, 0,
           CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_NODE_MASS, NOWHERE, "heavier: lower"),
    NUMBER("bodies.*.modes.spring_n_m", "stiffness of each spring; not given: as usual", "k", "N/m", 1e-6,
           1e12, 0, CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_SPRING, NOWHERE, "stiffer: higher"),
    NUMBER("bodies.*.modes.masses_kg[]", "mass of each node, in turn; not given: all alike", "m", "kg", 1e-9,
           1e6, 0, CT_LOG, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_MASSES, NOWHERE, "which partials it has"),
    NUMBER("bodies.*.modes.springs_n_m[]", "springs of a chain, first and last to the walls", "k", "N/m", 0,
           1e12, 0, CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_SPRINGS, NOWHERE,
           "which partials it has"),
    NUMBER("bodies.*.modes.links_from[]", "first node of each spring of a network", "", "", 0, 4095, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_LINK_FROM, NOWHERE, "which partials it has"),
    NUMBER("bodies.*.modes.links_to[]", "second node of each spring; -1: the ground", "", "", -1, 4095, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_LINK_TO, NOWHERE, "which partials it has"),
    NUMBER("bodies.*.modes.links_n_m[]", "stiffness of each spring of a network", "k", "N/m", 0, 1e12, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE_LIST, CT_LIST_LINK_SPRING, NOWHERE, "which partials it has"),
    NUMBER("bodies.*.modes.hung_hz", "hangs, and swings as a whole at this frequency; 0: does not", "", "Hz",
           0, 100, 0, CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_HUNG_HZ, NOWHERE,
           "it gives way when struck"),
    NUMBER("bodies.*.modes.hung_t60_s", "time the swing takes to fall by 60 dB", "", "s", 0, 1000, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_HUNG_T60, NOWHERE, "it swings longer"),
    NUMBER("bodies.*.modes.poisson", "Poisson's ratio; not given: the material's", "nu", "", -0.99, 0.499, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_SHAPE, CT_SHAPE_FIELD_POISSON, NOWHERE,
           "spreads the partials of plates"),
    NUMBER("bodies.*.modes.size", "size of the whole thing against what was given", "", "", 0.05, 20, 1,
           CT_LOG, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_SIZE, IN(ct_modal, making.size),
           "larger: lower, heavier, louder to strike"),
    NUMBER("bodies.*.modes.density_kg_m3", "density; not given: the material's", "rho", "kg/m^3", 1, 30000, 0,
           CT_LOG, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_DENSITY, IN(ct_modal, making.density_kg_m3),
           "heavier: lower, quieter"),
    NUMBER("bodies.*.modes.young_pa", "Young's modulus; not given: the material's", "E", "Pa", 1e3, 1e13, 0,
           CT_LOG, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_YOUNG, IN(ct_modal, making.young_pa),
           "stiffer: higher"),
    NUMBER("bodies.*.modes.damping_global", "damping of all partials; not given: the material's", "",
           "ln 1/s", -4, 8, 0, CT_LINEAR, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_DAMPING_GLOBAL,
           IN(ct_modal, making.damping_global), "how fast everything dies"),
    NUMBER("bodies.*.modes.damping_relative", "extra damping of high partials; not given: the material's", "",
           "per ERB", -0.1, 1, 0, CT_LINEAR, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_DAMPING_RELATIVE,
           IN(ct_modal, making.damping_relative), "wood against metal"),
    NUMBER("bodies.*.modes.material_at",
           "material: 0 rubber, 1 plastic, 2 wood, 3 stone, 4 ceramic, 5 glass, 6 brass, 7 steel, or between",
           "", "", 0, 7, 0, CT_LINEAR, CT_RATE_TICK, CT_IN_SHAPE, CT_SHAPE_FIELD_MATERIAL_AT,
           IN(ct_modal, making.material_at), "dull to ringing; pitch and mass follow"),

    NUMBER("bodies.*.points.*.place_u", "place along the shape", "u", "", -1e6, 1e6, 0.5, CT_LINEAR,
           CT_RATE_AUDIO, CT_IN_POINT, CT_POINT_PLACE_U, IN(ct_point, place[0]), "which modes it meets"),
    NUMBER("bodies.*.points.*.place_v", "place across the shape", "v", "", -1e6, 1e6, 0.5, CT_LINEAR,
           CT_RATE_AUDIO, CT_IN_POINT, CT_POINT_PLACE_V, IN(ct_point, place[1]), "which modes it meets"),
    TEXT("bodies.*.points.*.follows", "point whose sideways motion carries this one along, body.point",
         CT_IN_POINT, CT_POINT_FOLLOWS, "travels round a rim, along a string"),
    NUMBER("bodies.*.points.*.follow_m", "metres of that motion per unit of place_u; 0: stays", "", "m", 0,
           1000, 0, CT_LOG, CT_RATE_FIXED, CT_IN_POINT, CT_POINT_FOLLOW_M, NOWHERE,
           "smaller: travels faster, pulsates faster"),
    NUMBER("bodies.*.points.*.force_n", "external force", "f", "N", -1e6, 1e6, 0, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_POINT, CT_POINT_FORCE, IN(ct_point, force_n[CT_NORMAL]), "pushes the body"),
    NUMBER("bodies.*.points.*.tangential_force_n", "external sideways force", "f", "N", -1e6, 1e6, 0,
           CT_LINEAR, CT_RATE_AUDIO, CT_IN_POINT, CT_POINT_TANGENTIAL_FORCE,
           IN(ct_point, force_n[CT_TANGENTIAL]), "pushes the body sideways"),
    NUMBER("bodies.*.points.*.gains[]", "mode gain in every direction", "phi", "", -1000, 1000, 1, CT_LINEAR,
           CT_RATE_AUDIO, CT_IN_GAINS, CT_GAINS_BOTH, NOWHERE, "how much this point moves with the mode"),
    NUMBER("bodies.*.points.*.normal[]", "mode gain along the normal", "phi", "", -1000, 1000, 1, CT_LINEAR,
           CT_RATE_AUDIO, CT_IN_GAINS, CT_GAINS_NORMAL, NOWHERE, "how much this point moves with the mode"),
    NUMBER("bodies.*.points.*.tangential[]", "mode gain along the surface", "phi", "", -1000, 1000, 1,
           CT_LINEAR, CT_RATE_AUDIO, CT_IN_GAINS, CT_GAINS_TANGENTIAL, NOWHERE,
           "how much this point moves sideways with the mode"),
    STATE("bodies.*.points.*.x_m", "displacement now", "x", "m", CT_IN_POINT, CT_POINT_X, NOWHERE),
    STATE("bodies.*.points.*.v_m_s", "velocity now", "v", "m/s", CT_IN_POINT, CT_POINT_V, NOWHERE),
    STATE("bodies.*.points.*.tangential_x_m", "sideways displacement now", "x", "m", CT_IN_POINT,
          CT_POINT_TANGENTIAL_X, NOWHERE),
    STATE("bodies.*.points.*.tangential_v_m_s", "sideways velocity now", "v", "m/s", CT_IN_POINT,
          CT_POINT_TANGENTIAL_V, NOWHERE),

    CHOICE("contacts.*.kind", "contact law", "impact|friction", 0, CT_IN_CONTACT, CT_CONTACT_KIND,
           "how the bodies touch"),
    TEXT("contacts.*.a", "first point, body.point", CT_IN_CONTACT, CT_CONTACT_A, "what touches"),
    TEXT("contacts.*.b", "second point, body.point", CT_IN_CONTACT, CT_CONTACT_B, "what is touched"),
    CHOICE("contacts.*.from", "side from which a meets b", "below|above", 0, CT_IN_CONTACT, CT_CONTACT_FROM,
           "below: a pushes b towards positive x"),
    NUMBER("contacts.*.stiffness", "contact stiffness", "k", "N/m^alpha", CT_STIFFNESS_LEAST,
           CT_STIFFNESS_MOST, 1e7, CT_LOG, CT_RATE_AUDIO, CT_IN_CONTACT, CT_CONTACT_STIFFNESS,
           IN(ct_contact, values.stiffness), "harder: shorter contact, brighter sound"),
    NUMBER(
        "contacts.*.contact_time_s",
        "how long a hit at contact_speed_m_s lasts, instead of stiffness; not given: as stiffness makes it",
        "tau", "s", 1e-6, 1, 0, CT_LOG, CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_TIME,
        IN(ct_contact, values.contact_time_s), "shorter: harder, brighter"),
    NUMBER("contacts.*.contact_speed_m_s", "speed of the hit that contact_time_s speaks of", "v", "m/s", 1e-3,
           1000, 1, CT_LOG, CT_RATE_FIXED, CT_IN_CONTACT, CT_CONTACT_SPEED, NOWHERE,
           "harder hits are shorter, softer ones longer"),
    NUMBER("contacts.*.exponent", "contact shape", "alpha", "", 1.000001, 5, 1.5, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_CONTACT, CT_CONTACT_EXPONENT, IN(ct_contact, values.exponent),
           "larger: softer at a light touch"),
    NUMBER("contacts.*.damping_s_m", "contact damping", "mu", "s/m", 0, 1000, 0.5, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_CONTACT, CT_CONTACT_DAMPING, IN(ct_contact, values.damping_s_m), "larger: bounces less"),
    NUMBER("contacts.*.lambda", "contact damping as lambda = mu k", "lambda", "N s/m^(alpha+1)", 0, 1e18, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_CONTACT, CT_CONTACT_LAMBDA, NOWHERE,
           "another way to say damping_s_m"),
    NUMBER("contacts.*.gap_m", "distance at rest", "", "m", -1000, 1000, 0, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_CONTACT, CT_CONTACT_GAP, IN(ct_contact, values.gap_m),
           "how far apart; negative: pressed together"),
    CHOICE("contacts.*.quality", "substeps per contact", "draft|normal|high|best", 1, CT_IN_CONTACT,
           CT_CONTACT_QUALITY, "accuracy of hard hits"),
    COUNT("contacts.*.substeps", "fixed substeps, a power of two; 0: chosen", 0, 1024, 0, CT_IN_CONTACT,
          CT_CONTACT_SUBSTEPS, "accuracy of hard hits"),
    CHOICE("contacts.*.law", "friction law", "elasto_plastic|lugre|dahl|kinetic|thermal", 0, CT_IN_CONTACT,
           CT_CONTACT_LAW, "how it sticks and slips"),
    NUMBER("contacts.*.bristle_n_m", "bristle stiffness", "sigma_0", "N/m", 1, 1e12, 1e4, CT_LOG,
           CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_BRISTLE, IN(ct_contact, friction.values.bristle_n_m),
           "stiffer: higher, quicker squeaks"),
    NUMBER("contacts.*.bristle_damping_n_s_m", "bristle damping", "sigma_1", "N s/m", 0, 1e5, 1, CT_LINEAR,
           CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_BRISTLE_DAMPING,
           IN(ct_contact, friction.values.bristle_damping_n_s_m), "larger: fewer squeaks, slower attacks"),
    NUMBER("contacts.*.viscous_n_s_m", "viscous friction", "sigma_2", "N s/m", 0, 1e4, 0, CT_LINEAR,
           CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_VISCOUS, IN(ct_contact, friction.values.viscous_n_s_m),
           "larger: speed is braked, timbre changes slower"),
    NUMBER("contacts.*.roughness_n", "roughness, rms of its force while sliding", "sigma_3", "N", 0, 1e4, 0,
           CT_LINEAR, CT_RATE_AUDIO, CT_IN_CONTACT, CT_CONTACT_ROUGHNESS,
           IN(ct_contact, friction.values.roughness_n), "noisier rubbing"),
    NUMBER("contacts.*.roughness_exponent", "power of roughness over spatial frequency", "beta", "", -2, 2,
           -1, CT_LINEAR, CT_RATE_AUDIO, CT_IN_CONTACT, CT_CONTACT_ROUGHNESS_EXPONENT,
           IN(ct_contact, friction.values.roughness_exponent), "dull to hissing"),
    NUMBER("contacts.*.mu_static", "static friction coefficient", "mu_s", "", 0.001, 100, 0.4, CT_LINEAR,
           CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_MU_STATIC, IN(ct_contact, friction.values.mu_static),
           "more against mu_dynamic: squeaks more readily"),
    NUMBER("contacts.*.mu_dynamic", "dynamic friction coefficient", "mu_d", "", 0.001, 100, 0.2, CT_LINEAR,
           CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_MU_DYNAMIC, IN(ct_contact, friction.values.mu_dynamic),
           "larger: rougher, louder"),
    NUMBER("contacts.*.stribeck_m_s", "velocity at which friction has fallen", "v_S", "m/s", 1e-6, 1000, 0.1,
           CT_LOG, CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_STRIBECK,
           IN(ct_contact, friction.values.stribeck_m_s), "smaller: squeaks at slower rubbing"),
    NUMBER("contacts.*.breakaway", "share of sliding friction up to which bristles only bend", "c", "", 0,
           0.999, 0.7, CT_LINEAR, CT_RATE_TICK, CT_IN_CONTACT, CT_CONTACT_BREAKAWAY,
           IN(ct_contact, friction.values.breakaway), "larger: holds longer before it creeps"),
    NUMBER("contacts.*.normal_n", "normal force", "f_N", "N", 0, 1e5, 1, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_CONTACT, CT_CONTACT_NORMAL, IN(ct_contact, friction.values.normal_n),
           "pressure: louder, then another mode, then stuck"),
    TEXT("contacts.*.normal_from", "impact contact whose force is the normal force", CT_IN_CONTACT,
         CT_CONTACT_NORMAL_FROM, "pressure from another contact"),
    FLAG("contacts.*.constant_damping", "the papers' constant sigma_1, which may gain energy", 0,
         CT_IN_CONTACT, CT_CONTACT_CONSTANT_DAMPING, "for comparison with the papers"),
    STATE("contacts.*.deflection_m", "bristle deflection now", "z", "m", CT_IN_CONTACT, CT_CONTACT_DEFLECTION,
          IN(ct_contact, friction.z_m)),
    STATE("contacts.*.pressed_n", "normal force now", "f_N", "N", CT_IN_CONTACT, CT_CONTACT_NORMAL_NOW,
          IN(ct_contact, friction.normal_n)),
    STATE("contacts.*.temperature_k", "temperature above the surroundings, thermal law", "T", "K",
          CT_IN_CONTACT, CT_CONTACT_TEMPERATURE, IN(ct_contact, friction.temperature_k)),
    STATE("contacts.*.force_n", "force, mean over the last sample", "f", "N", CT_IN_CONTACT,
          CT_CONTACT_FORCE_NOW, IN(ct_contact, force_n)),
    STATE("contacts.*.compression_m", "compression now, negative when apart", "x", "m", CT_IN_CONTACT,
          CT_CONTACT_COMPRESSION, IN(ct_contact, compression_m)),
    STATE("contacts.*.stored_j", "energy stored now", "V", "J", CT_IN_CONTACT, CT_CONTACT_STORED,
          IN(ct_contact, stored_j)),

    TEXT("pickups.*.at", "point or contact listened to", CT_IN_PICKUP, CT_PICKUP_AT, "what is heard"),
    CHOICE("pickups.*.listen", "quantity listened to", "displacement|velocity|acceleration|force", 1,
           CT_IN_PICKUP, CT_PICKUP_LISTEN, "darker to brighter"),
    CHOICE("pickups.*.direction", "direction listened to", "normal|tangential", 0, CT_IN_PICKUP,
           CT_PICKUP_DIRECTION, "what is heard"),
    NUMBER("pickups.*.full_scale", "what makes 0 dBFS", "", "m, m/s, m/s^2 or N", 1e-12, 1e12, 1, CT_LOG,
           CT_RATE_AUDIO, CT_IN_PICKUP, CT_PICKUP_FULL_SCALE, IN(ct_pickup, full_scale), "larger: quieter"),
    NUMBER("pickups.*.pan", "place between the loudspeakers", "", "", -1, 1, 0, CT_LINEAR, CT_RATE_AUDIO,
           CT_IN_PICKUP, CT_PICKUP_PAN, IN(ct_pickup, pan), "left to right"),

    TEXT("controls.*.unit", "unit to show", CT_IN_CONTROL, CT_CONTROL_UNIT, "none"),
    TEXT("controls.*.hint", "what it does, in a few words", CT_IN_CONTROL, CT_CONTROL_HINT, "none"),
    NUMBER("controls.*.min", "lowest value", "", "", -1e12, 1e12, 0, CT_LINEAR, CT_RATE_FIXED, CT_IN_CONTROL,
           CT_CONTROL_MIN, NOWHERE, "none"),
    NUMBER("controls.*.max", "highest value", "", "", -1e12, 1e12, 1, CT_LINEAR, CT_RATE_FIXED, CT_IN_CONTROL,
           CT_CONTROL_MAX, NOWHERE, "none"),
    NUMBER("controls.*.value", "value", "", "", -1e12, 1e12, 0.5, CT_LINEAR, CT_RATE_AUDIO, CT_IN_CONTROL,
           CT_CONTROL_VALUE, NOWHERE, "moves its targets"),
    CHOICE("controls.*.scale", "how the range is walked", "linear|log", 0, CT_IN_CONTROL, CT_CONTROL_SCALE,
           "none"),
    FLAG("controls.*.trigger", "acts when set, not between", 0, CT_IN_CONTROL, CT_CONTROL_TRIGGER,
         "a strike"),
    TEXT("controls.*.targets[].path", "parameter moved", CT_IN_TARGET, CT_TARGET_PATH,
         "what the control moves"),
    NUMBER("controls.*.targets[].from", "its value at the control's min", "", "", -1e18, 1e18, 0, CT_LINEAR,
           CT_RATE_FIXED, CT_IN_TARGET, CT_TARGET_FROM, NOWHERE, "none"),
    NUMBER("controls.*.targets[].to", "its value at the control's max", "", "", -1e18, 1e18, 1, CT_LINEAR,
           CT_RATE_FIXED, CT_IN_TARGET, CT_TARGET_TO, NOWHERE, "none"),
    CHOICE("controls.*.targets[].scale", "how it runs between", "linear|log", 0, CT_IN_TARGET,
           CT_TARGET_SCALE, "none"),

    TEXT("presets.*.about", "what the preset is", CT_IN_PRESET, CT_PRESET_ABOUT, "none"),
    {{"presets.*.set.*", "what the preset gives a control or path: a number, a choice or text", "", "",
      CT_TYPE_ANY, -1e18, 1e18, 0, CT_LINEAR, CT_RATE_FIXED, NULL, "what the preset sounds like"},
     CT_IN_PRESET_SET,
     0,
     NOWHERE},
    NUMBER("presets.*.gesture.*[]", "its own demo gesture, a column per control or path", "", "", -1e18, 1e18,
           0, CT_LINEAR, CT_RATE_FIXED, CT_IN_PRESET_GESTURE, 0, NOWHERE, "how the demo is played"),
    NUMBER("gesture.*[]", "demo gesture, a column per control or path, and time_s", "", "", -1e18, 1e18, 0,
           CT_LINEAR, CT_RATE_FIXED, CT_IN_GESTURE, 0, NOWHERE, "how the demo is played"),

    STATE("energy.stored_j", "energy stored in bodies and contacts", "H", "J", CT_IN_ENERGY, CT_ENERGY_STORED,
          NOWHERE),
    STATE("energy.force_j", "work done by forces so far", "", "J", CT_IN_ENERGY, CT_ENERGY_FORCE, NOWHERE),
    STATE("energy.motion_j", "work done by imposed motion so far", "", "J", CT_IN_ENERGY, CT_ENERGY_MOTION,
          NOWHERE),
    STATE("energy.parameter_j", "energy brought by parameter changes so far", "", "J", CT_IN_ENERGY,
          CT_ENERGY_PARAMETER, NOWHERE),
    STATE("energy.noise_j", "work done by roughness noise so far", "", "J", CT_IN_ENERGY, CT_ENERGY_NOISE,
          NOWHERE),
    STATE("energy.lost_bodies_j", "energy lost in bodies so far", "", "J", CT_IN_ENERGY,
          CT_ENERGY_LOST_BODIES, NOWHERE),
    STATE("energy.lost_contacts_j", "energy lost in contacts so far", "", "J", CT_IN_ENERGY,
          CT_ENERGY_LOST_CONTACTS, NOWHERE),
    STATE("energy.error_j", "what the account does not explain: rounding", "", "J", CT_IN_ENERGY,
          CT_ENERGY_ERROR, NOWHERE),
};

uint32_t ct_schema_count(void) { return sizeof rows / sizeof rows[0]; }

bool ct_contact_field_fits(uint32_t field, bool friction) {
  switch (field) {
  case CT_CONTACT_KIND:
  case CT_CONTACT_A:
  case CT_CONTACT_B:
  case CT_CONTACT_SUBSTEPS:
  case CT_CONTACT_FORCE_NOW:
  case CT_CONTACT_STORED:
    return true;
  default:
    return friction == (field >= CT_CONTACT_LAW);
  }
}

const ct_row *ct_row_at(uint32_t index) { return index < ct_schema_count() ? &rows[index] : NULL; }

const ct_schema_row *ct_schema_row_at(uint32_t index) {
  return index < ct_schema_count() ? &rows[index].shown : NULL;
}

uint32_t ct_row_of(ct_section section, uint32_t field) {
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if (rows[i].section == section && rows[i].field == field)
      return i;
  return UINT32_MAX;
}

const char *ct_rate_word(ct_rate rate) {
  static const char *const words[] = {"fixed", "tick", "audio", "trigger", "state"};
  return words[rate];
}
