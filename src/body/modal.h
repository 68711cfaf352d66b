/* What the files of the modal body share. */
#ifndef CT_BODY_MODAL_H
#define CT_BODY_MODAL_H

#include "body/body.h"
#include "body/response.h"

/* Tables of mode shapes, see ct_modal.table. */
enum { TABLE_U, TABLE_V, TABLE_ALONG, TABLES };

/* The sums wanted, as the bank's loops take them. */
void ct_modal_plan(ct_body *body);
/* Carried points go on by so many samples' share of their way: gains change. */
void ct_modal_glide(ct_body *body, uint32_t samples);
/* Rows of a glide over the masses; the root of the sum of its steps' squares. */
void ct_modal_divide_glide(const ct_body *body, const ct_port *port);
double ct_modal_step_size(const ct_body *body, const ct_port *port);
/* A port that glides gets the gains of this sample; how far it slides by it. */
double ct_modal_glide_port(const ct_body *body, ct_port *port);
/* So do all ports that lag. */
void ct_modal_catch_up(ct_body *body);
/* Whether the one port that is touched or pushed is the one that glides. */
void ct_modal_find_glide(ct_body *body);
/* Compliances, and sums over the modes, are stale. */
void ct_modal_gains_changed(ct_body *body);
/* Losses of a mode over a step, and what rounding leaves of its energy balance; after its rule. */
void ct_modal_fill_losses(const ct_body *body, ct_level *level, uint32_t mode, ct_response_loss per_kg);
/* What a step will bring to the ledger, from the state before it and the forces gathered for it. */
void ct_modal_account(const ct_body *body, const ct_level *level, const ct_bank *bank, ct_tally *tally);

/* modal_rest.c: see ct_body_kind. */
double ct_modal_stored(const ct_body *body);
bool ct_modal_on_tick(ct_body *body);
ct_pace ct_modal_pace(const ct_body *body);
double ct_modal_rest(ct_body *body);
void ct_modal_drift(ct_body *body, double seconds);

/* modal_residual.c: what the modes left out yield; only where ct_modal.residual says so. */
static inline bool ct_residual_is(const ct_body *body) { return body->as.modal.residual.compliance_m_n > 0; }
/* How far a touched port yields per newton over a step of a level, m/N. */
double ct_residual_step(const ct_body *body, uint32_t level);
void ct_residual_predict(ct_body *body, uint32_t level);
/* Before contact forces are taken from the ports; `tally` may be null. */
void ct_residual_advance(ct_body *body, uint32_t level, ct_tally *tally);
double ct_residual_stored(const ct_body *body);
/* Mass and pitch have become so many times what was given. */
void ct_residual_follow(ct_body *body, double mass, double pitch);

#endif
