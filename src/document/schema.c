/* The one table of parameters. A new one is a field of its definition, a row here, and what the model does
 * with it: defaults, checks, files and live numbers all follow from the row. */
#include "base/text.h"
#include "document/schema_rows.h"
#include "drive/drive.h"
#include "body/pickup.h"
#include <contatto/scene.h>
#include <contatto/shape.h>

static const ct_row rows[] = {
    COUNT("contatto", "version of the scene format", 1, 1, 1, "none", WITHIN(CT_IN_SCENE)),
    TEXT("title", "name to show", "none", WITHIN(CT_IN_SCENE), NAMED(CT_SCENE_TITLE)),
    TEXT("about", "what the scene is", "none", WITHIN(CT_IN_SCENE), NAMED(CT_SCENE_ABOUT)),
    NUMBER("seconds", "length of the demo", "", "s", 0.01, 3600, 4, CT_LOG, CT_RATE_FIXED,
           "how long it is rendered", WITHIN(CT_IN_SCENE), NAMED(CT_SCENE_SECONDS)),
    COUNT("channels", "outputs", 1, CT_OUTPUTS_MOST, 1, "mono, stereo, or an output for each of many pickups",
          SCENE(channels)),
    NUMBER("gravity_m_s2", "pull on free masses towards negative x", "g", "m/s^2", 0, 100, 0, CT_LINEAR,
           CT_RATE_TICK, "faster falls, denser bounces", SCENE(gravity_m_s2),
           LIVE(ct_scene_def, gravity_m_s2)),
    NUMBER("smoothing_s", "time a parameter takes to arrive", "", "s", 0.001, 10, 0.03, CT_LOG, CT_RATE_FIXED,
           "slower, softer changes", SCENE(smoothing_s)),
    FLAG("at_rest", "bodies start where the forces that act on them hold them still", 0,
         "no blow at the start, whatever a preset makes of masses, loads and springs", SCENE(at_rest)),

    CHOICE("bodies.*.kind", "what moves", "modal|hand|wall|string", 0, "what the body is", WITHIN(CT_IN_BODY),
           NAMED(CT_BODY_KIND)),
    TEXT("bodies.*.about", "what the body stands for", "none", WITHIN(CT_IN_BODY)),
    TEXT("bodies.*.role",
         "what the body is to the eye, such as leaf, wheel, bow; docs/rooms.md lists the words",
         "none: for hosts that draw", WITHIN(CT_IN_BODY)),
    NUMBER("bodies.*.drawn_width_m", "how wide it is drawn; not given: as usual for its role", "", "m", 1e-3,
           1000, 0, CT_LOG, CT_RATE_FIXED, "none: for hosts that draw", WITHIN(CT_IN_BODY)),
    NUMBER("bodies.*.drawn_height_m", "how high it is drawn; not given: as usual for its role", "", "m", 1e-3,
           1000, 0, CT_LOG, CT_RATE_FIXED, "none: for hosts that draw", WITHIN(CT_IN_BODY)),
    NUMBER(
        "bodies.*.drawn_lever_m",
        "what turns is drawn turned by its sideways displacement over this length; not given: as usual for "
        "its role",
        "", "m", 1e-3, 1000, 0, CT_LOG, CT_RATE_FIXED, "none: for hosts that draw", WITHIN(CT_IN_BODY)),
    CHOICE("bodies.*.integrator", "how modes are stepped", "exact|bilinear", 0,
           "bilinear lowers high modes as the papers do", WITHIN(CT_IN_BODY),
           GIVEN(CT_DEF_MODAL, ct_modal_def, integrator)),
    NUMBER("bodies.*.x_m", "imposed position of a hand", "x", "m", -1000, 1000, 0, CT_LINEAR, CT_RATE_AUDIO,
           "presses and lets go", HAND(x_m[CT_NORMAL]), NAMED(CT_BODY_X)),
    NUMBER("bodies.*.v_m_s", "imposed velocity of a hand", "v", "m/s", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_AUDIO, "presses faster", HAND(v_m_s[CT_NORMAL])),
    NUMBER("bodies.*.tangential_x_m", "imposed sideways position of a hand", "x", "m", -1000, 1000, 0,
           CT_LINEAR, CT_RATE_AUDIO, "rubs to and fro", HAND(x_m[CT_TANGENTIAL]),
           NAMED(CT_BODY_TANGENTIAL_X)),
    NUMBER("bodies.*.tangential_v_m_s", "imposed sideways velocity of a hand", "v", "m/s", -1000, 1000, 0,
           CT_LINEAR, CT_RATE_AUDIO, "rubs faster", HAND(v_m_s[CT_TANGENTIAL])),

    NUMBER("bodies.*.modes[].hz", "frequency of the mode", "f", "Hz", 0, 200000, 440, CT_LOG, CT_RATE_TICK,
           "pitch of this partial; 0: a free mass", MODE_LIVE(hz)),
    NUMBER("bodies.*.modes[].t60_s", "time to fall by 60 dB", "t60", "s", 0, 1000, 1, CT_LOG, CT_RATE_TICK,
           "how long this partial rings; 0: no loss", MODE_LIVE(t60_s), NAMED(CT_MODE_T60)),
    NUMBER("bodies.*.modes[].mass_kg", "modal mass", "m", "kg", 1e-12, 1e6, 0.05, CT_LOG, CT_RATE_TICK,
           "heavier: quieter partial, harder to move", MODE_LIVE(mass_kg), NAMED(CT_MODE_MASS)),
    NUMBER("bodies.*.modes[].lev", "modal gain as lev = 1 / mass_kg", "1/m", "1/kg", 1e-6, 1e12, 20, CT_LOG,
           CT_RATE_FIXED, "another way to say mass_kg", WITHIN(CT_IN_MODE), NAMED(CT_MODE_LEV)),
    NUMBER("bodies.*.modes[].phase_rad", "phase of the mode in the recording it was found in, at the strike",
           "", "rad", -3.1416, 3.1416, 0, CT_LINEAR, CT_RATE_FIXED, "none: what was measured",
           WITHIN(CT_IN_MODE)),
    NUMBER("bodies.*.modes[].over_db", "energy of the mode over the noise in the recording it was found in",
           "", "dB", -200, 400, 0, CT_LINEAR, CT_RATE_FIXED, "none: what was measured", WITHIN(CT_IN_MODE)),
    FLAG("bodies.*.modes[].perhaps_room",
         "may be the room's, not the body's: it rings less than twice as long", 0, "none: what was measured",
         WITHIN(CT_IN_MODE)),
    FLAG("bodies.*.modes[].gain_guess",
         "its gain in the recording may be off by more than 2 dB, and so its mass by a quarter", 0,
         "none: what was measured", WITHIN(CT_IN_MODE)),
    NUMBER("bodies.*.modes[].x_m", "displacement of the mode", "x", "m", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_TRIGGER, "where it starts; setting it plucks", MODE(x_m), NAMED(CT_MODE_X)),
    NUMBER("bodies.*.modes[].v_m_s", "velocity of the mode", "v", "m/s", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_TRIGGER, "how fast it starts; setting it throws", MODE(v_m_s), NAMED(CT_MODE_V)),

    CHOICE("bodies.*.modes.shape", "what the body is, instead of a list of modes",
           "none|string|bar|plate|disc|membrane|drum|ring|glass|bell|bowl|tube|chain|mesh|network|wineglass|"
           "tumbler",
           0, "which partials it has", WITHIN(CT_IN_SHAPE), NAMED(CT_SHAPE_FIELD_KIND)),
    CHOICE("bodies.*.modes.edge", "how it is held; not given: as usual for the shape",
           "free|clamped|hinged|cantilever", 0, "which partials it has", SHAPE(edge)),
    TEXT("bodies.*.modes.material", "what it is made of", "pitch, and how long each partial rings",
         WITHIN(CT_IN_SHAPE), NAMED(CT_SHAPE_FIELD_MATERIAL)),
    TEXT("bodies.*.modes.from",
         "file with the body's modes and points, as `contatto modes` makes it from recordings; instead of a "
         "list of modes",
         "which partials it has", WITHIN(CT_IN_SHAPE), NAMED(CT_SHAPE_FIELD_FROM)),
    COUNT("bodies.*.modes.count", "how many modes", 1, 4096, 24, "richness", WITHIN(CT_IN_SHAPE),
          NAMED(CT_SHAPE_FIELD_COUNT)),
    NUMBER("bodies.*.modes.size_m[]", "length and width, or height; not given: an everyday thing", "", "m",
           1e-4, 1000, 0, CT_LOG, CT_RATE_FIXED, "larger: lower", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.thickness_m", "thickness; not given: as usual for the shape", "h", "m", 1e-6, 10,
           0, CT_LOG, CT_RATE_FIXED, "thicker: higher, heavier", SHAPE(thickness_m)),
    NUMBER("bodies.*.modes.radius_m", "radius; not given: as usual for the shape", "r", "m", 1e-5, 1000, 0,
           CT_LOG, CT_RATE_FIXED, "larger: lower", SHAPE(radius_m)),
    NUMBER("bodies.*.modes.inner_radius_m", "inner radius of a tube", "", "m", 0, 1000, 0, CT_LINEAR,
           CT_RATE_FIXED, "thinner wall: lighter", SHAPE(inner_radius_m)),
    NUMBER("bodies.*.modes.foot_radius_m",
           "radius of a wineglass's or tumbler's wall where stem or base hold it; not given: as usual", "",
           "m", 0, 1000, 0, CT_LINEAR, CT_RATE_FIXED, "wider: higher", SHAPE(foot_radius_m)),
    NUMBER("bodies.*.modes.foot_thickness_m",
           "thickness of a wineglass's or tumbler's wall there; not given: as usual", "", "m", 0, 10, 0,
           CT_LINEAR, CT_RATE_FIXED, "thicker: higher, partials nearer to each other",
           SHAPE(foot_thickness_m)),
    NUMBER("bodies.*.modes.tension_n", "tension of a string; not given: as usual", "T", "N", 1e-3, 1e6, 0,
           CT_LOG, CT_RATE_FIXED, "tighter: higher", SHAPE(tension_n)),
    NUMBER("bodies.*.modes.tension_n_m", "tension of a membrane or drum; not given: as usual", "", "N/m",
           1e-3, 1e7, 0, CT_LOG, CT_RATE_FIXED, "tighter: higher", SHAPE(tension_n_m)),
    NUMBER("bodies.*.modes.bending_n_m2", "bending stiffness of a string, EI", "EI", "N m^2", 0, 1e6, 0,
           CT_LINEAR, CT_RATE_FIXED, "stretches the partials", SHAPE(bending_n_m2)),
    NUMBER("bodies.*.modes.inharmonicity", "stiffness of a string as B of n f0 sqrt(1 + B n^2)", "B", "", 0,
           1, 0, CT_LINEAR, CT_RATE_FIXED, "stretches the partials", SHAPE(inharmonicity)),
    NUMBER("bodies.*.modes.fill", "liquid in a glass, share of its height", "", "", 0, 1, 0, CT_LINEAR,
           CT_RATE_FIXED, "fuller: lower", SHAPE(fill)),
    NUMBER("bodies.*.modes.lowest_hz", "tuning: frequency of the lowest ringing mode; 0: as the sizes give",
           "", "Hz", 0, 20000, 0, CT_LINEAR, CT_RATE_FIXED, "pitch", SHAPE(lowest_hz)),
    FLAG("bodies.*.modes.rigid", "0 Hz modes of a free body come first", 0, "it flies when struck",
         SHAPE(with_rigid_modes)),
    CHOICE("bodies.*.modes.undercut", "a free bar cut out from below: partials 1 : 4 : 10 or 1 : 3 : 6",
           "none|marimba|xylophone", 0, "which partials it has", SHAPE(undercut)),
    FLAG("bodies.*.modes.thin", "a bar or tube as if thin: no shear, no rotary inertia", 0,
         "higher partials stay higher", SHAPE(thin)),
    FLAG("bodies.*.modes.residual", "modes left out still yield where it is touched", 0,
         "hard blows rebound as from the whole thing, at any sample rate", WITHIN(CT_IN_SHAPE),
         NAMED(CT_SHAPE_FIELD_RESIDUAL)),
    COUNT("bodies.*.modes.columns", "masses of a chain, nodes along a mesh", 1, 4096, 8, "richness",
          SHAPE(columns), NAMED(CT_SHAPE_FIELD_COLUMNS)),
    COUNT("bodies.*.modes.rows", "nodes across a mesh", 1, 4096, 8, "richness", SHAPE(rows)),
    NUMBER("bodies.*.modes.node_mass_kg", "mass of each node; not given: as usual", "m", "kg", 1e-9, 1e6, 0,
           CT_LOG, CT_RATE_FIXED, "heavier: lower", SHAPE(node_mass_kg)),
    NUMBER("bodies.*.modes.spring_n_m", "stiffness of each spring; not given: as usual", "k", "N/m", 1e-6,
           1e12, 0, CT_LOG, CT_RATE_FIXED, "stiffer: higher", SHAPE(spring_n_m)),
    NUMBER("bodies.*.modes.masses_kg[]", "mass of each node, in turn; not given: all alike", "m", "kg", 1e-9,
           1e6, 0, CT_LOG, CT_RATE_FIXED, "which partials it has", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.springs_n_m[]", "springs of a chain, first and last to the walls", "k", "N/m", 0,
           1e12, 0, CT_LINEAR, CT_RATE_FIXED, "which partials it has", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.links_from[]", "first node of each spring of a network", "", "", 0, 4095, 0,
           CT_LINEAR, CT_RATE_FIXED, "which partials it has", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.links_to[]", "second node of each spring; -1: the ground", "", "", -1, 4095, 0,
           CT_LINEAR, CT_RATE_FIXED, "which partials it has", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.links_n_m[]", "stiffness of each spring of a network", "k", "N/m", 0, 1e12, 0,
           CT_LINEAR, CT_RATE_FIXED, "which partials it has", WITHIN(CT_IN_SHAPE_LIST)),
    NUMBER("bodies.*.modes.hung_hz", "hangs, and swings as a whole at this frequency; 0: does not", "", "Hz",
           0, 100, 0, CT_LINEAR, CT_RATE_FIXED, "it gives way when struck", WITHIN(CT_IN_SHAPE),
           NAMED(CT_SHAPE_FIELD_HUNG_HZ)),
    NUMBER("bodies.*.modes.hung_t60_s", "time the swing takes to fall by 60 dB", "", "s", 0, 1000, 0,
           CT_LINEAR, CT_RATE_FIXED, "it swings longer", WITHIN(CT_IN_SHAPE), NAMED(CT_SHAPE_FIELD_HUNG_T60)),
    NUMBER("bodies.*.modes.poisson", "Poisson's ratio; not given: the material's", "nu", "", -0.99, 0.499, 0,
           CT_LINEAR, CT_RATE_FIXED, "spreads the partials of plates", MATERIAL(poisson)),
    NUMBER("bodies.*.modes.size", "size of the whole thing against what was given", "", "", 0.05, 20, 1,
           CT_LOG, CT_RATE_TICK, "larger: lower, heavier, louder to strike", WITHIN(CT_IN_SHAPE),
           MAKING(size), NAMED(CT_SHAPE_FIELD_SIZE)),
    NUMBER("bodies.*.modes.density_kg_m3", "density; not given: the material's", "rho", "kg/m^3", 1, 30000, 0,
           CT_LOG, CT_RATE_TICK, "heavier: lower, quieter", MATERIAL(density_kg_m3), MAKING(density_kg_m3)),
    NUMBER("bodies.*.modes.young_pa", "Young's modulus; not given: the material's", "E", "Pa", 1e3, 1e13, 0,
           CT_LOG, CT_RATE_TICK, "stiffer: higher", MATERIAL(young_pa), MAKING(young_pa)),
    NUMBER("bodies.*.modes.damping_global", "damping of all partials; not given: the material's", "",
           "ln 1/s", -4, 8, 0, CT_LINEAR, CT_RATE_TICK, "how fast everything dies", MATERIAL(global_damping),
           MAKING(damping_global)),
    NUMBER("bodies.*.modes.damping_relative", "extra damping of high partials; not given: the material's", "",
           "per ERB", -0.1, 1, 0, CT_LINEAR, CT_RATE_TICK, "wood against metal", MATERIAL(relative_damping),
           MAKING(damping_relative)),
    NUMBER("bodies.*.modes.material_at",
           "material: 0 rubber, 1 plastic, 2 wood, 3 stone, 4 ceramic, 5 glass, 6 brass, 7 steel, or between",
           "", "", 0, 7, 0, CT_LINEAR, CT_RATE_TICK, "dull to ringing; pitch and mass follow",
           WITHIN(CT_IN_SHAPE), MAKING(material_at), NAMED(CT_SHAPE_FIELD_MATERIAL_AT)),
    NUMBER("bodies.*.modes.wonkiness", "a rim not quite round: cents between the two modes of each pair", "",
           "cents", 0, 100, 0, CT_LINEAR, CT_RATE_TICK, "it beats; rubbed, its pitch sways", SHAPE(wonkiness),
           MAKING(wonkiness)),

    NUMBER("bodies.*.string.hz", "pitch of the open string; not given: as the other numbers make it", "f0",
           "Hz", 1, 20000, 0, CT_LOG, CT_RATE_TICK, "pitch", STRING_LIVE(hz), NAMED(CT_STRING_HZ)),
    NUMBER("bodies.*.string.impedance_kg_s", "wave impedance; not given: as the other numbers make it", "Z",
           "kg/s", 1e-4, 1e4, 0, CT_LOG, CT_RATE_TICK, "heavier: wants a firmer bow, a harder hammer",
           STRING_LIVE(impedance_kg_s), NAMED(CT_STRING_IMPEDANCE)),
    NUMBER("bodies.*.string.length_m", "length of the open string; not given: follows", "L", "m", 1e-3, 1000,
           0, CT_LOG, CT_RATE_FIXED, "longer: lower, less inharmonic", STRING(length_m)),
    NUMBER("bodies.*.string.tension_n", "tension; not given: follows", "T", "N", 1e-3, 1e6, 0, CT_LOG,
           CT_RATE_FIXED, "tighter: higher", STRING(tension_n)),
    NUMBER("bodies.*.string.density_kg_m", "mass per length; not given: follows", "rho_L", "kg/m", 1e-7, 1e3,
           0, CT_LOG, CT_RATE_FIXED, "heavier: lower", STRING(density_kg_m)),
    NUMBER("bodies.*.string.t60_s", "time the fundamental takes to fall by 60 dB; 0: no loss", "t60", "s", 0,
           1000, 7.48, CT_LOG, CT_RATE_TICK, "how long it rings", STRING_LIVE(t60_s), NAMED(CT_STRING_T60)),
    NUMBER("bodies.*.string.q", "quality factor of the fundamental, instead of t60_s", "Q", "", 1, 1e6, 500,
           CT_LOG, CT_RATE_FIXED, "how long it rings", WITHIN(CT_IN_STRING), NAMED(CT_STRING_Q)),
    NUMBER("bodies.*.string.high_t60_s",
           "the same time at high_hz; not given: as many periods as the fundamental", "", "s", 1e-4, 1000, 0,
           CT_LOG, CT_RATE_TICK, "shorter: duller", STRING_LIVE(high_t60_s)),
    NUMBER("bodies.*.string.high_hz", "frequency of high_t60_s", "", "Hz", 2, 1e5, 5000, CT_LOG, CT_RATE_TICK,
           "where it gets duller", STRING_LIVE(high_hz)),
    NUMBER("bodies.*.string.inharmonicity", "stiffness as B of n f0 sqrt(1 + B n^2)", "B", "", 0, 0.01, 0,
           CT_LINEAR, CT_RATE_TICK, "stretches the partials", STRING_LIVE(inharmonicity),
           NAMED(CT_STRING_INHARMONICITY)),
    NUMBER("bodies.*.string.bending_n_m2", "stiffness as bending stiffness EI", "EI", "N m^2", 0, 1e6, 0,
           CT_LINEAR, CT_RATE_FIXED, "stretches the partials", STRING(bending_n_m2)),
    NUMBER("bodies.*.string.stop", "share of the string, from the nut, a finger cuts off", "", "", 0, 0.95, 0,
           CT_LINEAR, CT_RATE_TICK, "0.5: an octave higher; moving it glides", STRING_LIVE(stop)),
    NUMBER("bodies.*.string.vibrato_hz", "how often the pitch swings", "", "Hz", 0, 50, 5.5, CT_LINEAR,
           CT_RATE_TICK, "speed of the vibrato", STRING_LIVE(vibrato_hz)),
    NUMBER("bodies.*.string.vibrato_cents", "how far the pitch swings, either way", "", "cents", 0, 1200, 0,
           CT_LINEAR, CT_RATE_TICK, "depth of the vibrato", STRING_LIVE(vibrato_cents)),
    NUMBER("bodies.*.string.lowest_hz", "how low it may be tuned while sounding; not given: an octave down",
           "", "Hz", 0.5, 20000, 0, CT_LOG, CT_RATE_FIXED, "none", STRING(lowest_hz)),
    COUNT("bodies.*.string.planes", "1: one motion for every direction; 2: normal and sideways apart", 1, 2,
          1, "bouncing does not shake what is bowed", STRING(planes)),

    NUMBER("bodies.*.points.*.place_u", "place along the shape", "u", "", -1e6, 1e6, 0.5, CT_LINEAR,
           CT_RATE_AUDIO, "which modes it meets", POINT(place_u), LIVE(ct_point, place[0]),
           NAMED(CT_POINT_PLACE_U)),
    NUMBER("bodies.*.points.*.place_v", "place across the shape", "v", "", -1e6, 1e6, 0.5, CT_LINEAR,
           CT_RATE_AUDIO, "which modes it meets", POINT(place_v), LIVE(ct_point, place[1])),
    TEXT("bodies.*.points.*.follows", "point whose sideways motion carries this one along, body.point",
         "travels round a rim, along a string", WITHIN(CT_IN_POINT), NAMED(CT_POINT_FOLLOWS)),
    NUMBER("bodies.*.points.*.follow_m", "metres of that motion per unit of place_u; 0: stays", "", "m", 0,
           1000, 0, CT_LOG, CT_RATE_FIXED, "smaller: travels faster, pulsates faster", WITHIN(CT_IN_POINT),
           NAMED(CT_POINT_FOLLOW_M)),
    NUMBER("bodies.*.points.*.force_n", "external force", "f", "N", -1e6, 1e6, 0, CT_LINEAR, CT_RATE_AUDIO,
           "pushes the body", WITHIN(CT_IN_POINT), LIVE(ct_point, force_n[CT_NORMAL]), NAMED(CT_POINT_FORCE)),
    NUMBER("bodies.*.points.*.tangential_force_n", "external sideways force", "f", "N", -1e6, 1e6, 0,
           CT_LINEAR, CT_RATE_AUDIO, "pushes the body sideways", WITHIN(CT_IN_POINT),
           LIVE(ct_point, force_n[CT_TANGENTIAL]), NAMED(CT_POINT_TANGENTIAL_FORCE)),
    NUMBER("bodies.*.points.*.gains[]", "mode gain in every direction", "phi", "", -1000, 1000, 1, CT_LINEAR,
           CT_RATE_AUDIO,
           "how much this point moves with the mode; a shape's point that is carried along has the shape's",
           WITHIN(CT_IN_GAINS)),
    NUMBER("bodies.*.points.*.normal[]", "mode gain along the normal", "phi", "", -1000, 1000, 1, CT_LINEAR,
           CT_RATE_AUDIO,
           "how much this point moves with the mode; a shape's point that is carried along has the shape's",
           WITHIN(CT_IN_GAINS)),
    NUMBER("bodies.*.points.*.tangential[]", "mode gain along the surface", "phi", "", -1000, 1000, 1,
           CT_LINEAR, CT_RATE_AUDIO, "how much this point moves sideways with the mode", WITHIN(CT_IN_GAINS),
           NAMED(CT_GAINS_TANGENTIAL)),
    NUMBER(
        "bodies.*.points.*.thump[]",
        "what pickups may hear of a blow here besides the modes: velocity per impulse, sample by sample, at "
        "most 0.1 s of it",
        "h", "1/kg", -1e6, 1e6, 0, CT_LINEAR, CT_RATE_FIXED, "the knock of a strike, before the ringing",
        WITHIN(CT_IN_THUMP)),
    NUMBER("bodies.*.points.*.thump_hz", "sample rate of that list", "", "Hz", 1000, CT_THUMP_HZ_MOST, 48000,
           CT_LOG, CT_RATE_FIXED, "larger: shorter, higher", POINT(thump_hz), NAMED(CT_POINT_THUMP_HZ)),
    NUMBER("bodies.*.points.*.pluck_m", "pulls a string here into a triangle this high and lets go", "", "m",
           -1, 1, 0, CT_LINEAR, CT_RATE_TRIGGER, "louder", WITHIN(CT_IN_POINT), LIVE(ct_point, pluck_m),
           NAMED(CT_POINT_PLUCK)),
    NUMBER("bodies.*.points.*.strike_n_s", "strikes a modal body or a string here with an impulse", "I",
           "N s", -1000, 1000, 0, CT_LINEAR, CT_RATE_TRIGGER, "louder", WITHIN(CT_IN_POINT),
           LIVE(ct_point, strike_n_s), NAMED(CT_POINT_STRIKE)),
    NUMBER("bodies.*.points.*.strike_m_s", "speed of what strikes a modal body here, and bounces off as fast",
           "v", "m/s", 0.001, 1000, CT_STRIKE_M_S, CT_LOG, CT_RATE_AUDIO, "faster and so lighter: brighter",
           WITHIN(CT_IN_POINT), LIVE(ct_point, strike_m_s), NAMED(CT_POINT_STRIKE_SPEED)),
    NUMBER("bodies.*.points.*.strike_stiffness", "how hard it is, Hertz's k", "k", "N/m^1.5", 1, 1e16,
           CT_STRIKE_STIFFNESS, CT_LOG, CT_RATE_AUDIO, "harder: shorter, brighter", WITHIN(CT_IN_POINT),
           LIVE(ct_point, strike_stiffness), NAMED(CT_POINT_STRIKE_STIFFNESS)),
    STATE("bodies.*.points.*.pull_n", "force across a string now; at the bridge, what shakes it", "F", "N",
          WITHIN(CT_IN_POINT), NAMED(CT_POINT_PULL)),
    STATE("bodies.*.points.*.x_m", "displacement now", "x", "m", WITHIN(CT_IN_POINT), NAMED(CT_POINT_X)),
    STATE("bodies.*.points.*.v_m_s", "velocity now", "v", "m/s", WITHIN(CT_IN_POINT)),
    STATE("bodies.*.points.*.tangential_x_m", "sideways displacement now", "x", "m", WITHIN(CT_IN_POINT),
          NAMED(CT_POINT_TANGENTIAL_X)),
    STATE("bodies.*.points.*.tangential_v_m_s", "sideways velocity now", "v", "m/s", WITHIN(CT_IN_POINT),
          NAMED(CT_POINT_TANGENTIAL_V)),

    CHOICE("contacts.*.kind", "contact law", "impact|friction", 0, "how the bodies touch",
           WITHIN(CT_IN_CONTACT), NAMED(CT_CONTACT_KIND)),
    TEXT("contacts.*.a", "first point, body.point", "what touches", WITHIN(CT_IN_CONTACT),
         NAMED(CT_CONTACT_A)),
    TEXT("contacts.*.b", "second point, body.point", "what is touched", WITHIN(CT_IN_CONTACT),
         NAMED(CT_CONTACT_B)),
    CHOICE("contacts.*.from", "side from which a meets b", "below|above", 0,
           "below: a pushes b towards positive x", IMPACT(from_above)),
    NUMBER("contacts.*.stiffness", "contact stiffness", "k", "N/m^alpha", CT_STIFFNESS_LEAST,
           CT_STIFFNESS_MOST, 1e7, CT_LOG, CT_RATE_AUDIO, "harder: shorter contact, brighter sound",
           IMPACT_LIVE(stiffness), NAMED(CT_CONTACT_STIFFNESS)),
    NUMBER(
        "contacts.*.contact_time_s",
        "how long a hit at contact_speed_m_s lasts, instead of stiffness; not given: as stiffness makes it",
        "tau", "s", 1e-6, 1, 0, CT_LOG, CT_RATE_TICK, "shorter: harder, brighter",
        IMPACT_LIVE(contact_time_s), NAMED(CT_CONTACT_TIME)),
    NUMBER("contacts.*.contact_speed_m_s", "speed of the hit that contact_time_s speaks of", "v", "m/s", 1e-3,
           1000, 1, CT_LOG, CT_RATE_FIXED, "harder hits are shorter, softer ones longer",
           IMPACT(contact_speed_m_s)),
    NUMBER("contacts.*.exponent", "contact shape", "alpha", "", 1, 5, 1.5, CT_LINEAR, CT_RATE_AUDIO,
           "1: a linear spring; larger: softer at a light touch", IMPACT_LIVE(exponent),
           NAMED(CT_CONTACT_EXPONENT)),
    NUMBER("contacts.*.damping_s_m", "contact damping", "mu", "s/m", 0, 1000, 0.5, CT_LINEAR, CT_RATE_AUDIO,
           "larger: bounces less", IMPACT_LIVE(damping_s_m), NAMED(CT_CONTACT_DAMPING)),
    NUMBER("contacts.*.lambda", "contact damping as lambda = mu k", "lambda", "N s/m^(alpha+1)", 0, 1e18, 0,
           CT_LINEAR, CT_RATE_FIXED, "another way to say damping_s_m", OF_CONTACTS(CT_DEF_IMPACT),
           NAMED(CT_CONTACT_LAMBDA)),
    NUMBER("contacts.*.gap_m", "distance at rest", "", "m", -1000, 1000, 0, CT_LINEAR, CT_RATE_AUDIO,
           "how far apart; negative: pressed together", IMPACT_LIVE(gap_m), NAMED(CT_CONTACT_GAP)),
    CHOICE("contacts.*.quality", "substeps per contact", "draft|normal|high|best", 1, "accuracy of hard hits",
           IMPACT(quality), NAMED(CT_CONTACT_QUALITY)),
    COUNT("contacts.*.substeps", "fixed substeps, a power of two; 0: chosen", 0, 1024, 0,
          "accuracy of hard hits", WITHIN(CT_IN_CONTACT), NAMED(CT_CONTACT_SUBSTEPS)),
    CHOICE("contacts.*.law", "friction law", "elasto_plastic|lugre|dahl|kinetic|thermal", 0,
           "how it sticks and slips", FRICTION(law)),
    NUMBER("contacts.*.bristle_n_m", "bristle stiffness", "sigma_0", "N/m", 1, 1e12, 1e4, CT_LOG,
           CT_RATE_TICK, "stiffer: higher, quicker squeaks", FRICTION_LIVE(bristle_n_m)),
    NUMBER("contacts.*.bristle_damping_n_s_m", "bristle damping", "sigma_1", "N s/m", 0, 1e5, 1, CT_LINEAR,
           CT_RATE_TICK, "larger: fewer squeaks, slower attacks", FRICTION_LIVE(bristle_damping_n_s_m)),
    NUMBER("contacts.*.viscous_n_s_m", "viscous friction", "sigma_2", "N s/m", 0, 1e4, 0, CT_LINEAR,
           CT_RATE_TICK, "larger: speed is braked, timbre changes slower", FRICTION_LIVE(viscous_n_s_m)),
    NUMBER("contacts.*.roughness_n", "roughness, rms of its force while sliding", "sigma_3", "N", 0, 1e4, 0,
           CT_LINEAR, CT_RATE_AUDIO, "noisier rubbing", FRICTION_LIVE(roughness_n)),
    NUMBER("contacts.*.roughness_exponent", "power of roughness over spatial frequency", "beta", "", -2, 2,
           -1, CT_LINEAR, CT_RATE_AUDIO, "dull to hissing", FRICTION_LIVE(roughness_exponent)),
    CHOICE("contacts.*.roughness_model",
           "passive: only takes energy; added: the papers' added force, not passive: its work, which may be "
           "a gain, is booked as noise_j",
           "passive|added", 0, "for comparison with the papers", FRICTION(roughness_model)),
    NUMBER("contacts.*.mu_static", "static friction coefficient", "mu_s", "", 0.001, 100, 0.4, CT_LINEAR,
           CT_RATE_TICK, "more against mu_dynamic: squeaks more readily", FRICTION_LIVE(mu_static)),
    NUMBER("contacts.*.mu_dynamic", "dynamic friction coefficient", "mu_d", "", 0.001, 100, 0.2, CT_LINEAR,
           CT_RATE_TICK, "larger: rougher, louder", FRICTION_LIVE(mu_dynamic)),
    NUMBER("contacts.*.stribeck_m_s", "velocity at which friction has fallen", "v_S", "m/s", 1e-6, 1000, 0.1,
           CT_LOG, CT_RATE_TICK, "smaller: squeaks at slower rubbing", FRICTION_LIVE(stribeck_m_s)),
    NUMBER("contacts.*.breakaway", "share of sliding friction up to which bristles only bend", "c", "", 0,
           0.999, 0.7, CT_LINEAR, CT_RATE_TICK, "larger: holds longer before it creeps",
           FRICTION_LIVE(breakaway)),
    NUMBER("contacts.*.normal_n", "normal force", "f_N", "N", 0, 1e5, 1, CT_LINEAR, CT_RATE_AUDIO,
           "pressure: louder, then another mode, then stuck", FRICTION_LIVE(normal_n)),
    TEXT("contacts.*.normal_from", "impact contact whose force is the normal force",
         "pressure from another contact", FRICTION(normal_from)),
    FLAG("contacts.*.constant_damping", "the papers' constant sigma_1, which may gain energy", 0,
         "for comparison with the papers", FRICTION(constant_damping)),
    NUMBER("contacts.*.film_m", "film of rosin that melts, thickness; thermal law", "d", "m", 1e-7, 1e-3,
           5e-6, CT_LOG, CT_RATE_FIXED, "thicker: friction follows the speed later, rounder and flatter",
           FRICTION(film_m)),
    NUMBER("contacts.*.patch_m", "patch that takes the heat, radius; thermal law", "a", "m", 1e-6, 0.1,
           4.4e-4, CT_LOG, CT_RATE_FIXED, "larger: stays warm for longer, friction is more even",
           FRICTION(patch_m)),
    STATE("contacts.*.deflection_m", "bristle deflection now", "z", "m", OF_CONTACTS(CT_DEF_FRICTION),
          LIVE(ct_contact, friction.z_m)),
    STATE("contacts.*.pressed_n", "normal force now", "f_N", "N", OF_CONTACTS(CT_DEF_FRICTION),
          LIVE(ct_contact, friction.normal_n)),
    STATE("contacts.*.temperature_k", "temperature above the surroundings, thermal law", "T", "K",
          OF_CONTACTS(CT_DEF_FRICTION), LIVE(ct_contact, friction.temperature_k)),
    STATE("contacts.*.slip", "share of the last step's motion that slipped: 0 sticks, 1 slides", "", "",
          OF_CONTACTS(CT_DEF_FRICTION), LIVE(ct_contact, friction.slip)),
    STATE("contacts.*.force_n", "force, mean over the last sample", "f", "N", WITHIN(CT_IN_CONTACT),
          LIVE(ct_contact, force_n)),
    STATE("contacts.*.compression_m", "compression now, negative when apart", "x", "m",
          OF_CONTACTS(CT_DEF_IMPACT), LIVE(ct_contact, compression_m)),
    STATE("contacts.*.stored_j", "energy stored now", "V", "J", WITHIN(CT_IN_CONTACT),
          LIVE(ct_contact, stored_j)),
    STATE(
        "contacts.*.relative_m_s",
        "velocity of its points against each other now: how fast an impact closes, how fast friction slides",
        "v", "m/s", WITHIN(CT_IN_CONTACT)),

    CHOICE("surfaces.*.kind", "what the surface is like",
           "noise|fractal|sine|tiles|boards|cobbles|rails|scan", 0, "hiss, rumble, clicks", SURFACE(kind)),
    TEXT("surfaces.*.about", "what the surface stands for", "none", WITHIN(CT_IN_SURFACE)),
    NUMBER("surfaces.*.depth_m",
           "rms height of noise, fractal and scan, amplitude of a sine, depth of joints, height of cobbles; "
           "not given for a scan: as measured",
           "", "m", 0, 1, 1e-5, CT_LOG, CT_RATE_TICK, "rougher: louder", SURFACE_LIVE(depth_m),
           NAMED(CT_SURFACE_FIELD_DEPTH)),
    NUMBER("surfaces.*.length_m",
           "centre wavelength of noise, longest of fractal, wavelength of a sine, length of a piece", "", "m",
           1e-5, 1000, 2e-3, CT_LOG, CT_RATE_TICK, "finer: brighter, at the same speed",
           SURFACE_LIVE(length_m)),
    NUMBER("surfaces.*.width_octaves", "width of the band of noise", "", "octaves", 0.05, 16, 2, CT_LINEAR,
           CT_RATE_TICK, "narrow: whistles; wide: rushes", SURFACE_LIVE(width_octaves)),
    NUMBER("surfaces.*.beta", "fractal: power falls as 1 / (spatial frequency)^beta", "beta", "", -2, 3, 2,
           CT_LINEAR, CT_RATE_TICK, "larger: duller, smoother", SURFACE_LIVE(beta)),
    NUMBER("surfaces.*.density", "share of places that are rough at all, of noise and fractal", "", "", 1e-4,
           1, 1, CT_LOG, CT_RATE_TICK, "sparse scratches to dense rubbing", SURFACE_LIVE(density)),
    NUMBER("surfaces.*.gap_m", "width of a joint between tiles, boards, cobbles, rails", "", "m", 0, 1, 3e-3,
           CT_LINEAR, CT_RATE_TICK, "wider: deeper thuds", SURFACE_LIVE(gap_m)),
    NUMBER("surfaces.*.irregularity", "how unlike each other its pieces are", "", "", 0, 1, 0.3, CT_LINEAR,
           CT_RATE_TICK, "regular clicks to a jumble", SURFACE_LIVE(irregularity)),
    NUMBER("surfaces.*.grid_m", "distance between heights", "", "m", 1e-6, 0.01, 2e-5, CT_LOG, CT_RATE_FIXED,
           "finer: brighter when slow, and more work", SURFACE(grid_m)),
    COUNT("surfaces.*.seed", "another number, another surface of the same kind", 0, 1000000000, 1,
          "the same roughness, other bumps", SURFACE(seed)),
    TEXT("surfaces.*.file", "scan to read: CSV (height_m, or x_m and height_m) or WAV, beside the scene file",
         "what it is rough like", WITHIN(CT_IN_SURFACE), NAMED(CT_SURFACE_FIELD_FILE)),
    NUMBER("surfaces.*.step_m", "distance between heights of a scan", "", "m", 1e-7, 1, 2e-5, CT_LOG,
           CT_RATE_FIXED, "longer: lower", SURFACE(step_m), NAMED(CT_SURFACE_FIELD_STEP)),
    NUMBER("surfaces.*.heights_m[]", "a scan, height by height", "", "m", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_FIXED, "what it is rough like", WITHIN(CT_IN_SURFACE_LIST)),

    CHOICE("drives.*.kind", "how it runs over the surface", "roll|scrape", 0, "turning or dragged",
           DRIVE(kind)),
    TEXT("drives.*.about", "what the drive stands for", "none", WITHIN(CT_IN_DRIVE)),
    TEXT("drives.*.contact", "impact contact that the surface moves", "what is heard", DRIVE(contact)),
    TEXT("drives.*.surface", "surface it runs over", "what is heard", DRIVE(surface)),
    CHOICE("drives.*.motion", "free: by its own speed; imposed: as told; not given: what rolls is free",
           "free|imposed", 0, "comes to rest, or goes on", WITHIN(CT_IN_DRIVE), NAMED(CT_DRIVE_MOTION)),
    NUMBER("drives.*.radius_m", "radius of what rolls; of the tip of what scrapes", "r", "m", 1e-6, 100, 0.01,
           CT_LOG, CT_RATE_TICK, "larger: bridges more of the roughness, turns slower", DRIVE_LIVE(radius_m)),
    NUMBER("drives.*.inertia", "what turning adds to the mass: 0.4 ball, 0.5 cylinder, 1 hoop", "", "", 0, 10,
           0.4, CT_LINEAR, CT_RATE_TICK, "larger: keeps its speed longer", DRIVE_LIVE(inertia)),
    NUMBER("drives.*.mass_kg", "mass that moves; below 1e-12: the free mass on the contact", "m", "kg", 0,
           1e6, 0, CT_LINEAR, CT_RATE_TICK, "larger: keeps its speed longer", DRIVE_LIVE(mass_kg)),
    NUMBER("drives.*.speed_m_s", "imposed speed, negative backwards", "v", "m/s", -1000, 1000, 0, CT_LINEAR,
           CT_RATE_AUDIO, "faster: brighter, louder", DRIVE_LIVE(speed_m_s)),
    NUMBER("drives.*.acceleration_m_s2", "how fast it takes up the imposed speed; 0: at once", "a", "m/s^2",
           0, 1e6, 0, CT_LINEAR, CT_RATE_TICK, "inertia of the hand", DRIVE_LIVE(acceleration_m_s2)),
    NUMBER("drives.*.throw_m_s", "speed to start with; setting it throws", "v", "m/s", -1000, 1000, 0,
           CT_LINEAR, CT_RATE_TRIGGER, "sets it rolling", DRIVE(v_m_s), NAMED(CT_DRIVE_THROW)),
    NUMBER("drives.*.place_m", "place to start at; setting it puts it there", "x", "m", -1e5, 1e5, 0,
           CT_LINEAR, CT_RATE_TRIGGER, "which bumps it meets", DRIVE(x_m), NAMED(CT_DRIVE_PLACE)),
    NUMBER("drives.*.push_n", "push along the way", "F", "N", -1e5, 1e5, 0, CT_LINEAR, CT_RATE_AUDIO,
           "speeds up or slows down", DRIVE_LIVE(push_n)),
    NUMBER("drives.*.slope", "fall of the way, metres per metre", "", "", -1, 1, 0, CT_LINEAR, CT_RATE_AUDIO,
           "rolls downhill", DRIVE_LIVE(slope)),
    NUMBER("drives.*.resistance", "rolling resistance, newtons per newton of contact force", "c", "", 0, 10,
           0.005, CT_LINEAR, CT_RATE_TICK, "comes to rest sooner", DRIVE_LIVE(resistance)),
    NUMBER("drives.*.asymmetry_m", "how far the centre of mass is off the middle", "A", "m", 0, 1, 0,
           CT_LINEAR, CT_RATE_TICK, "wobbles once per turn, more when fast", DRIVE_LIVE(asymmetry_m)),
    NUMBER("drives.*.out_of_round_m", "rms of its own profile, the same at every turn", "", "m", 0, 1, 0,
           CT_LINEAR, CT_RATE_TICK, "a pattern that repeats as it turns", DRIVE_LIVE(out_of_round_m)),
    COUNT("drives.*.facets", "sides of its own profile; 0: rough all round", 0, 100, 0,
          "clatters over its edges", DRIVE(facets)),
    NUMBER("drives.*.exaggerate", "asymmetry, roughness and size as in a cartoon; 1: as they are", "", "",
           0.25, 4, 1, CT_LOG, CT_RATE_TICK, "more of what tells it apart", DRIVE_LIVE(exaggerate)),
    NUMBER("drives.*.low_m", "lower end of the way; the same as high_m: endless", "", "m", -1e5, 1e5, 0,
           CT_LINEAR, CT_RATE_TICK, "runs to and fro", DRIVE_LIVE(low_m)),
    NUMBER("drives.*.high_m", "upper end of the way", "", "m", -1e5, 1e5, 0, CT_LINEAR, CT_RATE_TICK,
           "runs to and fro", DRIVE_LIVE(high_m)),
    NUMBER("drives.*.rebound", "share of the speed that comes back from an end", "", "", 0, 1, 0.5, CT_LINEAR,
           CT_RATE_TICK, "bounces off the ends", DRIVE_LIVE(rebound)),
    TEXT("drives.*.rim", "point that is knocked at the ends, body.point", "the knock", DRIVE(rim)),
    NUMBER("drives.*.knock_s", "how long a knock lasts", "", "s", 1e-5, 0.1, 1e-3, CT_LOG, CT_RATE_TICK,
           "shorter: harder, brighter", DRIVE_LIVE(knock_s)),
    TEXT("drives.*.follows", "point whose sideways motion is imposed on it, body.point",
         "moves as the hand does", DRIVE(follows)),
    TEXT("drives.*.travels", "point of a shape that moves along with it, body.point",
         "the sound wanders over the plane", DRIVE(travels)),
    NUMBER("drives.*.travel_m", "metres of way per unit of that point's place", "", "m", 1e-3, 1e4, 1, CT_LOG,
           CT_RATE_FIXED, "size of the plane", DRIVE(travel_m)),
    CHOICE("drives.*.travel_axis", "which of its places moves", "u|v", 0, "along or across",
           DRIVE(travel_axis)),
    STATE("drives.*.x_m", "place now", "x", "m", WITHIN(CT_IN_DRIVE), LIVE(ct_drive, x_m)),
    STATE("drives.*.v_m_s", "speed now", "v", "m/s", WITHIN(CT_IN_DRIVE), LIVE(ct_drive, v_m_s)),
    STATE("drives.*.offset_m", "height of its path now", "", "m", WITHIN(CT_IN_DRIVE),
          LIVE(ct_drive, offset_m)),
    STATE("drives.*.turns", "turns so far", "", "", WITHIN(CT_IN_DRIVE), LIVE(ct_drive, turned)),

    TEXT("pickups.*.at", "point or contact listened to", "what is heard", PICKUP(at)),
    CHOICE("pickups.*.listen", "quantity listened to", "displacement|velocity|acceleration|force", 1,
           "darker to brighter", PICKUP(listen)),
    CHOICE("pickups.*.direction", "direction listened to", "normal|tangential", 0, "what is heard",
           PICKUP(direction)),
    NUMBER("pickups.*.full_scale", "what makes 0 dBFS", "", "m, m/s, m/s^2 or N", 1e-12, 1e12, 1, CT_LOG,
           CT_RATE_AUDIO, "larger: quieter", PICKUP_LIVE(full_scale)),
    NUMBER("pickups.*.pan", "place between the loudspeakers", "", "", -1, 1, 0, CT_LINEAR, CT_RATE_AUDIO,
           "left to right", PICKUP_LIVE(pan)),
    NUMBER("pickups.*.thump",
           "how much it hears of the thumps of its body's points, where it listens to velocity or "
           "acceleration; 1: as they are",
           "", "", 0, 100, 0, CT_LINEAR, CT_RATE_AUDIO, "louder: more of the knock, before the ringing",
           PICKUP_LIVE(thump), NAMED(CT_PICKUP_THUMP)),
    COUNT("pickups.*.output", "the one output it goes to; 0: panned over the first two", 0, CT_OUTPUTS_MOST,
          0, "which loudspeaker or track it is heard on", PICKUP(output)),

    TEXT("controls.*.unit", "unit to show", "none", CONTROL(unit), NAMED(CT_CONTROL_UNIT)),
    TEXT("controls.*.hint", "what it does, in a few words", "none", CONTROL(hint)),
    NUMBER("controls.*.min", "lowest value", "", "", -1e12, 1e12, 0, CT_LINEAR, CT_RATE_FIXED, "none",
           CONTROL(min), NAMED(CT_CONTROL_MIN)),
    NUMBER("controls.*.max", "highest value", "", "", -1e12, 1e12, 1, CT_LINEAR, CT_RATE_FIXED, "none",
           CONTROL(max), NAMED(CT_CONTROL_MAX)),
    NUMBER("controls.*.value", "value", "", "", -1e12, 1e12, 0.5, CT_LINEAR, CT_RATE_AUDIO,
           "moves its targets", CONTROL(value), NAMED(CT_CONTROL_VALUE)),
    CHOICE("controls.*.scale", "how the range is walked", "linear|log", 0, "none", CONTROL(scale)),
    FLAG("controls.*.trigger", "acts when set, not between", 0, "a strike", CONTROL(trigger),
         NAMED(CT_CONTROL_TRIGGER)),
    TEXT("controls.*.targets[].path", "parameter moved", "what the control moves", TARGET(path)),
    NUMBER("controls.*.targets[].from", "its value at the control's min", "", "", -1e18, 1e18, 0, CT_LINEAR,
           CT_RATE_FIXED, "none", TARGET(from)),
    NUMBER("controls.*.targets[].to", "its value at the control's max", "", "", -1e18, 1e18, 1, CT_LINEAR,
           CT_RATE_FIXED, "none", TARGET(to)),
    CHOICE("controls.*.targets[].scale", "how it runs between", "linear|log", 0, "none", TARGET(scale)),

    TEXT("presets.*.title", "name to show", "none", WITHIN(CT_IN_PRESET), NAMED(CT_PRESET_TITLE)),
    TEXT("presets.*.about", "what the preset is", "none", WITHIN(CT_IN_PRESET), NAMED(CT_PRESET_ABOUT)),
    {{"presets.*.set.*", "what the preset gives a control or path: a number, a choice or text", "", "",
      CT_TYPE_ANY, -1e18, 1e18, 0, CT_LINEAR, CT_RATE_FIXED, NULL, "what the preset sounds like"},
     WITHIN(CT_IN_PRESET_SET)},
    NUMBER("presets.*.gesture.*[]", "its own demo gesture, a column per control or path", "", "", -1e18, 1e18,
           0, CT_LINEAR, CT_RATE_FIXED, "how the demo is played", WITHIN(CT_IN_PRESET_GESTURE)),
    NUMBER("gesture.*[]", "demo gesture, a column per control or path, and time_s", "", "", -1e18, 1e18, 0,
           CT_LINEAR, CT_RATE_FIXED, "how the demo is played", WITHIN(CT_IN_GESTURE)),

    STATE("energy.stored_j", "energy stored in bodies and contacts", "H", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, stored_j)),
    STATE("energy.force_j", "work done by forces so far", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, force_j)),
    STATE("energy.motion_j", "work done by imposed motion so far", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, motion_j)),
    STATE("energy.parameter_j", "energy brought by parameter changes so far", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, parameter_j)),
    STATE("energy.noise_j", "work done by roughness as an added force so far; 0 where it is passive", "", "J",
          WITHIN(CT_IN_ENERGY), LIVE(ct_ledger, noise_j)),
    STATE("energy.lost_bodies_j", "energy lost in bodies so far", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, lost_bodies_j)),
    STATE("energy.lost_contacts_j", "energy lost in contacts so far", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, lost_contacts_j)),
    STATE("energy.error_j", "what the account does not explain: rounding", "", "J", WITHIN(CT_IN_ENERGY),
          LIVE(ct_ledger, error_j)),
};

#define OWN (sizeof rows / sizeof rows[0])

uint32_t ct_schema_count(void) { return OWN + ct_source_row_count; }

bool ct_row_fits_contact(const ct_row *row, bool friction) {
  return row->def == CT_NO_DEF || row->def == (friction ? CT_DEF_FRICTION : CT_DEF_IMPACT);
}

const ct_row *ct_row_at(uint32_t index) {
  if (index < OWN)
    return &rows[index];
  return index < ct_schema_count() ? &ct_source_rows[index - OWN] : NULL;
}

const ct_schema_row *ct_schema_row_at(uint32_t index) {
  const ct_row *row = ct_row_at(index);
  return row ? &row->shown : NULL;
}

uint32_t ct_row_of(ct_field field) {
  uint32_t i = 0;
  while (i < ct_schema_count() && ct_row_at(i)->field != field)
    i++;
  return i;
}

uint32_t ct_row_slot(uint32_t index) {
  uint32_t first = 0;
  while (ct_row_at(first)->section != ct_row_at(index)->section)
    first++;
  return index - first;
}

ct_part ct_part_of(ct_section section) {
  switch (section) {
  case CT_IN_BODY:
  case CT_IN_MODE:
  case CT_IN_SHAPE:
  case CT_IN_SHAPE_LIST:
  case CT_IN_STRING:
  case CT_IN_POINT:
  case CT_IN_GAINS:
  case CT_IN_THUMP:
    return CT_PART_BODY;
  case CT_IN_CONTACT:
    return CT_PART_CONTACT;
  case CT_IN_SURFACE:
  case CT_IN_SURFACE_LIST:
    return CT_PART_SURFACE;
  case CT_IN_DRIVE:
    return CT_PART_DRIVE;
  case CT_IN_SOURCE:
  case CT_IN_REGION:
  case CT_IN_REGION_LIST:
    return CT_PART_SOURCE;
  case CT_IN_PICKUP:
    return CT_PART_PICKUP;
  default:
    return CT_PART_KINDS;
  }
}

static const char *const part_words[CT_PART_KINDS][2] = {
    [CT_PART_BODY] = {"body", "bodies"},         [CT_PART_CONTACT] = {"contact", "contacts"},
    [CT_PART_SURFACE] = {"surface", "surfaces"}, [CT_PART_DRIVE] = {"drive", "drives"},
    [CT_PART_SOURCE] = {"source", "sources"},    [CT_PART_PICKUP] = {"pickup", "pickups"},
};

const char *ct_part_word(ct_part part) { return part_words[part][0]; }
const char *ct_part_section(ct_part part) { return part_words[part][1]; }

void ct_part_list_kinds(char *text, size_t size) {
  size_t used = 0;
  for (int k = 0; k < CT_PART_KINDS && used < size; k++)
    used += ct_format(text + used, size - used, "%s%s", k ? ", " : "", part_words[k][0]);
}

const char *ct_rate_word(ct_rate rate) {
  static const char *const words[] = {"fixed", "tick", "audio", "trigger", "state"};
  return words[rate];
}

const char *ct_type_word(ct_type type) {
  static const char *const words[] = {"number", "count", "choice", "text", "flag", "any"};
  return words[type];
}
