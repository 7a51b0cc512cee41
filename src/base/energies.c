/* SPDX-License-Identifier: BSD-3-Clause
 * Sums over the energy lines of a method. */
#include "scree/energies.h"

#include <stddef.h>

double scree_energies_sum(const struct scree_energies *e, const struct scree_energy_line *lines,
                          enum scree_energy_kind kind)
{
    double sum = 0.0;
    for (int k = 0; lines[k].name != NULL; k++)
        if (lines[k].kind == kind) sum += e->value[k];
    return sum;
}

double scree_energies_error(const struct scree_energies *e)
{
    return e->turnover > 0.0 ? e->closure / e->turnover : 0.0;
}
