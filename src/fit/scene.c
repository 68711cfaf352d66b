/* The fitted scene: the document with its knobs where they were found, as loud as the recording, without the
 * demo and the presets, which would turn them again. */
#include "base/text.h"
#include "file/json.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Triggers are fired by the gesture; everything else stands as the controls say. */
static json_t *gesture_tree(const ct_match_found *found, uint32_t index) {
  json_t *tree = json_pack("{s:[f]}", "time_s", CT_KNOB_FIRED_S);
  for (uint32_t i = 0, free_at = 0; i < found->knobs.count; i++) {
    const ct_knob *k = &found->knobs.items[i];
    double value = ct_knob_stands_at(k, found->shares, &free_at, index);
    if (k->trigger)
      json_object_set_new(tree, k->name, json_pack("[f]", value));
  }
  if (json_object_size(tree) > 1)
    return tree;
  json_decref(tree);
  return NULL;
}

ct_result ct_match_scene(const ct_match_def *def, const ct_match_found *found, uint32_t index, char **text,
                         ct_error *error) {
  CT_TRY(ct_knobs_set(&found->knobs, found->shares, index, def->doc, error));
  json_t *tree = ct_doc_to_json(def->doc), *gesture = gesture_tree(found, index);
  *text = NULL;
  if (tree) {
    /* As loud as recorded: full scales of all pickups, stated or not. */
    const char *name;
    json_t *pickup;
    json_object_foreach(json_object_get(tree, "pickups"), name, pickup) {
      json_t *now = json_object_get(pickup, "full_scale");
      double full_scale = now ? json_number_value(now) : 1;
      json_object_set_new(pickup, "full_scale", json_real(full_scale * pow(10, -found->gain_db / 20)));
    }
    json_object_del(tree, "presets");
    json_object_del(tree, "gesture");
    json_object_set_new(tree, "seconds", json_real(found->seconds + CT_FIT_WARM_S));
    if (gesture)
      json_object_set(tree, "gesture", gesture);
    *text = ct_json_print(tree);
  }
  json_decref(gesture);
  json_decref(tree);
  return *text ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
}
