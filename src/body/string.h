/* What the files of the string share. */
#ifndef CT_BODY_STRING_H
#define CT_BODY_STRING_H

#include "body/body.h"

/* string.c: weights of every port anew, because lengths have changed. */
void ct_string_place_ports(ct_body *body);

/* string_tune.c */
bool ct_string_has_vibrato(const ct_string *string);
double ct_string_parameters_changed(ct_body *body);
bool ct_string_on_tick(ct_body *body);

#endif
