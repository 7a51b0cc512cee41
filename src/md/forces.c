/* SPDX-License-Identifier: BSD-3-Clause
 * Contact forces of all near pairs: find those that touch, collect them in batches of one pair of
 * materials, let the laws work on the batch, add the results to the grains as integers. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"
#include "scree/status.h"

struct evaluation {
    struct scree_md *md;
    struct scree_scene *scene;
    struct scree_near *near;
    enum scree_near_kind kind;
    double dt;
    int32_t epoch; /* of this evaluation; history is valid if touched in the one before */
};

static double overlap_share(const struct evaluation *e, const struct scree_pair_law *law)
{
    if (law->lever == SCREE_LEVER_RADIUS) return 0.0;
    return e->kind == SCREE_NEAR_WALL ? 1.0 : 0.5;
}

static void name_partners(struct evaluation *e, const struct scree_md_queue *queue)
{
    struct scree_md_batch *batch = e->md->batch;
    int n = queue->n;
    for (int k = 0; k < n; k++) {
        batch->i[k] = e->near->i[queue->near[k]];
        batch->j[k] = e->near->j[queue->near[k]];
    }
    batch->n_real = n;
    batch->b.n = (n + SCREE_BATCH_PAD - 1) / SCREE_BATCH_PAD * SCREE_BATCH_PAD;
    for (int k = n; k < batch->b.n; k++) {
        batch->i[k] = batch->i[n - 1];
        batch->j[k] = batch->j[n - 1];
    }
}

/* History rows of a contact that did not touch in the last evaluation are stale and read as 0. */
static void load_history(struct evaluation *e, const struct scree_md_queue *queue)
{
    struct scree_md_batch *batch = e->md->batch;
    int stride = e->scene->contacts->stride, n = batch->b.n;
    for (int first = 0; first < stride; first += 4) {
        for (int k = 0; k < n; k++) {
            size_t at = queue->near[k < queue->n ? k : queue->n - 1];
            double live = e->near->touched[at] == e->epoch - 1 ? 1.0 : 0.0;
            const double *row = e->near->history + at * (size_t)stride + first;
            const scree_row none = {0.0, 0.0, 0.0, 0.0};
            scree_row_store(batch->rows[k], live != 0.0 ? scree_row_at(row) : none);
        }
        for (int k = 0; k < n; k++)
            for (int s = 0; s < 4; s++) batch->b.history[first + s][k] = batch->rows[k][s];
    }
}

static void store_history(struct evaluation *e, const struct scree_md_queue *queue)
{
    struct scree_md_batch *batch = e->md->batch;
    int stride = e->scene->contacts->stride, n = batch->b.n;
    for (int first = 0; first < stride; first += 4) {
        for (int k = 0; k < n; k++)
            for (int s = 0; s < 4; s++) batch->rows[k][s] = batch->b.history[first + s][k];
        for (int k = 0; k < queue->n; k++) {
            size_t at = queue->near[k];
            scree_row_store(e->near->history + at * (size_t)stride + first,
                            scree_row_at(batch->rows[k]));
        }
    }
    for (int k = 0; k < queue->n; k++) e->near->touched[queue->near[k]] = e->epoch;
}

static inline void add_row(int64_t *to, scree_row_int row)
{
    scree_row_int_store(to, scree_row_int_at(to) + row);
}

static void scatter_to_both(const struct scree_md_batch *batch, struct scree_particles *p)
{
    for (int k = 0; k < batch->n_real; k++) {
        int64_t *i = p->load[batch->i[k]], *j = p->load[batch->j[k]];
        scree_row_int force = scree_row_int_at(batch->load_i[k]);
        add_row(i, force);
        add_row(i + 4, scree_row_int_at(batch->load_i[k] + 4));
        add_row(j, -force);
        add_row(j + 4, scree_row_int_at(batch->torque_j[k]));
    }
}

static void scatter_to_first(const struct scree_md_batch *batch, struct scree_particles *p)
{
    for (int k = 0; k < batch->n_real; k++) {
        int64_t *i = p->load[batch->i[k]];
        add_row(i, scree_row_int_at(batch->load_i[k]));
        add_row(i + 4, scree_row_int_at(batch->load_i[k] + 4));
    }
}

static void scatter_to_wall(const struct scree_md_batch *batch, struct scree_wall *wall)
{
    for (int k = 0; k < batch->n_real; k++)
        for (int c = 0; c < 3; c++) scree_wide_add(&wall->force[c], -batch->load_i[k][c]);
}

/* A force that does not fit into its integer means that the run has gone wrong: say where. */
static void report_overflow(struct evaluation *e)
{
    const struct scree_md_batch *batch = e->md->batch;
    const struct scree_particles *p = e->scene->particles;
    int worst = 0;
    for (int k = 0; k < batch->n_real; k++)
        if (!(fabs(batch->b.fn[k]) <= fabs(batch->b.fn[worst]))) worst = k;
    char partner[64];
    if (e->kind == SCREE_NEAR_WALL)
        snprintf(partner, sizeof partner, "wall '%s'", e->scene->walls->wall[batch->j[worst]].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)p->gid[batch->j[worst]]);
    e->md->status = SCREE_FAIL(
        SCREE_PHYSICS,
        "step %lld: the contact of grain %lld with %s has force %g N (overlap %g m, radius %g m), "
        "beyond the largest that can be summed, %g N: the run is unstable; use a smaller time step",
        (long long)e->md->step, (long long)p->gid[batch->i[worst]], partner, batch->b.fn[worst],
        batch->b.overlap[worst], batch->b.r_i[worst], ldexp(e->md->force_quantum, 51));
}

/* One batch from gathering to adding up. */
static void flush(struct evaluation *e, const struct scree_pair_law *law,
                  struct scree_md_queue *queue)
{
    struct scree_md *md = e->md;
    struct scree_md_batch *batch = md->batch;
    struct scree_particles *p = e->scene->particles;
    double share = overlap_share(e, law);

    batch->b.dt = e->dt;
    name_partners(e, queue);
    load_history(e, queue);
    if (e->kind == SCREE_NEAR_WALL)
        scree_md_gather_walls(batch, p, &e->scene->walls->wall[batch->j[0]]);
    else
        scree_md_gather_grains(batch, p);
    scree_md_contact_kinematics(batch, share);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        law->law[part]->apply(&batch->b, law->values[part], law->first_history[part]);
    store_history(e, queue);
    if (!scree_md_round_loads(batch, share, md->inverse_force, md->inverse_torque) &&
        md->status == SCREE_OK)
        report_overflow(e);
    if (e->kind == SCREE_NEAR_INTERIOR)
        scatter_to_both(batch, p);
    else
        scatter_to_first(batch, p);
    if (e->kind == SCREE_NEAR_WALL) scatter_to_wall(batch, &e->scene->walls->wall[batch->j[0]]);
    queue->n = 0;
}

static inline bool touches(const double *restrict a, const double *restrict b)
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], reach = a[3] + b[3];
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

/* The usual case of one material: every touching pair goes into the same queue. Candidates are
 * written behind the queue and counted if they touch, so that no branch depends on the data. */
static void find_touching_of_one(struct evaluation *e)
{
    struct scree_md_queue *queue = e->md->queue;
    const struct scree_particles *p = e->scene->particles;
    const scree_lid *restrict i = e->near->i;
    const int32_t *restrict j = e->near->j;
    size_t k = 0, n_near = e->near->n, stride = (size_t)e->scene->contacts->stride;
    while (k < n_near) {
        size_t end = k + (size_t)(SCREE_MD_QUEUE - queue->n);
        if (end > n_near) end = n_near;
        int n = queue->n;
        for (; k < end; k++) {
            queue->near[n] = (uint32_t)k;
            n += touches(p->pos[i[k]], p->pos[j[k]]);
            /* Most near pairs touch: fetch what the batch will need, and the next positions. */
            __builtin_prefetch(p->pos[j[k + SCREE_NEAR_AHEAD]]);
            __builtin_prefetch(p->vel[j[k]]);
            __builtin_prefetch(p->spin[j[k]]);
            __builtin_prefetch(p->load[j[k]], 1);
            __builtin_prefetch(e->near->history + k * stride, 1);
        }
        queue->n = n;
        /* Nearly full is full: otherwise the last places would be filled a pair at a time. */
        if (n > SCREE_MD_QUEUE - SCREE_BATCH_PAD) flush(e, &e->scene->laws->pair[0], queue);
    }
}

static void find_touching(struct evaluation *e)
{
    const struct scree_particles *p = e->scene->particles;
    const struct scree_laws *laws = e->scene->laws;
    for (size_t k = 0; k < e->near->n; k++) {
        scree_lid i = e->near->i[k], j = e->near->j[k];
        if (!touches(p->pos[i], p->pos[j])) continue;
        int pair = laws->table[p->species[i] * laws->n_materials + p->species[j]];
        struct scree_md_queue *queue = &e->md->queue[pair];
        queue->near[queue->n++] = (uint32_t)k;
        if (queue->n == SCREE_MD_QUEUE) flush(e, &laws->pair[pair], queue);
    }
}

/* Walls come one after the other in the near list; a batch never mixes two of them. */
static void find_touching_walls(struct evaluation *e)
{
    const struct scree_particles *p = e->scene->particles;
    const struct scree_laws *laws = e->scene->laws;
    for (int w = 0; w < e->scene->walls->n; w++)
        for (int c = 0; c < 3; c++) e->scene->walls->wall[w].force[c] = (struct scree_wide){0, 0};
    for (size_t k = 0; k < e->near->n; k++) {
        int32_t w = e->near->j[k];
        scree_lid i = e->near->i[k];
        const struct scree_wall *wall = &e->scene->walls->wall[w];
        double gap, normal[1][3], velocity[1][3];
        wall->shape->locate(wall, 1, (const double(*)[4]) & p->pos[i], &gap, normal, velocity);
        int pair = laws->table[p->species[i] * laws->n_materials + wall->species];
        struct scree_md_queue *queue = &e->md->queue[pair];
        if (gap < 0.0) queue->near[queue->n++] = (uint32_t)k;
        bool last = k + 1 == e->near->n || e->near->j[k + 1] != w;
        for (int q = 0; q < laws->n_pairs; q++)
            if (e->md->queue[q].n == SCREE_MD_QUEUE || (last && e->md->queue[q].n > 0))
                flush(e, &laws->pair[q], &e->md->queue[q]);
    }
}

void scree_md_add_forces(struct scree_md *md, struct scree_scene *scene, enum scree_near_kind kind,
                         double dt)
{
    struct evaluation e = {
        .md = md, .scene = scene, .near = &scene->contacts->near[kind], .kind = kind, .dt = dt};
    e.epoch = e.near->epoch + 1;
    if (kind == SCREE_NEAR_WALL)
        find_touching_walls(&e);
    else if (scene->laws->n_pairs == 1)
        find_touching_of_one(&e);
    else
        find_touching(&e);
    for (int q = 0; q < scene->laws->n_pairs; q++)
        if (md->queue[q].n > 0) flush(&e, &scene->laws->pair[q], &md->queue[q]);
    e.near->epoch = e.epoch;
}
