/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of fields: what of a point each cell along an axis gets. */
#include <math.h>

#include "fields.h"
#include "scree/status.h"

enum { REACH = SCREE_FIELDS_REACH, NODES_PER_WIDTH = SCREE_FIELDS_NODES_PER_WIDTH };

static void add_part(struct scree_fields_parts *parts, int cell, double weight)
{
    if (weight == 0.0) return;
    SCREE_ASSERT(parts->n < SCREE_FIELDS_SPREAD);
    parts->cell[parts->n] = cell;
    parts->weight[parts->n++] = weight;
}

void scree_fields_fill_table(struct scree_fields_table *table)
{
    const double pi = acos(-1.0);
    for (int k = 0; k < SCREE_FIELDS_NODES; k++) {
        double x = (double)k / NODES_PER_WIDTH - REACH;
        table->integral[k] = 0.5 * erf(x / sqrt(2.0));
        table->gaussian[k] = exp(-0.5 * x * x) / sqrt(2.0 * pi);
    }
}

/* fmin and fmax without their rules for NANs, which cost a call. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}
static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Integral of the Gaussian from its middle to x, in widths and at most REACH of them: by Taylor's
 * series about the next node, whose derivatives are Hermite's polynomials times the Gaussian. The
 * first term left out is below 1e-15. */
static inline double integral(const struct scree_fields_table *table, double x)
{
    int k = (int)((x + REACH) * NODES_PER_WIDTH + 0.5);
    k = k < SCREE_FIELDS_NODES ? k : SCREE_FIELDS_NODES - 1;
    double slope = table->gaussian[k];
    double at = k * (1.0 / NODES_PER_WIDTH) - REACH, t = x - at, square = at * at;
    double third = (square - 1.0) * (1.0 / 6.0), fourth = at * (3.0 - square) * (1.0 / 24.0);
    return table->integral[k] + slope * t * (1.0 + t * (-0.5 * at + t * (third + t * fourth)));
}

/* Of a kernel without extent; the upper end of the sample belongs to the last cell. */
static void add_point(const struct scree_fields_axis *axis, double x, const double ends[2],
                      struct scree_fields_parts *parts)
{
    int cell = (int)floor((x - axis->low) / (axis->high - axis->low) * axis->n);
    if (cell == axis->n && x >= ends[1]) cell--;
    if (cell >= 0 && cell < axis->n) add_part(parts, cell, 1.0);
}

/* Of one image of the kernel. Its integrals at the edges of cells are found in one loop, of which
 * the compiler makes vectors, where the weights will be. */
static void add_image(const struct scree_fields_table *table, const struct scree_fields_axis *axis,
                      double x, double width, const double ends[2],
                      struct scree_fields_parts *parts)
{
    double low = greater(x - REACH * width, ends[0]), high = lesser(x + REACH * width, ends[1]);
    if (!(high >= axis->low && low <= axis->high)) return;
    double per_width = width > 0.0 ? 1.0 / width : 0.0;
    double norm = integral(table, (high - x) * per_width) - integral(table, (low - x) * per_width);
    if (!(norm > 0.0)) {
        add_point(axis, x, ends, parts);
        return;
    }
    double size = (axis->high - axis->low) / axis->n, per_norm = 1.0 / norm;
    double from = (low - axis->low) / size, to = (high - axis->low) / size;
    int first = from > 0.0 ? (int)from : 0, last = to < axis->n ? (int)to : axis->n - 1;
    double *at = parts->weight + parts->n;
    SCREE_ASSERT(parts->n + last - first + 2 <= SCREE_FIELDS_SPREAD);
    for (int k = 0; k <= last + 1 - first; k++) {
        double edge = first + k == axis->n ? axis->high : axis->low + (first + k) * size;
        at[k] = (lesser(high, greater(low, edge)) - x) * per_width;
    }
    for (int k = 0; k <= last + 1 - first; k++) at[k] = integral(table, at[k]);
    for (int k = first; k <= last; k++, at++) add_part(parts, k, (at[1] - at[0]) * per_norm);
}

void scree_fields_find_parts(const struct scree_fields *v, int a, double x, double width,
                             const double ends[2], struct scree_fields_parts *parts)
{
    const struct scree_fields_axis *axis = &v->axis[a];
    parts->n = 0;
    if (axis->period > 0.0 && width > axis->period) { /* wound up so often that it is even */
        double part = (axis->high - axis->low) / axis->n / axis->period;
        for (int k = 0; k < axis->n; k++) add_part(parts, k, part);
        return;
    }
    if (axis->period > 0.0)
        x -= axis->period * floor((x - axis->low) / axis->period);
    else
        x = fmin(fmax(x, ends[0]), ends[1]);
    int n_images = axis->period > 0.0 ? 1 + (int)(REACH * width / axis->period) : 0;
    for (int image = -n_images; image <= n_images; image++)
        add_image(&v->table, axis, x + image * axis->period, width, ends, parts);
}
