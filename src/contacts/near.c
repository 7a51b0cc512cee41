/* SPDX-License-Identifier: BSD-3-Clause
 * Picking the near pairs from the pair lists, with their history. */
#include "near.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

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

void scree_near_turn(const struct scree_contacts *contacts, const double *history, double *turned)
{
    for (int s = 0; s < contacts->stride; s++)
        turned[s] = (contacts->odd >> s & 1u) ? -history[s] : history[s];
}

static void pick_pairs(struct scree_near *near, const struct scree_pairs *pairs,
                       const struct scree_particles *p, double margin, int stride)
{
    size_t n = 0;
    near->n = 0;
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++) {
        const double x = p->pos[i][0], y = p->pos[i][1], z = p->pos[i][2];
        const double reach_i = p->pos[i][3] + margin;
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

/* Seam pairs are few and must be turned into one frame. */
static void pick_seams(struct scree_contacts *contacts, struct scree_near *near,
                       const struct scree_pairs *pairs, const struct scree_particles *p,
                       double margin)
{
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++)
        for (uint32_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) {
            struct scree_seam seam = scree_contacts_seam(contacts, p, i, pairs->partner[k]);
            const double *a = p->pos[seam.first], *b = p->pos[seam.second];
            double there[3], square = 0.0, reach = a[3] + b[3] + margin;
            scree_wedge_turn(contacts->wedge, seam.turn, b, there);
            for (int c = 0; c < 3; c++) square += (a[c] - there[c]) * (a[c] - there[c]);
            if (square >= reach * reach) continue;
            scree_near_reserve(near, near->n + 1, contacts->stride);
            near->i[near->n] = i;
            near->j[near->n] = pairs->partner[k];
            near->listed[near->n] = k;
            near->touched[near->n++] = 0;
        }
}

/* Walls are asked for blocks of grains at once; the list is ordered by grain, then by wall, so that
 * all walls that one grain may touch stand together. */
static void pick_walls(struct scree_near *near, const struct scree_boundaries *walls,
                       const struct scree_particles *p, double margin, int stride)
{
    enum { BLOCK = 64 };
    double gap[BLOCK];
    const double(*pos)[4] = (const double(*)[4])p->pos;
    bool *is_near = scree_alloc((size_t)walls->n * BLOCK + 1, sizeof *is_near);
    for (scree_lid first = 0; first < p->n_owned && walls->n > 0; first += BLOCK) {
        int n = p->n_owned - first < BLOCK ? (int)(p->n_owned - first) : BLOCK;
        for (int w = 0; w < walls->n; w++) {
            scree_wall_gaps(&walls->wall[w], n, pos + first, gap);
            for (int k = 0; k < n; k++) {
                const double *grain = pos[first + k];
                double reach = margin + SCREE_JOINT_TOLERANCE * grain[3]; /* joints ask for it */
                is_near[k * walls->n + w] =
                    p->vel[first + k][3] > 0.0 &&
                    scree_wall_is_near(&walls->wall[w], grain, gap[k], reach);
            }
        }
        scree_near_reserve(near, near->n + (size_t)(n * walls->n), stride);
        for (int k = 0; k < n * walls->n; k++) {
            near->i[near->n] = first + k / walls->n;
            near->j[near->n] = k % walls->n;
            near->listed[near->n] = 0;
            near->touched[near->n] = 0;
            near->n += is_near[k];
        }
    }
    scree_alloc_free(is_near);
}

/* Both lists run in the same order: old touching entries find their new place by walking on. */
static void carry_history(const struct scree_contacts *contacts, const struct scree_near *old,
                          struct scree_near *near)
{
    size_t stride = (size_t)contacts->stride, to = 0;
    for (size_t from = 0; from < old->n; from++) {
        if (old->touched[from] != old->epoch) continue;
        while (to < near->n && (near->listed[to] != old->listed[from] ||
                                near->i[to] != old->i[from] || near->j[to] != old->j[from]))
            to++;
        if (to == near->n) break;
        near->touched[to] = 1;
        memcpy(near->history + to * stride, old->history + from * stride, stride * sizeof(double));
    }
}

/* The same with places in a deformed cell. */
static void pick_pairs_in_cell(struct scree_near *near, const struct scree_pairs *pairs,
                               const struct scree_cell *cell, const struct scree_particles *p,
                               double margin, int stride)
{
    near->n = 0;
    for (scree_lid i = 0; i < (scree_lid)pairs->n_rows; i++) {
        scree_near_reserve(near, near->n + (pairs->start[i + 1] - pairs->start[i]), stride);
        for (uint32_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) {
            scree_lid j = pairs->partner[k];
            if (!scree_cell_closer(cell, p->pos[i], p->pos[j], margin)) continue;
            near->i[near->n] = i;
            near->j[near->n] = j;
            near->listed[near->n] = k;
            near->touched[near->n++] = 0;
        }
    }
}

static void pick(const struct scree_contacts *contacts, struct scree_near *near,
                 const struct scree_pairs *pairs, const struct scree_particles *p, double margin)
{
    if (contacts->cell != NULL)
        pick_pairs_in_cell(near, pairs, contacts->cell, p, margin, contacts->stride);
    else
        pick_pairs(near, pairs, p, margin, contacts->stride);
}

void scree_contacts_prune(struct scree_contacts *contacts, enum scree_near_kind kind,
                          const struct scree_particles *p, const struct scree_boundaries *walls,
                          double margin)
{
    struct scree_near old = contacts->near[kind];
    struct scree_near *near = &contacts->near[kind];
    *near = contacts->spare[kind];
    contacts->spare[kind] = old;
    near->n = 0;
    near->epoch = 1;
    near->margin = margin;
    near->used = 0.0;
    switch (kind) {
    case SCREE_NEAR_INTERIOR: pick(contacts, near, &contacts->list.interior, p, margin); break;
    case SCREE_NEAR_IMAGE: pick(contacts, near, &contacts->list.image, p, margin); break;
    case SCREE_NEAR_BORDER: pick(contacts, near, &contacts->list.border, p, margin); break;
    case SCREE_NEAR_SEAM: pick_seams(contacts, near, &contacts->list.seam, p, margin); break;
    case SCREE_NEAR_SEAM_BORDER:
        pick_seams(contacts, near, &contacts->list.seam_border, p, margin);
        break;
    case SCREE_NEAR_WALL: pick_walls(near, walls, p, margin, contacts->stride); break;
    case SCREE_N_NEAR: break;
    }
    carry_history(contacts, &old, near);
    contacts->n_prunings++;
}
