/* SPDX-License-Identifier: BSD-3-Clause
 * The law of a contact as maps: cutting each part to its limit, and the nearest point of the
 * cone. */
#include <math.h>
#include <string.h>

#include "scree/cones.h"

int scree_cones_parts(int dim, int first[SCREE_CONES_LIMITS], int count[SCREE_CONES_LIMITS])
{
    static const int starts[] = {1, 3, 5};
    int n = 0;
    for (int k = 0; k < SCREE_CONES_LIMITS && starts[k] < dim; k++, n++) {
        int end = k + 1 < SCREE_CONES_LIMITS && starts[k + 1] < dim ? starts[k + 1] : dim;
        first[k] = starts[k];
        count[k] = end - starts[k];
    }
    return n;
}

static double size_of(const double *v, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += v[k] * v[k];
    return sqrt(sum);
}

/* One part that is longer than its limit is turned back to it. */
static void clip_part(int dim, int first, int count, double coefficient, bool pressed, double *y,
                      double *slope)
{
    double size = size_of(y + first, count), limit = coefficient * y[0];
    if (size <= limit) {
        for (int i = first; i < first + count && slope != NULL; i++) slope[i * dim + i] = 1.0;
        return;
    }
    double scale = limit / size;
    for (int i = first; i < first + count && slope != NULL; i++) {
        double along = y[i] / size;
        if (pressed) slope[i * dim] = coefficient * along;
        for (int j = first; j < first + count; j++)
            slope[i * dim + j] = scale * ((i == j ? 1.0 : 0.0) - along * (y[j] / size));
    }
    for (int i = first; i < first + count; i++) y[i] *= scale;
}

void scree_cones_clip(int dim, const double *limit, double *y, double *slope)
{
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    int n = scree_cones_parts(dim, first, count);
    bool pressed = y[0] > 0.0;
    if (slope != NULL) memset(slope, 0, (size_t)(dim * dim) * sizeof *slope);
    if (!pressed) {
        memset(y, 0, (size_t)dim * sizeof *y);
        return;
    }
    if (slope != NULL) slope[0] = 1.0;
    for (int k = 0; k < n; k++) clip_part(dim, first[k], count[k], limit[k], pressed, y, slope);
}

/* Along the normal the squared distance is convex with a piecewise linear derivative: for each set
 * of parts that are cut there is one stationary point, and the right one cuts just these. */
void scree_cones_project(int dim, const double *limit, double *y)
{
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    int n = scree_cones_parts(dim, first, count);
    double size[SCREE_CONES_LIMITS], on = 0.0;
    for (int k = 0; k < n; k++) size[k] = size_of(y + first[k], count[k]);
    for (int set = 0; set < 1 << n; set++) {
        double sum = y[0], weight = 1.0;
        bool fits = true;
        for (int k = 0; k < n; k++) {
            if ((set >> k & 1) == 0) continue;
            sum += limit[k] * size[k];
            weight += limit[k] * limit[k];
        }
        double at = sum / weight;
        if (at < 0.0) continue;
        for (int k = 0; k < n; k++)
            fits = fits && (size[k] > limit[k] * at) == ((set >> k & 1) != 0);
        if (!fits) continue;
        on = at;
        break;
    }
    for (int k = 0; k < n; k++) {
        double most = limit[k] * on;
        double scale = size[k] > most ? most / size[k] : 1.0;
        for (int i = first[k]; i < first[k] + count[k]; i++) y[i] *= scale;
    }
    y[0] = on;
}
