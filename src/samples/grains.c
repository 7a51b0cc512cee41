/* SPDX-License-Identifier: BSD-3-Clause
 * New grains: their material, radii and region, their mass, their random velocities. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "samples_impl.h"
#include "scree/rng.h"

#define AT(member) offsetof(struct scree_sample_grains, member)
const struct scree_param scree_sample_grain_params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "a name of the section 'materials'"},
    {"radius", SCREE_PARAM_NODE, "m", 0, 0, NULL, NULL, AT(radius),
     "one radius, or {uniform: [smallest, largest]}"},
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "lower corner of the region to fill; default: of the domain"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high),
     "upper corner of the region to fill; default: of the domain"},
    {"speed", SCREE_PARAM_REAL, "m/s", 0, INFINITY, "0", NULL, AT(speed),
     "random velocities: rms of each component; the common drift is taken away"},
    {"spin", SCREE_PARAM_REAL, "rad/s", 0, INFINITY, "0", NULL, AT(spin),
     "random angular velocities: rms of each component (2D: of z)"},
    {0},
};

struct uniform {
    const struct scree_node *range;
};
static const struct scree_param uniform_params[] = {
    {"uniform", SCREE_PARAM_NODE, "m", 0, 0, NULL, NULL, offsetof(struct uniform, range),
     "[smallest, largest]"},
    {0},
};

int scree_sample_find_word(const char *const *words, const char *word)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

static bool read_positive(struct scree_input *input, const struct scree_node *node, double *value)
{
    if (!scree_input_real(input, node, "m", value)) return false;
    if (*value > 0.0 && *value < INFINITY) return true;
    scree_input_error(input, node, "'radius' is %g m, allowed > 0", *value);
    return false;
}

static bool read_radii(struct scree_input *input, const struct scree_node *node,
                       struct scree_sample_grains *grains)
{
    if (scree_node_kind(node) == SCREE_NODE_SCALAR) {
        if (!read_positive(input, node, &grains->smallest)) return false;
        grains->largest = grains->smallest;
        return true;
    }
    struct uniform uniform = {0};
    if (!scree_input_read(input, node, NULL, "radius", uniform_params, &uniform)) return false;
    const struct scree_node *range = uniform.range;
    if (scree_node_kind(range) != SCREE_NODE_LIST || scree_node_count(range) != 2) {
        scree_input_error(input, range, "radius: 'uniform' wants a list [smallest, largest]");
        scree_node_mark_all_used(range);
        return false;
    }
    bool low = read_positive(input, scree_node_item(range, 0), &grains->smallest);
    bool high = read_positive(input, scree_node_item(range, 1), &grains->largest);
    if (!low || !high) return false;
    if (grains->smallest <= grains->largest) return true;
    scree_input_error(input, range, "radius: smallest %g m is larger than largest %g m",
                      grains->smallest, grains->largest);
    return false;
}

/* One axis of the region. Bounds within a billionth of the box's are the box's: the user's numbers
 * and a periodic box differ by the rounding to the position grid. */
static bool fit_axis(struct scree_input *input, const struct scree_node *node,
                     const struct scree_box *box, int a, struct scree_sample_grains *grains)
{
    double slack = 1e-9 * box->length[a], *low = &grains->low[a], *high = &grains->high[a];
    if (isnan(*low)) *low = box->low[a];
    if (isnan(*high)) *high = box->high[a];
    if (*low < box->low[a] - slack || *high > box->high[a] + slack || *low >= *high) {
        bool at_low = scree_node_find(node, "low") != NULL && !(*high > box->high[a] + slack);
        scree_input_error(input, scree_node_find(node, at_low ? "low" : "high"),
                          "region from %g m to %g m in %c is empty or outside the domain, which "
                          "reaches from %g m to %g m",
                          *low, *high, "xyz"[a], box -> low[a], box -> high[a]);
        return false;
    }
    if (*low < box->low[a] + slack) *low = box->low[a];
    if (*high > box->high[a] - slack) *high = box->high[a];
    grains->whole[a] = box->periodic[a] && *low == box->low[a] && *high == box->high[a];
    if (*high - *low >= 2.0 * grains->largest) return true;
    scree_input_error(input, node, "no room in %c: %g m for grains of diameter %g m", "xyz"[a],
                      *high - *low, 2.0 * grains->largest);
    return false;
}

bool scree_sample_check_grains(struct scree_input *input, const struct scree_node *node,
                               const struct scree_box *box, const char *const *materials,
                               struct scree_sample_grains *grains)
{
    bool good = grains->material != NULL;
    if (grains->material != NULL) {
        grains->species = scree_sample_find_word(materials, grains->material);
        if (grains->species < 0) {
            scree_input_unknown(input, scree_node_find(node, "material"), "material",
                                grains->material, materials);
            good = false;
        }
    }
    if (grains->radius == NULL || !read_radii(input, grains->radius, grains)) return false;
    for (int a = 0; a < box->dimension; a++) {
        if (!(box->length[a] > 0.0)) return false;
        good = fit_axis(input, node, box, a, grains) && good;
    }
    return good;
}

double scree_sample_radius(const struct scree_sample_grains *grains, uint64_t seed, scree_gid gid)
{
    struct scree_rng_key key = {.seed = seed, .gid = gid, .purpose = SCREE_RNG_RADIUS};
    if (grains->smallest == grains->largest) return grains->largest;
    return grains->smallest + (grains->largest - grains->smallest) * scree_rng_uniform(&key, 0);
}

void scree_sample_share(const struct scree_comm *comm, int64_t n, int64_t *begin, int64_t *end)
{
    int64_t each = n / comm->n_ranks, rest = n % comm->n_ranks, r = comm->rank;
    *begin = each * r + (r < rest ? r : rest);
    *end = *begin + each + (r < rest ? 1 : 0);
}
