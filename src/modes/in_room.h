/* A body in a room: which modes are its own for sure, and how loud they are without the room. */
#ifndef CT_MODES_IN_ROOM_H
#define CT_MODES_IN_ROOM_H

#include "modes/search.h"

/* Fills room_t60_s of a search that has ended, and where there is a room, looks again. False without memory.
 */
bool ct_in_room(ct_search *search);

#endif
