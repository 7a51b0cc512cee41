/* SPDX-License-Identifier: BSD-3-Clause
 * The simulation box and its position grid. */
#include "scree/box.h"

#include <math.h>

#include "scree/status.h"

/* (x + grid_rounder) - grid_rounder rounds x to multiples of the grid spacing q for |x| <= 2^51 q,
 * if grid_rounder = 1.5 * 2^52 q: the sum then has an ulp of exactly q. Between two list checks a
 * grain may be up to a skin outside the box; one period of room on either side is more than enough.
 */
static double grid_magic(double low, double high)
{
    double reach = fmax(fabs(low), fabs(high)) + (high - low);
    int exponent;
    frexp(reach, &exponent); /* reach < 2^exponent */
    double spacing = ldexp(1.0, exponent - 51);
    return 1.5 * ldexp(spacing, 52);
}

void scree_box_init(struct scree_box *box, int dimension, const double low[3], const double high[3],
                    const bool periodic[3])
{
    box->dimension = dimension;
    box->wedge = (struct scree_wedge){.n = 0};
    for (int a = 0; a < 3; a++) {
        box->low[a] = low[a];
        box->high[a] = high[a];
        box->periodic[a] = periodic[a];
        box->grid_rounder[a] = 0.0;
        if (periodic[a]) {
            box->grid_rounder[a] = grid_magic(low[a], high[a]);
            box->low[a] = scree_box_snap(box, a, low[a]);
            box->high[a] = scree_box_snap(box, a, high[a]);
        }
        box->length[a] = box->high[a] - box->low[a];
    }
}

void scree_box_shift(const struct scree_box *box, double pos[3], int32_t image[3])
{
    for (int a = 0; a < 3; a++) {
        if (!box->periodic[a] || (pos[a] >= box->low[a] && pos[a] < box->high[a])) continue;
        double periods = floor((pos[a] - box->low[a]) / box->length[a]);
        pos[a] -= periods * box->length[a];
        image[a] += (int32_t)periods;
        /* The quotient rounds: put right what fell on the wrong side. */
        while (pos[a] >= box->high[a]) {
            pos[a] -= box->length[a];
            image[a]++;
        }
        while (pos[a] < box->low[a]) {
            pos[a] += box->length[a];
            image[a]--;
        }
    }
}

void scree_box_wrap(const struct scree_box *box, double pos[3], int32_t image[3])
{
    scree_box_shift(box, pos, image);
    if (box->wedge.n > 0) scree_wedge_wrap(&box->wedge, pos, image);
}
