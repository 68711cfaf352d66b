/* What the files of the modal body share. */
#ifndef CT_BODY_MODAL_H
#define CT_BODY_MODAL_H

#include "body/body.h"

/* Tables of mode shapes, see ct_modal.table. */
enum { TABLE_U, TABLE_V, TABLE_ALONG, TABLES };

/* The sums wanted, as the bank's loops take them. */
void ct_modal_plan(ct_body *body);
/* Carried points go on by a sample's share of their way. */
void ct_modal_glide(ct_body *body);
/* Compliances and predictions are stale. */
void ct_modal_gains_changed(ct_body *body);

#endif
