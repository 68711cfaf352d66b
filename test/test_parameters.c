/* Stepping any parameter or control by half its range in mid-sound: the ledger closes with the work booked,
 * and no click is heard (the measure of contatto/measure.h and its threshold) except where a contact newly
 * strikes, which is what a strike sounds like.
 *
 * ctest: slow timeout=900 */
#include "file/load.h"
#include "support/lab.h"
#include "support/random_scene.h"
#include <contatto/doc.h>
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000.0
enum { BEFORE = 9600, AFTER = 14400, FRAMES = BEFORE + AFTER, MOST_PATHS = 600, MOST_CONTACTS = 16, BLOCK = 16 };

/* ---- scenes
 * ------------------------------------------------------------------------------------------------------- */

static void set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void set_number(ct_doc *doc, const char *path, double number) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, number, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* A list of modes and a shape, joined by a light ball that rests between a hand and the bar. */
static ct_doc *pressed_page(const char *listen) {
  ct_doc *doc = ct_doc_create();
  static const double hz[] = {220, 590, 1130};
  for (int i = 0; i < 3; i++) {
    char path[64];
    snprintf(path, sizeof path, "bodies.bar.modes[%d].hz", i);
    set_number(doc, path, hz[i]);
    snprintf(path, sizeof path, "bodies.bar.modes[%d].v_m_s", i);
    set_number(doc, path, 0.05);
    snprintf(path, sizeof path, "bodies.bar.points.top.gains[%d]", i);
    set_number(doc, path, 1);
  }
  set_text(doc, "bodies.plate.modes.shape", "plate");
  set_number(doc, "bodies.plate.modes.count", 6);
  set_text(doc, "bodies.plate.modes.material", "glass");
  set_number(doc, "bodies.plate.points.mid.place_u", 0.31);
  set_number(doc, "bodies.plate.points.mid.place_v", 0.27);
  set_text(doc, "bodies.hand.kind", "hand");
  set_text(doc, "contacts.press.a", "hand.at");
  set_text(doc, "contacts.press.b", "bar.top");
  set_number(doc, "contacts.press.gap_m", -2e-4);
  set_number(doc, "contacts.press.stiffness", 1e6);
  set_text(doc, "contacts.lean.a", "bar.top");
  set_text(doc, "contacts.lean.b", "plate.mid");
  set_number(doc, "contacts.lean.gap_m", -1e-4);
  set_number(doc, "contacts.lean.stiffness", 1e6);
  bool force = strcmp(listen, "force") == 0;
  set_text(doc, "pickups.ear.at", force ? "press" : "bar.top");
  set_text(doc, "pickups.ear.listen", listen);
  set_text(doc, "controls.hardness.targets[0].path", "press.stiffness");
  set_number(doc, "controls.hardness.targets[0].from", 1e5);
  set_number(doc, "controls.hardness.targets[0].to", 1e7);
  set_text(doc, "controls.hardness.targets[0].scale", "log");
  set_text(doc, "controls.depth.targets[0].path", "hand.x_m");
  set_number(doc, "controls.depth.targets[0].from", -1e-4);
  set_number(doc, "controls.depth.targets[0].to", 1e-4);
  return doc;
}
