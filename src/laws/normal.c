/* SPDX-License-Identifier: BSD-3-Clause
 * What normal laws of an elastic force and a dashpot share: the words of their key `tension`, their
 * losses. */
#include "normal.h"

const char *const scree_normal_tensions[] = {"allow", "clip", NULL};

void scree_normal_shape(const void *values, struct scree_law_shape *shape)
{
    (void)values;
    shape->losses |= 1u << SCREE_LOSS_NORMAL;
}
