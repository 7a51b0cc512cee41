/* SPDX-License-Identifier: BSD-3-Clause
 * Contact forces of all near pairs: find those that touch and collect them in queues, one per pair
 * of materials; a full queue becomes a batch. */
#include <string.h>

#include "evaluation.h"
#include "scree/row.h"

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

enum { LOOK_AHEAD = 48 }; /* pairs; partners are scattered, and their rows take long to come */

/* Places of the partners of pairs to come, and what a batch will need of them at first. (Loads are
 * needed last: fetched here, they push out what comes before.) */
static inline void fetch_places(const double (*pos)[4], const int32_t *j)
{
    for (int m = 0; m < 4; m++) __builtin_prefetch(pos[j[m]]);
}

static inline void fetch_motion(const struct scree_particles *p, int32_t j)
{
    __builtin_prefetch(p->vel[j]);
    __builtin_prefetch(p->spin[j]);
}

/* History of four near pairs that may soon be in a batch. */
static inline void fetch_history(const struct scree_near *near, size_t k, size_t stride)
{
    const double *history = near->history + k * stride;
    for (size_t s = 0; s < 4 * stride; s += 8) __builtin_prefetch(history + s, 1);
}

/* Pairs in a batch: laws that turn springs use so many arrays that fewer fit into the cache. */
static int most_of(const struct scree_pair_law *law)
{
    return law->shape.needs & SCREE_NEEDS_TURN ? 5 * SCREE_BATCH_PAD : SCREE_MD_QUEUE;
}

/* Contacts that fill whole vectors are computed; the rest, which would have to be padded, stays. */
static void flush_whole_rows(struct scree_md_evaluation *e, struct scree_md_queue *queue)
{
    int rest = queue->n % SCREE_BATCH_PAD, n = queue->n - rest;
    queue->n = n;
    scree_md_flush(e, &e->scene->laws->pair[0], queue);
    memcpy(queue->near, queue->near + n, (size_t)rest * sizeof *queue->near);
    queue->n = rest;
}

/* The usual case of one law: every touching pair goes into the same queue. Candidates are written
 * behind the queue and counted if they touch, so that no branch depends on the data. */
static void find_touching_of_one(struct scree_md_evaluation *e)
{
    struct scree_md_queue *queue = e->md->queue;
    const struct scree_particles *p = e->scene->particles;
    const double(*pos)[4] = (const double(*)[4])p->pos;
    const scree_lid *i = e->near->i;
    const int32_t *j = e->near->j;
    const size_t n_near = e->near->n, stride = (size_t)e->scene->contacts->stride;
    const int most = most_of(&e->scene->laws->pair[0]);
    for (size_t k = 0; k < n_near;) {
        size_t end = k + (size_t)(most - queue->n);
        if (end > n_near) end = n_near;
        int n = queue->n;
        for (; k + 4 <= end; k += 4) {
            scree_row_int touch = four_touch(pos, i + k, j + k);
            if (k + LOOK_AHEAD + 4 <= n_near) fetch_places(pos, j + k + LOOK_AHEAD);
            fetch_history(e->near, k, stride);
            for (int m = 0; m < 4; m++) {
                fetch_motion(p, j[k + (size_t)m]);
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
        if (n > most - SCREE_BATCH_PAD) flush_whole_rows(e, queue);
    }
}

static inline void queue_pair(struct scree_md_evaluation *e, size_t k)
{
    const struct scree_particles *p = e->scene->particles;
    const struct scree_laws *laws = e->scene->laws;
    scree_lid i = e->near->i[k], j = e->near->j[k];
    int pair = laws->table[p->species[i] * laws->n_materials + p->species[j]];
    if (pair < 0) return; /* nodes of a membrane */
    struct scree_md_queue *queue = &e->md->queue[pair];
    fetch_motion(p, j);
    queue->near[queue->n++] = (uint32_t)k;
    if (queue->n == SCREE_MD_QUEUE) scree_md_flush(e, &laws->pair[pair], queue);
}

/* Several laws: pairs that touch are sorted one by one. */
static void find_touching(struct scree_md_evaluation *e)
{
    const double(*pos)[4] = (const double(*)[4])e->scene->particles->pos;
    const scree_lid *i = e->near->i;
    const int32_t *j = e->near->j;
    const size_t n_near = e->near->n;
    size_t k = 0;
    for (; k + 4 <= n_near; k += 4) {
        scree_row_int touch = four_touch(pos, i + k, j + k);
        if (k + LOOK_AHEAD + 4 <= n_near) fetch_places(pos, j + k + LOOK_AHEAD);
        unsigned found =
            (unsigned)((touch[0] & 1) | (touch[1] & 2) | (touch[2] & 4) | (touch[3] & 8));
        for (; found != 0; found &= found - 1) queue_pair(e, k + (size_t)__builtin_ctz(found));
    }
    for (; k < n_near; k++)
        if (touches(pos[i[k]], pos[j[k]])) queue_pair(e, k);
}

/* The touching pairs of a box that deforms, whose images are seen through its edges. */
static void find_touching_in_cell(struct scree_md_evaluation *e)
{
    const double(*pos)[4] = (const double(*)[4])e->scene->particles->pos;
    const struct scree_deformation *cell = &e->scene->domain->cell;
    for (size_t k = 0; k < e->near->n; k++)
        if (scree_deformation_closer(cell, pos[e->near->i[k]], pos[e->near->j[k]], 0.0))
            queue_pair(e, k);
}

static void find_touching_walls(struct scree_md_evaluation *e)
{
    const struct scree_particles *p = e->scene->particles;
    const struct scree_laws *laws = e->scene->laws;
    scree_md_find_wall_contacts(e->md, e->scene, !e->acts);
    for (size_t k = 0; k < e->near->n; k++) {
        if (!scree_md_touches_wall(&e->md->wall_contact[k])) continue;
        int species = e->scene->walls->wall[e->near->j[k]].species;
        int pair = laws->table[p->species[e->near->i[k]] * laws->n_materials + species];
        struct scree_md_queue *queue = &e->md->queue[pair];
        queue->near[queue->n++] = (uint32_t)k;
        if (queue->n == SCREE_MD_QUEUE) scree_md_flush(e, &laws->pair[pair], queue);
    }
}

static void evaluate(struct scree_md_evaluation *e)
{
    struct scree_md *md = e->md;
    const struct scree_laws *laws = e->scene->laws;
    e->near = &e->scene->contacts->near[e->kind];
    e->before = e->near->epoch;
    e->epoch = e->before == 1 ? 2 : 1;
    if (e->kind == SCREE_NEAR_WALL)
        find_touching_walls(e);
    else if (scree_near_is_seam(e->kind))
        scree_md_find_touching_seams(e);
    else if (e->scene->domain->cell.on)
        find_touching_in_cell(e);
    else if (laws->n_pairs == 1 && e->scene->membranes->n == 0)
        find_touching_of_one(e);
    else
        find_touching(e);
    for (int q = 0; q < laws->n_pairs; q++)
        if (md->queue[q].n > 0) scree_md_flush(e, &laws->pair[q], &md->queue[q]);
}

void scree_md_add_forces(struct scree_md *md, struct scree_scene *scene, enum scree_near_kind kind,
                         double dt)
{
    struct scree_md_evaluation e = {
        .md = md, .scene = scene, .kind = kind, .dt = dt, .acts = true, .sums = md->sums};
    if (e.sums != NULL) scree_md_weigh_sums(e.sums, kind);
    evaluate(&e);
    scree_md_end_opened(&e);
    scree_md_reduce_losses(&e);
    e.near->epoch = e.epoch;
}

void scree_md_visit_contacts(void *state, struct scree_scene *scene, enum scree_near_kind kind,
                             scree_contact_listener *listen, void *context)
{
    struct scree_md_evaluation e = {
        .md = state, .scene = scene, .kind = kind, .listen = listen, .context = context};
    evaluate(&e);
}

void scree_md_visit_stored(struct scree_md *md, struct scree_scene *scene,
                           enum scree_near_kind kind, struct scree_md_sums *sums)
{
    struct scree_md_evaluation e = {.md = md, .scene = scene, .kind = kind, .sums = sums};
    evaluate(&e);
}
