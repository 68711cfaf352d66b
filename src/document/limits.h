/* How much a scene and its document may hold. */
#ifndef CT_DOCUMENT_LIMITS_H
#define CT_DOCUMENT_LIMITS_H

#define CT_PARTS_MOST 1024u     /* of each kind: bodies, contacts, pickups, ...; controls and presets */
#define CT_TARGETS_MOST 16384u  /* of all controls */
#define CT_MODES_MOST 65000u    /* of a body */
#define CT_POINTS_MOST 1000u    /* of a body */
#define CT_LEAVES_MOST 2097152u /* of a document */

#endif
