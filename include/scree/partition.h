/* SPDX-License-Identifier: BSD-3-Clause
 * Who owns which brick: partitioners of the brick graph. */
#ifndef SCREE_PARTITION_H
#define SCREE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/bricks.h"
#include "scree/comm.h"
#include "scree/status.h"

/* The brick grid as a graph, replicated on every rank. Bricks are numbered x fastest. */
struct scree_brick_graph {
    int n[3]; /* bricks per direction */
    bool periodic[3];
    int64_t n_bricks;    /* n[0] * n[1] * n[2] */
    const double *cost;  /* measured cost of each brick, s or any unit, >= 0 */
    const double *cut;   /* [n_bricks][3] contacts cut if the brick and its +x, +y, +z neighbour
                          * (periodic) are separated; NULL: unknown, all 1 */
    const double *bytes; /* bytes that move with the brick; NULL: proportional to cost */
    const struct scree_brick_pair
        *seam; /* more neighbours, as in struct scree_bricks; may be NULL */
    int64_t n_seam;
    double migration_ratio; /* communication per balance interval / cost of one migration; <= 0:
                             * unknown (ParMETIS calls it itr) */
};

/* A way to split the graph. `owner` holds the current owners on entry (all -1: none yet) and the
 * new ones on return, 0 <= owner < comm->n_ranks, identical on every rank. Any number of ranks is
 * allowed, also more than bricks: the rest owns nothing. Collective. */
struct scree_partitioner {
    const char *name;
    const char *summary;
    bool (*is_available)(void);
    enum scree_status (*split)(struct scree_comm *comm, const struct scree_brick_graph *graph,
                               int32_t *owner);
};

const struct scree_partitioner *scree_partitioner_find(const char *name); /* NULL: unknown */
/* NULL-ended list of names, in order of preference; for input messages and `scree list`. */
const char *const *scree_partitioner_names(void);

/* max/mean over n_ranks of the summed cost per rank (1 = perfect; 1 if the total is 0). */
double scree_partition_imbalance(const struct scree_brick_graph *graph, const int32_t *owner,
                                 int n_ranks);

/* Give single bricks to neighbours until no rank has more than a hundredth above the mean, or no
 * such gift helps; of several, the one that cuts the fewest contacts. Partitioners balance to a few
 * hundredths only, or along a curve. Local, the same on every rank. */
void scree_partition_refine(const struct scree_brick_graph *graph, int32_t *owner, int n_ranks);

/* Up to SCREE_BRICK_NEIGHBOURS bricks that share a face with this one, through periodic faces and
 * the seam of a wedge too, each once, with the contacts cut if they are separated. */
enum { SCREE_BRICK_NEIGHBOURS = 6 + SCREE_BRICK_SEAM_MOST };
struct scree_brick_edge {
    int64_t to;
    double cut;
};
int scree_partition_edges(const struct scree_brick_graph *graph, int64_t brick,
                          struct scree_brick_edge edges[SCREE_BRICK_NEIGHBOURS]);

/* Exchange the names of the parts in `owner` so that few bytes change hands compared to `before`
 * (greedy: the largest overlap first); which bricks belong together stays as it is. */
void scree_partition_relabel(const struct scree_brick_graph *graph, const int32_t *before,
                             int32_t *owner, int n_ranks);

/* Position of cell (x, y, z) along a Hilbert curve over a 2^bits cube; also used for sorting. */
uint64_t scree_hilbert_index(int bits, uint32_t x, uint32_t y, uint32_t z);

#endif
