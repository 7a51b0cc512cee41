/* SPDX-License-Identifier: BSD-3-Clause
 * The problem of a step in one place, for files: bodies by id, drives behind them, contacts by
 * block and place, so that ranks leave no trace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "general.h"
#include "scree/alloc.h"

/* What moves in a body. */
struct mover {
    scree_gid gid;
    double inverse_mass, inverse_inertia, free[6];
};

/* Items of all ranks on rank 0. */
static size_t send_to_first(struct scree_comm *comm, const void *items, size_t n, size_t size,
                            void **all)
{
    int *count = scree_alloc(2 * (size_t)comm->n_ranks, sizeof *count);
    int *found = count + comm->n_ranks;
    memset(count, 0, 2 * (size_t)comm->n_ranks * sizeof *count);
    count[0] = (int)n;
    scree_comm_exchange(comm, count, items, size, found, all);
    size_t total = 0;
    for (int r = 0; r < comm->n_ranks; r++) total += (size_t)found[r];
    scree_alloc_free(count);
    return total;
}

static int compare_movers(const void *a, const void *b)
{
    const struct mover *x = a, *y = b;
    return x->gid < y->gid ? -1 : x->gid > y->gid;
}

static int compare_rows(const void *a, const void *b)
{
    const struct scree_cd_row *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static size_t collect_rows(const struct scree_cd_problem *p, int dim, struct scree_cd_row **all)
{
    struct scree_cd_row *row = scree_alloc(p->n_contacts + 1, sizeof *row);
    for (int b = 0; b < p->n_blocks; b++)
        for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++)
            scree_cd_find_row(p, dim, b, (size_t)c, &row[c]);
    size_t n = send_to_first(p->comm, row, p->n_contacts, sizeof *row, (void **)all);
    if (n > 0) qsort(*all, n, sizeof **all, compare_rows);
    scree_alloc_free(row);
    return n;
}

/* Bodies that can be moved, each once. */
static size_t collect_movers(const struct scree_cd_problem *p, struct mover **all)
{
    struct mover *mover = scree_alloc(p->n_bodies + 1, sizeof *mover);
    size_t n = 0, kept = 0;
    for (size_t b = 0; b < p->n_bodies; b++) {
        const struct scree_cd_body *body = &p->body[b];
        if (!(body->inverse_mass > 0.0) && !(body->inverse_inertia > 0.0)) continue;
        mover[n] = (struct mover){body->gid, body->inverse_mass, body->inverse_inertia, {0.0}};
        memcpy(mover[n++].free, body->free, sizeof body->free);
    }
    n = send_to_first(p->comm, mover, n, sizeof *mover, (void **)all);
    if (n > 0) qsort(*all, n, sizeof **all, compare_movers);
    for (size_t k = 0; k < n; k++)
        if (kept == 0 || (*all)[k].gid != (*all)[kept - 1].gid) (*all)[kept++] = (*all)[k];
    scree_alloc_free(mover);
    return kept;
}

static size_t find_mover(const struct mover *mover, size_t n, scree_gid gid)
{
    const struct mover key = {.gid = gid};
    const struct mover *found = bsearch(&key, mover, n, sizeof *mover, compare_movers);
    return (size_t)(found - mover);
}

/* A degree of freedom that nothing moves has mass 1 and no contact knows it. */
static void add_inertia(struct scree_cones_bodies *b, size_t dof, double inverse, double free)
{
    double mass = inverse > 0.0 ? 1.0 / inverse : 1.0;
    scree_cones_matrix_add(&b->m, (int64_t)dof, (int64_t)dof, mass);
    b->f[dof] = mass * free;
}

static void set_bodies(const struct scree_cd_problem *p, const struct mover *mover, size_t n,
                       struct scree_cones_bodies *b)
{
    const size_t n_dofs = 6 * n + (size_t)p->n_drives;
    b->f = scree_alloc(n_dofs + 1, sizeof *b->f);
    b->m.n_rows = b->m.n_columns = b->h.n_rows = (int64_t)n_dofs;
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < 6; a++)
            add_inertia(b, 6 * k + a, a < 3 ? mover[k].inverse_mass : mover[k].inverse_inertia,
                        mover[k].free[a]);
    for (int d = 0; d < p->n_drives; d++)
        add_inertia(b, 6 * n + (size_t)d, p->drive[d].inverse_mass, p->drive[d].free);
}

static void set_contact(const struct mover *mover, size_t n_movers, const struct scree_cd_row *row,
                        size_t c, struct scree_cones_bodies *b)
{
    const int dim = b->dim;
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0) continue;
        size_t body = find_mover(mover, n_movers, row->body[side]);
        for (int k = 0; k < dim; k++)
            for (size_t a = 0; a < 6; a++)
                if (row->of[side][k][a] != 0.0)
                    scree_cones_matrix_add(&b->h, (int64_t)(6 * body + a), (int64_t)c * dim + k,
                                           row->of[side][k][a]);
    }
    for (int d = 0; d < row->n_drives; d++)
        for (int k = 0; k < 3; k++)
            if (row->sweep[d][k] != 0.0)
                scree_cones_matrix_add(&b->h, (int64_t)(6 * n_movers) + row->drive[d],
                                       (int64_t)c * dim + k, row->sweep[d][k]);
    for (int k = 0; k < dim; k++) b->w[c * (size_t)dim + (size_t)k] = row->w[k];
    memcpy(b->limit[c], row->limit, sizeof row->limit);
}

static enum scree_status check_limits(const struct scree_cd_problem *p)
{
    for (int d = 0; d < p->n_drives; d++) {
        const struct scree_cd_drive *drive = &p->drive[d];
        SCREE_CHECK(drive->found >= drive->low && drive->found <= drive->high, SCREE_INPUT,
                    "a servo is held by its limit of speed or path, for which the general form of "
                    "a contact problem has no place");
    }
    return SCREE_OK;
}

enum scree_status scree_cd_collect(const struct scree_cd_problem *p, struct scree_cones_bodies *b,
                                   double **impulse)
{
    struct scree_cd_row *row;
    struct mover *mover;
    const int dim = scree_cd_row_dim(p);
    memset(b, 0, sizeof *b);
    *impulse = NULL;
    SCREE_CHECK(dim > 0, SCREE_INPUT,
                "contacts cohere, for which the general form of a contact problem has no place");
    SCREE_TRY(check_limits(p));
    b->dim = dim;
    b->n = collect_rows(p, dim, &row);
    size_t n_movers = collect_movers(p, &mover), n = b->n * (size_t)dim;
    if (p->comm->rank == 0) {
        set_bodies(p, mover, n_movers, b);
        b->h.n_columns = (int64_t)n;
        b->w = scree_alloc(n + 1, sizeof *b->w);
        b->limit = scree_alloc(b->n + 1, sizeof *b->limit);
        *impulse = scree_alloc(n + 1, sizeof **impulse);
        for (size_t c = 0; c < b->n; c++) {
            set_contact(mover, n_movers, &row[c], c, b);
            memcpy(*impulse + c * (size_t)dim, row[c].impulse, (size_t)dim * sizeof **impulse);
        }
    }
    scree_alloc_free(row);
    scree_alloc_free(mover);
    return SCREE_OK;
}
