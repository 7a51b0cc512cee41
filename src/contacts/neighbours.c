/* SPDX-License-Identifier: BSD-3-Clause
 * Pair lists: their life, and when they are out of date. */
#include "scree/neighbours.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "search.h"

void scree_neighbours_init(struct scree_neighbours *list, double skin)
{
    memset(list, 0, sizeof *list);
    list->skin = list->search = skin;
}

static void clear_pairs(struct scree_pairs *pairs)
{
    scree_alloc_free(pairs->start);
    scree_alloc_free(pairs->partner);
    memset(pairs, 0, sizeof *pairs);
}

void scree_neighbours_clear(struct scree_neighbours *list)
{
    clear_pairs(&list->interior);
    clear_pairs(&list->image);
    clear_pairs(&list->border);
    clear_pairs(&list->seam);
    clear_pairs(&list->seam_border);
}

static void reset_pairs(struct scree_pairs *pairs, size_t n_rows)
{
    if (n_rows + 1 > pairs->row_capacity) {
        scree_alloc_free(pairs->start);
        pairs->row_capacity = n_rows + n_rows / 8 + 64;
        pairs->start = scree_alloc(pairs->row_capacity, sizeof *pairs->start);
    }
    pairs->n = 0;
    pairs->n_rows = n_rows;
    pairs->start[0] = 0;
}

void scree_neighbours_build(struct scree_neighbours *list, const struct scree_cell_grid *cells,
                            struct scree_particles *p, struct scree_images images,
                            const struct scree_wedge *wedge)
{
    reset_pairs(&list->interior, (size_t)p->n_owned);
    reset_pairs(&list->image, (size_t)p->n_owned);
    reset_pairs(&list->border, (size_t)p->n_owned);
    reset_pairs(&list->seam, wedge != NULL ? (size_t)p->n_owned : 0);
    reset_pairs(&list->seam_border, wedge != NULL ? (size_t)p->n_owned : 0);
    struct scree_search search = {
        .cells = cells, .p = p, .list = list, .images = images, .wedge = wedge};
    scree_search_find_finer(&search.finer, cells, p, list->search);
    scree_search_all(&search);
    scree_search_clear_finer(&search.finer);
    scree_alloc_free(search.candidate);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) p->listed[i][a] = p->pos[i][a];
}

static void tighten(struct scree_pairs *pairs, const struct scree_deformation *cell,
                    const struct scree_particles *p, double gap)
{
    size_t n = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < pairs->n_rows; i++) {
        uint32_t end = pairs->start[i + 1];
        for (uint32_t k = first; k < end; k++) {
            scree_lid j = pairs->partner[k];
            pairs->partner[n] = j;
            n += scree_deformation_closer(cell, p->pos[i], p->pos[j], gap);
        }
        first = end;
        pairs->start[i + 1] = (uint32_t)n;
    }
    pairs->n = n;
}

void scree_neighbours_tighten(struct scree_neighbours *list, const struct scree_deformation *cell,
                              const struct scree_particles *p)
{
    tighten(&list->interior, cell, p, list->reach + list->skin);
    tighten(&list->image, cell, p, list->reach + list->skin);
    tighten(&list->border, cell, p, list->reach + list->skin);
}

double scree_neighbours_moved(const struct scree_particles *p, scree_lid *slot)
{
    double farthest = 0.0;
    *slot = -1;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double dx = p->pos[i][0] - p->listed[i][0];
        double dy = p->pos[i][1] - p->listed[i][1];
        double dz = p->pos[i][2] - p->listed[i][2];
        double d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > farthest) {
            farthest = d2;
            *slot = i;
        }
    }
    return sqrt(farthest);
}
