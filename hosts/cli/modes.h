/* The parts of `contatto modes`. */
#ifndef CT_CLI_MODES_H
#define CT_CLI_MODES_H

#include "hosts/cli/cli.h"
#include <contatto/modes.h>

/* Where the modal masses come from. */
typedef struct modes_weight {
  double mass_kg;        /* of the object; 0: not given */
  double hammer_mass_kg; /* of what struck it; 0: not given */
} modes_weight;

/* How heavy the strongest mode is taken to be, and the sentence that says why. */
double modes_strongest_kg(const modes_weight *weight, char *about, size_t room);

/* What was found as a document with one body; places[place_count] name its points. */
ct_result modes_document(const ct_found_modes *found, const char *const *places, const char *source,
                         const modes_weight *weight, ct_doc **doc, ct_error *error);

/* How many bytes of samples a WAV file promises but does not have; 0 for other files. */
long modes_missing_bytes(const char *name);

#endif
