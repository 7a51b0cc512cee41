/* SPDX-License-Identifier: BSD-3-Clause
 * The problem of a step as equations for velocities of bodies, numbered over all ranks: a body
 * belongs to the rank that owns its first block, drives belong to rank 0. */
#include "system.h"

#include <string.h>

#include "general.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* Where bodies are: the first of the six unknowns of each body that is known here. */
struct numbers {
    int32_t *of_body; /* [n_bodies] */
    int32_t first, n_own, first_drive;
    int64_t n_all;
    int32_t *own; /* [n_own / 6] bodies that belong here */
};

/* Bodies whose first block is here get numbers in the order of their copies; `mine` has them by
 * copy. */
static void number_own(const struct scree_cd_problem *p, struct numbers *n, double *mine)
{
    const int me = p->comm->rank, n_ranks = p->comm->n_ranks;
    int64_t count = 0, *counts = scree_alloc((size_t)n_ranks, sizeof *counts);
    n->own = scree_alloc(p->n_bodies + 1, sizeof *n->own);
    for (int b = 0; b < p->n_blocks; b++)
        for (int k = p->block_copies[b]; k < p->block_copies[b + 1]; k++) {
            int32_t body = p->copy_body[k];
            mine[k] = -1.0;
            if (p->member[p->first_member[body]] != p->block[b]) continue;
            mine[k] = (double)(6 * count);
            n->own[count++] = body;
        }
    n->n_own = (int32_t)(6 * count + (me == 0 ? p->n_drives : 0));
    count = n->n_own;
    scree_comm_allgather(p->comm, &count, sizeof count, counts);
    n->n_all = n->first = 0;
    for (int r = 0; r < n_ranks; r++) {
        if (r < me) n->first += (int32_t)counts[r];
        n->n_all += counts[r];
    }
    n->first_drive = (int32_t)counts[0] - p->n_drives;
    for (size_t k = 0; k < p->n_copies; k++)
        if (mine[k] >= 0.0) mine[k] += (double)n->first;
    scree_alloc_free(counts);
}

static void find_numbers(struct scree_cd_problem *p, struct numbers *n)
{
    double *mine = scree_alloc(p->n_copies + 1, sizeof *mine), *theirs;
    number_own(p, n, mine);
    scree_cd_tell_copies(p, mine, &theirs);
    n->of_body = scree_alloc(p->n_bodies + 1, sizeof *n->of_body);
    for (size_t k = 0; k < p->n_copies; k++)
        if (mine[k] >= 0.0) n->of_body[p->copy_body[k]] = (int32_t)mine[k];
    for (size_t s = 0; s < p->n_shares; s++) {
        const int32_t *at = p->share_copy + p->share[s].first;
        if (at[0] >= 0) continue;
        for (int k = 1; k < p->share[s].n; k++) /* the first block is another rank's */
            if (at[k] >= 0) n->of_body[p->copy_body[at[k]]] = (int32_t)theirs[-1 - at[0]];
    }
    scree_alloc_free(theirs);
    scree_alloc_free(mine);
}

/* What nothing moves has a mass, but no contact knows it. */
static void set_inertia(struct scree_cones_system *s, int32_t k, double inverse, double free)
{
    s->mass[k] = inverse > 0.0 ? 1.0 / inverse : 1.0;
    s->free[k] = free;
}

static void set_unknowns(const struct scree_cd_problem *p, const struct numbers *n,
                         struct scree_cones_system *s)
{
    s->first = n->first;
    s->n_own = n->n_own;
    s->n_all = n->n_all;
    s->mass = scree_alloc((size_t)n->n_own + 1, sizeof *s->mass);
    s->free = scree_alloc((size_t)n->n_own + 1, sizeof *s->free);
    const int32_t n_drives = p->comm->rank == 0 ? p->n_drives : 0;
    for (int32_t k = 0; k < n->n_own - n_drives; k++) {
        const struct scree_cd_body *body = &p->body[n->own[k / 6]];
        set_inertia(s, k, k % 6 < 3 ? body->inverse_mass : body->inverse_inertia,
                    body->free[k % 6]);
    }
    for (int32_t d = 0; d < n_drives; d++)
        set_inertia(s, n->n_own - n_drives + d, p->drive[d].inverse_mass, p->drive[d].free);
}

/* Unknowns of one contact behind those of the others. */
static size_t add_links(const struct scree_cd_problem *p, const struct numbers *n,
                        const struct scree_cd_row *row, size_t contact, size_t to,
                        struct scree_cones_system *s)
{
    const size_t dim = (size_t)s->dim;
    const int32_t copy[2] = {p->contact[contact].a, p->contact[contact].b};
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0) continue;
        for (int a = 0; a < 6; a++, to++) {
            s->right.unknown[to] = n->of_body[p->copy_body[copy[side]]] + a;
            for (size_t k = 0; k < dim; k++) s->right.value[to * dim + k] = row->of[side][k][a];
        }
    }
    for (int d = 0; d < row->n_drives; d++, to++) {
        s->right.unknown[to] = n->first_drive + row->drive[d];
        memset(s->right.value + to * dim, 0, dim * sizeof *s->right.value);
        memcpy(s->right.value + to * dim, row->sweep[d], 3 * sizeof *s->right.value);
    }
    return to;
}

static void set_contacts(const struct scree_cd_problem *p, const struct numbers *n, int dim,
                         struct scree_cones_system *s, double *r)
{
    const size_t most = 12 + SCREE_CD_ROW_DRIVES, size = (size_t)dim;
    size_t to = 0;
    s->right.start = scree_alloc(p->n_contacts + 1, sizeof *s->right.start);
    s->right.unknown = scree_alloc(p->n_contacts * most + 1, sizeof *s->right.unknown);
    s->right.value = scree_alloc(p->n_contacts * most * size + 1, sizeof *s->right.value);
    s->w = scree_alloc(p->n_contacts * size + 1, sizeof *s->w);
    s->scale = scree_alloc(p->n_contacts * size + 1, sizeof *s->scale);
    s->limit = scree_alloc(p->n_contacts + 1, sizeof *s->limit);
    for (int b = 0; b < p->n_blocks; b++)
        for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++) {
            struct scree_cd_row row;
            const size_t at = (size_t)c;
            const struct scree_cd_contact *contact = &p->contact[at];
            scree_cd_find_row(p, dim, b, at, &row);
            s->right.start[at] = to;
            to = add_links(p, n, &row, at, to, s);
            memcpy(s->w + at * size, row.w, size * sizeof *s->w);
            memcpy(r + at * size, row.impulse, size * sizeof *r);
            memcpy(s->limit[at], row.limit, sizeof row.limit);
            for (size_t k = 0; k < size; k++) {
                double weight =
                    contact->weight_n > contact->weight_t ? contact->weight_n : contact->weight_t;
                if (k >= 3) weight = p->extra[at].weight_r;
                s->scale[at * size + k] = weight > 0.0 ? weight : 1.0;
            }
        }
    s->right.start[p->n_contacts] = to;
}

void scree_cd_make_system(struct scree_cd_problem *p, int dim, struct scree_cones_system *s,
                          double **r)
{
    struct numbers numbers;
    memset(s, 0, sizeof *s);
    s->comm = p->comm;
    s->dim = dim;
    s->n = p->n_contacts;
    *r = scree_alloc(p->n_contacts * (size_t)dim + 1, sizeof **r);
    find_numbers(p, &numbers);
    set_unknowns(p, &numbers, s);
    set_contacts(p, &numbers, dim, s, *r);
    scree_alloc_free(numbers.of_body);
    scree_alloc_free(numbers.own);
}

void scree_cd_set_impulses(struct scree_cd_problem *p, int dim, const double *r)
{
    for (size_t c = 0; c < p->n_contacts; c++) {
        const double *of = r + c * (size_t)dim;
        double frame[3][3];
        scree_cd_find_frame(p->contact[c].normal, frame);
        p->impulse[c].n = of[0];
        for (int a = 0; a < 3; a++) p->impulse[c].t[a] = of[1] * frame[1][a] + of[2] * frame[2][a];
        if (dim <= 3) continue;
        for (int a = 0; a < 3; a++) {
            p->couple[c][a] = of[3] * frame[1][a] + of[4] * frame[2][a];
            if (dim == 6) p->couple[c][a] += of[5] * frame[0][a];
        }
    }
}
