/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts that open while their springs are loaded: the energy is lost, and booked. */
#include "evaluation.h"

/* Energies of one kind of law that wait to be booked together. */
struct released {
    int n;
    double energy[SCREE_BATCH];
};

static void book(struct scree_md_evaluation *e, struct released *released, int part)
{
    enum scree_loss channel = scree_law_release_channel((enum scree_law_kind)part);
    scree_account_add(&e->md->ledger.loss[channel], e->md->ledger.quantum, released->energy,
                      released->n, scree_near_is_cut(e->kind) ? 1 : 2);
    released->n = 0;
}

static void release(struct scree_md_evaluation *e, size_t k, struct released *released)
{
    const struct scree_near *near = e->near;
    const int32_t *species = e->scene->particles->species;
    bool wall = e->kind == SCREE_NEAR_WALL;
    int other = wall ? e->scene->walls->wall[near->j[k]].species : species[near->j[k]];
    const struct scree_pair_law *law =
        scree_laws_between(e->scene->laws, species[near->i[k]], other);
    const double *history = near->history + k * (size_t)e->scene->contacts->stride;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        if (law->law[part]->release == NULL) continue;
        struct released *to = &released[part];
        to->energy[to->n++] = law->law[part]->release(law->values[part], history, law->at[part]);
        if (to->n == SCREE_BATCH) book(e, to, part);
    }
}

void scree_md_release_opened(struct scree_md_evaluation *e)
{
    enum { BLOCK = 32 }; /* of a fixed length, for the compiler; most have nothing to release */
    const int32_t *touched = e->near->touched, before = e->epoch - 1;
    const size_t n = e->near->n;
    size_t k = 0;
    int64_t opened = 0;
    struct released released[SCREE_N_LAW_KINDS];
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) released[part].n = 0;
    for (; k + BLOCK <= n; k += BLOCK) {
        int32_t found = 0;
        for (size_t m = 0; m < BLOCK; m++) found -= touched[k + m] == before;
        if (found == 0) continue;
        opened -= found;
        for (size_t m = 0; m < BLOCK; m++)
            if (touched[k + m] == before) release(e, k + m, released);
    }
    for (; k < n; k++) {
        if (touched[k] != before) continue;
        opened++;
        release(e, k, released);
    }
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (released[part].n > 0) book(e, &released[part], part);
    e->md->half_ended += opened * (scree_near_is_cut(e->kind) ? 1 : 2);
}
