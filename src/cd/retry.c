/* SPDX-License-Identifier: BSD-3-Clause
 * The coming step solved again from other first guesses and in other orders (PHYSICS C12), without
 * going on: what differs are the forces that the law of contacts leaves open. */
#include "scree/retry.h"

#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "general.h"
#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/rng.h"
#include "scree/vec.h"

/* Mean normal impulse of contacts that act. Collective. */
static double mean_impulse(const struct scree_cd_problem *p)
{
    struct scree_exact sum;
    int64_t n = 0;
    scree_exact_clear(&sum);
    for (size_t c = 0; c < p->n_contacts; c++) {
        if (!(p->impulse[c].n > 0.0)) continue;
        scree_exact_add(&sum, p->impulse[c].n);
        n++;
    }
    scree_comm_sum_exact(p->comm, &sum, 1);
    scree_comm_sum_int(p->comm, &n, 1);
    return n > 0 ? scree_exact_value(&sum) / (double)n : 0.0;
}

/* Numbers of a contact that depend on its identity only. */
static void draw_impulse(const struct scree_cd_contact *c, const struct scree_cd_record *r,
                         uint64_t seed, double mean, struct scree_cd_impulse *impulse)
{
    const int64_t identity[] = {r->first, r->second, r->image[0], r->image[1], r->image[2]};
    const struct scree_rng_key key = {.seed = seed ^ scree_hash_record(identity, sizeof identity),
                                      .purpose = SCREE_RNG_RETRY};
    double t[3];
    impulse->n = 2.0 * mean * scree_rng_uniform(&key, 0);
    for (int k = 0; k < 3; k++) t[k] = scree_rng_normal(&key, 1 + (uint32_t)k);
    double along = scree_vec_dot(t, c->normal);
    for (int k = 0; k < 3; k++) t[k] -= along * c->normal[k];
    double size = c->friction * impulse->n * scree_rng_uniform(&key, 4) / scree_vec_norm(t);
    for (int k = 0; k < 3; k++) impulse->t[k] = size * t[k];
}

static void set_start(const struct scree_cd *cd, const struct scree_retry *retry,
                      struct scree_cd_problem *p)
{
    double mean = mean_impulse(p);
    if (retry->start == SCREE_RETRY_WARM) return;
    for (size_t c = 0; c < p->n_contacts; c++) {
        bool acts = p->impulse[c].n > 0.0;
        p->impulse[c] = (struct scree_cd_impulse){0.0, {0.0, 0.0, 0.0}};
        if (p->couple != NULL) memset(p->couple[c], 0, sizeof p->couple[c]);
        if (acts && retry->start == SCREE_RETRY_RANDOM)
            draw_impulse(&p->contact[c], &cd->all[p->record[c]], retry->forces, mean,
                         &p->impulse[c]);
    }
}

static void show_contacts(const struct scree_cd *cd, const struct scree_retry *retry,
                          const struct scree_cd_problem *p)
{
    for (size_t c = 0; c < p->n_contacts; c++) {
        const struct scree_cd_record *r = &cd->all[p->record[c]];
        struct scree_retry_contact shown = {.first = r->first, .second = r->second};
        double length = r->arm[0] + (r->second < 0 ? 0.0 : r->arm[1]);
        memcpy(shown.image, r->image, sizeof shown.image);
        memcpy(shown.normal, r->normal, sizeof shown.normal);
        for (int k = 0; k < 3; k++) {
            shown.branch[k] = length * r->normal[k];
            shown.force[k] = (p->impulse[c].n * r->normal[k] + p->impulse[c].t[k]) / p->dt;
        }
        retry->contact(retry->context, &shown);
    }
}

/* By the owner of its first block. */
static void show_grains(const struct scree_retry *retry, const struct scree_cd_problem *p)
{
    for (int b = 0; b < p->n_blocks; b++)
        for (int k = p->block_copies[b]; k < p->block_copies[b + 1]; k++) {
            const struct scree_cd_body *body = &p->body[p->copy_body[k]];
            struct scree_retry_grain shown = {.gid = body->gid};
            if (p->member[p->first_member[p->copy_body[k]]] != p->block[b]) continue;
            if (!(body->inverse_mass > 0.0)) continue;
            memcpy(shown.velocity, p->copy[k].v, sizeof shown.velocity);
            for (int a = 0; a < 3; a++) shown.change[a] = body->free[a] - body->before[a];
            retry->grain(retry->context, &shown);
        }
}

static enum scree_status show_problem(const struct scree_retry *retry,
                                      const struct scree_cd_problem *p)
{
    struct scree_cones_bodies bodies;
    double *impulse;
    enum scree_status status = scree_cd_collect(p, &bodies, &impulse);
    if (status == SCREE_OK && p->comm->rank == 0)
        status = retry->problem(retry->context, &bodies, impulse);
    scree_cones_bodies_clear(&bodies);
    scree_alloc_free(impulse);
    return scree_comm_agree(p->comm, status);
}

enum scree_status scree_cd_retry(void *state, struct scree_scene *scene, struct scree_retry *retry)
{
    struct scree_cd *cd = state;
    struct scree_cd_values values = *cd->values;
    const struct scree_cd_values *usual = cd->values;
    const uint64_t seed = cd->seed;
    bool complete = false;
    if (!cd->tried) scree_cd_begin_step(cd, scene);
    cd->tried = true;
    values.warm_start = true; /* other starts take the place of this one */
    if (retry->order != 0) values.order = SCREE_CD_ORDER_DRAWN;
    cd->values = &values;
    cd->seed = seed ^ retry->order;
    enum scree_status status = SCREE_OK;
    while (!complete && status == SCREE_OK) {
        struct scree_cd_problem problem;
        struct scree_cd_outcome outcome;
        status = scree_cd_find_problem(cd, scene, &problem);
        if (status != SCREE_OK) break;
        set_start(cd, retry, &problem);
        complete = scree_cd_solve(cd, &problem, &outcome);
        if (complete) {
            retry->sweeps = outcome.sweeps;
            retry->residual = outcome.residual;
            retry->converged = outcome.converged;
            if (retry->contact != NULL) show_contacts(cd, retry, &problem);
            if (retry->grain != NULL) show_grains(retry, &problem);
            if (retry->problem != NULL) status = show_problem(retry, &problem);
        }
        scree_cd_problem_clear(&problem);
        scree_cd_restore_velocities(cd, scene->particles);
    }
    cd->values = usual;
    cd->seed = seed;
    return status;
}
