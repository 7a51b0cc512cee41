/* SPDX-License-Identifier: BSD-3-Clause
 * Size distributions made of pieces of power laws: from volume to number, drawing, moments. */
#include <math.h>

#include "scree/alloc.h"
#include "sizes_impl.h"

/* Integral of r^s from low to high; no cancellation for narrow pieces. */
static double integral(double low, double high, double s)
{
    double width = log(high / low);
    if (s == -1.0) return width;
    return pow(low, s + 1.0) * expm1((s + 1.0) * width) / (s + 1.0);
}

/* Mean of r^order within a piece. */
static double piece_moment(const struct scree_size_piece *piece, double order)
{
    if (piece->low == piece->high) return pow(piece->low, order);
    return integral(piece->low, piece->high, order - piece->exponent) /
           integral(piece->low, piece->high, -piece->exponent);
}

/* Inverse of the cumulative distribution within a piece. */
static double piece_quantile(const struct scree_size_piece *piece, double u)
{
    double low = piece->low, high = piece->high, power = 1.0 - piece->exponent, radius;
    if (low == high) return low;
    if (piece->exponent == 0.0)
        radius = low + (high - low) * u;
    else if (power == 0.0)
        radius = low * pow(high / low, u);
    else
        radius = low * pow(1.0 + u * (pow(high / low, power) - 1.0), 1.0 / power);
    return fmin(fmax(radius, low), high);
}

void scree_size_pieces_init(struct scree_sizes *sizes, int n)
{
    sizes->n_pieces = n;
    sizes->piece = scree_alloc((size_t)n, sizeof *sizes->piece);
}

/* A share of the volume is a share of the number times the mean volume of a grain. Where the volume
 * has the density r^-q, the number has r^-(q + 3). */
void scree_size_pieces_finish(struct scree_sizes *sizes, int by)
{
    double sum = 0.0;
    for (int k = 0; k < sizes->n_pieces; k++) {
        struct scree_size_piece *piece = &sizes->piece[k];
        if (by == SCREE_SIZE_BY_VOLUME) {
            piece->share *= piece_moment(piece, -sizes->volume_power);
            piece->exponent += sizes->volume_power;
        }
        sum += piece->share;
        piece->up_to = sum;
    }
    for (int k = 0; k < sizes->n_pieces; k++) {
        sizes->piece[k].share /= sum;
        sizes->piece[k].up_to /= sum;
    }
    sizes->low = sizes->piece[0].low;
    sizes->high = sizes->piece[sizes->n_pieces - 1].high;
}

double scree_size_pieces_draw(const struct scree_sizes *sizes, const struct scree_rng_key *key)
{
    if (sizes->low == sizes->high) return sizes->low;
    double u = scree_rng_uniform(key, 0);
    if (sizes->n_pieces == 1) return piece_quantile(&sizes->piece[0], u);
    int first = 0, last = sizes->n_pieces - 1; /* the first piece with u < up_to */
    while (first < last) {
        int middle = (first + last) / 2;
        if (u < sizes->piece[middle].up_to)
            last = middle;
        else
            first = middle + 1;
    }
    const struct scree_size_piece *piece = &sizes->piece[first];
    return piece_quantile(piece, (u - (piece->up_to - piece->share)) / piece->share);
}

double scree_size_pieces_moment(const struct scree_sizes *sizes, int order)
{
    double sum = 0.0;
    for (int k = 0; k < sizes->n_pieces; k++)
        sum += sizes->piece[k].share * piece_moment(&sizes->piece[k], order);
    return sum;
}
