/* SPDX-License-Identifier: BSD-3-Clause
 * What there is to say of the contacts of a batch, after the laws. */
#include <math.h>
#include <string.h>

#include "evaluation.h"

/* What the parts of a law say, each for itself. */
struct views {
    const struct scree_law_view *of[SCREE_N_LAW_KINDS];
    struct scree_law_view own[SCREE_N_LAW_KINDS]; /* of those that say something */
};

static void inspect(const struct scree_md_batch *batch, const struct scree_pair_law *law,
                    struct views *view)
{
    static const struct scree_law_view nothing;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        struct scree_law_view *own = &view->own[part];
        view->of[part] = &nothing;
        if (law->law[part]->inspect == NULL) continue;
        memset(own, 0, sizeof *own);
        law->law[part]->inspect(&batch->b, law->values[part], law->at[part], own);
        view->of[part] = own;
    }
}

/* J; what the steps of a leapfrog store beyond the energies of contacts. */
static void find_scheme(const struct scree_md_evaluation *e, const struct views *view,
                        double *scheme)
{
    double leap = e->scene->integrator == SCREE_INTEGRATOR_LEAPFROG ? e->scene->dt : 0.0;
    for (int k = 0; k < e->md->batch->b.n; k++)
        scheme[k] =
            (view->of[SCREE_LAW_NORMAL]->scheme[k] + view->of[SCREE_LAW_TANGENTIAL]->scheme[k]) *
            leap * leap;
}

static void tell_stored(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                        const struct views *view, const double *scheme)
{
    const struct scree_md_batch *batch = e->md->batch;
    double power[SCREE_BATCH];
    struct scree_md_stored stored = {.n = batch->n_real, .scheme = scheme};
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (law->law[part]->inspect != NULL) stored.energy[part] = view->of[part]->energy;
    if (batch->b.wall) {
        for (int k = 0; k < batch->n_real; k++) power[k] = scree_md_power_to_wall(batch, law, k);
        stored.power_to_wall = power;
    }
    scree_md_add_stored(e->sums, &stored);
}

static void tell_details(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         const struct views *view, const double *scheme,
                         const struct scree_md_queue *queue)
{
    const struct scree_md_batch *batch = e->md->batch;
    const struct scree_batch *b = &batch->b;
    const struct scree_law *tangential = law->law[SCREE_LAW_TANGENTIAL];
    const void *values = law->values[SCREE_LAW_TANGENTIAL];
    double friction = tangential->friction != NULL ? tangential->friction(values) : INFINITY;
    for (int k = 0; k < queue->n; k++) {
        struct scree_contact_detail detail = {0};
        const double n[3] = {b->nx[k], b->ny[k], b->nz[k]},
                     ft[3] = {b->ftx[k], b->fty[k], b->ftz[k]};
        const double couple[3] = {b->cx[k], b->cy[k], b->cz[k]};
        for (int c = 0; c < 3; c++) {
            detail.force[c] = b->fn[k] * n[c] + ft[c];
            detail.normal[c] = n[c];
            detail.couple[c] = scree_md_has_couples(law) ? couple[c] : 0.0;
        }
        if (b->wall) detail.power_to_wall = scree_md_power_to_wall(batch, law, k);
        detail.normal_force = b->fn[k];
        detail.overlap = b->overlap[k];
        detail.scheme = scheme[k];
        detail.reduced_mass = b->m_eff[k];
        detail.damping = view->of[SCREE_LAW_NORMAL]->damping[k];
        detail.approach = -b->vn[k];
        detail.slip[0] = b->vtx[k];
        detail.slip[1] = b->vty[k];
        detail.slip[2] = b->vtz[k];
        /* A tangential force also turns the grains: it moves the contact point more easily. */
        detail.stiffness = fmax(view->of[SCREE_LAW_NORMAL]->stiffness[k],
                                b->ease * view->of[SCREE_LAW_TANGENTIAL]->stiffness[k]);
        double size = sqrt(ft[0] * ft[0] + ft[1] * ft[1] + ft[2] * ft[2]);
        detail.slides = size > 0.0 && size >= friction * fabs(b->grip[k]) * (1.0 - 1e-9);
        for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
            detail.energy[part] = view->of[part]->energy[k];
        e->listen(e->context, e->kind, queue->near[k], &detail);
    }
}

/* Laws may ask how contacts turned in the last step. In such a step it is known if they need it for
 * their forces, too. */
static void gather_turn(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                        const uint32_t *place)
{
    const double dt = e->scene->dt;
    if (law->shape.needs & SCREE_NEEDS_TURN && e->dt == dt && !e->md->batch->b.mean) return;
    if (e->kind == SCREE_NEAR_WALL)
        scree_md_gather_wall_turn(e->md->batch, e->scene->particles, e->scene->walls,
                                  e->md->wall_contact, place, dt);
    else
        scree_md_gather_turn(e->md->batch, dt);
}

void scree_md_tell(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                   const struct scree_md_queue *queue)
{
    struct views view;
    double scheme[SCREE_BATCH];
    gather_turn(e, law, queue->near);
    inspect(e->md->batch, law, &view);
    find_scheme(e, &view, scheme);
    if (e->sums != NULL) tell_stored(e, law, &view, scheme);
    if (e->listen != NULL) tell_details(e, law, &view, scheme, queue);
}
