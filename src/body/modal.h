/* What the files of the modal body share. */
#ifndef CT_BODY_MODAL_H
#define CT_BODY_MODAL_H

#include "body/body.h"
#include "body/response.h"

/* Tables of mode shapes, see ct_modal.table. */
enum { TABLE_U, TABLE_V, TABLE_ALONG, TABLES };

/* The sums wanted, as the bank's loops take them. */
void ct_modal_plan(ct_body *body);
/* Carried points go on by a sample's share of their way. */
void ct_modal_glide(ct_body *body);
/* Compliances and predictions are stale. */
void ct_modal_gains_changed(ct_body *body);
/* Losses of a mode over a step, and what rounding leaves of its energy balance; after its rule. */
void ct_modal_fill_losses(const ct_body *body, ct_level *level, uint32_t mode, ct_response_loss per_kg);
/* What a step will bring to the ledger, from the state before it and the forces gathered for it. */
void ct_modal_account(const ct_body *body, const ct_level *level, const ct_bank *bank, ct_tally *tally);

#endif
