/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are there already, found by place: for putting new ones where there is room. */
#ifndef SCREE_CROWD_H
#define SCREE_CROWD_H

#include "samples_impl.h"

struct scree_crowd_ball {
    double pos[4]; /* m; [3] radius */
    int64_t next;  /* in its cell, -1: last */
};

struct scree_crowd {
    const struct scree_box *box;
    const struct scree_region *region;
    double reach; /* m; no two grains that touch are further apart */
    int64_t n;
    size_t capacity;
    struct scree_crowd_ball *ball; /* owned */
    int64_t *head;                 /* owned; first ball of each cell, -1: none */
    int64_t n_cells[3];
};

/* Cells for about n grains over the region of `grains`, holding the grains of earlier samples near
 * it: the same on every rank, in the same order on any number of them. `gap`: least distance
 * between surfaces that will be asked for. Collective. */
void scree_crowd_create(struct scree_crowd *crowd, const struct scree_sample_run *run,
                        const struct scree_sample_grains *grains, double gap, int64_t n);
/* The same for a part of that region on this rank, which spans no whole period along one axis
 * more; `gap`: in addition to that asked for before. */
void scree_crowd_narrow(struct scree_crowd *crowd, const struct scree_crowd *from,
                        const struct scree_region *region, double gap, int64_t n);
void scree_crowd_clear(struct scree_crowd *crowd);
/* pos[3]: radius */
void scree_crowd_add(struct scree_crowd *crowd, const double pos[4]);
/* Forget all but the first n. */
void scree_crowd_truncate(struct scree_crowd *crowd, int64_t n);

/* Show every grain within reach of a place, and some more, until the visitor returns true; returns
 * whether it did. */
typedef bool scree_crowd_visitor(void *context, int64_t k, const double pos[4]);
bool scree_crowd_visit(const struct scree_crowd *crowd, const double pos[4],
                       scree_crowd_visitor *visit, void *context);
/* The balls of one cell, then those of the cells around it, moved by periods to where plain
 * differences tell how far apart they are. */
struct scree_crowd_block {
    double *pos[4]; /* m; [3] radius; all owned */
    int32_t *ball;  /* owned */
    int32_t n_here, n;
    size_t capacity;
};
/* Can blocks be had? Not in a wedge, nor where few cells span a period. */
bool scree_crowd_has_blocks(const struct scree_crowd *crowd);
/* Of cell number `cell`. */
void scree_crowd_gather(const struct scree_crowd *crowd, int64_t cell,
                        struct scree_crowd_block *block);
void scree_crowd_clear_block(struct scree_crowd_block *block);
/* d = a - b through the nearest image; returns d^2. In a wedge b is turned by `turn` sectors
 * first, else by 0. */
double scree_crowd_between(const struct scree_crowd *crowd, const double a[4], const double b[4],
                           double d[3], int *turn);
/* Is no grain closer to this one, from surface to surface, than the gap? */
bool scree_crowd_is_free(const struct scree_crowd *crowd, const double pos[4], double gap);

#endif
