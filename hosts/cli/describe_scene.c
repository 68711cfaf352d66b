/* One scene, for people and for programs. */
#include "hosts/cli/describe.h"

#include <stdio.h>
#include <string.h>

/* ---- for people ---- */

static const char *text_of(const json_t *object, const char *key, const char *otherwise) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : otherwise;
}

static void show_targets(const json_t *control) {
  const json_t *targets = json_object_get(control, "targets");
  for (size_t i = 0; i < json_array_size(targets); i++) {
    const json_t *t = json_array_get(targets, i);
    printf("  %14s moves %s from %g to %g\n", "", text_of(t, "path", "?"),
           json_number_value(json_object_get(t, "from")), json_number_value(json_object_get(t, "to")));
  }
}

static void show_controls(const ct_doc *doc, const json_t *tree) {
  if (ct_doc_control_count(doc))
    puts("\ncontrols");
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    ct_control_info c = ct_doc_control(doc, i);
    printf("  %-14s %g to %g%s%s, ", c.name, c.min, c.max, *c.unit ? " " : "", c.unit);
    if (c.trigger)
      printf("trigger");
    else
      printf("now %g", c.value);
    printf("%s%s\n", *c.hint ? ": " : "", c.hint);
    show_targets(json_object_get(json_object_get(tree, "controls"), c.name));
  }
}

static void show_presets(const ct_doc *doc) {
  if (ct_doc_preset_count(doc))
    puts("\npresets");
  for (uint32_t i = 0; i < ct_doc_preset_count(doc); i++) {
    const char *title = ct_doc_preset_title(doc, i);
    printf("  %-14s %s%s%s\n", ct_doc_preset_name(doc, i), title, *title ? "; " : "",
           ct_doc_preset_about(doc, i));
  }
}

static void show_bodies(const ct_doc *doc, const json_t *tree) {
  puts("\nbodies");
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++) {
    const json_t *body = json_object_get(json_object_get(tree, "bodies"), ct_doc_body_name(doc, i));
    const json_t *modes = json_object_get(body, "modes");
    size_t count = json_array_size(modes);
    printf("  %-14s %s", ct_doc_body_name(doc, i), text_of(body, "kind", "modal"));
    if (json_is_object(modes))
      printf(", shape %s", text_of(modes, "shape", "?"));
    if (count)
      printf(", %zu mode%s", count, count == 1 ? "" : "s");
    for (uint32_t p = 0; p < ct_doc_point_count(doc, i); p++)
      printf("%s %s", p ? "," : ", points", ct_doc_point_name(doc, i, p));
    puts("");
  }
}

static void show_contacts(const ct_doc *doc, const json_t *tree) {
  if (ct_doc_contact_count(doc))
    puts("\ncontacts");
  for (uint32_t i = 0; i < ct_doc_contact_count(doc); i++) {
    const json_t *c = json_object_get(json_object_get(tree, "contacts"), ct_doc_contact_name(doc, i));
    printf("  %-14s %s of %s on %s\n", ct_doc_contact_name(doc, i), text_of(c, "kind", "impact"),
           text_of(c, "a", "?"), text_of(c, "b", "?"));
  }
}

static void show_drives(const ct_doc *doc, const json_t *tree) {
  if (ct_doc_surface_count(doc))
    puts("\nsurfaces");
  for (uint32_t i = 0; i < ct_doc_surface_count(doc); i++) {
    const json_t *s = json_object_get(json_object_get(tree, "surfaces"), ct_doc_surface_name(doc, i));
    printf("  %-14s %s\n", ct_doc_surface_name(doc, i), text_of(s, "kind", "noise"));
  }
  if (ct_doc_drive_count(doc))
    puts("\ndrives");
  for (uint32_t i = 0; i < ct_doc_drive_count(doc); i++) {
    const json_t *d = json_object_get(json_object_get(tree, "drives"), ct_doc_drive_name(doc, i));
    printf("  %-14s %s over %s, moves %s\n", ct_doc_drive_name(doc, i), text_of(d, "kind", "roll"),
           text_of(d, "surface", "?"), text_of(d, "contact", "?"));
  }
}

static void show_sources(const ct_doc *doc, const json_t *tree) {
  if (ct_doc_source_count(doc))
    puts("\nsources");
  for (uint32_t i = 0; i < ct_doc_source_count(doc); i++) {
    const char *name = ct_doc_source_name(doc, i), *region;
    const json_t *source = json_object_get(json_object_get(tree, "sources"), name);
    json_t *regions = json_object_get(source, "regions"), *item;
    const char *comma = ":";
    printf("  %-14s feeds %s", name, text_of(source, "at", "?"));
    json_object_foreach(regions, region, item) {
      printf("%s %s (%s)", comma, region, text_of(item, "behaviour", "creaky_door"));
      comma = ",";
    }
    puts("");
  }
}

static void show_pickups(const json_t *tree) {
  const char *name;
  json_t *pickup, *pickups = json_object_get(tree, "pickups");
  if (json_object_size(pickups))
    puts("\npickups");
  json_object_foreach(pickups, name, pickup) {
    printf("  %-14s %s of %s\n", name, text_of(pickup, "listen", "velocity"), text_of(pickup, "at", "?"));
  }
}

/* What is not a number to turn (texts of controls, presets, gestures) has been shown above. */
static bool is_parameter(const ct_leaf *leaf) {
  static const char *const parts[] = {"bodies.", "contacts.", "surfaces.", "drives.", "sources.", "pickups."};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strncmp(leaf->row->path, parts[i], strlen(parts[i])) == 0)
      return true;
  return false;
}

static void show_parameters(const ct_doc *doc) {
  puts("\nparameters, for --set PATH=VALUE");
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    if (!is_parameter(&leaf))
      continue;
    if (leaf.text)
      printf("  %s = %s\n", leaf.path, leaf.text);
    else
      printf("  %s = %g%s%s\n", leaf.path, leaf.number, *leaf.row->unit ? " " : "", leaf.row->unit);
  }
}

void cli_scene_show(const char *name, const ct_doc *doc, const json_t *tree) {
  printf("%s: %s\n%s\n%g s\n", name, ct_doc_title(doc), ct_doc_about(doc), ct_doc_seconds(doc));
  show_controls(doc, tree);
  show_presets(doc);
  show_bodies(doc, tree);
  show_contacts(doc, tree);
  show_drives(doc, tree);
  show_sources(doc, tree);
  show_pickups(tree);
  show_parameters(doc);
}

/* ---- for programs ---- */

static json_t *controls_json(const ct_doc *doc) {
  json_t *controls = json_array();
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    ct_control_info c = ct_doc_control(doc, i);
    json_array_append_new(controls, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:s, s:b}", "name", c.name,
                                              "unit", c.unit, "hint", c.hint, "min", c.min, "max", c.max,
                                              "value", c.value, "scale", c.scale == CT_LOG ? "log" : "linear",
                                              "trigger", (int)c.trigger));
  }
  return controls;
}

static json_t *presets_json(const ct_doc *doc) {
  json_t *presets = json_array();
  for (uint32_t i = 0; i < ct_doc_preset_count(doc); i++)
    json_array_append_new(presets,
                          json_pack("{s:s, s:s, s:s}", "name", ct_doc_preset_name(doc, i), "title",
                                    ct_doc_preset_title(doc, i), "about", ct_doc_preset_about(doc, i)));
  return presets;
}

static json_t *bodies_json(const ct_doc *doc) {
  json_t *bodies = json_array();
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++) {
    json_t *points = json_array();
    for (uint32_t p = 0; p < ct_doc_point_count(doc, i); p++)
      json_array_append_new(points, json_string(ct_doc_point_name(doc, i, p)));
    json_array_append_new(bodies,
                          json_pack("{s:s, s:o}", "name", ct_doc_body_name(doc, i), "points", points));
  }
  return bodies;
}

static json_t *names_json(const ct_doc *doc, uint32_t count, const char *(*name)(const ct_doc *, uint32_t)) {
  json_t *names = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(names, json_string(name(doc, i)));
  return names;
}

/* `scene` is the file itself, ready to be saved and rendered. */
json_t *cli_scene_json(const char *name, const ct_doc *doc, json_t *tree) {
  return json_pack("{s:s, s:s, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:O}", "name", name, "title",
                   ct_doc_title(doc), "about", ct_doc_about(doc), "seconds", ct_doc_seconds(doc), "controls",
                   controls_json(doc), "presets", presets_json(doc), "bodies", bodies_json(doc), "contacts",
                   names_json(doc, ct_doc_contact_count(doc), ct_doc_contact_name), "surfaces",
                   names_json(doc, ct_doc_surface_count(doc), ct_doc_surface_name), "drives",
                   names_json(doc, ct_doc_drive_count(doc), ct_doc_drive_name), "sources",
                   names_json(doc, ct_doc_source_count(doc), ct_doc_source_name), "scene", tree);
}
