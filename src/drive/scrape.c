/* A stylus, a nail, a sliding box: dragged over the surface without turning. It moves as a point's sideways
 * motion does (a hand's; friction between the two is a contact of its own), or at a speed of its own. The
 * work of its offset is imposed motion, as is that of the hand. */
#include "drive/drive.h"

const ct_drive_kind ct_scrape_kind = {.name = "scrape", .turns = false};
