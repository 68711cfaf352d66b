/* Default definitions: every field that the schema describes takes the schema's standard value. */
#include "scene/defaults.h"
#include "scene/schema.h"

static double standard(ct_section section, uint32_t field) {
  return ct_row_at(ct_row_of(section, field))->shown.standard;
}

ct_modal_def ct_default_modal_def(void) {
  return (ct_modal_def){.cookie = CT_COOKIE_MODAL, .size = sizeof(ct_modal_def)};
}

ct_hand_def ct_default_hand_def(void) {
  return (ct_hand_def){.cookie = CT_COOKIE_HAND, .size = sizeof(ct_hand_def)};
}

ct_string_def ct_default_string_def(void) {
  return (ct_string_def){.cookie = CT_COOKIE_STRING,
                         .size = sizeof(ct_string_def),
                         .t60_s = standard(CT_IN_STRING, CT_STRING_T60),
                         .high_hz = standard(CT_IN_STRING, CT_STRING_HIGH_HZ),
                         .vibrato_hz = standard(CT_IN_STRING, CT_STRING_VIBRATO_HZ),
                         .planes = 1};
}

ct_impact_def ct_default_impact_def(void) {
  return (ct_impact_def){.cookie = CT_COOKIE_IMPACT,
                         .size = sizeof(ct_impact_def),
                         .stiffness = standard(CT_IN_CONTACT, CT_CONTACT_STIFFNESS),
                         .exponent = standard(CT_IN_CONTACT, CT_CONTACT_EXPONENT),
                         .damping_s_m = standard(CT_IN_CONTACT, CT_CONTACT_DAMPING),
                         .quality = CT_NORMAL_QUALITY,
                         .contact_speed_m_s = standard(CT_IN_CONTACT, CT_CONTACT_SPEED)};
}

ct_friction_def ct_default_friction_def(void) {
  return (ct_friction_def){.cookie = CT_COOKIE_FRICTION,
                           .size = sizeof(ct_friction_def),
                           .bristle_n_m = standard(CT_IN_CONTACT, CT_CONTACT_BRISTLE),
                           .bristle_damping_n_s_m = standard(CT_IN_CONTACT, CT_CONTACT_BRISTLE_DAMPING),
                           .roughness_exponent = standard(CT_IN_CONTACT, CT_CONTACT_ROUGHNESS_EXPONENT),
                           .mu_static = standard(CT_IN_CONTACT, CT_CONTACT_MU_STATIC),
                           .mu_dynamic = standard(CT_IN_CONTACT, CT_CONTACT_MU_DYNAMIC),
                           .stribeck_m_s = standard(CT_IN_CONTACT, CT_CONTACT_STRIBECK),
                           .breakaway = standard(CT_IN_CONTACT, CT_CONTACT_BREAKAWAY),
                           .normal_n = standard(CT_IN_CONTACT, CT_CONTACT_NORMAL),
                           .film_m = standard(CT_IN_CONTACT, CT_CONTACT_FILM),
                           .patch_m = standard(CT_IN_CONTACT, CT_CONTACT_PATCH)};
}

ct_surface_def ct_default_surface_def(void) {
  return (ct_surface_def){.cookie = CT_COOKIE_SURFACE,
                          .size = sizeof(ct_surface_def),
                          .depth_m = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_DEPTH),
                          .length_m = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_LENGTH),
                          .width_octaves = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_WIDTH),
                          .beta = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_BETA),
                          .density = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_DENSITY),
                          .gap_m = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_GAP),
                          .irregularity = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_IRREGULARITY),
                          .grid_m = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_GRID),
                          .seed = (uint32_t)standard(CT_IN_SURFACE, CT_SURFACE_FIELD_SEED),
                          .step_m = standard(CT_IN_SURFACE, CT_SURFACE_FIELD_STEP)};
}

ct_drive_def ct_default_drive_def(void) {
  return (ct_drive_def){.cookie = CT_COOKIE_DRIVE,
                        .size = sizeof(ct_drive_def),
                        .free = true,
                        .radius_m = standard(CT_IN_DRIVE, CT_DRIVE_RADIUS),
                        .inertia = standard(CT_IN_DRIVE, CT_DRIVE_INERTIA),
                        .resistance = standard(CT_IN_DRIVE, CT_DRIVE_RESISTANCE),
                        .exaggerate = standard(CT_IN_DRIVE, CT_DRIVE_EXAGGERATE),
                        .rebound = standard(CT_IN_DRIVE, CT_DRIVE_REBOUND),
                        .knock_s = standard(CT_IN_DRIVE, CT_DRIVE_KNOCK),
                        .travel_m = standard(CT_IN_DRIVE, CT_DRIVE_TRAVEL_M)};
}

ct_pickup_def ct_default_pickup_def(void) {
  return (ct_pickup_def){.cookie = CT_COOKIE_PICKUP,
                         .size = sizeof(ct_pickup_def),
                         .listen = CT_VELOCITY,
                         .full_scale = standard(CT_IN_PICKUP, CT_PICKUP_FULL_SCALE)};
}

ct_control_def ct_default_control_def(void) {
  return (ct_control_def){.cookie = CT_COOKIE_CONTROL,
                          .size = sizeof(ct_control_def),
                          .max = standard(CT_IN_CONTROL, CT_CONTROL_MAX),
                          .value = standard(CT_IN_CONTROL, CT_CONTROL_VALUE)};
}

static double of_source(uint32_t field) { return standard(CT_IN_SOURCE, field); }

ct_source_def ct_default_source_def(void) {
  return (ct_source_def){
      .cookie = CT_COOKIE_SOURCE,
      .size = sizeof(ct_source_def),
      .x = {CT_SPEED, of_source(CT_SOURCE_X_MIN), of_source(CT_SOURCE_X_MAX), CT_LOG},
      .y = {CT_PRESSURE, of_source(CT_SOURCE_Y_MIN), of_source(CT_SOURCE_Y_MAX), CT_LINEAR},
      .width = of_source(CT_SOURCE_WIDTH),
      .speed_m_s = of_source(CT_SOURCE_SPEED),
      .pressure = of_source(CT_SOURCE_PRESSURE),
      .fluidity = of_source(CT_SOURCE_FLUIDITY),
      .position = of_source(CT_SOURCE_POSITION),
      .acceleration_m_s2 = of_source(CT_SOURCE_ACCELERATION),
      .curvature_1_m = of_source(CT_SOURCE_CURVATURE),
      .log_jerk = of_source(CT_SOURCE_LOG_JERK),
      .arc_length = of_source(CT_SOURCE_ARC_LENGTH),
      .force_n = of_source(CT_SOURCE_FORCE),
      .noise_n = of_source(CT_SOURCE_NOISE),
      .exponent = of_source(CT_SOURCE_EXPONENT),
      .wander = of_source(CT_SOURCE_WANDER),
      .wander_hz = of_source(CT_SOURCE_WANDER_HZ),
      .onset_m_s = of_source(CT_SOURCE_ONSET),
      .density = of_source(CT_SOURCE_DENSITY),
      .impact_s = of_source(CT_SOURCE_IMPACT),
      .diameter_m = of_source(CT_SOURCE_DIAMETER),
      .rim_waves = (uint32_t)of_source(CT_SOURCE_RIM_WAVES)};
}

ct_region_def ct_default_region_def(void) {
  return (ct_region_def){.root_hz = standard(CT_IN_REGION, CT_REGION_ROOT),
                         .level = standard(CT_IN_REGION, CT_REGION_LEVEL),
                         .size = standard(CT_IN_REGION, CT_REGION_SIZE)};
}
