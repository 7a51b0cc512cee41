/* SPDX-License-Identifier: BSD-3-Clause
 * Size distributions: the radius of a grain as a function of seed and gid. Kinds are in sizes.def.
 *
 * A distribution is given by number (shares of the grains) or by volume (shares of the volume of
 * the grains; disks: of their area). What is kept is the distribution by number. */
#ifndef SCREE_SIZES_H
#define SCREE_SIZES_H

#include <stdbool.h>

#include "scree/input.h"
#include "scree/rng.h"

/* Part of a distribution with a density proportional to r^-exponent; low = high: one size. */
struct scree_size_piece {
    double low, high; /* m */
    double exponent;
    double share; /* of the grains, by number */
    double up_to; /* shares of this and all pieces before */
};

struct scree_sizes {
    const struct scree_size_kind *kind; /* NULL: one size */
    double low, high;                   /* m; every radius is within */
    int volume_power;                   /* 3 for spheres, 2 for disks */
    int n_pieces;
    struct scree_size_piece *piece; /* owned; NULL for kinds that draw by themselves */
    double location, width;         /* of kinds that draw by themselves */
};

struct scree_size_kind {
    const char *name, *summary;
    const struct scree_param *params;
    /* Read what is behind the name into `sizes`; false if something was wrong. */
    bool (*read)(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node);
    /* Both NULL where the distribution consists of pieces. */
    double (*draw)(const struct scree_sizes *sizes, const struct scree_rng_key *key);
    double (*moment)(const struct scree_sizes *sizes, int order);
};

const struct scree_size_kind *const *scree_sizes_kinds(int *n);

/* Read a value of `radius`: one number, or a map with the name of a kind. Collects mistakes;
 * false if there are any (clear nevertheless). */
bool scree_sizes_read(struct scree_sizes *sizes, struct scree_input *input,
                      const struct scree_node *node, bool disks);
void scree_sizes_clear(struct scree_sizes *sizes);

/* m */
double scree_sizes_draw(const struct scree_sizes *sizes, uint64_t seed, scree_gid gid);
/* Mean over the grains (by number) of r^order, in closed form. */
double scree_sizes_moment(const struct scree_sizes *sizes, int order);

#endif
