/* SPDX-License-Identifier: BSD-3-Clause
 * Radii with a normally distributed logarithm, between two cut-offs. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "sizes_impl.h"

struct lognormal {
    double median, sigma, low, high;
    int by;
};

#define AT(member) offsetof(struct lognormal, member)
static const struct scree_param params[] = {
    {"median", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(median),
     "median radius, before the cut-offs"},
    {"sigma", SCREE_PARAM_REAL, "1", DBL_MIN, 5, NULL, NULL, AT(sigma),
     "standard deviation of ln(radius), before the cut-offs"},
    {"low", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(low),
     "smallest radius; default: three sigma below the median"},
    {"high", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(high),
     "largest radius; default: three sigma above the median"},
    SCREE_SIZE_BY_PARAM(AT(by)),
    {0},
};

/* Draws outside the cut-offs are repeated, which ends soon if this share of them is inside. */
static const double least_kept = 1e-3;
enum { MOST_DRAWS = 100000 };
static const double root_half = 0.70710678118654752;

/* Share of a standard normal variable between a and b; no cancellation in the tails. */
static double between(double a, double b)
{
    if (a > 0.0) return 0.5 * (erfc(a * root_half) - erfc(b * root_half));
    return 0.5 * (erfc(-b * root_half) - erfc(-a * root_half));
}

/* Share of the sizes between the cut-offs if the normal variable is moved by `shift` standard
 * deviations. */
static double kept(const struct scree_sizes *s, double shift)
{
    return between((log(s->low) - s->location) / s->width - shift,
                   (log(s->high) - s->location) / s->width - shift);
}

/* A lognormal volume distribution belongs to a lognormal number distribution of the same width,
 * shifted (Hatch and Choate, J. Franklin Inst. 207 (1929) 369). */
static bool read(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node)
{
    struct lognormal v = {0};
    if (!scree_input_read(input, node, NULL, "radius", params, &v)) return false;
    sizes->low = isnan(v.low) ? v.median * exp(-3.0 * v.sigma) : v.low;
    sizes->high = isnan(v.high) ? v.median * exp(3.0 * v.sigma) : v.high;
    if (!scree_size_check_range(input, node, sizes->low, sizes->high)) return false;
    sizes->width = v.sigma;
    sizes->location = log(v.median);
    if (v.by == SCREE_SIZE_BY_VOLUME) sizes->location -= sizes->volume_power * v.sigma * v.sigma;
    if (kept(sizes, 0.0) >= least_kept) return true;
    scree_input_error(input, node,
                      "radius: only %.2g of the grains of this lognormal distribution, by number, "
                      "are between %g m and %g m; move the cut-offs",
                      kept(sizes, 0.0), sizes->low, sizes->high);
    return false;
}

static double draw(const struct scree_sizes *s, const struct scree_rng_key *key)
{
    for (uint32_t k = 0; k < MOST_DRAWS; k++) {
        double radius = exp(s->location + s->width * scree_rng_normal(key, k));
        if (radius >= s->low && radius <= s->high) return radius;
    }
    return sqrt(s->low * s->high); /* has a probability below exp(-100) */
}

static double moment(const struct scree_sizes *s, int order)
{
    double shift = order * s->width;
    return exp(order * s->location + 0.5 * shift * shift) * kept(s, shift) / kept(s, 0.0);
}

const struct scree_size_kind scree_size_lognormal = {
    .name = "lognormal",
    .summary = "normally distributed logarithm of the radius, with cut-offs",
    .params = params,
    .read = read,
    .draw = draw,
    .moment = moment,
};
