/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of grains that forces do not move: the section `groups`. */
#ifndef SCREE_GROUPS_H
#define SCREE_GROUPS_H

#include "scree/materials.h"
#include "scree/particles.h"

struct scree_group {
    const char *name;
    int material;
    bool frozen;
    double velocity[3]; /* m/s */
};

struct scree_groups {
    int n;
    struct scree_group *group; /* owned */
};

extern const struct scree_param scree_groups_params[];

/* Read the section (may be NULL); collects mistakes. */
void scree_groups_read(struct scree_groups *groups, struct scree_input *input,
                       const struct scree_node *node, const struct scree_materials *materials);
void scree_groups_clear(struct scree_groups *groups);
/* Owned grains of frozen groups get the velocity of their group and no mobility. */
void scree_groups_freeze(const struct scree_groups *groups, struct scree_particles *p);

#endif
