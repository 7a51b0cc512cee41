/* SPDX-License-Identifier: BSD-3-Clause
 * Taking the near pairs from the pair lists, with their history. */
#include "near_impl.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"

void scree_near_reserve(struct scree_near *near, size_t n, int stride)
{
    if (n <= near->capacity) return;
    size_t capacity = n + n / 8 + 64;
    near->i = scree_alloc_resize(near->i, near->n, capacity, sizeof *near->i);
    near->j = scree_alloc_resize(near->j, near->n, capacity, sizeof *near->j);
    near->listed = scree_alloc_resize(near->listed, near->n, capacity, sizeof *near->listed);
    near->touched = scree_alloc_resize(near->touched, near->n, capacity, sizeof *near->touched);
    near->history = scree_alloc_resize(near->history, near->n * (size_t)stride,
                                       capacity * (size_t)stride, sizeof *near->history);
    near->capacity = capacity;
}

void scree_near_clear(struct scree_near *near)
{
    scree_alloc_free(near->i);
    scree_alloc_free(near->j);
    scree_alloc_free(near->listed);
    scree_alloc_free(near->touched);
    scree_alloc_free(near->history);
    memset(near, 0, sizeof *near);
}

void scree_near_turn_row(const double *history, double *turned, int stride, uint32_t odd)
{
    for (int s = 0; s < stride; s++) turned[s] = (odd >> s & 1u) ? -history[s] : history[s];
}

void scree_near_turn(const struct scree_contacts *contacts, const double *history, double *turned)
{
    scree_near_turn_row(history, turned, contacts->stride, contacts->odd);
}

static void take_pairs(struct scree_near *near, const struct scree_pairs *pairs,
                       const struct scree_particles *p, double gap, int stride)
{
    size_t n = 0;
    near->n = 0;
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++) {
        const double x = p->pos[i][0], y = p->pos[i][1], z = p->pos[i][2];
        const double reach_i = p->pos[i][3] + gap;
        uint32_t first = pairs->start[i], end = pairs->start[i + 1];
        near->n = n;
        scree_near_reserve(near, n + (end - first) + 1, stride);
        for (uint32_t k = first; k < end; k++) {
            const double *b = p->pos[pairs->partner[k]];
            double dx = x - b[0], dy = y - b[1], dz = z - b[2], reach = reach_i + b[3];
            near->i[n] = i;
            near->j[n] = pairs->partner[k];
            near->listed[n] = k;
            near->touched[n] = 0;
            n += dx * dx + dy * dy + dz * dz < reach * reach;
        }
    }
    near->n = n;
}

/* Pairs of a box that deforms: their places decide. */
static void take_pairs_in_cell(struct scree_near *near, const struct scree_pairs *pairs,
                               const struct scree_deformation *cell,
                               const struct scree_particles *p, double gap, int stride)
{
    near->n = 0;
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++) {
        scree_near_reserve(near, near->n + (pairs->start[i + 1] - pairs->start[i]), stride);
        for (uint32_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) {
            scree_lid j = pairs->partner[k];
            if (!scree_deformation_closer(cell, p->pos[i], p->pos[j], gap)) continue;
            near->i[near->n] = i;
            near->j[near->n] = j;
            near->listed[near->n] = k;
            near->touched[near->n++] = 0;
        }
    }
}

/* Seam pairs are few and must be turned into one frame. */
static void take_seams(struct scree_contacts *contacts, struct scree_near *near,
                       const struct scree_pairs *pairs, const struct scree_particles *p, double gap)
{
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++)
        for (uint32_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) {
            struct scree_seam seam = scree_contacts_seam(contacts, p, i, pairs->partner[k]);
            double branch[3], reach = p->pos[seam.first][3] + p->pos[seam.second][3] + gap;
            scree_contacts_seam_branch(contacts, p, seam, branch);
            if (scree_vec_dot(branch, branch) >= reach * reach) continue;
            scree_near_reserve(near, near->n + 1, contacts->stride);
            near->i[near->n] = i;
            near->j[near->n] = pairs->partner[k];
            near->listed[near->n] = k;
            near->touched[near->n++] = 0;
        }
}

/* m; joints ask for a little more than what is near. */
static double wall_reach(double gap, const double pos[4])
{
    return gap + SCREE_JOINT_TOLERANCE * pos[3];
}

/* Walls are asked for blocks of grains at once; the list is ordered by grain, then by wall and
 * part, so that all walls that one grain may touch stand together. */
/* All parts of a wall that a grain may touch, or the wall itself. */
static void take_wall(struct scree_near *near, const struct scree_wall *wall, scree_lid i, int w,
                      const double pos[4], double reach, int stride, struct scree_wall_found *found)
{
    const bool parts = wall->shape->parts != NULL;
    if (parts) scree_wall_find_parts(wall, pos, reach, found);
    size_t n = parts ? found->n : 1;
    scree_near_reserve(near, near->n + n, stride);
    for (size_t k = 0; k < n; k++) {
        near->i[near->n] = i;
        near->j[near->n] = w;
        near->listed[near->n] = parts ? (uint32_t)found->part[k] : 0;
        near->touched[near->n++] = 0;
    }
}

static void take_walls(struct scree_near *near, const struct scree_walls *walls,
                       const struct scree_particles *p, double gap, int stride)
{
    enum { BLOCK = 64 };
    double found[BLOCK];
    struct scree_wall_found parts = {0};
    const double(*pos)[4] = (const double(*)[4])p->pos;
    bool *is_near = scree_alloc((size_t)walls->n * BLOCK + 1, sizeof *is_near);
    for (scree_lid first = 0; first < p->n_owned && walls->n > 0; first += BLOCK) {
        int n = p->n_owned - first < BLOCK ? (int)(p->n_owned - first) : BLOCK;
        for (int w = 0; w < walls->n; w++) {
            const struct scree_wall *wall = &walls->wall[w];
            const bool ask = wall->shape->parts == NULL;
            if (ask) scree_wall_gaps(wall, n, pos + first, found);
            for (int k = 0; k < n; k++) {
                const double *grain = pos[first + k];
                is_near[k * walls->n + w] =
                    p->vel[first + k][3] > 0.0 &&
                    (!ask || scree_wall_is_near(wall, grain, found[k], wall_reach(gap, grain)));
            }
        }
        for (int k = 0; k < n * walls->n; k++) {
            const double *grain = pos[first + k / walls->n];
            int w = k % walls->n;
            if (is_near[k])
                take_wall(near, &walls->wall[w], first + k / walls->n, w, grain,
                          wall_reach(gap, grain), stride, &parts);
        }
    }
    scree_alloc_free(parts.part);
    scree_alloc_free(is_near);
}

/* Both lists run in the same order: old touching entries find their new place by walking on. */
static void carry_history(const struct scree_contacts *contacts, const struct scree_near *old,
                          struct scree_near *near)
{
    size_t stride = (size_t)contacts->stride, to = 0;
    for (size_t from = 0; from < old->n; from++) {
        if (!scree_near_is_marked(old, from)) continue;
        while (to < near->n && (near->listed[to] != old->listed[from] ||
                                near->i[to] != old->i[from] || near->j[to] != old->j[from]))
            to++;
        if (to == near->n) break;
        near->touched[to] = 1;
        memcpy(near->history + to * stride, old->history + from * stride, stride * sizeof(double));
    }
}

/* From a pair list, or NULL, to the near list of its kind. */
static const struct scree_pairs *pairs_of(const struct scree_contacts *contacts,
                                          enum scree_near_kind kind)
{
    switch (kind) {
    case SCREE_NEAR_INTERIOR: return &contacts->list.interior;
    case SCREE_NEAR_IMAGE: return &contacts->list.image;
    case SCREE_NEAR_SEAM: return &contacts->list.seam;
    case SCREE_NEAR_BORDER: return &contacts->list.border;
    case SCREE_NEAR_SEAM_BORDER: return &contacts->list.seam_border;
    default: return NULL;
    }
}

void scree_near_select(struct scree_contacts *contacts, enum scree_near_kind kind, double margin)
{
    const struct scree_particles *p = contacts->world.particles;
    const struct scree_pairs *pairs = pairs_of(contacts, kind);
    struct scree_near old = contacts->near[kind];
    struct scree_near *near = &contacts->near[kind];
    double gap = contacts->list.reach + margin;
    *near = contacts->spare[kind];
    contacts->spare[kind] = old;
    near->n = 0;
    near->epoch = 1;
    near->margin = margin;
    near->used = 0.0;
    if (kind == SCREE_NEAR_WALL)
        take_walls(near, contacts->world.walls, p, gap, contacts->stride);
    else if (scree_near_is_seam(kind))
        take_seams(contacts, near, pairs, p, gap);
    else if (contacts->cell != NULL)
        take_pairs_in_cell(near, pairs, contacts->cell, p, gap, contacts->stride);
    else
        take_pairs(near, pairs, p, gap, contacts->stride);
    carry_history(contacts, &old, near);
}
