/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions while they are read. Private to the files that read them. */
#ifndef SCREE_UNTIL_READ_H
#define SCREE_UNTIL_READ_H

#include "until.h"

struct scree_until_keys {
    double time, after;
    int64_t steps, check;
    const struct scree_node *at_most, *contacts, *grains, *cell;
    const char *wall;
    double energy_ratio, speed, coordination, servos;
    double displacement, strain, shear, angle, force, stress;
};

struct scree_until_reading {
    struct scree_until *until;
    struct scree_input *input;
    const struct scree_node *node;
    const char *what;
    const struct scree_until_setting *setting;
};

/* Those that tell of walls (until_read_walls.c). */
void scree_until_check_wall(const struct scree_until_reading *r,
                            const struct scree_until_keys *keys);
void scree_until_read_contacts(const struct scree_until_reading *r, const struct scree_node *node);

/* Those that tell of a box that deforms (until_read_cell.c); none, to begin with. */
void scree_until_clear_cell(struct scree_until_cell *cell);
void scree_until_read_cell(const struct scree_until_reading *r, const struct scree_node *node);
bool scree_until_has_cell(const struct scree_until_cell *cell);

/* One of at_least and at_most must be there. */
void scree_until_check_count(const struct scree_until_reading *r, const struct scree_node *node,
                             const char *key, const struct scree_until_count *n);

#endif
