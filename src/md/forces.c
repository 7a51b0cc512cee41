/* SPDX-License-Identifier: BSD-3-Clause
 * Contact forces of all near pairs: find those that touch, collect them in batches of one pair of
 * materials, let the laws work on the batch, add the results to the grains as integers. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"
#include "scree/status.h"

enum { BATCHES_PER_POKE = 8 }; /* about 30 microseconds of work */

struct evaluation {
    struct scree_md *md;
    struct scree_scene *scene;
    struct scree_near *near;
    enum scree_near_kind kind;
    double dt;
    int32_t epoch;       /* of this evaluation; history is valid if touched in the one before */
    double (*wanted)[3]; /* if not NULL: only tell the forces, by place in the near list */
};

static double overlap_share(const struct evaluation *e, const struct scree_pair_law *law)
{
    if (law->lever == SCREE_LEVER_RADIUS) return 0.0;
    return e->kind == SCREE_NEAR_WALL ? 1.0 : 0.5;
}

/* Who touches whom, filled up with the last contact to whole vectors. */
static void name_partners(struct evaluation *e, struct scree_md_queue *queue)
{
    struct scree_md_batch *batch = e->md->batch;
    const scree_lid *near_i = e->near->i;
    const int32_t *near_j = e->near->j;
    int n = queue->n;
    batch->n_real = n;
    batch->b.n = (n + SCREE_BATCH_PAD - 1) / SCREE_BATCH_PAD * SCREE_BATCH_PAD;
    for (int k = n; k < batch->b.n; k++) queue->near[k] = queue->near[n - 1];
    for (int k = 0; k < batch->b.n; k++) {
        batch->i[k] = near_i[queue->near[k]];
        batch->j[k] = near_j[queue->near[k]];
    }
}

/* History rows of a contact that did not touch in the last evaluation are stale and read as 0. The
 * padding reads the last contact again. */
static void load_history(struct evaluation *e, const struct scree_md_queue *queue)
{
    struct scree_batch *b = &e->md->batch->b;
    const size_t stride = (size_t)e->scene->contacts->stride;
    const double *history = e->near->history;
    const int32_t *touched = e->near->touched, before = e->epoch - 1;
    const scree_row none = {0.0, 0.0, 0.0, 0.0};
    double *known = e->md->batch->known;
    for (int k = 0; k < b->n; k++) known[k] = touched[queue->near[k]] == before ? 1.0 : 0.0;
    for (size_t s = 0; s < stride; s += 4)
        for (int k = 0; k < b->n; k += 4) {
            scree_row rows[4];
            for (int m = 0; m < 4; m++) {
                size_t at = queue->near[k + m];
                rows[m] = touched[at] == before ? scree_row_at(history + at * stride + s) : none;
            }
            scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
            for (int c = 0; c < 4; c++) scree_row_store(&b->history[s + (size_t)c][k], rows[c]);
        }
}

static void store_history(struct evaluation *e, const struct scree_md_queue *queue)
{
    const struct scree_batch *b = &e->md->batch->b;
    const size_t stride = (size_t)e->scene->contacts->stride;
    double *history = e->near->history;
    int32_t *touched = e->near->touched, now = e->epoch;
    for (size_t s = 0; s < stride; s += 4)
        for (int k = 0; k < b->n; k += 4) {
            scree_row rows[4];
            for (int c = 0; c < 4; c++) rows[c] = scree_row_at(&b->history[s + (size_t)c][k]);
            scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
            for (int m = 0; m < 4; m++)
                scree_row_store(history + queue->near[k + m] * stride + s, rows[m]);
        }
    for (int k = 0; k < queue->n; k++) touched[queue->near[k]] = now;
}

/* A load that does not fit into its integer means that the run has gone wrong: say where. */
static int find_worst(const struct scree_md_batch *batch, double *force)
{
    int worst = 0;
    double largest = -1.0;
    for (int k = 0; k < batch->n_real; k++) {
        double size = 0.0, twist = 0.0;
        for (int c = 0; c < 3; c++) {
            size += batch->force[c][k] * batch->force[c][k];
            twist += fabs(batch->torque_i[c][k]) + fabs(batch->torque_j[c][k]);
        }
        size = sqrt(size);
        if (size + twist <= largest) continue;
        *force = size;
        worst = k;
        if (!(size + twist >= 0.0)) break; /* not a number: nothing is worse */
        largest = size + twist;
    }
    return worst;
}

static void report_overflow(struct evaluation *e)
{
    const struct scree_md_batch *batch = e->md->batch;
    const struct scree_particles *p = e->scene->particles;
    double force = 0.0;
    int worst = find_worst(batch, &force);
    char partner[64];
    if (e->kind == SCREE_NEAR_WALL)
        snprintf(partner, sizeof partner, "wall '%s'", e->scene->walls->wall[batch->j[worst]].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)p->gid[batch->j[worst]]);
    e->md->status = SCREE_FAIL(
        SCREE_PHYSICS,
        "step %lld: the contact of grain %lld with %s has force %g N (overlap %g m, radius %g m); "
        "it or its torque is beyond what can be summed (%g N): the run is unstable; use a smaller "
        "time step",
        (long long)e->md->step, (long long)p->gid[batch->i[worst]], partner,
        force * e->md->force_quantum, batch->b.overlap[worst], batch->b.r_i[worst],
        ldexp(e->md->force_quantum, 51));
}

static void tell_forces(struct evaluation *e, const struct scree_md_queue *queue)
{
    const struct scree_batch *b = &e->md->batch->b;
    for (int k = 0; k < queue->n; k++) {
        double *force = e->wanted[queue->near[k]];
        force[0] = b->fn[k] * b->nx[k] + b->ftx[k];
        force[1] = b->fn[k] * b->ny[k] + b->fty[k];
        force[2] = b->fn[k] * b->nz[k] + b->ftz[k];
    }
}

/* One batch from gathering to adding up. */
static void flush(struct evaluation *e, const struct scree_pair_law *law,
                  struct scree_md_queue *queue)
{
    struct scree_md *md = e->md;
    struct scree_md_batch *batch = md->batch;
    struct scree_particles *p = e->scene->particles;
    double share = overlap_share(e, law);

    bool synchronised = law->timing == SCREE_TIMING_SYNCHRONISED && md->half_step;
    batch->b.half = synchronised ? 0.5 * e->scene->dt : 0.0;
    name_partners(e, queue);
    load_history(e, queue);
    if (e->kind == SCREE_NEAR_WALL)
        scree_md_gather_walls(batch, p, &e->scene->walls->wall[batch->j[0]]);
    else
        scree_md_gather_grains(batch, p);
    scree_md_contact_kinematics(batch, share, e->dt, law->timing);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        law->law[part]->apply(&batch->b, law->values[part], law->first_history[part]);
    if (e->wanted != NULL) {
        tell_forces(e, queue);
        queue->n = 0;
        return;
    }
    store_history(e, queue);
    if (!scree_md_scale_loads(batch, share, md->inverse_force, md->inverse_torque) &&
        md->status == SCREE_OK)
        report_overflow(e);
    if (e->kind == SCREE_NEAR_INTERIOR)
        scree_md_scatter_to_both(batch, p);
    else
        scree_md_scatter_to_first(batch, p);
    if (e->kind == SCREE_NEAR_WALL)
        scree_md_scatter_to_wall(batch, &e->scene->walls->wall[batch->j[0]]);
    queue->n = 0;
    if (e->kind == SCREE_NEAR_INTERIOR && ++md->n_batches % BATCHES_PER_POKE == 0)
        scree_halo_poke(e->scene->halo);
}

static inline bool touches(const double *restrict a, const double *restrict b)
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], reach = a[3] + b[3];
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

/* Four pairs at once; all bits of an element are set if its pair touches. The same arithmetic as
 * touches(), so that a pair is found touching or not whatever its place in the list. */
static inline scree_row_int four_touch(const double (*pos)[4], const scree_lid *i, const int32_t *j)
{
    const scree_row sign = {-1.0, -1.0, -1.0, 1.0};
    scree_row d[4];
    for (int m = 0; m < 4; m++) d[m] = scree_row_at(pos[i[m]]) + sign * scree_row_at(pos[j[m]]);
    scree_row_transpose(&d[0], &d[1], &d[2], &d[3]);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < d[3] * d[3];
}

/* Most near pairs touch: fetch what their batch will need of the partners. */
static inline void fetch_ahead(const struct scree_particles *p, const int32_t *j)
{
    for (int m = 0; m < 4; m++) {
        __builtin_prefetch(p->vel[j[m]]);
        __builtin_prefetch(p->spin[j[m]]);
        __builtin_prefetch(p->load[j[m]], 1);
    }
}

/* The usual case of one law: every touching pair goes into the same queue. Candidates are written
 * behind the queue and counted if they touch, so that no branch depends on the data. */
static void find_touching_of_one(struct evaluation *e)
{
    struct scree_md_queue *queue = e->md->queue;
    const struct scree_particles *p = e->scene->particles;
    const double(*pos)[4] = (const double(*)[4])p->pos;
    const scree_lid *i = e->near->i;
    const int32_t *j = e->near->j;
    const size_t n_near = e->near->n;
    for (size_t k = 0; k < n_near;) {
        size_t end = k + (size_t)(SCREE_MD_QUEUE - queue->n);
        if (end > n_near) end = n_near;
        int n = queue->n;
        for (; k + 4 <= end; k += 4) {
            scree_row_int touch = four_touch(pos, i + k, j + k);
            fetch_ahead(p, j + k);
            for (int m = 0; m < 4; m++) {
                queue->near[n] = (uint32_t)k + (uint32_t)m;
                n -= (int)touch[m];
            }
        }
        for (; k < end; k++) {
            queue->near[n] = (uint32_t)k;
            n += touches(pos[i[k]], pos[j[k]]);
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
    for (int w = 0; w < e->scene->walls->n && e->wanted == NULL; w++)
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

static void evaluate(struct evaluation *e)
{
    struct scree_md *md = e->md;
    const struct scree_laws *laws = e->scene->laws;
    e->near = &e->scene->contacts->near[e->kind];
    e->epoch = e->near->epoch + 1;
    if (e->kind == SCREE_NEAR_WALL)
        find_touching_walls(e);
    else if (laws->n_pairs == 1)
        find_touching_of_one(e);
    else
        find_touching(e);
    for (int q = 0; q < laws->n_pairs; q++)
        if (md->queue[q].n > 0) flush(e, &laws->pair[q], &md->queue[q]);
}

void scree_md_add_forces(struct scree_md *md, struct scree_scene *scene, enum scree_near_kind kind,
                         double dt)
{
    struct evaluation e = {.md = md, .scene = scene, .kind = kind, .dt = dt};
    evaluate(&e);
    e.near->epoch = e.epoch;
}

void scree_md_contact_forces(void *state, struct scree_scene *scene, enum scree_near_kind kind,
                             double (*force)[3])
{
    struct evaluation e = {.md = state, .scene = scene, .kind = kind, .wanted = force};
    memset(force, 0, scene->contacts->near[kind].n * sizeof *force);
    evaluate(&e);
}
