/* SPDX-License-Identifier: BSD-3-Clause
 * Grains on a simple cubic lattice (2D: square), filled from the low corner: x first, z last. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "samples_impl.h"

struct lattice {
    struct scree_sample_grains grains;
    double spacing; /* m; NAN if not given */
    int64_t count;  /* INT64_MIN if not given */
    /* Set by check(): */
    int64_t n[3];             /* sites along each axis */
    double first[3], step[3]; /* m */
};
_Static_assert(sizeof(struct lattice) <= SCREE_SAMPLE_VALUES * sizeof(double), "lattice fits");

#define AT(member) offsetof(struct lattice, member)
static const struct scree_param params[] = {
    {"spacing", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(spacing),
     "between sites; default 2.2 times the largest radius; periods may stretch it"},
    {"count", SCREE_PARAM_INTEGER, "", 1, INFINITY, "", NULL, AT(count),
     "number of grains; default: one on every site"},
    {0},
};

static const double most_sites = 1e12; /* far beyond any machine, far below overflow */

/* A spacing that divides the length up to rounding keeps all its sites. */
static void lay_axis(struct lattice *v, int a, double spacing)
{
    const struct scree_sample_grains *g = &v->grains;
    double length = g->high[a] - g->low[a];
    double n = fmin(floor(length / spacing * (1.0 + 1e-12)), most_sites);
    v->n[a] = (int64_t)n;
    v->step[a] = g->whole[a] && n > 0.0 ? length / n : spacing;
    v->first[a] = g->low[a] + 0.5 * (length - n * v->step[a]) + 0.5 * v->step[a];
}

static void check(struct scree_input *input, const struct scree_node *node,
                  const struct scree_box *box, const char *const *materials, void *values)
{
    struct lattice *v = values;
    if (!scree_sample_check_grains(input, node, box, materials, &v->grains)) return;
    double diameter = 2.0 * v->grains.largest;
    double spacing = isnan(v->spacing) ? 1.1 * diameter : v->spacing;
    if (spacing < diameter) {
        scree_input_error(input, scree_node_find(node, "spacing"),
                          "lattice: 'spacing' is %g m, less than the largest diameter %g m",
                          spacing, diameter);
        return;
    }
    double n_sites = 1.0;
    for (int a = 0; a < 3; a++) {
        v->n[a] = 1;
        if (a < box->dimension) lay_axis(v, a, spacing);
        n_sites *= (double)v->n[a];
    }
    if (n_sites < 1.0)
        scree_input_error(input, node, "lattice: the region is too small for a spacing of %g m",
                          spacing);
    else if (n_sites > most_sites)
        scree_input_error(input, node, "lattice: %g sites are too many", n_sites);
    else if (v->count != INT64_MIN && (double)v->count > n_sites)
        scree_input_error(input, scree_node_find(node, "count"),
                          "lattice: 'count' is %lld, but only %.0f sites fit: %lld x %lld x %lld",
                          (long long)v->count, n_sites, (long long)v->n[0], (long long)v->n[1],
                          (long long)v->n[2]);
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct lattice *v = (const struct lattice *)sample->values;
    int64_t n = v->count != INT64_MIN ? v->count : v->n[0] * v->n[1] * v->n[2], begin, end;
    scree_lid first = run->p->n_owned;
    scree_sample_share(run->context->comm, n, &begin, &end);
    for (int64_t site = begin; site < end; site++) {
        int64_t index[3] = {site % v->n[0], site / v->n[0] % v->n[1], site / v->n[0] / v->n[1]};
        scree_gid gid = run->n_before + 1 + site;
        double pos[4];
        for (int a = 0; a < 3; a++) pos[a] = v->first[a] + (double)index[a] * v->step[a];
        pos[3] = scree_sample_radius(&v->grains, run->context->seed, gid);
        scree_sample_append(run, gid, v->grains.species, pos);
    }
    scree_sample_stir(&v->grains, run, first);
    run->n_before += n;
    return SCREE_OK;
}

const struct scree_sample_kind scree_sample_lattice = {
    .name = "lattice",
    .summary = "grains on a simple cubic lattice (2D: square)",
    .common = scree_sample_grain_params,
    .params = params,
    .check = check,
    .fill = fill,
};
