/* SPDX-License-Identifier: BSD-3-Clause
 * The key `wedge` of the section `domain`. */
#ifndef SCREE_WEDGE_READ_H
#define SCREE_WEDGE_READ_H

#include "scree/box.h"
#include "scree/input.h"

extern const struct scree_param scree_wedge_params[];

/* Give the box the wedge that is read at `node`, a key of `domain`. Directions across its axis must
 * be open. */
void scree_wedge_read(struct scree_box *box, struct scree_input *input,
                      const struct scree_node *node, const struct scree_node *domain);
/* What is the same in all sectors points along the axis. */
bool scree_wedge_is_across(const struct scree_wedge *wedge, const double vector[3]);
/* The gravity of a run or of a stage, read at `node`, must act along the axis, if there is one. */
void scree_wedge_check_gravity(const struct scree_wedge *wedge, struct scree_input *input,
                               const struct scree_node *node, const double gravity[3]);

#endif
