/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions while they are read. Private to the files that read them. */
#ifndef SCREE_END_CONDITION_READ_H
#define SCREE_END_CONDITION_READ_H

#include "scree/end_condition.h"

struct scree_end_condition_keys {
    double time, after;
    int64_t steps, check;
    const struct scree_node *at_most, *contacts, *grains, *cell, *force, *stress;
    const char *wall;
    double energy_ratio, speed, coordination, servos;
    double displacement, strain, shear, angle, area;
};

struct scree_end_condition_reading {
    struct scree_end_condition *until;
    struct scree_input *input;
    const struct scree_node *node;
    const char *what;
    const struct scree_end_condition_setting *setting;
};

/* Those that tell of walls (end_condition_read_walls.c). */
void scree_end_condition_check_wall(const struct scree_end_condition_reading *r,
                                    const struct scree_end_condition_keys *keys);
void scree_end_condition_read_contacts(const struct scree_end_condition_reading *r,
                                       const struct scree_node *node);

/* Those that tell of a box that deforms (end_condition_read_deformation.c); none, to begin with. */
void scree_end_condition_clear_deformation(struct scree_end_condition_deformation *cell);
void scree_end_condition_read_deformation(const struct scree_end_condition_reading *r,
                                          const struct scree_node *node);
bool scree_end_condition_has_deformation(const struct scree_end_condition_deformation *cell);

/* A number that is to be above or below something: a map with at_least and at_most. */
extern const struct scree_end_condition_range scree_end_condition_any_range;
bool scree_end_condition_has_range(const struct scree_end_condition_range *range);
const struct scree_param *scree_end_condition_stress_range_params(int dimension);
void scree_end_condition_read_range(const struct scree_end_condition_reading *r,
                                    const struct scree_node *node, const char *key,
                                    const struct scree_param *params,
                                    struct scree_end_condition_range *range);

/* One of at_least and at_most must be there. */
void scree_end_condition_check_count(const struct scree_end_condition_reading *r,
                                     const struct scree_node *node, const char *key,
                                     const struct scree_end_condition_count *n);

#endif
