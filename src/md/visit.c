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

static void tell_stored(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                        const struct views *view, const struct scree_md_queue *queue)
{
    const struct scree_md_batch *batch = e->md->batch;
    double power[SCREE_BATCH];
    struct scree_md_stored stored = {.n = batch->n_real};
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (law->law[part]->inspect != NULL) {
            stored.energy[part] = view->of[part]->energy;
            stored.power[part] = view->of[part]->power;
        }
    if (batch->b.wall) {
        for (int k = 0; k < batch->n_real; k++)
            power[k] = scree_md_power_to_wall(e, law, queue->near[k], k);
        stored.power_to_wall = power;
    }
    scree_md_add_stored(e->sums, &stored);
}

static void tell_details(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         const struct views *view, const struct scree_md_queue *queue)
{
    const struct scree_batch *b = &e->md->batch->b;
    const struct scree_law_view *normal = view->of[SCREE_LAW_NORMAL];
    const struct scree_law_view *tangential = view->of[SCREE_LAW_TANGENTIAL];
    /* A tangential force also turns the grains: it moves the contact point more easily. */
    const double tangential_mobility = 1.0 + 1.0 / e->scene->inertia_factor;
    double turned[SCREE_HISTORY_MAX];
    for (int k = 0; k < queue->n; k++) {
        struct scree_md_contact contact = {.kind = e->kind, .place = queue->near[k]};
        scree_md_view_contact(e, law, k, turned, &contact);
        contact.reduced_mass = b->m_eff[k];
        contact.damping = normal->damping[k];
        contact.stiffness =
            fmax(normal->stiffness[k], tangential_mobility * tangential->stiffness[k]);
        e->listen(e->context, &contact.seen);
    }
}

void scree_md_visit_batch(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const struct scree_md_queue *queue)
{
    struct views view;
    inspect(e->md->batch, law, &view);
    if (e->sums != NULL) tell_stored(e, law, &view, queue);
    if (e->listen != NULL) tell_details(e, law, &view, queue);
}
